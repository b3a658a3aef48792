//! Queries over a single byte: trying all of its values.
//!
//! Programs compare bytes one at a time, so many slices mention only one; 256 evaluations decide
//! them faster than a solver starts, and no arithmetic on a byte is hard that way. The answer is
//! the smallest value, whatever was asked before.

use std::sync::Arc;

use everett_expr::{Evaluator, Pool, TermId, VarId};

use super::exact::Verdict;
use crate::model::Model;

/// Nodes that all terms together may have; beyond it a solver is cheaper.
const MAX_NODES: u64 = 4096;

/// Whether the terms can hold together, if they depend on one byte only and are small.
pub(crate) fn decide(pool: &Pool, constraints: &[TermId], query: TermId) -> Option<Verdict> {
    let var = only_byte(pool, query)?;
    let mut nodes = u64::from(pool.tree_size(query));
    for constraint in constraints {
        nodes += u64::from(pool.tree_size(*constraint));
        if nodes > MAX_NODES || only_byte(pool, *constraint) != Some(var) {
            return None;
        }
    }
    let holds = |value: &u8| {
        let assignment = |_: VarId| *value;
        let mut evaluator = Evaluator::new(pool, &assignment);
        evaluator.eval_u64(query) == 1
            && constraints.iter().all(|term| evaluator.eval_u64(*term) == 1)
    };
    Some(match (0..=u8::MAX).find(holds) {
        Some(value) => Verdict::Sat(Arc::new(Model::new([(var, value)]))),
        None => Verdict::Unsat,
    })
}

fn only_byte(pool: &Pool, term: TermId) -> Option<VarId> {
    let support = pool.support(term);
    if support.len() == 1 { support.iter().next() } else { None }
}
