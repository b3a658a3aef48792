//! The tree of names: directories, paths through them, and the operations that make, move and remove names.
//!
//! Not here: the bytes of files (`content`), files of the host (`host`), and what a crash leaves
//! (`durable`).

pub(crate) mod changes;
pub(crate) mod create;
pub(crate) mod dir;
pub(crate) mod link;
pub(crate) mod names;
pub(crate) mod path;
pub(crate) mod readdir;
pub(crate) mod rename;
