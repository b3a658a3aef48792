//! Sockets, of which there are none: this system has no network, and no local sockets.

use syscalls::{Errno, Sysno};

use super::Handler;
use crate::call::Call;
use crate::kernel::Guest;
use crate::reply::Answer;

/// Sockets between processes of one machine.
const AF_UNIX: u32 = 1;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    match call {
        Sysno::socket => Some(socket),
        _ => None,
    }
}

/// The C library asks a local service for users and groups first, and reads files where there are no
/// local sockets. Whoever wants another kind is told that it is missing here, not by the program.
fn socket<X: Guest>(call: &mut Call<'_, '_, X>) -> Answer {
    match call.arg32(0)? {
        AF_UNIX => Err(Errno::EAFNOSUPPORT.into()),
        family => Err(call.unsupported(format!("family {family}"))),
    }
}
