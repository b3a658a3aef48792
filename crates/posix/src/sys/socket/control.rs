//! `ioctl` on sockets: what waits in them, and what the host's interfaces are.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use linux_raw_sys::general::POLLIN;
use linux_raw_sys::{ioctl, net as linux};
use syscalls::Errno;

use super::OpenSocket;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::inet;
use crate::net::interface::Interface;
use crate::net::{readable_bytes, tcp, unix};
use crate::state::sockets::{Net, SocketFamily};

/// `SIOCOUTQ`, which is the terminals' `TIOCOUTQ`.
const BYTES_UNSENT: u32 = 0x5411;
/// `SIOCATMARK`.
const AT_MARK: u32 = 0x8905;
/// Numbers of what only sockets know.
const SOCKET_COMMANDS: std::ops::RangeInclusive<u32> = 0x8900..=0x89ff;
/// Bytes of `struct ifreq`, and of the name in it.
const REQUEST_BYTES: u64 = 40;
const NAME_BYTES: usize = 16;

/// A command to a socket.
pub(crate) fn control<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    command: u32,
    argument: u64,
) -> Answer {
    match command {
        ioctl::FIONREAD => {
            call.note_asked_bytes(u64::MAX);
            call.look(&[(open.0, POLLIN as u16)], false)?;
            if let SocketFamily::Tcp(tcp) = &call.node().net.get(open.1).family
                && tcp.readable() > 0
            {
                call.look_along(open.1, u64::MAX, false)?;
            }
            let bytes = readable_bytes(call.node(), open.1)?;
            call.write_u32(argument, u32::try_from(bytes).unwrap_or(u32::MAX))?;
        }
        BYTES_UNSENT => {
            let bytes = unsent(call, open)?;
            call.write_u32(argument, u32::try_from(bytes).unwrap_or(u32::MAX))?;
        }
        AT_MARK => match call.node().net.get(open.1).family {
            SocketFamily::Tcp(_) => call.write_u32(argument, 0)?,
            _ => return Err(Errno::ENOTTY.into()),
        },
        ioctl::SIOCGIFCONF => list(call, argument)?,
        ioctl::SIOCGIFNAME => {
            let index = call.read_u32(argument.wrapping_add(NAME_BYTES as u64))?;
            let all = interfaces(call);
            let found = all.iter().find(|each| each.index == index).ok_or(Errno::ENODEV)?;
            call.write_concrete(argument, &name_bytes(found))?;
        }
        ioctl::SIOCGIFFLAGS
        | ioctl::SIOCGIFADDR
        | ioctl::SIOCGIFDSTADDR
        | ioctl::SIOCGIFBRDADDR
        | ioctl::SIOCGIFNETMASK
        | ioctl::SIOCGIFMETRIC
        | ioctl::SIOCGIFMTU
        | ioctl::SIOCGIFHWADDR
        | ioctl::SIOCGIFINDEX
        | ioctl::SIOCGIFTXQLEN => ask(call, command, argument)?,
        command if SOCKET_COMMANDS.contains(&command) => {
            return Err(call.unsupported(format!("command {command:#x}")));
        }
        _ => return Err(Errno::ENOTTY.into()),
    }
    Ok(Reply::Value(0))
}

/// Bytes that were sent and that the other side has not taken.
fn unsent<X: Guest>(call: &Call<'_, '_, X>, (_, id): OpenSocket) -> Result<usize, Errno> {
    let node = call.node();
    match &node.net.get(id).family {
        SocketFamily::Tcp(tcp) if tcp.is_listening() => Err(Errno::EINVAL),
        SocketFamily::Tcp(_) => Ok(tcp::tcp(node.net.get(id)).in_flight()),
        // They arrive at once.
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) | SocketFamily::Netlink(_) => Ok(0),
        SocketFamily::Unix(_) => Ok(unix::unread_by_peer(node, id)),
    }
}

/// The name of an interface, with zeros behind it.
fn name_bytes(interface: &Interface) -> [u8; NAME_BYTES] {
    let mut bytes = [0; NAME_BYTES];
    let name = interface.name.as_bytes();
    let len = name.len().min(NAME_BYTES - 1);
    bytes[..len].copy_from_slice(&name[..len]);
    bytes
}

fn shown(net: &Net, address: IpAddr) -> Vec<u8> {
    inet::inet_bytes(net, linux::AF_INET, SocketAddr::new(address, 0))
}

/// The interfaces with their addresses of IPv4: these commands know no others.
fn interfaces<X: Guest>(call: &Call<'_, '_, X>) -> Vec<Interface> {
    let mut all = call.node().net.interfaces();
    all.retain(|interface| interface.address.is_ipv4());
    all
}

/// `SIOCGIFCONF`: the names and addresses of all interfaces.
fn list<X: Guest>(call: &mut Call<'_, '_, X>, argument: u64) -> Result<(), CallHalt> {
    let room = u64::from(call.read_u32(argument)?);
    let place = call.read_u64(argument.wrapping_add(8))?;
    call.check_writable(argument, 4)?;
    let all = interfaces(call);
    let mut bytes = Vec::new();
    for interface in &all {
        bytes.extend_from_slice(&name_bytes(interface));
        bytes.extend_from_slice(&shown(&call.node().net, interface.address));
        bytes.resize(bytes.len().next_multiple_of(REQUEST_BYTES as usize), 0);
    }
    if place != 0 {
        bytes.truncate((room / REQUEST_BYTES * REQUEST_BYTES) as usize);
        call.write_concrete(place, &bytes)?;
    }
    call.write_u32(argument, bytes.len() as u32)
}

/// The commands that ask something about an interface by its name.
fn ask<X: Guest>(call: &mut Call<'_, '_, X>, command: u32, argument: u64) -> Result<(), CallHalt> {
    let name_end = name_end(call, argument)?;
    let request = call.read_settled_partly(argument, REQUEST_BYTES, |at| at < name_end)?;
    call.check_writable(argument, REQUEST_BYTES)?;
    let name = request[..NAME_BYTES].split(|byte| *byte == 0).next().unwrap_or_default();
    let all = interfaces(call);
    let found = all.iter().find(|each| each.name.as_bytes() == name).ok_or(Errno::ENODEV)?;
    let net = &call.node().net;
    let value = match command {
        ioctl::SIOCGIFFLAGS => found.kind_and_flags().1.to_le_bytes().to_vec(),
        ioctl::SIOCGIFADDR | ioctl::SIOCGIFDSTADDR => shown(net, found.address),
        ioctl::SIOCGIFBRDADDR => {
            shown(net, found.broadcast().unwrap_or(Ipv4Addr::UNSPECIFIED.into()))
        }
        ioctl::SIOCGIFNETMASK => shown(net, found.subnet.netmask()),
        ioctl::SIOCGIFMTU => found.mtu().to_le_bytes().to_vec(),
        ioctl::SIOCGIFINDEX => found.index.to_le_bytes().to_vec(),
        ioctl::SIOCGIFTXQLEN => 1000u32.to_le_bytes().to_vec(),
        ioctl::SIOCGIFHWADDR => hardware(found),
        _ => 0u32.to_le_bytes().to_vec(),
    };
    call.write_concrete(argument + NAME_BYTES as u64, &value)
}

/// The length of the name at the beginning of a request, with its terminator; what follows is for the answer.
fn name_end<X: Guest>(call: &mut Call<'_, '_, X>, argument: u64) -> Result<u64, CallHalt> {
    if call.read_concrete(argument, REQUEST_BYTES)?.is_some() {
        return Ok(REQUEST_BYTES);
    }
    let mut end = 0;
    while end < NAME_BYTES as u64 && call.read_number(argument + end, 1)? != 0 {
        end += 1;
    }
    Ok(end + 1)
}

/// A hardware address with its kind, as `struct sockaddr`.
fn hardware(interface: &Interface) -> Vec<u8> {
    let (kind, _) = interface.kind_and_flags();
    let mut bytes = [&kind.to_le_bytes()[..], &interface.hardware_address()].concat();
    bytes.resize(16, 0);
    bytes
}
