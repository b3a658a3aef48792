//! The solver chain: everything that is tried before a backend, and then the backend.
//!
//! A question is "may this term hold, given the constraints of this path?". [`SolverChain::decide`] first
//! slices the constraints down to those that matter, with fixed bytes substituted. The query then goes
//! through layers, the cheapest first, each of which settles it or hands it on:
//!
//! 1. the cache of whole queries,
//! 2. comparisons with constants,
//! 3. known unsatisfiable cores,
//! 4. models that were found lately,
//! 5. enumeration, where the query is about few bytes,
//! 6. a search over intervals, where words are compared with constants,
//! 7. answers of other workers' backends,
//! 8. values drawn at random, where there are products or the like,
//! 9. a backend, chosen by the query's structure. If it has not answered soon, more values are drawn.
//!
//! [`SolverStats`] counts the questions that each layer settled, and [`ChainOptions`] switches each layer
//! off. Answers never depend on the layers; only models and time do.
//!
//! Not here: the path's own model, which settles most questions before they get here
//! (`path/condition.rs`).

mod answers;
mod choice;
mod cores;
mod enumerate;
mod exact;
mod generations;
mod key;
mod ranges;
mod recent;
mod slice;
mod stats;
#[cfg(test)]
mod tests;
mod words;

use std::sync::Arc;
use std::time::Duration;

use everett_base::Interrupt;
use everett_expr::{Pool, TermId};

pub use self::answers::SharedAnswers;
use self::choice::BackendChooser;
use self::cores::CoreCache;
use self::enumerate::{ByteEnumerator, CompileRefusal, SamplingEffort};
use self::exact::{DefiniteAnswer, ExactCache};
use self::key::KeyBuf;
use self::recent::RecentModels;
use self::slice::QuerySlicer;
pub use self::stats::{BackendStats, SolverStats};
use self::words::WordComparisons;
use crate::backend::{Backend, Bitblast, Boolector, CheckingBackend, SolverAnswer};
use crate::budget::{MonotonicClock, QueryBudget};
use crate::error::SolverError;
use crate::model::{Model, PersistentModel};
use crate::path::ConstraintList;

/// Terms in the keys of one generation of the cache of whole queries: 16 MiB of ids.
const EXACT_TERMS: usize = 4 << 20;
/// Terms that cores are filed under, at most.
const CORE_TERMS: usize = 1 << 18;

/// Conflicts of the first backend after which the second one gets its turn: a few seconds.
const FIRST_TURN_CONFLICTS: u64 = 20_000;
/// Conflicts of the first backend after which values are drawn at random: a few milliseconds.
const CONFLICTS_BEFORE_SAMPLING: u64 = 500;
/// The name in the statistics for enumerations that used up their budget.
const ENUMERATION: &str = "enumeration";
/// The name in the statistics for values that were drawn at random.
const SAMPLING: &str = "sampling";

/// The backend that decides the queries that the layers could not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum BackendChoice {
    /// The one that measurements favour for the query's structure.
    #[default]
    Auto,
    /// Always our bit-blaster.
    Bitblast,
    /// Always Boolector.
    Boolector,
    /// Both, compared.
    Checking,
}

/// The layers of the chain that are on; by default all of them.
#[derive(Clone, Debug)]
pub struct ChainOptions {
    /// Leave out constraints that share no byte with the question.
    pub independence: bool,
    /// Replace bytes that equalities have fixed.
    pub substitution: bool,
    /// Decide comparisons with constants.
    pub ranges: bool,
    /// Remember whole queries.
    pub exact_cache: bool,
    /// Remember unsatisfiable cores.
    pub core_reuse: bool,
    /// Try models that were found lately.
    pub model_reuse: bool,
    /// Try all values where a query is about few bytes.
    pub enumeration: bool,
    /// Draw values at random where a query is hard to solve.
    pub sampling: bool,
    /// Evaluate every model that a backend gives.
    pub verify_models: bool,
    /// The backend to use.
    pub backend: BackendChoice,
    /// The most time for one query, by the chain's clock.
    pub query_time: Option<Duration>,
    /// The most conflicts of the SAT solver for one query; deterministic, unlike time.
    pub query_conflicts: Option<u64>,
    /// Once the run ends, queries give up at once.
    pub interrupt: Interrupt,
}

impl Default for ChainOptions {
    fn default() -> Self {
        ChainOptions {
            independence: true,
            substitution: true,
            ranges: true,
            exact_cache: true,
            core_reuse: true,
            model_reuse: true,
            enumeration: true,
            sampling: true,
            verify_models: cfg!(debug_assertions),
            backend: BackendChoice::Auto,
            query_time: None,
            query_conflicts: None,
            interrupt: Interrupt::new(),
        }
    }
}

impl ChainOptions {
    /// Every layer off: each question goes whole to the backend.
    pub fn bare() -> ChainOptions {
        ChainOptions {
            independence: false,
            substitution: false,
            ranges: false,
            exact_cache: false,
            core_reuse: false,
            model_reuse: false,
            enumeration: false,
            sampling: false,
            ..ChainOptions::default()
        }
    }
}

fn budget(options: &ChainOptions, clock: &MonotonicClock) -> QueryBudget {
    let mut budget = match options.query_time {
        Some(limit) => QueryBudget::time(clock.clone(), limit),
        None => QueryBudget::unlimited(),
    };
    if let Some(limit) = options.query_conflicts {
        budget = budget.with_conflicts(limit);
    }
    budget.with_interrupt(options.interrupt.clone())
}

/// The answer of the chain to a question.
#[derive(Clone, Debug)]
pub(crate) enum ChainAnswer {
    /// Yes: the path's model with these values laid over it.
    Sat(Arc<Model>),
    Unsat,
    Unknown,
}

/// The one that found the answer to a query, or the last one that did not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AnsweredBy {
    First,
    Second,
    Sampling,
}

/// The layers and backends of one worker; serves one [`Pool`].
pub struct SolverChain {
    options: ChainOptions,
    clock: MonotonicClock,
    budget: QueryBudget,
    first: Box<dyn Backend>,
    /// With [`BackendChoice::Auto`], the other backend, and the chooser between the two.
    second: Option<(Box<dyn Backend>, BackendChooser)>,
    slicer: QuerySlicer,
    exact: ExactCache,
    cores: CoreCache,
    recent: RecentModels,
    words: WordComparisons,
    enumerator: ByteEnumerator,
    /// Answers of the backends of other workers.
    answers: Option<Arc<SharedAnswers>>,
    stats: SolverStats,
    slice: Vec<TermId>,
}

impl SolverChain {
    /// A chain with the backends that the options name. The clock serves time limits and
    /// statistics.
    pub fn new(options: ChainOptions, clock: MonotonicClock) -> SolverChain {
        let bitblast = || Box::new(Bitblast::new()) as Box<dyn Backend>;
        let boolector = || Box::new(Boolector::new()) as Box<dyn Backend>;
        let (first, second) = match options.backend {
            BackendChoice::Auto => (bitblast(), Some((boolector(), BackendChooser::default()))),
            BackendChoice::Bitblast => (bitblast(), None),
            BackendChoice::Boolector => (boolector(), None),
            BackendChoice::Checking => {
                (Box::new(CheckingBackend::new(bitblast(), boolector())) as Box<dyn Backend>, None)
            }
        };
        SolverChain { second, ..SolverChain::with_backend(options, clock, first) }
    }

    /// A chain over a backend of one's own; [`ChainOptions::backend`] is ignored.
    pub fn with_backend(
        options: ChainOptions,
        clock: MonotonicClock,
        backend: Box<dyn Backend>,
    ) -> SolverChain {
        let budget = budget(&options, &clock);
        SolverChain {
            options,
            clock,
            budget,
            first: backend,
            second: None,
            slicer: QuerySlicer::default(),
            exact: ExactCache::new(EXACT_TERMS),
            cores: CoreCache::new(CORE_TERMS),
            recent: RecentModels::default(),
            words: WordComparisons::default(),
            enumerator: ByteEnumerator::default(),
            answers: None,
            stats: SolverStats::default(),
            slice: Vec::new(),
        }
    }

    /// Shares answers of backends with other chains that serve the same pool.
    pub fn share(&mut self, answers: Arc<SharedAnswers>) {
        self.answers = self.options.exact_cache.then_some(answers);
    }

    /// Changes how long a query may take.
    pub fn set_query_time(&mut self, limit: Option<Duration>) {
        if self.options.query_time != limit {
            self.options.query_time = limit;
            self.budget = budget(&self.options, &self.clock);
        }
    }

    /// Returns the counters of the layers so far.
    pub fn stats(&self) -> &SolverStats {
        &self.stats
    }

    /// Goes on with the counters of another chain.
    pub fn set_stats(&mut self, stats: SolverStats) {
        self.stats = stats;
    }

    /// Returns `true` if queries are given up because memory is far above its limit.
    pub fn is_short_of_memory(&self) -> bool {
        self.budget.is_short_of_memory()
    }

    /// Returns the reason for which the last query has no answer.
    pub(crate) fn unanswered(&self) -> SolverError {
        if self.is_short_of_memory() {
            return SolverError::MemoryReached;
        }
        SolverError::BudgetReached
    }

    /// The options that the chain was made with.
    pub fn options(&self) -> &ChainOptions {
        &self.options
    }

    pub(crate) fn stats_mut(&mut self) -> &mut SolverStats {
        &mut self.stats
    }

    /// Returns whether these terms can hold together, whatever path they come from: each group of terms
    /// that share bytes is decided by itself.
    pub fn solve(&mut self, pool: &Pool, terms: &[TermId]) -> Result<SolverAnswer, SolverError> {
        let mut conjuncts = Vec::new();
        terms.iter().for_each(|&term| split_conjunction(pool, term, &mut conjuncts));
        if conjuncts.iter().any(|&term| pool.as_const(term) == Some(0)) {
            return Ok(SolverAnswer::Unsat);
        }
        conjuncts.retain(|&term| !pool.is_const(term));
        let groups = if self.options.independence {
            slice::groups(pool, &conjuncts)
        } else {
            Vec::from_iter((!conjuncts.is_empty()).then_some(conjuncts))
        };
        let mut values = Vec::new();
        let mut all_known = true;
        let nowhere = PersistentModel::new();
        for mut group in groups {
            let query = group.pop().expect("a group has at least one term");
            self.stats.questions += 1;
            match self.decide_slice(pool, &nowhere, &group, query)? {
                ChainAnswer::Sat(model) => values.extend(model.iter()),
                ChainAnswer::Unsat => return Ok(SolverAnswer::Unsat),
                ChainAnswer::Unknown => all_known = false,
            }
        }
        Ok(if all_known { SolverAnswer::Sat(Model::new(values)) } else { SolverAnswer::Unknown })
    }

    /// The term with the bytes that the path has fixed replaced, unless that is switched off.
    pub(crate) fn substitute(
        &mut self,
        pool: &Pool,
        model: &PersistentModel,
        term: TermId,
    ) -> TermId {
        if !self.options.substitution {
            return term;
        }
        self.slicer.replace_fixed(pool, model, term)
    }

    /// Returns whether `query` can hold together with the constraints, which `model` satisfies.
    pub(crate) fn decide(
        &mut self,
        pool: &Pool,
        constraints: &ConstraintList,
        model: &PersistentModel,
        query: TermId,
    ) -> Result<ChainAnswer, SolverError> {
        let slice = self.slice(pool, constraints, model, query);
        let decision = self.decide_slice(pool, model, &slice, query);
        self.slice = slice;
        decision
    }

    /// Hands over the values of a term on a path, in no particular order and some of them more than once.
    /// Answers `false` if they cannot be told by enumeration, having handed over some of them or none.
    pub(crate) fn enumerate_values(
        &mut self,
        pool: &Pool,
        constraints: &ConstraintList,
        model: &PersistentModel,
        term: TermId,
        take: &mut dyn FnMut(&[u64]),
    ) -> Result<bool, SolverError> {
        if !self.options.enumeration || pool.width(term) > 64 {
            return Ok(false);
        }
        let slice = self.slice(pool, constraints, model, term);
        self.budget.begin();
        let done = self.enumerator.for_each_value(pool, &slice, term, &self.budget, take);
        self.slice = slice;
        match done {
            Ok(()) => {
                self.stats.questions += 1;
                self.stats.by_enumeration += 1;
                Ok(true)
            }
            Err(CompileRefusal::TooDear) => Ok(false),
            Err(CompileRefusal::OutOfTime) => {
                self.stats.questions += 1;
                self.stats.backend(ENUMERATION).unknown += 1;
                Err(self.unanswered())
            }
        }
    }

    /// The constraints that matter to a term, oldest first.
    fn slice(
        &mut self,
        pool: &Pool,
        constraints: &ConstraintList,
        model: &PersistentModel,
        term: TermId,
    ) -> Vec<TermId> {
        let mut slice = std::mem::take(&mut self.slice);
        if self.options.independence {
            let fixed = self.options.substitution.then_some(model);
            self.slicer.slice(pool, constraints, fixed, term, &mut slice);
        } else {
            slice.clear();
            slice.extend(constraints.iter());
            slice.reverse();
        }
        self.stats.sliced_constraints += slice.len() as u64;
        self.stats.path_constraints += constraints.len() as u64;
        slice
    }

    /// The layers after slicing.
    fn decide_slice(
        &mut self,
        pool: &Pool,
        model: &PersistentModel,
        slice: &[TermId],
        query: TermId,
    ) -> Result<ChainAnswer, SolverError> {
        let key = KeyBuf::new(slice, query);
        if self.options.exact_cache
            && let Some(verdict) = self.exact.get(&key)
        {
            self.stats.by_exact_cache += 1;
            return Ok(verdict.into());
        }
        if self.options.ranges && ranges::refute(pool, slice, query) {
            self.stats.by_ranges += 1;
            return Ok(ChainAnswer::Unsat);
        }
        if self.options.core_reuse && self.cores.refute(key.terms(), query) {
            self.stats.by_core += 1;
            return Ok(ChainAnswer::Unsat);
        }
        if self.options.model_reuse
            && let Some(found) = self.recent.find(pool, model, slice, query)
        {
            self.stats.by_recent_model += 1;
            let found = Arc::new(found);
            self.remember(&key, DefiniteAnswer::Sat(found.clone()));
            return Ok(ChainAnswer::Sat(found));
        }
        // So far everything was a look-up. From here on a query may take long, so its time begins now.
        self.budget.begin();
        if self.options.enumeration {
            match self.enumerator.decide(pool, slice, query, &self.budget) {
                Ok(verdict) => {
                    self.stats.by_enumeration += 1;
                    self.remember(&key, verdict.clone());
                    return Ok(verdict.into());
                }
                Err(CompileRefusal::OutOfTime) => {
                    self.stats.backend(ENUMERATION).unknown += 1;
                    return Ok(ChainAnswer::Unknown);
                }
                Err(CompileRefusal::TooDear) => {}
            }
        }
        if self.options.ranges
            && let Some(verdict) = self.words.decide(pool, slice, query)
        {
            self.stats.by_ranges += 1;
            self.remember(&key, verdict.clone());
            return Ok(verdict.into());
        }
        if let Some(verdict) = self.answers.as_ref().and_then(|answers| answers.get(&key)) {
            self.stats.by_exact_cache += 1;
            self.remember(&key, verdict.clone());
            return Ok(verdict.into());
        }
        let mut assertions = Vec::with_capacity(slice.len() + 1);
        assertions.extend_from_slice(slice);
        assertions.push(query);
        self.search(pool, model, &assertions, &key)
    }

    /// Looks for a solution of terms about which nothing is known.
    fn search(
        &mut self,
        pool: &Pool,
        model: &PersistentModel,
        assertions: &[TermId],
        key: &KeyBuf,
    ) -> Result<ChainAnswer, SolverError> {
        // Boolector cannot be interrupted while it solves, so a spent budget is noticed here.
        if self.budget.is_spent() {
            return Ok(ChainAnswer::Unknown);
        }
        let started = self.clock.now();
        let (answer, by) = match self.sample(pool, model, assertions, SamplingEffort::Brief) {
            Some(found) => (SolverAnswer::Sat(found), AnsweredBy::Sampling),
            None => self.take_turns(pool, model, assertions)?,
        };
        let time = self.clock.now().saturating_sub(started);
        let (name, core) = match (by, &self.second) {
            (AnsweredBy::Sampling, _) => (SAMPLING, &[][..]),
            (AnsweredBy::Second, Some((second, _))) => (second.name(), second.core()),
            _ => (self.first.name(), self.first.core()),
        };
        if self.options.verify_models {
            crate::backend::verify_model(pool, assertions, &answer, name)?;
        }
        if self.options.core_reuse && answer == SolverAnswer::Unsat {
            self.cores.insert(if core.is_empty() { assertions } else { core });
        }
        let counters = self.stats.backend(name);
        counters.time += time;
        counters.time_max = counters.time_max.max(time);
        match answer {
            SolverAnswer::Sat(model) => {
                counters.sat += 1;
                let model = Arc::new(model);
                self.learn(key, DefiniteAnswer::Sat(model.clone()));
                if self.options.model_reuse {
                    self.recent.insert(&model);
                }
                Ok(ChainAnswer::Sat(model))
            }
            SolverAnswer::Unsat => {
                counters.unsat += 1;
                self.learn(key, DefiniteAnswer::Unsat);
                Ok(ChainAnswer::Unsat)
            }
            // Not remembered: it says something about the budget, and nothing about the terms.
            SolverAnswer::Unknown => {
                counters.unknown += 1;
                Ok(ChainAnswer::Unknown)
            }
        }
    }

    /// Draws values at random. A refusal is no answer: the backends have their turn, and the time of the
    /// query goes on.
    fn sample(
        &mut self,
        pool: &Pool,
        model: &PersistentModel,
        assertions: &[TermId],
        effort: SamplingEffort,
    ) -> Option<Model> {
        if !self.options.sampling {
            return None;
        }
        self.enumerator.sample(pool, model, assertions, effort, &self.budget).unwrap_or(None)
    }

    /// Asks the backends.
    ///
    /// The backend that suits the query begins. The first turns of the first backend are limited by
    /// conflicts, not by time, so a query that it decides in these turns has the same answer on every
    /// machine. Between the two, values are drawn at random: a query that has many solutions and is hard to
    /// solve ends there. A query that is left undecided goes to the second backend for half of the time that
    /// is left, and then back to the first, which goes on with the clauses that it has learnt.
    fn take_turns(
        &mut self,
        pool: &Pool,
        model: &PersistentModel,
        assertions: &[TermId],
    ) -> Result<(SolverAnswer, AnsweredBy), SolverError> {
        let prefers_second = match &mut self.second {
            None => false,
            Some((_, chooser)) => match chooser.prefers_boolector(pool, assertions, &self.budget) {
                Some(prefers_second) => prefers_second,
                None => return Ok((SolverAnswer::Unknown, AnsweredBy::First)),
            },
        };
        let conflicts_max = self.options.query_conflicts.unwrap_or(u64::MAX);
        if self.options.sampling && !prefers_second && conflicts_max > CONFLICTS_BEFORE_SAMPLING {
            let turn = self.budget.clone().with_conflicts(CONFLICTS_BEFORE_SAMPLING);
            let answer = self.first.check(pool, assertions, &turn)?;
            if answer != SolverAnswer::Unknown || self.budget.is_spent() {
                return Ok((answer, AnsweredBy::First));
            }
            if let Some(found) = self.sample(pool, model, assertions, SamplingEffort::Thorough) {
                return Ok((SolverAnswer::Sat(found), AnsweredBy::Sampling));
            }
        }
        let Some((second, _)) = &mut self.second else {
            return Ok((self.first.check(pool, assertions, &self.budget)?, AnsweredBy::First));
        };
        if self.budget.time_left().is_none() || self.options.query_conflicts.is_some() {
            // There is nothing to share out: only the clock ends a turn of the second backend.
            let (backend, by) = match prefers_second {
                true => (second, AnsweredBy::Second),
                false => (&mut self.first, AnsweredBy::First),
            };
            return Ok((backend.check(pool, assertions, &self.budget)?, by));
        }
        if !prefers_second {
            let turn = self.budget.clone().with_conflicts(FIRST_TURN_CONFLICTS);
            let answer = self.first.check(pool, assertions, &turn)?;
            if answer != SolverAnswer::Unknown {
                return Ok((answer, AnsweredBy::First));
            }
        }
        for by in [AnsweredBy::Second, AnsweredBy::First] {
            let left = self.budget.time_left().unwrap_or_default();
            let is_second = by == AnsweredBy::Second;
            let time = if is_second { left / 2 } else { left };
            if time.is_zero() || self.budget.is_spent() {
                break;
            }
            let backend = if is_second { &mut *second } else { &mut self.first };
            let answer = backend.check(pool, assertions, &self.budget.with_time(time))?;
            if answer != SolverAnswer::Unknown {
                return Ok((answer, by));
            }
        }
        Ok((SolverAnswer::Unknown, AnsweredBy::First))
    }

    /// Remembers the answer of a backend, and shares it with other workers.
    fn learn(&mut self, key: &KeyBuf, verdict: DefiniteAnswer) {
        if let Some(answers) = &self.answers {
            answers.insert(key, verdict.clone());
        }
        self.remember(key, verdict);
    }

    fn remember(&mut self, key: &KeyBuf, verdict: DefiniteAnswer) {
        if self.options.exact_cache {
            self.exact.insert(key, verdict);
        }
    }
}

impl From<DefiniteAnswer> for ChainAnswer {
    fn from(verdict: DefiniteAnswer) -> ChainAnswer {
        match verdict {
            DefiniteAnswer::Sat(model) => ChainAnswer::Sat(model),
            DefiniteAnswer::Unsat => ChainAnswer::Unsat,
        }
    }
}

/// Splits a term into its conjuncts: the operands of `and`, and the negated operands of a negated `or`.
pub(crate) fn split_conjunction(pool: &Pool, term: TermId, conjuncts: &mut Vec<TermId>) {
    use everett_expr::{BinOp, TermNode, UnOp};
    debug_assert_eq!(pool.width(term), 1, "a constraint has width 1");
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match pool.node(term) {
            TermNode::Binary(BinOp::And, a, b) => stack.extend([b, a]),
            TermNode::Unary(UnOp::Not, inner) => match pool.node(inner) {
                TermNode::Binary(BinOp::Or, a, b) => stack.extend([pool.not(b), pool.not(a)]),
                _ => conjuncts.push(term),
            },
            _ => conjuncts.push(term),
        }
    }
}
