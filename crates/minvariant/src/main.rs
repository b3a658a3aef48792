//! The command line of `minvariant`.
#![forbid(unsafe_code)]
fn main() {}
