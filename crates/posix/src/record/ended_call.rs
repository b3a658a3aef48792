//! [`EndedCall`]: a system call whose event is being filled in.

use everett_interp::{Interp, State};
use everett_replay::script::ScriptEvent;

use super::memory;
use crate::kernel::Guest;
use crate::state::recording::PendingCall;

/// A call that is over, or waits, and its event, which is being filled in.
pub(super) struct EndedCall<'c, 'a, X> {
    pub(super) cx: &'c Interp<'a, X>,
    pub(super) st: &'c mut State<X>,
    pub(super) pending: &'c PendingCall,
    pub(super) event: &'c mut ScriptEvent,
}

impl<X: Guest> EndedCall<'_, '_, X> {
    /// Bytes of the program's memory.
    pub(super) fn bytes(&mut self, at: u64, len: u64) -> Vec<u8> {
        memory::bytes(self.cx, self.st, at, len)
    }

    /// A number in the program's memory.
    pub(super) fn number(&mut self, at: u64, len: u64) -> u64 {
        memory::number(self.cx, self.st, at, len)
    }

    /// Bytes that the call has put somewhere, if it has succeeded.
    pub(super) fn success(&mut self, at: u64, len: u64) -> Vec<u8> {
        if self.event.errno == 0 { self.bytes(at, len) } else { Vec::new() }
    }
}
