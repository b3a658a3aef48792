//! [`JobBoard::take`]: which of the jobs in the queue are executed.
//!
//! A job is real if it is the root of its run, or if the record of its parent names it. A run without a root
//! has jobs that were added while it goes on: all that have no parent are real. Whoever executes a job
//! publishes the children first, and so children may be there of an execution whose record never comes, or
//! comes second.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use crate::clock::now;
use crate::error::{ClusterError, Result};
use crate::ids::{JobId, RunId};
use crate::job::{Job, RunState};
use crate::store::{Delivery, Settlement, Shelf};
use crate::wire::{StoredBody, StoredJob, decode};

use super::bodies::BodyKey;
use super::{JobBoard, Taken, TakenJob, record_key};

/// A job whose parent has no record yet is tried again after this time, and after a multiple of it if it
/// comes again.
const PARENT_DELAY: Duration = Duration::from_millis(200);
/// The longest of these times.
const PARENT_DELAY_LIMIT: Duration = Duration::from_secs(2);
/// Parents whose children are remembered.
const PARENTS: usize = 64;

/// What to do with a job out of the queue.
enum Admission {
    /// It is real, and nobody has done it.
    Execute(Job, StoredBody),
    /// Its parent has no record yet.
    Wait,
    /// Nobody needs it.
    Drop(StoredJob),
    /// It is no job.
    Refuse(String),
}

/// Children of records that were read last.
#[derive(Default)]
pub(super) struct KnownParents(VecDeque<(JobId, Arc<[JobId]>)>);

impl KnownParents {
    fn get(&self, parent: &JobId) -> Option<Arc<[JobId]>> {
        self.0.iter().find(|(known, _)| known == parent).map(|(_, children)| Arc::clone(children))
    }

    fn insert(&mut self, parent: JobId, children: Arc<[JobId]>) {
        if self.0.len() == PARENTS {
            self.0.pop_front();
        }
        self.0.push_back((parent, children));
    }
}

impl JobBoard {
    /// A job of this build that is real and has no record, or none if none has come after `patience`.
    ///
    /// Jobs that nobody needs leave the queue on the way, and so do messages that are no jobs; for each
    /// of these there is a warning ([`JobBoard::take_warnings`]). A job whose content is lost ends its
    /// run.
    pub fn take(&self, patience: Duration) -> Result<Option<TakenJob>> {
        let begin = now();
        loop {
            let left = patience.saturating_sub(begin.elapsed());
            let Some(delivery) = self.store.dequeue(&self.build_token, left)? else {
                return Ok(None);
            };
            match self.admit(&delivery)? {
                Admission::Execute(job, stored_body) => {
                    let maker = self.next_maker();
                    let taken = Taken { job, stored_body, delivery, maker };
                    return Ok(Some(TakenJob(Arc::new(taken))));
                }
                Admission::Wait => {
                    let times = u32::try_from(delivery.deliveries).unwrap_or(u32::MAX);
                    let delay = PARENT_DELAY.saturating_mul(times).min(PARENT_DELAY_LIMIT);
                    self.store.settle(&delivery, Settlement::Later(delay))?;
                }
                Admission::Drop(job) => {
                    self.remove_body(&job.run, BodyKey::Job(job.id), &job.body)?;
                    self.store.settle(&delivery, Settlement::Done)?;
                }
                Admission::Refuse(why) => {
                    self.warn(format!("a message in the queue is no job: {why}"));
                    self.store.settle(&delivery, Settlement::Refused)?;
                }
            }
            if begin.elapsed() >= patience {
                return Ok(None);
            }
        }
    }

    fn admit(&self, delivery: &Delivery) -> Result<Admission> {
        let Some(job) = decode::<StoredJob>(&delivery.bytes) else {
            return Ok(Admission::Refuse("it cannot be read".to_owned()));
        };
        if job.run.as_str() != delivery.run {
            let why = format!("it is of run {}, under the name of {}", job.run, delivery.run);
            return Ok(Admission::Refuse(why));
        }
        if self.run_state(&job.run)? != Some(RunState::Running) || self.has_record(&job)? {
            return Ok(Admission::Drop(job));
        }
        let is_real = match job.parent {
            Some(parent) => match self.children(&job.run, parent) {
                Ok(Some(children)) => children.contains(&job.id),
                Ok(None) => return Ok(Admission::Wait),
                Err(ClusterError::Damaged { what }) => {
                    self.stop(&job.run, format!("{what} cannot be read"))?;
                    false
                }
                Err(error) => return Err(error),
            },
            None => {
                let run = self.stored_run(&job.run)?;
                run.is_some_and(|run| run.header.root.is_none_or(|root| root == job.id))
            }
        };
        if is_real { self.with_content(job) } else { Ok(Admission::Drop(job)) }
    }

    fn with_content(&self, job: StoredJob) -> Result<Admission> {
        let loaded = self.load_body(&job.run, BodyKey::Job(job.id), job.body.clone());
        let why = match loaded {
            Ok(Some(body)) => {
                let StoredJob { run, id, parent, number, weight, body: stored } = job;
                if JobId::of(&run, parent.as_ref(), number, &body) != id {
                    return Ok(Admission::Refuse("its name is not that of its content".to_owned()));
                }
                let job = Job { run, id, parent, number, weight, body };
                return Ok(Admission::Execute(job, stored));
            }
            Ok(None) => format!("the content of job {} is not at the server", job.id),
            Err(ClusterError::Damaged { .. }) => {
                format!("the content of job {} cannot be read", job.id)
            }
            Err(error) => return Err(error),
        };
        // The content is removed when the job has its record, which may be this moment.
        if !self.has_record(&job)? {
            self.stop(&job.run, why)?;
        }
        Ok(Admission::Drop(job))
    }

    /// Ends a run that cannot go on, unless it was removed meanwhile.
    fn stop(&self, run: &RunId, why: String) -> Result<()> {
        match self.end_run(run, &RunState::Stopped { why }) {
            Ok(_) | Err(ClusterError::NoSuchRun { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn has_record(&self, job: &StoredJob) -> Result<bool> {
        Ok(self.store.get(Shelf::Records, &record_key(&job.run, &job.id))?.is_some())
    }

    /// The children that the record of a job names, if it has a record.
    fn children(&self, run: &RunId, parent: JobId) -> Result<Option<Arc<[JobId]>>> {
        let known = || self.parents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(children) = known().get(&parent) {
            return Ok(Some(children));
        }
        let Some(record) = self.stored_record(run, &parent)? else { return Ok(None) };
        let children: Arc<[JobId]> = record.children.into();
        known().insert(parent, Arc::clone(&children));
        Ok(Some(children))
    }
}
