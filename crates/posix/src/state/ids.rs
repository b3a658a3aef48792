//! The numbers by which parts of a node are named, and the unit of its time.

use everett_base::{define_id, shares_nothing};

/// Number of a process, as the program sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pid(pub u32);

everett_base::portable!(struct Pid(value));

/// Number of a thread, as the program sees it; the first thread of a process has the process's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Tid(pub u32);

everett_base::portable!(struct Tid(value));

/// A thread of the node.
pub(crate) type ThreadKey = (Pid, Tid);

/// The key that no thread has.
pub(crate) const NOBODY: ThreadKey = (Pid(0), Tid(0));

/// Nanoseconds of virtual time since the node was started.
pub(crate) type Time = u64;

define_id!(
    /// Numbers open files in the order in which they were opened.
    pub(crate) struct FileId,
    "file"
);

define_id!(
    /// Numbers pipes.
    pub(crate) struct PipeId,
    "pipe"
);

define_id!(
    /// Numbers sockets in the order in which they were made.
    pub(crate) struct SocketId,
    "socket"
);

shares_nothing!(SocketId);
