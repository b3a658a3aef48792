//! A test that is run again in the engine: [`replay`], and the first difference to the expected outcome.

use std::path::Path;
use std::sync::Arc;

use everett_engine::{
    Engine, MonotonicClock, Observer, PanicLog, ProgramSource, SourcePlace, StoppedRun, Summary,
    TestCase, WorldTest,
};
use everett_ir::Program;
use everett_replay::DTest;
use everett_replay::dtest::{self, TestOutcome};
use everett_report::{advice, count_of, place_text};

use crate::error::{LoadFailure, RerunError, Result};
use crate::rebuild::{self, RebuiltSystem, SystemBuilder};
use crate::record;

/// Instructions that a variant may take beside those of the test itself, and how many times those.
const MORE_INSTRUCTIONS: u64 = 1_000_000;
const TIMES_INSTRUCTIONS: u64 = 4;

/// The surroundings of a replay, which the caller supplies.
#[derive(Clone)]
pub struct ReplayContext {
    /// Loads programs that processes execute.
    pub programs: Option<ProgramSource>,
    /// The time, which steers limits of the solver and never a result.
    pub clock: MonotonicClock,
    /// The log in which panics of workers are noted.
    pub panics: Arc<PanicLog>,
    /// A function that is called with the warnings of the engine.
    pub warn: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Default for ReplayContext {
    /// No program executes others, time stands still, and warnings are dropped.
    fn default() -> ReplayContext {
        let (clock, panics) = (MonotonicClock::stopped(), Arc::default());
        ReplayContext { programs: None, clock, panics, warn: Arc::new(|_| ()) }
    }
}

impl std::fmt::Debug for ReplayContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplayContext").finish_non_exhaustive()
    }
}

/// The result of a test that was run again.
#[derive(Debug)]
pub struct ReplayResult {
    /// The first difference to what is expected; `None` if there is none.
    pub difference: Option<String>,
    /// The world that is as expected, or the first one.
    pub world: Option<WorldTest>,
    /// The place at which the run was stopped, if it was.
    pub stopped: Option<StoppedRun>,
    /// Instructions of all nodes.
    pub instructions: u64,
}

/// Runs a test, up to the end or until `until` messages have been sent. `load` makes a program out of its
/// file.
pub fn replay(
    file: &Path,
    until: Option<u64>,
    load: impl FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>,
    context: &ReplayContext,
) -> Result<ReplayResult> {
    let test = DTest::read(file)?;
    let inputs = rebuild::inputs(file, &test)?;
    let rebuilt = SystemBuilder::new(load).rebuild(&test, inputs);
    let mut rebuilt = rebuilt.map_err(|error| error.of_test(file))?;
    rebuilt.config.stop_after_messages = until;
    execute(rebuilt, &test, context)
}

/// Runs a test, and compares its outcome with the expected one.
pub(crate) fn execute(
    rebuilt: RebuiltSystem,
    test: &DTest,
    context: &ReplayContext,
) -> Result<ReplayResult> {
    let (collector, summary) = observe(rebuilt, context)?;
    if let (everett_engine::Outcome::Failed, Some(error)) = (summary.outcome, &summary.limit) {
        let advice = advice(error).unwrap_or_default().to_string();
        return Err(RerunError::Failed { message: error.to_string(), advice });
    }
    let WorldCollector { mut worlds, stopped, .. } = collector;
    let expected = test.record.as_ref().map(|record| record.outcome.clone()).unwrap_or_default();
    let at = worlds.iter().position(|world| difference(&expected, world).is_none());
    let difference = match (at, worlds.first()) {
        (Some(_), _) => None,
        (None, Some(world)) => difference(&expected, world),
        (None, None) => Some(no_world_text(&expected, &summary)),
    };
    let at = at.unwrap_or(0);
    let world = (at < worlds.len()).then(|| worlds.swap_remove(at));
    Ok(ReplayResult { difference, world, stopped, instructions: summary.instructions })
}

/// The limit on instructions for variants of a test that has taken `instructions`.
pub(crate) fn instruction_limit(instructions: u64) -> u64 {
    instructions * TIMES_INSTRUCTIONS + MORE_INSTRUCTIONS
}

/// Runs a system, and collects its worlds.
pub(crate) fn observe(
    rebuilt: RebuiltSystem,
    context: &ReplayContext,
) -> Result<(WorldCollector, Summary)> {
    let RebuiltSystem { nodes, mut config } = rebuilt;
    let ReplayContext { programs, clock, panics, warn } = context.clone();
    (config.programs, config.clock, config.panics) = (programs, clock, panics);
    let mut collector =
        WorldCollector { worlds: Vec::new(), tests: Vec::new(), stopped: None, warn };
    let summary = Engine::system(nodes, config)?.run(&mut collector);
    Ok((collector, summary))
}

/// The observer of a replay: collects worlds and tests.
pub(crate) struct WorldCollector {
    pub(crate) worlds: Vec<WorldTest>,
    /// Those of all nodes, by the numbers of worlds.
    pub(crate) tests: Vec<TestCase>,
    stopped: Option<StoppedRun>,
    warn: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Observer for WorldCollector {
    fn test(&mut self, test: &TestCase) {
        self.tests.push(test.clone());
    }

    fn world(&mut self, test: &WorldTest) {
        self.worlds.push(test.clone());
    }

    fn stopped(&mut self, at: &StoppedRun) {
        self.stopped = Some(at.clone());
    }

    fn warning(&mut self, message: &str) {
        (self.warn)(message);
    }
}

/// The first difference between what is expected and what happened.
pub(crate) fn difference(expected: &TestOutcome, world: &WorldTest) -> Option<String> {
    let found = record::outcome_of(world);
    let both = |what: &str, expected: &str, found: &str| {
        Some(format!("the {what} is {found}, expected {expected}"))
    };
    match (expected, &found) {
        (TestOutcome::Ended(expected), TestOutcome::Ended(found)) => {
            if expected.len() != found.len() {
                let (expected, found) = (expected.len(), found.len());
                return both("number of nodes", &expected.to_string(), &found.to_string());
            }
            let mut pairs = expected.iter().zip(found);
            let differs = pairs.find(|(expected, found)| expected != found);
            let (expected, found) = differs?;
            Some(format!("{} {}, expected that it {}", found.0, found.1, expected.1))
        }
        (
            TestOutcome::Finding { kind, node, stack, message: _ },
            TestOutcome::Finding { kind: other, node: on, stack: at, message: _ },
        ) => {
            if kind != other {
                return both("outcome", &outcome_text(expected), &outcome_text(&found));
            }
            if node != on {
                return both("node", node, on);
            }
            let depth = (0..stack.len().max(at.len())).find(|i| stack.get(*i) != at.get(*i))?;
            let place = |stack: &[dtest::TestPlace]| match stack.get(depth) {
                Some(place) => format!("{} in {}", place_text(&place_of(place)), place.function),
                None => "nothing".to_owned(),
            };
            both(&format!("place #{depth} of the stack"), &place(stack), &place(at))
        }
        (TestOutcome::Unfinished { .. }, TestOutcome::Unfinished { .. }) => None,
        _ => both("outcome", &outcome_text(expected), &outcome_text(&found)),
    }
}

/// Describes a run in which no world came to an end.
pub(crate) fn no_world_text(expected: &TestOutcome, summary: &Summary) -> String {
    let why = summary.dropped.first().map(|(reason, _)| format!(" ({reason})"));
    format!(
        "no world came to an end{}, expected {}",
        why.unwrap_or_default(),
        outcome_text(expected)
    )
}

/// An outcome in words.
pub fn outcome_text(outcome: &TestOutcome) -> String {
    match outcome {
        TestOutcome::Finding { kind, node, message, stack } => {
            // Files of the libraries that are built in are named like `<musl>/src/...`.
            let own = stack.iter().find(|place| !place.file.starts_with('<'));
            let own = own.or(stack.first());
            let at = own.map(|place| format!(", {}", place_text(&place_of(place))));
            format!("{kind} on {node}{}: {message}", at.unwrap_or_default())
        }
        TestOutcome::Unfinished { instructions } => {
            format!("no end after {}", count_of(*instructions, "instruction"))
        }
        TestOutcome::Ended(nodes) => {
            let nodes: Vec<String> =
                nodes.iter().map(|(node, status)| format!("{node} {status}")).collect();
            format!("no finding ({})", nodes.join("; "))
        }
    }
}

pub(crate) fn place_of(place: &dtest::TestPlace) -> SourcePlace {
    let dtest::TestPlace { function, file, line, column } = place;
    let (function, file) = (function.clone(), file.clone());
    SourcePlace { function, file, line: *line, column: *column, inlined: false }
}
