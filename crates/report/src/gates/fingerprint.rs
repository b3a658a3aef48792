//! [`fingerprint`]: the name of a finding that stays the same when other code changes.

use sha2::{Digest, Sha256};

use crate::finding::source::SourceLines;
use crate::record::{FindingRecord, RecordedSources};

/// Comes from the kind, the invariant that is violated, the functions of the stack and the text of the line,
/// so that it stays when lines above are added.
pub(crate) fn fingerprint(finding: &FindingRecord, sources: &RecordedSources<'_>) -> String {
    let mut digest = Sha256::new();
    let mut add = |text: &str| {
        digest.update(text.as_bytes());
        digest.update([0]);
    };
    add(&finding.kind);
    add(finding.violation.as_ref().map_or("", |violation| &violation.invariant));
    let mut last = "";
    for frame in finding.stack.iter().filter(|frame| !frame.function.is_empty()) {
        // The depth of a recursion makes no other finding.
        if frame.function != last {
            add(&frame.function);
        }
        last = &frame.function;
    }
    let place = finding.place();
    let file = place.file.as_deref().unwrap_or_default();
    let line = place.line.and_then(|line| sources.line(file, line));
    add(line.as_deref().unwrap_or_default().trim());
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
