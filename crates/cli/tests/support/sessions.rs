//! Runs that are stopped at checkpoints, and gone on with by another engine: [`explore`]; and runs that are
//! explored in jobs, each by an engine of its own: [`explore_in_jobs`].

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use everett_base::Interrupt;
use everett_base::interrupt::StopReason;
use everett_engine::{
    Checkpoint, CheckpointPace, Engine, EngineConfig, JobNews, JobPace, JobResults, Observer,
    SilentObserver, Summary,
};

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

/// Checks that a run was not explored in one piece, if it makes more choices than one piece may have: a run
/// that has so many forks does.
fn check_pieces(pieces: u64, summary: &Summary) -> Result<()> {
    let (forks, most) = (summary.forks, 2 * FIRST_CHOICES);
    ensure!(pieces > 1 || forks <= most, "a run with {forks} forks was explored in one piece");
    Ok(())
}

/// Explores in sessions, each of which begins at the checkpoint that has ended the one before it.
pub(crate) fn explore(
    config: &EngineConfig,
    engine: impl Fn(EngineConfig) -> Result<Engine>,
) -> Result<Summary> {
    let (mut choices, mut sessions) = (FIRST_CHOICES, 0);
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
        sessions += 1;
        if checkpoint.is_none() {
            check_pieces(sessions, &summary)?;
            return Ok(summary);
        }
        choices *= GROWTH;
    }
}

/// Explores in jobs, each of which leaves two or three parts if it can, which may have states in common; the
/// first ones are short.
pub(crate) fn explore_in_jobs(
    config: &EngineConfig,
    engine: impl Fn(EngineConfig) -> Result<Engine>,
) -> Result<Summary> {
    let fold = engine(config.clone())?;
    let mut results = JobResults::new(&fold, RUN);
    let mut jobs = VecDeque::from([fold.first_job(&RUN)]);
    let (mut choices, mut parts, mut pieces) = (FIRST_CHOICES, 2, 0);
    while let Some(job) = jobs.pop_front() {
        let pace = JobPace { choices: Some((choices, parts)), ..JobPace::default() };
        let config = EngineConfig { workers: 1, interrupt: Interrupt::new(), ..config.clone() };
        let done = engine(config)?.work_on(&job, &RUN, pace, &[], &mut SilentObserver)?;
        match results.add(&done.record, &mut SilentObserver)? {
            JobNews::GoesOn => jobs.extend(done.children.into_iter().map(|child| child.bytes)),
            JobNews::Ends => break,
            JobNews::BeginsAgain(first) => {
                results = JobResults::new(&fold, RUN);
                jobs = VecDeque::from([first]);
            }
        }
        choices += choices / 2 + 1;
        parts = 5 - parts;
        pieces += 1;
    }
    let summary = results.summary(Duration::ZERO, 1, &mut SilentObserver);
    check_pieces(pieces, &summary)?;
    Ok(summary)
}
