//! All results of an invariant: [`Evaluator`] walks the [`Tree`] of what evaluations ask, and runs
//! those that were not run before.
//!
//! What names a place in the tree are the answers that lead there, as far as an evaluation can tell
//! them apart. So the tree serves all worlds of a worker.

use std::rc::Rc;

use everett_base::hash::{Map, hash_one};
use everett_expr::{Pool, TermId};
use everett_memory::ByteValue;
use everett_solver::SolverChain;
use everett_world::{Combinations, StateId};
use minvariant::{Collected, Evaluation, Fault, InvariantId, Limits, Program, Providers};

use super::Datum;
use super::round::{Showing, Trigger};
use super::run::{Question, Run, Undecided, Values};
use crate::shared::Shared;
use crate::worlds::Owner;

/// Results that one reason to evaluate may lead to, at most.
pub(super) const MAX_RESULTS: usize = 1 << 14;

/// What evaluations ask next, or come to, by what they were answered so far.
#[derive(Default)]
pub(crate) struct Tree(Map<u64, Step>);

/// A place in the tree, and the way there.
struct Walk {
    key: u64,
    answers: Vec<u32>,
    /// The states that the answers leave, by node.
    choices: Vec<Vec<StateId>>,
    /// A world out of them.
    world: Vec<StateId>,
}

#[derive(Clone)]
enum Step {
    Asks(Question),
    Comes(Rc<Verdict>),
}

/// What an evaluation came to.
pub(super) enum Verdict {
    /// Nothing to report.
    Fine,
    /// The invariant is violated if the condition holds.
    Violated { condition: TermId, collected: Vec<Datum> },
    /// If the condition holds, the invariant makes no sense.
    Failed { condition: TermId, message: String },
    /// It was not decided in time.
    Undecided,
}

/// A result that was reached.
pub(super) struct Leaf {
    /// Names the result among all of the run.
    pub(super) key: u64,
    pub(super) verdict: Rc<Verdict>,
    /// The states that it is about, by node.
    pub(super) choices: Vec<Vec<StateId>>,
    /// A world out of them.
    pub(super) world: Vec<StateId>,
}

/// One invariant for one reason.
pub(super) struct Evaluator<'m> {
    pub(super) memory: &'m mut Tree,
    pub(super) program: &'m Program,
    pub(super) invariant: InvariantId,
    pub(super) showing: &'m Showing,
    pub(super) trigger: Trigger<'m>,
}

impl Evaluator<'_> {
    /// All results of worlds, each once, but at most [`MAX_RESULTS`]. Answers that no world gives are
    /// not followed.
    pub(super) fn leaves(
        &mut self,
        owner: &mut Owner<'_, '_>,
        combinations: &mut Combinations,
    ) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let Some(start) = self.start(owner, combinations) else { return leaves };
        let root = start.key;
        let mut left = vec![start];
        while let Some(walk) = left.pop() {
            if !self.memory.0.contains_key(&walk.key) {
                self.evaluate(owner.shared, owner.solver, root, &walk.answers);
                owner.books.invariants.evaluations += 1;
            }
            match self.memory.0.get(&walk.key).expect("it was just evaluated").clone() {
                Step::Comes(verdict) => {
                    let Walk { key, choices, world, .. } = walk;
                    leaves.push(Leaf { key, verdict, choices, world });
                    if leaves.len() == MAX_RESULTS {
                        break;
                    }
                }
                Step::Asks(question) => {
                    let answers = (0..self.answers(&question)).rev();
                    left.extend(answers.filter_map(|answer| {
                        self.answered(owner, combinations, &walk, &question, answer)
                    }));
                }
            }
        }
        leaves
    }

    /// Where all evaluations begin; `None` if no world has the reason for them.
    fn start(&self, owner: &mut Owner<'_, '_>, combinations: &mut Combinations) -> Option<Walk> {
        let mut choices = self.showing.choices().to_vec();
        let key = match self.trigger {
            Trigger::End => hash_one(&(self.invariant, 0u32)),
            Trigger::Exposed(node, shown) => {
                choices[node.index()].clone_from(&shown.states);
                hash_one(&(self.invariant, node.0 + 1, shown.log))
            }
        };
        let world = owner.find(combinations, &choices, owner.shared.pool.bool(true))?;
        Some(Walk { key, answers: Vec::new(), choices, world })
    }

    /// Where an answer leads; `None` if no world gives it.
    fn answered(
        &self,
        owner: &mut Owner<'_, '_>,
        combinations: &mut Combinations,
        walk: &Walk,
        question: &Question,
        answer: u32,
    ) -> Option<Walk> {
        let (mut choices, mut world) = (walk.choices.clone(), walk.world.clone());
        if let Question::Node(node) = question {
            let alternatives = self.showing.alternatives(self.trigger, *node);
            choices[*node].clone_from(&alternatives[answer as usize].states);
            if !choices[*node].contains(&world[*node]) {
                world = owner.find(combinations, &choices, owner.shared.pool.bool(true))?;
            }
        }
        let mut answers = walk.answers.clone();
        answers.push(answer);
        Some(Walk { key: self.key_after(walk.key, question, answer), answers, choices, world })
    }

    fn answers(&self, question: &Question) -> u32 {
        let count = match question {
            Question::Node(node) => self.showing.alternatives(self.trigger, *node).len(),
            Question::Which(conditions) => conditions.len(),
        };
        count as u32
    }

    /// What names the place in the tree that an answer leads to.
    fn key_after(&self, key: u64, question: &Question, answer: u32) -> u64 {
        match question {
            Question::Node(node) => {
                let alternatives = self.showing.alternatives(self.trigger, *node);
                hash_one(&(key, alternatives[answer as usize].identity()))
            }
            Question::Which(_) => hash_one(&(key, answer)),
        }
    }

    /// Evaluates with these answers first, and notes what it asks and comes to.
    fn evaluate(
        &mut self,
        shared: &Shared<'_>,
        solver: &mut SolverChain,
        root: u64,
        answers: &[u32],
    ) {
        let run = Run::new(shared, solver, self.showing, self.trigger, answers);
        let mut values = Values::new(&run);
        let providers = Providers::of(&run);
        let limits = Limits::default();
        let result = self.program.evaluate(self.invariant, &mut values, providers, &limits);
        let pool = shared.pool;
        // The condition under which the result is bad, apart from decisions.
        let result = result.map(|evaluation| match evaluation {
            Evaluation::NotDue => None,
            Evaluation::Checked { holds, collected, .. } => {
                Some((pool.not(values.truth(&holds)), collected))
            }
        });
        let ran = run.finish();
        let decided = all(pool, &ran.decided);
        let trouble = match result.as_ref().map_err(|error| &error.fault) {
            Err(Fault::Domain(undecided)) => Some(undecided.clone()),
            _ => ran.trouble,
        };
        let verdict = match (result, trouble) {
            (_, Some(Undecided::Impossible)) | (Ok(None), None) => Verdict::Fine,
            (_, Some(Undecided::Solver(_))) => Verdict::Undecided,
            (Ok(Some((wrong, collected))), _) => {
                let condition = pool.and(decided, wrong);
                match pool.as_const(condition) {
                    Some(0) => Verdict::Fine,
                    _ => Verdict::Violated { condition, collected: data(collected) },
                }
            }
            (Err(error), _) => Verdict::Failed { condition: decided, message: error.to_string() },
            (Ok(None), Some(_)) => Verdict::Fine,
        };
        let mut key = root;
        for (question, answer) in &ran.asked {
            self.memory.0.entry(key).or_insert_with(|| Step::Asks(question.clone()));
            key = self.key_after(key, question, *answer);
        }
        self.memory.0.insert(key, Step::Comes(Rc::new(verdict)));
    }
}

fn data(collected: Vec<Collected<ByteValue>>) -> Vec<Datum> {
    let datum = |collected: Collected<ByteValue>| {
        let Collected { node, state, key, bytes, stamp } = collected;
        Datum { node, state, key, bytes, time_ns: stamp.time }
    };
    collected.into_iter().map(datum).collect()
}

fn all(pool: &Pool, conditions: &[TermId]) -> TermId {
    conditions.iter().fold(pool.bool(true), |all, condition| pool.and(all, *condition))
}
