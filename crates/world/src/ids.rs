//! Identifiers of nodes, their states, and sets of those.

use everett_base::define_id;

define_id!(
    /// A node of the system; nodes are numbered from zero.
    pub struct NodeId, "n"
);
define_id!(
    /// A node state. The embedder hands out the numbers; a number may be used again once its state
    /// is gone.
    pub struct StateId, "s"
);
define_id!(
    /// A dstate: a set of states for each node.
    pub struct DStateId, "d"
);
