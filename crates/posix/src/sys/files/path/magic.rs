//! The links of `/proc`, which lead where the processes are now.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use everett_base::RadixMap;
use everett_fs::{FsError, MagicLinks, MagicTarget};

use crate::state::file::specials::{SpecialInode, SpecialInodes};
use crate::state::file::{FileKind, OpenFile, StandardStream};
use crate::state::ids::{FileId, Pid};
use crate::state::node::Node;
use crate::state::process::Process;
use crate::state::sockets::inode_of;

/// Follows links of `/proc` on behalf of a process.
pub(crate) struct ProcLinks<'a> {
    processes: &'a BTreeMap<Pid, Arc<Process>>,
    files: &'a RadixMap<OpenFile>,
    specials: &'a SpecialInodes,
    own: Pid,
    reached: Cell<Option<FileId>>,
}

impl<'a> ProcLinks<'a> {
    pub(super) fn new(
        processes: &'a BTreeMap<Pid, Arc<Process>>,
        files: &'a RadixMap<OpenFile>,
        specials: &'a SpecialInodes,
        own: Pid,
    ) -> ProcLinks<'a> {
        ProcLinks { processes, files, specials, own, reached: Cell::new(None) }
    }

    /// The open file that a link led to which is not in the file system, so that the resolution
    /// failed there.
    pub(crate) fn reached(&self) -> Option<FileId> {
        self.reached.get()
    }

    fn process(&self, pid: Pid) -> Result<&Process, FsError> {
        let process = self.processes.get(&pid).filter(|process| !process.is_zombie());
        process.map(|process| &**process).ok_or(FsError::NotFound)
    }
}

impl MagicLinks for ProcLinks<'_> {
    fn follow(&self, tag: u32) -> Result<MagicTarget, FsError> {
        match self.specials.get(tag).ok_or(FsError::NotFound)? {
            SpecialInode::Itself => Ok(MagicTarget::Path(self.own.0.to_string().into_bytes())),
            SpecialInode::Cwd(pid) => Ok(MagicTarget::Inode(self.process(pid)?.cwd)),
            SpecialInode::Root(pid) => Ok(MagicTarget::Inode(self.process(pid)?.root)),
            SpecialInode::Executable(pid) => {
                Ok(MagicTarget::Path(self.process(pid)?.executable.to_vec()))
            }
            SpecialInode::Descriptor(pid, number) => {
                let entry = self.process(pid)?.descriptors.get(number);
                let id = entry.ok_or(FsError::NotFound)?.file;
                let file = self.files.get(id.0.into()).ok_or(FsError::NotFound)?;
                if let Some(inode) = file.inode() {
                    return Ok(MagicTarget::Inode(inode));
                }
                self.reached.set(Some(id));
                Err(FsError::NotFound)
            }
            SpecialInode::Dir | SpecialInode::File(..) | SpecialInode::Forward(_) => {
                Err(FsError::NotFound)
            }
        }
    }

    /// Nobody asks: [`link_text`] needs the whole node.
    fn text(&self, _tag: u32) -> Result<Vec<u8>, FsError> {
        Err(FsError::NotFound)
    }
}

/// The target of a link of `/proc`, as `readlink` says it.
pub(crate) fn link_text(node: &Node, special: SpecialInode) -> Result<Vec<u8>, FsError> {
    let process = |pid| node.find(pid).filter(|p| !p.is_zombie()).ok_or(FsError::NotFound);
    match special {
        SpecialInode::Itself => Ok(node.volatile.running.0.0.to_string().into_bytes()),
        SpecialInode::Cwd(pid) => shown(node, process(pid)?.cwd),
        SpecialInode::Root(pid) => shown(node, process(pid)?.root),
        SpecialInode::Executable(pid) => Ok(process(pid)?.executable.to_vec()),
        SpecialInode::Descriptor(pid, number) => {
            let entry = process(pid)?.descriptors.get(number).ok_or(FsError::NotFound)?;
            file_text(node, entry.file)
        }
        SpecialInode::Dir | SpecialInode::File(..) | SpecialInode::Forward(_) => {
            Err(FsError::Invalid)
        }
    }
}

fn shown(node: &Node, inode: everett_fs::InodeId) -> Result<Vec<u8>, FsError> {
    match node.disk.fs.name_of(inode) {
        // Its last name is not known any more.
        Err(FsError::NotFound) => Ok(format!("/#{} (deleted)", inode.0).into_bytes()),
        name => name,
    }
}

fn file_text(node: &Node, id: FileId) -> Result<Vec<u8>, FsError> {
    let file = node.file(id);
    if let Some(inode) = file.inode() {
        return shown(node, inode);
    }
    let text = match &file.kind {
        FileKind::Stream(StandardStream::In) => "pipe:[1]".to_owned(),
        FileKind::Stream(StandardStream::Out(number)) => format!("pipe:[{}]", number + 1),
        FileKind::Pipe { pipe, .. } => format!("pipe:[{}]", 16 + pipe.0),
        FileKind::Socket(socket) => format!("socket:[{}]", inode_of(*socket)),
        FileKind::EventCounter(_) => "anon_inode:[eventfd]".to_owned(),
        FileKind::Timer(_) => "anon_inode:[timerfd]".to_owned(),
        FileKind::Epoll(_) => "anon_inode:[eventpoll]".to_owned(),
        FileKind::Signal(_) => "anon_inode:[signalfd]".to_owned(),
        FileKind::Inotify(_) => "anon_inode:inotify".to_owned(),
        FileKind::Queue(number) => node.volatile.ipc.posix_queues.path_of(*number),
        FileKind::Regular(_)
        | FileKind::Generated { .. }
        | FileKind::Directory(_)
        | FileKind::Path(_)
        | FileKind::Device { .. }
        | FileKind::Terminal { .. } => return Err(FsError::Stale),
    };
    Ok(text.into_bytes())
}
