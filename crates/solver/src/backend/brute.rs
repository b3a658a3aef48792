//! A backend that tries all values: slow, and too simple to be wrong.
//!
//! Tests compare the others with it.

use everett_expr::{Pool, TermId, VarId};

use super::{Backend, SolverAnswer, collect_vars};
use crate::budget::QueryBudget;
use crate::error::SolverError;
use crate::model::Model;

/// More symbolic bytes than this would take hours.
const BYTES_MAX: usize = 3;

/// Tries every assignment, in ascending order.
#[derive(Clone, Copy, Default, Debug)]
pub struct BruteForce;

impl Backend for BruteForce {
    fn name(&self) -> &'static str {
        "brute"
    }

    fn check(
        &mut self,
        pool: &Pool,
        assertions: &[TermId],
        budget: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError> {
        let vars = collect_vars(pool, assertions);
        if vars.len() > BYTES_MAX {
            let (backend, limit_bytes, bytes) = (self.name(), BYTES_MAX, vars.len());
            return Err(SolverError::TooLarge { backend, limit_bytes, bytes });
        }
        let budget = budget.begun();
        for number in 0..1u32 << (8 * vars.len()) {
            if budget.is_spent() {
                return Ok(SolverAnswer::Unknown);
            }
            let values = number.to_le_bytes();
            let assignment =
                |var: VarId| vars.iter().position(|&known| known == var).map_or(0, |at| values[at]);
            if assertions.iter().all(|&term| pool.eval_u64(term, &assignment) == 1) {
                return Ok(SolverAnswer::Sat(Model::new(vars.iter().copied().zip(values))));
            }
        }
        Ok(SolverAnswer::Unsat)
    }
}
