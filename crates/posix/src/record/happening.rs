//! Notes about threads and nodes, and about calls that are no system calls.

use everett_expr::TermId;
use everett_interp::{Interp, Reg, State};
use everett_ir::{Callee, FuncId, Op, Pc, Program};
use everett_memory::ByteValue;
use everett_replay::script::{ApiKind, EventFlags, ScriptApi, ScriptEvent};
use syscalls::{Errno, Sysno};

use super::verdict::{self, is_partial};
use crate::kernel::reply::{CallHalt, Reply};
use crate::kernel::{Guest, Kernel};
use crate::state::ids::{Pid, Tid};
use crate::state::node::{FIRST_PID, Node};
use crate::state::process::signals::SignalInfo;
use crate::state::process::status::WaitStatus;
use crate::state::recording::{ScriptSubject, ScriptVerdict, SignalledCall};
use crate::state::standstill::NodeRestart;
use crate::state::thread_event::{EventAction, ThreadEvent};

/// An event of a node at this moment.
pub(super) fn event(node: &Node, api: ScriptApi) -> ScriptEvent {
    let (realtime_ns, monotonic_ns) = clocks(node);
    ScriptEvent { realtime_ns, monotonic_ns, ..ScriptEvent::new(0, api) }
}

/// The times that `CLOCK_REALTIME` and `CLOCK_MONOTONIC` of a node show.
fn clocks(node: &Node) -> (i64, i64) {
    let clock = |ns: i128| i64::try_from(ns).unwrap_or(i64::MAX);
    (clock(node.wall_clock_ns()), clock(node.monotonic_ns()))
}

/// A place in a program, for messages.
pub(crate) fn place(program: &Program, pc: Pc, func: FuncId) -> String {
    let function = &program.function(func).name;
    match program.location(program.loc(pc)) {
        Some(location) => {
            let file = &program.files[location.file.index()].name;
            let file = file.rsplit('/').next().unwrap_or(file);
            format!("{file}:{} in {function}", location.line)
        }
        None => format!("in {function}"),
    }
}

/// The place of the running thread, for messages.
pub(super) fn happening_site<X: Guest>(program: &Program, st: &State<X>) -> String {
    place(program, st.pc(), st.stack.top().func)
}

impl Kernel {
    /// Something has happened to the running thread.
    pub(super) fn note<X: Guest>(
        &mut self,
        st: &mut State<X>,
        api: ScriptApi,
        edit: impl FnOnce(&mut ScriptEvent),
    ) {
        let mut event = event(st.extra.node(), api);
        edit(&mut event);
        self.push(st, 0, event, Vec::new(), None);
    }

    /// The running thread goes on, or begins.
    pub(crate) fn note_resume<X: Guest>(&mut self, st: &mut State<X>) {
        let node = st.extra.node();
        if !node.is_recorded() {
            return;
        }
        // The first thread of a node begins with it.
        let is_first = node.volatile.running == (Pid(FIRST_PID), Tid(FIRST_PID));
        let tracked = &mut st.extra.node_mut().thread_mut().tracked;
        let begins = !std::mem::replace(&mut tracked.started, true) && !is_first;
        let goes_on = std::mem::take(&mut tracked.paused);
        let (spins, call) = (tracked.spins.take(), tracked.calls);
        if begins {
            self.note(st, ScriptApi::Start, |_| {});
        }
        if goes_on {
            self.note(st, ScriptApi::Pause, |_| {});
        }
        if let Some(api) = spins {
            let event = ScriptEvent { flags: EventFlags::RETURN, ..event(st.extra.node(), api) };
            self.push(st, call, event, Vec::new(), None);
        }
    }

    /// The running thread lets others run until what it waits for in a loop of the C library has come.
    pub fn note_spin<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let (Some(api), site) = self.api_now(cx, st).unwrap_or_default() else { return };
        let tracked = &mut st.extra.node_mut().thread_mut().tracked;
        tracked.spins = Some(api);
        let mut event = event(st.extra.node(), api);
        (event.flags, event.site) = (EventFlags::BLOCKS, site);
        let call = st.extra.node().thread().tracked.calls;
        self.push(st, call, event, Vec::new(), None);
    }

    /// The running thread yields its turn by itself.
    pub(crate) fn note_yield<X: Guest>(&mut self, cx: &mut Interp<'_, X>, st: &mut State<X>) {
        if st.extra.node().is_recorded() {
            self.note_end(cx, st, 0, true);
        }
    }

    /// The time slice of the running thread is over, and another thread will run.
    pub(crate) fn note_slice<X: Guest>(
        &mut self,
        st: &mut State<X>,
        to: crate::state::ids::ThreadKey,
    ) {
        let node = st.extra.node_mut();
        let tracked = &node.thread().tracked;
        let is_noted = tracked.paused || tracked.spins.is_some();
        if node.is_recorded() && node.volatile.running.0 == to.0 && !is_noted {
            node.trouble("a thread that computes for very long lets others run".to_owned());
        }
    }

    /// Another thread runs before the event that the running thread is held at.
    pub(crate) fn note_preemption<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>) {
        let node = st.extra.node();
        let Some(event) = node.thread().events.next.filter(|_| node.is_recorded()) else { return };
        let program = &cx.images.image(st.program).program;
        let site = happening_site(program, st);
        let api = match event.action {
            EventAction::System(..) => return self.note_switch_at_call(cx, st),
            EventAction::Access(_) => return self.note_switch_at_access(cx, st, event.pc),
            EventAction::Function(..) => self.api_called(cx, st),
            // Paths on which others go on beside it are not recorded.
            EventAction::PathEnd => return,
        };
        let Some(api) = api else {
            // The table does not have it, or it is called by its address: it is known by its call.
            if !program.function(st.stack.top().func).library {
                return self.note_switch_at_access(cx, st, event.pc);
            }
            let why = format!("a preemption where the C library itself takes a lock, at {site}");
            st.extra.node_mut().trouble(why);
            return;
        };
        let tracked = &mut st.extra.node_mut().thread_mut().tracked;
        tracked.paused = true;
        // The call is the next one, which has not begun.
        let ordinal = tracked.syncs + 1;
        self.note(st, ScriptApi::Preempt, |event| {
            (event.ordinal, event.site) = (ordinal, site);
            event.aux = [api.number().into(), 0, 0, 0];
        });
    }

    /// A signal comes before the event that the running thread is about to perform, at once or after a while.
    pub(crate) fn note_place_of_signal<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        event: ThreadEvent,
        comes_at_once: bool,
    ) {
        if !st.extra.node().is_recorded() {
            return;
        }
        if let EventAction::System(..) = event.action {
            return self.note_call_of_signal(cx, st);
        }
        let thread = st.extra.node_mut().thread_mut();
        let before = thread.events.next.replace(event);
        self.note_preemption(cx, st);
        st.extra.node_mut().thread_mut().events.next = before;
        if comes_at_once {
            self.note_resume(st);
        }
    }

    /// A signal comes before the system call that the running thread is about to make.
    fn note_call_of_signal<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>) {
        let (api, site) = self.api_now(cx, st).unwrap_or_default();
        let node = st.extra.node();
        let Some((sysno, args)) = node.thread().tracked.next_call else { return };
        let verdict = verdict::of(api, sysno, &args, ScriptSubject::of(node, sysno, &args));
        let call = match verdict {
            ScriptVerdict::Event(_) | ScriptVerdict::Through { .. } => SignalledCall::Noted,
            ScriptVerdict::Local(api) if !is_partial(api) => {
                let calls = node.process().api_calls.get(&api);
                SignalledCall::Counted(api, calls.copied().unwrap_or(0))
            }
            ScriptVerdict::Nothing | ScriptVerdict::Sync(_) | ScriptVerdict::Local(_) => {
                let why = format!("a signal that comes before the system call {sysno} at {site}");
                return st.extra.node_mut().trouble(why);
            }
        };
        st.extra.node_mut().thread_mut().tracked.signalled = Some(call);
    }

    /// The function of the C library that the running thread is about to call, if it synchronises threads.
    fn api_called<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &State<X>) -> Option<ScriptApi> {
        let program = &cx.images.image(st.program).program;
        let Op::Call { site, .. } = program.ops[st.pc() as usize] else { return None };
        let Callee::Direct(func) = program.call(site).callee else { return None };
        let is_own = !program.function(st.stack.top().func).library;
        self.api(cx, st, func).filter(|api| is_own && api.kind() == ApiKind::Sync)
    }

    /// The running thread ends; the last one ends its process, with a status.
    pub(crate) fn note_exit<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        status: Option<WaitStatus>,
    ) {
        if !st.extra.node().is_recorded() {
            return;
        }
        st.extra.node_mut().thread_mut().tracked.pending = None;
        let api = if status.is_some() { ScriptApi::Exit } else { ScriptApi::ThreadExit };
        let word = status.map(|status| Kernel::example(cx, st, &status.word()));
        let result =
            word.unwrap_or_default().iter().rev().fold(0, |word, b| word << 8 | i64::from(*b));
        self.note(st, api, |event| event.result = result);
    }

    /// The running thread is about to run a handler.
    pub(crate) fn note_signal<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        info: &SignalInfo,
    ) {
        if st.extra.node().is_recorded() {
            let held = st.extra.node().thread().events.next;
            if held.is_some_and(|event| matches!(event.action, EventAction::System(..))) {
                self.note_call_of_signal(cx, st);
            }
            let SignalInfo { signal, code, pid, uid: _, value } = *info;
            let value = cx.example_of(st, value);
            let tracked = &mut st.extra.node_mut().thread_mut().tracked;
            let before = tracked.signalled.take();
            self.note(st, ScriptApi::Signal, |event| {
                event.result = signal.into();
                event.aux = [pid.into(), value, code as u32 as u64, 0];
                match before {
                    Some(SignalledCall::Noted) => event.flags = EventFlags::BEFORE,
                    Some(SignalledCall::Counted(api, ordinal)) => {
                        event.flags = EventFlags::BEFORE.with(EventFlags::LOCAL);
                        (event.aux[3], event.ordinal) = (api.number().into(), ordinal);
                    }
                    None => {}
                }
            });
        }
    }

    /// The running process begins another program.
    pub(crate) fn note_exec<X: Guest>(&mut self, st: &mut State<X>, file: &[u8]) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let Some(pending) = st.extra.node_mut().thread_mut().tracked.pending.take() else { return };
        self.note(st, ScriptApi::Execve, |event| {
            event.data = file.to_vec();
            event.site = pending.site;
        });
    }

    /// The node crashes now, after its call has done what it does or before.
    pub(crate) fn note_fall<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        after: bool,
        answer: &Result<Reply, CallHalt>,
    ) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let pending = st.extra.node().thread().tracked.pending.as_ref();
        let is_local =
            pending.is_some_and(|pending| matches!(pending.verdict, ScriptVerdict::Local(_)));
        if let (true, false, Ok(Reply::Value(value))) = (after, is_local, answer) {
            self.note_end(cx, st, *value, false);
        }
        self.note(st, ScriptApi::NodeCrash, |_| {});
    }

    /// The node begins again, with the files that it has now.
    pub(crate) fn note_restart<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        restart: &NodeRestart,
    ) {
        if let Some(record) = &mut st.extra.node_mut().record {
            record.boot += 1;
            Kernel::note_launch(cx, st, &restart.start, &restart.config);
            self.note(st, ScriptApi::Restart, |_| {});
        }
    }

    /// There is no memory for an allocation.
    pub fn note_no_memory<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let (api, site) = self.api_now(cx, st).unwrap_or_default();
        let node = st.extra.node_mut();
        let Some(api) = api.filter(|api| api.kind() == ApiKind::Local && !is_partial(*api)) else {
            node.trouble(format!("no memory within another function at {site}"));
            return;
        };
        let ordinal = node.process().api_calls.get(&api).copied().unwrap_or(0);
        self.note(st, api, |event| {
            (event.ordinal, event.site) = (ordinal, site);
            (event.result, event.errno) = (-1, Errno::ENOMEM.into_raw());
            event.flags = EventFlags::LOCAL.with(EventFlags::FED);
        });
    }

    /// The program shows data to invariants.
    pub fn note_exposure<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        state: i32,
        key: &str,
        data: &[ByteValue],
    ) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let site = self.api_now(cx, st).unwrap_or_default().1;
        let data = Kernel::example(cx, st, data);
        self.note(st, ScriptApi::Expose, |event| {
            event.aux[0] = state as u32 as u64;
            (event.data, event.data2, event.site) = (data, key.as_bytes().to_vec(), site);
        });
    }

    /// The program gets an input.
    pub fn note_input<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        name: &str,
        data: &[ByteValue],
    ) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let site = self.api_now(cx, st).unwrap_or_default().1;
        let data = Kernel::example(cx, st, data);
        self.note(st, ScriptApi::Input, |event| {
            event.flags = EventFlags::FED;
            (event.data, event.data2, event.site) = (data, name.as_bytes().to_vec(), site);
        });
    }

    /// A generator of the C library gives a number that is symbolic, or that of a test.
    pub(crate) fn note_draw<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        number: TermId,
    ) {
        if !st.extra.node().is_recorded() {
            return;
        }
        let (api, site) = self.api_now(cx, st).unwrap_or_default();
        let number = cx.example(st, number);
        let node = st.extra.node_mut();
        let Some(api) = api.filter(|api| api.kind() == ApiKind::Local && !is_partial(*api)) else {
            node.trouble(format!("a symbolic random number within another function at {site}"));
            return;
        };
        let ordinal = node.process().api_calls.get(&api).copied().unwrap_or(0);
        self.note(st, api, |event| {
            (event.ordinal, event.site) = (ordinal, site);
            event.aux[0] = number;
            event.flags = EventFlags::LOCAL.with(EventFlags::FED);
        });
    }

    /// A new thread, or why there is none.
    pub(crate) fn note_clone<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        args: &[Reg; 6],
    ) {
        if st.extra.node().is_recorded() {
            self.note_begin(cx, st, Sysno::clone, args);
        }
    }
}
