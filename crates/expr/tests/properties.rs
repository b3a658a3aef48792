//! Random terms: whatever the simplifying constructors make means what was written.

use everett_base::rng::Rng;
use everett_expr::fuzzing;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

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
