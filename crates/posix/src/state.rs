//! The state of a node: data, and what can be said of it without the rest of the kernel.
//!
//! [`node`] has the node itself, in parts by what a crash leaves of them; the other files have its parts,
//! one kind of thing each. Whatever calls, schedules or fails is above and works on these types.

pub(crate) mod data;
pub(crate) mod descriptor;
pub(crate) mod epoll;
pub(crate) mod eventfd;
pub(crate) mod file;
pub(crate) mod ids;
pub(crate) mod limits;
pub(crate) mod locks;
pub(crate) mod mappings;
pub(crate) mod node;
pub(crate) mod pipes;
pub(crate) mod process;
pub(crate) mod settings;
pub(crate) mod signals;
pub(crate) mod specials;
pub(crate) mod standstill;
pub(crate) mod status;
pub(crate) mod switches;
pub(crate) mod timerfd;
pub(crate) mod timers;
pub(crate) mod wait;
