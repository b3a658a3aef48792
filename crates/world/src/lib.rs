//! Worlds of a distributed system, generic in what a node is.
#![forbid(unsafe_code)]
