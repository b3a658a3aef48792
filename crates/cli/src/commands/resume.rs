//! `everett resume`: goes on with a run from its last checkpoint.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use everett_input::units::{parse_count, parse_duration};

use crate::commands::run::{self, StoredCheckpoint};
use crate::origin::RunOrigin;

/// Go on with a run that was stopped, from its last checkpoint
///
/// The programs, the options and the build of everett have to be the same. Limits of time hold anew for each
/// session. Exit codes are those of `everett run`.
#[derive(clap::Args)]
pub(crate) struct ResumeOptions {
    /// Folder with the results of the run, such as everett-out/last
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Stop after this time, instead of the time that the run was given
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    max_time: Option<Duration>,
    /// Stop after this many instructions of all sessions, instead of the limit that the run was given
    #[arg(long, value_name = "N", value_parser = parse_count)]
    max_instructions: Option<u64>,
}

/// Goes on with the run whose results are in a folder.
pub(crate) fn run(options: &ResumeOptions) -> Result<ExitCode> {
    let folder = &options.folder;
    let Some(stored) = StoredCheckpoint::read(folder)? else { return Err(nothing_to_do(folder)) };
    let refused = || format!("cannot go on with the run in {}", folder.display());
    // The run's words name files from where it was started.
    let folder = enter(folder, &stored.origin)?;
    let words = stored.origin.words();
    let mut prepared = run::prepare(words.clone()).with_context(refused)?;
    prepared.config.workers = stored.origin.workers;
    prepared.config.trojans = stored.origin.trojans.clone();
    let limits = &mut prepared.config.limits;
    limits.time = options.max_time.or(limits.time);
    limits.instructions = options.max_instructions.or(limits.instructions);
    run::go_on(prepared, words, folder, stored).with_context(refused)
}

/// Enters the folder that the run was started in, and gives the output folder as it is named from there.
fn enter(out: &Path, origin: &RunOrigin) -> Result<PathBuf> {
    let folder = Path::new(OsStr::from_bytes(&origin.folder));
    if std::env::current_dir().is_ok_and(|current| current == folder) {
        return Ok(out.to_path_buf());
    }
    let out = std::path::absolute(out).with_context(|| format!("cannot find {}", out.display()))?;
    let entered = std::env::set_current_dir(folder);
    entered.with_context(|| format!("cannot enter {}, where it was started", folder.display()))?;
    Ok(out)
}

/// Why there is no checkpoint.
fn nothing_to_do(folder: &Path) -> anyhow::Error {
    match reason(folder) {
        Ok(reason) => anyhow::anyhow!("{reason}"),
        Err(error) => error,
    }
}

fn reason(folder: &Path) -> Result<String> {
    let shown = folder.display();
    let summary = folder.join("summary.json");
    if !folder.join("run.txt").is_file() {
        bail!("{shown} is not the folder of a run: it has no run.txt");
    }
    let text =
        std::fs::read(&summary).with_context(|| format!("cannot read {}", summary.display()))?;
    let summary: serde_json::Value = serde_json::from_slice(&text)
        .with_context(|| format!("{} is damaged", summary.display()))?;
    Ok(match summary["outcome"].as_str() {
        Some("exhausted" | "limit") => format!("the run in {shown} is over: nothing is left to do"),
        _ => format!(
            "the run in {shown} has left no checkpoint: it was ended before it wrote one, or without \
             --checkpoint; run.txt has its command line"
        ),
    })
}
