//! The beginnings of a node's program, one for each start.

use everett_fs::{ContentPiece, Credentials, Fs, FsContext, FsError, InodeId, InodeKind, Stat};
use everett_interp::{Interp, State};
use everett_memory::ByteValue;

use crate::config::KernelConfig;
use crate::kernel::{Guest, Kernel};
use crate::state::node::Node;
use crate::state::recording::{ProgramLaunch, TreeFile};
use crate::state::standstill::ProgramStart;

/// The most bytes of all files of a node.
const MOST_BYTES: u64 = 256 << 20;
/// The most files of a node.
const MOST_FILES: usize = 100_000;
/// The folders that are not kept on disks.
const NOT_KEPT: [&[u8]; 2] = [b"/proc", b"/dev"];
/// Kinds of files in a mode.
const S_IFDIR: u32 = 0o040_000;
const S_IFREG: u32 = 0o100_000;
const S_IFLNK: u32 = 0o120_000;
const S_IFSOCK: u32 = 0o140_000;

impl Kernel {
    /// Notes what the first program of a node that is recorded begins with.
    pub fn note_launch<X: Guest>(
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        start: &ProgramStart,
        config: &KernelConfig,
    ) {
        let program = st.program;
        let Some(record) = &mut st.extra.node_mut().record else { return };
        record.program = Some(program);
        let node = st.extra.node();
        let texts = |list: &[Vec<ByteValue>]| -> Vec<Vec<u8>> {
            let text = |bytes: &Vec<ByteValue>| {
                let mut text = Kernel::example(cx, st, bytes);
                // An argument ends at its first zero, however long it could be.
                text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
                text
            };
            list.iter().map(text).collect()
        };
        let files = tree(&mut node.disk.fs.clone(), &|bytes| Kernel::example(cx, st, bytes));
        let launch = ProgramLaunch {
            argv: texts(&start.argv),
            env: texts(&start.envp),
            cwd: config.cwd.clone(),
            uid: config.identity.uid,
            gid: config.identity.gid,
            stdin: Kernel::example(cx, st, &node.path.input),
            files: Vec::new(),
        };
        let node = st.extra.node_mut();
        let files = files.unwrap_or_else(|why| {
            node.trouble(why);
            Vec::new()
        });
        if let Some(record) = &mut node.record {
            record.launches.push(ProgramLaunch { files, ..launch });
        }
    }
}

impl Node {
    /// A file tells of other names than when the program began. Natively it does so from the beginning.
    pub(crate) fn note_renamed(&mut self, path: &str, old: &str, new: &str) {
        let Some(record) = &mut self.record else { return };
        let Some(mut launch) = record.launches.first().cloned() else { return };
        let is_it = |file: &&mut TreeFile| file.path == path.as_bytes();
        if let Some(file) = launch.files.iter_mut().find(is_it)
            && file.bytes == old.as_bytes()
        {
            file.bytes = new.as_bytes().to_vec();
        }
        record.launches = record.launches.rest();
        record.launches.push(launch);
    }
}

/// All files.
fn tree(
    fs: &mut Fs<ByteValue>,
    value: &dyn Fn(&[ByteValue]) -> Vec<u8>,
) -> Result<Vec<TreeFile>, String> {
    let mut found: Vec<TreeFile> = Vec::new();
    let mut left = MOST_BYTES;
    let mut directories = vec![(fs.root(), Vec::new())];
    while let Some((directory, path)) = directories.pop() {
        let failed = |error: FsError| format!("{}: {error}", String::from_utf8_lossy(&path));
        for entry in fs.entries(directory).map_err(failed)? {
            let mut at = path.clone();
            at.push(b'/');
            at.extend_from_slice(&entry.name);
            if matches!(&entry.name[..], b"." | b"..") || NOT_KEPT.contains(&&at[..]) {
                continue;
            }
            let stat = fs.stat(entry.inode).map_err(failed)?;
            let Some(file) = file(fs, &stat, at, left, value).map_err(failed)? else { continue };
            left = left.saturating_sub(file.bytes.len() as u64);
            if left == 0 || found.len() == MOST_FILES {
                return Err("a node has more files than a folder is made for".to_owned());
            }
            if stat.kind == InodeKind::Directory {
                directories.push((entry.inode, file.path.clone()));
            }
            found.push(file);
        }
    }
    Ok(found)
}

/// A file as it is; `None` if it is neither a file nor a directory nor a link nor a socket.
fn file(
    fs: &Fs<ByteValue>,
    stat: &Stat,
    path: Vec<u8>,
    most: u64,
    value: &dyn Fn(&[ByteValue]) -> Vec<u8>,
) -> Result<Option<TreeFile>, FsError> {
    let (kind, bytes) = match stat.kind {
        InodeKind::File => (S_IFREG, content(fs, stat.inode, stat.size.min(most), value)?),
        InodeKind::Directory => (S_IFDIR, Vec::new()),
        InodeKind::Symlink => {
            let cred = Credentials::root();
            let target = fs.readlink(&FsContext::new(fs.root(), &cred), stat.inode)?;
            (S_IFLNK, target.to_vec())
        }
        InodeKind::Socket => (S_IFSOCK, Vec::new()),
        InodeKind::Fifo | InodeKind::CharDevice | InodeKind::BlockDevice => return Ok(None),
    };
    let Stat { mode, uid, gid, .. } = *stat;
    Ok(Some(TreeFile { path, mode: kind | mode, uid, gid, bytes }))
}

fn content(
    fs: &Fs<ByteValue>,
    inode: InodeId,
    size: u64,
    value: &dyn Fn(&[ByteValue]) -> Vec<u8>,
) -> Result<Vec<u8>, FsError> {
    let mut content = Vec::new();
    fs.read_pieces(inode, 0, size as usize, |piece| match piece {
        ContentPiece::Bytes(bytes) => content.extend_from_slice(bytes),
        ContentPiece::Cells(cells) => content.extend(value(cells)),
        ContentPiece::Zeros(count) => content.resize(content.len() + count, 0),
    })?;
    Ok(content)
}
