//! The answers of handlers.

use everett_interp::{Flow, Stop, Unsupported};
use syscalls::Errno;

use crate::state::wait::Wait;

/// The answer of a handler.
pub(crate) type Answer = Result<Reply, Halt>;

/// The outcome of a system call that does not fail.
#[derive(Debug)]
pub(crate) enum Reply {
    /// It returns this value.
    Value(u64),
    /// The thread waits; then the call is executed again.
    Wait(Wait),
    /// The handler has arranged itself where execution goes on.
    Control(Flow),
}

/// The reason why a handler stops before it has a value.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The call fails with this error number.
    Errno(Errno),
    /// The path ends, or goes on elsewhere.
    Flow(Flow),
    /// The engine gives the path up.
    Stop(Stop),
}

impl From<Errno> for Halt {
    fn from(errno: Errno) -> Halt {
        Halt::Errno(errno)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

impl Halt {
    /// Something that the kernel does not implement, by the name of the call.
    pub(crate) fn unsupported(call: &str, what: impl std::fmt::Display) -> Halt {
        let (function, reason) = (call.to_owned(), what.to_string());
        Halt::Stop(Unsupported::Primitive { function, reason }.into())
    }
}
