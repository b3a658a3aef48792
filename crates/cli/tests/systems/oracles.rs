//! The standing oracles: what must hold for every system, whatever it is about.

use std::collections::BTreeSet;
use std::fmt::Debug;

use anyhow::{Context, Result, ensure};
use everett_engine::Summary;

use crate::build::Workshop;
use crate::cases::Case;
use crate::execute::{Run, identity, run, run_in_jobs, run_in_sessions};
use crate::workbench::native_command;
use crate::{expect, sample};

/// Orders in which states run. The last one changes the state often.
const ORDERS: [(&str, &[&str]); 3] = [
    ("depth first", &["--search", "dfs"]),
    ("breadth first", &["--search", "bfs"]),
    ("at random", &["--search", "random-state", "--quantum", "500"]),
];

/// Orders in which four workers run states.
const WORKERS: [(&str, &[&str]); 2] =
    [("by four workers", &[]), ("by four, depth first", ORDERS[0].1)];

/// The oracles that a system breaks, of those that are asked about it.
pub(crate) fn check(workshop: &Workshop, case: &Case, first: &Run) -> Result<Vec<String>> {
    let mut judge = Judge { case, complaints: Vec::new() };

    let again = run(workshop, case, &[])?;
    judge.same("a second run: trace", &first.summary.trace_hash, &again.summary.trace_hash);
    judge.same("a second run: findings", &first.summary.findings, &again.summary.findings);
    judge.same_work("a second run", first, &again);

    let asks = |oracle: &str| sample::asks(oracle, &case.name());
    // Which one of the orders that no thread can tell apart is explored depends on who asks for it.
    let is_same_work = first.summary.orders.preemptions != Some(u32::MAX);
    for (order, flags) in ORDERS.into_iter().filter(|(order, _)| asks(order)) {
        let other = run(workshop, case, flags)?;
        judge.same_results(order, first, &other);
        if is_same_work {
            judge.same_work(order, first, &other);
        }
    }
    for (what, search) in WORKERS.into_iter().filter(|(what, _)| asks(what)) {
        let shared = run(workshop, case, &[&["--workers", "4"], search].concat())?;
        judge.same_results(what, first, &shared);
        if is_same_work {
            judge.same_work(what, first, &shared);
            let hashes = (&first.summary.trace_hash, &shared.summary.trace_hash);
            judge.same(&format!("{what}: trace"), hashes.0, hashes.1);
        }
    }
    if asks("in sessions") {
        judge.same_summary("in sessions", &first.summary, &run_in_sessions(workshop, case, &[])?);
    }
    if asks("in sessions of three") {
        let by_three = run_in_sessions(workshop, case, &["--workers", "3"])?;
        judge.same("in sessions of three: worlds", &first.summary.worlds, &by_three.worlds);
        if is_same_work {
            judge.same_summary("in sessions of three", &first.summary, &by_three);
        }
    }
    if case.expected.jobs && asks("in jobs") {
        judge.in_jobs(workshop, first, is_same_work)?;
    }
    if asks("copying at sends") {
        judge.same_results("copying at sends", first, &run(workshop, case, &["--mapping", "cow"])?);
    }
    if case.expected.cob && asks("copying at branches") {
        let other = run(workshop, case, &["--mapping", "cob"])?;
        judge.same_results("copying at branches", first, &other);
    }
    if first.summary.queries > 0 && asks("with a second solver") {
        let other = run(workshop, case, &["--solver", "check", "--no-solver-cache"])?;
        judge.same_results("with a second solver", first, &other);
        judge.same_work("with a second solver", first, &other);
    }
    if case.expected.native {
        native(&mut judge, workshop, first)?;
    }
    Ok(judge.complaints)
}

struct Judge<'a> {
    case: &'a Case,
    complaints: Vec<String>,
}

impl Judge<'_> {
    /// A run in jobs that know nothing of each other has the same results.
    fn in_jobs(&mut self, workshop: &Workshop, first: &Run, is_same_work: bool) -> Result<()> {
        let in_jobs = run_in_jobs(workshop, self.case, &[])?;
        self.same("in jobs: worlds", &first.summary.worlds, &in_jobs.worlds);
        if is_same_work {
            self.same_summary("in jobs", &first.summary, &in_jobs);
        }
        // How many states are copied then depends on the order in which they run.
        let in_jobs = run_in_jobs(workshop, self.case, &["--mapping", "cow"])?;
        self.same("in jobs, copying at sends: worlds", &first.summary.worlds, &in_jobs.worlds);
        let findings = |summary: &Summary| -> BTreeSet<String> {
            summary.findings.iter().map(identity).collect()
        };
        let found = (findings(&first.summary), findings(&in_jobs));
        self.same("in jobs, copying at sends: findings", &found.0, &found.1);
        Ok(())
    }

    fn same<T: PartialEq + Debug>(&mut self, what: &str, first: &T, second: &T) {
        if first != second {
            self.complaints.push(format!("{what} differs: {first:?}, then {second:?}"));
        }
    }

    /// Worlds and findings; and what is expected of every run.
    fn same_results(&mut self, what: &str, first: &Run, second: &Run) {
        self.same(&format!("{what}: worlds"), &first.worlds(), &second.worlds());
        self.same(&format!("{what}: findings"), &first.findings(), &second.findings());
        let complaints = expect::check_run(self.case, second);
        self.complaints.extend(complaints.into_iter().map(|text| format!("{what}: {text}")));
    }

    /// The same as both of these, and the trace.
    fn same_summary(&mut self, what: &str, first: &Summary, second: &Summary) {
        let results = |s: &Summary| {
            let mut findings: Vec<String> = s.findings.iter().map(identity).collect();
            findings.sort();
            let paths = (s.paths, s.paths_failed, s.paths_silent, s.paths_cut);
            let work = (s.instructions, s.states_created, s.forks, s.events_sent);
            (s.worlds, findings, work, paths, s.trace_hash)
        };
        self.same(what, &results(first), &results(second));
    }

    /// States, paths and messages. Under one mapping no order makes more of them than another.
    fn same_work(&mut self, what: &str, first: &Run, second: &Run) {
        let work = |run: &Run| {
            let s = &run.summary;
            let paths = (s.paths, s.paths_failed, s.paths_silent, s.paths_cut);
            (s.states_created, paths, s.forks, s.events_sent)
        };
        self.same(
            &format!("{what}: states, paths, forks and messages"),
            &work(first),
            &work(second),
        );
    }
}

/// The program of the only node, built by the host's compiler, says and returns the same.
fn native(judge: &mut Judge<'_>, workshop: &Workshop, first: &Run) -> Result<()> {
    let folder = &judge.case.folder;
    let mut programs = folder.sources.keys();
    let (program, more) = (programs.next().context("there is no program")?, programs.next());
    ensure!(more.is_none(), "a native system has one program");
    let executable = workshop.native(folder, program)?;
    let place = tempfile::tempdir()?;
    let done = native_command(&executable)?.current_dir(&place).output();
    let done = done.context("cannot start the native program")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let theirs = (done.status.code().map(|code| code as u64), text(&done.stdout));
    judge.same("the native run", &(first.summary.exit_code, text(&first.stdout)), &theirs);
    Ok(())
}
