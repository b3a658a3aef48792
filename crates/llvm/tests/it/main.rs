//! Tests of the loader against LLVM itself, clang and an independent reader.

// Everything here is test code, helpers too.
#![allow(clippy::unwrap_used)]

mod archives;
mod clang;
mod corpus;
mod crosscheck;
mod errors;
mod image;
mod linking;
mod mutation;
mod snapshot;
mod structs;
