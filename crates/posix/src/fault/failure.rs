//! System calls that fail as a whole.
//!
//! A call fails only where it would not have failed anyway: its handler runs first, and if it succeeds or
//! waits, siblings are made from the state as it was before. They execute the call again, find that it
//! fails, and return the error at once.

use everett_interp::{Course, Flow, Interp, Reg, State, Stop};
use smallvec::SmallVec;
use syscalls::{Errno, Sysno};

use super::errno::{self, Object};
use super::{Answer, FaultKind, Offer, ask, machine};
use crate::call::Call;
use crate::file::FileKind;
use crate::kernel::{Guest, Kernel, failure};
use crate::net::{Family, socket_of};
use crate::node::Node;
use crate::process::Thread;
use crate::reply::{Halt, Reply};
use crate::schedule::{thread_mut, thread_of};
use crate::sys::Handler;

/// A call that may fail, kept as it was before its handler ran.
struct Failable<X> {
    before: Box<State<X>>,
    object: Object,
    /// Siblings that there were already.
    siblings: usize,
}

impl Kernel {
    /// Executes a system call where faults may happen.
    pub(crate) fn call_with_faults<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        handler: Handler<X>,
        args: [Reg; 6],
    ) -> Result<Flow, Stop> {
        if let Some(flow) = self.fail_chosen(cx, st, sysno) {
            return flow;
        }
        if st.extra.node().faults.sync_due.is_some() {
            // It was left by a call whose effects were taken back.
            st.extra.node_mut().faults.sync_due = None;
        }
        let kept = self.keep_failable(cx, st, sysno, args[0]);
        let point = self.keep_point(cx, st, sysno, &args);
        let who = st.extra.node().running;
        let asked = SmallVec::new();
        let mut call = Call { kernel: self, cx, st, name: sysno.name(), args, asked };
        let answer = handler(&mut call);
        // A plan may have said that something else happens to the call.
        let fails = thread_of(st.extra.node(), who).is_none_or(|thread| !has_fault(thread));
        if let Some(kept) = kept.filter(|_| fails)
            && let Some(flow) = self.offer_failures(cx, st, sysno, kept, &answer)?
        {
            return Ok(flow);
        }
        if let Some(point) = point
            && let Some(flow) = self.offer_machine_faults(cx, st, point, &answer)?
        {
            return Ok(flow);
        }
        if st.extra.node().faults.sync_due.is_some() {
            machine::sync(st.extra.node_mut())?;
        }
        if matches!(answer, Ok(Reply::Control(_)))
            && let Some(thread) = thread_mut(st.extra.node_mut(), who)
        {
            // The call is over although nobody completes it.
            thread.answers.clear();
        }
        self.finish(cx, st, sysno, answer)
    }

    /// Ends a call that is to fail.
    fn fail_chosen<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
    ) -> Option<Result<Flow, Stop>> {
        let mut answers = st.extra.node().thread().answers.iter();
        let answer = answers.find(|answer| answer.kind == FaultKind::SysFail)?;
        let errno = Errno::new(i32::try_from(answer.choice).ok().filter(|errno| *errno > 0)?);
        Some(self.complete(cx, st, sysno, Reg::word(failure(errno))))
    }

    /// Keeps a state before a call that may fail.
    fn keep_failable<X: Guest>(
        &self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        first: Reg,
    ) -> Option<Failable<X>> {
        let node = st.extra.node();
        if !node.faults.is_possible(FaultKind::SysFail)
            || has_fault(node.thread())
            || node.thread().answers.iter().any(|answer| answer.kind == FaultKind::SysFail)
        {
            return None;
        }
        let object = object_of(node, first);
        if errno::documented(sysno, object).is_empty() || !ask::is_blamed(cx, st) {
            return None;
        }
        Some(Failable { before: st.copy(), object, siblings: cx.siblings.len() })
    }

    /// Offers that a call fails, once its handler has answered.
    fn offer_failures<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        kept: Failable<X>,
        answer: &Result<Reply, Halt>,
    ) -> Result<Option<Flow>, Stop> {
        if !matches!(answer, Ok(Reply::Value(_) | Reply::Wait(_) | Reply::Control(Flow::Switched)))
        {
            return Ok(None);
        }
        let Failable { mut before, object, siblings } = kept;
        if cx.siblings.len() > siblings {
            // Those that were split off execute the call again, and fail for themselves.
            before.path = st.path.clone();
        }
        // Points that the handler came by count, whether or not the call fails.
        before.extra.node_mut().faults = st.extra.node().faults.clone();
        let config = before.extra.node().faults.config();
        let (errnos, explored) = errno::chosen(config, sysno, object);
        let what = |errno: u32| {
            let name = Errno::new(errno.cast_signed()).name().unwrap_or("an error");
            format!("{} fails with {name}", sysno.name())
        };
        let planned = st.extra.node().faults.has_plan();
        let choices = if planned { &errnos[..] } else { &errnos[..explored] };
        let offer = Offer {
            kind: FaultKind::SysFail,
            choices,
            of_call: true,
            passed_over: choices.is_empty(),
            what: &what,
        };
        let answered = |node: &mut Node, choice| {
            let answer = Answer { kind: FaultKind::SysFail, number: 0, choice };
            node.thread_mut().answers.push(answer);
        };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice| {
            answered(sibling.extra.node_mut(), choice);
            Course::Again
        };
        let choice = match self.offer(cx, st, Some(&mut before), &offer, prepare) {
            Ok(choice) => choice,
            Err(flow) => return Ok(Some(flow)),
        };
        if choice == 0 {
            if matches!(answer, Ok(Reply::Wait(_))) {
                answered(st.extra.node_mut(), 0);
            }
            return Ok(None);
        }
        // A plan says that the call fails: what its handler has done has not happened.
        let faults = st.extra.node().faults.clone();
        if let Some(cache) = st.mem.release_cache() {
            before.mem.adopt_cache(cache);
        }
        *st = *before;
        st.extra.node_mut().faults = faults;
        let errno = Errno::new(choice.cast_signed());
        self.complete(cx, st, sysno, Reg::word(failure(errno))).map(Some)
    }
}

/// Whether some fault happens to the call of a thread. A pause before it does not happen to the call.
fn has_fault(thread: &Thread) -> bool {
    let mut answers = thread.answers.iter();
    answers.any(|answer| answer.choice != 0 && answer.kind != FaultKind::Pause)
}

/// What the descriptor in a call's first argument stands for.
pub(super) fn object_of(node: &Node, first: Reg) -> Object {
    let Some(number) = first.as_word() else { return Object::Other };
    let Ok(entry) = node.descriptor(number as u32) else { return Object::Other };
    let file = node.file(entry.file);
    match &file.kind {
        FileKind::Regular(_) | FileKind::Directory(_) => Object::File,
        FileKind::Socket(_) => {
            let family = socket_of(file).map(|id| &node.net.get(id).family);
            match family {
                Some(Family::Tcp(_)) => Object::Stream,
                Some(Family::Udp(_)) => Object::Datagram,
                Some(Family::Unix(_)) | None => Object::Quiet,
            }
        }
        _ => Object::Quiet,
    }
}
