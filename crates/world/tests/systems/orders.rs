//! Orders in which messages come: racing systems explored with everything held back that may be,
//! against all of their executions.

use std::collections::BTreeSet;
use std::fmt;

use everett_world::MappingKind;

use crate::bits::Bits;
use crate::explore::{Explored, Order, Parts, Plan, explore};
use crate::oracle::Findings;
use crate::pending::{HoldRule, HoldScope};
use crate::program::{FaultPlan, History, Op, System};
use crate::racing::Looks;
use crate::{MAPPINGS, executions, fixed_order, plan};

const ONE_ROUND: HoldRule = HoldRule { scope: HoldScope::OneRound, ..HoldRule::ALL };

/// One exploration, to be shown when it is wrong.
struct Case<'a> {
    system: &'a System,
    plan: Plan,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.plan)?;
        for (node, program) in self.system.programs.iter().enumerate() {
            writeln!(f, "node {node} from {:?}: {program:?}", self.system.starts[node])?;
        }
        write!(f, "{:?}", self.system.carry)
    }
}

impl Drop for Case<'_> {
    /// Shows the system if the explorer has found something wrong in itself.
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{self}");
        }
    }
}

impl Case<'_> {
    /// Explores the system, and compares what does not depend on rounds.
    ///
    /// Final worlds have no bug, so all of their nodes have done everything that they can do, however
    /// long that has taken. States that wait for ever are those of final worlds. A bug, in contrast,
    /// ends its world with the round: what other nodes would do later is not seen, and may be a bug,
    /// too. Such a bug is one of an execution in which the other node was slower, so that no bug is
    /// invented; with bugs in one node only, none is lost.
    fn check(&self, expected: &Findings) -> Explored {
        let result = explore(self.system, self.plan);
        let found = result.relevant();
        assert_eq!(found.worlds.len(), expected.worlds.len(), "worlds: {self}");
        assert_eq!(found.worlds, expected.worlds, "worlds: {self}");
        assert_eq!(found.deadlocks, expected.deadlocks, "deadlocks: {self}");
        assert_eq!(found.noted_at_end, expected.noted_at_end, "notes at the end: {self}");
        assert!(found.bugs.is_subset(&expected.bugs), "bugs: {self}");
        assert_eq!(found.bugs.is_empty(), expected.bugs.is_empty(), "no bugs: {self}");
        let with_bugs: BTreeSet<u32> = expected.bugs.iter().map(|history| history.node).collect();
        if with_bugs.len() == 1 {
            assert_eq!(found.bugs, expected.bugs, "bugs of one node: {self}");
        }
        self.check_counts(&result, expected.worlds.len());
        result
    }

    /// Each world is counted once, and nothing is left.
    fn check_counts(&self, result: &Explored, worlds: usize) {
        assert_eq!(result.counts.final_worlds, worlds as u64, "count: {self}");
        assert!(!result.counts.capped, "capped: {self}");
        assert_eq!(result.counts.dstates, 0, "dstates are left: {self}");
        // Without common bits, all combinations of states are worlds, and their chances add up. Of large
        // sets, not all are looked at.
        if self.system.bits == 0
            && result.states <= 64
            && self.plan.rule.most_deviations == u32::MAX
            && self.system.faults.most == 0
        {
            let explored = result.counts.explored;
            assert!((explored - 1.0).abs() < 1e-5, "explored {explored}: {self}");
        }
    }
}

fn check_random(seed: u64, looks: Looks) -> Explored {
    check_system(&System::racing(seed, looks), seed, looks)
}

fn check_system(system: &System, seed: u64, looks: Looks) -> Explored {
    let expected = executions::run_all(system);
    let orders = [Order::Fifo, Order::Lifo, Order::Random, Order::Pick, Order::Walk];
    let order = |i: u64| orders[((seed + i) % 5) as usize];
    let alone = plan(MappingKind::Sds, order(0), seed);
    let result = Case { system, plan: alone }.check(&expected);
    // The other mappings and several universes by turns.
    let mapping = MAPPINGS[1 + (seed % 2) as usize];
    Case { system, plan: plan(mapping, order(1), seed) }.check(&expected);
    let split = [Parts::ByTurns, Parts::Aside][(seed / 2 % 2) as usize];
    let mapping = MAPPINGS[(seed % 3) as usize];
    let apart = Plan { split, ..plan(mapping, order(2), seed) };
    let parts = Case { system, plan: apart }.check(&expected);
    if mapping == MappingKind::Sds {
        let work = |result: &Explored| (result.runs, result.states, result.paths, result.redundant);
        assert_eq!(work(&parts), work(&result), "seed {seed}: runs, states, paths, redundant");
    }
    if looks == Looks::One {
        // One message at once, and nobody looks in vain: rounds tell the nodes nothing.
        let one_round = Plan { rule: ONE_ROUND, ..plan(mapping, order(3), seed) };
        Case { system, plan: one_round }.check(&expected);
    }
    result
}

/// Checks random systems, and that they are worth it.
fn check_range(seeds: std::ops::Range<u64>, looks: Looks) {
    let count = seeds.end - seeds.start;
    let (mut ordered, mut redundant, mut deadlocks, mut bugs, mut refused) = (0, 0, 0, 0, 0);
    for seed in seeds {
        let result = check_random(seed, looks);
        let mut any = Bits::FALSE;
        let mut twice = |condition: &Bits| {
            let is_twice = !any.and(*condition).is_false();
            any = any.not().and(condition.not()).not();
            is_twice
        };
        // Some assignment of the bits leads to several worlds.
        ordered += u64::from(result.found.worlds.values().any(&mut twice));
        redundant += u64::from(result.redundant > 0);
        deadlocks += u64::from(!result.found.deadlocks.is_empty());
        bugs += u64::from(!result.found.bugs.is_empty());
        refused += u64::from(result.refused > 0);
    }
    let figures = [ordered, redundant, deadlocks, bugs, refused];
    let least = [count / 3, count / 2, count / 2, count / 40, count / 20];
    assert!(figures.iter().zip(&least).all(|(figure, least)| figure >= least), "{figures:?}");
}

#[test]
fn orders_of_single_messages_are_those_of_all_executions() {
    check_range(0..5000, Looks::One);
}

#[test]
fn orders_with_looks_that_do_not_wait_are_those_of_all_executions() {
    check_range(10_000..13_000, Looks::Trying);
}

#[test]
fn deadlines_that_pass_before_messages_come_are_those_of_all_executions() {
    check_range(50_000..52_000, Looks::Timed);
}

#[test]
fn orders_with_several_messages_at_once_are_those_of_all_executions() {
    check_range(20_000..23_000, Looks::Several);
}

/// Checks as many systems with faults from a seed on, and that faults and orders make worlds of their own.
fn check_faults(first: u64, count: u64, faults: FaultPlan) {
    let (mut more, mut ordered) = (0, 0);
    let systems = (first..).filter_map(|seed| {
        let looks = [Looks::One, Looks::Trying, Looks::Several, Looks::Timed][seed as usize % 4];
        let system = System::racing(seed, looks);
        // Large systems have too many worlds with faults.
        let places = system.fault_places();
        let kinds = u32::from(faults.of_messages) + u32::from(faults.crashes);
        let most = faults.most.min(8_u32.saturating_sub(places) / kinds);
        (most > 0).then_some((
            seed,
            looks,
            System { faults: FaultPlan { most, ..faults }, ..system },
        ))
    });
    for (seed, looks, system) in systems.take(count as usize) {
        let without = System { faults: FaultPlan::default(), ..system.clone() };
        let without = executions::run_all(&without).worlds.len();
        let result = check_system(&system, seed, looks);
        more += u64::from(result.found.worlds.len() > without);
        ordered += u64::from(result.redundant > 0);
    }
    assert!(more > count / 2 && ordered > count / 4, "{more} with more worlds, {ordered} orders");
}

#[test]
fn messages_that_are_lost_or_come_twice_have_all_their_orders() {
    let faults = FaultPlan { most: 2, of_messages: true, ..FaultPlan::default() };
    check_faults(60_000, 2000, faults);
}

#[test]
fn nodes_that_crash_or_begin_again_have_all_their_orders() {
    let faults = FaultPlan { most: 1, crashes: true, restarts: true, ..FaultPlan::default() };
    check_faults(100_000, 1500, faults);
}

#[test]
fn faults_of_all_kinds_have_all_their_orders() {
    let faults = FaultPlan { most: 2, of_messages: true, crashes: true, restarts: true };
    check_faults(200_000, 250, faults);
}

#[test]
fn a_lost_message_and_a_crash_have_the_worlds_that_are_counted() {
    let pair = |faults: FaultPlan| {
        let receive = vec![Op::Receive(0), Op::Receive(1)];
        let programs = vec![receive, vec![Op::Send(0, 0, 0)], vec![Op::Send(0, 0, 0)]];
        let system = System { faults, ..System::of(programs) };
        let expected = executions::run_all(&system);
        Case { system: &system, plan: plan(MappingKind::Sds, Order::Fifo, 1) }.check(&expected);
        expected.worlds.len()
    };
    assert_eq!(pair(FaultPlan::default()), 2);
    // One of the two messages is lost, and the other one is seen.
    let lost = FaultPlan { most: 1, of_messages: true, ..FaultPlan::default() };
    assert_eq!(pair(lost), 2 + 2 + 2 * 3, "each may be lost, or come twice in three orders");
    let crash = FaultPlan { most: 1, crashes: true, ..FaultPlan::default() };
    assert_eq!(pair(crash), 2 + 2 + 1 + 2, "a sender, or the receiver before a look");
}

#[test]
fn worlds_with_few_deviations_are_those_near_the_fixed_order() {
    let (mut fewer, mut more) = (0, 0);
    for seed in 30_000..32_000 {
        let looks = [Looks::One, Looks::Trying, Looks::Several][seed as usize % 3];
        let system = System::racing(seed, looks);
        let mut expected = executions::run_all(&system);
        let all = expected.worlds.len();
        let most_deviations = (seed % 4) as u32;
        expected.worlds.retain(|world, condition| {
            let assignment = (0..256).find(|assignment| condition.at(*assignment));
            let assignment = assignment.expect("some assignment leads to a world");
            fixed_order::deviations(&system, world, assignment) <= most_deviations
        });
        let waiting = expected.worlds.keys().flatten().filter(|history| history.waits());
        expected.deadlocks = waiting.cloned().collect();
        fewer += u32::from(expected.worlds.len() < all);
        more += u32::from(expected.worlds.len() > 1);
        for mapping in MAPPINGS {
            let rule = HoldRule { most_deviations, ..HoldRule::ALL };
            let plan = Plan { rule, ..plan(mapping, Order::Random, seed) };
            let case = Case { system: &system, plan };
            let result = explore(case.system, case.plan);
            let found = result.relevant();
            assert_eq!(found.worlds, expected.worlds, "worlds: {case}");
            assert_eq!(found.deadlocks, expected.deadlocks, "deadlocks: {case}");
            case.check_counts(&result, expected.worlds.len());
        }
    }
    assert!(fewer > 300 && more > 1000, "{fewer} with fewer worlds, {more} with several");
}

#[test]
fn few_looks_in_vain_lose_only_worlds_with_more() {
    let mut fewer = 0;
    for seed in 40_000..42_000 {
        let system = System::racing(seed, Looks::Trying);
        let expected = executions::run_all(&system);
        let most_misses = (seed % 3) as u32;
        let rule = HoldRule { most_misses, ..HoldRule::ALL };
        let plan = Plan { rule, ..plan(MappingKind::Sds, Order::Random, seed) };
        let case = Case { system: &system, plan };
        let result = explore(case.system, case.plan);
        let found = result.relevant();
        for (world, condition) in &expected.worlds {
            let in_vain = world.iter().map(History::looks_in_vain).max();
            match found.worlds.get(world) {
                Some(found) => assert_eq!(found, condition, "{case}"),
                None => assert!(in_vain > Some(most_misses), "lost: {world:?}: {case}"),
            }
        }
        let known = |world| expected.worlds.contains_key(world);
        assert!(found.worlds.keys().all(known), "invented: {case}");
        case.check_counts(&result, found.worlds.len());
        fewer += u32::from(found.worlds.len() < expected.worlds.len());
    }
    assert!(fewer > 20, "{fewer} systems with fewer worlds");
}

/// Explores a system in several ways and compares its worlds with all executions and with a count.
fn check_known(programs: Vec<Vec<Op>>, worlds: usize) {
    let system = System::of(programs);
    let expected = executions::run_all(&system);
    for mapping in MAPPINGS {
        for split in [Parts::Never, Parts::ByTurns] {
            let plan = Plan { split, ..plan(mapping, Order::Random, 1) };
            let case = Case { system: &system, plan };
            assert_eq!(case.check(&expected).counts.final_worlds, worlds as u64, "{case}");
        }
    }
}

/// The number of worlds that are explored if no look may be later than it can be.
fn worlds_of_one_round(programs: &[Vec<Op>]) -> u64 {
    let system = System::of(programs.to_vec());
    let plan = Plan { rule: ONE_ROUND, ..plan(MappingKind::Sds, Order::Fifo, 1) };
    explore(&system, plan).counts.final_worlds
}

#[test]
fn senders_to_one_receiver_have_as_many_orders_as_permutations() {
    for (senders, worlds) in [(2, 2), (3, 6), (4, 24), (5, 120)] {
        let mut programs = vec![vec![Op::Receive(0); senders]];
        programs.extend(vec![vec![Op::Send(0, 0, 0)]; senders]);
        check_known(programs, worlds);
    }
}

#[test]
fn a_receiver_that_reads_in_a_fixed_order_has_one() {
    for senders in 2..=5 {
        let mut programs = vec![(1..=senders).map(|node| Op::ReceiveFrom(0, node)).collect()];
        programs.extend(vec![vec![Op::Send(0, 0, 0)]; senders as usize]);
        check_known(programs, 1);
    }
}

#[test]
fn two_phase_commit_has_the_orders_of_all_votes() {
    for (participants, worlds) in [(1, 2), (2, 8), (3, 48), (4, 384)] {
        let mut coordinator: Vec<Op> = (1..=participants).map(|to| Op::Send(to, 0, 0)).collect();
        coordinator.extend(vec![Op::Receive(0); participants as usize]);
        let mut programs = vec![coordinator];
        let participant = |bit| {
            let vote = [Op::Symbol(0, bit), Op::Branch(0, 1), Op::Constant(1, true)];
            [&[Op::Receive(1)], &vote[..], &[Op::Send(0, 1, 0)]].concat()
        };
        programs.extend((0..participants).map(participant));
        check_known(programs, worlds);
    }
}

#[test]
fn a_look_that_does_not_wait_may_be_later_than_a_message() {
    // The message is sent in the round of the look. A node that is slower sees it.
    let programs = vec![vec![Op::TryReceive(0)], vec![Op::Send(0, 0, 0)]];
    assert_eq!(worlds_of_one_round(&programs), 1);
    check_known(programs, 2);
}

#[test]
fn a_look_may_show_together_what_comes_in_different_rounds() {
    // The second sender waits for a message to itself. The receiver sees one message, the other, or both.
    let second = vec![Op::Send(2, 0, 0), Op::Receive(0), Op::Send(0, 0, 0)];
    let programs = vec![vec![Op::Poll(0)], vec![Op::Send(0, 0, 0)], second];
    assert_eq!(worlds_of_one_round(&programs), 2);
    check_known(programs, 3);
}

#[test]
fn a_deadline_passes_before_messages_in_each_place() {
    // The receiver sees the one message, the other, or none before its deadline; then the rest.
    let late = vec![Op::ReceiveTimeout(0, 1), Op::Receive(0), Op::Receive(1)];
    let programs = vec![late, vec![Op::Send(0, 0, 0)], vec![Op::Send(0, 0, 0)]];
    check_known(programs, 4);
}

#[test]
fn a_read_may_show_pieces_that_come_in_different_rounds() {
    let sender = vec![Op::Send(0, 0, 0), Op::Send(1, 0, 0), Op::Receive(0), Op::Send(0, 0, 0)];
    let programs = vec![vec![Op::Read(0, 1)], sender];
    assert_eq!(worlds_of_one_round(&programs), 1);
    check_known(programs, 2);
}
