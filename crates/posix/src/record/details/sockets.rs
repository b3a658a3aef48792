//! Details of the calls that make sockets and pipes, name and connect them, and transfer bytes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4};

use everett_replay::script::{EventFlags, WORD_IS_IPV6, WORD_IS_MAPPED, address_word};
use linux_raw_sys::net as linux;

use crate::kernel::Guest;
use crate::net::inet::inet_address;
use crate::record::ended_call::EndedCall;
use crate::record::memory;
use crate::state::node::Node;
use crate::state::sockets::datagram::ReceivedDatagram;
use crate::state::sockets::{Socket, SocketFamily, socket_of};

/// Addresses have at most so many bytes: those of `struct sockaddr_storage`.
const MOST_ADDRESS: u64 = 128;
/// Values of options are kept up to so many bytes.
const MOST_OPTION: u64 = 4096;
/// Bytes of `struct mmsghdr`.
const MESSAGE_BYTES: u64 = 64;
/// Bytes of two descriptors.
const PAIR_BYTES: u64 = 8;

// ---- new descriptors -----------------------------------------------------------------------

pub(super) fn socket<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[..3].copy_from_slice(&call.pending.args[..3]);
}

pub(super) fn socketpair<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    socket(call);
    call.event.data = call.success(call.pending.args[3], PAIR_BYTES);
}

pub(super) fn pipe<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.data = call.success(call.pending.args[0], PAIR_BYTES);
}

pub(super) fn pipe2<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[1] = call.pending.args[1];
    pipe(call);
}

// ---- names and connections -----------------------------------------------------------------

fn socket_behind(node: &Node, number: i64) -> Option<&Socket> {
    let entry = node.descriptor(u32::try_from(number).ok()?).ok()?;
    socket_of(node.file(entry.file)).map(|id| node.net.get(id))
}

/// An address and port as the script has them: in IPv4, see [`stand_in`].
fn word(node: &Node, address: SocketAddr) -> u64 {
    if address.port() == 0 { 0 } else { any_word(node, address) }
}

fn any_word(node: &Node, address: SocketAddr) -> u64 {
    let ip = stand_in(node, address.ip());
    address_word(SocketAddrV4::new(ip, address.port()))
}

/// The address of IPv4 that stands for an address in a native run, where all sockets of the Internet are of
/// IPv4: that of the same interface, of the host itself, or of a group.
fn stand_in(node: &Node, address: IpAddr) -> Ipv4Addr {
    let address = match address {
        IpAddr::V4(address) => return address,
        IpAddr::V6(address) => address,
    };
    if address.is_loopback() {
        return Ipv4Addr::LOCALHOST;
    }
    if address.is_multicast() {
        let [.., a, b, c] = address.octets();
        return Ipv4Addr::new(239, a, b, c);
    }
    let topology = node.net.topology.as_ref();
    let owner = topology.and_then(|topology| {
        let (host, interface) = topology.owner(address.into())?;
        Some(topology.host(host).interfaces[interface].address())
    });
    match owner {
        Some(IpAddr::V4(owner)) => owner,
        _ => Ipv4Addr::UNSPECIFIED,
    }
}

/// The address of the Internet in a `struct sockaddr`.
fn address(node: &Node, bytes: &[u8]) -> Option<u64> {
    inet_address(bytes).map(|address| any_word(node, address))
}

impl<X: Guest> EndedCall<'_, '_, X> {
    /// The own address and the peer's of the socket of a descriptor.
    fn ends(&self, number: i64) -> (u64, u64) {
        let socket = socket_behind(self.st.extra.node(), number);
        let node = self.st.extra.node();
        let local = socket.map_or(0, |socket| word(node, socket.local));
        let remote = socket.and_then(|socket| socket.remote);
        (local, remote.map_or(0, |remote| word(node, remote)))
    }

    /// The bytes that the call has put behind a pointer, whose length is behind another.
    fn sized(&mut self, at: u64, len_at: u64) -> Vec<u8> {
        if self.event.errno != 0 || at == 0 || len_at == 0 {
            return Vec::new();
        }
        let len = self.number(len_at, 4).min(MOST_OPTION);
        self.bytes(at, len)
    }
}

pub(super) fn bind<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [_, at, len, ..] = call.pending.args;
    call.event.aux[1] = call.ends(call.event.fd.into()).0;
    call.event.data = call.bytes(at, len.min(MOST_ADDRESS));
}

/// The backlog, and the ports at which other nodes reach a UNIX socket.
pub(super) fn listen<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[0] = call.pending.args[1];
    let node = call.st.extra.node();
    if let Some(Socket { family: SocketFamily::Unix(unix), .. }) =
        socket_behind(node, call.event.fd.into())
    {
        call.event.data = unix.ports.iter().flat_map(|port| port.to_le_bytes()).collect();
    }
}

pub(super) fn connect<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    bind(call);
    let remote = call.ends(call.event.fd.into()).1;
    call.event.aux[0] = address(call.st.extra.node(), &call.event.data).unwrap_or(remote);
}

pub(super) fn accept<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [_, at, len_at, ..] = call.pending.args;
    let (local, remote) = call.ends(call.event.result);
    call.event.aux[..2].copy_from_slice(&[remote, local]);
    call.event.data = call.sized(at, len_at);
}

pub(super) fn accept4<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[2] = call.pending.args[3];
    accept(call);
}

/// Of `getsockname` and `getpeername`.
pub(super) fn named<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [_, at, len_at, ..] = call.pending.args;
    call.event.data = call.sized(at, len_at);
}

pub(super) fn getsockopt<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[..2].copy_from_slice(&call.pending.args[1..3]);
    let [.., at, len_at, _] = call.pending.args;
    call.event.data = call.sized(at, len_at);
}

pub(super) fn setsockopt<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.event.aux[..2].copy_from_slice(&call.pending.args[1..3]);
    let [.., at, len, _] = call.pending.args;
    call.event.data = call.bytes(at, len.min(MOST_OPTION));
}

// ---- transfers -----------------------------------------------------------------------------

impl<X: Guest> EndedCall<'_, '_, X> {
    /// The number of bytes that the call has taken or given.
    fn count(&self) -> u64 {
        self.event.result.max(0) as u64
    }

    /// The bytes of a transfer from or to the one buffer of a call.
    fn transfer(&mut self) {
        let [_, at, len, ..] = self.pending.args;
        self.event.data = self.bytes(at, self.count().min(len));
    }

    /// The same with several buffers, which are listed somewhere.
    fn transfer_vector(&mut self, list: u64, len: u64) {
        self.event.data = memory::vector(self.cx, self.st, list, len, self.count());
    }

    /// The same with the buffers of a `struct msghdr`.
    fn transfer_message(&mut self) {
        let [_, header, flags, ..] = self.pending.args;
        let (list, len) = (self.number(header + 16, 8), self.number(header + 24, 8));
        self.transfer_vector(list, len);
        self.event.aux[2] = flags;
    }

    /// The addresses of what was sent: to the one that the call names, if it does.
    fn sent(&mut self, at: u64, len: u64) {
        let (local, remote) = self.ends(self.event.fd.into());
        if at != 0 {
            self.event.data2 = self.bytes(at, len.min(MOST_ADDRESS));
        }
        self.event.aux[0] = address(self.st.extra.node(), &self.event.data2).unwrap_or(remote);
        self.event.aux[1] = local;
    }

    /// The addresses of what was received.
    fn received(&mut self, datagram: Option<&ReceivedDatagram>) {
        let (local, remote) = self.ends(self.event.fd.into());
        let node = self.st.extra.node();
        let socket = socket_behind(node, self.event.fd.into());
        let form = |source: SocketAddr| match socket {
            Some(socket) if socket.domain == linux::AF_INET6 && source.is_ipv4() => WORD_IS_MAPPED,
            _ if source.is_ipv6() => WORD_IS_IPV6,
            _ => 0,
        };
        let shown =
            |datagram: &ReceivedDatagram| word(node, datagram.source) | form(datagram.source);
        self.event.aux[0] = datagram.map_or(remote, shown);
        self.event.aux[1] = local;
        let is_corrupted = socket.is_some_and(|socket| match &socket.family {
            SocketFamily::Tcp(tcp) => tcp.is_corrupted,
            SocketFamily::Udp(_)
            | SocketFamily::Icmp(_)
            | SocketFamily::Unix(_)
            | SocketFamily::Netlink(_) => false,
        });
        if is_corrupted {
            self.event.flags = self.event.flags.with(EventFlags::DAMAGED);
        }
    }

    /// Fills in what came along with a message, unless it is something that only the kernel can give.
    fn attached(&mut self, header: u64) {
        const SCM_RIGHTS: u64 = 1;
        let (at, len) = (self.number(header + 32, 8), self.number(header + 40, 4));
        self.event.aux[3] = self.number(header + 48, 4);
        if len < 16 {
            return;
        }
        let (level, kind) = (self.number(at + 8, 4), self.number(at + 12, 4));
        if (level, kind) != (linux::SOL_SOCKET.into(), SCM_RIGHTS) {
            self.event.data2 = self.bytes(at, len.min(MOST_OPTION));
        }
    }

    /// Fills in one of several messages that were received at once.
    pub(in crate::record) fn fill_message(&mut self, at: usize) {
        let pending = self.pending;
        let header = pending.args[1] + MESSAGE_BYTES * at as u64;
        let length = self.number(header + 56, 4);
        let (list, count) = (self.number(header + 16, 8), self.number(header + 24, 8));
        self.event.result = length as i64;
        self.event.data = memory::vector(self.cx, self.st, list, count, length);
        self.event.aux[2] = pending.args[3];
        self.received(pending.received.get(at));
        self.attached(header);
    }
}

pub(super) fn write<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.transfer();
    call.sent(0, 0);
}

pub(super) fn writev<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [_, list, len, ..] = call.pending.args;
    call.transfer_vector(list, len);
    call.sent(0, 0);
}

pub(super) fn sendto<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [_, _, _, flags, at, len] = call.pending.args;
    call.transfer();
    call.event.aux[2] = flags;
    call.sent(at, len);
}

pub(super) fn sendmsg<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.transfer_message();
    let header = call.pending.args[1];
    let (at, len) = (call.number(header, 8), call.number(header + 8, 4));
    call.sent(at, len);
}

pub(super) fn read<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.transfer();
    call.received(call.pending.received.last());
}

pub(super) fn readv<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    let [_, list, len, ..] = call.pending.args;
    call.transfer_vector(list, len);
    call.received(call.pending.received.last());
}

pub(super) fn recvfrom<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    read(call);
    call.event.aux[2] = call.pending.args[3];
}

pub(super) fn recvmsg<X: Guest>(call: &mut EndedCall<'_, '_, X>) {
    call.transfer_message();
    call.received(call.pending.received.last());
    if call.event.errno == 0 {
        call.attached(call.pending.args[1]);
    }
}
