//! The recorder: notes what the programs of a node do with the outside, for native replay.
//!
//! A [`RecordedEvent`] is an event of a script (`docs/maintainers/script.md`) as far as one node knows it;
//! putting those of all nodes together is the embedder's part. Notes belong to the node and are cloned with
//! it; the number of a note, which says what came first among all nodes, comes from the [`Kernel`]. So only
//! the notes of one world that is explored by one worker can be put in order.
//!
//! System calls are attributed to the function of the C library that the program's own code has called.
//! A call is looked at when it begins ([`Kernel::note_begin`]), where it waits, and when it is over; what
//! it has done is then read from the program's memory and from the node.
//!
//! Nothing is noted, and nothing is done, unless [`Node::record`] was called.

mod access;
mod details;
mod ended_call;
mod files;
mod happening;
mod launch;
mod memory;
mod network;
mod verdict;

pub(crate) use happening::place as site_text;

use everett_base::plist::List;
use everett_interp::{Interp, State};
use everett_ir::FuncId;
use everett_replay::script::{ApiKind, EventFlags, ScriptApi, ScriptEvent};
use syscalls::Sysno;

use self::ended_call::EndedCall;
use crate::kernel::{Guest, Kernel};
use crate::state::node::Node;
use crate::state::recording::{
    LastStep, NodeRecorder, NodeRecording, PendingCall, RecordedDatagram, RecordedEvent,
    ScriptSubject, ScriptVerdict,
};
use crate::state::sockets::datagram::{ReceivedDatagram, WITHIN_NODE};

/// Functions that set handlers of signals. Where signals may come at any place, accesses of a single thread
/// are looked at once there is a handler.
const SETTING_HANDLERS: [&str; 2] = ["sigaction", "signal"];

impl Node {
    /// Notes from now on what its programs do with the outside.
    pub fn record(&mut self) {
        let (notes, troubles, launches) = (List::new(), List::new(), List::new());
        self.record =
            Some(Box::new(NodeRecorder { notes, troubles, boot: 0, launches, program: None }));
    }

    /// Returns true if it notes what its programs do.
    pub fn is_recorded(&self) -> bool {
        self.record.is_some()
    }

    /// Returns true if each call of its programs is looked at before it is made.
    pub fn looks_at_calls(&self) -> bool {
        self.is_recorded() || self.path.checks_locks
    }

    /// The notes so far, if the node is recorded.
    pub fn recorded(&self) -> Option<NodeRecording> {
        fn oldest_first<T: Clone>(list: &List<T>) -> Vec<T> {
            let mut all: Vec<T> = list.iter().cloned().collect();
            all.reverse();
            all
        }
        let NodeRecorder { notes, troubles, launches, boot: _, program: _ } =
            self.record.as_deref()?;
        let mut troubles = oldest_first(troubles);
        troubles.dedup();
        let (notes, launches) = (oldest_first(notes), oldest_first(launches));
        Some(NodeRecording { notes, launches, troubles })
    }

    /// Notes why what happens cannot be reproduced natively.
    fn trouble(&mut self, why: String) {
        if let Some(record) = &mut self.record {
            record.troubles.push(why);
        }
    }

    /// A datagram is received by the call of the running thread.
    pub(crate) fn note_datagram(&mut self, datagram: &ReceivedDatagram) {
        if self.record.is_some()
            && let Some(pending) = &mut self.thread_mut().tracked.pending
        {
            pending.received.push(datagram.clone());
        }
    }

    /// The call of the running thread has put times of a file at these places that are not its own.
    pub(crate) fn note_times(&mut self, places: [u64; 3]) {
        if self.record.is_some()
            && let Some(pending) = &mut self.thread_mut().tracked.pending
        {
            pending.times = Some(places);
        }
    }

    /// The call of the running thread says that descriptors are ready.
    pub(crate) fn note_ready(&mut self, ready: impl Iterator<Item = (u32, u32, u64)>) {
        if self.record.is_some()
            && let Some(pending) = &mut self.thread_mut().tracked.pending
        {
            pending.ready = ready.collect();
        }
    }
}

impl Kernel {
    /// The function of the table that a function of the running program is.
    fn api<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &State<X>,
        func: FuncId,
    ) -> Option<ScriptApi> {
        let name = || &cx.images.image(st.program).program.function(func).name;
        *self.apis.entry((st.program, func)).or_insert_with(|| ScriptApi::named(name()))
    }

    /// The function of the C library that the program's own code is in, as far as it is in the table, and
    /// the place of its call. The outer `None` stands for none at all: the program has not begun, or is over.
    fn api_now<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &State<X>,
    ) -> Option<(Option<ScriptApi>, String)> {
        let program = &cx.images.image(st.program).program;
        let mut inside = None;
        for frame in st.stack.frames() {
            if program.function(frame.func).library {
                inside = Some(frame.func);
                continue;
            }
            let site = happening::place(program, frame.pc, frame.func);
            let last = st.extra.node().thread().tracked.last;
            let api = inside.map_or(last, |func| self.api(cx, st, func));
            return Some((api, site));
        }
        None
    }

    /// A function is called: counts calls of the program's own code into the C library.
    pub fn note_call<X: Guest>(&mut self, cx: &Interp<'_, X>, st: &mut State<X>, func: FuncId) {
        let program = &cx.image.program;
        let from_library =
            { st.stack.frames() }.next().is_none_or(|frame| program.function(frame.func).library);
        let callee = program.function(func);
        if from_library || callee.defined && !callee.library {
            return;
        }
        let api = self.api(cx, st, func);
        let node = st.extra.node_mut();
        if SETTING_HANDLERS.contains(&callee.name.as_str()) {
            node.thread_mut().tracked.accesses.count_anew();
        }
        if let Some(api) = api {
            *node.process_mut().api_calls.entry(api).or_default() += 1;
        }
        let tracked = &mut node.thread_mut().tracked;
        tracked.calls += 1;
        tracked.last = api;
        if let Some(api) = api.filter(|api| api.kind() == ApiKind::Sync) {
            tracked.syncs += 1;
            tracked.accesses.last = Some(LastStep::Function(api));
        }
        tracked.within.clear();
    }

    /// A system call begins, or begins again after a wait.
    pub(crate) fn note_begin<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        args: &[everett_interp::Reg; 6],
    ) {
        let thread = st.extra.node().thread();
        if thread.resumed.is_some() && thread.tracked.pending.is_some() {
            return;
        }
        let (api, site) = self.api_now(cx, st).unwrap_or_default();
        let args = args.map(|arg| cx.example_of(st, arg));
        let node = st.extra.node();
        let subject = ScriptSubject::of(node, sysno, &args);
        let pending = PendingCall {
            sysno,
            args,
            verdict: verdict::of(api, sysno, &args, subject),
            subject,
            call: node.thread().tracked.calls,
            site,
            waits: false,
            faults: node.path.faults.total(),
            sent: node.net.sent(),
            datagrams: node.net.datagrams,
            received: Vec::new(),
            ready: Vec::new(),
            times: None,
        };
        let tracked = &mut st.extra.node_mut().thread_mut().tracked;
        if matches!(pending.verdict, ScriptVerdict::Local(_)) {
            *tracked.within.entry(verdict::class(sysno).id() as u32).or_default() += 1;
        }
        tracked.pending = Some(Box::new(pending));
    }

    /// The running thread begins to wait in its call.
    pub(crate) fn note_wait<X: Guest>(&mut self, cx: &mut Interp<'_, X>, st: &mut State<X>) {
        let Some(pending) = st.extra.node().thread().tracked.pending.clone() else { return };
        let api = match pending.verdict {
            ScriptVerdict::Nothing => return,
            _ if pending.waits => return,
            ScriptVerdict::Event(api) | ScriptVerdict::Sync(api) | ScriptVerdict::Local(api) => api,
            ScriptVerdict::Through { api, .. } => api,
        };
        let mut event = self.event(cx, st, &pending, api);
        event.flags = event.flags.with(EventFlags::BLOCKS);
        if pending.sysno == Sysno::connect || api.kind() == ApiKind::Net {
            details::fill(&mut EndedCall { cx, st, pending: &pending, event: &mut event });
        }
        self.push(st, pending.call, event, Vec::new(), None);
        if let Some(pending) = &mut st.extra.node_mut().thread_mut().tracked.pending {
            pending.waits = true;
        }
    }

    /// The call of the running thread is over: `value` is what it gives, an error as a negative number.
    pub(crate) fn note_end<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        value: u64,
        pauses: bool,
    ) {
        let Some(pending) = st.extra.node_mut().thread_mut().tracked.pending.take() else { return };
        let faulted = st.extra.node().path.faults.total() > pending.faults;
        let value = value as i64;
        let changed = faulted
            || verdict::is_limited(&pending, files::bytes_to_write(cx, st, &pending), value);
        let (api, local) = match pending.verdict {
            ScriptVerdict::Event(api) | ScriptVerdict::Through { api, .. } => (api, false),
            ScriptVerdict::Sync(api) | ScriptVerdict::Local(api) if pending.waits => (api, false),
            ScriptVerdict::Local(api) if changed => (api, true),
            ScriptVerdict::Local(api) if pending.times.is_some() && verdict::tells_times(api) => {
                (api, true)
            }
            ScriptVerdict::Local(api) if verdict::tells_limit(st.extra.node(), api, &pending) => {
                (api, true)
            }
            ScriptVerdict::Sync(_) | ScriptVerdict::Local(_) => return,
            ScriptVerdict::Nothing => {
                if let Some(what) = irreproducible(&pending, changed) {
                    let at = if pending.site.is_empty() { "" } else { " at " };
                    st.extra.node_mut().trouble(format!("{what}{at}{}", pending.site));
                }
                return;
            }
        };
        let mut event = self.event(cx, st, &pending, api);
        if api.kind() == ApiKind::Net {
            // These return the negative of an error number themselves.
            event.result = value;
            event.flags = event.flags.with(EventFlags::FED);
        } else if (-4095..0).contains(&value) {
            (event.result, event.errno) = (-1, -value as i32);
            event.flags = event.flags.with(EventFlags::FED);
        } else {
            event.result = value;
            if !local && verdict::is_fed(api, pending.sysno, pending.subject) {
                event.flags = event.flags.with(EventFlags::FED);
            }
        }
        if pending.waits {
            event.flags = event.flags.with(EventFlags::RETURN);
        }
        if pauses {
            event.flags = event.flags.with(EventFlags::PAUSES);
            st.extra.node_mut().thread_mut().tracked.paused = true;
        }
        if pending.sysno == Sysno::recvmmsg && event.errno == 0 {
            return self.note_messages(cx, st, &pending, &event);
        }
        if local {
            self.local(cx, st, &pending, &mut event);
        } else {
            details::fill(&mut EndedCall { cx, st, pending: &pending, event: &mut event });
        }
        let got = got(cx, st, pending.received.last());
        let sent = sent(st.extra.node(), &pending);
        self.push(st, pending.call, event, sent, got);
    }

    /// The messages that one call has received, as if each had its own.
    fn note_messages<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        pending: &PendingCall,
        call: &ScriptEvent,
    ) {
        let count = call.result.max(0) as usize;
        for at in 0..count {
            let mut event = call.clone();
            if at > 0 {
                event.flags = event.flags.without(EventFlags::RETURN);
            }
            if at + 1 < count {
                event.flags = event.flags.without(EventFlags::PAUSES).with(EventFlags::MORE);
            }
            EndedCall { cx, st, pending, event: &mut event }.fill_message(at);
            let got = got(cx, st, pending.received.get(at));
            self.push(st, pending.call, event, Vec::new(), got);
        }
    }

    /// Fills in the event of a call that is otherwise not noted.
    fn local<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        pending: &PendingCall,
        event: &mut ScriptEvent,
    ) {
        event.flags = event.flags.with(EventFlags::LOCAL);
        if event.errno == 0 {
            event.data = files::told(cx, st, pending);
        }
        let process = st.extra.node().process();
        if !verdict::is_partial(event.api) {
            event.ordinal = process.api_calls.get(&event.api).copied().unwrap_or(0);
            return;
        }
        // A compiler may choose another function of stdio for the same, so they are counted together.
        let all = process.api_calls.iter().filter(|(api, _)| verdict::is_partial(**api));
        event.ordinal = all.map(|(_, count)| count).sum();
        let class = verdict::class(pending.sysno).id() as u32;
        let within = st.extra.node().thread().tracked.within.get(&class).copied();
        event.aux[..2].copy_from_slice(&[class.into(), within.unwrap_or(0).into()]);
    }

    /// An event of a call.
    fn event<X: Guest>(
        &self,
        _cx: &Interp<'_, X>,
        st: &State<X>,
        pending: &PendingCall,
        api: ScriptApi,
    ) -> ScriptEvent {
        let mut event = happening::event(st.extra.node(), api);
        event.site.clone_from(&pending.site);
        event.fd = verdict::descriptor(pending.sysno, &pending.args);
        event.flags = pending.subject.flags;
        if let ScriptVerdict::Through { function, .. } = pending.verdict {
            event.aux[3] = function.number().into();
        }
        event
    }

    /// Adds a note of the running thread.
    fn push<X: Guest>(
        &mut self,
        st: &mut State<X>,
        call: u64,
        event: ScriptEvent,
        sent: Vec<u64>,
        got: Option<RecordedDatagram>,
    ) {
        self.noted += 1;
        let order = self.noted;
        let node = st.extra.node_mut();
        let (pid, tid) = node.volatile.running;
        let parent = node.find(pid).map_or(0, |process| process.parent.0);
        node.thread_mut().tracked.accesses.forget(&event);
        let Some(record) = &mut node.record else { return };
        let (boot, pid, tid) = (record.boot, pid.0, tid.0);
        record.notes.push(RecordedEvent { order, boot, pid, tid, parent, call, event, sent, got });
    }
}

/// The numbers of datagrams that a call has sent. While another call waits, others may send some.
fn sent(node: &Node, pending: &PendingCall) -> Vec<u64> {
    if !verdict::sends(pending.sysno) {
        return Vec::new();
    }
    let outward = pending.sent + 1..=node.net.sent();
    let within = pending.datagrams + 1..=node.net.datagrams;
    outward.chain(within.map(|number| number | WITHIN_NODE)).collect()
}

/// The note about a datagram that was received.
fn got<X: Guest>(
    cx: &Interp<'_, X>,
    st: &State<X>,
    datagram: Option<&ReceivedDatagram>,
) -> Option<RecordedDatagram> {
    let datagram = datagram?;
    let arrived = Kernel::example(cx, st, &datagram.data.to_values());
    Some(RecordedDatagram { id: datagram.id, arrived })
}

/// The reason why the call of a function that is not in the table cannot be reproduced, if there is one.
fn irreproducible(pending: &PendingCall, changed: bool) -> Option<String> {
    let name = pending.sysno.name();
    if matches!(pending.sysno, Sysno::fork | Sysno::vfork | Sysno::clone) {
        return Some("a process that another function makes".to_owned());
    }
    if changed {
        return Some(format!("a fault of {name}, or a limit, within another function"));
    }
    pending.times.map(|_| format!("a symbolic time of {name} within another function"))
}
