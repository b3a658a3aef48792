//! Calls on netlink sockets.

use linux_raw_sys::general::POLLIN;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::{OpenSocket, ReceivedMessage, SendRequest, wait_for};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::inet;
use crate::net::netlink;
use crate::state::data::ByteData;
use crate::state::sockets::netlink::Netlink;
use crate::state::sockets::{Socket, SocketFamily};
use crate::sys::io::{Buffers, TransferProgress, scatter};

/// The only protocol that is there: interfaces, addresses and routes.
const ROUTE: u32 = 0;
/// Bytes of `struct sockaddr_nl`.
pub(super) const NAME_BYTES: usize = 12;

/// A new socket. Other protocols are those of a kernel without them.
pub(super) fn new(kind: u32, protocol: u32) -> Result<Socket, Errno> {
    if !matches!(kind, linux::SOCK_RAW | linux::SOCK_DGRAM) {
        return Err(Errno::ESOCKTNOSUPPORT);
    }
    if protocol != ROUTE {
        return Err(Errno::EPROTONOSUPPORT);
    }
    let family = SocketFamily::Netlink(Netlink::default());
    Ok(Socket::new(linux::AF_NETLINK, kind, protocol, family))
}

/// Number and groups of an address.
fn parts(bytes: &[u8]) -> Result<(u32, u32), Errno> {
    let known: &[u8; NAME_BYTES] = bytes.first_chunk().ok_or(Errno::EINVAL)?;
    if inet::family(bytes)? != linux::AF_NETLINK {
        return Err(Errno::EINVAL);
    }
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| known[at + i]));
    Ok((word(4), word(8)))
}

pub(super) fn bind<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (_, id): OpenSocket,
    bytes: &[u8],
) -> Answer {
    let (port, groups) = parts(bytes)?;
    netlink::bind(call.node_mut(), id, port, groups)?;
    Ok(Reply::Value(0))
}

/// Only the kernel can be talked to, which each socket is connected to anyhow.
pub(super) fn connect<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (_, id): OpenSocket,
    bytes: &[u8],
) -> Answer {
    if inet::family(bytes)? != linux::AF_UNSPEC {
        check_is_kernel(call, bytes)?;
        netlink::bind(call.node_mut(), id, 0, 0)?;
    }
    Ok(Reply::Value(0))
}

fn check_is_kernel<X: Guest>(call: &Call<'_, '_, X>, bytes: &[u8]) -> Result<(), CallHalt> {
    match parts(bytes)? {
        (0, 0) => Ok(()),
        _ => Err(call.unsupported("netlink messages between processes")),
    }
}

pub(super) fn send<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (_, id): OpenSocket,
    request: &SendRequest<'_>,
) -> Answer {
    if let Some(to) = request.to {
        check_is_kernel(call, to)?;
    }
    let ByteData::Known(bytes) = request.data else {
        return Err(call.unsupported("a netlink request with symbolic bytes"));
    };
    let node = call.node_mut();
    netlink::bind(node, id, 0, 0)?;
    netlink::ask(node, id, bytes).map_err(|what| call.unsupported(what))?;
    call.node_mut().changed();
    Ok(Reply::Value(bytes.len() as u64))
}

pub(super) fn receive<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    let Some(answer) = netlink::next(call.node_mut(), open.1, true) else {
        return Ok(TransferProgress::Wait(wait_for(call, open, POLLIN, flags)?));
    };
    let len = answer.len() as u64;
    let shown = len.min(buffers.total());
    buffers.writable(call, shown)?;
    if flags & linux::MSG_PEEK == 0 {
        netlink::next(call.node_mut(), open.1, false);
    }
    scatter(call, buffers, &ByteData::Known(answer[..shown as usize].into()))?;
    Ok(TransferProgress::Done(ReceivedMessage {
        count: if flags & linux::MSG_TRUNC != 0 { len } else { shown },
        name: netlink::name_bytes(0, 0),
        flags: if shown < len { linux::MSG_TRUNC } else { 0 },
        ..ReceivedMessage::default()
    }))
}
