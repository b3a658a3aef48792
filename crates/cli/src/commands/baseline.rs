//! `everett baseline`: writes down the findings of runs as known.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use everett_input::files::read_text;
use everett_report::{Baseline, BaselineUpdate, RunRecord, SourceLines};

use crate::commands::report;
use crate::sources::SourceFiles;
use crate::terminal;
use crate::whole_file::write_whole;

/// Write down the findings of runs as known, for `everett run --baseline`
///
/// The file gets the findings of these runs, no more and no less. If it is there already, its comments and
/// the order of its entries stay.
#[derive(clap::Args)]
pub(crate) struct BaselineOptions {
    /// Folders with the results of runs, such as everett-out/last
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Writes the file, and says what has changed in it.
pub(crate) fn run(options: &BaselineOptions) -> Result<ExitCode> {
    let BaselineOptions { folders, output } = options;
    let shown = output.display();
    let mut baseline = match output.exists() {
        true => {
            let text = read_text(output).with_context(|| format!("cannot read {shown}"))?;
            Baseline::parse(&text)
                .with_context(|| format!("{shown} is no baseline, and is left as it is"))?
        }
        false => Baseline::default(),
    };
    let records: Vec<RunRecord> =
        folders.iter().map(|folder| report::read(folder)).collect::<Result<_>>()?;
    let base = std::env::current_dir().unwrap_or_default();
    let sources = SourceFiles::default();
    let runs = records.iter().map(|record| (record, &sources as &dyn SourceLines));
    let update = baseline.update(runs, &base.to_string_lossy());
    write_whole(output, baseline.to_string().as_bytes())?;
    let BaselineUpdate { added, kept, removed } = &update;
    let mut text = format!("{shown}: {added} added, {kept} kept, {} removed\n", removed.len());
    for entry in removed {
        let _ = writeln!(text, "  removed: {entry}");
    }
    terminal::out(&text);
    if !removed.is_empty() {
        for (folder, _) in folders.iter().zip(&records).filter(|(_, of)| !of.is_exhaustive()) {
            terminal::warning(&format!(
                "the run in {} has not explored everything: what is removed may only not be found yet",
                folder.display()
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}
