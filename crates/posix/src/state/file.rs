//! Open files: what descriptors stand for, shared by `dup` and `fork`.

pub(crate) mod descriptor;
pub(crate) mod epoll;
pub(crate) mod eventfd;
pub(crate) mod inotify;
pub(crate) mod locks;
pub(crate) mod pipes;
pub(crate) mod seals;
pub(crate) mod specials;
pub(crate) mod terminal;
pub(crate) mod timerfd;

use std::sync::Arc;

use everett_base::shares_nothing;
use everett_fs::InodeId;
use linux_raw_sys::general as linux;

use crate::state::file::epoll::EpollInstance;
use crate::state::file::eventfd::EventCounter;
use crate::state::file::timerfd::TimerFile;
use crate::state::ids::{PipeId, SocketId};
use crate::state::process::signals::SignalFile;

/// An open file (POSIX: open file description).
#[derive(Clone, Debug)]
pub(crate) struct OpenFile {
    pub(crate) kind: FileKind,
    /// Access mode and status flags, as `F_GETFL` shows them.
    pub(crate) flags: u32,
    /// Position of the next access.
    pub(crate) offset: u64,
    /// Descriptors and other references that keep it open.
    pub(crate) references: u32,
    /// The wishes of the program for it: no faults, symbolic data.
    marks: u8,
    /// The number of reads from it that may give less than there is.
    pieces: u8,
}

everett_base::portable!(struct OpenFile { kind, flags, offset, references, marks, pieces });

shares_nothing!(OpenFile);
/// No faults of calls on the file.
const SPARED: u8 = 1;
/// The data that is read from it is symbolic.
const SYMBOLIC: u8 = 2;

/// The kind of an open file.
#[derive(Clone, Debug)]
pub(crate) enum FileKind {
    /// A regular file.
    Regular(InodeId),
    /// A regular file whose content was made when it was opened, as those in `/proc` are.
    Generated {
        inode: InodeId,
        text: Arc<[u8]>,
    },
    /// A directory.
    Directory(InodeId),
    /// A file opened with `O_PATH`.
    Path(InodeId),
    /// One of the standard streams of the first process.
    Stream(StandardStream),
    /// A device of the kernel.
    Device {
        inode: InodeId,
        device: KernelDevice,
    },
    /// An end of a pipe or fifo; a fifo's has an inode.
    Pipe {
        pipe: PipeId,
        inode: Option<InodeId>,
    },
    EventCounter(EventCounter),
    Timer(TimerFile),
    Epoll(EpollInstance),
    Signal(SignalFile),
    Socket(SocketId),
    /// A message queue of POSIX, by its number.
    Queue(u32),
    /// An instance of inotify, by its number.
    Inotify(u32),
    /// An end of a terminal, by its number.
    Terminal {
        number: u32,
        is_master: bool,
        inode: InodeId,
    },
}

everett_base::portable!(enum FileKind {
    0 = Regular(value), 1 = Generated { inode, text }, 2 = Directory(value), 3 = Path(value),
    4 = Stream(value), 5 = Device { inode, device }, 6 = Pipe { pipe, inode },
    7 = EventCounter(value), 8 = Timer(value), 9 = Epoll(value), 10 = Signal(value),
    11 = Socket(value), 12 = Queue(value), 13 = Inotify(value),
    14 = Terminal { number, is_master, inode },
});

/// The standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StandardStream {
    /// Standard input: [`crate::Node::input`].
    In,
    /// Standard output or error, by its number.
    Out(u32),
}

everett_base::portable!(enum StandardStream { 0 = In, 1 = Out(value) });

/// Devices that the kernel implements. Terminals are a kind of file of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KernelDevice {
    Null,
    Zero,
    Full,
    Random,
}

everett_base::portable!(enum KernelDevice { 0 = Null, 1 = Zero, 2 = Full, 3 = Random });

impl OpenFile {
    /// A file with one reference, at its beginning.
    pub(crate) fn new(kind: FileKind, flags: u32) -> OpenFile {
        OpenFile { kind, flags, offset: 0, references: 1, marks: 0, pieces: 0 }
    }

    /// Returns true if no faults happen to it.
    pub(crate) fn is_spared(&self) -> bool {
        self.marks & SPARED != 0
    }

    /// Returns true if what is read from it is symbolic.
    pub(crate) fn is_symbolic(&self) -> bool {
        self.marks & SYMBOLIC != 0
    }

    /// Lets faults happen to it, or none.
    pub(crate) fn spare(&mut self, on: bool) {
        self.marks = self.marks & !SPARED | if on { SPARED } else { 0 };
    }

    /// Lets what is read from it be symbolic, or not.
    pub(crate) fn make_symbolic(&mut self, on: bool) {
        self.marks = self.marks & !SYMBOLIC | if on { SYMBOLIC } else { 0 };
    }

    /// Lets so many reads from it give less than there is.
    pub(crate) fn give_pieces(&mut self, reads: u64) {
        self.pieces = u8::try_from(reads).unwrap_or(u8::MAX);
    }

    /// Returns true if a read from it may give less than there is.
    pub(crate) fn gives_pieces(&self) -> bool {
        self.pieces > 0
    }

    /// One read has.
    pub(crate) fn spend_piece(&mut self) {
        self.pieces = self.pieces.saturating_sub(1);
    }

    /// Returns true if it was opened to be read from.
    pub(crate) fn readable(&self) -> bool {
        matches!(self.flags & linux::O_ACCMODE, linux::O_RDONLY | linux::O_RDWR) && !self.is_path()
    }

    /// Returns true if it was opened to be written to.
    pub(crate) fn writable(&self) -> bool {
        matches!(self.flags & linux::O_ACCMODE, linux::O_WRONLY | linux::O_RDWR) && !self.is_path()
    }

    /// Returns true if it only names a file (`O_PATH`).
    pub(crate) fn is_path(&self) -> bool {
        matches!(self.kind, FileKind::Path(_))
    }

    /// Returns true if calls fail rather than wait (`O_NONBLOCK`).
    pub(crate) fn nonblocking(&self) -> bool {
        self.flags & linux::O_NONBLOCK != 0
    }

    /// The inode that it shows, if it has one.
    pub(crate) fn inode(&self) -> Option<InodeId> {
        match self.kind {
            FileKind::Regular(inode)
            | FileKind::Directory(inode)
            | FileKind::Path(inode)
            | FileKind::Generated { inode, .. }
            | FileKind::Device { inode, .. }
            | FileKind::Terminal { inode, .. } => Some(inode),
            FileKind::Pipe { inode, .. } => inode,
            FileKind::Stream(_)
            | FileKind::EventCounter(_)
            | FileKind::Timer(_)
            | FileKind::Epoll(_)
            | FileKind::Signal(_)
            | FileKind::Socket(_)
            | FileKind::Queue(_)
            | FileKind::Inotify(_) => None,
        }
    }
}
