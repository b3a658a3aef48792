//! The system calls that are events of scripts.

use everett_replay::script::{ApiKind, EventFlags, ScriptApi};
use linux_raw_sys::general as linux;
use linux_raw_sys::net as sockets;
use syscalls::{Errno, Sysno};

use crate::calls::{self, CallSubject, CrashPoint, ScriptClass};
use crate::state::file::{FileKind, KernelDevice};
use crate::state::node::Node;
use crate::state::recording::{ScriptSubject, ScriptVerdict};
use crate::state::sockets::SocketFamily;

impl ScriptSubject {
    /// The subject of a call, as it begins.
    pub(super) fn of(node: &Node, sysno: Sysno, args: &[u64; 6]) -> ScriptSubject {
        if descriptor(sysno, args) < 0 {
            return ScriptSubject::nothing();
        }
        let mut subject = ScriptSubject::behind(node, args[0]);
        let facts = calls::facts(sysno);
        let second = match sysno {
            Sysno::dup2 | Sysno::dup3 | Sysno::sendfile => Some(1),
            _ => facts.second_descriptor(),
        };
        if let Some(second) = second {
            let other = ScriptSubject::behind(node, args[second]);
            subject.outside |= other.outside;
            subject.simulated |= other.simulated;
            subject.flags = subject.flags.with(other.flags);
        }
        let flags = match facts.subject {
            CallSubject::Message(at) => args[at] as u32,
            _ => 0,
        };
        if flags & sockets::MSG_DONTWAIT != 0 {
            subject.flags = subject.flags.with(EventFlags::NONBLOCK);
        }
        if matches!(sysno, Sysno::recvfrom | Sysno::recvmsg) && flags & sockets::MSG_PEEK != 0 {
            subject.flags = subject.flags.with(EventFlags::PEEK);
        }
        subject
    }

    fn nothing() -> ScriptSubject {
        ScriptSubject { outside: false, simulated: false, flags: EventFlags::default() }
    }

    fn behind(node: &Node, number: u64) -> ScriptSubject {
        let Ok(entry) = node.descriptor(number as u32) else { return ScriptSubject::nothing() };
        let file = node.file(entry.file);
        let mut flags = match &file.kind {
            FileKind::Regular(_)
            | FileKind::Generated { .. }
            | FileKind::Directory(_)
            | FileKind::Path(_)
            | FileKind::Stream(_)
            | FileKind::Device {
                device: KernelDevice::Null | KernelDevice::Zero | KernelDevice::Full,
                ..
            } => {
                return ScriptSubject::nothing();
            }
            FileKind::Device { device: KernelDevice::Random, .. }
            | FileKind::Pipe { .. }
            | FileKind::EventCounter(_)
            | FileKind::Timer(_)
            | FileKind::Epoll(_)
            | FileKind::Signal(_)
            | FileKind::Queue(_)
            | FileKind::Inotify(_)
            | FileKind::Terminal { .. } => EventFlags::WITHIN,
            FileKind::Socket(id) => {
                let socket = node.net.get(*id);
                let within = match socket.family {
                    SocketFamily::Unix(_) | SocketFamily::Netlink(_) => EventFlags::WITHIN,
                    SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Tcp(_) => {
                        EventFlags::default()
                    }
                };
                let datagrams = socket.kind == sockets::SOCK_DGRAM;
                within.with(if datagrams { EventFlags::DATAGRAM } else { EventFlags::default() })
            }
        };
        if file.nonblocking() {
            flags = flags.with(EventFlags::NONBLOCK);
        }
        let simulated = matches!(
            file.kind,
            FileKind::Device { .. }
                | FileKind::EventCounter(_)
                | FileKind::Timer(_)
                | FileKind::Signal(_)
        );
        ScriptSubject { outside: true, simulated, flags }
    }
}

/// The descriptor that a call is about, or -1.
pub(super) fn descriptor(sysno: Sysno, args: &[u64; 6]) -> i32 {
    if calls::facts(sysno).has_descriptor() { args[0] as i32 } else { -1 }
}

/// The verdict on a call that a function of the C library makes for the program.
pub(super) fn of(
    api: Option<ScriptApi>,
    sysno: Sysno,
    args: &[u64; 6],
    subject: ScriptSubject,
) -> ScriptVerdict {
    let Some(api) = api else { return ScriptVerdict::Nothing };
    let event = |is: bool| if is { ScriptVerdict::Event(api) } else { ScriptVerdict::Nothing };
    match api.kind() {
        ApiKind::Socket => event(is_of(sysno, ScriptClass::SOCKETS)),
        ApiKind::Descriptor if !is_of(sysno, ScriptClass::DESCRIPTORS) => ScriptVerdict::Nothing,
        ApiKind::Descriptor if subject.outside => ScriptVerdict::Event(api),
        ApiKind::Descriptor => ScriptVerdict::Local(api),
        ApiKind::Wait => event(is_of(sysno, ScriptClass::WAITS)),
        ApiKind::Clock => event(is_of(sysno, ScriptClass::CLOCKS)),
        ApiKind::Sleep => event(is_of(sysno, ScriptClass::SLEEPS)),
        ApiKind::Random => event(is_of(sysno, ScriptClass::CHANCE)),
        // One that succeeds is noted where the new program begins.
        ApiKind::Process if matches!(sysno, Sysno::execve | Sysno::execveat) => {
            event(api == ScriptApi::Execve)
        }
        ApiKind::Process => match as_descriptor_call(sysno) {
            // What is left of the stream is written before it is closed.
            Some(call) if api == ScriptApi::Pclose && subject.outside => {
                ScriptVerdict::Through { api: call, function: api }
            }
            _ => {
                let classes = ScriptClass::PROCESSES.with(ScriptClass::SIGNALS);
                event(is_of(sysno, classes) || api == ScriptApi::Popen && sysno == Sysno::pipe2)
            }
        },
        ApiKind::Thread => event(sysno == Sysno::clone),
        ApiKind::Net => ScriptVerdict::Event(api),
        ApiKind::Sync if sysno == Sysno::futex && is_wait(args[1]) => ScriptVerdict::Sync(api),
        ApiKind::Sync | ApiKind::Happening | ApiKind::Expose => ScriptVerdict::Nothing,
        ApiKind::Local => match as_descriptor_call(sysno) {
            Some(call) if subject.outside => ScriptVerdict::Through { api: call, function: api },
            _ if is_of(sysno, ScriptClass::SILENT) => ScriptVerdict::Nothing,
            _ => ScriptVerdict::Local(api),
        },
    }
}

/// Returns true if a call that succeeds is not carried out natively: what it says depends on time, on
/// readiness, on chance, or on signals, which come at their events.
pub(super) fn is_fed(api: ScriptApi, sysno: Sysno, subject: ScriptSubject) -> bool {
    match sysno {
        Sysno::read | Sysno::readv | Sysno::write | Sysno::writev => subject.simulated,
        _ if is_of(sysno, ScriptClass::FED.with(ScriptClass::SIGNALS)) => true,
        _ => {
            matches!(api.kind(), ApiKind::Wait | ApiKind::Clock | ApiKind::Sleep | ApiKind::Random)
        }
    }
}

/// Returns true if a call has met a limit of its node, which the native system does not have: there is
/// no room for bytes or descriptors. `wanted` is how many bytes a call that writes was to write.
pub(super) fn is_limited(pending: &super::PendingCall, wanted: Option<u64>, value: i64) -> bool {
    if value >= 0 {
        return wanted.is_some_and(|wanted| value.cast_unsigned() < wanted);
    }
    let is = |errno: Errno| value == -i64::from(errno.into_raw());
    let duplicates = pending.args[1] == u64::from(linux::F_DUPFD)
        || pending.args[1] == u64::from(linux::F_DUPFD_CLOEXEC);
    match pending.sysno {
        Sysno::dup2 | Sysno::dup3 if is(Errno::EBADF) => true,
        Sysno::fcntl if duplicates && is(Errno::EINVAL) => true,
        Sysno::prlimit64 | Sysno::setrlimit => true,
        _ => is(Errno::EMFILE) || is(Errno::ENOSPC),
    }
}

/// Returns true if a call tells the program of a limit of its node.
pub(super) fn tells_limit(node: &Node, api: ScriptApi, pending: &super::PendingCall) -> bool {
    let limits = node.path.faults.config();
    match api {
        ScriptApi::Statvfs | ScriptApi::Fstatvfs | ScriptApi::Statfs | ScriptApi::Fstatfs => {
            limits.disk_bytes.is_some()
        }
        ScriptApi::Getrlimit | ScriptApi::Sysconf | ScriptApi::Getdtablesize => {
            match resource(pending) {
                Some((linux::RLIMIT_NOFILE, _)) => limits.open_files.is_some(),
                Some((linux::RLIMIT_NPROC, _)) => limits.processes.is_some(),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Of a call that asks for a limit: what of, and where the answer is.
pub(super) fn resource(pending: &super::PendingCall) -> Option<(u32, u64)> {
    let args = pending.args;
    match pending.sysno {
        Sysno::getrlimit => Some((args[0] as u32, args[1])),
        Sysno::prlimit64 if args[3] != 0 => Some((args[1] as u32, args[3])),
        _ => None,
    }
}

/// The call that stands for others that do the same, where the C libraries do not agree on one.
pub(super) fn class(sysno: Sysno) -> Sysno {
    match sysno {
        Sysno::readv => Sysno::read,
        Sysno::writev => Sysno::write,
        Sysno::open => Sysno::openat,
        Sysno::dup2 => Sysno::dup3,
        _ => sysno,
    }
}

/// Returns true if a system call that fails within a function leaves it half done. Natively the same
/// call within the same function fails.
pub(super) fn is_partial(api: ScriptApi) -> bool {
    matches!(
        api,
        ScriptApi::Freopen
            | ScriptApi::Fclose
            | ScriptApi::Fflush
            | ScriptApi::Fread
            | ScriptApi::Fwrite
            | ScriptApi::Fgets
            | ScriptApi::Fgetc
            | ScriptApi::Getline
            | ScriptApi::Fputs
            | ScriptApi::Fputc
            | ScriptApi::Fprintf
            | ScriptApi::Printf
            | ScriptApi::Puts
            | ScriptApi::Putchar
            | ScriptApi::Fseek
            | ScriptApi::Fscanf
            | ScriptApi::Dprintf
            | ScriptApi::Perror
            | ScriptApi::Ftell
            | ScriptApi::Rewind
            | ScriptApi::Getchar
            | ScriptApi::Scanf
    )
}

/// Returns true if a function tells the program the times of a file.
pub(super) fn tells_times(api: ScriptApi) -> bool {
    matches!(
        api,
        ScriptApi::Stat
            | ScriptApi::Fstat
            | ScriptApi::Lstat
            | ScriptApi::Fstatat
            | ScriptApi::Statx
    )
}

/// Returns true if a call is of one of some classes.
pub(super) fn is_of(sysno: Sysno, classes: ScriptClass) -> bool {
    calls::facts(sysno).script.meets(classes)
}

/// Returns true if a call sends messages.
pub(super) fn sends(sysno: Sysno) -> bool {
    matches!(calls::facts(sysno).crash, CrashPoint::Writes(_))
}

/// The function that is nothing but this call.
fn as_descriptor_call(sysno: Sysno) -> Option<ScriptApi> {
    Some(match sysno {
        Sysno::read | Sysno::readv => ScriptApi::Read,
        Sysno::write | Sysno::writev => ScriptApi::Write,
        Sysno::close => ScriptApi::Close,
        _ => return None,
    })
}

fn is_wait(operation: u64) -> bool {
    let flags = linux::FUTEX_PRIVATE_FLAG | linux::FUTEX_CLOCK_REALTIME;
    matches!(operation as u32 & !flags, linux::FUTEX_WAIT | linux::FUTEX_WAIT_BITSET)
}
