//! Who makes the runs of a search: [`ExperimentRunner`], which the threads of this process are
//! ([`ExperimentPool`]).
//!
//! Not here: which runs are made (`ahead.rs`).

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::run::{ExperimentEngine, ExperimentJob, ExperimentRun};

/// The reason why a runner cannot go on.
pub type RunnerError = Box<dyn Error + Send + Sync>;

/// Makes runs with given faults, several at the same time.
pub trait ExperimentRunner {
    /// Runs that are made at the same time, at least one. It may change.
    fn size(&mut self) -> usize;

    /// Returns `true` if all runs count for the limit on memory of each.
    fn shares_memory(&self) -> bool;

    /// Has a run made. The number is a new one.
    fn begin(&mut self, number: u64, job: &ExperimentJob) -> Result<(), RunnerError>;

    /// Waits for a run that was begun, and returns it with its number; `None` if the search is to end.
    fn wait(&mut self) -> Result<Option<(u64, ExperimentRun)>, RunnerError>;
}

/// Threads with an engine each. Whatever they are at when the pool is dropped is given up.
pub(super) struct ExperimentPool {
    /// The runs to make. Without it, threads end.
    jobs: Option<Sender<(u64, ExperimentJob)>>,
    ended: Receiver<(u64, thread::Result<ExperimentRun>)>,
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl ExperimentPool {
    /// Starts so many threads, at least one.
    pub(super) fn start(engine: ExperimentEngine, threads: usize) -> ExperimentPool {
        let (give, jobs) = unbounded::<(u64, ExperimentJob)>();
        let (tell, ended) = unbounded();
        let is_over = Arc::new(AtomicBool::new(false));
        let twins = (1..threads).map(|_| engine.twin()).collect::<Vec<_>>();
        let begin = |mut engine: ExperimentEngine| {
            let (jobs, tell, is_over) = (jobs.clone(), tell.clone(), is_over.clone());
            thread::spawn(move || {
                for (number, job) in jobs {
                    // Whoever waits for the run goes on with the panic.
                    let run = catch_unwind(AssertUnwindSafe(|| engine.run(&job, &is_over)));
                    if tell.send((number, run)).is_err() {
                        return;
                    }
                }
            })
        };
        let threads = std::iter::once(engine).chain(twins).map(begin).collect();
        ExperimentPool { jobs: Some(give), ended, is_over, threads }
    }
}

impl ExperimentRunner for ExperimentPool {
    fn size(&mut self) -> usize {
        self.threads.len()
    }

    fn shares_memory(&self) -> bool {
        true
    }

    fn begin(&mut self, number: u64, job: &ExperimentJob) -> Result<(), RunnerError> {
        let jobs = self.jobs.as_ref().expect("it is taken by `drop` only");
        Ok(jobs.send((number, job.clone()))?)
    }

    fn wait(&mut self) -> Result<Option<(u64, ExperimentRun)>, RunnerError> {
        let (number, run) = self.ended.recv()?;
        Ok(Some((number, run.unwrap_or_else(|panic| resume_unwind(panic)))))
    }
}

impl Drop for ExperimentPool {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A panic was caught, and told to whoever was waiting.
            let _ = thread.join();
        }
    }
}
