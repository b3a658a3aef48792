//! System calls as events of threads: the places that each of them touches.

use everett_interp::Reg;
use linux_raw_sys::general as linux;
use syscalls::Sysno;

use crate::calls::{CallSubject, CrashPoint, facts};
use crate::state::file::FileKind;
use crate::state::ids::ThreadKey;
use crate::state::node::Node;
use crate::state::sockets::SocketFamily;
use crate::state::thread_event::{EventPlace, EventTouch, TouchEffect};
use crate::sys;

/// The places that a system call of the running thread touches. Both are `None` for a call that other
/// threads cannot notice, and that notices nothing of what they do.
pub(crate) fn touched(node: &Node, sysno: Sysno, args: &[Reg; 6]) -> [Option<EventTouch>; 2] {
    let touch = |place, effect| Some(EventTouch { place, effect });
    let descriptors = EventPlace::Descriptors(node.volatile.running.0);
    let new_descriptor = touch(descriptors, TouchEffect::Writes);
    match touched_by_all(sysno) {
        Some(Touched::Everything) => {
            return [touch(EventPlace::Everything, TouchEffect::Writes), None];
        }
        Some(Touched::AllFiles) => return [touch(EventPlace::AllFiles, TouchEffect::Reads), None],
        Some(Touched::Descriptor) => return [new_descriptor, None],
        Some(Touched::Ipc) => return [touch(EventPlace::Ipc, TouchEffect::Writes), None],
        Some(Touched::IpcAndDescriptor) => {
            return [touch(EventPlace::Ipc, TouchEffect::Writes), new_descriptor];
        }
        None => {}
    }
    let call = facts(sysno);
    let flags =
        |index: usize| args.get(index).and_then(|flags| flags.as_word()).unwrap_or(u64::MAX);
    let changes = u64::from(linux::O_CREAT | linux::O_TRUNC);
    match call.subject {
        CallSubject::Open(index) if flags(index) & changes == 0 => {
            [touch(EventPlace::Names, TouchEffect::Reads), new_descriptor]
        }
        CallSubject::Open(_) | CallSubject::OpenHow(_) | CallSubject::Creates => {
            [touch(EventPlace::Names, TouchEffect::Writes), new_descriptor]
        }
        CallSubject::Fd | CallSubject::Message(_) => {
            let place =
                args[0].as_word().map_or(EventPlace::AllFiles, |fd| place_of(node, fd as u32));
            let makes = matches!(
                sysno,
                Sysno::accept
                    | Sysno::accept4
                    | Sysno::dup
                    | Sysno::dup2
                    | Sysno::dup3
                    | Sysno::close
            );
            [touch(place, effect_of(sysno)), new_descriptor.filter(|_| makes)]
        }
        CallSubject::Other => {
            [names_effect(sysno, call.crash).and_then(|e| touch(EventPlace::Names, e)), None]
        }
    }
}

/// The places that a call touches whatever its arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touched {
    Everything,
    /// It looks at any file.
    AllFiles,
    /// It makes a descriptor.
    Descriptor,
    /// Shared memory, semaphores and message queues.
    Ipc,
    IpcAndDescriptor,
}

/// The places that all calls of a kind touch, where these do not depend on arguments.
fn touched_by_all(sysno: Sysno) -> Option<Touched> {
    Some(match sysno {
        Sysno::exit_group
        | Sysno::execve
        | Sysno::execveat
        | Sysno::kill
        | Sysno::tkill
        | Sysno::tgkill
        | Sysno::rt_sigqueueinfo
        | Sysno::rt_tgsigqueueinfo
        | Sysno::wait4
        | Sysno::waitid
        | Sysno::sendfile
        | Sysno::splice
        | Sysno::tee
        | Sysno::copy_file_range
        | Sysno::vmsplice
        | Sysno::close_range => Touched::Everything,
        Sysno::shmget
        | Sysno::shmat
        | Sysno::shmdt
        | Sysno::shmctl
        | Sysno::semget
        | Sysno::semop
        | Sysno::semtimedop
        | Sysno::semctl
        | Sysno::msgget
        | Sysno::msgsnd
        | Sysno::msgrcv
        | Sysno::msgctl
        | Sysno::mq_unlink => Touched::Ipc,
        Sysno::mq_open => Touched::IpcAndDescriptor,
        Sysno::poll
        | Sysno::ppoll
        | Sysno::select
        | Sysno::pselect6
        | Sysno::epoll_wait
        | Sysno::epoll_pwait
        | Sysno::epoll_pwait2 => Touched::AllFiles,
        Sysno::pipe
        | Sysno::pipe2
        | Sysno::socket
        | Sysno::socketpair
        | Sysno::eventfd
        | Sysno::eventfd2
        | Sysno::timerfd_create
        | Sysno::epoll_create
        | Sysno::memfd_create
        | Sysno::epoll_create1 => Touched::Descriptor,
        _ => return None,
    })
}

/// The effect of a call on the open file that is its first argument.
fn effect_of(sysno: Sysno) -> TouchEffect {
    match sysno {
        Sysno::fstat
        | Sysno::fstatfs
        | Sysno::pread64
        | Sysno::preadv
        | Sysno::preadv2
        | Sysno::getsockname
        | Sysno::getpeername
        | Sysno::fgetxattr
        | Sysno::flistxattr
        | Sysno::timerfd_gettime => TouchEffect::Reads,
        _ => TouchEffect::Writes,
    }
}

/// The effect of a call with a path.
fn names_effect(sysno: Sysno, crash: CrashPoint) -> Option<TouchEffect> {
    match sysno {
        _ if crash == CrashPoint::Files => Some(TouchEffect::Writes),
        Sysno::chmod | Sysno::fchmodat | Sysno::fchmodat2 | Sysno::chown | Sysno::lchown => {
            Some(TouchEffect::Writes)
        }
        Sysno::fchownat | Sysno::utimensat | Sysno::utimes | Sysno::utime | Sysno::futimesat => {
            Some(TouchEffect::Writes)
        }
        // The working directory belongs to all threads of a process.
        Sysno::chdir | Sysno::chroot | Sysno::umask | Sysno::sync => Some(TouchEffect::Writes),
        Sysno::access | Sysno::faccessat | Sysno::faccessat2 | Sysno::stat | Sysno::lstat => {
            Some(TouchEffect::Reads)
        }
        Sysno::newfstatat | Sysno::statx | Sysno::readlink | Sysno::readlinkat | Sysno::getcwd => {
            Some(TouchEffect::Reads)
        }
        _ => None,
    }
}

/// The place that a descriptor of the running process stands for.
fn place_of(node: &Node, fd: u32) -> EventPlace {
    let Some(descriptor) = node.process().descriptors.get(fd) else {
        return EventPlace::Descriptors(node.volatile.running.0);
    };
    let id = descriptor.file;
    let Some(file) = node.volatile.files.get(id.0.into()) else { return EventPlace::AllFiles };
    match &file.kind {
        FileKind::Regular(inode) => EventPlace::Inode(inode.0.into()),
        FileKind::Pipe { pipe, .. } => EventPlace::Pipe(*pipe),
        FileKind::Socket(socket) => match node.net.get(*socket).family {
            SocketFamily::Unix(_) | SocketFamily::Netlink(_) => EventPlace::LocalSockets,
            _ => EventPlace::Socket(*socket),
        },
        FileKind::Epoll(_) | FileKind::Signal(_) => EventPlace::AllFiles,
        FileKind::Queue(_) => EventPlace::Ipc,
        FileKind::Terminal { .. } => EventPlace::AllFiles,
        // Whatever others do to files may be what it tells of.
        FileKind::Inotify(_) => EventPlace::Everything,
        _ => EventPlace::File(id),
    }
}

/// Returns true if a thread is held at a read from an empty pipe, which would only wait.
pub(crate) fn would_wait(node: &Node, who: ThreadKey, sysno: Sysno, place: EventPlace) -> bool {
    let EventPlace::Pipe(pipe) = place else { return false };
    if facts(sysno).crash != CrashPoint::Receives {
        return false;
    }
    let is_pipe = |kind: &FileKind| matches!(kind, FileKind::Pipe { pipe: p, .. } if *p == pipe);
    let readers = node.volatile.files.iter().filter(|(_, file)| {
        is_pipe(&file.kind) && file.flags & (linux::O_NONBLOCK | linux::O_WRONLY) == 0
    });
    let mut readers = readers.map(|(id, _)| crate::state::ids::FileId(id as u32));
    readers.next().is_some_and(|file| {
        let wanted = (linux::POLLIN as u16) | crate::state::wait::ALWAYS_AWAITED as u16;
        sys::poll::events(node, who, file) & wanted == 0
    })
}
