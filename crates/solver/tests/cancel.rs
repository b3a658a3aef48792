//! Queries that someone will not wait for.

use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_expr::{Pool, TermId};
use everett_solver::{BackendChoice, ChainOptions, Clock, PathCondition, SolverChain, SolverError};

/// That a number of 62 bits is a product of two factors, neither of them 1: hard for any solver.
fn factors(pool: &Pool) -> TermId {
    let word = |name| {
        let symbol = pool.symbol(name, 4);
        (1..4).fold(pool.byte(symbol, 0), |low, i| pool.concat(pool.byte(symbol, i), low))
    };
    let (a, b) = (pool.zext(word("a"), 64), pool.zext(word("b"), 64));
    let product = pool.constant(64, 2_147_483_647 * 2_147_483_629);
    let one = pool.constant(64, 1);
    let proper = pool.and(pool.ugt(a, one), pool.ugt(b, one));
    pool.and(proper, pool.eq(pool.mul(a, b), product))
}

#[test]
fn a_query_gives_up_once_it_is_cancelled() {
    let pool = Pool::new();
    let interrupt = Interrupt::new();
    let options = ChainOptions {
        backend: BackendChoice::Bitblast,
        interrupt: interrupt.clone(),
        ..ChainOptions::default()
    };
    let mut chain = SolverChain::new(options, Clock::stopped());
    interrupt.stop(StopReason::Asked);
    let answer = PathCondition::new().may_be(&mut chain, &pool, factors(&pool));
    assert_eq!(answer, Err(SolverError::BudgetReached));
}
