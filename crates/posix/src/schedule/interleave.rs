//! Orders of the events of threads: which thread performs its event next.
//!
//! With orders of threads to explore, each thread runs to its next event and is held there. Then one of
//! those whose event can happen is chosen, and the state forks over the choice. What a thread does between
//! two events of its own nobody can tell, so nothing else needs to be ordered.
//!
//! Two orders that differ only in events which commute are the same. *Sleep sets* keep the second one
//! from being explored: a path on which thread A was chosen first leaves A to sleep on the paths beside it,
//! until an event comes that does not commute with A's. A path on which all threads that could go on are
//! asleep is redundant, and is dropped. So each order ends once. *Source sets* (`source_sets.rs`) keep most
//! of such paths from being begun.
//!
//! Not here: the events themselves (`state/thread_event.rs`), the functions that are events
//! (`sync_functions.rs`), what system calls touch (`system_events.rs`).

use std::sync::Arc;

use everett_interp::{
    AccessEffect, AccessWatch, Bug, BugKind, Flow, Halt, Interp, PathEnding, ProgramImages,
    Redundancy, Reg, SharedAccess, SiblingCourse, State, Stop, WatchedOps,
};
use everett_ir::FuncId;
use smallvec::SmallVec;
use syscalls::Sysno;

use super::races::{ends_handler, synchronise_outside};
use super::source_sets::forget;
use super::sync_functions::{self, everything};
use super::system_events::{touched, would_wait};
use super::{has_timed_out, is_runnable, note, threads};
use crate::config::ThreadMode;
use crate::kernel::{Guest, Kernel};
use crate::state::ids::{NOBODY, Pid, ThreadKey};
use crate::state::node::{Node, thread_mut, thread_of};
use crate::state::process::Thread;
use crate::state::switches::ThreadSwitch;
use crate::state::thread_event::{
    EnabledThread, EventAction, EventPlace, EventTouch, Footprint, SleepingThread, SpinStep,
    SpinTrace, SyncFunction, ThreadEvent, TouchEffect, depend,
};
use crate::state::wait::{Wait, WaitEvent};

/// The times in a row that a thread may give up its turn without any event before it waits for others.
const MOST_YIELDS: u32 = 2;

/// Reads in a row by which a loop that waits is recognised.
const LONGEST_SPIN: usize = 32;

/// The function of the C library in which a thread that has waited for a condition takes its mutex again.
const WAIT_FUNCTION: &str = "__pthread_cond_timedwait";

/// The way on from a choice of a thread.
pub(super) enum ThreadChoice {
    /// The running thread performs the event that it is at.
    Running,
    /// Another thread runs, or the path is over.
    Elsewhere(Flow),
    /// No thread can go on.
    Nobody,
}

impl Kernel {
    /// Watches the running thread, if orders or races of threads matter and there are several, or if
    /// handlers may run at any place.
    pub(crate) fn watch<X: Guest>(&mut self, images: &ProgramImages, st: &mut State<X>) {
        if st.extra.node().path.thread_mode != ThreadMode::Unwatched
            && st.extra.node().thread_count() < 2
        {
            // The thread that is left comes after all that has happened.
            st.extra.node_mut().volatile.races.reset();
            forget_what_is_over(st);
        }
        let node = st.extra.node();
        let is_watched = node.follows_threads() || node.explores_signals();
        if !is_watched {
            st.set_watch(None);
            return;
        }
        let program = st.program;
        let ops = self.watched.entry(program).or_insert_with(|| {
            let functions = (0..).map(FuncId).zip(&images.image(program).program.functions);
            let sync =
                functions.filter(|(_, function)| sync_functions::named(&function.name).is_some());
            let functions = sync.map(|(func, _)| func).collect();
            Arc::new(WatchedOps { functions, racing: self.racing.of(program).collect() })
        });
        match st.watch_mut() {
            Some(watch) => watch.ops = ops.clone(),
            None => {
                let watch = AccessWatch::new(ops.clone());
                st.set_watch(Some(watch));
            }
        }
    }

    /// Holds the running thread before an access by which it may communicate with others, unless it was
    /// chosen to make it.
    pub fn before_access<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        access: &SharedAccess,
    ) -> Result<(), Halt> {
        self.take_accesses(st);
        if access.effect == AccessEffect::Fence {
            // All accesses are sequentially consistent: its order to other events cannot be told.
            let node = st.extra.node_mut();
            node.volatile.races.fence(node.volatile.running);
            return Ok(());
        }
        if !access.in_library {
            let event = ThreadEvent { action: EventAction::Access(*access), pc: st.pc() };
            self.reach(cx, st, event)?;
        }
        self.perform_access(cx, st, access)
    }

    /// The same before a function by which threads synchronise.
    pub fn before_function<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        func: FuncId,
        args: [Reg; 2],
    ) -> Result<(), Halt> {
        let program = &cx.image.program;
        let Some(function) = sync_functions::named(&program.function(func).name) else {
            return Ok(());
        };
        let caller = program.function(st.stack.top().func);
        // Within the C library, only the end of a wait for a condition is an event of its own.
        let is_event = !caller.library
            || (function == SyncFunction::MutexLock && caller.name == WAIT_FUNCTION);
        if !is_event {
            return Ok(());
        }
        let objects = args.map(|arg| arg.as_word());
        let event = ThreadEvent { action: EventAction::Function(function, objects), pc: st.pc() };
        self.reach(cx, st, event)
    }

    /// The same before a system call.
    pub(super) fn before_system_call<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        args: &[Reg; 6],
    ) -> Result<(), Halt> {
        let node = st.extra.node();
        let has_signals = node.explores_signals();
        let has_threads = node.follows_threads();
        if !has_threads && !has_signals {
            return Ok(());
        }
        let touched = match sysno {
            _ if !has_threads => [None, None],
            Sysno::futex if is_own_futex(cx, st) => {
                let address = args[0].as_word();
                let place = address.map_or(EventPlace::Everything, |address| EventPlace::Memory {
                    address,
                    bytes: 4,
                });
                [Some(EventTouch { place, effect: TouchEffect::Writes }), None]
            }
            _ => touched(node, sysno, args),
        };
        if touched.iter().all(Option::is_none) && !has_signals {
            return Ok(());
        }
        self.take_accesses(st);
        if st.extra.node().is_recorded() {
            let args = args.map(|arg| cx.example_of(st, arg));
            st.extra.node_mut().thread_mut().tracked.next_call = Some((sysno, args));
        }
        let event = ThreadEvent { action: EventAction::System(sysno, touched), pc: st.pc() };
        if touched.iter().all(Option::is_none) {
            let is_end = sysno == Sysno::rt_sigprocmask && ends_handler(cx.images, st);
            return if is_end { Ok(()) } else { self.offer_signal(cx, st, event, false) };
        }
        self.reach(cx, st, event)?;
        let node = st.extra.node_mut();
        let who = node.volatile.running;
        for touch in touched.into_iter().flatten() {
            synchronise_outside(node, who, touch);
        }
        Ok(())
    }

    /// The running thread is at an event. With orders of threads to explore it performs it if it was chosen,
    /// and otherwise a thread is chosen. A signal may come before it does.
    fn reach<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        event: ThreadEvent,
    ) -> Result<(), Halt> {
        let depth = st.stack.depth();
        st.extra.node_mut().note_arrival(&event, depth);
        if st.extra.node().thread_count() < 2 {
            forget_what_is_over(st);
        }
        let node = st.extra.node();
        let is_held = node.path.explores_threads() && node.follows_threads();
        if is_held {
            self.reach_turn(cx, st, event)?;
        }
        if st.extra.node().explores_signals() {
            self.offer_signal(cx, st, event, is_held)?;
        }
        st.extra.node_mut().note_performed(&event, depth);
        Ok(())
    }

    /// The running thread is at an event: it performs it if it was chosen, and otherwise a thread is chosen.
    fn reach_turn<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        event: ThreadEvent,
    ) -> Result<(), Halt> {
        let events = &mut st.extra.node_mut().thread_mut().events;
        if std::mem::take(&mut events.is_chosen) {
            begin(st, event);
            return Ok(());
        }
        events.next = Some(event);
        look_round(st, event);
        match self.choose_thread(cx, st)? {
            ThreadChoice::Running => {
                begin(st, event);
                Ok(())
            }
            ThreadChoice::Elsewhere(flow) => Err(flow.into()),
            ThreadChoice::Nobody => Err(Flow::Idle.into()),
        }
    }

    /// Chooses the thread that goes on, and forks over the choice.
    pub(super) fn choose_thread<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<ThreadChoice, Stop> {
        let choice = self.choose_any_thread(cx, st)?;
        if !matches!(choice, ThreadChoice::Nobody) {
            return Ok(choice);
        }
        self.come_to_rest(cx, st)?;
        Ok(match st.extra.node().is_beside_end() {
            true => {
                ThreadChoice::Elsewhere(Flow::End(PathEnding::Redundant(Redundancy::BesideEnd)))
            }
            false => ThreadChoice::Nobody,
        })
    }

    fn choose_any_thread<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<ThreadChoice, Stop> {
        count_turn(st);
        let node = st.extra.node_mut();
        // A turn ends with its thread, and whoever is next is free then. Only before the first turn does the
        // running thread have one without having performed an event.
        if node.volatile.turn == NOBODY {
            node.volatile.turn = node.volatile.running;
        }
        let order = in_order(node);
        let on_the_way =
            order.iter().find(|who| is_runnable(node, **who) && !is_at_event(node, **who));
        if let Some(who) = on_the_way.copied() {
            // Where only deadlines pass, messages may come before them.
            let waits_for_all =
                || order.iter().all(|who| !is_runnable(node, *who) || has_timed_out(node, *who));
            if has_timed_out(node, who) && node.decides_looks() && waits_for_all() {
                return Ok(ThreadChoice::Nobody);
            }
            return self.go_on_with(cx, st, who);
        }
        let is_there = |who: &&ThreadKey| is_runnable(node, **who) && is_at_event(node, **who);
        let held: Vec<ThreadKey> = order.iter().filter(is_there).copied().collect();
        let mut enabled = Vec::new();
        for (choice, thread) in (0..).zip(&held) {
            if let Some(footprint) = enabled_footprint(st, *thread) {
                enabled.push(EnabledThread { thread: *thread, choice, footprint });
            }
        }
        let Some(first) = enabled.first() else { return self.wait_for_others(cx, st, &order) };
        let node = st.extra.node_mut();
        if held.len() > 1 {
            node.path.switch_points += 1;
        }
        let point = node.path.switch_points;
        if node.path.plan.is_none() {
            return self.fork_over_threads(cx, st, &enabled, point);
        }
        let plan = node.path.plan.iter().flat_map(|plan| plan.iter());
        let planned = plan.copied().find(|switch| switch.point == point && held.len() > 1);
        let Some(switch) = planned else { return self.perform_first(cx, st, first) };
        let Some(who) = held.get(switch.choice as usize).copied() else {
            let message = "the test case switches to a thread that cannot run there";
            let bug = Bug::new(BugKind::UserError, message);
            return Ok(ThreadChoice::Elsewhere(Flow::End(PathEnding::Bug(Box::new(bug)))));
        };
        note(cx, st, switch, who);
        // A thread that would only wait comes back at once: the next one goes on.
        let chosen = enabled.iter().find(|e| e.thread == who).unwrap_or(first);
        self.perform_first(cx, st, chosen)
    }

    /// No event can happen: threads that are held at one wait for what others or time bring.
    fn wait_for_others<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        order: &[ThreadKey],
    ) -> Result<ThreadChoice, Stop> {
        let node = st.extra.node_mut();
        let held = order.iter().copied().find(|who| {
            thread_of(node, *who).is_some_and(|t| t.blocked.is_none() && t.events.next.is_some())
        });
        let waits_for_turn = |who: &ThreadKey| {
            let wait = thread_of(node, *who).and_then(|thread| thread.blocked.as_ref());
            wait.is_some_and(|wait| matches!(wait.event, WaitEvent::Turn(_)))
        };
        let Some(who) = held else {
            // Nobody takes a turn: who waits for one lets time pass.
            let Some(who) = order.iter().copied().find(waits_for_turn) else {
                return Ok(ThreadChoice::Nobody);
            };
            self.activate(cx.images, st, who);
            return Ok(ThreadChoice::Elsewhere(self.pass_time(cx, st)?));
        };
        let Some(thread) = thread_of(node, who) else { return Ok(ThreadChoice::Nobody) };
        if thread.events.spin.is_round {
            // It would read the same again: time has to pass.
            self.note_held(cx, st);
            let node = st.extra.node_mut();
            let Some(thread) = thread_mut(node, who) else { return Ok(ThreadChoice::Nobody) };
            thread.events.spin = SpinTrace::default();
            thread.events.next = None;
            self.activate(cx.images, st, who);
            return Ok(ThreadChoice::Elsewhere(self.pass_time(cx, st)?));
        }
        if let Some(thread) = thread_mut(node, who) {
            thread.events.is_chosen = true;
        }
        self.go_on_with(cx, st, who)
    }

    /// Forks over the threads that can go on, or keeps the state for them. The first one goes on in this
    /// state.
    fn fork_over_threads<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        enabled: &[EnabledThread],
        point: u64,
    ) -> Result<ThreadChoice, Stop> {
        let node = st.extra.node();
        let turn = node.volatile.turn;
        let is_open = thread_of(node, turn).is_none_or(|thread| thread.events.unpreempted == 0);
        let can_preempt = node.path.preemptions > 0 && is_open;
        let is_turn_kept = enabled.first().is_some_and(|first| first.thread == turn);
        let is_asleep = |who: ThreadKey| node.volatile.asleep.iter().any(|s| s.thread == who);
        let candidates: Vec<&EnabledThread> = { enabled.iter() }
            .filter(|e| !is_asleep(e.thread))
            .filter(|e| !is_turn_kept || can_preempt || e.thread == turn)
            .collect();
        let Some((first, others)) = candidates.split_first() else {
            self.fall_asleep_for_good(cx, st, enabled)?;
            let ending = PathEnding::Redundant(Redundancy::Asleep);
            return Ok(ThreadChoice::Elsewhere(Flow::End(ending)));
        };
        let usual = enabled.first().map(|usual| usual.thread);
        let number = node.path.order_mark.next();
        let is_kept = self.keeps_choices(node);
        if is_kept && enabled.len() > 1 && (is_open || !is_turn_kept) {
            self.keep_choice(st, enabled, &candidates, point);
        }
        let forked = if is_kept { &[] } else { others };
        for (i, other) in (1..).zip(forked) {
            let mut sibling = st.fork();
            if is_turn_kept {
                let left = &mut sibling.extra.node_mut().path.preemptions;
                *left = if *left == u32::MAX { *left } else { *left - 1 };
            }
            fall_asleep(sibling.extra.node_mut(), candidates[..i].iter().copied());
            note(cx, &mut sibling, ThreadSwitch { point, choice: other.choice }, other.thread);
            mark_choice(&mut sibling, number, other.thread);
            match self.perform_first(cx, &mut sibling, other)? {
                ThreadChoice::Elsewhere(Flow::End(ending)) => {
                    cx.add_sibling(sibling, SiblingCourse::Ended(ending));
                }
                _ => cx.add_sibling(sibling, SiblingCourse::On),
            }
        }
        if !forked.is_empty() {
            mark_choice(st, number, first.thread);
        }
        if usual != Some(first.thread) {
            note(cx, st, ThreadSwitch { point, choice: first.choice }, first.thread);
        }
        self.perform_first(cx, st, first)
    }

    /// Lets a thread that is at an event perform it before all others.
    fn perform_first<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        chosen: &EnabledThread,
    ) -> Result<ThreadChoice, Stop> {
        self.log_event(cx, st, chosen)?;
        self.begin_first(cx, st, chosen)
    }

    /// The same for an event that is logged.
    pub(super) fn begin_first<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        chosen: &EnabledThread,
    ) -> Result<ThreadChoice, Stop> {
        let node = st.extra.node_mut();
        node.volatile.turn = chosen.thread;
        node.volatile.asleep.retain(|sleeping| !depend(&sleeping.footprint, &chosen.footprint));
        if let Some(thread) = thread_mut(node, chosen.thread) {
            // A thread that waits inside of a function goes on behind its wait, and is at no event there.
            let is_in_function = thread.events.next.is_none()
                && matches!(thread.events.current, Some(e) if matches!(e.action, EventAction::Function(..)));
            thread.events.is_chosen = !is_in_function;
        }
        self.go_on_with(cx, st, chosen.thread)
    }

    /// Makes a thread go on. [`ThreadChoice::Running`] if it is the running one and is held at an event.
    fn go_on_with<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        who: ThreadKey,
    ) -> Result<ThreadChoice, Stop> {
        let node = st.extra.node();
        if who == node.volatile.running && is_held(node) {
            return Ok(ThreadChoice::Running);
        }
        self.note_held(cx, st);
        self.activate(cx.images, st, who);
        Ok(ThreadChoice::Elsewhere(self.resume(cx, st)?))
    }

    /// Notes that the running thread does not go on, if it is held at an event.
    fn note_held<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>) {
        if is_held(st.extra.node()) {
            self.note_preemption(cx, st);
        }
    }

    /// Lets others run because the running thread gives up its turn. A thread that does so again and again
    /// waits for them.
    pub(super) fn yield_to_events<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        is_wait: bool,
    ) -> Result<Flow, Stop> {
        let events = &mut st.extra.node_mut().thread_mut().events;
        events.yields += 1;
        if !is_wait && events.yields <= MOST_YIELDS {
            // It goes on at once.
            self.note_resume(st);
            return Ok(Flow::Switched);
        }
        let node = st.extra.node_mut();
        let turns = node.path.turns;
        let thread = node.thread_mut();
        thread.blocked = Some(Wait::until(WaitEvent::Turn(turns)));
        (thread.blocked_in, thread.resumed) = (None, None);
        self.dispatch(cx, st)
    }
}

/// Returns true if the running thread is held at an event.
fn is_held(node: &Node) -> bool {
    let held = |thread: &Thread| thread.blocked.is_none() && thread.events.next.is_some();
    thread_of(node, node.volatile.running).is_some_and(held)
}

/// Forgets events and choices if the thread that is left comes after all of them.
fn forget_what_is_over<X: Guest>(st: &mut State<X>) {
    let node = st.extra.node();
    let left = threads(node).next();
    if left.is_none_or(|left| node.volatile.events.is_after_all(left.1)) {
        forget(st);
    }
}

/// Notes which thread was chosen in a path that has forked over the choice.
fn mark_choice<X: Guest>(st: &mut State<X>, number: u32, thread: ThreadKey) {
    let forks = st.depth;
    let mark = &mut st.extra.node_mut().path.order_mark;
    mark.choose(number, forks);
    mark.set_actor((thread.0.0, thread.1.0));
}

/// Counts a turn if the running thread has changed something since it was last asked: whoever waits for
/// others looks again.
fn count_turn<X: Guest>(st: &mut State<X>) {
    let Some(writes) = st.watch().map(|watch| watch.writes) else { return };
    let node = st.extra.node_mut();
    let running = node.volatile.running;
    let Some(thread) = thread_mut(node, running) else { return };
    if std::mem::replace(&mut thread.events.writes, writes) != writes {
        node.path.turns += 1;
    }
}

/// All threads, the one whose turn it is first and the others in turn after it.
fn in_order(node: &Node) -> Vec<ThreadKey> {
    let mut all: Vec<ThreadKey> = threads(node).collect();
    let first = all.partition_point(|who| *who < node.volatile.turn);
    all.rotate_left(first);
    all
}

/// Returns true if a thread that can run is at an event: it is held there, or what it waited for in one has
/// come.
fn is_at_event(node: &Node, who: ThreadKey) -> bool {
    let Some(thread) = thread_of(node, who) else { return false };
    if thread.blocked.is_none() {
        return thread.events.next.is_some();
    }
    let waits = thread.events.current.is_some_and(|event| event.is_performed_after_its_wait());
    waits && !has_timed_out(node, who) && !crate::signal::has_deliverable(node, who)
}

/// The footprint of the event that a thread is at, if the event can happen now.
fn enabled_footprint<X: Guest>(st: &mut State<X>, who: ThreadKey) -> Option<Footprint> {
    let events = thread_of(st.extra.node(), who)?.events.clone();
    let event = events.next.or(events.current)?;
    let is_same = |st: &mut State<X>, step: &SpinStep| {
        let there = step.access.address.and_then(|at| peek(st, who.0, at, step.access.bytes));
        there.is_some() && there == step.value
    };
    if events.spin.is_round && events.spin.steps.iter().all(|step| is_same(st, step)) {
        return None;
    }
    let footprint = event_footprint(st, who, event)?;
    // All events of a region follow at once: whatever is dependent on any of them is on this one.
    Some(if events.unpreempted > 0 { everything() } else { footprint })
}

/// The footprint of the event that a thread is at or waits in, whether the event can happen or not.
pub(super) fn pending_footprint<X: Guest>(st: &mut State<X>, who: ThreadKey) -> Option<Footprint> {
    let thread = thread_of(st.extra.node(), who)?;
    let current = thread
        .events
        .current
        .filter(|event| thread.blocked.is_some() && event.is_performed_after_its_wait());
    let event = thread.events.next.or(current)?;
    Some(match event.action {
        EventAction::Access(access) => access_footprint(st, who.0, &access),
        EventAction::Function(function, [Some(first), second]) => {
            let mut word = |address| peek(st, who.0, address, 4).map(|word| word as u32);
            function.footprint([first, second.unwrap_or(0)], &mut word)
        }
        EventAction::Function(_, [None, _]) => everything(),
        EventAction::System(_, touched) => touched.into_iter().flatten().collect(),
        EventAction::PathEnd => Footprint::new(),
    })
}

/// The footprint of an event of a thread, if the event can happen now.
fn event_footprint<X: Guest>(
    st: &mut State<X>,
    who: ThreadKey,
    event: ThreadEvent,
) -> Option<Footprint> {
    match event.action {
        EventAction::Access(access) => Some(access_footprint(st, who.0, &access)),
        EventAction::Function(function, objects) => {
            let [Some(first), second] = objects else { return Some(everything()) };
            let objects = [first, second.unwrap_or(0)];
            let mut word = |address| peek(st, who.0, address, 4).map(|word| word as u32);
            let is_enabled = function.is_enabled(first, who.1.0, &mut word);
            is_enabled.then(|| function.footprint(objects, &mut word))
        }
        EventAction::System(sysno, touched) => {
            let mut touched = touched.into_iter().flatten();
            let waits = touched.clone().any(|t| would_wait(st.extra.node(), who, sysno, t.place));
            (!waits).then(|| touched.by_ref().collect())
        }
        EventAction::PathEnd => Some(Footprint::new()),
    }
}

fn access_footprint<X: Guest>(st: &mut State<X>, pid: Pid, access: &SharedAccess) -> Footprint {
    let Some(address) = access.address else { return everything() };
    let effect = match access.effect {
        AccessEffect::Read | AccessEffect::Fence => TouchEffect::Reads,
        AccessEffect::Write | AccessEffect::Update => TouchEffect::Writes,
        AccessEffect::Exchange(expected) => {
            match (peek(st, pid, address, access.bytes), expected) {
                (Some(there), Some(expected)) if there != expected => TouchEffect::Reads,
                _ => TouchEffect::Writes,
            }
        }
    };
    let place = EventPlace::Memory { address, bytes: access.bytes };
    SmallVec::from_iter([EventTouch { place, effect }])
}

/// The value of bytes in the memory of a process, if it is known.
pub(super) fn peek<X: Guest>(st: &mut State<X>, pid: Pid, address: u64, bytes: u32) -> Option<u64> {
    let bytes = u8::try_from(bytes).ok().filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8))?;
    if pid == st.extra.node().volatile.running.0 {
        return st.mem.load_concrete(address, bytes);
    }
    let mut memory = st.extra.node().find(pid)?.memory.clone()?;
    memory.load_concrete(address, bytes)
}

/// Lets threads sleep whose events were chosen before.
pub(super) fn fall_asleep<'e>(node: &mut Node, before: impl Iterator<Item = &'e EnabledThread>) {
    if !node.path.reduces_orders || node.path.preemptions != u32::MAX {
        return;
    }
    for EnabledThread { thread, choice: _, footprint } in before {
        let (thread, footprint) = (*thread, footprint.clone());
        node.volatile.asleep.push(SleepingThread { thread, footprint });
    }
}

/// The running thread performs an event.
fn begin<X: Guest>(st: &mut State<X>, event: ThreadEvent) {
    let read = match event.action {
        EventAction::Access(access) => {
            let reads = matches!(access.effect, AccessEffect::Read | AccessEffect::Exchange(_));
            reads.then_some(access)
        }
        _ => None,
    };
    let pid = st.extra.node().volatile.running.0;
    let step = read.map(|access| {
        let value = access.address.and_then(|address| peek(st, pid, address, access.bytes));
        SpinStep { access, stack: st.stack.fingerprint(), value }
    });
    let events = &mut st.extra.node_mut().thread_mut().events;
    (events.next, events.current, events.is_chosen) = (None, Some(event), false);
    (events.yields, events.spin.is_round) = (0, false);
    match step {
        Some(step) if events.spin.steps.len() < LONGEST_SPIN => events.spin.steps.push(step),
        _ => events.spin.steps.clear(),
    }
}

/// Finds out whether the running thread has come round to an event without having changed anything, itself
/// included.
fn look_round<X: Guest>(st: &mut State<X>, event: ThreadEvent) {
    let writes = st.watch().map_or(0, |watch| watch.writes);
    let stack = st.stack.fingerprint();
    let spin = &mut st.extra.node_mut().thread_mut().events.spin;
    if std::mem::replace(&mut spin.writes, writes) != writes {
        spin.steps.clear();
    }
    let is_first =
        |step: &SpinStep| step.stack == stack && event.action == EventAction::Access(step.access);
    if let Some(first) = spin.steps.iter().rposition(is_first) {
        spin.steps.drain(..first);
        spin.is_round = true;
    }
}

/// Returns true if the program's own code calls `syscall` for a futex.
fn is_own_futex<X: Guest>(cx: &Interp<'_, X>, st: &State<X>) -> bool {
    let program = &cx.images.image(st.program).program;
    let mut frames = st.stack.frames();
    let inner = frames.next().map(|frame| program.function(frame.func));
    let outer = frames.next().map(|frame| program.function(frame.func));
    inner.is_some_and(|function| function.name == "syscall")
        && outer.is_some_and(|function| !function.library)
}
