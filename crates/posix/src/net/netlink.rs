//! Netlink: what the kernel answers to questions about interfaces, addresses and routes (`rtnetlink(7)`).
//!
//! A question is answered at once, with a copy of what is asked for: interfaces, addresses and routes never
//! change. Not here: questions that would change them end the path by their names, in the caller.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use everett_net::{Address, is_link_local};
use linux_raw_sys::general::{POLLOUT, POLLWRNORM};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::READ;
use super::interface::Interface;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::netlink::Netlink;
use crate::state::sockets::{Net, Socket, SocketFamily};

/// Bytes of `struct nlmsghdr`.
const HEADER_BYTES: usize = 16;
/// Flags of requests and answers.
const REQUEST: u16 = 1;
const MULTI: u16 = 2;
const ACKNOWLEDGE: u16 = 4;
const DUMP: u16 = 0x300;
/// Types of messages.
const ERROR: u16 = 2;
const DONE: u16 = 3;
const NEW_LINK: u16 = 16;
const GET_LINK: u16 = 18;
const NEW_ADDRESS: u16 = 20;
const GET_ADDRESS: u16 = 22;
const NEW_ROUTE: u16 = 24;
const GET_ROUTE: u16 = 26;
const GET_NEIGHBOUR: u16 = 30;
/// Attributes of links, addresses and routes.
const LINK_ADDRESS: u16 = 1;
const LINK_BROADCAST: u16 = 2;
const LINK_NAME: u16 = 3;
const LINK_MTU: u16 = 4;
const LINK_QUEUE: u16 = 13;
const LINK_STATE: u16 = 16;
const ADDRESS_ADDRESS: u16 = 1;
const ADDRESS_LOCAL: u16 = 2;
const ADDRESS_LABEL: u16 = 3;
const ADDRESS_BROADCAST: u16 = 4;
const ADDRESS_FLAGS: u16 = 8;
const ROUTE_DESTINATION: u16 = 1;
const ROUTE_INTERFACE: u16 = 4;
const ROUTE_GATEWAY: u16 = 5;
const ROUTE_SOURCE: u16 = 7;
const ROUTE_TABLE: u16 = 15;
/// The address stays (`IFA_F_PERMANENT`).
const PERMANENT: u8 = 0x80;
/// Scopes: everywhere, the link, the host itself.
const SCOPE_GLOBAL: u8 = 0;
const SCOPE_LINK: u8 = 253;
const SCOPE_HOST: u8 = 254;
/// The main table, routes that the kernel or somebody at boot has made, and those to one host.
const MAIN_TABLE: u8 = 254;
const MADE_BY_KERNEL: u8 = 2;
const MADE_AT_BOOT: u8 = 3;
const UNICAST: u8 = 1;
/// The first number for a socket of a process that has one already; others follow downwards.
const FIRST_EXTRA_PORT: u32 = 0xffff_f000;

fn netlink(socket: &Socket) -> &Netlink {
    match &socket.family {
        SocketFamily::Netlink(netlink) => netlink,
        _ => unreachable!("the caller has looked at the family"),
    }
}

fn netlink_mut(node: &mut Node, id: SocketId) -> &mut Netlink {
    match &mut node.net.get_mut(id).family {
        SocketFamily::Netlink(netlink) => netlink,
        _ => unreachable!("the caller has looked at the family"),
    }
}

/// The events that a socket is ready for.
pub(crate) fn events(node: &Node, id: SocketId) -> u32 {
    let has_answer = !netlink(node.net.get(id)).answers.is_empty();
    POLLOUT | POLLWRNORM | if has_answer { READ } else { 0 }
}

/// Bytes of the next answer.
pub(crate) fn readable_bytes(node: &Node, id: SocketId) -> u64 {
    netlink(node.net.get(id)).answers.front().map_or(0, |answer| answer.len() as u64)
}

/// The address of a socket, as `struct sockaddr_nl`.
pub(crate) fn name_bytes(port: u32, groups: u32) -> Vec<u8> {
    let mut bytes = linux::AF_NETLINK.to_le_bytes().to_vec();
    bytes.extend_from_slice(&port.to_le_bytes());
    bytes.extend_from_slice(&groups.to_le_bytes());
    bytes
}

/// The address of a socket.
pub(crate) fn own_name(node: &Node, id: SocketId) -> Vec<u8> {
    let Netlink { port, groups, .. } = netlink(node.net.get(id));
    name_bytes(*port, *groups)
}

/// Gives a socket its number; 0 is the number of the process, or a free one.
pub(crate) fn bind(node: &mut Node, id: SocketId, port: u32, groups: u32) -> Result<(), Errno> {
    let process = node.volatile.running.0.0;
    let before = netlink(node.net.get(id)).port;
    let port = match (before, port) {
        (0, 0) => free_port(&node.net, process),
        (0, port) if is_taken(&node.net, port) => return Err(Errno::EADDRINUSE),
        (0, port) => port,
        (before, port) if port == 0 || port == before => before,
        _ => return Err(Errno::EINVAL),
    };
    let netlink = netlink_mut(node, id);
    (netlink.port, netlink.groups) = (port, groups);
    Ok(())
}

fn is_taken(net: &Net, port: u32) -> bool {
    let has_port = |socket: &Socket| match &socket.family {
        SocketFamily::Netlink(netlink) => netlink.port == port,
        _ => false,
    };
    net.table.sockets.iter().any(|(_, socket)| has_port(socket))
}

fn free_port(net: &Net, process: u32) -> u32 {
    let extra = (0..FIRST_EXTRA_PORT).map(|number| FIRST_EXTRA_PORT - number);
    std::iter::once(process).chain(extra).find(|port| !is_taken(net, *port)).unwrap_or(process)
}

/// The next answer, which stays in the queue if it is only looked at.
pub(crate) fn next(node: &mut Node, id: SocketId, peek: bool) -> Option<Vec<u8>> {
    let netlink = netlink_mut(node, id);
    if peek || netlink.answers.is_empty() {
        return netlink.answers.front().map(|answer| answer.to_vec());
    }
    Arc::make_mut(&mut netlink.answers).pop_front().map(|answer| answer.to_vec())
}

/// The kernel sends a message to a socket that nobody has asked for, if the socket is still there.
pub(crate) fn tell(node: &mut Node, id: SocketId, message: &[u8]) {
    let found = node.net.find(id).map(|socket| &socket.family);
    if let Some(SocketFamily::Netlink(_)) = found {
        Arc::make_mut(&mut netlink_mut(node, id).answers).push_back(message.into());
        node.net.get_mut(id).arrivals += 1;
        node.changed();
    }
}

/// Answers the requests in a datagram. The error is the name of what is not simulated.
pub(crate) fn ask(node: &mut Node, id: SocketId, datagram: &[u8]) -> Result<(), String> {
    let port = netlink(node.net.get(id)).port;
    let mut rest = datagram;
    let mut answers = Vec::new();
    while let Some(request) = Request::read(rest) {
        if request.flags & REQUEST != 0 && request.kind >= NEW_LINK {
            let mut sheet = AnswerSheet { request: &request, port, bytes: Vec::new() };
            let outcome = sheet.answer(&node.net)?;
            if !sheet.bytes.is_empty() {
                answers.push(std::mem::take(&mut sheet.bytes));
            }
            let is_dump = request.flags & DUMP != 0;
            match outcome {
                Ok(()) if is_dump => sheet.put(DONE, MULTI, &0u32.to_le_bytes()),
                Ok(()) if request.flags & ACKNOWLEDGE == 0 => {}
                Ok(()) => sheet.put_error(0),
                Err(errno) => sheet.put_error(errno.into_raw()),
            }
            if !sheet.bytes.is_empty() {
                answers.push(sheet.bytes);
            }
        }
        rest = rest.get(request.len.next_multiple_of(4)..).unwrap_or_default();
    }
    let count = answers.len() as u64;
    let queue = Arc::make_mut(&mut netlink_mut(node, id).answers);
    queue.extend(answers.iter().map(|answer| answer[..].into()));
    node.net.get_mut(id).arrivals += count;
    Ok(())
}

/// A message to the kernel.
struct Request<'d> {
    len: usize,
    kind: u16,
    flags: u16,
    sequence: u32,
    /// The message with its header.
    whole: &'d [u8],
}

impl<'d> Request<'d> {
    fn read(bytes: &'d [u8]) -> Option<Request<'d>> {
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        let word = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let len = word(0) as usize;
        let whole = bytes.get(..len).filter(|whole| whole.len() >= HEADER_BYTES)?;
        let (kind, flags) = (word(4) as u16, (word(4) >> 16) as u16);
        Some(Request { len, kind, flags, sequence: word(8), whole })
    }

    fn content(&self) -> &'d [u8] {
        &self.whole[HEADER_BYTES..]
    }

    /// A number of 32 bits in the content.
    fn word(&self, at: usize) -> u32 {
        let bytes = self.content().get(at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn family(&self) -> u32 {
        self.content().first().copied().unwrap_or(0).into()
    }

    /// An attribute behind a header of so many bytes.
    fn attribute(&self, header_bytes: usize, wanted: u16) -> Option<&'d [u8]> {
        let mut rest = self.content().get(header_bytes..)?;
        while let Some([a, b, c, d]) = rest.first_chunk() {
            let (len, kind) = (u16::from_le_bytes([*a, *b]).into(), u16::from_le_bytes([*c, *d]));
            let value = rest.get(4..len)?;
            if kind == wanted {
                return Some(value);
            }
            rest = rest.get(usize::next_multiple_of(len, 4)..)?;
        }
        None
    }
}

/// The answer to a request.
struct AnswerSheet<'r> {
    request: &'r Request<'r>,
    port: u32,
    bytes: Vec<u8>,
}

impl AnswerSheet<'_> {
    /// Answers a request, or says which one it is that is not simulated.
    fn answer(&mut self, net: &Net) -> Result<Result<(), Errno>, String> {
        let is_dump = self.request.flags & DUMP == DUMP;
        Ok(match self.request.kind {
            GET_LINK if is_dump => {
                interfaces(net).iter().for_each(|interface| self.put_link(interface, MULTI));
                Ok(())
            }
            GET_LINK => self.one_link(net),
            GET_ADDRESS => {
                self.addresses(net);
                Ok(())
            }
            GET_ROUTE if is_dump => {
                self.routes(net);
                Ok(())
            }
            GET_ROUTE => self.one_route(net),
            // Hosts find each other without asking for hardware addresses.
            GET_NEIGHBOUR if is_dump => Ok(()),
            kind => return Err(format!("netlink request {kind}")),
        })
    }

    fn one_link(&mut self, net: &Net) -> Result<(), Errno> {
        const LINK_HEADER_BYTES: usize = 16;
        let index = self.request.word(4);
        let name = self.request.attribute(LINK_HEADER_BYTES, LINK_NAME).unwrap_or_default();
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        let is_meant = |each: &&Interface| match index {
            0 => each.name.as_bytes() == name,
            index => each.index == index,
        };
        let all = interfaces(net);
        let found = all.iter().find(is_meant).ok_or(Errno::ENODEV)?;
        self.put_link(found, 0);
        Ok(())
    }

    fn put_link(&mut self, interface: &Interface, flags: u16) {
        let (kind, interface_flags) = interface.kind_and_flags();
        let mut content = vec![0, 0];
        content.extend_from_slice(&kind.to_le_bytes());
        content.extend_from_slice(&interface.index.to_le_bytes());
        content.extend_from_slice(&u32::from(interface_flags).to_le_bytes());
        content.extend_from_slice(&[0; 4]);
        put_attribute(&mut content, LINK_NAME, &[interface.name.as_bytes(), &[0]].concat());
        put_attribute(&mut content, LINK_QUEUE, &1000u32.to_le_bytes());
        // Nobody has said more than that it works; a network does.
        let state: u8 = if interface.is_loopback { 0 } else { 6 };
        put_attribute(&mut content, LINK_STATE, &[state]);
        put_attribute(&mut content, LINK_MTU, &interface.mtu().to_le_bytes());
        put_attribute(&mut content, LINK_ADDRESS, &interface.hardware_address());
        let broadcast = if interface.is_loopback { [0; 6] } else { [0xff; 6] };
        put_attribute(&mut content, LINK_BROADCAST, &broadcast);
        self.put(NEW_LINK, flags, &content);
    }

    /// Addresses of one family, or of both: first those of IPv4.
    fn addresses(&mut self, net: &Net) {
        let mut all = net.interfaces();
        all.retain(|each| is_of_family(each.address, self.request.family()));
        all.sort_by_key(|each| each.address.is_ipv6());
        for interface in all {
            let scope = match interface.address {
                _ if interface.is_loopback => SCOPE_HOST,
                address if is_link_local(address) => SCOPE_LINK,
                _ => SCOPE_GLOBAL,
            };
            let mut content =
                vec![family_of(interface.address), interface.subnet.prefix(), PERMANENT, scope];
            content.extend_from_slice(&interface.index.to_le_bytes());
            put_attribute(&mut content, ADDRESS_ADDRESS, &octets(interface.address));
            if interface.address.is_ipv4() {
                put_attribute(&mut content, ADDRESS_LOCAL, &octets(interface.address));
                if let Some(broadcast) = interface.broadcast() {
                    put_attribute(&mut content, ADDRESS_BROADCAST, &octets(broadcast));
                }
                let label = [interface.name.as_bytes(), &[0]].concat();
                put_attribute(&mut content, ADDRESS_LABEL, &label);
            }
            put_attribute(&mut content, ADDRESS_FLAGS, &u32::from(PERMANENT).to_le_bytes());
            self.put(NEW_ADDRESS, MULTI, &content);
        }
    }

    /// The main table: the lines of IPv4, then those of IPv6.
    fn routes(&mut self, net: &Net) {
        let Some(topology) = &net.topology else { return };
        let host = topology.host(net.host);
        let family = self.request.family();
        let mut lines: Vec<_> = host.routes.iter().collect();
        lines.retain(|line| is_of_family(line.destination.base(), family));
        lines.sort_by_key(|line| line.destination.base().is_ipv6());
        for line in lines {
            let destination = (line.destination.base(), line.destination.prefix());
            let source =
                host.interfaces[line.interface].source(line.gateway.unwrap_or(destination.0));
            self.put_route(destination, line.gateway, (line.interface, source), MULTI);
        }
        if !is_of_family(Ipv6Addr::UNSPECIFIED.into(), family) {
            return;
        }
        for (position, interface) in host.interfaces.iter().enumerate() {
            if let Some(Address { ip, subnet }) = interface.link_local() {
                let link = (subnet.base(), subnet.prefix());
                self.put_route(link, None, (position, Some(ip)), MULTI);
            }
        }
    }

    /// The way to one address.
    fn one_route(&mut self, net: &Net) -> Result<(), Errno> {
        const ROUTE_HEADER_BYTES: usize = 12;
        let wanted = self.request.attribute(ROUTE_HEADER_BYTES, ROUTE_DESTINATION);
        let to: IpAddr = match (self.request.family(), wanted) {
            (linux::AF_INET, Some(bytes)) => {
                IpAddr::from(*bytes.first_chunk::<4>().ok_or(Errno::EINVAL)?)
            }
            (linux::AF_INET6, Some(bytes)) => {
                IpAddr::from(*bytes.first_chunk::<16>().ok_or(Errno::EINVAL)?)
            }
            _ => return Err(Errno::EINVAL),
        };
        let topology = net.topology.as_ref().ok_or(Errno::ENETUNREACH)?;
        let host = topology.host(net.host);
        if is_link_local(to) {
            let position = topology.link_of(net.host, to).ok_or(Errno::ENETUNREACH)?;
            let source = host.interfaces[position].source(to);
            self.put_route((to, 128), None, (position, source), 0);
            return Ok(());
        }
        let line = host.lookup(to).ok_or(Errno::ENETUNREACH)?;
        let source = host.interfaces[line.interface].source(line.gateway.unwrap_or(to));
        let length = if to.is_ipv4() { 32 } else { 128 };
        self.put_route((to, length), line.gateway, (line.interface, source), 0);
        Ok(())
    }

    fn put_route(
        &mut self,
        (destination, prefix): (IpAddr, u8),
        gateway: Option<IpAddr>,
        (interface, source): (usize, Option<IpAddr>),
        flags: u16,
    ) {
        let (protocol, scope) = match gateway {
            None => (MADE_BY_KERNEL, if destination.is_ipv4() { SCOPE_LINK } else { SCOPE_GLOBAL }),
            Some(_) => (MADE_AT_BOOT, SCOPE_GLOBAL),
        };
        let header = [family_of(destination), prefix, 0, 0, MAIN_TABLE, protocol, scope, UNICAST];
        let mut content = [&header[..], &[0; 4]].concat();
        put_attribute(&mut content, ROUTE_TABLE, &u32::from(MAIN_TABLE).to_le_bytes());
        if prefix > 0 {
            put_attribute(&mut content, ROUTE_DESTINATION, &octets(destination));
        }
        if let Some(gateway) = gateway {
            put_attribute(&mut content, ROUTE_GATEWAY, &octets(gateway));
        }
        // The loopback interface comes first.
        put_attribute(&mut content, ROUTE_INTERFACE, &(interface as u32 + 2).to_le_bytes());
        if let Some(source) = source.filter(|source| gateway.is_none() && source.is_ipv4()) {
            put_attribute(&mut content, ROUTE_SOURCE, &octets(source));
        }
        self.put(NEW_ROUTE, flags, &content);
    }

    fn put_error(&mut self, error: i32) {
        let mut content = (-error).to_le_bytes().to_vec();
        let told =
            if error == 0 { &self.request.whole[..HEADER_BYTES] } else { self.request.whole };
        content.extend_from_slice(told);
        self.put(ERROR, 0, &content);
    }

    fn put(&mut self, kind: u16, flags: u16, content: &[u8]) {
        let len = (HEADER_BYTES + content.len()) as u32;
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(&kind.to_le_bytes());
        self.bytes.extend_from_slice(&flags.to_le_bytes());
        self.bytes.extend_from_slice(&self.request.sequence.to_le_bytes());
        self.bytes.extend_from_slice(&self.port.to_le_bytes());
        self.bytes.extend_from_slice(content);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

/// Each interface once.
fn interfaces(net: &Net) -> Vec<Interface> {
    let mut all = net.interfaces();
    all.dedup_by_key(|interface| interface.index);
    all
}

fn is_of_family(address: IpAddr, family: u32) -> bool {
    match family {
        linux::AF_INET => address.is_ipv4(),
        linux::AF_INET6 => address.is_ipv6(),
        _ => true,
    }
}

fn family_of(address: IpAddr) -> u8 {
    if address.is_ipv4() { linux::AF_INET as u8 } else { linux::AF_INET6 as u8 }
}

fn octets(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets().to_vec(),
    }
}

fn put_attribute(to: &mut Vec<u8>, kind: u16, value: &[u8]) {
    to.extend_from_slice(&(4 + value.len() as u16).to_le_bytes());
    to.extend_from_slice(&kind.to_le_bytes());
    to.extend_from_slice(value);
    to.resize(to.len().next_multiple_of(4), 0);
}
