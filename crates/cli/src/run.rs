//! `everett run`: explores a program and reports what it found.

mod environment;
mod faults;
mod invariants;
mod options;

mod display;
mod folder;
mod ignored;
mod interrupt;
mod programs;
mod session;
mod so_far;
mod system;
mod watchdog;
mod writer;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Parser;
use everett_base::interrupt::StopReason;
use everett_engine::{Engine, EngineConfig, Loss, Outcome, Summary, SystemNode, TestPolicy};
use everett_ir::Program;
use everett_replay::dtest::NodeRecord;
use everett_report::{RunInfo, coverage_json, summary_json, summary_text};

use crate::args::{Cli, Command};
use crate::clock::{MemoryMeter, peak_resident_bytes, running_clock};
use crate::load;
use crate::panics::panic_log;
use crate::replay::settings::{Concerns, recorded};
use crate::replay::{Recorder, digest};
use crate::sources::SourceFiles;
use crate::{EXIT_FAILED, terminal};
pub(crate) use display::Display;
pub(crate) use folder::{Folder, last_folder};
pub(crate) use interrupt::listen;
pub(crate) use options::Options;
pub(crate) use programs::source as program_source;
use session::{Echo, MakeRecorder, Recording, Session};
use so_far::{ResultsSoFar, SUMMARY};
use system::System;
pub(crate) use watchdog::{Watchdog, Watched};
use writer::TestWriter;

pub(crate) const EXIT_FINDINGS: u8 = 1;
pub(crate) const EXIT_LIMIT: u8 = 3;

/// Runs the program, shows and stores the results.
///
/// `words` are those of the command line behind `run`.
pub(crate) fn run(options: &Options, words: Vec<OsString>) -> Result<ExitCode> {
    if options.is_replay() && system::is_scenario(&options.program) {
        bail!(
            "--ktest runs the test of a program; that of a system is run by `everett replay TEST.dtest`"
        );
    }
    let Prepared { options: changed, nodes, recorder } = prepare(options, words)?;
    explore(changed.as_ref().unwrap_or(options), nodes, recorder)
}

/// What a command line stands for.
pub(crate) struct Prepared {
    /// The options of the run, if a scenario has changed them.
    pub(crate) options: Option<Options>,
    pub(crate) nodes: Vec<SystemNode>,
    pub(crate) recorder: MakeRecorder,
}

/// Loads what is to be run.
pub(crate) fn prepare(options: &Options, words: Vec<OsString>) -> Result<Prepared> {
    let file = options.program.clone();
    if !system::is_scenario(&file) {
        // First, as it says what is wrong with a file that is no program.
        let nodes = vec![alone(options)?];
        let (argv, digest) = (options.argv(), digest(&file)?);
        let recorder = Box::new(move || of_program(&file, argv, digest, words));
        return Ok(Prepared { options: None, nodes, recorder });
    }
    let system = System::read(options, words)?;
    let digests = system.digests()?;
    let (options, nodes) = loaded(&system, &file)?;
    let recorder = Box::new(move || system.recorder(&file, &digests));
    Ok(Prepared { options: Some(options), nodes, recorder })
}

/// A program that runs alone.
fn alone(options: &Options) -> Result<SystemNode> {
    let program = load::load(std::slice::from_ref(&options.program), options.caching())?;
    let mut config = options.config()?.node;
    config.executable = Some(options.program.clone());
    Ok(SystemNode { program: Arc::new(program), config, start: 0, server: None })
}

/// The options and the nodes of a scenario, with their programs.
fn loaded(system: &System, file: &Path) -> Result<(Options, Vec<SystemNode>)> {
    let options = system.options(file)?;
    let nodes =
        system.nodes(|file| Ok(Arc::new(load::load(&[file.to_path_buf()], options.caching())?)))?;
    Ok((options, nodes))
}

/// What makes the tests of worlds whose nodes a program has made itself.
fn of_program(
    file: &Path,
    arguments: Vec<Vec<u8>>,
    digest: String,
    words: Vec<OsString>,
) -> Result<Recorder> {
    let first = ["everett", "run"].map(OsString::from);
    let line: Vec<OsString> = first.into_iter().chain(words).collect();
    let node = NodeRecord {
        program: std::path::absolute(file)?.into_os_string().into_vec(),
        digest,
        arguments,
        options: recorded(&line, Concerns::Node)?,
        ..NodeRecord::default()
    };
    let options = recorded(&line, Concerns::Run)?;
    Ok(Recorder { nodes: vec![node], options, alone: false })
}

/// What makes the tests of a scenario's worlds. `words` are those of the command line behind `run`.
pub(crate) fn recorder(options: &Options, words: Vec<OsString>) -> Result<Recorder> {
    let system = System::read(options, words)?;
    system.recorder(&options.program, &system.digests()?)
}

/// Says what a run would refuse of a scenario that can be read.
pub(crate) fn check(scenario: &Path) -> Result<()> {
    let words: Vec<OsString> = vec![scenario.into()];
    let line = ["everett".into(), "run".into()].into_iter().chain(words.iter().cloned());
    match Cli::try_parse_from(line)?.command {
        Command::Run(options) => System::read(&options, words)?.check(scenario),
        _ => unreachable!("the subcommand is given above"),
    }
}

/// The nodes of a scenario and what the engine is asked to do with them. `words` are those of the
/// command line behind `run`.
pub(crate) fn of_scenario(
    options: &Options,
    words: Vec<OsString>,
    load: impl FnMut(&Path) -> Result<Arc<Program>>,
) -> Result<(Vec<SystemNode>, EngineConfig)> {
    let system = System::read(options, words)?;
    Ok((system.nodes(load)?, system.options(&options.program)?.config()?))
}

fn explore(options: &Options, nodes: Vec<SystemNode>, recorder: MakeRecorder) -> Result<ExitCode> {
    let mut config = options.config()?;
    config.clock = running_clock();
    config.panics = panic_log();
    config.programs = Some(program_source(options.caching()));
    listen(config.interrupt.clone(), config.clock.clone())?;
    for warning in ignored::warnings(&config, &nodes) {
        terminal::warning(&warning);
    }
    let (interrupt, clock) = (config.interrupt.clone(), config.clock.clone());
    let time = config.limits.time.map(|limit| (limit, StopReason::Time));
    let memory = config.limits.memory;
    let writes_tests = config.tests != TestPolicy::None;
    let several_nodes = nodes.len() > 1;
    let mut engine = Engine::system(nodes, config)
        .with_context(|| format!("cannot run {}", options.program.display()))?;
    let mut session = start(options, writes_tests)?;
    session.several_nodes = several_nodes;
    session.recorder = Recording::Later(recorder);
    let so_far = Some(session.so_far.clone());
    let watchdog = Watchdog::start(Watched { interrupt, clock, time, memory, so_far })?;
    let summary = engine.run(&mut session);
    drop(watchdog);
    finish(session, &summary)
}

/// Sets up all that a run needs around the engine.
fn start(options: &Options, writes_tests: bool) -> Result<Session> {
    // Running one test again is a question that is answered on the terminal.
    let folder = match (&options.out, options.is_replay()) {
        (None, true) => None,
        (named, _) => Some(Folder::create(named.as_deref(), &command_line())?),
    };
    let writer = match &folder {
        Some(folder) if writes_tests => Some(TestWriter::start(folder.path())?),
        _ => None,
    };
    let info = RunInfo {
        peak_rss_bytes: 0,
        folder: folder.as_ref().map(|folder| folder.path().display().to_string()),
        program: options.program.display().to_string(),
        replay: options.is_replay(),
        unstored: false,
    };
    let path = folder.as_ref().map(|folder| folder.path().to_path_buf());
    let so_far = ResultsSoFar::begin(path, info.clone(), options.quiet);
    let echo = match (options.echo, options.quiet) {
        (true, _) => Echo::Live,
        (false, true) => Echo::Never,
        (false, false) if options.is_replay() => Echo::Live,
        (false, false) => Echo::Kept,
    };
    Ok(Session {
        memory: MemoryMeter::new(),
        display: Display::new(options.quiet),
        sources: SourceFiles::default(),
        echo,
        quiet: options.quiet,
        several_nodes: false,
        recorder: Recording::Ready(Recorder::default()),
        info,
        so_far,
        folder,
        writer,
        kept: Vec::new(),
        kept_bytes: 0,
        open_line: None,
        failure: None,
    })
}

/// Stores and shows the end of the run. What cannot be stored is shown at least.
fn finish(mut session: Session, summary: &Summary) -> Result<ExitCode> {
    session.make_room();
    let stored = store(&mut session, summary);
    session.info.unstored = stored.is_err();
    if session.quiet && stored.is_err() {
        summary.findings.iter().for_each(|finding| session.show(finding));
    }
    if !session.quiet {
        session.show_kept_output(summary);
        session.make_room();
        terminal::out(&summary_text(summary, &session.info, terminal::paint()));
    }
    stored?;
    Ok(ExitCode::from(exit_code(summary)))
}

fn store(session: &mut Session, summary: &Summary) -> Result<()> {
    let tests = session.writer.take().map_or(Ok(()), TestWriter::finish);
    session.info.peak_rss_bytes = peak_resident_bytes();
    if let Some(failure) = session.failure.take().or(session.so_far.take_failure()) {
        return Err(failure);
    }
    tests?;
    if let Some(folder) = &session.folder {
        folder.write(SUMMARY, &summary_json(summary, &session.info))?;
        folder.write("coverage.json", &coverage_json(summary))?;
        for finding in &summary.findings {
            session.store(finding)?;
        }
    }
    Ok(())
}

/// A run is clean only if nothing was missed; what a limit or a failure hid is said by the code.
pub(crate) fn exit_code(summary: &Summary) -> u8 {
    let failed = summary.dropped.iter().any(|(reason, _)| reason.loss() == Loss::Failure);
    match summary.outcome {
        Outcome::Failed => EXIT_FAILED,
        _ if !summary.findings.is_empty() => EXIT_FINDINGS,
        _ if failed => EXIT_FAILED,
        Outcome::Exhausted => 0,
        Outcome::Limit | Outcome::Stopped | Outcome::Running => EXIT_LIMIT,
    }
}

/// The command line as it can be typed again.
pub(crate) fn command_line() -> String {
    typed(std::env::args_os()) + "\n"
}

/// Words as they can be typed.
pub(crate) fn typed(words: impl Iterator<Item = OsString>) -> String {
    let quoted = |arg: OsString| {
        let arg = arg.to_string_lossy().into_owned();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
        if !arg.is_empty() && arg.chars().all(plain) {
            return arg;
        }
        format!("'{}'", arg.replace('\'', r"'\''"))
    };
    words.map(quoted).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use everett_engine::{Observer, PathEnd};
    use everett_report::Paint;

    use super::*;

    /// Panics at the end of the first path.
    struct Panics;

    impl Observer for Panics {
        fn wants_paths(&self) -> bool {
            true
        }

        fn path(&mut self, _: &PathEnd) {
            panic!("as this test wants it");
        }
    }

    #[test]
    fn an_internal_error_is_named_with_its_place_and_is_exit_code_2() {
        let text = b"define i32 @main() {\n  ret i32 0\n}\n";
        let loaded = everett_llvm::load_bytes("test.ll", text, &Default::default());
        let program = Arc::new(loaded.expect("the text is valid").program);
        for workers in [1, 3] {
            let config = EngineConfig { workers, panics: panic_log(), ..EngineConfig::default() };
            let mut engine = Engine::new(program.clone(), config).expect("it is complete");
            let summary = engine.run(&mut Panics);
            assert_eq!(exit_code(&summary), EXIT_FAILED);
            let info = RunInfo { program: "test.ll".to_owned(), ..RunInfo::default() };
            let text = summary_text(&summary, &info, Paint::Plain);
            assert!(text.contains("no findings; stopped by an internal error"), "{text}");
            assert!(text.contains("internal error: as this test wants it, at "), "{text}");
            assert!(text.contains("please report it"), "{text}");
        }
    }
}
