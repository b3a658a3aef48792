//! Checkpoints: a worker comes to the meeting of all workers, and goes on where it was.

use everett_interp::ProgramId;

use super::Worker;
use crate::api::dropped::DropReason;
use crate::explore::run_record::WorkerRecord;
use crate::parallel::exchange::HaltReason;

impl Worker<'_, '_> {
    /// Asks for a checkpoint if it is time for one by the number of choices.
    pub(super) fn count_choice(&mut self) {
        if self.context.room.count_choice() {
            self.context.room.call(&self.context.exchange, None);
        }
    }

    /// Ends the run, after a checkpoint if it can be gone on with later.
    pub(super) fn halt(&mut self, halt: HaltReason) {
        let can_go_on = match &halt {
            HaltReason::Interrupted => self.context.config.interrupt.winding_down().is_some(),
            HaltReason::Limit(DropReason::TimeLimit | DropReason::InstructionLimit) => true,
            HaltReason::Limit(_)
            | HaltReason::Failed
            | HaltReason::Repeated
            | HaltReason::JobOver => false,
        };
        if can_go_on && self.context.room.is_open() {
            self.context.room.call(&self.context.exchange, Some(halt.clone()));
            self.meet();
        }
        let interrupt = &self.context.config.interrupt;
        if let Some(reason) = interrupt.winding_down() {
            interrupt.stop(reason);
        }
        self.context.exchange.halt(halt);
    }

    /// Comes to the meeting at which a checkpoint is written.
    pub(super) fn meet(&mut self) {
        let context = self.context;
        let (interrupt, clock) = (&context.config.interrupt, &context.config.clock);
        let record = self.take_record();
        self.slots.put(self.number, record);
        context.room.meet(&context.exchange, |halt| {
            let began = clock.now();
            // What has been asked to stop may have been cut short.
            if interrupt.stopping().is_none() {
                interrupt.set_saving(true);
                let checkpoint = self.slots.checkpoint(context, halt.is_some());
                context.reporter().observer.checkpoint(checkpoint);
                interrupt.set_saving(false);
            }
            if let Some(reason) = interrupt.winding_down().filter(|_| halt.is_some()) {
                interrupt.stop(reason);
            }
            (began, clock.now())
        });
        let record = self.slots.take(self.number);
        self.put_back(record);
    }

    /// Everything that another worker needs to go on in the place of this one.
    fn take_record(&mut self) -> WorkerRecord {
        let current = self.states.current_id();
        self.park_current();
        WorkerRecord {
            states: std::mem::take(&mut self.states),
            current,
            go_on: self.go_on,
            universe: self.worlds.take_universe(),
            invariants: self.worlds.known_results(),
            schedule: std::mem::replace(&mut self.schedule, super::StateSchedule::empty()),
            coverage: self.executor.coverage().to_vec(),
            notes: self.executor.notes().clone(),
            solver: self.executor.solver_stats().clone(),
            kernel: self.executor.machine().kernel.counts(),
            warned: self.executor.machine().warned().clone(),
            counters: std::mem::take(&mut self.counters),
            booting: self.executor.machine().booting,
            awaited: std::mem::take(&mut self.awaited),
            troubles: std::mem::take(&mut self.troubles),
            split: self.split,
        }
    }

    /// Takes back what it has given for a checkpoint.
    fn put_back(&mut self, record: WorkerRecord) {
        let WorkerRecord {
            states, current, universe, schedule, counters, awaited, troubles, ..
        } = record;
        self.states = states;
        self.worlds.replace(universe);
        (self.schedule, self.counters) = (schedule, counters);
        (self.awaited, self.troubles) = (awaited, troubles);
        if let Some(id) = current {
            self.states.make_current(id);
        }
    }

    /// Goes on in the place of the worker that has written a record.
    pub(crate) fn restore(&mut self, mut record: WorkerRecord) {
        self.worlds.restore_results(std::mem::take(&mut record.invariants));
        for (program, covered) in record.coverage.iter().enumerate() {
            let program = ProgramId::from_index(program);
            *self.executor.with_coverage(self.context, program) = covered.clone();
        }
        self.executor.set_notes(std::mem::take(&mut record.notes));
        self.executor.solver().set_stats(std::mem::take(&mut record.solver));
        let machine = self.executor.machine_mut();
        machine.kernel.set_counts(std::mem::take(&mut record.kernel));
        machine.set_warned(std::mem::take(&mut record.warned));
        machine.booting = record.booting;
        (self.go_on, self.split) = (record.go_on, record.split);
        self.put_back(record);
    }
}
