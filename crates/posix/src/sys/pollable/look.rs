//! Looks at files that do not wait: the part of what is pending that they show.

use everett_interp::Omission;

use super::poll;
use crate::fault::observation::{described_view, views};
use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::net::pending::View;
use crate::state::file::FileKind;
use crate::state::ids::{FileId, SocketId};
use crate::state::node::Node;

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

/// The sockets among files, with those that instances of `epoll` watch.
pub(crate) fn sockets_of(node: &Node, files: impl Iterator<Item = FileId>) -> Vec<SocketId> {
    let mut todo: Vec<FileId> = files.collect();
    let (mut sockets, mut seen) = (Vec::new(), Vec::new());
    while let Some(file) = todo.pop() {
        if seen.contains(&file) {
            continue;
        }
        seen.push(file);
        match node.volatile.files.get(file.0.into()).map(|open| &open.kind) {
            Some(FileKind::Socket(id)) => sockets.push(*id),
            Some(FileKind::Epoll(instance)) => todo.extend(instance.watched()),
            _ => {}
        }
    }
    sockets.sort_unstable();
    sockets
}

impl<X: Guest> Call<'_, '_, X> {
    /// Decides which of the messages that have come a call sees that looks at files. One that would wait is
    /// left to wait: what wakes it is decided then.
    pub(crate) fn look(&mut self, files: &[(FileId, u16)], may_wait: bool) -> Result<(), CallHalt> {
        if self.node().volatile.pending.is_empty() {
            return Ok(());
        }
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
        let sockets = sockets_of(node, files.iter().map(|(file, _)| *file));
        let choices = node.choices_at(&sockets);
        if choices.is_empty() {
            return Ok(());
        }
        let (mut views, is_cut) = views(node, &choices, true);
        let pending = &node.volatile.pending;
        if pending.hold().is_some() {
            views.retain(|view| pending.is_new(view));
        }
        if views.is_empty() {
            return Ok(());
        }
        if is_cut {
            self.cx.omit(self.st, Omission::Orders);
        }
        let heads: View = choices.into_iter().flatten().collect();
        let texts: Vec<String> =
            views.iter().map(|view| described_view(self.node(), view, &views[0])).collect();
        let show = |node: &mut Node, choice: usize| {
            let view = &views[choice];
            if view.is_empty() {
                node.volatile.pending.miss(&heads);
            } else {
                node.volatile.pending.release();
                node.see(view);
            }
        };
        self.decide_view(views.len(), &heads, &|choice| texts[choice].clone(), &show)
    }
}
