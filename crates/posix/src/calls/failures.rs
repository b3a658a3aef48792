//! Failures of system calls although the program has done nothing wrong: [`CallFailures`].
//!
//! A set names the errors that Linux documents for a call as the environment's doing: resources that run
//! out, devices that fail, peers that are gone. The first is the usual one; the others are those that
//! programs tell apart. What depends on the arguments (`EBADF`, `EFAULT`, `EINVAL`) is the program's doing
//! and is never made up.

use syscalls::Errno;

/// The object of a call, as far as its errors depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallObject {
    /// A path or nothing.
    Other,
    /// A file that is made if it is not there.
    New,
    /// A regular file or a directory.
    File,
    /// A socket that has a connection.
    Stream,
    /// Any other socket.
    Datagram,
    /// A socket of this host.
    Local,
    /// A pipe, a standard stream, an event: nothing that fails by itself.
    Quiet,
    /// The program wants no faults of it.
    Spared,
}

/// A failure that a rule lets happen every so many calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuledFailure {
    /// A socket that does not wait is not ready: `EAGAIN`.
    WouldBlock,
    /// Waiting for several files fails: `ENOMEM`.
    Select,
}

/// The failures of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFailures {
    errors: CallErrors,
    pub(crate) ruled: Option<RuledFailure>,
}

#[derive(Clone, Copy, Debug)]
enum CallErrors {
    /// The same ones, whatever the call works on.
    Always(&'static [Errno]),
    ByObject(&'static [(CallObject, &'static [Errno])]),
}

impl CallFailures {
    /// The errors of a call that works on an object, the usual one first.
    pub(crate) fn errors(&self, object: CallObject) -> &'static [Errno] {
        match self.errors {
            CallErrors::Always(errnos) => errnos,
            CallErrors::ByObject(rows) => {
                rows.iter().find(|(of, _)| *of == object).map_or(&[], |(_, errnos)| errnos)
            }
        }
    }

    /// Returns true if it ever fails with an error of its own.
    pub(crate) fn has_errors(&self) -> bool {
        !matches!(self.errors, CallErrors::Always([]))
    }

    /// Returns true if the errors depend on what it works on.
    pub(crate) fn depend_on_object(&self) -> bool {
        matches!(self.errors, CallErrors::ByObject(_))
    }
}

const fn always(errnos: &'static [Errno]) -> CallFailures {
    CallFailures { errors: CallErrors::Always(errnos), ruled: None }
}

const fn by_object(rows: &'static [(CallObject, &'static [Errno])]) -> CallFailures {
    CallFailures { errors: CallErrors::ByObject(rows), ruled: None }
}

const fn ruled(set: CallFailures, rule: RuledFailure) -> CallFailures {
    CallFailures { ruled: Some(rule), ..set }
}

pub(super) const NEVER: CallFailures = always(&[]);

// ---- paths ---------------------------------------------------------------------------------

const NEW_FILE: &[Errno] =
    &[Errno::EACCES, Errno::EMFILE, Errno::ENFILE, Errno::ENOSPC, Errno::ENOMEM];
pub(super) const OPEN: CallFailures = by_object(&[
    (
        CallObject::Other,
        &[Errno::ENOENT, Errno::EACCES, Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM],
    ),
    (CallObject::New, NEW_FILE),
]);
pub(super) const CREATE: CallFailures = by_object(&[(CallObject::New, NEW_FILE)]);
pub(super) const CHDIR: CallFailures =
    always(&[Errno::EACCES, Errno::ENOENT, Errno::ENOTDIR, Errno::EIO, Errno::ENOMEM]);
pub(super) const FCHDIR: CallFailures = always(&[Errno::EACCES, Errno::EIO]);
pub(super) const MAKE: CallFailures =
    always(&[Errno::ENOSPC, Errno::EACCES, Errno::EROFS, Errno::EDQUOT]);
pub(super) const RMDIR: CallFailures = always(&[Errno::EACCES, Errno::EBUSY, Errno::EROFS]);
pub(super) const UNLINK: CallFailures = always(&[Errno::EACCES, Errno::EIO, Errno::EROFS]);
pub(super) const RENAME: CallFailures =
    always(&[Errno::ENOSPC, Errno::EACCES, Errno::EXDEV, Errno::EROFS]);
pub(super) const LINK: CallFailures =
    always(&[Errno::ENOSPC, Errno::EACCES, Errno::EMLINK, Errno::EXDEV]);
pub(super) const SYMLINK: CallFailures = always(&[Errno::ENOSPC, Errno::EACCES, Errno::EROFS]);
pub(super) const LOOK_UP: CallFailures = always(&[Errno::EACCES, Errno::EIO, Errno::ENOMEM]);
pub(super) const CHANGE: CallFailures = always(&[Errno::EROFS, Errno::EIO, Errno::EPERM]);
pub(super) const EXECUTE: CallFailures = always(&[Errno::ENOMEM, Errno::EACCES, Errno::EIO]);

// ---- open files ----------------------------------------------------------------------------

pub(super) const READ_AT: CallFailures = by_object(&[
    (CallObject::File, &[Errno::EIO]),
    (CallObject::Stream, &[Errno::ECONNRESET, Errno::ETIMEDOUT]),
    (CallObject::Datagram, &[Errno::ENOMEM]),
]);
pub(super) const READ: CallFailures = ruled(READ_AT, RuledFailure::WouldBlock);
pub(super) const WRITE_AT: CallFailures = by_object(&[
    (CallObject::File, &[Errno::ENOSPC, Errno::EIO, Errno::EDQUOT]),
    (CallObject::Stream, &[Errno::ECONNRESET, Errno::ENOBUFS]),
    (CallObject::Datagram, &[Errno::ENOBUFS, Errno::ENETUNREACH, Errno::EHOSTUNREACH]),
]);
pub(super) const WRITE: CallFailures = ruled(WRITE_AT, RuledFailure::WouldBlock);
pub(super) const LIST: CallFailures = by_object(&[(CallObject::File, &[Errno::EIO])]);
pub(super) const FLUSH: CallFailures =
    by_object(&[(CallObject::File, &[Errno::EIO, Errno::ENOSPC, Errno::EDQUOT])]);
pub(super) const FALLOCATE: CallFailures =
    by_object(&[(CallObject::File, &[Errno::ENOSPC, Errno::EIO])]);
pub(super) const FCHANGE: CallFailures =
    by_object(&[(CallObject::File, &[Errno::EROFS, Errno::EIO])]);
pub(super) const DUP: CallFailures = always(&[Errno::EMFILE]);

/// Other users: the kernel's data about them, and the limit on their processes.
pub(super) const IDENTITY: CallFailures = always(&[Errno::EAGAIN]);

// ---- shared memory, semaphores, message queues ---------------------------------------------

pub(super) const IPC_MAKE: CallFailures = always(&[Errno::ENOSPC, Errno::ENOMEM]);
pub(super) const IPC_USE: CallFailures = always(&[Errno::ENOMEM]);
pub(super) const QUEUE: CallFailures =
    always(&[Errno::ENOSPC, Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM]);

// ---- sockets and what can be waited for ----------------------------------------------------

pub(super) const SOCKET: CallFailures = always(&[Errno::EMFILE, Errno::ENFILE, Errno::ENOBUFS]);
pub(super) const PAIR: CallFailures = always(&[Errno::EMFILE, Errno::ENFILE]);
pub(super) const EVENTS: CallFailures = always(&[Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM]);
pub(super) const WATCH: CallFailures = always(&[Errno::ENOSPC, Errno::ENOMEM]);
pub(super) const EPOLL_CTL: CallFailures = always(&[Errno::ENOMEM, Errno::ENOSPC]);
pub(super) const ACCEPT: CallFailures =
    ruled(always(&[Errno::ECONNABORTED, Errno::EMFILE, Errno::ENFILE]), RuledFailure::WouldBlock);
pub(super) const BIND: CallFailures = always(&[Errno::EADDRINUSE, Errno::EACCES]);
pub(super) const LISTEN: CallFailures = always(&[Errno::EADDRINUSE]);
pub(super) const CONNECT: CallFailures = by_object(&[
    (CallObject::Datagram, &[Errno::ENETUNREACH]),
    (
        CallObject::Stream,
        &[Errno::ECONNREFUSED, Errno::ETIMEDOUT, Errno::EHOSTUNREACH, Errno::ENETUNREACH],
    ),
]);
pub(super) const SELECT: CallFailures = ruled(NEVER, RuledFailure::Select);

// ---- memory and processes ------------------------------------------------------------------

pub(super) const MMAP: CallFailures = always(&[Errno::ENOMEM, Errno::EAGAIN]);
pub(super) const MREMAP: CallFailures = always(&[Errno::ENOMEM]);
pub(super) const FORK: CallFailures = always(&[Errno::EAGAIN, Errno::ENOMEM]);
