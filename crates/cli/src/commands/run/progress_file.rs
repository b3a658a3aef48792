//! [`ProgressFile`]: `progress.jsonl` in the output folder, where the run stood over time.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use everett_engine::{Progress, Summary};
use everett_report::ProgressLog;

/// The name of the file.
const PROGRESS: &str = "progress.jsonl";

/// The file of a run that goes on. Lines are added at its end, so a run that is gone on with keeps those of
/// its earlier sessions.
pub(super) struct ProgressFile {
    file: File,
    log: ProgressLog,
}

impl ProgressFile {
    /// Opens the file in an output folder.
    pub(super) fn open(folder: &Path) -> Result<ProgressFile> {
        let path = folder.join(PROGRESS);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(ProgressFile { file, log: ProgressLog::default() })
    }

    /// Adds a line, if one is due.
    pub(super) fn note(&mut self, progress: &Progress) -> Result<()> {
        match self.log.line(progress) {
            Some(line) => self.write(&line),
            None => Ok(()),
        }
    }

    /// Adds the last line.
    pub(super) fn finish(&mut self, summary: &Summary, memory_bytes: u64) -> Result<()> {
        self.write(&self.log.last_line(summary, memory_bytes))
    }

    fn write(&mut self, line: &str) -> Result<()> {
        // A line at a time, so that no reader sees less than one.
        self.file.write_all(line.as_bytes()).with_context(|| format!("cannot write {PROGRESS}"))
    }
}
