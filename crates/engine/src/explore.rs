//! The exploration: workers, their loop over states, and the order of states.
//!
//! Read [`worker`] first, which has the loop. A run begins in [`run`], with the states of [`start`]; an
//! [`executor`] lets a state take a step, and a [`schedule`] says which state is next.

pub(crate) mod executor;
pub(crate) mod held_observer;
pub(crate) mod job;
pub(crate) mod job_record;
pub(crate) mod pace;
pub(crate) mod quiet_observer;
pub(crate) mod run;
pub(crate) mod run_record;
pub(crate) mod schedule;
pub(crate) mod search;
pub(crate) mod start;
pub(crate) mod worker;
