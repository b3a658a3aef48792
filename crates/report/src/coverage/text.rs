//! Coverage as text: by file and function.

use super::{CoverageFigures, CoverageRecord, FunctionRecord};
use crate::number::{count_of, grouped, percent};

/// The coverage of so many runs.
pub fn coverage_text(record: &CoverageRecord, runs: usize) -> String {
    let files = record.files();
    let mut all = CoverageFigures::default();
    files.values().for_each(|file| all.add(file.figures()));
    let mut text = format!("coverage of {}", count_of(runs as u64, "run"));
    for (what, (covered, total)) in [
        ("instructions", all.instructions),
        ("lines", all.lines),
        ("functions", all.functions),
        ("sides of branches", all.branches),
    ] {
        let share = percent(covered, total);
        let (covered, total) = (grouped(covered), grouped(total));
        text.push_str(&format!("\n  {share:>7} of {what}: {covered} of {total}"));
    }
    text.push('\n');
    for (name, file) in files {
        let name = if name.is_empty() { "(no debug information)" } else { name };
        text.push_str(&format!("\n{}  {name}\n", row(&file.figures())));
        for function in &file.functions {
            let of = program_of(record, function);
            text.push_str(&format!(
                "{}    {}{of}\n",
                row(&function.figures()),
                function.readable()
            ));
        }
    }
    text.push_str("\nof each file and function: instructions, lines, and sides of branches\n");
    text
}

fn row(figures: &CoverageFigures) -> String {
    let cell = |(covered, total): (u64, u64)| match total {
        0 => "-".to_owned(),
        total => percent(covered, total),
    };
    let CoverageFigures { instructions, lines, functions: _, branches } = *figures;
    format!("{:>8} {:>8} {:>8}", cell(instructions), cell(lines), cell(branches))
}

/// The program of a function, if several programs have one of this name in the same file.
pub(super) fn program_of(record: &CoverageRecord, function: &FunctionRecord) -> String {
    let is_alike = |other: &&FunctionRecord| {
        (&other.function, &other.file) == (&function.function, &function.file)
    };
    if record.functions.iter().filter(is_alike).count() < 2 {
        return String::new();
    }
    match record.programs.get(function.program) {
        Some(program) => format!(" of {}", program.name),
        None => String::new(),
    }
}
