//! `everett faults`: searches the faults of a program or system for those with the worst effects.

mod cluster;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use everett_base::interrupt::StopReason;
use everett_engine::{
    EngineConfig, FaultCluster, FaultSearch, FaultSearchConfig, FaultSearchError, FaultStrategy,
    FaultTest, SystemNode, TestCase, WorldTest,
};
use everett_explorer::PreparedRun;
use everett_input::host;
use everett_input::units::parse_duration;
use everett_report::{
    FaultRow, FaultTable, PaintMode, RunInfo, TextStyle, count_of, duration, fault_table_json,
    fault_table_text, finding_text, grouped,
};
use everett_rerun::TestRecorder;
use everett_settings::{RunOptions, SETTINGS, SettingRow, SettingSection, given};

use crate::clock::running_clock;
use crate::cluster::description::{JobKind, SubmittedRun};
use crate::commands::run::{
    self, OutputFolder, ProgressDisplay, UnfinishedRun, Watchdog, WatchedRun,
};
use crate::errors::{engine_error, explorer_error};
use crate::exit_codes::{EXIT_FAILED, EXIT_FINDINGS, EXIT_LIMIT};
use crate::panics::panic_log;
use crate::sources::SourceFiles;
use crate::terminal;
use cluster::ClusterRunner;

/// Try the faults of a program or a system one at a time, those first that are likely to have effects
///
/// Inputs have fixed values: zeros, or those of --ktest, which names the dtest of a system. Faults of the
/// kinds with a budget are tried; without any budget, those of all kinds that happen to a node. Limits hold
/// for each run by itself. Exit code: 0 if all single faults were tried without a finding, 1 if there are
/// findings, 2 if the input or the engine failed, 3 if there was no time for all faults and no finding.
#[derive(clap::Args)]
#[command(override_usage = "everett faults [OPTIONS] PROGRAM [-- ARGS]\n       \
    everett faults [OPTIONS] SYSTEM.toml")]
#[group(skip)]
pub(crate) struct FaultsOptions {
    /// Stop after this time, such as 10m
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    #[arg(help_heading = "Search over faults")]
    time: Option<Duration>,
    /// Stop after this many faults
    #[arg(long, value_name = "N", help_heading = "Search over faults")]
    experiments: Option<u64>,
    /// Order in which faults are tried: those near others with effects first, any, or one after the other
    #[arg(long, value_name = "STRATEGY", default_value = "fitness", value_parser = strategy_parser())]
    #[arg(help_heading = "Search over faults")]
    strategy: FaultStrategy,
    /// Let up to N faults happen in one run; 2 if --time or --experiments says when to stop, otherwise 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    #[arg(help_heading = "Search over faults")]
    together: Option<u8>,
    #[command(flatten)]
    pub(crate) run: RunOptions,
}

/// The time after which results are stored again while the search goes on. A process that is killed loses the
/// failures since then; storing all of them after each fault would take longer than the faults.
const STORED_EVERY: Duration = Duration::from_secs(1);

/// Flags of this command that `everett run` does not have; each has a value.
const OWN: [&str; 4] = ["--time", "--experiments", "--strategy", "--together"];

impl FaultsOptions {
    /// Faults in one run at most. There are too many pairs to try them all, so something has to end that.
    fn together(&self) -> u8 {
        let ends = self.time.is_some() || self.experiments.is_some();
        self.together.unwrap_or(if ends { 2 } else { 1 })
    }
}

fn strategy_parser() -> impl clap::builder::TypedValueParser<Value = FaultStrategy> {
    use clap::builder::TypedValueParser;
    clap::builder::PossibleValuesParser::new(FaultStrategy::ALL.map(|(name, _)| name)).map(|name| {
        let found = FaultStrategy::ALL.iter().find(|(known, _)| *known == name);
        found.expect("the parser accepts only these names").1
    })
}

fn refuse_what_is_of_runs(options: &FaultsOptions, words: &[OsString]) -> Result<()> {
    let given = given(words).map_err(|error| explorer_error(error.into()))?;
    if given.contains("checkpoint") && options.run.checkpoint().is_some() {
        bail!("--checkpoint: a search over faults cannot be gone on with; leave it out");
    }
    let of_runs = |row: &&SettingRow| {
        ["export", "watch"].contains(&row.name) || row.section == SettingSection::Gates
    };
    if let Some(row) = SETTINGS.iter().filter(of_runs).find(|row| given.contains(row.name)) {
        bail!("--{}: a search over faults is many runs; leave it out", row.name);
    }
    Ok(())
}

/// Searches, shows and stores the results. `words` are those of the command line behind `faults`.
pub(crate) fn run(options: &FaultsOptions, words: Vec<OsString>) -> Result<ExitCode> {
    let words = without(words, &OWN);
    refuse_what_is_of_runs(options, &words)?;
    // A cluster is sent all files that are looked at.
    host::begin_notes();
    let prepared = run::prepare(words.clone());
    let noted = host::take_notes();
    let PreparedRun { options: settings, nodes, mut config, recorder } = prepared?;
    let clock = running_clock();
    config.clock = clock.clone();
    config.panics = panic_log();
    let interrupt = config.interrupt.clone();
    run::listen(interrupt.clone(), clock.clone(), false)?;
    let memory = config.limits.memory;
    let watch = |time: Option<Duration>, so_far: Option<Box<dyn UnfinishedRun>>| {
        let (interrupt, clock) = (interrupt.clone(), clock.clone());
        // An experiment that is cut short says nothing about its faults.
        let time = time.map(|limit| (limit, StopReason::Asked));
        let (spills, winds_down) = (false, false);
        Watchdog::start(WatchedRun { interrupt, clock, time, memory, spills, winds_down, so_far })
    };
    let watchdog = watch(None, None)?;
    let begun = BegunSearch { words: &words, noted: &noted, nodes, config };
    let mut search = begun
        .start(options, &settings)
        .with_context(|| format!("cannot search {}", options.run.program.display()))?;
    drop(watchdog);
    let mut shown = FaultDisplay {
        recorder: recorder().map_err(explorer_error)?,
        words: without(words, &["--out", "--ktest", "--workers", "--cluster"]),
        folder: OutputFolder::create(settings.out.as_deref(), &run::command_line())?,
        strategy: options.strategy,
        quiet: settings.quiet,
        stored: Vec::new(),
    };
    let so_far = TableSoFar::default();
    let time = options.time.map(|most| most.saturating_sub(clock.now()));
    let watchdog = watch(time, Some(Box::new(so_far.clone())))?;
    let mut display = ProgressDisplay::new(settings.quiet);
    let is_over =
        || interrupt.stopping().is_some() || options.time.is_some_and(|most| clock.now() >= most);
    let (mut failure, mut stored_at, mut error) = (None, None, None);
    while !is_over() {
        let now = clock.now();
        if stored_at.is_none_or(|at| now.saturating_sub(at) >= STORED_EVERY) {
            stored_at = Some(now);
            so_far.note(shown.store(&search)?, search.failures());
        }
        match search.step() {
            Ok(Some(experiment)) => failure = failure.or(experiment.failure),
            Ok(None) => break,
            Err(found) => {
                error = Some(found);
                break;
            }
        }
        display.show(clock.now(), || progress_line(&search, clock.now()));
    }
    drop(watchdog);
    display.clear();
    let table = shown.store(&search)?;
    shown.show_end(&search, &table);
    if let Some(error) = error {
        return Err(search_error(error));
    }
    if let Some(reason) = &failure {
        terminal::warning(&format!("some faults have more effects than are shown: {reason}"));
    }
    Ok(exit_code(&search, failure.is_some()))
}

fn exit_code(search: &FaultSearch, has_failed: bool) -> ExitCode {
    ExitCode::from(match search.failures() {
        0 if has_failed => EXIT_FAILED,
        0 if search.experiments() - search.several() < search.faults() => EXIT_LIMIT,
        0 => 0,
        _ => EXIT_FINDINGS,
    })
}

/// A search that is about to begin.
struct BegunSearch<'s> {
    words: &'s [OsString],
    noted: &'s BTreeSet<PathBuf>,
    nodes: Vec<SystemNode>,
    config: EngineConfig,
}

impl BegunSearch<'_> {
    /// Runs the system without faults. Threads of this process, or the workers of a cluster, make the other
    /// runs.
    fn start(self, options: &FaultsOptions, settings: &RunOptions) -> Result<FaultSearch> {
        let BegunSearch { words, noted, nodes, config } = self;
        let search = FaultSearchConfig {
            strategy: options.strategy,
            seed: config.seed,
            together: usize::from(options.together()),
            experiments: options.experiments,
        };
        let Some(url) = &settings.cluster else {
            let found = FaultSearch::new(nodes, config, search, settings.worker_threads());
            return found.map_err(search_error);
        };
        let (sent_nodes, sent_config) = (nodes.clone(), config.clone());
        let run = SubmittedRun {
            words,
            nodes: &sent_nodes,
            config: &sent_config,
            noted,
            out: None,
            jobs: JobKind::Experiments,
        };
        let runner = |_| Ok(Box::new(ClusterRunner::submit(url, &run)?) as Box<_>);
        FaultSearch::with_runner(nodes, config, search, runner).map_err(search_error)
    }
}

fn progress_line(search: &FaultSearch, elapsed: Duration) -> String {
    format!(
        "{} | {} of {}, {} | {} | {} reached",
        duration(elapsed),
        count_of(search.experiments() - search.several(), "fault"),
        grouped(search.faults()),
        count_of(search.several(), "set"),
        count_of(search.failures(), "failure"),
        count_of(search.lines_reached(), "line"),
    )
}

/// An error of the search, in the words of the command line.
fn search_error(error: FaultSearchError) -> anyhow::Error {
    match error {
        FaultSearchError::Engine(error) => engine_error(error),
        error => error.into(),
    }
}

/// The table of a search that goes on, for the case that an experiment does not end.
#[derive(Clone, Default)]
struct TableSoFar(Arc<Mutex<(String, u64)>>);

impl TableSoFar {
    /// Notes what is shown if the next experiments do not end, and the failures in it.
    fn note(&self, table: String, failures: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (table, failures);
    }
}

impl UnfinishedRun for TableSoFar {
    /// The search has stored it already.
    fn store(&self) {}

    fn give_up(&self, _: StopReason) -> ! {
        let (table, failures) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner);
        terminal::out(table);
        terminal::warning("the last fault is left out: a solver does not end the query it is at");
        std::process::exit(if *failures > 0 { EXIT_FINDINGS } else { EXIT_LIMIT }.into())
    }
}

/// The display of the search: names of results, and the folder where they are stored.
struct FaultDisplay {
    recorder: TestRecorder,
    /// The command line of a run that shows a fault again, without its test.
    words: Vec<OsString>,
    folder: OutputFolder,
    strategy: FaultStrategy,
    quiet: bool,
    /// Names of the tests and findings in the folder. Ranks change while the search goes on.
    stored: Vec<String>,
}

impl FaultDisplay {
    /// Stores the results of the search so far. Returns the text for a terminal, which is empty with
    /// `--quiet`.
    fn store(&mut self, search: &FaultSearch) -> Result<String> {
        let sources = SourceFiles::default();
        let (mut clusters, mut stored) = (Vec::new(), Vec::new());
        for (rank, cluster) in (1..).zip(search.clusters()) {
            let row = self.row(rank, cluster)?;
            stored.extend(row.tests.iter().cloned());
            clusters.push(row);
            for (number, finding) in (1..).zip(&cluster.first.findings) {
                let more = if number > 1 { format!("-{number}") } else { String::new() };
                let name = format!("findings/{rank:03}-{}{more}.txt", finding.kind);
                let text = finding_text(finding, None, &sources, TextStyle::PLAIN);
                self.folder.write(&name, &text)?;
                stored.push(name);
            }
        }
        for name in self.stored.iter().filter(|name| !stored.contains(name)) {
            // A file that somebody else has removed is gone as well.
            let _ = std::fs::remove_file(self.folder.path().join(name));
        }
        self.stored = stored;
        let named = FaultStrategy::ALL.iter().find(|(_, known)| *known == self.strategy);
        let table = FaultTable {
            strategy: named.map_or("", |(name, _)| name),
            possible: search.faults(),
            tried: search.experiments() - search.several(),
            together: search.several(),
            not_applicable: search.not_applicable(),
            failures: search.failures(),
            lines_reached: search.lines_reached(),
            clusters,
        };
        self.folder.write("faults.json", &fault_table_json(&table))?;
        self.folder.write("faults.txt", &fault_table_text(&table, PaintMode::Plain))?;
        if self.quiet {
            return Ok(String::new());
        }
        let text = fault_table_text(&table, terminal::paint());
        Ok(format!("{text}results in {}\n", self.folder.path().display()))
    }

    /// Shows what has been stored.
    fn show_end(&self, search: &FaultSearch, table: &str) {
        terminal::out(table);
        let normal = search.normal_findings().len() as u64;
        if normal > 0 && !self.quiet {
            let findings = count_of(normal, "finding");
            terminal::warning(&format!("{findings} without any fault; `everett run` shows them"));
        }
    }

    /// Writes the tests of a cluster.
    fn row<'a>(&self, rank: u64, cluster: &'a FaultCluster) -> Result<FaultRow<'a>> {
        let mut tests = Vec::new();
        let Some(FaultTest { nodes, world }) = &cluster.first.test else {
            return Ok(FaultRow { cluster, command: None, tests });
        };
        for TestCase { node, ktest, .. } in nodes {
            let name = RunInfo::test_file(rank, node.as_deref());
            ktest.write(&self.folder.path().join(&name))?;
            tests.push(name);
        }
        let numbered = world.clone().map(|world| WorldTest { id: rank, ..world });
        let dtest = numbered.and_then(|world| self.recorder.dtest(&world));
        let words = match dtest {
            Some(dtest) => {
                tests.insert(0, RunInfo::world_file(rank));
                let file = self.folder.path().join(&tests[0]);
                dtest.write(&file)?;
                vec!["everett".into(), "replay".into(), file.into_os_string()]
            }
            None => {
                let file = self.folder.path().join(RunInfo::test_file(rank, None));
                let first = ["everett", "run", "--ktest"].map(OsString::from);
                let words = first.into_iter().chain([file.into_os_string()]);
                words.chain(self.words.iter().cloned()).collect()
            }
        };
        Ok(FaultRow { cluster, command: Some(run::typed(words.into_iter())), tests })
    }
}

/// The words of a command line without some flags and their values.
pub(crate) fn without(words: Vec<OsString>, flags: &[&str]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if word == "--" {
            kept.push(word);
            break;
        }
        if flags.contains(&&*text) {
            words.next();
        } else if !flags.iter().any(|flag| text.starts_with(&format!("{flag}="))) {
            kept.push(word);
        }
    }
    kept.extend(words);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_flags_are_taken_out_in_front_of_the_arguments() {
        let words =
            ["--time", "5s", "p.bc", "--strategy=random", "--seed", "2", "--", "--time", "x"];
        let left = without(words.map(OsString::from).to_vec(), &OWN);
        assert_eq!(left, ["p.bc", "--seed", "2", "--", "--time", "x"]);
    }
}
