//! Analyses before a function is lowered: needed symbols, roles of values, live ranges and slots.

pub(crate) mod live;
pub(crate) mod plan;
pub(crate) mod reach;
pub(crate) mod slots;
