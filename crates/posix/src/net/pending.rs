//! Messages that stay pending until a thread observes them, where orders are explored.

use everett_net::{HostId, Message, Protocol};
use linux_raw_sys::general as linux;
use smallvec::SmallVec;

use crate::config::FaultKind;
use crate::net::{self, tcp, udp};
use crate::state::ids::{SocketId, Time};
use crate::state::node::Node;
use crate::state::pending::HoldEnd;
use crate::state::sockets::message::{Payload, SharedMessage};

/// Events of a socket by which a program notices messages.
pub(crate) const NOTICED: u32 =
    linux::POLLIN | linux::POLLRDNORM | linux::POLLRDHUP | linux::POLLERR | linux::POLLHUP;

/// Messages that a look shows, by their positions among those that are pending.
pub(crate) type View = SmallVec<[usize; 4]>;

impl Node {
    /// Returns true if messages may be seen in another order, or late.
    pub(crate) fn may_vary_orders(&self) -> bool {
        self.path.faults.is_one_possible(FaultKind::Order.bit() | FaultKind::Late.bit())
    }

    /// Returns true if there are messages that no thread has observed.
    pub(crate) fn has_pending_messages(&self) -> bool {
        !self.volatile.pending.is_empty()
    }

    /// Takes a message that has come: it waits to be observed if orders are explored, and is received
    /// at once otherwise.
    pub(crate) fn take_in(&mut self, from: HostId, message: &SharedMessage) {
        let waits = (self.may_vary_orders() || !self.volatile.pending.is_empty())
            && observer_of(self, message).is_some();
        if waits {
            self.volatile.pending.push(from, message.clone());
        } else {
            self.receive(message);
        }
    }

    /// Receives everything that is pending.
    pub(crate) fn receive_pending(&mut self) {
        for message in self.volatile.pending.take_all() {
            self.receive(&message);
        }
    }

    /// Receives what is pending at a socket, which is about to be closed.
    pub(crate) fn receive_pending_at(&mut self, id: SocketId) {
        if self.volatile.pending.is_empty() {
            return;
        }
        let pending = self.volatile.pending.iter();
        let is_here = |message: &SharedMessage| observer_of(self, message) == Some(id);
        let positions: Vec<usize> = pending
            .enumerate()
            .filter(|(_, pending)| is_here(&pending.message))
            .map(|(at, _)| at)
            .collect();
        for message in self.volatile.pending.take(&positions) {
            self.receive(&message);
        }
    }

    /// Receives what nobody can observe any more; the kernel answers it.
    pub(crate) fn receive_unobservable(&mut self) {
        loop {
            let pending = &self.volatile.pending;
            let mut heads = pending.heads().into_iter();
            let lost = heads.find(|at| observer_of(self, &pending.get(*at).message).is_none());
            let Some(at) = lost else { return };
            self.see(&[at]);
        }
    }

    /// Puts messages into their sockets.
    pub(crate) fn see(&mut self, positions: &[usize]) {
        for message in self.volatile.pending.take(positions) {
            self.receive(&message);
        }
    }

    /// Returns true if the state was forked while its threads waited, and has not gone on since.
    pub fn is_forked_in_wait(&self) -> bool {
        self.volatile.pending.is_forked()
    }

    /// The time at which messages have been held for too long.
    pub(crate) fn hold_expires(&self) -> Option<Time> {
        let hold = self.volatile.pending.hold()?;
        (hold.until == HoldEnd::Message).then_some(hold.expires)
    }

    /// The messages that a look at these sockets can show first, at each of those that have nothing to
    /// report.
    pub(crate) fn choices_at(&self, sockets: &[SocketId]) -> Vec<View> {
        let pending = &self.volatile.pending;
        let heads = pending.heads();
        let mut choices = Vec::new();
        for id in sockets {
            if net::events(self, *id) & NOTICED != 0 {
                continue;
            }
            let is_here = |at: &usize| observer_of(self, &pending.get(*at).message) == Some(*id);
            let here: View = heads.iter().copied().filter(is_here).collect();
            if !here.is_empty() {
                choices.push(here);
            }
        }
        choices
    }
}

/// The socket at which a program notices a message. `None` if none does: the kernel has to answer it, or it
/// is for several sockets.
pub(crate) fn observer_of(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    match message.protocol {
        Protocol::Udp => udp::observer_of(node, message),
        Protocol::Tcp => tcp::observer_of(node, message),
        Protocol::Plain => None,
    }
}
