//! Messages that senders can send, and Trojan messages: what the workers of a run know about them together.
//!
//! A run that replaces messages has two phases. In the first one, nothing is replaced, and every message that
//! a sender sends is collected with the condition of its path ([`SenderCollector`]). In the second one,
//! messages are replaced by symbolic bytes, which are compared with what was collected ([`TrojanHunt`]). Both
//! phases have one pool of terms, so inputs of both are the same bytes.
//!
//! A sender's message belongs to a [`Moment`] of its conversation with the receiver. A state of the receiver
//! that is at this moment could have got it. So only messages of paths count that fit what the two have said
//! to each other before, as in a world; conditions on bytes of earlier messages are compared by the solver.

mod collector;
mod conversation;
mod hunt;

use std::sync::Arc;

use everett_expr::Pool;

pub(crate) use self::collector::{SenderCollector, WantedMessages};
use self::conversation::ArrivingMessages;
pub(crate) use self::conversation::TrojanWays;
pub(crate) use self::hunt::{ExploredSenders, HuntRecord, TrojanHunt};
use crate::api::trojan::{TrojanOptions, TrojanProgress};
use crate::state::node_state::{DueActivation, PathState};

/// The phase of a run that replaces messages.
#[derive(Clone)]
pub(crate) enum TrojanPhase {
    /// Messages of senders are collected.
    Collects(Arc<SenderCollector>),
    /// Messages are replaced.
    Replaces(Arc<TrojanHunt>),
}

impl TrojanPhase {
    fn options(&self) -> &TrojanOptions {
        match self {
            TrojanPhase::Collects(collector) => &collector.options,
            TrojanPhase::Replaces(hunt) => &hunt.options,
        }
    }

    fn ways(&self) -> &TrojanWays {
        match self {
            TrojanPhase::Collects(collector) => &collector.ways,
            TrojanPhase::Replaces(hunt) => &hunt.ways,
        }
    }

    /// How far the search has come.
    pub(crate) fn progress(&self) -> TrojanProgress {
        match self {
            TrojanPhase::Collects(collector) => {
                TrojanProgress::Collects { sender_paths: collector.path_count() }
            }
            TrojanPhase::Replaces(hunt) => hunt.progress(),
        }
    }

    /// Returns `true` if a state gets the message that was to be replaced as it was sent, and only worlds are
    /// wanted in which it was replaced.
    pub(crate) fn is_past(&self, pool: &Pool, st: &PathState, due: &DueActivation) -> bool {
        let TrojanOptions { at: Some(at), only_replaced: true, .. } = self.options() else {
            return false;
        };
        let ways = self.ways();
        // What another sender sends to the receiver as it is now may come later.
        let is_collected = ways.senders_to(st.extra.of).len() == 1 && !ways.has_other_faults;
        if matches!(self, TrojanPhase::Collects(_)) && !is_collected {
            return false;
        }
        let arriving = ArrivingMessages { ways, pool, st, due };
        st.extra.links().trojan.is_none()
            && arriving.replaceable().iter().any(|(number, _)| number >= at)
    }
}
