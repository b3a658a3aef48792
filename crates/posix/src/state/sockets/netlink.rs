//! The part of a socket that only netlink has: [`Netlink`].
//!
//! Not here: what the kernel answers (`net/netlink.rs`).

use std::collections::VecDeque;
use std::sync::Arc;

use crate::state::known_bytes::KnownBytes;

/// The part of a socket that only netlink has.
#[derive(Clone, Debug, Default)]
pub(crate) struct Netlink {
    /// Its number among the netlink sockets of the node; 0 while it has none.
    pub(crate) port: u32,
    /// The groups whose news it wants. There are none, as interfaces stay as they are.
    pub(crate) groups: u32,
    /// Answers of the kernel that were not received, oldest first.
    pub(crate) answers: Arc<VecDeque<KnownBytes>>,
}

everett_base::portable!(struct Netlink { port, groups, answers });
