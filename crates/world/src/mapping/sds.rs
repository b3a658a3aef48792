//! Super-dstates: a state is in as many dstates as need it, and is copied only when it gets
//! different things in them.

use super::Mapping;

/// The mapping that shares everything.
pub(crate) struct SuperDStates;

impl Mapping for SuperDStates {}
