//! One run: starts the workers, and puts together what they found.

use crossbeam::channel::unbounded;
use everett_interp::{Coverage, Notes};
use everett_solver::SolverStats;

use crate::api::report::{DropReason, Outcome, Summary};
use crate::explore::worker::{Done, Worker};
use crate::parallel::context::Shared;
use crate::parallel::exchange::Halt;
use crate::primitives::Primitives;
use crate::results::counters::Books;
use crate::results::summary;

/// Explores everything, with one machine for each worker.
pub(crate) fn explore(shared: Shared<'_>, machines: Vec<Primitives>) -> Summary {
    let mut machines = machines.into_iter().enumerate();
    let done: Vec<Done> = std::thread::scope(|scope| {
        let (number, machine) = machines.next().expect("there is at least one worker");
        let mut first = Worker::new(&shared, number, machine);
        first.guarded(|first| {
            first.unless_left(Worker::begin);
            first.unless_left(Worker::boot);
        });
        let (tell, told) = unbounded();
        for (number, machine) in machines {
            let (shared, tell) = (&shared, tell.clone());
            scope.spawn(move || {
                let mut worker = Worker::new(shared, number, machine);
                worker.guarded(Worker::explore);
                // Who listens waits until all have told, or are gone.
                let _ = tell.send((number, worker.finish()));
            });
        }
        drop(tell);
        first.guarded(Worker::explore);
        // Threads are not joined: that the allocator puts away what is theirs takes a while.
        let mut done: Vec<(usize, Done)> = told.iter().collect();
        done.push((0, first.finish()));
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, done)| done).collect()
    });
    together(shared, done)
}

fn together(shared: Shared<'_>, done: Vec<Done>) -> Summary {
    let mut books = Books::default();
    let mut notes = Notes::default();
    let mut coverage: Vec<Coverage> = Vec::new();
    let mut solver = SolverStats::default();
    for one in done {
        books.add(one.books);
        notes.add(&one.notes);
        solver.add(&one.solver);
        books.faults.counts.add(&one.faults);
        for (program, covered) in one.coverage.into_iter().enumerate() {
            match coverage.get_mut(program) {
                Some(known) => known.merge(&covered),
                None => coverage.push(covered),
            }
        }
    }
    books.take_notes(shared.images, &notes);
    let error = books.dropped.keys().find(|reason| matches!(reason, DropReason::InternalError(_)));
    let (outcome, limit) = match shared.exchange.why_halted() {
        _ if error.is_some() => (Outcome::Failed, error.cloned()),
        None | Some(Halt::Failed) => books.outcome(),
        Some(Halt::Limit(reason)) => (Outcome::Limit, Some(reason)),
        Some(Halt::Interrupted) => (Outcome::Stopped, None),
    };
    let allowed = |kind| {
        let mut nodes = shared.nodes().iter();
        books.faults.counts.offered(kind) > 0
            || nodes.any(|setup| {
                let faults = &setup.config.kernel.faults;
                faults.budgets.get(kind) > 0 || faults.has_link_budget(kind)
            })
    };
    let faults = books.faults.summary(allowed);
    {
        let mut front = shared.front();
        let (tested, untested) = (front.worlds_tested, front.worlds_untested);
        if untested > 0 {
            front.observer.warning(&format!(
                "worlds with test cases: {tested}; up to {untested} more ended as they should and have none"
            ));
        }
    }
    let (images, config) = (shared.images, shared.config);
    let (nodes, started) = (shared.nodes().len() as u64, shared.started);
    let (symbolic_inputs, workers) = (shared.pool.symbol_count() as u64, shared.workers() as u64);
    let parts = summary::Parts {
        images,
        coverage,
        solver,
        nodes,
        mapping: config.mapping,
        invariants: config.invariants.is_some(),
        front: shared.into_front(),
        symbolic_inputs,
        workers,
        wall_time: config.clock.now().saturating_sub(started),
        outcome,
        limit,
        faults,
    };
    summary::build(books, parts)
}
