//! The ends of states that several workers have: [`StateEnd`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_interp::Bug;
use everett_posix::SharedMessage;
use everett_world::{NextWake, SentMessage, SharedStateTable};

use crate::api::report::{PathOutcome, SourcePlace};
use crate::state::node_state::PathState;

/// The states that several workers have, with their ends and outcomes.
pub(crate) type SharedStates = SharedStateTable<SharedMessage, StateEnd, Option<Arc<PathOutcome>>>;

/// A state as it was when it blocked or ended.
pub(crate) struct StateEnd {
    pub(crate) st: Mutex<Box<PathState>>,
    pub(crate) how: EndKind,
    /// The bug that it has shown.
    pub(crate) bug: Option<ShownBug>,
}

/// The ways in which a state comes to its end.
#[derive(Clone)]
pub(crate) enum EndKind {
    Blocked { next: NextWake, exited: bool, sent: Vec<SentMessage<SharedMessage>> },
    Ended,
}

everett_base::portable!(enum EndKind { 0 = Blocked { next, exited, sent }, 1 = Ended });

/// A bug that a state has shown, with another stack than its own if it has one.
#[derive(Clone)]
pub(crate) struct ShownBug {
    pub(crate) bug: Bug,
    pub(crate) stack: Option<Vec<SourcePlace>>,
    /// A world with it was found.
    pub(crate) found: bool,
}

everett_base::portable!(struct ShownBug { bug, stack, found });

impl StateEnd {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Box<PathState>> {
        self.st.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, for one more worker.
    pub(crate) fn shared_copy(&self) -> Box<PathState> {
        let mut st = self.lock();
        let mut copy = st.copy();
        copy.covered_new = st.covered_new;
        copy.extra.is_shared = true;
        copy
    }
}
