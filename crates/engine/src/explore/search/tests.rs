//! Searchers, driven without any program.

use everett_world::StateId;

use super::*;

/// Distances given by a function of the state's number.
struct By(fn(u32) -> u32);

impl StateDistances for By {
    fn to_uncovered(&mut self, state: StateId) -> u32 {
        (self.0)(state.0)
    }

    fn faults(&mut self, state: StateId) -> u32 {
        (self.0)(state.0)
    }

    fn deviations(&mut self, state: StateId) -> u32 {
        (self.0)(state.0)
    }

    fn order_choice(&mut self, state: StateId) -> Option<OrderChoice> {
        Some(OrderChoice { number: 1, actor: state.0.into() })
    }
}

fn build(search: &[Strategy], seed: u64) -> Box<dyn Searcher> {
    super::build(&EngineConfig { search: search.to_vec(), seed, ..EngineConfig::default() })
}

fn all() -> Vec<(&'static str, Box<dyn Searcher>)> {
    let mut searchers: Vec<_> =
        Strategy::ALL.iter().map(|(name, s)| (*name, build(&[*s], 7))).collect();
    let every: Vec<Strategy> = Strategy::ALL.iter().map(|(_, s)| *s).collect();
    searchers.push(("interleaved", build(&every, 7)));
    searchers
}

/// Forks and ends states at random, and checks that every choice is a live state.
#[test]
fn every_strategy_chooses_only_live_states_and_reaches_all_of_them() {
    for (name, mut searcher) in all() {
        let mut rng = Rng::new(3);
        let mut live = vec![StateId(0)];
        let mut ended = 0;
        searcher.added(None, StateId(0));
        let mut next = 1;
        while let Some(state) = searcher.select(&mut By(|n| n % 9)) {
            assert!(live.contains(&state), "{name} chose a dead state");
            if live.len() > 20 {
                // Half of them go elsewhere.
                let gone = live.split_off(live.len() / 2);
                searcher.all_removed(&gone);
                ended += gone.len() as u32;
            } else if next < 300 && rng.below(3) > 0 {
                live.push(StateId(next));
                searcher.added(Some(state), StateId(next));
                next += 1;
            } else {
                live.retain(|s| *s != state);
                searcher.removed(state);
                ended += 1;
            }
        }
        assert!(live.is_empty(), "{name} left states behind");
        assert_eq!(ended, next, "{name}");
    }
}

#[test]
fn breadth_first_runs_each_level_before_the_next() {
    let mut searcher = BreadthFirst::default();
    let mut order = Vec::new();
    searcher.added(None, StateId(0));
    for next in 1..8 {
        let state = searcher.select(&mut By(|_| 0)).unwrap();
        order.push(state.0);
        searcher.added(Some(state), StateId(next));
    }
    assert_eq!(order, [0, 0, 1, 0, 2, 1, 3]);
}

#[test]
fn random_path_gives_each_side_of_a_fork_half_of_the_walks() {
    let mut searcher = RandomPath::new(Rng::new(1));
    searcher.added(None, StateId(0));
    // A comb: state 0 forks again and again, so state 1 hangs alone at the root.
    (1..20).for_each(|n| searcher.added(Some(StateId(if n == 1 { 0 } else { n - 1 })), StateId(n)));
    let walks = 4000;
    let hits = (0..walks).filter(|_| searcher.select(&mut By(|_| 0)) == Some(StateId(0))).count();
    assert!((hits as f64 / walks as f64 - 0.5).abs() < 0.05, "{hits} of {walks}");
}

#[test]
fn coverage_prefers_the_nearest_and_follows_changes() {
    let mut searcher = NearestUncovered::new(Rng::new(1));
    (0..4).for_each(|n| searcher.added(None, StateId(n)));
    assert_eq!(searcher.select(&mut By(|n| if n == 2 { 1 } else { 100 })), Some(StateId(2)));
    assert!(searcher.select(&mut By(|n| if n == 2 { 1000 } else { 100 + n })).is_some());
    assert_ne!(searcher.select(&mut By(|n| if n == 2 { 1000 } else { 100 + n })), Some(StateId(2)));
}

#[test]
fn fewer_faults_come_first_and_newer_states_among_equals() {
    let mut searcher = FewestFirst::new(StateCount::Faults);
    // A state of two digits has as many faults as the first one says.
    let mut faults = By(|n| n / 10);
    for (parent, child) in [(None, 0), (Some(0), 10), (Some(0), 20), (Some(0), 11), (None, 1)] {
        searcher.added(parent.map(StateId), StateId(child));
    }
    let mut order = Vec::new();
    while let Some(state) = searcher.select(&mut faults) {
        order.push(state.0);
        searcher.removed(state);
        if state.0 == 11 {
            // One with a second fault, and one with the same.
            searcher.added(None, StateId(21));
            searcher.added(None, StateId(12));
        }
    }
    assert_eq!(order, [1, 0, 11, 12, 10, 21, 20]);
}

#[test]
fn a_fault_without_a_fork_moves_its_state_back() {
    let mut searcher = FewestFirst::new(StateCount::Faults);
    (0..2).for_each(|n| searcher.added(None, StateId(n)));
    assert_eq!(searcher.select(&mut By(|_| 0)), Some(StateId(1)));
    // A child of the running state waits behind it.
    searcher.added(Some(StateId(1)), StateId(2));
    assert_eq!(searcher.select(&mut By(|_| 0)), Some(StateId(1)));
    assert_eq!(searcher.select(&mut By(|n| u32::from(n == 1))), Some(StateId(2)));
    searcher.removed(StateId(2));
    searcher.removed(StateId(0));
    assert_eq!(searcher.select(&mut By(|n| u32::from(n == 1))), Some(StateId(1)));
}

#[test]
fn the_same_seed_makes_the_same_choices() {
    for strategy in [Strategy::RandomPath, Strategy::RandomState, Strategy::Coverage] {
        let choices = |seed| {
            let mut searcher = build(&[strategy], seed);
            (0..50u32).for_each(|n| searcher.added(n.checked_sub(1).map(StateId), StateId(n)));
            (0..50).map(|_| searcher.select(&mut By(|_| 3)).unwrap().0).collect::<Vec<_>>()
        };
        assert_eq!(choices(5), choices(5));
        assert_ne!(choices(5), choices(6));
    }
}
