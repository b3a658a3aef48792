//! Names: links, removal, renaming.

use syscalls::Sysno;

use super::Handler;
use crate::kernel::Guest;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}
