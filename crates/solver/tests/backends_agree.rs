//! The backends against the brute-force solver and against one another, on random terms.

#[path = "support/terms.rs"]
mod terms;

use everett_expr::{Pool, TermId};
use everett_solver::{
    Backend, Bitblast, Boolector, BruteForce, CheckingBackend, QueryBudget, SolverAnswer,
};
use proptest::prelude::*;

use crate::terms::{Builder, Instruction, program};

fn condition(pool: &Pool, program: &[Instruction]) -> TermId {
    Builder::new(pool, pool.symbol("in", 2)).condition(program)
}

fn is_sat(pool: &Pool, backend: &mut dyn Backend, terms: &[TermId]) -> bool {
    match backend
        .check(pool, terms, &QueryBudget::unlimited())
        .expect("the backend takes the query")
    {
        SolverAnswer::Sat(model) => {
            for &term in terms {
                assert_eq!(pool.eval_u64(term, &model), 1, "{} is no model", backend.name());
            }
            true
        }
        SolverAnswer::Unsat => {
            let core = backend.core().to_vec();
            assert!(core.iter().all(|term| terms.contains(term)), "a core is part of the query");
            if !core.is_empty() {
                let alone = BruteForce
                    .check(pool, &core, &QueryBudget::unlimited())
                    .expect("the backend takes the query");
                assert_eq!(
                    alone,
                    SolverAnswer::Unsat,
                    "a core of {} is unsatisfiable",
                    backend.name()
                );
            }
            false
        }
        SolverAnswer::Unknown => panic!("no budget was set"),
    }
}

proptest! {
    #![proptest_config(terms::config(120))]

    #[test]
    fn both_backends_agree_with_brute_force(
        first in program(14),
        second in program(14),
        flip in any::<bool>(),
    ) {
        let pool = Pool::new();
        let (a, b) = (condition(&pool, &first), condition(&pool, &second));
        let terms = [a, if flip { pool.not(b) } else { b }];
        let expected = is_sat(&pool, &mut BruteForce, &terms);
        prop_assert_eq!(is_sat(&pool, &mut Bitblast::new(), &terms), expected);
        prop_assert_eq!(is_sat(&pool, &mut Boolector::new(), &terms), expected);
    }

    #[test]
    fn a_backend_that_has_answered_before_answers_as_a_new_one(
        programs in prop::collection::vec(program(8), 2..8),
    ) {
        let pool = Pool::new();
        let conditions: Vec<TermId> = programs.iter().map(|p| condition(&pool, p)).collect();
        let mut kept = Bitblast::new();
        for first in &conditions {
            for second in &conditions {
                let terms = [*first, pool.not(*second)];
                let expected = is_sat(&pool, &mut Bitblast::new(), &terms);
                prop_assert_eq!(is_sat(&pool, &mut kept, &terms), expected);
            }
        }
    }
}

#[test]
fn wide_terms_are_decided_alike() {
    let pool = Pool::new();
    let symbol = pool.symbol("wide", 16);
    let word =
        (1..16).fold(pool.byte(symbol, 0), |low, at| pool.concat(pool.byte(symbol, at), low));
    let big = pool.shl(pool.constant(128, 0xdead_beef), pool.constant(128, 90));
    let mut both = CheckingBackend::new(Box::new(Bitblast::new()), Box::new(Boolector::new()));
    let sum = pool.add(word, big);
    for (terms, expected) in [
        (vec![pool.eq(sum, big)], true),
        (vec![pool.ult(sum, word), pool.ult(word, big)], false),
        (vec![pool.slt(word, pool.constant(128, 0)), pool.ult(word, big)], false),
    ] {
        let answer = both
            .check(&pool, &terms, &QueryBudget::unlimited())
            .expect("the backend takes the query");
        assert_eq!(matches!(answer, SolverAnswer::Sat(_)), expected, "{}", pool.smtlib(&terms));
    }
}

#[test]
fn tables_and_symbol_arrays_are_read_alike() {
    let pool = Pool::new();
    let symbol = pool.symbol("text", 11);
    let index = pool.byte(pool.symbol("at", 1), 0);
    let mut both = CheckingBackend::new(Box::new(Bitblast::new()), Box::new(Boolector::new()));
    let bytes: Vec<u8> = (0..200u8).map(|n| n.wrapping_mul(91) | 1).collect();
    for array in [pool.symbol_array(symbol), pool.const_array(&bytes), pool.const_array(&[])] {
        let stored = pool.store(array, pool.zext(pool.byte(symbol, 3), 64), index);
        for array in [array, stored] {
            let read = pool.select(array, pool.zext(index, 64));
            let len = pool.constant(8, pool.array_len(array));
            for terms in [
                vec![pool.eq(read, pool.constant(8, 0)), pool.ult(index, len)],
                vec![pool.ne(read, pool.constant(8, 0)), pool.ule(len, index)],
                vec![pool.eq(read, index)],
            ] {
                both.check(&pool, &terms, &QueryBudget::unlimited())
                    .expect("the backend takes the query");
            }
        }
    }
}
