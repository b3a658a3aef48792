//! Faults of messages on their way: decided at the receiver, before it wakes.
//!
//! A sender does not notice what becomes of a message, so only its receiver forks. When a node is about
//! to be woken, [`Kernel::choose_arrivals`] goes through what has arrived and offers the faults that
//! each message can meet with, at most one of which happens to it; then the orders of those that arrive
//! together. Siblings are woken again with the same arrivals and their [`MessageFate`]s, which are kept
//! in the node until [`Node::deliver`] acts on them.
//!
//! A fault is only offered where the receiver can tell: a datagram to a closed port or a full buffer is
//! not worth a fork.
//!
//! Not here: networks that break apart (`severed.rs`).

mod latency;
mod replacement;

pub use self::replacement::TROJAN_INPUT;

use everett_base::Stamp;
use everett_interp::{Flow, Halt, Interp, PathEnding, Redundancy, SiblingCourse, State};
use everett_memory::ByteValue;
use everett_net::{HostId, Message, MessageKind, Protocol};
use smallvec::SmallVec;
use syscalls::Errno;

use crate::config::FaultKind;
use crate::fault::machine::seconds;
use crate::fault::{FaultOffer, fate};
use crate::kernel::{Guest, Kernel};
use crate::net::{icmp, tcp, udp};
use crate::state::faults::messages::{IncomingMessage, MessageDelay, MessageFate};
use crate::state::node::Node;
use crate::state::sockets::message::{Payload, SharedMessage};

/// Kinds that happen to datagrams.
const OF_DATAGRAMS: u32 = FaultKind::Loss.bit()
    | FaultKind::Duplicate.bit()
    | FaultKind::Delay.bit()
    | FaultKind::Corrupt.bit()
    | FaultKind::Truncate.bit()
    | FaultKind::Reorder.bit();
/// Kinds that happen to streams.
const OF_STREAMS: u32 = FaultKind::Delay.bit() | FaultKind::Reset.bit() | FaultKind::Corrupt.bit();
/// Kinds that happen to every message.
const OF_ALL: u32 =
    FaultKind::Partition.bit() | FaultKind::LinkDown.bit() | FaultKind::Trojan.bit();
/// Kinds that happen to messages.
const KINDS: u32 = OF_DATAGRAMS | OF_STREAMS | OF_ALL;

/// A fault that a message can meet with.
struct PossibleFault<'m> {
    /// The message's place among those that arrive together.
    index: u32,
    incoming: &'m IncomingMessage,
    kind: FaultKind,
    /// The numbers of its alternatives; without any, the place only counts.
    choices: &'m [u32],
    /// The words for an alternative.
    what: &'m dyn Fn(u32) -> String,
}

/// A function that says what a fault makes of a message; it may need a new input.
type Make<'m, X> =
    &'m mut dyn FnMut(&mut Interp<'_, X>, &mut State<X>, u32) -> Result<MessageFate, Flow>;

impl Kernel {
    /// Decides what becomes of messages that are about to wake a node. Siblings have to be woken with
    /// the same messages. A halt with a flow is what the state goes on with instead.
    pub fn choose_arrivals<'e, X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        at: Stamp,
        arriving: impl Iterator<Item = (HostId, &'e SharedMessage)>,
    ) -> Result<(), Halt> {
        let arriving: SmallVec<[(HostId, &SharedMessage); 4]> = arriving.collect();
        if st.extra.node().path.faults.chooses_latencies() {
            let clock = &mut st.extra.node_mut().clock;
            clock.now = clock.now.max(at.time);
            self.choose_latencies(cx, st, arriving.iter().copied())?;
        }
        // What becomes of a message to a node that is down is the same whatever happens to it.
        let node = st.extra.node();
        let waits_in_vain = node.path.faults.waits_in_vain(at.time);
        if node.is_down() || !waits_in_vain && !node.path.faults.is_one_possible(KINDS) {
            return Ok(());
        }
        let node = st.extra.node_mut();
        node.clock.now = node.clock.now.max(at.time);
        if waits_in_vain {
            return Err(Flow::End(PathEnding::Redundant(Redundancy::NotComeAbout)).into());
        }
        let messages = node.incoming(node.clock.now, arriving.into_iter());
        self.choose_each(cx, st, at, &messages)?;
        self.choose_orders(cx, st, &messages)
    }

    fn choose_each<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        at: Stamp,
        messages: &[IncomingMessage],
    ) -> Result<(), Halt> {
        let decided = st.extra.node().path.faults.since_boot.fates.decided;
        for index in decided..messages.len() as u32 {
            let node = st.extra.node();
            if !node.path.faults.is_one_possible(KINDS) {
                return Ok(());
            }
            let fate = if is_behind(node, messages, index) {
                None
            } else if let Some(fate) = self.choose_replacement(cx, st, messages, index)? {
                Some(fate)
            } else {
                self.choose_fate(cx, st, at, messages, index)?
            };
            st.extra.node_mut().path.faults.since_boot.fates.decide(index, fate);
        }
        Ok(())
    }

    fn choose_fate<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        at: Stamp,
        messages: &[IncomingMessage],
        index: u32,
    ) -> Result<Option<MessageFate>, Halt> {
        let incoming = &messages[index as usize];
        if matches!(incoming.delay, MessageDelay::Travels(_)) {
            // Faults are for when it is there.
            return Ok(None);
        }
        // What was late once is not late again, but it may find the network broken again.
        if st.extra.node().path.faults.can_sever()
            && incoming.delay != MessageDelay::Late
            && let Some(fate) = self.choose_severed(cx, st, at, index, incoming)?
        {
            return Ok(Some(fate));
        }
        if incoming.delay != MessageDelay::None {
            return Ok(None);
        }
        let (node, message) = (st.extra.node(), &*incoming.message);
        match message.protocol {
            Protocol::Udp if node.path.faults.is_one_possible(OF_DATAGRAMS) => {
                let awaited = message.kind.meets(MessageKind::DATA)
                    && udp::is_awaited(node, message.source, message.destination);
                if awaited { self.choose_for_datagram(cx, st, messages, index) } else { Ok(None) }
            }
            Protocol::Icmp if node.path.faults.is_one_possible(OF_DATAGRAMS) => {
                let awaited = icmp::is_awaited(node, message);
                if awaited { self.choose_for_message(cx, st, messages, index) } else { Ok(None) }
            }
            Protocol::Tcp if node.path.faults.is_one_possible(OF_STREAMS) => {
                let awaited = tcp::is_awaited(node, message);
                if awaited { self.choose_for_stream(cx, st, index, incoming) } else { Ok(None) }
            }
            _ => Ok(None),
        }
    }

    fn choose_for_datagram<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        messages: &[IncomingMessage],
        index: u32,
    ) -> Result<Option<MessageFate>, Halt> {
        let incoming = &messages[index as usize];
        if let Some(fate) = self.choose_for_message(cx, st, messages, index)? {
            return Ok(Some(fate));
        }
        let has_twin = has_spared_twin(st.extra.node(), messages, index as usize);
        if !has_twin && let Some(fate) = self.choose_overtaking(cx, st, index, incoming)? {
            return Ok(Some(fate));
        }
        if let Some(fate) = self.choose_truncation(cx, st, index, incoming)? {
            return Ok(Some(fate));
        }
        self.choose_corruption(cx, st, index, incoming)
    }

    /// The faults of every message that is sent once. One of ICMP that was cut or corrupted would be dropped
    /// for its checksum, as if it were lost.
    fn choose_for_message<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        messages: &[IncomingMessage],
        index: u32,
    ) -> Result<Option<MessageFate>, Halt> {
        let incoming = &messages[index as usize];
        let message = &*incoming.message;
        let plain: [(FaultKind, &str, MessageFate); 2] = [
            (FaultKind::Loss, "lost", MessageFate::Lost),
            (FaultKind::Duplicate, "doubled", MessageFate::Twice),
        ];
        let has_twin = has_spared_twin(st.extra.node(), messages, index as usize);
        for (kind, verb, fate) in plain.into_iter().filter(|_| !has_twin) {
            let what = |_| format!("{verb} {}", described(message));
            let fault = PossibleFault { index, incoming, kind, choices: &[1], what: &what };
            let chosen = self.choose(cx, st, fault, &mut |_, _, _| Ok(fate.clone()))?;
            if chosen.is_some() {
                return Ok(chosen);
            }
        }
        if has_twin { Ok(None) } else { self.choose_delay(cx, st, index, incoming) }
    }

    fn choose_for_stream<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        index: u32,
        incoming: &IncomingMessage,
    ) -> Result<Option<MessageFate>, Halt> {
        let message = &*incoming.message;
        let Message { source, destination, .. } = message;
        let what = |_| format!("reset the connection {source} -> {destination}");
        let (kind, choices) = (FaultKind::Reset, &[1]);
        let fault = PossibleFault { index, incoming, kind, choices, what: &what };
        let broken = MessageFate::Broken(Errno::ECONNRESET);
        let chosen = self.choose(cx, st, fault, &mut |_, _, _| Ok(broken.clone()))?;
        if chosen.is_some() {
            return Ok(chosen);
        }
        if let Some(fate) = self.choose_delay(cx, st, index, incoming)? {
            return Ok(Some(fate));
        }
        self.choose_corruption(cx, st, index, incoming)
    }

    /// The choice is the number of a delay, counted from 1.
    fn choose_delay<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        index: u32,
        incoming: &IncomingMessage,
    ) -> Result<Option<MessageFate>, Halt> {
        let kind = FaultKind::Delay;
        if !st.extra.node().path.faults.is_possible(kind) {
            return Ok(None);
        }
        let delays = st.extra.node().path.faults.config().network.delays_ns.clone();
        let choices: Vec<u32> = (1..).take(delays.len()).collect();
        let delay = |choice: u32| delays[choice as usize - 1];
        let what = |choice| match delays.len() {
            1 => format!("delayed {}", described(&incoming.message)),
            _ => format!("delayed {} by {}", described(&incoming.message), seconds(delay(choice))),
        };
        let fault = PossibleFault { index, incoming, kind, choices: &choices, what: &what };
        self.choose(cx, st, fault, &mut |_, _, choice| Ok(MessageFate::Late(delay(choice))))
    }

    /// The choice is the number of datagrams to the same socket that come later, and before this one.
    fn choose_overtaking<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        index: u32,
        incoming: &IncomingMessage,
    ) -> Result<Option<MessageFate>, Halt> {
        let (kind, node) = (FaultKind::Reorder, st.extra.node());
        // One that several sockets get has its place at each of them.
        let has_socket = udp::receiver_of(node, &incoming.message).is_some();
        if !node.path.faults.is_possible(kind) || !has_socket {
            return Ok(None);
        }
        let window = node.path.faults.config().network.reorder_window;
        let choices: Vec<u32> = (1..window).collect();
        let message = &*incoming.message;
        let what = |choice: u32| match choice {
            1 => format!("reordered {}: the next one comes before it", described(message)),
            _ => format!("reordered {}: the next {choice} come before it", described(message)),
        };
        let fault = PossibleFault { index, incoming, kind, choices: &choices, what: &what };
        self.choose(cx, st, fault, &mut |_, _, choice| Ok(MessageFate::Behind(choice)))
    }

    /// The choice is one more than the bytes that are left.
    fn choose_truncation<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        index: u32,
        incoming: &IncomingMessage,
    ) -> Result<Option<MessageFate>, Halt> {
        let message = &*incoming.message;
        let len = message.payload.len() as u32;
        if len == 0 || !st.extra.node().path.faults.is_possible(FaultKind::Truncate) {
            return Ok(None);
        }
        let mut kept = match st.extra.node().path.faults.config().network.truncate_size {
            None => vec![0, len / 2, len - 1],
            Some(size) if size < len => vec![size],
            Some(_) => return Ok(None),
        };
        kept.dedup();
        let choices: Vec<u32> = kept.iter().map(|kept| kept + 1).collect();
        let what = |choice| format!("cut {} to {}", described(message), choice - 1);
        let kind = FaultKind::Truncate;
        let fault = PossibleFault { index, incoming, kind, choices: &choices, what: &what };
        self.choose(cx, st, fault, &mut |_, _, choice| Ok(MessageFate::Cut(choice as usize - 1)))
    }

    fn choose_corruption<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        index: u32,
        incoming: &IncomingMessage,
    ) -> Result<Option<MessageFate>, Halt> {
        let message = &*incoming.message;
        let network = &st.extra.node().path.faults.config().network;
        let (offset, printable) = (network.corrupt_offset, network.corrupt_printable);
        let len = message.payload.len() as u32;
        let size = network.corrupt_size.unwrap_or(u32::MAX).min(len.saturating_sub(offset));
        if size == 0 {
            return Ok(None);
        }
        let (first, end) = (offset as usize, offset + size);
        let what = |_| format!("corrupted {}, bytes {first} to {}", described(message), end - 1);
        let mut make = |cx: &mut Interp<'_, X>, st: &mut State<X>, _| {
            let bytes = X::new_input(cx, st, "corrupted", size)?;
            if printable {
                make_printable(cx, st, &bytes);
            }
            Ok(MessageFate::Corrupt(first, bytes.into()))
        };
        let kind = FaultKind::Corrupt;
        let fault = PossibleFault { index, incoming, kind, choices: &[1], what: &what };
        self.choose(cx, st, fault, &mut make)
    }

    /// Offers a kind to a message; siblings have what becomes of it.
    fn choose<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        fault: PossibleFault<'_>,
        make: Make<'_, X>,
    ) -> Result<Option<MessageFate>, Halt> {
        let PossibleFault { index, incoming, kind, choices, what } = fault;
        let node = st.extra.node();
        if !node.path.faults.is_possible(kind) {
            return Ok(None);
        }
        let Some(links) = node.links_between(kind, incoming.from, node.net.host) else {
            return Ok(None);
        };
        // A budget may be spent by other nodes of the world, which a plan does not know. The point counts.
        let passed_over = choices.is_empty() || !node.path.faults.has_left(links);
        let offer = FaultOffer { kind, choices, of_call: false, passed_over, what, links };
        let prepare = |cx: &mut Interp<'_, X>, sibling: &mut State<X>, choice| match make(
            cx, sibling, choice,
        ) {
            Ok(fate) => {
                sibling.extra.node_mut().path.faults.since_boot.fates.decide(index, Some(fate));
                SiblingCourse::Again
            }
            Err(Flow::End(ending)) => SiblingCourse::Ended(ending),
            Err(_) => SiblingCourse::Again,
        };
        match self.offer(cx, st, None, &offer, prepare)? {
            0 => Ok(None),
            choice => Ok(Some(make(cx, st, choice)?)),
        }
    }

    fn choose_orders<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        messages: &[IncomingMessage],
    ) -> Result<(), Halt> {
        let kind = FaultKind::Reorder;
        let node = st.extra.node();
        if messages.len() < 2 || !node.path.faults.is_possible(kind) {
            return Ok(());
        }
        let settled =
            fate::settle(node, messages, &node.path.faults.since_boot.fates, node.clock.now);
        let groups = fate::groups(node, &settled.ready);
        let ordered = node.path.faults.since_boot.fates.ordered;
        for (number, group) in (0..).zip(&groups).skip(ordered as usize) {
            let orders = fate::other_orders(&settled.ready, group);
            if orders.is_empty() || !st.extra.node().path.faults.is_possible(kind) {
                continue;
            }
            let choices: Vec<u32> = (1..).take(orders.len()).collect();
            let what = |choice: u32| {
                let order = orders[choice as usize - 1].iter().map(|at| group[*at]);
                let ids: Vec<String> =
                    order.map(|at| settled.ready[at].message.id.to_string()).collect();
                let to = settled.ready[group[0]].message.destination;
                format!("reordered UDP packets to {to}: {}", ids.join(", "))
            };
            let node = st.extra.node();
            let links = group
                .iter()
                .filter_map(|at| node.links_between(kind, settled.ready[*at].from, node.net.host));
            let links = links.fold(0, |set, links| set | links);
            let (of_call, passed_over) = (false, !node.path.faults.has_left(links));
            let offer =
                FaultOffer { kind, choices: &choices, of_call, passed_over, what: &what, links };
            let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice| {
                sibling.extra.node_mut().path.faults.since_boot.fates.order(number, choice);
                SiblingCourse::Again
            };
            let choice = self.offer(cx, st, None, &offer, prepare)?;
            st.extra.node_mut().path.faults.since_boot.fates.order(number, choice);
        }
        Ok(())
    }
}

/// Returns true if a message has to wait for one of the same stream that is held up.
fn is_behind(node: &Node, messages: &[IncomingMessage], index: u32) -> bool {
    let incoming = &messages[index as usize];
    if incoming.message.protocol != Protocol::Tcp
        || node.path.faults.held.is_empty() && node.path.faults.since_boot.fates.is_empty()
    {
        return false;
    }
    let before = &messages[..index as usize];
    let settled = fate::settle(node, before, &node.path.faults.since_boot.fates, node.clock.now);
    settled.held.iter().any(|held| fate::is_behind(&incoming.message, &held.incoming.message))
}

/// Returns true if the datagram before this one, at the same socket, is the same and nothing happens to
/// it. Nobody could tell whether something that leaves no trace in a datagram has happened to it
/// instead.
fn has_spared_twin(node: &Node, messages: &[IncomingMessage], index: usize) -> bool {
    let message = &messages[index].message;
    let Some(id) = udp::receiver_of(node, message) else { return false };
    let at_socket = |at: &usize| udp::receiver_of(node, &messages[*at].message) == Some(id);
    let before = (0..index).rev().find(at_socket);
    before.is_some_and(|before| {
        let twin = &messages[before];
        twin.delay == MessageDelay::None
            && fate::is_same(&twin.message, message)
            && node.path.faults.since_boot.fates.of(before).is_none()
    })
}

/// Lets symbolic bytes be printable.
fn make_printable<X: Guest>(cx: &mut Interp<'_, X>, st: &mut State<X>, bytes: &[ByteValue]) {
    let pool = cx.pool;
    for byte in bytes {
        // Bytes of a replayed test are what they are.
        let ByteValue::Symbolic(byte) = byte else { continue };
        let above = pool.uge(*byte, pool.constant(8, b' '.into()));
        let below = pool.ule(*byte, pool.constant(8, b'~'.into()));
        if !matches!(st.path.assume(cx.solver, pool, pool.and(above, below)), Ok(true)) {
            // A new byte can be anything, so only a solver that gives up is a reason.
            cx.omit_unanswered(st);
        }
    }
}

/// A message for people: `UDP packet 2 (10.0.0.1:9 -> 10.0.0.2:7, 12 bytes)`.
pub(super) fn described(message: &Message<Payload>) -> String {
    let protocol = match message.protocol {
        Protocol::Udp => "UDP packet",
        Protocol::Tcp => "TCP packet",
        Protocol::Icmp => "ICMP packet",
        Protocol::Plain => "event",
    };
    let Message { id, source, destination, payload, .. } = message;
    let size = match payload.len() {
        1 => "1 byte".to_owned(),
        size => format!("{size} bytes"),
    };
    format!("{protocol} {id} ({source} -> {destination}, {size})")
}
