//! Other threads are tried only where that makes a difference: *source sets*.
//!
//! At a choice between threads one of them goes on, and the state from before is kept ([`KeptChoice`]). The
//! events that follow are logged ([`EventLog`]). When an event could come before an earlier one of another
//! thread, and that can be told, a thread is asked for that has to go first for it, at the choice where the
//! earlier event was chosen: a copy of the kept state goes on with that thread. A thread that nobody asks
//! for is never tried: all orders in which it goes first are the same as others that are explored.
//!
//! Events that do not happen count, too. A thread that is held up, or that the end of its process or of the
//! path keeps from its next event, might have come to it earlier. So the events that threads are at are
//! looked at when all of them come to rest, and when a path ends. What comes after all threads have rested
//! comes after all that was before.
//!
//! Paths of all workers share their choices, so that no thread is tried twice at one.
//!
//! [`EventLog`]: crate::state::races::event_log::EventLog

use std::sync::Arc;

use everett_interp::{Flow, Interp, SiblingCourse, State, Stop};
use everett_ir::Program;
use syscalls::Sysno;

use super::interleave::{ThreadChoice, fall_asleep, pending_footprint};
use super::sync_functions::everything;
use super::{note, threads};
use crate::config::FaultKind;
use crate::kernel::{Guest, Kernel};
use crate::state::ids::{ThreadKey, Tid};
use crate::state::node::{Node, thread_of};
use crate::state::races::event_log::{EventNumber, PendingEvent};
use crate::state::races::kept_choice::{
    AskedThread, KeptChoice, KeptChoices, ask_for_all, reverse,
};
use crate::state::switches::ThreadSwitch;
use crate::state::thread_event::{
    EnabledThread, EventAction, Footprint, SleepingThread, SyncFunction, ThreadEvent,
};

/// The most events that are logged: then all threads are tried that could be asked for, and a new log is
/// begun.
const MOST_EVENTS: EventNumber = 1 << 16;

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
    /// Returns true if threads are tried only when they are asked for.
    pub(super) fn keeps_choices(&self, node: &Node) -> bool {
        // What a crash or a handler cuts off is not followed.
        let is_cut_off = node.explores_signals()
            || [FaultKind::Crash, FaultKind::Reboot].iter().any(|k| node.path.faults.may_be_of(*k));
        self.config.keeps_choices
            && node.path.reduces_orders
            && node.path.preemptions == u32::MAX
            && node.path.plan.is_none()
            && !is_cut_off
    }

    /// Keeps a state at a choice in which the first candidate goes on.
    pub(super) fn keep_choice<X: Guest>(
        &self,
        st: &mut State<X>,
        enabled: &[EnabledThread],
        candidates: &[&EnabledThread],
        point: u64,
    ) {
        let mut state = st.copy();
        *state.extra.choices_mut() = KeptChoices::new();
        let log = &st.extra.node().volatile.events;
        let choice = KeptChoice::new(log, enabled, candidates, point, state);
        st.extra.choices_mut().push(Arc::new(choice));
    }

    /// A thread performs an event: logs it, and tries the threads that are asked for because of it.
    pub(super) fn log_event<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        chosen: &EnabledThread,
    ) -> Result<(), Stop> {
        if self.keeps_choices(st.extra.node()) {
            let asked = enter(st, chosen);
            self.try_asked(cx, asked)?;
        }
        Ok(())
    }

    /// No thread can go on before time has passed or something has come from outside: all that follows comes
    /// after all that was.
    pub(super) fn come_to_rest<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<(), Stop> {
        if st.extra.node().volatile.events.count() > 0 {
            let asked = reverse_pending(st, |_| false);
            forget(st);
            self.try_asked(cx, asked)?;
        }
        Ok(())
    }

    /// All threads whose events could happen sleep, so the path is redundant. Threads that are held up may
    /// have been so only on this one.
    pub(super) fn fall_asleep_for_good<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        enabled: &[EnabledThread],
    ) -> Result<(), Stop> {
        let is_asleep = |tid: Tid| enabled.iter().any(|other| other.thread.1 == tid);
        let asked = reverse_pending(st, is_asleep);
        self.try_asked(cx, asked)
    }

    /// A path ends, and with it what its threads would have done: tries the threads that are asked for
    /// because of that.
    pub fn end_orders<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<(), Stop> {
        if st.extra.choices().is_empty() {
            return Ok(());
        }
        let log = &mut st.extra.node_mut().volatile.events;
        log.let_last_touch_everything(everything());
        let asked = reverse_pending(st, |_| false);
        forget(st);
        self.try_asked(cx, asked)
    }

    /// A path ends by a finding. The other threads go on in a copy, as they could before the running thread
    /// comes to that end: they may race with what it has done since its last event, which no other path lets
    /// them see. Nothing else is looked for in the copy.
    pub fn look_beside_end<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<(), Stop> {
        self.take_accesses(st);
        let mut beside = st.fork();
        forget(&mut beside);
        let pc = beside.pc();
        let node = beside.extra.node_mut();
        node.record = None;
        node.path.is_beside_end = true;
        node.thread_mut().events.next = Some(ThreadEvent { action: EventAction::PathEnd, pc });
        // Its event commutes with all others, so it sleeps for good.
        let (thread, footprint) = (node.volatile.running, Footprint::new());
        node.volatile.asleep.push(SleepingThread { thread, footprint });
        let course = match self.choose_thread(cx, &mut beside)? {
            ThreadChoice::Elsewhere(Flow::End(ending)) => SiblingCourse::Ended(ending),
            _ => SiblingCourse::On,
        };
        cx.add_sibling(beside, course);
        Ok(())
    }

    /// Tries all threads that could still be asked for at choices of this path. Nobody has to ask from then
    /// on, so paths with copies of these choices may go separate ways.
    pub fn try_all_threads<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<(), Stop> {
        let asked = ask_for_all(st.extra.choices());
        self.try_asked(cx, asked)
    }

    /// Tries threads at earlier choices.
    fn try_asked<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        mut asked: AskedThreads<X>,
    ) -> Result<(), Stop> {
        while let Some((at, choices)) = asked.pop().and_then(AskedThread::take) {
            let mut state = at.choice.kept().copy_of_kept();
            state.depth += 1;
            *state.extra.choices_mut() = choices;
            fall_asleep(state.extra.node_mut(), at.before());
            let chosen = at.thread();
            asked.extend(enter(&mut state, chosen));
            let switch = ThreadSwitch { point: at.choice.point(), choice: chosen.choice };
            let tried = self.with_image(cx, &mut state, |kernel, cx, st| {
                note(cx, st, switch, chosen.thread);
                kernel.begin_first(cx, st, chosen)
            })?;
            match tried {
                ThreadChoice::Elsewhere(Flow::End(ending)) => {
                    cx.add_sibling(state, SiblingCourse::Ended(ending));
                }
                _ => cx.add_sibling(state, SiblingCourse::On),
            }
        }
        Ok(())
    }
}

/// Threads that are tried at earlier choices of a path.
type AskedThreads<X> = Vec<AskedThread<Box<State<X>>>>;

/// A thread performs an event, which is logged. Gives the threads that are asked for because of it.
fn enter<X: Guest>(st: &mut State<X>, chosen: &EnabledThread) -> AskedThreads<X> {
    let EnabledThread { thread, footprint, .. } = chosen;
    let event =
        thread_of(st.extra.node(), *thread).and_then(|t| t.events.next.or(t.events.current));
    let may_wait = event.is_none_or(|event| !matches!(event.action, EventAction::Access(_)));
    let mut asked = reverse_event(st, PendingEvent { tid: thread.1, footprint, may_wait });
    st.extra.node_mut().volatile.events.add(thread.1, footprint);
    if event.is_some_and(|event| may_end_threads(&event)) {
        asked.extend(reverse_pending(st, |other| other == thread.1));
    }
    let is_full = st.extra.node().volatile.events.count() >= MOST_EVENTS;
    if is_full || event.is_some_and(|event| is_region(&event)) {
        asked.extend(ask_for_all(st.extra.choices()));
        forget(st);
    }
    asked
}

/// The threads that are asked for because an event of a thread could come before others.
fn reverse_event<X: Guest>(st: &State<X>, pending: PendingEvent<'_>) -> AskedThreads<X> {
    reverse(&st.extra.node().volatile.events, st.extra.choices(), pending)
}

/// The same for the events that all threads but some are at.
fn reverse_pending<X: Guest>(
    st: &mut State<X>,
    is_left_out: impl Fn(Tid) -> bool,
) -> AskedThreads<X> {
    let all = threads(st.extra.node()).filter(|who| !is_left_out(who.1));
    let mut asked = Vec::new();
    for who in all.collect::<Vec<ThreadKey>>() {
        if let Some(footprint) = pending_footprint(st, who) {
            let pending = PendingEvent { tid: who.1, footprint: &footprint, may_wait: true };
            asked.extend(reverse_event(st, pending));
        }
    }
    asked
}

/// Forgets all events and choices: what follows comes after them.
pub(super) fn forget<X: Guest>(st: &mut State<X>) {
    st.extra.node_mut().volatile.events.reset();
    *st.extra.choices_mut() = KeptChoices::new();
}

/// Returns true if an event may end other threads, or keep them from their events.
fn may_end_threads(event: &ThreadEvent) -> bool {
    let EventAction::System(sysno, _) = event.action else { return false };
    matches!(
        sysno,
        Sysno::exit_group
            | Sysno::execve
            | Sysno::execveat
            | Sysno::kill
            | Sysno::tkill
            | Sysno::tgkill
            | Sysno::rt_sigqueueinfo
            | Sysno::rt_tgsigqueueinfo
    )
}

fn is_region(event: &ThreadEvent) -> bool {
    matches!(event.action, EventAction::Function(SyncFunction::Region, _))
}

/// Returns true if the running thread is in a function in which it ends, or waits for the end of another one.
pub(super) fn is_end_or_join<X: Guest>(program: &Program, st: &State<X>) -> bool {
    END_AND_JOIN.contains(&program.function(st.stack.top().func).name.as_str())
}
