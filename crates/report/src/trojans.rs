//! Trojan messages, as a table and as JSON.

use std::fmt::Write;

use everett_engine::{
    MessageCount, Summary, TrojanByte, TrojanCertainty, TrojanFinding, TrojanSummary,
};
use serde::Serialize;

use crate::json::{outcome_name, pretty};
use crate::number::{count_of, grouped};
use crate::paint::PaintMode;
use crate::run_info::RunInfo;

/// Bytes of an example that the table shows; all of them are in the JSON.
const SHOWN_BYTES: usize = 24;

/// The classes of Trojan messages as a table, with what was compared.
pub(crate) fn trojans_text(trojans: &TrojanSummary, paint: PaintMode) -> String {
    let TrojanSummary { sender_paths, replaced, pruned, accepted, rejected, undecided, .. } =
        trojans;
    let mut out = format!("  {}\n", paint.strong("trojan messages"));
    let explored = if trojans.are_senders_explored { "" } else { ", not all explored" };
    let _ = writeln!(out, "    senders: {}{explored}", count_of(*sender_paths, "path"));
    let _ = writeln!(
        out,
        "    receivers: {} replaced; paths: {} accepted, {} rejected, {} left since all can be sent",
        count_of(*replaced, "message"),
        grouped(*accepted),
        grouped(*rejected),
        grouped(*pruned)
    );
    if *undecided > 0 {
        let _ = writeln!(
            out,
            "    {} with messages that are not decided",
            count_of(*undecided, "path")
        );
    }
    if *sender_paths == 0 {
        out.push_str(
            "    no sender sends anything to a receiver: are these the nodes that are meant?\n",
        );
    } else if trojans.classes.is_empty() {
        out.push_str("    none\n");
    }
    for class in &trojans.classes {
        out.push_str(&class_text(class, paint));
    }
    out
}

fn class_text(class: &TrojanFinding, paint: PaintMode) -> String {
    let place = match class.file.is_empty() {
        true if class.function.is_empty() => "at its end".to_owned(),
        true => class.function.clone(),
        false => format!("{}:{} in {}", class.file, class.line, class.function),
    };
    let sure = match class.certainty {
        TrojanCertainty::Certain => "",
        TrojanCertainty::NotSeen => ", not seen from a sender",
        TrojanCertainty::Possible => ", possible",
    };
    let mut out = format!(
        "    {}{sure}: {} at {}, {place}\n",
        paint.alarm(class.effect.name()),
        count_of(class.length.into(), "byte"),
        class.node
    );
    let _ = writeln!(out, "      no sender: {}", core_text(class));
    let _ = writeln!(out, "      example:   {}", marked_bytes(class));
    if let Some(count) = class.messages {
        let _ = writeln!(out, "      messages:  {}", messages_text(count));
    }
    out
}

/// The bytes that no sender sends together, each with its value in the example.
fn core_text(class: &TrojanFinding) -> String {
    if class.certainty == TrojanCertainty::Possible {
        return "the solver could not tell which bytes".to_owned();
    }
    if class.core.is_empty() {
        return "sends messages of this length".to_owned();
    }
    let byte = |TrojanByte { offset, value, field }: &TrojanByte| {
        let name = field.as_ref().map_or(String::new(), |field| format!(" ({field})"));
        format!("byte {offset}{name} = {}", value_text(*value))
    };
    let bytes: Vec<String> = class.core.iter().map(byte).collect();
    format!("sends {}", bytes.join(" with "))
}

fn value_text(value: u8) -> String {
    match value {
        b' '..=b'~' => format!("{value:#04x} '{}'", char::from(value)),
        _ => format!("{value:#04x}"),
    }
}

/// The example in hexadecimal, with the bytes in brackets that no sender sends together.
fn marked_bytes(class: &TrojanFinding) -> String {
    let is_core = |at: u32| class.core.iter().any(|byte| byte.offset == at);
    let byte = |(at, value): (u32, &u8)| match is_core(at) {
        true => format!("[{value:02x}]"),
        false => format!("{value:02x}"),
    };
    let shown: Vec<String> = (0..).zip(&class.example).take(SHOWN_BYTES).map(byte).collect();
    let rest = class.example.len().saturating_sub(SHOWN_BYTES);
    let rest = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    format!("{}{rest}", shown.join(" "))
}

fn messages_text(MessageCount { count, power_of_256 }: MessageCount) -> String {
    let number = 256u128.checked_pow(power_of_256).and_then(|factor| factor.checked_mul(count));
    match number {
        Some(number) => number.to_string(),
        None => format!("{count} times 256 to the power of {power_of_256}"),
    }
}

#[derive(Serialize)]
struct TrojansJson {
    outcome: &'static str,
    sender_paths: u64,
    senders_explored: bool,
    replaced: u64,
    accepted: u64,
    rejected: u64,
    pruned: u64,
    undecided: u64,
    classes: Vec<ClassJson>,
}

#[derive(Serialize)]
struct ClassJson {
    certain: bool,
    /// `certain`, `not-seen` or `possible`.
    certainty: &'static str,
    effect: &'static str,
    node: String,
    place: String,
    function: String,
    length: u32,
    /// The example in hexadecimal.
    example: String,
    core: Vec<CoreByteJson>,
    paths: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<CountJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
}

#[derive(Serialize)]
struct CoreByteJson {
    offset: u32,
    value: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

fn core_byte(TrojanByte { offset, value, field }: &TrojanByte) -> CoreByteJson {
    CoreByteJson { offset: *offset, value: *value, field: field.clone() }
}

#[derive(Serialize)]
struct CountJson {
    /// A decimal number, which may be larger than numbers of JSON are.
    messages: String,
    power_of_256: u32,
}

/// The Trojan messages of a run as JSON, if it looked for them.
pub fn trojans_json(summary: &Summary) -> Option<String> {
    let trojans = summary.trojans.as_ref()?;
    let test = |class: &TrojanFinding| {
        let finding = summary.findings.iter().find(|finding| Some(finding.id) == class.finding)?;
        finding.test.map(RunInfo::world_file)
    };
    let class = |class: &TrojanFinding| ClassJson {
        certain: class.certainty == TrojanCertainty::Certain,
        certainty: match class.certainty {
            TrojanCertainty::Certain => "certain",
            TrojanCertainty::NotSeen => "not-seen",
            TrojanCertainty::Possible => "possible",
        },
        effect: class.effect.name(),
        node: class.node.clone(),
        place: match class.file.is_empty() {
            true => String::new(),
            false => format!("{}:{}", class.file, class.line),
        },
        function: class.function.clone(),
        length: class.length,
        example: class.example.iter().map(|byte| format!("{byte:02x}")).collect(),
        core: class.core.iter().map(core_byte).collect(),
        paths: class.paths,
        count: class.messages.map(|MessageCount { count, power_of_256 }| CountJson {
            messages: count.to_string(),
            power_of_256,
        }),
        finding: class.finding,
        test: test(class),
        expression: class.expression.clone(),
    };
    Some(pretty(&TrojansJson {
        outcome: outcome_name(summary.outcome),
        sender_paths: trojans.sender_paths,
        senders_explored: trojans.are_senders_explored,
        replaced: trojans.replaced,
        accepted: trojans.accepted,
        rejected: trojans.rejected,
        pruned: trojans.pruned,
        undecided: trojans.undecided,
        classes: trojans.classes.iter().map(class).collect(),
    }))
}
