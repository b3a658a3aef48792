//! [`SentMessages`]: the messages that a node can send, for questions about recorded traffic.

use std::sync::Arc;

use everett_expr::Pool;
use everett_solver::{SolverChain, SolverError};
use everett_trojan::{MessageOrigin, SearchLimits, SenderSet, TrojanSearch};

use crate::api::summary::Summary;

/// The messages that a node can send ([`Engine::sent_messages`](crate::Engine::sent_messages)).
pub struct SentMessages {
    pool: Pool,
    search: TrojanSearch,
    chain: SolverChain,
    summary: Summary,
}

impl SentMessages {
    pub(crate) fn new(
        pool: Pool,
        senders: SenderSet,
        chain: SolverChain,
        summary: Summary,
    ) -> SentMessages {
        let search = TrojanSearch::new(Arc::new(senders), SearchLimits::default());
        SentMessages { pool, search, chain, summary }
    }

    /// The messages, with the conditions under which they are sent.
    pub fn senders(&self) -> &SenderSet {
        self.search.senders()
    }

    /// The run that has found them.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Says whether the node can have sent a message and, if it cannot, why. As long as not all paths were
    /// explored ([`SenderSet::is_explored_to_end`]), others may have sent it.
    pub fn origin(&mut self, message: &[u8]) -> Result<MessageOrigin, SolverError> {
        self.search.origin(&self.pool, &mut self.chain, message)
    }
}
