//! Networks that break apart: a partition, or a link that is down.
//!
//! What gets through must be one story for all nodes of a world, though each receiver decides about its own
//! messages. So there is a decision of the *world*, not of a node: for each partition that may happen
//! there are symbolic bytes that all nodes share, the moments of its beginning and its end. A receiver asks
//! for each message that has to cross whether it arrives in between, and its path assumes the answer. Nodes
//! whose answers do not go together are in no world together, as with all symbolic bytes that nodes have in
//! common. Worlds are therefore told apart by what is lost in them, not by when exactly a partition began.
//!
//! A moment is a time and a round within it. Of a link that is down it is open as well whose link it is.
//!
//! A datagram that does not get through is lost. TCP sends again what does not, after 1, 3, 7, 15, 31 and 63
//! seconds, so the next question is whether the network is whole by then; after that the connection is over
//! on both sides, each of which finds out by itself (`ETIMEDOUT`). One that was only asked for never was:
//! whoever asked gives up later, and the other side forgets it.

use everett_base::Stamp;
use everett_expr::TermId;
use everett_interp::{Halt, Interp, Omission, SiblingCourse, State};
use everett_memory::ByteValue;
use everett_net::{HostId, Protocol};
use syscalls::Errno;

use super::arrivals::described;
use crate::config::FaultKind;
use crate::fault::fate::REPEATED_MOST;
use crate::kernel::{Guest, Kernel};
use crate::net::tcp;
use crate::state::faults::TakenFault;
use crate::state::faults::decision::FaultDecision;
use crate::state::faults::messages::{IncomingMessage, MessageDelay, MessageFate};
use crate::state::node::Node;

/// The words for a message that a barrier holds up.
const NOT_THROUGH: &str = " does not get through";

/// The obstacle and the message that it holds up, of the words for a fault that says so.
pub fn severed_parts(what: &str) -> Option<(&str, &str)> {
    what.strip_suffix(NOT_THROUGH)?.split_once(": ")
}

/// Bits of a moment that are its round; the others are its time.
const ROUND_BITS: u32 = 20;
/// Bytes of a moment.
const MOMENT_BYTES: u32 = 8;
/// Bytes of the number of a host.
const HOST_BYTES: u32 = 2;

/// A moment as one number, as symbols and constraints have it; later moments have larger numbers.
fn moment_number(at: Stamp) -> u64 {
    let round = u64::from(at.round).min((1 << ROUND_BITS) - 1);
    at.time.min(u64::MAX >> ROUND_BITS) << ROUND_BITS | round
}

/// An obstacle between a message and its receiver, if it is there at that time.
struct NetworkBarrier {
    kind: FaultKind,
    /// Names of the symbols, one for each time that it may be there.
    symbols: Vec<String>,
    /// The hosts one of which it has to be at; none if that is not open.
    hosts: Vec<u16>,
    /// The time that it lasts.
    lasts_ns: Option<u64>,
    what: String,
}

impl Kernel {
    /// Decides whether the network is in one piece for a message.
    pub(super) fn choose_severed<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        at: Stamp,
        index: u32,
        incoming: &IncomingMessage,
    ) -> Result<Option<MessageFate>, Halt> {
        let message = &incoming.message;
        let timed_out = Errno::ETIMEDOUT;
        if message.protocol == Protocol::Tcp
            && message.status == timed_out.into_raw().unsigned_abs()
        {
            // That is what a side finds out by itself.
            return Ok(None);
        }
        let fate = match incoming.delay {
            _ if message.protocol != Protocol::Tcp => MessageFate::Lost,
            // Whoever asks for a connection gives up by itself.
            MessageDelay::Repeated(REPEATED_MOST..) if tcp::is_of_request(message) => {
                MessageFate::Lost
            }
            MessageDelay::Repeated(REPEATED_MOST..) => MessageFate::Broken(timed_out),
            _ => MessageFate::Repeated,
        };
        for barrier in barriers(st.extra.node(), incoming.from) {
            if self.is_severed(cx, st, &barrier, (at, index, incoming), &fate)? {
                return Ok(Some(fate));
            }
        }
        Ok(None)
    }

    fn is_severed<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        barrier: &NetworkBarrier,
        (at, index, incoming): (Stamp, u32, &IncomingMessage),
        fate: &MessageFate,
    ) -> Result<bool, Halt> {
        let kind = barrier.kind;
        let node = st.extra.node_mut();
        let point = node.path.faults.reach(kind);
        self.fault_counts.count_offered(kind);
        let decision = FaultDecision { kind, point, choice: 1 };
        let what = format!("{}: {}{NOT_THROUGH}", barrier.what, described(&incoming.message));
        let taken = TakenFault {
            decision,
            time_ns: node.clock.now,
            what: what.into(),
            place: None,
            links: 0,
        };
        if let Some(choice) = node.path.faults.planned(kind, point) {
            if choice != 0 {
                self.fault_counts.count_taken(kind);
                node.path.faults.take(taken);
            }
            return Ok(choice != 0);
        }
        let inside = barrier.is_there(cx, st, at);
        let outside = cx.pool.not(inside);
        if !st.path.may_be(cx.solver, cx.pool, inside)? {
            return Ok(false);
        }
        let mut sibling = st.copy();
        if st.path.assume(cx.solver, cx.pool, outside)? {
            if !st.forking {
                cx.omit(st, Omission::ForkingOff);
                return Ok(false);
            }
            (st.depth, sibling.depth) = (st.depth + 1, sibling.depth + 1);
            sibling.path.assume(cx.solver, cx.pool, inside)?;
            self.fault_counts.count_taken(kind);
            let faults = &mut sibling.extra.node_mut().path.faults;
            faults.take(taken);
            faults.since_boot.fates.decide(index, Some(fate.clone()));
            cx.add_sibling(sibling, SiblingCourse::Again);
            return Ok(false);
        }
        // What the path knows already leaves no choice.
        self.fault_counts.count_taken(kind);
        st.extra.node_mut().path.faults.take(taken);
        Ok(true)
    }
}

/// The obstacles that may be between a host and this one.
fn barriers(node: &Node, from: HostId) -> Vec<NetworkBarrier> {
    let ends = (node.host_name(from), node.host_name(node.net.host));
    let (Some(sender), Some(receiver)) = ends else { return Vec::new() };
    let config = node.path.faults.config();
    let network = &config.network;
    let mut barriers = Vec::new();
    let kind = FaultKind::Partition;
    if node.path.faults.is_possible(kind) {
        let crossed = |cut: &&crate::config::NetworkCut| cut.separates(sender, receiver);
        barriers.extend(network.cuts.iter().filter(crossed).map(|cut| NetworkBarrier {
            kind,
            symbols: symbols(&format!("partition {cut}"), config.budgets.get(kind)),
            hosts: Vec::new(),
            lasts_ns: network.partition_ns,
            what: format!("partition {cut}"),
        }));
    }
    let kind = FaultKind::LinkDown;
    if node.path.faults.is_possible(kind) {
        let breaks = |name: &str| {
            network.link_down_nodes.is_empty() || network.link_down_nodes.iter().any(|l| l == name)
        };
        let ends = [(sender, from), (receiver, node.net.host)];
        let ends = ends.into_iter().filter(|(name, _)| breaks(name));
        let (names, hosts): (Vec<&str>, Vec<u16>) =
            ends.map(|(name, host)| (name, host.0 as u16)).unzip();
        barriers.extend((!hosts.is_empty()).then(|| NetworkBarrier {
            kind,
            symbols: symbols("link-down", config.budgets.get(kind)),
            lasts_ns: network.link_down_ns,
            what: format!("link of {} down", names.join(" or ")),
            hosts,
        }));
    }
    barriers
}

fn symbols(name: &str, count: u32) -> Vec<String> {
    (1..=count).map(|number| format!("{name} {number}")).collect()
}

impl NetworkBarrier {
    /// The condition that it is there at a moment.
    fn is_there<X: Guest>(&self, cx: &mut Interp<'_, X>, st: &mut State<X>, at: Stamp) -> TermId {
        let size = 2 * MOMENT_BYTES + if self.hosts.is_empty() { 0 } else { HOST_BYTES };
        let mut there = cx.pool.constant(1, 0);
        for symbol in &self.symbols {
            let bytes = X::world_bytes(cx, st, symbol, size);
            let pool = cx.pool;
            let number = |range: std::ops::Range<u32>| {
                let bytes = &bytes[range.start as usize..range.end as usize];
                let terms = bytes.iter().map(|byte| match byte {
                    ByteValue::Concrete(byte) => pool.constant(8, (*byte).into()),
                    ByteValue::Symbolic(term) => *term,
                });
                terms.reduce(|low, high| pool.concat(high, low)).unwrap_or(pool.constant(1, 0))
            };
            let begin = number(0..MOMENT_BYTES);
            let now = pool.constant(64, moment_number(at));
            let not_over = match self.lasts_ns {
                None => pool.ult(now, number(MOMENT_BYTES..2 * MOMENT_BYTES)),
                Some(lasts_ns) => {
                    let lasts = moment_number(Stamp::new(lasts_ns, 0));
                    pool.ult(pool.sub(now, begin), pool.constant(64, lasts))
                }
            };
            let mut now_there = pool.and(pool.ule(begin, now), not_over);
            if !self.hosts.is_empty() {
                let host = number(2 * MOMENT_BYTES..size);
                let is = |at: &u16| pool.eq(host, pool.constant(16, (*at).into()));
                let one = self.hosts.iter().map(is).reduce(|a, b| pool.or(a, b));
                now_there = pool.and(now_there, one.unwrap_or(pool.constant(1, 0)));
            }
            there = pool.or(there, now_there);
        }
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_message_comes_apart_again() {
        let message = "UDP packet 2 (10.0.0.1:9 -> 10.0.0.2:7, 12 bytes)";
        let what = format!("partition a,b|c: {message}{NOT_THROUGH}");
        assert_eq!(severed_parts(&what), Some(("partition a,b|c", message)));
        assert_eq!(severed_parts("lost UDP packet 2"), None);
    }
}
