//! Assignments drawn at random, for queries that are easy to satisfy and hard to solve.
//!
//! A hash has no structure that a solver could use, but one of so many keys falls into any bucket. Compiled
//! terms compute tens of millions of operations a second, so that drawing keys finds one long before the
//! hash is translated to clauses. Only satisfiable queries end here: what is not found may still exist.
//!
//! The draws begin with the values of the path, which satisfy all but the new condition, with one byte or
//! some of them changed; others are new in every byte. A byte only gets values that the terms over it alone
//! allow. The generator has the same seed for each query, so the same query on the same path gets the same
//! answer.

use everett_base::Rng;
use everett_expr::{Assignment, Pool, TermId};
use smallvec::SmallVec;

use super::{BudgetMeter, ByteEnumerator, MAX_BYTES, SplitQuery, TermCost, bytes_of};
use crate::budget::QueryBudget;
use crate::compiled::{CodeSources, CompileRefusal, CompiledTerms, LANES, LaneValues};
use crate::model::{Model, PersistentModel};

/// Bytes that are drawn together, at most.
const SAMPLED_BYTES_MAX: usize = 64;
/// Batches that have to fit into the limit; larger terms are not worth being compiled for fewer.
const BATCHES_MIN: u64 = 16;
/// Terms with so many sums are hashes rather than offsets.
const SUMS_OF_HASH: u64 = 16;
/// What all queries draw from.
const SEED: u64 = 0x5eed;

/// How much is spent on draws, in simple operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SamplingEffort {
    /// Under a millisecond, and only for terms that are hard to solve: products and the like, and hashes.
    Brief,
    /// A few hundredths of a second.
    Thorough,
}

impl SamplingEffort {
    fn cost_max(self) -> u64 {
        match self {
            SamplingEffort::Brief => 1 << 20,
            SamplingEffort::Thorough => 1 << 26,
        }
    }
}

impl ByteEnumerator {
    /// Draws assignments of the bytes of some terms, and returns one that satisfies all of them. `path` has
    /// the values of the path.
    pub(crate) fn sample(
        &mut self,
        pool: &Pool,
        path: &PersistentModel,
        terms: &[TermId],
        effort: SamplingEffort,
        budget: &QueryBudget,
    ) -> Result<Option<Model>, CompileRefusal> {
        let Some(bytes) = bytes_of(pool, terms.iter().copied(), SAMPLED_BYTES_MAX) else {
            return Ok(None);
        };
        let Some(SplitQuery { choices, joint }) =
            self.split(pool, &bytes, terms.iter().copied(), budget)?
        else {
            return Ok(None);
        };
        let cost = self.total_cost(pool, &joint);
        let is_promising =
            effort == SamplingEffort::Thorough || cost.is_hard || cost.sums >= SUMS_OF_HASH;
        if joint.is_empty() || !is_promising {
            return Ok(None);
        }
        // The newest term is the one that the fewest draws satisfy, and ends the others early.
        let newest_first: SmallVec<[TermId; 8]> = joint.iter().rev().copied().collect();
        let sources = CodeSources { conditions: &newest_first, ..CodeSources::default() };
        let cost_max = effort.cost_max() / (LANES as u64 * BATCHES_MIN);
        let code = self.compile(pool, &bytes, sources, cost_max, budget)?;
        let path: SmallVec<[u8; MAX_BYTES]> = bytes.iter().map(|byte| path.byte(*byte)).collect();
        let values = choices.iter().map(|choice| choice.iter().collect()).collect();
        let draws = DrawnBytes { path, values, rng: Rng::new(SEED) };
        let found = self.first_draw(&code, draws, effort, budget)?;
        Ok(found.map(|values| Model::new(bytes.into_iter().zip(values))))
    }

    /// The sum of the costs of some terms.
    pub(super) fn total_cost(&mut self, pool: &Pool, terms: &[TermId]) -> TermCost {
        let mut sum = TermCost::default();
        for &term in terms {
            let cost = self.cost(pool, term);
            sum.nodes += cost.nodes;
            sum.sums += cost.sums;
            sum.is_hard |= cost.is_hard;
        }
        sum
    }

    /// The first draw that satisfies the conditions of the code.
    fn first_draw(
        &mut self,
        code: &CompiledTerms<'_>,
        mut draws: DrawnBytes,
        effort: SamplingEffort,
        budget: &QueryBudget,
    ) -> Result<Option<SmallVec<[u8; MAX_BYTES]>>, CompileRefusal> {
        let mut clock = BudgetMeter::new(budget);
        let mut inputs: Vec<LaneValues> = vec![[0; LANES]; draws.values.len()];
        // Drawing a byte costs about as much as a few operations.
        let batch_cost = (code.cost() + 4 * inputs.len() as u64) * LANES as u64;
        for number in 0..effort.cost_max() / batch_cost {
            clock.spend(batch_cost)?;
            draws.fill(number, &mut inputs);
            let alive = self.machine.run(code, &inputs, u64::MAX, budget)?;
            if alive != 0 {
                let lane = alive.trailing_zeros() as usize;
                return Ok(Some(inputs.iter().map(|input| input[lane] as u8).collect()));
            }
        }
        Ok(None)
    }
}

/// Draws of bytes, 64 assignments at a time.
struct DrawnBytes {
    /// The values on the path.
    path: SmallVec<[u8; MAX_BYTES]>,
    /// The values that each byte may have; there is at least one.
    values: SmallVec<[Vec<u8>; MAX_BYTES]>,
    rng: Rng,
}

impl DrawnBytes {
    /// Draws the batch with this number: in every fourth, one byte of the path is changed, in another about
    /// half of them, and in two all.
    fn fill(&mut self, number: u64, inputs: &mut [LaneValues]) {
        for lane in 0..LANES {
            let changed = self.rng.below(inputs.len() as u64) as usize;
            let coins = self.rng.next_u64();
            for (at, input) in inputs.iter_mut().enumerate() {
                let keeps_path = match number % 4 {
                    0 => at != changed,
                    1 => coins >> (at % 64) & 1 == 0,
                    _ => false,
                };
                input[lane] = self.byte(at, keeps_path).into();
            }
        }
    }

    /// The value of one byte; that of the path only if the byte may have it.
    fn byte(&mut self, at: usize, keeps_path: bool) -> u8 {
        let values = &self.values[at];
        if keeps_path && values.binary_search(&self.path[at]).is_ok() {
            return self.path[at];
        }
        values[self.rng.below(values.len() as u64) as usize]
    }
}
