//! Annotations for the CI of GitHub: workflow commands, a line a finding.

use super::paths::relative;
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
        out.push_str(&format!("::error {}::{message}\n", properties.join(",")));
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
