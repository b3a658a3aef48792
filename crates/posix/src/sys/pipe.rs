//! Pipes and fifos.

use everett_base::define_id;
use syscalls::Sysno;

use super::Handler;
use crate::kernel::Guest;

pub(crate) fn handler<X: Guest>(call: Sysno) -> Option<Handler<X>> {
    let _ = call;
    None
}

define_id!(
    /// Numbers pipes.
    pub(crate) struct PipeId,
    "pipe"
);

/// All pipes of a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipes {}
