//! The scheduler of a node: the thread that runs, and the time that moves on.
//!
//! A thread runs until it blocks; then the next one that can run takes over, in the order of
//! numbers, going round. A thread that computes for very long without a system call lets others
//! run, too. When no thread can run the node is idle: the embedder asks when it goes on by itself
//! ([`Node::next_wake`]) and wakes it ([`Kernel::wake`]) at that time or with what has arrived.
//!
//! Not here: how a thread becomes the running one (`sys/processes/running.rs`).

mod deliver;
mod entry;
mod interleave;
mod locks;
mod observe;
mod races;
mod reboot;
mod source_sets;
pub(crate) mod sync_functions;
mod system_events;
mod tie;

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use everett_base::NextWake;
use everett_base::hash::FixedState;
use everett_interp::{Bug, BugKind, Flow, Interp, ProgramImages, Reg, State, Stop, ThreadContext};
use everett_net::HostId;
use syscalls::Sysno;

use crate::kernel::{Guest, Kernel};
use crate::net::icmp;
use crate::state::file::{FileKind, OpenFile};
use crate::state::ids::{FileId, ThreadKey, Time};
use crate::state::node::{Node, thread_of};
use crate::state::pending::ForkedWait;
use crate::state::process::Thread;
use crate::state::process::status::WaitStatus;
use crate::state::sockets::SocketFamily;
use crate::state::sockets::message::SharedMessage;
use crate::state::switches::{ThreadPreemption, ThreadSwitch};
use crate::state::wait::{EndedWait, SemaphoreWait, Wait, WaitEvent};
use crate::sys;

use interleave::ThreadChoice;

impl Kernel {
    /// Lets the running thread wait, and another one run.
    pub(crate) fn block<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        wait: Wait,
    ) -> Result<Flow, Stop> {
        let signal = match st.extra.node().explores_signals() {
            true => match self.offer_signal_to_wait(cx, st) {
                Ok(signal) => signal,
                Err(flow) => return Ok(flow),
            },
            false => None,
        };
        if st.extra.node().is_recorded() {
            self.note_wait(cx, st);
        }
        let node = st.extra.node_mut();
        node.path.waits += 1;
        let waits = node.path.waits;
        let thread = node.thread_mut();
        thread.blocked = Some(wait);
        thread.blocked_at = waits;
        thread.blocked_in = Some(sysno);
        thread.resumed = None;
        thread.observed = None;
        if let Some(signal) = signal {
            // A queue that is full has the signal already.
            let _ = thread.pending.add(signal);
        }
        self.dispatch(cx, st)
    }

    /// Gives the processor to the next thread that can run.
    pub(crate) fn dispatch<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Flow, Stop> {
        if st.extra.node().path.explores_threads() {
            match self.choose_thread(cx, st)? {
                ThreadChoice::Elsewhere(flow) => return Ok(flow),
                ThreadChoice::Running => return Ok(Flow::Switched),
                ThreadChoice::Nobody => {}
            }
        }
        let mut next = None;
        if !st.extra.node().volatile.pending.is_idle() {
            next = match self.observe(cx, st) {
                Ok(next) => next,
                Err(flow) => return Ok(flow),
            };
        }
        let Some(who) = next.or_else(|| next_runnable(st.extra.node())) else {
            return Ok(Flow::Idle);
        };
        if next.is_none() {
            match self.offer_tie(cx, st, who) {
                Ok(true) => return Ok(Flow::Idle),
                Ok(false) => {}
                Err(flow) => return Ok(flow),
            }
        }
        self.activate(cx.images, st, who);
        self.resume(cx, st)
    }

    /// Wakes an idle node at a time, with what has arrived from other nodes. [`Flow::Idle`] if no
    /// thread can run then either.
    pub fn wake<'e, X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        now: Time,
        arriving: impl Iterator<Item = (HostId, &'e SharedMessage)>,
    ) -> Result<Flow, Stop> {
        let node = st.extra.node_mut();
        if node.volatile.pending.is_forked()
            && let Some(fork) = node.volatile.pending.take_fork()
        {
            return match fork {
                ForkedWait::Runs(who) => {
                    self.activate(cx.images, st, who);
                    self.resume(cx, st)
                }
                ForkedWait::Waits => Ok(Flow::Idle),
            };
        }
        node.clock.now = node.clock.now.max(now);
        node.path.rounds += 1;
        if node.is_down() {
            node.deliver(arriving);
            let is_due = node.goes_on_at().is_some_and(|at| at <= node.clock.now);
            return if is_due { self.reboot(cx, st) } else { Ok(Flow::Idle) };
        }
        sys::time::fire_alarms(node);
        node.receive_repeated();
        node.deliver(arriving);
        self.dispatch(cx, st)
    }

    /// Lets the running thread, whose call is over, wait a little: it only asks what time it is or
    /// whether something has come.
    pub(crate) fn pass_time<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Flow, Stop> {
        let node = st.extra.node_mut();
        let deadline = node.clock.now + sys::time::STEP;
        node.process_mut().settings.polling_ns += sys::time::STEP;
        let thread = node.thread_mut();
        thread.blocked = Some(Wait::until(WaitEvent::Pause).by(Some(deadline)));
        thread.blocked_in = None;
        thread.resumed = None;
        self.dispatch(cx, st)
    }

    /// Lets the thread that was just made the running one go on.
    fn resume<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Flow, Stop> {
        sys::memory::arrive(cx.pool, st)?;
        self.note_resume(st);
        let node = st.extra.node();
        let (who, now) = (node.volatile.running, node.clock.now);
        let Some(wait) = node.thread().blocked.clone() else {
            return self.with_image(cx, st, |kernel, cx, st| kernel.deliver_signals(cx, st));
        };
        let came = is_ready(node, who, &wait.event);
        let timed_out = !came && wait.deadline.is_some_and(|deadline| deadline <= now);
        if came || timed_out {
            let thread = st.extra.node_mut().thread_mut();
            thread.blocked = None;
            if matches!(wait.event, WaitEvent::Pause | WaitEvent::Turn(_)) {
                return self.with_image(cx, st, |kernel, cx, st| kernel.deliver_signals(cx, st));
            }
            // The call that began another process is over already.
            thread.resumed = (!matches!(wait.event, WaitEvent::Executed(_)))
                .then_some(EndedWait { deadline: wait.deadline, timed_out });
            return Ok(Flow::Switched);
        }
        self.with_image(cx, st, |kernel, cx, st| kernel.interrupt(cx, st))
    }

    /// Lets another thread run if one can: `sched_yield`, or the end of a time slice. With `is_wait`, the
    /// thread waits for something that others do.
    pub fn yield_now<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        is_wait: bool,
    ) -> Result<Flow, Stop> {
        sys::memory::leave(cx.pool, st)?;
        if st.extra.node().path.explores_threads() && st.extra.node().thread_count() > 1 {
            return self.yield_to_events(cx, st, is_wait);
        }
        let running = st.extra.node().volatile.running;
        let who = next_runnable(st.extra.node()).unwrap_or(running);
        if who == running {
            // A thread that polls waits for what time brings.
            return self.pass_time(cx, st);
        }
        self.note_slice(st, who);
        self.activate(cx.images, st, who);
        self.resume(cx, st)
    }

    /// Returns true if the running thread's time slice is over.
    pub fn slice_is_over<X: Guest>(&self, st: &State<X>) -> bool {
        st.instructions >= st.extra.node().volatile.slice_end
    }
}

/// Writes a preemption down.
fn note<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, switch: ThreadSwitch, who: ThreadKey) {
    let turn = st.extra.node().volatile.turn;
    let context = thread_of(st.extra.node(), turn).and_then(|thread| thread.context.as_deref());
    let place = match context {
        None => cx.own_place(st),
        Some(context) => {
            let id = st.extra.node().find(turn.0).map_or(st.program, |process| process.program);
            let program = &cx.images.image(id).program;
            let mut frames = context.stack().frames();
            let own = frames.find(|frame| !program.function(frame.func).library);
            own.map(|frame| (id, frame.pc))
        }
    };
    let node = st.extra.node_mut();
    let (time_ns, from, to) = (node.clock.now, node.volatile.turn.1, who.1);
    node.path.switches.push(ThreadPreemption { switch, time_ns, from, to, place });
}

/// All threads, in the order of numbers.
fn threads(node: &Node) -> impl Iterator<Item = ThreadKey> + '_ {
    let processes = node.volatile.processes.iter();
    processes.flat_map(|(pid, process)| process.threads.keys().map(move |tid| (*pid, *tid)))
}

/// The first thread after the running one, going round, that can run now. The running one itself
/// comes last.
pub(crate) fn next_runnable(node: &Node) -> Option<ThreadKey> {
    in_turn(node).find(|who| is_runnable(node, *who))
}

/// All threads in the order in which they get their turns, the running one last.
pub(crate) fn in_turn(node: &Node) -> impl Iterator<Item = ThreadKey> + '_ {
    let running = node.volatile.running;
    let after = threads(node).filter(move |who| *who > running);
    after.chain(threads(node).filter(move |who| *who <= running))
}

/// Returns true if a thread that can run can do so only because its deadline has passed.
pub(crate) fn has_timed_out(node: &Node, who: ThreadKey) -> bool {
    let wait = thread_of(node, who).and_then(|thread| thread.blocked.as_ref());
    wait.is_some_and(|wait| {
        wait.deadline.is_some_and(|deadline| deadline <= node.clock.now)
            && !is_ready(node, who, &wait.event)
            && !crate::signal::has_deliverable(node, who)
    })
}

fn is_runnable(node: &Node, who: ThreadKey) -> bool {
    let Some(thread) = thread_of(node, who) else { return false };
    if node.stands_still() {
        return false;
    }
    let killed = crate::signal::is_killed(node, who);
    if node.find(who.0).is_some_and(|process| process.stopped) && !killed {
        return false;
    }
    let Some(wait) = &thread.blocked else { return true };
    wait.deadline.is_some_and(|deadline| deadline <= node.clock.now)
        || is_ready(node, who, &wait.event)
        || (!matches!(
            wait.event,
            WaitEvent::Executed(_) | WaitEvent::Pause | WaitEvent::Look(_) | WaitEvent::Turn(_)
        ) && crate::signal::has_deliverable(node, who))
}

/// Returns true if what a thread waits for has come.
fn is_ready(node: &Node, who: ThreadKey, event: &WaitEvent) -> bool {
    match event {
        WaitEvent::Never | WaitEvent::Sleep { .. } | WaitEvent::Pause => false,
        WaitEvent::Turn(since) => node.path.turns != *since,
        WaitEvent::Round(since) => node.path.rounds != *since,
        WaitEvent::Files(files) => {
            files.iter().any(|(file, wanted)| sys::poll::events(node, who, *file) & wanted != 0)
        }
        WaitEvent::Look(_) => node.volatile.pending.hold().is_none(),
        WaitEvent::Futex { .. } => thread_of(node, who).is_some_and(|thread| thread.woken),
        WaitEvent::Executed(child) => node.find(*child).is_none_or(|c| c.is_zombie() || c.executed),
        WaitEvent::Signal(set) => crate::signal::pending(node, who) & set != 0,
        WaitEvent::Plain(wanted) => wanted.is_there(&node.net.table.inbox),
        WaitEvent::Change(since)
        | WaitEvent::More { since, .. }
        | WaitEvent::Semaphore(SemaphoreWait { since, .. }) => node.path.changes != *since,
    }
}

impl Node {
    /// The time at which the node, in which no thread can run, goes on by itself.
    pub fn next_wake(&self) -> NextWake {
        if self.stands_still() {
            return self.goes_on_at().map_or(NextWake::Never, NextWake::At);
        }
        if !self.volatile.repeated.is_empty() {
            return NextWake::NextRound;
        }
        let mut waits =
            self.volatile.processes.values().flat_map(|process| process.threads.values());
        let round = |thread: &Arc<Thread>| {
            thread.blocked.as_ref().is_some_and(|wait| matches!(wait.event, WaitEvent::Round(_)))
        };
        if waits.any(round) {
            return NextWake::NextRound;
        }
        let next = next_deadline(self).into_iter().chain(self.hold_expires()).min();
        next.map_or(NextWake::Never, NextWake::At)
    }

    /// Returns true if the node goes on by itself, and not only to give up messages that are held.
    pub fn has_plans(&self) -> bool {
        if self.stands_still() {
            return self.goes_on_at().is_some();
        }
        let is_waiting = next_runnable(self).is_none() && !self.volatile.pending.is_about_to_run();
        !is_waiting || self.next_wake() == NextWake::NextRound || next_deadline(self).is_some()
    }

    /// The waits of all threads, for a message.
    pub fn waiting(&self) -> Vec<String> {
        if self.is_down() {
            return vec!["has crashed".to_owned()];
        }
        threads(self).filter_map(|who| wait_of(self, who)).collect()
    }

    /// Returns true if the node only waits for somebody to ask for its services: some thread waits where a
    /// connection, a datagram to a port that its program chose, or anybody's event would wake it.
    pub fn awaits_work(&self) -> bool {
        let mut threads = threads(self).filter_map(|who| thread_of(self, who));
        threads.any(|thread| match thread.blocked.as_ref().map(|wait| &wait.event) {
            Some(WaitEvent::Files(files)) => files.iter().any(|(file, _)| is_service(self, *file)),
            Some(WaitEvent::Plain(wanted)) => wanted.is_from_anybody(),
            _ => false,
        })
    }

    /// Returns true if the node, in which no thread can run and which wakes by itself at `next`, does nothing
    /// but follow timers: it has ended, is down for good, or is a server that nobody asks for anything.
    /// Without being told it is a server if it waits for work, or would find it when a timer wakes it.
    pub fn rests(&self, next: NextWake, is_server: Option<bool>) -> bool {
        if self.stands_still() {
            return next == NextWake::Never;
        }
        let is_at_rest = match next {
            NextWake::NextRound => false,
            NextWake::Never => self.has_exited() || is_server.unwrap_or_else(|| self.awaits_work()),
            NextWake::At(_) => {
                is_server.unwrap_or_else(|| self.awaits_work() || self.offers_service())
            }
        };
        let has_held = || self.next_held().is_some() || self.volatile.pending.hold().is_some();
        is_at_rest && !has_held()
    }

    /// Returns true if the node has a socket where others can ask for a service.
    fn offers_service(&self) -> bool {
        self.volatile.files.iter().any(|(_, file)| is_service_of(self, file))
    }

    /// Returns true if the first process has ended.
    pub fn has_exited(&self) -> bool {
        self.volatile.first_status.is_some()
    }

    /// The exit code of the first process, once it has ended; a symbolic one has 8 bits.
    pub fn exit_code(&self) -> Option<Reg> {
        self.volatile.first_status.map(WaitStatus::shell_code)
    }
}

/// The call that a thread waits in, or the reason why it does not run, for a message.
fn wait_of(node: &Node, who: ThreadKey) -> Option<String> {
    let thread = thread_of(node, who)?;
    let is_stopped = node.find(who.0).is_some_and(|process| process.stopped);
    let call = match &thread.blocked {
        Some(Wait { event: WaitEvent::Plain(_), .. }) => Some(sys::event::WILL_GET),
        _ => thread.blocked_in.map(|sysno| sysno.name()),
    };
    Some(match call {
        Some(call) => format!("waits in {call}"),
        None if is_stopped => "is held by a stop signal".to_owned(),
        None => "has not started".to_owned(),
    })
}

/// Returns true if what is waited for at a file is somebody who asks for a service.
fn is_service(node: &Node, file: FileId) -> bool {
    node.volatile.files.get(file.0.into()).is_some_and(|file| is_service_of(node, file))
}

fn is_service_of(node: &Node, file: &OpenFile) -> bool {
    match &file.kind {
        FileKind::Socket(id) => {
            let socket = node.net.get(*id);
            match &socket.family {
                SocketFamily::Tcp(tcp) => tcp.is_listening(),
                SocketFamily::Udp(_) => socket.chose_port && socket.remote.is_none(),
                // One that asks has sent something.
                SocketFamily::Icmp(icmp) => {
                    !icmp::is_ping(socket) && socket.remote.is_none() && icmp.sent == (0, 0)
                }
                // Otherwise nobody but the node itself can ask here.
                SocketFamily::Unix(unix) => !unix.ports.is_empty(),
                SocketFamily::Netlink(_) => false,
            }
        }
        FileKind::Epoll(epoll) => epoll.watched().any(|file| is_service(node, file)),
        _ => false,
    }
}

/// The earliest time at which something happens by itself.
fn next_deadline(node: &Node) -> Option<Time> {
    let mut next = node.next_held();
    let mut note = |time: Option<Time>| next = next.into_iter().chain(time).min();
    for process in node.volatile.processes.values() {
        note(sys::time::next_alarm(process));
        for wait in process.threads.values().filter_map(|thread| thread.blocked.as_ref()) {
            note(wait.deadline);
            if let WaitEvent::Files(files) = &wait.event {
                files.iter().for_each(|(file, _)| note(sys::poll::next_event(node, *file)));
            }
        }
    }
    next
}

/// The waits of the threads of a node in which none can ever run again, as a bug; the state then
/// shows the stack of the first one.
pub fn stalled<X: Guest>(images: &ProgramImages, st: &mut State<X>) -> Bug {
    let node = st.extra.node();
    let mut message = "no thread can ever run again".to_owned();
    let mut separator = ": ";
    for who in threads(node) {
        let Some(wait) = wait_of(node, who) else { continue };
        let place = user_function(images, node, who, st).unwrap_or_default();
        message.push_str(&format!("{separator}thread {} {wait}{place}", who.1.0));
        separator = ", ";
    }
    let first = threads(node).next();
    if let Some(first) = first {
        let program = node.find(first.0).map(|process| process.program);
        let context = thread_of(node, first).and_then(|thread| thread.context.clone());
        if let (Some(context), Some(program)) = (context, program) {
            st.swap_thread(&mut Arc::unwrap_or_clone(context));
            st.program = program;
        }
    }
    Bug::new(BugKind::Deadlock, message)
}

/// Names where in their programs the threads of a node wait: the number changes when one of them waits at
/// another place.
pub fn place_of_waiting<X: Guest>(st: &State<X>) -> u64 {
    let node = st.extra.node();
    let mut hasher = FixedState.build_hasher();
    for who in threads(node) {
        who.hash(&mut hasher);
        let context = thread_of(node, who).and_then(|thread| thread.context.as_deref());
        for frame in context.map_or(&st.stack, ThreadContext::stack).frames() {
            (frame.func, frame.pc).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The innermost function of the user's program that a thread is in, for a message.
fn user_function<X: Guest>(
    images: &ProgramImages,
    node: &Node,
    who: ThreadKey,
    st: &State<X>,
) -> Option<String> {
    let context = thread_of(node, who).and_then(|thread| thread.context.as_deref());
    let stack = context.map_or(&st.stack, ThreadContext::stack);
    let program = &images.image(node.find(who.0)?.program).program;
    let functions = stack.frames().map(|frame| program.function(frame.func));
    let function = { functions }.find(|function| !function.library)?;
    Some(format!(" called from {}", function.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_survive_a_test_case() {
        let switches =
            [ThreadSwitch { point: 7, choice: 1 }, ThreadSwitch { point: 1 << 40, choice: 3 }];
        let bytes: Vec<u8> = switches.iter().flat_map(|switch| switch.to_bytes()).collect();
        assert_eq!(ThreadSwitch::read_all(&bytes), switches);
        assert_eq!(ThreadSwitch::read_all(&bytes[..15]), switches[..1]);
    }
}
