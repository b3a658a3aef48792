//! A node that becomes a host of networks after its program has begun: it was booted by the program
//! itself.

use everett_base::rng::Rng;
use everett_fs::{Credentials, FollowLinks, FsContext, FsError, OpenHow};
use everett_memory::ByteValue;

use crate::boot::tree;
use crate::config::KernelConfig;
use crate::state::node::Node;

impl Node {
    /// Gives the node the name, the networks and the random numbers of `after`; it was made with
    /// `before`. Files in `/etc` that tell of names follow, unless somebody has changed them.
    pub fn join(&mut self, before: &KernelConfig, after: &KernelConfig) -> Result<(), FsError> {
        self.volatile.hostname = after.hostname.as_bytes().into();
        self.net.join(after.host, after.topology.clone());
        // Nodes that begin alike must not draw alike.
        self.path.rng = Rng::new(after.seed ^ self.path.rng.next_u64());
        for (path, old, new) in tree::renamed(before, after) {
            self.replace(path, &old, &new)?;
            self.note_renamed(path, &old, &new);
        }
        self.changed();
        Ok(())
    }

    /// Replaces a file that has a certain content.
    fn replace(&mut self, path: &str, old: &str, new: &str) -> Result<(), FsError> {
        let cred = Credentials::root();
        let ctx = FsContext { now: self.stamp(), ..FsContext::new(self.disk.fs.root(), &cred) };
        let inode = match self.disk.fs.resolve(&ctx, path.as_bytes(), FollowLinks::Yes) {
            Ok(inode) => inode,
            Err(FsError::NotFound) => return Ok(()),
            Err(error) => return Err(error),
        };
        let size = self.disk.fs.stat(inode)?.size;
        let mut content: Vec<ByteValue> = Vec::new();
        let read = &mut content;
        self.disk.fs.read_pieces(inode, 0, size as usize, |piece| match piece {
            everett_fs::ContentPiece::Bytes(bytes) => {
                read.extend(bytes.iter().copied().map(ByteValue::Concrete));
            }
            everett_fs::ContentPiece::Cells(cells) => read.extend_from_slice(cells),
            everett_fs::ContentPiece::Zeros(count) => {
                read.resize(read.len() + count, ByteValue::Concrete(0));
            }
        })?;
        let known = |text: &str| text.bytes().map(ByteValue::Concrete).collect::<Vec<_>>();
        if content != known(old) {
            return Ok(());
        }
        let how = OpenHow { write: true, truncate: true, ..OpenHow::default() };
        match self.disk.fs.open(&ctx, path.as_bytes(), &how) {
            Ok(opened) => self.disk.fs.write(&ctx, opened.inode, 0, &known(new)).map(|_| ()),
            // What must not be changed stays as it is.
            Err(FsError::ReadOnly) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use everett_net::{HostId, HostSpec, TopologyBuilder};
    use syscalls::Sysno;

    use super::*;
    use crate::testing::Tester;

    #[test]
    fn a_node_that_joins_finds_the_others_by_name() {
        let mut t = Tester::new();
        let mut builder = TopologyBuilder::new();
        builder.node(HostSpec::new("server")).node(HostSpec::new("client"));
        let topology = Some(builder.build().expect("two hosts have addresses"));
        let before = KernelConfig::default();
        let after = KernelConfig {
            hostname: "client".to_owned(),
            host: HostId(1),
            topology,
            ..before.clone()
        };
        t.node_mut().join(&before, &after).expect("files can be changed");
        let content = |t: &mut Tester, path: &str| {
            let path = t.text(path);
            let fd = t.call(Sysno::open, &[path, 0, 0]).expect("it is there");
            let room = t.room(256);
            let size = t.call(Sysno::read, &[fd, room, 256]).expect("it can be read");
            String::from_utf8(t.peek(room, size as usize)).expect("it is text")
        };
        assert_eq!(content(&mut t, "/etc/hostname"), "client\n");
        let hosts = content(&mut t, "/etc/hosts");
        assert!(hosts.contains("10.0.0.1\tserver\n") && hosts.contains("10.0.0.2\tclient\n"));
        assert_eq!(content(&mut t, "/proc/sys/kernel/hostname"), "client\n");
    }
}
