//! What happens to messages on their way: decided at the receiver, before it wakes.
//!
//! A sender does not notice what becomes of a datagram, so only its receiver forks. When a node is about
//! to be woken, [`Kernel::choose_arrivals`] goes through what has arrived and offers the faults that
//! each message can meet with; siblings are woken again with the same arrivals and their [`Fate`]s, which
//! are kept in the node until [`Node::deliver`] acts on them.
//!
//! A fault is only offered where the receiver can tell: a datagram to a closed port or a full buffer is
//! not worth a fork.

use everett_interp::{Course, Flow, Interp, State};
use everett_memory::ByteValue;
use everett_net::{Event, EventKind, Protocol};
use smallvec::SmallVec;

use super::{FaultKind, Offer};
use crate::kernel::{Guest, Kernel};
use crate::net::udp;
use crate::node::Node;

/// Kinds that happen to messages.
const KINDS: u32 = FaultKind::Loss.bit();

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It does not arrive.
    Lost,
}

/// What becomes of those that are about to be delivered.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fates {
    /// Of the first so many it is decided.
    decided: u32,
    /// Those that something happens to, by their positions.
    list: SmallVec<[(u32, Fate); 1]>,
}

impl Fates {
    fn decide(&mut self, index: u32, fate: Option<Fate>) {
        self.decided = index + 1;
        self.list.extend(fate.map(|fate| (index, fate)));
    }

    fn of(&self, index: u32) -> Option<Fate> {
        self.list.iter().find(|(at, _)| *at == index).map(|(_, fate)| *fate)
    }
}

impl Kernel {
    /// Decides what becomes of messages that are about to wake a node. Siblings have to be woken with
    /// the same messages.
    pub fn choose_arrivals<'e, X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        events: impl Iterator<Item = &'e Event<ByteValue>>,
    ) -> Result<(), Flow> {
        for (index, event) in (0..).zip(events) {
            let node = st.extra.node();
            if index < node.faults.fates.decided {
                continue;
            }
            if !node.faults.is_one_possible(KINDS) {
                return Ok(());
            }
            let fate = self.choose_loss(cx, st, index, event)?;
            st.extra.node_mut().faults.fates.decide(index, fate);
        }
        Ok(())
    }

    fn choose_loss<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        index: u32,
        event: &Event<ByteValue>,
    ) -> Result<Option<Fate>, Flow> {
        let node = st.extra.node();
        if !node.faults.is_possible(FaultKind::Loss) || !is_awaited_datagram(node, event) {
            return Ok(None);
        }
        let what = |_| format!("lost {}", described(event));
        let offer = Offer {
            kind: FaultKind::Loss,
            choices: &[1],
            of_call: false,
            passed_over: false,
            what: &what,
        };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, _| {
            sibling.extra.node_mut().faults.fates.decide(index, Some(Fate::Lost));
            Course::Again
        };
        let choice = self.offer(cx, st, None, &offer, prepare)?;
        Ok((choice != 0).then_some(Fate::Lost))
    }
}

/// Whether a message is a datagram that some socket would get.
fn is_awaited_datagram(node: &Node, event: &Event<ByteValue>) -> bool {
    event.protocol == Protocol::Udp
        && event.kind.meets(EventKind::DATA)
        && udp::is_awaited(node, event.source, event.destination)
}

/// A message for people: `UDP 10.0.0.1:9 -> 10.0.0.2:7, 12 bytes`.
fn described(event: &Event<ByteValue>) -> String {
    let protocol = match event.protocol {
        Protocol::Udp => "UDP packet",
        Protocol::Tcp => "TCP packet",
        Protocol::Plain => "event",
    };
    let Event { id, source, destination, payload, .. } = event;
    let size = match payload.len() {
        1 => "1 byte".to_owned(),
        size => format!("{size} bytes"),
    };
    format!("{protocol} {id} ({source} -> {destination}, {size})")
}

impl Node {
    /// Whether a message that is about to be delivered does not arrive, by its position.
    pub fn is_lost(&self, index: usize) -> bool {
        self.faults.fates.of(index as u32) == Some(Fate::Lost)
    }

    /// Receives messages from other hosts, but for what happens to them on their way.
    pub fn deliver<'e>(&mut self, events: impl Iterator<Item = &'e Event<ByteValue>>) {
        let fates = std::mem::take(&mut self.faults.fates);
        for (index, event) in (0..).zip(events) {
            if self.is_down() {
                self.receive_while_down(event);
                continue;
            }
            match fates.of(index) {
                Some(Fate::Lost) => {}
                None => self.receive(event),
            }
        }
    }
}
