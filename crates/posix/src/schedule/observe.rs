//! Waking a node in which no thread can run by one of the messages that have come.

use everett_interp::{Flow, Interp, Omission, PathEnding, Redundancy, SiblingCourse, State};
use everett_net::{MessageKind, Protocol};
use linux_raw_sys::general as linux;
use syscalls::Sysno;

use super::{has_timed_out, in_turn, next_runnable, threads};
use crate::config::FaultKind;
use crate::fault::FaultOffer;
use crate::fault::observation::{described_view, event_views, views};
use crate::kernel::{Guest, Kernel};
use crate::net::pending::{SocketLook, View};
use crate::state::ids::{SocketId, ThreadKey, Time};
use crate::state::node::{Node, thread_mut, thread_of};
use crate::state::pending::{ForkedWait, HoldEnd, MessageHold};
use crate::state::process::Thread;
use crate::state::wait::{ALWAYS_AWAITED, HeldLook, WaitEvent};
use crate::sys::pollable::look::looks_of;

/// What a thread that waits can be woken by.
struct WakingView {
    thread: ThreadKey,
    view: View,
    /// Further pieces of a stream that the thread has to read. Otherwise the order is one in which it was not
    /// held.
    further: u32,
}

/// Everything that can wake a node in which no thread can run.
#[derive(Default)]
struct Wakings {
    /// That of the fixed order comes first.
    views: Vec<WakingView>,
    /// The messages that could be seen, by their positions.
    messages: View,
    /// Views are left out that a program could tell apart.
    is_cut: bool,
    /// Nothing that comes later could be seen before these, or together with them.
    is_settled: bool,
}

/// The way on of a node in which no thread can run.
enum WaitOutcome<'w> {
    /// A thread sees something.
    Seen(&'w WakingView),
    /// All messages are held.
    Held(MessageHold),
    /// The deadline of a thread, which passes at this moment, comes before them.
    TimedOut(ThreadKey),
}

impl WaitOutcome<'_> {
    /// The words for it; the fixed order is another one.
    fn described(&self, node: &Node, wakings: &Wakings) -> String {
        match self {
            WaitOutcome::Seen(waking) => described_view(node, &waking.view, &wakings.views[0].view),
            WaitOutcome::Held(MessageHold { until: HoldEnd::Message, .. }) => {
                described_view(node, &[], &wakings.messages)
            }
            WaitOutcome::Held(_) | WaitOutcome::TimedOut(_) => {
                let late = described_view(node, &[], &wakings.messages);
                format!("{late} when a deadline passes")
            }
        }
    }

    fn happen(&self, node: &mut Node, wakings: &Wakings) -> ForkedWait {
        match self {
            WaitOutcome::Seen(waking) => {
                wake_by(node, waking);
                ForkedWait::Runs(waking.thread)
            }
            WaitOutcome::Held(hold) => {
                node.volatile.pending.set_hold(&wakings.messages, *hold);
                node.path.order_mark.set_actor("held");
                ForkedWait::Waits
            }
            WaitOutcome::TimedOut(who) => {
                node.volatile.pending.release();
                ForkedWait::Runs(*who)
            }
        }
    }
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
        let mut wakings = find_wakings(node);
        if node.receive_answers(&wakings.messages) {
            wakings = find_wakings(node);
        }
        if wakings.is_cut {
            cx.omit(st, Omission::Orders);
        }
        let node = st.extra.node_mut();
        if wakings.views.is_empty() {
            return match hold {
                Some(MessageHold { until: HoldEnd::Tie, .. }) if first.is_some() => {
                    // Nothing came at the moment of the deadline.
                    Err(Flow::End(PathEnding::Redundant(Redundancy::NotComeAbout)))
                }
                Some(hold) if hold.until == HoldEnd::Message => {
                    // A look that does not wait has no deadline, and others need not wait for it.
                    let is_overtaken = first.is_some() && !has_held_look(node);
                    let is_over = is_overtaken || node.clock.now >= hold.expires;
                    if is_over {
                        Err(Flow::End(PathEnding::Redundant(Redundancy::NotComeAbout)))
                    } else {
                        Ok(None)
                    }
                }
                Some(hold) if hold.until == HoldEnd::Deadline && first.is_some() => {
                    node.volatile.pending.release();
                    Ok(None)
                }
                _ => Ok(None),
            };
        }
        if hold.is_some_and(|hold| hold.until == HoldEnd::Deadline) {
            // Something else came before the deadline: not what this state was made for.
            return Err(Flow::End(PathEnding::Redundant(Redundancy::NotComeAbout)));
        }
        match self.offer_wakings(cx, st, &wakings, first)? {
            ForkedWait::Runs(who) => Ok(Some(who)),
            ForkedWait::Waits => Ok(None),
        }
    }

    /// Forks over what wakes a node, or that nothing does yet; the deadline of a thread may pass at this very
    /// moment. Says what happens in this state.
    fn offer_wakings<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        wakings: &Wakings,
        timed_out: Option<ThreadKey>,
    ) -> Result<ForkedWait, Flow> {
        let node = st.extra.node();
        let now = node.clock.now;
        let tie = node.volatile.pending.hold().and_then(|hold| hold.tie);
        let held = |until| WaitOutcome::Held(MessageHold { tie, ..MessageHold::new(until, now) });
        let has_deadline = |waking: &WakingView| deadline(node, waking.thread).is_some();
        // That the message comes after the deadline is what the state beside this one is for.
        let may_be_late = tie.is_none() && wakings.views.iter().any(has_deadline);
        let mut orders: Vec<WaitOutcome<'_>> =
            wakings.views.iter().map(WaitOutcome::Seen).collect();
        orders.extend((!wakings.is_settled).then(|| held(HoldEnd::Message)));
        let choice = self.offer_outcomes(cx, st, FaultKind::Order, wakings, &orders)?;
        if choice == 0 && may_be_late {
            let later = timed_out.map_or(held(HoldEnd::Deadline), WaitOutcome::TimedOut);
            let late = [WaitOutcome::Seen(&wakings.views[0]), later];
            let choice = self.offer_outcomes(cx, st, FaultKind::Late, wakings, &late)?;
            return Ok(late[choice].happen(st.extra.node_mut(), wakings));
        }
        Ok(orders[choice].happen(st.extra.node_mut(), wakings))
    }

    /// Forks over how a node goes on that waits: the number of what happens in this state.
    fn offer_outcomes<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        kind: FaultKind,
        wakings: &Wakings,
        outcomes: &[WaitOutcome<'_>],
    ) -> Result<usize, Flow> {
        let node = st.extra.node();
        let is_possible = node.path.faults.is_possible(kind) && outcomes.len() > 1;
        let links = node.links_of(kind, &wakings.messages).filter(|_| is_possible);
        let Some(links) = links else { return Ok(0) };
        let passed_over = !node.path.faults.has_left(links);
        let texts: Vec<String> =
            outcomes.iter().map(|outcome| outcome.described(node, wakings)).collect();
        let choices: Vec<u32> = (1..outcomes.len() as u32).collect();
        let what = |choice: u32| texts[choice as usize].clone();
        let of_call = false;
        let offer =
            FaultOffer { kind, choices: &choices, of_call, passed_over, what: &what, links };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice: u32| {
            let node = sibling.extra.node_mut();
            let fork = outcomes[choice as usize].happen(node, wakings);
            node.volatile.pending.set_fork(fork);
            SiblingCourse::On
        };
        Ok(self.offer(cx, st, None, &offer, prepare)? as usize)
    }
}

/// The deadline of a thread that waits.
pub(super) fn deadline(node: &Node, who: ThreadKey) -> Option<Time> {
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

/// Returns true if a thread is at a look that does not wait and is held.
fn has_held_look(node: &Node) -> bool {
    in_turn(node).any(|who| {
        let wait = thread_of(node, who).and_then(|thread| thread.blocked.as_ref());
        wait.is_some_and(|wait| matches!(wait.event, WaitEvent::Look(_)))
    })
}

/// Everything that can wake a thread of a node in which none can run.
fn find_wakings(node: &Node) -> Wakings {
    let mut found = Wakings::default();
    let mut looks = Vec::new();
    for who in in_turn(node) {
        let wait = thread_of(node, who).and_then(|thread| thread.blocked.as_ref());
        let files = match wait.map(|wait| &wait.event) {
            Some(WaitEvent::Files(files) | WaitEvent::Look(HeldLook::Files(files))) => files,
            Some(WaitEvent::More { file, .. }) => {
                let wanted = (linux::POLLIN | ALWAYS_AWAITED) as u16;
                looks = looks_of(node, who, &[(*file, wanted)]);
                // What has come before does not count.
                looks.iter_mut().for_each(|look| look.wanted |= SocketLook::EDGES);
                found.add_views(node, who, &looks);
                continue;
            }
            Some(WaitEvent::Plain(wanted) | WaitEvent::Look(HeldLook::Events(wanted))) => {
                found.add_new(node, who, event_views(node, wanted));
                continue;
            }
            Some(WaitEvent::Look(HeldLook::Stream(id))) => {
                found.add_pieces(node, who, *id);
                continue;
            }
            _ => continue,
        };
        looks = looks_of(node, who, files);
        found.add_views(node, who, &looks);
    }
    if let Some(tie) = node.volatile.pending.hold().and_then(|hold| hold.tie) {
        found.views.retain(|waking| node.is_tied(tie, &waking.view));
        found.messages = found.views.iter().flat_map(|waking| waking.view.clone()).collect();
    }
    found.messages.sort_unstable();
    found.messages.dedup();
    let is_alone = threads(node).count() == 1;
    found.is_settled =
        is_alone && matches!(looks[..], [look] if found.is_settled_at(node, look.id));
    found
}

/// Returns true if a thread waits in a call that reads from a stream, or counts the bytes that are there.
fn is_reading(thread: &Thread) -> bool {
    thread.blocked_in.is_some_and(|call| {
        matches!(
            call,
            Sysno::read
                | Sysno::readv
                | Sysno::recvfrom
                | Sysno::recvmsg
                | Sysno::recvmmsg
                | Sysno::ioctl
        )
    })
}

impl Wakings {
    /// Returns true if the only thread, which waits for a socket, sees one message of one flow, and nothing
    /// beside it: a datagram, or as many bytes of a stream as it asks for.
    fn is_settled_at(&self, node: &Node, id: SocketId) -> bool {
        let [WakingView { thread, view, .. }] = &self.views[..] else { return false };
        let (Some(thread), [at]) = (thread_of(node, *thread), &view[..]) else { return false };
        let message = &node.volatile.pending.get(*at).message;
        let is_enough = message.kind.meets(MessageKind::DATA)
            && message.payload.len() as u64 >= thread.asked_bytes;
        node.has_one_flow(id) || node.is_stream(id) && is_reading(thread) && is_enough
    }

    /// Adds the views of a thread that waits for sockets.
    fn add_views(&mut self, node: &Node, who: ThreadKey, looks: &[SocketLook]) {
        let choices = node.choices_at(looks);
        if choices.is_empty() {
            return;
        }
        self.add_new(node, who, views(node, &choices, false));
    }

    /// Adds those views of a thread that show something new. With them comes whether some are left out.
    fn add_new(&mut self, node: &Node, who: ThreadKey, (views, is_cut): (Vec<View>, bool)) {
        self.is_cut |= is_cut;
        for view in views {
            if let Some(further) = further_pieces(node, who, &view) {
                self.messages.extend_from_slice(&view);
                self.views.push(WakingView { thread: who, view, further });
            }
        }
    }

    /// Adds the pieces behind those of a stream that a read has at hand.
    fn add_pieces(&mut self, node: &Node, who: ThreadKey, id: SocketId) {
        let pending = &node.volatile.pending;
        let Some(head) = node.first_pending_at(id) else { return };
        let is_piece = |at: &usize| pending.get(*at).message.kind.meets(MessageKind::DATA);
        let mut pieces = pending.flow_from(head).into_iter().take_while(is_piece);
        let Some(first_new) = pieces.position(|at| !pending.get(at).is_held()) else { return };
        self.messages.push(head);
        let further = first_new as u32 + 1;
        self.views.push(WakingView { thread: who, view: View::new(), further });
    }
}

/// The pieces of a stream that a thread has to read beside a view, so that it sees something that is not
/// held; `None` if it cannot. A view of nothing but held messages was there to be chosen when the hold began.
fn further_pieces(node: &Node, who: ThreadKey, view: &[usize]) -> Option<u32> {
    let pending = &node.volatile.pending;
    if pending.is_new(view) {
        return Some(0);
    }
    let [head] = view else { return None };
    if !is_reading(thread_of(node, who)?) || pending.get(*head).message.protocol != Protocol::Tcp {
        return None;
    }
    let flow = pending.flow_from(*head);
    let first_new = flow.iter().position(|at| !pending.get(*at).is_held())?;
    u32::try_from(first_new).ok()
}
