//! [`TrojanHunt`]: compares messages that were replaced with what senders can send.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_base::hash::{Map, Set};
use everett_expr::{Pool, Support};
use everett_net::Protocol;
use everett_posix::{Payload, ReplaceableMessage, SharedMessage, TROJAN_INPUT};
use everett_trojan::{
    Certainty, ClassKey, ClassTable, MessageCount, SenderOptions, SenderPath, SenderSet,
    TrojanClasses,
};
use everett_world::{Arrival, NodeId};

use super::conversation::{
    ArrivingMessages, Conversation, Moment, TrojanWays, content, framed_receiver, is_data, name_of,
};
use crate::api::dropped::DropReason;
use crate::api::trojan::{
    TrojanByte, TrojanCertainty, TrojanEffect, TrojanFinding, TrojanOptions, TrojanProgress,
    TrojanSummary,
};
use crate::state::conditions::TravellingConditions;
use crate::state::node_state::{DueActivation, PathState};
use crate::state::setup::NodeSetup;
use crate::state::trojan::AcceptedPlace;

/// How much of the senders was explored.
#[derive(Clone)]
pub(crate) struct ExploredSenders {
    /// All of their paths.
    pub(crate) is_complete: bool,
    /// Otherwise, the limit that was in the way, if it was one.
    pub(crate) limit: Option<DropReason>,
}

everett_base::portable!(struct ExploredSenders { is_complete, limit });

/// All that was collected about senders.
pub(super) struct CollectedPaths {
    /// The paths of senders, in an order that is the same in every run.
    pub(super) paths: BTreeMap<Moment, Vec<SenderPath>>,
    /// For each state of a receiver, which of the messages that it can get is replaced.
    pub(super) chosen: Map<u64, u64>,
    /// The ends of nodes.
    pub(super) ends: Set<(NodeId, u64)>,
}

everett_base::portable!(struct CollectedPaths { paths, chosen, ends });

/// Compares messages that were replaced with what senders can send.
pub(crate) struct TrojanHunt {
    pub(crate) options: TrojanOptions,
    pub(super) ways: TrojanWays,
    collected: Arc<CollectedPaths>,
    /// Programs name their messages with `everett_message`.
    is_framed: bool,
    senders: ExploredSenders,
    sets: Mutex<SenderSets>,
    found: Mutex<FoundTrojans>,
    pub(crate) counts: TrojanCounts,
}

/// The senders of states of receivers.
#[derive(Default)]
struct SenderSets {
    numbers: Map<SenderKey, u32>,
    sets: Vec<Arc<SenderSet>>,
}

/// The senders of a state of a receiver: the moments at which they may have sent a message, the bytes that
/// they and the receiver both know, and the name of the message.
type SenderKey = (Vec<Moment>, Support, String);

/// The numbers of paths of receivers, by what became of the message.
#[derive(Default)]
pub(crate) struct TrojanCounts {
    pub(crate) replaced: AtomicU64,
    pub(crate) pruned: AtomicU64,
    pub(crate) accepted: AtomicU64,
    pub(crate) rejected: AtomicU64,
    pub(crate) undecided: AtomicU64,
}

#[derive(Clone, Default)]
struct FoundTrojans {
    table: ClassTable<AcceptedPlace>,
    effects: BTreeMap<ClassKey<AcceptedPlace>, TrojanEffect>,
    counts: BTreeMap<ClassKey<AcceptedPlace>, Option<MessageCount>>,
    /// The conditions on messages of the classes, in SMT-LIB, where they are asked for.
    expressions: BTreeMap<ClassKey<AcceptedPlace>, String>,
    /// The findings that tell of the classes.
    findings: BTreeMap<ClassKey<AcceptedPlace>, u32>,
    /// Messages that may be Trojan messages, with the place at which they are accepted.
    possible: BTreeMap<(AcceptedPlace, u32), Vec<u8>>,
}

everett_base::portable!(struct FoundTrojans {
    table, effects, counts, expressions, findings, possible,
});

/// A search for Trojan messages as a checkpoint has it.
pub(crate) struct HuntRecord {
    collected: Arc<CollectedPaths>,
    senders: ExploredSenders,
    /// The senders of states of receivers, in the order of their numbers.
    sets: Vec<SenderKey>,
    found: FoundTrojans,
    counts: [u64; 5],
}

everett_base::portable!(struct HuntRecord { collected, senders, sets, found, counts });

impl TrojanCounts {
    fn all(&self) -> [&AtomicU64; 5] {
        let TrojanCounts { replaced, pruned, accepted, rejected, undecided } = self;
        [replaced, pruned, accepted, rejected, undecided]
    }
}

impl TrojanHunt {
    pub(super) fn new(
        options: TrojanOptions,
        ways: TrojanWays,
        collected: Arc<CollectedPaths>,
        senders: ExploredSenders,
    ) -> TrojanHunt {
        let is_framed = collected.paths.keys().any(|moment| moment.to.is_none());
        TrojanHunt {
            options,
            ways,
            collected,
            is_framed,
            senders,
            sets: Mutex::default(),
            found: Mutex::default(),
            counts: TrojanCounts::default(),
        }
    }

    /// What it has come to.
    pub(crate) fn record(&self) -> HuntRecord {
        let known = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sets: Vec<(&SenderKey, u32)> =
            known.numbers.iter().map(|(key, number)| (key, *number)).collect();
        sets.sort_unstable_by_key(|(_, number)| *number);
        HuntRecord {
            collected: self.collected.clone(),
            senders: self.senders.clone(),
            sets: sets.into_iter().map(|(key, _)| key.clone()).collect(),
            found: self.found().clone(),
            counts: self.counts.all().map(|count| count.load(Ordering::Relaxed)),
        }
    }

    /// The search that a checkpoint has.
    pub(crate) fn of_record(
        options: TrojanOptions,
        ways: TrojanWays,
        pool: &Pool,
        record: HuntRecord,
    ) -> TrojanHunt {
        let HuntRecord { collected, senders, sets, found, counts } = record;
        let mut hunt = TrojanHunt::new(options, ways, collected, senders);
        for (moments, shared, message) in sets {
            hunt.number(pool, moments, shared, message);
        }
        hunt.found = Mutex::new(found);
        for (count, value) in hunt.counts.all().into_iter().zip(counts) {
            count.store(value, Ordering::Relaxed);
        }
        hunt
    }

    /// The message that a state names with `everett_message`, if it may be replaced: the number of its
    /// senders.
    pub(crate) fn framed_senders(
        &self,
        pool: &Pool,
        st: &PathState,
        message: &Payload,
    ) -> Option<u32> {
        let conversation = Conversation::framed(pool, st);
        let number = conversation.sent.len() as u32 + 1;
        let senders = self.ways.senders_to(st.extra.of);
        if senders.is_empty() || self.options.at.is_some_and(|at| at != number) {
            return None;
        }
        let chosen = self.collected.chosen.get(&framed_receiver(pool, st, message));
        if chosen.is_some_and(|chosen| *chosen != content(pool, message)) {
            return None;
        }
        let sent = name_of(&conversation.sent);
        let is_now = |moment: &Moment| moment.sent == sent;
        let of_senders = { self.collected.paths.keys() }
            .filter(|moment| moment.to.is_none() && senders.contains(&moment.from));
        let mut moments: Vec<Moment> = of_senders.clone().filter(|m| is_now(m)).copied().collect();
        let mut shared = conversation.bytes;
        if moments.is_empty() {
            // Messages of several senders came in turns: all that they send is too much rather than
            // too little.
            (moments, shared) = (of_senders.copied().collect(), Support::default());
        }
        (!moments.is_empty()).then(|| self.number(pool, moments, shared, message_name(st)))
    }

    /// The messages that may be replaced among those that have come to a state.
    pub(crate) fn replaceable(
        &self,
        pool: &Pool,
        conditions: &TravellingConditions,
        st: &PathState,
        due: &DueActivation,
    ) -> Vec<ReplaceableMessage> {
        let arriving = ArrivingMessages { ways: &self.ways, pool, st, due };
        let mut replaceable = Vec::new();
        if self.is_framed {
            return replaceable;
        }
        for (number, arrival) in arriving.replaceable() {
            let is_chosen = || {
                let chosen = self.collected.chosen.get(&arriving.receiver(&arrival.message));
                chosen.is_none_or(|chosen| *chosen == arriving.contents(conditions))
            };
            if self.options.at.is_some_and(|at| at != number) || !is_chosen() {
                continue;
            }
            let (moments, shared) = self.moments(&arriving, arrival);
            let mut lengths: Vec<u32> = {
                let paths = moments.iter().flat_map(|moment| &self.collected.paths[moment]);
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
            let senders = self.number(pool, moments, shared, message_name(st));
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
    ) -> (Vec<Moment>, Support) {
        let ArrivingMessages { ways, pool, st, due } = arriving;
        let to = st.extra.of;
        let (mut moments, mut shared, mut is_unknown) = (Vec::new(), Support::default(), false);
        for from in ways.senders_to(to).iter().copied() {
            let mut conversation = Conversation::of(pool, st, from);
            let before = due.arrivals.iter().take_while(|other| !std::ptr::eq(*other, arrival));
            for other in before.filter(|other| other.from == from && is_data(&other.message)) {
                conversation.received.push(content(pool, &other.message.payload));
                conversation.know(pool, &other.message.payload);
            }
            let sent = name_of(&conversation.received);
            let all = (0..=conversation.sent.len()).map(|count| Moment {
                from,
                to: Some(to),
                sent,
                received: name_of(&conversation.sent[..count]),
            });
            let known: Vec<Moment> =
                all.filter(|moment| self.collected.paths.contains_key(moment)).collect();
            is_unknown |= known.is_empty();
            moments.extend(known);
            shared = shared.union(&conversation.bytes);
        }
        if is_unknown && self.ways.has_other_faults {
            // A message may have been lost on its way. What a sender sends at other moments, and for
            // other values, is too much rather than too little.
            moments.extend(self.collected.paths.keys().filter(|moment| moment.to == Some(to)));
            shared = Support::default();
        }
        moments.sort_unstable();
        moments.dedup();
        (moments, shared)
    }

    /// The number of a set of senders.
    fn number(&self, pool: &Pool, moments: Vec<Moment>, shared: Support, message: String) -> u32 {
        let mut known = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (moments, shared, message);
        if let Some(number) = known.numbers.get(&key) {
            return *number;
        }
        let (moments, shared, message) = &key;
        let options = SenderOptions {
            masked: self.options.masked.clone(),
            shared: shared.iter().collect(),
            ..SenderOptions::default()
        };
        let mut set = SenderSet::new(message, options);
        let of_moment = |moment| self.collected.paths.get(moment).into_iter().flatten();
        for path in moments.iter().flat_map(of_moment) {
            pool.interrupt().check();
            set.add(pool, path);
        }
        set.set_explored_to_end(self.senders.is_complete);
        let number = known.sets.len() as u32;
        known.sets.push(Arc::new(set));
        known.numbers.insert(key, number);
        number
    }

    /// The senders of a number.
    pub(crate) fn sender_set(&self, number: u32) -> Arc<SenderSet> {
        let known = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        known.sets[number as usize].clone()
    }

    fn found(&self) -> MutexGuard<'_, FoundTrojans> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if a node has ended in this way without a Trojan message.
    pub(crate) fn is_known_end(&self, node: NodeId, status: u64) -> bool {
        self.collected.ends.contains(&(node, status))
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
        let FoundTrojans { table, effects, counts, possible, .. } = &mut *found;
        for class in &classes.classes {
            let core = class.core.clone();
            let key = ClassKey { place: place.clone(), length, core };
            let is_new = table.add(place.clone(), class.clone());
            let known = counts.entry(key.clone()).or_insert(class.messages);
            if !is_new {
                // Messages of several paths are different ones.
                *known = known.zip(class.messages).and_then(|(a, b)| a.checked_add(b));
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

    /// Notes what messages of some classes do, which were accepted at a place, and the finding that tells of
    /// it.
    pub(crate) fn raise(
        &self,
        place: &AcceptedPlace,
        length: u32,
        classes: &TrojanClasses,
        effect: TrojanEffect,
        finding: Option<u32>,
    ) {
        let mut found = self.found();
        for class in &classes.classes {
            let key = ClassKey { place: place.clone(), length, core: class.core.clone() };
            let Some(worst) = found.effects.get_mut(&key) else { continue };
            *worst = effect.min(*worst);
            if let Some(finding) = finding {
                found.findings.entry(key).or_insert(finding);
            }
        }
    }

    /// Notes the condition on the messages of a class, unless there is one.
    pub(crate) fn express(&self, key: ClassKey<AcceptedPlace>, smtlib: impl FnOnce() -> String) {
        if self.options.expressions {
            self.found().expressions.entry(key).or_insert_with(smtlib);
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
        self.senders.is_complete
    }

    /// The limit for which not all paths of senders were explored.
    pub(crate) fn limit(&self) -> Option<DropReason> {
        self.senders.limit.clone()
    }

    /// How far the search has come.
    pub(super) fn progress(&self) -> TrojanProgress {
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let TrojanCounts { replaced, pruned, accepted, rejected, .. } = &self.counts;
        TrojanProgress::Replaces {
            replaced: count(replaced),
            judged: count(accepted) + count(rejected),
            pruned: count(pruned),
            classes: self.found().table.len() as u64,
        }
    }

    /// The bytes of a message at some offsets.
    fn named_bytes(&self, offsets: &[u32], message: &[u8]) -> Vec<TrojanByte> {
        let byte = |offset: u32| TrojanByte {
            offset,
            value: message[offset as usize],
            field: self.options.field_names.get(&offset).cloned(),
        };
        offsets.iter().copied().map(byte).collect()
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
            core: self.named_bytes(&key.core, &entry.example),
            certainty: match entry.certainty {
                Certainty::Certain => TrojanCertainty::Certain,
                Certainty::NotSeen => TrojanCertainty::NotSeen,
            },
            effect: found.effects.get(key).copied().unwrap_or(TrojanEffect::Silent),
            paths: entry.state_count,
            messages: found.counts.get(key).copied().flatten(),
            finding: found.findings.get(key).copied(),
            expression: found.expressions.get(key).cloned(),
            ..of_place(&key.place, key.length, &entry.example)
        });
        let possible = found.possible.iter();
        let possible = possible.map(|((place, length), message)| of_place(place, *length, message));
        let mut classes: Vec<TrojanFinding> = classes.chain(possible).collect();
        classes.sort_by_key(|class| (class.certainty == TrojanCertainty::Possible, class.effect));
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        TrojanSummary {
            sender_paths: self.collected.paths.values().map(|paths| paths.len() as u64).sum(),
            are_senders_explored: self.senders.is_complete,
            replaced: count(&self.counts.replaced),
            pruned: count(&self.counts.pruned),
            accepted: count(&self.counts.accepted),
            rejected: count(&self.counts.rejected),
            undecided: count(&self.counts.undecided),
            classes,
        }
    }
}

/// The name of the symbol of the next message that comes to a state instead of another one.
fn message_name(st: &PathState) -> String {
    let uses = st.extra.names.get(TROJAN_INPUT).copied().unwrap_or(0) + 1;
    let suffix = if uses == 1 { String::new() } else { format!("#{uses}") };
    format!("{}{TROJAN_INPUT}{suffix}", st.extra.symbol_prefix)
}
