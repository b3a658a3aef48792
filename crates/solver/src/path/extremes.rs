//! The least and the greatest value of a term on a path, and all of them.
//!
//! The extremes are facts about the path. Over few bytes they come from trying all values, else from asking
//! about one bit after the other from the top; which models the solver happens to give changes how many
//! questions it takes, never the result. So a choice among values that is made this way is the same in
//! every run.

use everett_expr::{BitVec, Pool, TermId};

use super::condition::PathCondition;
use crate::chain::SolverChain;
use crate::error::SolverError;

impl PathCondition {
    /// The least unsigned value of a term on this path.
    pub fn min_value(
        &self,
        chain: &mut SolverChain,
        pool: &Pool,
        term: TermId,
    ) -> Result<BitVec, SolverError> {
        self.extreme(chain, pool, term, false)
    }

    /// The greatest unsigned value of a term on this path.
    pub fn max_value(
        &self,
        chain: &mut SolverChain,
        pool: &Pool,
        term: TermId,
    ) -> Result<BitVec, SolverError> {
        self.extreme(chain, pool, term, true)
    }

    /// From the top bit down: keep the bit if some feasible value has `wanted` there, given the
    /// bits above. `best` is always a feasible value that agrees with all bits decided so far.
    fn extreme(
        &self,
        chain: &mut SolverChain,
        pool: &Pool,
        term: TermId,
        wanted: bool,
    ) -> Result<BitVec, SolverError> {
        let term = self.simplify(pool, term);
        let width = pool.width(term);
        let mut best = self.value(pool, term);
        if pool.is_const(term) {
            return Ok(best);
        }
        let mut extreme = best.low_u64();
        let mut take = |values: &[u64]| {
            let ends = values.iter().copied();
            extreme =
                if wanted { ends.fold(extreme, u64::max) } else { ends.fold(extreme, u64::min) };
        };
        if chain.enumerate_values(pool, &self.constraints, &self.model, term, &mut take)? {
            return Ok(BitVec::from_u64(width, extreme));
        }
        for bit in (0..width).rev() {
            if best.bit(bit) == wanted {
                continue;
            }
            let mut prefix = best.extract(bit, width - bit);
            prefix.set_bit(0, wanted);
            let above = pool.extract(term, bit, width - bit);
            let asked = pool.eq(above, pool.big_constant(&prefix));
            if let Some(witness) = self.witness(chain, pool, asked)? {
                best = self.value_with(pool, term, &witness);
            }
        }
        Ok(best)
    }

    /// Values of a term of at most 64 bits on this path, ascending, at most `limit` of them; the flag says
    /// whether these are all.
    pub fn values(
        &self,
        chain: &mut SolverChain,
        pool: &Pool,
        term: TermId,
        limit: usize,
    ) -> Result<(Vec<u64>, bool), SolverError> {
        let simple = self.simplify(pool, term);
        if let Some(value) = pool.as_const(simple) {
            return Ok((vec![value], true));
        }
        let mut values = Vec::new();
        let mut take = |more: &[u64]| values.extend_from_slice(more);
        if chain.enumerate_values(pool, &self.constraints, &self.model, simple, &mut take)? {
            values.sort_unstable();
            values.dedup();
            let complete = values.len() <= limit;
            values.truncate(limit);
            return Ok((values, complete));
        }
        values.clear();
        let mut path = self.clone();
        let width = pool.width(term);
        loop {
            let value = pool.eval_u64(term, &path.model);
            values.push(value);
            let differs = pool.ne(term, pool.constant(width, value));
            let complete = !path.assume(chain, pool, differs)?;
            if complete || values.len() >= limit {
                values.sort_unstable();
                return Ok((values, complete));
            }
        }
    }
}
