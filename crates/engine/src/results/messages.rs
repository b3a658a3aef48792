//! The messages between the nodes of a world, for people to read.

use everett_memory::ByteValue;
use everett_net::{MessageKind, Protocol};
use everett_posix::SharedMessage;
use everett_solver::PathCondition;

use crate::api::report::MessageReport;
use crate::results::finding_writer::FindingWriter;
use crate::state::node_state::{MessageRecord, PathState, SHOWN_BYTES};

/// The last messages of a world in the order of their sending, and how many came before them.
pub(crate) fn of_world(
    writer: &FindingWriter<'_, '_>,
    path: &PathCondition,
    world: &[&PathState],
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
        let received = receiver.is_some_and(|receiver| has_received(receiver, st, record));
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
            bytes: shown(writer, path, message),
            received,
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

fn has_received(receiver: &PathState, sender: &PathState, sent: &MessageRecord) -> bool {
    let links = receiver.extra.links();
    let is_same = |record: &MessageRecord| {
        !record.sent && record.peer == sender.extra.of && record.message.id == sent.message.id
    };
    // A receiver that has forgotten messages of that time has received many since.
    let is_forgotten = || {
        let oldest = links.history.iter().last();
        links.older.hash != 0 && oldest.is_some_and(|record| sent.at < record.at)
    };
    links.history.iter().any(is_same) || is_forgotten()
}

fn shown(writer: &FindingWriter<'_, '_>, path: &PathCondition, message: &SharedMessage) -> Vec<u8> {
    let byte = |byte: ByteValue| match byte {
        ByteValue::Concrete(byte) => byte,
        ByteValue::Symbolic(term) => writer.context.pool.eval_u64(term, path.model()) as u8,
    };
    message.payload.values().take(SHOWN_BYTES).map(byte).collect()
}

fn kind(message: &SharedMessage) -> String {
    let protocol = match message.protocol {
        Protocol::Udp => "udp",
        Protocol::Tcp => "tcp",
        Protocol::Plain => "event",
    };
    let is_acknowledgement = message.protocol == Protocol::Tcp && message.request == 0;
    let kinds = [
        (MessageKind::DATA, "data"),
        (MessageKind::REQUEST, "request"),
        (MessageKind::REPLY, if is_acknowledgement { "ack" } else { "reply" }),
        (MessageKind::CLOSE, if message.status == 0 { "close" } else { "reset" }),
    ];
    let words = kinds.into_iter().filter(|(kind, _)| message.kind.meets(*kind));
    std::iter::once(protocol).chain(words.map(|(_, word)| word)).collect::<Vec<_>>().join(" ")
}
