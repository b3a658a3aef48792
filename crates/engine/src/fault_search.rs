//! Searching faults one run at a time, where there are too many to explore them all: [`FaultSearch`].
//!
//! Inputs have fixed values, so that a fault makes one world: an *experiment*. A run without faults tells
//! where faults are possible, which makes the [`space`] that an [`explorer`] picks from, and what
//! normally happens, which the effects of a fault are compared with ([`observation`]). Each experiment tells
//! what can happen beside its faults, so that others can be added to those with effects. Faults with
//! the same effects are put together ([`FaultCluster`]).
//!
//! Not here: limits of time, and what is shown (the driver).

mod ahead;
mod experiment;
mod explorer;
mod observation;
mod run;
mod runner;
mod search;
mod space;

#[cfg(test)]
mod tests;

pub use experiment::{FaultCluster, FaultExperiment, SearchedFault};
pub use explorer::FaultStrategy;
pub use observation::FaultTest;
pub use run::{ExperimentEngine, ExperimentJob, ExperimentRun};
pub use runner::{ExperimentRunner, RunnerError};
pub use search::{FaultSearch, FaultSearchConfig, FaultSearchError};
