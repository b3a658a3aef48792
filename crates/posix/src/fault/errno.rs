//! With which errors system calls fail although nothing is wrong with their arguments.
//!
//! A row of [`TABLE`] names calls and the errors that Linux documents for them as the environment's
//! doing: resources that run out, devices that fail, peers that are gone. The first is the usual one;
//! the others are those that programs tell apart. A call without a row does not fail. What depends on the
//! arguments (`EBADF`, `EFAULT`, `EINVAL`) is the program's doing and is never made up.

use syscalls::{Errno, Sysno};

use super::FaultConfig;

/// What a call works on, as far as its errors depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
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

/// Rows that apply to any object.
const TABLE: &[(&[Sysno], &[Errno])] = &[
    (&[Sysno::chdir], &[Errno::EACCES, Errno::ENOENT, Errno::ENOTDIR, Errno::EIO, Errno::ENOMEM]),
    (&[Sysno::fchdir], &[Errno::EACCES, Errno::EIO]),
    (&[Sysno::mkdir, Sysno::mkdirat], &[Errno::ENOSPC, Errno::EACCES, Errno::EROFS, Errno::EDQUOT]),
    (&[Sysno::rmdir], &[Errno::EACCES, Errno::EBUSY, Errno::EROFS]),
    (&[Sysno::unlink, Sysno::unlinkat], &[Errno::EACCES, Errno::EIO, Errno::EROFS]),
    (
        &[Sysno::rename, Sysno::renameat, Sysno::renameat2],
        &[Errno::ENOSPC, Errno::EACCES, Errno::EXDEV, Errno::EROFS],
    ),
    (&[Sysno::link, Sysno::linkat], &[Errno::ENOSPC, Errno::EACCES, Errno::EMLINK, Errno::EXDEV]),
    (&[Sysno::symlink, Sysno::symlinkat], &[Errno::ENOSPC, Errno::EACCES, Errno::EROFS]),
    (
        &[Sysno::stat, Sysno::lstat, Sysno::newfstatat, Sysno::access, Sysno::faccessat],
        &[Errno::EACCES, Errno::EIO, Errno::ENOMEM],
    ),
    (
        &[Sysno::chmod, Sysno::fchmodat, Sysno::chown, Sysno::fchownat, Sysno::truncate],
        &[Errno::EROFS, Errno::EIO, Errno::EPERM],
    ),
    (&[Sysno::socket], &[Errno::EMFILE, Errno::ENFILE, Errno::ENOBUFS]),
    (&[Sysno::socketpair, Sysno::pipe, Sysno::pipe2], &[Errno::EMFILE, Errno::ENFILE]),
    (
        &[Sysno::eventfd2, Sysno::timerfd_create, Sysno::epoll_create1, Sysno::signalfd4],
        &[Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM],
    ),
    (&[Sysno::dup], &[Errno::EMFILE]),
    (&[Sysno::fork, Sysno::vfork, Sysno::clone], &[Errno::EAGAIN, Errno::ENOMEM]),
    (&[Sysno::epoll_ctl], &[Errno::ENOMEM, Errno::ENOSPC]),
    (&[Sysno::accept, Sysno::accept4], &[Errno::ECONNABORTED, Errno::EMFILE, Errno::ENFILE]),
    (&[Sysno::bind], &[Errno::EADDRINUSE, Errno::EACCES]),
    (&[Sysno::listen], &[Errno::EADDRINUSE]),
    (&[Sysno::mmap], &[Errno::ENOMEM, Errno::EAGAIN]),
    (&[Sysno::mremap], &[Errno::ENOMEM]),
    (&[Sysno::execve, Sysno::execveat], &[Errno::ENOMEM, Errno::EACCES, Errno::EIO]),
];

/// Rows that depend on what the call works on.
const BY_OBJECT: &[(&[Sysno], Object, &[Errno])] = &[
    (
        OPENS,
        Object::Other,
        &[Errno::ENOENT, Errno::EACCES, Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM],
    ),
    (
        OPENS,
        Object::New,
        &[Errno::EACCES, Errno::EMFILE, Errno::ENFILE, Errno::ENOSPC, Errno::ENOMEM],
    ),
    (READS, Object::File, &[Errno::EIO]),
    (READS, Object::Stream, &[Errno::ECONNRESET, Errno::ETIMEDOUT]),
    (READS, Object::Datagram, &[Errno::ENOMEM]),
    (WRITES, Object::File, &[Errno::ENOSPC, Errno::EIO, Errno::EDQUOT]),
    (WRITES, Object::Stream, &[Errno::ECONNRESET, Errno::ENOBUFS]),
    (WRITES, Object::Datagram, &[Errno::ENOBUFS, Errno::ENETUNREACH, Errno::EHOSTUNREACH]),
    (&[Sysno::getdents64, Sysno::fstat], Object::File, &[Errno::EIO]),
    (
        &[Sysno::fsync, Sysno::fdatasync, Sysno::close, Sysno::ftruncate],
        Object::File,
        &[Errno::EIO, Errno::ENOSPC, Errno::EDQUOT],
    ),
    (&[Sysno::fallocate], Object::File, &[Errno::ENOSPC, Errno::EIO]),
    (&[Sysno::fchmod, Sysno::fchown], Object::File, &[Errno::EROFS, Errno::EIO]),
    (&[Sysno::connect], Object::Datagram, &[Errno::ENETUNREACH]),
    (
        &[Sysno::connect],
        Object::Stream,
        &[Errno::ECONNREFUSED, Errno::ETIMEDOUT, Errno::EHOSTUNREACH, Errno::ENETUNREACH],
    ),
];

pub(super) const OPENS: &[Sysno] = &[Sysno::open, Sysno::openat, Sysno::creat];
const READS: &[Sysno] = &[
    Sysno::read,
    Sysno::readv,
    Sysno::pread64,
    Sysno::preadv,
    Sysno::recvfrom,
    Sysno::recvmsg,
    Sysno::recvmmsg,
];
const WRITES: &[Sysno] = &[
    Sysno::write,
    Sysno::writev,
    Sysno::pwrite64,
    Sysno::pwritev,
    Sysno::sendto,
    Sysno::sendmsg,
    Sysno::sendmmsg,
    Sysno::sendfile,
];

/// The errors that a call may fail with, the usual one first.
pub(super) fn documented(call: Sysno, object: Object) -> &'static [Errno] {
    let plain = TABLE.iter().find(|(calls, _)| calls.contains(&call)).map(|(_, errnos)| *errnos);
    let special = BY_OBJECT.iter().find(|(calls, of, _)| calls.contains(&call) && *of == object);
    plain.or(special.map(|(_, _, errnos)| *errnos)).unwrap_or(&[])
}

/// Whether the errors of a call depend on its descriptor.
pub(super) fn depends(call: Sysno) -> bool {
    BY_OBJECT.iter().any(|(calls, ..)| calls.contains(&call))
}

/// The calls that may fail by themselves; some of them several times.
pub(super) fn failing() -> impl Iterator<Item = Sysno> {
    let plain = TABLE.iter().flat_map(|(calls, _)| *calls);
    let special = BY_OBJECT.iter().flat_map(|(calls, ..)| *calls);
    plain.chain(special).copied()
}

/// The number of an error of this name, such as `ENOENT`.
pub fn errno_named(name: &str) -> Option<u16> {
    errnos().find(|(known, _)| *known == name).map(|(_, number)| number)
}

/// All errors by their names.
pub fn errnos() -> impl Iterator<Item = (&'static str, u16)> {
    const MOST: u16 = 133;
    (1..=MOST).filter_map(|number| Some((Errno::new(i32::from(number)).name()?, number)))
}

/// The errors that a call fails with on this node: all of them, and how many of the first are explored.
pub(super) fn chosen(config: &FaultConfig, call: Sysno, object: Object) -> (Vec<u32>, usize) {
    let own = match call {
        Sysno::open | Sysno::openat | Sysno::creat => &config.open_errnos[..],
        Sysno::chdir => &config.chdir_errnos[..],
        _ => &[],
    };
    if !own.is_empty() {
        let own: Vec<u32> = own.iter().copied().map(u32::from).collect();
        let count = own.len();
        return (own, count);
    }
    let errnos: Vec<u32> =
        documented(call, object).iter().map(|errno| errno.into_raw().unsigned_abs()).collect();
    let wanted = config
        .failing_calls
        .as_ref()
        .is_none_or(|calls| calls.iter().any(|name| name == call.name()));
    let explored = match (wanted, config.errno_variety) {
        (false, _) => 0,
        (true, false) => errnos.len().min(1),
        (true, true) => errnos.len(),
    };
    (errnos, explored)
}
