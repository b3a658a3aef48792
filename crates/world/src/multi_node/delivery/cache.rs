//! The states of a node that have sent something ([`SendingStates`]), and the answers about deliveries that
//! were found out before ([`DeliveryCache`]).
//!
//! Both are kept by the *versions* of the sets they follow from: a set gets a new version whenever
//! something about its members changes, and versions are never used twice.

use std::sync::Arc;

use everett_base::Map;
use smallvec::SmallVec;

use crate::multi_node::pending::{HashedList, PendingArrivals};
use crate::multi_node::table::{StateSetId, StateSlot};
use crate::{CarriedConstraints, NodeId, SentMessage};

/// States of a node that sent the same, with the same constraints.
pub(crate) struct SenderGroup<M> {
    /// Sorted.
    pub(super) states: Vec<StateSlot>,
    pub(super) sent: Option<Arc<HashedList<SentMessage<M>>>>,
    /// The nodes that it was sent to, sorted.
    pub(crate) to: SmallVec<[NodeId; 4]>,
    /// The constraints that travel to each receiver, for those to which any do; sorted by receiver.
    pub(super) carried: Vec<(StateSlot, CarriedConstraints)>,
    /// Its position among the groups of the node.
    pub(super) number: u32,
}

/// The states of a node of which one has sent something.
pub(crate) struct SendingStates<M> {
    pub(crate) node: NodeId,
    pub(crate) groups: Vec<SenderGroup<M>>,
    /// Its number, which no other one ever has: answers about deliveries are kept by it.
    pub(super) number: u64,
}

/// The version of a set, and those of the sets that it sends to.
pub(super) type SenderKey = SmallVec<[u64; 6]>;
/// The version of a set, and the senders and groups that send to it or split it.
pub(super) type DeliveryKey = (u64, SmallVec<[(u64, u32); 2]>);

/// Answers about senders and receivers that were found out before.
pub(crate) struct DeliveryCache<M> {
    /// The number of senders that were found out.
    pub(super) number: u64,
    pub(super) senders: Map<SenderKey, Arc<SendingStates<M>>>,
    /// The resulting set, with its version then; none if no state was left.
    pub(super) deliveries: Map<DeliveryKey, Option<(StateSetId, u64)>>,
    /// The constraints that travel from one state to another, by their serial numbers.
    pub(super) carried: Map<(u64, u64), CarriedConstraints>,
    /// Answers whether a state joins with its arrivals, by its serial number and the hash of the list.
    pub(super) joined: Map<(u64, u64), JoinAnswers<M>>,
}

/// Lists with the same hash, and whether the state joins with each.
pub(super) type JoinAnswers<M> = SmallVec<[(Arc<PendingArrivals<M>>, bool); 1]>;

impl<M> DeliveryCache<M> {
    pub(crate) fn new() -> DeliveryCache<M> {
        DeliveryCache {
            number: 0,
            senders: Map::default(),
            deliveries: Map::default(),
            carried: Map::default(),
            joined: Map::default(),
        }
    }
}
