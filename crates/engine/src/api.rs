//! The room that embedders see: what they hand in, what they are told meanwhile, and what they get.
//!
//! Plain data and one trait, [`observer::Observer`]. Nothing here runs anything; the
//! [`Engine`](crate::Engine) itself stands above all rooms.

pub(crate) mod checkpoint;
pub(crate) mod config;
pub(crate) mod dropped;
pub(crate) mod error;
pub(crate) mod job;
pub(crate) mod live;
pub(crate) mod observer;
pub(crate) mod panics;
pub(crate) mod report;
pub(crate) mod sent_messages;
pub(crate) mod spill;
pub(crate) mod summary;
pub(crate) mod trojan;
pub(crate) mod words;
