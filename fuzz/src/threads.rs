//! Random programs of threads, held against a simulator of all their orders.
//!
//! With every order explored, a program prints the lines, aborts at the places and comes to the deadlocks
//! that the simulator knows, and it has as many executions. With fewer orders it is compared with the
//! simulator under the same bound.

mod emit;
mod executions;
mod model;
mod simulate;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail, ensure};
use everett_fuzz::choices::Choices;

use crate::explore::{DriverRunner, Exploration, for_each_on_two_threads};
use executions::{Bound, Executions, executions, executions_by_accesses};
use model::ThreadProgram;
use simulate::Ending;

/// How long one exploration may take.
const TIME_LIMIT: &str = "60s";
/// Optimisation must not change the results.
const LEVELS: [&str; 2] = ["-O1", "-O0"];
/// Executions that a program may have.
const EXECUTIONS_MAX: u64 = 300;
/// Orders that a program may have to be explored without reduction.
const ORDERS_MAX: u64 = 300;

/// Explores random programs of threads and holds them against the simulator.
pub(crate) struct ThreadTester {
    runner: DriverRunner,
    explored: AtomicU64,
    too_large: AtomicU64,
    executions: AtomicU64,
}

/// A program of a batch, with what the checks of it need.
struct ProgramUnderTest<'t> {
    runner: &'t DriverRunner,
    binary: &'t Path,
    source: &'t str,
    number: usize,
}

/// What the paths of a program have come to.
#[derive(PartialEq, Eq, Debug)]
struct Outcomes {
    printed: BTreeSet<String>,
    /// Lines of calls of `abort`.
    aborts: BTreeSet<u32>,
    has_deadlock: bool,
    has_race: bool,
}

impl ThreadTester {
    pub(crate) fn new(everett: &Path) -> Result<ThreadTester> {
        let runner = DriverRunner::new(everett, "threads")?;
        let [explored, too_large, executions] = Default::default();
        Ok(ThreadTester { runner, explored, too_large, executions })
    }

    /// Tests the programs that some inputs describe. An error names the first difference.
    pub(crate) fn check(&self, inputs: &[Vec<u8>]) -> Result<()> {
        let programs: Vec<ThreadProgram> =
            inputs.iter().map(|input| ThreadProgram::from_choices(Choices::new(input))).collect();
        let source = emit::source(&programs);
        let chosen = inputs.iter().map(Vec::len).sum::<usize>() % LEVELS.len();
        // A single input, such as one that is being made smaller, is tried at each level.
        let levels = if inputs.len() == 1 { &LEVELS[..] } else { &LEVELS[chosen..=chosen] };
        for level in levels {
            let binary = self.runner.compile(&source, level)?;
            for_each_on_two_threads(&programs, |number, program| {
                let (runner, binary, source) = (&self.runner, binary.as_path(), source.as_str());
                let under_test = ProgramUnderTest { runner, binary, source, number };
                self.compare(&under_test, program).with_context(|| {
                    let text = emit::threads(number, program);
                    format!("program {number}, compiled with {level}:\n{text}")
                })
            })?;
        }
        Ok(())
    }

    /// How much was tested, for people; an error if too many programs were too large.
    pub(crate) fn summary(&self) -> Result<String> {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let (explored, too_large) = (count(&self.explored), count(&self.too_large));
        if too_large > explored {
            bail!("{too_large} programs have too many orders, and only {explored} were explored");
        }
        let executions = count(&self.executions);
        Ok(format!("{explored} programs with {executions} executions, {too_large} left out"))
    }

    fn compare(&self, under_test: &ProgramUnderTest<'_>, program: &ThreadProgram) -> Result<()> {
        let (Some(all), Some(by_accesses)) =
            (executions(program, Bound::All), executions_by_accesses(program))
        else {
            self.too_large.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        };
        if all.completed + all.deadlocked > EXECUTIONS_MAX {
            self.too_large.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        }
        ensure!(
            all.endings == by_accesses.endings,
            "the simulator has {:?}, and {:?} with plain accesses as events",
            all.endings,
            by_accesses.endings,
        );
        self.compare_all(under_test, &all)?;
        self.compare_bounded(under_test, program, &all)?;
        self.explored.fetch_add(1, Ordering::Relaxed);
        self.executions.fetch_add(all.completed + all.deadlocked, Ordering::Relaxed);
        Ok(())
    }

    /// Every order: with reduction, twice, by two workers, and without reduction.
    fn compare_all(&self, under_test: &ProgramUnderTest<'_>, all: &Executions) -> Result<()> {
        let every = ["--preempt", "all"];
        let first = under_test.explore(&every, "1")?;
        let expected = under_test.expected(all)?;
        let check = |explored: &Exploration, how: &str| -> Result<()> {
            let found = under_test.outcomes(explored)?;
            ensure!(found == expected, "{how}: {found:?} is found, and {expected:?} exists");
            Ok(())
        };
        check(&first, "--preempt all")?;
        let count = |explored: &Exploration, how: &str| -> Result<()> {
            let (paths, summary) = (explored.summary.paths, &explored.summary);
            ensure!(paths == all.completed, "{how}: {paths} paths, not {}", all.completed);
            if expected.aborts.is_empty() && !expected.has_race {
                let (explored, exist) = (summary.orders.explored, all.completed + all.deadlocked);
                ensure!(explored == exist, "{how}: {explored} executions, not {exist}");
            }
            Ok(())
        };
        count(&first, "--preempt all")?;
        let again = under_test.explore(&every, "1")?;
        let hashes = (first.summary.trace_hash, again.summary.trace_hash);
        ensure!(hashes.0 == hashes.1, "the same run again has another trace: {hashes:?}");
        let shared = under_test.explore(&every, "2")?;
        check(&shared, "--preempt all --workers 2")?;
        count(&shared, "--preempt all --workers 2")?;
        if all.orders.all <= ORDERS_MAX {
            let each = under_test.explore(&["--preempt", "all", "--reduction", "off"], "1")?;
            check(&each, "--reduction off")?;
            compare_orders("--reduction off", &each, all, expected.has_race)?;
        }
        Ok(())
    }

    /// Few preemptions: what the simulator finds with as many, and ever more of it.
    fn compare_bounded(
        &self,
        under_test: &ProgramUnderTest<'_>,
        program: &ThreadProgram,
        all: &Executions,
    ) -> Result<()> {
        let every = under_test.expected(all)?;
        let mut before = under_test.outcomes(&under_test.explore(&["--preempt", "0"], "1")?)?;
        for preemptions in [1, 2] {
            let Some(bounded) = executions(program, Bound::Preemptions(preemptions)) else {
                return Ok(());
            };
            if bounded.orders.all > ORDERS_MAX {
                return Ok(());
            }
            let how = format!("--preempt {preemptions}");
            let explored = under_test.explore(&["--preempt", &preemptions.to_string()], "1")?;
            let found = under_test.outcomes(&explored)?;
            ensure!(before.is_part_of(&found), "{how}: {found:?}, with fewer {before:?}");
            ensure!(found.is_part_of(&every), "{how}: {found:?}, not part of {every:?}");
            let expected = under_test.expected(&bounded)?;
            ensure!(found == expected, "{how}: {found:?} is found, and {expected:?} exists");
            compare_orders(&how, &explored, &bounded, every.has_race)?;
            before = found;
        }
        Ok(())
    }
}

/// Compares the number of paths without reduction. A plain access behind which its thread writes to the same
/// place may be an event of the simulator only, as the engine finds the race with the later access: then
/// there are fewer paths.
fn compare_orders(
    how: &str,
    explored: &Exploration,
    exist: &Executions,
    has_race: bool,
) -> Result<()> {
    let (paths, orders) = (explored.summary.paths, exist.orders.completed);
    let is_right = if has_race { paths <= orders } else { paths == orders };
    ensure!(is_right, "{how}: {paths} paths, and there are {orders} orders");
    Ok(())
}

impl ProgramUnderTest<'_> {
    fn explore(&self, options: &[&str], workers: &str) -> Result<Exploration> {
        let number = self.number.to_string();
        let binary = self.binary.to_str().context("the temporary folder has a name in UTF-8")?;
        let mut arguments = vec!["--max-time", TIME_LIMIT, "--tests", "none"];
        arguments.extend(["--workers", workers]);
        arguments.extend(options);
        arguments.extend([binary, "--", &number]);
        let explored = self.runner.explore(&format!("out-{number}"), arguments)?;
        let outcome = &explored.summary.outcome;
        ensure!(explored.summary.is_complete(), "{options:?}: the outcome is {outcome}");
        Ok(explored)
    }

    fn outcomes(&self, explored: &Exploration) -> Result<Outcomes> {
        let printed = explored.printed.lines().map(str::to_owned).collect();
        let (mut aborts, mut has_deadlock, mut has_race) = (BTreeSet::new(), false, false);
        for bug in &explored.summary.findings {
            match bug.kind.as_str() {
                "abort" => {
                    aborts.insert(bug.line.context("an abort without a line")?);
                }
                "deadlock" => has_deadlock = true,
                "data-race" => has_race = true,
                kind => bail!("{kind} on line {:?}: {}", bug.line, bug.message),
            }
        }
        Ok(Outcomes { printed, aborts, has_deadlock, has_race })
    }

    fn expected(&self, executions: &Executions) -> Result<Outcomes> {
        let (mut printed, mut aborts) = (BTreeSet::new(), BTreeSet::new());
        let mut has_deadlock = false;
        for ending in &executions.endings {
            match ending {
                Ending::Printed(line) => {
                    printed.insert(line.clone());
                }
                Ending::Exited => {}
                Ending::Aborted(abort) => {
                    let mark = emit::abort_mark(self.number, *abort);
                    let line =
                        (1..).zip(self.source.lines()).find(|(_, line)| line.contains(&mark));
                    aborts.insert(line.context("an abort that is nowhere in the source")?.0);
                }
                Ending::Deadlocked => has_deadlock = true,
            }
        }
        Ok(Outcomes { printed, aborts, has_deadlock, has_race: !executions.races.is_empty() })
    }
}

impl Outcomes {
    fn is_part_of(&self, other: &Outcomes) -> bool {
        self.printed.is_subset(&other.printed)
            && self.aborts.is_subset(&other.aborts)
            && self.has_deadlock <= other.has_deadlock
            && self.has_race <= other.has_race
    }
}
