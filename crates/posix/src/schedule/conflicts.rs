//! Events that conflict with those of other threads, and events that do not.
//!
//! An event whose order to all events of other threads cannot be told is no reason to try several orders:
//! where the thread whose turn it is comes to such an event, no other thread is tried. Which events
//! conflict is not known beforehand. At first none is thought to, and events of two threads that touch the
//! same place are noted when they have happened, whatever their order. Then the run is begun again, and
//! other threads are tried there ([`LearntOps`]). When nothing is noted any more, no order is missing: an
//! event that was not tried in another order conflicts with nothing that has happened after it, on any
//! path.
//!
//! Two events of different threads do not conflict if one thread begins, or is waited for, between them.
//! Events that locks keep apart do: that one of them comes first can be told.
//!
//! [`LearntOps`]: crate::LearntOps

use everett_interp::{MOST_LOGGED_BYTES, State};
use everett_ir::Program;

use super::interleave::event_footprint;
use super::sync_functions::everything;
use crate::kernel::{Guest, Kernel};
use crate::state::ids::ThreadKey;
use crate::state::node::{Node, thread_mut, thread_of};
use crate::state::thread_event::{EventAction, EventPlace, Footprint, ThreadEvent, TouchEffect};

/// The events in a row that a thread performs as the only one that is tried, at most. Others have to be tried
/// at last, as a thread may go on for ever.
const MOST_ALONE: u32 = 1000;

/// A place that all events read, and that those write which may touch anything.
const ANY_PLACE: u64 = 1 << 60;

/// Functions of the C library in which a thread ends, and in which others wait for that.
const END_AND_JOIN: [&str; 7] = [
    "__pthread_exit",
    "pthread_exit",
    "__pthread_join",
    "pthread_join",
    "__pthread_timedjoin_np",
    "pthread_timedjoin_np",
    "pthread_tryjoin_np",
];

impl Kernel {
    /// Returns true if no other thread is tried where this one is at an event: nobody can tell its order.
    pub(super) fn is_tried_alone<X: Guest>(&self, st: &State<X>, who: ThreadKey) -> bool {
        let node = st.extra.node();
        let Some(thread) = thread_of(node, who) else { return false };
        let Some(event) = thread.events.next else { return false };
        let running = node.volatile.running.0;
        let program = match who.0 == running {
            true => st.program,
            false => node.find(who.0).map_or(st.program, |process| process.program),
        };
        let op = (program, event.pc);
        node.path.reduces_orders
            && !matches!(event.action, EventAction::System(..))
            && thread.events.alone < MOST_ALONE
            && !self.conflicting.is_known(op)
            && !self.racing.is_known(op)
    }

    /// The running thread performs an event: notes it and those of other threads that conflict with it.
    pub(super) fn find_conflicts<X: Guest>(&mut self, st: &mut State<X>, event: ThreadEvent) {
        let node = st.extra.node();
        if !node.path.reduces_orders || node.path.plan.is_some() {
            return;
        }
        let who = node.volatile.running;
        let footprint: Footprint = match event.action {
            EventAction::System(_, touched) => touched.into_iter().flatten().collect(),
            _ => event_footprint(st, who, event).unwrap_or_else(everything),
        };
        let op = (st.program, event.pc);
        let is_any = footprint.iter().any(|touch| match touch.place {
            EventPlace::Everything => true,
            EventPlace::Memory { bytes, .. } => bytes > MOST_LOGGED_BYTES,
            _ => false,
        });
        let log = &mut st.extra.node_mut().volatile.events;
        let mut others = log.touch(who.1, (ANY_PLACE, 1), is_any, op);
        for touch in &footprint {
            // Only system calls touch other places, and these always conflict.
            if let EventPlace::Memory { address, bytes } = touch.place {
                let changes = touch.effect != TouchEffect::Reads;
                others.extend(log.touch(who.1, (address, bytes.into()), changes, op));
            }
        }
        if !others.is_empty() {
            others.push(op);
            others.into_iter().for_each(|op| self.conflicting.note(op));
        }
    }

    /// A path ends before its threads have come to their ends: what they would have done may conflict with
    /// what has happened.
    pub fn note_early_end(&self, node: &Node) {
        let is_learning = node.path.reduces_orders && node.path.plan.is_none();
        if is_learning && node.path.explores_threads() && node.thread_count() > 1 {
            node.volatile.events.ops().for_each(|op| self.conflicting.note(op));
        }
    }
}

/// Counts the events in a row at which no other thread was tried.
pub(super) fn count_alone<X: Guest>(st: &mut State<X>, who: ThreadKey, is_alone: bool) {
    if let Some(thread) = thread_mut(st.extra.node_mut(), who) {
        thread.events.alone = if is_alone { thread.events.alone + 1 } else { 0 };
    }
}

/// Returns true if the running thread is in a function in which it ends, or waits for the end of another one.
pub(super) fn is_end_or_join<X: Guest>(program: &Program, st: &State<X>) -> bool {
    END_AND_JOIN.contains(&program.function(st.stack.top().func).name.as_str())
}
