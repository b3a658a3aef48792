//! One run: starts the workers, and puts together what they found.

use crossbeam::channel::unbounded;
use everett_interp::{Coverage, ExecutionNotes};
use everett_posix::FaultKind;
use everett_solver::SolverStats;

use crate::api::config::Strategy;
use crate::api::dropped::DropReason;
use crate::api::summary::{Outcome, Summary};
use crate::explore::run_record::{RecordSlots, WorkerRecord};
use crate::explore::worker::{Worker, WorkerResults};
use crate::parallel::context::RunContext;
use crate::parallel::exchange::HaltReason;
use crate::primitives::Primitives;
use crate::results::counters::RunCounters;
use crate::results::summary;
use crate::state::node_state::PathStates;

/// States that are freed in a few milliseconds.
const FREED_AT_ONCE: usize = 10_000;

/// Explores everything, with one machine for each worker; or what is left, if there are records of workers.
pub(crate) fn explore(
    context: RunContext<'_>,
    machines: Vec<Primitives>,
    records: Vec<WorkerRecord>,
) -> Summary {
    let records = records.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
    let slots = RecordSlots::new(machines.len());
    let mut workers = machines.into_iter().zip(records).enumerate();
    let mut done: Vec<WorkerResults> = std::thread::scope(|scope| {
        let (number, (machine, record)) = workers.next().expect("there is at least one worker");
        let mut first = Worker::new(&context, &slots, number, machine);
        // Nobody else comes to a meeting before the program has made its nodes, if it does.
        context.room.set_workers(1);
        first.guarded(|first| {
            match record {
                Some(record) => first.restore(record),
                None => first.unless_left(Worker::begin),
            }
            first.unless_left(Worker::boot);
        });
        context.room.set_workers(context.workers());
        let (tell, told) = unbounded();
        for (number, (machine, record)) in workers {
            let (context, slots, tell) = (&context, &slots, tell.clone());
            scope.spawn(move || {
                let mut worker = Worker::new(context, slots, number, machine);
                worker.guarded(|worker| {
                    if let Some(record) = record {
                        worker.restore(record);
                    }
                    worker.explore();
                });
                // Who listens waits until all have told, or are gone.
                let _ = tell.send((number, worker.finish()));
            });
        }
        drop(tell);
        first.guarded(Worker::explore);
        // Threads are not joined: that the allocator puts away what is theirs takes a while.
        let mut done: Vec<(usize, WorkerResults)> = told.iter().collect();
        done.push((0, first.finish()));
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, done)| done).collect()
    });
    let left: Vec<_> = done.iter_mut().flat_map(|one| std::mem::take(&mut one.left)).collect();
    let summary = together(context, done);
    free(left);
    summary
}

/// Frees states that a limit has left. Hundreds of thousands of them take longer than whoever has set the
/// limit waits for the results, so they are freed beside.
fn free(left: PathStates) {
    if left.len() > FREED_AT_ONCE {
        // Where no thread can be started, they are freed here.
        let _ = std::thread::Builder::new().name("freeing".to_owned()).spawn(move || drop(left));
    }
}

/// The most deviations of a kind from the fixed order in a world; `u32::MAX` if each node may have any
/// number.
fn order_budget(context: &RunContext<'_>, kind: FaultKind) -> u32 {
    let of_world = context.config.faults.get(kind);
    if of_world > 0 {
        return of_world;
    }
    let nodes = context.nodes().iter().map(|setup| setup.config.kernel.faults.budgets.get(kind));
    let of_all = nodes.clone().fold(0, u32::saturating_add);
    // Some nodes that may have any number do not make all orders.
    if nodes.min() == Some(u32::MAX) { of_all } else { of_all.min(u32::MAX - 1) }
}

pub(crate) fn together(context: RunContext<'_>, done: Vec<WorkerResults>) -> Summary {
    let mut counters = RunCounters::default();
    let mut notes = ExecutionNotes::default();
    let mut coverage: Vec<Coverage> = Vec::new();
    let mut solver = SolverStats::default();
    for one in done {
        counters.add(one.counters);
        notes.add(&one.notes);
        solver.add(&one.solver);
        counters.faults.counts.add(&one.faults);
        for (program, covered) in one.coverage.into_iter().enumerate() {
            match coverage.get_mut(program) {
                Some(known) => known.merge(&covered),
                None => coverage.push(covered),
            }
        }
    }
    counters.take_notes(context.images, &notes);
    let error =
        counters.dropped.keys().find(|reason| matches!(reason, DropReason::InternalError(_)));
    let (outcome, limit) = match context.exchange.why_halted() {
        _ if error.is_some() => (Outcome::Failed, error.cloned()),
        None | Some(HaltReason::Failed) => counters.outcome(),
        Some(HaltReason::Limit(reason)) => (Outcome::Limit, Some(reason)),
        Some(HaltReason::Interrupted | HaltReason::Repeated | HaltReason::JobOver) => {
            (Outcome::Stopped, None)
        }
    };
    let allowed = |kind| {
        let mut nodes = context.nodes().iter();
        counters.faults.counts.offered(kind) > 0
            || nodes.any(|setup| {
                let faults = &setup.config.kernel.faults;
                faults.budgets.get(kind) > 0 || faults.has_link_budget(kind)
            })
    };
    let faults = counters.faults.summary(allowed);
    warn_of_untested(&context);
    let preemptions = context.nodes().iter().map(|setup| setup.config.kernel.preemptions);
    let preemptions = preemptions.max().unwrap_or(0);
    let [orders, late] =
        [FaultKind::Order, FaultKind::Late].map(|kind| order_budget(&context, kind));
    let (images, config) = (context.images, context.config);
    let nodes = context.nodes().len() as u64;
    let wall_time = context.elapsed(config.clock.now());
    let (symbolic_inputs, workers) = (context.pool.symbol_count() as u64, context.workers() as u64);
    let parts = summary::SummaryParts {
        images,
        coverage,
        solver,
        nodes,
        mapping: config.mapping,
        invariants: config.invariants.as_deref(),
        reporter: context.into_reporter(),
        symbolic_inputs,
        workers,
        wall_time,
        outcome,
        limit,
        faults,
        orders,
        late,
        preemptions,
        pct_depth: config.search.contains(&Strategy::Pct).then_some(config.pct_depth),
    };
    summary::build(counters, parts)
}

/// Tells the observer if there are worlds without tests.
fn warn_of_untested(context: &RunContext<'_>) {
    let mut reporter = context.reporter();
    let (tested, untested) = (reporter.worlds_tested, reporter.worlds_untested);
    if untested > 0 {
        reporter.observer.warning(&format!(
            "worlds with test cases: {tested}; up to {untested} more ended as they should and have none"
        ));
    }
}
