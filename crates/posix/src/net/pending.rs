//! Messages that stay pending until a thread observes them, where orders are explored.

use std::sync::Arc;

use everett_net::{HostId, Message, MessageKind, Protocol, Topology};
use linux_raw_sys::general as linux;
use smallvec::SmallVec;

use crate::config::FaultKind;
use crate::net::{self, READ, WRITE, icmp, tcp, udp};
use crate::state::ids::{SocketId, Time};
use crate::state::node::Node;
use crate::state::pending::{HoldEnd, MessageHold};
use crate::state::sockets::SocketFamily;
use crate::state::sockets::message::{Payload, SharedMessage};
use crate::state::sockets::tcp::TcpPhase;
use crate::state::wait::HeldLook;

/// Events of a socket by which a program notices messages.
const NOTICED: u32 =
    linux::POLLIN | linux::POLLRDNORM | linux::POLLRDHUP | linux::POLLERR | linux::POLLHUP;

/// Messages that a look shows, by their positions among those that are pending.
pub(crate) type View = SmallVec<[usize; 4]>;

/// A socket that a thread looks at, with the events that it looks for: those of `poll`, and
/// [`SocketLook::EDGES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SocketLook {
    pub(crate) id: SocketId,
    pub(crate) wanted: u32,
}

impl SocketLook {
    /// Whatever comes is noticed, also where something has come before (`EPOLLET`).
    pub(crate) const EDGES: u32 = linux::EPOLLET;

    /// The events that are news to a thread that knows of others.
    fn news(self, brought: u32, known: u32) -> u32 {
        let known = if self.wanted & SocketLook::EDGES != 0 { 0 } else { known };
        brought & self.wanted & !known
    }
}

impl Node {
    /// Returns true if messages may be seen in another order, or late.
    pub(crate) fn may_vary_orders(&self) -> bool {
        self.path.faults.is_one_possible(FaultKind::Order.bit() | FaultKind::Late.bit())
    }

    /// Returns true if it is to be decided what a thread sees that looks at sockets.
    pub(crate) fn decides_looks(&self) -> bool {
        self.may_vary_orders() || !self.volatile.pending.is_idle()
    }

    /// Takes a message that has come: it waits to be observed if orders are explored, and is received
    /// at once otherwise.
    pub(crate) fn take_in(&mut self, from: HostId, message: &SharedMessage) {
        let is_noticed =
            || is_observable(self, message) || self.volatile.pending.has_before(message);
        if self.decides_looks() && is_noticed() {
            self.volatile.pending.push(from, message.clone());
        } else {
            self.receive(message);
        }
    }

    /// Receives everything that is pending.
    pub(crate) fn receive_pending(&mut self) {
        if self.volatile.pending.is_idle() {
            return;
        }
        for message in self.volatile.pending.take_all() {
            self.receive(&message);
        }
    }

    /// Receives what is pending at a socket, which is about to be closed.
    pub(crate) fn receive_pending_at(&mut self, id: SocketId) {
        if self.volatile.pending.is_looked_at_in_vain(id) {
            self.volatile.pending.forget_looks(id);
        }
        if self.volatile.pending.is_empty() {
            return;
        }
        let pending = self.volatile.pending.iter().enumerate();
        let is_here = |message: &SharedMessage| observer_of(self, message) == Some(id);
        let here = pending.filter(|(_, pending)| is_here(&pending.message));
        let positions: Vec<usize> = here.map(|(at, _)| at).collect();
        self.see(&positions);
    }

    /// Receives what nobody can observe any more; the kernel answers it.
    pub(crate) fn receive_unobservable(&mut self) {
        loop {
            let pending = &self.volatile.pending;
            let mut heads = pending.heads().into_iter();
            let lost = heads.find(|at| !is_observable(self, &pending.get(*at).message));
            let Some(at) = lost else { return };
            self.see(&[at]);
        }
    }

    /// Puts messages into their sockets.
    pub(crate) fn see(&mut self, positions: &[usize]) {
        if positions.is_empty() {
            return;
        }
        let flows: SmallVec<[_; 4]> =
            positions.iter().map(|at| self.volatile.pending.get(*at).flow()).collect();
        self.path.order_mark.set_actor(flows);
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

    /// Returns true if messages were held until that had lasted too long.
    pub fn has_held_too_long(&self) -> bool {
        self.hold_expires().is_some_and(|expires| expires <= self.clock.now)
    }

    /// The first message of the flow of pending messages to a connection.
    pub(crate) fn first_pending_at(&self, id: SocketId) -> Option<usize> {
        let pending = &self.volatile.pending;
        let is_here = |at: &usize| observer_of(self, &pending.get(*at).message) == Some(id);
        pending.heads().into_iter().find(is_here)
    }

    /// The messages that looks at sockets can show: at each socket that has some, the alternatives, of which
    /// a look shows one. The first one is that of the fixed order.
    pub(crate) fn choices_at(&self, looks: &[SocketLook]) -> Vec<Vec<View>> {
        let pending = &self.volatile.pending;
        let heads = pending.heads();
        let mut choices = Vec::new();
        for look in looks {
            let is_here =
                |at: &usize| observer_of(self, &pending.get(*at).message) == Some(look.id);
            let here = heads.iter().copied().filter(is_here);
            let here: Vec<View> = here.flat_map(|head| self.alternatives(*look, head)).collect();
            if !here.is_empty() {
                choices.push(here);
            }
        }
        choices
    }

    /// The beginnings of a flow that end with a message that a look at its socket notices, the longest first.
    fn alternatives(&self, mut look: SocketLook, head: usize) -> Vec<View> {
        let mut known = net::events(self, look.id);
        let (mut view, mut bytes) = (View::new(), 0);
        let mut alternatives = Vec::new();
        for at in self.volatile.pending.flow_from(head) {
            let message = &self.volatile.pending.get(at).message;
            view.push(at);
            bytes += message.payload.len();
            let is_noticed = observer_of(self, message) == Some(look.id);
            let brought = if is_noticed { brought_by(self, look.id, message, bytes) } else { 0 };
            if look.news(brought, known) != 0 {
                alternatives.push(view.clone());
                // A second edge tells nothing more.
                look.wanted &= !SocketLook::EDGES;
            }
            known |= brought;
        }
        alternatives.reverse();
        alternatives
    }

    /// Returns true if something may come to a socket that a look there would notice, beside what it shows
    /// already.
    pub(crate) fn may_notice_more(&self, look: SocketLook) -> bool {
        let socket = self.net.get(look.id);
        let is_own = |address: &std::net::SocketAddr| self.net.is_own(address.ip());
        if socket.local.ip().is_loopback() || socket.remote.as_ref().is_some_and(is_own) {
            return false;
        }
        let coming = match &socket.family {
            SocketFamily::Udp(_) | SocketFamily::Icmp(_) if socket.local.port() != 0 => {
                READ | linux::POLLERR
            }
            SocketFamily::Tcp(tcp) if tcp.is_listening() => tcp::decision::coming_to(socket),
            SocketFamily::Unix(unix) if !unix.ports.is_empty() => READ,
            SocketFamily::Tcp(tcp) if tcp.phase == TcpPhase::Established => NOTICED,
            SocketFamily::Tcp(tcp) if tcp.phase == TcpPhase::Connecting => NOTICED | WRITE,
            SocketFamily::Udp(_)
            | SocketFamily::Icmp(_)
            | SocketFamily::Tcp(_)
            | SocketFamily::Unix(_)
            | SocketFamily::Netlink(_) => 0,
        };
        look.news(coming, net::events(self, look.id)) != 0
    }

    /// Returns true if everything that comes to a socket is of one flow, whose messages are seen one by one.
    pub(crate) fn has_one_flow(&self, id: SocketId) -> bool {
        let socket = self.net.get(id);
        match &socket.family {
            SocketFamily::Udp(_) => socket.remote.is_some(),
            SocketFamily::Tcp(tcp) => tcp.phase == TcpPhase::Connecting,
            SocketFamily::Icmp(_) | SocketFamily::Unix(_) | SocketFamily::Netlink(_) => false,
        }
    }

    /// Receives the answers to requests for connections that nobody looks for, beside these messages: the
    /// other side waits for an acknowledgement, which does not depend on what a program does. Returns true
    /// if there were any.
    pub(crate) fn receive_answers(&mut self, looked_for: &[usize]) -> bool {
        let pending = &self.volatile.pending;
        let is_answer = |at: &usize| {
            let message = &pending.get(*at).message;
            let asks = |id: SocketId| match &self.net.get(id).family {
                SocketFamily::Tcp(tcp) => tcp.phase == TcpPhase::Connecting,
                SocketFamily::Udp(_)
                | SocketFamily::Icmp(_)
                | SocketFamily::Unix(_)
                | SocketFamily::Netlink(_) => false,
            };
            !pending.get(*at).is_held() && observer_of(self, message).is_some_and(asks)
        };
        let heads = pending.heads().into_iter();
        let answers: Vec<usize> =
            heads.filter(|at| !looked_for.contains(at) && is_answer(at)).collect();
        self.see(&answers);
        !answers.is_empty()
    }

    /// Returns true if a socket is a connection that carries a stream between nodes.
    pub(crate) fn is_stream(&self, id: SocketId) -> bool {
        let family = &self.net.get(id).family;
        matches!(family, SocketFamily::Tcp(tcp) if tcp.phase == TcpPhase::Established)
    }

    /// Lets the running thread, whose call does not wait, be later with its look: these messages are still on
    /// their way until another one has come.
    pub(crate) fn hold_look(&mut self, messages: &[usize], look: HeldLook) {
        let hold = MessageHold::new(HoldEnd::Message, self.clock.now);
        self.volatile.pending.set_hold(messages, hold);
        self.path.order_mark.set_actor("held");
        self.thread_mut().held_look = Some(look);
    }

    /// Returns true if other nodes may send something that comes at the moment at which it is sent.
    pub(crate) fn may_receive_at_once(&self) -> bool {
        let at_once = |topology: &Arc<Topology>| topology.may_receive_at_once(self.net.host);
        self.has_others() && self.net.topology.as_ref().is_some_and(at_once)
    }

    /// Returns true if there are other nodes, which may send something.
    pub(crate) fn has_others(&self) -> bool {
        self.net.topology.as_ref().is_some_and(|topology| topology.hosts().len() > 1)
    }
}

/// The events that a message brings to its socket, at which so many bytes of its flow are then pending.
fn brought_by(node: &Node, id: SocketId, message: &Message<Payload>, bytes: usize) -> u32 {
    let socket = node.net.get(id);
    let is_close = message.kind.meets(MessageKind::CLOSE);
    match &socket.family {
        SocketFamily::Udp(_) if is_close => linux::POLLERR,
        SocketFamily::Tcp(tcp) if tcp.is_listening() => tcp::decision::coming_to(socket),
        SocketFamily::Tcp(tcp) if tcp.phase == TcpPhase::Connecting => match message.status {
            0 => WRITE,
            _ => NOTICED | WRITE,
        },
        SocketFamily::Tcp(_) if is_close && message.status != 0 => NOTICED,
        SocketFamily::Tcp(_) if is_close && socket.shut_out => {
            READ | linux::POLLRDHUP | linux::POLLHUP
        }
        SocketFamily::Tcp(_) if is_close => READ | linux::POLLRDHUP,
        SocketFamily::Tcp(tcp) if tcp.readable() + bytes < tcp::least_bytes(socket) => 0,
        SocketFamily::Udp(_)
        | SocketFamily::Icmp(_)
        | SocketFamily::Tcp(_)
        | SocketFamily::Unix(_)
        | SocketFamily::Netlink(_) => READ,
    }
}

/// Returns true if a program notices a message, at a socket or as an event.
fn is_observable(node: &Node, message: &Message<Payload>) -> bool {
    message.protocol == Protocol::Plain || observer_of(node, message).is_some()
}

/// The socket at which a program notices a message. `None` if none does: the kernel has to answer it, it is
/// for several sockets, or it is an event.
pub(crate) fn observer_of(node: &Node, message: &Message<Payload>) -> Option<SocketId> {
    match message.protocol {
        Protocol::Udp => udp::observer_of(node, message),
        Protocol::Tcp => tcp::observer_of(node, message),
        Protocol::Icmp => icmp::observer_of(node, message),
        Protocol::Plain => None,
    }
}
