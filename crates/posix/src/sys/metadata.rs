//! Changing and asking for what is kept about files: rights, owners, times.

use syscalls::Sysno;

use super::{Handler, stat};
use crate::kernel::Guest;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    match call {
        _ => stat::handler(call),
    }
}
