//! Faults on a machine without a program.

mod arrivals;

use everett_fs::{Fs, FsOptions};
use everett_interp::Reg;
use syscalls::Sysno;

use crate::config::{FaultBudgets, FaultConfig, FaultKind, KernelConfig};
use crate::state::faults::decision::FaultDecision;
use crate::testing::{Outcome, Tester};

/// A machine on which a kind may happen so many times.
fn tester(kind: FaultKind, most: u32) -> Tester {
    let mut budgets = FaultBudgets::default();
    budgets.set(kind, most);
    let faults = FaultConfig { budgets, ..FaultConfig::default() };
    Tester::with(KernelConfig { faults, ..KernelConfig::default() }, Fs::new(FsOptions::default()))
}

/// Reads five bytes that are in a pipe: what the call returns on each path, and the faults there.
fn reads(t: &mut Tester) -> Vec<(u64, Vec<FaultDecision>)> {
    let ends = t.room(8);
    t.call(Sysno::pipe, &[ends]).expect("there are descriptors");
    let text = t.bytes(b"hello");
    t.call(Sysno::write, &[4, text, 5]).expect("there is room");
    let args = [3, t.room(8), 8].map(Reg::word);
    let paths = t.explore(Sysno::read, &args);
    let of = |(state, outcome): (Box<everett_interp::State<_>>, Outcome)| {
        let Outcome::Value(value) = outcome else { panic!("{outcome:?}") };
        let node: &crate::testing::TestGuest = &state.extra;
        let taken = crate::kernel::Guest::node(node).path.faults.taken();
        (value, taken.iter().map(|taken| taken.decision).collect())
    };
    let mut found: Vec<(u64, Vec<FaultDecision>)> = paths.into_iter().map(of).collect();
    found.sort_by_key(|(value, _)| *value);
    found
}

fn short_read(choice: u32) -> FaultDecision {
    FaultDecision { kind: FaultKind::ShortRead, point: 1, choice }
}

#[test]
fn a_read_forks_over_its_lengths() {
    let mut t = tester(FaultKind::ShortRead, 1);
    let expected = [(1, vec![short_read(1)]), (4, vec![short_read(2)]), (5, vec![])];
    assert_eq!(reads(&mut t), expected);
    let counts = &t.kernel.fault_counts;
    let kind = FaultKind::ShortRead;
    assert_eq!((counts.offered(kind), counts.taken(kind)), (1, 2));
}

#[test]
fn nothing_happens_without_a_budget_or_when_switched_off() {
    assert_eq!(reads(&mut tester(FaultKind::ShortWrite, 1)), [(5, vec![])]);
    let mut t = tester(FaultKind::ShortRead, 1);
    assert!(t.node_mut().path.faults.switch(false));
    assert_eq!(reads(&mut t), [(5, vec![])]);
    assert!(!t.node_mut().path.faults.switch(true));
}

#[test]
fn a_plan_is_followed_without_a_budget() {
    let mut t = Tester::new();
    t.node_mut().path.faults.set_plan(vec![short_read(2)]);
    assert_eq!(reads(&mut t), [(4, vec![short_read(2)])]);
    assert!(!t.node().path.faults.is_possible(FaultKind::ShortWrite));
}
