//! Runs that are made before it is certain that they are wanted: [`ExperimentsAhead`].
//!
//! What is tried next depends on what came of everything before. To have several runs at the same time,
//! the search guesses what it will try, and has that run meanwhile. A run depends on its faults alone, so
//! it does not matter when it was made. One that turns out not to be wanted now is kept for a while: the
//! search is likely to come to it later.
//!
//! Invariant: the results that the search is given, and their order, are those of one run at a time, without
//! guesses.

use std::collections::VecDeque;

use super::experiment::NodeFault;
use super::run::{ExperimentJob, ExperimentRun};
use super::runner::{ExperimentRunner, RunnerError};

/// The guesses that are made for one experiment, for each run at the same time. Each of them is made on the
/// ones before, so those far ahead are hardly ever right.
const GUESSES: usize = 8;
/// Runs that nobody has wanted so far that are kept, for each run at the same time. One of a large system
/// has a megabyte.
const KEPT: usize = 16;

/// A run that has been begun.
struct BegunRun {
    number: u64,
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
    runner: Box<dyn ExperimentRunner>,
    /// The limit on the instructions of each run.
    instructions: u64,
    /// The number of runs that were begun.
    begun: u64,
    running: Vec<BegunRun>,
    /// Runs that nobody has asked for yet, the oldest first.
    kept: VecDeque<KeptRun>,
}

impl ExperimentsAhead {
    pub(super) fn new(runner: Box<dyn ExperimentRunner>, instructions: u64) -> ExperimentsAhead {
        let (running, kept) = (Vec::new(), VecDeque::new());
        ExperimentsAhead { runner, instructions, begun: 0, running, kept }
    }

    /// The run with these faults; `None` if the search is to end. `next_guess` tells what is likely to be
    /// asked for after it, one after the other.
    pub(super) fn run(
        &mut self,
        faults: &[NodeFault],
        mut next_guess: impl FnMut() -> Option<Vec<NodeFault>>,
    ) -> Result<Option<ExperimentRun>, RunnerError> {
        let mut guesses = None;
        loop {
            let is_wanted = |kept: &KeptRun| kept.begun.faults == faults;
            if let Some(at) = self.kept.iter().position(is_wanted) {
                let KeptRun { begun, run } = self.kept.remove(at).expect("its place was found");
                let had_room = begun.is_alone || !self.runner.shares_memory();
                return if run.lacked_memory && !had_room {
                    self.alone(faults)
                } else {
                    Ok(Some(run))
                };
            }
            if !self.is_running(faults) {
                self.begin(faults.to_vec())?;
            }
            let size = self.runner.size();
            let left = guesses.get_or_insert(GUESSES * (size - 1));
            while self.running.len() < size && *left > 0 {
                let Some(guess) = next_guess() else { break };
                *left -= 1;
                let is_kept = self.kept.iter().any(|kept| kept.begun.faults == guess);
                if !is_kept && !self.is_running(&guess) {
                    self.begin(guess)?;
                }
            }
            if !self.wait()? {
                return Ok(None);
            }
        }
    }

    /// The run with these faults, and no other at the same time: the limit on memory holds for each by
    /// itself.
    fn alone(&mut self, faults: &[NodeFault]) -> Result<Option<ExperimentRun>, RunnerError> {
        while !self.running.is_empty() {
            if !self.wait()? {
                return Ok(None);
            }
        }
        self.begin(faults.to_vec())?;
        Ok(if self.wait()? { self.kept.pop_back().map(|kept| kept.run) } else { None })
    }

    fn is_running(&self, faults: &[NodeFault]) -> bool {
        self.running.iter().any(|run| run.faults == faults)
    }

    fn begin(&mut self, faults: Vec<NodeFault>) -> Result<(), RunnerError> {
        let is_alone = self.running.is_empty();
        if !is_alone {
            self.running.iter_mut().for_each(|run| run.is_alone = false);
        }
        self.begun += 1;
        let (number, instructions) = (self.begun, Some(self.instructions));
        self.runner.begin(number, &ExperimentJob { faults: faults.clone(), instructions })?;
        self.running.push(BegunRun { number, faults, is_alone });
        Ok(())
    }

    /// Waits for the end of a run, and keeps it. Returns `false` if the search is to end.
    fn wait(&mut self) -> Result<bool, RunnerError> {
        let Some((number, run)) = self.runner.wait()? else { return Ok(false) };
        let at = self.running.iter().position(|running| running.number == number);
        let begun = self.running.swap_remove(at.expect("nothing else was begun"));
        if self.kept.len() >= KEPT * self.runner.size() {
            self.kept.pop_front();
        }
        self.kept.push_back(KeptRun { begun, run });
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
