//! Invariants over the data that nodes expose.
//!
//! [`InvariantChecker`] looks at sets of worlds when something new was exposed in them, and when they are
//! over. What an evaluation comes to depends only on what the nodes that it looks at have exposed,
//! so it is remembered by that: a tree of the questions that evaluations ask (`run.rs`), in which
//! the same answers lead to the same result, in whatever worlds they are given. Only where a result
//! is bad is a world searched in which it really comes to that.

mod evaluate;
mod round;
mod run;
mod sight;

use std::rc::Rc;
use std::sync::Arc;

use everett_base::hash::Set;
use everett_expr::TermId;
use everett_world::{ExaminationResult, NodeId, StateCombinations, StateId};
use minvariant::{InvariantId, Program};

use evaluate::{BadLeaf, InvariantEvaluator, InvariantVerdict, MAX_RESULTS, QuestionTree};
use round::{EvaluationTrigger, ShownWorlds};
pub(crate) use sight::look;

use crate::api::dropped::DropReason;
use crate::results::violation::{Violation, is_ignored};
use crate::state::exposure::Exposure;
use crate::worlds::owner::EngineStateOwner;

/// The knowledge of a worker about invariants: results, confirmed violations, failures.
#[derive(Default)]
pub(crate) struct InvariantChecker {
    /// The questions and results of evaluations.
    tree: QuestionTree,
    /// Names of sets of worlds about which there is nothing to say, or nothing new.
    settled: Set<u64>,
    /// Bad results for which a world was found.
    confirmed: Set<u64>,
    /// Violations of the worlds that are being examined, by note.
    violations: Vec<Violation>,
    /// Messages about evaluations that failed, each once.
    failures: Vec<String>,
}

/// The knowledge of a worker about invariants that makes a difference to results; the rest can be found
/// out again.
#[derive(Default)]
pub(crate) struct KnownResults {
    confirmed: Set<u64>,
    failures: Vec<String>,
}

everett_base::portable!(struct KnownResults { confirmed, failures });

impl InvariantChecker {
    /// What is known, as far as it makes a difference to results.
    pub(crate) fn known_results(&self) -> KnownResults {
        KnownResults { confirmed: self.confirmed.clone(), failures: self.failures.clone() }
    }

    /// Goes on with what another worker knew.
    pub(crate) fn restore(&mut self, known: KnownResults) {
        (self.confirmed, self.failures) = (known.confirmed, known.failures);
    }

    /// The violation that a note stands for.
    pub(crate) fn violation(&self, note: u32) -> &Violation {
        &self.violations[note as usize]
    }

    /// Forgets the notes of worlds that were examined.
    pub(crate) fn forget_notes(&mut self) {
        self.violations.clear();
    }

    /// Evaluates all invariants on all combinations with something new.
    pub(crate) fn examine(
        &mut self,
        owner: &mut EngineStateOwner<'_, '_>,
        combinations: &mut StateCombinations,
    ) -> ExaminationResult {
        let mut examined = ExaminationResult::default();
        let Some(program) = owner.context.config.invariants.clone() else { return examined };
        let caches = owner.context.config.solver.caches;
        let name = if caches { sight::name(owner, combinations) } else { 0 };
        if caches && self.settled.contains(&name) {
            return examined;
        }
        match self.evaluate(owner, combinations, &program) {
            Some(bad) if bad.is_empty() => {
                self.settled.insert(name);
            }
            bad => {
                for bad in bad.into_iter().flatten() {
                    self.judge(owner, combinations, bad, &mut examined);
                }
            }
        }
        examined
    }

    /// All results that are bad in some of these worlds, if a condition holds there, and not known yet;
    /// `None` in place of none at all if not all of them were looked at.
    fn evaluate(
        &mut self,
        owner: &mut EngineStateOwner<'_, '_>,
        combinations: &mut StateCombinations,
        program: &Program,
    ) -> Option<Vec<BadResult>> {
        let mut all = Vec::new();
        let mut is_complete = true;
        let InvariantChecker { tree, confirmed, failures, .. } = self;
        let stop = stops(owner, combinations);
        let showing = ShownWorlds::new(owner.states, combinations);
        for trigger in showing.triggers() {
            let is_end = matches!(trigger, EvaluationTrigger::End);
            for invariant in program.due(is_end) {
                let showing = &showing;
                let mut evaluator =
                    InvariantEvaluator { memory: tree, program, invariant, showing, trigger };
                let matters = |key, verdict: &InvariantVerdict| match verdict {
                    InvariantVerdict::Fine => false,
                    InvariantVerdict::Undecided => true,
                    InvariantVerdict::Failed { message, .. } => !failures.contains(message),
                    InvariantVerdict::Violated { .. } => stop || !confirmed.contains(&key),
                };
                let leaves = evaluator.leaves(owner, combinations, matters);
                if leaves.count == MAX_RESULTS {
                    is_complete = false;
                    owner.counters.drop(DropReason::InvariantLimit);
                }
                let bad = leaves.bad.into_iter();
                all.extend(bad.map(|leaf| BadResult {
                    invariant,
                    exposed: trigger.exposed(),
                    leaf,
                }));
            }
        }
        (is_complete || !all.is_empty()).then_some(all)
    }

    /// Looks for a world in which a bad result really comes out.
    fn judge(
        &mut self,
        owner: &mut EngineStateOwner<'_, '_>,
        combinations: &mut StateCombinations,
        bad: BadResult,
        examined: &mut ExaminationResult,
    ) {
        let BadResult { invariant, exposed, leaf } = bad;
        let BadLeaf { key, verdict, choices, world } = leaf;
        match &*verdict {
            InvariantVerdict::Fine => {}
            InvariantVerdict::Undecided => owner.counters.drop(DropReason::SolverTimeout),
            InvariantVerdict::Failed { condition, message } => {
                if !self.failures.contains(message)
                    && owner.find(combinations, &choices, *condition).is_some()
                {
                    self.failures.push(message.clone());
                    owner.counters.drop(DropReason::Invariant(message.clone()));
                }
            }
            InvariantVerdict::Violated { condition, collected } => {
                let stop = stops(owner, combinations) && !is_ignored(owner.context, invariant);
                if !stop && self.confirmed.contains(&key) {
                    return;
                }
                let is_known = owner.context.pool.as_const(*condition).is_some();
                let found = match is_known {
                    true => Some(world),
                    // Mostly it can hold in the first world that comes to mind.
                    false if owner.can_hold(combinations, &world, *condition) => Some(world),
                    false => owner.find(combinations, &choices, *condition),
                };
                let Some(world) = found else { return };
                if stop {
                    examined.ended.extend(violating(owner, combinations, choices, *condition));
                }
                if self.confirmed.insert(key) {
                    examined.noted.push((world, self.violations.len() as u32));
                    let (condition, collected) = (*condition, Rc::clone(collected));
                    let violation = Violation { key, invariant, exposed, condition, collected };
                    self.violations.push(violation);
                }
            }
        }
    }
}

/// Returns `true` if worlds that violate an invariant end.
fn stops(owner: &EngineStateOwner<'_, '_>, combinations: &StateCombinations) -> bool {
    owner.context.config.stop_on_violation && !combinations.are_over()
}

/// A bad result.
struct BadResult {
    invariant: InvariantId,
    exposed: Option<(NodeId, Arc<Exposure>)>,
    leaf: BadLeaf,
}

/// The combinations out of these in which the condition can hold.
fn violating(
    owner: &mut EngineStateOwner<'_, '_>,
    combinations: &mut StateCombinations,
    choices: Vec<Vec<StateId>>,
    condition: TermId,
) -> Vec<Vec<Vec<StateId>>> {
    if owner.context.pool.as_const(condition).is_some() {
        return vec![choices];
    }
    let mut single: Vec<Vec<Vec<StateId>>> = vec![Vec::new()];
    for states in &choices {
        let longer = |world: &Vec<Vec<StateId>>| {
            let world = world.clone();
            states.iter().map(move |state| [&world[..], &[vec![*state]]].concat())
        };
        single = single.iter().flat_map(longer).collect();
    }
    single.retain(|world| owner.find(combinations, world, condition).is_some());
    single
}
