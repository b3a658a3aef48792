//! Enumeration against brute force, and on queries that are hard for solvers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_expr::Assignment;
use proptest::prelude::*;

use super::*;
use crate::budget::MonotonicClock;
use crate::terms::{self, Builder, program};
use crate::{ChainOptions, PathCondition, PersistentModel, SolverChain};

fn decide(
    enumerator: &mut ByteEnumerator,
    pool: &Pool,
    terms: &[TermId],
) -> Result<Option<Arc<Model>>, CompileRefusal> {
    let (query, constraints) = terms.split_last().expect("there is a query");
    match enumerator.decide(pool, constraints, *query, &QueryBudget::unlimited())? {
        DefiniteAnswer::Sat(model) => Ok(Some(model)),
        DefiniteAnswer::Unsat => Ok(None),
    }
}

/// The smallest assignment of two bytes, by plain evaluation.
fn smallest(pool: &Pool, bytes: [VarId; 2], terms: &[TermId]) -> Option<[u8; 2]> {
    (0..=u16::MAX).map(u16::to_be_bytes).find(|values| {
        let value = |var: VarId| if var == bytes[0] { values[0] } else { values[1] };
        terms.iter().all(|&term| pool.eval_u64(term, &value) == 1)
    })
}

/// The 64-bit hash of some bytes.
fn fnv(pool: &Pool, bytes: &[TermId]) -> TermId {
    let prime = pool.constant(64, 0x0000_0100_0000_01b3);
    let basis = pool.constant(64, 0xcbf2_9ce4_8422_2325);
    bytes.iter().fold(basis, |hash, &byte| pool.mul(pool.xor(hash, pool.zext(byte, 64)), prime))
}

/// A mixture of products, quotients and remainders that no solver sees through.
fn mixture(pool: &Pool, bytes: &[TermId], rounds: u64) -> TermId {
    (0..rounds).fold(fnv(pool, bytes), |x, round| {
        let divisor = pool.constant(64, 1_000_003 + 2 * round);
        let quotient = pool.binary(BinOp::UDiv, x, divisor);
        let remainder = pool.binary(BinOp::URem, x, divisor);
        pool.mul(pool.xor(quotient, pool.mul(remainder, remainder)), pool.constant(64, 0x9e37_79b9))
    })
}

proptest! {
    #![proptest_config(terms::config(24))]

    #[test]
    fn answers_are_the_smallest_assignments(
        programs in prop::collection::vec((0u8..4, program(9)), 1..5),
    ) {
        let pool = Pool::new();
        // The symbol that comes first by its name comes second by its number.
        let (second, first) = (pool.symbol("b", 1), pool.symbol("a", 1));
        let bytes = [first, second].map(|symbol| pool.symbol_var(symbol, 0));
        let mut enumerator = ByteEnumerator::default();
        let mut terms = Vec::new();
        for (which, program) in &programs {
            let (own, other) = if which & 1 == 0 { (first, second) } else { (second, first) };
            let mut term = Builder::new(&pool, own).condition(program);
            if which & 2 != 0 {
                let other = Builder::new(&pool, other).condition(program);
                term = pool.or(term, pool.and(other, pool.ult(pool.byte(first, 0), pool.byte(second, 0))));
            }
            if !pool.is_const(term) {
                terms.push(term);
            }
            if terms.is_empty() {
                continue;
            }
            let expected = smallest(&pool, bytes, &terms);
            // Asked twice: the second answer comes from the sets.
            for _ in 0..2 {
                let found = decide(&mut enumerator, &pool, &terms).unwrap();
                prop_assert_eq!(found.is_some(), expected.is_some());
                let values = bytes_of(&pool, terms.iter().copied(), MAX_BYTES).unwrap();
                for (byte, value) in bytes.into_iter().zip(expected.unwrap_or_default()) {
                    if let Some(model) = found.as_ref().filter(|_| values.contains(&byte)) {
                        prop_assert_eq!(model.byte(byte), value);
                    }
                }
            }
        }
    }

    #[test]
    fn few_values_of_three_bytes_are_tried_one_by_one(programs in prop::collection::vec(program(6), 1..3)) {
        let pool = Pool::new();
        let symbol = pool.symbol("s", 3);
        let mut terms: Vec<TermId> = (0..3)
            .map(|at| pool.ult(pool.byte(symbol, at), pool.constant(8, 20)))
            .collect();
        terms.extend(programs.iter().map(|program| Builder::new(&pool, symbol).condition(program)));
        terms.retain(|&term| !pool.is_const(term));
        let mut enumerator = ByteEnumerator::default();
        let expected = (0..20u32.pow(3)).any(|number| {
            let values = [number / 400, number / 20 % 20, number % 20];
            let value = |var: VarId| values[pool.var_owner(var).1 as usize] as u8;
            terms.iter().all(|&term| pool.eval_u64(term, &value) == 1)
        });
        if let Ok(found) = decide(&mut enumerator, &pool, &terms) {
            prop_assert_eq!(found.is_some(), expected);
            for &term in found.iter().flat_map(|_| &terms) {
                prop_assert_eq!(pool.eval_u64(term, &**found.as_ref().unwrap()), 1);
            }
        }
    }
}

#[test]
fn no_arithmetic_on_one_or_two_bytes_is_hard() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 2);
    let bytes = [0, 1].map(|at| pool.byte(symbol, at));
    for count in [1, 2] {
        let hash = mixture(&pool, &bytes[..count], 40);
        let mut chain = SolverChain::with_backend(
            ChainOptions { query_conflicts: Some(1), ..ChainOptions::default() },
            MonotonicClock::stopped(),
            Box::new(crate::Bitblast::new()),
        );
        let mut path = PathCondition::new();
        let low = pool.extract(hash, 0, 16);
        let wanted = pool.eval_u64(low, &|_: VarId| 0xa7);
        assert!(path.assume(&mut chain, &pool, pool.eq(low, pool.constant(16, wanted))).unwrap());
        assert!(!path.may_be(&mut chain, &pool, pool.ne(low, pool.constant(16, wanted))).unwrap());
        let (values, complete) = path.values(&mut chain, &pool, low, 10).unwrap();
        assert_eq!((values, complete), (vec![wanted], true));
        assert_eq!(chain.stats().backend_queries(), 0);
    }
}

#[test]
fn values_of_a_term_are_all_that_some_assignment_gives() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 2);
    let [x, y] = [0, 1].map(|at| pool.byte(symbol, at));
    let sum = pool.mul(pool.zext(x, 32), pool.add(pool.zext(y, 32), pool.constant(32, 7)));
    let conditions = [pool.ult(x, y), pool.ult(pool.mul(x, y), pool.constant(8, 9))];
    let mut expected = Vec::new();
    for pair in 0..=u16::MAX {
        let [first, second] = pair.to_be_bytes();
        let value = |var: VarId| if pool.var_owner(var).1 == 0 { first } else { second };
        if conditions.iter().all(|&term| pool.eval_u64(term, &value) == 1) {
            expected.push(pool.eval_u64(sum, &value));
        }
    }
    expected.sort_unstable();
    expected.dedup();
    for enumeration in [true, false] {
        let options = ChainOptions { enumeration, ..ChainOptions::default() };
        let mut chain = SolverChain::new(options, MonotonicClock::stopped());
        let mut path = PathCondition::new();
        for condition in conditions {
            assert!(path.assume(&mut chain, &pool, condition).unwrap());
        }
        let ends = [path.min_value(&mut chain, &pool, sum), path.max_value(&mut chain, &pool, sum)];
        let ends = ends.map(|end| end.unwrap().low_u64());
        assert_eq!(ends, [expected[0], *expected.last().unwrap()]);
        let all = path.values(&mut chain, &pool, sum, expected.len()).unwrap();
        assert_eq!(all, (expected.clone(), true));
        let (some, complete) = path.values(&mut chain, &pool, sum, 5).unwrap();
        assert_eq!((some.len(), complete), (5, false));
    }
}

#[test]
fn a_budget_ends_an_enumeration() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 2);
    let hash = mixture(&pool, &[0, 1].map(|at| pool.byte(symbol, at)), 100);
    let query = pool.eq(pool.extract(hash, 0, 16), pool.constant(16, 12345));
    let ticks = Arc::new(AtomicU64::new(0));
    let clock =
        MonotonicClock::new(move || Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed)));
    let budget = QueryBudget::time(clock, Duration::from_millis(3)).begun();
    let mut enumerator = ByteEnumerator::default();
    assert_eq!(
        enumerator.decide(&pool, &[], query, &budget).unwrap_err(),
        CompileRefusal::OutOfTime
    );
    assert!(enumerator.decide(&pool, &[], query, &QueryBudget::unlimited()).is_ok());
}

#[test]
fn what_is_too_dear_is_not_compiled_again() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 2);
    let [x, y] = [0, 1].map(|at| pool.zext(pool.byte(symbol, at), 32));
    let sum = (1..30_000).fold(x, |sum, round| {
        let product = pool.mul(x, pool.constant(32, round));
        pool.add(pool.mul(sum, pool.constant(32, 31)), pool.xor(product, y))
    });
    let query = pool.eq(sum, pool.constant(32, 77));
    let interrupt = Interrupt::new();
    let budget = QueryBudget::unlimited().with_interrupt(interrupt.clone());
    let mut enumerator = ByteEnumerator::default();
    let mut refusal = || enumerator.decide(&pool, &[], query, &budget).unwrap_err();
    assert_eq!(refusal(), CompileRefusal::TooDear);
    // Compiling looks at the budget.
    interrupt.stop(StopReason::Time);
    assert_eq!(refusal(), CompileRefusal::TooDear);
}

#[test]
fn plain_terms_over_many_values_are_left_to_a_solver() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 3);
    let [x, y, z] = [0, 1, 2].map(|at| pool.byte(symbol, at));
    let mut enumerator = ByteEnumerator::default();
    let terms = [pool.ult(x, y), pool.ult(y, z)];
    assert_eq!(decide(&mut enumerator, &pool, &terms), Err(CompileRefusal::TooDear));
    let digits: Vec<TermId> = [x, y, z]
        .into_iter()
        .map(|byte| pool.ult(pool.sub(byte, pool.constant(8, 0x30)), pool.constant(8, 10)))
        .chain(terms)
        .collect();
    let model = decide(&mut enumerator, &pool, &digits).unwrap().expect("there are such digits");
    let values: Vec<u8> = (0..3).map(|at| model.byte(pool.symbol_var(symbol, at))).collect();
    assert_eq!(values, b"012");
}

#[test]
fn conditions_on_one_large_term_agree_with_plain_evaluation() {
    let pool = Pool::new();
    let symbol = pool.symbol("input", 2);
    let bytes = [0, 1].map(|at| pool.byte(symbol, at));
    let vars =
        [0, 1].map(|at| pool.support(bytes[at]).iter().next().expect("a byte has a variable"));
    let hash = mixture(&pool, &bytes, 60);
    let mut enumerator = ByteEnumerator::default();
    assert!(enumerator.cost(&pool, hash).nodes >= TABLED_NODES);
    let bucket = pool.extract(hash, 3, 7);
    let odd = pool.extract(hash, 0, 1);
    let mut cores = Set::default();
    for number in 0..6 {
        let is_it = pool.binary(BinOp::Eq, bucket, pool.constant(7, 20 * number));
        let is_large = pool.binary(BinOp::Ult, pool.constant(64, number << 60), hash);
        let core = tables::core(&pool, is_it);
        assert!(core != is_it && core == tables::core(&pool, pool.not(is_it)));
        cores.insert(core);
        for terms in [vec![is_it], vec![odd, is_it], vec![is_large, pool.not(odd), is_it]] {
            let found = decide(&mut enumerator, &pool, &terms).expect("two bytes are enumerated");
            let values = found.map(|model| vars.map(|var| model.byte(var)));
            assert_eq!(values, smallest(&pool, vars, &terms), "{number}");
        }
    }
    assert_eq!(cores.len(), 1, "all conditions on the bucket share one table");
}

/// The bytes of a new symbol.
fn symbol_bytes(pool: &Pool, name: &str, size: u32) -> Vec<TermId> {
    let symbol = pool.symbol(name, size);
    (0..size).map(|at| pool.byte(symbol, at)).collect()
}

#[test]
fn a_key_of_eight_bytes_is_drawn_for_a_bucket_of_a_large_table() {
    let pool = Pool::new();
    let bytes = symbol_bytes(&pool, "key", 8);
    let hash = mixture(&pool, &bytes, 2);
    let bucket = pool.extract(hash, 16, 16);
    let letters = bytes.iter().map(|&byte| pool.ult(pool.constant(8, b'a'.into()), byte));
    for wanted in [0, 4711, 65_535] {
        let mut terms: Vec<TermId> = letters.clone().collect();
        terms.push(pool.eq(bucket, pool.constant(16, wanted)));
        let mut enumerator = ByteEnumerator::default();
        let (nowhere, unlimited) = (PersistentModel::new(), QueryBudget::unlimited());
        let mut sample =
            |effort| enumerator.sample(&pool, &nowhere, &terms, effort, &unlimited).unwrap();
        let found = sample(SamplingEffort::Thorough).expect("one key in 65,536 fits");
        assert!(terms.iter().all(|&term| pool.eval_u64(term, &found) == 1));
        assert_eq!(sample(SamplingEffort::Thorough), Some(found), "the draws are always the same");
    }
}

#[test]
fn draws_begin_near_the_values_of_the_path() {
    let pool = Pool::new();
    let bytes = symbol_bytes(&pool, "key", 16);
    // The sum of eight products: no draw of all bytes is near by chance, and one byte has to change.
    let wide: Vec<TermId> = bytes.iter().map(|&byte| pool.zext(byte, 32)).collect();
    let products = wide.chunks(2).map(|pair| pool.mul(pair[0], pair[1]));
    let sum = products.reduce(|a, b| pool.add(a, b)).unwrap();
    let path_sum = pool.eq(pool.extract(sum, 1, 31), pool.constant(31, 8 * 81 / 2));
    let mut path = PathCondition::new();
    let mut chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
    for &byte in &bytes {
        assert!(path.assume(&mut chain, &pool, pool.ult(byte, pool.constant(8, 40))).unwrap());
    }
    assert!(path.assume(&mut chain, &pool, path_sum).unwrap());
    let before = pool.constant(8, pool.eval_u64(bytes[0], path.model()));
    let near = pool.ult(pool.constant(32, 8 * 80), sum);
    let below = pool.ult(sum, pool.constant(32, 8 * 2_000));
    let terms = [near, below, pool.not(pool.eq(bytes[0], before))];
    let found = ByteEnumerator::default()
        .sample(&pool, path.model(), &terms, SamplingEffort::Brief, &QueryBudget::unlimited())
        .unwrap()
        .expect("changing the first byte is one of the draws");
    assert!(terms.iter().all(|&term| pool.eval_u64(term, &found) == 1));
}

#[test]
fn nothing_is_drawn_for_plain_terms_in_haste_nor_for_what_has_no_solution() {
    let pool = Pool::new();
    let bytes = symbol_bytes(&pool, "plain", 12);
    let nowhere = PersistentModel::new();
    let mut enumerator = ByteEnumerator::default();
    let mut sample = |terms: &[TermId], effort| {
        enumerator.sample(&pool, &nowhere, terms, effort, &QueryBudget::unlimited()).unwrap()
    };
    let different = pool.not(pool.eq(bytes[0], bytes[1]));
    assert_eq!(sample(&[different], SamplingEffort::Brief), None);
    assert!(sample(&[different], SamplingEffort::Thorough).is_some());
    let hash = fnv(&pool, &bytes);
    let impossible = [pool.ult(hash, word(&pool, 5)), pool.ult(word(&pool, 9), hash)];
    assert_eq!(sample(&impossible, SamplingEffort::Thorough), None);
}

/// A constant of 64 bits.
fn word(pool: &Pool, value: u64) -> TermId {
    pool.constant(64, value)
}
