//! Sockets: the calls about them, one file a group.
//!
//! A handler finds the socket ([`socket_arg`]), settles and checks what it is given, and leaves what
//! happens then to the family in `crate::net`.

mod address;
pub(super) mod connect;
mod control;
pub(super) mod create;
mod forward;
pub(super) mod message;
pub(super) mod name;
mod netlink;
pub(super) mod option;
pub(super) mod receive;
pub(super) mod send;
mod unix;

pub(crate) use self::control::control;
use everett_interp::Reg;
use linux_raw_sys::general as linux;
use linux_raw_sys::net as sockets;
use syscalls::Errno;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::net::datagram::PacketOrigin;
use crate::signal;
use crate::state::data::ByteData;
use crate::state::ids::{FileId, SocketId, Time};
use crate::state::process::signals::SignalInfo;
use crate::state::sockets::datagram::ReceivedDatagram;
use crate::state::sockets::socket_of;
use crate::state::sockets::unix::AncillaryData;
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
    Ok(Wait::file(file, events).by(deadline))
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

/// A message that was received; the bytes are in the program's buffers already.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReceivedMessage {
    /// The value that the call returns.
    pub(crate) count: u64,
    /// The address of the sender, as the program sees it.
    pub(crate) name: Vec<u8>,
    /// `MSG_TRUNC` and so on.
    pub(crate) flags: u32,
    /// Of a datagram of UDP: how it came.
    pub(crate) datagram: Option<ReceivedDatagram>,
    /// Of a UNIX socket: what came along.
    pub(crate) attached: AncillaryData,
}

/// Bytes that a program sends through a socket.
pub(crate) struct SendRequest<'d> {
    pub(crate) data: &'d ByteData,
    /// The address, if one is given.
    pub(crate) to: Option<&'d [u8]>,
    /// Flags of `sendto`.
    pub(crate) flags: u32,
    /// The rest of the message, which counts only for UNIX sockets.
    pub(crate) attached: AncillaryData,
    /// The origin that the message gives, which counts only for datagrams.
    pub(crate) origin: PacketOrigin,
}
