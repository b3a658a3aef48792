//! States that several workers have, since worlds were given away that share them.
//!
//! The activation of such a state is run by the worker that comes to it first; the others
//! take over what has come of it, its [`StateEnd`]s. Who has which of them is known to
//! [`everett_world::SharedStateTable`].

use std::sync::{Arc, Mutex};
use std::time::Duration;

use everett_world::{
    ActivationClaim, ActivationId, ClosedState, ReleasedStates, RemovalReason, StateId,
};

use super::Worker;
use crate::api::dropped::DropReason;
use crate::api::report::PathOutcome;
use crate::parallel::shared_states::{EndKind, ShownBug, StateEnd};
use crate::state::node_state::{PathState, StateRunner};

/// The time for which a worker waits for others before it looks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(5);

impl Worker<'_, '_> {
    /// Claims a state that is to run; `false` if another worker runs it, for whom this one has to wait.
    pub(crate) fn may_run(&mut self, st: &mut PathState) -> bool {
        let StateRunner::Open(activation) = st.extra.running else { return true };
        st.extra.running = match self.context.shared_states.claim(activation) {
            ActivationClaim::Ours => StateRunner::Ours(activation),
            ActivationClaim::Alone => StateRunner::Alone,
            ActivationClaim::Taken => return false,
        };
        true
    }

    /// Waits for another worker that runs the state.
    pub(crate) fn leave_to_others(&mut self, mut st: Box<PathState>) {
        let id = st.extra.id;
        st.extra.ready = false;
        self.schedule.remove(id);
        if let StateRunner::Open(activation) = st.extra.running {
            self.wait_for(activation, id);
        }
        self.park(st);
    }

    fn wait_for(&mut self, activation: ActivationId, state: StateId) {
        self.awaited.insert(activation, state);
        self.context.shared_states.await_end(activation, self.number);
    }

    /// Takes over what others have run, or waits for it a while.
    pub(crate) fn take_over_next(&mut self) {
        if let Some(activation) = self.context.shared_states.next_done(self.number, PATIENCE) {
            self.take_over(activation);
        }
    }

    fn take_over(&mut self, activation: ActivationId) {
        // It may have been given away, or up.
        let Some(id) = self.awaited.remove(&activation) else { return };
        let (mut ends, released) = self.context.shared_states.ends(activation);
        self.let_go(None, released);
        // The others branched off it.
        ends.sort_by_key(|(state, _)| *state == id);
        let (own, end) = ends.last().expect("what is done has an end");
        assert_eq!(*own, id, "a state that has branched ends as well");
        self.states.insert(end.shared_copy());
        for (state, end) in &ends {
            if *state != id {
                self.context.remember();
                self.states.insert(end.shared_copy());
                self.in_universe(|universe, owner| universe.branched(owner, id, *state));
            }
            // Whoever ran it may have found a world with the bug already.
            if let Some(shown) = end.bug.as_ref().filter(|shown| !shown.found)
                && let Some(world) = self.world_with(*state)
                && self.context.shared_states.is_found_first(*state)
            {
                self.found(*state, shown.bug.clone(), shown.stack.clone(), &world);
            }
            self.tell_end(*state, end.how.clone());
        }
    }

    /// Tells the set of worlds how a state that ran has come to its end.
    pub(crate) fn tell_end(&mut self, id: StateId, how: EndKind) {
        if self.states.get(id).is_some_and(is_notable) {
            self.worlds.note_exposure(id);
        }
        match how {
            EndKind::Blocked { next, exited, sent } => {
                self.in_universe(|universe, owner| universe.blocked(owner, id, next, exited, sent));
            }
            EndKind::Ended => self.in_universe(|universe, owner| universe.ended(owner, id)),
        }
    }

    /// A state that ran has come to its end: others who have it are told.
    pub(crate) fn come_to_end(
        &mut self,
        st: &mut PathState,
        how: &EndKind,
        shown: Option<ShownBug>,
    ) {
        let running = std::mem::replace(&mut st.extra.running, StateRunner::Alone);
        let StateRunner::Ours(activation) = running else { return };
        let (shared, id) = (&self.context.shared_states, st.extra.id);
        let found = shown.as_ref().is_some_and(|shown| shown.found);
        let end = shared.is_wanted(activation).then(|| {
            let mut copy = st.copy();
            copy.covered_new = st.covered_new;
            StateEnd { st: Mutex::new(copy), how: how.clone(), bug: shown }
        });
        st.extra.is_shared = shared.ended(activation, id, end, found);
    }

    /// Others who have the state know what became of it.
    pub(crate) fn note_found(&self, id: StateId) {
        if let Some(st) = self.states.get(id).filter(|st| st.extra.is_shared) {
            self.context.shared_states.note(id, st.extra.outcome.clone());
        }
    }

    /// Books what no worker has any more; this one may have had it last.
    pub(crate) fn let_go(
        &mut self,
        last: Option<&PathState>,
        released: ReleasedStates<StateEnd, Option<Arc<PathOutcome>>>,
    ) {
        self.counters.states_created += released.copies;
        for ClosedState { why, notes, end, .. } in released.closed {
            let best = notes.iter().flatten().max_by_key(|outcome| outcome.weight()).cloned();
            match &end {
                Some(end) => self.close(&end.lock(), best, why),
                None => self.close(last.expect("who let go of it has it"), best, why),
            }
        }
    }

    /// Books a state that is given up at the end of the run; another worker may do so, too.
    pub(crate) fn close_unfinished(&mut self, st: &mut PathState, reason: &DropReason) {
        let id = st.extra.id;
        if !self.may_run(st) {
            if let StateRunner::Open(activation) = st.extra.running {
                let released = self.context.shared_states.forgo(activation);
                self.let_go(None, released);
            }
            return;
        }
        let outcome = Some(Arc::new(PathOutcome::Dropped(reason.clone())));
        if st.extra.is_shared {
            let released = self.context.shared_states.release(id, RemovalReason::Ended, outcome);
            self.let_go(Some(st), released);
        } else {
            self.close(st, outcome, RemovalReason::Ended);
        }
    }

    /// A state for whoever takes over worlds that have it, while this worker keeps it as well.
    pub(crate) fn share(&mut self, id: StateId) -> Option<Box<PathState>> {
        let shared = &self.context.shared_states;
        let st = self.states.get_mut(id)?;
        self.context.remember();
        let mut copy = st.copy();
        copy.covered_new = st.covered_new;
        match st.extra.running {
            StateRunner::Alone if !st.extra.ready => {
                shared.share(id);
                (st.extra.is_shared, copy.extra.is_shared) = (true, true);
            }
            StateRunner::Open(activation) => shared.share_activation(activation),
            StateRunner::Alone | StateRunner::Ours(_) => {
                let outer = match st.extra.running {
                    StateRunner::Ours(activation) => Some(activation),
                    StateRunner::Alone | StateRunner::Open(_) => None,
                };
                let begun = outer.is_some() || st.extra.due.is_none();
                let rest = shared.share_running(id, begun, outer);
                st.extra.running =
                    if begun { StateRunner::Ours(rest) } else { StateRunner::Open(rest) };
                copy.extra.running = StateRunner::Open(rest);
                copy.extra.ready = !begun;
            }
        }
        Some(copy)
    }

    /// Goes on with a state of worlds that were taken over.
    pub(crate) fn adopt_state(&mut self, st: Box<PathState>) {
        let id = st.extra.id;
        match st.extra.running {
            _ if st.extra.ready => self.schedule.add(None, id),
            StateRunner::Open(activation) => self.wait_for(activation, id),
            StateRunner::Alone | StateRunner::Ours(_) => {}
        }
        self.states.insert(st);
    }
}

/// Returns `true` if a state has exposed something since it was activated, and stands for a path.
fn is_notable(st: &PathState) -> bool {
    if matches!(st.extra.outcome.as_deref(), Some(PathOutcome::Silent | PathOutcome::Redundant(_)))
    {
        return false;
    }
    let newest = st.extra.links().exposures.iter().next();
    newest.is_some_and(|newest| newest.at == st.extra.activated())
}
