//! A violated invariant: which one, and the data that it has collected.

use std::fmt::Write;

use everett_engine::{ExposedValue, Finding, Input};

use crate::finding::input::inputs_text;
use crate::place::place_text;

/// The invariant, and a row or more for each exposed value.
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
    let value = |value: &ExposedValue| {
        let ExposedValue { node, state, key, bytes, symbolic, .. } = value;
        let mark = if *symbolic { " (symbolic)" } else { "" };
        Input { name: format!("{node} {state} {key}{mark}"), bytes: bytes.clone() }
    };
    let values: Vec<Input> = violation.values.iter().map(value).collect();
    out.push_str(&inputs_text(&values, "    "));
    out
}
