//! [`ClusterRunner`]: the runs of a search over faults, made by the workers of a cluster.
//!
//! The search itself is here. It adds runs to the queue one after the other, so a search ends with its
//! process.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use everett_base::Interrupt;
use everett_cluster::{ClusterError, Job, JobBoard, JobId, RunId, RunState};
use everett_engine::{ExperimentJob, ExperimentRun, ExperimentRunner, MonotonicClock, RunnerError};

use crate::cluster::connection::{connect, without_login};
use crate::cluster::description::{RunSpec, SubmittedRun};
use crate::cluster::protocol::RecordBody;
use crate::cluster::{compress, decompress};
use crate::commands::run::run_title;
use crate::terminal;
use crate::value_bytes::{of_bytes, to_bytes};

/// The time for which new records are waited for.
const PATIENCE: Duration = Duration::from_millis(100);
/// The time between two looks at the workers, and at the state of the run.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The time without workers after which the user is told.
const TOLD_AFTER: Duration = Duration::from_secs(5);

/// The runs of a search that are at a server. They are removed when it is dropped.
pub(super) struct ClusterRunner {
    board: JobBoard,
    url: String,
    id: RunId,
    interrupt: Interrupt,
    clock: MonotonicClock,
    /// Runs that were begun, by their jobs.
    begun: BTreeMap<JobId, u64>,
    /// Runs that have ended, and that nobody has waited for yet.
    ended: VecDeque<(u64, ExperimentRun)>,
    /// The number of the last record that was read.
    last_record: u64,
    /// Slots of the workers that are there.
    slots: usize,
    looked_at: Duration,
    /// The last time at which there were workers; `None` once the user was told that there are none.
    worked_at: Option<Duration>,
}

impl ClusterRunner {
    /// Makes the search known at a server, with all files that its runs need.
    pub(super) fn submit(url: &str, run: &SubmittedRun<'_>) -> Result<ClusterRunner> {
        let board = connect(url)?;
        let id = RunId::random();
        let spec = RunSpec::new(&board, &id, run)?;
        spec.submit(&board, &id, &run_title(Some(url)), None)?;
        let (interrupt, clock) = (run.config.interrupt.clone(), run.config.clock.clone());
        let now = clock.now();
        let mut runner = ClusterRunner {
            board,
            url: url.to_owned(),
            id,
            interrupt,
            clock,
            begun: BTreeMap::new(),
            ended: VecDeque::new(),
            last_record: 0,
            slots: 0,
            looked_at: now,
            worked_at: Some(now),
        };
        runner.count_slots()?;
        Ok(runner)
    }

    fn count_slots(&mut self) -> Result<()> {
        let workers = self.board.workers()?;
        let ours = workers.iter().filter(|worker| worker.build == self.board.build());
        self.slots = ours.map(|worker| worker.slots as usize).sum();
        Ok(())
    }

    /// Looks at the workers and the state of the run, every now and then.
    fn look(&mut self) -> Result<()> {
        let now = self.clock.now();
        if now.saturating_sub(self.looked_at) < LOOK_EVERY {
            return Ok(());
        }
        self.looked_at = now;
        self.count_slots()?;
        match self.worked_at {
            _ if self.slots > 0 => self.worked_at = Some(now),
            Some(at) if now.saturating_sub(at) >= TOLD_AFTER => {
                self.worked_at = None;
                let url = without_login(&self.url);
                terminal::warning(&format!("no workers; start some with `everett work {url}`"));
            }
            Some(_) | None => {}
        }
        match self.board.run_state(&self.id)? {
            Some(RunState::Running) => Ok(()),
            Some(RunState::Stopped { why }) => bail!("run {} was stopped: {why}", self.id),
            Some(RunState::Finished) | None => bail!("run {} was removed", self.id),
        }
    }

    /// Takes in what has ended meanwhile.
    fn collect(&mut self) -> Result<()> {
        for record in self.board.records(&self.id, self.last_record, PATIENCE)? {
            self.last_record = record.number;
            let Some(number) = self.begun.remove(&record.job) else { continue };
            let damaged = || format!("the record of job {} is damaged", record.job);
            let body: RecordBody = of_bytes(&record.record.body).with_context(damaged)?;
            if let Some(why) = body.failure {
                bail!("no worker can make a run: {why}");
            }
            let run = decompress(&body.record).and_then(|bytes| of_bytes(&bytes));
            self.ended.push_back((number, run.with_context(damaged)?));
        }
        Ok(())
    }
}

impl ExperimentRunner for ClusterRunner {
    fn size(&mut self) -> usize {
        self.slots.max(1)
    }

    /// Each slot has a process of its own.
    fn shares_memory(&self) -> bool {
        false
    }

    fn begin(&mut self, number: u64, job: &ExperimentJob) -> Result<(), RunnerError> {
        // The number makes jobs differ that have the same faults.
        let body = compress(&to_bytes(&(number, job.clone())))?;
        let job = Job::root(self.id.clone(), 1, body);
        self.begun.insert(job.id(), number);
        Ok(self.board.publish(&job)?)
    }

    fn wait(&mut self) -> Result<Option<(u64, ExperimentRun)>, RunnerError> {
        loop {
            if self.interrupt.stopping().is_some() {
                return Ok(None);
            }
            if let Some(ended) = self.ended.pop_front() {
                return Ok(Some(ended));
            }
            self.look()?;
            self.collect()?;
        }
    }
}

impl Drop for ClusterRunner {
    fn drop(&mut self) {
        let error = match self.board.remove_run(&self.id) {
            Ok(()) | Err(ClusterError::NoSuchRun { .. }) => return,
            Err(error) => error,
        };
        let (url, id) = (without_login(&self.url), &self.id);
        terminal::warning(&format!(
            "run {id} stays at the server ({error}); `everett cluster remove {url} {id}` removes it"
        ));
    }
}
