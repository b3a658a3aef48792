//! `everett run`: explores a program and reports what it found.

mod checkpoint;
mod cluster;
mod display;
mod folder;
mod gates;
mod ignored;
mod interrupt;
mod live;
mod progress_file;
mod session;
mod so_far;
mod spill;
mod watch;
mod watchdog;
pub(crate) mod writer;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use everett_base::interrupt::StopReason;
use everett_engine::{
    CheckpointPace, DropReason, Engine, FaultKind, Outcome, SpillPlace, Summary, SystemNode,
    TestPolicy,
};
use everett_explorer::PreparedRun;
use everett_input::host;
use everett_report::{RunInfo, coverage_json, summary_json, summary_text, trojans_json};
use everett_rerun::TestRecorder;
use everett_settings::{RunOptions, is_scenario};

use crate::clock::{MemoryMeter, peak_resident_bytes, running_clock};
use crate::commands::report::{self, SUMMARY};
use crate::errors::{engine_error, explorer_error};
use crate::exit_codes::exit_code;
use crate::origin::RunOrigin;
use crate::panics::panic_log;
use crate::sources::SourceFiles;
use crate::{environment, terminal};
pub(crate) use checkpoint::StoredCheckpoint;
use checkpoint::{CheckpointWriter, KeptOutput, next_step};
pub(crate) use cluster::{attach, run_title};
pub(crate) use display::ProgressDisplay;
pub(crate) use folder::{OutputFolder, last_folder};
use gates::RunGates;
pub(crate) use interrupt::listen;
use live::LiveConversations;
use progress_file::ProgressFile;
use session::{LazyRecorder, OutputEcho, RunSession};
use so_far::ResultsSoFar;
use spill::SpillFolder;
use watch::RunWatch;
pub(crate) use watchdog::{UnfinishedRun, Watchdog, WatchedRun};
use writer::TestWriter;

/// Runs the program, shows and stores the results.
///
/// `words` are those of the command line behind `run`, from which the options were read.
pub(crate) fn run(options: RunOptions, words: Vec<OsString>) -> Result<ExitCode> {
    if options.is_replay() && is_scenario(&options.program) {
        bail!(
            "--ktest runs the test of a program; that of a system is run by `everett replay TEST.dtest`"
        );
    }
    let programs = environment::programs()?;
    // A cluster is sent all files that are looked at.
    host::begin_notes();
    let prepared = PreparedRun::of_options(options, words.clone(), &programs);
    let prepared = prepared.map_err(explorer_error);
    let gates = prepared.as_ref().ok().map(|prepared| RunGates::of_options(&prepared.options));
    let noted = host::take_notes();
    let prepared = prepared?;
    gates.transpose()?;
    let options = &prepared.options;
    if let Some(url) = options.cluster.clone() {
        if options.is_replay() {
            bail!("--ktest runs one path, and needs no cluster");
        }
        if options.watch {
            bail!(
                "--watch: a run of a cluster has no page while it goes on; leave one of both out"
            );
        }
        if replaces_messages(&prepared.nodes) {
            bail!(
                "--cluster: a run with --trojan-count is explored in one process; leave one of both out"
            );
        }
        if prepared.nodes.iter().any(|node| node.config.live.is_some()) {
            bail!("--cluster: live peers are reached by one process; leave --cluster out");
        }
        let folder = OutputFolder::create(options.out.as_deref(), &command_line())?;
        return cluster::submit(&url, prepared, &words, folder, &noted);
    }
    // Running one test again is a question that is answered on the terminal.
    let folder = match (&options.out, options.is_replay()) {
        (None, true) if !options.exports().is_empty() => {
            bail!("--export writes into the folder for the results: name one with --out")
        }
        (None, true) if options.watch => {
            bail!("--watch shows the folder for the results: name one with --out")
        }
        (None, true) => None,
        (named, _) => Some(OutputFolder::create(named.as_deref(), &command_line())?),
    };
    explore(prepared, words, folder, None)
}

/// Runs a system that was prepared in another way than by a command line of `everett run`, as that does.
pub(crate) fn run_prepared(prepared: PreparedRun, words: Vec<OsString>) -> Result<ExitCode> {
    let folder = OutputFolder::create(prepared.options.out.as_deref(), &command_line())?;
    explore(prepared, words, Some(folder), None)
}

/// Returns `true` if messages are replaced by ones that no sender can send.
fn replaces_messages(nodes: &[SystemNode]) -> bool {
    let may_replace =
        |node: &SystemNode| node.config.kernel.faults.budgets.get(FaultKind::Trojan) > 0;
    nodes.iter().any(may_replace)
}

/// Loads what words of the command line behind `run` name.
pub(crate) fn prepare(words: Vec<OsString>) -> Result<PreparedRun> {
    PreparedRun::of_words(words, &environment::programs()?).map_err(explorer_error)
}

/// Goes on with a run from its last checkpoint, and into its folder.
pub(crate) fn go_on(
    prepared: PreparedRun,
    words: Vec<OsString>,
    folder: PathBuf,
    stored: StoredCheckpoint,
) -> Result<ExitCode> {
    let now = RunOrigin::new(&words, &prepared.nodes, &prepared.config)?;
    stored.origin.check(&now)?;
    let live = LiveConversations::of_nodes(&prepared.nodes, folder.clone());
    live.restore()?;
    let folder = OutputFolder::reopen(folder, stored.told)?;
    explore(prepared, words, Some(folder), Some(stored))
}

fn explore(
    prepared: PreparedRun,
    words: Vec<OsString>,
    folder: Option<OutputFolder>,
    stored: Option<StoredCheckpoint>,
) -> Result<ExitCode> {
    let PreparedRun { options, nodes, mut config, recorder } = prepared;
    let checkpoint = options.checkpoint().filter(|_| folder.is_some());
    let winds_down = checkpoint.is_some();
    config.clock = running_clock();
    config.panics = panic_log();
    listen(config.interrupt.clone(), config.clock.clone(), winds_down)?;
    for warning in ignored::warnings(&config, &nodes) {
        terminal::warning(&warning);
    }
    let origin = match &stored {
        Some(stored) => Some(stored.origin.clone()),
        None if winds_down => Some(Arc::new(RunOrigin::new(&words, &nodes, &config)?)),
        None => None,
    };
    config.checkpoints = checkpoint.map_or(CheckpointPace::Never, CheckpointPace::Every);
    let spill = SpillFolder::of_options(&options, folder.as_ref(), stored.is_some())?;
    config.spill = spill.clone().map(|folder| SpillPlace::new(folder));
    let spills = config.spill.is_some();
    let (interrupt, clock) = (config.interrupt.clone(), config.clock.clone());
    let time = config.limits.time.map(|limit| (limit, StopReason::Time));
    let memory = config.limits.memory;
    let writes_tests = config.tests != TestPolicy::None;
    let several_nodes = nodes.len() > 1;
    let live = folder.as_ref().map(OutputFolder::path);
    let live = live.map(|out| LiveConversations::of_nodes(&nodes, out.to_path_buf()));
    let info = run_info(&options, &nodes);
    let mut engine = Engine::system(nodes, config)
        .map_err(engine_error)
        .with_context(|| format!("cannot run {}", options.program.display()))?;
    let mut session = start(&options, info, folder, writes_tests)?;
    session.spill.clone_from(&spill);
    session.several_nodes = several_nodes;
    session.recorder = LazyRecorder::Later(recorder);
    session.live.clone_from(&live);
    if let (Some(folder), Some(origin), Some(live)) = (&session.folder, origin, live) {
        let storing = session.so_far.storing();
        let writer = CheckpointWriter::new(folder.path(), origin, spill, live, storing);
        session.checkpoints = Some(writer);
    }
    if let (true, Some(folder)) = (options.watch, &session.folder) {
        let (folder, so_far) = (folder.path().to_path_buf(), session.so_far.clone());
        let line = Box::new(move || so_far.line());
        session.watch = Some(RunWatch::start(folder, line, clock.clone())?);
    }
    let so_far: Option<Box<dyn UnfinishedRun>> = Some(Box::new(session.so_far.clone()));
    let watched = WatchedRun { interrupt, clock, time, memory, spills, winds_down, so_far };
    let watchdog = Watchdog::start(watched)?;
    let summary = match stored {
        None => engine.run(&mut session),
        Some(stored) => {
            session.kept = stored.kept.clone();
            let (bytes, identity) = stored.parts();
            engine.resume(bytes, &identity, &mut session)?
        }
    };
    drop(watchdog);
    finish(session, &summary)
}

/// Sets up all that a run needs around the engine.
fn start(
    options: &RunOptions,
    info: RunInfo,
    folder: Option<OutputFolder>,
    writes_tests: bool,
) -> Result<RunSession> {
    let writer = match &folder {
        Some(folder) if writes_tests => Some(TestWriter::start(folder.path())?),
        _ => None,
    };
    let shown = |folder: &OutputFolder| folder.path().display().to_string();
    let info = RunInfo { folder: folder.as_ref().map(shown), ..info };
    let path = folder.as_ref().map(|folder| folder.path().to_path_buf());
    let progress = path.as_deref().map(ProgressFile::open).transpose()?;
    let gates = RunGates::of_options(options)?;
    let so_far = ResultsSoFar::begin(path, info.clone(), gates.clone(), options.quiet);
    let echo = match (options.echo, options.quiet) {
        (true, _) => OutputEcho::Live,
        (false, true) => OutputEcho::Never,
        (false, false) if options.is_replay() => OutputEcho::Live,
        (false, false) => OutputEcho::Kept,
    };
    Ok(RunSession {
        memory: MemoryMeter::new(),
        display: ProgressDisplay::new(options.quiet),
        sources: SourceFiles::default(),
        echo,
        quiet: options.quiet,
        several_nodes: false,
        recorder: LazyRecorder::Ready(TestRecorder::default()),
        info,
        gates,
        so_far,
        writes_report: options.writes_report(),
        frames: terminal::frames_shown(options.frames()),
        exports: options.exports().to_vec(),
        annotations: String::new(),
        folder,
        progress,
        writer,
        checkpoints: None,
        spill: None,
        live: None,
        watch: None,
        kept: KeptOutput::default(),
        open_line: None,
        failure: None,
    })
}

/// What is known of a run before it begins, for its reports.
fn run_info(options: &RunOptions, nodes: &[SystemNode]) -> RunInfo {
    let preemptions = nodes.iter().map(|node| node.config.kernel.preemptions);
    RunInfo {
        peak_rss_bytes: 0,
        folder: None,
        program: options.program.display().to_string(),
        nodes: nodes.iter().map(|node| node.config.kernel.hostname.clone()).collect(),
        preemptions: preemptions.max().unwrap_or(0),
        replay: options.is_replay(),
        has_page: false,
        unstored: false,
        gates: None,
    }
}

/// Stores and shows the end of the run. What cannot be stored is shown at least.
fn finish(mut session: RunSession, summary: &Summary) -> Result<ExitCode> {
    session.make_room();
    let gates = session.gates.judge(summary, &session.info, &session.sources);
    match gates {
        Ok(gates) => session.info.gates = gates,
        Err(error) => drop(session.failure.get_or_insert(error)),
    }
    let stored = store(&mut session, summary);
    let next = end_checkpoints(&mut session, summary);
    end_spill(&mut session);
    session.info.unstored = stored.is_err();
    if session.quiet && stored.is_err() {
        summary.findings.iter().for_each(|finding| session.show(finding));
    }
    if !session.quiet {
        session.show_kept_output(summary);
        session.make_room();
        terminal::out(&summary_text(summary, &session.info, terminal::paint()));
        terminal::out(&next.unwrap_or_default());
    }
    terminal::out(&session.annotations);
    if let Some(watch) = session.watch.take() {
        watch.finish();
    }
    stored?;
    Ok(ExitCode::from(exit_code(summary, session.info.gates.as_ref())))
}

/// Removes the checkpoint of a run that is over; gives the line that tells how another one is gone on with.
fn end_checkpoints(session: &mut RunSession, summary: &Summary) -> Option<String> {
    let mut checkpoints = session.checkpoints.take()?;
    if let Err(error) = checkpoints.wait() {
        session.warn_of_checkpoint(&error);
    }
    let is_over = match (summary.outcome, &summary.limit) {
        (Outcome::Exhausted, _) => true,
        (Outcome::Limit, limit) => {
            !matches!(limit, Some(DropReason::TimeLimit | DropReason::InstructionLimit))
        }
        (Outcome::Stopped | Outcome::Failed | Outcome::Running, _) => false,
    };
    let folder = session.folder.as_ref()?.path().to_path_buf();
    if !is_over {
        return next_step(&folder, checkpoints.has_last);
    }
    if let Err(error) = checkpoint::remove(&folder) {
        session.warn_of_checkpoint(&error);
    }
    None
}

/// Removes the states on disk, unless a checkpoint names them.
fn end_spill(session: &mut RunSession) {
    let Some(spill) = session.spill.take() else { return };
    let folder = session.folder.as_ref().map(OutputFolder::path);
    if folder.is_some_and(checkpoint::is_there) {
        return;
    }
    if let Err(error) = spill.remove()
        && !session.quiet
    {
        terminal::warning(&format!("{error:#}"));
    }
}

fn store(session: &mut RunSession, summary: &Summary) -> Result<()> {
    let tests = session.writer.take().map_or(Ok(()), TestWriter::finish);
    session.info.peak_rss_bytes = peak_resident_bytes();
    if let Some(failure) = session.failure.take().or(session.so_far.take_failure()) {
        return Err(failure);
    }
    tests?;
    if let Some(folder) = &session.folder {
        folder.write(SUMMARY, &summary_json(summary, &session.info))?;
        folder.write("coverage.json", &coverage_json(summary))?;
        if let Some(trojans) = trojans_json(summary) {
            folder.write("trojans.json", &trojans)?;
        }
        for finding in &summary.findings {
            session.store(finding)?;
        }
        if let Some(progress) = &mut session.progress {
            progress.finish(summary, session.memory.resident_bytes())?;
        }
    }
    session.live.take().map_or(Ok(()), |live| live.store())?;
    if let Some(folder) = &session.folder {
        let path = folder.path();
        session.annotations = report::write_results(path, session.writes_report, &session.exports)?;
        session.info.has_page = session.writes_report;
    }
    Ok(())
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
    use everett_engine::{EngineConfig, Observer, PathEnd};
    use everett_report::PaintMode;

    use super::*;
    use crate::exit_codes::EXIT_FAILED;

    /// Panics at the end of the first path.
    struct PanickingObserver;

    impl Observer for PanickingObserver {
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
            let summary = engine.run(&mut PanickingObserver);
            assert_eq!(exit_code(&summary, None), EXIT_FAILED);
            let info = RunInfo { program: "test.ll".to_owned(), ..RunInfo::default() };
            let text = summary_text(&summary, &info, PaintMode::Plain);
            assert!(text.contains("no findings; stopped by an internal error"), "{text}");
            assert!(text.contains("internal error: as this test wants it, at "), "{text}");
            assert!(text.contains("please report it"), "{text}");
        }
    }
}
