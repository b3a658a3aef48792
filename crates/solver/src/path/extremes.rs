//! The least and the greatest value of a term on a path.
//!
//! Both are facts about the path, found by asking about one bit after the other from the top; which
//! models the solver happens to give changes how many questions it takes, never the result. So
//! a choice among values that is made this way is the same in every run.

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
}
