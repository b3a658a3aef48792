//! [`SenderCollector`]: the messages that senders send, with the conditions of their paths.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_base::hash::{Map, Set, hash_one};
use everett_expr::{Pool, TermId};
use everett_memory::ByteValue;
use everett_posix::{Guest, Payload, SharedMessage, TROJAN_INPUT};
use everett_trojan::{SenderOptions, SenderPath, SenderSet};
use everett_world::NodeId;

use super::conversation::{
    ArrivingMessages, Conversation, Moment, TrojanWays, content, framed_receiver, is_data, name_of,
};
use super::hunt::{CollectedPaths, ExploredSenders, TrojanHunt};
use crate::api::trojan::TrojanOptions;
use crate::state::conditions::TravellingConditions;
use crate::state::node_state::{DueActivation, MessageRecord, PathState};

/// The messages that are collected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WantedMessages {
    /// Those that may be replaced.
    Replaceable,
    /// All that a node sends, to whomever.
    Of(NodeId),
}

/// Collects what senders send.
pub(crate) struct SenderCollector {
    pub(super) options: TrojanOptions,
    pub(super) ways: TrojanWays,
    wanted: WantedMessages,
    collected: Mutex<CollectedMessages>,
}

#[derive(Default)]
struct CollectedMessages {
    paths: BTreeMap<Moment, Vec<SenderPath>>,
    /// The paths that are known, by their contents.
    known: Set<(Moment, u64)>,
    /// For each state of a receiver, which of the messages that it can get is replaced: one of them is
    /// enough, since the others become the same.
    chosen: Map<u64, u64>,
    /// The ends of nodes.
    ends: Set<(NodeId, u64)>,
}

impl SenderCollector {
    pub(crate) fn new(
        options: TrojanOptions,
        ways: TrojanWays,
        wanted: WantedMessages,
    ) -> SenderCollector {
        SenderCollector { options, ways, wanted, collected: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, CollectedMessages> {
        self.collected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the messages that a state sends. The newest `count` messages of its history are among them, and
    /// those in its outbox, which it has not come to send.
    pub(crate) fn collect(&self, pool: &Pool, st: &PathState, count: usize) {
        let from = st.extra.of;
        let newest: Vec<&MessageRecord> = st.extra.links().history.iter().take(count).collect();
        let newest = newest.iter().rev().map(|record| (record.peer, &record.message));
        let outbox = st.extra.node().sent_so_far();
        let outbox = outbox.iter().map(|(host, message)| (NodeId(host.0), message));
        let messages: Vec<(NodeId, &SharedMessage)> = newest.chain(outbox).collect();
        let is_wanted = |to: NodeId, message: &SharedMessage| {
            let is_sender = match self.wanted {
                WantedMessages::Replaceable => self.ways.has(from, to),
                WantedMessages::Of(node) => node == from,
            };
            is_sender && is_data(message)
        };
        let noted = messages.iter().filter(|(to, message)| is_wanted(*to, message));
        let mut noted: Vec<(NodeId, &SharedMessage)> = noted.copied().collect();
        let in_history = messages.len() - st.extra.node().sent_so_far().len();
        let skipped = |to: NodeId| {
            let newest = messages[..in_history].iter();
            newest.filter(|(peer, message)| *peer == to && is_data(message)).count()
        };
        if noted.is_empty() {
            return;
        }
        let mut conditions: Vec<TermId> = st.path.constraints().collect();
        conditions.reverse();
        let mut moments: BTreeMap<NodeId, (Conversation, usize)> = BTreeMap::new();
        for (to, message) in noted.drain(..) {
            let (conversation, before) = moments.entry(to).or_insert_with(|| {
                let conversation = Conversation::of(pool, st, to);
                let before = conversation.sent.len() - skipped(to);
                (conversation, before)
            });
            let moment = Moment {
                from,
                to: Some(to),
                sent: name_of(&conversation.sent[..*before]),
                received: name_of(&conversation.received),
            };
            if *before == conversation.sent.len() {
                conversation.sent.push(content(pool, &message.payload));
            }
            *before += 1;
            self.add(pool, moment, &conditions, &message.payload);
        }
    }

    /// Notes a message that a state names with `everett_message`.
    pub(crate) fn collect_framed(&self, pool: &Pool, st: &PathState, message: &Payload) {
        let from = st.extra.of;
        let is_wanted = match self.wanted {
            WantedMessages::Replaceable => self.ways.is_sender(from),
            WantedMessages::Of(node) => node == from,
        };
        if is_wanted {
            let sent = name_of(&Conversation::framed(pool, st).sent);
            let moment = Moment { from, to: None, sent, received: name_of(&[]) };
            let mut conditions: Vec<TermId> = st.path.constraints().collect();
            conditions.reverse();
            self.add(pool, moment, &conditions, message);
        }
        if !self.ways.senders_to(from).is_empty() {
            self.choose(framed_receiver(pool, st, message), content(pool, message));
        }
    }

    fn add(&self, pool: &Pool, moment: Moment, conditions: &[TermId], message: &Payload) {
        let bytes = message.values().map(|byte| match byte {
            ByteValue::Concrete(byte) => pool.constant(8, u64::from(byte)),
            ByteValue::Symbolic(term) => term,
        });
        let path = SenderPath { conditions: conditions.to_vec(), message: bytes.collect() };
        let name = path_name(pool, &path);
        let mut collected = self.lock();
        if collected.known.insert((moment, name)) {
            collected.paths.entry(moment).or_default().push(path);
        }
    }

    /// Notes the messages that have come to a state, of which one is to be replaced.
    pub(crate) fn note_arrivals(
        &self,
        pool: &Pool,
        conditions: &TravellingConditions,
        st: &PathState,
        due: &DueActivation,
    ) {
        let arriving = ArrivingMessages { ways: &self.ways, pool, st, due };
        for (_, arrival) in arriving.replaceable() {
            let receiver = arriving.receiver(&arrival.message);
            self.choose(receiver, arriving.contents(conditions));
        }
    }

    /// Of the messages that a state can get, the one with the least name is replaced.
    fn choose(&self, receiver: u64, contents: u64) {
        let mut collected = self.lock();
        let chosen = collected.chosen.entry(receiver).or_insert(contents);
        *chosen = contents.min(*chosen);
    }

    /// The number of paths so far.
    pub(super) fn path_count(&self) -> u64 {
        self.lock().known.len() as u64
    }

    /// Notes the end of a node.
    pub(crate) fn note_end(&self, node: NodeId, status: u64) {
        self.lock().ends.insert((node, status));
    }

    /// All that was collected, as the messages of one set of senders.
    pub(crate) fn senders(&self, pool: &Pool, is_explored_to_end: bool) -> SenderSet {
        let CollectedMessages { paths, .. } = std::mem::take(&mut *self.lock());
        let mut paths: Vec<SenderPath> = paths.into_values().flatten().collect();
        paths.sort_by_cached_key(|path| path_name(pool, path));
        let options =
            SenderOptions { masked: self.options.masked.clone(), ..SenderOptions::default() };
        let mut set = SenderSet::new(TROJAN_INPUT, options);
        for path in &paths {
            set.add(pool, path);
        }
        set.set_explored_to_end(is_explored_to_end);
        set
    }

    /// The search that compares messages with what was collected.
    pub(crate) fn hunt(&self, pool: &Pool, senders: ExploredSenders) -> TrojanHunt {
        let options = self.options.clone();
        let collected = std::mem::take(&mut *self.lock());
        let CollectedMessages { mut paths, known: _, chosen, ends } = collected;
        // Workers collect in any order.
        for paths in paths.values_mut() {
            paths.sort_by_cached_key(|path| path_name(pool, path));
        }
        let ways = self.ways.clone();
        let collected = Arc::new(CollectedPaths { paths, chosen, ends });
        TrojanHunt::new(options, ways, collected, senders)
    }
}

/// Names a path, in the same way in every run.
fn path_name(pool: &Pool, path: &SenderPath) -> u64 {
    let hash = |term: &TermId| pool.structural_hash(*term);
    let conditions: Vec<_> = path.conditions.iter().map(hash).collect();
    let message: Vec<_> = path.message.iter().map(hash).collect();
    hash_one(&(conditions, message))
}
