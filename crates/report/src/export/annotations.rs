//! Annotations for the CI of GitHub: workflow commands, a line for each finding, and for each gate that has
//! failed. Findings that do not count are warnings.

use super::paths::relative;
use crate::gates::FindingStanding;
use crate::record::RunRecord;

/// The lines; files are named from the folder `base`.
pub fn github_annotations(record: &RunRecord, base: &str) -> String {
    let mut out = String::new();
    for finding in &record.summary.findings {
        let place = finding.place();
        let mut properties = Vec::new();
        if let Some(file) = &place.file {
            properties.push(format!("file={}", property(relative(file, base))));
        }
        properties.extend(place.line.map(|line| format!("line={line}")));
        properties.extend(place.column.map(|column| format!("col={column}")));
        properties.push(format!("title={}", property(&finding.title())));
        let message = escaped(&finding.message);
        let gates = record.summary.gates.as_ref();
        let level = match gates.map_or(FindingStanding::Counts, |of| of.standing(finding.id)) {
            FindingStanding::Counts => "error",
            FindingStanding::Known | FindingStanding::LetThrough => "warning",
        };
        out.push_str(&format!("::{level} {}::{message}\n", properties.join(",")));
    }
    let gates = record.summary.gates.iter().flat_map(|gates| gates.each());
    for gate in gates.filter(|gate| !gate.passed) {
        let (name, what) = (property(&gate.gate), escaped(&gate.what));
        out.push_str(&format!("::error title=gate {name}::{what}\n"));
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
