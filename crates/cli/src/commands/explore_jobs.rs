//! `everett explore-jobs`, a hidden command: explores jobs of one run on behalf of `everett work`.
//!
//! It is a process of its own for each run and slot: the names of files are those of the machine that has
//! submitted the run, and whatever happens to it costs one job's work.

use std::fs;
use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};

use anyhow::{Context, Result};
use everett_base::Interrupt;
use everett_engine::{
    CheckpointPace, Engine, EngineConfig, ExperimentEngine, ExperimentJob, JobPace, Limits,
    Observer, SystemNode,
};
use everett_explorer::PreparedRun;

use crate::clock::{MemoryMeter, running_clock};
use crate::cluster::description::{JobKind, RunSpec};
use crate::cluster::protocol::{FromJobProcess, JobAnswer, ToJobProcess, receive, send};
use crate::cluster::{compress, copies, decompress};
use crate::commands::run::{self, Watchdog, WatchedRun};
use crate::errors::engine_error;
use crate::origin::RunOrigin;
use crate::panics::panic_log;
use crate::value_bytes::{of_bytes, to_bytes};

/// Explore jobs of a run (used by `everett work`)
#[derive(clap::Args)]
pub(crate) struct JobProcessOptions {
    /// File that describes the run
    #[arg(value_name = "FILE")]
    spec: PathBuf,
    /// Folder with copies of the run's files
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
}

/// A job that was sent.
struct SentJob {
    job: Vec<u8>,
    known: Vec<Vec<u8>>,
}

/// Knows the memory of the process, and tells `everett work` that a job has begun.
struct JobObserver(MemoryMeter);

impl Observer for JobObserver {
    fn job_begun(&mut self) {
        // Whoever is gone does not want to know.
        let _ = send(&mut stdout().lock(), &FromJobProcess::Begun);
    }

    fn memory(&self) -> u64 {
        self.0.resident_bytes()
    }

    fn give_back_memory(&mut self) {
        everett_allocator::give_back_memory();
    }
}

/// Answers until there are no more messages.
pub(crate) fn run(options: &JobProcessOptions) -> Result<ExitCode> {
    let (sender, jobs) = channel();
    let pace = JobPace::default();
    let mut loaded = match load(options) {
        Ok(loaded) => loaded,
        Err(error) => {
            send(&mut stdout().lock(), &FromJobProcess::Failed(format!("{error:#}")))?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    send(&mut stdout().lock(), &FromJobProcess::Ready)?;
    let wanted = pace.clone();
    std::thread::Builder::new()
        .name("messages".to_owned())
        .spawn(move || listen(&sender, &wanted))
        .context("cannot start a thread")?;
    while let Ok(job) = jobs.recv() {
        let answer = match loaded.spec.jobs {
            JobKind::Worlds => loaded.explore(&job, &pace),
            JobKind::Experiments => loaded.make_run(&job),
        };
        let answer = answer.map_or_else(
            |error| FromJobProcess::Failed(format!("{error:#}")),
            FromJobProcess::Done,
        );
        send(&mut stdout().lock(), &answer)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Receives messages until the other process is gone, and ends this one then: nobody wants its results.
fn listen(jobs: &Sender<SentJob>, pace: &JobPace) {
    let mut from = BufReader::new(stdin().lock());
    while let Ok(Some(message)) = receive(&mut from) {
        match message {
            ToJobProcess::Work { job, known } => {
                pace.parts.store(0, Ordering::Relaxed);
                if jobs.send(SentJob { job, known }).is_err() {
                    break;
                }
            }
            ToJobProcess::End { parts } => pace.parts.store(parts as usize, Ordering::Relaxed),
            ToJobProcess::Totals(counts) => pace.totals.set(counts),
        }
    }
    std::process::exit(0);
}

/// A run that is ready to be explored.
struct LoadedRun {
    spec: RunSpec,
    nodes: Vec<SystemNode>,
    config: EngineConfig,
    /// The engine for experiments, once there was one.
    experiments: Option<ExperimentEngine>,
    _watchdog: Watchdog,
}

fn load(options: &JobProcessOptions) -> Result<LoadedRun> {
    let read = fs::read(&options.spec).context("cannot read the description of the run")?;
    let spec: RunSpec = of_bytes(&read).context("the description of the run is damaged")?;
    copies::enter(&options.root, &spec.origin.folder)?;
    let words = spec.origin.words();
    let PreparedRun { nodes, mut config, .. } = run::prepare(words.clone())?;
    let now = RunOrigin::new(&words, &nodes, &config)?;
    spec.origin.check(&now).context("the run is another one here than where it was submitted")?;
    let memory = config.limits.memory;
    config.workers = 1;
    config.checkpoints = CheckpointPace::Never;
    if spec.jobs == JobKind::Worlds {
        // The whole run has a limit of time, and whoever has submitted it looks at the clock.
        config.limits = Limits { time: None, ..config.limits };
    }
    config.clock = running_clock();
    config.panics = panic_log();
    config.interrupt = Interrupt::new();
    let (interrupt, clock) = (config.interrupt.clone(), config.clock.clone());
    let watched = WatchedRun {
        interrupt,
        clock,
        time: None,
        memory,
        spills: false,
        winds_down: false,
        so_far: None,
    };
    let watchdog = Watchdog::start(watched)?;
    Ok(LoadedRun { spec, nodes, config, experiments: None, _watchdog: watchdog })
}

impl LoadedRun {
    fn explore(&self, sent: &SentJob, pace: &JobPace) -> Result<JobAnswer> {
        let job = decompress(&sent.job).context("the job is damaged")?;
        let engine = Engine::system(self.nodes.clone(), self.config.clone());
        let engine = engine.map_err(engine_error)?;
        let mut observer = JobObserver(MemoryMeter::new());
        let (run, pace) = (self.spec.identity(), pace.clone());
        let done = engine.work_on(&job, &run, pace, &sent.known, &mut observer)?;
        let mut children = Vec::new();
        for child in &done.children {
            children.push((compress(&child.bytes)?, child.states));
        }
        Ok(JobAnswer {
            children,
            record: compress(&done.record)?,
            coverage: done.coverage,
            executions: done.executions,
            findings: done.findings,
        })
    }

    /// Makes a run of a search over faults.
    fn make_run(&mut self, sent: &SentJob) -> Result<JobAnswer> {
        let packed = decompress(&sent.job);
        let job = packed.and_then(|bytes| of_bytes::<(u64, ExperimentJob)>(&bytes));
        let (_, job) = job.context("the job is damaged")?;
        let engine = match &mut self.experiments {
            Some(engine) => engine,
            none => {
                let engine = ExperimentEngine::new(self.nodes.clone(), self.config.clone());
                none.insert(engine.map_err(engine_error)?)
            }
        };
        let run = engine.run(&job, &Arc::default());
        Ok(JobAnswer {
            children: Vec::new(),
            record: compress(&to_bytes(&run))?,
            coverage: Vec::new(),
            executions: 1,
            findings: run.findings(),
        })
    }
}
