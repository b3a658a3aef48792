//! Random senders and receivers of messages of two bytes, compared with trying everything.
//!
//! A random sender path computes two bytes of up to two inputs, by functions of which some can be inverted
//! and some cannot. The oracle runs through all inputs and all messages. It knows nothing of terms but their
//! values, and says which classes there are, with their examples and cores.
//!
//! `EVERETT_TROJAN_SETS` is the number of random sets to try, `EVERETT_TROJAN_SEED` the first of them.

#[path = "support/oracle.rs"]
mod oracle;
#[path = "support/random.rs"]
mod random;

use std::sync::Arc;

use everett_base::Rng;
use everett_expr::{Assignment, Pool, TermId, VarId};
use everett_solver::{BackendChoice, ChainOptions, MonotonicClock, SolverChain};
use everett_trojan::{
    ClassTable, Coverage, EliminationLimits, MessageCount, SearchLimits, SenderOptions, SenderSet,
    TrojanClasses, TrojanSearch,
};

use self::oracle::{Message, Oracle};
use self::random::RandomSystem;

/// The reason that questions have answers.
const UNLIMITED: &str = "queries have no limits";

/// Outcomes of the sets of a test.
#[derive(Default, Debug)]
struct Outcomes {
    sets: u64,
    exact: u64,
    with_trojans: u64,
    covered: u64,
    undecided: u64,
    counted: u64,
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().expect("a number"))
}

fn seeds(share: u64) -> impl Iterator<Item = u64> {
    let first = setting("EVERETT_TROJAN_SEED", 0);
    let count = setting("EVERETT_TROJAN_SETS", 10_000) / share;
    first..first + count
}

fn new_chain() -> SolverChain {
    SolverChain::new(ChainOptions::default(), MonotonicClock::stopped())
}

fn new_search(pool: &Pool, system: &RandomSystem, options: SenderOptions) -> TrojanSearch {
    let mut senders = SenderSet::new("message", options);
    system.paths.iter().for_each(|path| {
        senders.add(pool, &path.path);
    });
    senders.set_explored_to_end(true);
    let limits = SearchLimits { counts: system.counts, ..SearchLimits::default() };
    TrojanSearch::new(Arc::new(senders), limits)
}

/// Tries one set, and compares everything with the oracle.
fn try_set(seed: u64, limits: EliminationLimits, outcomes: &mut Outcomes) {
    let pool = Pool::new();
    let system = RandomSystem::new(&pool, &mut Rng::new(seed));
    let oracle = Oracle::new(&pool, &system);
    let trojans = oracle.trojans(&pool, &system.conditions);
    let options = SenderOptions { limits, ..SenderOptions::default() };
    let mut search = new_search(&pool, &system, options);
    let mut chain = new_chain();
    let is_exact = search.senders().is_exact(2);
    let mut state = search.receive(2);
    for &condition in &system.conditions {
        search.assume(&pool, &mut chain, &mut state, condition).expect(UNLIMITED);
    }
    outcomes.sets += 1;
    outcomes.exact += u64::from(is_exact);
    match state.coverage() {
        Coverage::Covered => {
            assert!(trojans.is_empty(), "set {seed}: {:?} is missed", trojans[0]);
            outcomes.covered += 1;
        }
        Coverage::Trojan => {
            assert!(!trojans.is_empty(), "set {seed}: there are none");
            outcomes.with_trojans += 1;
        }
        Coverage::Undecided => {
            assert!(!is_exact, "set {seed} is exact, and undecided");
            outcomes.undecided += 1;
        }
    }
    // Classes take several questions each.
    if !seed.is_multiple_of(3) {
        return;
    }
    let found = search.classes(&pool, &mut chain, &state).expect(UNLIMITED);
    if system.counts && is_exact {
        outcomes.counted += check_counts(seed, &oracle, &trojans, &found);
    }
    let classes: Vec<(Vec<u32>, Vec<u8>)> =
        found.classes.into_iter().map(|class| (class.core, class.example)).collect();
    for (at, (core, example)) in classes.iter().enumerate() {
        let example = [example[0], example[1]];
        assert!(oracle.is_trojan(&pool, &system.conditions, example), "set {seed}: {example:?}");
        assert_eq!(core, oracle.core(example), "set {seed}: the core of {example:?}");
        // The example is the first one among those that are left by the classes before, if the bytes are
        // compared in the order of their offsets or, where the first is computed of the second, the other
        // way round.
        let left = |message: &Message| {
            classes[..at].iter().all(|(core, _)| !oracle.is_blocked(core, *message))
        };
        let first = trojans.iter().copied().filter(left).min();
        let last = trojans.iter().copied().filter(left).min_by_key(|&[a, b]| [b, a]);
        let is_first = first == Some(example) || last == Some(example);
        assert!(is_first || !found.is_complete, "set {seed}: {example:?} is not the smallest");
    }
    if found.is_complete {
        let is_found =
            |message: &Message| classes.iter().any(|(core, _)| oracle.is_blocked(core, *message));
        let missing = trojans.iter().find(|&message| !is_found(message));
        assert_eq!(missing, None, "set {seed}");
    } else {
        assert!(!is_exact, "set {seed} is exact, and its classes are incomplete");
    }
}

/// Counts the messages of each class that are in no class before it. Returns the number of classes that
/// have counts: bytes that stay in a projection are in the way of some.
fn check_counts(seed: u64, oracle: &Oracle, trojans: &[Message], found: &TrojanClasses) -> u64 {
    let (mut rest, mut counted) = (trojans.to_vec(), 0);
    for class in &found.classes {
        let before = rest.len();
        rest.retain(|&message| !oracle.is_blocked(&class.core, message));
        let count = u128::try_from(before - rest.len()).expect("there are few messages");
        if let Some(messages) = class.messages {
            assert_eq!(messages, MessageCount::new(count, 0), "set {seed}: {class:?}");
            counted += 1;
        }
    }
    counted
}

#[test]
fn classes_are_those_of_brute_force() {
    let mut outcomes = Outcomes::default();
    for seed in seeds(1) {
        try_set(seed, EliminationLimits::default(), &mut outcomes);
    }
    println!("{outcomes:?}");
    let Outcomes { sets, exact, with_trojans, covered, undecided, counted } = outcomes;
    assert!(exact * 10 > sets * 8, "elimination is to remove most inputs");
    assert!(undecided * 50 < sets && with_trojans * 4 > sets && covered * 20 > sets);
    assert!(counted * 1000 > sets, "some classes are to be counted");
}

#[test]
fn refinement_comes_to_the_same_classes() {
    // Nothing is split or expanded, so that many inputs stay.
    let limits = EliminationLimits { alternatives_max: 1, expansion_max: 0 };
    let mut outcomes = Outcomes::default();
    for seed in seeds(8) {
        try_set(seed, limits, &mut outcomes);
    }
    println!("{outcomes:?}");
    let Outcomes { sets, exact, undecided, .. } = outcomes;
    assert!(exact * 10 < sets * 9, "some inputs are to stay");
    assert!(undecided * 10 < sets);
}

/// The classes of all leaves of a tree of branches, with the states that were asked.
fn explore(
    pool: &Pool,
    system: &RandomSystem,
    branches: &[TermId],
    prunes: bool,
) -> (ClassTable<usize>, usize) {
    let mut search = new_search(pool, system, SenderOptions::default());
    let mut chain = new_chain();
    let (mut table, mut states) = (ClassTable::new(), 0);
    let mut root = search.receive(2);
    system
        .conditions
        .iter()
        .for_each(|&condition| search.assume_unasked(pool, &mut root, condition));
    let mut stack = vec![(root, 0, 0)];
    while let Some((state, depth, place)) = stack.pop() {
        states += 1;
        let Some(&branch) = branches.get(depth) else {
            for class in search.classes(pool, &mut chain, &state).expect(UNLIMITED).classes {
                table.add(place, class);
            }
            continue;
        };
        for side in [branch, pool.not(branch)] {
            let mut next = state.clone();
            if !prunes {
                search.assume_unasked(pool, &mut next, side);
            } else if search.assume(pool, &mut chain, &mut next, side).expect(UNLIMITED)
                == Coverage::Covered
            {
                continue;
            }
            // Half of the leaves accept at one place.
            stack.push((next, depth + 1, usize::from(side == branch)));
        }
    }
    (table, states)
}

#[test]
fn pruning_changes_no_class() {
    let (mut pruned, mut all) = (0, 0);
    for seed in seeds(40) {
        let pool = Pool::new();
        let mut rng = Rng::new(seed);
        let system = RandomSystem::new(&pool, &mut rng);
        let branches: Vec<TermId> = (0..3).map(|_| system.branch(&pool, &mut rng)).collect();
        let (with, states_with) = explore(&pool, &system, &branches, true);
        let (without, states_without) = explore(&pool, &system, &branches, false);
        let keys = |table: &ClassTable<usize>| {
            let entry =
                |(key, entry): (&everett_trojan::ClassKey<usize>, &everett_trojan::ClassEntry)| {
                    (key.clone(), entry.example.clone())
                };
            table.iter().map(entry).collect::<Vec<_>>()
        };
        assert_eq!(keys(&with), keys(&without), "set {seed}");
        pruned += states_with;
        all += states_without;
    }
    assert!(pruned * 4 < all * 3, "{pruned} of {all} states: pruning is to leave some out");
}

#[test]
fn masked_bytes_may_have_any_value() {
    for seed in seeds(40) {
        let pool = Pool::new();
        let system = RandomSystem::new(&pool, &mut Rng::new(seed));
        let mut oracle = Oracle::new(&pool, &system);
        oracle.mask_second();
        let masked = std::iter::once(1..2).collect();
        let options = SenderOptions { masked, ..SenderOptions::default() };
        let mut search = new_search(&pool, &system, options);
        let mut state = search.receive(2);
        system.conditions.iter().for_each(|&term| search.assume_unasked(&pool, &mut state, term));
        let found = search.classes(&pool, &mut new_chain(), &state).unwrap();
        let trojans = oracle.trojans(&pool, &system.conditions);
        assert_eq!(found.classes.is_empty(), trojans.is_empty(), "set {seed}");
        for class in &found.classes {
            let example = [class.example[0], class.example[1]];
            assert!(trojans.contains(&example), "set {seed}: {example:?}");
            assert_eq!(class.core, oracle.core(example), "set {seed}: {example:?}");
        }
    }
}

#[test]
fn shared_bytes_have_one_value_for_both_sides() {
    let mut kinds = [0, 0];
    for seed in seeds(40) {
        let pool = Pool::new();
        let make = || RandomSystem::new(&pool, &mut Rng::new(seed));
        let system = make();
        let shared = VarId::from_index(system.input.index() + 1);
        // The receiver knows that the shared byte is below 4.
        let mut conditions = system.conditions.clone();
        conditions.push(pool.ult(pool.var(shared), pool.constant(8, 4)));
        let oracles =
            [0, 1, 2, 3].map(|value| Oracle::new(&pool, &make().with_second_input(value)));
        let options = SenderOptions { shared: vec![shared], ..SenderOptions::default() };
        let mut search = new_search(&pool, &system, options);
        let mut state = search.receive(2);
        conditions.iter().for_each(|&term| search.assume_unasked(&pool, &mut state, term));
        let found = search.classes(&pool, &mut new_chain(), &state).unwrap();
        for class in &found.classes {
            let example = [class.example[0], class.example[1]];
            let oracle = &oracles[usize::from(class.model.byte(shared))];
            assert!(oracle.is_trojan(&pool, &system.conditions, example), "set {seed}: {class:?}");
            assert_eq!(class.core, oracle.core(example), "set {seed}: {class:?}");
        }
        if !found.is_complete {
            assert!(!search.senders().is_exact(2), "set {seed}");
            continue;
        }
        for oracle in &oracles {
            let is_found = |message: &Message| {
                found.classes.iter().any(|class| oracle.is_blocked(&class.core, *message))
            };
            let trojans = oracle.trojans(&pool, &system.conditions);
            let missing = trojans.iter().find(|&message| !is_found(message));
            assert_eq!(missing, None, "set {seed}");
        }
        kinds[usize::from(found.classes.is_empty())] += 1;
    }
    assert!(kinds[0] > 0 && kinds[1] > 0, "sets with and without Trojan messages: {kinds:?}");
}

#[test]
fn the_solver_shows_in_no_result() {
    for seed in seeds(100) {
        let pool = Pool::new();
        let system = RandomSystem::new(&pool, &mut Rng::new(seed));
        let classes = |options: ChainOptions| {
            let mut chain = SolverChain::new(options, MonotonicClock::stopped());
            let mut search = new_search(&pool, &system, SenderOptions::default());
            let mut state = search.receive(2);
            system
                .conditions
                .iter()
                .for_each(|&term| search.assume_unasked(&pool, &mut state, term));
            let found = search.classes(&pool, &mut chain, &state).unwrap();
            let classes = found.classes.into_iter().map(|class| (class.core, class.example));
            (classes.collect::<Vec<_>>(), found.is_complete)
        };
        let boolector = ChainOptions { backend: BackendChoice::Boolector, ..ChainOptions::bare() };
        let bitblast = ChainOptions { backend: BackendChoice::Bitblast, ..ChainOptions::bare() };
        let expected = classes(ChainOptions::default());
        assert_eq!(classes(boolector), expected, "set {seed}");
        assert_eq!(classes(bitblast), expected, "set {seed}");
    }
}
