//! Processes and threads: their beginning and end, numbers, limits, signals, and waits for each other.

pub(crate) mod exec;
pub(crate) mod futex;
pub(crate) mod identity;
pub(crate) mod libraries;
pub(crate) mod limits;
pub(crate) mod process;
mod running;
pub(crate) mod signal;
