//! Violations of invariants: [`Violation`].

use std::rc::Rc;
use std::sync::Arc;

use everett_expr::TermId;
use everett_interp::BugKind;
use everett_memory::ByteValue;
use everett_world::NodeId;
use minvariant::{CollectedData, InvariantId};

use crate::parallel::context::RunContext;
use crate::state::exposure::Exposure;

/// A violation in a world.
pub(crate) struct Violation {
    /// Names it among all violations of the run.
    pub(crate) key: u64,
    pub(crate) invariant: InvariantId,
    /// The node that exposed what violates it, and what that was; none at the end of a world.
    pub(crate) exposed: Option<(NodeId, Arc<Exposure>)>,
    /// The condition under which it is violated.
    pub(crate) condition: TermId,
    pub(crate) collected: Rc<Vec<CollectedData<ByteValue>>>,
}

/// Returns `true` if the user wants to hear nothing of an invariant.
pub(crate) fn is_ignored(context: &RunContext<'_>, invariant: InvariantId) -> bool {
    let Some(program) = &context.config.invariants else { return false };
    let invariant = program.invariant(invariant);
    let (file, line) = (&invariant.location.file, invariant.location.line);
    context.config.exec.ignored.covers(BugKind::Invariant, &invariant.name, file, line)
}
