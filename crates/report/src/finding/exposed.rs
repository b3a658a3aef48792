//! What nodes have exposed to invariants, step by step: values as they change.

use std::collections::BTreeMap;
use std::fmt::Write;

use everett_engine::{ExposedValue, Finding};

use crate::finding::value::value_text;
use crate::number::grouped;

/// Changes that the text of a finding has: the last ones.
const CHANGES_SHOWN: usize = 20;

/// A line for each value that differs from what the node had exposed before for the same state and key.
pub(crate) fn exposed_text(finding: &Finding) -> String {
    let mut known: BTreeMap<(&str, i64, &str), &ExposedValue> = BTreeMap::new();
    let mut changes: Vec<&ExposedValue> = Vec::new();
    for value in &finding.exposed {
        let before = known.insert((&*value.node, value.state, &*value.key), value);
        if before.is_none_or(|before| before.bytes != value.bytes) {
            changes.push(value);
        }
    }
    let left_out = changes.len().saturating_sub(CHANGES_SHOWN);
    let omitted = finding.exposed_omitted + left_out as u64;
    let mut out = String::new();
    if omitted > 0 {
        let _ = writeln!(out, "    ... {} earlier ones", grouped(omitted));
    }
    let shown = &changes[left_out..];
    let width = shown.iter().map(|value| value.node.len()).max().unwrap_or(0);
    for value in shown {
        let ExposedValue { node, state, key, time_ns, round, .. } = value;
        let (seconds, micros) = (time_ns / 1_000_000_000, time_ns / 1_000 % 1_000_000);
        let mark = if value.symbolic { " (symbolic)" } else { "" };
        let text = value_text(&value.bytes, value.text.as_deref());
        let _ = writeln!(
            out,
            "    {seconds}.{micros:06} +{round:<3} {node:width$}  {key}[{state}] = {text}{mark}"
        );
    }
    out
}
