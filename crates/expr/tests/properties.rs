//! Random terms: whatever the simplifying constructors make means what was written.

use everett_base::rng::Rng;
use everett_expr::{Pool, fuzzing};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn simplified_terms_keep_value_facts_and_structure(data in prop::collection::vec(any::<u8>(), 0..160)) {
        fuzzing::check(&data);
    }
}

#[test]
fn a_fixed_sequence_of_random_inputs_passes() {
    let mut rng = Rng::new(7);
    for _ in 0..20_000 {
        let length = rng.below(120);
        let data: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
        fuzzing::check(&data);
    }
}

/// A generator that gives constants and single bytes would test nothing.
#[test]
fn decoded_trees_are_worth_checking() {
    let mut rng = Rng::new(8);
    let (mut constant, mut large) = (0, 0);
    for _ in 0..2000 {
        let data: Vec<u8> = (0..120).map(|_| rng.next_u64() as u8).collect();
        let pool = Pool::new();
        let term = fuzzing::decode(&data).build(&pool, pool.symbol("input", fuzzing::BYTES));
        constant += u32::from(pool.is_const(term));
        large += u32::from(pool.tree_size(term) >= 10);
    }
    assert!(constant < 800, "{constant} of 2000 are constants");
    assert!(large > 600, "{large} of 2000 have ten nodes or more");
}
