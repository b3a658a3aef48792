//! Invariants over the data that nodes expose.
//!
//! [`Invariants`] looks at sets of worlds when something new was exposed in them, and when they are
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
use everett_world::{Combinations, Examined, NodeId, StateId};
use minvariant::{InvariantId, Program};

use evaluate::{Evaluator, Leaf, MAX_RESULTS, Tree, Verdict};
use round::{Showing, Trigger};
pub(crate) use sight::look;

use crate::api::report::DropReason;
use crate::results::violation::{Violation, is_ignored};
use crate::state::exposure::Exposure;
use crate::worlds::owner::Owner;

/// What a worker knows about invariants.
#[derive(Default)]
pub(crate) struct Invariants {
    /// What evaluations ask and come to.
    tree: Tree,
    /// Names of sets of worlds about which there is nothing to say, or nothing new.
    settled: Set<u64>,
    /// Bad results for which a world was found.
    confirmed: Set<u64>,
    /// Violations of the worlds that are being examined, by note.
    violations: Vec<Violation>,
    /// Messages about evaluations that failed, each once.
    failures: Vec<String>,
}

impl Invariants {
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
        owner: &mut Owner<'_, '_>,
        combinations: &mut Combinations,
    ) -> Examined {
        let mut examined = Examined::default();
        let Some(program) = owner.shared.config.invariants.clone() else { return examined };
        let caches = owner.shared.config.solver.caches;
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
        owner: &mut Owner<'_, '_>,
        combinations: &mut Combinations,
        program: &Program,
    ) -> Option<Vec<Bad>> {
        let mut all = Vec::new();
        let mut is_complete = true;
        let Invariants { tree, confirmed, failures, .. } = self;
        let stop = stops(owner, combinations);
        let showing = Showing::new(owner.states, combinations);
        for trigger in showing.triggers() {
            let is_end = matches!(trigger, Trigger::End);
            for invariant in program.due(is_end) {
                let showing = &showing;
                let mut evaluator =
                    Evaluator { memory: tree, program, invariant, showing, trigger };
                let matters = |key, verdict: &Verdict| match verdict {
                    Verdict::Fine => false,
                    Verdict::Undecided => true,
                    Verdict::Failed { message, .. } => !failures.contains(message),
                    Verdict::Violated { .. } => stop || !confirmed.contains(&key),
                };
                let leaves = evaluator.leaves(owner, combinations, matters);
                if leaves.count == MAX_RESULTS {
                    is_complete = false;
                    owner.books.drop(DropReason::InvariantLimit);
                }
                let bad = leaves.bad.into_iter();
                all.extend(bad.map(|leaf| Bad { invariant, exposed: trigger.exposed(), leaf }));
            }
        }
        (is_complete || !all.is_empty()).then_some(all)
    }

    /// Looks for a world in which a bad result really comes out.
    fn judge(
        &mut self,
        owner: &mut Owner<'_, '_>,
        combinations: &mut Combinations,
        bad: Bad,
        examined: &mut Examined,
    ) {
        let Bad { invariant, exposed, leaf } = bad;
        let Leaf { key, verdict, choices, world } = leaf;
        match &*verdict {
            Verdict::Fine => {}
            Verdict::Undecided => owner.books.drop(DropReason::SolverTimeout),
            Verdict::Failed { condition, message } => {
                if !self.failures.contains(message)
                    && owner.find(combinations, &choices, *condition).is_some()
                {
                    self.failures.push(message.clone());
                    owner.books.drop(DropReason::Invariant(message.clone()));
                }
            }
            Verdict::Violated { condition, collected } => {
                let stop = stops(owner, combinations) && !is_ignored(owner.shared, invariant);
                if !stop && self.confirmed.contains(&key) {
                    return;
                }
                let is_known = owner.shared.pool.as_const(*condition).is_some();
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

/// Whether worlds that violate an invariant end.
fn stops(owner: &Owner<'_, '_>, combinations: &Combinations) -> bool {
    owner.shared.config.stop_on_violation && !combinations.are_over()
}

/// A bad result.
struct Bad {
    invariant: InvariantId,
    exposed: Option<(NodeId, Arc<Exposure>)>,
    leaf: Leaf,
}

/// The combinations out of these in which the condition can hold.
fn violating(
    owner: &mut Owner<'_, '_>,
    combinations: &mut Combinations,
    choices: Vec<Vec<StateId>>,
    condition: TermId,
) -> Vec<Vec<Vec<StateId>>> {
    if owner.shared.pool.as_const(condition).is_some() {
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
