//! Recorded messages that were compared with what a program can send, as a table and as JSON.

use std::fmt::Write;

use everett_engine::Outcome;
use serde::Serialize;

use crate::json::{outcome_name, pretty};
use crate::number::{count_of, grouped};
use crate::paint::PaintMode;

/// Messages of each kind that the table shows; all of them are in the JSON.
const SHOWN_MESSAGES: usize = 20;
/// Bytes of a message that the table shows.
const SHOWN_BYTES: usize = 24;

/// The answer to the question whether a program can have sent a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SentVerdict {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// The solver gave up, or no path that was explored can have sent it, and others were not explored.
    Undecided,
}

impl SentVerdict {
    /// Its name, which is part of the output format.
    pub const fn name(self) -> &'static str {
        match self {
            SentVerdict::Yes => "yes",
            SentVerdict::No => "no",
            SentVerdict::Undecided => "undecided",
        }
    }
}

/// A recorded message, and whether the program can have sent it.
#[derive(Clone, Debug)]
pub struct ConformanceRow {
    /// The number of its packet.
    pub packet: u64,
    /// The time of the packet, in seconds with a fraction.
    pub time: Option<String>,
    /// `udp` or `tcp`.
    pub transport: &'static str,
    /// Addresses and ports of the sender and of the receiver.
    pub ends: [String; 2],
    /// The contents.
    pub bytes: Vec<u8>,
    /// The answer.
    pub sent: SentVerdict,
    /// Paths of the program that can have sent it.
    pub paths: u64,
    /// The offsets of a smallest set of bytes that no path sends together, if no path can have sent it; none
    /// of them if no path sends messages of this length.
    pub core: Option<Vec<u32>>,
    /// A message near to it that a path sends.
    pub nearest: Option<Vec<u8>>,
}

/// A comparison of recorded messages with what a program can send.
#[derive(Clone, Debug)]
pub struct ConformanceTable {
    /// The file with the trace.
    pub trace: String,
    /// The program, or the system and its node.
    pub sender: String,
    /// The end of the exploration of the program.
    pub outcome: Outcome,
    /// Its paths that send something.
    pub sender_paths: u64,
    /// The lengths of messages that it sends, ascending.
    pub lengths: Vec<u32>,
    /// The number of packets in the trace.
    pub packets: u64,
    /// Packets that are part of no message, by reason.
    pub left_out: Vec<(String, u64)>,
    /// Bytes that are missing in TCP streams: the ends, the offset, and the number of bytes.
    pub gaps: Vec<([String; 2], i64, u64)>,
    /// The messages, in the order of their packets.
    pub rows: Vec<ConformanceRow>,
    /// Names of bytes by their offsets, where a struct type was given.
    pub fields: Vec<String>,
}

impl ConformanceTable {
    fn count(&self, sent: SentVerdict) -> u64 {
        self.rows.iter().filter(|row| row.sent == sent).count() as u64
    }

    /// The name of a byte, with the field that holds it.
    fn byte_name(&self, offset: u32) -> String {
        match self.field(offset) {
            Some(field) => format!("byte {offset} ({field})"),
            None => format!("byte {offset}"),
        }
    }

    fn field(&self, offset: u32) -> Option<&str> {
        let name = self.fields.get(offset as usize).filter(|name| !name.is_empty());
        name.map(String::as_str)
    }
}

/// The comparison as text.
pub fn conformance_text(table: &ConformanceTable, paint: PaintMode) -> String {
    let mut out = format!("{}\n", paint.strong(&table.trace));
    let _ = writeln!(
        out,
        "  {} in {}",
        count_of(table.rows.len() as u64, "message"),
        count_of(table.packets, "packet")
    );
    for (reason, packets) in &table.left_out {
        let _ = writeln!(out, "  left out: {} ({reason})", count_of(*packets, "packet"));
    }
    for (ends, offset, length) in &table.gaps {
        let bytes = count_of(*length, "byte");
        let _ = writeln!(out, "  {} > {}: {bytes} missing from byte {offset} on", ends[0], ends[1]);
    }
    let explored = match table.outcome {
        Outcome::Exhausted => "",
        _ => ", not all explored",
    };
    let paths = count_of(table.sender_paths, "sending path");
    let _ = writeln!(out, "  sender: {}, {paths}{explored}", table.sender);
    let _ = writeln!(out, "  sent: {}", grouped(table.count(SentVerdict::Yes)));
    for (verdict, title) in [(SentVerdict::No, "not sent"), (SentVerdict::Undecided, "undecided")] {
        let count = table.count(verdict);
        if count == 0 {
            continue;
        }
        let _ = writeln!(out, "  {}: {}", paint.alarm(title), grouped(count));
        let rows = table.rows.iter().filter(|row| row.sent == verdict);
        rows.take(SHOWN_MESSAGES).for_each(|row| row_text(&mut out, table, row));
        let rest = count.saturating_sub(SHOWN_MESSAGES as u64);
        if rest > 0 {
            let _ = writeln!(out, "    {} more in conforms.json", grouped(rest));
        }
    }
    out
}

fn row_text(out: &mut String, table: &ConformanceTable, row: &ConformanceRow) {
    let length = count_of(row.bytes.len() as u64, "byte");
    let _ = writeln!(
        out,
        "    packet {}: {} {} > {}, {length}",
        row.packet, row.transport, row.ends[0], row.ends[1]
    );
    let Some(core) = &row.core else { return };
    let _ = writeln!(out, "      no path: {}", core_text(table, row, core));
    let _ = writeln!(out, "      message: {}", marked_bytes(&row.bytes, core));
    if let Some(nearest) = &row.nearest {
        let other: Vec<u32> = differences(&row.bytes, nearest).collect();
        let _ = writeln!(out, "      nearest: {}", marked_bytes(nearest, &other));
    }
}

/// The bytes that no path sends together.
fn core_text(table: &ConformanceTable, row: &ConformanceRow, core: &[u32]) -> String {
    if core.is_empty() {
        let lengths: Vec<String> = table.lengths.iter().map(u32::to_string).collect();
        return match lengths.as_slice() {
            [] => "sends anything".to_owned(),
            lengths => format!("sends this length, only {}", lengths.join(", ")),
        };
    }
    let byte = |at: &u32| format!("{} = {:#04x}", table.byte_name(*at), row.bytes[*at as usize]);
    let bytes: Vec<String> = core.iter().map(byte).collect();
    format!("sends {}", bytes.join(" with "))
}

/// Bytes in hexadecimal, some of them in brackets.
fn marked_bytes(bytes: &[u8], marked: &[u32]) -> String {
    let byte = |(at, value): (u32, &u8)| match marked.contains(&at) {
        true => format!("[{value:02x}]"),
        false => format!("{value:02x}"),
    };
    let shown: Vec<String> = (0..).zip(bytes).take(SHOWN_BYTES).map(byte).collect();
    let rest = bytes.len().saturating_sub(SHOWN_BYTES);
    let rest = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    format!("{}{rest}", shown.join(" "))
}

fn differences<'a>(message: &'a [u8], nearest: &'a [u8]) -> impl Iterator<Item = u32> + 'a {
    let pairs = (0..).zip(message.iter().zip(nearest));
    pairs.filter(|(_, (given, near))| given != near).map(|(offset, _)| offset)
}

#[derive(Serialize)]
struct ConformanceJson<'t> {
    outcome: &'static str,
    trace: &'t str,
    sender: &'t str,
    sender_paths: u64,
    senders_explored: bool,
    packets: u64,
    message_count: usize,
    sent: u64,
    not_sent: u64,
    undecided: u64,
    left_out: Vec<LeftOutJson<'t>>,
    gaps: Vec<GapJson<'t>>,
    messages: Vec<MessageJson<'t>>,
}

#[derive(Serialize)]
struct LeftOutJson<'t> {
    reason: &'t str,
    packets: u64,
}

#[derive(Serialize)]
struct GapJson<'t> {
    source: &'t str,
    destination: &'t str,
    offset: i64,
    length: u64,
}

#[derive(Serialize)]
struct MessageJson<'t> {
    packet: u64,
    time: Option<&'t str>,
    transport: &'static str,
    source: &'t str,
    destination: &'t str,
    /// The contents in hexadecimal.
    bytes: String,
    /// `yes`, `no` or `undecided`.
    sent: &'static str,
    paths: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    core: Option<Vec<ByteJson<'t>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<NearestJson<'t>>,
}

#[derive(Serialize)]
struct NearestJson<'t> {
    bytes: String,
    different: Vec<ByteJson<'t>>,
}

#[derive(Serialize)]
struct ByteJson<'t> {
    offset: u32,
    value: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'t str>,
}

/// The comparison as JSON.
pub fn conformance_json(table: &ConformanceTable) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let byte = |bytes: &[u8], offset: u32| ByteJson {
        offset,
        value: bytes[offset as usize],
        field: table.field(offset),
    };
    let messages = table.rows.iter().map(|row| {
        let core = row.core.as_ref();
        MessageJson {
            packet: row.packet,
            time: row.time.as_deref(),
            transport: row.transport,
            source: &row.ends[0],
            destination: &row.ends[1],
            bytes: hex(&row.bytes),
            sent: row.sent.name(),
            paths: row.paths,
            core: core.map(|core| core.iter().map(|&at| byte(&row.bytes, at)).collect()),
            nearest: row.nearest.as_ref().map(|near| NearestJson {
                bytes: hex(near),
                different: differences(&row.bytes, near).map(|at| byte(near, at)).collect(),
            }),
        }
    });
    let left_out = table.left_out.iter();
    let gaps = table.gaps.iter();
    pretty(&ConformanceJson {
        outcome: outcome_name(table.outcome),
        trace: &table.trace,
        sender: &table.sender,
        sender_paths: table.sender_paths,
        senders_explored: table.outcome == Outcome::Exhausted,
        packets: table.packets,
        message_count: table.rows.len(),
        sent: table.count(SentVerdict::Yes),
        not_sent: table.count(SentVerdict::No),
        undecided: table.count(SentVerdict::Undecided),
        left_out: left_out
            .map(|(reason, packets)| LeftOutJson { reason, packets: *packets })
            .collect(),
        gaps: gaps
            .map(|(ends, offset, length)| GapJson {
                source: &ends[0],
                destination: &ends[1],
                offset: *offset,
                length: *length,
            })
            .collect(),
        messages: messages.collect(),
    })
}
