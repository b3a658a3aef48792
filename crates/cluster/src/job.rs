//! Runs, jobs, their records, and workers: what a board holds.

use serde::{Deserialize, Serialize};

use crate::ids::{JobId, RunId};

/// What everybody may know about a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunHeader {
    /// The name of the run.
    pub id: RunId,
    /// Only workers of this build take its jobs: they read the bytes of its parts as they were written.
    pub build: String,
    /// The command line, for people.
    pub title: String,
    /// Seconds since 1970.
    pub submitted_at: u64,
    /// The job that all others descend from. Without it, jobs are added while the run goes on: each that has
    /// no parent is one of the run, and the run ends when whoever adds them says so.
    pub root: Option<JobId>,
}

/// A run, and what its workers need to take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDescription {
    /// What everybody may know.
    pub header: RunHeader,
    /// Programs, options and the like, in a format that the board does not know.
    pub body: Vec<u8>,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunState {
    /// Jobs of it are taken.
    Running,
    /// Somebody or something has ended it early.
    Stopped {
        /// The reason, for people.
        why: String,
    },
    /// Every job has its record.
    Finished,
}

/// A piece of the work of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub(crate) run: RunId,
    pub(crate) id: JobId,
    pub(crate) parent: Option<JobId>,
    pub(crate) number: u32,
    pub(crate) weight: u64,
    pub(crate) body: Vec<u8>,
}

/// What became of a job. The first record of a job is the one that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRecord {
    /// The jobs that hold the rest of its work. They were published before.
    pub children: Vec<JobId>,
    /// Counts, coverage and findings, in a format that the board does not know.
    pub body: Vec<u8>,
}

/// A record, and its place in the order in which records were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedRecord {
    /// Rises from record to record of a run, with gaps.
    pub number: u64,
    /// The job.
    pub job: JobId,
    /// What became of it.
    pub record: JobRecord,
}

/// A worker that is there. It is forgotten some ten seconds after it has last said so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Host and process, or what the user calls it.
    pub name: String,
    /// The build whose jobs it takes.
    pub build: String,
    /// Jobs that it executes at a time.
    pub slots: u32,
    /// Jobs that it has done since it has come.
    pub jobs_done: u64,
    /// The runs whose jobs it executes at the moment.
    pub runs: Vec<RunId>,
}

/// Jobs of a run that have no record yet, by the look of the queue, and those that wait for one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueLength {
    /// Jobs that nobody has taken.
    pub waiting: u64,
    /// Jobs that somebody has taken, or had taken.
    pub taken: u64,
    /// Calls of [`JobBoard::take`](crate::JobBoard::take) that wait for a job of this build.
    pub idle: u64,
}

impl QueueLength {
    /// Nothing of the run is in the queue.
    pub fn is_empty(&self) -> bool {
        self.waiting == 0 && self.taken == 0
    }
}

impl RunState {
    /// The run takes no more jobs.
    pub fn has_ended(&self) -> bool {
        *self != RunState::Running
    }
}

impl Job {
    /// The first job of a run, or one that is added to it. `weight` is the number of states in it. Jobs that
    /// are added have different bodies.
    pub fn root(run: RunId, weight: u64, body: Vec<u8>) -> Job {
        let id = JobId::of(&run, None, 0, &body);
        Job { run, id, parent: None, number: 0, weight, body }
    }

    /// A part of what is left of this job. Children of one job have different numbers.
    pub fn child(&self, number: u32, weight: u64, body: Vec<u8>) -> Job {
        let id = JobId::of(&self.run, Some(&self.id), number, &body);
        Job { run: self.run.clone(), id, parent: Some(self.id), number, weight, body }
    }

    /// The run that it belongs to.
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// Its name.
    pub fn id(&self) -> JobId {
        self.id
    }

    /// The job that it was split off.
    pub fn parent(&self) -> Option<JobId> {
        self.parent
    }

    /// The number of states in it.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// The work, in a format that the board does not know.
    pub fn body(&self) -> &[u8] {
        &self.body
    }
}
