//! `everett work`: explores jobs of runs that were submitted to a cluster.
//!
//! Each slot is a thread that takes one job at a time and has it explored by another process of this binary
//! (`explore_jobs.rs`). It holds the job meanwhile, has it ended when others wait for work,
//! publishes what is left, and then the record.

mod slot;

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use everett_base::Interrupt;
use everett_cluster::{JobBoard, RunState, WorkerStatus};
use everett_input::units::parse_duration;

use crate::clock::running_clock;
use crate::cluster::connection::connect;
use crate::cluster::copies::CopiesFolder;
use crate::commands::run::listen;
use crate::terminal;
use slot::{Slot, WorkerShared};

/// The time between two announcements of the worker.
const ANNOUNCE_EVERY: Duration = Duration::from_secs(2);

/// Take part in runs that were submitted to a cluster, until Ctrl-C
///
/// Jobs of all runs of the same build of everett are taken. A worker may come and go at any time: what it has
/// not finished is done by others. Programs are interpreted; none of their native code is executed.
#[derive(clap::Args)]
pub(crate) struct WorkOptions {
    /// Address of the NATS server, such as nats://HOST:4222 or tls://HOST:4222
    #[arg(value_name = "URL")]
    url: String,
    /// Jobs that are explored at the same time; 0 stands for one on each processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    slots: u32,
    /// Name of the worker [default: the host's name and the number of the process]
    #[arg(long)]
    name: Option<String>,
    /// Leave when there was nothing to do for this time
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    idle: Option<Duration>,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Works until it is asked to stop.
pub(crate) fn run(options: &WorkOptions) -> Result<ExitCode> {
    let board = connect(&options.url)?;
    let clock = running_clock();
    let interrupt = Interrupt::new();
    listen(interrupt.clone(), clock.clone(), false)?;
    let slots = match options.slots {
        0 => std::thread::available_parallelism().map_or(1, |n| n.get() as u32),
        slots => slots,
    };
    let name = options.name.clone().unwrap_or_else(default_name);
    if !options.quiet {
        terminal::err(&format!("worker {name} takes jobs of {}\n", board.build()));
        warn_of_other_builds(&board)?;
    }
    let copies = CopiesFolder::new()?;
    let shared = Arc::new(WorkerShared {
        board,
        clock,
        interrupt,
        folder: copies.path().to_path_buf(),
        idle: options.idle,
        quiet: options.quiet,
        jobs_done: AtomicU64::new(0),
        worked_at: Default::default(),
        runs: Default::default(),
        news: Default::default(),
        failure: Default::default(),
    });
    let status = || WorkerStatus {
        name: name.clone(),
        build: shared.board.build().to_owned(),
        slots,
        jobs_done: shared.jobs_done.load(Ordering::Relaxed),
        runs: shared.runs_now(),
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..slots)
            .map(|number| {
                let shared = shared.clone();
                scope.spawn(move || Slot::new(&shared, number).work())
            })
            .collect();
        let mut announced_at = None;
        while threads.iter().any(|thread| !thread.is_finished()) {
            let now = shared.clock.now();
            if announced_at.is_none_or(|at| now.saturating_sub(at) >= ANNOUNCE_EVERY) {
                announced_at = Some(now);
                // A server that is away shows where jobs are taken.
                let _ = shared.board.announce(&status());
                shared.board.take_warnings().iter().for_each(|text| terminal::warning(text));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    drop(copies);
    match shared.take_failure() {
        Some(error) => Err(error),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Tells of runs that wait for workers of another build.
fn warn_of_other_builds(board: &JobBoard) -> Result<()> {
    for (header, state) in board.runs()? {
        if header.build != board.build() && state == RunState::Running {
            let (run, build) = (&header.id, &header.build);
            terminal::warning(&format!(
                "run {run} was submitted by {build}, and this is {}: its jobs are left to workers of that \
                 build",
                board.build()
            ));
        }
    }
    Ok(())
}

fn default_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = host.trim();
    let host = if host.is_empty() { "worker" } else { host };
    format!("{host}-{}", std::process::id())
}
