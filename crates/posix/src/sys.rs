//! The handlers of system calls, one file per family, and their dispatch.
//!
//! To add a call, write its handler in the file of its family and its row in `calls/table.rs`.

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
use crate::calls::table::each_system_call;
use crate::kernel::Guest;
use crate::reply::Answer;

/// A handler.
pub(crate) type Handler<X> = fn(&mut Call<'_, '_, X>) -> Answer;

macro_rules! handlers {
    ($(
        $call:ident: $handler:path, $subject:expr, $failures:expr, $crash:expr, $after:expr,
        $($script:ident)|+;
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
