//! `everett replay`: runs a test of a system again, and says whether its outcome is the same.
//!
//! Not here: the replay itself (`everett-rerun`).

mod changed;
mod latest;
pub(crate) mod minimize;
pub(crate) mod native;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use everett_engine::StoppedRun;
use everett_explorer::{ProgramCaching, ProgramFiles};
use everett_ir::Program;
use everett_replay::KTest;
use everett_report::{TextStyle, count_of, finding_text, nodes_text, trace_text};
use everett_rerun::script::{self, ScriptRecording};
use everett_rerun::{LoadFailure, ReplayContext, outcome_of, outcome_text, replay};
use everett_settings::FrameChoice;

use crate::clock::running_clock;
use crate::errors::replay_error;
use crate::panics::panic_log;
use crate::sources::SourceFiles;
use crate::{environment, terminal};

/// Bytes of a file by which a test is known.
const START_BYTES: u64 = 8;
/// The exit code where the test has another outcome than expected.
const EXIT_DIFFERS: u8 = 1;
/// Run a test of a system again, and check that its outcome is the same
///
/// Exit code: 0 if the outcome is the expected one, at the same place, 1 if it is another one, 2 if
/// the test cannot be run: a file is missing, is damaged, or has changed.
///
/// With --changed: 0 if the finding is fixed, 1 if it is still there, 3 if that cannot be told, because
/// the programs go another way.
#[derive(clap::Args)]
pub(crate) struct ReplayOptions {
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
    /// Show every call by which programs touch the outside, with its result
    #[arg(long, conflicts_with_all = ["trace", "until"])]
    script: bool,
    /// Frames of stacks that are printed: the program's own, with one line for each call of a library, or all
    #[arg(long, value_name = "own|all", default_value = "own", hide_possible_values = true)]
    frames: FrameChoice,
    #[command(flatten)]
    native: native::NativeOptions,
}

impl ReplayOptions {
    fn style(&self) -> TextStyle {
        let frames = terminal::frames_shown(self.frames);
        TextStyle { paint: terminal::paint(), frames }
    }
}

/// Runs the command.
pub(crate) fn run(options: &ReplayOptions) -> Result<ExitCode> {
    let test = match &options.test {
        Some(test) => test_of_system(test)?,
        None => latest::finding()?,
    };
    if options.native.wanted() {
        return options.native.run(&test, options.changed);
    }
    if options.changed {
        return changed::run(&test, options.trace, options.style());
    }
    let programs = environment::programs()?;
    let (load, context) = (loading(&programs), context(&programs));
    if options.script {
        let recording = script::record(&test, load, &context).map_err(replay_error)?;
        terminal::out(&recording.script.to_string());
        recording.troubles.iter().for_each(|why| {
            terminal::warning(&format!("this cannot be reproduced natively: {why}"));
        });
        show_notes(&recording);
        return Ok(ExitCode::SUCCESS);
    }
    let replayed = replay(&test, options.until, load, &context).map_err(replay_error)?;
    let (style, sources) = (options.style(), SourceFiles::default());
    let paint = style.paint;
    if let Some(stopped) = &replayed.stopped {
        if options.trace {
            let StoppedRun { messages, faults, preemptions, .. } = stopped;
            terminal::out(&trace_text(messages, faults, preemptions));
        }
        terminal::out(&stopped_text(stopped, style));
        return Ok(ExitCode::SUCCESS);
    }
    if let (true, Some(world)) = (options.trace, &replayed.world) {
        terminal::out(&trace_text(&world.messages, &world.faults, &world.preemptions));
    }
    if let Some(finding) = replayed.world.as_ref().and_then(|world| world.finding.as_ref()) {
        terminal::out(&format!("{}\n", finding_text(finding, None, &sources, style)));
    }
    match &replayed.difference {
        None => {
            let what = replayed.world.as_ref().map(|world| outcome_text(&outcome_of(world)));
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

/// The test that is named, unless it is one of a single program, which has a command of its own.
fn test_of_system(test: &Path) -> Result<PathBuf> {
    let mut start = Vec::new();
    // A file that cannot be read is told of where the test is read.
    let _ = File::open(test).and_then(|file| file.take(START_BYTES).read_to_end(&mut start));
    let is_ktest = KTest::is_one(&start) || test.extension().is_some_and(|end| end == "ktest");
    anyhow::ensure!(
        !is_ktest,
        "{test} is a test of one program: run it again with `everett run --ktest {test} PROGRAM`; \
         tests of systems are .dtest files",
        test = test.display()
    );
    Ok(test.to_owned())
}

/// The surroundings of replays: programs, clock, warnings.
pub(crate) fn context(programs: &ProgramFiles) -> ReplayContext {
    ReplayContext {
        programs: Some(programs.source(ProgramCaching::On)),
        clock: running_clock(),
        panics: panic_log(),
        warn: Arc::new(terminal::warning),
    }
}

/// Makes a program out of its file.
pub(crate) fn loading(
    programs: &ProgramFiles,
) -> impl Fn(&Path) -> Result<Arc<Program>, LoadFailure> + Copy + '_ {
    |file| Ok(programs.load(file, ProgramCaching::On)?)
}

/// Tells what depends on memory that was never written.
fn show_notes(recording: &ScriptRecording) {
    recording.notes.iter().for_each(|note| terminal::err(&format!("note: {note}\n")));
}

fn stopped_text(stopped: &StoppedRun, style: TextStyle) -> String {
    let title = format!("stopped after {}", count_of(stopped.messages.len() as u64, "message"));
    let nodes = nodes_text(&stopped.nodes, &stopped.variables, style);
    format!("{}\n{nodes}", style.paint.strong(&title))
}
