//! `everett coverage`: what runs have executed together, and what one has executed beyond another.
//!
//! All of it comes out of `coverage.json` in folders of results; the source files that a page shows, out of
//! `sources.json` there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use everett_report::{
    CoverageRecord, FunctionList, coverage_diff_text, coverage_html, coverage_text, lcov_info,
};

use crate::commands::report::{COVERAGE, SOURCES, text_of};
use crate::sources::SourceFiles;
use crate::terminal;
use crate::whole_file::write_whole;

/// Put the coverage of several runs together, show it, and compare it
#[derive(Args)]
pub(crate) struct CoverageOptions {
    #[command(subcommand)]
    action: CoverageAction,
}

#[derive(Subcommand)]
enum CoverageAction {
    /// Write the coverage of several runs of the same programs into a folder, as if they were one
    Merge {
        /// Folders with the results of runs, or of earlier merges
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// The folder to write
        #[arg(long, short, value_name = "DIR")]
        output: PathBuf,
    },
    /// Show the coverage of runs by file and function: instructions, lines, and both sides of branches
    Report {
        /// Folders with the results of runs, or of merges
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// Count the functions alone that this file names, one a line; `*` stands for any characters, and
        /// `server.c:parse_*` for functions of a file
        #[arg(long, value_name = "FILE")]
        functions: Option<PathBuf>,
        /// The format
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: CoverageFormat,
        /// Write it to this file [default: it is printed]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Show what each of two runs has covered that the other has not
    Diff {
        /// The folder with the results of a run, or of a merge
        #[arg(value_name = "A")]
        one: PathBuf,
        /// The other one
        #[arg(value_name = "B")]
        other: PathBuf,
        /// Compare the functions alone that this file names
        #[arg(long, value_name = "FILE")]
        functions: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum CoverageFormat {
    /// Tables
    Text,
    /// A trace file, for genhtml
    Lcov,
    /// A page with the source
    Html,
}

/// Runs the command.
pub(crate) fn run(options: &CoverageOptions) -> Result<ExitCode> {
    match &options.action {
        CoverageAction::Merge { folders, output } => merge(folders, output)?,
        CoverageAction::Report { folders, functions, format, output } => {
            let mut record = read_all(folders)?;
            restrict(&mut [&mut record], functions.as_deref())?;
            let text = match format {
                CoverageFormat::Text => coverage_text(&record, folders.len()),
                CoverageFormat::Lcov => lcov_info(&record),
                CoverageFormat::Html => {
                    let sources = sources_of(folders)?;
                    coverage_html(record, sources, folders.len(), &SourceFiles::default())
                }
            };
            match output {
                Some(file) => write_whole(file, text.as_bytes())?,
                None => terminal::out(&text),
            }
        }
        CoverageAction::Diff { one, other, functions } => {
            let (mut ours, mut theirs) = (read(one)?, read(other)?);
            ours.clone().merge(&theirs).with_context(|| other.display().to_string())?;
            restrict(&mut [&mut ours, &mut theirs], functions.as_deref())?;
            let name = |folder: &Path| folder.display().to_string();
            let (one, other) = (name(one), name(other));
            terminal::out(&coverage_diff_text((&one, &ours), (&other, &theirs)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn merge(folders: &[PathBuf], output: &Path) -> Result<()> {
    let record = read_all(folders)?;
    if output.join(super::report::SUMMARY).exists() {
        bail!("{} has the results of a run; name another folder with -o", output.display());
    }
    let sources = sources_of(folders)?;
    fs::create_dir_all(output).with_context(|| format!("cannot make {}", output.display()))?;
    write_whole(&output.join(COVERAGE), record.to_json().as_bytes())?;
    let sources = serde_json::to_string(&sources).context("cannot write sources.json")?;
    write_whole(&output.join(SOURCES), sources.as_bytes())
}

/// Leaves the functions that a file names; records that are compared may have them together.
fn restrict(records: &mut [&mut CoverageRecord], file: Option<&Path>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let shown = file.display().to_string();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
    let list = FunctionList::parse(&text);
    for record in records {
        record.restrict(&list).with_context(|| shown.clone())?;
    }
    Ok(())
}

/// The coverage of all folders together.
fn read_all(folders: &[PathBuf]) -> Result<CoverageRecord> {
    let mut all = CoverageRecord::default();
    for folder in folders {
        all.merge(&read(folder)?).with_context(|| folder.display().to_string())?;
    }
    Ok(all)
}

/// The coverage of a folder.
fn read(folder: &Path) -> Result<CoverageRecord> {
    let shown = folder.display();
    let Some(text) = text_of(folder, COVERAGE)? else {
        bail!(
            "{shown} has no {COVERAGE}: it is not the folder of a run that is over, or of a merge"
        );
    };
    CoverageRecord::from_json(&text).with_context(|| format!("{COVERAGE} in {shown} is damaged"))
}

/// The source files of all folders. They are those of one program, so any of them is.
fn sources_of(folders: &[PathBuf]) -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for folder in folders {
        let Some(text) = text_of(folder, SOURCES)? else { continue };
        let sources: BTreeMap<String, String> = serde_json::from_str(&text)
            .with_context(|| format!("{SOURCES} in {} is damaged", folder.display()))?;
        all.extend(sources);
    }
    Ok(all)
}
