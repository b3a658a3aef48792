//! [`ResultsSoFar`]: the results of a run while it goes on, for users who look into its folder, and for
//! what is left when the process is killed.
//!
//! The run notes how far it has come; the watchdog stores it every now and then, so that the run waits for
//! no disk. The summary of a run that goes on says so (`"outcome": "running"`).

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Error, Result};
use everett_base::interrupt::StopReason;
use everett_engine::{DropReason, Finding, Outcome, Progress, Summary};
use everett_report::{RunInfo, progress_line, summary_json, summary_text};

use super::checkpoint::{StoringFlag, next_step};
use super::gates::RunGates;
use super::watchdog::UnfinishedRun;
use crate::clock::peak_resident_bytes;
use crate::commands::report::SUMMARY;
use crate::exit_codes::{EXIT_FAILED, exit_code};
use crate::sources::SourceFiles;
use crate::terminal;
use crate::whole_file::write_whole;

/// Shared by the run and the watchdog.
#[derive(Clone)]
pub(crate) struct ResultsSoFar(Arc<Mutex<RunResults>>);

struct RunResults {
    progress: Progress,
    findings: Vec<Finding>,
    info: RunInfo,
    gates: RunGates,
    /// The output folder, if there is one.
    folder: Option<PathBuf>,
    quiet: bool,
    /// A checkpoint that is being stored is waited for.
    storing: StoringFlag,
    failure: Option<Error>,
}

impl ResultsSoFar {
    /// Nothing yet; that is stored at once.
    pub(super) fn begin(
        folder: Option<PathBuf>,
        info: RunInfo,
        gates: RunGates,
        quiet: bool,
    ) -> ResultsSoFar {
        let (progress, findings) = (Progress::default(), Vec::new());
        let storing = StoringFlag::default();
        let results =
            RunResults { progress, findings, info, gates, folder, quiet, storing, failure: None };
        // Where there is no room for it, the run shows at least what it finds, and its end says so.
        let _ = results.store(&results.summary());
        ResultsSoFar(Arc::new(Mutex::new(results)))
    }

    fn lock(&self) -> MutexGuard<'_, RunResults> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how far the run has come.
    pub(crate) fn note(&self, progress: &Progress) {
        self.lock().progress = progress.clone();
    }

    /// Where the run stands, in a line.
    pub(crate) fn line(&self) -> String {
        let progress = self.lock().progress.clone();
        progress_line(&progress)
    }

    /// Tells whether a checkpoint is being stored.
    pub(crate) fn storing(&self) -> StoringFlag {
        self.lock().storing.clone()
    }

    /// Notes a finding.
    pub(crate) fn found(&self, finding: &Finding) {
        self.lock().findings.push(finding.clone());
    }

    /// Returns `true` if something could not be stored.
    pub(crate) fn has_failed(&self) -> bool {
        self.lock().failure.is_some()
    }

    /// The first failure to store something.
    pub(crate) fn take_failure(&self) -> Option<Error> {
        self.lock().failure.take()
    }
}

impl UnfinishedRun for ResultsSoFar {
    fn store(&self) {
        let mut results = self.lock();
        if let Err(error) = results.store(&results.summary()) {
            results.failure.get_or_insert(error);
        }
    }

    fn give_up(&self, reason: StopReason) -> ! {
        let mut results = self.lock();
        results.info.peak_rss_bytes = peak_resident_bytes();
        let mut summary = results.summary();
        let dropped = match reason {
            StopReason::Asked => DropReason::Interrupted,
            StopReason::Time => DropReason::TimeLimit,
        };
        (summary.outcome, summary.limit) = match reason {
            StopReason::Asked => (Outcome::Stopped, None),
            StopReason::Time => (Outcome::Limit, Some(dropped.clone())),
        };
        // The state that is stuck is not among those that were counted.
        summary.dropped.push((dropped, results.progress.states.max(1)));
        let sources = SourceFiles::default();
        let gates = results.gates.judge(&summary, &results.info, &sources);
        let stored = gates.and_then(|gates| {
            results.info.gates = gates;
            results.store(&summary)
        });
        results.info.unstored = stored.is_err();
        results.storing.wait();
        if !results.quiet {
            terminal::out(&summary_text(&summary, &results.info, terminal::paint()));
            let folder = results.folder.as_deref();
            terminal::out(&folder.and_then(|out| next_step(out, false)).unwrap_or_default());
        }
        let code = match stored {
            Ok(()) => exit_code(&summary, results.info.gates.as_ref()),
            Err(error) => {
                terminal::error(&format!("{error:#}"));
                EXIT_FAILED
            }
        };
        std::process::exit(code.into())
    }
}

impl RunResults {
    fn summary(&self) -> Summary {
        Summary::so_far(&self.progress, &self.findings)
    }

    fn store(&self, summary: &Summary) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        write_whole(&folder.join(SUMMARY), summary_json(summary, &self.info).as_bytes())
    }
}
