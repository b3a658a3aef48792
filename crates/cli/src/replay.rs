//! `everett replay`: runs a test of a system again, and says whether the same comes of it.
//!
//! [`Recorder`] makes the tests while a run explores; [`replay`] runs one of them, on the inputs, faults
//! and preemptions of its nodes, so that there is one world and nothing to explore.
//!
//! [`judge`] runs one on programs that have changed since (`changed.rs`).
//!
//! `everett minimize` runs variants of a test that way, and keeps what comes to the same (`minimize.rs`).
//!
//! With `--native`, the native programs run instead of the engine (`native.rs`).
//!
//! Not here: the file format (`everett-replay`).

mod changed;
mod latest;
pub(crate) mod minimize;
pub(crate) mod native;
mod network;
mod rebuild;
mod record;
pub mod script;
pub(crate) mod settings;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use everett_engine::{
    Engine, Observer, ProgramSource, SourcePlace, StoppedRun, Summary, TestCase, WorldTest,
};
use everett_ir::Program;
use everett_replay::DTest;
use everett_replay::dtest::{self, Outcome};
use everett_report::{Paint, advice, count_of, finding_text, nodes_text, place_text, trace_text};

use crate::clock::running_clock;
use crate::load::{self, Caching};
use crate::panics::panic_log;
use crate::sources::SourceFiles;
use crate::{run, terminal};
pub use changed::{Judgement, Verdict, judge};
use rebuild::{Builder, Rebuilt};
pub use record::Recorder;
pub(crate) use record::digest;

/// Something else came of the test.
const EXIT_DIFFERS: u8 = 1;
/// Instructions that a variant may take beside those of the test itself, and how many times those.
const MORE_INSTRUCTIONS: u64 = 1_000_000;
const TIMES_INSTRUCTIONS: u64 = 4;

/// Run a test of a system again, and check that the same comes of it
///
/// Exit code: 0 if the outcome is the expected one, at the same place, 1 if it is another one, 2 if
/// the test cannot be run: a file is missing, is damaged, or has changed.
///
/// With --changed: 0 if the finding is fixed, 1 if it is still there, 3 if nobody can tell, as the
/// programs go another way.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The test (.dtest), with the ktests of its nodes beside it; that of the last run's first finding
    /// if it is not given
    #[arg(value_name = "TEST")]
    test: Option<PathBuf>,
    /// Run the test on programs that have changed since, and say whether its finding is still there
    #[arg(long, conflicts_with_all = ["until", "script"])]
    changed: bool,
    /// Show every message, fault and preemption of a thread in the order of time
    #[arg(long)]
    trace: bool,
    /// Stop when N messages have been sent, and show what each node does
    #[arg(long, value_name = "N")]
    until: Option<u64>,
    /// Show every call by which programs touch the outside, with what comes of it
    #[arg(long, conflicts_with_all = ["trace", "until"])]
    script: bool,
    #[command(flatten)]
    native: native::NativeOptions,
}

/// What came of a test.
#[derive(Debug)]
pub struct Replayed {
    /// The first difference to what is expected; `None` if there is none.
    pub difference: Option<String>,
    /// What happened: the world that is as expected, or the first one.
    pub world: Option<WorldTest>,
    /// Where the run was stopped, if it was.
    pub stopped: Option<StoppedRun>,
    /// Instructions of all nodes.
    pub instructions: u64,
}

/// Runs the command.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let test = match &options.test {
        Some(test) => test.clone(),
        None => latest::finding()?,
    };
    if options.native.wanted() {
        return options.native.run(&test, options.changed);
    }
    if options.changed {
        return changed::run(&test, options.trace);
    }
    let load = |file: &Path| Ok(Arc::new(load::load(&[file.to_path_buf()], Caching::On)?));
    let programs = run::program_source(Caching::On);
    if options.script {
        let recording = script::record(&test, load, programs)?;
        terminal::out(&recording.script.to_string());
        recording.troubles.iter().for_each(|why| {
            terminal::warning(&format!("this cannot be reproduced natively: {why}"));
        });
        recording.tell_notes();
        return Ok(ExitCode::SUCCESS);
    }
    let replayed = replay(&test, options.until, programs, load)?;
    let (paint, sources) = (terminal::paint(), SourceFiles::default());
    if let Some(stopped) = &replayed.stopped {
        if options.trace {
            let StoppedRun { messages, faults, preemptions, .. } = stopped;
            terminal::out(&trace_text(messages, faults, preemptions));
        }
        terminal::out(&stopped_text(stopped, paint));
        return Ok(ExitCode::SUCCESS);
    }
    if let (true, Some(world)) = (options.trace, &replayed.world) {
        terminal::out(&trace_text(&world.messages, &world.faults, &world.preemptions));
    }
    if let Some(finding) = replayed.world.as_ref().and_then(|world| world.finding.as_ref()) {
        terminal::out(&format!("{}\n", finding_text(finding, None, &sources, paint)));
    }
    match &replayed.difference {
        None => {
            let what = replayed.world.as_ref().map(|world| shown(&record::outcome_of(world)));
            let text = format!("reproduced: {}", what.unwrap_or_default());
            terminal::out(&format!("{}\n", paint.good(&text)));
            Ok(ExitCode::SUCCESS)
        }
        Some(difference) => {
            terminal::out(&format!("{} {difference}\n", paint.alarm("not reproduced:")));
            Ok(ExitCode::from(EXIT_DIFFERS))
        }
    }
}

/// Runs a test, until so many messages have been sent. `load` makes a program out of its file, and
/// `programs` those that processes execute.
pub fn replay(
    file: &Path,
    until: Option<u64>,
    programs: ProgramSource,
    load: impl FnMut(&Path) -> Result<Arc<Program>>,
) -> Result<Replayed> {
    let test = DTest::read(file)?;
    let inputs = rebuild::inputs(file, &test)?;
    let rebuilt = Builder::new(load).rebuild(&test, inputs);
    let mut rebuilt = rebuilt.with_context(|| format!("cannot run {}", file.display()))?;
    rebuilt.config.programs = Some(programs);
    rebuilt.config.stop_after_messages = until;
    execute(rebuilt, &test)
}

/// Runs what a test says.
fn execute(rebuilt: Rebuilt, test: &DTest) -> Result<Replayed> {
    let Rebuilt { nodes, mut config } = rebuilt;
    config.clock = running_clock();
    config.panics = panic_log();
    let mut witness = Witness::default();
    let summary = Engine::system(nodes, config)?.run(&mut witness);
    if let (everett_engine::Outcome::Failed, Some(error)) = (summary.outcome, &summary.limit) {
        bail!("{error} ({})", advice(error).unwrap_or_default());
    }
    let Witness { mut worlds, stopped, tests: _ } = witness;
    let expected = test.record.as_ref().map(|record| record.outcome.clone()).unwrap_or_default();
    let at = worlds.iter().position(|world| difference(&expected, world).is_none());
    let difference = match (at, worlds.first()) {
        (Some(_), _) => None,
        (None, Some(world)) => difference(&expected, world),
        (None, None) => Some(nothing(&expected, &summary)),
    };
    let at = at.unwrap_or(0);
    let world = (at < worlds.len()).then(|| worlds.swap_remove(at));
    Ok(Replayed { difference, world, stopped, instructions: summary.instructions })
}

/// Instructions that a variant of a test may take that has taken so many.
fn enough(instructions: u64) -> u64 {
    instructions * TIMES_INSTRUCTIONS + MORE_INSTRUCTIONS
}

/// Sees what happens.
#[derive(Default)]
struct Witness {
    worlds: Vec<WorldTest>,
    /// Those of all nodes, by the numbers of worlds.
    tests: Vec<TestCase>,
    stopped: Option<StoppedRun>,
}

impl Observer for Witness {
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
        terminal::warning(message);
    }
}

/// The first difference between what is expected and what happened.
fn difference(expected: &Outcome, world: &WorldTest) -> Option<String> {
    let found = record::outcome_of(world);
    let both = |what: &str, expected: &str, found: &str| {
        Some(format!("the {what} is {found}, expected {expected}"))
    };
    match (expected, &found) {
        (Outcome::Ended(expected), Outcome::Ended(found)) => {
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
            Outcome::Finding { kind, node, stack, message: _ },
            Outcome::Finding { kind: other, node: on, stack: at, message: _ },
        ) => {
            if kind != other {
                return both("outcome", &shown(expected), &shown(&found));
            }
            if node != on {
                return both("node", node, on);
            }
            let depth = (0..stack.len().max(at.len())).find(|i| stack.get(*i) != at.get(*i))?;
            let place = |stack: &[dtest::Place]| match stack.get(depth) {
                Some(place) => format!("{} in {}", place_text(&place_of(place)), place.function),
                None => "nothing".to_owned(),
            };
            both(&format!("place #{depth} of the stack"), &place(stack), &place(at))
        }
        (Outcome::Unfinished { .. }, Outcome::Unfinished { .. }) => None,
        _ => both("outcome", &shown(expected), &shown(&found)),
    }
}

/// What to say if no world came to an end.
fn nothing(expected: &Outcome, summary: &Summary) -> String {
    let why = summary.dropped.first().map(|(reason, _)| format!(" ({reason})"));
    format!("no world came to an end{}, expected {}", why.unwrap_or_default(), shown(expected))
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Finding { kind, node, message, stack } => {
            // Files of the libraries that are built in are named like `<musl>/src/...`.
            let own = stack.iter().find(|place| !place.file.starts_with('<'));
            let own = own.or(stack.first());
            let at = own.map(|place| format!(", {}", place_text(&place_of(place))));
            format!("{kind} on {node}{}: {message}", at.unwrap_or_default())
        }
        Outcome::Unfinished { instructions } => {
            format!("no end after {}", count_of(*instructions, "instruction"))
        }
        Outcome::Ended(nodes) => {
            let nodes: Vec<String> =
                nodes.iter().map(|(node, status)| format!("{node} {status}")).collect();
            format!("no finding ({})", nodes.join("; "))
        }
    }
}

fn place_of(place: &dtest::Place) -> SourcePlace {
    let dtest::Place { function, file, line, column } = place;
    let (function, file) = (function.clone(), file.clone());
    SourcePlace { function, file, line: *line, column: *column, inlined: false }
}

fn stopped_text(stopped: &StoppedRun, paint: Paint) -> String {
    let title = format!("stopped after {}", count_of(stopped.messages.len() as u64, "message"));
    format!("{}\n{}", paint.strong(&title), nodes_text(&stopped.nodes, &stopped.variables, paint))
}
