//! UNIX sockets to which connections of other nodes lead (`--expose`).
//!
//! A port of the node stands for the path of a socket. A request for a connection to it is answered by the
//! socket that listens there at this moment, and refused if there is none. The connection is one of TCP
//! below, as that of a socket that leads to another node (`sys/socket/forward.rs`), and a UNIX socket to the
//! program that accepts it.
//!
//! Not here: the other connections of UNIX sockets (`net/unix.rs`).

use std::net::SocketAddr;

use everett_fs::{Credentials, FollowLinks, FsContext, InodeId};
use linux_raw_sys::net as linux;

use crate::net::unix;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::sockets::unix::UnixName;

/// The inode at a path, whoever may look there.
fn inode_at(node: &mut Node, path: &[u8]) -> Option<InodeId> {
    let everybody = Credentials::root();
    let fs = &mut node.disk.fs;
    let ctx = FsContext { umask: 0, now: 0, ..FsContext::new(fs.root(), &everybody) };
    fs.resolve(&ctx, path, FollowLinks::Yes).ok()
}

/// The UNIX socket that listens where a packet goes, if its port stands for one.
pub(super) fn listener(node: &mut Node, to: SocketAddr) -> Option<SocketId> {
    let exposed = node.net.exposed.clone();
    let inode = inode_at(node, exposed.get(&to.port())?)?;
    let id = unix::at_file(node, inode)?;
    let socket = node.net.get(id);
    let is_open = socket.is_listening() && !socket.shut_in;
    (is_open && socket.kind == linux::SOCK_STREAM).then_some(id)
}

/// Notes which ports stand for a UNIX socket that begins to listen.
pub(crate) fn note_ports(node: &mut Node, id: SocketId) {
    let exposed = node.net.exposed.clone();
    let Some(UnixName::Path { inode, .. }) = unix::unix(node.net.get(id)).name.as_deref() else {
        return;
    };
    let inode = *inode;
    let leads_here = |(_, path): &(&u16, &Vec<u8>)| inode_at(node, path) == Some(inode);
    let ports = exposed.iter().filter(leads_here).map(|(port, _)| *port).collect();
    unix::unix_mut(node, id).ports = ports;
}
