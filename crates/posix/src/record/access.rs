//! Notes about threads that are switched at accesses to memory.
//!
//! Natively a hook is called around each access that a note names (`runtime-c/replay/accesses.c`). A note
//! names an access by its op, and says which one of those that the thread makes there after its last note
//! it is about. So both sides count the same: the arrivals of a thread at an op, and the times that it has
//! performed the op, since its last note.

use everett_interp::{AccessEffect, Interp, State};
use everett_ir::{Op, Pc};
use everett_replay::script::ScriptApi;

use super::happening::happening_site;
use crate::kernel::{Guest, Kernel};
use crate::state::node::Node;
use crate::state::races::{RacingAccess, ThreadAccess};
use crate::state::recording::LastStep;
use crate::state::thread_event::{EventAction, ThreadEvent};

/// The place at an access where a thread is switched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AccessSide {
    Before = 0,
    After = 1,
}

/// The op of an event that a hook can be called around.
fn hooked_op(event: &ThreadEvent) -> Option<Pc> {
    match event.action {
        EventAction::Access(access) if access.effect == AccessEffect::Fence => None,
        EventAction::Access(_) | EventAction::Function(..) => Some(event.pc),
        EventAction::System(..) | EventAction::PathEnd => None,
    }
}

impl Node {
    /// The running thread comes to an event, perhaps once more.
    pub(crate) fn note_arrival(&mut self, event: &ThreadEvent, depth: u32) {
        let Some(pc) = hooked_op(event).filter(|_| self.is_recorded()) else { return };
        let accesses = &mut self.thread_mut().tracked.accesses;
        if accesses.current.last() != Some(&(pc, depth)) {
            accesses.current.push((pc, depth));
            *accesses.arrivals.entry(pc).or_default() += 1;
        }
    }

    /// The running thread performs an event.
    pub(crate) fn note_performed(&mut self, event: &ThreadEvent, depth: u32) {
        let Some(pc) = hooked_op(event).filter(|_| self.is_recorded()) else { return };
        let accesses = &mut self.thread_mut().tracked.accesses;
        accesses.current.pop_if(|current| *current == (pc, depth));
        if matches!(event.action, EventAction::Access(_)) {
            *accesses.performed.entry(pc).or_default() += 1;
            accesses.last = Some(LastStep::Access(pc));
        }
    }
}

impl Kernel {
    /// Another thread runs before the op that the running thread is held at.
    pub(super) fn note_switch_at_access<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        pc: Pc,
    ) {
        let arrivals = &st.extra.node().thread().tracked.accesses.arrivals;
        let ordinal = arrivals.get(&pc).copied().unwrap_or(0);
        self.note_switch(cx, st, (pc, AccessSide::Before), ordinal);
    }

    /// Another thread runs before the system call that the running thread is held at. Nobody can tell the
    /// time between its last access, or function that synchronises, and the call. So natively it is
    /// switched after these; or at its last event, if there are none since.
    pub(super) fn note_switch_at_call<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>) {
        let tracked = &st.extra.node().thread().tracked;
        match tracked.accesses.last {
            Some(LastStep::Access(pc)) => {
                let performed = tracked.accesses.performed.get(&pc).copied();
                self.note_switch(cx, st, (pc, AccessSide::After), performed.unwrap_or(0));
            }
            Some(LastStep::Function(api)) => {
                let ordinal = tracked.syncs;
                let site = happening_site(&cx.images.image(st.program).program, st);
                st.extra.node_mut().thread_mut().tracked.paused = true;
                self.note(st, ScriptApi::Preempt, |event| {
                    (event.ordinal, event.site) = (ordinal, site);
                    event.aux = [api.number().into(), AccessSide::After as u64, 0, 0];
                });
            }
            None => self.note_switch(cx, st, (0, AccessSide::After), 0),
        }
    }

    fn note_switch<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        (pc, side): (Pc, AccessSide),
        ordinal: u32,
    ) {
        let site = happening_site(&cx.images.image(st.program).program, st);
        let is_own = st.extra.node().record.as_ref().is_some_and(|r| r.program == Some(st.program));
        if !is_own && (side == AccessSide::Before || ordinal > 0) {
            let why = format!(
                "a preemption at an access of a program that was executed or has opened libraries, at {site}"
            );
            st.extra.node_mut().trouble(why);
        }
        st.extra.node_mut().thread_mut().tracked.paused = true;
        self.note(st, ScriptApi::Preempt, |event| {
            (event.ordinal, event.site) = (ordinal, site);
            event.aux = [0, side as u64, pc.into(), 0];
        });
    }

    /// The running thread makes an access that races with an earlier one, and the path ends with that.
    pub(crate) fn note_race_end<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        race: &RacingAccess,
        access: &ThreadAccess,
    ) {
        let node = st.extra.node();
        let Some(record) = &node.record else { return };
        let program = &cx.images.image(st.program).program;
        let site = happening_site(program, st);
        let is_own =
            [access.site.program, race.site.program].iter().all(|p| record.program == Some(*p));
        // Of other ops it is known afterwards what they have accessed.
        let is_before = matches!(
            program.ops[access.site.pc as usize],
            Op::Load { .. }
                | Op::Store { .. }
                | Op::LoadMany { .. }
                | Op::StoreMany { .. }
                | Op::AtomicRmw { .. }
                | Op::CompareExchange { .. }
        );
        let (earlier, pc) = (race.site.pc, access.site.pc);
        let accesses = &node.thread().tracked.accesses;
        let (side, counts) = match is_before {
            true => (AccessSide::Before, &accesses.arrivals),
            false => (AccessSide::After, &accesses.performed),
        };
        let ordinal = counts.get(&pc).copied().unwrap_or(0);
        if !is_own {
            let why =
                format!("a race of a program that was executed or has opened libraries, at {site}");
            st.extra.node_mut().trouble(why);
        }
        let thread = race.thread.1.0;
        self.note(st, ScriptApi::Race, |event| {
            (event.ordinal, event.site) = (ordinal, site);
            event.aux = [thread.into(), side as u64, pc.into(), earlier.into()];
        });
    }
}
