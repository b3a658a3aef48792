//! Two paths together: the constraints of one that concern the other, and the conjunction of both.

use everett_expr::{Assignment, Pool, Support, TermId};

use super::PathCondition;
use crate::chain::SolverChain;
use crate::error::SolverError;
use crate::model::Model;

impl PathCondition {
    /// All bytes that the constraints mention.
    pub fn support(&self, pool: &Pool) -> Support {
        let mut support = Support::default();
        for constraint in self.constraints.iter() {
            let more = pool.support(constraint);
            if !support.contains_all(more) {
                support = support.union(more);
            }
        }
        support
    }

    /// The constraints that mention one of these bytes, or share a byte with one that does, and so
    /// on; oldest first.
    pub fn connected(&self, pool: &Pool, bytes: &Support) -> Vec<TermId> {
        let mut reached = bytes.clone();
        let mut left: Vec<TermId> = self.constraints.iter().collect();
        left.reverse();
        let mut taken = vec![false; left.len()];
        loop {
            let mut grown = false;
            for (constraint, taken) in left.iter().zip(&mut taken) {
                let support = pool.support(*constraint);
                if !*taken && support.intersects(&reached) {
                    *taken = true;
                    if !reached.contains_all(support) {
                        reached = reached.union(support);
                        grown = true;
                    }
                }
            }
            if !grown {
                break;
            }
        }
        left.into_iter().zip(taken).filter(|(_, taken)| *taken).map(|(term, _)| term).collect()
    }

    /// Adds all constraints of another path if both can hold; otherwise answers `false` and leaves
    /// this path as it was.
    pub fn join(
        &mut self,
        chain: &mut SolverChain,
        pool: &Pool,
        other: &PathCondition,
    ) -> Result<bool, SolverError> {
        if other.is_empty() {
            return Ok(true);
        }
        let mine = self.support(pool);
        let mut joined = self.clone();
        // Where only the other path says something, its own model is as good as any.
        let others = other.support(pool);
        let theirs = others.iter().filter(|var| !mine.contains(*var));
        joined.model.apply(&Model::new(theirs.map(|var| (var, other.model.byte(var)))));
        let mut constraints: Vec<TermId> = other.constraints.iter().collect();
        constraints.reverse();
        if !joined.assume_all(chain, pool, constraints)? {
            return Ok(false);
        }
        *self = joined;
        Ok(true)
    }
}
