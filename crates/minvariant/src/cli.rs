//! The commands, apart from printing: files, recordings in JSON, and the words of a report.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use minvariant::{
    CollectedData, DataTriple, EvalLimits, ExposureStamp, Program, Providers, RecordedNode,
    Recording, Verdict, ViolatedInvariant,
};
use serde::Deserialize;

/// Reads all files as one program.
pub(crate) fn load(files: &[PathBuf]) -> Result<Program> {
    let texts = files.iter().map(|file| Ok((file.display().to_string(), read(file)?)));
    let texts = texts.collect::<Result<Vec<_>>>()?;
    let pairs = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Ok(Program::parse_files(pairs)?)
}

/// The text of a file.
pub(crate) fn read(file: &Path) -> Result<String> {
    let bytes =
        std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        anyhow!("{}:{line}: not UTF-8 text", file.display())
    })
}

/// A recording as JSON has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordingFile {
    nodes: Vec<NodeEntry>,
    #[serde(default)]
    exposures: Vec<ExposureEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeEntry {
    name: String,
    hostname: Option<String>,
    #[serde(default)]
    addresses: Vec<String>,
    #[serde(default = "yes")]
    alive: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExposureEntry {
    node: String,
    state: i64,
    key: String,
    /// Nanoseconds; that of the exposure before, if left out.
    time: Option<u64>,
    #[serde(default)]
    round: u32,
    value: ValueEntry,
}

/// The bytes of an exposure.
#[derive(Deserialize)]
#[serde(try_from = "ValueEntryForm")]
struct ValueEntry(Vec<u8>);

/// The forms in which bytes may be written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueEntryForm {
    hex: Option<String>,
    text: Option<String>,
    int: Option<i64>,
    bytes: Option<usize>,
    endian: Option<Endian>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Endian {
    Little,
    Big,
}

impl TryFrom<ValueEntryForm> for ValueEntry {
    type Error = String;

    fn try_from(form: ValueEntryForm) -> Result<ValueEntry, String> {
        let sized = form.bytes.is_some() || form.endian.is_some();
        match form {
            ValueEntryForm { hex: Some(hex), text: None, int: None, .. } if !sized => {
                let digits: Option<Vec<u32>> = hex.chars().map(|c| c.to_digit(16)).collect();
                let digits = digits.filter(|digits| digits.len().is_multiple_of(2));
                let digits =
                    digits.ok_or_else(|| format!("{hex:?} is not in hexadecimal digits"))?;
                Ok(ValueEntry(
                    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect(),
                ))
            }
            ValueEntryForm { hex: None, text: Some(text), int: None, .. } if !sized => {
                Ok(ValueEntry(text.into_bytes()))
            }
            ValueEntryForm { hex: None, text: None, int: Some(int), bytes, endian } => {
                let size = bytes.unwrap_or(4);
                if !matches!(size, 1 | 2 | 4 | 8) {
                    return Err(format!("a number has 1, 2, 4 or 8 bytes, not {size}"));
                }
                let spare = 64 - 8 * size as u32;
                let fits_signed = int << spare >> spare == int;
                let fits_unsigned = int >= 0 && spare > 0 && int >> (8 * size) == 0;
                if !fits_signed && !fits_unsigned {
                    return Err(format!(
                        "{int} does not fit into a number of {size} {}",
                        if size == 1 { "byte" } else { "bytes" }
                    ));
                }
                let mut bytes = int.to_le_bytes()[..size].to_vec();
                if let Some(Endian::Big) = endian {
                    bytes.reverse();
                }
                Ok(ValueEntry(bytes))
            }
            _ => {
                Err("a value is {\"hex\": ...}, {\"text\": ...} or {\"int\": ..., \"bytes\": ..., \
                      \"endian\": \"little\"}"
                    .to_owned())
            }
        }
    }
}

impl RecordingFile {
    /// Reads a file; an error names the line and the column.
    pub(crate) fn load(file: &Path) -> Result<RecordingFile> {
        let read = serde_json::from_str(&read(file)?);
        let recording: RecordingFile = read.map_err(|error| {
            let place = format!("{}:{}:{}", file.display(), error.line(), error.column());
            let message = error.to_string();
            let reason =
                message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
            anyhow!("{place}: {reason}")
        })?;
        let mut names = BTreeSet::new();
        for node in &recording.nodes {
            if !names.insert(node.name.as_str()) {
                bail!("{}: two nodes are called {:?}", file.display(), node.name);
            }
        }
        for (number, exposure) in (1..).zip(&recording.exposures) {
            if !names.contains(exposure.node.as_str()) {
                let (file, node) = (file.display(), &exposure.node);
                bail!("{file}: exposure {number}: there is no node {node:?}");
            }
        }
        Ok(recording)
    }
}

/// The results of a program on a recording.
#[derive(Default)]
pub(crate) struct EvaluationReport {
    /// Everything to show.
    pub(crate) text: String,
    pub(crate) violated: bool,
    pub(crate) failed: bool,
}

/// Evaluates all invariants after each exposure and at the end.
pub(crate) fn evaluate(
    program: &Program,
    file: &RecordingFile,
    limits: &EvalLimits,
    at_end_only: bool,
) -> EvaluationReport {
    let mut recording: Recording = Recording::new(Vec::<String>::new());
    recording.nodes = file
        .nodes
        .iter()
        .map(|node| RecordedNode {
            name: node.name.clone(),
            hostname: node.hostname.clone().unwrap_or_else(|| node.name.clone()),
            addresses: node.addresses.clone(),
            alive: node.alive,
        })
        .collect();
    let mut evaluator = RecordingEvaluator {
        program,
        limits,
        counts: vec![InvariantCounts::default(); program.invariants().len()],
        seen: BTreeSet::new(),
        report: EvaluationReport::default(),
    };
    let mut time = 0;
    for (number, exposure) in (1..).zip(&file.exposures) {
        time = exposure.time.unwrap_or(time);
        let stamp = ExposureStamp { time, round: exposure.round, sequence: number };
        let triple = DataTriple { node: &exposure.node, state: exposure.state, key: &exposure.key };
        recording.expose_at(stamp, triple, &exposure.value.0);
        if !at_end_only {
            let here = format!("after exposure {number} ({triple}) at {time} ns");
            evaluator.evaluate(&recording, &here);
        }
    }
    recording.end();
    evaluator.evaluate(&recording, "at the end");
    evaluator.summary();
    evaluator.report
}

/// The numbers of evaluations of an invariant, by their results.
#[derive(Clone, Default)]
struct InvariantCounts {
    held: u32,
    violated: u32,
    failed: u32,
}

struct RecordingEvaluator<'a> {
    program: &'a Program,
    limits: &'a EvalLimits,
    /// Of each invariant.
    counts: Vec<InvariantCounts>,
    /// Violations and errors that were shown.
    seen: BTreeSet<String>,
    report: EvaluationReport,
}

impl RecordingEvaluator<'_> {
    fn evaluate(&mut self, recording: &Recording, here: &str) {
        for invariant in self.program.invariants() {
            let counts = &mut self.counts[invariant.id.0 as usize];
            match self.program.verdict(invariant.id, Providers::of(recording), self.limits) {
                Ok(Verdict::NotDue) => {}
                Ok(Verdict::Holds) => counts.held += 1,
                Ok(Verdict::Violated(violation)) => {
                    counts.violated += 1;
                    self.report.violated = true;
                    self.show(violation_text(&violation), &format!("violated {here}"));
                }
                Err(error) => {
                    counts.failed += 1;
                    self.report.failed = true;
                    self.show(error.to_string(), &format!("error {here}"));
                }
            }
        }
    }

    /// Shows a text if it is new.
    fn show(&mut self, text: String, heading: &str) {
        if self.seen.insert(text.clone()) {
            writeln!(self.report.text, "{heading}\n{text}\n").expect("strings take everything");
        }
    }

    fn summary(&mut self) {
        for (invariant, counts) in self.program.invariants().zip(&self.counts) {
            let InvariantCounts { held, violated, failed } = counts;
            let all = held + violated + failed;
            let of =
                if all == 1 { "1 evaluation".to_owned() } else { format!("{all} evaluations") };
            let verdict = match (all, violated, failed) {
                (0, _, _) => "never evaluated".to_owned(),
                (_, 0, 0) => format!("holds ({of})"),
                (_, violated, 0) => format!("violated in {violated} of {of}"),
                (_, 0, failed) => format!("failed in {failed} of {of}"),
                (_, violated, failed) => {
                    format!("violated in {violated} and failed in {failed} of {of}")
                }
            };
            writeln!(self.report.text, "{}: {verdict}", invariant.name)
                .expect("strings take everything");
        }
    }
}

fn violation_text(violation: &ViolatedInvariant) -> String {
    let ViolatedInvariant { invariant, collected, location } = violation;
    let mut text = format!("{location}: invariant `{invariant}` is violated");
    for CollectedData { node, state, key, bytes, stamp: _ } in collected {
        write!(text, "\n  ({node}, {state}, {key}) = {}", shown(bytes))
            .expect("strings take everything");
    }
    if collected.is_empty() {
        text.push_str("\n  (no data)");
    }
    text
}

/// Bytes as text where they are text, and as digits otherwise.
fn shown(bytes: &[u8]) -> String {
    let printable = |text: &&str| !text.is_empty() && !text.chars().any(char::is_control);
    if let Some(text) = std::str::from_utf8(bytes).ok().filter(printable) {
        return format!("{text:?}");
    }
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    match bytes.len() {
        1 | 2 | 4 | 8 => format!("x\"{digits}\" ({})", minvariant::decode_bytes(bytes, true)),
        _ => format!("x\"{digits}\""),
    }
}
