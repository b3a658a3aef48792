//! The answers of handlers.

use everett_interp::{Flow, Halt, Stop, UnsupportedFeature};
use syscalls::Errno;

use crate::state::wait::Wait;

/// The answer of a handler.
pub(crate) type Answer = Result<Reply, CallHalt>;

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
pub(crate) enum CallHalt {
    /// The call fails with this error number.
    Errno(Errno),
    /// The path ends, goes on elsewhere, or is given up.
    Halt(Halt),
}

impl From<Errno> for CallHalt {
    fn from(errno: Errno) -> CallHalt {
        CallHalt::Errno(errno)
    }
}

impl From<Halt> for CallHalt {
    fn from(halt: Halt) -> CallHalt {
        CallHalt::Halt(halt)
    }
}

impl From<Flow> for CallHalt {
    fn from(flow: Flow) -> CallHalt {
        CallHalt::Halt(flow.into())
    }
}

impl From<Stop> for CallHalt {
    fn from(stop: Stop) -> CallHalt {
        CallHalt::Halt(stop.into())
    }
}

impl CallHalt {
    /// Something that the kernel does not implement, by the name of the call.
    pub(crate) fn unsupported(call: &str, what: impl std::fmt::Display) -> CallHalt {
        let (function, reason) = (call.to_owned(), what.to_string());
        CallHalt::Halt(UnsupportedFeature::Primitive { function, reason }.into())
    }
}
