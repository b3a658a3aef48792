//! Waking a node in which no thread can run by one of the messages that have come.

use everett_interp::{Flow, Interp, Omission, PathEnding, SiblingCourse, State};
use everett_net::Protocol;
use syscalls::Sysno;

use super::{has_timed_out, in_turn, next_runnable};
use crate::config::FaultKind;
use crate::fault::FaultOffer;
use crate::fault::observation::{described_view, views};
use crate::kernel::{Guest, Kernel};
use crate::net::pending::{NOTICED, View};
use crate::state::ids::{FileId, ThreadKey, Time};
use crate::state::node::{Node, thread_mut, thread_of};
use crate::state::pending::{ForkedWait, HoldEnd, MessageHold};
use crate::state::wait::WaitEvent;
use crate::sys::pollable::look::sockets_of;

/// The virtual time that a hold lasts at most. What another node sends later does not overtake the message.
const LONGEST_HOLD: Time = 10_000_000_000;

/// What a thread that waits can be woken by.
struct WakingView {
    thread: ThreadKey,
    view: View,
    /// Further pieces of a stream that the thread has to read. Otherwise the order is one in which it was not
    /// held.
    further: u32,
}

impl Kernel {
    /// Decides which of the messages that have come wakes a thread, when none can run without one. Says
    /// which thread runs next, if this decides it.
    pub(crate) fn observe<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
    ) -> Result<Option<ThreadKey>, Flow> {
        let node = st.extra.node_mut();
        node.receive_unobservable();
        let hold = node.volatile.pending.hold();
        if !node.may_vary_orders() && hold.is_none() {
            node.receive_pending();
            return Ok(None);
        }
        let first = next_runnable(node);
        if first.is_some_and(|who| !has_timed_out(node, who)) {
            return Ok(None);
        }
        let (wakings, is_cut) = wakings(node);
        if is_cut {
            cx.omit(st, Omission::Orders);
        }
        let node = st.extra.node_mut();
        if wakings.is_empty() {
            return match hold {
                Some(hold) if hold.until == HoldEnd::Message => {
                    let is_over = first.is_some() || node.clock.now >= hold.expires;
                    if is_over { Err(Flow::End(PathEnding::Redundant)) } else { Ok(None) }
                }
                Some(_) if first.is_some() => {
                    node.volatile.pending.release();
                    Ok(None)
                }
                _ => Ok(None),
            };
        }
        if hold.is_some_and(|hold| hold.until == HoldEnd::Deadline) {
            // Something else came before the deadline: not what this state was made for.
            return Err(Flow::End(PathEnding::Redundant));
        }
        let choice = self.offer_wakings(cx, st, &wakings)?;
        if choice < wakings.len() {
            wake_by(st.extra.node_mut(), &wakings[choice]);
            return Ok(Some(wakings[choice].thread));
        }
        Ok(None)
    }

    /// Forks over what wakes a node, or that nothing does yet. Says which of them happens in this state;
    /// beyond the last one, it waits.
    fn offer_wakings<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        wakings: &[WakingView],
    ) -> Result<usize, Flow> {
        let mut heads: Vec<usize> =
            wakings.iter().flat_map(|waking| waking.view.iter().copied()).collect();
        heads.sort_unstable();
        heads.dedup();
        let choice = self.offer_orders(cx, st, wakings, &heads)?;
        if choice != 0 {
            return Ok(choice);
        }
        let node = st.extra.node();
        let has_deadline = wakings.iter().any(|waking| deadline(node, waking.thread).is_some());
        let is_late = has_deadline && self.offer_lateness(cx, st, &heads)?;
        Ok(if is_late { wakings.len() } else { 0 })
    }

    /// Forks over what wakes a node, and a hold of all messages that could until another one comes. Says what
    /// happens in this state, as a number; beyond the last one, the messages are held.
    fn offer_orders<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        wakings: &[WakingView],
        heads: &[usize],
    ) -> Result<usize, Flow> {
        let (kind, node) = (FaultKind::Order, st.extra.node());
        let is_possible = node.path.faults.is_possible(kind);
        let Some(links) = node.links_of(kind, heads).filter(|_| is_possible) else { return Ok(0) };
        let fixed = &wakings[0].view;
        let mut texts: Vec<String> =
            wakings.iter().map(|waking| described_view(node, &waking.view, fixed)).collect();
        texts.push(described_view(node, &[], heads));
        let expires = node.clock.now.saturating_add(LONGEST_HOLD);
        let hold = MessageHold { until: HoldEnd::Message, expires };
        let choices: Vec<u32> = (1..=wakings.len() as u32).collect();
        let what = |choice: u32| texts[choice as usize].clone();
        let (of_call, passed_over) = (false, false);
        let offer =
            FaultOffer { kind, choices: &choices, of_call, passed_over, what: &what, links };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice: u32| {
            let node = sibling.extra.node_mut();
            let fork = match wakings.get(choice as usize) {
                Some(waking) => {
                    wake_by(node, waking);
                    ForkedWait::Runs(waking.thread)
                }
                None => {
                    node.volatile.pending.set_hold(heads, hold);
                    ForkedWait::Waits
                }
            };
            node.volatile.pending.set_fork(fork);
            SiblingCourse::On
        };
        let choice = self.offer(cx, st, None, &offer, prepare)? as usize;
        if choice == wakings.len() {
            st.extra.node_mut().volatile.pending.set_hold(heads, hold);
        }
        Ok(choice)
    }

    /// Forks over a hold of messages until a deadline passes. Says whether it happens in this state.
    fn offer_lateness<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        heads: &[usize],
    ) -> Result<bool, Flow> {
        let (kind, node) = (FaultKind::Late, st.extra.node());
        let is_possible = node.path.faults.is_possible(kind);
        let Some(links) = node.links_of(kind, heads).filter(|_| is_possible) else {
            return Ok(false);
        };
        let text = format!("{} when a deadline passes", described_view(node, &[], heads));
        let expires = node.clock.now.saturating_add(LONGEST_HOLD);
        let hold = MessageHold { until: HoldEnd::Deadline, expires };
        let what = |_: u32| text.clone();
        let (of_call, passed_over) = (false, false);
        let offer = FaultOffer { kind, choices: &[1], of_call, passed_over, what: &what, links };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, _: u32| {
            let pending = &mut sibling.extra.node_mut().volatile.pending;
            pending.set_hold(heads, hold);
            pending.set_fork(ForkedWait::Waits);
            SiblingCourse::On
        };
        let is_late = self.offer(cx, st, None, &offer, prepare)? != 0;
        if is_late {
            st.extra.node_mut().volatile.pending.set_hold(heads, hold);
        }
        Ok(is_late)
    }
}

/// The deadline of a thread that waits.
fn deadline(node: &Node, who: ThreadKey) -> Option<Time> {
    thread_of(node, who)?.blocked.as_ref()?.deadline
}

/// Lets a thread see what wakes it.
fn wake_by(node: &mut Node, waking: &WakingView) {
    node.volatile.pending.release();
    node.see(&waking.view);
    if let Some(thread) = thread_mut(node, waking.thread) {
        thread.observed = Some(waking.further);
    }
}

/// Everything that can wake a thread of a node in which none can run: that of the fixed order first.
fn wakings(node: &Node) -> (Vec<WakingView>, bool) {
    let mut wakings = Vec::new();
    let mut is_cut = false;
    for who in in_turn(node) {
        let wait = thread_of(node, who).and_then(|thread| thread.blocked.as_ref());
        let Some(WaitEvent::Files(files)) = wait.map(|wait| &wait.event) else { continue };
        let noticed = |(_, wanted): &&(FileId, u16)| u32::from(*wanted) & NOTICED != 0;
        let sockets = sockets_of(node, files.iter().filter(noticed).map(|(file, _)| *file));
        let choices = node.choices_at(&sockets);
        if choices.is_empty() {
            continue;
        }
        let (views, cut) = views(node, &choices, false);
        is_cut |= cut;
        for view in views {
            if let Some(further) = further_pieces(node, who, &view) {
                wakings.push(WakingView { thread: who, view, further });
            }
        }
    }
    (wakings, is_cut)
}

/// The pieces of a stream that a thread has to read beside a view, so that it sees something that is not
/// held; `None` if it cannot. A view of nothing but held messages was there to be chosen when the hold began.
fn further_pieces(node: &Node, who: ThreadKey, view: &[usize]) -> Option<u32> {
    let pending = &node.volatile.pending;
    if pending.is_new(view) {
        return Some(0);
    }
    let call = thread_of(node, who)?.blocked_in?;
    let is_read = matches!(
        call,
        Sysno::read | Sysno::readv | Sysno::recvfrom | Sysno::recvmsg | Sysno::recvmmsg
    );
    let [head] = view else { return None };
    if !is_read || pending.get(*head).message.protocol != Protocol::Tcp {
        return None;
    }
    let flow = pending.flow_from(*head);
    let first_new = flow.iter().position(|at| !pending.get(*at).is_held())?;
    u32::try_from(first_new).ok()
}
