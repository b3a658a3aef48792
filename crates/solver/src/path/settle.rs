//! Settling: a byte that can have only one value on a path becomes a fact, and stops being a condition.

use everett_expr::{Pool, TermId};

use super::PathCondition;
use super::constraints::ConstraintList;

impl PathCondition {
    /// Forgets why bytes have just one value: constraints do not mention these bytes any more. The path
    /// goes on to replace them by their values wherever it meets them, and so assumes nothing else than
    /// before; but another path that has settled the same bytes differently no longer contradicts it.
    pub fn forget_settled(&mut self, pool: &Pool) {
        let simplified = self.constraints.iter().map(|term| self.simplify(pool, term));
        let mut kept: Vec<TermId> = simplified.filter(|term| !pool.is_const(*term)).collect();
        kept.reverse();
        let mut constraints = ConstraintList::default();
        for term in kept {
            constraints.push(term, pool.support(term).signature());
        }
        self.constraints = constraints;
        self.rare_mut().has_settled = true;
    }
}

#[cfg(test)]
mod tests {
    use everett_expr::Assignment;

    use super::*;
    use crate::{BranchFeasibility, ChainOptions, MonotonicClock, SolverChain};

    #[test]
    fn paths_that_settled_a_byte_differently_agree_about_the_rest() {
        for options in [ChainOptions::default(), ChainOptions::bare()] {
            let mut chain = SolverChain::new(options, MonotonicClock::stopped());
            let pool = Pool::new();
            let [x, y] = ["x", "y"].map(|name| pool.byte(pool.symbol(name, 1), 0));
            let is = |term, value| pool.eq(term, pool.constant(8, value));
            let [mut one, mut two] = [1, 2].map(|value| {
                let mut path = PathCondition::new();
                assert!(path.assume(&mut chain, &pool, pool.ult(x, pool.constant(8, 9))).unwrap());
                assert!(path.assume(&mut chain, &pool, is(x, value)).unwrap());
                path.forget_settled(&pool);
                path
            });
            assert!(one.is_empty() && two.is_empty());
            assert!(matches!(
                one.branch(&mut chain, &pool, is(x, 1)),
                Ok(BranchFeasibility::Always(true))
            ));
            assert!(matches!(
                two.branch(&mut chain, &pool, is(x, 1)),
                Ok(BranchFeasibility::Always(false))
            ));
            // What is assumed later does not mention it either.
            assert!(one.assume(&mut chain, &pool, pool.ult(x, y)).unwrap());
            assert!(two.assume(&mut chain, &pool, pool.ult(y, pool.add(x, x))).unwrap());
            assert!(one.join(&mut chain, &pool, &two).unwrap());
            assert_eq!(one.min_value(&mut chain, &pool, y).unwrap().low_u64(), 2);
            assert_eq!(one.max_value(&mut chain, &pool, y).unwrap().low_u64(), 3);
            let var = pool.symbol_var(pool.symbol("x", 1), 0);
            assert_eq!((one.model().byte(var), two.model().byte(var)), (1, 2));
        }
    }

    #[test]
    fn what_is_not_settled_stays() {
        let mut chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
        let pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.byte(pool.symbol(name, 1), 0));
        let mut path = PathCondition::new();
        assert!(path.assume(&mut chain, &pool, pool.ult(x, y)).unwrap());
        assert!(path.assume(&mut chain, &pool, pool.eq(x, pool.constant(8, 7))).unwrap());
        path.forget_settled(&pool);
        assert_eq!(path.len(), 1);
        assert_eq!(path.min_value(&mut chain, &pool, y).unwrap().low_u64(), 8);
    }
}
