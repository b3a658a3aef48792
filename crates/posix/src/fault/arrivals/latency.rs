//! Ways with several latencies: the receiver of the first message on a way chooses which one it has.
//!
//! A way leads from one node to another, over one network to the receiver. Its messages are sent with the
//! least of its latencies ([`Node::travel_ns`]); where another one is chosen they are held up for the
//! difference, and only then do they arrive, and meet with faults. The choice is a decision of the path
//! like a fault, though it has no budget and is made whether or not the program wants faults.

use everett_interp::{Halt, Interp, SiblingCourse, State};
use everett_net::{HostId, NetworkId, WayTiming};

use crate::config::FaultKind;
use crate::fault::FaultOffer;
use crate::fault::machine::seconds;
use crate::kernel::{Guest, Kernel};
use crate::state::faults::messages::ChosenLatency;
use crate::state::ids::Time;
use crate::state::node::Node;
use crate::state::sockets::message::SharedMessage;

impl Kernel {
    /// Chooses the latencies of ways that messages have come on for the first time. Siblings have to be woken
    /// with the same messages.
    pub(super) fn choose_latencies<'e, X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        arriving: impl Iterator<Item = (HostId, &'e SharedMessage)>,
    ) -> Result<(), Halt> {
        for (from, message) in arriving {
            let node = st.extra.node();
            let Some(way) = node.way_of(from, node.net.host, message) else { continue };
            if way.latencies_ns.len() > 1 && node.chosen_latency(from, way.last).is_none() {
                self.choose_latency(cx, st, from, &way)?;
            }
        }
        Ok(())
    }

    fn choose_latency<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        from: HostId,
        way: &WayTiming,
    ) -> Result<(), Halt> {
        let (kind, latencies) = (FaultKind::Latency, &way.latencies_ns);
        let name = st.extra.node().host_name(from).unwrap_or_default().to_owned();
        let choices: Vec<u32> = (1..).take(latencies.len() - 1).collect();
        let what = |choice: u32| {
            let latency = seconds(latencies[choice as usize]);
            format!("the latency of messages from {name} is {latency}")
        };
        let chosen = |choice: u32| ChosenLatency {
            from,
            network: way.last,
            extra_ns: latencies[choice as usize] - latencies[0],
        };
        let (of_call, passed_over, links) = (false, false, 0);
        let offer =
            FaultOffer { kind, choices: &choices, of_call, passed_over, what: &what, links };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice| {
            sibling.extra.node_mut().path.faults.latencies.push(chosen(choice));
            SiblingCourse::Again
        };
        let choice = self.offer(cx, st, None, &offer, prepare)?;
        st.extra.node_mut().path.faults.latencies.push(chosen(choice));
        Ok(())
    }
}

impl Node {
    /// The latency of the way from a host over a network, on top of the least one, once it is chosen.
    fn chosen_latency(&self, from: HostId, network: NetworkId) -> Option<Time> {
        let mut chosen = self.path.faults.latencies.iter();
        let chosen = chosen.find(|chosen| (chosen.from, chosen.network) == (from, network));
        chosen.map(|chosen| chosen.extra_ns)
    }

    /// The time for which a message that has come from a host is still on its way.
    pub(in crate::fault) fn extra_latency(&self, from: HostId, message: &SharedMessage) -> Time {
        if self.path.faults.latencies.iter().all(|chosen| chosen.extra_ns == 0) {
            return 0;
        }
        let way = self.way_of(from, self.net.host, message);
        way.and_then(|way| self.chosen_latency(from, way.last)).unwrap_or(0)
    }
}
