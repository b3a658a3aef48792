//! [`PathCondition`]: the constraints of one path together with a model of them.
//!
//! Because the model is always there, a branch is decided on one side by evaluation and only the
//! other side is ever asked of the solver; an assumption that the model happens to satisfy costs no
//! query at all. Cloning is O(1): forking a path copies a few words, and each side then adds one
//! cell for its constraint and the model's bytes that changed.
//!
//! Invariant: the model satisfies every constraint.

use std::sync::Arc;

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::{Apart, Copies, Map, RadixMap, Set};
use everett_expr::{BinOp, BitVec, Pool, TermId, TermNode, UnOp};

use super::constraints::ConstraintList;
use super::undefined::RareFacts;
use crate::chain::{ChainAnswer, SolverChain, split_conjunction};
use crate::error::SolverError;
use crate::model::{Model, PersistentModel};

/// A way to satisfy one side of a branch: the path's model as it is, or with some bytes changed.
#[derive(Clone, Debug)]
pub struct BranchWitness(Option<Arc<Model>>);

impl BranchWitness {
    /// The path's model as it is.
    pub fn current() -> BranchWitness {
        BranchWitness(None)
    }

    /// Returns `true` if the path's model serves as it is.
    pub fn is_current(&self) -> bool {
        self.0.is_none()
    }
}

/// The sides of a branch that are feasible.
#[derive(Clone, Debug)]
pub enum BranchFeasibility {
    /// The condition has this value on the whole path.
    Always(bool),
    /// Both sides are feasible.
    Both {
        /// For the condition.
        then: BranchWitness,
        /// For its negation.
        other: BranchWitness,
    },
    /// The condition can have the value `feasible`, by the path's own model; whether it can have
    /// the other one could not be told within the budget.
    Unknown {
        /// The value that the model gives.
        feasible: bool,
    },
}

/// The constraints of a path and a model of them; O(1) to clone.
#[derive(Clone, Default)]
pub struct PathCondition {
    pub(super) constraints: ConstraintList,
    pub(super) model: PersistentModel,
    /// Conditions that hold, or do not, wherever the constraints hold, and that are not among these;
    /// by the number of their term.
    decided: RadixMap<bool>,
    pub(super) rare: Option<Arc<RareFacts>>,
}

impl Apart for PathCondition {
    fn apart(&mut self, copies: &mut Copies) {
        let PathCondition { constraints, model, decided, rare } = self;
        constraints.apart(copies);
        model.apart(copies);
        decided.apart(copies);
        rare.apart(copies);
    }
}

impl Portable for PathCondition {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let PathCondition { constraints, model, decided, rare } = self;
        constraints.write(to);
        model.write(to);
        to.number(decided.len() as u64);
        for (term, value) in decided {
            to.reference::<TermId>(term as u32);
            value.write(to);
        }
        rare.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let constraints = Portable::read(from)?;
        let model = Portable::read(from)?;
        let mut decided = RadixMap::new();
        for _ in 0..from.count()? {
            let term = TermId::read(from)?;
            decided.insert(term.index() as u64, bool::read(from)?);
        }
        Ok(PathCondition { constraints, model, decided, rare: Portable::read(from)? })
    }
}

impl PathCondition {
    /// No constraints; every byte is zero in the model.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// The constraints, newest first.
    pub fn constraints(&self) -> impl Iterator<Item = TermId> + '_ {
        self.constraints.iter()
    }

    /// Returns the number of constraints.
    pub fn len(&self) -> usize {
        self.constraints.len()
    }

    /// Returns `true` if nothing was assumed yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One input that satisfies all constraints. Which one depends on the questions that were asked
    /// before; where a run must not depend on that, use [`PathCondition::min_value`].
    pub fn model(&self) -> &PersistentModel {
        &self.model
    }

    /// Returns the sides of `cond` (width 1) that are feasible. Costs at most one query: the model
    /// decides one side.
    pub fn branch(
        &mut self,
        chain: &mut SolverChain,
        pool: &Pool,
        cond: TermId,
    ) -> Result<BranchFeasibility, SolverError> {
        let original = cond;
        let cond = self.without_fixed(chain, pool, cond);
        if let Some(value) = pool.as_const(cond) {
            chain.stats_mut().questions += 1;
            chain.stats_mut().by_constant += 1;
            return Ok(BranchFeasibility::Always(value == 1));
        }
        let value = self.holds(pool, cond);
        let asked = if value { pool.not(cond) } else { cond };
        chain.stats_mut().questions += 1;
        Ok(match chain.decide(pool, &self.constraints, &self.model, asked)? {
            ChainAnswer::Unsat => {
                self.note(pool, original, value);
                BranchFeasibility::Always(value)
            }
            ChainAnswer::Unknown => BranchFeasibility::Unknown { feasible: value },
            ChainAnswer::Sat(model) => {
                let (current, changed) = (BranchWitness::current(), BranchWitness(Some(model)));
                let (then, other) = if value { (current, changed) } else { (changed, current) };
                BranchFeasibility::Both { then, other }
            }
        })
    }

    /// Adds `cond`, the side of a branch that `witness` came with.
    pub fn assume_side(&mut self, pool: &Pool, cond: TermId, witness: BranchWitness) {
        if let Some(model) = witness.0 {
            self.model.apply(&model);
        }
        self.add(pool, cond);
    }

    /// Adds `cond` if it is feasible; otherwise answers `false` and leaves the path as it was.
    pub fn assume(
        &mut self,
        chain: &mut SolverChain,
        pool: &Pool,
        cond: TermId,
    ) -> Result<bool, SolverError> {
        match self.witness(chain, pool, cond)? {
            Some(witness) => {
                self.assume_side(pool, cond, witness);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Adds all of `conds` if they are feasible together; otherwise answers `false` and leaves the
    /// path as it was. This is how the conditions of two paths are joined: what both have is there
    /// once, however often nodes tell each other of it.
    pub fn assume_all(
        &mut self,
        chain: &mut SolverChain,
        pool: &Pool,
        conds: impl IntoIterator<Item = TermId>,
    ) -> Result<bool, SolverError> {
        let mut conds = conds.into_iter().peekable();
        if conds.peek().is_none() {
            return Ok(true);
        }
        let mut joined = self.clone();
        let mut known: Set<TermId> = self.constraints.iter().collect();
        for cond in conds {
            if known.insert(cond) && !joined.assume(chain, pool, cond)? {
                return Ok(false);
            }
        }
        *self = joined;
        Ok(true)
    }

    /// Returns whether `cond` holds for some input that takes this path.
    pub fn may_be(
        &self,
        chain: &mut SolverChain,
        pool: &Pool,
        cond: TermId,
    ) -> Result<bool, SolverError> {
        Ok(self.witness(chain, pool, cond)?.is_some())
    }

    /// Returns whether `cond` holds for every input that takes this path.
    pub fn is_always(
        &self,
        chain: &mut SolverChain,
        pool: &Pool,
        cond: TermId,
    ) -> Result<bool, SolverError> {
        Ok(!self.may_be(chain, pool, pool.not(cond))?)
    }

    /// A way to make `cond` hold on this path, if there is one.
    pub fn witness(
        &self,
        chain: &mut SolverChain,
        pool: &Pool,
        cond: TermId,
    ) -> Result<Option<BranchWitness>, SolverError> {
        chain.stats_mut().questions += 1;
        let cond = self.without_fixed(chain, pool, cond);
        if let Some(value) = pool.as_const(cond) {
            chain.stats_mut().by_constant += 1;
            return Ok((value == 1).then(BranchWitness::current));
        }
        if self.holds(pool, cond) {
            chain.stats_mut().by_path_model += 1;
            return Ok(Some(BranchWitness::current()));
        }
        match chain.decide(pool, &self.constraints, &self.model, cond)? {
            ChainAnswer::Sat(model) => Ok(Some(BranchWitness(Some(model)))),
            ChainAnswer::Unsat => Ok(None),
            ChainAnswer::Unknown => Err(chain.unanswered()),
        }
    }

    /// The value of a term under the path's model.
    pub fn value(&self, pool: &Pool, term: TermId) -> BitVec {
        pool.eval(term, &self.model)
    }

    /// The value of a term under a witness for this path.
    pub fn value_with(&self, pool: &Pool, term: TermId, witness: &BranchWitness) -> BitVec {
        match &witness.0 {
            None => self.value(pool, term),
            Some(top) => pool.eval(term, &crate::model::ModelOverlay { top, base: &self.model }),
        }
    }

    /// The term with all bytes replaced that equalities among the constraints have fixed. Bytes of undefined
    /// symbols are zero on every path, so that no path ever assumes something of them.
    pub fn simplify(&self, pool: &Pool, term: TermId) -> TermId {
        let term = pool.without_undefined(term);
        if !self.model.may_fix(pool.support(term)) {
            return term;
        }
        pool.substitute(term, &|var| {
            self.model.fixed(var).map(|value| pool.constant(8, u64::from(value)))
        })
    }

    /// The value of a term of at most 64 bits, if equalities among the constraints have fixed all of its
    /// bytes. It costs an evaluation; [`PathCondition::simplify`] makes a new term of each part.
    pub fn settled_value(&self, pool: &Pool, term: TermId) -> Option<u64> {
        let term = pool.without_undefined(term);
        let support = pool.support(term);
        let is_settled = self.model.may_fix(support)
            && pool.width(term) <= 64
            && support.iter().all(|var| self.model.fixed(var).is_some());
        is_settled.then(|| pool.eval_u64(term, &self.model))
    }

    /// The term with those bytes replaced that have one value although no constraint says so.
    pub fn without_settled(&self, pool: &Pool, term: TermId) -> TermId {
        match &self.rare {
            Some(rare) if rare.has_settled => self.simplify(pool, term),
            _ => term,
        }
    }

    /// The term with the conditions inside it that were decided on this path replaced as well. Looks at
    /// all of the term and of the constraints, which pays where it is an address: a choice that was
    /// made long ago makes an unknown place a known one.
    pub fn simplify_choices(&self, pool: &Pool, term: TermId) -> TermId {
        let mut choices = conditions_in(pool, term);
        if choices.is_empty() {
            return self.simplify(pool, term);
        }
        for (choice, value) in &mut choices {
            *value = self.decided.get(choice.index() as u64).copied();
        }
        for constraint in self.constraints.iter() {
            let (condition, holds) = without_not(pool, constraint);
            if let Some(value) = choices.get_mut(&condition) {
                *value = Some(holds);
            }
        }
        let value = |part: TermId| choices.get(&part).copied().flatten();
        let term = pool.replace(term, &|part| value(part).map(|value| pool.bool(value)));
        self.simplify(pool, term)
    }

    /// Returns a condition with fixed bytes replaced. As long as constraints fix the bytes, that is a
    /// shortcut that can be switched off; for settled bytes it is necessary, as no constraint tells the
    /// solver their values.
    fn without_fixed(&self, chain: &mut SolverChain, pool: &Pool, cond: TermId) -> TermId {
        let cond = pool.without_undefined(cond);
        let cond = chain.substitute(pool, &self.model, cond);
        self.without_settled(pool, cond)
    }

    /// Remembers the value of a condition on this path.
    fn note(&mut self, pool: &Pool, cond: TermId, value: bool) {
        let (cond, positive) = without_not(pool, cond);
        self.decided.insert(cond.index() as u64, value == positive);
    }

    fn holds(&self, pool: &Pool, cond: TermId) -> bool {
        pool.eval_u64(cond, &self.model) == 1
    }

    /// Adds a condition that the model satisfies already.
    fn add(&mut self, pool: &Pool, cond: TermId) {
        let original = cond;
        let cond = self.simplify(pool, original);
        if cond != original {
            self.note(pool, original, true);
        }
        debug_assert!(self.holds(pool, cond), "a witness satisfies the side that it came with");
        if !is_conjunction(pool, cond) {
            return self.add_one(pool, cond);
        }
        let mut conjuncts = Vec::new();
        split_conjunction(pool, cond, &mut conjuncts);
        conjuncts.into_iter().for_each(|conjunct| self.add_one(pool, conjunct));
    }

    fn add_one(&mut self, pool: &Pool, cond: TermId) {
        if pool.is_const(cond) {
            return;
        }
        self.constraints.push(cond, pool.support(cond).signature());
        if let TermNode::Binary(BinOp::Eq, a, b) = pool.node(cond)
            && let (TermNode::Var(var), TermNode::Const(_))
            | (TermNode::Const(_), TermNode::Var(var)) = (pool.node(a), pool.node(b))
        {
            self.model.fix(var);
        }
    }
}

/// The conditions inside a term, with nothing known about them. A term that is a condition itself is
/// none of them.
fn conditions_in(pool: &Pool, term: TermId) -> Map<TermId, Option<bool>> {
    let mut conditions = Map::default();
    let mut seen: Set<TermId> = Set::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        pool.interrupt().check();
        pool.for_each_operand(term, |operand| {
            if !pool.support(operand).is_empty() && seen.insert(operand) {
                stack.push(operand);
                if pool.width(operand) == 1 {
                    conditions.insert(operand, None);
                }
            }
        });
    }
    conditions
}

/// Returns a condition without its negation, and `true` if it had none.
fn without_not(pool: &Pool, cond: TermId) -> (TermId, bool) {
    match pool.node(cond) {
        TermNode::Unary(UnOp::Not, inner) => (inner, false),
        _ => (cond, true),
    }
}

fn is_conjunction(pool: &Pool, cond: TermId) -> bool {
    match pool.node(cond) {
        TermNode::Binary(BinOp::And, ..) => true,
        TermNode::Unary(UnOp::Not, inner) => {
            matches!(pool.node(inner), TermNode::Binary(BinOp::Or, ..))
        }
        _ => false,
    }
}

impl std::fmt::Debug for PathCondition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PathCondition")
            .field("constraints", &self.constraints.iter().collect::<Vec<_>>())
            .field("model", &self.model)
            .finish()
    }
}
