//! [`ReceiverState`]: what a path of the receiver has found out about the message so far.
//!
//! A state begins with a message of unconstrained bytes. Each branch on message bytes adds one condition. If
//! senders can send everything that the state still accepts, nothing behind it is new, and the receiver need
//! not be explored further there.
//!
//! The state keeps a Trojan message, which answers that question as long as it satisfies new conditions.
//! Otherwise, sender rows that contradict the conditions are dropped for good, and the rest is asked. A row
//! is asked about the groups that new conditions touch, directly or by way of older ones, and rows with the
//! same groups there are asked once.

use std::sync::Arc;

use everett_base::Map;
use everett_expr::{Pool, Support, TermId};
use everett_solver::{Model, SolverAnswer, SolverChain, SolverError};

use crate::search::{SearchAnswer, TrojanSearch};
use crate::sender::{GroupId, SenderRow};

/// The messages of a state, compared with what senders can send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Senders can send every message of the state: there is nothing to be found behind it.
    Covered,
    /// The state has a message that no sender can send.
    Trojan,
    /// Neither could be shown within the limits.
    Undecided,
}

/// Conditions that share bytes, and none with those of other components.
#[derive(Debug)]
struct Component {
    terms: Vec<TermId>,
    support: Support,
}

/// The conditions of a receiver's path on the message that it has received. Cloned where the path forks.
#[derive(Clone, Debug)]
pub struct ReceiverState {
    length: u32,
    components: Vec<Arc<Component>>,
    /// Conditions that were added after rows were last dropped, oldest first.
    newest: Vec<TermId>,
    /// The numbers of the rows that do not contradict the conditions, ascending.
    live: Arc<[usize]>,
    coverage: Coverage,
    /// A Trojan message of the state, with the values of all other bytes.
    witness: Option<Arc<Model>>,
}

impl ReceiverState {
    /// The length of the message.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The result of the last condition.
    pub fn coverage(&self) -> Coverage {
        self.coverage
    }

    /// The number of different ways of senders to send a message of this state.
    pub fn live_row_count(&self) -> usize {
        self.live.len()
    }

    pub(crate) fn live(&self) -> &Arc<[usize]> {
        &self.live
    }

    /// All conditions, grouped by the bytes that they share.
    pub(crate) fn conditions(&self) -> Vec<TermId> {
        self.components.iter().flat_map(|component| component.terms.iter().copied()).collect()
    }

    /// Adds a condition.
    fn push(&mut self, pool: &Pool, condition: TermId) {
        let mut support = pool.support(condition).clone();
        let mut terms = Vec::new();
        self.components.retain(|component| {
            let is_met = component.support.intersects(pool.support(condition));
            if is_met {
                terms.extend_from_slice(&component.terms);
                support = support.union(&component.support);
            }
            !is_met
        });
        terms.push(condition);
        self.components.push(Arc::new(Component { terms, support }));
        self.newest.push(condition);
    }
}

/// A part of a row, and of a state, that a new condition may have made contradictory.
#[derive(PartialEq, Eq)]
struct AffectedPart {
    /// Groups of the row, ascending.
    groups: Vec<GroupId>,
    /// Conditions of the state.
    terms: Vec<TermId>,
}

impl TrojanSearch {
    /// The state of a receiver that has received a message of this length and not looked at it.
    pub fn receive(&self, length: u32) -> ReceiverState {
        ReceiverState {
            length,
            components: Vec::new(),
            newest: Vec::new(),
            live: (0..self.senders.rows(length).len()).collect(),
            coverage: Coverage::Undecided,
            witness: None,
        }
    }

    /// Adds a condition of width 1 to a state, as a branch does, and returns what the state is then. A
    /// condition may mention bytes of the message, shared bytes, and inputs of the receiver.
    pub fn assume(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        state: &mut ReceiverState,
        condition: TermId,
    ) -> Result<Coverage, SolverError> {
        self.assume_unasked(pool, state, condition);
        self.cover(pool, chain, state)
    }

    /// Adds a condition without asking anything.
    pub fn assume_unasked(&self, pool: &Pool, state: &mut ReceiverState, condition: TermId) {
        assert_eq!(pool.width(condition), 1, "a condition has width 1");
        if state.coverage != Coverage::Covered && pool.as_const(condition) != Some(1) {
            state.push(pool, condition);
            state.coverage = Coverage::Undecided;
        }
    }

    /// Compares the messages of a state with those that senders can send.
    pub fn cover(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        state: &mut ReceiverState,
    ) -> Result<Coverage, SolverError> {
        if state.coverage == Coverage::Covered {
            return Ok(Coverage::Covered);
        }
        let conditions = state.conditions();
        let holds = |model: &Arc<Model>| {
            conditions.iter().all(|&condition| pool.eval_bool(condition, &**model))
        };
        if state.witness.as_ref().is_some_and(holds) {
            state.coverage = Coverage::Trojan;
            return Ok(Coverage::Trojan);
        }
        self.drop_rows(pool, chain, state)?;
        let answer = self.find(pool, chain, state.length, &state.live, &conditions)?;
        (state.coverage, state.witness) = match answer {
            SearchAnswer::Covered => (Coverage::Covered, None),
            SearchAnswer::Found(model) => (Coverage::Trojan, Some(model)),
            SearchAnswer::Undecided(_) => (Coverage::Undecided, None),
        };
        Ok(state.coverage)
    }

    /// Drops the rows that contradict a state with its newest conditions.
    ///
    /// A row is first asked about these conditions alone, with the groups that share bytes with them, and
    /// only then about everything that hangs together: a checksum makes that the whole message.
    fn drop_rows(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        state: &mut ReceiverState,
    ) -> Result<(), SolverError> {
        let newest = std::mem::take(&mut state.newest);
        let is_new =
            |component: &&Arc<Component>| component.terms.iter().any(|term| newest.contains(term));
        let changed: Vec<Arc<Component>> =
            state.components.iter().filter(is_new).cloned().collect();
        for component in changed {
            self.drop_rows_of(pool, chain, state, &component, &newest)?;
        }
        Ok(())
    }

    /// Drops the rows that contradict a component with new conditions.
    fn drop_rows_of(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        state: &mut ReceiverState,
        changed: &Arc<Component>,
        newest: &[TermId],
    ) -> Result<(), SolverError> {
        let senders = self.senders.clone();
        let rows = senders.rows(state.length);
        let terms = changed.terms.iter().copied().filter(|term| newest.contains(term));
        let terms: Vec<TermId> = terms.collect();
        let supports = terms.iter().map(|&term| pool.support(term));
        let support = supports.fold(Support::default(), |all, support| all.union(support));
        let (mut directly, mut altogether) = (Map::default(), Map::default());
        let mut live = Vec::with_capacity(state.live.len());
        for &row in state.live.iter() {
            pool.interrupt().check();
            self.stats.row_checks += 1;
            let met = |id: &GroupId| senders.group(*id).support.intersects(&support);
            let groups: Vec<GroupId> = rows[row].groups.iter().copied().filter(met).collect();
            let direct = AffectedPart { groups, terms: terms.clone() };
            if !self.fits(pool, chain, &direct, &mut directly)? {
                continue;
            }
            let part = self.affected_part(state, &rows[row], changed);
            if part == direct || self.fits(pool, chain, &part, &mut altogether)? {
                live.push(row);
            }
        }
        if live.len() < state.live.len() {
            state.live = live.into();
        }
        Ok(())
    }

    /// The groups of a row that share bytes with a component, directly or by way of others.
    fn affected_part(
        &self,
        state: &ReceiverState,
        row: &SenderRow,
        changed: &Arc<Component>,
    ) -> AffectedPart {
        let mut part = AffectedPart { groups: Vec::new(), terms: changed.terms.clone() };
        let mut groups: Vec<GroupId> = row.groups.to_vec();
        let others = state.components.iter().filter(|&other| !Arc::ptr_eq(other, changed));
        let mut others: Vec<&Arc<Component>> = others.collect();
        let mut reached = vec![changed.support.clone()];
        while let Some(support) = reached.pop() {
            groups.retain(|&id| {
                let group = self.senders.group(id);
                let is_met = group.support.intersects(&support);
                if is_met {
                    part.groups.push(id);
                    reached.push(group.support.clone());
                }
                !is_met
            });
            others.retain(|component| {
                let is_met = component.support.intersects(&support);
                if is_met {
                    part.terms.extend_from_slice(&component.terms);
                    reached.push(component.support.clone());
                }
                !is_met
            });
        }
        part.groups.sort_unstable();
        part
    }

    /// Returns whether a row and a state can hold together in a part of both. Without an answer of the solver
    /// the row stays. Within one branch, the groups determine the conditions, and so the answer.
    fn fits(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        part: &AffectedPart,
        answers: &mut Map<Vec<GroupId>, bool>,
    ) -> Result<bool, SolverError> {
        if part.groups.is_empty() {
            return Ok(true);
        }
        if let Some(&answer) = answers.get(&part.groups) {
            return Ok(answer);
        }
        self.stats.row_queries += 1;
        let groups = part.groups.iter().flat_map(|&id| self.senders.group(id).terms.iter());
        let terms: Vec<TermId> = part.terms.iter().chain(groups).copied().collect();
        let answer = chain.solve(pool, &terms)? != SolverAnswer::Unsat;
        answers.insert(part.groups.clone(), answer);
        Ok(answer)
    }
}
