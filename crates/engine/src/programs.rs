//! The programs of a run: loaded by content, with places in their source, distances in their code, names as
//! people write them, and the names that they may expect of a C library.

pub(crate) mod distance;
pub(crate) mod libc_names;
pub(crate) mod library;
pub(crate) mod names;
pub(crate) mod places;
