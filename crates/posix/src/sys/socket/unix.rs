//! UNIX sockets: what the calls do with them.

use linux_raw_sys::general::{POLLIN, POLLOUT};
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::receive::Received;
use super::{Open, broken, wait_for};
use crate::call::Call;
use crate::kernel::Guest;
use crate::net::unix::{self, Attached, Message};
use crate::reply::{Answer, Halt, Reply};
use crate::sys::io::{self, Buffers, Data, Progress};

/// The name of a socket without one.
pub(super) fn unnamed() -> Vec<u8> {
    (linux::AF_UNIX as u16).to_le_bytes().to_vec()
}

/// Sends bytes to the socket at the other end.
pub(super) fn send<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: Open,
    data: &Data,
    to: Option<&[u8]>,
    flags: u32,
    attached: Attached,
) -> Answer {
    let id = open.1;
    if flags & linux::MSG_OOB != 0 {
        return Err(call.unsupported("urgent data (MSG_OOB)"));
    }
    if to.is_some() {
        return Err(call.unsupported("names of UNIX sockets"));
    }
    let node = call.node_mut();
    let done = node.thread().done as usize;
    node.net.get_mut(id).take_error()?;
    let Some(peer) = unix::peer(node, id) else {
        let kind = node.net.get(id).kind;
        return match kind {
            _ if node.net.get(id).shut_out => Err(broken(call, flags).into()),
            linux::SOCK_DGRAM => Err(Errno::ENOTCONN.into()),
            _ => Err(Errno::ENOTCONN.into()),
        };
    };
    if node.net.get(id).shut_out || node.net.get(peer).shut_in {
        return if done > 0 {
            Ok(Reply::Value(done as u64))
        } else {
            Err(broken(call, flags).into())
        };
    }
    let left = data.len() - done;
    let whole = unix::keeps_borders(node.net.get(id));
    if whole && left > node.net.get(id).options.send_buffer as usize {
        return Err(Errno::EMSGSIZE.into());
    }
    let room = unix::room(node, id, peer);
    let count = if whole && room < left { 0 } else { left.min(room) };
    if count > 0 || whole && left == 0 {
        let data = data.part(done, done + count);
        unix::put(node, peer, Message { data, attached });
        node.changed();
    }
    if count == left {
        return Ok(Reply::Value(data.len() as u64));
    }
    let done = done + count;
    match wait_for(call, open, POLLOUT, flags) {
        Ok(wait) => {
            call.node_mut().thread_mut().done = done as u64;
            Ok(Reply::Wait(wait))
        }
        Err(_) if done > 0 => Ok(Reply::Value(done as u64)),
        Err(errno) => Err(errno.into()),
    }
}

/// Receives bytes into buffers.
pub(super) fn receive<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: Open,
    buffers: &Buffers,
    flags: u32,
) -> Result<Progress<Received>, Halt> {
    let id = open.1;
    if flags & linux::MSG_OOB != 0 {
        return Err(Errno::EOPNOTSUPP.into());
    }
    let whole = unix::keeps_borders(call.node().net.get(id));
    let peek = flags & linux::MSG_PEEK != 0;
    let mut done = call.node().thread().done;
    let mut received = Received { name: unnamed(), ..Received::default() };
    while let Some(next) = unix::next(call.node(), id) {
        let buffers = buffers.after(done);
        let len = next.data.len() as u64;
        let count = buffers.writable(call, len.min(buffers.total()))?;
        io::scatter(call, &buffers, &next.data.part(0, count as usize))?;
        if !peek {
            unix::consume(call.node_mut(), id, count as usize, whole);
            call.node_mut().changed();
        }
        done += count;
        received.attached = next.attached;
        if whole && count < len {
            received.flags = linux::MSG_TRUNC;
        }
        received.count = if flags & linux::MSG_TRUNC != 0 && whole { len } else { done };
        let full = buffers.total() == count;
        if whole || peek || full || !received.attached.rights.is_empty() {
            return Ok(Progress::Done(received));
        }
    }
    let finished = |count| Ok(Progress::Done(Received { count, ..received.clone() }));
    let all = flags & linux::MSG_WAITALL != 0;
    if done > 0 && !all {
        return finished(done);
    }
    let socket = call.node_mut().net.get_mut(id);
    if done == 0 {
        socket.take_error()?;
    }
    if socket.shut_in {
        return finished(done);
    }
    if unix::unix(socket).peer.is_none() && socket.kind != linux::SOCK_DGRAM {
        return Err(Errno::ENOTCONN.into());
    }
    match wait_for(call, open, POLLIN, flags) {
        Ok(wait) => {
            call.node_mut().thread_mut().done = done;
            Ok(Progress::Wait(wait))
        }
        Err(_) if done > 0 => finished(done),
        Err(errno) => Err(errno.into()),
    }
}
