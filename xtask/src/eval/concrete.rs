//! Utilities with concrete arguments: each command line natively and in the engine.

use anyhow::Result;

use super::cases::{Line, chosen, parse};
use super::report::Report;
use super::runs::{Bench, EngineRun, Invocation, Outcome};
use super::table::{Table, grouped};
use crate::process::heading;

/// How much of an output is shown where two differ.
const SHOWN_BYTES: usize = 600;

/// Runs the command lines of the chosen utilities.
pub(super) fn run(bench: &Bench, cases: &str, only: &[String]) -> Result<Report> {
    heading("command lines, natively and in the engine");
    let heading = ["utility", "lines", "same", "different", "allowed", "instructions", "seconds"];
    let mut table = Table::new(&heading);
    let mut report = Report::default();
    let mut allowed = Vec::new();
    let (mut utilities, mut identical, mut lines) = (0, 0, 0);
    for utility in parse(cases)?.iter().filter(|utility| chosen(only, &utility.name)) {
        let (mut same, mut different, mut excused) = (0, 0, 0);
        let (mut instructions, mut seconds) = (0, 0.0);
        for line in &utility.lines {
            let (native, engine) = run_line(bench, line)?;
            instructions += engine.instructions;
            seconds += engine.seconds;
            match (difference(&native, &engine), &line.differs) {
                (None, _) => same += 1,
                (Some(_), Some(reason)) => {
                    excused += 1;
                    allowed.push(format!("  {}\n      {reason}", line.text));
                }
                (Some(difference), None) => {
                    different += 1;
                    println!("{}: {}\n{difference}", utility.name, line.text);
                }
            }
        }
        println!("{:12} {same} of {}", utility.name, utility.lines.len());
        let count = |number: usize| if number == 0 { "-".to_owned() } else { number.to_string() };
        table.row(vec![
            utility.name.clone(),
            utility.lines.len().to_string(),
            same.to_string(),
            count(different),
            count(excused),
            grouped(instructions),
            format!("{seconds:.2}"),
        ]);
        utilities += 1;
        identical += usize::from(same == utility.lines.len());
        lines += utility.lines.len();
        report.different += different;
    }
    report.lines = table.lines();
    report.lines.push(format!(
        "{identical} of {utilities} utilities as natively; {lines} command lines, {} differ",
        report.different
    ));
    if !allowed.is_empty() {
        report.lines.push("differences that are allowed:".to_owned());
        report.lines.append(&mut allowed);
    }
    report.lines.push(String::new());
    Ok(report)
}

fn run_line(bench: &Bench, line: &Line) -> Result<(Outcome, EngineRun)> {
    let (program, stdin) = (line.program.as_str(), line.stdin.as_deref());
    let invocation = Invocation { program, args: &line.args, stdin };
    Ok((bench.natively(&invocation)?, bench.in_engine(&invocation)?))
}

/// What differs, as text to show.
pub(super) fn difference(native: &Outcome, engine: &EngineRun) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(trouble) = &engine.trouble {
        parts.push(format!("  in the engine: {trouble}"));
    }
    let code = |code: Option<i32>| code.map_or("none".to_owned(), |code| code.to_string());
    if native.code != engine.outcome.code {
        let (native, engine) = (code(native.code), code(engine.outcome.code));
        parts.push(format!("  exit code: natively {native}, in the engine {engine}"));
    }
    for (name, native, engine) in [
        ("standard output", &native.stdout, &engine.outcome.stdout),
        ("standard error", &native.stderr, &engine.outcome.stderr),
    ] {
        if native != engine {
            let same = native.iter().zip(engine).take_while(|(a, b)| a == b).count();
            let start = native[..same].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
            let (native, engine) = (excerpt(native, start), excerpt(engine, start));
            parts.push(format!(
                "  {name} from byte {start} on\n    natively:      {native}\n    in the engine: {engine}"
            ));
        }
    }
    (!parts.is_empty()).then(|| parts.join("\n"))
}

fn excerpt(bytes: &[u8], start: usize) -> String {
    let rest = &bytes[start.min(bytes.len())..];
    let more = if rest.len() > SHOWN_BYTES { " ..." } else { "" };
    format!("\"{}\"{more}", rest[..rest.len().min(SHOWN_BYTES)].escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(stdout: &str, code: i32) -> Outcome {
        Outcome { stdout: stdout.into(), stderr: Vec::new(), code: Some(code) }
    }

    fn engine(stdout: &str, code: i32, trouble: Option<&str>) -> EngineRun {
        let trouble = trouble.map(str::to_owned);
        EngineRun { outcome: outcome(stdout, code), trouble, instructions: 1, seconds: 0.0 }
    }

    #[test]
    fn differences_are_seen_and_shown() {
        let native = outcome("one\ntwo\n", 0);
        assert_eq!(difference(&native, &engine("one\ntwo\n", 0, None)), None);
        let text = difference(&native, &engine("one\nten\n", 1, None)).unwrap();
        assert!(text.contains("exit code: natively 0, in the engine 1"), "{text}");
        assert!(text.contains("from byte 4 on"), "{text}");
        assert!(text.contains("\"ten\\n\""), "{text}");
        let text = difference(&native, &engine("one\ntwo\n", 0, Some("a limit"))).unwrap();
        assert!(text.contains("a limit"), "{text}");
    }
}
