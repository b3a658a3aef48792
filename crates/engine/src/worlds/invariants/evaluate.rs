//! All results of an invariant: [`InvariantEvaluator`] walks the [`QuestionTree`] of what evaluations
//! ask, and runs those that were not run before.
//!
//! A place in the tree is named by the answers that lead there, as far as an evaluation can tell
//! them apart. So the tree serves all worlds of a worker. What is known of data comes first, and worlds
//! second: where only results come out that are fine or reported, it is not asked which worlds there are.

use std::rc::Rc;

use everett_base::hash::{Map, hash_one};
use everett_expr::{Pool, TermId};
use everett_memory::ByteValue;
use everett_world::{StateCombinations, StateId};
use minvariant::{
    CollectedData, EvalFault, EvalLimits, Evaluation, FixedTriples, InvariantId, Program, Providers,
};

use super::round::{EvaluationTrigger, ShownWorlds};
use super::run::{EvaluationQuestion, EvaluationRun, EvaluationValues, UndecidedReason};
use crate::worlds::owner::EngineStateOwner;

/// Results that one reason to evaluate may lead to, at most.
pub(super) const MAX_RESULTS: usize = 1 << 14;

/// Places whose results are looked up before it is asked which of them are in worlds, at most.
const MAX_PLACES: usize = 1 << 12;

/// The next questions and the results of evaluations, by the answers that they were given so far.
#[derive(Default)]
pub(crate) struct QuestionTree {
    steps: Map<u64, TreeStep>,
    /// The first question of all evaluations, where that is the same.
    triples: FixedTriples,
}

/// A place in the tree that answers lead to, whether a world gives them or not.
struct TreePlace {
    key: u64,
    /// The place before it, by position; the first place has none.
    before: Option<usize>,
    /// Where the places begin that the answers to what is asked here lead to, in order; none if
    /// nothing is asked, or that is not known.
    behind: Option<usize>,
    /// Something that matters may come out here or behind it.
    matters: bool,
}

/// A search in the tree for what worlds come to.
struct TreeWalk<'w, 'm, 'o, 'a, M> {
    evaluator: &'w mut InvariantEvaluator<'m>,
    owner: &'w mut EngineStateOwner<'o, 'a>,
    combinations: &'w mut StateCombinations,
    /// Places that were looked at already.
    places: &'w [TreePlace],
    /// The results that are wanted.
    matters: M,
    /// The answers that lead to where it is.
    answers: Vec<u32>,
    /// The states that they leave, by node.
    choices: Vec<&'m [StateId]>,
    leaves: BadLeaves,
}

#[derive(Clone)]
enum TreeStep {
    Asks(EvaluationQuestion),
    Comes(Rc<InvariantVerdict>),
}

/// The result of an evaluation.
pub(super) enum InvariantVerdict {
    /// Nothing to report.
    Fine,
    /// The invariant is violated if the condition holds.
    Violated { condition: TermId, collected: Rc<Vec<CollectedData<ByteValue>>> },
    /// If the condition holds, the invariant makes no sense.
    Failed { condition: TermId, message: String },
    /// It was not decided in time.
    Undecided,
}

/// A result that was reached.
pub(super) struct BadLeaf {
    /// Names the result among all of the run.
    pub(super) key: u64,
    pub(super) verdict: Rc<InvariantVerdict>,
    /// The states that it is about, by node.
    pub(super) choices: Vec<Vec<StateId>>,
    /// A world out of them.
    pub(super) world: Vec<StateId>,
}

/// Results that matter.
#[derive(Default)]
pub(super) struct BadLeaves {
    pub(super) bad: Vec<BadLeaf>,
    /// The number of results that were reached.
    pub(super) count: usize,
}

/// One invariant for one reason.
pub(super) struct InvariantEvaluator<'m> {
    pub(super) memory: &'m mut QuestionTree,
    pub(super) program: &'m Program,
    pub(super) invariant: InvariantId,
    pub(super) showing: &'m ShownWorlds,
    pub(super) trigger: EvaluationTrigger<'m>,
}

impl<'m> InvariantEvaluator<'m> {
    /// All results of worlds that matter, each once, but at most [`MAX_RESULTS`].
    ///
    /// What evaluations come to is looked up first, and whether worlds go there only where it matters:
    /// most results are fine, and known.
    pub(super) fn leaves(
        &mut self,
        owner: &mut EngineStateOwner<'_, '_>,
        combinations: &mut StateCombinations,
        matters: impl Fn(u64, &InvariantVerdict) -> bool,
    ) -> BadLeaves {
        let root = self.root();
        let places = self.look_ahead(root, &matters);
        if !places[0].matters {
            return BadLeaves::default();
        }
        let mut choices: Vec<&[StateId]> =
            self.showing.choices().iter().map(Vec::as_slice).collect();
        if let EvaluationTrigger::Exposed(node, shown) = self.trigger {
            choices[node.index()] = &shown.states;
        }
        let mut walk = TreeWalk {
            evaluator: self,
            owner,
            combinations,
            places: &places,
            matters,
            answers: Vec::with_capacity(choices.len()),
            choices,
            leaves: BadLeaves::default(),
        };
        walk.visit(root, Some(0), None);
        walk.leaves
    }

    /// The results of evaluations of all data, as far as they are known.
    fn look_ahead(
        &self,
        root: u64,
        matters: impl Fn(u64, &InvariantVerdict) -> bool,
    ) -> Vec<TreePlace> {
        let mut places = Vec::with_capacity(16);
        places.push(TreePlace::new(root, None));
        let mut left = Vec::with_capacity(16);
        left.push(0);
        while let Some(position) = left.pop() {
            let key = places[position].key;
            match self.memory.steps.get(&key).filter(|_| places.len() < MAX_PLACES) {
                None => mark(&mut places, position),
                Some(TreeStep::Comes(verdict)) if matters(key, verdict) => {
                    mark(&mut places, position)
                }
                Some(TreeStep::Comes(_)) => {}
                Some(TreeStep::Asks(question)) => {
                    places[position].behind = Some(places.len());
                    for answer in 0..self.answers(question) {
                        let key = self.key_after(key, question, answer);
                        left.push(places.len());
                        places.push(TreePlace::new(key, Some(position)));
                    }
                }
            }
        }
        places
    }

    /// The name of the place where all evaluations begin.
    fn root(&self) -> u64 {
        match self.trigger {
            EvaluationTrigger::End => hash_one(&(self.invariant, 0u32)),
            EvaluationTrigger::Exposed(node, shown) => {
                hash_one(&(self.invariant, node.0 + 1, shown.log))
            }
        }
    }

    fn answers(&self, question: &EvaluationQuestion) -> u32 {
        let count = match question {
            EvaluationQuestion::Node(node) => self.showing.alternatives(self.trigger, *node).len(),
            EvaluationQuestion::Which(conditions) => conditions.len(),
        };
        count as u32
    }

    /// The name of the place in the tree that an answer leads to.
    fn key_after(&self, key: u64, question: &EvaluationQuestion, answer: u32) -> u64 {
        match question {
            EvaluationQuestion::Node(node) => {
                let alternatives = self.showing.alternatives(self.trigger, *node);
                hash_one(&(key, alternatives[answer as usize].identity()))
            }
            EvaluationQuestion::Which(_) => hash_one(&(key, answer)),
        }
    }

    /// Evaluates with these answers first, and notes what it asks and comes to.
    fn evaluate(&mut self, owner: &mut EngineStateOwner<'_, '_>, root: u64, answers: &[u32]) {
        let context = owner.context;
        let run = EvaluationRun::new(context, owner.solver, self.showing, self.trigger, answers);
        let mut values = EvaluationValues::new(&run);
        let providers = Providers::of(&run);
        let limits = EvalLimits::default();
        let result = self.program.evaluate_again(
            self.invariant,
            &mut values,
            providers,
            &limits,
            &mut self.memory.triples,
        );
        let pool = context.pool;
        // The condition under which the result is bad, apart from decisions.
        let result = result.map(|evaluation| match evaluation {
            Evaluation::NotDue => None,
            Evaluation::Checked { holds, collected, .. } => {
                Some((pool.not(values.truth(&holds)), collected))
            }
        });
        let ran = run.finish();
        let name = self.program.invariant(self.invariant).name;
        let is_due = !matches!(result, Ok(None));
        owner.counters.invariants.count_evaluation(&name, is_due, ran.saw_data);
        let decided = all(pool, &ran.decided);
        let trouble = match result.as_ref().map_err(|error| &error.fault) {
            Err(EvalFault::Domain(undecided)) => Some(undecided.clone()),
            _ => ran.trouble,
        };
        let verdict = match (result, trouble) {
            (_, Some(UndecidedReason::Impossible)) | (Ok(None), None) => InvariantVerdict::Fine,
            (_, Some(UndecidedReason::Solver(_))) => InvariantVerdict::Undecided,
            (Ok(Some((wrong, collected))), _) => {
                let condition = pool.and(decided, wrong);
                match pool.as_const(condition) {
                    Some(0) => InvariantVerdict::Fine,
                    _ => InvariantVerdict::Violated { condition, collected: Rc::new(collected) },
                }
            }
            (Err(error), _) => {
                InvariantVerdict::Failed { condition: decided, message: error.to_string() }
            }
            (Ok(None), Some(_)) => InvariantVerdict::Fine,
        };
        let mut key = root;
        self.memory.steps.reserve(ran.asked.len() + 1);
        for (question, answer) in &ran.asked {
            self.memory.steps.entry(key).or_insert_with(|| TreeStep::Asks(question.clone()));
            key = self.key_after(key, question, *answer);
        }
        self.memory.steps.insert(key, TreeStep::Comes(Rc::new(verdict)));
    }
}

impl<M: Fn(u64, &InvariantVerdict) -> bool> TreeWalk<'_, '_, '_, '_, M> {
    /// Follows the answers that worlds give from a place on to what matters. `at` is the position of the
    /// place among those that were looked at, none beyond them; `world` is a world that goes there, if one
    /// is known.
    fn visit(&mut self, key: u64, at: Option<usize>, world: Option<&[StateId]>) {
        if self.leaves.count == MAX_RESULTS {
            return;
        }
        // Places that were looked at need no world unless something comes out there.
        let known = self.evaluator.memory.steps.get(&key).cloned();
        let needs_world = match &known {
            None => true,
            Some(TreeStep::Comes(verdict)) => (self.matters)(key, verdict),
            Some(TreeStep::Asks(_)) => at.is_none(),
        };
        let found;
        let world = match world {
            None if needs_world => {
                let always = self.owner.context.pool.bool(true);
                found = self.owner.find(self.combinations, &self.choices, always);
                match &found {
                    Some(found) => Some(&found[..]),
                    None => return,
                }
            }
            world => world,
        };
        let step = known.unwrap_or_else(|| {
            let root = self.places[0].key;
            self.evaluator.evaluate(self.owner, root, &self.answers);
            self.evaluator.memory.steps.get(&key).expect("it was just evaluated").clone()
        });
        match step {
            TreeStep::Comes(verdict) => {
                self.leaves.count += 1;
                if let Some(world) = world.filter(|_| (self.matters)(key, &verdict)) {
                    let choices = self.choices.iter().map(|states| states.to_vec()).collect();
                    self.leaves.bad.push(BadLeaf { key, verdict, choices, world: world.to_vec() });
                }
            }
            TreeStep::Asks(question) => {
                let first = at.and_then(|at| self.places[at].behind);
                for answer in 0..self.evaluator.answers(&question) {
                    let behind = first.map(|first| first + answer as usize);
                    if behind.is_none_or(|behind| self.places[behind].matters) {
                        self.answer(key, &question, answer, behind, world);
                    }
                }
            }
        }
    }

    /// Goes on with an answer.
    fn answer(
        &mut self,
        key: u64,
        question: &EvaluationQuestion,
        answer: u32,
        behind: Option<usize>,
        mut world: Option<&[StateId]>,
    ) {
        let key = self.evaluator.key_after(key, question, answer);
        let mut before = None;
        if let EvaluationQuestion::Node(node) = *question {
            let evaluator = &*self.evaluator;
            let alternatives = evaluator.showing.alternatives(evaluator.trigger, node);
            let states = &alternatives[answer as usize].states;
            world = world.filter(|world| states.contains(&world[node]));
            before = Some((node, std::mem::replace(&mut self.choices[node], states)));
        }
        self.answers.push(answer);
        self.visit(key, behind, world);
        self.answers.pop();
        if let Some((node, states)) = before {
            self.choices[node] = states;
        }
    }
}

impl TreePlace {
    fn new(key: u64, before: Option<usize>) -> TreePlace {
        TreePlace { key, before, behind: None, matters: false }
    }
}

/// Notes that something may come out at a place that matters.
fn mark(places: &mut [TreePlace], position: usize) {
    let mut next = Some(position);
    while let Some(position) = next {
        let place = &mut places[position];
        if std::mem::replace(&mut place.matters, true) {
            break;
        }
        next = place.before;
    }
}

fn all(pool: &Pool, conditions: &[TermId]) -> TermId {
    conditions.iter().fold(pool.bool(true), |all, condition| pool.and(all, *condition))
}
