//! The seam through which an evaluation gets the nodes and their data.
//!
//! Every question goes through these traits, answered or not: an embedding that wraps a provider learns
//! what an evaluation depended on.

use std::borrow::Cow;
use std::fmt;

use crate::domain::Domain;

/// The name of data: what a node exposes in a state under a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DataTriple<'a> {
    /// Name of the node
    pub node: &'a str,
    /// State, a number that the program chose
    pub state: i64,
    /// Key
    pub key: &'a str,
}

impl fmt::Display for DataTriple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", self.node, self.state, self.key)
    }
}

/// The time of an exposure. Exposures of different nodes in the same round of the same time are
/// concurrent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExposureStamp {
    /// Time in nanoseconds
    pub time: u64,
    /// Round within the time
    pub round: u32,
    /// Number within the round, on one node
    pub sequence: u32,
}

impl ExposureStamp {
    /// Returns `true` if this exposure came strictly before another one, of the same node or not.
    pub fn is_before(self, other: ExposureStamp, same_node: bool) -> bool {
        let (a, b) = ((self.time, self.round), (other.time, other.round));
        a < b || a == b && same_node && self.sequence < other.sequence
    }
}

/// Data as it was exposed once.
#[derive(Clone, Debug)]
pub struct ExposedData<'a, B: Clone> {
    /// The bytes
    pub bytes: Cow<'a, [B]>,
    /// The time of the exposure
    pub stamp: ExposureStamp,
}

/// The nodes of a system.
pub trait NodeProvider {
    /// Calls `each` with the name of every node, in an order that is always the same.
    fn nodes(&self, each: &mut dyn FnMut(&str));
    /// Returns the name that the node has for itself; none if there is no such node.
    fn hostname(&self, node: &str) -> Option<Cow<'_, str>>;
    /// The addresses of the node; none if there is no such node.
    fn addresses(&self, node: &str) -> Option<Vec<String>>;
    /// Returns whether the node is alive; none if there is no such node.
    fn alive(&self, node: &str) -> Option<bool>;
    /// The time of the system in nanoseconds.
    fn time(&self) -> u64;
    /// The node whose exposure is the reason for this evaluation; none at an end.
    fn exposing(&self) -> Option<Cow<'_, str>>;
    /// Returns `true` if the world is at its end.
    fn ended(&self) -> bool;
}

/// The data of the nodes.
pub trait DataProvider<D: Domain> {
    /// Returns the number of times that the triple was exposed.
    fn count(&self, triple: DataTriple<'_>) -> usize;
    /// Returns the data at the given place of the history, 0 for the first; none behind the last.
    fn nth(&self, triple: DataTriple<'_>, index: usize) -> Option<ExposedData<'_, D::Byte>>;
    /// Returns the data that was exposed last.
    fn latest(&self, triple: DataTriple<'_>) -> Option<ExposedData<'_, D::Byte>> {
        self.nth(triple, self.count(triple).checked_sub(1)?)
    }
}

/// Both providers of an evaluation.
pub struct Providers<'a, D: Domain> {
    /// The nodes
    pub nodes: &'a dyn NodeProvider,
    /// Their data
    pub data: &'a dyn DataProvider<D>,
}

impl<'a, D: Domain> Providers<'a, D> {
    /// One object that provides both.
    pub fn of<P: NodeProvider + DataProvider<D>>(both: &'a P) -> Providers<'a, D> {
        Providers { nodes: both, data: both }
    }
}

impl<D: Domain> Clone for Providers<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Domain> Copy for Providers<'_, D> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_round_on_different_nodes_is_concurrent() {
        let stamp = |time, round, sequence| ExposureStamp { time, round, sequence };
        assert!(stamp(1, 0, 9).is_before(stamp(2, 0, 0), false));
        assert!(stamp(1, 0, 9).is_before(stamp(1, 1, 0), false));
        assert!(!stamp(1, 0, 0).is_before(stamp(1, 0, 1), false));
        assert!(stamp(1, 0, 0).is_before(stamp(1, 0, 1), true));
        assert!(!stamp(1, 0, 1).is_before(stamp(1, 0, 1), true));
    }
}
