//! System calls that fail as a whole.
//!
//! A call fails only where it would not have failed anyway: its handler runs first, and if it succeeds or
//! waits, siblings are made from the state as it was before. They execute the call again, find that it
//! fails, and return the error at once.
//!
//! Three kinds are different only in which calls they concern: any that can fail ([`FaultKind::SysFail`]),
//! those that wait ([`FaultKind::Interrupt`]), and those that a rule picks, without a fork
//! ([`FaultKind::WouldBlock`], [`FaultKind::SelectFail`]).

use everett_interp::{Flow, Halt, Interp, Reg, SiblingCourse, State, Stop};
use smallvec::SmallVec;
use syscalls::{Errno, Sysno};

use super::errno;
use super::observation::begin_held_look;
use super::place::object_behind;
use crate::calls::{self, CallObject, CallSubject, RuledFailure};
use crate::config::FaultKind;
use crate::fault::{FaultOffer, machine};
use crate::kernel::call::{Call, Handler};
use crate::kernel::reply::{Answer, CallHalt, Reply};
use crate::kernel::{Guest, Kernel};
use crate::state::faults::FaultAnswer;
use crate::state::file::FileKind;
use crate::state::node::{Node, thread_mut, thread_of};
use crate::state::process::Thread;
use crate::state::wait::{Wait, WaitEvent};

/// Kinds that end a call with an error.
const KINDS: u32 = FaultKind::SysFail.bit()
    | FaultKind::Interrupt.bit()
    | FaultKind::WouldBlock.bit()
    | FaultKind::SelectFail.bit();

/// A call that may fail, kept as it was before its handler ran.
struct FailableCall<X> {
    before: Box<State<X>>,
    sysno: Sysno,
    args: [Reg; 6],
    object: CallObject,
    /// Siblings that there were already.
    siblings: usize,
}

impl<X: Guest> FailableCall<X> {
    /// Takes back what the handler has done to a state, which keeps its faults.
    fn undo(self, st: &mut State<X>) {
        let FailableCall { mut before, .. } = self;
        let faults = st.extra.node().path.faults.clone();
        if let Some(cache) = st.mem.release_cache() {
            before.mem.adopt_cache(cache);
        }
        *st = *before;
        st.extra.node_mut().path.faults = faults;
    }
}

impl<X: Guest> Call<'_, '_, X> {
    /// Offers that there is no room for a new thread.
    pub(crate) fn refuse_thread(&mut self) -> Result<(), CallHalt> {
        if !self.node().path.faults.are_used() {
            return Ok(());
        }
        let config = self.node().path.faults.config();
        let (errnos, explored) = errno::chosen(config, Sysno::clone, CallObject::Other);
        let choices =
            if self.node().path.faults.has_plan() { &errnos[..] } else { &errnos[..explored] };
        let what = |errno| kept_text(Sysno::clone, &[Reg::word(0); 6], CallObject::Other, errno);
        match self.ask(FaultKind::SysFail, choices, &what)? {
            0 => Ok(()),
            errno => Err(Errno::new(errno.cast_signed()).into()),
        }
    }
}

impl Kernel {
    /// Executes a system call where faults may happen: the answer that it comes to.
    pub(crate) fn call_with_faults<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        handler: Handler<X>,
        args: [Reg; 6],
    ) -> Result<Answer, Halt> {
        if st.extra.node().thread().held_look.is_some()
            && let Some(wait) = begin_held_look(st.extra.node_mut())
        {
            return Ok(Ok(Reply::Wait(wait)));
        }
        let is_failure =
            |answer: &&FaultAnswer| answer.kind.bit() & KINDS != 0 && answer.choice != 0;
        if let Some(answer) = st.extra.node().thread().answers.iter().find(is_failure) {
            let errno = Errno::new(answer.choice.cast_signed());
            return Ok(Err(errno.into()));
        }
        if st.extra.node().path.faults.since_boot.sync_due.is_some() {
            // It was left by a call whose effects were taken back.
            st.extra.node_mut().path.faults.since_boot.sync_due = None;
        }
        let args = known_arguments(cx, st, sysno, args)?;
        let kept = self.keep_failable(cx, st, sysno, args);
        let point = self.keep_point(cx, st, sysno, &args);
        let who = st.extra.node().volatile.running;
        let asked = SmallVec::new();
        let name = sysno.name();
        let mut call = Call { kernel: self, cx, st, sysno, name, args, asked };
        let answer = handler(&mut call);
        // A plan may have said that something else happens to the call.
        let fails = thread_of(st.extra.node(), who).is_none_or(|thread| !has_fault(thread));
        if let Some(kept) = kept.filter(|_| fails)
            && let Some(errno) = self.offer_failures(cx, st, kept, &answer)?
        {
            return Ok(Err(errno.into()));
        }
        if let Some(point) = point {
            self.offer_machine_faults(cx, st, point, &answer)?;
        }
        if st.extra.node().path.faults.since_boot.sync_due.is_some() {
            machine::sync(st.extra.node_mut())?;
        }
        if matches!(answer, Ok(Reply::Control(_)))
            && let Some(thread) = thread_mut(st.extra.node_mut(), who)
        {
            // The call is over although nobody completes it.
            thread.answers.clear();
        }
        Ok(answer)
    }

    /// Keeps a state before a call that may fail.
    fn keep_failable<X: Guest>(
        &self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        args: [Reg; 6],
    ) -> Option<FailableCall<X>> {
        let node = st.extra.node();
        if !node.path.faults.is_one_possible(KINDS)
            || is_changed(node)
            || !Kernel::is_blamed(cx, st)
        {
            return None;
        }
        let object = object_of(st, sysno, &args);
        let only_errors = !node.path.faults.is_one_possible(KINDS & !FaultKind::SysFail.bit());
        let never = only_errors && calls::documented(sysno, object).is_empty();
        if object == CallObject::Spared || never {
            return None;
        }
        Some(FailableCall { before: st.copy(), sysno, args, object, siblings: cx.siblings.len() })
    }

    /// Offers that a call fails, once its handler has answered: the error, if a plan or a rule says so.
    fn offer_failures<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        mut kept: FailableCall<X>,
        answer: &Answer,
    ) -> Result<Option<Errno>, Halt> {
        let wait = match answer {
            Ok(Reply::Wait(wait)) => Some(wait),
            Ok(Reply::Value(_) | Reply::Control(Flow::Switched)) => None,
            _ => return Ok(None),
        };
        if is_changed(st.extra.node()) {
            return Ok(None);
        }
        if cx.siblings.len() > kept.siblings {
            // Those that were split off execute the call again, and fail for themselves.
            kept.before.path = st.path.clone();
        }
        let node = st.extra.node();
        let planned = node.path.faults.has_plan();
        let (sysno, object) = (kept.sysno, kept.object);
        let (errnos, explored) = errno::chosen(node.path.faults.config(), sysno, object);
        let errnos = (!errnos.is_empty()).then_some((errnos, explored));
        let interrupted = wait.is_some_and(|wait| can_be_interrupted(node, sysno, wait));
        let picked = picked_kind(node, sysno, &kept.args).filter(|_| wait.is_none());
        let alternatives = [
            errnos.map(|(errnos, explored)| (FaultKind::SysFail, errnos, explored)),
            interrupted.then(|| (FaultKind::Interrupt, vec![number(Errno::EINTR)], 1)),
            picked.map(|(kind, errno)| (kind, vec![number(errno)], 0)),
        ];
        for (kind, errnos, explored) in alternatives.into_iter().flatten() {
            let node = st.extra.node();
            let is_answered = node.thread().answers.iter().any(|answer| answer.kind == kind);
            if is_answered || !node.path.faults.is_possible(kind) {
                continue;
            }
            let choices = if planned { &errnos[..] } else { &errnos[..explored] };
            let failed = self.offer_failure(cx, st, &mut kept, kind, choices)?;
            let failed = match picked {
                Some((ruled, errno)) if ruled == kind && !planned => {
                    self.follow_rule(cx, st, &kept, kind, errno)
                }
                _ => failed,
            };
            if failed != 0 {
                kept.undo(st);
                return Ok(Some(Errno::new(failed.cast_signed())));
            }
            if wait.is_some() {
                st.extra.node_mut().thread_mut().answers.push(answered(kind, 0));
            }
        }
        Ok(None)
    }

    /// Offers that a call fails with one of some errors.
    fn offer_failure<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        kept: &mut FailableCall<X>,
        kind: FaultKind,
        choices: &[u32],
    ) -> Result<u32, Flow> {
        let what = |errno: u32| kept_text(kept.sysno, &kept.args, kept.object, errno);
        let offer = FaultOffer {
            kind,
            choices,
            of_call: true,
            passed_over: choices.is_empty(),
            what: &what,
            links: 0,
        };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice| {
            sibling.extra.node_mut().thread_mut().answers.push(answered(kind, choice));
            SiblingCourse::Again
        };
        self.offer(cx, st, Some(&mut kept.before), &offer, prepare)
    }

    /// Lets a call fail if it is its turn: the error, or 0.
    fn follow_rule<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        kept: &FailableCall<X>,
        kind: FaultKind,
        errno: Errno,
    ) -> u32 {
        let node = st.extra.node();
        let config = node.path.faults.config();
        let every = match kind {
            FaultKind::WouldBlock => config.block_interval,
            _ => config.select_interval,
        };
        let is_turn = every > 0 && node.path.faults.points(kind).is_multiple_of(every.into());
        let errno = number(errno);
        let text = kept_text(kept.sysno, &kept.args, kept.object, errno);
        self.impose(cx, st, kind, is_turn.then_some(errno), text)
    }
}

/// Returns true if something else has happened to the call already: then it succeeds.
fn is_changed(node: &Node) -> bool {
    has_fault(node.thread())
}

/// Returns true if some fault happens to the call of a thread. A pause before it does not happen to the call.
fn has_fault(thread: &Thread) -> bool {
    let mut answers = thread.answers.iter();
    answers.any(|answer| answer.choice != 0 && answer.kind != FaultKind::Pause)
}

/// The arguments of a call; those that decide which faults are possible are concrete. A symbolic
/// descriptor forks over the open ones, and flags over their values: siblings execute the call again.
fn known_arguments<X: Guest>(
    cx: &mut Interp<'_, X>,
    st: &mut State<X>,
    sysno: Sysno,
    mut args: [Reg; 6],
) -> Result<[Reg; 6], Stop> {
    if !args.iter().any(|arg| arg.is_symbolic()) {
        return Ok(args);
    }
    let facts = calls::facts(sysno);
    if let Some(flags) = facts.flags() {
        args[flags] = Reg::word(cx.fork_over(st, args[flags], cx.config.max_targets)?);
    }
    let first = facts.has_descriptor().then_some(0);
    let descriptors = [first, facts.second_descriptor()];
    let open: Vec<u32> =
        st.extra.node().process().descriptors.iter().map(|(number, _)| number).collect();
    for descriptor in descriptors.into_iter().flatten() {
        let Some(term) = args[descriptor].term() else { continue };
        let term = cx.resize(term, 32);
        for &number in &open {
            let same = cx.pool.eq(term, cx.pool.constant(32, number.into()));
            if cx.split_sibling(st, same)? {
                args[descriptor] = Reg::word(number.into());
                break;
            }
        }
    }
    Ok(args)
}

fn answered(kind: FaultKind, choice: u32) -> FaultAnswer {
    FaultAnswer { kind, number: 0, choice }
}

fn number(errno: Errno) -> u32 {
    errno.into_raw().unsigned_abs()
}

/// The words for a failure, for people.
fn kept_text(sysno: Sysno, args: &[Reg; 6], object: CallObject, errno: u32) -> String {
    let name = Errno::new(errno.cast_signed()).name().unwrap_or("an error");
    match (object, args[0].as_word()) {
        (CallObject::Other | CallObject::New, _) | (_, None) => {
            format!("{} fails with {name}", sysno.name())
        }
        (_, Some(fd)) => format!("{} of descriptor {fd} fails with {name}", sysno.name()),
    }
}

/// The object that a call works on: mostly what the descriptor in its first argument stands for.
fn object_of<X: Guest>(st: &State<X>, sysno: Sysno, args: &[Reg; 6]) -> CallObject {
    let facts = calls::facts(sysno);
    let flags = match facts.subject {
        CallSubject::Creates => return CallObject::New,
        CallSubject::Open(at) => Some(args[at].as_word().unwrap_or(0)),
        CallSubject::OpenHow(at) => {
            let mut flags = [0; 8];
            let is_known =
                { args[at].as_word() }.is_some_and(|at| st.mem.read_bytes(at, &mut flags));
            Some(if is_known { u64::from_le_bytes(flags) } else { 0 })
        }
        CallSubject::Other | CallSubject::Fd | CallSubject::Message(_) => None,
    };
    if let Some(flags) = flags {
        let creates = flags & u64::from(linux_raw_sys::general::O_CREAT) != 0;
        return if creates { CallObject::New } else { CallObject::Other };
    }
    let node = st.extra.node();
    if !facts.failures.depend_on_object() && picked_kind(node, sysno, args).is_none() {
        return CallObject::Other;
    }
    object_behind(node, args[0])
}

/// Returns true if a signal that the program handles could end a wait with `EINTR`.
fn can_be_interrupted(node: &Node, sysno: Sysno, wait: &Wait) -> bool {
    let seen = !matches!(
        wait.event,
        WaitEvent::Executed(_) | WaitEvent::Pause | WaitEvent::Look(_) | WaitEvent::Futex { .. }
    );
    seen && node.thread().done == 0 && crate::signal::can_interrupt(node, sysno, wait)
}

/// The kind of fault that a rule decides for a call that has succeeded, and its error.
fn picked_kind(node: &Node, sysno: Sysno, args: &[Reg; 6]) -> Option<(FaultKind, Errno)> {
    const MSG_DONTWAIT: u64 = linux_raw_sys::net::MSG_DONTWAIT as u64;
    let facts = calls::facts(sysno);
    match facts.failures.ruled? {
        RuledFailure::Select => return Some((FaultKind::SelectFail, Errno::ENOMEM)),
        RuledFailure::WouldBlock => {}
    }
    let flags = facts.flags().map_or(0, |at| args[at].as_word().unwrap_or(0));
    let number = args[0].as_word()?;
    let entry = node.descriptor(number as u32).ok()?;
    let file = node.file(entry.file);
    let is_socket = matches!(file.kind, FileKind::Socket(_));
    let does_not_wait = file.nonblocking() || flags & MSG_DONTWAIT != 0;
    (is_socket && does_not_wait).then_some((FaultKind::WouldBlock, Errno::EAGAIN))
}
