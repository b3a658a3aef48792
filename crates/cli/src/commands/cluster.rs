//! `everett cluster`: looks at the runs of a cluster, ends them, and collects their results.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Subcommand;
use everett_cluster::{JobBoard, RunFold, RunHeader, RunId, RunState};
use serde_json::{Value, json};

use crate::clock::seconds_since_1970;
use crate::cluster::connection::{connect, parse_run};
use crate::cluster::protocol::RecordBody;
use crate::commands::run::attach;
use crate::terminal;
use crate::value_bytes::of_bytes;

/// Look at the runs of a cluster, end them, or collect their results
#[derive(clap::Args)]
pub(crate) struct ClusterOptions {
    #[command(subcommand)]
    action: ClusterAction,
}

/// A cluster, and a run in it.
#[derive(clap::Args)]
struct NamedRun {
    /// Address of the NATS server, such as nats://HOST:4222 or tls://HOST:4222
    #[arg(value_name = "URL")]
    url: String,
    /// Name of the run, as `everett cluster list` shows it
    #[arg(value_name = "RUN", value_parser = parse_run)]
    run: RunId,
}

#[derive(Subcommand)]
enum ClusterAction {
    /// Show workers, and how far each run has come
    Status {
        /// Address of the NATS server, such as nats://HOST:4222 or tls://HOST:4222
        #[arg(value_name = "URL")]
        url: String,
        /// Only this run
        #[arg(value_name = "RUN", value_parser = parse_run)]
        run: Option<RunId>,
        /// Print JSON, for other programs
        #[arg(long)]
        json: bool,
    },
    /// Show the runs that were submitted
    List {
        /// Address of the NATS server, such as nats://HOST:4222 or tls://HOST:4222
        #[arg(value_name = "URL")]
        url: String,
    },
    /// End a run; whoever follows it stores its results so far
    Stop(NamedRun),
    /// Follow a run whose submitting process has ended, and store its results
    ///
    /// This may be done on any machine with the same build of everett: the files of the run are at the
    /// server.
    Attach {
        #[command(flatten)]
        named: NamedRun,
        /// Folder for the results [default: that of the run if it is on this machine, otherwise a numbered
        /// one in everett-out]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
    },
    /// Remove a run and everything of it from the server, without its results
    Remove(NamedRun),
}

/// Does what is asked for.
pub(crate) fn run(options: &ClusterOptions) -> Result<ExitCode> {
    match &options.action {
        ClusterAction::Status { url, run, json } => status(url, run.as_ref(), *json)?,
        ClusterAction::List { url } => list(url)?,
        ClusterAction::Stop(NamedRun { url, run }) => {
            let why = "everett cluster stop".to_owned();
            let is_first = connect(url)?.end_run(run, &RunState::Stopped { why })?;
            let text = if is_first { "is stopped" } else { "has ended before" };
            terminal::out(&format!("run {run} {text}\n"));
        }
        ClusterAction::Attach { named: NamedRun { url, run }, out } => {
            return attach(url, run.clone(), out.as_deref());
        }
        ClusterAction::Remove(NamedRun { url, run }) => {
            connect(url)?.remove_run(run)?;
            terminal::out(&format!("run {run} is removed\n"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The state of a run in words.
fn in_words(state: &RunState) -> String {
    match state {
        RunState::Running => "running".to_owned(),
        RunState::Stopped { why } => format!("stopped: {why}"),
        RunState::Finished => "finished".to_owned(),
    }
}

fn list(url: &str) -> Result<()> {
    let runs = connect(url)?.runs()?;
    let mut text = String::new();
    for (header, state) in &runs {
        let _ = writeln!(text, "{}  {}  {}", header.id, in_words(state), header.title);
    }
    if runs.is_empty() {
        text.push_str("no runs\n");
    }
    terminal::out(&text);
    Ok(())
}

/// How far a run has come.
struct RunFigures {
    header: RunHeader,
    state: RunState,
    waiting: u64,
    taken: u64,
    done: u64,
    executions: u64,
    findings: u64,
}

impl RunFigures {
    fn new(board: &JobBoard, header: RunHeader, state: RunState) -> Result<RunFigures> {
        let length = board.queue_length(&header.id)?;
        let mut fold = header.root.map(RunFold::new);
        let (mut done, mut executions, mut findings, mut last) = (0, 0, 0, 0);
        loop {
            let records = board.records(&header.id, last, Duration::ZERO)?;
            let Some(newest) = records.last() else { break };
            last = newest.number;
            for record in &records {
                // Without a first job, each one is of the run.
                let counts = fold.as_mut().map_or(Some(&record.record), |fold| fold.admit(record));
                let Some(counts) = counts else { continue };
                let body: RecordBody = of_bytes(&counts.body)?;
                done += 1;
                executions += body.executions;
                findings = findings.max(body.findings);
            }
        }
        let (waiting, taken) = (length.waiting, length.taken);
        Ok(RunFigures { header, state, waiting, taken, done, executions, findings })
    }

    fn seconds(&self) -> u64 {
        seconds_since_1970().saturating_sub(self.header.submitted_at).max(1)
    }

    fn text(&self) -> String {
        let RunFigures { header, state, waiting, taken, done, executions, findings } = self;
        let (id, title, state) = (&header.id, &header.title, in_words(state));
        let rate = executions / self.seconds();
        let finds = if *findings > 0 { ", with findings" } else { "" };
        format!(
            "{id}  {state}{finds}\n  {title}\n  jobs: {waiting} wait, {taken} are worked on, {done} done\n  \
             {executions} executions complete, {rate} each second\n"
        )
    }

    fn json(&self) -> Value {
        let RunFigures { header, state, waiting, taken, done, executions, findings } = self;
        json!({
            "run": header.id.as_str(),
            "build": header.build,
            "command": header.title,
            "submitted_at": header.submitted_at,
            "state": match state {
                RunState::Running => "running",
                RunState::Stopped { .. } => "stopped",
                RunState::Finished => "finished",
            },
            "why": match state {
                RunState::Stopped { why } => Some(why),
                RunState::Running | RunState::Finished => None,
            },
            "jobs": { "waiting": waiting, "taken": taken, "done": done },
            "executions": executions,
            "executions_per_second": executions / self.seconds(),
            "has_findings": *findings > 0,
        })
    }
}

fn status(url: &str, only: Option<&RunId>, as_json: bool) -> Result<()> {
    let board = connect(url)?;
    let workers = board.workers()?;
    let mut runs = Vec::new();
    for (header, state) in board.runs()? {
        if only.is_none_or(|only| header.id == *only) {
            runs.push(RunFigures::new(&board, header, state)?);
        }
    }
    if let Some(run) = only.filter(|_| runs.is_empty()) {
        return Err(everett_cluster::ClusterError::NoSuchRun { run: run.clone() }.into());
    }
    if as_json {
        let worker = |worker: &everett_cluster::WorkerStatus| {
            let runs: Vec<&str> = worker.runs.iter().map(RunId::as_str).collect();
            json!({
                "name": worker.name, "build": worker.build, "slots": worker.slots,
                "jobs_done": worker.jobs_done, "runs": runs,
            })
        };
        let workers: Vec<Value> = workers.iter().map(worker).collect();
        let runs: Vec<Value> = runs.iter().map(RunFigures::json).collect();
        terminal::out(&format!("{:#}\n", json!({ "workers": workers, "runs": runs })));
        return Ok(());
    }
    let mut text = String::new();
    for run in &runs {
        text.push_str(&run.text());
    }
    if runs.is_empty() {
        text.push_str("no runs\n");
    }
    for worker in &workers {
        let other = if worker.build == board.build() { "" } else { ", of another build" };
        let (name, slots, done) = (&worker.name, worker.slots, worker.jobs_done);
        let _ = writeln!(text, "worker {name}: slots: {slots}, jobs done: {done}{other}");
    }
    if workers.is_empty() {
        let _ = writeln!(text, "no workers; start some with `everett work {url}`");
    }
    terminal::out(&text);
    Ok(())
}
