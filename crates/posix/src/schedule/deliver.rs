//! Delivering signals: what is done about those that wait, and entering handlers.
//!
//! A handler runs on the stack of the thread that it interrupts, through the C function
//! `__everett_signal` of the runtime, which builds the `siginfo_t` and restores the signal mask
//! afterwards; so leaving a handler by `longjmp` needs nothing special.

use std::sync::Arc;

use everett_interp::{Bug, BugKind, Flow, Interp, PathEnding, Reg, SiblingCourse, State, Stop};
use linux_raw_sys::general as linux;
use syscalls::Errno;

use crate::kernel::{Guest, Kernel, failure, unsupported};
use crate::signal::{
    DefaultAction, default_of, first_deliverable, has_deliverable, is_restarted, name,
    take_deliverable, tell_of_stop,
};
use crate::state::process::signals::{
    SIG_DFL, SIG_IGN, SignalAction, SignalInfo, UNSTOPPABLE, bit,
};
use crate::state::process::status::{CLD_STOPPED, WaitStatus};
use crate::sys;

/// The C function that calls handlers.
pub(super) const TRAMPOLINE: &str = "__everett_signal";

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
                    DefaultAction::Ignore | DefaultAction::Continue => {}
                    DefaultAction::Stop => return self.stop(cx, st, info.signal),
                    DefaultAction::End => return self.end_process(cx, st, info.signal),
                    DefaultAction::Crash => return self.crash(cx, st, &info),
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
        info: &SignalInfo,
        action: SignalAction,
    ) -> Result<Flow, Stop> {
        let Some(trampoline) = cx.image.program.function_named(TRAMPOLINE) else {
            return Err(unsupported(format!(
                "handler of {} in a program without the C library",
                name(info.signal)
            )));
        };
        self.enter_context_of_handler(st);
        self.note_signal(cx, st, info);
        let node = st.extra.node_mut();
        if action.flags & u64::from(linux::SA_RESETHAND) != 0 {
            let reset = SignalAction { handler: SIG_DFL, ..action };
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
        info: &SignalInfo,
    ) -> Result<Flow, Stop> {
        let (pid, _) = st.extra.node().volatile.running;
        let own = info.pid == pid.0 || info.code > 0;
        if own {
            let message = format!("killed by {}", name(info.signal));
            if let Err(flow) = self.report_crash(cx, st, Bug::new(BugKind::Abort, message)) {
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
    ) -> Result<(), Flow> {
        let ending = PathEnding::Bug(Box::new(bug));
        let alive = st.extra.node().volatile.processes.values().filter(|p| !p.is_zombie()).count();
        if alive == 1 {
            return Err(Flow::End(ending));
        }
        let copy = st.fork();
        cx.add_sibling(copy, SiblingCourse::Ended(ending));
        Ok(())
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
                .set(signal, SignalAction::default());
            let (pid, _) = st.extra.node().volatile.running;
            let uid = st.extra.node().process().ids.real_uid;
            const SI_TKILL: i32 = -6;
            let info = SignalInfo { signal, code: SI_TKILL, pid: pid.0, uid, value: Reg::word(0) };
            return self.enter_handler(cx, st, &info, action);
        }
        if let Err(flow) = self.report_crash(cx, st, bug) {
            return Ok(flow);
        }
        let status = WaitStatus::Killed { signal, core: true };
        sys::process::end_process(self, cx, st, status)
    }
}
