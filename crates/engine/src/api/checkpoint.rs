//! Checkpoints: a run as bytes, from which another process goes on ([`crate::Engine::resume`]).

use std::io;
use std::time::Duration;

use everett_base::part::PartError;
use everett_base::part::file::{self, PartFileError, RunIdentity};
use thiserror::Error;

/// How often a run writes a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckpointPace {
    /// Never, not even when it is asked to wind down.
    #[default]
    Never,
    /// After this time, and when a limit of time or instructions or the user ends the run. The time between
    /// two checkpoints is at least thirty times what one takes.
    Every(Duration),
    /// After so many choices of a state: for tests, which want the same moment each time.
    Choices(u64),
}

/// What the observer was told before a checkpoint, and is not told again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToldResults {
    /// Findings.
    pub findings: u64,
    /// Numbers of tests.
    pub tests: u64,
    /// Times that programs asked for their changed files.
    pub wishes: u32,
}

/// The sections of a checkpoint: what the engine needs before it can begin, the results that are held back,
/// and the four of [`crate::parallel::part_bytes`].
pub(crate) const SECTIONS: usize = 6;
/// The one of the results that are held back.
pub(crate) const HELD_SECTION: usize = 1;

/// A run at a moment between two steps.
pub struct Checkpoint {
    /// The results that the observer was told before.
    pub told: ToldResults,
    /// The run ends now.
    pub is_last: bool,
    pub(crate) sections: [Vec<u8>; SECTIONS],
}

impl Checkpoint {
    /// The checkpoint as bytes, for the run of this identity.
    pub fn to_bytes(&self, run: &RunIdentity) -> Vec<u8> {
        file::to_bytes(run, &self.sections.each_ref().map(|section| &section[..]))
    }
}

/// Why a run cannot go on from a checkpoint.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// It is not a checkpoint of this run, or it is damaged.
    #[error(transparent)]
    File(#[from] PartFileError),
    /// It has something else than it should.
    #[error("the checkpoint is damaged")]
    Content(#[from] PartError),
    /// Another number of workers has written it.
    #[error("{written} workers have written the checkpoint, and {given} are to go on from it")]
    Workers {
        /// The number that has written it.
        written: usize,
        /// The number that there is now.
        given: usize,
    },
    /// States of the run that are outside of memory are not there any more.
    #[error("states of the run that were put on disk are not there")]
    Spilled(#[from] io::Error),
    /// A program that was executed cannot be loaded any more.
    #[error("a program that the run has executed cannot be loaded again: {0}")]
    Program(String),
}
