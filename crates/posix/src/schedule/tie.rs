//! Messages that are sent at the very moment of a deadline: they are seen after it, or before it.
//!
//! In the fixed order the deadline passes first. That the message is first is an order of its own, which is
//! offered when a deadline passes and nothing has come. Which messages come is not known then. The state
//! that waits for them therefore says on which links they come: what other links bring is seen after the
//! deadline. Links are told apart by the budgets that they count for, so there is one such state where no
//! link has a budget of its own.

use everett_interp::{Flow, Interp, Omission, SiblingCourse, State};
use everett_net::HostId;
use smallvec::SmallVec;

use super::observe::deadline;
use super::{has_timed_out, threads};
use crate::config::FaultKind;
use crate::fault::FaultOffer;
use crate::kernel::{Guest, Kernel};
use crate::state::ids::ThreadKey;
use crate::state::node::{Node, thread_mut, thread_of};
use crate::state::pending::{ForkedWait, HoldEnd, MessageHold, TiedLinks};
use crate::state::wait::WaitEvent;
use crate::sys::pollable::look::looks_of;

/// The most groups of links that are told apart at a tie: each set of groups is a state.
const MOST_GROUPS: usize = 5;

/// The budgets that links to a node count for, each set of budgets once.
type LinkGroups = SmallVec<[u32; 2]>;

impl Node {
    /// The groups of links on which messages may be seen before a deadline that they tie with.
    fn tie_groups(&self) -> LinkGroups {
        let config = self.path.faults.config();
        if config.network.only.is_empty() && !config.has_link_budget(FaultKind::Order) {
            return LinkGroups::from_slice(&[0]);
        }
        let Some(topology) = &self.net.topology else { return LinkGroups::new() };
        let mut groups = LinkGroups::new();
        let hosts = (0..topology.hosts().len()).map(HostId::from_index);
        for from in hosts.filter(|host| *host != self.net.host) {
            let links = self.links_between(FaultKind::Order, from, self.net.host);
            groups.extend(links.filter(|links| !groups.contains(links)));
        }
        groups
    }

    /// Returns true if pending messages are those that a tie is for: they come on its links alone, and on
    /// each of them. Those on fewer links have a state of their own.
    pub(super) fn is_tied(&self, tie: TiedLinks, positions: &[usize]) -> bool {
        let groups = self.tie_groups();
        let mut seen = 0;
        for at in positions {
            let from = self.volatile.pending.get(*at).from;
            let links = self.links_between(FaultKind::Order, from, self.net.host);
            let group = links.and_then(|links| groups.iter().position(|group| *group == links));
            let Some(group) = group else { return false };
            seen |= 1 << group;
        }
        seen == tie.groups
    }
}

/// The budgets of links that a tie counts for.
fn budgets_of(groups: &LinkGroups, tie: u32) -> u32 {
    let chosen = groups.iter().enumerate().filter(|(number, _)| tie & 1 << number != 0);
    chosen.fold(0, |set, (_, links)| set | links)
}

impl Kernel {
    /// Forks over a message that comes at the very moment of a deadline, if that of a thread passes and
    /// nothing has come: the message may also be seen before it. Returns true if this state waits for one.
    pub(super) fn offer_tie<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        who: ThreadKey,
    ) -> Result<bool, Flow> {
        if !may_tie(st.extra.node(), who) {
            return Ok(false);
        }
        let mut groups = st.extra.node().tie_groups();
        if groups.len() > MOST_GROUPS {
            cx.omit(st, Omission::Orders);
            groups.truncate(MOST_GROUPS);
        }
        let what =
            |_| "a deadline passes after a message that is sent at that very moment".to_owned();
        let (kind, of_call) = (FaultKind::Order, false);
        let mut choice = 0;
        for tie in 1..1u32 << groups.len() {
            let links = budgets_of(&groups, tie);
            let passed_over = !st.extra.node().path.faults.has_left(links);
            let offer =
                FaultOffer { kind, choices: &[1], of_call, passed_over, what: &what, links };
            let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, _| {
                let node = sibling.extra.node_mut();
                put_deadlines_off(node, TiedLinks { groups: tie });
                node.volatile.pending.set_fork(ForkedWait::Waits);
                SiblingCourse::On
            };
            choice = self.offer(cx, st, None, &offer, prepare)?;
            if choice != 0 {
                put_deadlines_off(st.extra.node_mut(), TiedLinks { groups: tie });
                break;
            }
        }
        Ok(choice != 0)
    }
}

/// Returns true if the deadline of a thread passes at this moment, and something that is sent now may wake
/// it.
fn may_tie(node: &Node, who: ThreadKey) -> bool {
    let faults = &node.path.faults;
    if !faults.is_possible(FaultKind::Order)
        || node.volatile.pending.hold().is_some()
        || deadline(node, who) != Some(node.clock.now)
        || !has_timed_out(node, who)
        || !node.may_receive_at_once()
    {
        return false;
    }
    let wait = thread_of(node, who).and_then(|thread| thread.blocked.as_ref());
    match wait.map(|wait| &wait.event) {
        Some(WaitEvent::Files(files)) => {
            looks_of(node, who, files).iter().any(|look| node.may_notice_more(*look))
        }
        Some(WaitEvent::Plain(_)) => true,
        _ => false,
    }
}

/// Lets the deadlines that pass at this moment pass when everything has come that is sent at it.
fn put_deadlines_off(node: &mut Node, tie: TiedLinks) {
    let now = node.clock.now;
    let all: Vec<ThreadKey> = threads(node).filter(|who| has_timed_out(node, *who)).collect();
    for who in all {
        let wait = thread_mut(node, who).and_then(|thread| thread.blocked.as_mut());
        if let Some(wait) = wait.filter(|wait| wait.deadline == Some(now)) {
            wait.deadline = Some(now + 1);
        }
    }
    let hold = MessageHold { tie: Some(tie), ..MessageHold::new(HoldEnd::Tie, now) };
    node.volatile.pending.set_hold(&[], hold);
    node.path.order_mark.set_actor("held");
}
