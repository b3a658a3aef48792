//! The handlers of system calls, one file per family, and the table that finds them.
//!
//! To add a call, write its handler in the file of its family and name it in that file's `handler`.

pub(crate) mod close;
pub(crate) mod control;
pub(crate) mod directory;
pub(crate) mod epoll;
pub(crate) mod event;
pub(crate) mod eventfd;
pub(crate) mod exec;
pub(crate) mod fcntl;
pub(crate) mod futex;
pub(crate) mod identity;
pub(crate) mod io;
pub(crate) mod limits;
pub(crate) mod link;
pub(crate) mod lock;
pub(crate) mod memory;
pub(crate) mod metadata;
pub(crate) mod open;
pub(crate) mod path;
pub(crate) mod pipe;
pub(crate) mod poll;
pub(crate) mod process;
pub(crate) mod random;
pub(crate) mod signal;
pub(crate) mod signalfd;
pub(crate) mod socket;
pub(crate) mod stat;
pub(crate) mod system;
pub(crate) mod time;
pub(crate) mod timerfd;

use syscalls::Sysno;

use crate::call::Call;
use crate::kernel::Guest;
use crate::reply::Answer;

/// A handler.
pub(crate) type Handler<X> = fn(&mut Call<'_, '_, X>) -> Answer;

/// The handler of a call, if it has one.
pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    // Files and descriptors.
    open::handler(call)
        .or_else(|| close::handler(call))
        .or_else(|| io::handler(call))
        .or_else(|| metadata::handler(call))
        .or_else(|| directory::handler(call))
        .or_else(|| link::handler(call))
        .or_else(|| fcntl::handler(call))
        .or_else(|| control::handler(call))
        .or_else(|| lock::handler(call))
        // What can be waited for.
        .or_else(|| pipe::handler(call))
        .or_else(|| socket::handler(call))
        .or_else(|| eventfd::handler(call))
        .or_else(|| timerfd::handler(call))
        .or_else(|| signalfd::handler(call))
        .or_else(|| epoll::handler(call))
        .or_else(|| poll::handler(call))
        // The process and the machine.
        .or_else(|| memory::handler(call))
        .or_else(|| time::handler(call))
        .or_else(|| identity::handler(call))
        .or_else(|| limits::handler(call))
        .or_else(|| random::handler(call))
        .or_else(|| system::handler(call))
        .or_else(|| process::handler(call))
        .or_else(|| exec::handler(call))
        .or_else(|| futex::handler(call))
        .or_else(|| signal::handler(call))
}
