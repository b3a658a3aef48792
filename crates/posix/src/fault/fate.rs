//! The fates of messages on their way: [`MessageFate`], and [`Node::deliver`], which acts on it.
//!
//! Messages that are to be delivered are numbered: first those that were held up until now, then those
//! that have just arrived. [`Node::incoming`] lists them, and [`settle`] says which of them the node gets
//! now, and which later. Both are used where fates are chosen, and where they are acted on.

mod order;

use std::net::IpAddr;
use std::sync::Arc;

use everett_net::{HostId, Message, Protocol};
use syscalls::Errno;

use crate::config::{FaultKind, LinkBudget};
use crate::net::{tcp, udp};
use crate::state::faults::messages::{
    HeldMessage, IncomingMessage, MessageDelay, MessageFate, MessageFates,
};
use crate::state::ids::{SocketId, Time};
use crate::state::node::Node;
use crate::state::sockets::message::{Payload, SharedMessage};

/// The time until something that TCP has sent in vain is sent again; each time takes twice as long.
const REPEATED_AFTER: Time = 1_000_000_000;
/// The most times that this is done.
pub(super) const REPEATED_MOST: u8 = 6;

/// A message that a node gets.
pub(super) struct DeliveredMessage {
    pub(super) from: HostId,
    pub(super) message: SharedMessage,
    /// It ends its connection instead, with this error.
    broken: Option<Errno>,
    /// Its bytes are not those that were sent.
    corrupted: bool,
}

/// The outcomes of a list of messages.
pub(super) struct SettledMessages {
    pub(super) ready: Vec<DeliveredMessage>,
    pub(super) held: Vec<HeldMessage>,
}

/// The outcomes of the first messages that are to be delivered at a time.
pub(super) fn settle(
    node: &Node,
    messages: &[IncomingMessage],
    fates: &MessageFates,
    now: Time,
) -> SettledMessages {
    let held = node.path.faults.held.iter().filter(|held| held.due > now).cloned().collect();
    let mut settled = SettledMessages { ready: Vec::new(), held };
    for (index, incoming) in messages.iter().enumerate() {
        let (from, message) = (incoming.from, incoming.message.clone());
        let ready = |message| DeliveredMessage { from, message, broken: None, corrupted: false };
        let hold = |message, due, delay| HeldMessage {
            due,
            incoming: IncomingMessage { from, message, delay },
        };
        let SettledMessages { ready: now_ready, held: later } = &mut settled;
        let is_ahead = |held: &&HeldMessage| is_behind(&message, &held.incoming.message);
        if let Some(ahead) = later.iter().rev().find(is_ahead) {
            let (mut due, mut delay) = (ahead.due, ahead.incoming.delay);
            if let MessageDelay::Travels(for_ns) = incoming.delay
                && now.saturating_add(for_ns) > due
            {
                (due, delay) = (now.saturating_add(for_ns), MessageDelay::None);
            }
            later.push(hold(message, due, delay));
            continue;
        }
        if let MessageDelay::Travels(for_ns) = incoming.delay {
            later.push(hold(message, now.saturating_add(for_ns), MessageDelay::None));
            continue;
        }
        match fates.of(index) {
            None => now_ready.push(ready(message)),
            Some(MessageFate::Lost) => {}
            Some(MessageFate::Twice) => now_ready.extend([ready(message.clone()), ready(message)]),
            Some(MessageFate::Late(by_ns)) => {
                let due = now.saturating_add(*by_ns);
                later.push(hold(message, due, MessageDelay::Late));
            }
            Some(MessageFate::Behind(count)) => {
                // Until then enough others have come, or the path is dropped.
                let within = node.path.faults.config().network.reorder_ns;
                let due = now.saturating_add(within).saturating_add(1);
                later.push(hold(message, due, MessageDelay::Behind(*count)));
            }
            Some(MessageFate::Repeated) => {
                let before = repetitions(incoming.delay);
                let due = now.saturating_add(REPEATED_AFTER << before);
                later.push(hold(message, due, MessageDelay::Repeated(before + 1)));
            }
            Some(MessageFate::Cut(kept)) => {
                let payload = message.payload.first(*kept);
                now_ready.push(ready(Arc::new(message.with_payload(payload))));
            }
            Some(MessageFate::Corrupt(first, bytes)) => {
                let payload = message.payload.replaced(*first, bytes);
                now_ready.push(damaged(incoming, payload));
            }
            Some(MessageFate::Replaced(bytes)) => {
                now_ready.push(damaged(incoming, Payload::from(&bytes[..])));
            }
            Some(MessageFate::Broken(errno)) => {
                now_ready.push(DeliveredMessage { broken: Some(*errno), ..ready(message) });
            }
        }
    }
    settled
}

/// The number of times that a message was sent again.
fn repetitions(delay: MessageDelay) -> u8 {
    match delay {
        MessageDelay::Repeated(times) => times,
        _ => 0,
    }
}

/// A message with other bytes than were sent.
fn damaged(incoming: &IncomingMessage, payload: Payload) -> DeliveredMessage {
    let message = Arc::new(incoming.message.with_payload(payload));
    DeliveredMessage { from: incoming.from, message, broken: None, corrupted: true }
}

/// Returns true if a message comes after another one because both are of one stream.
pub(super) fn is_behind(message: &Message<Payload>, other: &Message<Payload>) -> bool {
    let of = |message: &Message<Payload>| (message.protocol, message.source, message.destination);
    message.protocol == Protocol::Tcp && of(message) == of(other)
}

/// Returns true if a datagram that was to come behind later ones comes now.
fn is_overtaken(held: &HeldMessage) -> bool {
    held.incoming.delay == MessageDelay::Behind(0)
}

/// Returns true if a receiver cannot tell two datagrams apart.
pub(super) fn is_same(a: &Message<Payload>, b: &Message<Payload>) -> bool {
    let of = |message: &Message<Payload>| (message.source, message.destination, message.ttl);
    of(a) == of(b) && a.payload == b.payload
}

/// Groups of datagrams that arrive together at one socket, as positions, each of a few.
pub(super) fn groups(node: &Node, ready: &[DeliveredMessage]) -> Vec<Vec<usize>> {
    let window = node.path.faults.config().network.reorder_window.max(1) as usize;
    let mut sockets: Vec<(SocketId, Vec<usize>)> = Vec::new();
    for (at, DeliveredMessage { from, message, .. }) in ready.iter().enumerate() {
        if node.links_between(FaultKind::Reorder, *from, node.net.host).is_none() {
            continue;
        }
        let Some(id) = udp::receiver_of(node, message) else { continue };
        match sockets.iter_mut().find(|(socket, _)| *socket == id) {
            Some((_, positions)) => positions.push(at),
            None => sockets.push((id, vec![at])),
        }
    }
    let all = sockets.iter().flat_map(|(_, positions)| positions.chunks(window));
    all.filter(|group| group.len() > 1).map(<[usize]>::to_vec).collect()
}

/// The orders that a group of datagrams can come in beside the one that it is in.
pub(super) fn other_orders(ready: &[DeliveredMessage], group: &[usize]) -> Vec<Vec<usize>> {
    let messages: Vec<&Message<Payload>> = group.iter().map(|at| &*ready[*at].message).collect();
    order::other_orders(&order::classes(&messages, |a, b| is_same(a, b)))
}

impl Node {
    /// The name of a host.
    pub(super) fn host_name(&self, id: HostId) -> Option<&str> {
        let hosts = self.net.topology.as_ref()?.hosts();
        hosts.get(id.0 as usize).map(|host| &*host.name)
    }

    /// Returns true if something may happen to what one host sends to another.
    fn is_faulty(&self, from: HostId, to: HostId) -> bool {
        let only = &self.path.faults.config().network.only;
        if only.is_empty() {
            return true;
        }
        match (self.host_name(from), self.host_name(to)) {
            (Some(from), Some(to)) => only.iter().any(|cut| cut.separates(from, to)),
            _ => false,
        }
    }

    /// The budgets of links that a kind counts for if it happens to what one host sends to another: bits
    /// by their numbers. `None` if it never happens there.
    pub(crate) fn links_between(&self, kind: FaultKind, from: HostId, to: HostId) -> Option<u32> {
        let config = self.path.faults.config();
        if !self.is_faulty(from, to) {
            return None;
        }
        if !config.has_link_budget(kind) {
            return Some(0);
        }
        let names = (self.host_name(from), self.host_name(to));
        let crosses = |link: &LinkBudget| match names {
            (Some(from), Some(to)) => link.kind == kind && link.cut.separates(from, to),
            _ => false,
        };
        let numbered = config.network.links.iter().enumerate();
        let links = numbered
            .filter(|(_, link)| crosses(link))
            .fold(0, |set, (number, _)| set | 1 << number);
        (links != 0 || config.budgets.get(kind) > 0).then_some(links)
    }

    /// The host that has an address.
    pub(super) fn host_at(&self, address: IpAddr) -> Option<HostId> {
        let topology = self.net.topology.as_ref()?;
        topology.owner(address).map(|(host, _)| host)
    }

    /// Returns true if a message that has arrived is lost for good, by its position among those that have.
    pub fn is_lost(&self, index: usize) -> bool {
        self.fate_of(index) == Some(&MessageFate::Lost)
    }

    /// Returns true if another message arrives instead of one, by its position among those that have arrived.
    pub fn is_replaced(&self, index: usize) -> bool {
        matches!(self.fate_of(index), Some(MessageFate::Replaced(_)))
    }

    fn fate_of(&self, index: usize) -> Option<&MessageFate> {
        if !self.path.faults.are_used() || self.path.faults.since_boot.fates.is_empty() {
            return None;
        }
        let due = self.path.faults.held.iter().filter(|held| held.due <= self.clock.now).count();
        self.path.faults.since_boot.fates.of(due + index)
    }

    /// The messages that are to be delivered at a time.
    pub(super) fn incoming<'e>(
        &self,
        now: Time,
        arriving: impl Iterator<Item = (HostId, &'e SharedMessage)>,
    ) -> Vec<IncomingMessage> {
        let mut due: Vec<&HeldMessage> =
            self.path.faults.held.iter().filter(|held| held.due <= now).collect();
        due.sort_by_key(|held| held.due);
        let held = due.into_iter().map(|held| held.incoming.clone());
        let new = arriving.map(|(from, message)| IncomingMessage {
            from,
            message: message.clone(),
            delay: match self.extra_latency(from, message) {
                0 => MessageDelay::None,
                for_ns => MessageDelay::Travels(for_ns),
            },
        });
        held.chain(new).collect()
    }

    /// Receives messages from other hosts, but for what happens to them on their way.
    pub fn deliver<'e>(&mut self, arriving: impl Iterator<Item = (HostId, &'e SharedMessage)>) {
        if self.is_down() {
            let messages = self.incoming(self.clock.now, arriving);
            let now = self.clock.now;
            self.path.faults.held.retain(|held| held.due > now);
            for incoming in messages {
                if let MessageDelay::Travels(for_ns) = incoming.delay {
                    let incoming = IncomingMessage { delay: MessageDelay::None, ..incoming };
                    let due = now.saturating_add(for_ns);
                    self.path.faults.held.push(HeldMessage { due, incoming });
                } else {
                    self.receive_while_down(&incoming.message);
                }
            }
            return;
        }
        if !self.path.faults.are_used() {
            arriving.for_each(|(_, message)| self.receive(message));
            return;
        }
        let fates = std::mem::take(&mut self.path.faults.since_boot.fates);
        let messages = self.incoming(self.clock.now, arriving);
        let SettledMessages { mut ready, held } = settle(self, &messages, &fates, self.clock.now);
        let mut held = held;
        if !fates.orders.is_empty() {
            ready = self.reordered(ready, &fates);
        }
        if held.iter().any(|held| matches!(held.incoming.delay, MessageDelay::Behind(_))) {
            ready = self.with_overtaken(ready, &mut held);
        }
        self.path.faults.held = held;
        for DeliveredMessage { from, message, broken, corrupted } in ready {
            if corrupted {
                tcp::note_corruption(self, &message);
            }
            match broken {
                Some(errno) => {
                    tcp::break_off(self, &message, errno);
                    self.changed();
                }
                None => self.take_in(from, &message),
            }
        }
    }

    fn reordered(
        &self,
        ready: Vec<DeliveredMessage>,
        fates: &MessageFates,
    ) -> Vec<DeliveredMessage> {
        let groups = groups(self, &ready);
        let mut places: Vec<usize> = (0..ready.len()).collect();
        for (group, choice) in &fates.orders {
            let group = &groups[*group as usize];
            let order = &other_orders(&ready, group)[*choice as usize - 1];
            for (place, from) in group.iter().zip(order) {
                places[*place] = group[*from];
            }
        }
        let mut ready: Vec<Option<DeliveredMessage>> = ready.into_iter().map(Some).collect();
        places.iter().filter_map(|from| ready[*from].take()).collect()
    }

    /// Puts datagrams that were to come behind later ones right behind the last of those.
    fn with_overtaken(
        &self,
        ready: Vec<DeliveredMessage>,
        held: &mut Vec<HeldMessage>,
    ) -> Vec<DeliveredMessage> {
        // Those that have just come, and are held, are at the end: what comes together is put in order apart.
        let now = self.clock.now;
        let mut before = self.path.faults.held.iter().filter(|held| held.due > now).count();
        let mut all = Vec::with_capacity(ready.len());
        for delivered in ready {
            let socket = udp::receiver_of(self, &delivered.message);
            all.push(delivered);
            let Some(id) = socket else { continue };
            self.count_overtaking(&mut held[..before], id);
            while let Some(at) = held[..before].iter().position(is_overtaken) {
                let IncomingMessage { from, message, .. } = held.remove(at).incoming;
                all.push(DeliveredMessage { from, message, broken: None, corrupted: false });
                before -= 1;
                // It comes before those that came sooner and are still held, too.
                self.count_overtaking(&mut held[..at], id);
            }
        }
        all
    }

    /// Counts a datagram that comes to a socket before all of these that are for the same one.
    fn count_overtaking(&self, held: &mut [HeldMessage], id: SocketId) {
        for HeldMessage { incoming, .. } in held {
            if let MessageDelay::Behind(count) = &mut incoming.delay
                && udp::receiver_of(self, &incoming.message) == Some(id)
            {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// The time at which the next message arrives that is held up.
    pub(crate) fn next_held(&self) -> Option<Time> {
        self.path.faults.held.iter().map(|held| held.due).min()
    }

    /// Returns true if something that was held up arrives at a time.
    pub fn has_held(&self, now: u64) -> bool {
        self.path.faults.held.iter().any(|held| held.due <= now)
    }
}
