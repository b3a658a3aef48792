//! A run between two steps as bytes, and back: [`RunRecord`].
//!
//! Not here: what can be found out again. Solvers begin with empty caches, and so do evaluations of
//! invariants, as in a worker that takes a part over. The nodes and the configuration are those of the engine
//! that reads the record.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use everett_base::hash::Map;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_interp::{Coverage, ExecutionNotes, Halt};
use everett_posix::{KernelCounts, LearntOps, SharedMessage};
use everett_solver::SolverStats;
use everett_world::{ActivationId, SharedStateRecord, SharedStateTable, StateId, Universe};

use crate::api::checkpoint::{Checkpoint, ToldResults};
use crate::api::report::PathOutcome;
use crate::explore::pace::SplitThresholds;
use crate::explore::schedule::StateSchedule;
use crate::parallel::context::RunContext;
use crate::parallel::part_bytes::{self, PartTables};
use crate::parallel::reporter_record::ReporterRecord;
use crate::parallel::shared_states::{EndKind, ShownBug, StateEnd};
use crate::parallel::spilled_part::PartAside;
use crate::programs::library::LoadedLater;
use crate::results::counters::RunCounters;
use crate::state::boot::BootDeclarations;
use crate::state::node_state::PathState;
use crate::trojans::{HuntRecord, TrojanPhase};
use crate::worlds::invariants::KnownResults;
use crate::worlds::state_table::StateTable;

/// The part of a checkpoint that the engine needs before it can begin.
pub(crate) struct RunHead {
    /// The programs that were loaded during the run, in the order of their numbers.
    pub(crate) programs: Vec<LoadedLater>,
    /// Accesses that race, known and noted.
    pub(crate) racing: Arc<LearntOps>,
}

everett_base::portable!(struct RunHead { programs, racing });

/// Everything of a worker that what it does next depends on.
pub(crate) struct WorkerRecord {
    pub(crate) states: StateTable,
    /// The state that ran last, which is among the others.
    pub(crate) current: Option<StateId>,
    pub(crate) go_on: bool,
    pub(crate) universe: Universe<SharedMessage>,
    pub(crate) invariants: KnownResults,
    pub(crate) schedule: StateSchedule,
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) notes: ExecutionNotes,
    pub(crate) solver: SolverStats,
    pub(crate) kernel: KernelCounts,
    pub(crate) warned: BTreeSet<String>,
    pub(crate) counters: RunCounters,
    /// States may still become nodes; no other worker has begun.
    pub(crate) booting: bool,
    pub(crate) awaited: Map<ActivationId, StateId>,
    pub(crate) troubles: Map<StateId, Halt>,
    pub(crate) split: SplitThresholds,
}

everett_base::portable!(struct WorkerRecord {
    states, current, go_on, universe, invariants, schedule, coverage, notes, solver, kernel, warned,
    counters, booting, awaited, troubles, split,
});

/// Where workers leave their records while a checkpoint is written.
pub(crate) struct RecordSlots(Vec<Mutex<Option<WorkerRecord>>>);

impl RecordSlots {
    pub(crate) fn new(workers: usize) -> RecordSlots {
        RecordSlots((0..workers).map(|_| Mutex::default()).collect())
    }

    fn slot(&self, worker: usize) -> MutexGuard<'_, Option<WorkerRecord>> {
        self.0[worker].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves the record of a worker.
    pub(crate) fn put(&self, worker: usize, record: WorkerRecord) {
        *self.slot(worker) = Some(record);
    }

    /// Takes the record of a worker, which is there.
    pub(crate) fn take(&self, worker: usize) -> WorkerRecord {
        self.slot(worker).take().expect("who comes to a meeting leaves its record")
    }

    /// The checkpoint of a run whose workers have left their records, all that have begun.
    pub(crate) fn checkpoint(&self, context: &RunContext<'_>, is_last: bool) -> Checkpoint {
        let records = (0..self.0.len()).filter_map(|worker| self.slot(worker).take()).collect();
        let (checkpoint, records) = RunRecord::checkpoint(context, records, is_last);
        for (worker, record) in records.into_iter().enumerate() {
            self.put(worker, record);
        }
        checkpoint
    }
}

/// A state at its end that several workers have.
struct EndRecord {
    st: Box<PathState>,
    how: EndKind,
    bug: Option<ShownBug>,
}

everett_base::portable!(struct EndRecord { st, how, bug });

/// The states that several workers have.
type SharedRecord = SharedStateRecord<SharedMessage, EndRecord, Option<Arc<PathOutcome>>>;

/// A run between two steps.
pub(crate) struct RunRecord {
    pub(crate) workers: Vec<WorkerRecord>,
    parts: VecDeque<PartAside>,
    shared: SharedRecord,
    reporter: ReporterRecord,
    next_id: u32,
    instructions: u64,
    forks: u64,
    live: u64,
    /// The time that the run has taken.
    time: Duration,
    /// What the nodes have declared, if the program has made them itself.
    declared: Option<Vec<BootDeclarations>>,
    /// The search for Trojan messages, if the run replaces messages.
    pub(crate) trojans: Option<HuntRecord>,
}

everett_base::portable!(struct RunRecord {
    workers, parts, shared, reporter, next_id, instructions, forks, live, time, declared, trojans,
});

impl RunRecord {
    /// The checkpoint of a run with these records of its workers, and the records.
    fn checkpoint(
        context: &RunContext<'_>,
        workers: Vec<WorkerRecord>,
        is_last: bool,
    ) -> (Checkpoint, Vec<WorkerRecord>) {
        let trojans = match &context.trojans {
            Some(TrojanPhase::Replaces(hunt)) => Some(hunt.record()),
            Some(TrojanPhase::Collects(_)) | None => None,
        };
        let mut record = RunRecord {
            workers,
            parts: context.exchange.left(),
            shared: context.shared_states.record(end_record),
            reporter: context.reporter().record(),
            next_id: context.next_id(),
            instructions: context.instructions.load(Ordering::Relaxed),
            forks: context.forks.load(Ordering::Relaxed),
            live: context.live.load(Ordering::Relaxed),
            time: context.elapsed(context.config.clock.now()),
            declared: context.declared(),
            trojans,
        };
        record.workers.iter_mut().for_each(|worker| worker.states.flush());
        record.parts.iter_mut().for_each(PartAside::flush);
        let ReporterRecord { findings, tests, wishes, .. } = &record.reporter;
        let told = ToldResults { findings: findings.len() as u64, tests: *tests, wishes: *wishes };
        let (programs, racing) = (context.library.loaded_later(), context.racing_ops.clone());
        let head = RunHead { programs, racing };
        let tables = PartTables { pool: context.pool, constraints: &context.constraints };
        let [carried_terms, carried, terms, values] = part_bytes::sections(&record, tables);
        let sections = [to_section(&head), Vec::new(), carried_terms, carried, terms, values];
        context.exchange.put_back(record.parts);
        (Checkpoint { told, is_last, sections }, record.workers)
    }

    /// The number of workers that the run goes on with; any number if only the first one has begun, which
    /// makes the nodes.
    pub(crate) fn workers(&self) -> Option<usize> {
        let is_booting = self.workers.iter().any(|worker| worker.booting);
        (!is_booting).then_some(self.workers.len())
    }

    /// The record that [`RunRecord::checkpoint`] has written, in a context that is new.
    pub(crate) fn read(
        context: &RunContext<'_>,
        sections: [&[u8]; 4],
    ) -> Result<RunRecord, PartError> {
        let tables = PartTables { pool: context.pool, constraints: &context.constraints };
        part_bytes::read_sections(sections, tables, &[context.config])
    }

    /// Lets a context that is new go on with the run, and gives the records of its workers.
    pub(crate) fn restore(
        self,
        context: &mut RunContext<'_>,
    ) -> Result<Vec<WorkerRecord>, PartError> {
        let RunRecord {
            workers,
            parts,
            shared,
            reporter,
            next_id,
            instructions,
            forks,
            live,
            time,
            declared,
            trojans: _,
        } = self;
        context.boot_again(declared)?;
        let at_end = PartError { at: 0, expected: "the ends of shared states" };
        *context.shared_states = SharedStateTable::of_record(shared, state_end).ok_or(at_end)?;
        context.exchange.put_back(parts);
        context.reporter().restore(reporter);
        context.restore_counts(next_id, instructions, forks, live, time);
        Ok(workers)
    }
}

fn end_record(end: &StateEnd) -> EndRecord {
    let mut st = end.lock();
    let mut copy = st.copy();
    copy.covered_new = st.covered_new;
    copy.mem.flush();
    EndRecord { st: copy, how: end.how.clone(), bug: end.bug.clone() }
}

fn state_end(record: EndRecord) -> StateEnd {
    let EndRecord { st, how, bug } = record;
    StateEnd { st: Mutex::new(st), how, bug }
}

/// A value that refers to no table as a section.
pub(crate) fn to_section<T: Portable>(value: &T) -> Vec<u8> {
    let mut to = PartWriter::new(&[]);
    value.write(&mut to);
    to.into_bytes()
}

/// The value of a section that refers to no table.
pub(crate) fn of_section<T: Portable>(section: &[u8]) -> Result<T, PartError> {
    let mut from = PartReader::new(section, &[]);
    let value = T::read(&mut from)?;
    from.end().map(|()| value)
}
