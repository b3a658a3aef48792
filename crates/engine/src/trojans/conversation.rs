//! What nodes have said to each other: [`Conversation`], and [`Moment`]s of it.

use std::hash::{BuildHasher, Hash, Hasher};

use everett_base::hash::{FixedState, hash_one};
use everett_expr::{Pool, Support, TermId};
use everett_memory::ByteValue;
use everett_net::{Message, MessageKind, Protocol};
use everett_posix::{FaultKind, Payload, SharedMessage};
use everett_world::{Arrival, NodeId};

use crate::state::conditions::TravellingConditions;
use crate::state::node_state::{DueActivation, MessageRecord, PathState};
use crate::state::setup::NodeSetup;

/// A moment in the conversation of a sender with a receiver, as the sender knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Moment {
    pub(crate) from: NodeId,
    /// The receiver; none, if messages are those that programs name with `everett_message`.
    pub(crate) to: Option<NodeId>,
    /// Names the messages that it has sent to the receiver before.
    pub(crate) sent: u64,
    /// Names those that it has got from the receiver before.
    pub(crate) received: u64,
}

everett_base::portable!(struct Moment { from, to, sent, received });

/// The messages that a state has exchanged with another node, oldest first, by their contents.
#[derive(Default)]
pub(crate) struct Conversation {
    pub(crate) sent: Vec<u64>,
    pub(crate) received: Vec<u64>,
    /// Symbolic bytes of all of them.
    pub(crate) bytes: Support,
}

impl Conversation {
    pub(crate) fn of(pool: &Pool, st: &PathState, peer: NodeId) -> Conversation {
        let mut conversation = Conversation::default();
        let records = st.extra.links().history.iter().filter(|record| record.peer == peer);
        for MessageRecord { sent, message, .. } in records.filter(|record| is_data(&record.message))
        {
            let list = if *sent { &mut conversation.sent } else { &mut conversation.received };
            list.push(content(pool, &message.payload));
            conversation.know(pool, &message.payload);
        }
        // The history has the newest first.
        conversation.sent.reverse();
        conversation.received.reverse();
        conversation
    }

    /// The messages that a state has named with `everett_message`, as those that it has sent.
    pub(crate) fn framed(pool: &Pool, st: &PathState) -> Conversation {
        let mut conversation = Conversation::default();
        for payload in st.extra.links().framed.iter() {
            conversation.sent.push(content(pool, payload));
            conversation.know(pool, payload);
        }
        conversation.sent.reverse();
        conversation
    }

    /// Both nodes know the bytes of a message.
    pub(crate) fn know(&mut self, pool: &Pool, payload: &Payload) {
        for term in payload.terms() {
            self.bytes = self.bytes.union(pool.support(term));
        }
    }
}

/// Names a sequence of messages.
pub(crate) fn name_of(messages: &[u64]) -> u64 {
    hash_one(&messages.to_vec())
}

/// Returns `true` if a message has bytes for a program.
pub(crate) fn is_data(message: &Message<Payload>) -> bool {
    !matches!(message.protocol, Protocol::Plain | Protocol::Icmp)
        && message.kind.meets(MessageKind::DATA)
        && (message.protocol == Protocol::Udp || !message.payload.is_empty())
}

/// Names the bytes of a message, in the same way in every run.
pub(crate) fn content(pool: &Pool, payload: &Payload) -> u64 {
    let mut hasher = FixedState.build_hasher();
    for byte in payload.values() {
        match byte {
            ByteValue::Concrete(byte) => (0u8, u64::from(byte)).hash(&mut hasher),
            ByteValue::Symbolic(term) => (1u8, pool.structural_hash(term)).hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// The ways between nodes on which messages are replaced.
#[derive(Clone, Debug)]
pub(crate) struct TrojanWays {
    /// For each receiver, its senders.
    senders: Vec<Vec<NodeId>>,
    /// Other things than Trojan messages may happen.
    pub(crate) has_other_faults: bool,
}

impl TrojanWays {
    pub(crate) fn new(nodes: &[NodeSetup]) -> TrojanWays {
        let all = (0..nodes.len()).map(NodeId::from_index);
        let senders = |to: NodeId| {
            let faults = &nodes[to.index()].config.kernel.faults;
            let is_named = |names: &[String], node: NodeId| {
                names.is_empty() || names.iter().any(|name| name == nodes[node.index()].name())
            };
            let is_receiver = faults.budgets.get(FaultKind::Trojan) > 0
                && is_named(&faults.network.trojan_to, to);
            let is_sender =
                |from: &NodeId| *from != to && is_named(&faults.network.trojan_from, *from);
            all.clone().filter(|from| is_receiver && is_sender(from)).collect()
        };
        let has_others = |setup: &NodeSetup| {
            let mut others = setup.config.kernel.faults.budgets;
            others.set(FaultKind::Trojan, 0);
            !others.is_empty()
        };
        TrojanWays {
            senders: all.clone().map(senders).collect(),
            has_other_faults: nodes.iter().any(has_others),
        }
    }

    /// The nodes whose messages to a node are replaced.
    pub(crate) fn senders_to(&self, to: NodeId) -> &[NodeId] {
        self.senders.get(to.index()).map_or(&[], Vec::as_slice)
    }

    /// Returns `true` if messages from one node to another are replaced.
    pub(crate) fn has(&self, from: NodeId, to: NodeId) -> bool {
        self.senders_to(to).contains(&from)
    }

    /// Returns `true` if messages of a node to some other one are replaced.
    pub(crate) fn is_sender(&self, from: NodeId) -> bool {
        self.senders.iter().any(|senders| senders.contains(&from))
    }
}

/// Messages that have just come to a state, with those before them.
pub(crate) struct ArrivingMessages<'s> {
    pub(crate) ways: &'s TrojanWays,
    pub(crate) pool: &'s Pool,
    pub(crate) st: &'s PathState,
    pub(crate) due: &'s DueActivation,
}

impl ArrivingMessages<'_> {
    /// The messages among them that may be replaced, each with its number among all that the node got.
    pub(crate) fn replaceable(&self) -> Vec<(u32, &Arrival<SharedMessage>)> {
        let ArrivingMessages { ways, st, due, .. } = *self;
        let to = st.extra.of;
        let counts = |from: NodeId, message: &SharedMessage| is_data(message) && ways.has(from, to);
        let history = st.extra.links().history.iter();
        let before = history.filter(|record| !record.sent && counts(record.peer, &record.message));
        let arrivals = due.arrivals.iter();
        let arrivals = arrivals.filter(|arrival| counts(arrival.from, &arrival.message));
        (before.count() as u32 + 1..).zip(arrivals).collect()
    }

    /// Names the state, together with the length of a message if only others of that length come
    /// instead of it.
    pub(crate) fn receiver(&self, message: &Message<Payload>) -> u64 {
        let ArrivingMessages { pool, st, due, .. } = self;
        let constraints: Vec<TermId> = st.path.constraints().collect();
        let mut history = Vec::new();
        for record in st.extra.links().history.iter() {
            history.push((
                record.at,
                record.peer,
                record.sent,
                content(pool, &record.message.payload),
            ));
        }
        let length = (message.protocol == Protocol::Tcp).then_some(message.payload.len());
        hash_one(&(st.extra.of, st.instructions, st.depth, constraints, history, due.at, length))
    }

    /// Names all that has come, in the same way in every run.
    pub(crate) fn contents(&self, conditions: &TravellingConditions) -> u64 {
        let mut hasher = FixedState.build_hasher();
        for arrival in &self.due.arrivals {
            (arrival.from, arrival.at, content(self.pool, &arrival.message.payload))
                .hash(&mut hasher);
            for term in conditions.get(arrival.carried) {
                self.pool.structural_hash(*term).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

/// Names a state that has got a message which it names with `everett_message`, without what it knows about
/// the message itself: states that differ in that become the same if it is replaced.
pub(crate) fn framed_receiver(pool: &Pool, st: &PathState, message: &Payload) -> u64 {
    let mut own = Conversation::default();
    own.know(pool, message);
    let is_about_others = |term: &TermId| !pool.support(*term).intersects(&own.bytes);
    let constraints: Vec<TermId> = st.path.constraints().filter(is_about_others).collect();
    let before = Conversation::framed(pool, st).sent;
    let at = st.extra.activated();
    hash_one(&(st.extra.of, st.instructions, constraints, before, at, message.len()))
}
