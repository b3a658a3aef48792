//! A violated invariant: which one, and the data that it has collected.

use std::fmt::Write;

use everett_engine::{ExposedValue, Finding};

use crate::finding::value::value_text;
use crate::place::place_text;

/// The invariant, and a line for each exposed value.
pub(crate) fn violation_text(finding: &Finding) -> String {
    let Some(violation) = &finding.violation else { return String::new() };
    let mut out = format!("    {} at {}", violation.invariant, place_text(&violation.place));
    if violation.at_end {
        out.push_str(", when nothing can happen any more");
    }
    out.push('\n');
    if violation.values.is_empty() {
        let _ = writeln!(out, "    no data was exposed");
    }
    let width = violation.values.iter().map(|value| value.node.len()).max().unwrap_or(0);
    for value in &violation.values {
        let ExposedValue { node, state, key, bytes, symbolic, text, .. } = value;
        let mark = if *symbolic { " (symbolic)" } else { "" };
        let text = value_text(bytes, text.as_deref());
        let _ = writeln!(out, "    {node:width$}  {key}[{state}] = {text}{mark}");
    }
    out
}
