//! Queries that someone will not wait for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use everett_base::Interrupt;
use everett_base::interrupt::{MemoryPressure, StopReason};
use everett_expr::{Pool, TermId};
use everett_solver::{
    BackendChoice, ChainOptions, MonotonicClock, PathCondition, SolverChain, SolverError,
};

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
    use BackendChoice::{Auto, Bitblast, Boolector, Checking};
    for backend in [Auto, Bitblast, Boolector, Checking] {
        let pool = Pool::new();
        let interrupt = Interrupt::new();
        let options =
            ChainOptions { backend, interrupt: interrupt.clone(), ..ChainOptions::default() };
        let mut chain = SolverChain::new(options, MonotonicClock::stopped());
        interrupt.stop(StopReason::Asked);
        let answer = PathCondition::new().may_be(&mut chain, &pool, factors(&pool));
        assert_eq!(answer, Err(SolverError::BudgetReached), "{backend:?}");
    }
}

#[test]
fn a_query_that_gives_up_for_want_of_memory_says_so() {
    let pool = Pool::new();
    let interrupt = Interrupt::new();
    let options = ChainOptions { interrupt: interrupt.clone(), ..ChainOptions::default() };
    let mut chain = SolverChain::new(options, MonotonicClock::stopped());
    interrupt.press(MemoryPressure::FarAbove);
    let answer = PathCondition::new().may_be(&mut chain, &pool, factors(&pool));
    assert_eq!(answer, Err(SolverError::MemoryReached));
}

#[test]
fn a_query_gives_up_when_it_is_cancelled_while_it_is_solved() {
    let pool = Pool::new();
    let interrupt = Interrupt::new();
    let options = ChainOptions { interrupt: interrupt.clone(), ..ChainOptions::default() };
    let mut chain = SolverChain::new(options, MonotonicClock::stopped());
    let raise = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        interrupt.stop(StopReason::Time);
    });
    let answer = PathCondition::new().may_be(&mut chain, &pool, factors(&pool));
    assert_eq!(answer, Err(SolverError::BudgetReached));
    raise.join().expect("it does not panic");
}

/// Between two looks at this clock a second passes: what a million steps take, about.
#[test]
fn trying_all_values_of_two_bytes_takes_no_longer_than_a_query_may() {
    let pool = Pool::new();
    let symbol = pool.symbol("x", 2);
    let bytes = pool.zext(pool.concat(pool.byte(symbol, 0), pool.byte(symbol, 1)), 64);
    let step = |n, k| pool.xor(pool.mul(n, pool.constant(64, 6_364_136_223_846_793_005)), k);
    let number = (0..200).fold(bytes, |n, k| step(n, pool.constant(64, k)));
    let never = pool.eq(pool.mul(number, number), pool.constant(64, 3));
    let looks = Arc::new(AtomicU64::new(0));
    let clock = {
        let looks = looks.clone();
        MonotonicClock::new(move || Duration::from_secs(looks.fetch_add(1, Ordering::Relaxed)))
    };
    let limit = Some(Duration::from_secs(20));
    let mut chain =
        SolverChain::new(ChainOptions { query_time: limit, ..ChainOptions::default() }, clock);
    let answer = PathCondition::new().may_be(&mut chain, &pool, never);
    assert_eq!(answer, Err(SolverError::BudgetReached));
    assert!(looks.load(Ordering::Relaxed) < 50, "{looks:?}");
}
