//! UNIX sockets whose connections lead to a TCP port of another node (`--forward`).
//!
//! To its program, such a socket is one of `AF_UNIX`. Below, its connection is one of TCP, which takes the
//! way that all messages take: so it is refused, ended and broken off as the other node does it, and has
//! orders, latencies and faults. Before it is connected, and after that has failed, it is any UNIX socket.
//!
//! Not here: the making of the files (`boot/tree.rs`).

use std::net::SocketAddr;
use std::sync::Arc;

use linux_raw_sys::general::POLLOUT;
use linux_raw_sys::net as linux;
use syscalls::Errno;

use super::OpenSocket;
use super::unix::path_inode;
use crate::boot::tree;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::net::{tcp, unix};
use crate::state::file::specials::SpecialInode;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::tcp::{ConnectAnswer, Tcp, TcpPhase};
use crate::state::sockets::unix::{LocalNames, Unix, path_bytes, unnamed_bytes};
use crate::state::sockets::{NOWHERE, SocketFamily};
use crate::state::wait::Wait;

/// The address to which connections to a socket with this address lead, if they lead to another node.
pub(super) fn target<X: Guest>(
    call: &mut Call<'_, '_, X>,
    bytes: &[u8],
) -> Result<Option<SocketAddr>, CallHalt> {
    let Some(inode) = path_inode(call, bytes)? else { return Ok(None) };
    match tree::special(call.node(), inode) {
        Some(SpecialInode::Forward(to)) => Ok(Some(to)),
        _ => Ok(None),
    }
}

/// Begins to connect a socket to another node.
pub(super) fn connect<X: Guest>(
    call: &mut Call<'_, '_, X>,
    open: OpenSocket,
    bytes: &[u8],
    to: SocketAddr,
) -> Answer {
    let id = open.1;
    let socket = call.node().net.get(id);
    let own = unix::unix(socket);
    if socket.kind != linux::SOCK_STREAM {
        return Err(Errno::EPROTOTYPE.into());
    }
    if own.is_listening() {
        return Err(Errno::EINVAL.into());
    }
    if own.peer.is_some() {
        return Err(Errno::EISCONN.into());
    }
    let is_remote = call.node().path.faults.are_used() && tcp::is_remote(call.node(), to);
    let error = if is_remote { call.refuse_connection(to)? } else { None };
    let node = call.node_mut();
    unix::forget_name(node, id);
    node.net.get_mut(id).family = SocketFamily::Tcp(Tcp::default());
    let path = bytes[2..].split(|byte| *byte == 0).next().unwrap_or_default().to_vec();
    if tcp::connect(node, id, to, error).is_err() {
        become_local(node, id);
        return Err(Errno::ECONNREFUSED.into());
    }
    let names = LocalNames { own: unnamed_bytes(), other: path_bytes(&path) };
    tcp::tcp_mut(node, id).local_names = Some(Arc::new(names));
    node.changed();
    outcome(call, open)
}

/// Goes on with a call of `connect` on a socket that leads to another node.
pub(super) fn go_on<X: Guest>(call: &mut Call<'_, '_, X>, open: OpenSocket) -> Answer {
    if tcp::tcp(call.node().net.get(open.1)).told == ConnectAnswer::Connected {
        return Err(Errno::EISCONN.into());
    }
    call.look(&[(open.0, POLLOUT as u16)], true)?;
    outcome(call, open)
}

/// The answer to a call of `connect`. It waits in any case: a UNIX socket is connected at once or not at all.
fn outcome<X: Guest>(call: &mut Call<'_, '_, X>, (file, id): OpenSocket) -> Answer {
    let has_timed_out = call.timed_out();
    let node = call.node_mut();
    tcp::expire(node, id);
    match tcp::tcp(node.net.get(id)).phase {
        TcpPhase::Connecting if has_timed_out => {
            become_local(node, id);
            Err(Errno::EAGAIN.into())
        }
        TcpPhase::Connecting => {
            let timeout = node.net.get(id).options.send_timeout;
            Ok(Reply::Wait(Wait::file(file, POLLOUT).by(call.deadline(timeout))))
        }
        TcpPhase::Established => {
            tcp::tcp_mut(node, id).told = ConnectAnswer::Connected;
            Ok(Reply::Value(0))
        }
        TcpPhase::Idle | TcpPhase::Listening | TcpPhase::Opening | TcpPhase::Over => {
            become_local(node, id);
            Err(Errno::ECONNREFUSED.into())
        }
    }
}

/// Makes a socket as it was before it was connected.
fn become_local(node: &mut Node, id: SocketId) {
    tcp::disconnect(node, id);
    let socket = node.net.get_mut(id);
    socket.family = SocketFamily::Unix(Unix::default());
    (socket.local, socket.remote, socket.error) = (NOWHERE, None, None);
    node.changed();
}
