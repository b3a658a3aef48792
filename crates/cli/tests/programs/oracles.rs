//! The standing oracles: what must hold for every program, whatever it is about.

use std::fmt::Debug;
use std::sync::Arc;

use anyhow::{Context, Result};
use everett_engine::{
    BackendChoice, Engine, EngineConfig, Outcome, Summary, TestCase, TestPolicy, TestReason,
};
use everett_ir::Program;

use crate::build::Workshop;
use crate::corpus::Case;
use crate::execute::{Run, identity, place, run};
use crate::workbench::native_command;
use crate::{memory_store, sample, sessions};

/// Tests of one program that are replayed, evenly spread over all.
const REPLAYS_MAX: usize = 24;
/// Work of the first run up to which the slower oracles repeat it. Counts, not times: the same
/// programs are repeated on every machine.
const QUERIES_CHECKED_MAX: u64 = 600;
const QUERIES_UNCACHED_MAX: u64 = 3_000;
const FORKS_COMPARED_MAX: u64 = 200;
const INSTRUCTIONS_SLOW_MAX: u64 = 3_000_000;
/// Workers that explore together where one is compared with several.
const WORKERS: usize = 3;

/// The oracles that a program breaks, of those that are asked about it.
pub(crate) fn check(
    workshop: &Workshop,
    case: &Case,
    program: &Arc<Program>,
    config: &EngineConfig,
    first: &Run,
) -> Result<Vec<String>> {
    let mut judge = Judge { complaints: Vec::new() };
    let quiet = EngineConfig { tests: TestPolicy::None, ..config.clone() };

    let again = run(program, config.clone())?;
    judge.same("a second run: trace", &first.summary.trace_hash, &again.summary.trace_hash);
    judge.same_results("a second run", &first.summary, &again.summary);
    judge.same("a second run: tests", &first.tests, &again.tests);

    let asks = |oracle: &str| sample::asks(oracle, &case.name());
    if first.summary.instructions <= INSTRUCTIONS_SLOW_MAX && asks("without the fast path") {
        let mut slow = quiet.clone();
        slow.exec.hot = false;
        let slow = run(program, slow)?;
        judge.same_results("without the fast path", &first.summary, &slow.summary);
        let counts = |s: &Summary| (s.instructions, s.forks, s.trace_hash);
        judge.same("without the fast path: work", &counts(&first.summary), &counts(&slow.summary));
    }
    let is_explored_apart = first.summary.forks > 0 && first.summary.outcome == Outcome::Exhausted;
    if is_explored_apart && asks("with several workers") {
        // Even few states leave memory and come back.
        let spill = Some(memory_store::place());
        let config = EngineConfig { share_after: 0, spill, spill_above: 2, ..quiet.clone() };
        let shared = run(program, EngineConfig { workers: WORKERS, ..config })?;
        judge.same_of_several_workers("with several workers", &first.summary, &shared.summary);
    }
    let engine = |config| Ok(Engine::new(Arc::clone(program), config)?);
    if asks("stopped and gone on with") {
        let resumed = sessions::explore(config, engine)?;
        judge.same_results("stopped and gone on with", &first.summary, &resumed);
        let counts = |s: &Summary| (s.instructions, s.forks, s.worlds, s.tests, s.trace_hash);
        judge.same("stopped and gone on with: work", &counts(&first.summary), &counts(&resumed));
    }
    if is_explored_apart && asks("in jobs") {
        let in_jobs = sessions::explore_in_jobs(&quiet, engine)?;
        judge.same_of_several_workers("in jobs", &first.summary, &in_jobs);
    }
    if first.summary.queries <= QUERIES_UNCACHED_MAX && asks("without caches") {
        let mut uncached = quiet.clone();
        uncached.solver.caches = false;
        // Without caches every question reaches a backend: there, two of them can be compared.
        if first.summary.forks <= FORKS_COMPARED_MAX {
            uncached.solver.backend = BackendChoice::Check;
        }
        let uncached = run(program, uncached)?;
        judge.same_results("without caches", &first.summary, &uncached.summary);
    }
    let is_checked = (1..=QUERIES_CHECKED_MAX).contains(&first.summary.queries);
    if is_checked && asks("with a second solver") {
        let mut checked = quiet.clone();
        checked.solver.backend = BackendChoice::Check;
        let checked = run(program, checked)?;
        judge.same_results("with a second solver", &first.summary, &checked.summary);
    }
    if case.header.replay {
        replay(&mut judge, program, &quiet, first)?;
    }
    if case.header.native {
        native(&mut judge, workshop, case, program, &quiet, first)?;
    }
    Ok(judge.complaints)
}

struct Judge {
    complaints: Vec<String>,
}

impl Judge {
    /// The results of one worker and of several, at the same time or one after the other.
    fn same_of_several_workers(&mut self, what: &str, one: &Summary, several: &Summary) {
        self.same_counts(what, one, several);
        // Which of the stacks of one finding is shown depends on who comes to it first.
        let findings = |summary: &Summary| -> Vec<(String, u64)> {
            let mut found: Vec<_> = summary.findings.iter().map(|f| (place(f), f.count)).collect();
            found.sort();
            found
        };
        self.same(&format!("{what}: findings"), &findings(one), &findings(several));
        self.same(&format!("{what}: worlds"), &one.worlds, &several.worlds);
        // Which one of the orders that no thread can tell apart is explored depends on who asks for it.
        if one.orders.preemptions != Some(u32::MAX) {
            let counts = |s: &Summary| (s.instructions, s.forks, s.trace_hash);
            self.same(&format!("{what}: work"), &counts(one), &counts(several));
        }
    }

    fn same<T: PartialEq + Debug>(&mut self, what: &str, first: &T, second: &T) {
        if first != second {
            self.complaints.push(format!("{what} differs: {first:?}, then {second:?}"));
        }
    }

    /// Paths, coverage and what was dropped.
    fn same_counts(&mut self, what: &str, first: &Summary, second: &Summary) {
        self.same(&format!("{what}: outcome"), &first.outcome, &second.outcome);
        self.same(&format!("{what}: paths"), &first.paths, &second.paths);
        self.same(&format!("{what}: coverage"), &first.coverage, &second.coverage);
        self.same(&format!("{what}: dropped"), &first.dropped, &second.dropped);
    }

    /// The same, and findings with their counts.
    fn same_results(&mut self, what: &str, first: &Summary, second: &Summary) {
        self.same_counts(what, first, second);
        let findings = |summary: &Summary| -> Vec<(String, u64)> {
            let mut found: Vec<_> =
                summary.findings.iter().map(|f| (identity(f), f.count)).collect();
            found.sort();
            found
        };
        self.same(&format!("{what}: findings"), &findings(first), &findings(second));
    }
}

/// Every test, run again on its own, ends as its path did, and writes the same.
fn replay(
    judge: &mut Judge,
    program: &Arc<Program>,
    config: &EngineConfig,
    first: &Run,
) -> Result<()> {
    for (number, test) in spread(&first.tests) {
        if matches!(test.reason, TestReason::Dropped(_)) {
            continue;
        }
        let what = format!("test {}", test.id);
        let Some(path) = first.paths.get(first.path_of_test[number]) else {
            judge.complaints.push(format!("{what} belongs to no path"));
            continue;
        };
        let mut replay = config.clone();
        replay.node.replay = Some((*test.ktest).clone());
        let again = run(program, replay)?;
        let ends: Vec<_> = again.paths.iter().map(|path| again.end(path)).collect();
        judge.same(&format!("{what}, replayed"), &vec![first.end(path)], &ends);
    }
    Ok(())
}

fn spread(tests: &[TestCase]) -> impl Iterator<Item = (usize, &TestCase)> {
    tests.iter().enumerate().step_by(tests.len().div_ceil(REPLAYS_MAX).max(1))
}

/// The program, built by the host's compiler and run on the same inputs, says and returns the same.
fn native(
    judge: &mut Judge,
    workshop: &Workshop,
    case: &Case,
    program: &Arc<Program>,
    config: &EngineConfig,
    first: &Run,
) -> Result<()> {
    let executable = workshop.native(case)?;
    if first.tests.iter().all(|test| test.ktest.objects.is_empty()) {
        let ours = (first.summary.exit_code, lossy(&first.stdout));
        judge.same("the native run", &ours, &run_native(&executable, case, None)?);
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    for (_, test) in spread(&first.tests) {
        let file = folder.path().join("inputs.ktest");
        test.ktest.write(&file)?;
        let mut replay = config.clone();
        replay.node.replay = Some((*test.ktest).clone());
        let again = run(program, replay)?;
        let ours = (again.summary.exit_code, lossy(&again.stdout));
        let theirs = run_native(&executable, case, Some(&file))?;
        judge.same(&format!("the native run of test {}", test.id), &ours, &theirs);
    }
    Ok(())
}

/// Exit code and standard output of the native program.
fn run_native(
    executable: &std::path::Path,
    case: &Case,
    inputs: Option<&std::path::Path>,
) -> Result<(Option<u64>, String)> {
    let folder = tempfile::tempdir()?;
    let mut command = native_command(executable)?;
    command.args(&case.header.argv).current_dir(&folder);
    if let Some(inputs) = inputs {
        command.env("KTEST_FILE", inputs);
    }
    let done = command.output().context("cannot start the native program")?;
    Ok((done.status.code().map(|code| code as u64), lossy(&done.stdout)))
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
