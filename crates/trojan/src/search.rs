//! [`TrojanSearch`]: is there a message that satisfies some conditions, and that no sender can send?
//!
//! For rows without inputs the question is one query: the conditions, and the negation of each row. Rows
//! with inputs that could not be eliminated need a search by refinement. Their negation is first taken to
//! be the negation of what they are *known* to send, which is nothing at the beginning. A candidate is then
//! asked of each such row with all message bytes fixed. If no row can send it, it is a Trojan message. If one
//! can, the inputs that it needs are put into the row, and what is left is a *region* of messages that it can
//! send, which is excluded from now on. Regions belong to groups, so all rows and all later questions
//! profit from them.
//!
//! Invariant: a region holds only messages that its group can produce. So a Trojan message is one for
//! certain, and a state that is covered is covered for certain; what ends early is undecided.

use std::sync::Arc;

use everett_base::Map;
use everett_expr::{Assignment, Pool, TermId, VarId};
use everett_solver::{Model, SolverAnswer, SolverChain, SolverError};

use crate::receiver::ReceiverState;
use crate::sender::{GroupId, SenderPathId, SenderRow, SenderSet};
use crate::settled::SettledBytes;

/// Answers about groups that are remembered at most.
const ANSWERS_MAX: usize = 1 << 16;

/// Limits on the work of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Candidates for one question. A group over one message byte is decided after 256 of them.
    pub rounds_max: u32,
    /// Regions that are learnt for one group.
    pub regions_max: usize,
    /// Classes for one state.
    pub classes_max: usize,
    /// Questions by which the example of one class is made smaller.
    pub example_questions_max: u32,
    /// Queries by which the core of one class is made smaller.
    pub core_queries_max: u64,
    /// Count the messages of classes, which may take longer than finding them.
    pub counts: bool,
}

impl Default for SearchLimits {
    fn default() -> Self {
        SearchLimits {
            rounds_max: 300,
            regions_max: 256,
            classes_max: 32,
            example_questions_max: 256,
            core_queries_max: 1024,
            counts: false,
        }
    }
}

/// Counters of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SearchStats {
    /// Questions for Trojan messages.
    pub searches: u64,
    /// Candidates that a sender with inputs could send.
    pub refinements: u64,
    /// Questions whether a row still fits a receiver state, before equal ones are put together.
    pub row_checks: u64,
    /// Those that went to the solver.
    pub row_queries: u64,
    /// Queries about single groups.
    pub group_queries: u64,
    /// Questions that ended without an answer.
    pub undecided: u64,
}

/// The answer to a question for a Trojan message.
#[derive(Clone, Debug)]
pub(crate) enum SearchAnswer {
    /// Senders can send every message that satisfies the conditions.
    Covered,
    /// No sender can send the message of this model.
    Found(Arc<Model>),
    /// Neither could be shown; the message of the model may be one.
    Undecided(Option<Arc<Model>>),
}

/// The answer of a group about some fixed bytes.
#[derive(Clone, Debug)]
pub(crate) enum GroupAnswer {
    /// The group can be satisfied.
    Possible(Arc<Model>),
    Impossible,
    Unknown,
}

/// Bytes of a message that are fixed to the values of a model, as are all shared bytes.
pub(crate) struct FixedBytes<'a> {
    pub(crate) length: u32,
    /// The offsets of the bytes, ascending; `None` for all of them.
    pub(crate) offsets: Option<&'a [u32]>,
    pub(crate) model: &'a Model,
}

/// Bytes with their values.
type ByteValues = Box<[(VarId, u8)]>;

/// Searches for Trojan messages of a set of senders; one a worker. What it learns serves all states.
pub struct TrojanSearch {
    pub(crate) senders: Arc<SenderSet>,
    pub(crate) limits: SearchLimits,
    pub(crate) stats: SearchStats,
    /// For groups with inputs: regions that they can produce.
    regions: Map<GroupId, Vec<TermId>>,
    /// For exact groups: the conjunction of their terms.
    conjunctions: Map<GroupId, TermId>,
    answers: Map<(GroupId, ByteValues), GroupAnswer>,
    /// Terms with settled bytes replaced.
    replaced: Map<(TermId, ByteValues), TermId>,
}

/// The paths that can send a message.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MessageSenders {
    /// Paths that can send it, ascending.
    pub certain: Vec<SenderPathId>,
    /// Paths for which the solver gave up, ascending.
    pub undecided: Vec<SenderPathId>,
}

impl MessageSenders {
    /// Sorts the paths, and names each once. A path that can send a message in one way is certain.
    pub(crate) fn put_in_order(&mut self) {
        let MessageSenders { certain, undecided } = self;
        certain.sort_unstable();
        certain.dedup();
        undecided.sort_unstable();
        undecided.dedup();
        undecided.retain(|path| certain.binary_search(path).is_err());
    }
}

impl TrojanSearch {
    /// A search that has learnt nothing yet.
    pub fn new(senders: Arc<SenderSet>, limits: SearchLimits) -> TrojanSearch {
        TrojanSearch {
            senders,
            limits,
            stats: SearchStats::default(),
            regions: Map::default(),
            conjunctions: Map::default(),
            answers: Map::default(),
            replaced: Map::default(),
        }
    }

    /// The senders.
    pub fn senders(&self) -> &SenderSet {
        &self.senders
    }

    /// The counters so far.
    pub fn stats(&self) -> &SearchStats {
        &self.stats
    }

    /// The paths that can send this message, whatever a receiver makes of it. With shared bytes, for some
    /// values of them.
    pub fn senders_of(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        message: &[u8],
    ) -> Result<MessageSenders, SolverError> {
        let senders = self.senders.clone();
        let length = u32::try_from(message.len()).expect("a message is shorter than 4 GiB");
        let symbol = senders.message(pool, length);
        let mut found = MessageSenders::default();
        for row in senders.rows(length) {
            let groups = row.groups.iter().map(|&id| senders.group(id));
            let mut terms: Vec<TermId> =
                groups.clone().flat_map(|group| group.terms.to_vec()).collect();
            for &offset in groups.flat_map(|group| group.bytes.iter()) {
                let value = u64::from(message[offset as usize]);
                terms.push(pool.eq(pool.byte(symbol, offset), pool.constant(8, value)));
            }
            match chain.solve(pool, &terms)? {
                SolverAnswer::Sat(_) => found.certain.extend(&row.paths),
                SolverAnswer::Unsat => {}
                SolverAnswer::Unknown => found.undecided.extend(&row.paths),
            }
        }
        found.put_in_order();
        Ok(found)
    }

    /// Looks for a message of this length that satisfies all conditions and that none of the rows can
    /// send.
    pub(crate) fn find(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        length: u32,
        rows: &[usize],
        conditions: &[TermId],
    ) -> Result<SearchAnswer, SolverError> {
        self.stats.searches += 1;
        let senders = self.senders.clone();
        let all = senders.rows(length);
        let settled = SettledBytes::new(pool, conditions);
        for _ in 0..self.limits.rounds_max.max(1) {
            pool.interrupt().check();
            let mut terms = settled.conditions(pool);
            for &row in rows {
                terms.push(self.negation(pool, &all[row], &settled));
            }
            let model = match chain.solve(pool, &terms)? {
                SolverAnswer::Unsat => return Ok(SearchAnswer::Covered),
                SolverAnswer::Unknown => return Ok(self.undecided(None)),
                SolverAnswer::Sat(model) => Arc::new(model),
            };
            match self.refine(pool, chain, length, rows, &model)? {
                Refinement::NotSendable => return Ok(SearchAnswer::Found(model)),
                Refinement::Excluded => self.stats.refinements += 1,
                Refinement::Unknown => return Ok(self.undecided(Some(model))),
            }
        }
        Ok(self.undecided(None))
    }

    fn undecided(&mut self, candidate: Option<Arc<Model>>) -> SearchAnswer {
        self.stats.undecided += 1;
        SearchAnswer::Undecided(candidate)
    }

    /// Asks the rows with inputs for a candidate that all exact rows reject.
    fn refine(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        length: u32,
        rows: &[usize],
        model: &Arc<Model>,
    ) -> Result<Refinement, SolverError> {
        let senders = self.senders.clone();
        let mut is_known = true;
        for &row in rows {
            let row = &senders.rows(length)[row];
            let is_rejected = row.groups.iter().map(|&id| senders.group(id)).any(|group| {
                group.is_exact() && !group.terms.iter().all(|&term| pool.eval_bool(term, &**model))
            });
            if is_rejected {
                continue;
            }
            let mut inputs = Vec::new();
            let mut answer = GroupAnswer::Possible(model.clone());
            for &id in row.groups.iter().filter(|&&id| !senders.group(id).is_exact()) {
                let bytes = FixedBytes { length, offsets: None, model };
                answer = self.ask(pool, chain, id, &bytes)?;
                let GroupAnswer::Possible(found) = &answer else { break };
                inputs.push((id, found.clone()));
            }
            match answer {
                GroupAnswer::Impossible => {}
                GroupAnswer::Unknown => is_known = false,
                // A row without inputs cannot come here: the query has excluded what it can send.
                GroupAnswer::Possible(_) if inputs.is_empty() => is_known = false,
                GroupAnswer::Possible(_) => {
                    let learnt = inputs.iter().filter(|(id, found)| self.learn(pool, *id, found));
                    return Ok(match learnt.count() {
                        0 => Refinement::Unknown,
                        _ => Refinement::Excluded,
                    });
                }
            }
        }
        Ok(if is_known { Refinement::NotSendable } else { Refinement::Unknown })
    }

    /// Asks whether a group can be satisfied with these bytes of a message, and with the shared bytes of the
    /// same model.
    pub(crate) fn ask(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        id: GroupId,
        bytes: &FixedBytes<'_>,
    ) -> Result<GroupAnswer, SolverError> {
        let senders = self.senders.clone();
        let (group, symbol) = (senders.group(id), senders.message(pool, bytes.length));
        let is_fixed = |offset: &&u32| match bytes.offsets {
            Some(offsets) => offsets.binary_search(offset).is_ok(),
            None => true,
        };
        let vars = group.bytes.iter().filter(is_fixed);
        let vars = vars.map(|&offset| pool.symbol_var(symbol, offset));
        let vars = vars.chain(group.shared.iter().copied());
        let fixed: ByteValues = vars.map(|var| (var, bytes.model.byte(var))).collect();
        let question = (id, fixed);
        if let Some(answer) = self.answers.get(&question) {
            return Ok(answer.clone());
        }
        let mut terms = group.terms.to_vec();
        terms.extend(
            question
                .1
                .iter()
                .map(|&(var, value)| pool.eq(pool.var(var), pool.constant(8, u64::from(value)))),
        );
        self.stats.group_queries += 1;
        let answer = match chain.solve(pool, &terms)? {
            SolverAnswer::Sat(model) => GroupAnswer::Possible(Arc::new(model)),
            SolverAnswer::Unsat => GroupAnswer::Impossible,
            SolverAnswer::Unknown => return Ok(GroupAnswer::Unknown),
        };
        if self.answers.len() >= ANSWERS_MAX {
            self.answers.clear();
        }
        self.answers.insert(question, answer.clone());
        Ok(answer)
    }

    /// Learns the region of a group for the inputs of a model. Returns `false` if it has too many regions
    /// already, or this one.
    fn learn(&mut self, pool: &Pool, id: GroupId, model: &Model) -> bool {
        let group = self.senders.group(id);
        let regions = self.regions.entry(id).or_default();
        if regions.len() >= self.limits.regions_max {
            return false;
        }
        let fix = |var: VarId| {
            let is_input = group.inputs.binary_search(&var).is_ok();
            is_input.then(|| pool.constant(8, u64::from(model.byte(var))))
        };
        let terms = group.terms.iter().map(|&term| pool.substitute(term, &fix));
        let region = terms.fold(pool.bool(true), |all, term| pool.and(all, term));
        let is_new = !regions.contains(&region);
        if is_new {
            regions.push(region);
        }
        is_new
    }

    /// The condition that a message is none of those that a row is known to send.
    fn negation(&mut self, pool: &Pool, row: &SenderRow, settled: &SettledBytes) -> TermId {
        let mut all = pool.bool(true);
        for &id in &row.groups {
            let group = self.known_messages(pool, id);
            all = pool.and(all, self.replace_settled(pool, group, settled));
            if pool.as_const(all) == Some(0) {
                break;
            }
        }
        pool.not(all)
    }

    /// The condition that no sender can send the message of a state, without a quantifier. `None` if inputs
    /// of a sender that may have sent the message could not be eliminated.
    pub fn ungenerable(&mut self, pool: &Pool, state: &ReceiverState) -> Option<TermId> {
        let senders = self.senders.clone();
        let rows = senders.rows(state.length());
        let mut none = pool.bool(true);
        for &row in state.live().iter() {
            let row = &rows[row];
            if row.groups.iter().any(|id| !senders.group(*id).is_exact()) {
                return None;
            }
            none = pool.and(none, self.negation(pool, row, &SettledBytes::default()));
        }
        Some(none)
    }

    /// The term with settled bytes replaced by their values.
    fn replace_settled(&mut self, pool: &Pool, term: TermId, settled: &SettledBytes) -> TermId {
        let values = settled.values_in(pool, term);
        if values.is_empty() {
            return term;
        }
        if self.replaced.len() >= ANSWERS_MAX {
            self.replaced.clear();
        }
        let replace = || settled.replace(pool, term);
        *self.replaced.entry((term, values)).or_insert_with(replace)
    }

    /// The messages that a group is known to produce: all of them, if it is exact.
    fn known_messages(&mut self, pool: &Pool, id: GroupId) -> TermId {
        let group = self.senders.group(id);
        if group.is_exact() {
            let conjunction = || {
                let terms = group.terms.iter().copied();
                terms.fold(pool.bool(true), |all, term| pool.and(all, term))
            };
            return *self.conjunctions.entry(id).or_insert_with(conjunction);
        }
        let regions = self.regions.get(&id).into_iter().flatten().copied();
        regions.fold(pool.bool(false), |any, region| pool.or(any, region))
    }
}

/// The outcome of asking rows for a candidate.
enum Refinement {
    /// No row can send it.
    NotSendable,
    /// A row can send it, and it is excluded from now on.
    Excluded,
    /// A row may be able to send it.
    Unknown,
}
