//! The ways in for system calls and for what is like them, and the way out.

use everett_interp::{
    BugKind, CallArgs, Flow, Halt, Interp, PathEnding, Reg, State, Stop, ValueUse,
};
use smallvec::SmallVec;
use syscalls::Sysno;

use crate::calls::{CrashPoint, facts, refusal};
use crate::fault::observation::begin_held_look;
use crate::kernel::call::Call;
use crate::kernel::reply::{CallHalt, Reply};
use crate::kernel::{Guest, Kernel, VisibleEffect, failure, unsupported};
use crate::sys;
use crate::sys::event::EventCall;

impl Kernel {
    /// Executes the system call of a primitive with the arguments `(number, a, b, c, d, e, f)`.
    pub fn call<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        args: &CallArgs<'_>,
    ) -> Result<Flow, Halt> {
        let number = cx.fork_over(st, args.get(0), cx.config.max_targets)?;
        let mut args: [Reg; 6] = std::array::from_fn(|i| args.get(i + 1));
        let Some(sysno) = usize::try_from(number).ok().and_then(Sysno::new) else {
            return Err(unsupported(format!("system call {number}")).into());
        };
        let Some(handler) = sys::handler_at::<X>(st.extra.node(), sysno) else {
            let Some(errno) = refusal(sysno) else {
                return Err(unsupported(format!("system call {}", sysno.name())).into());
            };
            cx.complete_call(st, Reg::word(failure(errno)));
            return Ok(self.deliver_signals(cx, st)?);
        };
        for arg in &mut args {
            *arg = cx.use_reg(st, *arg, ValueUse::Kernel(sysno.name()));
        }
        self.before_system_call(cx, st, sysno, &args)?;
        sys::memory::leave(cx.pool, st)?;
        if st.extra.node().is_recorded() {
            self.note_begin(cx, st, sysno, &args);
        }
        let answer = if st.extra.node().path.faults.are_used() {
            self.call_with_faults(cx, st, sysno, handler, args)?
        } else {
            let asked = SmallVec::new();
            let name = sysno.name();
            handler(&mut Call { kernel: self, cx, st, sysno, name, args, asked })
        };
        Ok(self.finish(cx, st, sysno, answer)?)
    }

    /// Executes a call of `netklee.h` on events.
    pub fn event_call<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        which: EventCall,
        args: &CallArgs<'_>,
    ) -> Result<Flow, Stop> {
        sys::memory::leave(cx.pool, st)?;
        // The system call that is most like it, for what signals do to one that waits.
        let sysno = Sysno::poll;
        let (name, handler) = which.handler();
        let args = std::array::from_fn(|i| args.get(i));
        if st.extra.node().is_recorded() {
            self.note_begin(cx, st, sysno, &args);
        }
        let answer = match begin_held_look(st.extra.node_mut()) {
            Some(wait) => Ok(Reply::Wait(wait)),
            None => {
                let asked = SmallVec::new();
                handler(&mut Call { kernel: self, cx, st, sysno, name, args, asked })
            }
        };
        if let Err(CallHalt::Halt(Halt::Flow(Flow::End(PathEnding::Bug(bug))))) = &answer
            && bug.kind == BugKind::UserError
        {
            self.note_refusal(cx, st, &bug.message);
        }
        self.finish(cx, st, sysno, answer)
    }

    /// The C library's `clone(function, stack, flags, argument, ptid, tp, ctid)`: a new thread.
    pub fn clone<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        args: &CallArgs<'_>,
    ) -> Result<Flow, Stop> {
        let regs = std::array::from_fn(|i| args.get(i));
        let thread_pointer = args.get(5);
        let child_tid = args.get(6);
        self.note_clone(cx, st, &regs);
        let (sysno, asked) = (Sysno::clone, SmallVec::new());
        let mut call = Call { kernel: self, cx, st, sysno, name: "clone", args: regs, asked };
        let answer = sys::process::clone_function(&mut call, thread_pointer, child_tid);
        self.finish(cx, st, Sysno::clone, answer)
    }

    /// The last frame of the running thread has returned: the thread ends, with a process whose
    /// last one it was.
    pub fn thread_returned<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        value: Option<Reg>,
    ) -> Result<Flow, Stop> {
        let status = sys::process::exit_status(cx, st, value.unwrap_or(Reg::word(0)));
        sys::process::end_thread(self, cx, st, status)
    }

    /// Carries a handler's answer out.
    pub(crate) fn finish<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        answer: Result<Reply, CallHalt>,
    ) -> Result<Flow, Stop> {
        let value = match answer {
            Ok(Reply::Value(value)) => Reg::word(value),
            Ok(Reply::Wait(wait)) => return self.block(cx, st, sysno, wait),
            Ok(Reply::Control(flow)) => return Ok(flow),
            Err(CallHalt::Errno(errno)) => Reg::word(failure(errno)),
            Err(CallHalt::Halt(halt)) => return Halt::flow_of(Err(halt)),
        };
        self.complete(cx, st, sysno, value)
    }

    /// Ends a system call of the running thread with a value, and lets signals come in.
    pub(crate) fn complete<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        value: Reg,
    ) -> Result<Flow, Stop> {
        cx.complete_call(st, value);
        if X::watches_effects(st) {
            notice_effect(cx, st, sysno);
        }
        sys::memory::arrive(cx.pool, st)?;
        let thread = st.extra.node_mut().thread_mut();
        thread.resumed = None;
        thread.done = 0;
        thread.answers.clear();
        thread.observed = None;
        if !std::mem::take(&mut thread.polled) {
            thread.idle_readings = 0;
        }
        if matches!(sysno, Sysno::alarm | Sysno::setitimer | Sysno::timer_settime) {
            self.threads_changed(cx.images, st);
        }
        if matches!(sysno, Sysno::rt_sigaction | Sysno::rt_sigprocmask) {
            self.signals_changed(cx.images, st);
        }
        let is_impatient = sys::time::is_impatient(st.extra.node());
        if st.extra.node().is_recorded() {
            let value = cx.example_of(st, value);
            self.note_end(cx, st, value, is_impatient);
        }
        if is_impatient {
            return self.pass_time(cx, st);
        }
        self.deliver_signals(cx, st)
    }
}

/// Tells the embedder if a call has sent something, or changed a file.
fn notice_effect<X: Guest>(cx: &Interp<'_, X>, st: &mut State<X>, sysno: Sysno) {
    if st.extra.node().has_data_to_send() {
        X::noticed(cx, st, VisibleEffect::Sent);
    } else if matches!(facts(sysno).crash, CrashPoint::Files | CrashPoint::Writes(_)) {
        X::noticed(cx, st, VisibleEffect::Stored);
    }
}
