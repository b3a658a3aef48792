//! Messages with buffers, an address and control data: `sendmsg`, `recvmsg` and their multiples.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::{OpenSocket, ReceivedMessage, SendRequest, address, receive, send, socket_arg};
use crate::config::FaultKind;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::datagram::PacketOrigin;
use crate::net::inet;
use crate::state::ids::{Pid, Time};
use crate::state::node::Node;
use crate::state::sockets::SocketFamily;
use crate::state::sockets::unix::{AncillaryData, PeerCredentials};
use crate::sys::io::{Buffers, MOST_BUFFERS, TransferProgress, gather};
use crate::sys::poll;

/// Bytes of `struct msghdr`, and of `struct mmsghdr`, where the number of bytes follows it.
const HEADER_BYTES: u64 = 56;
const ENTRY_BYTES: u64 = 64;
/// Bytes of `struct cmsghdr`.
const CONTROL_HEADER_BYTES: usize = 16;
/// Bytes of `struct in_pktinfo` that the kernel looks at: the interface, and the address to send from.
const PKTINFO_SENT_BYTES: u64 = 8;
/// Most messages of one call.
const MOST_MESSAGES: u32 = 1024;
/// Most descriptors that one message passes on.
const MOST_RIGHTS: usize = 253;
/// `MSG_WAITFORONE`.
const WAIT_FOR_ONE: u32 = 0x10000;

/// `struct msghdr`.
struct MessageHeader {
    at: u64,
    name: u64,
    name_bytes: u32,
    buffers: Buffers,
    control: u64,
    control_bytes: u64,
}

impl MessageHeader {
    fn read<X: Guest>(call: &mut Call<'_, '_, X>, at: u64) -> Result<MessageHeader, CallHalt> {
        call.check_readable(at, HEADER_BYTES)?;
        let name = call.read_u64(at)?;
        let name_bytes = if name == 0 { 0 } else { call.read_u32(at + 8)? };
        if name_bytes.cast_signed() < 0 {
            return Err(Errno::EINVAL.into());
        }
        let (list, count) = (call.read_u64(at + 16)?, call.read_u64(at + 24)?);
        if count > MOST_BUFFERS.into() {
            return Err(Errno::EMSGSIZE.into());
        }
        let buffers = Buffers::listed(call, list, count as u32)?;
        let (control, control_bytes) = (call.read_u64(at + 32)?, call.read_u64(at + 40)?);
        Ok(MessageHeader { at, name, name_bytes, buffers, control, control_bytes })
    }
}

/// Rounds the length of control data up.
fn aligned(len: usize) -> usize {
    len.next_multiple_of(8)
}

// ---- sending -------------------------------------------------------------------------------

pub(crate) fn sendmsg<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (at, flags) = (call.arg(1)?, call.arg32(2)?);
    send_one(call, open, at, flags)
}

fn send_one<X: Guest>(call: &mut Call<'_, '_, X>, open: OpenSocket, at: u64, flags: u32) -> Answer {
    let header = MessageHeader::read(call, at)?;
    let name = match header.name_bytes {
        0 => None,
        len => Some(address::read(call, header.name, len.min(128))?),
    };
    let (attached, origin) = match header.control {
        0 => Default::default(),
        _ => attached(call, open, &header)?,
    };
    let data = gather(call, &header.buffers)?;
    let to = name.as_deref();
    send::send(call, open, SendRequest { data: &data, to, flags, attached, origin })
}

/// The control data of a message. What is between its parts, to align them, is not looked at, nor is the
/// address behind [`PKTINFO_SENT_BYTES`], which is for those who receive.
fn read_control<X: Guest>(
    call: &mut Call<'_, '_, X>,
    header: &MessageHeader,
) -> Result<Vec<u8>, CallHalt> {
    let (start, bytes) = (header.control, header.control_bytes);
    if let Some(known) = call.read_concrete(start, bytes)? {
        return Ok(known);
    }
    let mut parts: Vec<(u64, u64)> = Vec::new();
    let mut at = 0;
    while bytes - at >= CONTROL_HEADER_BYTES as u64 {
        let len = u64::from(call.read_u32(start + at)?).max(CONTROL_HEADER_BYTES as u64);
        let (level, kind) = (call.read_u32(start + at + 8)?, call.read_u32(start + at + 12)?);
        let seen = match (level, kind) {
            (linux::SOL_IP, linux::IP_PKTINFO) => CONTROL_HEADER_BYTES as u64 + PKTINFO_SENT_BYTES,
            _ => len,
        };
        parts.push((at, at.saturating_add(seen)));
        let next = at + (len as usize).next_multiple_of(8) as u64;
        if next > bytes {
            break;
        }
        at = next;
    }
    let is_in_part = |at| parts.iter().any(|(from, to)| (*from..*to).contains(&at));
    call.read_settled_partly(start, bytes, is_in_part)
}

/// The things that the control data of a message ask to be sent along, and where it is to come from. The
/// files are not held yet.
fn attached<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    header: &MessageHeader,
) -> Result<(AncillaryData, PacketOrigin), CallHalt> {
    let bytes = read_control(call, header)?;
    let mut attached = AncillaryData::default();
    let mut origin = PacketOrigin::default();
    let mut rest = &bytes[..];
    while let Some(head) = rest.first_chunk::<CONTROL_HEADER_BYTES>() {
        let (len, level, kind) = (word(head, 0) as usize, word(head, 8), word(head, 12));
        if len < CONTROL_HEADER_BYTES || len > rest.len() {
            return Err(Errno::EINVAL.into());
        }
        let content = &rest[CONTROL_HEADER_BYTES..len];
        match (level, &call.node().net.get(open.1).family, kind) {
            (linux::SOL_SOCKET, SocketFamily::Unix(_), linux::SCM_RIGHTS) => {
                add_rights(call, &mut attached, content)?;
            }
            (linux::SOL_SOCKET, SocketFamily::Unix(_), linux::SCM_CREDENTIALS) => {
                attached.credentials = Some(credentials(call, content)?);
            }
            (linux::SOL_SOCKET, SocketFamily::Unix(_), _) => return Err(Errno::EINVAL.into()),
            // Not theirs, and passed over.
            (linux::SOL_SOCKET, SocketFamily::Tcp(tcp), linux::SCM_RIGHTS)
                if tcp.local_names.is_some() =>
            {
                return Err(call.unsupported("a file that is sent to another node"));
            }
            (linux::SOL_SOCKET, _, linux::SCM_RIGHTS | linux::SCM_CREDENTIALS) => {}
            (linux::SOL_SOCKET, ..) => {
                return Err(call.unsupported(format!("control data {kind} of sockets")));
            }
            (linux::SOL_IP, SocketFamily::Udp(_) | SocketFamily::Icmp(_), linux::IP_PKTINFO) => {
                origin = origin_v4(content)?;
            }
            (linux::SOL_IP, SocketFamily::Udp(_) | SocketFamily::Icmp(_), _) => {
                return Err(call.unsupported(format!("control data {kind} of IP")));
            }
            (
                linux::SOL_IPV6,
                SocketFamily::Udp(_) | SocketFamily::Icmp(_),
                linux::IPV6_PKTINFO,
            ) if call.node().net.get(open.1).domain == linux::AF_INET6 => {
                origin = origin_v6(content)?;
            }
            (linux::SOL_IPV6, SocketFamily::Udp(_) | SocketFamily::Icmp(_), _)
                if call.node().net.get(open.1).domain == linux::AF_INET6 =>
            {
                return Err(call.unsupported(format!("control data {kind} of IPv6")));
            }
            // Others look only at what is theirs.
            _ => {}
        }
        rest = rest.get(aligned(len)..).unwrap_or(&[]);
    }
    Ok((attached, origin))
}

/// `struct in_pktinfo`: the interface, the address to send from, and one that means nothing here.
fn origin_v4(content: &[u8]) -> Result<PacketOrigin, Errno> {
    let content: &[u8; 12] = content.try_into().map_err(|_| Errno::EINVAL)?;
    let own = Ipv4Addr::from(std::array::from_fn::<u8, 4, _>(|i| content[4 + i]));
    let address = (!own.is_unspecified()).then_some(own.into());
    Ok(PacketOrigin { address, interface: word(content, 0) })
}

/// `struct in6_pktinfo`: the address to send from, and the interface.
fn origin_v6(content: &[u8]) -> Result<PacketOrigin, Errno> {
    let content = content.first_chunk::<20>().ok_or(Errno::EINVAL)?;
    let own = Ipv6Addr::from(std::array::from_fn::<u8, 16, _>(|i| content[i]));
    let address = (!own.is_unspecified()).then_some(IpAddr::from(own).to_canonical());
    Ok(PacketOrigin { address, interface: word(content, 16) })
}

/// The word at a place in bytes.
fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// Adds the files of descriptors that are passed on.
fn add_rights<X: Guest>(
    call: &Call<'_, '_, X>,
    attached: &mut AncillaryData,
    content: &[u8],
) -> Result<(), Errno> {
    if attached.rights.len() + content.len() / 4 > MOST_RIGHTS {
        return Err(Errno::EINVAL);
    }
    for number in content.chunks_exact(4) {
        let file = call.node().descriptor(word(number, 0))?.file;
        if call.node().file(file).is_path() {
            return Err(Errno::EBADF);
        }
        attached.rights.push(file);
    }
    Ok(())
}

/// Credentials that the program gives, which must be its own unless it is root's.
fn credentials<X: Guest>(call: &Call<'_, '_, X>, content: &[u8]) -> Result<PeerCredentials, Errno> {
    if content.len() != 12 {
        return Err(Errno::EINVAL);
    }
    let (pid, uid, gid) = (word(content, 0), word(content, 4), word(content, 8));
    let node = call.node();
    let ids = &node.process().ids;
    let root = ids.effective_uid == 0;
    let uids = [ids.real_uid, ids.effective_uid, ids.saved_uid];
    let gids = [ids.real_gid, ids.effective_gid, ids.saved_gid];
    if !root && (pid != node.volatile.running.0.0 || !uids.contains(&uid) || !gids.contains(&gid)) {
        return Err(Errno::EPERM);
    }
    if node.find(Pid(pid)).is_none() {
        return Err(Errno::ESRCH);
    }
    Ok(PeerCredentials { pid, uid, gid })
}

pub(crate) fn sendmmsg<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (at, count, flags) = (call.arg(1)?, call.arg32(2)?.min(MOST_MESSAGES), call.arg32(3)?);
    for i in 0..u64::from(count) {
        let entry = at + i * ENTRY_BYTES;
        call.check_writable(entry + HEADER_BYTES, 4)?;
        // Only the first message waits; where a later one has to, the call has sent enough.
        let flags = if i > 0 { flags | linux::MSG_DONTWAIT } else { flags };
        match send_one(call, open, entry, flags) {
            Ok(Reply::Value(sent)) => call.write_u32(entry + HEADER_BYTES, sent as u32)?,
            Err(CallHalt::Errno(_)) if i > 0 => return Ok(Reply::Value(i)),
            other => return other,
        }
    }
    Ok(Reply::Value(count.into()))
}

// ---- receiving -----------------------------------------------------------------------------

pub(crate) fn recvmsg<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (at, flags) = (call.arg(1)?, call.arg32(2)?);
    receive_one(call, open, at, flags)
}

fn receive_one<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    at: u64,
    flags: u32,
) -> Answer {
    let header = MessageHeader::read(call, at)?;
    call.check_writable(at, HEADER_BYTES)?;
    call.check_writable(header.name, header.name_bytes.min(128).into())?;
    let control_bytes = if header.control == 0 { 0 } else { header.control_bytes };
    call.check_writable(header.control, control_bytes)?;
    let received = match receive::receive(call, open, &header.buffers, flags)? {
        TransferProgress::Done(received) => received,
        TransferProgress::Wait(wait) => return Ok(Reply::Wait(wait)),
    };
    tell(call, open, &header, &received, flags)?;
    Ok(Reply::Value(received.count))
}

/// Writes what was received beside the bytes.
fn tell<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (_, id): OpenSocket,
    header: &MessageHeader,
    received: &ReceivedMessage,
    flags: u32,
) -> Result<(), CallHalt> {
    if header.name != 0 {
        let len = received.name.len().min(header.name_bytes as usize);
        call.write_concrete(header.name, &received.name[..len])?;
        call.write_u32(header.at + 8, received.name.len() as u32)?;
    }
    let room = if header.control == 0 { 0 } else { header.control_bytes as usize };
    let mut control = ControlBuffer { bytes: Vec::new(), room, cut: false };
    for (level, kind, data) in control_data(call, id, received) {
        control.add(level, kind, &data);
    }
    let close_on_exec = flags & linux::MSG_CMSG_CLOEXEC != 0;
    deliver_rights(call.node_mut(), &received.attached, close_on_exec, &mut control);
    let cut = if control.cut { linux::MSG_CTRUNC } else { 0 };
    let shown = received.flags | flags & linux::MSG_CMSG_CLOEXEC | cut;
    call.write_concrete(header.control, &control.bytes)?;
    call.write_u64(header.at + 40, control.bytes.len() as u64)?;
    call.write_u32(header.at + 48, shown)
}

/// Control data that are being put together.
struct ControlBuffer {
    bytes: Vec<u8>,
    room: usize,
    /// Something did not fit.
    cut: bool,
}

impl ControlBuffer {
    /// Bytes that the next piece may have.
    fn left(&self) -> usize {
        self.room.saturating_sub(self.bytes.len() + CONTROL_HEADER_BYTES)
    }

    /// Adds a piece, or as much of it as fits.
    fn add(&mut self, level: u32, kind: u32, data: &[u8]) {
        if self.room.saturating_sub(self.bytes.len()) < CONTROL_HEADER_BYTES {
            self.cut = true;
            return;
        }
        let len = data.len().min(self.left());
        self.cut |= len < data.len();
        self.bytes.extend_from_slice(&((CONTROL_HEADER_BYTES + len) as u64).to_le_bytes());
        self.bytes.extend_from_slice(&level.to_le_bytes());
        self.bytes.extend_from_slice(&kind.to_le_bytes());
        self.bytes.extend_from_slice(&data[..len]);
        self.bytes.resize(aligned(self.bytes.len()).min(self.room), 0);
    }
}

/// Gives the files that came along descriptors; those for which there is no room are closed.
fn deliver_rights(
    node: &mut Node,
    attached: &AncillaryData,
    close_on_exec: bool,
    control: &mut ControlBuffer,
) {
    let fit = attached.rights.len().min(control.left() / 4);
    let mut numbers = Vec::new();
    for (i, file) in attached.rights.iter().enumerate() {
        let number = match i < fit && numbers.len() == 4 * i {
            true => node.add_descriptor(*file, close_on_exec).ok(),
            false => None,
        };
        match number {
            Some(number) => numbers.extend_from_slice(&number.to_le_bytes()),
            None => {
                node.release_file(*file);
                control.cut = true;
            }
        }
    }
    if !numbers.is_empty() {
        control.add(linux::SOL_SOCKET, linux::SCM_RIGHTS, &numbers);
    }
}

/// The control data that the program asked for with a message: level, type, content.
fn control_data<X: Guest>(
    call: &Call<'_, '_, X>,
    id: crate::state::ids::SocketId,
    received: &ReceivedMessage,
) -> Vec<(u32, u32, Vec<u8>)> {
    let node = call.node();
    let options = &node.net.get(id).options;
    let mut data = Vec::new();
    if options.flag(linux::SOL_SOCKET, linux::SO_PASSCRED)
        && let Some(sender) = received.attached.credentials
    {
        data.push((linux::SOL_SOCKET, linux::SCM_CREDENTIALS, sender.to_bytes()));
    }
    let Some(datagram) = &received.datagram else { return data };
    let time = node.clock.epoch_ns + i128::from(datagram.time);
    let (seconds, nanoseconds) =
        (time.div_euclid(1_000_000_000) as i64, time.rem_euclid(1_000_000_000) as i64);
    let mut stamp = |name: u32, fraction: i64| {
        if options.flag(linux::SOL_SOCKET, name) {
            let content = [seconds.to_le_bytes(), fraction.to_le_bytes()].concat();
            data.push((linux::SOL_SOCKET, name, content));
        }
    };
    stamp(linux::SO_TIMESTAMP, nanoseconds / 1000);
    stamp(linux::SO_TIMESTAMPNS, nanoseconds);
    let destination = datagram.destination.ip();
    let own = if node.net.is_own(destination) { destination } else { datagram.source.ip() };
    let index = node.net.interface_of(own).to_le_bytes();
    if let (IpAddr::V4(own), IpAddr::V4(destination)) = (own, destination)
        && options.flag(linux::SOL_IP, linux::IP_PKTINFO)
    {
        let content = [index, own.octets(), destination.octets()].concat();
        data.push((linux::SOL_IP, linux::IP_PKTINFO, content));
    }
    if options.flag(linux::SOL_IPV6, linux::IPV6_RECVPKTINFO) {
        let destination = match destination {
            IpAddr::V4(destination) => destination.to_ipv6_mapped(),
            IpAddr::V6(destination) => destination,
        };
        let content = [&destination.octets()[..], &index].concat();
        data.push((linux::SOL_IPV6, linux::IPV6_PKTINFO, content));
    }
    let ttl = u32::from(datagram.ttl).to_le_bytes().to_vec();
    if destination.is_ipv4() && options.flag(linux::SOL_IP, linux::IP_RECVTTL) {
        data.push((linux::SOL_IP, linux::IP_TTL, ttl));
    } else if destination.is_ipv6() && options.flag(linux::SOL_IPV6, linux::IPV6_RECVHOPLIMIT) {
        data.push((linux::SOL_IPV6, linux::IPV6_HOPLIMIT, ttl));
    }
    if destination.is_ipv6() && options.flag(linux::SOL_IPV6, linux::IPV6_RECVTCLASS) {
        data.push((linux::SOL_IPV6, linux::IPV6_TCLASS, vec![0; 4]));
    }
    if destination.is_ipv4() && options.flag(linux::SOL_IP, linux::IP_RECVTOS) {
        data.push((linux::SOL_IP, linux::IP_TOS, vec![0]));
    }
    if destination.is_ipv4() && options.flag(linux::SOL_IP, linux::IP_RECVORIGDSTADDR) {
        let name = inet::inet_bytes(&node.net, linux::AF_INET, datagram.destination);
        data.push((linux::SOL_IP, linux::IP_RECVORIGDSTADDR, name));
    }
    data
}

pub(crate) fn recvmmsg<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (at, count, flags) = (call.arg(1)?, call.arg32(2)?.min(MOST_MESSAGES), call.arg32(3)?);
    let timeout_address = call.arg(4)?;
    let timeout: Option<Time> = poll::timeout_at(call, timeout_address)?;
    if timeout.is_some() {
        return Err(call.unsupported("a timeout"));
    }
    if flags & linux::MSG_WAITALL != 0 {
        return Err(call.unsupported("MSG_WAITALL"));
    }
    let one = flags & WAIT_FOR_ONE != 0;
    let mut flags = flags & !WAIT_FOR_ONE;
    let family = &call.node().net.get(open.1).family;
    let is_udp = matches!(family, SocketFamily::Udp(_) | SocketFamily::Icmp(_));
    // Messages of earlier executions of this call.
    for i in call.node().thread().done..count.into() {
        let entry = at + i * ENTRY_BYTES;
        call.check_writable(entry + HEADER_BYTES, 4)?;
        let before = call.node().thread().done;
        if !is_udp {
            // Streams count bytes in it. Paths that are split off at a datagram begin with that one.
            call.node_mut().thread_mut().done = 0;
        }
        match receive_one(call, open, entry, flags) {
            Ok(Reply::Value(got)) => {
                call.write_u32(entry + HEADER_BYTES, got as u32)?;
                call.asked.retain(|kind| *kind != FaultKind::Order);
                let thread = call.node_mut().thread_mut();
                thread.done = i + 1;
                thread.answers.retain(|answer| answer.kind != FaultKind::Order);
                thread.observed = None;
            }
            Err(CallHalt::Errno(_)) if i > 0 => return Ok(Reply::Value(i)),
            other => {
                call.node_mut().thread_mut().done = before;
                return other;
            }
        }
        if one {
            flags |= linux::MSG_DONTWAIT;
        }
    }
    Ok(Reply::Value(count.into()))
}
