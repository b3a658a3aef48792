//! Sockets: the calls about them, one file a group.
//!
//! A handler finds the socket ([`socket_arg`]), settles and checks what it is given, and leaves what
//! happens then to the family in `crate::net`.

mod address;
pub(super) mod connect;
mod control;
pub(super) mod create;
pub(super) mod message;
pub(super) mod name;
pub(super) mod option;
pub(super) mod receive;
pub(super) mod send;
mod unix;

pub(crate) use self::control::control;
use everett_interp::Reg;
use linux_raw_sys::general as linux;
use linux_raw_sys::net as sockets;
use syscalls::Errno;

use super::io::{Buffers, TransferProgress};
use super::poll;
use crate::call::Call;
use crate::kernel::Guest;
use crate::net::socket_of;
use crate::net::unix::{AncillaryData, drop_attached};
use crate::reply::{Answer, CallHalt, Reply};
use crate::signal;
use crate::state::data::ByteData;
use crate::state::ids::{FileId, SocketId, Time};
use crate::state::signals::SignalInfo;
use crate::state::wait::Wait;

/// An open socket: its file and itself.
pub(crate) type OpenSocket = (FileId, SocketId);

/// The socket of the descriptor in argument `index`.
fn socket_arg<X: Guest>(call: &mut Call<'_, '_, X>, index: usize) -> Result<OpenSocket, CallHalt> {
    let file = call.file_arg(index)?;
    let open = call.node().file(file);
    if open.is_path() {
        return Err(Errno::EBADF.into());
    }
    let socket = socket_of(open).ok_or(Errno::ENOTSOCK)?;
    Ok((file, socket))
}

/// Returns true if a call does not wait.
fn does_not_wait<X: Guest>(call: &Call<'_, '_, X>, file: FileId, flags: u32) -> bool {
    flags & sockets::MSG_DONTWAIT != 0 || call.node().file(file).nonblocking()
}

/// Waits until a socket is ready, as long as its timeout allows; `EAGAIN` when that is over, or when
/// the call does not wait.
fn wait_for<X: Guest>(
    call: &mut Call<'_, '_, X>,
    (file, id): OpenSocket,
    events: u32,
    flags: u32,
) -> Result<Wait, Errno> {
    if does_not_wait(call, file, flags) || call.timed_out() {
        return Err(Errno::EAGAIN);
    }
    let options = &call.node().net.get(id).options;
    let timeout: Option<Time> =
        if events & linux::POLLIN != 0 { options.receive_timeout } else { options.send_timeout };
    let deadline = call.deadline(timeout);
    Ok(poll::wait_for(file, events).by(deadline))
}

/// Nobody will ever get what is sent: a signal, unless the program does not want it, and an error.
fn broken<X: Guest>(call: &mut Call<'_, '_, X>, flags: u32) -> Errno {
    if flags & sockets::MSG_NOSIGNAL == 0 {
        let node = call.node_mut();
        let (pid, tid) = node.volatile.running;
        let uid = node.process().ids.real_uid;
        let info =
            SignalInfo { signal: linux::SIGPIPE, code: 0, pid: pid.0, uid, value: Reg::word(0) };
        // The running thread is there to get it.
        let _ = signal::send(node, pid, Some(tid), info);
    }
    Errno::EPIPE
}

/// `read` from a socket; see `sys/io.rs`.
pub(crate) fn read<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    buffers: &Buffers,
) -> Answer {
    match receive::receive(call, open, buffers, 0)? {
        TransferProgress::Done(received) => {
            drop_attached(call.node_mut(), &received.attached);
            Ok(Reply::Value(received.count))
        }
        TransferProgress::Wait(wait) => Ok(Reply::Wait(wait)),
    }
}

/// `write` to a socket; see `sys/io.rs`.
pub(crate) fn write<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    data: &ByteData,
) -> Answer {
    let attached = AncillaryData::default();
    send::send(call, open, send::SendRequest { data, to: None, flags: 0, attached })
}
