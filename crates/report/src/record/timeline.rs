//! [`Timeline`]: everything that is known to have happened in the world of a finding, in one order.
//!
//! A node that is woken first receives, then computes, and sends when it waits again; that is the order of
//! what has the same time and round. Faults and preemptions have no round, and stand behind everything of
//! their time: what is lost was sent before. The order agrees with that of cause and effect.

use std::collections::BTreeSet;

use super::finding::{ExposedRecord, FaultRecord, FindingRecord, MessageRecord, PreemptionRecord};

/// Something that happened on a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EventKind<'a> {
    /// It got the message of this number.
    Receive(usize, &'a MessageRecord),
    /// It exposed data to invariants.
    Expose(&'a ExposedRecord),
    /// It sent the message of this number.
    Send(usize, &'a MessageRecord),
    /// The finding itself.
    Finding,
    /// A thread of it ran instead of another one.
    Preempt(&'a PreemptionRecord),
    /// A fault happened to it.
    Fault(&'a FaultRecord),
}

impl EventKind<'_> {
    fn rank(self) -> u32 {
        match self {
            EventKind::Receive(..) => 0,
            EventKind::Expose(_) => 1,
            EventKind::Send(..) => 2,
            EventKind::Finding => 3,
            EventKind::Preempt(_) => 4,
            EventKind::Fault(_) => 5,
        }
    }
}

/// An event with its place and time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldEvent<'a> {
    /// The number of its node in [`Timeline::nodes`].
    pub(crate) node: usize,
    pub(crate) time_ns: u64,
    /// None of events that have no round.
    pub(crate) round: Option<u32>,
    pub(crate) kind: EventKind<'a>,
}

/// The events of a world.
#[derive(Debug)]
pub(crate) struct Timeline<'a> {
    /// The names of its nodes.
    pub(crate) nodes: Vec<&'a str>,
    pub(crate) events: Vec<WorldEvent<'a>>,
}

impl<'a> Timeline<'a> {
    /// The events of the world of a finding, or of one before it comes to its end.
    pub(crate) fn of(finding: &'a FindingRecord) -> Timeline<'a> {
        let mut line = Timeline { nodes: finding.node_names(), events: Vec::new() };
        for (number, message) in finding.messages.iter().enumerate() {
            let sent = (message.time_ns, Some(message.round));
            line.add(&message.from, sent, EventKind::Send(number, message));
            if let (Some(time), round @ Some(_)) = (message.received_ns, message.received_round) {
                line.add(&message.to, (time, round), EventKind::Receive(number, message));
            }
        }
        for data in &finding.exposed {
            line.add(&data.node, (data.time_ns, Some(data.round)), EventKind::Expose(data));
        }
        for preemption in &finding.preemptions {
            let at = (preemption.time_ns, None);
            line.add(&preemption.node, at, EventKind::Preempt(preemption));
        }
        for fault in &finding.faults {
            line.add(&fault.node, (fault.time_ns, None), EventKind::Fault(fault));
        }
        if !finding.is_moment() {
            let at = (finding.time_ns, Some(finding.round));
            line.add(&finding.node, at, EventKind::Finding);
        }
        // Stable: what a node sends in a round stays in its order.
        line.events.sort_by_key(|event| {
            (event.time_ns, event.round.unwrap_or(u32::MAX), event.kind.rank())
        });
        line
    }

    /// Leaves the last events, so many and no arrivals of messages that were sent before. Returns the
    /// number of those that are left out.
    pub(crate) fn shorten(&mut self, most: usize) -> usize {
        let left_out = self.events.len().saturating_sub(most);
        self.events.drain(..left_out);
        let sent = |event: &WorldEvent<'_>| match event.kind {
            EventKind::Send(number, _) => Some(number),
            _ => None,
        };
        let sent: BTreeSet<usize> = self.events.iter().filter_map(sent).collect();
        self.events.retain(|event| match event.kind {
            EventKind::Receive(number, _) => sent.contains(&number),
            _ => true,
        });
        left_out
    }

    fn add(&mut self, node: &'a str, (time_ns, round): (u64, Option<u32>), kind: EventKind<'a>) {
        let known = self.nodes.iter().position(|known| *known == node);
        let node = known.unwrap_or_else(|| {
            self.nodes.push(node);
            self.nodes.len() - 1
        });
        self.events.push(WorldEvent { node, time_ns, round, kind });
    }
}
