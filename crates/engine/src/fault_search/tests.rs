//! The explorer on landscapes that are known.

use super::explorer::{FaultExplorer, FaultStrategy, FaultTrial};
use super::space::{FaultCoordinates, FaultSpace};

/// Two nodes, eight calls, sixty times, one alternative.
fn space() -> FaultSpace {
    let mut points = Vec::new();
    for node in 0..2 {
        for call in 0..8 {
            points.extend((0..60).map(|time| [node, call, time, 0]));
        }
    }
    FaultSpace::new(points)
}

/// A hill on node 1 around call 5 at time 40, and nothing elsewhere.
fn hill(at: FaultCoordinates) -> f64 {
    let away = at[1].abs_diff(5) * 4 + at[2].abs_diff(40);
    if at[0] == 1 { (16.0 - f64::from(away)).max(0.0) } else { 0.0 }
}

/// Experiments until the peak of the hill.
fn until_peak(strategy: FaultStrategy, seed: u64) -> usize {
    let space = space();
    let mut explorer = FaultExplorer::new(space.clone(), strategy, seed);
    let mut experiments = 0;
    while let Some(trial) = explorer.next() {
        let FaultTrial::Point(point) = trial else { panic!("{trial:?}") };
        experiments += 1;
        let impact = hill(space.at(point));
        if impact >= 16.0 {
            break;
        }
        explorer.learn(trial, impact, 0);
    }
    experiments
}

#[test]
fn fitness_finds_the_peak_with_far_fewer_experiments_than_chance() {
    let mean = |strategy| (0..20).map(|seed| until_peak(strategy, seed)).sum::<usize>() / 20;
    let (guided, random) = (mean(FaultStrategy::Fitness), mean(FaultStrategy::Random));
    assert!(guided * 3 < random, "{guided} {random}");
}

#[test]
fn the_same_seed_tries_the_same_points() {
    let points = |strategy, seed| {
        let space = space();
        let mut explorer = FaultExplorer::new(space.clone(), strategy, seed);
        let mut tried = Vec::new();
        while tried.len() < 200 {
            let trial = explorer.next().unwrap();
            let FaultTrial::Point(point) = trial else { panic!("{trial:?}") };
            explorer.learn(trial, hill(space.at(point)), 0);
            tried.push(point);
        }
        tried
    };
    for strategy in [FaultStrategy::Fitness, FaultStrategy::Random] {
        assert_eq!(points(strategy, 3), points(strategy, 3));
        assert_ne!(points(strategy, 3), points(strategy, 4));
    }
    assert_eq!(points(FaultStrategy::Exhaustive, 1), (0..200).collect::<Vec<_>>());
}

#[test]
fn every_strategy_tries_each_point_once() {
    for (name, strategy) in FaultStrategy::ALL {
        let space = space();
        let mut explorer = FaultExplorer::new(space.clone(), strategy, 9);
        let mut tried = vec![false; space.len()];
        while let Some(trial) = explorer.next() {
            let FaultTrial::Point(point) = trial else { panic!("{trial:?}") };
            assert!(!std::mem::replace(&mut tried[point], true), "{name} tries {point} twice");
            explorer.learn(trial, hill(space.at(point)), 0);
        }
        assert!(tried.iter().all(|tried| *tried), "{name}");
    }
}

#[test]
fn points_age_until_they_leave_a_plateau() {
    let space = space();
    let mut explorer = FaultExplorer::new(space.clone(), FaultStrategy::Fitness, 2);
    // A plateau: one impact at first, and then never again.
    let first = explorer.next().unwrap();
    explorer.learn(first, 20.0, 0);
    let mut experiments = 0;
    while explorer.queued() > 0 {
        let point = explorer.next().unwrap();
        explorer.learn(point, 0.0, 0);
        experiments += 1;
        assert!(experiments < 200, "the first point is never left");
    }
    // 20 * 0.96^n is below a half for the first time.
    assert_eq!(experiments, 91);
}

#[test]
fn the_nearest_point_is_found_where_there_is_a_gap() {
    let space = FaultSpace::new(vec![[0, 0, 0, 0], [0, 0, 9, 0], [0, 1, 4, 0]]);
    assert_eq!(space.nearest([0, 0, 8, 0], |_| true), Some(1));
    assert_eq!(space.nearest([0, 0, 8, 0], |point| point != 1), Some(0));
    assert_eq!(space.nearest([0, 1, 0, 0], |_| true), Some(2));
    assert_eq!(space.nearest([0, 1, 0, 0], |_| false), None);
}

#[test]
fn every_strategy_tries_each_member_of_a_family_once() {
    for (name, strategy) in FaultStrategy::ALL {
        let space = FaultSpace::new((0..30).map(|time| [0, 0, time, 0]).collect());
        let mut explorer = FaultExplorer::new(space.clone(), strategy, 4);
        let (mut points, mut members) = (0, std::collections::BTreeSet::new());
        while let Some(trial) = explorer.next() {
            // Two points have effects, and ten things can happen beside each.
            let beside = match trial {
                FaultTrial::Point(point) => {
                    points += 1;
                    if point == 3 || point == 20 { 10 } else { 0 }
                }
                FaultTrial::Member { family, member } => {
                    let is_new = members.insert((family, member));
                    assert!(is_new, "{name} tries {trial:?} twice");
                    let early = points < space.len();
                    assert!(strategy == FaultStrategy::Fitness || !early, "{name}: {trial:?}");
                    0
                }
            };
            explorer.learn(trial, if beside > 0 { 5.0 } else { 0.0 }, beside);
        }
        assert_eq!((points, members.len()), (space.len(), 20), "{name}");
    }
}

#[test]
fn more_faults_are_added_where_that_pays() {
    // Nothing has an effect but the first ten points, each together with another one.
    let members = |pays: bool| {
        let space = FaultSpace::new((0..400).map(|time| [0, 0, time, 0]).collect());
        let mut explorer = FaultExplorer::new(space, FaultStrategy::Fitness, 5);
        let mut members = 0;
        for _ in 0..200 {
            let trial = explorer.next().unwrap();
            let (impact, beside) = match trial {
                FaultTrial::Point(_) => (2.0, 50),
                FaultTrial::Member { .. } => {
                    members += 1;
                    (if pays { 20.0 } else { 0.0 }, 0)
                }
            };
            explorer.learn(trial, impact, beside);
        }
        members
    };
    let (paid, unpaid) = (members(true), members(false));
    assert!(paid > 3 * unpaid && unpaid > 0, "{paid} {unpaid}");
}
