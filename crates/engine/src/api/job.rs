//! Jobs: pieces of a run that processes explore one after the other, each for a while
//! ([`crate::Engine::work_on`], [`crate::JobResults`]).

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time that a process works on a job.
#[derive(Clone)]
pub struct JobPace {
    /// It works at least so long, unless it is done or has to leave.
    pub least: Duration,
    /// It works at most so long; one step may take longer.
    pub most: Duration,
    /// It makes at most so many choices of a state, if there is a number: for tests, which want the same moment
    /// each time.
    pub choices: Option<u64>,
    /// The parts that are made of what is left if others wait for work.
    pub parts: usize,
    /// Others wait for work: to be set at any time.
    pub others_wait: Arc<AtomicBool>,
    /// The process is to leave now: to be set at any time.
    pub leave: Arc<AtomicBool>,
}

impl Default for JobPace {
    fn default() -> JobPace {
        JobPace {
            least: Duration::from_millis(500),
            most: Duration::from_secs(3),
            choices: None,
            parts: 2,
            others_wait: Arc::default(),
            leave: Arc::default(),
        }
    }
}

impl fmt::Debug for JobPace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobPace").field("most", &self.most).finish_non_exhaustive()
    }
}

impl JobPace {
    /// Returns `true` if a job is over after this time.
    pub(crate) fn is_over(&self, time: Duration) -> bool {
        let wanted = time >= self.least && self.others_wait.load(Ordering::Relaxed);
        wanted || time >= self.most || self.leave.load(Ordering::Relaxed)
    }

    /// The parts that are made of what is left.
    pub(crate) fn parts_now(&self) -> usize {
        if self.others_wait.load(Ordering::Relaxed) { self.parts } else { 1 }
    }
}

/// A job that a process has worked on.
#[derive(Debug)]
pub struct FinishedJob {
    /// What came of it, for [`crate::JobResults::add`].
    pub record: Vec<u8>,
    /// What is left of it.
    pub children: Vec<ChildJob>,
    /// Executions that are complete: worlds of a system, paths of a program.
    pub executions: u64,
    /// Findings, which other jobs may have made as well.
    pub findings: u64,
    /// The code that is covered by now, for other jobs of the run.
    pub coverage: Vec<u8>,
}

/// A piece of a run that is left.
#[derive(Debug)]
pub struct ChildJob {
    /// The job, for [`crate::Engine::work_on`].
    pub bytes: Vec<u8>,
    /// The number of its states.
    pub states: u64,
}

/// The consequences of a job for the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobNews {
    /// The run goes on.
    GoesOn,
    /// A limit is reached, or something went wrong: jobs that are left are given up.
    Ends,
    /// Accesses were seen to race: the run begins again with this job, and all results so far are forgotten.
    BeginsAgain(Vec<u8>),
}
