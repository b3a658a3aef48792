//! The exploration: workers, their loop over states, and what becomes of states.
//!
//! Read [`worker`] first, which has the loop. A run begins in [`run`], with the states of [`start`]; a
//! state that does not simply run on goes through [`endings`].

pub(crate) mod boot;
pub(crate) mod endings;
pub(crate) mod finish;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod shared_states;
pub(crate) mod splitting;
pub(crate) mod start;
pub(crate) mod worker;
pub(crate) mod world_tests;
