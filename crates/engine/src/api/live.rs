//! Peers of live nodes: nodes that are real, and run outside of the exploration.

pub(crate) mod protocol;

use std::sync::Arc;
use std::time::Duration;

use everett_live::{ConnectionId, ConversationTree, PeerEvent, TreeStatistics};

use self::protocol::EventKind;

/// The name of inputs that are answers of a peer.
pub const LIVE_INPUT: &str = "live";

/// The peer that a live node stands for.
#[derive(Clone, Debug)]
pub struct LivePeer {
    /// What was said to it and heard from it, on all paths.
    pub tree: Arc<ConversationTree>,
    /// The time that it has for an answer. It is real time, which passes while virtual time stands still.
    pub answer_limit: Duration,
    /// The number of values of a symbolic message that it is told, each on a path of its own.
    pub values_max: u32,
}

/// The conversations with the peer of one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveSummary {
    /// The name of the node.
    pub node: String,
    /// What was said and heard, and how often it was repeated.
    pub statistics: TreeStatistics,
    /// The first answers that were not the same when a conversation was repeated, in words.
    pub differences: Vec<String>,
}

/// Differences that a summary tells.
const SHOWN_DIFFERENCES: usize = 10;

impl LivePeer {
    /// The summary of its conversations so far.
    pub(crate) fn summary(&self, node: &str) -> LiveSummary {
        let differences = self.tree.differences();
        let shown = differences.iter().take(SHOWN_DIFFERENCES).map(ToString::to_string);
        LiveSummary {
            node: node.to_owned(),
            statistics: self.tree.statistics(),
            differences: shown.collect(),
        }
    }
}

/// Something that a peer does, as the gateway of its node sees it and as it stands in tests: a kind, a
/// connection, an endpoint, and bytes.
///
/// `newest` is the connection that was begun last.
pub(crate) fn event_bytes(event: &PeerEvent, newest: Option<ConnectionId>) -> Vec<u8> {
    let newest = newest.map_or(0, |newest| newest.0);
    let (kind, connection, endpoint) = match event {
        PeerEvent::Opened(connection) => (EventKind::Opened, connection.0, 0),
        PeerEvent::Refused(connection) => (EventKind::Refused, connection.0, 0),
        PeerEvent::Connected(endpoint) => (EventKind::Connected, newest, endpoint.0),
        PeerEvent::Bytes(connection, _) => (EventKind::Bytes, connection.0, 0),
        PeerEvent::Datagram(connection, _) => (EventKind::Datagram, connection.0, 0),
        PeerEvent::EndOfStream(connection) => (EventKind::EndOfStream, connection.0, 0),
        PeerEvent::Reset(connection) => (EventKind::Reset, connection.0, 0),
        PeerEvent::Gone => (EventKind::Gone, 0, 0),
        PeerEvent::Silence => (EventKind::Silence, 0, 0),
    };
    let mut bytes = Vec::with_capacity(12 + event.bytes().len());
    for number in [kind as u32, connection, endpoint] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(event.bytes());
    bytes
}
