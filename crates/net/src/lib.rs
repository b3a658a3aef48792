//! What travels between simulated hosts, and the networks that carry it.
//!
//! An [`Event`] is a message of one host to another: a datagram, a piece of a stream, a request for a
//! connection, its answer, its end. Its payload is generic in the byte type, so that symbolic bytes
//! travel as they are.
//!
//! Not here: sockets (`everett-posix`); which states get an event (`everett-world`).
#![forbid(unsafe_code)]

mod event;

pub use event::{Event, EventKind, Protocol};
