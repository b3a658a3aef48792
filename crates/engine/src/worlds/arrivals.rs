//! Messages of states: conditions that are taken over with them, and those that are sent.

use std::sync::Arc;

use everett_expr::{Pool, Support, TermId};
use everett_interp::Stop;
use everett_memory::ByteValue;
use everett_posix::{Guest, Payload, SharedMessage};
use everett_solver::SolverChain;
use everett_world::{Arrival, NextWake, NodeId, SentMessage};

use crate::parallel::context::RunContext;
use crate::state::conditions::TravellingConditions;
use crate::state::node_state::{FaultBudget, MessageRecord, NodeLinks, PathState};
use crate::worlds::budgets::{count, limited};

/// Takes note of faults that messages tell of, whatever becomes of those: what has happened elsewhere
/// cannot happen here any more if a world has no more of it.
pub(crate) fn take_note(
    context: &RunContext<'_>,
    st: &mut PathState,
    arrivals: &[Arrival<SharedMessage>],
) {
    let mut news = arrivals.iter().flat_map(|arrival| context.constraints.spent(arrival.carried));
    let Some(first) = news.next() else { return };
    let spent = &mut st.extra.links_mut().spent;
    std::iter::once(first).chain(news).for_each(|news| news.add_to(spent));
    let spent = spent.clone();
    for (of, most) in limited(context) {
        let elsewhere: u32 =
            spent.iter().filter(|spent| spent.of == of).map(|spent| spent.count).sum();
        if count(context, st, of) + elsewhere < most {
            continue;
        }
        let faults = st.extra.node_mut().faults_mut();
        match of {
            FaultBudget::Kind(kind) => faults.rule_out(kind),
            FaultBudget::Link(number) => faults.rule_out_on(&context.config.links[number as usize]),
        }
    }
}

/// Takes over the constraints that travel with messages, whatever becomes of those: before it is decided
/// whether they get through, if that depends on bytes that their senders may have assumed something about.
pub(crate) fn agree(
    st: &mut PathState,
    solver: &mut SolverChain,
    pool: &Pool,
    constraints: &TravellingConditions,
    arrivals: &[Arrival<SharedMessage>],
) -> Result<bool, Stop> {
    for arrival in arrivals {
        if !assume_carried(st, solver, pool, constraints.get(arrival.carried))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes over constraints of a sender; false if the path contradicts them.
fn assume_carried(
    st: &mut PathState,
    solver: &mut SolverChain,
    pool: &Pool,
    terms: &[TermId],
) -> Result<bool, Stop> {
    if !st.path.assume_all(solver, pool, terms.iter().copied())? {
        return Ok(false);
    }
    let links = st.extra.links_mut();
    for term in terms {
        links.received = links.received.union(pool.support(*term));
    }
    Ok(true)
}

/// Takes over what an arrival brings besides the message: constraints, and bytes that are known
/// from now on. What is lost on its way brings nothing.
pub(crate) fn take_over(
    context: &RunContext<'_>,
    st: &mut PathState,
    solver: &mut SolverChain,
    arrivals: &[Arrival<SharedMessage>],
) -> Result<bool, Stop> {
    let (pool, constraints) = (context.pool, &context.constraints);
    for (index, arrival) in arrivals.iter().enumerate() {
        let node = st.extra.node();
        if node.is_lost(index) || node.is_deaf_to(&arrival.message, arrival.at.time) {
            continue;
        }
        // What comes instead of a message says nothing about its sender.
        let is_replaced = node.is_replaced(index);
        if !is_replaced && !assume_carried(st, solver, pool, constraints.get(arrival.carried))? {
            return Ok(false);
        }
        let bytes = match is_replaced {
            true => Support::default(),
            false => payload_bytes(pool, &arrival.message),
        };
        let links = st.extra.links_mut();
        if !bytes.is_empty() {
            links.received = links.received.union(&bytes);
        }
        let (message, size) = (arrival.message.clone(), arrival.message.payload.len());
        let (at, peer) = (arrival.at, arrival.from);
        note(context, links, MessageRecord { at, peer, sent: false, size, message });
    }
    Ok(true)
}

/// Adds a message to the history of a state. Only the search for Trojan messages reads long ones to the end.
fn note(context: &RunContext<'_>, links: &mut NodeLinks, record: MessageRecord) {
    let reads_all = context.trojans.is_some();
    links.history.push(if reads_all { record } else { record.shortened() });
}

/// The messages that a state sends when it blocks, and the time at which it goes on by itself.
pub(crate) fn blocked(
    context: &RunContext<'_>,
    st: &mut PathState,
) -> (NextWake, Vec<SentMessage<SharedMessage>>) {
    let pool = context.pool;
    let mut outgoing = st.extra.node_mut().take_sent();
    if st.extra.boot.is_node() {
        outgoing.iter_mut().for_each(|(_, message)| *message = without_settled(pool, st, message));
    }
    let next = if st.extra.boot.begins_after(st.extra.activated()) {
        NextWake::NextRound
    } else {
        st.extra.node().next_wake()
    };
    let had_sent = !st.extra.links().sent.is_empty();
    if outgoing.is_empty() && !had_sent {
        return (next, Vec::new());
    }
    let at = st.extra.activated();
    st.extra.links_mut().sent = Support::default();
    let takes_time = st.extra.node().has_timed_ways();
    let mut sent = Vec::with_capacity(outgoing.len());
    for (host, message) in outgoing {
        // Whether it is later than that is decided where it arrives.
        let delay = match takes_time {
            true => st.extra.node_mut().travel_ns(host, &message, at.time),
            false => 0,
        };
        // Only nodes are sent to, and the number of a node is that of its host.
        let to = NodeId(host.0);
        let links = st.extra.links_mut();
        links.sent = links.sent.union(&payload_bytes(pool, &message));
        let (size, record) = (message.payload.len(), message.clone());
        note(context, links, MessageRecord { at, peer: to, sent: true, size, message: record });
        sent.push(SentMessage { to, delay, message });
    }
    (next, sent)
}

/// A message without bytes whose value is settled: they mean something else to another node.
fn without_settled(pool: &Pool, st: &PathState, message: &SharedMessage) -> SharedMessage {
    if let Payload::Known(_) = message.payload {
        return message.clone();
    }
    let settled = |byte: ByteValue| match byte {
        ByteValue::Concrete(_) => byte,
        ByteValue::Symbolic(term) => {
            let term = st.path.simplify(pool, term);
            let value = pool.as_const(term).map(|value| ByteValue::Concrete(value as u8));
            value.unwrap_or(ByteValue::Symbolic(term))
        }
    };
    let bytes: Vec<ByteValue> = message.payload.values().map(settled).collect();
    Arc::new(message.with_payload(Payload::from(&bytes[..])))
}

fn payload_bytes(pool: &Pool, message: &SharedMessage) -> Support {
    message.payload.terms().fold(Support::default(), |support, term| {
        let more = pool.support(term);
        if support.contains_all(more) { support } else { support.union(more) }
    })
}
