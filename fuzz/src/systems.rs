//! Random systems of nodes that exchange symbolic bytes, held against an exact simulator.
//!
//! The simulator runs a system for each assignment of its inputs. Assignments under which every node takes
//! the same decisions belong to one world: so many worlds there are, each leaves a test unless it is a
//! deadlock, and the inputs of the test lead to the statuses that the test has.

mod emit;
mod model;
mod simulate;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail, ensure};
use everett_fuzz::choices::Choices;
use everett_replay::dtest::TestOutcome;
use everett_replay::{DTest, KTest};

use crate::explore::{DriverRunner, Exploration, for_each_on_two_threads};
use model::{INPUT_MASK, RandomSystem};
use simulate::{SystemEnd, simulate};

/// How long one exploration may take.
const TIME_LIMIT: &str = "10s";
const MAPPINGS: [&str; 3] = ["sds", "cow", "cob"];

/// Explores random systems and holds them against the simulator.
pub(crate) struct SystemTester {
    runner: DriverRunner,
    explored: AtomicU64,
    worlds: AtomicU64,
}

/// The worlds of a system: the decisions of all nodes, and how each node ends.
type Worlds = BTreeMap<Vec<Vec<u8>>, SystemEnd>;

impl SystemTester {
    pub(crate) fn new(everett: &Path) -> Result<SystemTester> {
        let runner = DriverRunner::new(everett, "systems")?;
        Ok(SystemTester { runner, explored: AtomicU64::new(0), worlds: AtomicU64::new(0) })
    }

    /// Tests the systems that some inputs describe. An error names the first difference.
    pub(crate) fn check(&self, inputs: &[Vec<u8>]) -> Result<()> {
        let systems: Vec<RandomSystem> =
            inputs.iter().map(|input| RandomSystem::from_choices(Choices::new(input))).collect();
        let source = emit::source(&systems);
        let program = self.runner.compile(&source, "-O1")?;
        for_each_on_two_threads(&systems, |number, system| {
            let mapping = MAPPINGS[inputs[number].len() % MAPPINGS.len()];
            self.compare(&program, number, system, mapping).with_context(|| {
                format!("system {number} under {mapping}:\n{}", emit::nodes(number, system))
            })
        })
    }

    /// How much was tested, for people.
    pub(crate) fn summary(&self) -> String {
        let explored = self.explored.load(Ordering::Relaxed);
        format!("{explored} systems with {} worlds", self.worlds.load(Ordering::Relaxed))
    }

    fn compare(
        &self,
        program: &Path,
        number: usize,
        system: &RandomSystem,
        mapping: &str,
    ) -> Result<()> {
        let expected = worlds(system);
        let scenario = emit::scenario(number, system, program);
        let scenario = self.runner.write(&format!("system-{number}.toml"), scenario.as_bytes())?;
        let scenario = scenario.to_str().context("the temporary folder has a name in UTF-8")?;
        let limits = ["--max-time", TIME_LIMIT, "--tests", "all", "--workers", "1"];
        let arguments = [&limits[..], &["--mapping", mapping, scenario]].concat();
        let explored = self.runner.explore(&format!("out-{number}"), arguments)?;
        let summary = &explored.summary;
        ensure!(summary.is_complete(), "the outcome is {}", summary.outcome);
        if let Some(bug) = summary.findings.iter().find(|bug| bug.kind != "deadlock") {
            bail!("{} on line {:?}: {}", bug.kind, bug.line, bug.message);
        }
        let deadlocks = expected.values().filter(|end| end.statuses.contains(&None)).count();
        ensure!(
            (deadlocks > 0) != summary.findings.is_empty(),
            "{deadlocks} worlds wait for ever, and {} deadlocks are found",
            summary.findings.len(),
        );
        ensure!(
            summary.worlds == Some(expected.len() as u64),
            "{} worlds, and {:?} are explored",
            expected.len(),
            summary.worlds,
        );
        compare_tests(system, &expected, &explored, deadlocks)?;
        self.explored.fetch_add(1, Ordering::Relaxed);
        self.worlds.fetch_add(expected.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// All worlds of a system.
fn worlds(system: &RandomSystem) -> Worlds {
    let symbolic = system.symbolic_nodes().len();
    let mut worlds = Worlds::new();
    let mut inputs = vec![0; symbolic];
    loop {
        let end = simulate(system, &inputs);
        worlds.insert(end.decisions.clone(), end);
        // The next assignment, as a number whose digits are the inputs.
        let Some(digit) = inputs.iter().position(|input| *input < INPUT_MASK) else {
            return worlds;
        };
        inputs[digit] += 1;
        inputs[..digit].fill(0);
    }
}

/// Each world that comes to an end has exactly one test, whose inputs lead there.
fn compare_tests(
    system: &RandomSystem,
    expected: &Worlds,
    explored: &Exploration,
    deadlocks: usize,
) -> Result<()> {
    let folder = explored.folder.join("tests");
    let mut left: Worlds = expected.clone();
    left.retain(|_, end| !end.statuses.contains(&None));
    let list = match std::fs::read_dir(&folder) {
        Ok(list) => list,
        Err(_) if left.is_empty() => return Ok(()),
        Err(error) => return Err(error).context("there are no tests"),
    };
    for entry in list {
        let file = entry?.path();
        if file.extension().is_none_or(|extension| extension != "dtest") {
            continue;
        }
        let name = file.display();
        let test = DTest::read(&file)?;
        let end = simulate(system, &inputs_of(&test, system, &folder)?);
        let record = test.record.as_ref().with_context(|| format!("{name} has no outcome"))?;
        let TestOutcome::Ended(statuses) = &record.outcome else {
            ensure!(deadlocks > 0 && end.statuses.contains(&None), "{name} is no deadlock");
            continue;
        };
        for (node, (_, status)) in statuses.iter().enumerate() {
            let expected = end.statuses.get(node).copied().flatten();
            let expected =
                expected.with_context(|| format!("{name}: node {node} waits for ever"))?;
            let shown = status.rsplit(' ').next().and_then(|word| word.parse::<u8>().ok());
            ensure!(shown == Some(expected), "{name}: node {node}: {status}, not {expected}");
        }
        let known = left.remove(&end.decisions).is_some();
        ensure!(known, "{name} is of a world that another test has, or that does not end");
    }
    ensure!(left.is_empty(), "{} worlds have no test", left.len());
    Ok(())
}

/// The inputs of the symbolic nodes in a test.
fn inputs_of(test: &DTest, system: &RandomSystem, folder: &Path) -> Result<Vec<u8>> {
    let input = |node: usize| {
        let file = folder.join(&test.nodes[node].filename);
        let ktest = KTest::read(&file)?;
        let object = ktest.objects.iter().find(|object| object.bytes.len() == 1);
        let object = object.with_context(|| format!("{} has no input", file.display()))?;
        Ok(object.bytes[0] & INPUT_MASK)
    };
    system.symbolic_nodes().into_iter().map(input).collect()
}
