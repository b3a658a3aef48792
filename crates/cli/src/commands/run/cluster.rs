//! Runs that a cluster explores: they are submitted here, and what comes of their jobs is added up.
//!
//! The run goes on without this process: another one may add up its results from the beginning
//! (`everett cluster attach`).

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use everett_base::interrupt::StopReason;
use everett_cluster::{Job, JobBoard, JobId, NumberedRecord, RunFold, RunId, RunState};
use everett_engine::{
    DropReason, Engine, EngineConfig, JobNews, JobResults, LimitedCounts, Summary, TestPolicy,
};
use everett_explorer::PreparedRun;
use everett_report::progress_line;

use super::folder::OutputFolder;
use super::session::{LazyRecorder, RunSession};
use super::{command_line, finish, ignored, listen, run_info, start};
use crate::clock::running_clock;
use crate::cluster::connection::{connect, without_login};
use crate::cluster::copies::{self, CopiesFolder};
use crate::cluster::description::{JobKind, RunSpec, SubmittedRun};
use crate::cluster::protocol::{RecordBody, RunNews};
use crate::cluster::{compress, decompress};
use crate::errors::{engine_error, explorer_error};
use crate::origin::RunOrigin;
use crate::panics::panic_log;
use crate::value_bytes::{of_bytes, to_bytes};
use crate::{environment, terminal};

/// The time for which new records are waited for.
const PATIENCE: Duration = Duration::from_millis(200);
/// The time between two looks at the workers, and at the state of the run.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The beginning of the reason for the end of a run that another one takes the place of.
const BEGUN_AGAIN: &str = "begun again as run ";

/// Submits a run, and shows and stores its results.
pub(super) fn submit(
    url: &str,
    prepared: PreparedRun,
    words: &[OsString],
    folder: OutputFolder,
    noted: &BTreeSet<PathBuf>,
) -> Result<ExitCode> {
    let board = connect(url)?;
    let id = RunId::random();
    let (nodes, config, out) = (&prepared.nodes[..], &prepared.config, Some(folder.path()));
    let submitted = SubmittedRun { words, nodes, config, noted, out, jobs: JobKind::Worlds };
    let mut spec = RunSpec::new(&board, &id, &submitted)?;
    let mut followed = FollowedRun::new(board, prepared, folder)?;
    spec.first_job = followed.engine.first_job(&spec.identity());
    followed.begin(id, &spec)?;
    if !followed.session.quiet {
        let id = &followed.id;
        terminal::err(&format!(
            "run {id} is submitted; if this process ends, `everett cluster attach URL {id}` goes on\n"
        ));
    }
    followed.follow(url, spec)
}

/// Adds up the results of a run that another process has submitted, here or on another machine: everything
/// that is looked at for that is at the server.
pub(crate) fn attach(url: &str, id: RunId, named: Option<&Path>) -> Result<ExitCode> {
    let board = connect(url)?;
    let (mut id, mut spec) = (id.clone(), read_spec(&board, &id)?);
    let mut before = Vec::new();
    // A run that was begun again goes on under another name.
    while let Some(RunState::Stopped { why }) = board.run_state(&id)?
        && let Some(next) = why.strip_prefix(BEGUN_AGAIN)
    {
        before.push(std::mem::replace(&mut id, next.parse()?));
        spec = read_spec(&board, &id)?;
    }
    if spec.jobs == JobKind::Experiments {
        bail!(
            "run {id} is a search over faults, which ends with the process that has submitted it; `everett \
             cluster remove` removes it"
        );
    }
    let here = std::env::current_dir().context("cannot tell the current folder")?;
    let copies = CopiesFolder::new()?;
    let root = copies.path().join("root");
    fs::create_dir_all(&root).with_context(|| format!("cannot make {}", root.display()))?;
    copies::fetch(&board, &id, &spec.files, &root)?;
    copies::fetch(&board, &id, &spec.sources, &root)?;
    copies::enter(&root, &spec.origin.folder)?;
    let words = spec.origin.words();
    let libraries = OsString::from_vec(spec.library_path.clone());
    let programs = environment::programs_beside(std::env::split_paths(&libraries).collect())?;
    let prepared = PreparedRun::of_words(words.clone(), &programs).map_err(explorer_error)?;
    let now = RunOrigin::new(&words, &prepared.nodes, &prepared.config)?;
    spec.origin.check(&now).context("the run is another one here than where it was submitted")?;
    let is_here = named.is_none()
        && before.iter().chain([&id]).any(|id| OutputFolder::is_of_run(&spec.out(), id));
    let out = match is_here {
        true => OutputFolder::reopen(spec.out(), Default::default())?,
        false => OutputFolder::create_from(&here, named, &command_line())?,
    };
    out.note_run(&id)?;
    let mut followed = FollowedRun::new(board, prepared, out)?;
    (followed.id, followed.before) = (id, before);
    let code = followed.follow(url, spec);
    std::env::set_current_dir(here).context("cannot leave the folder of the run")?;
    drop(copies);
    code
}

/// The command line, without a password.
pub(crate) fn run_title(url: Option<&str>) -> String {
    let line = command_line();
    match url {
        Some(url) => line.trim_end().replace(url, &without_login(url)),
        None => line.trim_end().to_owned(),
    }
}

fn read_spec(board: &JobBoard, id: &RunId) -> Result<RunSpec> {
    let found = board.run(id)?;
    let Some((description, _)) = found else {
        bail!("there is no run {id}; `everett cluster list` shows those that are there");
    };
    let build = description.header.build;
    if build != board.build() {
        bail!(
            "run {id} was submitted by {build}, and this is {}; use one binary for both",
            board.build()
        );
    }
    let spec = decompress(&description.body).and_then(|bytes| of_bytes(&bytes));
    spec.with_context(|| format!("the description of run {id} is damaged"))
}

/// The end of a run.
enum RunEnd {
    /// Every job has its record.
    Complete,
    /// Jobs that are left are given up for a reason.
    Early(DropReason),
    /// Somebody else has ended it.
    Stopped(String),
    /// It begins again, with this job.
    Again(Vec<u8>),
}

/// A run whose results are added up here.
struct FollowedRun {
    board: JobBoard,
    id: RunId,
    /// The command line, for people.
    title: String,
    /// Runs that it has taken the place of.
    before: Vec<RunId>,
    engine: Engine,
    config: EngineConfig,
    session: RunSession,
    began: Duration,
    /// Slots of workers that were there at the same time.
    slots: u64,
    looked_at: Duration,
}

impl FollowedRun {
    fn new(board: JobBoard, prepared: PreparedRun, folder: OutputFolder) -> Result<FollowedRun> {
        let PreparedRun { options, nodes, mut config, recorder } = prepared;
        config.clock = running_clock();
        config.panics = panic_log();
        listen(config.interrupt.clone(), config.clock.clone(), false)?;
        for warning in ignored::warnings(&config, &nodes) {
            terminal::warning(&warning);
        }
        let several_nodes = nodes.len() > 1;
        let info = run_info(&options, &nodes);
        let engine = Engine::system(nodes, config.clone())
            .map_err(engine_error)
            .with_context(|| format!("cannot run {}", options.program.display()))?;
        let mut session = start(&options, info, Some(folder), config.tests != TestPolicy::None)?;
        session.several_nodes = several_nodes;
        session.recorder = LazyRecorder::Later(recorder);
        engine.warn_of_undefined(&mut session);
        let (began, id) = (config.clock.now(), RunId::random());
        // Everybody who looks at the cluster sees it.
        let title = run_title(options.cluster.as_deref());
        let (before, slots, looked_at) = (Vec::new(), 0, began);
        Ok(FollowedRun {
            board,
            id,
            title,
            before,
            engine,
            config,
            session,
            began,
            slots,
            looked_at,
        })
    }

    /// Makes a run known, and publishes its first job.
    fn begin(&mut self, id: RunId, spec: &RunSpec) -> Result<()> {
        let root = Job::root(id.clone(), 1, compress(&spec.first_job)?);
        spec.submit(&self.board, &id, &self.title, Some(root.id()))?;
        if let Some(folder) = &self.session.folder {
            folder.note_run(&id)?;
        }
        self.board.publish(&root)?;
        self.id = id;
        Ok(())
    }

    /// Adds up results until the run is over, and shows and stores them.
    fn follow(mut self, url: &str, mut spec: RunSpec) -> Result<ExitCode> {
        let summary = loop {
            match self.follow_once(&spec)? {
                Ok(summary) => break summary,
                Err(first_job) => {
                    let next = RunId::random();
                    spec.first_job = first_job;
                    for files in [&mut spec.files, &mut spec.sources] {
                        *files = std::mem::take(files).copy_blobs(&self.board, &self.id, &next)?;
                    }
                    let before = self.id.clone();
                    self.begin(next.clone(), &spec)?;
                    let why = format!("{BEGUN_AGAIN}{next}");
                    self.board.end_run(&before, &RunState::Stopped { why })?;
                    self.before.push(before);
                }
            }
        };
        let FollowedRun { board, id, before, session, .. } = self;
        let code = finish(session, &summary)?;
        // Results are stored: nobody needs the run any more.
        for id in before.iter().chain([&id]) {
            if let Err(error) = board.remove_run(id) {
                terminal::warning(&format!(
                    "run {id} stays at the server ({error}); `everett cluster remove {url} {id}` removes it"
                ));
            }
        }
        Ok(code)
    }

    /// Adds up the results of a run from its first record on: its summary, or the first job of the run that
    /// takes its place.
    fn follow_once(&mut self, spec: &RunSpec) -> Result<std::result::Result<Summary, Vec<u8>>> {
        let FollowedRun { board, id, engine, config, session, .. } = self;
        let (board, id, engine, config) = (&*board, &*id, &*engine, &*config);
        let header = board.run(id)?.map(|(description, _)| description.header);
        let root = header.ok_or_else(|| anyhow!("run {id} was removed"))?.root;
        let root = root.ok_or_else(|| anyhow!("run {id} has no first job"))?;
        let mut fold = RunFold::new(root);
        let mut results = JobResults::new(engine, spec.identity());
        let mut open = BTreeMap::from([(root, 1)]);
        let end = loop {
            let records = board.records(id, fold.last_number(), PATIENCE)?;
            let mut end = None;
            for record in &records {
                end = admit(&mut fold, &mut results, &mut open, record, session)?;
                if end.is_some() {
                    break;
                }
            }
            if let Some(end) = end {
                break end;
            }
            if fold.is_complete() {
                break RunEnd::Complete;
            }
            if let Some(reason) = limit(config, self.began) {
                break RunEnd::Early(reason);
            }
            let now = config.clock.now();
            if now.saturating_sub(self.looked_at) >= LOOK_EVERY {
                self.looked_at = now;
                let workers = board.workers()?;
                let ours = workers.iter().filter(|worker| worker.build == board.build());
                self.slots = self.slots.max(ours.map(|worker| u64::from(worker.slots)).sum());
                let counts = LimitedCounts { forks: results.forks(), states: open.values().sum() };
                tell_totals(board, id, config, counts);
                match board.run_state(id)? {
                    Some(RunState::Stopped { why }) => break RunEnd::Stopped(why),
                    Some(RunState::Running | RunState::Finished) => {}
                    None => break RunEnd::Stopped("the run was removed".to_owned()),
                }
            }
            let elapsed = now.saturating_sub(self.began);
            let progress = results.progress(elapsed, self.slots);
            session.note_progress(&progress);
            session.display.show(elapsed, || {
                let (open, done, slots) = (fold.open(), fold.done(), self.slots);
                let line = progress_line(&progress);
                format!("{line} | {slots} slots, {open} jobs left, {done} done")
            });
        };
        match end {
            RunEnd::Complete => {
                board.end_run(id, &RunState::Finished)?;
            }
            RunEnd::Early(reason) => {
                board.end_run(id, &RunState::Stopped { why: reason.to_string() })?;
                results.give_up(open.values().sum(), reason);
            }
            RunEnd::Stopped(why) => {
                session.make_room();
                terminal::warning(&format!("run {id} was stopped: {why}"));
                results.give_up(open.values().sum(), DropReason::Interrupted);
            }
            RunEnd::Again(first_job) => return Ok(Err(first_job)),
        }
        let elapsed = config.clock.now().saturating_sub(self.began);
        Ok(Ok(results.summary(elapsed, self.slots.max(1), session)))
    }
}

/// Tells workers what the jobs of a run have come to, if it has limits on that.
fn tell_totals(board: &JobBoard, id: &RunId, config: &EngineConfig, counts: LimitedCounts) {
    if config.limits.forks.is_some() || config.limits.states.is_some() {
        // A server that is away shows where records are read.
        let _ = board.tell(id, &to_bytes(&RunNews::Totals(counts)));
    }
}

/// Adds what came of a job.
fn admit(
    fold: &mut RunFold,
    results: &mut JobResults<'_>,
    open: &mut BTreeMap<JobId, u64>,
    record: &NumberedRecord,
    session: &mut RunSession,
) -> Result<Option<RunEnd>> {
    let Some(counts) = fold.admit(record) else { return Ok(None) };
    let damaged = || format!("the record of job {} is damaged", record.job);
    let body: RecordBody = of_bytes(&counts.body).with_context(damaged)?;
    open.remove(&record.job);
    open.extend(counts.children.iter().copied().zip(body.states));
    if let Some(why) = body.failure {
        return Ok(Some(RunEnd::Early(DropReason::InternalError(why))));
    }
    let engine_record = decompress(&body.record).with_context(damaged)?;
    Ok(match results.add(&engine_record, session).with_context(damaged)? {
        JobNews::GoesOn => None,
        JobNews::Ends => {
            let why = results.why_ended().unwrap_or(DropReason::Interrupted);
            Some(RunEnd::Early(why))
        }
        JobNews::BeginsAgain(first_job) => Some(RunEnd::Again(first_job)),
    })
}

/// A limit of time, or the user's wish to stop.
fn limit(config: &EngineConfig, began: Duration) -> Option<DropReason> {
    match config.interrupt.stopping() {
        Some(StopReason::Asked) => return Some(DropReason::Interrupted),
        Some(StopReason::Time) => return Some(DropReason::TimeLimit),
        None => {}
    }
    let elapsed = config.clock.now().saturating_sub(began);
    config.limits.time.is_some_and(|most| elapsed >= most).then_some(DropReason::TimeLimit)
}
