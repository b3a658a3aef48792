//! Runs that are made before it is certain that they are wanted: [`ExperimentsAhead`].
//!
//! What is tried next depends on what came of everything before. To have several runs at the same time, the
//! search guesses what it will try, and has that run meanwhile. A run depends on its faults alone, so it does not matter
//! when it was made. One that turns out not to be wanted now is kept for a while: the search is
//! likely to come to it later.
//!
//! Invariant: the results that the search is given, and their order, are those of one thread without guesses.

use std::collections::VecDeque;

use super::experiment::NodeFault;
use super::pool::ExperimentPool;
use super::run::ExperimentRun;

/// The guesses that are made for one experiment, for each thread. Each of them is made on the ones before, so
/// those far ahead are hardly ever right.
const GUESSES: usize = 8;
/// Runs that nobody has wanted so far that are kept, for each thread. One of a large system has a megabyte.
const KEPT: usize = 16;

/// A run that has been begun.
struct BegunRun {
    faults: Vec<NodeFault>,
    /// There was no other one at any time.
    is_alone: bool,
}

/// A run that has ended.
struct KeptRun {
    begun: BegunRun,
    run: ExperimentRun,
}

/// Makes the runs that the search asks for, and others meanwhile that it is expected to ask for.
pub(super) struct ExperimentsAhead {
    pool: ExperimentPool,
    running: Vec<BegunRun>,
    /// Runs that nobody has asked for yet, the oldest first.
    kept: VecDeque<KeptRun>,
}

impl ExperimentsAhead {
    pub(super) fn new(pool: ExperimentPool) -> ExperimentsAhead {
        ExperimentsAhead { pool, running: Vec::new(), kept: VecDeque::new() }
    }

    /// The run with these faults. `next_guess` tells what is likely to be asked for after it, one after the
    /// other.
    pub(super) fn run(
        &mut self,
        faults: &[NodeFault],
        mut next_guess: impl FnMut() -> Option<Vec<NodeFault>>,
    ) -> ExperimentRun {
        let size = self.pool.size();
        let mut guesses = GUESSES * (size - 1);
        loop {
            let is_wanted = |kept: &KeptRun| kept.begun.faults == faults;
            if let Some(at) = self.kept.iter().position(is_wanted) {
                let KeptRun { begun, run } = self.kept.remove(at).expect("its place was found");
                return if run.lacked_memory && !begun.is_alone { self.alone(faults) } else { run };
            }
            if !self.is_running(faults) {
                self.begin(faults.to_vec());
            }
            while self.running.len() < size && guesses > 0 {
                let Some(guess) = next_guess() else { break };
                guesses -= 1;
                let is_kept = self.kept.iter().any(|kept| kept.begun.faults == guess);
                if !is_kept && !self.is_running(&guess) {
                    self.begin(guess);
                }
            }
            self.wait();
        }
    }

    /// The run with these faults, and no other at the same time: the limit on memory holds for each by itself.
    fn alone(&mut self, faults: &[NodeFault]) -> ExperimentRun {
        while !self.running.is_empty() {
            self.wait();
        }
        self.begin(faults.to_vec());
        self.wait();
        self.kept.pop_back().expect("it was waited for").run
    }

    fn is_running(&self, faults: &[NodeFault]) -> bool {
        self.running.iter().any(|run| run.faults == faults)
    }

    fn begin(&mut self, faults: Vec<NodeFault>) {
        let is_alone = self.running.is_empty();
        if !is_alone {
            self.running.iter_mut().for_each(|run| run.is_alone = false);
        }
        self.pool.begin(faults.clone());
        self.running.push(BegunRun { faults, is_alone });
    }

    /// Waits for the end of a run, and keeps it.
    fn wait(&mut self) {
        let (faults, run) = self.pool.wait();
        let at = self.running.iter().position(|running| running.faults == faults);
        let begun = self.running.swap_remove(at.expect("nothing else was begun"));
        if self.kept.len() >= KEPT * self.pool.size() {
            self.kept.pop_front();
        }
        self.kept.push_back(KeptRun { begun, run });
    }
}
