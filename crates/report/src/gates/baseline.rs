//! [`Baseline`]: findings that are known, as a file that is kept beside the source.
//!
//! Each line is an entry: a fingerprint, the kind, and words for readers. Lines may be taken out, sorted and
//! commented; comments and the order stay when the file is written anew.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use thiserror::Error;

use super::fingerprint::fingerprint;
use crate::export::relative;
use crate::finding::source::SourceLines;
use crate::record::{FindingRecord, RecordedSources, RunRecord};

/// Findings that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    lines: Vec<BaselineLine>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BaselineLine {
    /// A comment, or nothing.
    Comment(String),
    Entry(BaselineEntry),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct BaselineEntry {
    fingerprint: String,
    /// The kind, and words for readers.
    what: String,
}

/// A line that is no entry of a baseline.
#[derive(Debug, Error)]
#[error(
    "line {line}: expected a fingerprint of 32 digits and a kind, as `everett baseline` writes them"
)]
pub struct BaselineError {
    /// Its number.
    pub line: usize,
}

/// What has changed in a baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BaselineUpdate {
    /// Entries that are new.
    pub added: usize,
    /// Entries that were there before.
    pub kept: usize,
    /// Entries that no finding has any more.
    pub removed: Vec<String>,
}

/// The beginning of a file that is new.
const HEAD: &str = "\
# Findings that are known, for `everett run --baseline`; written by `everett baseline`.
# A line is a fingerprint, the kind and the place. Take out what has to fail again; say in comments why
# the others stay.";

impl Display for BaselineEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.fingerprint, self.what)
    }
}

impl Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| match line {
            BaselineLine::Comment(text) => writeln!(f, "{text}"),
            BaselineLine::Entry(entry) => writeln!(f, "{entry}"),
        })
    }
}

impl Baseline {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If a line is neither an entry nor a comment.
    pub fn parse(text: &str) -> Result<Baseline, BaselineError> {
        let line = |(number, line): (usize, &str)| {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                return Ok(BaselineLine::Comment(line.to_owned()));
            }
            let is_digit = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
            match line.split_once(' ') {
                Some((print, what)) if print.len() == 32 && print.bytes().all(is_digit) => {
                    let (fingerprint, what) = (print.to_owned(), what.trim().to_owned());
                    Ok(BaselineLine::Entry(BaselineEntry { fingerprint, what }))
                }
                _ => Err(BaselineError { line: number + 1 }),
            }
        };
        let lines = text.lines().enumerate().map(line);
        Ok(Baseline { lines: lines.collect::<Result<_, _>>()? })
    }

    fn entries(&self) -> impl Iterator<Item = &BaselineEntry> {
        self.lines.iter().filter_map(|line| match line {
            BaselineLine::Entry(entry) => Some(entry),
            BaselineLine::Comment(_) => None,
        })
    }

    pub(super) fn has(&self, fingerprint: &str) -> bool {
        self.entries().any(|entry| entry.fingerprint == fingerprint)
    }

    /// The entries that are not among these fingerprints.
    pub(super) fn without(&self, fingerprints: &BTreeSet<&str>) -> Vec<String> {
        let absent = self.entries().filter(|entry| !fingerprints.contains(&*entry.fingerprint));
        absent.map(ToString::to_string).collect()
    }

    /// Makes it the findings of these runs, no more and no less. Files are named from the folder `base`.
    pub fn update<'r>(
        &mut self,
        runs: impl IntoIterator<Item = (&'r RunRecord, &'r dyn SourceLines)>,
        base: &str,
    ) -> BaselineUpdate {
        let mut found: Vec<BaselineEntry> = Vec::new();
        for (record, now) in runs {
            let sources = RecordedSources::new(record, now);
            for finding in &record.summary.findings {
                let fingerprint = fingerprint(finding, &sources);
                if found.iter().all(|entry| entry.fingerprint != fingerprint) {
                    found.push(BaselineEntry { fingerprint, what: described(finding, base) });
                }
            }
        }
        let mut update = BaselineUpdate::default();
        if self.lines.is_empty() {
            self.lines.extend(HEAD.lines().map(|line| BaselineLine::Comment(line.to_owned())));
        }
        self.lines.retain(|line| match line {
            BaselineLine::Comment(_) => true,
            BaselineLine::Entry(entry) => {
                let stays = found.iter().any(|new| new.fingerprint == entry.fingerprint);
                if stays {
                    update.kept += 1;
                } else {
                    update.removed.push(entry.to_string());
                }
                stays
            }
        });
        for entry in found {
            if !self.has(&entry.fingerprint) {
                update.added += 1;
                self.lines.push(BaselineLine::Entry(entry));
            }
        }
        update
    }
}

/// The words of an entry: one line, whatever files and functions are called.
fn described(finding: &FindingRecord, base: &str) -> String {
    let mut place = finding.place();
    place.file = place.file.map(|file| relative(&file, base).to_owned());
    let title = finding.violation.as_ref().map(|violation| violation.invariant.as_str());
    let words = [&*finding.kind, title.unwrap_or_default(), &place.text_in_function()];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    crate::export::one_line(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::source::NoSources;
    use crate::record::RunFiles;

    fn record(functions: &[&str]) -> RunRecord {
        let finding = |function: &&str| {
            serde_json::json!({
                "kind": "leak", "file": "/src/a b.c", "line": 3, "function": function,
                "stack": [{ "function": function }, { "function": "main" }],
            })
        };
        let findings: Vec<_> = functions.iter().map(finding).collect();
        let summary = serde_json::json!({ "findings": findings }).to_string();
        RunRecord::read(&RunFiles { summary, ..RunFiles::default() }).unwrap()
    }

    #[test]
    fn comments_and_order_stay_when_a_baseline_is_written_anew() {
        let (first, second) = (record(&["f", "g"]), record(&["h", "g", "h"]));
        let sources: &dyn SourceLines = &NoSources;
        let mut baseline = Baseline::default();
        baseline.update([(&first, sources)], "/src");
        let text = baseline.to_string();
        assert!(text.starts_with("# Findings"), "{text}");
        assert!(text.contains(" leak a b.c:3 in f\n"), "{text}");
        let text =
            text.replace("of 32", "").lines().map(|line| format!("{line}\n")).collect::<String>()
                + "\n# behind\n";
        let mut baseline = Baseline::parse(&text).unwrap();
        assert_eq!(baseline.to_string(), text);
        let update = baseline.update([(&second, sources)], "/src");
        assert_eq!((update.added, update.kept), (1, 1));
        assert_eq!(update.removed.len(), 1, "{:?}", update.removed);
        assert!(update.removed[0].ends_with("in f"), "{:?}", update.removed);
        let text = baseline.to_string();
        let tail: Vec<&str> = text.lines().rev().take(4).collect();
        assert!(tail[0].ends_with("in h") && tail[1] == "# behind" && tail[3].ends_with("in g"));
    }

    #[test]
    fn lines_that_are_no_entries_are_told() {
        for (text, line) in [("x", 1), ("# ok\n\nleak a.c:3\n", 3), (&"g".repeat(32), 1)] {
            assert_eq!(Baseline::parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
