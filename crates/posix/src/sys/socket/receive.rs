//! Receiving: `recvfrom`, and what `read` and `recvmsg` do.

use linux_raw_sys::general::POLLIN;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::address::{self, AddressPlace};
use super::{OpenSocket, ReceivedMessage, does_not_wait, netlink, socket_arg, unix, wait_for};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::inet;
use crate::net::unix::drop_attached;
use crate::net::{datagram, tcp};
use crate::state::data::ByteData;
use crate::state::sockets::SocketFamily;
use crate::state::sockets::datagram::ReceivedDatagram;
use crate::state::sockets::tcp::TcpPhase;
use crate::state::wait::WaitEvent;
use crate::sys::io::{Buffers, TransferProgress, replace, scatter};

/// Flags that make a difference.
const HANDLED: u32 = linux::MSG_DONTWAIT
    | linux::MSG_PEEK
    | linux::MSG_WAITALL
    | linux::MSG_TRUNC
    | linux::MSG_OOB
    | linux::MSG_ERRQUEUE
    | linux::MSG_CMSG_CLOEXEC;
/// Flags that make none when something is received.
const SILENT: u32 = linux::MSG_NOSIGNAL | linux::MSG_CTRUNC | linux::MSG_MORE | linux::MSG_EOR;

pub(crate) fn recvfrom<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    let open = socket_arg(call, 0)?;
    let (flags, address, len_address) = (call.arg32(3)?, call.arg(4)?, call.arg(5)?);
    let buffers = match flags & linux::MSG_WAITALL {
        0 => Buffers::to_receive(call, open.0, 1, 2)?,
        _ => Buffers::of_socket(call, 1, 2)?,
    };
    let most = address::most_bytes(call.node().net.get(open.1));
    let place = AddressPlace::find(call, address, len_address, most)?;
    let received = match receive(call, open, &buffers, flags)? {
        TransferProgress::Done(received) => received,
        TransferProgress::Wait(wait) => return Ok(Reply::Wait(wait)),
    };
    drop_attached(call.node_mut(), &received.attached);
    if let Some(place) = place {
        place.write(call, &received.name)?;
    }
    Ok(Reply::Value(received.count))
}

/// Receives bytes into buffers.
pub(super) fn receive<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    call.reject_flags((flags & !(HANDLED | SILENT)).into())?;
    let progress = receive_known(call, open, buffers, flags)?;
    if let TransferProgress::Done(received) = &progress
        && call.node().file(open.0).is_symbolic()
    {
        replace(call, buffers, received.count.min(buffers.total()))?;
    }
    Ok(progress)
}

/// Receives what is there.
fn receive_known<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    match call.node().net.get(open.1).family {
        // Errors are told by the calls themselves; the queue of details is always empty.
        SocketFamily::Tcp(_) | SocketFamily::Udp(_) | SocketFamily::Icmp(_)
            if flags & linux::MSG_ERRQUEUE != 0 =>
        {
            Err(Errno::EAGAIN.into())
        }
        SocketFamily::Tcp(_) => receive_tcp(call, open, buffers, flags),
        SocketFamily::Udp(_) | SocketFamily::Icmp(_) => receive_udp(call, open, buffers, flags),
        SocketFamily::Unix(_) => unix::receive(call, open, buffers, flags),
        SocketFamily::Netlink(_) => netlink::receive(call, open, buffers, flags),
    }
}

fn receive_udp<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    let (file, id) = open;
    let may_wait = !does_not_wait(call, file, flags);
    call.look(&[(file, POLLIN as u16)], may_wait)?;
    datagram::take_error(call.node_mut(), id)?;
    let Some(next) = datagram::next(call.node_mut(), id, true) else {
        if call.node().net.get(id).shut_in && !does_not_wait(call, file, flags) {
            return Ok(TransferProgress::Done(ReceivedMessage::default()));
        }
        return Ok(TransferProgress::Wait(wait_for(call, open, POLLIN, flags)?));
    };
    let len = next.data.len() as u64;
    let shown = len.min(buffers.total());
    buffers.writable(call, shown)?;
    call.node_mut().note_datagram(&next);
    if flags & linux::MSG_PEEK == 0 {
        datagram::next(call.node_mut(), id, false);
    }
    let part = if shown < len { next.data.part(0, shown as usize) } else { next.data.clone() };
    scatter(call, buffers, &part)?;
    let net = &call.node().net;
    Ok(TransferProgress::Done(ReceivedMessage {
        count: if flags & linux::MSG_TRUNC != 0 { len } else { shown },
        name: inet::inet_bytes(net, net.get(id).domain, next.source),
        flags: if shown < len { linux::MSG_TRUNC } else { 0 },
        datagram: Some(ReceivedDatagram { data: ByteData::default(), ..next }),
        ..ReceivedMessage::default()
    }))
}

/// Takes bytes of a stream. With a part of them in the buffers, the call may wait for the rest; what
/// is there already is in the thread's `done`.
fn receive_tcp<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    let id = open.1;
    let may_wait = !does_not_wait(call, open.0, flags);
    call.note_asked_bytes(buffers.total() - call.node().thread().done);
    call.look(&[(open.0, POLLIN as u16)], may_wait)?;
    if tcp::readable(call.node(), id) > 0 {
        let want = buffers.total().saturating_sub(tcp::readable(call.node(), id) as u64);
        call.look_along(id, want, flags & linux::MSG_WAITALL != 0)?;
    }
    let node = call.node_mut();
    tcp::expire(node, id);
    let socket = node.net.get(id);
    let state = tcp::tcp(socket);
    if state.is_listening() {
        return Err(Errno::ENOTCONN.into());
    }
    if flags & linux::MSG_OOB != 0 {
        // There is never any urgent data.
        return Err(Errno::EINVAL.into());
    }
    let done = node.thread().done;
    let want = buffers.total() - done;
    let least = socket.options.number(linux::SOL_SOCKET, linux::SO_RCVLOWAT).max(1) as u64;
    let all = flags & linux::MSG_WAITALL != 0;
    let least = if all { buffers.total().max(1) } else { least.min(buffers.total()).max(1) };
    let peek = flags & linux::MSG_PEEK != 0;
    let available = state.readable() as u64;
    if peek && available > 0 && (available >= least || is_over(call, id)) {
        return take(call, id, buffers, want.min(available), flags).map(TransferProgress::Done);
    }
    let mut done = done;
    if !peek && available > 0 {
        let mut count = want.min(available);
        if least == 1 && done == 0 {
            count = call.cut_read(id, count)?;
        }
        let taken = take(call, id, &buffers.after(done), count, flags)?;
        call.node_mut().changed();
        done += taken.count;
        if done >= least || done == buffers.total() {
            return Ok(TransferProgress::Done(ReceivedMessage { count: done, ..taken }));
        }
    }
    more(call, open, done, flags)
}

/// Returns true if nothing more will come.
fn is_over<X: Guest>(call: &Call<'_, '_, X>, id: crate::state::ids::SocketId) -> bool {
    let socket = call.node().net.get(id);
    socket.shut_in || socket.error.is_some() || tcp::tcp(socket).phase == TcpPhase::Over
}

/// Less has arrived than was asked for.
fn more<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    done: u64,
    flags: u32,
) -> Result<TransferProgress<ReceivedMessage>, CallHalt> {
    let id = open.1;
    let finished =
        |count| Ok(TransferProgress::Done(ReceivedMessage { count, ..ReceivedMessage::default() }));
    if done > 0 && is_over(call, id) {
        return finished(done);
    }
    let socket = call.node_mut().net.get_mut(id);
    let state = tcp::tcp(socket);
    if state.has_ended() {
        return finished(0);
    }
    let idle = state.phase == TcpPhase::Idle;
    socket.take_error()?;
    if socket.shut_in {
        return finished(0);
    }
    if idle {
        return Err(Errno::ENOTCONN.into());
    }
    let some = done > 0 || tcp::tcp(socket).readable() > 0;
    match wait_for(call, open, POLLIN, flags) {
        Ok(mut wait) => {
            let node = call.node_mut();
            node.thread_mut().done = done;
            let lowest = node.net.get(id).options.number(linux::SOL_SOCKET, linux::SO_RCVLOWAT);
            if lowest > 1 || some && flags & linux::MSG_PEEK != 0 {
                // Ready for reading is not what it waits for.
                wait.event = WaitEvent::More { file: open.0, since: node.path.changes };
            }
            Ok(TransferProgress::Wait(wait))
        }
        Err(_) if done > 0 => finished(done),
        Err(errno) => Err(errno.into()),
    }
}

/// Puts the first bytes of a stream into buffers.
fn take<X: Guest>(
    call: &mut Call<'_, '_, X>,
    id: crate::state::ids::SocketId,
    buffers: &Buffers,
    count: u64,
    flags: u32,
) -> Result<ReceivedMessage, CallHalt> {
    let peek = flags & linux::MSG_PEEK != 0;
    let drops = flags & linux::MSG_TRUNC != 0;
    let count = if drops { count } else { buffers.writable(call, count)? };
    let data = tcp::take(call.node_mut(), id, count as usize, peek);
    if !drops {
        scatter(call, buffers, &data)?;
    }
    Ok(ReceivedMessage { count, ..ReceivedMessage::default() })
}

/// `read` from a socket; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
) -> Answer {
    match receive(call, open, buffers, 0)? {
        TransferProgress::Done(received) => {
            drop_attached(call.node_mut(), &received.attached);
            Ok(Reply::Value(received.count))
        }
        TransferProgress::Wait(wait) => Ok(Reply::Wait(wait)),
    }
}
