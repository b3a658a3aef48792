//! Jobs and their results as bytes: [`JobPart`], [`JobRecord`].

use std::sync::Arc;
use std::time::Duration;

use everett_base::part::file::{self, RunIdentity};
use everett_interp::Coverage;
use everett_posix::{FaultCounts, LearntOps};
use everett_solver::SolverStats;

use crate::api::checkpoint::{CheckpointError, SECTIONS};
use crate::api::dropped::DropReason;
use crate::explore::held_observer::HeldResult;
use crate::explore::run_record::{RunHead, to_section};
use crate::parallel::context::RunContext;
use crate::parallel::exchange::WorldPart;
use crate::parallel::part_bytes::{self, PartTables};
use crate::parallel::reporter_record::ReporterRecord;
use crate::programs::library::LoadedLater;
use crate::results::counters::RunCounters;
use crate::results::twins::{FoundTwin, TwinRow, TwinSteps};
use crate::state::boot::BootDeclarations;
use crate::state::twin::TwinName;
use crate::worlds::invariants::KnownResults;

/// The beginning of a job.
pub(crate) struct JobHead {
    /// The next number of a state; nothing has begun yet if there is none.
    pub(crate) next_id: Option<u32>,
    /// What the nodes have declared, if the program has made them itself.
    pub(crate) declared: Option<Vec<BootDeclarations>>,
}

everett_base::portable!(struct JobHead { next_id, declared });

/// Worlds that are to be explored, with what is known of invariants.
pub(crate) struct JobPart {
    pub(crate) part: WorldPart,
    /// The steps of its states that have begun to run and have names.
    pub(crate) begun: Vec<(TwinName, TwinSteps)>,
    pub(crate) invariants: KnownResults,
    /// States may still become nodes.
    pub(crate) booting: bool,
}

everett_base::portable!(struct JobPart { part, begun, invariants, booting });

/// The results of a job, which know nothing of other jobs.
pub(crate) struct JobRecord {
    pub(crate) counters: RunCounters,
    /// What came of states that other jobs may have as well, by their names.
    pub(crate) twins: Vec<(TwinName, TwinRow)>,
    pub(crate) twins_found: Vec<FoundTwin>,
    /// Covered code of each program.
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) solver: SolverStats,
    pub(crate) faults: FaultCounts,
    pub(crate) reporter: ReporterRecord,
    pub(crate) results: Vec<HeldResult>,
    /// The programs that were loaded during the job, in the order of their numbers.
    pub(crate) programs: Vec<LoadedLater>,
    /// Accesses that race, if more are known than before.
    pub(crate) racing: Option<Arc<LearntOps>>,
    /// Names and sizes of symbolic inputs.
    pub(crate) symbols: Vec<(String, u32)>,
    /// The limit that has ended the job, and with it the run.
    pub(crate) limit: Option<DropReason>,
    /// What the nodes have declared, if the program has made them itself.
    pub(crate) declared: Option<Vec<BootDeclarations>>,
    /// Forks, if the run has a limit on them.
    pub(crate) forks: u64,
    pub(crate) time: Duration,
}

everett_base::portable!(struct JobRecord {
    counters, twins, twins_found, coverage, solver, faults, reporter, results, programs, racing, symbols,
    limit, declared, forks, time,
});

/// The job with which a run begins.
pub(crate) fn first_job(run: &RunIdentity, racing: Arc<LearntOps>) -> Vec<u8> {
    let head = to_section(&RunHead { programs: Vec::new(), racing });
    let job = to_section(&JobHead { next_id: None, declared: None });
    file::to_bytes(run, &[&head, &job, &[], &[], &[], &[]])
}

/// A job that goes on with a part.
pub(crate) fn child_job(context: &RunContext<'_>, run: &RunIdentity, mut part: JobPart) -> Vec<u8> {
    part.part.flush();
    let (programs, racing) = (context.library.loaded_later(), context.racing_ops.clone());
    let head = to_section(&RunHead { programs, racing });
    let (next_id, declared) = (Some(context.next_id()), context.declared());
    let job = to_section(&JobHead { next_id, declared });
    let tables = PartTables { pool: context.pool, constraints: &context.constraints };
    let [carried_terms, carried, terms, values] = part_bytes::sections(&part, tables);
    file::to_bytes(run, &[&head, &job, &carried_terms, &carried, &terms, &values])
}

/// The sections of a job of this run.
pub(crate) fn job_sections<'a>(
    run: &RunIdentity,
    job: &'a [u8],
) -> Result<[&'a [u8]; SECTIONS], CheckpointError> {
    Ok(file::sections(run, job)?)
}
