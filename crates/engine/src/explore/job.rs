//! The exploration of a job: one worker, for a while.

use std::sync::atomic::Ordering;

use everett_base::part::PartError;
use everett_base::part::file::RunIdentity;
use everett_world::UniverseCounts;

use crate::api::job::{ChildJob, FinishedJob, JobPace};
use crate::explore::job_record::{JobPart, JobRecord, child_job};
use crate::explore::run_record::{RecordSlots, to_section};
use crate::explore::worker::{Worker, WorkerResults};
use crate::parallel::context::{CurrentJob, RunContext};
use crate::parallel::exchange::HaltReason;
use crate::parallel::part_bytes::{self, PartTables};
use crate::primitives::Primitives;

/// The beginning of a job.
pub(crate) enum JobStart {
    /// The run itself begins.
    Root,
    /// It goes on with a part.
    Part(Box<JobPart>),
}

impl JobStart {
    /// The number of states that it counts for: one before there are any.
    pub(crate) fn states(&self) -> u64 {
        match self {
            JobStart::Root => 1,
            JobStart::Part(job) => job.part.states.len() as u64,
        }
    }
}

/// Reads the part of a job.
pub(crate) fn read_part(
    context: &RunContext<'_>,
    sections: [&[u8]; 4],
) -> Result<JobStart, PartError> {
    let tables = PartTables { pool: context.pool, constraints: &context.constraints };
    let part = part_bytes::read_sections(sections, tables, &[context.config])?;
    Ok(JobStart::Part(Box::new(part)))
}

/// A job, and what is wanted of it.
pub(crate) struct JobRequest<'a> {
    pub(crate) start: JobStart,
    /// The run that it belongs to.
    pub(crate) run: &'a RunIdentity,
    /// A digest of its bytes.
    pub(crate) digest: u64,
    pub(crate) pace: JobPace,
    /// The code that other jobs have covered.
    pub(crate) known: &'a [Vec<u8>],
}

/// Explores a job, and gives its results, except those that the observer has heard of.
pub(crate) fn explore(
    mut context: RunContext<'_>,
    machine: Primitives,
    request: JobRequest<'_>,
) -> (FinishedJob, JobRecord) {
    let JobRequest { start, run, digest, pace, known } = request;
    context.job = Some(CurrentJob { pace: pace.clone(), digest, states: start.states() });
    let slots = RecordSlots::new(1);
    let mut worker = Worker::new(&context, &slots, 0, machine);
    worker.guarded(|worker| {
        worker.learn_coverage(known);
        match start {
            JobStart::Root => worker.unless_left(Worker::begin),
            JobStart::Part(part) => worker.begin_with(*part),
        }
        context.reporter().observer.job_begun();
        worker.unless_left(Worker::boot);
        worker.explore();
    });
    let halt = context.exchange.why_halted();
    let mut children = Vec::new();
    if matches!(halt, Some(HaltReason::JobOver)) {
        worker.guarded(|worker| {
            for part in worker.take_rest(pace.parts_now()) {
                let states = part.part.states.len() as u64;
                children.push(ChildJob { bytes: child_job(&context, run, part), states });
            }
        });
    }
    let results = worker.finish();
    let WorkerResults { mut counters, notes, coverage, solver, faults, .. } = results;
    counters.take_notes(context.images, &notes);
    let limit = match halt {
        Some(HaltReason::Limit(reason)) => Some(reason),
        Some(halt @ (HaltReason::Failed | HaltReason::Interrupted)) => Some(halt.reason()),
        Some(HaltReason::JobOver | HaltReason::Repeated) | None => None,
    };
    let has_noted = context.racing_ops.has_noted() && !context.is_last;
    let reporter = context.reporter().record();
    let no_more = (context.nodes().len() > 1).then(UniverseCounts::default);
    let (executions, _) = counters.executions(no_more);
    let findings = reporter.findings.len() as u64;
    let coverage_now = to_section(&coverage);
    let record = Vec::new();
    let finished = FinishedJob { record, children, executions, findings, coverage: coverage_now };
    let record = JobRecord {
        counters,
        twins: results.twins.into_sorted(),
        twins_found: results.twins_found,
        coverage,
        solver,
        faults,
        reporter,
        results: Vec::new(),
        programs: context.library.loaded_later(),
        racing: has_noted.then(|| context.racing_ops.clone()),
        symbols: context.pool.names_of_symbols(),
        limit,
        declared: context.declared(),
        forks: context.forks.load(Ordering::Relaxed),
        time: context.elapsed(context.config.clock.now()),
    };
    (finished, record)
}
