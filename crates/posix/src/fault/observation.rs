//! Orders of messages: decided where a thread looks, not where they arrive.
//!
//! With a budget for [`FaultKind::Order`] or [`FaultKind::Late`], messages that a program can notice stay
//! pending (`state/pending.rs`) until a thread looks at their socket. There are two places to decide what it
//! sees:
//!
//! - a call that does not wait, or that has something to report already, sees any part of what is pending at
//!   its sockets (`sys/pollable/look.rs`), and a read from a stream any number of the pieces that have come
//!   ([`Call::look_along`]). Instead, it may be *held*: its node is slower, and it shows something that comes
//!   later;
//! - when no thread of the node can run, the first message that one of them waits for wakes it
//!   (`schedule/observe.rs`). Instead, all of them may be *held*: they are still on their way while something
//!   else happens. A state in which nothing else comes before the hold ends is the same as the one without
//!   the hold, and ends as redundant.
//!
//! Choice 0 is always the fixed order: everything that has come is seen, the first one first. A message
//! that no program can notice, such as a request for a connection, which the kernel answers, is pending
//! only behind others of its flow.
//!
//! Not here: datagrams of one flow that overtake each other (`arrivals.rs`).

use everett_interp::{Flow, Omission, PathEnding, Redundancy};
use everett_net::MessageKind;

use super::arrivals::described;
use crate::config::FaultKind;
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::net::pending::View;
use crate::state::ids::SocketId;
use crate::state::node::Node;
use crate::state::wait::{HeldLook, Wait, WaitEvent};

mod events;

pub(crate) use events::event_views;

/// The most things that one look may see: beyond these, the rest is left out and counted.
const MOST_VIEWS: usize = 256;

/// The choice in which a look that does not wait is held. Views have smaller numbers.
pub(crate) const HELD: u32 = MOST_VIEWS as u32;

impl Node {
    /// The budgets of links that a kind counts for if it happens to pending messages: bits by their numbers.
    /// `None` if it does not happen to one of them.
    pub(crate) fn links_of(&self, kind: FaultKind, positions: &[usize]) -> Option<u32> {
        let host = self.net.host;
        let mut links = 0;
        for at in positions {
            links |= self.links_between(kind, self.volatile.pending.get(*at).from, host)?;
        }
        Some(links)
    }
}

/// All views of sockets, each of which shows one of its alternatives or, if that is allowed, none. The first
/// view is that of the fixed order. Returns true if views are left out that a program could tell apart.
pub(crate) fn views(node: &Node, choices: &[Vec<View>], may_miss: bool) -> (Vec<View>, bool) {
    let mut all: Vec<View> = vec![View::new()];
    let mut is_cut = false;
    let is_overdue = |at: &usize| node.volatile.pending.get(*at).is_overdue();
    for here in choices {
        let is_missed = !here.iter().filter_map(|view| view.last()).any(is_overdue);
        let mut longer = Vec::with_capacity(all.len() * (here.len() + 1));
        for view in &all {
            for shown in here {
                let mut with = view.clone();
                with.extend_from_slice(shown);
                longer.push(with);
            }
            if is_missed {
                longer.push(view.clone());
            }
        }
        is_cut |= longer.len() > MOST_VIEWS || !is_missed && (may_miss || choices.len() > 1);
        longer.truncate(MOST_VIEWS);
        all = longer;
    }
    all.retain(|view| may_miss || !view.is_empty());
    (all, is_cut)
}

fn names<'p>(node: &Node, positions: impl Iterator<Item = &'p usize>) -> String {
    let name = |at: &usize| described(&node.volatile.pending.get(*at).message);
    positions.map(name).collect::<Vec<String>>().join(", ")
}

/// The words for a view that is not that of the fixed order.
pub(crate) fn described_view(node: &Node, view: &[usize], fixed: &[usize]) -> String {
    let seen = names(node, view.iter());
    let overtaken = names(node, fixed.iter().filter(|at| !view.contains(at)));
    if seen.is_empty() {
        format!("{overtaken} has not come yet")
    } else if overtaken.is_empty() {
        format!("{seen} has come by then")
    } else {
        format!("{seen} comes before {overtaken}")
    }
}

/// The wait of the running thread if it is to be later with its look. When that ends, it looks again.
pub(crate) fn begin_held_look(node: &mut Node) -> Option<Wait> {
    let thread = node.thread_mut();
    let look = thread.held_look.take()?;
    thread.answers.retain(|answer| answer.kind != FaultKind::Order);
    Some(Wait::until(WaitEvent::Look(look)))
}

/// The words for a call that is late.
pub(crate) fn described_lateness(call: &str) -> String {
    format!("{call} is late, and shows what comes next")
}

impl<X: Guest> Call<'_, '_, X> {
    /// Notes how many bytes of a stream the call would take, which tells whether it notices further pieces.
    pub(crate) fn note_asked_bytes(&mut self, count: u64) {
        if self.node().decides_looks() {
            self.node_mut().thread_mut().asked_bytes = count;
        }
    }

    /// Decides how many of the pieces of a stream that have come a read sees, that has some bytes already and
    /// could use so many more.
    pub(crate) fn look_along(
        &mut self,
        id: SocketId,
        want: u64,
        all: bool,
    ) -> Result<(), CallHalt> {
        // Where the look that found the stream readable was asked what it sees, that was among the
        // alternatives.
        let is_asked = self.node().thread().answers.iter().any(|it| it.kind == FaultKind::Order);
        if !self.node().decides_looks() || self.is_answered(FaultKind::Order) {
            return Ok(());
        }
        let node = self.node();
        let pending = &node.volatile.pending;
        let mut pieces = View::new();
        let (mut bytes, mut is_over) = (0, node.net.get(id).shut_in);
        for at in node.first_pending_at(id).map_or(Vec::new(), |head| pending.flow_from(head)) {
            let message = &pending.get(at).message;
            // The end of a stream is not noticed by a read that gets bytes.
            is_over |= !message.kind.meets(MessageKind::DATA);
            if bytes >= want || is_over {
                break;
            }
            bytes += message.payload.len() as u64;
            pieces.push(at);
        }
        // A thread that was woken by the piece behind others that were held sees that piece, too.
        let least = node.thread().observed.unwrap_or(0) as usize;
        if pieces.len() < least {
            return Err(Flow::End(PathEnding::Redundant(Redundancy::NotComeAbout)).into());
        }
        if all || !node.may_vary_orders() {
            self.node_mut().see(&pieces);
            return Ok(());
        }
        let is_asked = is_asked || node.thread().observed.is_some();
        let may_be_late = bytes < want && !is_over && !is_asked && self.may_be_late(&[id]);
        let node = self.node();
        let most = (pieces.len() - least).min(MOST_VIEWS - 1);
        let mut choices: Vec<u32> = (1..=most as u32).collect();
        let texts: Vec<String> = (0..=pieces.len())
            .map(|fewer| described_view(node, &[], &pieces[pieces.len() - fewer..]))
            .collect();
        choices.extend(may_be_late.then_some(HELD));
        let late = described_lateness(self.name);
        let what = |choice: u32| texts.get(choice as usize).unwrap_or(&late).clone();
        let show = |node: &mut Node, choice: u32| match choice {
            HELD => node.hold_look(&pieces, HeldLook::Stream(id)),
            fewer => {
                node.see(&pieces[..pieces.len() - fewer as usize]);
                // The call may be executed again.
                let observed = &mut node.thread_mut().observed;
                *observed = observed.map(|_| 0);
            }
        };
        if pieces.len() - least > most {
            self.cx.omit(self.st, Omission::Orders);
        }
        self.ask_to_see(&choices, &pieces, &what, show)
    }

    /// Decides whether a call that sends notices that its connection was broken off, if it was.
    pub(crate) fn look_for_reset(&mut self, id: SocketId) -> Result<(), CallHalt> {
        if self.node().volatile.pending.is_empty() {
            return Ok(());
        }
        let node = self.node();
        let pending = &node.volatile.pending;
        let Some(head) = node.first_pending_at(id) else { return Ok(()) };
        let flow = pending.flow_from(head);
        let is_reset = |at: &usize| pending.get(*at).message.status != 0;
        let Some(reset) = flow.iter().position(is_reset) else { return Ok(()) };
        let until: View = flow[..=reset].iter().copied().collect();
        let is_overdue = pending.get(flow[reset]).is_overdue();
        let text = described_view(node, &[], &until[reset..]);
        let show = |node: &mut Node, choice: u32| match choice {
            0 => node.see(&until),
            _ => node.volatile.pending.miss(&until[reset..]),
        };
        if is_overdue {
            self.cx.omit(self.st, Omission::Orders);
        }
        let choices: &[u32] = if is_overdue { &[] } else { &[1] };
        self.ask_to_see(choices, &until, &|_| text.clone(), show)
    }
}
