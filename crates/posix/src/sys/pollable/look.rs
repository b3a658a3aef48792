//! Looks at files that do not wait: the part of what is pending that they show.

use std::collections::BTreeMap;

use everett_interp::{Flow, Omission};
use linux_raw_sys::general as linux;

use super::poll;
use crate::config::FaultKind;
use crate::fault::observation::{HELD, described_lateness, described_view, views};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::net::pending::{SocketLook, View};
use crate::state::file::FileKind;
use crate::state::ids::{FileId, SocketId, ThreadKey};
use crate::state::node::Node;
use crate::state::wait::HeldLook;

/// Everything that a look that does not wait may show.
pub(crate) struct LookViews {
    /// That of the fixed order comes first.
    pub(crate) views: Vec<View>,
    /// Views are left out that a program could tell apart.
    pub(crate) is_cut: bool,
    /// All messages of the views, by their positions.
    pub(crate) all: View,
    /// The messages that a look misses which shows nothing.
    pub(crate) ends: View,
    /// The sockets at which more may come.
    pub(crate) open: Vec<SocketId>,
    /// Nothing that comes later could be seen before these, or together with them.
    pub(crate) is_settled: bool,
    /// The look, for the case that it is held.
    pub(crate) look: HeldLook,
}

impl Node {
    /// The files of descriptors that are open, each with the events that it is looked at for.
    pub(crate) fn files_of(
        &self,
        descriptors: impl Iterator<Item = (u32, u16)>,
    ) -> Vec<(FileId, u16)> {
        let file = |(number, wanted)| Some((self.descriptor(number).ok()?.file, wanted));
        descriptors.filter_map(file).collect()
    }
}

/// The sockets among files, with those that instances of `epoll` watch, and what a thread looks for there.
pub(crate) fn looks_of(node: &Node, who: ThreadKey, files: &[(FileId, u16)]) -> Vec<SocketLook> {
    let mut todo: Vec<(FileId, u32)> =
        files.iter().map(|(file, wanted)| (*file, u32::from(*wanted))).collect();
    let mut wanted_at: BTreeMap<SocketId, u32> = BTreeMap::new();
    let mut seen = Vec::new();
    while let Some((file, wanted)) = todo.pop() {
        match node.volatile.files.get(file.0.into()).map(|open| &open.kind) {
            Some(FileKind::Socket(id)) => *wanted_at.entry(*id).or_default() |= wanted,
            Some(FileKind::Epoll(instance)) if !seen.contains(&file) => {
                seen.push(file);
                let entries = instance.entries.iter().filter(|(_, entry)| !entry.off);
                todo.extend(entries.map(|((_, watched), entry)| {
                    // A report that is due tells nothing more for another edge.
                    let is_edge = entry.events & linux::EPOLLET != 0
                        && entry.report(node, who, *watched) == 0;
                    (*watched, entry.wanted() | if is_edge { SocketLook::EDGES } else { 0 })
                }));
            }
            _ => {}
        }
    }
    wanted_at.into_iter().map(|(id, wanted)| SocketLook { id, wanted }).collect()
}

impl<X: Guest> Call<'_, '_, X> {
    /// Decides which of the messages that have come a call sees that looks at files. One that would wait is
    /// left to wait: what wakes it is decided then.
    pub(crate) fn look(&mut self, files: &[(FileId, u16)], may_wait: bool) -> Result<(), CallHalt> {
        if !self.node().decides_looks() || self.is_answered(FaultKind::Order) {
            return Ok(());
        }
        let asked = self.asked.len();
        let decided = self.look_at(files, may_wait);
        if self.asked.len() == asked {
            // What a call asks after that has the same number each time that it is executed.
            self.asked.push(FaultKind::Order);
        }
        decided
    }

    fn look_at(&mut self, files: &[(FileId, u16)], may_wait: bool) -> Result<(), CallHalt> {
        // What ended its wait is decided already.
        if self.node().thread().observed.is_some() || self.timed_out() {
            return Ok(());
        }
        let node = self.node_mut();
        node.receive_unobservable();
        if !node.may_vary_orders() && node.volatile.pending.hold().is_none() {
            node.receive_pending();
            return Ok(());
        }
        let node = self.node();
        let who = node.volatile.running;
        let is_ready =
            |(file, wanted): &(FileId, u16)| poll::events(node, who, *file) & *wanted != 0;
        if may_wait && !files.iter().any(is_ready) {
            return Ok(());
        }
        let looks = looks_of(node, who, files);
        let choices = node.choices_at(&looks);
        let (mut views, is_cut) = views(node, &choices, true);
        let pending = &node.volatile.pending;
        if pending.hold().is_some() {
            views.retain(|view| view.is_empty() || pending.is_new(view));
        }
        let open: Vec<SocketId> =
            looks.iter().filter(|look| node.may_notice_more(**look)).map(|look| look.id).collect();
        // Of one flow, nothing can be seen before its first message.
        let is_settled =
            matches!((&looks[..], &choices[..]), ([look], [_]) if node.has_one_flow(look.id));
        let all = choices.iter().flatten().flatten().copied().collect();
        let ends = choices.iter().flatten().filter_map(|view| view.last()).copied().collect();
        let look = HeldLook::Files(files.iter().copied().collect());
        self.offer_views(LookViews { views, is_cut, all, ends, open, is_settled, look })
    }

    /// Forks over what a look that does not wait shows, and shows it.
    pub(crate) fn offer_views(&mut self, offer: LookViews) -> Result<(), CallHalt> {
        let LookViews { views, is_cut, all, ends, open, is_settled, look } = offer;
        if is_cut {
            self.cx.omit(self.st, Omission::Orders);
        }
        if views.is_empty() {
            return Ok(());
        }
        let may_be_late = !is_settled && self.may_be_late(&open);
        let node = self.node();
        let texts: Vec<String> =
            views.iter().map(|view| described_view(node, view, &views[0])).collect();
        let late = described_lateness(self.name);
        let show = |node: &mut Node, choice: u32| match views.get(choice as usize) {
            None => node.hold_look(&all, look.clone()),
            Some(view) if view.is_empty() => {
                node.path.order_mark.set_actor("nothing");
                node.volatile.pending.miss(&ends);
                node.volatile.pending.look_in_vain(&open);
            }
            Some(view) => {
                node.volatile.pending.release();
                node.see(view);
            }
        };
        let mut numbers: Vec<u32> = (1..views.len() as u32).collect();
        numbers.extend(may_be_late.then_some(HELD));
        let what = |choice: u32| texts.get(choice as usize).unwrap_or(&late).clone();
        self.ask_to_see(&numbers, &all, &what, show)
    }

    /// Returns true if a look at sockets at which more may come may be later than it is in the fixed order,
    /// to show that.
    pub(crate) fn may_be_late(&mut self, sockets: &[SocketId]) -> bool {
        let node = self.node();
        let pending = &node.volatile.pending;
        let is_possible = node.path.faults.is_possible(FaultKind::Order) && node.has_others();
        if sockets.is_empty() || !is_possible || pending.hold().is_some() {
            return false;
        }
        let is_seldom = sockets.iter().any(|id| !pending.is_looked_at_often(*id));
        if !is_seldom {
            self.cx.omit(self.st, Omission::Orders);
        }
        is_seldom
    }

    /// Forks over what a call sees, and shows it: choice 0 is that of the fixed order. In [`HELD`], the call
    /// waits first, and is executed again.
    pub(crate) fn ask_to_see(
        &mut self,
        choices: &[u32],
        messages: &[usize],
        what: &dyn Fn(u32) -> String,
        show: impl Fn(&mut Node, u32),
    ) -> Result<(), CallHalt> {
        let links = self.node().links_of(FaultKind::Order, messages);
        let (false, Some(links)) = (choices.is_empty(), links) else {
            show(self.node_mut(), 0);
            return Ok(());
        };
        // A budget may be spent by other nodes of the world. A test of this node alone counts the point.
        let choices = if self.node().path.faults.has_left(links) { choices } else { &[] };
        match self.ask_and(FaultKind::Order, choices, what, links, show)? {
            HELD => Err(Flow::Switched.into()),
            _ => Ok(()),
        }
    }
}
