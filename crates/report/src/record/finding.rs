//! A finding, read back from its file or from `summary.json`.

use serde::{Deserialize, Deserializer};

use crate::finding::severed::{FaultEntry, SeveredMessage, entries};
use crate::finding::value::value_text;

/// A finding.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FindingRecord {
    pub(crate) id: u32,
    pub(crate) kind: String,
    pub(crate) message: String,
    pub(crate) node: String,
    pub(crate) time_ns: u64,
    pub(crate) round: u32,
    #[serde(flatten)]
    pub(crate) blamed: BlamedRecord,
    pub(crate) count: u64,
    pub(crate) after_ignored: u32,
    pub(crate) test: Option<String>,
    pub(crate) dtest: Option<String>,
    pub(crate) replay: Option<String>,
    pub(crate) stack: Vec<PlaceRecord>,
    pub(crate) objects: Vec<ObjectRecord>,
    pub(crate) inputs: Vec<InputRecord>,
    pub(crate) output: String,
    pub(crate) violation: Option<ViolationRecord>,
    pub(crate) world: Vec<NodeRecord>,
    pub(crate) messages: Vec<MessageRecord>,
    pub(crate) messages_omitted: u64,
    pub(crate) faults: Vec<FaultRecord>,
    pub(crate) preemptions: Vec<PreemptionRecord>,
    pub(crate) exposed: Vec<ExposedRecord>,
    pub(crate) exposed_omitted: u64,
}

/// The place that a finding is shown with.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct BlamedRecord {
    function: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

/// A place in the source.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct PlaceRecord {
    pub(crate) function: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
    pub(crate) inlined: bool,
}

/// An object of memory.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ObjectRecord {
    pub(crate) what: String,
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) allocated: Vec<PlaceRecord>,
    pub(crate) freed: Vec<PlaceRecord>,
}

/// A symbolic input with its value.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InputRecord {
    pub(crate) name: String,
    #[serde(rename = "hex", deserialize_with = "bytes_of_hex")]
    pub(crate) bytes: Vec<u8>,
}

/// A violated invariant.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ViolationRecord {
    pub(crate) invariant: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) at_end: bool,
    pub(crate) values: Vec<ExposedRecord>,
}

/// Data that a node has exposed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ExposedRecord {
    pub(crate) node: String,
    pub(crate) state: i64,
    pub(crate) key: String,
    pub(crate) time_ns: u64,
    pub(crate) round: u32,
    #[serde(deserialize_with = "bytes_of_hex")]
    pub(crate) bytes: Vec<u8>,
    pub(crate) symbolic: bool,
    /// In the words of its type, if that is known.
    pub(crate) text: Option<String>,
}

impl ExposedRecord {
    /// The value in a line.
    pub(crate) fn value(&self) -> String {
        value_text(&self.bytes, self.text.as_deref())
    }
}

/// A node of the world in which the finding happened.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NodeRecord {
    pub(crate) name: String,
    pub(crate) status: String,
    pub(crate) stack: Vec<PlaceRecord>,
    pub(crate) inputs: Vec<InputRecord>,
    pub(crate) test: Option<String>,
}

/// A message between nodes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MessageRecord {
    pub(crate) time_ns: u64,
    pub(crate) round: u32,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) kind: String,
    pub(crate) source: String,
    pub(crate) destination: String,
    pub(crate) size: u64,
    #[serde(deserialize_with = "bytes_of_hex")]
    pub(crate) bytes: Vec<u8>,
    pub(crate) received: bool,
    pub(crate) received_ns: Option<u64>,
    pub(crate) received_round: Option<u32>,
    pub(crate) words: Option<WordsRecord>,
}

/// A message in the words of its protocol.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct WordsRecord {
    pub(crate) decoder: String,
    pub(crate) text: String,
    pub(crate) failed: bool,
}

impl WordsRecord {
    /// The words, or why there are none, in a line.
    pub(crate) fn line(&self) -> String {
        let WordsRecord { decoder, text, failed } = self;
        match failed {
            true => format!("{decoder} failed: {text}"),
            false => format!("{decoder}: {text}"),
        }
    }
}

/// A fault.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FaultRecord {
    pub(crate) kind: String,
    pub(crate) node: String,
    pub(crate) what: String,
    pub(crate) time_ns: u64,
    pub(crate) place: Option<PlaceRecord>,
}

impl SeveredMessage for FaultRecord {
    fn what(&self) -> &str {
        &self.what
    }

    fn time_ns(&self) -> u64 {
        self.time_ns
    }
}

/// A preemption of a thread.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct PreemptionRecord {
    pub(crate) node: String,
    pub(crate) point: u64,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) time_ns: u64,
    pub(crate) place: Option<PlaceRecord>,
}

impl FindingRecord {
    /// Returns `true` if it is no finding: something about a world that goes on.
    pub(crate) fn is_moment(&self) -> bool {
        self.kind.is_empty()
    }

    /// Makes one fault of all messages that the same barrier has swallowed: a reader wants to know that there
    /// was a partition, and each message says by itself that it was not received.
    pub(crate) fn join_severed(&mut self) {
        let joined = |entry: &FaultEntry<'_, FaultRecord>| match entry {
            FaultEntry::Single(fault) => (*fault).clone(),
            FaultEntry::Barrier(barrier) => {
                let is_first = |fault: &&FaultRecord| {
                    fault.time_ns == barrier.first_ns && barrier.is_of(&fault.what)
                };
                let first = self.faults.iter().find(is_first).cloned().unwrap_or_default();
                FaultRecord { what: barrier.text(), ..first }
            }
        };
        let faults: Vec<FaultRecord> = entries(&self.faults).iter().map(joined).collect();
        self.faults = faults;
    }

    /// The place that it is shown with.
    pub(crate) fn place(&self) -> PlaceRecord {
        let BlamedRecord { function, file, line, column } = self.blamed.clone();
        let function = function.unwrap_or_default();
        PlaceRecord { function, file, line, column, inlined: false }
    }

    /// Every place that it names.
    pub(crate) fn places(&self) -> impl Iterator<Item = &PlaceRecord> {
        let of_objects = self.objects.iter().flat_map(|of| of.allocated.iter().chain(&of.freed));
        let of_world = self.world.iter().flat_map(|node| &node.stack);
        let of_faults = self.faults.iter().filter_map(|fault| fault.place.as_ref());
        let of_preemptions = self.preemptions.iter().filter_map(|event| event.place.as_ref());
        let own = self.stack.iter().chain(of_objects);
        own.chain(of_world).chain(of_faults).chain(of_preemptions)
    }

    /// The names of the nodes of its world.
    pub(crate) fn node_names(&self) -> Vec<&str> {
        match &*self.world {
            [] => vec![&*self.node],
            world => world.iter().map(|node| &*node.name).collect(),
        }
    }

    /// The invariant that is violated, or the node that it happened on.
    pub(crate) fn title(&self) -> String {
        match &self.violation {
            Some(violation) => format!("{} {}", self.kind, violation.invariant),
            None if self.world.is_empty() => self.kind.clone(),
            None => format!("{} on {}", self.kind, self.node),
        }
    }
}

impl PlaceRecord {
    /// `file.c:12:3`, as much of it as is known; empty if nothing is.
    pub(crate) fn text(&self) -> String {
        match (self.file.as_deref(), self.line, self.column) {
            (None, ..) => String::new(),
            (Some(file), None, _) => file.to_owned(),
            (Some(file), Some(line), None) => format!("{file}:{line}"),
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}"),
        }
    }

    /// The place and the function: `file.c:12:3 in parse`.
    pub(crate) fn text_in_function(&self) -> String {
        match (&*self.text(), &*self.function) {
            (place, "") => place.to_owned(),
            ("", function) => format!("in {function}"),
            (place, function) => format!("{place} in {function}"),
        }
    }
}

/// Reads bytes that are written as hexadecimal digits.
fn bytes_of_hex<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    use serde::de::Error;

    let text = String::deserialize(from)?;
    let digit = |c: &u8| char::from(*c).to_digit(16);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(pair).collect();
    bytes.ok_or_else(|| D::Error::custom("these are no pairs of hexadecimal digits"))
}
