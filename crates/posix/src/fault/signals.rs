//! Signals that come at any place: a handler of the program runs where its signal finds a thread.
//!
//! A signal is offered before each system call, before each function by which threads synchronise, before
//! accesses to memory that may conflict with those of a handler, and while a call waits. What a thread does
//! between two of these no handler can tell, so it need not come anywhere else.
//!
//! Signals that people and other programs send come from outside, at once. Those of a timer come if the
//! timer runs: the thread is so slow that the timer expires while it is at this place.
//!
//! Not here: accesses of a handler that conflict with those of the thread (`schedule/races.rs`).

use everett_interp::{Flow, Halt, Interp, Reg, SiblingCourse, State};
use linux_raw_sys::general as linux;
use smallvec::SmallVec;

use super::FaultOffer;
use crate::config::FaultKind;
use crate::kernel::{Guest, Kernel};
use crate::signal;
use crate::state::faults::FaultAnswer;
use crate::state::ids::Time;
use crate::state::node::Node;
use crate::state::process::Process;
use crate::state::process::signals::{SIG_DFL, SIG_IGN, SIGNALS, SignalInfo, bit};
use crate::state::process::timers::TimerNotice;
use crate::state::thread_event::ThreadEvent;
use crate::state::wait::{Wait, WaitEvent};

/// The number of the question before a call or an access, among those of a call.
const BEFORE: u8 = 0;
/// The number of the question while a call waits.
const WAITING: u8 = 1;

/// Real-time signals that programs have for themselves. The C library uses those below.
const FIRST_OWN_REAL_TIME: u32 = 35;

/// The origin of a signal that may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SignalOrigin {
    /// Somebody who is not simulated sends it.
    Outside,
    /// A timer of the process that expires at a time.
    Timer(Time),
}

/// The origin of a signal that a process may get now.
fn origin(process: &Process, signal: u32) -> Option<SignalOrigin> {
    let own = process.alarm.filter(|_| signal == linux::SIGALRM).map(|alarm| alarm.at);
    let timers = process.timers.timers.values();
    let telling = timers.filter(
        |timer| matches!(timer.notify, TimerNotice::Signal { signal: told, .. } if told == signal),
    );
    if let Some(at) = telling.filter_map(|timer| timer.at).chain(own).min() {
        return Some(SignalOrigin::Timer(at));
    }
    let is_sent = matches!(
        signal,
        linux::SIGHUP
            | linux::SIGINT
            | linux::SIGQUIT
            | linux::SIGTERM
            | linux::SIGUSR1
            | linux::SIGUSR2
            | linux::SIGTSTP
            | linux::SIGCONT
            | linux::SIGWINCH
            | FIRST_OWN_REAL_TIME..=SIGNALS
    );
    is_sent.then_some(SignalOrigin::Outside)
}

/// Signals that may come to the running thread, which has handlers for them.
fn signals_that_may_come(node: &Node) -> SmallVec<[u32; 4]> {
    let (process, mask) = (node.process(), node.thread().mask);
    let is_handled = |signal: &u32| {
        let handler = process.actions.get(*signal).handler;
        mask & bit(*signal) == 0 && !matches!(handler, SIG_DFL | SIG_IGN)
    };
    (1..=SIGNALS).filter(is_handled).filter(|s| origin(process, *s).is_some()).collect()
}

impl Node {
    /// Returns true if handlers of the running process may run at any place, or might have.
    pub(crate) fn explores_signals(&self) -> bool {
        self.path.faults.may_be_of(FaultKind::Signal) && self.process().actions.has_handler()
    }

    /// Takes the answer that a signal comes, if that was decided when this place was reached before.
    fn take_chosen_signal(&mut self, number: u8) -> Option<u32> {
        let is_it = |answer: &FaultAnswer| {
            (answer.kind, answer.number) == (FaultKind::Signal, number) && answer.choice != 0
        };
        let at = self.thread().answers.iter().position(is_it)?;
        Some(self.thread_mut().answers.remove(at).choice)
    }
}

impl Kernel {
    /// Offers that a signal comes before the running thread goes on. It is about to perform an event;
    /// `is_held` says that it was chosen to. Nobody asks unless the node explores signals.
    pub(crate) fn offer_signal<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        event: ThreadEvent,
        is_held: bool,
    ) -> Result<(), Halt> {
        let chosen = match st.extra.node_mut().take_chosen_signal(BEFORE) {
            Some(signal) => signal,
            None if st.extra.node().thread().resumed.is_some() => 0,
            None => self.choose_signal(cx, st, BEFORE, is_held)?,
        };
        if chosen == 0 {
            return Ok(());
        }
        let origin = origin(st.extra.node().process(), chosen);
        let comes_at_once = !matches!(origin, Some(SignalOrigin::Timer(_)));
        self.note_place_of_signal(cx, st, event, comes_at_once);
        let thread = st.extra.node_mut().thread_mut();
        if let Some(SignalOrigin::Timer(at)) = origin {
            thread.blocked = Some(Wait::until(WaitEvent::Pause).by(Some(at)));
            (thread.blocked_in, thread.resumed) = (None, None);
            return Err(self.dispatch(cx, st)?.into());
        }
        // A queue that is full has the signal already.
        let _ = thread.pending.add(from_outside(chosen));
        Err(self.deliver_signals(cx, st)?.into())
    }

    /// Offers that a signal comes while a call waits; gives the signal. The call has not begun to wait.
    pub(crate) fn offer_signal_to_wait<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Option<SignalInfo>, Flow> {
        let chosen = match st.extra.node_mut().take_chosen_signal(WAITING) {
            Some(signal) => signal,
            None => self.choose_signal(cx, st, WAITING, false)?,
        };
        Ok((chosen != 0).then(|| from_outside(chosen)))
    }

    fn choose_signal<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        number: u8,
        is_held: bool,
    ) -> Result<u32, Flow> {
        let kind = FaultKind::Signal;
        if !st.extra.node().path.faults.is_possible(kind) || !Kernel::is_blamed(cx, st) {
            return Ok(0);
        }
        let node = st.extra.node();
        let mut choices = signals_that_may_come(node);
        if number == WAITING {
            // Time passes anyway while a call waits.
            choices.retain(|s| origin(node.process(), *s) == Some(SignalOrigin::Outside));
        }
        if choices.is_empty() {
            return Ok(0);
        }
        let what = |signal: u32| format!("{} comes, and its handler runs", signal::name(signal));
        let (choices, what) = (&choices[..], &what);
        let offer = FaultOffer { kind, choices, of_call: true, passed_over: false, what, links: 0 };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice| {
            let thread = sibling.extra.node_mut().thread_mut();
            thread.answers.push(FaultAnswer { kind, number, choice });
            thread.events.is_chosen |= is_held;
            SiblingCourse::Again
        };
        self.offer(cx, st, None, &offer, prepare)
    }
}

/// A signal that somebody outside sends: as from another namespace, the sender has no number.
fn from_outside(signal: u32) -> SignalInfo {
    const SI_USER: i32 = 0;
    SignalInfo { signal, code: SI_USER, pid: 0, uid: 0, value: Reg::word(0) }
}
