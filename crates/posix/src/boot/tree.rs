//! The files that every node has, whatever is shown of the host: a small `/etc`, `/dev`, `/proc` and
//! the usual directories.
//!
//! What is there already stays, so that a host's `/etc` can be shown instead; but `/proc` holds only
//! what is made here, and what depends on a process is made when it is looked up ([`refresh`]) or opened
//! ([`SpecialInode::File`], `tree/text.rs`, `tree/network.rs`).

mod network;
mod text;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use everett_fs::{
    Credentials, DeviceNumber, FollowLinks, Fs, FsContext, FsError, InodeId, InodeKind, OpenHow,
};
use everett_memory::ByteValue;

use crate::config::{KernelConfig, NodeIdentity, SocketForward};
use crate::state::file::specials::{SpecialInode, SpecialInodes};
use crate::state::ids::Pid;
use crate::state::node::Node;

pub(crate) use self::text::generate;
pub(crate) use crate::state::file::specials::{GeneratedText, NetworkText};

/// The tag of a file without a name that must never get one.
pub(crate) const NEVER_NAMED: u32 = u32::MAX;

/// The special meaning of an inode, if it has one.
pub(crate) fn special(node: &Node, inode: InodeId) -> Option<SpecialInode> {
    node.volatile.specials.get(node.disk.fs.stat(inode).ok()?.tag)
}

/// Returns true if an inode is one whose content depends on the processes.
pub(crate) fn is_special(node: &Node, inode: InodeId) -> bool {
    special(node, inode).is_some()
}

/// Makes the tree.
pub(crate) fn populate(
    fs: &mut Fs<ByteValue>,
    config: &KernelConfig,
) -> Result<SpecialInodes, FsError> {
    let cred = Credentials::root();
    let now = i64::try_from(config.epoch_s).unwrap_or(0).saturating_mul(1_000_000_000);
    let ctx = FsContext { umask: 0, now, ..FsContext::new(fs.root(), &cred) };
    // What the host has there says nothing about this system.
    fs.hide(b"/proc", now)?;
    for path in
        ["/bin", "/dev", "/dev/pts", "/etc", "/proc", "/run", "/usr/bin", "/usr/lib", "/var"]
    {
        unless_there(fs.make_dirs(path.as_bytes(), 0o755, now))?;
    }
    for path in ["/tmp", "/var/tmp", "/dev/shm"] {
        unless_there(fs.make_dirs(path.as_bytes(), 0o1777, now))?;
    }
    let NodeIdentity { uid, gid } = config.identity;
    if fs.resolve(&ctx, b"/home/user", FollowLinks::Yes) == Err(FsError::NotFound)
        && let Some(home) = unless_there(fs.make_dirs(b"/home/user", 0o755, now))?
    {
        fs.chown(&ctx, home, Some(uid), Some(gid))?;
    }
    let mut tree = Tree { fs, ctx: &ctx, specials: SpecialInodes::default() };
    tree.devices()?;
    for (path, content) in text::etc(config) {
        tree.file(path, 0o644, content.as_bytes())?;
    }
    for forward in &config.forwards {
        tree.forward(forward, config)?;
    }
    match tree.proc() {
        // Where the root must not change, there is none.
        Ok(()) | Err(FsError::ReadOnly) => Ok(tree.specials),
        Err(error) => Err(error),
    }
}

/// Files that tell of the names of hosts: what they hold with one set of options and with another.
pub(crate) fn renamed(
    before: &KernelConfig,
    after: &KernelConfig,
) -> impl Iterator<Item = (&'static str, String, String)> {
    let both = text::etc(before).into_iter().zip(text::etc(after));
    both.filter(|((_, old), (_, new))| old != new).map(|((path, old), (_, new))| (path, old, new))
}

/// Brings `/proc` up to date with the processes and their descriptors.
pub(crate) fn refresh(node: &mut Node) -> Result<(), FsError> {
    let numbers = |pid: &Pid| -> Vec<u32> {
        let process = node.find(*pid).filter(|process| !process.is_zombie());
        process.map_or(Vec::new(), |p| p.descriptors.iter().map(|(number, _)| number).collect())
    };
    let wanted: BTreeMap<Pid, Vec<u32>> =
        node.volatile.processes.keys().map(|pid| (*pid, numbers(pid))).collect();
    if *node.volatile.specials.shown == wanted {
        return Ok(());
    }
    let owners: BTreeMap<Pid, (u32, u32)> = node
        .volatile
        .processes
        .iter()
        .map(|(pid, p)| (*pid, (p.ids.effective_uid, p.ids.effective_gid)))
        .collect();
    let cred = Credentials::root();
    let ctx =
        FsContext { umask: 0, now: node.stamp(), ..FsContext::new(node.disk.fs.root(), &cred) };
    let before = node.volatile.specials.shown.clone();
    let mut tree =
        Tree { fs: &mut node.disk.fs, ctx: &ctx, specials: node.volatile.specials.clone() };
    for (pid, old) in before.iter().filter(|(pid, _)| !wanted.contains_key(pid)) {
        tree.remove_process(*pid, old)?;
    }
    for (pid, numbers) in &wanted {
        let old = match before.get(pid) {
            Some(old) => old,
            None => {
                tree.add_process(*pid, owners[pid])?;
                &Vec::new()
            }
        };
        tree.update_descriptors(*pid, old, numbers)?;
    }
    let specials = SpecialInodes { shown: Arc::new(wanted), ..tree.specials };
    node.volatile.specials = specials;
    Ok(())
}

/// A tree that is being made.
struct Tree<'a> {
    fs: &'a mut Fs<ByteValue>,
    ctx: &'a FsContext<'a>,
    specials: SpecialInodes,
}

impl Tree<'_> {
    /// A regular file, unless there is one.
    fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> Result<(), FsError> {
        let how =
            OpenHow { write: true, create: true, exclusive: true, mode, ..OpenHow::default() };
        let opened = self.fs.open(self.ctx, path.as_bytes(), &how);
        let Some(opened) = unless_there(opened)? else { return Ok(()) };
        if !content.is_empty() {
            self.fs.write_bytes(self.ctx, opened.inode, 0, content)?;
        }
        Ok(())
    }

    fn link(&mut self, path: &str, target: &str) -> Result<(), FsError> {
        unless_there(self.fs.symlink(self.ctx, target.as_bytes(), path.as_bytes())).map(|_| ())
    }

    fn magic(&mut self, path: &str, special: SpecialInode) -> Result<(), FsError> {
        let tag = self.specials.tag(special);
        unless_there(self.fs.magic_link(self.ctx, path.as_bytes(), tag)).map(|_| ())
    }

    fn dir(&mut self, path: &str, mode: u32) -> Result<InodeId, FsError> {
        let dir = self.fs.make_dirs(path.as_bytes(), mode, self.ctx.now)?;
        let tag = self.specials.tag(SpecialInode::Dir);
        self.fs.set_tag(dir, tag)?;
        Ok(dir)
    }

    /// A file whose content is made when it is opened.
    fn generated(&mut self, path: &str, text: GeneratedText) -> Result<InodeId, FsError> {
        let (kind, device) = (InodeKind::File, DeviceNumber::default());
        let inode = self.fs.mknod(self.ctx, path.as_bytes(), kind, 0o444, device)?;
        let tag = self.specials.tag(SpecialInode::File(text));
        self.fs.set_tag(inode, tag)?;
        Ok(inode)
    }

    /// A UNIX socket whose connections lead to another node. After a crash it may be there already.
    fn forward(&mut self, forward: &SocketForward, config: &KernelConfig) -> Result<(), FsError> {
        let SocketForward { path, node, port } = forward;
        let topology = config.topology.as_ref();
        let to = topology
            .and_then(|topology| Some(topology.address_seen(config.host, topology.find(node)?)));
        let Some(to) = to else { return Ok(()) };
        if let Some(end) = path.iter().rposition(|byte| *byte == b'/').filter(|end| *end > 0) {
            unless_there(self.fs.make_dirs(&path[..end], 0o755, self.ctx.now))?;
        }
        let kind = InodeKind::Socket;
        unless_there(self.fs.mknod(self.ctx, path, kind, 0o777, DeviceNumber::default()))?;
        let inode = self.fs.resolve(self.ctx, path, FollowLinks::No)?;
        if self.fs.stat(inode)?.kind == kind {
            let tag = self.specials.tag(SpecialInode::Forward(SocketAddr::new(to, *port)));
            self.fs.set_tag(inode, tag)?;
        }
        Ok(())
    }

    fn devices(&mut self) -> Result<(), FsError> {
        let devices = [
            ("/dev/null", 1, 3),
            ("/dev/zero", 1, 5),
            ("/dev/full", 1, 7),
            ("/dev/random", 1, 8),
            ("/dev/urandom", 1, 9),
            ("/dev/tty", 5, 0),
            ("/dev/ptmx", 5, 2),
        ];
        for (path, major, minor) in devices {
            let device = DeviceNumber { major, minor };
            let made =
                self.fs.mknod(self.ctx, path.as_bytes(), InodeKind::CharDevice, 0o666, device);
            unless_there(made)?;
        }
        self.link("/dev/fd", "/proc/self/fd")?;
        for (path, number) in [("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2)] {
            self.link(path, &format!("/proc/self/fd/{number}"))?;
        }
        Ok(())
    }

    fn proc(&mut self) -> Result<(), FsError> {
        self.dir("/proc", 0o555)?;
        self.dir("/proc/sys/kernel", 0o555)?;
        self.magic("/proc/self", SpecialInode::Itself)?;
        self.link("/proc/mounts", "self/mounts")?;
        let files = [
            ("/proc/cpuinfo", GeneratedText::Processors),
            ("/proc/filesystems", GeneratedText::FileSystems),
            ("/proc/loadavg", GeneratedText::Load),
            ("/proc/meminfo", GeneratedText::Memory),
            ("/proc/stat", GeneratedText::Machine),
            ("/proc/uptime", GeneratedText::Uptime),
            ("/proc/version", GeneratedText::Version),
            ("/proc/sys/kernel/hostname", GeneratedText::HostName),
            ("/proc/sys/kernel/osrelease", GeneratedText::Release),
            ("/proc/sys/kernel/ostype", GeneratedText::System),
            ("/proc/sys/kernel/pid_max", GeneratedText::LargestPid),
        ];
        for (path, text) in files {
            self.generated(path, text)?;
        }
        self.dir("/proc/net", 0o555)?;
        for (name, text) in NetworkText::ALL {
            self.generated(&format!("/proc/net/{name}"), GeneratedText::Network(text))?;
        }
        Ok(())
    }

    fn add_process(&mut self, pid: Pid, owner: (u32, u32)) -> Result<(), FsError> {
        let base = format!("/proc/{}", pid.0);
        let (dir, fd) = (self.dir(&base, 0o555)?, self.dir(&format!("{base}/fd"), 0o500)?);
        for (name, text) in GeneratedText::of_process(pid) {
            let inode = self.generated(&format!("{base}/{name}"), text)?;
            self.own(inode, owner)?;
        }
        for (name, special) in [
            ("cwd", SpecialInode::Cwd(pid)),
            ("exe", SpecialInode::Executable(pid)),
            ("root", SpecialInode::Root(pid)),
        ] {
            self.magic(&format!("{base}/{name}"), special)?;
        }
        // All processes are in one network.
        self.link(&format!("{base}/net"), "../net")?;
        self.own(fd, owner)?;
        self.own(dir, owner)
    }

    fn own(&mut self, inode: InodeId, (uid, gid): (u32, u32)) -> Result<(), FsError> {
        self.fs.chown(self.ctx, inode, Some(uid), Some(gid))
    }

    fn remove_process(&mut self, pid: Pid, shown: &[u32]) -> Result<(), FsError> {
        let base = format!("/proc/{}", pid.0);
        self.update_descriptors(pid, shown, &[])?;
        let names = GeneratedText::of_process(pid).into_iter().map(|(name, _)| name);
        for name in names.chain(["cwd", "exe", "net", "root"]) {
            self.fs.unlink(self.ctx, format!("{base}/{name}").as_bytes())?;
        }
        self.fs.rmdir(self.ctx, format!("{base}/fd").as_bytes())?;
        self.fs.rmdir(self.ctx, base.as_bytes())
    }

    fn update_descriptors(&mut self, pid: Pid, old: &[u32], new: &[u32]) -> Result<(), FsError> {
        let path = |number: &u32| format!("/proc/{}/fd/{number}", pid.0);
        for number in old.iter().filter(|number| !new.contains(number)) {
            self.fs.unlink(self.ctx, path(number).as_bytes())?;
        }
        for number in new.iter().filter(|number| !old.contains(number)) {
            self.magic(&path(number), SpecialInode::Descriptor(pid, *number))?;
        }
        Ok(())
    }
}

/// What is there, or must not be changed, stays as it is.
fn unless_there<T>(made: Result<T, FsError>) -> Result<Option<T>, FsError> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(FsError::Exists | FsError::ReadOnly) => Ok(None),
        Err(error) => Err(error),
    }
}
