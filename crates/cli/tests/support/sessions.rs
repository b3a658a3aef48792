//! Runs that are stopped at checkpoints, and gone on with by another engine: [`explore`].

use anyhow::{Context, Result};
use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_engine::{Checkpoint, CheckpointPace, Engine, EngineConfig, Observer, Summary};

/// The identity of the run in its checkpoints.
const RUN: [u8; 32] = [1; 32];
/// Choices of a state before the first checkpoint; each session makes so many times more than the one before.
const FIRST_CHOICES: u64 = 3;
const GROWTH: u64 = 6;

/// Ends a run at its first checkpoint.
#[derive(Default)]
struct StoppingObserver {
    interrupt: Interrupt,
    checkpoint: Option<Vec<u8>>,
}

impl Observer for StoppingObserver {
    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        if self.checkpoint.is_none() {
            self.checkpoint = Some(checkpoint.to_bytes(&RUN));
            self.interrupt.stop(StopReason::Asked);
        }
    }
}

/// Explores in sessions, each of which begins at the checkpoint that has ended the one before it.
pub(crate) fn explore(
    config: &EngineConfig,
    engine: impl Fn(EngineConfig) -> Result<Engine>,
) -> Result<Summary> {
    let mut choices = FIRST_CHOICES;
    let mut checkpoint: Option<Vec<u8>> = None;
    loop {
        let mut observer = StoppingObserver::default();
        let mut engine = engine(EngineConfig {
            checkpoints: CheckpointPace::Choices(choices),
            interrupt: observer.interrupt.clone(),
            ..config.clone()
        })?;
        let summary = match checkpoint {
            None => engine.run(&mut observer),
            Some(bytes) => engine.resume(&bytes, &RUN, &mut observer).context("cannot go on")?,
        };
        checkpoint = observer.checkpoint;
        if checkpoint.is_none() {
            return Ok(summary);
        }
        choices *= GROWTH;
    }
}
