//! Messages that have come to a node and that no thread has observed yet.
//!
//! With orders to explore, a message is not put into its socket when it comes, but when a thread looks
//! there: until then nobody can tell whether it has come, so there is nothing to fork over. Where a thread
//! looks, `fault/observation.rs` decides which of these messages it sees.
//!
//! Messages of one flow are seen in the order in which they were sent, so only the first one of each flow
//! can be seen next. A flow is what comes from one address to another.

use std::net::SocketAddr;

use everett_net::{HostId, Protocol};
use smallvec::SmallVec;

use crate::state::ids::{SocketId, ThreadKey, Time};
use crate::state::sockets::message::SharedMessage;

/// The number of times that a thread that does not wait may look in vain before a message has come. Without
/// a bound, a program that looks again and again would have infinitely many orders.
const MOST_MISSES: u8 = 2;

/// The virtual time that a hold lasts at most: ten seconds, with what happens then. What another node sends
/// later does not overtake the message.
const LONGEST_HOLD: Time = 10_000_000_001;

/// The messages of a node that no thread has observed, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct PendingMessages {
    messages: Vec<PendingMessage>,
    hold: Option<MessageHold>,
    /// The thread that goes on when the node is woken next, in a state that was forked while it waited.
    fork: Option<ForkedWait>,
    /// The looks in vain at sockets since a message was seen.
    vain_looks: Vec<(SocketId, u8)>,
}

everett_base::portable!(struct PendingMessages { messages, hold, fork, vain_looks });

/// A message that has come, or may still be on its way.
#[derive(Clone, Debug)]
pub(crate) struct PendingMessage {
    pub(crate) from: HostId,
    pub(crate) message: SharedMessage,
    /// It is held: something else has to be observed first.
    held: bool,
    /// Looks in vain that it could have been seen by.
    misses: u8,
}

everett_base::portable!(struct PendingMessage { from, message, held, misses });

/// A decision that messages are still on their way while their receiver waits for them, or that a look that
/// does not wait is later than it could be. It is worth a path of its own only if the receiver observes
/// something else first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MessageHold {
    pub(crate) until: HoldEnd,
    /// The time at which the hold has lasted too long to be explored.
    pub(crate) expires: Time,
    /// The links of the messages that are seen before a deadline which is put off for them.
    pub(crate) tie: Option<TiedLinks>,
}

everett_base::portable!(struct MessageHold { until, expires, tie });

/// The links on which messages come at the moment of a deadline and are seen before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TiedLinks {
    /// Groups of links, bits by their numbers (`schedule/tie.rs`).
    pub(crate) groups: u32,
}

everett_base::portable!(struct TiedLinks { groups });

/// The event that ends a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HoldEnd {
    /// Another message is observed.
    Message,
    /// A deadline of the receiver passes.
    Deadline,
    /// A message is observed that comes at the moment of a deadline of the receiver, which is put off for it.
    Tie,
}

everett_base::portable!(enum HoldEnd { 0 = Message, 1 = Deadline, 2 = Tie });

/// The way on of a state that was forked while all threads of its node waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForkedWait {
    /// This thread runs.
    Runs(ThreadKey),
    /// The node goes on waiting.
    Waits,
}

everett_base::portable!(enum ForkedWait { 0 = Runs(value), 1 = Waits });

impl MessageHold {
    /// A hold that begins at a time.
    pub(crate) fn new(until: HoldEnd, now: Time) -> MessageHold {
        MessageHold { until, expires: now.saturating_add(LONGEST_HOLD), tie: None }
    }
}

/// Identifies a flow: its protocol, where it comes from, and where it goes.
pub(crate) type FlowKey = (Protocol, SocketAddr, SocketAddr);

fn flow_of(message: &SharedMessage) -> FlowKey {
    let (mut from, mut to) = (message.source, message.destination);
    if message.protocol == Protocol::Plain {
        // Ports of events mean what programs agree on.
        from.set_port(0);
        to.set_port(0);
    }
    (message.protocol, from, to)
}

impl PendingMessage {
    pub(crate) fn flow(&self) -> FlowKey {
        flow_of(&self.message)
    }

    /// Returns true if it is an event that programs handle themselves.
    pub(crate) fn is_event(&self) -> bool {
        self.message.protocol == Protocol::Plain
    }

    /// Returns true if it was there when a hold began that lasts.
    pub(crate) fn is_held(&self) -> bool {
        self.held
    }

    /// Returns true if it has come by now, as threads have looked for it often enough.
    pub(crate) fn is_overdue(&self) -> bool {
        self.misses >= MOST_MISSES
    }
}

impl PendingMessages {
    pub(crate) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Returns true if there is nothing to decide when a thread looks or the node waits.
    pub(crate) fn is_idle(&self) -> bool {
        self.messages.is_empty() && self.hold.is_none()
    }

    /// Adds a message that has just come.
    pub(crate) fn push(&mut self, from: HostId, message: SharedMessage) {
        self.messages.push(PendingMessage { from, message, held: false, misses: 0 });
    }

    /// Returns true if there are messages of the flow of one that has just come.
    pub(crate) fn has_before(&self, message: &SharedMessage) -> bool {
        self.messages.iter().any(|pending| pending.flow() == flow_of(message))
    }

    pub(crate) fn get(&self, at: usize) -> &PendingMessage {
        &self.messages[at]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &PendingMessage> {
        self.messages.iter()
    }

    /// The positions of messages that can be seen next: the first one of each flow.
    pub(crate) fn heads(&self) -> Vec<usize> {
        let is_head = |at: usize| {
            let flow = self.messages[at].flow();
            self.messages[..at].iter().all(|other| other.flow() != flow)
        };
        (0..self.messages.len()).filter(|at| is_head(*at)).collect()
    }

    /// The positions of messages behind one of the same flow, and that one before them.
    pub(crate) fn flow_from(&self, at: usize) -> Vec<usize> {
        let flow = self.messages[at].flow();
        (at..self.messages.len()).filter(|other| self.messages[*other].flow() == flow).collect()
    }

    /// Takes messages out by their positions, of which there is one at least, in the order in which they
    /// came. Events are taken out in the order of the positions.
    pub(crate) fn take(&mut self, positions: &[usize]) -> Vec<SharedMessage> {
        self.vain_looks.clear();
        let is_taken = |at: &usize| positions.contains(at);
        let mut order: SmallVec<[usize; 4]> = (0..self.messages.len()).filter(is_taken).collect();
        if positions.first().is_some_and(|first| self.messages[*first].is_event()) {
            order = SmallVec::from_slice(positions);
        }
        let taken = order.iter().map(|at| self.messages[*at].message.clone()).collect();
        let mut at = 0;
        self.messages.retain(|_| {
            at += 1;
            !positions.contains(&(at - 1))
        });
        taken
    }

    /// Takes all messages out.
    pub(crate) fn take_all(&mut self) -> Vec<SharedMessage> {
        self.release();
        self.messages.drain(..).map(|pending| pending.message).collect()
    }

    /// Notes that a thread has looked, and has not seen these.
    pub(crate) fn miss(&mut self, positions: &[usize]) {
        for at in positions {
            self.messages[*at].misses += 1;
        }
    }

    /// Notes that a thread has looked at sockets, and has seen nothing new there.
    pub(crate) fn look_in_vain(&mut self, sockets: &[SocketId]) {
        for id in sockets {
            match self.vain_looks.iter_mut().find(|(socket, _)| socket == id) {
                Some((_, looks)) => *looks = looks.saturating_add(1),
                None => self.vain_looks.push((*id, 1)),
            }
        }
    }

    /// Returns true if a thread has looked at a socket in vain since a message was seen.
    pub(crate) fn is_looked_at_in_vain(&self, id: SocketId) -> bool {
        self.vain_looks.iter().any(|(socket, _)| *socket == id)
    }

    /// Forgets the looks at a socket that is gone.
    pub(crate) fn forget_looks(&mut self, id: SocketId) {
        self.vain_looks.retain(|(socket, _)| *socket != id);
    }

    /// Returns true if threads have looked at a socket in vain so often that they see what comes next where
    /// it comes.
    pub(crate) fn is_looked_at_often(&self, id: SocketId) -> bool {
        self.vain_looks.iter().any(|(socket, looks)| *socket == id && *looks > MOST_MISSES)
    }

    pub(crate) fn hold(&self) -> Option<MessageHold> {
        self.hold
    }

    /// Holds the flows back that begin with these messages, as far as they are there.
    pub(crate) fn set_hold(&mut self, heads: &[usize], hold: MessageHold) {
        for head in heads {
            for at in self.flow_from(*head) {
                self.messages[at].held = true;
            }
        }
        self.hold = Some(hold);
    }

    /// Returns true if a view shows a message that is not held. Any other view was there to be chosen when
    /// the hold began.
    pub(crate) fn is_new(&self, view: &[usize]) -> bool {
        view.iter().any(|at| !self.messages[*at].held)
    }

    /// Ends a hold: what was held can be seen.
    pub(crate) fn release(&mut self) {
        self.hold = None;
        self.messages.iter_mut().for_each(|pending| pending.held = false);
    }

    /// Sets how a state that was forked while its threads waited goes on.
    pub(crate) fn set_fork(&mut self, fork: ForkedWait) {
        self.fork = Some(fork);
    }

    pub(crate) fn take_fork(&mut self) -> Option<ForkedWait> {
        self.fork.take()
    }

    /// Returns true if the state was forked while its threads waited, and one of them runs next.
    pub(crate) fn is_about_to_run(&self) -> bool {
        matches!(self.fork, Some(ForkedWait::Runs(_)))
    }

    /// Returns true if the state was forked while its threads waited, and has not gone on since.
    pub(crate) fn is_forked(&self) -> bool {
        self.fork.is_some()
    }
}
