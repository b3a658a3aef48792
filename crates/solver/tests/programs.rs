//! Whole explorations: the number of paths is exact, and how few queries they take is kept.

#[path = "../examples/solver_bench/programs.rs"]
#[allow(dead_code)]
mod programs;
#[path = "../examples/solver_bench/queries.rs"]
#[allow(dead_code)]
mod queries;

use everett_solver::{BackendChoice, ChainOptions, MonotonicClock, SolverChain};

fn chain(backend: BackendChoice) -> SolverChain {
    SolverChain::new(ChainOptions { backend, ..ChainOptions::default() }, MonotonicClock::stopped())
}

#[test]
fn independent_branches_are_decided_once_each() {
    for enumeration in [true, false] {
        let options = ChainOptions { enumeration, ..ChainOptions::default() };
        let mut chain = SolverChain::new(options, MonotonicClock::stopped());
        assert_eq!(programs::fork(&mut chain, 12), 1 << 12);
        let stats = chain.stats();
        let decided = if enumeration { (12, 0) } else { (0, 12) };
        assert_eq!((stats.by_enumeration, stats.backend_queries()), decided);
        assert_eq!(stats.questions, (1 << 12) - 1);
    }
}

#[test]
fn bubble_sort_has_a_path_for_every_order_of_every_length() {
    let mut chain = chain(BackendChoice::Auto);
    assert_eq!(programs::bubble_sort(&mut chain, 5), 1 + 2 + 6 + 24 + 120);
    let queries = chain.stats().backend_queries();
    assert!(queries < 300, "{queries} queries of {}", chain.stats().questions);
}

#[test]
fn programs_have_the_same_paths_with_both_backends() {
    for program in programs::ALL {
        if program.name.contains("bubble") || program.name.contains("words") {
            continue;
        }
        let paths = [BackendChoice::Bitblast, BackendChoice::Boolector]
            .map(|backend| (program.run)(&mut chain(backend)));
        assert_eq!(paths[0], paths[1], "{}", program.name);
    }
}

#[test]
fn the_same_exploration_twice_does_the_same_work() {
    let [first, second] = [0, 1].map(|_| {
        let mut chain = chain(BackendChoice::Auto);
        programs::bubble_sort(&mut chain, 4);
        chain.stats().clone()
    });
    assert_eq!(first, second);
}
