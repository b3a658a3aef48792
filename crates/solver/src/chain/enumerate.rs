//! Queries over few bytes: trying all values.
//!
//! Programs look at bytes one or two at a time, so many slices mention only that many. Then no arithmetic is
//! hard: 256 or 65,536 evaluations of compiled terms ([`CompiledTerms`]) decide what can take a solver
//! minutes, such as hashes, products and quotients of 64 bits. What was learnt is kept: for a term over one
//! byte the set of its values that satisfy it, for a term over two the set of pairs, and for a large term
//! inside of conditions its values. A conjunction is an intersection of sets, so that later queries over the
//! same bytes evaluate nothing but their new term.
//!
//! Over more bytes, only the values that terms over single bytes have left are combined, and only where that
//! is cheap: for plain comparisons and sums a solver is faster. Where it is not cheap, values are drawn at
//! random (`sample.rs`).
//!
//! The answer is the smallest assignment, bytes being compared in the order of their symbols' names. It
//! depends on the terms alone: neither on what was asked before nor on which worker asks.

mod comparisons;
mod product;
mod sample;
mod sets;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use everett_base::{Map, Set};
use everett_expr::{ArrayNode, BinOp, Pool, TermId, TermNode, UnOp, VarId};
use smallvec::{SmallVec, smallvec};

use self::product::ByteProduct;
pub(crate) use self::sample::SamplingEffort;
use self::sets::{ByteSet, PairSet};
use self::tables::{PAIRS, ValueTable};
use super::exact::DefiniteAnswer;
use super::generations::GenerationCache;
use crate::budget::QueryBudget;
pub(crate) use crate::compiled::CompileRefusal;
use crate::compiled::{CodeSources, CompiledTerms, LANES, LaneMachine, LaneValues};
use crate::model::Model;

/// Bytes that are enumerated together, at most.
const MAX_BYTES: usize = 8;
/// The most that a set of pairs may cost, in simple operations: about two seconds.
const PAIRS_COST_MAX: u64 = 1 << 32;
/// The most that an enumeration of more bytes may cost where a solver would have to multiply or divide:
/// about an eighth of a second.
const HARD_COST_MAX: u64 = 1 << 28;
/// The same where it would not: tens of microseconds, since a solver is fast there.
const PLAIN_COST_MAX: u64 = 1 << 16;
/// Pairs that are tried one by one, at most. With more pairs, all 65,536 are tried once and the set is kept.
const FEW_PAIRS: u64 = 65_536 / 16;
/// Sets of one byte kept in each of two generations.
const BYTE_SETS: usize = 1 << 15;
/// Sets of pairs kept in each of two generations, of 8 KiB each.
const PAIR_SETS: usize = 1 << 9;
/// Tables of values kept in each of two generations, of 512 KiB each.
const VALUE_TABLES: usize = 1 << 3;
/// A term with so many nodes has its values kept for the conditions that look at it: computing these for
/// all pairs takes much longer than looking at them.
const TABLED_NODES: u64 = 1 << 8;
/// Nodes that are counted for the cost of a term; terms of more nodes are never enumerated.
const COSTED_NODES: u64 = 1 << 16;
/// Terms whose cost is remembered.
const COSTS_MAX: usize = 1 << 16;
/// Terms that are known to cost too much, kept in each of two generations.
const TOO_DEAR: usize = 1 << 12;
/// Bytes of a table that a solver has to be told one by one, which takes longer than trying many values.
const LARGE_TABLE: usize = 1 << 14;
/// Simple operations between two looks at the clock.
const COST_BETWEEN_LOOKS: u64 = 1 << 20;

/// Bytes in the order in which assignments are compared.
type OrderedBytes = SmallVec<[VarId; MAX_BYTES]>;

/// An estimate of the work that a solver would have with a term.
#[derive(Clone, Copy, Default)]
struct TermCost {
    /// Distinct nodes that depend on more than one byte.
    nodes: u64,
    /// Sums among them.
    sums: u64,
    /// True if some of them are hard to solve, as [`is_hard`] says.
    is_hard: bool,
}

/// The values that terms over single bytes leave of each byte, at least one each, and the other terms.
struct SplitQuery {
    choices: SmallVec<[ByteSet; MAX_BYTES]>,
    joint: SmallVec<[TermId; 8]>,
}

/// The number of assignments that the values left of each byte make.
fn combinations(choices: &[ByteSet]) -> u64 {
    choices.iter().map(|choice| choice.len() as u64).product()
}

/// Assignments that satisfy a query, all of them.
enum SatisfyingSet {
    Nothing,
    Byte(ByteSet),
    Pair(PairSet),
}

/// Decides queries over few bytes, and keeps what it learnt. Serves one pool.
pub(crate) struct ByteEnumerator {
    byte_sets: GenerationCache<TermId, ByteSet>,
    pair_sets: GenerationCache<TermId, Arc<PairSet>>,
    value_tables: GenerationCache<TermId, Arc<ValueTable>>,
    costs: Map<TermId, TermCost>,
    /// For terms that were too expensive, the cost of one assignment that their code exceeds; they are
    /// not compiled again for a limit up to that.
    too_dear: GenerationCache<SmallVec<[TermId; 4]>, u64>,
    machine: LaneMachine,
}

impl Default for ByteEnumerator {
    fn default() -> Self {
        ByteEnumerator {
            byte_sets: GenerationCache::new(BYTE_SETS),
            pair_sets: GenerationCache::new(PAIR_SETS),
            value_tables: GenerationCache::new(VALUE_TABLES),
            costs: Map::default(),
            too_dear: GenerationCache::new(TOO_DEAR),
            machine: LaneMachine::default(),
        }
    }
}

impl ByteEnumerator {
    /// Returns whether the terms can hold together.
    pub(crate) fn decide(
        &mut self,
        pool: &Pool,
        constraints: &[TermId],
        query: TermId,
        budget: &QueryBudget,
    ) -> Result<DefiniteAnswer, CompileRefusal> {
        let terms = || constraints.iter().copied().chain([query]);
        let bytes = bytes_of(pool, terms(), MAX_BYTES).ok_or(CompileRefusal::TooDear)?;
        let Some(SplitQuery { choices, joint }) = self.split(pool, &bytes, terms(), budget)? else {
            return Ok(DefiniteAnswer::Unsat);
        };
        let found: Option<SmallVec<[u8; MAX_BYTES]>> = match (&joint[..], &bytes[..]) {
            ([], _) => choices.iter().map(|choice| choice.smallest()).collect(),
            (_, [first, second]) => {
                let pair = self.smallest_pair(pool, [*first, *second], &choices, &joint, budget)?;
                pair.map(|pair| SmallVec::from_slice(&pair))
            }
            _ => self.smallest_of_product(pool, &bytes, &choices, &joint, budget)?,
        };
        Ok(match found {
            Some(values) => {
                DefiniteAnswer::Sat(Arc::new(Model::new(bytes.into_iter().zip(values))))
            }
            None => DefiniteAnswer::Unsat,
        })
    }

    /// Hands over the values of a term of at most 64 bits under constraints, in no particular order and
    /// some of them more than once, if term and constraints are about at most two bytes.
    pub(crate) fn for_each_value(
        &mut self,
        pool: &Pool,
        constraints: &[TermId],
        term: TermId,
        budget: &QueryBudget,
        take: &mut dyn FnMut(&[u64]),
    ) -> Result<(), CompileRefusal> {
        let bytes = bytes_of(pool, constraints.iter().copied().chain([term]), 2);
        let bytes = bytes.ok_or(CompileRefusal::TooDear)?;
        let terms = constraints.iter().copied();
        let Some(split) = self.split(pool, &bytes, terms, budget)? else { return Ok(()) };
        if let [first, second] = bytes[..]
            && combinations(&split.choices) <= FEW_PAIRS
            && !self.knows_values(pool, term)
        {
            // Trying the few pairs that are left costs less than learning what holds for all.
            let sources = CodeSources {
                conditions: &split.joint,
                outputs: &[term],
                ..CodeSources::default()
            };
            let cost_max = PAIRS_COST_MAX / combinations(&split.choices);
            let code = self.compile(pool, &[first, second], sources, cost_max, budget)?;
            let pairs = PairSet::product(split.choices[0], split.choices[1]);
            let mut batches = BatchRun::new(&code, &mut self.machine, budget, take);
            return batches.run(pairs.iter().map(|pair| pair.map(u64::from)));
        }
        let satisfying = self.satisfying(pool, &bytes, &split, budget)?;
        if let (SatisfyingSet::Pair(pairs), [first, second]) = (&satisfying, &bytes[..])
            && let Some(core) = self.tabled_core(pool, term)
        {
            let table = self.value_table(pool, [*first, *second], core, budget)?;
            let sources =
                CodeSources { outputs: &[term], given: Some(core), ..CodeSources::default() };
            let code = self.compile(pool, &[], sources, u64::MAX, budget)?;
            let mut batches = BatchRun::new(&code, &mut self.machine, budget, take);
            return batches.run(pairs.iter().map(|pair| [table.value(pair)]));
        }
        let sources = CodeSources { outputs: &[term], ..CodeSources::default() };
        let code = self.compile(pool, &bytes, sources, u64::MAX, budget)?;
        let mut batches = BatchRun::new(&code, &mut self.machine, budget, take);
        match satisfying {
            SatisfyingSet::Nothing => Ok(()),
            SatisfyingSet::Byte(set) => batches.run(set.iter().map(|byte| [byte.into()])),
            SatisfyingSet::Pair(pairs) => batches.run(pairs.iter().map(|pair| pair.map(u64::from))),
        }
    }

    /// Returns `true` if the values of a term are at hand for all pairs of its bytes.
    fn knows_values(&mut self, pool: &Pool, term: TermId) -> bool {
        let core = self.tabled_core(pool, term);
        core.is_some_and(|core| self.value_tables.get(&core).is_some())
    }

    /// The assignments of at most two bytes that satisfy a query.
    fn satisfying(
        &mut self,
        pool: &Pool,
        bytes: &[VarId],
        SplitQuery { choices, joint }: &SplitQuery,
        budget: &QueryBudget,
    ) -> Result<SatisfyingSet, CompileRefusal> {
        match *bytes {
            [] => Ok(SatisfyingSet::Nothing),
            [_] => Ok(SatisfyingSet::Byte(choices[0])),
            [first, second] => {
                let pairs = PairSet::product(choices[0], choices[1]);
                Ok(SatisfyingSet::Pair(self.keep_pairs(
                    pool,
                    [first, second],
                    pairs,
                    joint,
                    budget,
                )?))
            }
            _ => Err(CompileRefusal::TooDear),
        }
    }

    /// Applies the terms over single bytes; `None` if of some byte nothing is left.
    fn split(
        &mut self,
        pool: &Pool,
        bytes: &[VarId],
        terms: impl Iterator<Item = TermId>,
        budget: &QueryBudget,
    ) -> Result<Option<SplitQuery>, CompileRefusal> {
        let mut choices: SmallVec<[ByteSet; MAX_BYTES]> = smallvec![ByteSet::ALL; bytes.len()];
        let mut joint = SmallVec::new();
        for term in terms {
            let support = pool.support(term);
            match (support.len(), support.iter().next()) {
                (1, Some(byte)) => {
                    let at = bytes.iter().position(|other| *other == byte);
                    let choice = &mut choices[at.expect("the bytes are those of the terms")];
                    *choice = choice.and(self.byte_set(pool, byte, term, budget)?);
                    if *choice == ByteSet::NONE {
                        return Ok(None);
                    }
                }
                _ => joint.push(term),
            }
        }
        Ok(Some(SplitQuery { choices, joint }))
    }

    /// The values of a byte that satisfy a term.
    fn byte_set(
        &mut self,
        pool: &Pool,
        byte: VarId,
        term: TermId,
        budget: &QueryBudget,
    ) -> Result<ByteSet, CompileRefusal> {
        let (positive, negated) = without_not(pool, term);
        let set = match self.byte_sets.get(&positive) {
            Some(set) => set,
            None => {
                let set = match comparisons::satisfying(pool, positive) {
                    Some(set) => set,
                    None => self.try_byte(pool, byte, positive, budget)?,
                };
                self.byte_sets.insert(positive, set, 1);
                set
            }
        };
        Ok(if negated { set.not() } else { set })
    }

    fn try_byte(
        &mut self,
        pool: &Pool,
        byte: VarId,
        term: TermId,
        budget: &QueryBudget,
    ) -> Result<ByteSet, CompileRefusal> {
        let sources = CodeSources { conditions: &[term], ..CodeSources::default() };
        let code = self.compile(pool, &[byte], sources, u64::MAX, budget)?;
        let mut clock = BudgetMeter::new(budget);
        let mut set = ByteSet::NONE;
        for (at, word) in set.0.iter_mut().enumerate() {
            clock.spend(code.cost() * LANES as u64)?;
            *word = self.machine.run(&code, &[lanes_from(at as u64 * 64)], u64::MAX, budget)?;
        }
        Ok(set)
    }

    /// The smallest pair of values that satisfies terms over both bytes.
    fn smallest_pair(
        &mut self,
        pool: &Pool,
        bytes: [VarId; 2],
        choices: &[ByteSet],
        joint: &[TermId],
        budget: &QueryBudget,
    ) -> Result<Option<[u8; 2]>, CompileRefusal> {
        let pairs = combinations(choices);
        let known = |this: &mut Self, term: &TermId| {
            this.pair_sets.get(&without_not(pool, *term).0).is_some()
        };
        let all_known = joint.iter().all(|term| known(self, term));
        if !all_known && pairs <= FEW_PAIRS {
            // Trying the few pairs that are left costs less than learning the set.
            let sources = CodeSources { conditions: joint, ..CodeSources::default() };
            let code = self.compile(pool, &bytes, sources, PAIRS_COST_MAX / pairs, budget)?;
            let product = ByteProduct::new(code, choices);
            let found = product.smallest(&mut self.machine, &mut BudgetMeter::new(budget))?;
            return Ok(found.map(|values| [values[0], values[1]]));
        }
        let start = PairSet::product(choices[0], choices[1]);
        Ok(self.keep_pairs(pool, bytes, start, joint, budget)?.smallest())
    }

    /// The pairs that satisfy terms over both bytes.
    fn keep_pairs(
        &mut self,
        pool: &Pool,
        bytes: [VarId; 2],
        mut pairs: PairSet,
        joint: &[TermId],
        budget: &QueryBudget,
    ) -> Result<PairSet, CompileRefusal> {
        for &term in joint {
            let (positive, negated) = without_not(pool, term);
            let set = match self.pair_sets.get(&positive) {
                Some(set) => set,
                None => {
                    let set = Arc::new(self.try_pairs(pool, bytes, positive, budget)?);
                    self.pair_sets.insert(positive, set.clone(), 1);
                    set
                }
            };
            pairs.keep(&set, negated);
        }
        Ok(pairs)
    }

    fn try_pairs(
        &mut self,
        pool: &Pool,
        bytes: [VarId; 2],
        term: TermId,
        budget: &QueryBudget,
    ) -> Result<PairSet, CompileRefusal> {
        // A condition that is its own core is kept as a set, which is smaller.
        if let Some(core) = self.tabled_core(pool, term).filter(|core| *core != term) {
            let table = self.value_table(pool, bytes, core, budget)?;
            let sources =
                CodeSources { conditions: &[term], given: Some(core), ..CodeSources::default() };
            let code = self.compile(pool, &[], sources, u64::MAX, budget)?;
            let mut clock = BudgetMeter::new(budget);
            return PairSet::with(|first, second| {
                clock.spend(code.cost() * LANES as u64)?;
                self.machine.run(&code, &[table.lanes([first, second])], u64::MAX, budget)
            });
        }
        let sources = CodeSources { conditions: &[term], ..CodeSources::default() };
        // There are 65,536 pairs, which share the limit.
        let code = self.compile(pool, &bytes, sources, PAIRS_COST_MAX >> 16, budget)?;
        let mut clock = BudgetMeter::new(budget);
        let seconds: [LaneValues; 4] = std::array::from_fn(|at| lanes_from(at as u64 * 64));
        let mut inputs = [[0; LANES]; 2];
        PairSet::with(|first, second| {
            clock.spend(code.cost() * LANES as u64)?;
            inputs[0].fill(first.into());
            inputs[1] = seconds[usize::from(second) / 64];
            self.machine.run(&code, &inputs, u64::MAX, budget)
        })
    }

    /// The core of a term, if the values of the core are worth being kept.
    fn tabled_core(&mut self, pool: &Pool, term: TermId) -> Option<TermId> {
        let core = tables::core(pool, term);
        (self.cost(pool, core).nodes >= TABLED_NODES).then_some(core)
    }

    /// The values of a term for all pairs of two bytes.
    fn value_table(
        &mut self,
        pool: &Pool,
        bytes: [VarId; 2],
        term: TermId,
        budget: &QueryBudget,
    ) -> Result<Arc<ValueTable>, CompileRefusal> {
        if let Some(table) = self.value_tables.get(&term) {
            return Ok(table);
        }
        let sources = CodeSources { outputs: &[term], ..CodeSources::default() };
        let code = self.compile(pool, &bytes, sources, PAIRS_COST_MAX >> 16, budget)?;
        let mut values = Vec::with_capacity(PAIRS);
        let take = &mut |batch: &[u64]| values.extend_from_slice(batch);
        let mut batches = BatchRun::new(&code, &mut self.machine, budget, take);
        batches.run((0..=u16::MAX).map(|pair| pair.to_be_bytes().map(u64::from)))?;
        let table = Arc::new(ValueTable(values.into()));
        self.value_tables.insert(term, table.clone(), 1);
        Ok(table)
    }

    /// The smallest assignment of several bytes that satisfies terms over more than one of them.
    fn smallest_of_product(
        &mut self,
        pool: &Pool,
        bytes: &[VarId],
        choices: &[ByteSet],
        joint: &[TermId],
        budget: &QueryBudget,
    ) -> Result<Option<SmallVec<[u8; MAX_BYTES]>>, CompileRefusal> {
        let sizes = choices.iter().map(|choice| choice.len() as u64);
        let assignments = sizes.fold(1, u64::saturating_mul);
        if assignments > HARD_COST_MAX {
            return Err(CompileRefusal::TooDear);
        }
        let sum = self.total_cost(pool, joint);
        let limit = if sum.is_hard { HARD_COST_MAX } else { PLAIN_COST_MAX };
        if sum.nodes >= COSTED_NODES || assignments.saturating_mul(sum.nodes) > limit {
            return Err(CompileRefusal::TooDear);
        }
        let sources = CodeSources { conditions: joint, ..CodeSources::default() };
        let code = self.compile(pool, bytes, sources, 4 * limit / assignments, budget)?;
        let product = ByteProduct::new(code, choices);
        product.smallest(&mut self.machine, &mut BudgetMeter::new(budget))
    }

    /// The code of terms, one assignment of which may cost at most `cost_max`.
    fn compile<'p>(
        &mut self,
        pool: &'p Pool,
        bytes: &[VarId],
        sources: CodeSources<'_>,
        cost_max: u64,
        budget: &'p QueryBudget,
    ) -> Result<CompiledTerms<'p>, CompileRefusal> {
        let terms = || sources.conditions.iter().chain(sources.outputs).copied();
        let known: SmallVec<[TermId; 4]> = terms().chain(sources.given).collect();
        if self.too_dear.get(&known).is_some_and(|exceeded| exceeded >= cost_max) {
            return Err(CompileRefusal::TooDear);
        }
        let code = CompiledTerms::new(pool, bytes, sources, cost_max, budget);
        if let Err(CompileRefusal::TooDear) = code {
            self.too_dear.insert(known, cost_max, 1);
        }
        code
    }

    /// Estimates the work that a solver would have with a term over several bytes.
    fn cost(&mut self, pool: &Pool, root: TermId) -> TermCost {
        if let Some(&cost) = self.costs.get(&root) {
            return cost;
        }
        let mut cost = TermCost::default();
        let mut seen: Set<TermId> = Set::default();
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if cost.nodes >= COSTED_NODES || pool.support(term).len() <= 1 || !seen.insert(term) {
                continue;
            }
            cost.nodes += 1;
            cost.sums += u64::from(matches!(pool.node(term), TermNode::Binary(BinOp::Add, ..)));
            cost.is_hard |= is_hard(pool, term);
            pool.for_each_operand(term, |operand| stack.push(operand));
        }
        if self.costs.len() >= COSTS_MAX {
            self.costs.clear();
        }
        self.costs.insert(root, cost);
        cost
    }
}

/// Returns `true` if a node is arithmetic on floating-point numbers, a product, a quotient or a remainder
/// that is more than a shift, or a look-up in a large table.
fn is_hard(pool: &Pool, term: TermId) -> bool {
    use BinOp::{Mul, SDiv, SRem, UDiv, URem};
    match pool.node(term) {
        TermNode::Binary(Mul | UDiv | URem | SDiv | SRem, a, b) => {
            let is_shift = |factor| pool.as_const(factor).is_some_and(u64::is_power_of_two);
            !is_shift(a) && !is_shift(b)
        }
        TermNode::Float(op, ..) => !op.is_comparison(),
        TermNode::Select(array, _) => {
            matches!(pool.array_node(array), ArrayNode::Const(table) if table.len() >= LARGE_TABLE)
        }
        _ => false,
    }
}

/// The bytes of some terms, if they are at most `max`, in the order in which assignments are compared: by the
/// names of their symbols, and then by their places. The order of [`VarId`]s would depend on which worker
/// came first.
fn bytes_of(pool: &Pool, terms: impl Iterator<Item = TermId>, max: usize) -> Option<OrderedBytes> {
    let mut bytes = OrderedBytes::new();
    for term in terms {
        let support = pool.support(term);
        if support.len() > max {
            return None;
        }
        for byte in support.iter() {
            if !bytes.contains(&byte) {
                if bytes.len() == max {
                    return None;
                }
                bytes.push(byte);
            }
        }
    }
    if bytes.len() > 1 {
        bytes.sort_unstable_by_key(|byte| {
            let (symbol, index) = pool.var_owner(*byte);
            (pool.symbol_name(symbol), pool.symbol_size(symbol), index)
        });
    }
    Some(bytes)
}

/// 64 values of a byte in a row.
fn lanes_from(first: u64) -> LaneValues {
    std::array::from_fn(|lane| first + lane as u64)
}

/// Returns a condition without its negation, and whether it had one. Sets are kept for the positive form,
/// since the set of the negation is the complement.
fn without_not(pool: &Pool, term: TermId) -> (TermId, bool) {
    match pool.node(term) {
        TermNode::Unary(UnOp::Not, inner) => (inner, true),
        _ => (term, false),
    }
}

/// A meter that looks at the budget once in [`COST_BETWEEN_LOOKS`] operations; most enumerations are over
/// before the first look.
struct BudgetMeter<'a> {
    budget: &'a QueryBudget,
    spent: u64,
}

impl<'a> BudgetMeter<'a> {
    fn new(budget: &'a QueryBudget) -> BudgetMeter<'a> {
        BudgetMeter { budget, spent: 0 }
    }

    /// Notes that so many simple operations follow.
    fn spend(&mut self, cost: u64) -> Result<(), CompileRefusal> {
        self.spent += cost;
        if self.spent < COST_BETWEEN_LOOKS {
            return Ok(());
        }
        self.spent = 0;
        if self.budget.is_spent() { Err(CompileRefusal::OutOfTime) } else { Ok(()) }
    }
}

/// Computes an output for those of the given assignments that satisfy the conditions of the code.
struct BatchRun<'a, 'p> {
    code: &'a CompiledTerms<'p>,
    machine: &'a mut LaneMachine,
    clock: BudgetMeter<'a>,
    take: &'a mut dyn FnMut(&[u64]),
}

impl<'a, 'p> BatchRun<'a, 'p> {
    fn new(
        code: &'a CompiledTerms<'p>,
        machine: &'a mut LaneMachine,
        budget: &'a QueryBudget,
        take: &'a mut dyn FnMut(&[u64]),
    ) -> BatchRun<'a, 'p> {
        BatchRun { code, machine, clock: BudgetMeter::new(budget), take }
    }

    /// Takes one assignment a lane, each of them with the values of all inputs.
    fn run<const N: usize>(
        &mut self,
        mut assignments: impl Iterator<Item = [u64; N]>,
    ) -> Result<(), CompileRefusal> {
        let mut inputs = [[0; LANES]; N];
        loop {
            let mut filled = 0;
            for assignment in assignments.by_ref().take(LANES) {
                for (input, value) in inputs.iter_mut().zip(assignment) {
                    input[filled] = value;
                }
                filled += 1;
            }
            if filled == 0 {
                return Ok(());
            }
            self.clock.spend(self.code.cost() * LANES as u64)?;
            let lanes = u64::MAX >> (LANES - filled);
            let alive = self.machine.run(self.code, &inputs, lanes, self.clock.budget)?;
            if alive == 0 {
                continue;
            }
            let values = self.machine.output(self.code, 0);
            if alive == lanes {
                (self.take)(&values[..filled]);
            } else {
                let kept = (0..filled).filter(|lane| alive >> lane & 1 == 1);
                let kept: SmallVec<[u64; LANES]> = kept.map(|lane| values[lane]).collect();
                (self.take)(&kept);
            }
        }
    }
}
