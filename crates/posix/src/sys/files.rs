//! Files: names, directories, attributes, locks, and the descriptors of a process.

pub(crate) mod close;
pub(crate) mod control;
pub(crate) mod directory;
pub(crate) mod fcntl;
pub(crate) mod link;
pub(crate) mod lock;
pub(crate) mod memory_file;
pub(crate) mod metadata;
pub(crate) mod open;
pub(crate) mod path;
pub(crate) mod stat;
pub(crate) mod terminal;
