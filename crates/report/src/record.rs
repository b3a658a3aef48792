//! [`RunRecord`]: a run as its folder of results tells of it, read back from the files for programs.
//!
//! Pages and exports are made from a record alone, so that they can be made again from the folder at any
//! time, and by a run at its end in the same way.
//!
//! Invariant: what a folder lacks is empty. Folders of runs that go on, or were killed, have a summary
//! without coverage.

mod finding;
pub(crate) mod moment;
mod sample;
mod summary;
mod timeline;

use std::collections::BTreeMap;

use serde::Deserialize;
use thiserror::Error;

pub(crate) use finding::{
    FindingRecord, InputRecord, MessageRecord, NodeRecord, ObjectRecord, PlaceRecord, WordsRecord,
};
pub use sample::ProgressLog;
pub(crate) use sample::ProgressSample;
pub(crate) use summary::{CountRecord, InvariantRecord, SummaryRecord};
pub(crate) use timeline::{EventKind, Timeline, WorldEvent};

use crate::finding::source::SourceLines;

/// The files of a folder of results, as text.
#[derive(Clone, Debug, Default)]
pub struct RunFiles {
    /// `summary.json`.
    pub summary: String,
    /// `coverage.json`, if it is there.
    pub coverage: Option<String>,
    /// `progress.jsonl`, if it is there.
    pub progress: Option<String>,
    /// `sources.json`, if it is there.
    pub sources: Option<String>,
    /// `run.txt`, if it is there.
    pub command: Option<String>,
}

/// A file of results that is not what it should be.
#[derive(Debug, Error)]
#[error("{file} is damaged")]
pub struct RecordError {
    /// Its name.
    pub file: &'static str,
    source: serde_json::Error,
}

/// A run, as its folder of results tells of it.
#[derive(Debug)]
pub struct RunRecord {
    pub(crate) summary: SummaryRecord,
    pub(crate) coverage: CoverageRecord,
    /// In the order of time.
    pub(crate) progress: Vec<ProgressSample>,
    /// The command line.
    pub(crate) command: String,
    /// Source files as they were when the run ended, by name.
    sources: BTreeMap<String, String>,
}

/// Coverage by function.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct CoverageRecord {
    pub(crate) functions: Vec<FunctionRecord>,
}

/// Coverage of one function.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct FunctionRecord {
    pub(crate) function: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) covered: u64,
    pub(crate) total: u64,
    pub(crate) lines_covered: Vec<u32>,
    pub(crate) lines_missed: Vec<u32>,
}

impl RunRecord {
    /// Reads the files of a folder.
    ///
    /// # Errors
    /// If one of them is damaged.
    pub fn read(files: &RunFiles) -> Result<RunRecord, RecordError> {
        let mut summary: SummaryRecord = serde_json::from_str(&files.summary)
            .map_err(|source| RecordError { file: "summary.json", source })?;
        summary.findings.iter_mut().for_each(FindingRecord::join_severed);
        let coverage = files.coverage.as_deref().map(serde_json::from_str).transpose();
        let sources = files.sources.as_deref().map(serde_json::from_str).transpose();
        Ok(RunRecord {
            summary,
            coverage: coverage
                .map_err(|source| RecordError { file: "coverage.json", source })?
                .unwrap_or_default(),
            progress: sample::read(files.progress.as_deref().unwrap_or_default())?,
            command: files.command.as_deref().unwrap_or_default().trim_end().to_owned(),
            sources: sources
                .map_err(|source| RecordError { file: "sources.json", source })?
                .unwrap_or_default(),
        })
    }

    /// Returns `true` if everything was explored.
    pub fn is_exhaustive(&self) -> bool {
        self.summary.outcome == "exhausted"
    }

    /// The source files that a report of the run shows, those of findings first; files of libraries that are
    /// built in are not among them.
    pub fn source_files(&self) -> Vec<String> {
        let of_findings = self.summary.findings.iter().flat_map(FindingRecord::places);
        let of_findings = of_findings.filter_map(|place| place.file.clone());
        let mut covered: BTreeMap<&str, usize> = BTreeMap::new();
        for function in &self.coverage.functions {
            let Some(file) = &function.file else { continue };
            *covered.entry(file).or_default() += function.lines_covered.len();
        }
        let mut covered: Vec<(&str, usize)> = covered.into_iter().collect();
        covered.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
        let mut names: Vec<String> = Vec::new();
        for name in of_findings.chain(covered.into_iter().map(|(name, _)| name.to_owned())) {
            if !name.is_empty() && !name.starts_with('<') && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Takes the source files as they are now.
    pub fn set_sources(&mut self, sources: BTreeMap<String, String>) {
        self.sources = sources;
    }

    /// The names of the nodes: those that there are from the beginning, and those that findings have besides.
    pub(crate) fn node_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.summary.node_names.iter().map(String::as_str).collect();
        let findings = self.summary.findings.iter();
        for name in findings.flat_map(|finding| finding.node_names()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// The lines of source files of a run: as they were at its end, where the folder has them, or else as they
/// are now.
pub(crate) struct RecordedSources<'a> {
    recorded: BTreeMap<&'a str, Vec<&'a str>>,
    now: &'a dyn SourceLines,
}

impl<'a> RecordedSources<'a> {
    pub(crate) fn new(record: &'a RunRecord, now: &'a dyn SourceLines) -> RecordedSources<'a> {
        let lines =
            |(name, text): (&'a String, &'a String)| (name.as_str(), text.lines().collect());
        RecordedSources { recorded: record.sources.iter().map(lines).collect(), now }
    }
}

impl SourceLines for RecordedSources<'_> {
    fn line(&self, file: &str, line: u32) -> Option<String> {
        match self.recorded.get(file) {
            Some(lines) => {
                let at = (line as usize).checked_sub(1)?;
                lines.get(at).map(|line| (*line).to_owned())
            }
            None => self.now.line(file, line),
        }
    }
}
