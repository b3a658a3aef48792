//! The expectations that a program states.

use everett_engine::{DropReason, Finding};
use everett_interp::BugKind;

use crate::corpus::{Case, Verdict};
use crate::execute::{Run, identity};
use crate::header::Mark;

/// The differences between a run and the header of its program.
pub(crate) fn check(case: &Case, run: &Run) -> Vec<String> {
    let mut complaints = Vec::new();
    let (header, summary) = (&case.header, &run.summary);
    if let Some(expected) = header.paths_at(&case.level)
        && summary.paths != expected
    {
        complaints.push(format!("{} paths, expected {expected}", summary.paths));
    }
    let ignored = summary
        .ignored
        .iter()
        .fold((0, 0), |(went_on, ended), entry| (went_on + entry.went_on, ended + entry.ended));
    if let Some(expected) = header.ignored
        && ignored != expected
    {
        complaints.push(format!("{:?} ignored, expected {expected:?}", summary.ignored));
    }
    let exit = everett::exit_code(summary, None);
    let expected = header.exit.unwrap_or(match case.verdict {
        Verdict::Pass => 0,
        Verdict::Bug => 1,
    });
    if exit != expected {
        complaints.push(format!("exit code {exit}, expected {expected}: {}", story(run)));
    }
    if case.verdict == Verdict::Pass && !header.native && summary.exit_code.unwrap_or(0) != 0 {
        let code = summary.exit_code.unwrap_or(0);
        complaints.push(format!("the program ended with {code}, expected 0"));
    }
    complaints.extend(check_unsupported(case, run));
    complaints.extend(check_findings(case, &summary.findings));
    complaints
}

/// The end of a run, in one line.
fn story(run: &Run) -> String {
    let findings: Vec<String> =
        run.summary.findings.iter().map(|f| format!("{} ({})", identity(f), f.message)).collect();
    let dropped: Vec<String> =
        run.summary.dropped.iter().map(|(reason, count)| format!("{count} x {reason}")).collect();
    format!("{:?}, dropped {dropped:?}, findings {findings:#?}", run.summary.outcome)
}

fn check_unsupported(case: &Case, run: &Run) -> Option<String> {
    let expected = case.header.unsupported.as_ref()?;
    let named = run.summary.dropped.iter().any(|(reason, _)| match reason {
        DropReason::Unsupported(what) => {
            let file = case.file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            what.contains(expected) && what.contains(file)
        }
        // What the C library lacks is named once for all places.
        DropReason::MissingSymbol(_) => reason.to_string().contains(expected),
        _ => false,
    });
    (!named).then(|| format!("nothing unsupported names `{expected}` and the file: {}", story(run)))
}

fn check_findings(case: &Case, findings: &[Finding]) -> Vec<String> {
    let header = &case.header;
    let mut complaints = Vec::new();
    let expected = header.findings.unwrap_or(header.marks.len());
    if findings.len() != expected {
        let found: Vec<String> = findings.iter().map(identity).collect();
        complaints.push(format!("{} findings, expected {expected}: {found:#?}", findings.len()));
    }
    for mark in &header.marks {
        if !findings.iter().any(|finding| matches(case, finding, mark)) {
            complaints.push(format!("no finding of kind {} at line {}", mark.kind, mark.line));
        }
    }
    for finding in findings {
        if !header.marks.iter().any(|mark| matches(case, finding, mark)) {
            complaints.push(format!("not expected: {} ({})", identity(finding), finding.message));
        }
    }
    for text in &header.messages {
        if !findings.iter().any(|finding| finding.message.contains(text.as_str())) {
            let found: Vec<&str> = findings.iter().map(|f| f.message.as_str()).collect();
            complaints.push(format!("no message contains `{text}`: {found:?}"));
        }
    }
    complaints
}

/// Returns `true` if a finding is what a mark says: of its kind, and its innermost place in the program's own
/// file on that line. A leak is marked where the object was allocated.
fn matches(case: &Case, finding: &Finding, mark: &Mark) -> bool {
    let places = match finding.kind {
        BugKind::Leak => finding.objects.first().map_or(&finding.stack, |object| &object.allocated),
        _ => &finding.stack,
    };
    let own = places.iter().find(|place| case.is_own_file(&place.file));
    finding.kind == mark.kind && own.is_some_and(|place| place.line == mark.line)
}
