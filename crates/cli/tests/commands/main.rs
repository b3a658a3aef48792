//! The program, run as its users run it: commands in a folder of their own, what they print, what they leave
//! behind, and how they end.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

mod cc;
mod changed;
mod checkpoints;
mod cluster;
mod conforms;
mod dlopen;
mod explore;
mod faults;
mod gates;
mod hostile;
mod init;
mod kinds;
mod native;
mod orders;
mod readme;
mod replay;
mod report;
mod run;
#[path = "../support/rust.rs"]
mod rust;
mod rust_system;
mod sandbox;
mod sanitizer;
mod strings;
mod unwritten;
mod words;
