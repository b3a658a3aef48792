//! The messages between the nodes of a world, for people to read.

use everett_memory::ByteValue;
use everett_net::{MessageKind, Protocol};
use everett_posix::SharedMessage;
use everett_solver::PathCondition;
use everett_world::Stamp;

use crate::api::report::MessageReport;
use crate::results::finding_writer::FindingWriter;
use crate::state::node_state::{MessageRecord, PathState};

/// The last messages of a world in the order of their sending with their first bytes, `bytes_max` at most,
/// and how many came before them.
pub(crate) fn of_world(
    writer: &FindingWriter<'_, '_>,
    path: &PathCondition,
    world: &[&PathState],
    bytes_max: usize,
) -> (Vec<MessageReport>, u64) {
    let mut sent: Vec<(&PathState, &MessageRecord)> = Vec::new();
    for st in world {
        let history = &st.extra.links().history;
        sent.extend(history.iter().filter(|record| record.sent).map(|record| (*st, record)));
    }
    // Newest first within a node; a stable sort keeps that order among equals, so it is turned round.
    sent.reverse();
    sent.sort_by_key(|(st, record)| (record.at, st.extra.of));
    let omitted = sent.len().saturating_sub(writer.context.config.messages);
    let reports = sent[omitted..].iter().map(|(st, record)| {
        let receiver = world.iter().find(|other| other.extra.of == record.peer);
        let receipt = receiver.and_then(|receiver| receipt(receiver, st, record));
        let is_forgotten = receiver.is_some_and(|receiver| has_forgotten(receiver, record));
        let to = receiver.map_or(String::new(), |receiver| writer.name(receiver).to_owned());
        let message = &record.message;
        MessageReport {
            time_ns: record.at.time,
            round: record.at.round,
            from: writer.name(st).to_owned(),
            to,
            kind: kind(message),
            addresses: (message.source.to_string(), message.destination.to_string()),
            size: record.size as u64,
            bytes: beginning(writer, path, message, bytes_max),
            received: receipt.is_some() || is_forgotten,
            received_at: receipt.map(|at| (at.time, at.round)),
            words: None,
        }
    });
    let older: u64 = world.iter().map(|st| st.extra.links().older.sent).sum();
    (reports.collect(), omitted as u64 + older)
}

/// The number of messages that a path has sent.
pub(crate) fn sent_by(st: &PathState) -> u64 {
    let links = st.extra.links();
    links.older.sent + links.history.iter().filter(|record| record.sent).count() as u64
}

/// When a message was first received.
fn receipt(receiver: &PathState, sender: &PathState, sent: &MessageRecord) -> Option<Stamp> {
    let is_same = |record: &&MessageRecord| {
        !record.sent && record.peer == sender.extra.of && record.message.id == sent.message.id
    };
    // Newest first, and a message may come twice.
    receiver.extra.links().history.iter().filter(is_same).last().map(|record| record.at)
}

/// Returns `true` if a receiver has forgotten messages of that time: it has received many since.
fn has_forgotten(receiver: &PathState, sent: &MessageRecord) -> bool {
    let links = receiver.extra.links();
    let oldest = links.history.iter().last();
    links.older.hash != 0 && oldest.is_some_and(|record| sent.at < record.at)
}

fn beginning(
    writer: &FindingWriter<'_, '_>,
    path: &PathCondition,
    message: &SharedMessage,
    bytes_max: usize,
) -> Vec<u8> {
    let byte = |byte: ByteValue| match byte {
        ByteValue::Concrete(byte) => byte,
        ByteValue::Symbolic(term) => writer.context.pool.eval_u64(term, path.model()) as u8,
    };
    message.payload.values().take(bytes_max).map(byte).collect()
}

fn kind(message: &SharedMessage) -> String {
    let protocol = match message.protocol {
        Protocol::Udp => "udp",
        Protocol::Tcp => "tcp",
        Protocol::Icmp => "icmp",
        Protocol::Plain => "event",
    };
    let is_acknowledgement = message.protocol == Protocol::Tcp && message.request == 0;
    let reply = match (is_acknowledgement, message.status) {
        (true, _) => "ack",
        (false, 0) => "reply",
        (false, _) => "refusal",
    };
    let kinds = [
        (MessageKind::DATA, "data"),
        (MessageKind::REQUEST, "request"),
        (MessageKind::REPLY, reply),
        (MessageKind::CLOSE, if message.status == 0 { "close" } else { "reset" }),
    ];
    let words = kinds.into_iter().filter(|(kind, _)| message.kind.meets(*kind));
    std::iter::once(protocol).chain(words.map(|(_, word)| word)).collect::<Vec<_>>().join(" ")
}
