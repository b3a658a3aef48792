//! The engine's part of a state of a node; the interpreter has its own.
//!
//! Everything that can differ between two branches is here or in `everett-interp`; cloning it is
//! branching. States are changed by the rooms above.

pub(crate) mod boot;
pub(crate) mod booted_system;
pub(crate) mod conditions;
pub(crate) mod exposure;
pub(crate) mod inputs;
pub(crate) mod node_state;
pub(crate) mod setup;
pub(crate) mod trojan;
pub(crate) mod twin;
