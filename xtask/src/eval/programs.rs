//! Programs with several threads and with several processes, compared with their native runs.

use std::fmt::Write;
use std::fs;

use anyhow::Result;

use super::cases::chosen;
use super::concrete::difference;
use super::report::Report;
use super::runs::{Bench, Invocation};
use super::table::{Table, grouped};
use crate::process::heading;

/// Some hundred kilobytes of text, several blocks for a compressor.
const BULK_LINES: u32 = 12_000;
/// As many lines as `sort` wants to see before it starts threads, and some more.
const MANY_LINES: u32 = 140_000;

/// A command line and what is remarkable about it.
struct Program {
    name: &'static str,
    what: &'static str,
    program: &'static str,
    args: &'static [&'static str],
}

const PROGRAMS: [Program; 5] = [
    Program {
        name: "lbzip2",
        what: "compresses with 4 threads",
        program: "lbzip2",
        args: &["-n", "4", "-1", "-c", "bulk"],
    },
    Program {
        name: "lbzip2",
        what: "two of them in a pipeline, 4 threads each",
        program: "sh",
        args: &["-c", "lbzip2 -n 4 -1 < bulk | lbzip2 -n 4 -d | sha256sum; echo $?"],
    },
    Program {
        name: "sort",
        what: "sorts with 4 threads",
        program: "sort",
        args: &["--parallel=4", "-n", "many"],
    },
    Program {
        name: "dash",
        what: "pipes, subshells, jobs, traps, signals",
        program: "sh",
        args: &["shell.sh", "first", "second argument"],
    },
    Program {
        name: "dash",
        what: "makes, changes and removes files",
        program: "sh",
        args: &["files.sh"],
    },
];

/// Runs the chosen programs.
pub(super) fn run(bench: &Bench, only: &[String]) -> Result<Report> {
    heading("programs with threads and processes");
    let folder = bench.pristine();
    fs::write(folder.join("bulk"), text(BULK_LINES, 50_000))?;
    fs::write(folder.join("many"), text(MANY_LINES, 1_000))?;
    let mut table = Table::new(&["program", "result", "instructions", "seconds", "what it does"]);
    let mut report = Report::default();
    for program in PROGRAMS.iter().filter(|program| chosen(only, program.name)) {
        let args: Vec<String> = program.args.iter().map(|&arg| arg.to_owned()).collect();
        let invocation = Invocation { program: program.program, args: &args, stdin: None };
        let (native, engine) = (bench.natively(&invocation)?, bench.in_engine(&invocation)?);
        let result = match difference(&native, &engine) {
            None => "same",
            Some(difference) => {
                println!("{} {}\n{difference}", program.program, program.args.join(" "));
                report.different += 1;
                "DIFFERENT"
            }
        };
        println!("{:12} {result}: {}", program.name, program.what);
        table.row(vec![
            program.name.to_owned(),
            result.to_owned(),
            grouped(engine.instructions),
            format!("{:.2}", engine.seconds),
            program.what.to_owned(),
        ]);
    }
    report.lines = table.lines();
    report.lines.push(String::new());
    Ok(report)
}

/// Lines with numbers below a bound and, if that is large, some words; always the same ones.
fn text(lines: u32, below: u64) -> String {
    let words = ["branch", "state", "path", "query", "memory", "object", "frame", "signal"];
    let mut number = 1_u64;
    let mut text = String::new();
    for _ in 0..lines {
        number = number * 48_271 % 2_147_483_647;
        let _ = write!(text, "{}", number % below);
        if below > 1_000 {
            let word = |shift: u32| words[(number >> shift) as usize % words.len()];
            let _ = write!(text, " {} {} {}", word(3), word(9), word(15));
        }
        text.push('\n');
    }
    text
}
