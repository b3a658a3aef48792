//! The faults of messages on their way: [`MessageFate`], and what of them a node keeps.
//!
//! Not here: how a fate is chosen (`fault/arrivals.rs`), and what it does (`fault/fate.rs`).

use std::sync::Arc;

use everett_memory::ByteValue;
use everett_net::{HostId, NetworkId};
use smallvec::SmallVec;
use syscalls::Errno;

use crate::state::ids::Time;
use crate::state::process::rare::rare;
use crate::state::sockets::message::SharedMessage;

/// The outcome that faults have for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MessageFate {
    /// It does not arrive.
    Lost,
    /// It arrives twice.
    Twice,
    /// It is late, by so many nanoseconds.
    Late(u64),
    /// It comes behind so many datagrams to its socket that come later.
    Behind(u32),
    /// It did not come through, and will be sent again.
    Repeated,
    /// Only so many of its bytes arrive.
    Cut(usize),
    /// Other bytes arrive instead of its own, from a position on.
    Corrupt(usize, Arc<[ByteValue]>),
    /// The connection that it belongs to is over, with this error, on both sides.
    Broken(Errno),
    /// Another message arrives instead of it.
    Replaced(Arc<[ByteValue]>),
}

everett_base::portable!(enum MessageFate {
    0 = Lost, 1 = Twice, 2 = Late(value), 3 = Behind(value), 4 = Repeated, 5 = Cut(value),
    6 = Corrupt(a, b), 7 = Broken(value), 8 = Replaced(value),
});

/// The outcomes of messages that are about to be delivered.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageFates {
    /// Of the first so many it is decided.
    pub(crate) decided: u32,
    /// Those that something happens to, by their numbers.
    list: SmallVec<[(u32, MessageFate); 1]>,
    /// Of so many groups of messages it is decided in which order they come.
    pub(crate) ordered: u32,
    /// Those that come in another order, and in which.
    pub(crate) orders: SmallVec<[(u32, u32); 1]>,
}

everett_base::portable!(struct MessageFates { decided, list, ordered, orders });

rare!(MessageFates);

impl MessageFates {
    pub(crate) fn decide(&mut self, index: u32, fate: Option<MessageFate>) {
        self.decided = index + 1;
        self.list.extend(fate.map(|fate| (index, fate)));
    }

    pub(crate) fn order(&mut self, group: u32, choice: u32) {
        self.ordered = group + 1;
        if choice != 0 {
            self.orders.push((group, choice));
        }
    }

    pub(crate) fn of(&self, index: usize) -> Option<&MessageFate> {
        self.list.iter().find(|(at, _)| *at as usize == index).map(|(_, fate)| fate)
    }

    /// Returns true if nothing happens to any.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// A message that has come to a node, before faults have their say.
#[derive(Clone, Debug)]
pub(crate) struct IncomingMessage {
    /// The host that has sent it.
    pub(crate) from: HostId,
    pub(crate) message: SharedMessage,
    pub(crate) delay: MessageDelay,
}

everett_base::portable!(struct IncomingMessage { from, message, delay });

/// The reason why a message was held up before it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageDelay {
    /// None: it comes when it was to come.
    None,
    /// It has come as soon as the least latency of its way allows, and is on its way for so many more
    /// nanoseconds.
    Travels(Time),
    /// It comes behind so many datagrams to its socket that come later.
    Behind(u32),
    /// It was late, which it is only once.
    Late,
    /// It was sent again so many times, which may be in vain once more.
    Repeated(u8),
}

everett_base::portable!(enum MessageDelay {
    0 = None, 1 = Travels(value), 2 = Behind(value), 3 = Late, 4 = Repeated(value),
});

/// The latency that was chosen for the way from a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChosenLatency {
    /// The host.
    pub(crate) from: HostId,
    /// The network over which its messages come.
    pub(crate) network: NetworkId,
    /// Nanoseconds on top of the least latency of the way.
    pub(crate) extra_ns: Time,
}

everett_base::portable!(struct ChosenLatency { from, network, extra_ns });

/// A message that is held up until a time, and comes then.
#[derive(Clone, Debug)]
pub(crate) struct HeldMessage {
    pub(crate) due: Time,
    pub(crate) incoming: IncomingMessage,
}

everett_base::portable!(struct HeldMessage { due, incoming });
