//! Copy-on-write address space of one simulated process.

#![forbid(unsafe_code)]
