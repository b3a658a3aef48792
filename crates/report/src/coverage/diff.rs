//! What one run has covered and another one has not.

use std::collections::{BTreeMap, BTreeSet};

use super::merge::instructions;
use super::{CoverageRecord, FunctionRecord};
use crate::number::{count_of, grouped};

/// What `one` has covered that `other` has not, and the other way round. The runs are of the same programs
/// ([`CoverageRecord::merge`] has no objection).
pub fn coverage_diff_text(one: (&str, &CoverageRecord), other: (&str, &CoverageRecord)) -> String {
    let only = |(name, own): (&str, &CoverageRecord), than: &CoverageRecord| {
        let mut text = format!("only in {name}: ");
        let (sum, functions) = beyond(own, than);
        text.push_str(&sum);
        functions.iter().for_each(|function| text.push_str(function));
        text
    };
    format!("{}\n{}", only(one, other.1), only(other, one.1))
}

/// The additional coverage, as a sum and by function.
fn beyond(own: &CoverageRecord, than: &CoverageRecord) -> (String, Vec<String>) {
    let key = |of: &CoverageRecord, function: &FunctionRecord| {
        (of.programs.get(function.program).cloned().unwrap_or_default(), function.function.clone())
    };
    let mut known: BTreeMap<_, &FunctionRecord> = BTreeMap::new();
    for function in &than.functions {
        let (program, name) = key(than, function);
        known.insert((program.name, program.content, name), function);
    }
    let (mut sum, mut rows) = (Beyond::default(), Vec::new());
    let nothing = FunctionRecord::default();
    for function in &own.functions {
        let (program, name) = key(own, function);
        let before = known.get(&(program.name, program.content, name)).copied().unwrap_or(&nothing);
        let more = Beyond::of(function, before);
        if more.instructions == 0 && more.sides == 0 {
            continue;
        }
        let file = function.file.as_deref().map_or(String::new(), |file| format!("{file}: "));
        let of = super::text::program_of(own, function);
        rows.push(format!("  {file}{}{of}: {}\n", function.readable(), more.text(function)));
        sum.add(more);
    }
    let total = match rows.is_empty() {
        true => "nothing\n".to_owned(),
        false => format!(
            "{}, {}, {}, {}\n",
            count_of(sum.instructions, "instruction"),
            count_of(sum.lines.len() as u64, "line"),
            count_of(sum.functions, "function"),
            count_of(sum.sides, "side") + " of branches",
        ),
    };
    (total, rows)
}

/// What a function has been executed beyond what another run has executed of it.
#[derive(Default)]
struct Beyond {
    instructions: u64,
    lines: BTreeSet<(String, u32)>,
    functions: u64,
    sides: u64,
    /// Lines of branches with a new side.
    branches: BTreeSet<u32>,
}

impl Beyond {
    fn of(function: &FunctionRecord, before: &FunctionRecord) -> Beyond {
        let numbers = |of: &FunctionRecord| instructions(&of.executed).unwrap_or_default();
        let known: BTreeSet<&u32> = before.lines_covered.iter().collect();
        let lines = function.lines_covered.iter().filter(|line| !known.contains(line));
        let file = function.file.clone().unwrap_or_default();
        let mut more = Beyond {
            instructions: numbers(function).difference(&numbers(before)).count() as u64,
            lines: lines.map(|line| (file.clone(), *line)).collect(),
            functions: u64::from(function.is_entered() && !before.is_entered()),
            ..Beyond::default()
        };
        for (at, branch) in function.branches.iter().enumerate() {
            let taken = before.branches.get(at).map_or([false; 2], |branch| branch.taken);
            let new = branch.taken.iter().zip(taken).filter(|(own, before)| **own && !before);
            let new = new.count() as u64;
            more.sides += new;
            more.branches.extend(branch.line.filter(|_| new > 0));
        }
        more
    }

    fn add(&mut self, other: Beyond) {
        let Beyond { instructions, lines, functions, sides, branches: _ } = other;
        self.instructions += instructions;
        self.lines.extend(lines);
        self.functions += functions;
        self.sides += sides;
    }

    fn text(&self, function: &FunctionRecord) -> String {
        let mut parts = Vec::new();
        let lines: BTreeSet<u32> = self.lines.iter().map(|(_, line)| *line).collect();
        if !lines.is_empty() {
            parts.push(format!("lines {}", line_runs(&lines, function)));
        }
        let new_sides: BTreeSet<u32> = self.branches.difference(&lines).copied().collect();
        if !new_sides.is_empty() {
            parts.push(format!(
                "another side of the branches in {}",
                line_runs(&new_sides, function)
            ));
        }
        if parts.is_empty() {
            let count = grouped(self.instructions);
            parts.push(format!("{count} more instructions of lines that both have covered"));
        }
        parts.join(", ")
    }
}

/// Lines as runs; lines of the function that have no code do not part them.
fn line_runs(lines: &BTreeSet<u32>, function: &FunctionRecord) -> String {
    let mut others: BTreeSet<u32> = BTreeSet::new();
    others.extend(function.lines_covered.iter().chain(&function.lines_missed));
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((_, last)) if others.range(*last + 1..*line).next().is_none() => *last = *line,
            _ => runs.push((*line, *line)),
        }
    }
    let run = |(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(", ")
}
