//! `epoll`.

use syscalls::Sysno;

use super::Handler;
use crate::kernel::Guest;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

/// An `epoll` instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Epoll {}
