//! Paths through the chain: every option and every backend gives the same answers, and all of them
//! are right.

#[path = "support/terms.rs"]
mod terms;

use everett_expr::{Pool, TermId};
use everett_solver::{
    Backend, BackendChoice, BranchFeasibility, BruteForce, ChainOptions, MonotonicClock,
    PathCondition, QueryBudget, SolverAnswer, SolverChain,
};
use proptest::prelude::*;

use crate::terms::{Builder, Instruction, program};

/// Conditions over several pairs of bytes, each pair from its own symbol, so that there is something
/// to slice; some symbols are mixed.
fn conditions(pool: &Pool, programs: &[(u8, Vec<Instruction>)]) -> Vec<TermId> {
    programs
        .iter()
        .map(|(which, program)| {
            let symbol = pool.symbol(["a", "b"][*which as usize % 2], 1);
            Builder::new(pool, symbol).condition(program)
        })
        .collect()
}

fn brute_sat(pool: &Pool, terms: &[TermId]) -> bool {
    matches!(
        BruteForce
            .check(pool, terms, &QueryBudget::unlimited())
            .expect("the backend takes the query"),
        SolverAnswer::Sat(_)
    )
}

/// Walks along the conditions, always taking the true side if there is one, and describes what was
/// feasible.
fn walk(chain: &mut SolverChain, pool: &Pool, conditions: &[TermId]) -> Vec<(bool, bool)> {
    let mut path = PathCondition::new();
    let mut log = Vec::new();
    for &cond in conditions {
        let branch = path.branch(chain, pool, cond).expect("the backend takes the query");
        match branch {
            BranchFeasibility::Always(value) => log.push((value, !value)),
            BranchFeasibility::Both { then, other } => {
                log.push((true, true));
                let mut negative = path.clone();
                negative.assume_side(pool, pool.not(cond), other);
                assert_satisfied(pool, &negative);
                path.assume_side(pool, cond, then);
            }
            BranchFeasibility::Unknown { .. } => panic!("no budget was set"),
        }
        assert_satisfied(pool, &path);
    }
    log
}

fn assert_satisfied(pool: &Pool, path: &PathCondition) {
    for term in path.constraints() {
        assert_eq!(pool.eval_u64(term, path.model()), 1, "the model satisfies every constraint");
    }
}

fn all_options() -> Vec<(&'static str, ChainOptions)> {
    let base = ChainOptions { verify_models: true, ..ChainOptions::default() };
    vec![
        ("default", base.clone()),
        ("bare", ChainOptions { verify_models: true, ..ChainOptions::bare() }),
        ("no independence", ChainOptions { independence: false, ..base.clone() }),
        ("no substitution", ChainOptions { substitution: false, ..base.clone() }),
        ("no ranges", ChainOptions { ranges: false, ..base.clone() }),
        ("no exact cache", ChainOptions { exact_cache: false, ..base.clone() }),
        ("no cores", ChainOptions { core_reuse: false, ..base.clone() }),
        ("no recent models", ChainOptions { model_reuse: false, ..base.clone() }),
        ("no enumeration", ChainOptions { enumeration: false, ..base.clone() }),
        ("no sampling", ChainOptions { enumeration: false, sampling: false, ..base.clone() }),
        ("boolector", ChainOptions { backend: BackendChoice::Boolector, ..base.clone() }),
        ("checking", ChainOptions { backend: BackendChoice::Checking, ..base }),
    ]
}

proptest! {
    #![proptest_config(terms::config(60))]

    #[test]
    fn every_option_gives_the_answers_of_brute_force(
        programs in prop::collection::vec((any::<u8>(), program(7)), 1..9),
    ) {
        let pool = Pool::new();
        let conditions = conditions(&pool, &programs);
        let mut taken: Vec<TermId> = Vec::new();
        let mut expected = Vec::new();
        for &cond in &conditions {
            let with = |term| taken.iter().copied().chain([term]).collect::<Vec<_>>();
            let sides = (brute_sat(&pool, &with(cond)), brute_sat(&pool, &with(pool.not(cond))));
            expected.push(sides);
            taken.push(if sides.0 { cond } else { pool.not(cond) });
        }
        for (name, options) in all_options() {
            let mut chain = SolverChain::new(options, MonotonicClock::stopped());
            // The second walk is answered from what the first one left behind.
            for round in 0..2 {
                let found = walk(&mut chain, &pool, &conditions);
                prop_assert_eq!(&found, &expected, "{}, round {}", name, round);
            }
        }
    }

    #[test]
    fn extremes_are_those_of_brute_force_whatever_was_asked_before(
        programs in prop::collection::vec((any::<u8>(), program(6)), 1..4),
        warm in any::<bool>(),
    ) {
        let pool = Pool::new();
        let conditions = conditions(&pool, &programs);
        let (a, b) = (pool.byte(pool.symbol("a", 1), 0), pool.byte(pool.symbol("b", 1), 0));
        let term = pool.add(pool.zext(a, 16), pool.mul(pool.zext(b, 16), pool.constant(16, 3)));
        let mut chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
        if warm {
            walk(&mut chain, &pool, &conditions);
        }
        let mut path = PathCondition::new();
        let mut assumed = Vec::new();
        for &cond in &conditions {
            if path.assume(&mut chain, &pool, cond).expect("the backend takes the query") {
                assumed.push(cond);
            }
        }
        let mut feasible = Vec::new();
        for number in 0..=u16::MAX {
            let [x, y] = number.to_le_bytes();
            let owner = |var| if pool.symbol_name(pool.var_owner(var).0) == "a" { x } else { y };
            if assumed.iter().all(|&cond| pool.eval_u64(cond, &owner) == 1) {
                feasible.push(pool.eval_u64(term, &owner));
            }
        }
        let low = path.min_value(&mut chain, &pool, term).expect("the backend takes the query").low_u64();
        let high = path.max_value(&mut chain, &pool, term).expect("the backend takes the query").low_u64();
        prop_assert_eq!(Some(low), feasible.iter().copied().min());
        prop_assert_eq!(Some(high), feasible.iter().copied().max());
    }

    #[test]
    fn solving_a_set_by_groups_is_solving_it_whole(
        programs in prop::collection::vec((any::<u8>(), program(7)), 1..6),
    ) {
        let pool = Pool::new();
        let conditions = conditions(&pool, &programs);
        let mut chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
        let expected = brute_sat(&pool, &conditions);
        match chain.solve(&pool, &conditions).expect("the backend takes the query") {
            SolverAnswer::Sat(model) => {
                prop_assert!(expected);
                for &cond in &conditions {
                    prop_assert_eq!(pool.eval_u64(cond, &model), 1);
                }
            }
            SolverAnswer::Unsat => prop_assert!(!expected),
            SolverAnswer::Unknown => prop_assert!(false, "no budget was set"),
        }
    }
}
