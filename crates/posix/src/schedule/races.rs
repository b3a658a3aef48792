//! Races between threads, and conflicts between a thread and its handlers: accesses come in, and pairs of
//! them that race go out.
//!
//! The first time that two accesses race, their operations are noted ([`LearntOps`]). In a run that knows
//! them, threads are held before them as before atomic operations. Then both orders are explored, and the
//! race is a finding with both stacks, beside which the path goes on.
//!
//! Where a handler may run at any place, accesses of a thread that its handler could see or disturb are
//! noted in the same way. They are no races: they are places before which the handler may run.
//!
//! [`LearntOps`]: crate::LearntOps

use everett_interp::{
    AccessEffect, AccessWatch, Bug, BugKind, Flow, Halt, Interp, LoggedAccess, PathEnding,
    ProgramImages, SharedAccess, SiblingCourse, State, byte_count,
};

use super::deliver::TRAMPOLINE;
use super::interleave::peek;
use super::source_sets::is_end_or_join;
use crate::kernel::{Guest, Kernel};
use crate::record::site_text;
use crate::state::ids::{ThreadKey, Tid};
use crate::state::node::Node;
use crate::state::races::{
    AccessSite, AtomicWrite, RacingAccess, RacingPair, Synchronisation, ThreadAccess,
};
use crate::state::thread_event::{EventPlace, EventTouch};

/// Places that are not memory are kept beside it, at addresses that no program has.
const OUTSIDE_MEMORY: u64 = 1 << 60;

impl Kernel {
    /// Looks for races of the accesses that the running thread has made since the last time.
    pub fn take_accesses<X: Guest>(&mut self, st: &mut State<X>) {
        let Some(log) = st.watch_mut().and_then(AccessWatch::take) else { return };
        if st.extra.node().find(st.extra.node().volatile.running.0).is_none() {
            // The process has ended, and its last accesses were taken before.
            return;
        }
        let program = st.program;
        let in_handler = self.handler_key(st);
        let node = st.extra.node_mut();
        let (who, has_threads) = (node.volatile.running, node.follows_threads());
        let note = |access: &ThreadAccess, race| self.note_race(&race, access);
        let is_there = |address| st.mem.bounds(address, 1).is_some();
        if has_threads {
            node.volatile.races.access_all(who, program, &log, note);
            node.volatile.races.forget_gone(who.0, is_there);
        }
        if let Some(context) = in_handler {
            node.volatile.handler_races.access_all(context, program, &log, note);
            node.volatile.handler_races.forget_gone(who.0, is_there);
        }
        if let Some(watch) = st.watch_mut() {
            watch.give_back(log);
        }
    }

    /// The running thread, as the detector of conflicts with handlers knows it, if there is one: what
    /// handlers do is done by another thread. All of the log was done by the same one of the two.
    fn handler_key<X: Guest>(&self, st: &mut State<X>) -> Option<ThreadKey> {
        let depth = st.stack.depth();
        let node = st.extra.node_mut();
        if !node.explores_signals() {
            return None;
        }
        let (pid, tid) = node.volatile.running;
        let thread = node.thread_mut();
        thread.handlers.retain(|below| *below < depth);
        Some(if thread.handlers.is_empty() { (pid, tid) } else { (pid, handler_of(tid)) })
    }

    /// A handler is about to be entered on the stack of the running thread.
    pub(super) fn enter_context_of_handler<X: Guest>(&mut self, st: &mut State<X>) {
        if !st.extra.node().explores_signals() {
            return;
        }
        self.take_accesses(st);
        let depth = st.stack.depth();
        st.extra.node_mut().thread_mut().handlers.push(depth);
    }

    /// The running thread has changed its handlers, or the signals that it blocks. What it and its handlers
    /// have done until now cannot be mixed with what they do from now on.
    pub(super) fn signals_changed<X: Guest>(&mut self, images: &ProgramImages, st: &mut State<X>) {
        if !st.extra.node().explores_signals() {
            return;
        }
        self.take_accesses(st);
        if ends_handler(images, st) {
            st.extra.node_mut().thread_mut().handlers.pop();
        } else if let Some((pid, tid)) = self.handler_key(st)
            && tid == st.extra.node().volatile.running.1
        {
            let races = &mut st.extra.node_mut().volatile.handler_races;
            races.order((pid, tid), (pid, handler_of(tid)));
        }
        self.watch(images, st);
    }

    /// Notes the operations of two accesses that race.
    fn note_race(&self, race: &RacingAccess, access: &ThreadAccess) {
        let sides = [(race.is_atomic, &race.site), (access.is_atomic, &access.site)];
        for (is_atomic, site) in sides {
            if !is_atomic {
                self.racing.note((site.program, site.pc));
            }
        }
    }

    /// The running thread makes an access by which threads may communicate.
    pub(super) fn perform_access<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        access: &SharedAccess,
    ) -> Result<(), Halt> {
        let Some(address) = access.address else { return Ok(()) };
        let who = st.extra.node().volatile.running;
        let is_write = match access.effect {
            AccessEffect::Read | AccessEffect::Fence => false,
            AccessEffect::Write | AccessEffect::Update => true,
            AccessEffect::Exchange(expected) => {
                expected.is_none() || peek(st, who.0, address, access.bytes) == expected
            }
        };
        let is_atomic = access.flags.atomic();
        let synchronisation = is_atomic.then(|| synchronisation(access, is_write));
        if let Some(how) = synchronisation {
            st.extra.node_mut().volatile.races.take_over(who, address, how);
        }
        if !access.in_library {
            self.find_races(cx, st, (address, access.bytes), is_write, is_atomic)?;
        }
        if let Some(how) = synchronisation {
            st.extra.node_mut().volatile.races.leave(who, address, how);
            if access.in_library && is_end_or_join(&cx.image.program, st) {
                st.extra.node_mut().volatile.events.end_or_join(who.1, address);
            }
        }
        Ok(())
    }

    /// The running thread has made an access that is known to race.
    pub fn after_access<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        access: &LoggedAccess,
    ) -> Result<(), Halt> {
        self.take_accesses(st);
        self.find_races(cx, st, (access.address, access.bytes), access.is_write, false)
    }

    fn find_races<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        (address, bytes): (u64, u32),
        is_write: bool,
        is_atomic: bool,
    ) -> Result<(), Halt> {
        let who = st.extra.node().volatile.running;
        let stack = (!is_atomic).then(|| st.stack.frames().collect());
        let site = AccessSite { program: st.program, pc: st.pc(), stack };
        let bytes = bytes.into();
        let access = ThreadAccess { address, bytes, is_write, is_atomic, site };
        if let Some(context) = self.handler_key(st) {
            let node = st.extra.node_mut();
            for race in node.volatile.handler_races.access(context, &access) {
                self.note_race(&race, &access);
            }
        }
        if !st.extra.node().follows_threads() {
            return Ok(());
        }
        for race in st.extra.node_mut().volatile.races.access(who, &access) {
            self.note_race(&race, &access);
            self.tell_race(cx, st, &race, &access)?;
        }
        Ok(())
    }

    /// Makes a finding of two accesses that race, if it is a new one and both stacks are known. On a path
    /// with given preemptions, it is one if the test is about it, and ends the path. Beside the end of
    /// another path it is none: once both accesses are events, paths that count have them in other orders.
    fn tell_race<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        race: &RacingAccess,
        access: &ThreadAccess,
    ) -> Result<(), Halt> {
        let is_held = |is_atomic: bool, site: &AccessSite| {
            is_atomic || self.racing.is_known((site.program, site.pc))
        };
        if !is_held(race.is_atomic, &race.site) || !is_held(access.is_atomic, &access.site) {
            return Ok(());
        }
        let pair = RacingPair {
            earlier: (race.site.program, race.site.pc),
            later: (access.site.program, access.site.pc),
        };
        let path = &st.extra.node().path;
        let is_told = match path.plan {
            Some(_) => path.race == Some(pair),
            None => !path.is_beside_end && !path.told_races.contains(&pair),
        };
        if !is_told {
            return Ok(());
        }
        st.extra.node_mut().path.told_races.push(pair);
        let verb = |is_atomic: bool, is_write: bool| match (is_atomic, is_write) {
            (true, true) => "writes atomically",
            (true, false) => "reads atomically",
            (false, true) => "writes",
            (false, false) => "reads",
        };
        let message = format!(
            "thread {} {} {} here, and thread {} {} there in {}; nothing orders the two: no lock, no \
             release that is acquired, no start or end of a thread",
            st.extra.node().volatile.running.1.0,
            verb(access.is_atomic, access.is_write),
            byte_count(access.bytes),
            race.thread.1.0,
            verb(race.is_atomic, race.is_write),
            earlier_place(cx, &race.site),
        );
        let mut bug = Bug::new(BugKind::DataRace, message);
        if let Ok(object) = st.mem.check(race.address, 1) {
            bug = bug.about(cx.image.note(&object));
        }
        let ending = PathEnding::Bug(Box::new(bug));
        if st.extra.node().path.plan.is_some() {
            self.note_race_end(cx, st, race, access);
            return Err(Flow::End(ending).into());
        }
        let mut sibling = st.fork();
        sibling.extra.node_mut().path.race = Some(pair);
        cx.add_sibling(sibling, SiblingCourse::Ended(ending));
        Ok(())
    }
}

/// Returns true if the running thread restores the signals that it blocks because a handler has returned.
pub(super) fn ends_handler<X: Guest>(images: &ProgramImages, st: &State<X>) -> bool {
    let program = &images.image(st.program).program;
    let functions = st.stack.frames().map(|frame| program.function(frame.func));
    let mut library = functions.take_while(|function| function.library);
    library.any(|function| function.name == TRAMPOLINE)
}

/// The handlers of a thread, as another thread.
fn handler_of(tid: Tid) -> Tid {
    Tid(tid.0 | 1 << 31)
}

/// The part that an atomic access has in the order of threads.
fn synchronisation(access: &SharedAccess, is_write: bool) -> Synchronisation {
    if access.in_library {
        // Functions of the C library order threads whatever they are made of.
        return Synchronisation {
            writes: is_write.then_some(AtomicWrite::Update),
            ..Synchronisation::STRONGEST
        };
    }
    let flags = access.flags;
    let acquires = match access.effect {
        AccessEffect::Exchange(_) if !is_write => flags.acquires_on_failure(),
        _ => flags.acquires(),
    };
    let write = match access.effect {
        AccessEffect::Write => AtomicWrite::Store,
        _ => AtomicWrite::Update,
    };
    Synchronisation {
        reads: access.effect != AccessEffect::Write,
        acquires,
        writes: is_write.then_some(write),
        releases: flags.releases(),
    }
}

/// The place of an earlier access, with its callers.
fn earlier_place<X: Guest>(cx: &Interp<'_, X>, site: &AccessSite) -> String {
    let program = &cx.images.image(site.program).program;
    let frames = site.stack.iter().flat_map(|stack| stack.iter());
    let own = frames.filter(|frame| !program.function(frame.func).library);
    let places: Vec<String> = own.map(|frame| site_text(program, frame.pc, frame.func)).collect();
    if !places.is_empty() {
        return places.join(", called from ");
    }
    // Of an atomic access, the callers are not kept.
    let func = program.function_at(site.pc).filter(|func| !program.function(*func).library);
    func.map_or("the C library".to_owned(), |func| site_text(program, site.pc, func))
}

/// The running thread touches a place that is not memory: who reads there sees what was written before.
pub(super) fn synchronise_outside(node: &mut Node, who: ThreadKey, touch: EventTouch) {
    let place = match touch.place {
        EventPlace::Memory { address, .. } => address,
        EventPlace::File(file) => OUTSIDE_MEMORY | u64::from(file.0),
        EventPlace::Inode(inode) => OUTSIDE_MEMORY | 1 << 56 | inode,
        EventPlace::Pipe(pipe) => OUTSIDE_MEMORY | 2 << 56 | u64::from(pipe.0),
        EventPlace::Socket(socket) => OUTSIDE_MEMORY | 3 << 56 | u64::from(socket.0),
        EventPlace::LocalSockets => OUTSIDE_MEMORY | 4 << 56,
        EventPlace::Ipc => OUTSIDE_MEMORY | 6 << 56,
        EventPlace::Descriptors(_) => return,
        // Whatever was touched may have been meant.
        EventPlace::AllFiles | EventPlace::Names | EventPlace::Everything => {
            OUTSIDE_MEMORY | 5 << 56
        }
    };
    node.volatile.races.synchronise(who, place, Synchronisation::STRONGEST);
}
