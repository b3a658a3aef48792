//! Random systems of toy nodes, explored under every mapping and in several orders, against a
//! concrete run for every assignment of the symbolic bits. With orders of messages (`systems/orders.rs`),
//! all executions of a system without a common clock take the place of that run.

#[path = "systems/bits.rs"]
mod bits;
#[path = "systems/executions.rs"]
mod executions;
#[path = "systems/explore.rs"]
mod explore;
#[path = "systems/fixed_order.rs"]
mod fixed_order;
#[path = "systems/oracle.rs"]
mod oracle;
#[path = "systems/orders.rs"]
mod orders;
#[path = "systems/pending.rs"]
mod pending;
#[path = "systems/program.rs"]
mod program;
#[path = "systems/racing.rs"]
mod racing;
#[path = "systems/toys.rs"]
mod toys;

use everett_world::{MappingKind, UniverseCounts};
use explore::{Order, Parts, Plan, explore};
use oracle::Findings;
use pending::HoldRule;
use program::System;

const MAPPINGS: [MappingKind; 3] = [MappingKind::Sds, MappingKind::Cow, MappingKind::Cob];

fn plan(mapping: MappingKind, order: Order, seed: u64) -> Plan {
    Plan {
        mapping,
        order,
        seed,
        detect_stalled: true,
        split: Parts::Never,
        kill: false,
        trace: false,
        stop: false,
        rewrite: false,
        rule: HoldRule::ALL,
    }
}

/// Explores one system in every way and compares.
fn check(seed: u64) {
    check_system(&System::random(seed), seed);
}

fn check_system(system: &System, seed: u64) -> Findings {
    let expected = oracle::run_all(system);
    let orders = [Order::Fifo, Order::Lifo, Order::Random, Order::Pick, Order::Walk];
    let orders = if system.nodes() > 1 { &orders[..] } else { &orders[..4] };
    let mut first = None;
    for (i, &order) in orders.iter().enumerate() {
        let mapping = MappingKind::Sds;
        let result = explore(system, plan(mapping, order, seed));
        result.compare(&expected, &format!("seed {seed}, {mapping:?}, {order:?}"));
        // How often states run, how many there are, and with how many of them worlds end does not depend
        // on the order.
        let work = (result.runs, result.states, result.paths);
        let &mut (runs, ..) = first.get_or_insert(work);
        assert_eq!(Some(work), first, "seed {seed}: {order:?}: runs, states, paths");
        // The other mappings in one order each, and not always the same.
        if i < 2 {
            let mapping = MAPPINGS[1 + (i + seed as usize) % 2];
            let order = orders[(i + seed as usize / 2) % 4];
            let result = explore(system, plan(mapping, order, seed));
            result.compare(&expected, &format!("seed {seed}, {mapping:?}, {order:?}"));
            assert!(
                result.runs >= runs,
                "seed {seed}: {mapping:?} runs states less often than sds"
            );
        }
    }
    expected
}

fn check_range(from: u64, to: u64) {
    for seed in from..to {
        check(seed);
    }
}

#[test]
fn mappings_and_orders_agree_with_every_concrete_run_first_half() {
    check_range(0, 6000);
}

#[test]
fn mappings_and_orders_agree_with_every_concrete_run_second_half() {
    check_range(6000, 12000);
}

#[test]
fn worlds_of_servers_that_only_tick_end_where_every_concrete_run_does() {
    let (mut idle, mut at_horizon, mut quiescent) = (0, 0, 0);
    for seed in 70_000..73_000 {
        let expected = check_system(&System::ticking(seed), seed);
        idle += expected.idle.len();
        at_horizon += expected.at_horizon.len();
        quiescent += expected.worlds.len() - expected.idle.len() - expected.at_horizon.len();
    }
    let figures = [idle, at_horizon, quiescent];
    assert!(figures.iter().all(|&figure| figure > 2000), "{figures:?}");
}

#[test]
fn a_server_on_its_own_ends_when_it_only_ticks() {
    for seed in 80_000..81_000 {
        let system = System::ticking(seed).alone();
        check_system(&system, seed);
    }
}

#[test]
fn worlds_are_the_same_without_looking_for_stalled_ones() {
    for seed in 20_000..21_000 {
        let system = System::random(seed);
        let mut expected = oracle::run_all(&system);
        expected.deadlocks.clear();
        for mapping in MAPPINGS {
            let plan = Plan { detect_stalled: false, ..plan(mapping, Order::Random, seed) };
            explore(&system, plan).compare(&expected, &format!("seed {seed}, {mapping:?}"));
        }
    }
}

#[test]
fn universes_with_states_in_common_have_the_same_worlds_together() {
    for how in [Parts::ByTurns, Parts::Aside] {
        let (mut split, mut shared) = (0, 0);
        for seed in 30_000..34_000 {
            let system = if seed % 3 == 0 { System::ticking(seed) } else { System::random(seed) };
            let expected = oracle::run_all(&system);
            for mapping in MAPPINGS {
                let order = [Order::Random, Order::Pick][seed as usize % 2];
                let alone = plan(mapping, order, seed);
                let whole = explore(&system, alone);
                let result = explore(&system, Plan { split: how, ..alone });
                let what = format!("seed {seed}, {mapping:?}, {how:?}");
                result.compare(&expected, &what);
                if matches!(mapping, MappingKind::Sds) {
                    assert_eq!(result.runs, whole.runs, "{what}: a state runs twice, or never");
                    assert_eq!(result.states, whole.states, "{what}: states");
                    assert_eq!(result.paths, whole.paths, "{what}: paths");
                }
                split += u32::from(result.parts > 1);
                shared += u32::from(result.shared > 0);
            }
        }
        assert!(
            split > 1000 && shared > 500,
            "{how:?}: {split} split, {shared} with common states"
        );
    }
}

#[test]
fn worlds_that_are_ended_are_exactly_those_with_unwanted_notes() {
    let mut fewer = 0;
    for seed in 60_000..62_000 {
        let system = System::random(seed);
        let expected = oracle::run_until(&system, true);
        fewer += u32::from(expected.worlds.len() < oracle::run_all(&system).worlds.len());
        for mapping in MAPPINGS {
            let plan = Plan { stop: true, ..plan(mapping, Order::Random, seed) };
            explore(&system, plan).compare(&expected, &format!("seed {seed}, {mapping:?}"));
        }
    }
    assert!(fewer > 500, "only {fewer} systems had such worlds");
}

#[test]
fn the_same_run_tells_the_same_changes() {
    for seed in 40_000..40_500 {
        let system = System::random(seed);
        for mapping in MAPPINGS {
            let plan = Plan { trace: true, ..plan(mapping, Order::Pick, seed) };
            let (first, second) = (explore(&system, plan), explore(&system, plan));
            assert_eq!(first.trace, second.trace, "seed {seed}, {mapping:?}");
        }
    }
}

#[test]
fn a_universe_that_was_written_and_read_goes_on_as_before() {
    for seed in 90_000..90_200 {
        let system = if seed % 3 == 0 { System::ticking(seed) } else { System::random(seed) };
        for (at, mapping) in MAPPINGS.into_iter().enumerate() {
            let order = [Order::Pick, Order::Fifo, Order::Walk][(at + seed as usize) % 3];
            let order = if system.nodes() > 1 { order } else { Order::Pick };
            let alone = Plan { trace: true, ..plan(mapping, order, seed) };
            let (whole, result) =
                (explore(&system, alone), explore(&system, Plan { rewrite: true, ..alone }));
            let what = format!("seed {seed}, {mapping:?}, {order:?}");
            assert_eq!(result.trace, whole.trace, "{what}: changes");
            assert_eq!((result.runs, result.states), (whole.runs, whole.states), "{what}");
            let counts =
                UniverseCounts { joint_checks: whole.counts.joint_checks, ..result.counts };
            assert_eq!(counts, whole.counts, "{what}: counts");
            result.compare(&oracle::run_all(&system), &what);
        }
    }
}

#[test]
fn giving_states_up_loses_worlds_and_invents_none() {
    let mut killed = 0;
    for seed in 50_000..52_000 {
        let system = System::random(seed);
        let expected = oracle::run_all(&system);
        for mapping in MAPPINGS {
            let split = if seed % 2 == 1 { Parts::ByTurns } else { Parts::Never };
            let plan = Plan { kill: true, split, ..plan(mapping, Order::Random, seed) };
            let result = explore(&system, plan);
            let what = format!("seed {seed}, {mapping:?}");
            let known = |world| expected.worlds.contains_key(world);
            assert!(result.found.worlds.keys().all(known), "{what}: worlds");
            assert!(result.found.bugs.is_subset(&expected.bugs), "{what}: bugs");
            assert!(result.found.deadlocks.is_subset(&expected.deadlocks), "{what}: deadlocks");
            assert_eq!(result.counts.final_worlds, result.found.worlds.len() as u64, "{what}");
            killed += result.killed;
        }
    }
    assert!(killed > 2000, "only {killed} states were given up");
}

#[test]
fn random_systems_are_not_trivial() {
    let (mut worlds, mut deadlocks, mut bugs, mut copies, mut refused) = (0, 0, 0, 0, 0);
    for seed in 0..300 {
        let system = System::random(seed);
        let result = explore(&system, plan(MappingKind::Sds, Order::Fifo, seed));
        worlds += result.found.worlds.len();
        deadlocks += usize::from(!result.found.deadlocks.is_empty());
        bugs += usize::from(!result.found.bugs.is_empty());
        copies += usize::from(result.counts.copies > 0);
        refused += usize::from(result.refused > 0);
    }
    let figures = [worlds, deadlocks, bugs, copies, refused];
    let least = [1000, 60, 30, 60, 10];
    assert!(figures.iter().zip(&least).all(|(figure, least)| figure >= least), "{figures:?}");
}
