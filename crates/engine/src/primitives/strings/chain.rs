//! The places at which a search can stop.
//!
//! A search goes through positions in order. At each of them it may stop under a condition, with an
//! outcome; the first condition that holds decides. A [`StopSearch`] collects what can happen and ends
//! in a [`StopChain`]: an `ite` over these conditions, or, when the path forks over them, one outcome.

use everett_expr::{Pool, TermId};
use everett_interp::{Bug, Flow, Halt, PathEnding, ValueUse};
use everett_memory::ByteValue;

use super::StringCall;
use crate::api::config::StringMode;
use crate::state::node_state::{Interpreter, PathState};

/// Conditions in one chain, and forks in one execution of a call.
pub(super) const MAX_LINKS: usize = 256;

/// The truth of a statement about bytes: known, or a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ByteTruth {
    No,
    Yes,
    Maybe(TermId),
}

impl ByteTruth {
    pub(super) fn of(pool: &Pool, term: TermId) -> ByteTruth {
        match pool.as_const(term) {
            Some(0) => ByteTruth::No,
            Some(_) => ByteTruth::Yes,
            None => ByteTruth::Maybe(term),
        }
    }

    pub(super) fn and(self, pool: &Pool, other: ByteTruth) -> ByteTruth {
        match (self, other) {
            (ByteTruth::No, _) | (_, ByteTruth::No) => ByteTruth::No,
            (ByteTruth::Yes, truth) | (truth, ByteTruth::Yes) => truth,
            (ByteTruth::Maybe(a), ByteTruth::Maybe(b)) => ByteTruth::of(pool, pool.and(a, b)),
        }
    }

    pub(super) fn or(self, pool: &Pool, other: ByteTruth) -> ByteTruth {
        match (self, other) {
            (ByteTruth::Yes, _) | (_, ByteTruth::Yes) => ByteTruth::Yes,
            (ByteTruth::No, truth) | (truth, ByteTruth::No) => truth,
            (ByteTruth::Maybe(a), ByteTruth::Maybe(b)) => ByteTruth::of(pool, pool.or(a, b)),
        }
    }

    pub(super) fn not(self, pool: &Pool) -> ByteTruth {
        match self {
            ByteTruth::No => ByteTruth::Yes,
            ByteTruth::Yes => ByteTruth::No,
            ByteTruth::Maybe(term) => ByteTruth::Maybe(pool.not(term)),
        }
    }
}

impl From<bool> for ByteTruth {
    fn from(value: bool) -> ByteTruth {
        if value { ByteTruth::Yes } else { ByteTruth::No }
    }
}

/// Returns `true` if two bytes are equal.
pub(super) fn equal(pool: &Pool, a: ByteValue, b: ByteValue) -> ByteTruth {
    match (a, b) {
        (ByteValue::Concrete(a), ByteValue::Concrete(b)) => (a == b).into(),
        _ => ByteTruth::of(pool, pool.eq(byte_term(pool, a), byte_term(pool, b))),
    }
}

/// Returns `true` if a byte is zero.
pub(super) fn is_zero(pool: &Pool, byte: ByteValue) -> ByteTruth {
    equal(pool, byte, ByteValue::Concrete(0))
}

/// A byte as a term of width 8.
pub(super) fn byte_term(pool: &Pool, byte: ByteValue) -> TermId {
    match byte {
        ByteValue::Concrete(byte) => pool.constant(8, byte.into()),
        ByteValue::Symbolic(term) => term,
    }
}

/// Where a search stops: at the first link whose condition holds, else at the last outcome.
pub(super) struct StopChain<R> {
    pub(super) links: Vec<(TermId, R)>,
    pub(super) last: R,
}

/// A search in progress.
pub(super) struct StopSearch<R> {
    links: Vec<(TermId, R)>,
    last: Option<R>,
    /// Under which condition the position that is looked at exists.
    pub(super) guard: ByteTruth,
    forks: usize,
    /// The position behind the last one that a limit was compared with.
    next: u64,
}

/// The gap between two positions that a limit is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PassedGap {
    Nothing,
    /// Positions at which the search could not stop but for the limit.
    Some,
}

impl<R> StopSearch<R> {
    pub(super) fn new() -> StopSearch<R> {
        StopSearch { links: Vec::new(), last: None, guard: ByteTruth::Yes, forks: 0, next: 0 }
    }

    /// A limit is compared with a position: what was left out since it was last.
    pub(super) fn pass(&mut self, position: u64) -> PassedGap {
        let passed = if position == self.next { PassedGap::Nothing } else { PassedGap::Some };
        self.next = position + 1;
        passed
    }

    /// The search stops here for good, if it has come so far.
    pub(super) fn close(mut self, outcome: R) -> StopChain<R> {
        self.last = Some(outcome);
        self.chain()
    }

    /// The chain of a search that has stopped.
    pub(super) fn chain(mut self) -> StopChain<R> {
        let last = self.last.take().or_else(|| Some(self.links.pop()?.1));
        StopChain {
            links: self.links,
            last: last.expect("a search that has stopped has an outcome"),
        }
    }

    /// The search stops here if the condition holds. True if it goes no further.
    pub(super) fn stop(
        &mut self,
        call: &mut StringCall<'_, '_>,
        stops: ByteTruth,
        outcome: R,
    ) -> Result<bool, Halt> {
        let pool = call.cx.pool;
        let term = match self.guard.and(pool, stops) {
            ByteTruth::No => return Ok(false),
            ByteTruth::Yes => {
                self.last = Some(outcome);
                return Ok(true);
            }
            ByteTruth::Maybe(term) => {
                if pool.mentions_undefined(term) {
                    // The search decides by it, unless it has stopped before.
                    let goes_on = pool.not(self.any(call.cx));
                    call.cx.use_term(call.st, pool.and(goes_on, term), ValueUse::Branch);
                }
                call.st.path.simplify(pool, term)
            }
        };
        match (pool.as_const(term), call.mode) {
            (Some(0), _) => Ok(false),
            (Some(_), _) => {
                self.last = Some(outcome);
                Ok(true)
            }
            (None, StringMode::Fork) => self.fork(call, term, outcome),
            (None, StringMode::Expression | StringMode::Auto) => {
                self.links.push((term, outcome));
                if self.links.len() < MAX_LINKS { Ok(false) } else { self.split_block(call) }
            }
        }
    }

    /// Splits off the paths that stop here; they execute the call again.
    fn fork(
        &mut self,
        call: &mut StringCall<'_, '_>,
        stops: TermId,
        outcome: R,
    ) -> Result<bool, Halt> {
        let before = call.cx.siblings.len();
        if call.cx.split_sibling(call.st, stops)? {
            self.last = Some(outcome);
            return Ok(true);
        }
        self.forks += call.cx.siblings.len() - before;
        if self.forks >= MAX_LINKS {
            // The siblings get their turn before the rest of a long string is looked at.
            return Err(Flow::Jump(call.st.pc()).into());
        }
        Ok(false)
    }

    /// Splits off the paths that do not stop at one of the links, which are as many as a chain may
    /// have; they look further when they execute the call again.
    fn split_block(&mut self, call: &mut StringCall<'_, '_>) -> Result<bool, Halt> {
        let beyond = call.cx.pool.not(self.any(call.cx));
        if call.cx.split_sibling(call.st, beyond)? {
            self.links.clear();
            return Ok(false);
        }
        Ok(true)
    }

    fn any(&self, cx: &Interpreter<'_>) -> TermId {
        let conditions = self.links.iter().map(|(condition, _)| *condition);
        conditions.fold(cx.pool.bool(false), |any, condition| cx.pool.or(any, condition))
    }

    /// The search must have stopped before it came here: paths on which it did not end in the bug.
    pub(super) fn must_have_stopped(
        self,
        call: &mut StringCall<'_, '_>,
        bug: impl FnOnce(&mut Interpreter<'_>, &PathState) -> Bug,
    ) -> Result<StopChain<R>, Halt> {
        if self.links.is_empty() {
            let bug = bug(call.cx, call.st);
            return Err(Flow::End(PathEnding::Bug(Box::new(bug))).into());
        }
        let stopped = self.any(call.cx);
        call.cx.require(call.st, stopped, bug)?;
        Ok(self.chain())
    }
}

impl StringCall<'_, '_> {
    /// Makes a chain one outcome, forking over all of them.
    pub(super) fn settle_chain<R: Copy>(&mut self, chain: &StopChain<R>) -> Result<R, Halt> {
        for (stops, outcome) in &chain.links {
            if self.cx.split_sibling(self.st, *stops)? {
                return Ok(*outcome);
            }
        }
        Ok(chain.last)
    }
}
