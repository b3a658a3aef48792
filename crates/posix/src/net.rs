//! The protocols between the sockets of nodes.
//!
//! A node keeps its sockets in [`Net`]. What a family does with them is in `udp.rs`, `icmp.rs`, `tcp.rs` and
//! `unix.rs`; what UDP and ICMP have in common is in `datagram.rs`. As far as it applies, there are
//!
//! - `events(node, id) -> u32`: what the socket is ready for;
//! - `close(node, id)`: its file is gone;
//! - what the handlers in `sys/socket` call to bind, connect, send and receive.
//!
//! IPv4 sockets talk by [`Packet`]s, whether the other one is on this host or not: one to this
//! host is handed over at once, one to another host waits in the outbox for the embedder. UNIX sockets
//! never leave the host and need no packets. Events of programs (`plain.rs`) have no sockets at all.
//!
//! Not here: what a socket holds, and the ports of a host (`state/sockets.rs`); system calls, their
//! arguments and buffers (`sys/socket`); networks (`everett-net`).
//!
//! [`Net`]: crate::state::sockets::Net
//! [`Packet`]: crate::state::sockets::message::Packet

pub(crate) mod datagram;
mod family;
pub(crate) mod icmp;
pub(crate) mod inet;
pub(crate) mod interface;
pub(crate) mod netlink;
pub(crate) mod packet;
pub(crate) mod pending;
pub(crate) mod plain;
mod relay;
pub(crate) mod route;
pub(crate) mod tcp;
mod travel;
pub(crate) mod udp;
pub(crate) mod unix;

use linux_raw_sys::general as linux;

pub(crate) use self::family::{closed, edges, events, next_event, pending_error, readable_bytes};

#[cfg(test)]
mod tests;

/// Ready to be read from, as `poll` says it.
const READ: u32 = linux::POLLIN | linux::POLLRDNORM;
/// Ready to be written to.
const WRITE: u32 = linux::POLLOUT | linux::POLLWRNORM;
