//! The effects of a system call that is over: read from its arguments, memory, and the node.

use std::net::SocketAddrV4;

use everett_interp::{Interp, State};
use everett_replay::script::{Event, Kind, address_word};
use linux_raw_sys::general as linux;
use linux_raw_sys::net as sockets;
use syscalls::Sysno;

use super::{network, verdict};
use crate::calls;
use crate::kernel::{Guest, Kernel};
use crate::net::datagram::ReceivedDatagram;
use crate::net::{Socket, socket_of};
use crate::record::notes::PendingCall;
use crate::state::node::Node;

/// Addresses have at most so many bytes.
const MOST_ADDRESS: u64 = 128;
/// Values of options are kept up to so many bytes.
const MOST_OPTION: u64 = 4096;
/// Bytes of `struct mmsghdr`.
const MESSAGE_BYTES: u64 = 64;
/// Bytes of `siginfo_t`.
const SIGINFO_BYTES: u64 = 128;
/// Commands of `ioctl` that give a number: `FIONREAD`, `SIOCOUTQ`, `SIOCATMARK`.
const NUMBERS: [u64; 3] = [0x541b, 0x5411, 0x8905];

/// The descriptor that a call is about, or -1.
pub(super) fn descriptor(sysno: Sysno, args: &[u64; 6]) -> i32 {
    if calls::facts(sysno).has_descriptor() { args[0] as i32 } else { -1 }
}

/// Fills in what an event says beside its result.
pub(super) fn fill<X: Guest>(
    cx: &mut Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
    event: &mut Event,
) {
    let args = pending.args;
    match pending.sysno {
        _ if event.api.kind() == Kind::Net => network::fill(cx, st, pending, event),
        Sysno::socket => event.aux[..3].copy_from_slice(&args[..3]),
        Sysno::socketpair => {
            event.aux[..3].copy_from_slice(&args[..3]);
            event.data = success(cx, st, event, args[3], 8);
        }
        Sysno::pipe => event.data = success(cx, st, event, args[0], 8),
        Sysno::pipe2 => {
            event.aux[1] = args[1];
            event.data = success(cx, st, event, args[0], 8);
        }
        Sysno::listen | Sysno::shutdown => event.aux[0] = args[1],
        Sysno::bind | Sysno::connect | Sysno::accept | Sysno::accept4 => {
            connection(cx, st, pending, event);
        }
        Sysno::getsockname | Sysno::getpeername => {
            event.data = sized(cx, st, event, args[1], args[2]);
        }
        Sysno::getsockopt => {
            event.aux[..2].copy_from_slice(&args[1..3]);
            event.data = sized(cx, st, event, args[3], args[4]);
        }
        Sysno::setsockopt => {
            event.aux[..2].copy_from_slice(&args[1..3]);
            event.data = bytes(cx, st, args[3], args[4].min(MOST_OPTION));
        }
        Sysno::sendto | Sysno::sendmsg | Sysno::write | Sysno::writev => {
            transfer(cx, st, pending, event);
            sent(cx, st, pending, event);
        }
        Sysno::recvfrom | Sysno::recvmsg | Sysno::read | Sysno::readv => {
            transfer(cx, st, pending, event);
            received(st, pending.received.last(), event);
            if pending.sysno == Sysno::recvmsg && event.errno == 0 {
                attached(cx, st, args[1], event);
            }
        }
        Sysno::poll | Sysno::ppoll => polled(cx, st, pending, event),
        Sysno::select | Sysno::pselect6 => selected(cx, st, pending, event),
        Sysno::epoll_wait | Sysno::epoll_pwait | Sysno::epoll_pwait2 => {
            event.aux[1] = i64::from(args[3] as i32) as u64;
            event.data = ready(pending.ready.iter().map(|(fd, events, _)| (*fd, *events)));
            event.data2 = pending.ready.iter().flat_map(|(.., data)| data.to_le_bytes()).collect();
        }
        Sysno::epoll_ctl => {
            event.aux[..2].copy_from_slice(&args[1..3]);
            event.aux[2] = number(cx, st, args[3], 4);
            event.aux[3] = number(cx, st, args[3] + 4, 8);
        }
        Sysno::fcntl | Sysno::dup2 | Sysno::dup3 => event.aux[..2].copy_from_slice(&args[1..3]),
        Sysno::ioctl => {
            event.aux[..2].copy_from_slice(&args[1..3]);
            if NUMBERS.contains(&args[1]) {
                event.data = success(cx, st, event, args[2], 4);
            }
        }
        Sysno::clone | Sysno::fork | Sysno::vfork => {
            event.aux[0] = event.result.max(0) as u64;
        }
        _ => rest(cx, st, pending, event),
    }
}

/// Time, random bytes, processes.
fn rest<X: Guest>(
    cx: &mut Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
    event: &mut Event,
) {
    let args = pending.args;
    match pending.sysno {
        Sysno::clock_gettime => {
            event.aux[0] = args[0];
            event.aux[1] = number(cx, st, args[1], 8);
            event.aux[2] = number(cx, st, args[1] + 8, 8);
        }
        Sysno::gettimeofday => {
            event.aux[1] = number(cx, st, args[0], 8);
            event.aux[2] = number(cx, st, args[0] + 8, 8) * 1000;
        }
        Sysno::time => event.aux[1] = event.result as u64,
        Sysno::times => event.data = bytes(cx, st, args[0], 32),
        Sysno::getrusage => event.data = bytes(cx, st, args[1], 144),
        Sysno::getitimer => event.data = bytes(cx, st, args[1], 32),
        Sysno::setitimer if args[2] != 0 => event.data = bytes(cx, st, args[2], 32),
        Sysno::nanosleep | Sysno::clock_nanosleep if event.errno != 0 => {
            let left = if pending.sysno == Sysno::nanosleep { args[1] } else { args[3] };
            event.aux[1] = number(cx, st, left, 8);
            event.aux[2] = number(cx, st, left + 8, 8);
        }
        Sysno::getrandom => {
            let count = event.result.max(0) as u64;
            event.data = bytes(cx, st, args[0], count);
        }
        Sysno::wait4 if event.result > 0 => {
            event.aux[0] = number(cx, st, args[1], 4);
            event.aux[1] = event.result as u64;
        }
        Sysno::waitid if event.result == 0 => {
            event.data = bytes(cx, st, args[2], SIGINFO_BYTES);
            event.aux[1] = number(cx, st, args[2] + 16, 4);
        }
        Sysno::rt_sigtimedwait if event.result > 0 && args[1] != 0 => {
            event.data = bytes(cx, st, args[1], SIGINFO_BYTES);
        }
        Sysno::kill | Sysno::tkill => event.aux[..2].copy_from_slice(&args[..2]),
        Sysno::tgkill => event.aux[..2].copy_from_slice(&args[1..3]),
        _ => {}
    }
}

// ---- sockets -------------------------------------------------------------------------------

fn socket_behind(node: &Node, number: i64) -> Option<&Socket> {
    let entry = node.descriptor(u32::try_from(number).ok()?).ok()?;
    socket_of(node.file(entry.file)).map(|id| node.net.get(id))
}

fn word(address: SocketAddrV4) -> u64 {
    if address.port() == 0 { 0 } else { address_word(address) }
}

/// The own address and the peer's of the socket of a descriptor.
fn ends(st: &State<impl Guest>, number: i64) -> (u64, u64) {
    let socket = socket_behind(st.extra.node(), number);
    let local = socket.map_or(0, |socket| word(socket.local));
    let remote = socket.and_then(|socket| socket.remote);
    (local, remote.map_or(0, word))
}

fn connection<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
    event: &mut Event,
) {
    let args = pending.args;
    let accepts = matches!(pending.sysno, Sysno::accept | Sysno::accept4);
    let number = if accepts { event.result } else { i64::from(event.fd) };
    let (local, remote) = ends(st, number);
    event.aux[1] = local;
    if accepts {
        event.aux[0] = remote;
        event.aux[2] = if pending.sysno == Sysno::accept4 { args[3] } else { 0 };
        event.data = sized(cx, st, event, args[1], args[2]);
        return;
    }
    event.data = bytes(cx, st, args[1], args[2].min(MOST_ADDRESS));
    if pending.sysno == Sysno::connect {
        event.aux[0] = address(&event.data).unwrap_or(remote);
    }
}

/// The address of the Internet in a `struct sockaddr`.
fn address(bytes: &[u8]) -> Option<u64> {
    let [family, other, high, low, a, b, c, d, ..] = *bytes else { return None };
    let is_inet = u32::from(u16::from_le_bytes([family, other])) == sockets::AF_INET;
    let port = u16::from_be_bytes([high, low]);
    is_inet.then(|| u64::from(u32::from_be_bytes([a, b, c, d])) << 16 | u64::from(port))
}

/// The bytes that a call has taken or given.
fn transfer<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
    event: &mut Event,
) {
    let args = pending.args;
    let count = event.result.max(0) as u64;
    event.data = match pending.sysno {
        Sysno::sendto | Sysno::recvfrom | Sysno::read | Sysno::write => {
            bytes(cx, st, args[1], count.min(args[2]))
        }
        Sysno::readv | Sysno::writev => vector(cx, st, args[1], args[2], count),
        _ => {
            let (list, len) = (number(cx, st, args[1] + 16, 8), number(cx, st, args[1] + 24, 8));
            vector(cx, st, list, len, count)
        }
    };
    event.aux[2] = match pending.sysno {
        Sysno::sendto | Sysno::recvfrom => args[3],
        Sysno::sendmsg | Sysno::recvmsg => args[2],
        _ => 0,
    };
}

fn sent<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, pending: &PendingCall, event: &mut Event) {
    let args = pending.args;
    let (at, len) = match pending.sysno {
        Sysno::sendto => (args[4], args[5]),
        Sysno::sendmsg => (number(cx, st, args[1], 8), number(cx, st, args[1] + 8, 4)),
        _ => (0, 0),
    };
    let (local, remote) = ends(st, event.fd.into());
    if at != 0 {
        event.data2 = bytes(cx, st, at, len.min(MOST_ADDRESS));
    }
    event.aux[0] = address(&event.data2).unwrap_or(remote);
    event.aux[1] = local;
}

/// One of several messages that were received at once.
pub(super) fn message<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
    at: usize,
    event: &mut Event,
) {
    let header = pending.args[1] + MESSAGE_BYTES * at as u64;
    let length = number(cx, st, header + 56, 4);
    let (list, count) = (number(cx, st, header + 16, 8), number(cx, st, header + 24, 8));
    event.result = length as i64;
    event.data = vector(cx, st, list, count, length);
    event.aux[2] = pending.args[3];
    received(st, pending.received.get(at), event);
    attached(cx, st, header, event);
}

fn received<X: Guest>(st: &State<X>, datagram: Option<&ReceivedDatagram>, event: &mut Event) {
    let (local, remote) = ends(st, event.fd.into());
    event.aux[0] = datagram.map_or(remote, |datagram| word(datagram.source));
    event.aux[1] = local;
}

/// Fills in what came along with a message, unless it is something that only the kernel can give.
fn attached<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, header: u64, event: &mut Event) {
    const SCM_RIGHTS: u64 = 1;
    let (at, len) = (number(cx, st, header + 32, 8), number(cx, st, header + 40, 4));
    event.aux[3] = number(cx, st, header + 48, 4);
    if len < 16 {
        return;
    }
    let (level, kind) = (number(cx, st, at + 8, 4), number(cx, st, at + 12, 4));
    if (level, kind) != (sockets::SOL_SOCKET.into(), SCM_RIGHTS) {
        event.data2 = bytes(cx, st, at, len.min(MOST_OPTION));
    }
}

// ---- waiting -------------------------------------------------------------------------------

fn ready(list: impl Iterator<Item = (u32, u32)>) -> Vec<u8> {
    list.flat_map(|(fd, events)| [fd.to_le_bytes(), events.to_le_bytes()]).flatten().collect()
}

fn polled<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
    event: &mut Event,
) {
    let [list, count, timeout, ..] = pending.args;
    event.aux[0] = count;
    event.aux[1] = match pending.sysno {
        Sysno::poll => i64::from(timeout as i32) as u64,
        _ => milliseconds(cx, st, timeout, 1),
    };
    let mut found = Vec::new();
    for i in 0..if event.result > 0 { count } else { 0 } {
        let fd = number(cx, st, list + 8 * i, 4) as u32;
        let events = number(cx, st, list + 8 * i + 6, 2) as u32;
        if events != 0 {
            found.push((fd, events));
        }
    }
    event.data = ready(found.into_iter());
}

fn selected<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
    event: &mut Event,
) {
    let [count, read, write, except, timeout, ..] = pending.args;
    let unit = if pending.sysno == Sysno::select { 1000 } else { 1 };
    event.aux[0] = count;
    event.aux[1] = milliseconds(cx, st, timeout, unit);
    let sets = [(read, linux::POLLIN), (write, linux::POLLOUT), (except, linux::POLLPRI)];
    let mut found = Vec::new();
    for fd in 0..if event.result > 0 { count } else { 0 } {
        let mut events = 0;
        for (set, bit) in sets.into_iter().filter(|(set, _)| *set != 0) {
            if number(cx, st, set + fd / 8, 1) >> (fd % 8) & 1 != 0 {
                events |= bit;
            }
        }
        if events != 0 {
            found.push((fd as u32, events));
        }
    }
    event.data = ready(found.into_iter());
}

/// A timeout that is a structure, in milliseconds; -1 if there is none.
fn milliseconds<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, at: u64, unit: u64) -> u64 {
    if at == 0 {
        return u64::MAX;
    }
    let (seconds, rest) = (number(cx, st, at, 8), number(cx, st, at + 8, 8));
    seconds.saturating_mul(1000).saturating_add(rest.saturating_mul(unit) / 1_000_000)
}

// ---- files ---------------------------------------------------------------------------------

/// The number of bytes that a call is to write to a file.
pub(super) fn bytes_to_write<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
) -> Option<u64> {
    let [_, at, count, ..] = pending.args;
    let is_full = st.extra.node().path.faults.config().disk_bytes.is_some();
    match pending.sysno {
        Sysno::write | Sysno::pwrite64 => Some(count),
        // The end of what is copied is a reason, too: then it does no harm to note it.
        Sysno::sendfile if is_full => Some(pending.args[3]),
        Sysno::copy_file_range if is_full => Some(pending.args[4]),
        Sysno::writev | Sysno::pwritev => {
            Some((0..count).map(|i| number(cx, st, at + 16 * i + 8, 8)).sum())
        }
        _ => None,
    }
}

/// The bytes that a call on files tells the program other than a native one would: three times, each as
/// seconds and nanoseconds; a limit; how much room there is on the disk.
pub(super) fn told<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    pending: &PendingCall,
) -> Vec<u8> {
    if let Some(places) = pending.times {
        return places.into_iter().flat_map(|place| bytes(cx, st, place, 16)).collect();
    }
    match (verdict::resource(pending), pending.sysno) {
        (Some((_, at)), _) => bytes(cx, st, at, 16),
        (None, Sysno::statfs | Sysno::fstatfs) => bytes(cx, st, pending.args[1], 120),
        _ => Vec::new(),
    }
}

// ---- memory --------------------------------------------------------------------------------

/// Bytes of the program's memory; those that cannot be read are zero.
pub(super) fn bytes<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, at: u64, len: u64) -> Vec<u8> {
    let mut known = vec![0; len as usize];
    if len == 0 || at == 0 || st.mem.check(at, len).is_err() {
        return known;
    }
    if st.mem.read_bytes(at, &mut known) {
        return known;
    }
    match st.mem.read_each(cx.pool, at, len) {
        Ok(values) => Kernel::example(cx, st, &values),
        Err(_) => known,
    }
}

/// The same, if the call has succeeded.
fn success<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    event: &Event,
    at: u64,
    len: u64,
) -> Vec<u8> {
    if event.errno == 0 { bytes(cx, st, at, len) } else { Vec::new() }
}

/// The bytes that a call has put behind a pointer, whose length is behind another.
fn sized<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    event: &Event,
    at: u64,
    len_at: u64,
) -> Vec<u8> {
    if event.errno != 0 || at == 0 || len_at == 0 {
        return Vec::new();
    }
    let len = number(cx, st, len_at, 4).min(MOST_OPTION);
    bytes(cx, st, at, len)
}

fn number<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, at: u64, len: u64) -> u64 {
    let bytes = bytes(cx, st, at, len);
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The first bytes of what a `struct iovec` array describes.
fn vector<X: Guest>(
    cx: &Interp<'_, X>,
    st: &mut State<X>,
    list: u64,
    count: u64,
    mut left: u64,
) -> Vec<u8> {
    let mut data = Vec::new();
    for i in 0..count {
        let (at, len) = (number(cx, st, list + 16 * i, 8), number(cx, st, list + 16 * i + 8, 8));
        let len = len.min(left);
        data.extend(bytes(cx, st, at, len));
        left -= len;
    }
    data
}
