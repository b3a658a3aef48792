//! `everett report`: the page about a run, and its results in formats of other tools, made out of its
//! folder of results; a run makes them in the same way.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use everett_report::{
    RunFiles, RunRecord, captures, github_annotations, junit_xml, lcov_info, report_html,
    sarif_json, shiviz_log, trace_json,
};
use everett_settings::ExportFormat;

use crate::sources::{SourceFiles, text_on_disk};
use crate::terminal;
use crate::whole_file::write_whole;

/// The summary in the folder.
pub(crate) const SUMMARY: &str = "summary.json";
/// The page in the folder.
pub(crate) const PAGE: &str = "report.html";
/// The source files as they were when the run ended.
const SOURCES: &str = "sources.json";
/// Bytes of source files that are stored at most: as much as fits a page, and something more.
const SOURCE_BYTES_MAX: usize = 3 << 20;

/// Make the page about a run again, out of the folder of its results
///
/// A run writes it by itself, unless --report is off. The page is one file, which needs neither a network nor
/// the other files of the folder.
#[derive(clap::Args)]
pub(crate) struct ReportOptions {
    /// Folder with the results of a run, such as everett-out/last
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write the page to this file [default: report.html in the folder]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the results in formats of other tools as well, into the folder
    #[arg(long, value_name = "FORMATS", value_delimiter = ',')]
    export: Vec<ExportFormat>,
}

/// Makes the page.
pub(crate) fn run(options: &ReportOptions) -> Result<ExitCode> {
    let ReportOptions { folder, output, export } = options;
    let record = read(folder)?;
    let file = output.clone().unwrap_or_else(|| folder.join(PAGE));
    write_whole(&file, report_html(&record, &SourceFiles::default()).as_bytes())?;
    let annotations = write_exports(folder, &record, export)?;
    terminal::out(&format!("{}\n{annotations}", file.display()));
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a run that is over into its folder, with the source files that it shows, and its
/// results in other formats. Returns what is to be printed.
pub(crate) fn write_results(
    folder: &Path,
    writes_page: bool,
    formats: &[ExportFormat],
) -> Result<String> {
    if !writes_page && formats.is_empty() {
        return Ok(String::new());
    }
    let mut record = read(folder)?;
    store_sources(folder, &mut record)?;
    if writes_page {
        let page = report_html(&record, &SourceFiles::default());
        write_whole(&folder.join(PAGE), page.as_bytes())?;
    }
    write_exports(folder, &record, formats)
}

/// Stores the source files of a run as they are now, so that the page is the same when it is made again.
fn store_sources(folder: &Path, record: &mut RunRecord) -> Result<()> {
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    let mut left = SOURCE_BYTES_MAX;
    for name in record.source_files() {
        let Some(text) = text_on_disk(&name) else { continue };
        if let Some(rest) = left.checked_sub(text.len()) {
            left = rest;
            sources.insert(name, text);
        }
    }
    let text = serde_json::to_string(&sources).context("cannot write sources.json")?;
    write_whole(&folder.join(SOURCES), text.as_bytes())?;
    record.set_sources(sources);
    Ok(())
}

/// Writes results in other formats. Returns what is to be printed.
fn write_exports(folder: &Path, record: &RunRecord, formats: &[ExportFormat]) -> Result<String> {
    let base = std::env::current_dir().unwrap_or_default();
    let base = base.to_string_lossy();
    let write = |name: &str, text: String| write_whole(&folder.join(name), text.as_bytes());
    let mut printed = String::new();
    for format in formats {
        match format {
            ExportFormat::Sarif => {
                write("results.sarif", sarif_json(record, &base, &SourceFiles::default()))?;
            }
            ExportFormat::Junit => write("junit.xml", junit_xml(record))?,
            ExportFormat::Lcov => write("coverage.lcov", lcov_info(record))?,
            ExportFormat::Trace => write("trace.json", trace_json(record))?,
            ExportFormat::Shiviz => write("shiviz.log", shiviz_log(record))?,
            ExportFormat::Pcapng => {
                for capture in captures(record) {
                    write_whole(&folder.join(capture.file), &capture.bytes)?;
                }
            }
            ExportFormat::Github => printed.push_str(&github_annotations(record, &base)),
        }
    }
    Ok(printed)
}

/// Reads the results in a folder.
pub(crate) fn read(folder: &Path) -> Result<RunRecord> {
    let shown = folder.display();
    let Some(summary) = text_of(folder, SUMMARY)? else {
        bail!("{shown} is not the folder of a run: it has no {SUMMARY}");
    };
    let files = RunFiles {
        summary,
        coverage: text_of(folder, "coverage.json")?,
        progress: text_of(folder, "progress.jsonl")?,
        sources: text_of(folder, SOURCES)?,
        command: text_of(folder, "run.txt")?,
    };
    RunRecord::read(&files).with_context(|| format!("cannot read the results in {shown}"))
}

/// The text of a file, if it is there.
fn text_of(folder: &Path, name: &str) -> Result<Option<String>> {
    let path = folder.join(name);
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}
