//! Jobs: pieces of a run that processes explore one after the other, each for a while
//! ([`crate::Engine::work_on`], [`crate::JobResults`]).
//!
//! Limits on forks and states are about the whole run. A job knows of the others what it is told
//! ([`JobTotals`]), so jobs that run at the same time may go beyond a limit together, by what they do until
//! they are told.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// When a job ends that is not done, and what becomes of the rest.
#[derive(Clone, Debug, Default)]
pub struct JobPace {
    /// The parts that the rest becomes, at most. The job ends as soon as this is not 0, which may be set at
    /// any time.
    pub parts: Arc<AtomicUsize>,
    /// It ends after so many choices of a state, with so many parts: for tests, which want the same moment
    /// each time.
    pub choices: Option<(u64, usize)>,
    /// What all jobs of the run have come to by now.
    pub totals: Arc<JobTotals>,
}

/// Counts of all jobs of a run that its limits are about, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LimitedCounts {
    /// Forks of the jobs that are done ([`crate::JobResults::forks`]).
    pub forks: u64,
    /// States with which the jobs began that are not done.
    pub states: u64,
}

everett_base::portable!(struct LimitedCounts { forks, states });

/// [`LimitedCounts`] for a job that is explored meanwhile: they may be set at any time.
#[derive(Debug, Default)]
pub struct JobTotals {
    forks: AtomicU64,
    states: AtomicU64,
}

impl JobTotals {
    /// Lets the job know what is known now.
    pub fn set(&self, counts: LimitedCounts) {
        self.forks.store(counts.forks, Ordering::Relaxed);
        self.states.store(counts.states, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> LimitedCounts {
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        LimitedCounts { forks: load(&self.forks), states: load(&self.states) }
    }
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
