//! [`Slot`]: takes jobs one after the other, and has them explored.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::BufReader;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use everett_base::Interrupt;
use everett_cluster::{Job, JobBoard, JobRecord, RunId, RunState, SplitPolicy, TakenJob};
use everett_engine::{LimitedCounts, MonotonicClock};

use crate::cluster::description::RunSpec;
use crate::cluster::protocol::{
    FromJobProcess, JobAnswer, RecordBody, RunNews, ToJobProcess, receive, send,
};
use crate::cluster::{copies, decompress};
use crate::terminal;
use crate::value_bytes::{of_bytes, to_bytes};

/// The time for which a slot waits for a job before it looks whether it is to leave.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time for which an answer is waited for before other things are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The time between two looks at the news of a run.
const HEAR_EVERY: Duration = Duration::from_secs(1);
/// The time between two extensions of a hold.
const EXTEND_EVERY: Duration = Duration::from_secs(3);
/// A job that has cost so many processes their lives is not tried again.
const MOST_DELIVERIES: u64 = 4;
/// News of others about a run that are kept for its next job.
const NEWS_KEPT: usize = 64;

/// What the slots of a worker have in common.
pub(crate) struct WorkerShared {
    pub(crate) board: JobBoard,
    pub(crate) clock: MonotonicClock,
    pub(crate) interrupt: Interrupt,
    /// The folder for copies of runs' files.
    pub(crate) folder: PathBuf,
    pub(crate) idle: Option<Duration>,
    pub(crate) quiet: bool,
    pub(crate) jobs_done: AtomicU64,
    /// The last time at which a slot had a job.
    pub(crate) worked_at: Mutex<Duration>,
    /// The runs that are worked on, with the number of slots that do.
    pub(crate) runs: Mutex<BTreeMap<RunId, usize>>,
    /// What others have told about runs.
    pub(crate) news: Mutex<BTreeMap<RunId, HeardNews>>,
    /// The error that ends the worker.
    pub(crate) failure: Mutex<Option<Error>>,
}

/// What others have told about a run.
#[derive(Clone, Default)]
pub(crate) struct HeardNews {
    /// Code that is covered, the newest last.
    covered: Vec<Vec<u8>>,
    totals: LimitedCounts,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerShared {
    /// The runs that are worked on.
    pub(crate) fn runs_now(&self) -> Vec<RunId> {
        lock(&self.runs).keys().cloned().collect()
    }

    pub(crate) fn take_failure(&self) -> Option<Error> {
        lock(&self.failure).take()
    }

    fn fail(&self, error: Error) {
        lock(&self.failure).get_or_insert(error);
        self.interrupt.stop(everett_base::interrupt::StopReason::Asked);
    }

    fn is_leaving(&self) -> bool {
        if self.interrupt.stopping().is_some() {
            return true;
        }
        let idle = self.clock.now().saturating_sub(*lock(&self.worked_at));
        self.idle.is_some_and(|most| idle >= most) && lock(&self.runs).is_empty()
    }

    /// The parts that a job is to end with now, if it is to end.
    fn parts_wanted(
        &self,
        run: &RunId,
        begun: &mut BegunJob,
        now: Duration,
    ) -> Result<Option<u64>> {
        let (policy, worked) = (SplitPolicy::default(), now.saturating_sub(begun.at));
        if worked < begun.look_after {
            return Ok(None);
        }
        let queue = self.board.queue_length(run)?;
        begun.look_after = worked + policy.next_look(queue);
        let is_time = policy.is_time_to_split(worked, begun.reading, queue);
        Ok(is_time.then(|| policy.parts_to_make(queue) as u64))
    }

    /// Everything that others have told about a run.
    fn known(&self, run: &RunId) -> HeardNews {
        let heard = self.board.heard(run).unwrap_or_default();
        let mut news = lock(&self.news);
        let known = news.entry(run.clone()).or_default();
        for bytes in heard {
            match of_bytes(&bytes) {
                Ok(RunNews::Covered(coverage)) => known.covered.push(coverage),
                Ok(RunNews::Totals(counts)) => known.totals = counts,
                // News only help: those of nobody who is known are passed over.
                Err(_) => {}
            }
        }
        let excess = known.covered.len().saturating_sub(NEWS_KEPT);
        known.covered.drain(..excess);
        known.clone()
    }
}

/// Counts a slot among those that work on a run, until it is dropped.
struct AtWork<'s>(&'s WorkerShared, RunId);

impl<'s> AtWork<'s> {
    fn new(shared: &'s WorkerShared, run: &RunId) -> AtWork<'s> {
        *lock(&shared.runs).entry(run.clone()).or_insert(0) += 1;
        AtWork(shared, run.clone())
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        let AtWork(shared, run) = self;
        *lock(&shared.worked_at) = shared.clock.now();
        let mut runs = lock(&shared.runs);
        if let Some(count) = runs.get_mut(run) {
            *count -= 1;
            if *count == 0 {
                runs.remove(run);
            }
        }
    }
}

/// A process that explores jobs of one run.
struct JobProcess {
    run: RunId,
    child: Child,
    to: ChildStdin,
    from: Receiver<Result<FromJobProcess>>,
    /// What it knows of other jobs.
    totals: LimitedCounts,
}

impl JobProcess {
    /// Lets it know what all jobs have come to.
    fn tell(&mut self, totals: LimitedCounts) {
        if std::mem::replace(&mut self.totals, totals) != totals {
            // A process that is gone shows at once.
            let _ = send(&mut self.to, &ToJobProcess::Totals(totals));
        }
    }
}

/// A job whose worlds were read.
struct BegunJob {
    /// When they were.
    at: Duration,
    /// The time that this took.
    reading: Duration,
    /// The time of work after which to look at the queue.
    look_after: Duration,
}

impl Drop for JobProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The end of an attempt to explore a job.
enum JobEnd {
    Done(JobAnswer),
    /// The run has ended meanwhile.
    Unwanted,
    /// The job cannot be explored, here or elsewhere.
    Failed(String),
    /// The process is gone.
    Lost(String),
}

/// A slot of a worker.
pub(crate) struct Slot<'s> {
    shared: &'s WorkerShared,
    number: u32,
    process: Option<JobProcess>,
    /// What was covered when it was told last.
    told: Vec<u8>,
}

impl<'s> Slot<'s> {
    pub(crate) fn new(shared: &'s WorkerShared, number: u32) -> Slot<'s> {
        Slot { shared, number, process: None, told: Vec::new() }
    }

    /// Takes jobs until the worker is to leave.
    pub(crate) fn work(mut self) {
        while !self.shared.is_leaving() {
            let taken = self.shared.board.take(PATIENCE);
            let done = match taken {
                Ok(Some(taken)) => self.work_on(&taken),
                Ok(None) => Ok(()),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = done {
                return self.shared.fail(error);
            }
        }
    }

    fn work_on(&mut self, taken: &TakenJob) -> Result<()> {
        let board = &self.shared.board;
        let run = taken.job().run();
        let _at_work = AtWork::new(self.shared, run);
        match self.explore(taken)? {
            JobEnd::Done(answer) => {
                self.publish(taken, answer)?;
                self.shared.jobs_done.fetch_add(1, Ordering::Relaxed);
            }
            JobEnd::Unwanted => self.process = None,
            JobEnd::Failed(why) => fail_job(board, taken, why)?,
            JobEnd::Lost(why) => {
                self.process = None;
                if !self.shared.quiet {
                    terminal::warning(&format!("a job of run {run} was not finished: {why}"));
                }
                let deliveries = taken.deliveries();
                match deliveries >= MOST_DELIVERIES {
                    true => {
                        let why =
                            format!("{deliveries} processes that explored a job have died: {why}");
                        fail_job(board, taken, why)?;
                    }
                    false => board.give_back(taken)?,
                }
            }
        }
        Ok(())
    }

    /// Has a job explored, and holds it meanwhile.
    fn explore(&mut self, taken: &TakenJob) -> Result<JobEnd> {
        let run = taken.job().run().clone();
        if self.process.as_ref().is_none_or(|process| process.run != run) {
            self.process = None;
            self.told.clear();
            match self.start(&run)? {
                Ok(process) => self.process = Some(process),
                Err(why) => return Ok(JobEnd::Failed(why)),
            }
        }
        let HeardNews { covered: known, totals } = self.shared.known(&run);
        let Some(process) = &mut self.process else { bail!("a process was just started") };
        let work = ToJobProcess::Work { job: taken.job().body().to_vec(), known };
        process.tell(totals);
        if let Err(error) = send(&mut process.to, &work) {
            return Ok(JobEnd::Lost(format!("{error:#}")));
        }
        let shared = self.shared;
        let mut sent_at = shared.clock.now();
        let (mut extended_at, mut heard_at) = (sent_at, sent_at);
        let mut begun: Option<BegunJob> = None;
        let mut is_ending = false;
        loop {
            match process.from.recv_timeout(LOOK_EVERY) {
                Ok(Ok(FromJobProcess::Done(answer))) => return Ok(JobEnd::Done(answer)),
                Ok(Ok(FromJobProcess::Failed(why))) => return Ok(JobEnd::Failed(why)),
                Ok(Ok(FromJobProcess::Begun)) => {
                    let at = shared.clock.now();
                    let reading = at.saturating_sub(sent_at);
                    let look_after = SplitPolicy::default().first_look(reading);
                    begun = Some(BegunJob { at, reading, look_after });
                }
                // It has loaded the run first.
                Ok(Ok(FromJobProcess::Ready)) => sent_at = shared.clock.now(),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Err(error)) => return Ok(JobEnd::Lost(format!("{error:#}"))),
                Err(RecvTimeoutError::Disconnected) => {
                    let status = process.child.wait();
                    let status = status.map_or_else(|error| error.to_string(), |s| s.to_string());
                    return Ok(JobEnd::Lost(format!("the process ended with {status}")));
                }
            }
            let now = shared.clock.now();
            if now.saturating_sub(extended_at) >= EXTEND_EVERY {
                extended_at = now;
                if shared.board.progress(taken)? != RunState::Running {
                    return Ok(JobEnd::Unwanted);
                }
            }
            if now.saturating_sub(heard_at) >= HEAR_EVERY {
                heard_at = now;
                process.tell(shared.known(&run).totals);
            }
            if is_ending {
                continue;
            }
            let parts = match &mut begun {
                _ if shared.interrupt.stopping().is_some() => Some(1),
                Some(begun) => shared.parts_wanted(&run, begun, now)?,
                None => None,
            };
            if let Some(parts) = parts {
                is_ending = true;
                let _ = send(&mut process.to, &ToJobProcess::End { parts });
            }
        }
    }

    /// Publishes what is left of a job, and then what came of it.
    fn publish(&mut self, taken: &TakenJob, answer: JobAnswer) -> Result<()> {
        let board = &self.shared.board;
        let JobAnswer { children, record, coverage, executions, findings } = answer;
        let (mut names, mut states) = (Vec::new(), Vec::new());
        for (number, (bytes, count)) in (0..).zip(children) {
            let child: Job = taken.job().child(number, count, bytes);
            board.publish(&child)?;
            names.push(child.id());
            states.push(count);
        }
        let body = RecordBody { states, executions, findings, record, failure: None };
        board.done(taken, &JobRecord { children: names, body: to_bytes(&body) })?;
        if coverage != self.told {
            // It only helps others to search.
            self.told.clone_from(&coverage);
            let _ = board.tell(taken.job().run(), &to_bytes(&RunNews::Covered(coverage)));
        }
        Ok(())
    }

    /// Starts a process for a run; or tells why the run cannot be explored here.
    fn start(&self, run: &RunId) -> Result<Result<JobProcess, String>> {
        let board = &self.shared.board;
        let Some((description, _)) = board.run(run)? else {
            return Ok(Err("the run was removed".to_owned()));
        };
        let packed = decompress(&description.body);
        let spec: RunSpec = match packed.and_then(|bytes| of_bytes(&bytes)) {
            Ok(spec) => spec,
            Err(error) => return Ok(Err(format!("its description is damaged: {error:#}"))),
        };
        let folder = self.shared.folder.join(format!("{run}-{}", self.number));
        let _ = std::fs::remove_dir_all(&folder);
        let (root, file) = (folder.join("root"), folder.join("run"));
        std::fs::create_dir_all(&root)
            .with_context(|| format!("cannot make {}", root.display()))?;
        copies::fetch(board, run, &spec.files, &root)?;
        std::fs::write(&file, to_bytes(&spec))
            .with_context(|| format!("cannot write {}", file.display()))?;
        let libraries = OsString::from_vec(spec.library_path);
        self.spawn(run, &file, &root, libraries).map(Ok)
    }

    fn spawn(
        &self,
        run: &RunId,
        spec: &Path,
        root: &Path,
        libraries: OsString,
    ) -> Result<JobProcess> {
        let program = std::env::current_exe().context("cannot find the everett binary")?;
        let mut command = Command::new(program);
        command.arg("explore-jobs").arg(spec).arg("--root").arg(root);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        if !libraries.is_empty() {
            command.env("LD_LIBRARY_PATH", libraries);
        }
        if self.shared.quiet {
            command.stderr(Stdio::null());
        }
        // Ctrl-C is for the worker, which lets processes finish.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().context("cannot start another process of everett")?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            bail!("the other process has no pipes");
        };
        let (tell, told) = channel();
        let listen = move || {
            let mut from = BufReader::new(from);
            while let Some(message) = receive(&mut from).transpose() {
                let is_over = message.is_err();
                if tell.send(message).is_err() || is_over {
                    return;
                }
            }
        };
        std::thread::Builder::new()
            .name("answers".to_owned())
            .spawn(listen)
            .context("cannot start a thread")?;
        let totals = LimitedCounts::default();
        Ok(JobProcess { run: run.clone(), child, to, from: told, totals })
    }
}

/// Records that a job cannot be explored, which ends its run.
fn fail_job(board: &JobBoard, taken: &TakenJob, why: String) -> Result<()> {
    let failure = Some(why);
    let body =
        RecordBody { states: Vec::new(), executions: 0, findings: 0, record: Vec::new(), failure };
    board.done(taken, &JobRecord { children: Vec::new(), body: to_bytes(&body) })?;
    Ok(())
}
