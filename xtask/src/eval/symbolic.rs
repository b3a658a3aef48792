//! Utilities with symbolic arguments, file and standard input: what is reached in a given time.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::cases::chosen;
use super::report::Report;
use super::runs::{Bench, Summary};
use super::table::{Table, grouped};
use crate::process::heading;
use crate::workspace;

/// What is explored.
pub(super) const UTILITIES: [&str; 12] =
    ["echo", "cat", "wc", "head", "cut", "tr", "sort", "uniq", "base64", "expr", "nl", "basename"];

/// The symbolic inputs of each of them.
const INPUTS: [&str; 8] = ["--sym-args", "0", "2", "4", "--sym-file", "A=16", "--sym-stdin", "16"];

/// The part of `coverage.json` that is looked at.
#[derive(Deserialize)]
struct Functions {
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    file: Option<String>,
    covered: u64,
    total: u64,
}

/// Explores the chosen utilities for `seconds` each.
pub(super) fn run(
    bench: &Bench,
    utilities: &[&str],
    only: &[String],
    seconds: u64,
) -> Result<Report> {
    heading(&format!("symbolic inputs, {seconds} s each: {}", INPUTS.join(" ")));
    let columns =
        ["utility", "its file", "", "all but libc", "", "paths", "instructions", "findings"];
    let mut table = Table::new(&columns);
    let mut notes = Vec::new();
    for &name in utilities.iter().filter(|name| chosen(only, name)) {
        let out = bench.fresh(&format!("symbolic-{name}"))?;
        let mut run = bench.run(&out);
        run.args(INPUTS).args(["--max-time", &format!("{seconds}s")]).arg(bench.program(name));
        let output = run.output().context("cannot start the driver")?;
        let summary = match bench.summary(&out) {
            Ok(summary) => summary,
            Err(error) => {
                let stderr = String::from_utf8_lossy(&output.stderr);
                notes.push(format!("{name}: {error:#} ({})\n{}", output.status, stderr.trim_end()));
                continue;
            }
        };
        let own = own_coverage(&out, name)?;
        let all = (summary.coverage.covered, summary.coverage.total);
        println!("{name:12} {} covered, {} paths", percent(own), grouped(summary.paths));
        table.row(vec![
            name.to_owned(),
            format!("{}/{}", own.0, own.1),
            percent(own),
            format!("{}/{}", all.0, all.1),
            percent(all),
            grouped(summary.paths),
            grouped(summary.instructions),
            summary.findings.len().to_string(),
        ]);
        notes.extend(details(name, &summary, &out));
    }
    let mut lines = vec![format!("covered instructions after {seconds} s ({})", INPUTS.join(" "))];
    lines.extend(table.lines());
    lines.append(&mut notes);
    lines.push(String::new());
    Ok(Report { lines, different: 0 })
}

/// Covered and all instructions of the file that is called like the utility.
fn own_coverage(out: &Path, name: &str) -> Result<(u64, u64)> {
    let text = fs::read(out.join("coverage.json")).context("the run left no coverage")?;
    let all: Functions = serde_json::from_slice(&text).context("cannot read the coverage")?;
    let own = format!("{name}.c");
    // `base64` is compiled from the source of `basenc`.
    let is_own = |file: &str| {
        let file = file.rsplit('/').next().unwrap_or(file);
        file == own || (name == "base64" && file == "basenc.c")
    };
    let own = all.functions.iter().filter(|f| f.file.as_deref().is_some_and(is_own));
    Ok(own.fold((0, 0), |(covered, total), f| (covered + f.covered, total + f.total)))
}

/// What was not explored, and what was found.
fn details(name: &str, summary: &Summary, out: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    let limit = summary.limit.as_deref().unwrap_or("all paths explored");
    lines.push(format!("{name}: {limit}"));
    for dropped in &summary.dropped {
        let reason = dropped.reason.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.push(format!("  {:>9}  {reason}", grouped(dropped.count)));
    }
    for finding in &summary.findings {
        lines.push(format!("  FINDING  {}", finding.text()));
        if let Some(test) = &finding.test {
            lines.push(format!("           {}", workspace::relative(&out.join(test))));
        }
    }
    lines
}

fn percent((covered, total): (u64, u64)) -> String {
    match total {
        0 => "-".to_owned(),
        total => format!("{:.0}%", covered as f64 * 100.0 / total as f64),
    }
}
