//! Messages that senders can send, and Trojan messages: what the workers of a run know about them together.
//!
//! A run that replaces messages has two phases. In the first one, nothing is replaced, and every message that
//! a sender sends is collected with the condition of its path ([`SenderCollector`]). In the second one,
//! messages are replaced by symbolic bytes, which are compared with what was collected ([`TrojanHunt`]). Both
//! phases have one pool of terms, so inputs of both are the same bytes.
//!
//! A sender's message belongs to a [`Moment`] of its conversation with the receiver. A state of the receiver
//! that is at this moment could have got it. So only messages of paths count that fit what the two have said
//! to each other before, as in a world; conditions on bytes of earlier messages are compared by the solver.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_base::hash::{FixedState, Map, Set, hash_one};
use everett_expr::{Pool, Support, TermId, VarId};
use everett_memory::ByteValue;
use everett_net::{Message, MessageKind, Protocol};
use everett_posix::{FaultKind, Guest, Payload, ReplaceableMessage, SharedMessage, TROJAN_INPUT};
use everett_trojan::{
    Certainty, ClassKey, ClassTable, SenderOptions, SenderPath, SenderSet, TrojanClasses,
};
use everett_world::{Arrival, NodeId};

use crate::api::trojan::{
    TrojanCertainty, TrojanCount, TrojanEffect, TrojanFinding, TrojanOptions, TrojanSummary,
};
use crate::state::conditions::TravellingConditions;
use crate::state::node_state::{DueActivation, MessageRecord, PathState};
use crate::state::setup::NodeSetup;
use crate::state::trojan::AcceptedPlace;

/// The phase of a run that replaces messages.
pub(crate) enum TrojanPhase {
    /// Messages of senders are collected.
    Collects(Arc<SenderCollector>),
    /// Messages are replaced.
    Replaces(Arc<TrojanHunt>),
}

impl TrojanPhase {
    fn options(&self) -> &TrojanOptions {
        match self {
            TrojanPhase::Collects(collector) => &collector.options,
            TrojanPhase::Replaces(hunt) => &hunt.options,
        }
    }

    /// Returns `true` if a state gets the message that was to be replaced as it was sent, and only worlds are
    /// wanted in which it was replaced.
    pub(crate) fn is_past(
        &self,
        nodes: &[NodeSetup],
        pool: &Pool,
        st: &PathState,
        due: &DueActivation,
    ) -> bool {
        let TrojanOptions { at: Some(at), only_replaced: true, .. } = self.options() else {
            return false;
        };
        let arriving = ArrivingMessages { nodes, pool, st, due };
        st.extra.links().trojan.is_none()
            && arriving.replaceable().iter().any(|(number, _)| number >= at)
    }
}

/// A moment in the conversation of a sender with a receiver, as the sender knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Moment {
    from: NodeId,
    to: NodeId,
    /// Names the messages that it has sent to the receiver before.
    sent: u64,
    /// Names those that it has got from the receiver before.
    received: u64,
}

/// The messages that a state has exchanged with another node, oldest first, by their contents.
#[derive(Default)]
struct Conversation {
    sent: Vec<u64>,
    received: Vec<u64>,
    /// Symbolic bytes of all of them.
    bytes: Support,
}

impl Conversation {
    fn of(pool: &Pool, st: &PathState, peer: NodeId) -> Conversation {
        let mut conversation = Conversation::default();
        let records = st.extra.links().history.iter().filter(|record| record.peer == peer);
        for MessageRecord { sent, message, .. } in records.filter(|record| is_data(&record.message))
        {
            let list = if *sent { &mut conversation.sent } else { &mut conversation.received };
            list.push(content(pool, message));
            for term in message.payload.terms() {
                conversation.bytes = conversation.bytes.union(pool.support(term));
            }
        }
        // The history has the newest first.
        conversation.sent.reverse();
        conversation.received.reverse();
        conversation
    }
}

/// Names a sequence of messages.
fn name_of(messages: &[u64]) -> u64 {
    hash_one(&messages.to_vec())
}

/// Returns `true` if a message has bytes for a program.
pub(crate) fn is_data(message: &Message<Payload>) -> bool {
    message.protocol != Protocol::Plain
        && message.kind.meets(MessageKind::DATA)
        && (message.protocol == Protocol::Udp || !message.payload.is_empty())
}

/// Names the bytes of a message, in the same way in every run.
fn content(pool: &Pool, message: &Message<Payload>) -> u64 {
    let mut hasher = FixedState.build_hasher();
    for byte in message.payload.values() {
        match byte {
            ByteValue::Concrete(byte) => (0u8, u64::from(byte)).hash(&mut hasher),
            ByteValue::Symbolic(term) => (1u8, pool.structural_hash(term)).hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// Returns `true` if messages from one node to another are replaced.
fn is_way(nodes: &[NodeSetup], from: NodeId, to: NodeId) -> bool {
    let faults = &nodes[to.index()].config.kernel.faults;
    let is_named = |names: &[String], node: NodeId| {
        names.is_empty() || names.iter().any(|name| name == nodes[node.index()].name())
    };
    from != to
        && faults.budgets.get(FaultKind::Trojan) > 0
        && is_named(&faults.network.trojan_from, from)
        && is_named(&faults.network.trojan_to, to)
}

/// The nodes whose messages to a node are replaced.
fn senders_to(nodes: &[NodeSetup], to: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    (0..nodes.len()).map(NodeId::from_index).filter(move |from| is_way(nodes, *from, to))
}

/// Messages that have just come to a state, with those before them.
struct ArrivingMessages<'s> {
    nodes: &'s [NodeSetup],
    pool: &'s Pool,
    st: &'s PathState,
    due: &'s DueActivation,
}

impl ArrivingMessages<'_> {
    /// The messages among them that may be replaced, each with its number among all that the node got.
    fn replaceable(&self) -> Vec<(u32, &Arrival<SharedMessage>)> {
        let ArrivingMessages { nodes, st, due, .. } = *self;
        let to = st.extra.of;
        let counts =
            |from: NodeId, message: &SharedMessage| is_data(message) && is_way(nodes, from, to);
        let history = st.extra.links().history.iter();
        let before = history.filter(|record| !record.sent && counts(record.peer, &record.message));
        let arrivals = due.arrivals.iter();
        let arrivals = arrivals.filter(|arrival| counts(arrival.from, &arrival.message));
        (before.count() as u32 + 1..).zip(arrivals).collect()
    }

    /// Names the state, together with the length of a message if only others of that length come
    /// instead of it.
    fn receiver(&self, message: &Message<Payload>) -> u64 {
        let ArrivingMessages { pool, st, due, .. } = self;
        let constraints: Vec<TermId> = st.path.constraints().collect();
        let mut history = Vec::new();
        for record in st.extra.links().history.iter() {
            history.push((record.at, record.peer, record.sent, content(pool, &record.message)));
        }
        let length = (message.protocol == Protocol::Tcp).then_some(message.payload.len());
        hash_one(&(st.extra.of, st.instructions, st.depth, constraints, history, due.at, length))
    }

    /// Names all that has come, in the same way in every run.
    fn contents(&self, conditions: &TravellingConditions) -> u64 {
        let mut hasher = FixedState.build_hasher();
        for arrival in &self.due.arrivals {
            (arrival.from, arrival.at, content(self.pool, &arrival.message)).hash(&mut hasher);
            for term in conditions.get(arrival.carried) {
                self.pool.structural_hash(*term).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

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
    options: TrojanOptions,
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
    pub(crate) fn new(options: TrojanOptions, wanted: WantedMessages) -> SenderCollector {
        SenderCollector { options, wanted, collected: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, CollectedMessages> {
        self.collected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the messages that a state sends. The newest `count` messages of its history are among them, and
    /// those in its outbox, which it has not come to send.
    pub(crate) fn collect(&self, nodes: &[NodeSetup], pool: &Pool, st: &PathState, count: usize) {
        let from = st.extra.of;
        let newest: Vec<&MessageRecord> = st.extra.links().history.iter().take(count).collect();
        let newest = newest.iter().rev().map(|record| (record.peer, &record.message));
        let outbox = st.extra.node().sent_so_far();
        let outbox = outbox.iter().map(|(host, message)| (NodeId(host.0), message));
        let messages: Vec<(NodeId, &SharedMessage)> = newest.chain(outbox).collect();
        let is_wanted = |to: NodeId, message: &SharedMessage| {
            let is_sender = match self.wanted {
                WantedMessages::Replaceable => to.index() < nodes.len() && is_way(nodes, from, to),
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
                to,
                sent: name_of(&conversation.sent[..*before]),
                received: name_of(&conversation.received),
            };
            if *before == conversation.sent.len() {
                conversation.sent.push(content(pool, message));
            }
            *before += 1;
            let bytes = message.payload.values().map(|byte| match byte {
                ByteValue::Concrete(byte) => pool.constant(8, u64::from(byte)),
                ByteValue::Symbolic(term) => term,
            });
            let path = SenderPath { conditions: conditions.clone(), message: bytes.collect() };
            self.add(pool, moment, path);
        }
    }

    fn add(&self, pool: &Pool, moment: Moment, path: SenderPath) {
        let name = path_name(pool, &path);
        let mut collected = self.lock();
        if collected.known.insert((moment, name)) {
            collected.paths.entry(moment).or_default().push(path);
        }
    }

    /// Notes the messages that have come to a state, of which one is to be replaced.
    pub(crate) fn note_arrivals(
        &self,
        nodes: &[NodeSetup],
        pool: &Pool,
        conditions: &TravellingConditions,
        st: &PathState,
        due: &DueActivation,
    ) {
        let arriving = ArrivingMessages { nodes, pool, st, due };
        for (_, arrival) in arriving.replaceable() {
            let receiver = arriving.receiver(&arrival.message);
            let contents = arriving.contents(conditions);
            let mut collected = self.lock();
            let chosen = collected.chosen.entry(receiver).or_insert(contents);
            *chosen = contents.min(*chosen);
        }
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
    pub(crate) fn hunt(
        &self,
        nodes: &[NodeSetup],
        pool: &Pool,
        is_explored_to_end: bool,
    ) -> TrojanHunt {
        let has_others = |setup: &NodeSetup| {
            let mut others = setup.config.kernel.faults.budgets;
            others.set(FaultKind::Trojan, 0);
            !others.is_empty()
        };
        let options = self.options.clone();
        let collected = std::mem::take(&mut *self.lock());
        let CollectedMessages { mut paths, known: _, chosen, ends } = collected;
        // Workers collect in any order.
        for paths in paths.values_mut() {
            paths.sort_by_cached_key(|path| path_name(pool, path));
        }
        TrojanHunt {
            options,
            paths,
            chosen,
            ends,
            is_explored_to_end,
            has_other_faults: nodes.iter().any(has_others),
            sets: Mutex::default(),
            found: Mutex::default(),
            counts: TrojanCounts::default(),
        }
    }
}

/// Names a path, in the same way in every run.
fn path_name(pool: &Pool, path: &SenderPath) -> u64 {
    let hash = |term: &TermId| pool.structural_hash(*term);
    let conditions: Vec<_> = path.conditions.iter().map(hash).collect();
    let message: Vec<_> = path.message.iter().map(hash).collect();
    hash_one(&(conditions, message))
}

/// Compares messages that were replaced with what senders can send.
pub(crate) struct TrojanHunt {
    pub(crate) options: TrojanOptions,
    paths: BTreeMap<Moment, Vec<SenderPath>>,
    chosen: Map<u64, u64>,
    ends: Set<(NodeId, u64)>,
    is_explored_to_end: bool,
    /// Other things than Trojan messages may happen to messages.
    has_other_faults: bool,
    sets: Mutex<SenderSets>,
    found: Mutex<FoundTrojans>,
    pub(crate) counts: TrojanCounts,
}

/// The senders of states of receivers.
#[derive(Default)]
struct SenderSets {
    numbers: Map<(Vec<Moment>, Vec<VarId>, String), u32>,
    sets: Vec<Arc<SenderSet>>,
}

/// The numbers of paths of receivers, by what became of the message.
#[derive(Default)]
pub(crate) struct TrojanCounts {
    pub(crate) replaced: AtomicU64,
    pub(crate) pruned: AtomicU64,
    pub(crate) accepted: AtomicU64,
    pub(crate) rejected: AtomicU64,
    pub(crate) undecided: AtomicU64,
}

#[derive(Default)]
struct FoundTrojans {
    table: ClassTable<AcceptedPlace>,
    effects: BTreeMap<ClassKey<AcceptedPlace>, TrojanEffect>,
    counts: BTreeMap<ClassKey<AcceptedPlace>, Option<TrojanCount>>,
    /// The findings that tell of the classes.
    findings: BTreeMap<ClassKey<AcceptedPlace>, u32>,
    /// Messages that may be Trojan messages, with the place at which they are accepted.
    possible: BTreeMap<(AcceptedPlace, u32), Vec<u8>>,
}

impl TrojanHunt {
    /// The messages that may be replaced among those that have come to a state.
    pub(crate) fn replaceable(
        &self,
        nodes: &[NodeSetup],
        pool: &Pool,
        conditions: &TravellingConditions,
        st: &PathState,
        due: &DueActivation,
    ) -> Vec<ReplaceableMessage> {
        let arriving = ArrivingMessages { nodes, pool, st, due };
        let mut replaceable = Vec::new();
        for (number, arrival) in arriving.replaceable() {
            let is_chosen = || {
                let chosen = self.chosen.get(&arriving.receiver(&arrival.message));
                chosen.is_none_or(|chosen| *chosen == arriving.contents(conditions))
            };
            if self.options.at.is_some_and(|at| at != number) || !is_chosen() {
                continue;
            }
            let (moments, shared) = self.moments(&arriving, arrival);
            let mut lengths: Vec<u32> = {
                let paths = moments.iter().flat_map(|moment| &self.paths[moment]);
                paths.map(|path| path.message.len() as u32).collect()
            };
            lengths.extend(self.options.length_max.into_iter().flat_map(|most| 0..=most));
            if arrival.message.protocol == Protocol::Tcp {
                // Others would change the place of what follows in the stream.
                let own = arrival.message.payload.len() as u32;
                lengths = vec![own];
            }
            lengths.sort_unstable();
            lengths.dedup();
            if moments.is_empty() || lengths.is_empty() {
                continue;
            }
            let uses = st.extra.names.get(TROJAN_INPUT).copied().unwrap_or(0) + 1;
            let suffix = if uses == 1 { String::new() } else { format!("#{uses}") };
            let name = format!("{}{TROJAN_INPUT}{suffix}", st.extra.symbol_prefix);
            let senders = self.number(pool, moments, shared, name);
            let message = arrival.message.clone();
            replaceable.push(ReplaceableMessage { message, senders, lengths: lengths.into() });
        }
        replaceable
    }

    /// The moments at which senders may have sent a message, and the bytes that they and its receiver both
    /// know.
    fn moments(
        &self,
        arriving: &ArrivingMessages<'_>,
        arrival: &Arrival<SharedMessage>,
    ) -> (Vec<Moment>, Vec<VarId>) {
        let ArrivingMessages { nodes, pool, st, due } = arriving;
        let to = st.extra.of;
        let (mut moments, mut shared, mut is_unknown) = (Vec::new(), Vec::new(), false);
        for from in senders_to(nodes, to) {
            let mut conversation = Conversation::of(pool, st, from);
            let before = due.arrivals.iter().take_while(|other| !std::ptr::eq(*other, arrival));
            for other in before.filter(|other| other.from == from && is_data(&other.message)) {
                conversation.received.push(content(pool, &other.message));
                for term in other.message.payload.terms() {
                    conversation.bytes = conversation.bytes.union(pool.support(term));
                }
            }
            let sent = name_of(&conversation.received);
            let all = (0..=conversation.sent.len()).map(|count| Moment {
                from,
                to,
                sent,
                received: name_of(&conversation.sent[..count]),
            });
            let known: Vec<Moment> = all.filter(|moment| self.paths.contains_key(moment)).collect();
            is_unknown |= known.is_empty();
            moments.extend(known);
            shared.extend(conversation.bytes.iter());
        }
        if is_unknown && self.has_other_faults {
            // A message may have been lost on its way. What a sender sends at other moments, and for
            // other values, is too much rather than too little.
            moments.extend(self.paths.keys().filter(|moment| moment.to == to));
            shared.clear();
        }
        moments.sort_unstable();
        moments.dedup();
        shared.sort_unstable();
        shared.dedup();
        (moments, shared)
    }

    /// The number of a set of senders.
    fn number(
        &self,
        pool: &Pool,
        moments: Vec<Moment>,
        shared: Vec<VarId>,
        message: String,
    ) -> u32 {
        let mut known = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (moments, shared, message);
        if let Some(number) = known.numbers.get(&key) {
            return *number;
        }
        let (moments, shared, message) = &key;
        let options = SenderOptions {
            masked: self.options.masked.clone(),
            shared: shared.clone(),
            ..SenderOptions::default()
        };
        let mut set = SenderSet::new(message, options);
        for path in moments.iter().flat_map(|moment| &self.paths[moment]) {
            pool.interrupt().check();
            set.add(pool, path);
        }
        set.set_explored_to_end(self.is_explored_to_end);
        let number = known.sets.len() as u32;
        known.sets.push(Arc::new(set));
        known.numbers.insert(key, number);
        number
    }

    /// The senders of a number.
    pub(crate) fn senders(&self, number: u32) -> Arc<SenderSet> {
        let known = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        known.sets[number as usize].clone()
    }

    fn found(&self) -> MutexGuard<'_, FoundTrojans> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if a node has ended in this way without a Trojan message.
    pub(crate) fn is_known_end(&self, node: NodeId, status: u64) -> bool {
        self.ends.contains(&(node, status))
    }

    /// Books the Trojan messages of a path that accepts.
    pub(crate) fn book(
        &self,
        place: &AcceptedPlace,
        length: u32,
        classes: &TrojanClasses,
        effect: TrojanEffect,
    ) {
        let mut found = self.found();
        let FoundTrojans { table, effects, counts, possible, findings: _ } = &mut *found;
        for class in &classes.classes {
            let core = class.core.clone();
            let key = ClassKey { place: place.clone(), length, core };
            let count = class
                .messages
                .map(|count| TrojanCount { count: count.count, free_bytes: count.free_bytes });
            let is_new = table.add(place.clone(), class.clone());
            let known = counts.entry(key.clone()).or_insert(count);
            if !is_new {
                // Messages of several paths are different ones; free bytes may be others.
                *known = match (*known, count) {
                    (Some(a), Some(b)) if a.free_bytes == b.free_bytes => {
                        let sum = a.count.checked_add(b.count);
                        sum.map(|count| TrojanCount { count, ..a })
                    }
                    _ => None,
                };
            }
            let worst = effects.entry(key).or_insert(effect);
            *worst = effect.min(*worst);
        }
        if let Some(message) = &classes.possible {
            let known = possible.entry((place.clone(), length)).or_insert(message.clone());
            if message < known {
                known.clone_from(message);
            }
        }
        if !classes.is_complete {
            self.counts.undecided.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Notes what messages of some classes do, which were accepted at a place.
    pub(crate) fn raise(
        &self,
        place: &AcceptedPlace,
        length: u32,
        classes: &TrojanClasses,
        effect: TrojanEffect,
    ) {
        let mut found = self.found();
        for class in &classes.classes {
            let key = ClassKey { place: place.clone(), length, core: class.core.clone() };
            if let Some(worst) = found.effects.get_mut(&key) {
                *worst = effect.min(*worst);
            }
        }
    }

    /// Returns `true` if a finding tells of a class.
    pub(crate) fn is_told(&self, key: &ClassKey<AcceptedPlace>) -> bool {
        self.found().findings.contains_key(key)
    }

    /// Notes the finding that tells of a class.
    pub(crate) fn told(&self, key: ClassKey<AcceptedPlace>, finding: u32) {
        self.found().findings.entry(key).or_insert(finding);
    }

    /// Returns `true` if all paths of senders were explored.
    pub(crate) fn is_explored_to_end(&self) -> bool {
        self.is_explored_to_end
    }

    /// The results.
    pub(crate) fn summary(&self, nodes: &[NodeSetup]) -> TrojanSummary {
        let found = self.found();
        let of_place = |place: &AcceptedPlace, length: u32, example: &[u8]| TrojanFinding {
            node: nodes[place.node.index()].name().to_owned(),
            function: place.function.clone(),
            file: place.file.clone(),
            line: place.line,
            length,
            core: Vec::new(),
            example: example.to_vec(),
            certainty: TrojanCertainty::Possible,
            effect: TrojanEffect::Silent,
            paths: 1,
            messages: None,
            finding: None,
            expression: None,
        };
        let classes = found.table.iter().map(|(key, entry)| TrojanFinding {
            core: key.core.clone(),
            certainty: match entry.certainty {
                Certainty::Certain => TrojanCertainty::Certain,
                Certainty::NotSeen => TrojanCertainty::NotSeen,
            },
            effect: found.effects.get(key).copied().unwrap_or(TrojanEffect::Silent),
            paths: entry.state_count,
            messages: found.counts.get(key).copied().flatten(),
            finding: found.findings.get(key).copied(),
            ..of_place(&key.place, key.length, &entry.example)
        });
        let possible = found.possible.iter();
        let possible = possible.map(|((place, length), message)| of_place(place, *length, message));
        let mut classes: Vec<TrojanFinding> = classes.chain(possible).collect();
        classes.sort_by_key(|class| (class.certainty == TrojanCertainty::Possible, class.effect));
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        TrojanSummary {
            sender_paths: self.paths.values().map(|paths| paths.len() as u64).sum(),
            are_senders_explored: self.is_explored_to_end,
            replaced: count(&self.counts.replaced),
            pruned: count(&self.counts.pruned),
            accepted: count(&self.counts.accepted),
            rejected: count(&self.counts.rejected),
            undecided: count(&self.counts.undecided),
            classes,
        }
    }
}
