//! [`JobBoard`]: runs, jobs and records, with the rules that make counts exact, over any store.

mod admission;
mod bodies;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::error::{ClusterError, Result};
use crate::ids::{BlobId, JobId, RunId, random_number};
use crate::job::{
    Job, JobRecord, NumberedRecord, QueueLength, RunDescription, RunHeader, RunState, WorkerStatus,
};
use crate::store::{BoardStore, Delivery, Settlement, Shelf, ShelfEntry};
use crate::wire::{RecordMaker, StoredBody, StoredJob, StoredRecord, StoredRun, decode, encode};
use admission::KnownParents;
use bodies::BodyKey;

/// The most children that a record may name: their names fit into one message.
const CHILDREN: usize = 10_000;
/// The largest news.
const NEWS_BYTES: usize = 512 << 10;
/// Warnings that are kept until somebody asks for them.
const WARNINGS: usize = 100;

/// Where the runs of a cluster, their jobs and the records of these are kept.
///
/// A board takes jobs of one build only. Threads share a board by reference. Where something waits, it
/// says for how long.
pub struct JobBoard {
    store: Box<dyn BoardStore>,
    build: String,
    /// The build as one token of a subject.
    build_token: String,
    hold: Duration,
    number: u64,
    taken: AtomicU64,
    parents: Mutex<KnownParents>,
    warnings: Mutex<VecDeque<String>>,
}

/// A job that this board has taken, to be executed by whoever has the value. A clone is the same job, for
/// the thread that calls [`JobBoard::progress`] meanwhile.
#[derive(Clone, Debug)]
pub struct TakenJob(Arc<Taken>);

#[derive(Debug)]
struct Taken {
    job: Job,
    stored_body: StoredBody,
    delivery: Delivery,
    maker: RecordMaker,
}

impl TakenJob {
    /// The job.
    pub fn job(&self) -> &Job {
        &self.0.job
    }

    /// How often workers have taken the job, this time included. A job that has cost several workers
    /// their lives is likely to cost another one.
    pub fn deliveries(&self) -> u64 {
        self.0.delivery.deliveries
    }
}

impl JobBoard {
    pub(crate) fn new(store: Box<dyn BoardStore>, build: &str, hold: Duration) -> JobBoard {
        JobBoard {
            store,
            build: build.to_owned(),
            build_token: blake3::hash(build.as_bytes()).to_hex()[..16].to_owned(),
            hold,
            number: random_number(),
            taken: AtomicU64::new(0),
            parents: Mutex::new(KnownParents::default()),
            warnings: Mutex::new(VecDeque::new()),
        }
    }

    /// The build whose jobs this board takes.
    pub fn build(&self) -> &str {
        &self.build
    }

    /// The time after which a job goes to another worker, unless [`JobBoard::progress`] was called
    /// meanwhile.
    pub fn hold(&self) -> Duration {
        self.hold
    }

    /// What was wrong with messages of others that were thrown away since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect()
    }

    /// Where the bytes are, for tests that put garbage there.
    #[cfg(test)]
    pub(crate) fn store(&self) -> &dyn BoardStore {
        &*self.store
    }

    fn warn(&self, warning: String) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if warnings.len() == WARNINGS {
            warnings.pop_front();
        }
        warnings.push_back(warning);
    }
}

/// Runs.
impl JobBoard {
    /// Makes a run known. Its root is published afterwards.
    pub fn submit(&self, run: &RunDescription) -> Result<()> {
        let RunDescription { header, body } = run;
        if header.build != self.build {
            let board = self.build.clone();
            return Err(ClusterError::OtherBuild { run: header.build.clone(), board });
        }
        let body = self.store_body(&header.id, BodyKey::Run, body)?;
        let bytes = encode(&StoredRun { header: header.clone(), body });
        let key = description_key(&header.id);
        // Where the answer to an attempt was lost, the run that is there is ours.
        if self.store.create(Shelf::Runs, &key, &bytes)?
            || self.store.get(Shelf::Runs, &key)?.as_ref() == Some(&bytes)
        {
            return Ok(());
        }
        Err(ClusterError::RunExists { run: header.id.clone() })
    }

    /// All runs that were submitted and not removed, oldest first.
    pub fn runs(&self) -> Result<Vec<(RunHeader, RunState)>> {
        let mut headers = Vec::new();
        let mut after = 0;
        loop {
            let entries = self.store.entries(Shelf::Runs, None, after, Duration::ZERO)?;
            let Some(last) = entries.last() else { break };
            after = last.number;
            for entry in entries.into_iter().filter(|entry| entry.key.ends_with(".description")) {
                match decode::<StoredRun>(&entry.bytes) {
                    Some(run) if description_key(&run.header.id) == entry.key => {
                        headers.push(run.header);
                    }
                    Some(_) | None => self.warn(format!("`{}` cannot be read as a run", entry.key)),
                }
            }
        }
        let with_state = |header: RunHeader| match self.run_state(&header.id) {
            Ok(state) => state.map(|state| Ok((header, state))),
            Err(error) => Some(Err(error)),
        };
        headers.into_iter().filter_map(with_state).collect()
    }

    /// A run and its state, unless it was removed.
    pub fn run(&self, id: &RunId) -> Result<Option<(RunDescription, RunState)>> {
        let Some(state) = self.run_state(id)? else { return Ok(None) };
        let Some(stored) = self.stored_run(id)? else { return Ok(None) };
        let Some(body) = self.load_body(id, BodyKey::Run, stored.body)? else {
            return Err(ClusterError::Missing { what: format!("the description of run {id}") });
        };
        Ok(Some((RunDescription { header: stored.header, body }, state)))
    }

    /// The state of a run, unless it was removed.
    pub fn run_state(&self, id: &RunId) -> Result<Option<RunState>> {
        if let Some(bytes) = self.store.get(Shelf::Runs, &end_key(id))? {
            let unreadable = || RunState::Stopped { why: "its end cannot be read".to_owned() };
            return Ok(Some(decode(&bytes).unwrap_or_else(unreadable)));
        }
        let is_there = self.store.get(Shelf::Runs, &description_key(id))?.is_some();
        Ok(is_there.then_some(RunState::Running))
    }

    fn stored_run(&self, id: &RunId) -> Result<Option<StoredRun>> {
        let Some(bytes) = self.store.get(Shelf::Runs, &description_key(id))? else {
            return Ok(None);
        };
        let what = || format!("the description of run {id}");
        decode(&bytes).map(Some).ok_or_else(|| ClusterError::Damaged { what: what() })
    }

    /// Ends a run: its jobs leave the queue. The first end is the one that counts; tells whether it was
    /// this one.
    pub fn end_run(&self, id: &RunId, state: &RunState) -> Result<bool> {
        if self.run_state(id)?.is_none() {
            return Err(ClusterError::NoSuchRun { run: id.clone() });
        }
        let is_first =
            state.has_ended() && self.store.create(Shelf::Runs, &end_key(id), &encode(state))?;
        if state.has_ended() {
            self.store.clear_queue(id)?;
        }
        Ok(is_first)
    }

    /// Ends a run, and removes everything of it: jobs, records, blobs. It makes room on a server that has
    /// none.
    pub fn remove_run(&self, id: &RunId) -> Result<()> {
        match self.end_run(id, &RunState::Stopped { why: "the run was removed".to_owned() }) {
            Ok(_) | Err(ClusterError::Full { .. }) => {}
            Err(error) => return Err(error),
        }
        self.store.clear_queue(id)?;
        self.store.clear(Shelf::Records, id.as_str())?;
        self.store.clear(Shelf::Blobs, id.as_str())?;
        self.store.clear(Shelf::Runs, id.as_str())
    }
}

/// Jobs.
impl JobBoard {
    /// Adds a job to the queue. A job that was added before is not added again.
    pub fn publish(&self, job: &Job) -> Result<()> {
        let Job { run, id, parent, number, weight, body } = job;
        let body = self.store_body(run, BodyKey::Job(*id), body)?;
        let (run, id, parent, number, weight) = (run.clone(), *id, *parent, *number, *weight);
        let bytes = encode(&StoredJob { run, id, parent, number, weight, body });
        self.store.enqueue(&self.build_token, &job.run, &id.to_string(), &bytes)
    }

    /// Extends the hold of a job, and tells whether its run has ended meanwhile.
    pub fn progress(&self, taken: &TakenJob) -> Result<RunState> {
        self.store.settle(&taken.0.delivery, Settlement::Extended)?;
        let state = self.run_state(&taken.0.job.run)?;
        Ok(state.unwrap_or_else(|| RunState::Stopped { why: "the run was removed".to_owned() }))
    }

    /// Records what became of a job, whose children were published before. Tells whether this record
    /// counts: another one may have been first. The job leaves the queue in both cases.
    pub fn done(&self, taken: &TakenJob, record: &JobRecord) -> Result<bool> {
        let Taken { job, stored_body, delivery, maker } = &*taken.0;
        if record.children.len() > CHILDREN {
            let bytes = record.children.len() as u64 * 32;
            let limit = CHILDREN as u64 * 32;
            return Err(ClusterError::TooLarge {
                what: "the list of a job's children",
                bytes,
                limit,
            });
        }
        // A record of a run that was removed would stay for ever.
        let is_first =
            self.stored_run(&job.run)?.is_some() && self.create_record(job, *maker, record)?;
        self.remove_body(&job.run, BodyKey::Job(job.id), stored_body)?;
        self.store.settle(delivery, Settlement::Done)?;
        Ok(is_first)
    }

    fn create_record(&self, job: &Job, maker: RecordMaker, record: &JobRecord) -> Result<bool> {
        let body_key = BodyKey::Record(job.id, maker);
        let body = self.store_body(&job.run, body_key, &record.body)?;
        let stored = StoredRecord { maker, children: record.children.clone(), body };
        let key = record_key(&job.run, &job.id);
        let is_ours = self.store.create(Shelf::Records, &key, &encode(&stored))?
            || self.stored_record(&job.run, &job.id)?.is_some_and(|there| there == stored);
        if !is_ours {
            self.remove_body(&job.run, body_key, &stored.body)?;
        }
        Ok(is_ours)
    }

    /// Lets others take the job at once.
    pub fn give_back(&self, taken: &TakenJob) -> Result<()> {
        self.store.settle(&taken.0.delivery, Settlement::Later(Duration::ZERO))
    }

    /// Jobs of a run that are in the queue, and how many calls wait for one. Where several runs share the
    /// workers of a build, `waiting` is an estimate. A run of which nothing is in the queue has come to
    /// its end.
    pub fn queue_length(&self, run: &RunId) -> Result<QueueLength> {
        self.store.queue_length(&self.build_token, run)
    }
}

/// Records.
impl JobBoard {
    /// The record of a job.
    pub fn record(&self, run: &RunId, job: &JobId) -> Result<Option<JobRecord>> {
        let Some(stored) = self.stored_record(run, job)? else { return Ok(None) };
        self.with_body(run, job, stored).map(Some)
    }

    /// Records of a run with numbers above `after`, in the order in which they were made. Returns as soon
    /// as there are some, or after `patience` with none. There may be more of them.
    pub fn records(
        &self,
        run: &RunId,
        after: u64,
        patience: Duration,
    ) -> Result<Vec<NumberedRecord>> {
        let entries = self.store.entries(Shelf::Records, Some(run), after, patience)?;
        entries.into_iter().map(|entry| self.numbered(run, entry)).collect()
    }

    fn numbered(&self, run: &RunId, entry: ShelfEntry) -> Result<NumberedRecord> {
        let damaged = || ClusterError::Damaged { what: format!("the record `{}`", entry.key) };
        let job = entry.key.split_once('.').and_then(|(_, job)| JobId::from_hex(job));
        let job = job.ok_or_else(damaged)?;
        let stored = decode::<StoredRecord>(&entry.bytes).ok_or_else(damaged)?;
        let record = self.with_body(run, &job, stored)?;
        Ok(NumberedRecord { number: entry.number, job, record })
    }

    fn stored_record(&self, run: &RunId, job: &JobId) -> Result<Option<StoredRecord>> {
        let Some(bytes) = self.store.get(Shelf::Records, &record_key(run, job))? else {
            return Ok(None);
        };
        let what = || format!("the record of job {job}");
        decode(&bytes).map(Some).ok_or_else(|| ClusterError::Damaged { what: what() })
    }

    fn with_body(&self, run: &RunId, job: &JobId, stored: StoredRecord) -> Result<JobRecord> {
        let key = BodyKey::Record(*job, stored.maker);
        let body = self.load_body(run, key, stored.body)?;
        let what = || format!("the content of the record of job {job}");
        let body = body.ok_or_else(|| ClusterError::Missing { what: what() })?;
        Ok(JobRecord { children: stored.children, body })
    }
}

/// Blobs, news and workers.
impl JobBoard {
    /// Stores bytes for all workers of a run. Bytes that are there already are not stored again.
    pub fn put_blob(&self, run: &RunId, bytes: &[u8]) -> Result<BlobId> {
        let id = BlobId::of(bytes);
        self.put_pieces(run, BodyKey::Blob(id), bytes)?;
        Ok(id)
    }

    /// The bytes of a blob, compared with its name.
    pub fn blob(&self, run: &RunId, id: &BlobId) -> Result<Option<Vec<u8>>> {
        let key = BodyKey::Blob(*id);
        self.pieces(run, key, None, id.as_bytes())
    }

    /// Tells others something about a run. It may be lost.
    pub fn tell(&self, run: &RunId, news: &[u8]) -> Result<()> {
        if news.len() > NEWS_BYTES {
            let (bytes, limit) = (news.len() as u64, NEWS_BYTES as u64);
            return Err(ClusterError::TooLarge { what: "the news about a run", bytes, limit });
        }
        self.store.tell(run, news)
    }

    /// What others have told about a run since the last call. The first call begins to listen.
    pub fn heard(&self, run: &RunId) -> Result<Vec<Vec<u8>>> {
        self.store.heard(run)
    }

    /// Says that a worker is there. It is forgotten after ten seconds.
    pub fn announce(&self, worker: &WorkerStatus) -> Result<()> {
        let token = blake3::hash(worker.name.as_bytes()).to_hex();
        self.store.announce(&token[..16], &encode(worker))
    }

    /// The workers that are there, by name.
    pub fn workers(&self) -> Result<Vec<WorkerStatus>> {
        let mut workers: Vec<WorkerStatus> =
            self.store.announced()?.iter().filter_map(|bytes| decode(bytes)).collect();
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(workers)
    }

    fn next_maker(&self) -> RecordMaker {
        RecordMaker { board: self.number, taken: self.taken.fetch_add(1, Ordering::Relaxed) }
    }
}

fn description_key(run: &RunId) -> String {
    format!("{run}.description")
}

fn end_key(run: &RunId) -> String {
    format!("{run}.end")
}

fn record_key(run: &RunId, job: &JobId) -> String {
    format!("{run}.{job}")
}
