//! The jobs of runs that several machines share.
//!
//! A run is a tree of [`Job`]s. Workers take jobs from a [`JobBoard`], execute each for some seconds,
//! publish what is left as its children, and leave a [`JobRecord`]. What is in a job and in a record is
//! bytes here. The result of a run is a fold over the records of its jobs ([`RunFold`]), whoever has made
//! them.
//!
//! There are two kinds of boards with the same behaviour. [`InProcessCluster`] has its boards in memory.
//! `NatsOptions` (feature `nats`) connects a board to a NATS server with JetStream, which keeps
//! everything in files.
//!
//! # Rules that make counts exact
//!
//! Holding a job is no ownership: a worker that was thought dead may come back, and two workers may
//! execute one job. So results are idempotent:
//!
//! - A job has at most one record. The first one counts; a second is thrown away whole
//!   ([`JobBoard::done`] says so).
//! - Children are published before the record of their parent. Only children that the record names are
//!   real: those of a second execution, or of a worker that has died before its record, are dropped.
//! - A worker executes a job only if it is real and has no record. [`JobBoard::take`] sees to it.
//! - A job leaves the queue after its record is there. A worker that dies costs the work of one job: its
//!   hold expires, and another worker takes the job.
//! - A run has come to its end when the root and every job that a record names have a record
//!   ([`RunFold::is_complete`]).
//!
//! # Example
//!
//! ```
//! use std::time::Duration;
//! use everett_cluster::{InProcessCluster, Job, JobRecord, RunDescription, RunFold, RunHeader, RunId};
//!
//! let board = InProcessCluster::new(Duration::from_secs(30)).board("build 7");
//! let id = RunId::random();
//! let root = Job::root(id.clone(), 1, b"all of the work".to_vec());
//! let (build, title) = ("build 7".to_owned(), "everett run system.toml".to_owned());
//! let header = RunHeader { id: id.clone(), build, title, submitted_at: 0, root: Some(root.id()) };
//! board.submit(&RunDescription { header, body: Vec::new() })?;
//! board.publish(&root)?;
//! let taken = board.take(Duration::from_secs(1))?.expect("the root is in the queue");
//! board.done(&taken, &JobRecord { children: Vec::new(), body: b"3 paths".to_vec() })?;
//! let mut fold = RunFold::new(root.id());
//! let counting = board.records(&id, 0, Duration::ZERO)?;
//! assert!(counting.iter().all(|record| fold.admit(record).is_some()) && fold.is_complete());
//! # Ok::<(), everett_cluster::ClusterError>(())
//! ```

#![forbid(unsafe_code)]

mod board;
mod clock;
mod error;
mod fold;
mod ids;
mod in_process;
mod job;
#[cfg(feature = "nats")]
mod nats;
mod split;
mod store;
#[cfg(any(feature = "test-server", all(test, feature = "nats")))]
pub mod testing;
mod wire;

#[cfg(test)]
mod tests;

pub use board::{JobBoard, TakenJob};
pub use error::{ClusterError, Result};
pub use fold::RunFold;
pub use ids::{BlobId, JobId, RunId};
pub use in_process::InProcessCluster;
pub use job::{
    Job, JobRecord, NumberedRecord, QueueLength, RunDescription, RunHeader, RunState, WorkerStatus,
};
#[cfg(feature = "nats")]
pub use nats::NatsOptions;
pub use split::SplitPolicy;
