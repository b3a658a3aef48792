//! Path conditions: what they promise to whoever carries them along.

use everett_base::part::{PartReader, PartWriter, Portable};
use everett_expr::{Assignment, Pool, TermId, TermTable};

use super::*;
use crate::{ChainOptions, MonotonicClock, SolverChain};

fn chain() -> SolverChain {
    SolverChain::new(ChainOptions::default(), MonotonicClock::stopped())
}

fn byte(pool: &Pool, name: &str) -> TermId {
    pool.byte(pool.symbol(name, 1), 0)
}

#[test]
fn an_infeasible_assumption_changes_nothing() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let x = byte(&pool, "x");
    assert!(path.assume(&mut chain, &pool, pool.ult(x, pool.constant(8, 3))).unwrap());
    let value = path.value(&pool, x);
    assert!(!path.assume(&mut chain, &pool, pool.ult(pool.constant(8, 3), x)).unwrap());
    assert_eq!((path.len(), path.value(&pool, x)), (1, value));
}

#[test]
fn conjunctions_are_kept_as_their_parts() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let (x, y) = (byte(&pool, "x"), byte(&pool, "y"));
    let parts = [pool.ult(pool.constant(8, 3), x), pool.ult(pool.constant(8, 4), y)];
    assert!(path.assume(&mut chain, &pool, pool.and(parts[0], parts[1])).unwrap());
    let mut kept: Vec<TermId> = path.constraints().collect();
    kept.sort_unstable();
    let mut expected = parts.to_vec();
    expected.sort_unstable();
    assert_eq!(kept, expected);
}

#[test]
fn equalities_fix_bytes_and_simplify_what_comes_later() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let symbol = pool.symbol("word", 4);
    let word = (1..4).fold(pool.byte(symbol, 0), |low, at| pool.concat(pool.byte(symbol, at), low));
    assert_eq!(path.simplify(&pool, word), word);
    assert!(path.assume(&mut chain, &pool, pool.eq(word, pool.constant(32, 0x0102_0304))).unwrap());
    assert_eq!(pool.as_const(path.simplify(&pool, word)), Some(0x0102_0304));
    assert_eq!(path.model().fixed(pool.symbol_var(symbol, 0)), Some(4));
    let queries = chain.stats().backend_queries();
    let cond = pool.ult(word, pool.constant(32, 5));
    assert!(matches!(
        path.branch(&mut chain, &pool, cond).unwrap(),
        BranchFeasibility::Always(false)
    ));
    assert_eq!(chain.stats().backend_queries(), queries);
}

#[test]
fn choices_that_were_made_simplify_an_address() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let x = byte(&pool, "x");
    let below = |bound| pool.ult(x, pool.constant(8, bound));
    let word = |value| pool.constant(64, value);
    let step = |cond| pool.mul(pool.zext(cond, 64), word(8));
    let address = pool.add(pool.ite(below(100), word(0x1000), word(0x2000)), step(below(150)));
    assert_eq!(path.simplify_choices(&pool, address), address);
    assert!(path.assume(&mut chain, &pool, pool.not(below(100))).unwrap());
    let left = path.simplify_choices(&pool, address);
    assert_eq!(pool.range(left).map(|range| (range.umin, range.umax)), Some((0x2000, 0x2008)));
    // What follows from the constraints is known once it was asked for.
    assert!(path.assume(&mut chain, &pool, pool.ult(pool.constant(8, 200), x)).unwrap());
    assert_eq!(path.simplify_choices(&pool, address), left);
    let other = path.clone();
    let branch = path.branch(&mut chain, &pool, below(150)).unwrap();
    assert!(matches!(branch, BranchFeasibility::Always(false)));
    assert_eq!(pool.as_const(path.simplify_choices(&pool, address)), Some(0x2000));
    assert_eq!(other.simplify_choices(&pool, address), left);
}

#[test]
fn a_model_keeps_satisfying_constraints_over_other_bytes() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let names: Vec<String> = (0..40).map(|at| format!("v{at}")).collect();
    for (at, name) in names.iter().enumerate() {
        let cond = pool
            .eq(pool.urem(byte(&pool, name), pool.constant(8, 41)), pool.constant(8, at as u64));
        assert!(path.assume(&mut chain, &pool, cond).unwrap());
        for term in path.constraints() {
            assert_eq!(pool.eval_u64(term, path.model()), 1);
        }
    }
    for (at, name) in names.iter().enumerate() {
        assert_eq!(path.value(&pool, byte(&pool, name)).low_u64() % 41, at as u64);
    }
}

#[test]
fn a_fork_is_seen_by_one_side_only() {
    let pool = Pool::new();
    let (mut chain, mut left) = (chain(), PathCondition::new());
    let x = byte(&pool, "x");
    let cond = pool.ult(x, pool.constant(8, 100));
    let BranchFeasibility::Both { then, other } = left.branch(&mut chain, &pool, cond).unwrap()
    else {
        panic!("both sides are feasible")
    };
    assert!(then.is_current() && !other.is_current());
    let mut right = left.clone();
    assert!(right.value_with(&pool, x, &other).low_u64() >= 100);
    left.assume_side(&pool, cond, then);
    right.assume_side(&pool, pool.not(cond), other);
    assert!(left.model().byte(pool.symbol_var(pool.symbol("x", 1), 0)) < 100);
    assert!(right.value(&pool, x).low_u64() >= 100);
    assert!(left.is_always(&mut chain, &pool, cond).unwrap());
    assert!(!right.may_be(&mut chain, &pool, cond).unwrap());
}

#[test]
fn joining_two_paths_needs_both_to_agree() {
    let pool = Pool::new();
    let mut chain = chain();
    let x = byte(&pool, "x");
    let constant = |value| pool.constant(8, value);
    let conds = [pool.ult(x, constant(10)), pool.ult(constant(20), x), pool.ult(constant(5), x)];
    let [low, high, middle] = conds.map(|cond| {
        let mut path = PathCondition::new();
        assert!(path.assume(&mut chain, &pool, cond).unwrap());
        path
    });
    let mut joined = low.clone();
    assert!(!joined.assume_all(&mut chain, &pool, high.constraints()).unwrap());
    assert_eq!(joined.len(), 1);
    assert!(joined.assume_all(&mut chain, &pool, middle.constraints()).unwrap());
    assert_eq!(joined.min_value(&mut chain, &pool, x).unwrap().low_u64(), 6);
    assert_eq!(joined.max_value(&mut chain, &pool, x).unwrap().low_u64(), 9);
}

#[test]
fn paths_that_tell_each_other_what_they_know_do_not_grow() {
    let pool = Pool::new();
    let mut chain = chain();
    let [x, y] = ["x", "y"].map(|name| byte(&pool, name));
    let (mut left, mut right) = (PathCondition::new(), PathCondition::new());
    assert!(left.assume(&mut chain, &pool, pool.ult(x, pool.constant(8, 9))).unwrap());
    assert!(right.assume(&mut chain, &pool, pool.ult(x, y)).unwrap());
    for _ in 0..5 {
        let told: Vec<TermId> = left.constraints().chain(left.constraints()).collect();
        assert!(right.assume_all(&mut chain, &pool, told).unwrap());
        assert!(left.join(&mut chain, &pool, &right).unwrap());
    }
    assert_eq!((left.len(), right.len()), (2, 2));
}

#[test]
fn joined_paths_keep_both_models_where_they_do_not_meet() {
    let pool = Pool::new();
    let mut chain = chain();
    let [x, y, z] = ["x", "y", "z"].map(|name| byte(&pool, name));
    let mut assume = |path: &mut PathCondition, cond| {
        assert!(path.assume(&mut chain, &pool, cond).unwrap());
    };
    let (mut left, mut right) = (PathCondition::new(), PathCondition::new());
    assume(&mut left, pool.ult(pool.constant(8, 100), x));
    assume(&mut right, pool.ult(pool.constant(8, 50), y));
    assume(&mut right, pool.ult(y, z));
    let queries = chain.stats().backend_queries();
    assert!(left.join(&mut chain, &pool, &right).unwrap());
    assert_eq!(chain.stats().backend_queries(), queries);
    assert_eq!(left.len(), 3);
    let mut rival = PathCondition::new();
    assert!(rival.assume(&mut chain, &pool, pool.ult(x, pool.constant(8, 7))).unwrap());
    assert!(!left.join(&mut chain, &pool, &rival).unwrap());
    assert_eq!(left.len(), 3);
}

#[test]
fn constraints_are_connected_through_shared_bytes() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let [x, y, z] = ["x", "y", "z"].map(|name| byte(&pool, name));
    let conds =
        [pool.ult(x, y), pool.ult(z, pool.constant(8, 9)), pool.ult(pool.constant(8, 3), y)];
    for cond in conds {
        assert!(path.assume(&mut chain, &pool, cond).unwrap());
    }
    assert_eq!(path.connected(&pool, pool.support(x)), [conds[0], conds[2]]);
    assert_eq!(path.connected(&pool, pool.support(z)), [conds[1]]);
    assert_eq!(path.support(&pool).len(), 3);
}

#[test]
fn extremes_of_wide_terms_are_found() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let symbol = pool.symbol("wide", 12);
    let word =
        (1..12).fold(pool.byte(symbol, 0), |low, at| pool.concat(pool.byte(symbol, at), low));
    let bound = pool.shl(pool.constant(96, 0x1234), pool.constant(96, 70));
    assert!(path.assume(&mut chain, &pool, pool.ult(word, bound)).unwrap());
    assert!(path.assume(&mut chain, &pool, pool.ult(pool.constant(96, 17), word)).unwrap());
    let low = path.min_value(&mut chain, &pool, word).unwrap();
    let high = path.max_value(&mut chain, &pool, word).unwrap();
    assert_eq!(low.to_u64(), Some(18));
    assert_eq!(pool.as_bitvec(pool.sub(bound, pool.constant(96, 1))), Some(high));
}

#[test]
fn a_path_condition_is_a_few_words() {
    assert!(size_of::<PathCondition>() <= 72, "{}", size_of::<PathCondition>());
    assert_eq!(size_of::<BranchWitness>(), 8);
}

#[test]
fn chains_and_paths_can_move_between_threads() {
    fn movable<T: Send>() {}
    fn shareable<T: Send + Sync>() {}
    movable::<SolverChain>();
    shareable::<PathCondition>();
}

#[test]
fn a_path_is_the_same_after_reading_in_any_pool() {
    let pool = Pool::new();
    let (mut chain, mut path) = (chain(), PathCondition::new());
    let (x, y, z) = (byte(&pool, "x"), byte(&pool, "y"), byte(&pool, "z"));
    let below = |pool: &Pool, term, limit| pool.ult(term, pool.constant(8, limit));
    for cond in
        [below(&pool, x, 100), pool.eq(y, pool.constant(8, 7)), pool.not(below(&pool, x, 50))]
    {
        assert!(path.assume(&mut chain, &pool, cond).unwrap());
    }
    assert!(matches!(
        path.branch(&mut chain, &pool, below(&pool, x, 120)).unwrap(),
        BranchFeasibility::Always(true)
    ));
    let mut other = path.clone();
    assert!(other.assume(&mut chain, &pool, below(&pool, z, 9)).unwrap());

    let (values, terms) = {
        let mut to = PartWriter::new(&[]);
        path.write(&mut to);
        other.write(&mut to);
        let terms = TermTable::write(&pool, &to);
        (to.into_bytes(), terms)
    };
    for used in [false, true] {
        let fresh = Pool::new();
        if used {
            (0..5).for_each(|number| _ = byte(&fresh, &format!("before{number}")));
            byte(&fresh, "z");
        }
        let table = TermTable::read(&fresh, &terms).unwrap();
        let mut from = PartReader::new(&values, &[&table, &fresh]);
        let read = PathCondition::read(&mut from).unwrap();
        let read_other = PathCondition::read(&mut from).unwrap();
        from.end().unwrap();
        let texts = |pool: &Pool, path: &PathCondition| -> Vec<String> {
            path.constraints().map(|term| pool.display(term).to_string()).collect()
        };
        assert_eq!(texts(&fresh, &read), texts(&pool, &path));
        assert_eq!(texts(&fresh, &read_other), texts(&pool, &other));
        for (name, term) in [("x", x), ("y", y), ("z", z)] {
            let now = byte(&fresh, name);
            assert_eq!(read.value(&fresh, now), path.value(&pool, term));
            assert_eq!(read_other.value(&fresh, now), other.value(&pool, term));
        }
        assert_eq!(fresh.as_const(read.simplify(&fresh, byte(&fresh, "y"))), Some(7));
        let mut chain = self::chain();
        let mut read = read;
        let cond = below(&fresh, byte(&fresh, "x"), 60);
        assert!(matches!(
            read.branch(&mut chain, &fresh, cond).unwrap(),
            BranchFeasibility::Both { .. }
        ));
        for end in 0..values.len() {
            let mut from = PartReader::new(&values[..end], &[&table, &fresh]);
            let both = PathCondition::read(&mut from).and_then(|_| PathCondition::read(&mut from));
            assert!(both.is_err(), "{end} bytes");
        }
    }
}
