//! The exchange of work: where workers leave parts of the set of worlds for each other.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use everett_interp::{Coverage, Halt};
use everett_posix::SharedMessage;
use everett_world::{StateId, Universe};

use crate::api::dropped::DropReason;
use crate::api::spill::SpilledBytes;
use crate::parallel::spilled_part::PartAside;
use crate::state::node_state::PathStates;

/// Why a run stops before everything is explored.
#[derive(Clone)]
pub(crate) enum HaltReason {
    Limit(DropReason),
    Interrupted,
    /// A worker has panicked.
    Failed,
    /// Races were noted: the run is begun again.
    Repeated,
    /// A job has had its time: what is left of it becomes other jobs.
    JobOver,
}

impl HaltReason {
    /// The reason for which paths that are not over then are dropped.
    pub(crate) fn reason(&self) -> DropReason {
        match self {
            HaltReason::Limit(reason) => reason.clone(),
            HaltReason::Interrupted | HaltReason::Repeated | HaltReason::JobOver => {
                DropReason::Interrupted
            }
            HaltReason::Failed => DropReason::AfterInternalError,
        }
    }
}

/// The sizes of parts that nobody works on.
#[derive(Clone, Copy, Default)]
pub(crate) struct AsideCounts {
    pub(crate) states: u64,
    pub(crate) dstates: u64,
}

everett_base::portable!(struct AsideCounts { states, dstates });

/// A part of the work.
pub(crate) struct WorldPart {
    /// The worker that has set it aside.
    pub(crate) from: usize,
    pub(crate) universe: Universe<SharedMessage>,
    pub(crate) states: PathStates,
    pub(crate) troubles: Vec<(StateId, Halt)>,
    /// Code of each program that the giver has covered: nothing new to the taker.
    pub(crate) coverage: Vec<Coverage>,
}

/// What a worker gets that has nothing left.
pub(crate) enum TakenWork {
    Part(Box<PartAside>),
    /// All workers are called to meet.
    Call,
    /// The run is over.
    Nothing,
}

impl TakenWork {
    #[cfg(test)]
    fn is_part(&self) -> bool {
        matches!(self, TakenWork::Part(_))
    }
}

/// Where workers leave parts of the work for each other, and for themselves.
pub(crate) struct WorkExchange {
    stock: Mutex<PartStock>,
    /// Told when parts come in, and at the end.
    news: Condvar,
    /// A worker waits for a part that nobody has offered yet. Read without the lock, since it is looked at
    /// between all steps; a stale answer only delays a split.
    wanted: AtomicBool,
    over: AtomicBool,
    halt: OnceLock<HaltReason>,
}

struct PartStock {
    /// Parts that nobody works on, the oldest first.
    parts: VecDeque<PartAside>,
    /// Workers that wait for a part.
    hungry: usize,
    /// Workers that work.
    busy: usize,
}

impl PartStock {
    /// A part for a worker: the newest of its own, as that is what it would have gone on with; else the
    /// oldest of all, as there is the most to be done in it.
    fn part_for(&mut self, worker: usize) -> Option<PartAside> {
        let own = self.parts.iter().rposition(|part| part.from() == worker);
        self.parts.remove(own.unwrap_or(0))
    }
}

impl WorkExchange {
    pub(crate) fn new(workers: usize) -> WorkExchange {
        let stock = PartStock { parts: VecDeque::new(), hungry: 0, busy: workers };
        WorkExchange {
            stock: Mutex::new(stock),
            news: Condvar::new(),
            wanted: AtomicBool::new(false),
            over: AtomicBool::new(false),
            halt: OnceLock::new(),
        }
    }

    fn stock(&self) -> MutexGuard<'_, PartStock> {
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns `true` if a worker waits for a part that nobody has offered yet.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    fn note_wishes(&self, stock: &PartStock) {
        self.wanted.store(stock.hungry > stock.parts.len(), Ordering::Relaxed);
    }

    /// Leaves a part to whoever has nothing left.
    pub(crate) fn give(&self, part: PartAside) {
        let mut stock = self.stock();
        stock.parts.push_back(part);
        self.note_wishes(&stock);
        self.news.notify_one();
    }

    /// Takes out the oldest part in memory that a worker has set aside; [`WorkExchange::put_oldest`] puts it
    /// back.
    pub(crate) fn take_oldest(&self, worker: usize) -> Option<WorldPart> {
        let mut stock = self.stock();
        let is_own =
            |part: &PartAside| matches!(part, PartAside::Here(part) if part.from == worker);
        let at = stock.parts.iter().position(is_own)?;
        match stock.parts.remove(at) {
            Some(PartAside::Here(part)) => Some(part),
            Some(PartAside::Spilled(_)) | None => None,
        }
    }

    /// Puts a part there that is older than all others.
    pub(crate) fn put_oldest(&self, part: PartAside) {
        let mut stock = self.stock();
        stock.parts.push_front(part);
        self.note_wishes(&stock);
        self.news.notify_one();
    }

    /// The names of the parts that are outside of memory.
    pub(crate) fn spilled(&self) -> Vec<SpilledBytes> {
        let stock = self.stock();
        let names = stock.parts.iter().filter_map(|part| match part {
            PartAside::Here(_) => None,
            PartAside::Spilled(part) => Some(part.name.clone()),
        });
        names.collect()
    }

    /// Takes the part that a worker would get now, without waiting for one.
    pub(crate) fn take_next(&self, worker: usize) -> Option<PartAside> {
        let mut stock = self.stock();
        let part = stock.part_for(worker);
        self.note_wishes(&stock);
        part
    }

    /// Waits for a part until all work is done, the run has been ended, or workers are called to meet.
    pub(crate) fn take(&self, worker: usize, is_called: impl Fn() -> bool) -> TakenWork {
        let mut stock = self.stock();
        stock.busy -= 1;
        stock.hungry += 1;
        let part = loop {
            if self.is_over() {
                break TakenWork::Nothing;
            }
            if let Some(part) = stock.part_for(worker) {
                stock.busy += 1;
                break TakenWork::Part(Box::new(part));
            }
            if stock.busy == 0 {
                self.stop(&stock);
                break TakenWork::Nothing;
            }
            if is_called() {
                stock.busy += 1;
                break TakenWork::Call;
            }
            self.note_wishes(&stock);
            stock = self.news.wait(stock).unwrap_or_else(PoisonError::into_inner);
        };
        stock.hungry -= 1;
        self.note_wishes(&stock);
        part
    }

    /// Lets workers that wait look whether they are called.
    pub(crate) fn wake_all(&self) {
        let _stock = self.stock();
        self.news.notify_all();
    }

    /// The sizes of parts that a worker has set aside.
    pub(crate) fn aside(&self, worker: usize) -> AsideCounts {
        let mut aside = AsideCounts::default();
        for part in self.stock().parts.iter().filter(|part| part.from() == worker) {
            let AsideCounts { states, dstates } = part.size();
            aside.states += states;
            aside.dstates += dstates;
        }
        aside
    }

    /// Ends the run for all workers.
    pub(crate) fn halt(&self, halt: HaltReason) {
        let _ = self.halt.set(halt);
        self.stop(&self.stock());
    }

    /// Returns `true` if the run has been ended.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Why it was, if not everything is explored.
    pub(crate) fn why_halted(&self) -> Option<HaltReason> {
        self.halt.get().cloned()
    }

    /// Why the run was cut off, so that questions about worlds need no answer any more. The worlds of a job
    /// that is over are explored on, by other jobs.
    pub(crate) fn why_cut_off(&self) -> Option<HaltReason> {
        self.why_halted().filter(|halt| !matches!(halt, HaltReason::JobOver))
    }

    /// Parts that nobody has taken; to be asked when no worker waits any more.
    pub(crate) fn left(&self) -> VecDeque<PartAside> {
        std::mem::take(&mut self.stock().parts)
    }

    /// Puts parts there that were taken out, or that another process has had, while no worker waits.
    pub(crate) fn put_back(&self, parts: VecDeque<PartAside>) {
        self.stock().parts = parts;
    }

    /// Whoever is about to wait has the stock, and would not hear of it.
    fn stop(&self, _: &PartStock) {
        self.over.store(true, Ordering::Relaxed);
        self.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use everett_world::UniverseOptions;

    use super::*;

    fn part(from: usize) -> PartAside {
        let universe = Universe::new(1, UniverseOptions::default());
        let (states, troubles, coverage) = (Vec::new(), Vec::new(), Vec::new());
        PartAside::Here(WorldPart { from, universe, states, troubles, coverage })
    }

    #[test]
    fn workers_that_all_have_nothing_left_are_done() {
        let exchange = WorkExchange::new(3);
        let taken: usize = std::thread::scope(|scope| {
            let worker = |number: usize, gives: usize| {
                let exchange = &exchange;
                scope.spawn(move || {
                    (0..gives).for_each(|_| exchange.give(part(number)));
                    let take = || exchange.take(number, || false).is_part();
                    std::iter::repeat_with(take).take_while(|is_part| *is_part).count()
                })
            };
            let workers = [worker(0, 5), worker(1, 0), worker(2, 2)];
            workers.into_iter().map(|worker| worker.join().expect("no panic")).sum()
        });
        assert_eq!(taken, 7);
        assert!(exchange.is_over() && exchange.why_halted().is_none());
    }

    #[test]
    fn a_worker_takes_the_newest_of_its_own_or_the_oldest_of_all() {
        let exchange = WorkExchange::new(3);
        for from in [1, 0, 2, 1, 0] {
            exchange.give(part(from));
        }
        let mut stock = exchange.stock();
        let mut left = |worker| {
            stock.part_for(worker)?;
            Some(stock.parts.iter().map(PartAside::from).collect::<Vec<_>>())
        };
        assert_eq!(left(1), Some(vec![1, 0, 2, 0]));
        assert_eq!(left(2), Some(vec![1, 0, 0]));
        assert_eq!(left(2), Some(vec![0, 0]));
        assert_eq!(left(0), Some(vec![0]));
        assert_eq!(left(1), Some(vec![]));
        assert_eq!(left(1), None);
    }

    #[test]
    fn a_halt_reaches_those_who_wait() {
        let exchange = WorkExchange::new(2);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| !exchange.take(1, || false).is_part());
            exchange.halt(HaltReason::Interrupted);
            assert!(waiting.join().expect("no panic"));
        });
        assert!(matches!(exchange.why_halted(), Some(HaltReason::Interrupted)));
    }
}
