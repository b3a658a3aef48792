//! The numbers of connections and endpoints, and [`Position`], a place in a tree.

use std::fmt;

use everett_base::{define_id, portable};

define_id!(
    /// A connection or a datagram flow, numbered from zero in the order in which a conversation has begun
    /// them.
    pub struct ConnectionId, "c"
);

define_id!(
    /// A place at which a peer is reached, or at which it reaches us, such as a port. The peer numbers
    /// them.
    pub struct Endpoint, "e"
);

define_id!(
    /// A strand of a tree.
    pub(crate) struct StrandId, "s"
);

/// A place in a [`ConversationTree`](crate::ConversationTree): everything that was said until then, on all
/// connections to the peer, in its order.
///
/// A position is part of a state. It is a few numbers, so a clone costs nothing, and it stays valid as
/// long as the tree is there, also after the tree was saved and loaded. Two states that have said and
/// heard the same have the same position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub(crate) strand: StrandId,
    /// Where the record that was passed last begins, in the log of the strand.
    pub(crate) record: u64,
    /// The part of the record that was passed: bytes of a run that was sent, and otherwise 1. It is 0 only
    /// in front of everything.
    pub(crate) within: u32,
    /// The number of connections that were begun so far.
    pub(crate) connections: u32,
}

portable!(struct Position { strand, record, within, connections });

impl Position {
    /// The place at which nothing was said yet.
    pub const ROOT: Position =
        Position { strand: StrandId(0), record: 0, within: 0, connections: 0 };

    /// The connection that was begun last, by either side.
    pub fn newest_connection(self) -> Option<ConnectionId> {
        self.connections.checked_sub(1).map(ConnectionId)
    }

    /// The place within its strand.
    pub(crate) fn place(self) -> Place {
        Place { record: self.record, within: self.within }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { strand, record, within, connections: _ } = self;
        write!(f, "{strand}:{record}+{within}")
    }
}

/// A place in the log of one strand. The order of places is that of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) record: u64,
    pub(crate) within: u32,
}
