//! States that several jobs have: [`TwinName`].
//!
//! When the worlds of a job are divided, a state may be in worlds of several parts. Each of the jobs that go
//! on with these parts has it then, and they know nothing of each other. Such states are *twins*. Activated
//! with the same messages, twins do the same, so whatever they do has one name in all jobs, and results that
//! have the same name are counted once ([`crate::results::twins`]).
//!
//! A name is derived from that of the state before: by what it is activated with, and by the fork at which
//! another state parts from it.

use std::hash::{BuildHasher, Hash, Hasher};

use everett_base::hash::{FixedState, hash_one};
use everett_expr::Pool;
use everett_memory::ByteValue;
use everett_net::Message;
use everett_posix::{Guest, Payload, SharedMessage};
use everett_world::{Arrival, Stamp, StateId};

use crate::state::conditions::TravellingConditions;
use crate::state::node_state::PathState;

/// The name of a state that several jobs may have, from an activation or a fork to the next activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TwinName(u64, u64);

everett_base::portable!(struct TwinName(first, second));

impl TwinName {
    /// The name of a state of a job whose worlds are divided; `job` is a digest of the job's bytes.
    pub(crate) fn of_divided(job: u64, state: StateId) -> TwinName {
        TwinName(job, u64::from(state.0)).after(0)
    }

    /// The name of what comes after a step. Steps of the same state differ in their digests.
    fn after(self, step: u64) -> TwinName {
        TwinName(hash_one(&(0u8, self, step)), hash_one(&(1u8, self, step)))
    }

    /// The name of the state when it is activated with messages.
    pub(crate) fn activated(
        self,
        at: Stamp,
        arrivals: &[Arrival<SharedMessage>],
        pool: &Pool,
        conditions: &TravellingConditions,
    ) -> TwinName {
        let mut hasher = FixedState.build_hasher();
        at.hash(&mut hasher);
        for arrival in arrivals {
            let Arrival { at, from, number, message, carried } = arrival;
            (at, from, number).hash(&mut hasher);
            hash_message(message, pool, &mut hasher);
            for term in conditions.get(*carried) {
                pool.structural_hash(*term).hash(&mut hasher);
            }
            conditions.spent(*carried).hash(&mut hasher);
        }
        self.after(hasher.finish())
    }

    /// The name of a state that has just parted from the one of this name, as the sibling of a number among
    /// those that parted from it at once and are alike in everything else.
    pub(crate) fn parted(self, sibling: &PathState, alike: u32, pool: &Pool) -> TwinName {
        let newest = sibling.path.constraints().next().map(|term| pool.structural_hash(term));
        let order = sibling.extra.node().order_choice(sibling.depth);
        let forks = (sibling.depth, sibling.path.len(), newest, order, alike);
        self.after(hash_one(&forks))
    }
}

/// Hashes a message by its content, which is the same in every process.
fn hash_message(message: &Message<Payload>, pool: &Pool, hasher: &mut impl Hasher) {
    let Message { kind, protocol, id, source, destination, request, connection, .. } = message;
    (kind, protocol, id, source, destination, request, connection).hash(hasher);
    (message.ttl, message.status, message.credit).hash(hasher);
    match &message.payload {
        Payload::Known(bytes) => bytes.hash(hasher),
        Payload::Mixed(bytes) => {
            for byte in &**bytes {
                match byte {
                    ByteValue::Concrete(byte) => (0u8, u64::from(*byte)).hash(hasher),
                    ByteValue::Symbolic(term) => {
                        (1u8, pool.structural_hash(*term)).hash(hasher);
                    }
                }
            }
        }
    }
}
