//! What became of states that several workers have: their [`End`]s.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_interp::Bug;
use everett_world::{Next, Sent, Twins};

use crate::api::report::{PathOutcome, Place};
use crate::state::node_state::{Message, St};

/// What is known of states that several workers have.
pub(crate) type AllTwins = Twins<Message, End, Option<Arc<PathOutcome>>>;

/// What a state was when it blocked or ended.
pub(crate) struct End {
    pub(crate) st: Mutex<Box<St>>,
    pub(crate) how: How,
    /// The bug that it has shown.
    pub(crate) bug: Option<Shown>,
}

/// How a state has come to its end.
#[derive(Clone)]
pub(crate) enum How {
    Blocked { next: Next, exited: bool, sent: Vec<Sent<Message>> },
    Ended,
}

/// A bug that a state has shown, with another stack than its own if it has one.
pub(crate) struct Shown {
    pub(crate) bug: Bug,
    pub(crate) stack: Option<Vec<Place>>,
    /// Whether a world with it was found.
    pub(crate) found: bool,
}

impl End {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Box<St>> {
        self.st.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, for one more worker.
    pub(crate) fn twin(&self) -> Box<St> {
        let mut st = self.lock();
        let mut copy = st.copy();
        copy.covered_new = st.covered_new;
        copy.extra.is_twin = true;
        copy
    }
}
