//! Orders of messages: decided where a thread looks, not where they arrive.
//!
//! With a budget for [`FaultKind::Order`] or [`FaultKind::Late`], messages that a program can notice stay
//! pending (`state/pending.rs`) until a thread looks at their socket. There are two places to decide what it
//! sees:
//!
//! - a call that does not wait, or that has something to report already, sees any part of what is pending at
//!   its sockets (`sys/pollable/look.rs`), and a read from a stream any number of the pieces that have come
//!   ([`Call::look_along`]);
//! - when no thread of the node can run, the first message that one of them waits for wakes it
//!   (`schedule/observe.rs`). Instead, all of them may be *held*: they are still on their way while something
//!   else happens. A state in which nothing else comes before the hold ends is the same as the one without
//!   the hold, and ends as redundant.
//!
//! Choice 0 is always the fixed order: everything that has come is seen, the first one first. A message
//! that no program can notice, such as a request for a connection, which the kernel answers, is never
//! pending.
//!
//! Not here: datagrams of one flow that overtake each other (`arrivals.rs`).

use everett_interp::{Flow, Interp, PathEnding, SiblingCourse, State};
use everett_net::MessageKind;

use super::FaultOffer;
use super::arrivals::described;
use crate::config::FaultKind;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::net::pending::{View, observer_of};
use crate::state::faults::FaultAnswer;
use crate::state::ids::SocketId;
use crate::state::node::Node;

/// The most things that one look may see: beyond these, the rest is left out and counted.
const MOST_VIEWS: usize = 256;

impl Node {
    /// The budgets of links that a kind counts for if it happens to pending messages: bits by their numbers.
    /// `None` if it does not happen to one of them, or if a budget is used up.
    pub(crate) fn links_of(&self, kind: FaultKind, positions: &[usize]) -> Option<u32> {
        let host = self.net.host;
        let mut links = 0;
        for at in positions {
            links |= self.links_between(kind, self.volatile.pending.get(*at).from, host)?;
        }
        self.path.faults.has_left(links).then_some(links)
    }
}

/// All views of sockets, each of which shows one of its messages first or, if that is allowed, none. The
/// first view is that of the fixed order.
pub(crate) fn views(node: &Node, choices: &[View], may_miss: bool) -> (Vec<View>, bool) {
    let mut all: Vec<View> = vec![View::new()];
    let mut is_cut = false;
    for here in choices {
        let is_overdue = here.iter().any(|at| node.volatile.pending.get(*at).is_overdue());
        let mut longer = Vec::with_capacity(all.len() * (here.len() + 1));
        for view in &all {
            for at in here {
                let mut with = view.clone();
                with.push(*at);
                longer.push(with);
            }
            if !is_overdue {
                longer.push(view.clone());
            }
        }
        is_cut |= longer.len() > MOST_VIEWS;
        longer.truncate(MOST_VIEWS);
        all = longer;
    }
    all.retain(|view| may_miss || !view.is_empty());
    (all, is_cut)
}

/// The words for a view that is not that of the fixed order.
pub(crate) fn described_view(node: &Node, view: &[usize], fixed: &[usize]) -> String {
    let names = |positions: &mut dyn Iterator<Item = &usize>| {
        let names: Vec<String> =
            positions.map(|at| described(&node.volatile.pending.get(*at).message)).collect();
        names.join(", ")
    };
    let seen = names(&mut view.iter());
    let overtaken = names(&mut fixed.iter().filter(|at| !view.contains(at)));
    if seen.is_empty() {
        format!("{overtaken} has not come yet")
    } else {
        format!("{seen} comes before {overtaken}")
    }
}

impl<X: Guest> Call<'_, '_, X> {
    /// Decides how many of the pieces of a stream that have come a read sees, that has some bytes already and
    /// could use so many more.
    pub(crate) fn look_along(
        &mut self,
        id: SocketId,
        want: u64,
        all: bool,
    ) -> Result<(), CallHalt> {
        if self.node().volatile.pending.is_empty() {
            return Ok(());
        }
        let node = self.node();
        let pending = &node.volatile.pending;
        let is_here = |at: &usize| observer_of(node, &pending.get(*at).message) == Some(id);
        let Some(head) = pending.heads().into_iter().find(is_here) else { return Ok(()) };
        let mut pieces = View::new();
        let mut bytes = 0;
        for at in pending.flow_from(head) {
            let message = &pending.get(at).message;
            // The end of a stream is not noticed by a read that gets bytes.
            if bytes >= want || !message.kind.meets(MessageKind::DATA) {
                break;
            }
            bytes += message.payload.len() as u64;
            pieces.push(at);
        }
        // A thread that was woken by the piece behind others that were held sees that piece, too.
        let least = node.thread().observed.unwrap_or(0) as usize;
        if pieces.len() < least {
            return Err(Flow::End(PathEnding::Redundant).into());
        }
        if pieces.is_empty() {
            return Ok(());
        }
        if all || !node.may_vary_orders() {
            self.node_mut().see(&pieces);
            return Ok(());
        }
        let texts: Vec<String> = (0..=pieces.len())
            .map(|fewer| described_view(node, &[], &pieces[pieces.len() - fewer..]))
            .collect();
        let show = |node: &mut Node, fewer: usize| node.see(&pieces[..pieces.len() - fewer]);
        self.decide_view(pieces.len() - least + 1, &pieces, &|fewer| texts[fewer].clone(), &show)
    }

    /// Decides whether a call that sends notices that its connection was broken off, if it was.
    pub(crate) fn look_for_reset(&mut self, id: SocketId) -> Result<(), CallHalt> {
        if self.node().volatile.pending.is_empty() {
            return Ok(());
        }
        let node = self.node();
        let pending = &node.volatile.pending;
        let is_here = |at: &usize| observer_of(node, &pending.get(*at).message) == Some(id);
        let Some(head) = pending.heads().into_iter().find(is_here) else { return Ok(()) };
        let flow = pending.flow_from(head);
        let is_reset = |at: &usize| pending.get(*at).message.status != 0;
        let Some(reset) = flow.iter().position(is_reset) else { return Ok(()) };
        let until: View = flow[..=reset].iter().copied().collect();
        let count = if pending.get(flow[reset]).is_overdue() { 1 } else { 2 };
        let text = described_view(node, &[], &until[reset..]);
        let show = |node: &mut Node, choice: usize| match choice {
            0 => node.see(&until),
            _ => node.volatile.pending.miss(&until[reset..]),
        };
        self.decide_view(count, &until, &|_| text.clone(), &show)
    }

    /// Forks over a number of views of messages, the first of which is that of the fixed order, and shows the
    /// one that is chosen. A call that is executed again has seen it already.
    pub(crate) fn decide_view(
        &mut self,
        count: usize,
        messages: &[usize],
        what: &dyn Fn(usize) -> String,
        show: &dyn Fn(&mut Node, usize),
    ) -> Result<(), CallHalt> {
        let kind = FaultKind::Order;
        let number = self.asked.iter().filter(|asked| **asked == kind).count() as u8;
        self.asked.push(kind);
        let is_it = |answer: &FaultAnswer| (answer.kind, answer.number) == (kind, number);
        if self.node().thread().answers.iter().any(is_it) {
            return Ok(());
        }
        let mut choice = 0;
        let is_possible = count > 1 && self.node().path.faults.is_possible(kind);
        let links = if is_possible { self.node().links_of(kind, messages) } else { None };
        if let Some(links) = links {
            let choices: Vec<u32> = (1..count as u32).collect();
            let what = |choice: u32| what(choice as usize);
            let offer = FaultOffer {
                kind,
                choices: &choices,
                of_call: true,
                passed_over: false,
                what: &what,
                links,
            };
            let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice: u32| {
                let node = sibling.extra.node_mut();
                node.thread_mut().answers.push(FaultAnswer { kind, number, choice });
                show(node, choice as usize);
                SiblingCourse::Again
            };
            choice = self.kernel.offer(self.cx, self.st, None, &offer, prepare)?;
        }
        let node = self.node_mut();
        node.thread_mut().answers.push(FaultAnswer { kind, number, choice });
        show(node, choice as usize);
        Ok(())
    }
}
