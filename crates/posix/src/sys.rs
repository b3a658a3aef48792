//! The handlers of system calls, one file per family, and their dispatch.
//!
//! To add a call, write its handler in the file of its family and its row in `calls/table.rs`.

pub(crate) mod event;
mod files;
pub(crate) mod io;
pub(crate) mod ipc;
pub(crate) mod memory;
pub(crate) mod pollable;
mod processes;
pub(crate) mod random;
pub(crate) mod socket;
pub(crate) mod system;
pub(crate) mod time;

use syscalls::{Errno, Sysno};

// The rows of the table, and all others, name a family by its file alone.
pub(crate) use self::files::{
    close, control, directory, fcntl, link, lock, memory_file, metadata, open, path, stat, terminal,
};
pub(crate) use self::ipc::{posix_queue, semaphore, shared_memory, system_queue};
pub(crate) use self::pollable::{epoll, eventfd, inotify, pipe, poll, signalfd, timerfd};
pub(crate) use self::processes::{exec, futex, identity, libraries, limits, process, signal};
use crate::calls::table::each_system_call;
use crate::kernel::Guest;
use crate::kernel::call::{Call, Handler};
use crate::kernel::reply::Answer;
use crate::state::node::Node;

macro_rules! handlers {
    ($(
        $call:ident: $handler:path, $subject:expr, $failures:expr, $crash:expr, $after:expr,
        $($script:ident)|+ $(=> $details:ident)?;
    )*) => {
        /// The handler of a call, if it has one.
        pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
            match call {
                $(Sysno::$call => Some($handler),)*
                _ => None,
            }
        }
    };
}

each_system_call!(handlers);

/// The handler of a call, if it has one. While files are watched, it tells what it does to them.
pub(crate) fn handler_at<X: Guest>(node: &Node, call: Sysno) -> Option<Handler<X>> {
    let plain = handler(call)?;
    Some(if node.volatile.inotify.has_watches() { told } else { plain })
}

fn told<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    match handler(call.sysno) {
        Some(handler) => inotify::file_events::told(call, handler),
        None => Err(Errno::ENOSYS.into()),
    }
}
