//! The state of a node: data, and what can be said of it without the rest of the kernel.
//!
//! [`node`] has the node itself, in parts by what a crash leaves of them; the other files have its parts:
//! open files, processes, sockets, faults, and what is recorded. Whatever calls, schedules or fails is above
//! and works on these types.

pub(crate) mod asked_locks;
pub(crate) mod data;
pub(crate) mod faults;
pub(crate) mod file;
pub(crate) mod ids;
pub(crate) mod ipc;
pub(crate) mod known_bytes;
pub(crate) mod node;
pub(crate) mod order_mark;
pub(crate) mod pending;
pub(crate) mod process;
pub(crate) mod races;
pub(crate) mod recording;
pub(crate) mod sockets;
pub(crate) mod standstill;
pub(crate) mod switches;
pub(crate) mod thread_event;
pub(crate) mod wait;
