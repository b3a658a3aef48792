//! Classes of Trojan messages: by the bytes that make them ungenerable.
//!
//! The *core* of a Trojan message is a smallest set of its bytes that no sender can send together, whatever
//! the other bytes are: the byte of an address that no sender uses, or a length and the byte that
//! contradicts it. Messages with one core are one class. When a class is found, all messages whose bytes at
//! its core cannot be sent together are set aside, and the search goes on among the rest.
//!
//! The example of a class is its smallest message (`example.rs`), and the core is computed from it. So models
//! that a solver happens to give do not show, as long as limits are not reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use everett_base::{Map, Set};
use everett_expr::{Assignment, Pool, TermId};
use everett_solver::{Model, SolverChain, SolverError};

use crate::count::{MessageCount, MessageCounter};
use crate::example::SmallestExample;
use crate::receiver::ReceiverState;
use crate::search::{FixedBytes, GroupAnswer, SearchAnswer, TrojanSearch};
use crate::sender::GroupId;

/// Pairs of bytes are tried as cores up to this many bytes that senders constrain.
const PAIRED_BYTES_MAX: usize = 24;

/// How sure a result is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// No sender can send the message.
    Certain,
    /// No path of a sender that was explored can send it, and others were not explored.
    NotSeen,
}

everett_base::portable!(enum Certainty { 0 = Certain, 1 = NotSeen });

/// Trojan messages of one state that have the same core.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrojanClass {
    /// The offsets of the bytes that no sender can send together, ascending. They are none if no sender
    /// sends messages of this length at all.
    pub core: Vec<u32>,
    /// The smallest message of the class, in the order of its bytes, those last that are computed of
    /// others, such as checksums.
    pub example: Vec<u8>,
    /// The values of all bytes that the example was found with: also those of the receiver's inputs and of
    /// shared bytes.
    pub model: Arc<Model>,
    /// How sure it is that no sender can send the messages.
    pub certainty: Certainty,
    /// The number of messages of the class, if it was asked for ([`SearchLimits::counts`]) and can be
    /// told: inputs and shared bytes must not matter, and at most two bytes may hang together.
    ///
    /// [`SearchLimits::counts`]: crate::SearchLimits::counts
    pub messages: Option<MessageCount>,
}

/// The Trojan messages of one state.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TrojanClasses {
    /// The classes, in the order in which they were found.
    pub classes: Vec<TrojanClass>,
    /// True if each Trojan message of the state is in one of the classes. Otherwise there may be
    /// more: a limit was reached.
    pub is_complete: bool,
    /// A message that may be a Trojan message, where the search ended at one that it could not decide.
    pub possible: Option<Vec<u8>>,
}

impl TrojanSearch {
    /// The classes of Trojan messages among those that a state accepts.
    pub fn classes(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        state: &ReceiverState,
    ) -> Result<TrojanClasses, SolverError> {
        let mut found = TrojanClasses::default();
        let mut conditions = state.conditions();
        while found.classes.len() < self.limits.classes_max {
            let answer = self.find(pool, chain, state.length(), state.live(), &conditions)?;
            let model = match answer {
                SearchAnswer::Covered => {
                    found.is_complete = true;
                    break;
                }
                SearchAnswer::Undecided(candidate) => {
                    found.possible = candidate.map(|model| self.message(pool, state, &model));
                    break;
                }
                SearchAnswer::Found(model) => model,
            };
            let mut example = SmallestExample::new(self, pool, state, &conditions, model);
            example.reduce(chain)?;
            let model = example.into_model();
            let core = self.core(pool, chain, state.length(), &model)?;
            let number = found.classes.len();
            let rest = self.generable(pool, chain, state.length(), &core, number)?;
            let is_explored = self.senders.is_explored_to_end();
            let certainty = if is_explored { Certainty::Certain } else { Certainty::NotSeen };
            let example = self.message(pool, state, &model);
            let messages = match self.limits.counts {
                true => self.count(pool, state, &conditions, rest),
                false => None,
            };
            found.classes.push(TrojanClass { core, example, model, certainty, messages });
            if pool.as_const(rest) == Some(1) {
                // The solver gave up on the core, so nothing is set aside.
                break;
            }
            conditions.push(rest);
        }
        Ok(found)
    }

    /// The number of Trojan messages that satisfy the conditions and not the rest.
    fn count(
        &self,
        pool: &Pool,
        state: &ReceiverState,
        conditions: &[TermId],
        rest: TermId,
    ) -> Option<MessageCount> {
        let senders = &self.senders;
        let rows = state.live().iter().map(|&row| &senders.rows(state.length())[row]);
        let terms = |id: &GroupId| senders.group(*id).terms.iter().copied();
        let rows: Vec<Vec<TermId>> =
            rows.map(|row| row.groups.iter().flat_map(terms).collect()).collect();
        let mut counter = MessageCounter::new(pool, senders.message(pool, state.length()));
        let all = rows.iter().flatten().chain(conditions).copied().chain([rest]);
        let bytes = counter.bytes(all)?.len();
        let with_rest: Vec<TermId> = conditions.iter().copied().chain([rest]).collect();
        let before = counter.count(conditions, &rows, bytes)?;
        let after = counter.count(&with_rest, &rows, bytes)?;
        let free_bytes = state.length() - u32::try_from(bytes).ok()?;
        Some(MessageCount::new(before.checked_sub(after)?, free_bytes))
    }

    fn message(&self, pool: &Pool, state: &ReceiverState, model: &Model) -> Vec<u8> {
        let symbol = self.senders.message(pool, state.length());
        (0..state.length()).map(|offset| model.byte(pool.symbol_var(symbol, offset))).collect()
    }

    /// A smallest set of bytes of a Trojan message that no sender can send together: the first single byte,
    /// else the first pair, else a set of which no byte can be left out, unless the limit on queries is
    /// reached before.
    ///
    /// A byte is *necessary* if some sender can send all others together. All necessary bytes are in every
    /// core, so most sets need not be asked about; and these questions are the easy ones, since they leave a
    /// single byte open.
    pub(crate) fn core(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        length: u32,
        model: &Model,
    ) -> Result<Vec<u32>, SolverError> {
        let queries_end = self.stats.group_queries.saturating_add(self.limits.core_queries_max);
        if self.is_blocked(pool, chain, length, &[], model)? {
            return Ok(Vec::new());
        }
        let bytes = self.violated_bytes(pool, chain, length, model)?;
        let without = |set: &[u32], byte: u32| -> Vec<u32> {
            set.iter().copied().filter(|&other| other != byte).collect()
        };
        let mut necessary = Vec::new();
        for &byte in &bytes {
            if !self.is_blocked(pool, chain, length, &without(&bytes, byte), model)? {
                necessary.push(byte);
            }
        }
        let singles = bytes.iter().map(|&byte| vec![byte]);
        let pairs = bytes.iter().enumerate().flat_map(|(at, &first)| {
            let others = if bytes.len() <= PAIRED_BYTES_MAX { &bytes[at + 1..] } else { &[] };
            others.iter().map(move |&second| vec![first, second])
        });
        let has_necessary = |set: &Vec<u32>| necessary.iter().all(|byte| set.contains(byte));
        let few = singles.chain(pairs).filter(|few| *few != necessary && has_necessary(few));
        for few in std::iter::once(necessary.clone()).chain(few) {
            if self.is_blocked(pool, chain, length, &few, model)? {
                return Ok(few);
            }
            if self.stats.group_queries > queries_end {
                break;
            }
        }
        let mut core = bytes.clone();
        for &byte in bytes.iter().rev().filter(|byte| !necessary.contains(byte)) {
            if self.stats.group_queries > queries_end {
                break;
            }
            let fewer = without(&core, byte);
            if self.is_blocked(pool, chain, length, &fewer, model)? {
                core = fewer;
            }
        }
        Ok(core)
    }

    /// The bytes of groups that a message violates, ascending: others are in no core.
    fn violated_bytes(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        length: u32,
        model: &Model,
    ) -> Result<Vec<u32>, SolverError> {
        let senders = self.senders.clone();
        let groups = senders.rows(length).iter().flat_map(|row| row.groups.iter().copied());
        let groups: BTreeSet<GroupId> = groups.collect();
        let mut bytes = BTreeSet::new();
        for id in groups {
            let group = senders.group(id);
            let is_violated = if group.is_exact() {
                !group.terms.iter().all(|&term| pool.eval_bool(term, model))
            } else {
                let all = FixedBytes { length, offsets: None, model };
                !matches!(self.ask(pool, chain, id, &all)?, GroupAnswer::Possible(_))
            };
            if is_violated {
                bytes.extend(group.bytes.iter().copied());
            }
        }
        Ok(bytes.into_iter().collect())
    }

    /// Returns `true` if no row can send the bytes of a model at these offsets, whatever the other bytes
    /// are.
    fn is_blocked(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        length: u32,
        offsets: &[u32],
        model: &Model,
    ) -> Result<bool, SolverError> {
        let senders = self.senders.clone();
        let bytes = FixedBytes { length, offsets: Some(offsets), model };
        let mut answers: Map<GroupId, bool> = Map::default();
        for row in senders.rows(length) {
            let mut is_row_blocked = false;
            for &id in &row.groups {
                let is_impossible = match answers.get(&id) {
                    Some(&answer) => answer,
                    None => {
                        let answer = self.ask(pool, chain, id, &bytes)?;
                        matches!(answer, GroupAnswer::Impossible)
                    }
                };
                answers.insert(id, is_impossible);
                is_row_blocked |= is_impossible;
                if is_impossible {
                    break;
                }
            }
            if !is_row_blocked {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The condition that some sender can send the bytes of a message at these offsets together, with
    /// whatever other bytes. Other bytes that cannot be eliminated are bytes of their own in each class.
    fn generable(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        length: u32,
        offsets: &[u32],
        class: usize,
    ) -> Result<TermId, SolverError> {
        let senders = self.senders.clone();
        let purpose = format!("class{class}");
        let mut seen: Set<Vec<GroupId>> = Set::default();
        let mut any = pool.bool(false);
        for row in senders.rows(length) {
            pool.interrupt().check();
            let (met, others): (Vec<GroupId>, Vec<GroupId>) = row.groups.iter().partition(|&&id| {
                let group = senders.group(id);
                let has_core = group.bytes.iter().any(|byte| offsets.binary_search(byte).is_ok());
                has_core || !group.shared.is_empty()
            });
            if !seen.contains(&met) && self.are_possible(pool, chain, length, &others)? {
                any = pool.or(any, senders.project(pool, length, &met, offsets, &purpose));
                seen.insert(met);
            }
        }
        Ok(any)
    }

    /// Returns `true` unless one of these groups, none of which has shared bytes, is impossible by itself.
    fn are_possible(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        length: u32,
        groups: &[GroupId],
    ) -> Result<bool, SolverError> {
        let bytes = FixedBytes { length, offsets: Some(&[]), model: &Model::default() };
        for &id in groups {
            let answer = self.ask(pool, chain, id, &bytes)?;
            if matches!(answer, GroupAnswer::Impossible) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
