//! Signals: what is pending, what is done about it, and entering handlers.
//!
//! A handler runs on the stack of the thread that it interrupts, through the C function
//! `__everett_signal` of the runtime, which builds the `siginfo_t` and restores the signal mask
//! afterwards; so leaving a handler by `longjmp` needs nothing special.

use std::sync::Arc;

use everett_expr::Pool;
use everett_interp::{Bug, BugKind, Course, Ending, Flow, Interp, Reg, State, Stop};
use everett_memory::ByteValue;
use linux_raw_sys::general as linux;
use syscalls::{Errno, Sysno};

use crate::calls::{self, AfterSignal};
use crate::kernel::{Guest, Kernel, failure, unsupported};
use crate::node::Node;
use crate::process::{Pid, Tid};
use crate::schedule::{Who, thread_mut};
use crate::status::{CLD_CONTINUED, CLD_STOPPED, WaitStatus};
use crate::sys;
use crate::wait::Wait;

/// A set of signals: bit `n - 1` is signal `n`.
pub(crate) type SigSet = u64;

/// Highest signal number.
pub(crate) const SIGNALS: u32 = 64;
/// First real-time signal: from here on, each one that is sent is queued.
const FIRST_REAL_TIME: u32 = 32;
/// Signals that may wait for a process or thread at once.
const MAX_QUEUED: usize = 1024;

pub(crate) const SIG_DFL: u64 = 0;
pub(crate) const SIG_IGN: u64 = 1;

/// The C function that calls handlers.
const TRAMPOLINE: &str = "__everett_signal";

/// The set of one signal.
pub(crate) fn bit(signal: u32) -> SigSet {
    1 << (signal - 1)
}

/// Signals that can be neither blocked nor handled.
pub(crate) const UNSTOPPABLE: SigSet = (1 << (linux::SIGKILL - 1)) | (1 << (linux::SIGSTOP - 1));

/// What a process does about a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) handler: u64,
    pub(crate) flags: u64,
    pub(crate) restorer: u64,
    pub(crate) mask: SigSet,
}

/// What a process does about each signal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Actions([Action; SIGNALS as usize]);

impl Default for Actions {
    fn default() -> Actions {
        Actions([Action::default(); SIGNALS as usize])
    }
}

impl Actions {
    pub(crate) fn get(&self, signal: u32) -> Action {
        self.0[signal as usize - 1]
    }

    pub(crate) fn set(&mut self, signal: u32, action: Action) {
        self.0[signal as usize - 1] = action;
    }

    /// Whether the program handles some signal itself.
    pub(crate) fn has_handler(&self) -> bool {
        self.0.iter().any(|action| !matches!(action.handler, SIG_DFL | SIG_IGN))
    }

    /// What another program starts with: handlers are gone, ignored signals stay ignored.
    pub(crate) fn after_exec(&self) -> Actions {
        let keep = |action: &Action| {
            let handler = if action.handler == SIG_IGN { SIG_IGN } else { SIG_DFL };
            Action { handler, ..Action::default() }
        };
        Actions(std::array::from_fn(|i| keep(&self.0[i])))
    }
}

/// A signal on its way, with what `siginfo_t` tells about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) signal: u32,
    pub(crate) code: i32,
    pub(crate) pid: u32,
    pub(crate) uid: u32,
    /// A word or a term of 64 bits.
    pub(crate) value: Reg,
}

impl Info {
    /// The bytes of its value, the lowest first.
    pub(crate) fn value_bytes(&self, pool: &Pool) -> [ByteValue; 8] {
        match self.value.term() {
            Some(term) => std::array::from_fn(|i| {
                let byte = pool.extract(term, 8 * i as u32, 8);
                pool.as_const(byte).map_or(ByteValue::Symbolic(byte), |value| (value as u8).into())
            }),
            None => self.value.bits().to_le_bytes().map(ByteValue::Concrete),
        }
    }
}

/// Signals that wait, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pending(Vec<Info>);

impl Pending {
    pub(crate) fn set(&self) -> SigSet {
        self.0.iter().fold(0, |set, info| set | bit(info.signal))
    }

    /// Adds a signal; an ordinary one that waits already is not added again.
    fn add(&mut self, info: Info) -> Result<(), Errno> {
        if info.signal < FIRST_REAL_TIME && self.set() & bit(info.signal) != 0 {
            return Ok(());
        }
        if self.0.len() >= MAX_QUEUED {
            return Err(Errno::EAGAIN);
        }
        self.0.push(info);
        Ok(())
    }

    /// Takes the first signal of a set: the lowest number, of several the oldest.
    pub(crate) fn take(&mut self, set: SigSet) -> Option<Info> {
        let signal = self.0.iter().map(|i| i.signal).filter(|s| set & bit(*s) != 0).min()?;
        let at = self.0.iter().position(|info| info.signal == signal)?;
        Some(self.0.remove(at))
    }

    fn discard(&mut self, set: SigSet) {
        self.0.retain(|info| set & bit(info.signal) == 0);
    }
}

/// What happens by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Usual {
    Ignore,
    Stop,
    Continue,
    End,
    /// Ends the process and would leave a core: a crash.
    Crash,
}

fn default_of(signal: u32) -> Usual {
    match signal {
        linux::SIGCHLD | linux::SIGURG | linux::SIGWINCH => Usual::Ignore,
        linux::SIGSTOP | linux::SIGTSTP | linux::SIGTTIN | linux::SIGTTOU => Usual::Stop,
        linux::SIGCONT => Usual::Continue,
        linux::SIGQUIT
        | linux::SIGILL
        | linux::SIGTRAP
        | linux::SIGABRT
        | linux::SIGBUS
        | linux::SIGFPE
        | linux::SIGSEGV
        | linux::SIGXCPU
        | linux::SIGXFSZ
        | linux::SIGSYS => Usual::Crash,
        _ => Usual::End,
    }
}

/// Name of a signal.
pub(crate) fn name(signal: u32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
        "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
        "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match NAMES.get((signal as usize).wrapping_sub(1)) {
        Some(name) => format!("SIG{name}"),
        None => format!("signal {signal}"),
    }
}

/// Signals that wait for a thread, blocked or not.
pub(crate) fn pending(node: &Node, who: Who) -> SigSet {
    let Some(process) = node.find(who.0) else { return 0 };
    let own = process.thread(who.1).map_or(0, |thread| thread.pending.set());
    own | process.pending.set()
}

/// Whether a thread has a signal that it must do something about.
pub(crate) fn has_deliverable(node: &Node, who: Who) -> bool {
    let Some(thread) = node.find(who.0).and_then(|process| process.thread(who.1)) else {
        return false;
    };
    pending(node, who) & !(thread.mask & !UNSTOPPABLE) != 0
}

/// Whether a thread is about to be killed.
pub(crate) fn is_killed(node: &Node, who: Who) -> bool {
    pending(node, who) & bit(linux::SIGKILL) != 0
}

/// Whether a process takes no notice of a signal.
fn is_ignored(process: &crate::process::Process, signal: u32) -> bool {
    match process.actions.get(signal).handler {
        SIG_IGN => bit(signal) & UNSTOPPABLE == 0,
        SIG_DFL => default_of(signal) == Usual::Ignore,
        _ => false,
    }
}

/// Forgets a signal that waits if the process ignores it from now on.
pub(crate) fn forget_ignored(process: &mut crate::process::Process, signal: u32) {
    if is_ignored(process, signal) {
        process.pending.discard(bit(signal));
        process.threads_mut().for_each(|thread| thread.pending.discard(bit(signal)));
    }
}

/// Sends a signal to a process, or to one thread of it.
pub(crate) fn send(node: &mut Node, to: Pid, only: Option<Tid>, info: Info) -> Result<(), Errno> {
    let process = node.find_mut(to).ok_or(Errno::ESRCH)?;
    if process.is_zombie() {
        return Ok(());
    }
    let stops = [linux::SIGSTOP, linux::SIGTSTP, linux::SIGTTIN, linux::SIGTTOU];
    let stops = stops.iter().fold(0, |set, signal| set | bit(*signal));
    let cancelled = match info.signal {
        linux::SIGCONT => stops,
        signal if stops & bit(signal) != 0 => bit(linux::SIGCONT),
        _ => 0,
    };
    if cancelled != 0 {
        process.pending.discard(cancelled);
        process.threads_mut().for_each(|thread| thread.pending.discard(cancelled));
    }
    let continued = info.signal == linux::SIGCONT && process.stopped;
    if continued {
        process.stopped = false;
        process.news = Some(WaitStatus::Continued);
    }
    let parent = process.parent;
    let blocked = |tid: &Tid| process.threads[tid].mask & bit(info.signal) != 0;
    let blocked = match only {
        Some(tid) => process.threads.contains_key(&tid) && blocked(&tid),
        None => process.threads.keys().all(blocked),
    };
    let ignored = is_ignored(process, info.signal) && !blocked;
    if continued {
        tell_of_stop(node, parent, to, CLD_CONTINUED, linux::SIGCONT);
        node.changed();
    }
    if ignored {
        return Ok(());
    }
    let process = node.find_mut(to).ok_or(Errno::ESRCH)?;
    match only {
        Some(tid) => {
            process.thread_mut(tid).ok_or(Errno::ESRCH)?.pending.add(info)?;
        }
        None => process.pending.add(info)?,
    }
    node.changed();
    Ok(())
}

/// Tells a parent that a child was stopped or goes on, unless it does not want to know.
fn tell_of_stop(node: &mut Node, parent: Pid, child: Pid, code: i32, signal: u32) {
    let uid = node.find(child).map_or(0, |process| process.ids.real_uid);
    let silent = u64::from(linux::SA_NOCLDSTOP);
    let wants = |p: &crate::process::Process| p.actions.get(linux::SIGCHLD).flags & silent == 0;
    if node.find(parent).is_some_and(wants) {
        let value = Reg::word(signal.into());
        let info = Info { signal: linux::SIGCHLD, code, pid: child.0, uid, value };
        // A parent whose queue is full misses it.
        let _ = send(node, parent, None, info);
    }
}

/// What a signal of the kernel itself says.
pub(crate) fn from_kernel(signal: u32) -> Info {
    const SI_KERNEL: i32 = 0x80;
    Info { signal, code: SI_KERNEL, pid: 0, uid: 0, value: Reg::word(0) }
}

impl Kernel {
    /// Does what the running thread's signals ask for; called where it leaves the kernel.
    pub(crate) fn deliver_signals<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Flow, Stop> {
        loop {
            let node = st.extra.node();
            if !has_deliverable(node, node.volatile.running) {
                self.restore_mask(st);
                return Ok(Flow::Switched);
            }
            let Some(info) = take_deliverable(st.extra.node_mut()) else {
                return Ok(Flow::Switched);
            };
            let action = st.extra.node().process().actions.get(info.signal);
            match action.handler {
                SIG_IGN => {}
                SIG_DFL => match default_of(info.signal) {
                    Usual::Ignore | Usual::Continue => {}
                    Usual::Stop => return self.stop(cx, st, info.signal),
                    Usual::End => return self.end_process(cx, st, info.signal),
                    Usual::Crash => return self.crash(cx, st, &info),
                },
                _ => return self.enter_handler(cx, st, &info, action),
            }
        }
    }

    /// A mask that was set for the time of one call ends with the call, if no handler did it.
    fn restore_mask<X: Guest>(&mut self, st: &mut State<X>) {
        if st.extra.node().thread().saved_mask.is_some() {
            let thread = st.extra.node_mut().thread_mut();
            if let Some(mask) = thread.saved_mask.take() {
                thread.mask = mask;
            }
        }
    }

    /// Ends or restarts the system call that a signal interrupts, then delivers the signal.
    pub(crate) fn interrupt<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Flow, Stop> {
        let node = st.extra.node();
        let who = node.volatile.running;
        let first = first_deliverable(node, who);
        let action = first.map(|signal| node.process().actions.get(signal)).unwrap_or_default();
        if !matches!(action.handler, SIG_DFL | SIG_IGN) {
            let thread = st.extra.node_mut().thread_mut();
            let wait = thread.blocked.take();
            // A call that has transferred something tells how much.
            let done = std::mem::take(&mut thread.done);
            let again = done == 0
                && action.flags & u64::from(linux::SA_RESTART) != 0
                && thread.blocked_in.is_some_and(|call| is_restarted(call, wait.as_ref()));
            thread.resumed = None;
            thread.answers.clear();
            if !again {
                if let Some(wait) = wait {
                    sys::time::interrupted(st, &wait);
                }
                let value = if done > 0 { done } else { failure(Errno::EINTR) };
                cx.complete_call(st, Reg::word(value));
                if st.extra.node().is_recorded() {
                    self.note_end(cx, st, value, false);
                }
            }
        }
        let flow = self.deliver_signals(cx, st)?;
        // A signal that ended nothing leaves the thread waiting.
        let node = st.extra.node();
        if flow == Flow::Switched && node.volatile.running == who && node.thread().blocked.is_some()
        {
            return self.dispatch(cx, st);
        }
        Ok(flow)
    }

    fn enter_handler<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        info: &Info,
        action: Action,
    ) -> Result<Flow, Stop> {
        let Some(trampoline) = cx.image.program.function_named(TRAMPOLINE) else {
            return Err(unsupported(format!(
                "handler of {} in a program without the C library",
                name(info.signal)
            )));
        };
        self.note_signal(cx, st, info);
        let node = st.extra.node_mut();
        if action.flags & u64::from(linux::SA_RESETHAND) != 0 {
            let reset = Action { handler: SIG_DFL, ..action };
            Arc::make_mut(&mut node.process_mut().actions).set(info.signal, reset);
        }
        let thread = node.thread_mut();
        let restored = thread.saved_mask.take().unwrap_or(thread.mask);
        thread.mask |= action.mask & !UNSTOPPABLE;
        if action.flags & u64::from(linux::SA_NODEFER) == 0 {
            thread.mask |= bit(info.signal);
        }
        let arguments = [
            Reg::word(action.handler),
            Reg::word(info.signal.into()),
            Reg::word(info.code as u32 as u64),
            Reg::word(info.pid.into()),
            Reg::word(info.uid.into()),
            info.value,
            Reg::word(restored),
            Reg::word(action.flags),
        ];
        cx.enter(st, trampoline, &arguments);
        Ok(Flow::Switched)
    }

    fn stop<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        signal: u32,
    ) -> Result<Flow, Stop> {
        let node = st.extra.node_mut();
        let parent = node.process().parent;
        let process = node.process_mut();
        process.stopped = true;
        process.news = Some(WaitStatus::Stopped(signal));
        let pid = node.volatile.running.0;
        tell_of_stop(node, parent, pid, CLD_STOPPED, signal);
        node.changed();
        self.dispatch(cx, st)
    }

    fn end_process<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        signal: u32,
    ) -> Result<Flow, Stop> {
        let status = WaitStatus::Killed { signal, core: false };
        sys::process::end_process(self, cx, st, status)
    }

    /// A process dies of a signal that means a bug. One that others sent is no bug of its own.
    fn crash<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        info: &Info,
    ) -> Result<Flow, Stop> {
        let (pid, _) = st.extra.node().volatile.running;
        let own = info.pid == pid.0 || info.code > 0;
        if own {
            let message = format!("killed by {}", name(info.signal));
            if let Some(flow) = self.report_crash(cx, st, Bug::new(BugKind::Abort, message)) {
                return Ok(flow);
            }
        }
        let status = WaitStatus::Killed { signal: info.signal, core: true };
        sys::process::end_process(self, cx, st, status)
    }

    /// Reports a bug of the running process. Where it is the only process, the path ends with it;
    /// otherwise the others live on.
    fn report_crash<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        bug: Bug,
    ) -> Option<Flow> {
        let ending = Ending::Bug(Box::new(bug));
        let alive = st.extra.node().volatile.processes.values().filter(|p| !p.is_zombie()).count();
        if alive == 1 {
            return Some(Flow::End(ending));
        }
        let copy = st.fork();
        cx.add_sibling(copy, Course::Ended(ending));
        None
    }

    /// The running process gives up: a failed assertion, `abort`. A handler of `SIGABRT` is called
    /// first; the process ends when it returns.
    pub fn abort<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        bug: Bug,
    ) -> Result<Flow, Stop> {
        let signal = linux::SIGABRT;
        let action = st.extra.node().process().actions.get(signal);
        if !matches!(action.handler, SIG_DFL | SIG_IGN) {
            // The next time, the process ends: this call is executed again after the handler.
            Arc::make_mut(&mut st.extra.node_mut().process_mut().actions)
                .set(signal, Action::default());
            let (pid, _) = st.extra.node().volatile.running;
            let uid = st.extra.node().process().ids.real_uid;
            const SI_TKILL: i32 = -6;
            let info = Info { signal, code: SI_TKILL, pid: pid.0, uid, value: Reg::word(0) };
            return self.enter_handler(cx, st, &info, action);
        }
        match self.report_crash(cx, st, bug) {
            Some(flow) => Ok(flow),
            None => {
                let status = WaitStatus::Killed { signal, core: true };
                sys::process::end_process(self, cx, st, status)
            }
        }
    }
}

/// The signal that a thread gets next.
fn first_deliverable(node: &Node, who: Who) -> Option<u32> {
    let thread = node.find(who.0)?.thread(who.1)?;
    let set = pending(node, who) & !(thread.mask & !UNSTOPPABLE);
    (set != 0).then(|| set.trailing_zeros() + 1)
}

fn take_deliverable(node: &mut Node) -> Option<Info> {
    let who = node.volatile.running;
    let signal = first_deliverable(node, who)?;
    let own = thread_mut(node, who)?.pending.take(bit(signal));
    own.or_else(|| node.process_mut().pending.take(bit(signal)))
}

/// Whether some handler of the program would end a wait of the running thread in a call with `EINTR`.
pub(crate) fn can_interrupt(node: &Node, call: Sysno, wait: &Wait) -> bool {
    let mask = node.thread().mask;
    let actions = &node.process().actions;
    let restarts = is_restarted(call, Some(wait));
    (1..=64).filter(|signal| mask & bit(*signal) == 0).any(|signal| {
        let action = actions.get(signal);
        let handled = !matches!(action.handler, SIG_DFL | SIG_IGN);
        handled && !(restarts && action.flags & u64::from(linux::SA_RESTART) != 0)
    })
}

/// Whether a call whose wait is interrupted is executed again after a handler with `SA_RESTART`.
fn is_restarted(call: Sysno, wait: Option<&Wait>) -> bool {
    match calls::facts(call).after_signal {
        AfterSignal::Ends => false,
        AfterSignal::Restarts => true,
        AfterSignal::Untimed => wait.is_none_or(|wait| wait.deadline.is_none()),
    }
}
