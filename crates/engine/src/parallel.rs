//! Things that the workers of a run have in common: its context, and the exchange of work.
//!
//! Not here: how a worker splits its part of the set of worlds, and how it takes over what another has
//! run (`explore`).

pub(crate) mod checkpoint;
pub(crate) mod context;
pub(crate) mod exchange;
pub(crate) mod part_bytes;
pub(crate) mod reporter_record;
pub(crate) mod shared_states;
pub(crate) mod spilled_part;
