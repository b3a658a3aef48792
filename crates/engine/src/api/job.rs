//! Jobs: pieces of a run that processes explore one after the other, each for a while
//! ([`crate::Engine::work_on`], [`crate::JobResults`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// When a job ends that is not done, and what becomes of the rest.
#[derive(Clone, Debug, Default)]
pub struct JobPace {
    /// The parts that the rest becomes, at most. The job ends as soon as this is not 0, which may be set at
    /// any time.
    pub parts: Arc<AtomicUsize>,
    /// It ends after so many choices of a state, with so many parts: for tests, which want the same moment
    /// each time.
    pub choices: Option<(u64, usize)>,
}

impl JobPace {
    /// Returns `true` if a job is to end.
    pub(crate) fn is_over(&self) -> bool {
        self.parts.load(Ordering::Relaxed) > 0
    }

    /// The parts that are made of what is left.
    pub(crate) fn parts_now(&self) -> usize {
        let by_choices = self.choices.map_or(0, |(_, parts)| parts);
        self.parts.load(Ordering::Relaxed).max(by_choices).max(1)
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
