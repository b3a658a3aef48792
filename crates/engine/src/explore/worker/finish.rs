//! The end of a worker: it gives up what is left, and hands over what it has counted, also after a panic.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use everett_base::Interrupt;

use super::{Worker, WorkerResults};
use crate::api::dropped::DropReason;
use crate::parallel::exchange::HaltReason;
use crate::parallel::spilled_part::PartAside;
use crate::state::node_state::PathStates;

impl Worker<'_, '_> {
    /// Does a part of the work. A panic is booked as the end of a path, and ends the run for all: what
    /// this worker had in its hands is not whole any more.
    pub(crate) fn guarded(&mut self, work: impl FnOnce(&mut Self)) {
        let panics = &self.context.config.panics;
        let _watch = panics.watch();
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(self))) {
            self.counters.drop(DropReason::InternalError(panics.describe(&*payload)));
            self.context.exchange.halt(HaltReason::Failed);
        }
    }

    /// Gives up what is still alive, and leaves it in a list. The first worker does so when all others have:
    /// parts that nobody has taken are its.
    fn give_up_the_rest(&mut self, left: &mut PathStates) {
        let reason = self.context.exchange.why_halted().unwrap_or(HaltReason::Interrupted).reason();
        // Each state leaves a test if paths do.
        *left = self.states.take_all();
        if self.number == 0 {
            let mut shared = BTreeSet::new();
            for part in self.context.exchange.left() {
                match part {
                    PartAside::Here(part) => {
                        self.worlds_lost(part.universe.counts());
                        left.extend(part.states);
                    }
                    PartAside::Spilled(part) => {
                        self.give_up_spilled(&part, &reason);
                        shared.extend(part.shared);
                    }
                }
            }
            left.iter().for_each(|st| _ = shared.remove(&st.extra.id));
            self.counters.drop_all(reason.clone(), shared.len() as u64);
        }
        left.sort_unstable_by_key(|st| st.extra.id);
        // A path is counted before its test is made, which may be left.
        let _ = Interrupt::catch(|| self.write_unfinished(left, &reason));
        let times = left.iter().map(|st| st.extra.activated().time);
        self.counters.unfinished_at = times.max();
        for st in left.iter_mut() {
            let _ = Interrupt::catch(|| self.close_unfinished(st, &reason));
        }
        self.counters.worlds_done(self.worlds.counts());
    }

    /// Gives up what is still alive, and hands over what was counted.
    pub(crate) fn finish(mut self) -> WorkerResults {
        let mut left = Vec::new();
        self.guarded(|worker| worker.give_up_the_rest(&mut left));
        self.counters.has_threads |= self.executor.machine().kernel.has_threads;
        self.counters.walks = self.schedule.walks();
        let (notes, coverage, solver, faults) = self.executor.finish();
        let Worker { counters, twins, twins_found, .. } = self;
        WorkerResults { counters, notes, coverage, solver, faults, twins, twins_found, left }
    }
}
