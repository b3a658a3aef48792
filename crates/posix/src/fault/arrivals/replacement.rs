//! Messages that are replaced by others: Trojan messages.
//!
//! Which messages may be replaced, and by messages of which lengths, is up to the embedder
//! ([`Kernel::replaceable`]): it knows what senders can send. Every message that the options of the run name
//! is a place of this kind, so that a test finds its place without that knowledge.

use std::sync::Arc;

use everett_interp::{Halt, Interp, State};
use everett_net::{HostId, MessageKind, Protocol};
use smallvec::SmallVec;

use super::{PossibleFault, described};
use crate::config::FaultKind;
use crate::kernel::{Guest, Kernel, ReplaceableMessage};
use crate::net::{tcp, udp};
use crate::state::faults::messages::{IncomingMessage, MessageDelay, MessageFate};
use crate::state::node::Node;

/// The name of the input that is a message which comes instead of another one.
pub const TROJAN_INPUT: &str = "trojan message";

impl Node {
    /// Returns true if messages of a host to this one may be replaced.
    pub fn is_trojan_way(&self, from: HostId) -> bool {
        let network = &self.path.faults.config().network;
        let is_named = |names: &[String], host: HostId| {
            names.is_empty()
                || self.host_name(host).is_some_and(|host| names.iter().any(|name| name == host))
        };
        is_named(&network.trojan_from, from) && is_named(&network.trojan_to, self.net.host)
    }

    /// Returns true if a program gets the bytes of a message, one that may be replaced.
    fn awaits_replaceable(&self, incoming: &IncomingMessage) -> bool {
        let message = &*incoming.message;
        let is_awaited = match message.protocol {
            Protocol::Udp => udp::is_awaited(self, message.source, message.destination),
            Protocol::Tcp => tcp::is_awaited(self, message) && !message.payload.is_empty(),
            Protocol::Icmp | Protocol::Plain => false,
        };
        incoming.delay == MessageDelay::None
            && message.kind.meets(MessageKind::DATA)
            && is_awaited
            && self.is_trojan_way(incoming.from)
    }
}

impl Kernel {
    /// The choice is one more than the length of the message that comes instead.
    pub(super) fn choose_replacement<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        messages: &[IncomingMessage],
        index: u32,
    ) -> Result<Option<MessageFate>, Halt> {
        let kind = FaultKind::Trojan;
        let incoming = &messages[index as usize];
        let node = st.extra.node();
        if !node.path.faults.is_possible(kind) || !node.awaits_replaceable(incoming) {
            return Ok(None);
        }
        let is_it = |other: &&ReplaceableMessage| Arc::ptr_eq(&other.message, &incoming.message);
        let replaceable = self.replaceable.iter().find(is_it);
        let (senders, lengths) = replaceable.map_or((0, Default::default()), |replaceable| {
            (replaceable.senders, replaceable.lengths.clone())
        });
        let mut choices: SmallVec<[u32; 4]> = lengths.iter().map(|length| length + 1).collect();
        // A test says what happens, whoever may have sent it.
        let point = node.path.faults.points(kind) + 1;
        if let Some(planned) = node.path.faults.planned(kind, point).filter(|choice| *choice != 0) {
            choices = SmallVec::from_slice(&[planned]);
        }
        let message = described(&incoming.message);
        let what = |choice: u32| match choice {
            2 => format!("replaced {message} by another byte"),
            _ => format!("replaced {message} by {} other bytes", choice - 1),
        };
        let fault = PossibleFault { index, incoming, kind, choices: &choices, what: &what };
        let mut make = |cx: &mut Interp<'_, X>, st: &mut State<X>, choice: u32| {
            let bytes = X::new_input(cx, st, TROJAN_INPUT, choice - 1)?;
            X::replaced(st, senders, &bytes);
            Ok(MessageFate::Replaced(bytes.into()))
        };
        self.choose(cx, st, fault, &mut make)
    }
}
