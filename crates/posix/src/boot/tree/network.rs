//! Contents of `/proc/net`: the sockets of the node, its interfaces and routes, as Linux prints them.
//!
//! Lines of sockets come in the order in which the sockets were made. Addresses of sockets in the kernel's
//! memory are zero, as for users who must not see them.
//!
//! Not here: the files themselves (`tree.rs`).

use std::fmt::Write;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use linux_raw_sys::net as linux;

use crate::net::interface::Interface;
use crate::state::file::specials::NetworkText;
use crate::state::ids::{SocketId, Time};
use crate::state::node::Node;
use crate::state::sockets::tcp::{Tcp, TcpPhase};
use crate::state::sockets::udp::Udp;
use crate::state::sockets::unix::{Unix, UnixName};
use crate::state::sockets::{NOWHERE, Socket, SocketFamily, any_address, inode_of};

/// Columns of the lines that are filled with blanks.
const TCP_COLUMNS: usize = 149;
const DATAGRAM_COLUMNS: usize = 127;
/// The heading of sockets of IPv6, which are followed by different columns.
const HEADING6: &str = "  sl  local_address                         remote_address                        \
    st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const HEADING4: &str = "sl  local_address rem_address   st tx_queue rx_queue tr tm->when \
    retrnsmt   uid  timeout inode";
/// States as these files number them.
const ESTABLISHED: u8 = 1;
const TIME_WAIT: u8 = 6;
const CLOSED: u8 = 7;
/// The flag of an interface's address that stays.
const PERMANENT: u8 = 0x80;
/// A UNIX socket waits for connections.
const ACCEPTS: u32 = 1 << 16;
/// Nanoseconds of a tick of the clock by which timers are told.
const TICK: Time = 10_000_000;

/// The content of a file at this moment.
pub(super) fn generate(node: &Node, text: NetworkText) -> String {
    match text {
        NetworkText::Tcp => tcp(node, linux::AF_INET),
        NetworkText::Tcp6 => tcp(node, linux::AF_INET6),
        NetworkText::Udp => udp(node, linux::AF_INET),
        NetworkText::Udp6 => udp(node, linux::AF_INET6),
        NetworkText::Unix => unix(node),
        NetworkText::Devices => devices(node),
        NetworkText::Routes => routes(node),
        NetworkText::Addresses6 => addresses6(node),
        // Hosts find each other without asking for hardware addresses.
        NetworkText::Neighbours => {
            "IP address       HW type     Flags       HW address            Mask     Device\n"
                .to_owned()
        }
    }
}

/// Sockets of a domain, in the order in which they were made.
fn sockets(node: &Node, domain: u32) -> impl Iterator<Item = (SocketId, &Socket)> {
    let all = node.net.table.sockets.iter();
    all.map(|(number, socket)| (SocketId(number as u32), socket))
        .filter(move |(_, socket)| socket.domain == domain)
}

/// An address and port in the digits of these files: words of the machine.
fn address(domain: u32, address: SocketAddr) -> String {
    let ip = match (domain, address.ip()) {
        // What stands for all addresses of IPv4 does so of IPv6.
        (linux::AF_INET6, IpAddr::V4(ip)) if ip.is_unspecified() => Ipv6Addr::UNSPECIFIED.into(),
        (linux::AF_INET6, IpAddr::V4(ip)) => ip.to_ipv6_mapped().into(),
        (_, ip) => ip,
    };
    let word = |bytes: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    let mut text = String::new();
    let mut put = |bytes: &[u8]| {
        bytes.chunks(4).for_each(|part| text.push_str(&format!("{:08X}", word(part))));
    };
    match ip {
        IpAddr::V4(ip) => put(&ip.octets()),
        IpAddr::V6(ip) => put(&ip.octets()),
    }
    format!("{text}:{:04X}", address.port())
}

/// Pads a line as far as its file does.
fn put_line(text: &mut String, line: &str, columns: usize) {
    text.push_str(&format!("{line:<columns$}\n"));
}

// ---- sockets -------------------------------------------------------------------------------

/// The columns that all sockets of IPv4 and IPv6 have.
struct SocketLine {
    local: SocketAddr,
    remote: SocketAddr,
    state: u8,
    /// Bytes that were sent and not acknowledged, and that were received and not read.
    queues: (usize, usize),
    /// The kind of the timer that runs, and when it ends.
    timer: (u8, Time),
    uid: u32,
    inode: u64,
}

impl SocketLine {
    fn of(id: SocketId, socket: &Socket, state: u8, queues: (usize, usize)) -> SocketLine {
        // One that no program has belongs to nobody.
        let owned = socket.file.is_some();
        SocketLine {
            local: socket.local,
            remote: socket.remote.unwrap_or(SocketAddr::new(any_address(socket.domain), 0)),
            state,
            queues,
            timer: (0, 0),
            uid: if owned { socket.owner } else { 0 },
            inode: if owned { inode_of(id) } else { 0 },
        }
    }

    fn text(&self, domain: u32) -> String {
        let SocketLine { local, remote, state, queues, timer, uid, inode } = self;
        let (local, remote) = (address(domain, *local), address(domain, *remote));
        let ((sent, received), (timer, when)) = (queues, timer);
        format!(
            "{local} {remote} {state:02X} {sent:08X}:{received:08X} {timer:02X}:{when:08X} {:08X} \
             {uid:5} {:8} {inode}",
            0, 0
        )
    }
}

fn tcp(node: &Node, domain: u32) -> String {
    let (mut text, columns) = match domain {
        linux::AF_INET => (String::new(), TCP_COLUMNS),
        _ => (format!("{HEADING6}\n"), 0),
    };
    if domain == linux::AF_INET {
        put_line(&mut text, &format!("  {HEADING4}"), columns);
    }
    let mut lines: Vec<(bool, String)> = Vec::new();
    for (id, socket) in sockets(node, domain) {
        let SocketFamily::Tcp(tcp) = &socket.family else { continue };
        if !tcp.is_closed() {
            lines.push((!tcp.is_listening(), tcp_line(id, socket, tcp)));
        }
    }
    // Those that listen come first.
    lines.sort_by_key(|(is_connection, _)| *is_connection);
    let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    lines.extend(node.net.table.ports.closed_connections(domain, node.clock.now).map(
        |(local, remote, left)| {
            let line = SocketLine {
                local,
                remote,
                state: TIME_WAIT,
                queues: (0, 0),
                timer: (3, left / TICK),
                uid: 0,
                inode: 0,
            };
            format!("{} 3 {:016}", line.text(domain), 0)
        },
    ));
    for (number, line) in lines.iter().enumerate() {
        put_line(&mut text, &format!("{number:4}: {line}"), columns);
    }
    text
}

/// The line of a socket, without its number.
fn tcp_line(id: SocketId, socket: &Socket, tcp: &Tcp) -> String {
    let received = match tcp.is_listening() {
        true => tcp.waiting.len(),
        // The end of the stream counts as a byte.
        false => tcp.readable() + usize::from(tcp.has_ended()),
    };
    let mut line = SocketLine::of(id, socket, tcp.state_number(), (tcp.in_flight(), received));
    match tcp.phase {
        // There is no socket yet, only what is known of the request.
        TcpPhase::Opening => {
            (line.timer, line.uid) = ((1, 0), socket.owner);
            format!("{} 0 {:016}", line.text(socket.domain), 0)
        }
        TcpPhase::Listening => format!("{} 1 {:016} 100 0 0 10 0", line.text(socket.domain), 0),
        TcpPhase::Connecting => {
            line.timer = (1, 0);
            format!("{} 2 {:016} 100 0 0 10 -1", line.text(socket.domain), 0)
        }
        TcpPhase::Idle | TcpPhase::Established | TcpPhase::Over => {
            format!("{} 1 {:016} 20 4 0 10 -1", line.text(socket.domain), 0)
        }
    }
}

fn udp(node: &Node, domain: u32) -> String {
    let (mut text, columns) = match domain {
        linux::AF_INET => (String::new(), DATAGRAM_COLUMNS),
        _ => (format!("{HEADING6} ref pointer drops\n"), 0),
    };
    if domain == linux::AF_INET {
        put_line(&mut text, &format!("   {HEADING4} ref pointer drops"), columns);
    }
    for (id, socket) in sockets(node, domain) {
        let SocketFamily::Udp(udp) = &socket.family else { continue };
        if socket.local.port() == 0 {
            continue;
        }
        let Udp { queued, drops, .. } = udp;
        let state = if socket.remote.is_some() { ESTABLISHED } else { CLOSED };
        let line = SocketLine::of(id, socket, state, (0, *queued)).text(domain);
        let bucket = socket.local.port();
        put_line(&mut text, &format!("{bucket:5}: {line} 2 {:016} {drops}", 0), columns);
    }
    text
}

fn unix(node: &Node) -> String {
    let mut text = "Num       RefCount Protocol Flags    Type St Inode Path\n".to_owned();
    for (id, socket) in sockets(node, linux::AF_UNIX) {
        let (listens, connected, name) = match &socket.family {
            SocketFamily::Unix(unix) => {
                let Unix { listening, peer, name, .. } = unix;
                (listening.is_some(), peer.is_some(), name.as_deref().map(shown_name))
            }
            // Its connection leads to another node.
            SocketFamily::Tcp(tcp) => (false, tcp.phase == TcpPhase::Established, None),
            SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Netlink(_) => continue,
        };
        let connected = connected && !listens;
        let references = if connected { 3 } else { 2 };
        let flags = if listens { ACCEPTS } else { 0 };
        let (state, inode) = match (socket.file, connected) {
            (Some(_), true) => (3, inode_of(id)),
            (Some(_), false) => (1, inode_of(id)),
            (None, true) => (2, 0),
            (None, false) => (4, 0),
        };
        let kind = socket.kind;
        let _ = write!(
            text,
            "{:016}: {references:08X} {:08X} {flags:08X} {kind:04X} {state:02X} {inode:5}",
            0, 0
        );
        text.push_str(&name.map_or(String::new(), |name| format!(" {name}")));
        text.push('\n');
    }
    text
}

/// A name with `@` for each zero, and before one that is none of a file.
fn shown_name(name: &UnixName) -> String {
    match name {
        UnixName::Path { path, .. } => String::from_utf8_lossy(path).into_owned(),
        UnixName::Abstract(name) => {
            let name = String::from_utf8_lossy(name).replace('\0', "@");
            format!("@{name}")
        }
    }
}

// ---- interfaces and routes -----------------------------------------------------------------

fn devices(node: &Node) -> String {
    let mut text = "Inter-|   Receive                                                |  Transmit\n \
        face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop \
        fifo colls carrier compressed\n"
        .to_owned();
    let mut all = node.net.interfaces();
    all.dedup_by_key(|interface| interface.index);
    for Interface { index, name, .. } in all {
        let traffic = node.net.traffic.of(index);
        let (received, sent) = (traffic.received, traffic.sent);
        let (errors, none) = (format!("{0:4} {0:4} {0:4}", 0), 0);
        let _ = writeln!(
            text,
            "{name:>6}: {:7} {:7} {errors} {none:5} {none:10} {none:9} {:8} {:7} {errors} {none:5} \
             {none:7} {none:10}",
            received.bytes, received.packets, sent.bytes, sent.packets
        );
    }
    text
}

fn routes(node: &Node) -> String {
    /// The route is there; it leads to a gateway.
    const UP: u16 = 1;
    const GATEWAY: u16 = 2;
    let heading =
        "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT";
    let mut text = String::new();
    put_line(&mut text, heading, DATAGRAM_COLUMNS);
    let Some(topology) = &node.net.topology else { return text };
    let host = topology.host(node.net.host);
    let mut lines: Vec<_> = host.routes.iter().collect();
    lines.retain(|line| line.destination.base().is_ipv4());
    // The default route comes first.
    lines.sort_by_key(|line| line.destination.base());
    let word = |address: IpAddr| match address {
        IpAddr::V4(address) => u32::from_le_bytes(address.octets()),
        IpAddr::V6(_) => 0,
    };
    for line in lines {
        let name = &host.interfaces[line.interface].name;
        let destination = word(line.destination.base());
        let gateway = line.gateway.unwrap_or(NOWHERE.ip());
        let flags = UP | if line.gateway.is_some() { GATEWAY } else { 0 };
        let mask = word(line.destination.netmask());
        let gateway = word(gateway);
        let line = format!(
            "{name}\t{destination:08X}\t{gateway:08X}\t{flags:04X}\t0\t0\t0\t{mask:08X}\t0\t0\t0"
        );
        put_line(&mut text, &line, DATAGRAM_COLUMNS);
    }
    text
}

fn addresses6(node: &Node) -> String {
    let mut text = String::new();
    for interface in node.net.interfaces() {
        let IpAddr::V6(address) = interface.address else { continue };
        let digits: String = address.octets().iter().map(|byte| format!("{byte:02x}")).collect();
        let (index, prefix) = (interface.index, interface.subnet.prefix());
        let (scope, name) = (interface.scope6(), interface.name);
        let _ = writeln!(
            text,
            "{digits} {index:02x} {prefix:02x} {scope:02x} {PERMANENT:02x} {name:>8}"
        );
    }
    text
}
