//! [`CoverageRecord`]: what was executed of programs, by function, in one run or in several: `coverage.json`.
//!
//! Programs are told apart by a hash over their code. Runs of the same program are merged instruction by
//! instruction; a program that has changed between two runs is an error, since its instructions have other
//! numbers ([`merge`]). A file of functions restricts everything to those that count ([`functions`]).

mod diff;
mod functions;
mod merge;
mod text;

use std::collections::BTreeMap;

use everett_engine::{BranchCoverage, ExecutedProgram, FunctionCoverage, Summary};
use serde::{Deserialize, Serialize};

pub use diff::coverage_diff_text;
pub use functions::{FunctionList, UnknownFunction};
pub use merge::CoverageMismatch;
pub use text::coverage_text;

/// Coverage by function.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct CoverageRecord {
    pub(crate) covered: u64,
    pub(crate) total: u64,
    /// Empty in folders of versions that could not merge runs.
    pub(crate) programs: Vec<ProgramRecord>,
    pub(crate) functions: Vec<FunctionRecord>,
}

/// A program that was executed.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub(crate) struct ProgramRecord {
    pub(crate) name: String,
    /// A hash over its code.
    pub(crate) content: String,
}

/// Coverage of one function.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct FunctionRecord {
    pub(crate) function: String,
    /// Its name as its source has it, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) program: usize,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) covered: u64,
    pub(crate) total: u64,
    /// The numbers of the instructions that were executed, such as `0-11 15`.
    pub(crate) executed: String,
    pub(crate) lines_covered: Vec<u32>,
    pub(crate) lines_missed: Vec<u32>,
    pub(crate) branches: Vec<BranchRecord>,
    /// How often it was entered, if that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) entered: Option<u64>,
    /// For each of `lines_covered`, how often it was executed, if that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line_counts: Option<Vec<u64>>,
}

/// Coverage of a conditional branch.
#[derive(Clone, Debug, Default, Deserialize, Serialize, PartialEq, Eq)]
pub(crate) struct BranchRecord {
    /// Absent where it is not known.
    pub(crate) line: Option<u32>,
    /// True for a side that was taken: where the condition holds, and where it does not.
    pub(crate) taken: [bool; 2],
    /// How often, if that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) counts: Option<[u64; 2]>,
}

/// `coverage.json`.
pub fn coverage_json(summary: &Summary) -> String {
    CoverageRecord::of(summary).to_json()
}

impl CoverageRecord {
    /// The coverage of a run.
    pub fn of(summary: &Summary) -> CoverageRecord {
        let program = |of: &ExecutedProgram| {
            let ExecutedProgram { name, content } = of;
            ProgramRecord { name: name.clone(), content: format!("{content:016x}") }
        };
        CoverageRecord {
            covered: summary.coverage.covered,
            total: summary.coverage.total,
            programs: summary.programs.iter().map(program).collect(),
            functions: summary.functions.iter().map(function).collect(),
        }
    }

    /// Reads `coverage.json`.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn from_json(text: &str) -> Result<CoverageRecord, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The text of `coverage.json`: one line for each program and each function.
    pub fn to_json(&self) -> String {
        let CoverageRecord { covered, total, programs, functions } = self;
        let mut text = format!("{{\n  \"covered\": {covered},\n  \"total\": {total},\n");
        text.push_str(&format!("  \"programs\": {},\n", list(programs)));
        text.push_str(&format!("  \"functions\": {}\n}}\n", list(functions)));
        text
    }

    /// The source files that were executed, those with the most lines first.
    pub fn source_files(&self) -> Vec<String> {
        let mut covered: BTreeMap<&str, usize> = BTreeMap::new();
        for function in &self.functions {
            let Some(file) = &function.file else { continue };
            *covered.entry(file).or_default() += function.lines_covered.len();
        }
        let mut covered: Vec<(&str, usize)> = covered.into_iter().collect();
        covered.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
        covered.into_iter().map(|(name, _)| name.to_owned()).collect()
    }

    /// The coverage of each source file, by its name; code without debug information is in a file without
    /// a name.
    pub(crate) fn files(&self) -> BTreeMap<&str, FileCoverage<'_>> {
        let mut files: BTreeMap<&str, FileCoverage<'_>> = BTreeMap::new();
        for function in &self.functions {
            files.entry(function.file.as_deref().unwrap_or_default()).or_default().add(function);
        }
        files
    }

    fn count_again(&mut self) {
        self.covered = self.functions.iter().map(|function| function.covered).sum();
        self.total = self.functions.iter().map(|function| function.total).sum();
    }
}

/// Entries of a list, each on a line.
pub(crate) fn list(entries: &[impl Serialize]) -> String {
    let json = |entry| {
        serde_json::to_string(entry).expect("structures of numbers, strings and lists are JSON")
    };
    match entries {
        [] => "[]".to_owned(),
        entries => {
            let lines: Vec<String> =
                entries.iter().map(|entry| format!("    {}", json(entry))).collect();
            format!("[\n{}\n  ]", lines.join(",\n"))
        }
    }
}

fn function(of: &FunctionCoverage) -> FunctionRecord {
    let FunctionCoverage {
        program,
        function,
        name,
        file,
        line,
        instructions,
        executed,
        lines,
        branches,
        counts,
    } = of;
    let lines_of = |executed: bool| {
        lines.iter().filter(|(_, is)| *is == executed).map(|(line, _)| *line).collect()
    };
    let line_counts = counts.as_ref().map(|counts| {
        let covered = lines.iter().zip(&counts.lines).filter(|((_, is), _)| *is);
        covered.map(|(_, count)| *count).collect()
    });
    let branch = |of: &BranchCoverage| {
        let BranchCoverage { line, taken, counts } = of;
        let line = (*line > 0).then_some(*line);
        BranchRecord { line, taken: *taken, counts: *counts }
    };
    FunctionRecord {
        function: function.clone(),
        name: (name != function).then(|| name.clone()),
        program: *program,
        file: (!file.is_empty()).then(|| file.clone()),
        line: (*line > 0).then_some(*line),
        covered: instructions.covered,
        total: instructions.total,
        executed: merge::runs_text(executed),
        lines_covered: lines_of(true),
        lines_missed: lines_of(false),
        branches: branches.iter().map(branch).collect(),
        entered: counts.as_ref().map(|counts| counts.entered),
        line_counts,
    }
}

impl FunctionRecord {
    /// Its name as its source has it.
    pub(crate) fn readable(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.function)
    }

    /// Returns true if it was executed.
    pub(crate) fn is_entered(&self) -> bool {
        self.covered > 0
    }

    /// What was executed of it, in numbers.
    pub(crate) fn figures(&self) -> CoverageFigures {
        let lines = self.lines_covered.len();
        let taken = self.branches.iter().flat_map(|branch| branch.taken);
        CoverageFigures {
            instructions: (self.covered, self.total),
            lines: (lines as u64, (lines + self.lines_missed.len()) as u64),
            functions: (self.is_entered().into(), 1),
            branches: (taken.filter(|taken| *taken).count() as u64, 2 * self.branches.len() as u64),
        }
    }
}

/// What was executed, and all that there is: instructions, lines, functions, and sides of conditional
/// branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CoverageFigures {
    pub(crate) instructions: (u64, u64),
    pub(crate) lines: (u64, u64),
    pub(crate) functions: (u64, u64),
    pub(crate) branches: (u64, u64),
}

impl CoverageFigures {
    pub(crate) fn add(&mut self, other: CoverageFigures) {
        let CoverageFigures { instructions, lines, functions, branches } = other;
        let pairs = [
            (&mut self.instructions, instructions),
            (&mut self.lines, lines),
            (&mut self.functions, functions),
            (&mut self.branches, branches),
        ];
        for (own, other) in pairs {
            *own = (own.0 + other.0, own.1 + other.1);
        }
    }
}

/// A line of a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineCoverage {
    pub(crate) is_executed: bool,
    /// How often, if that was counted.
    pub(crate) count: Option<u64>,
    /// Sides of the conditional branches of the line that were taken, and all.
    pub(crate) sides: (u64, u64),
}

/// The coverage of a file.
#[derive(Default)]
pub(crate) struct FileCoverage<'a> {
    pub(crate) functions: Vec<&'a FunctionRecord>,
    pub(crate) lines: BTreeMap<u32, LineCoverage>,
    figures: CoverageFigures,
}

impl<'a> FileCoverage<'a> {
    fn add(&mut self, function: &'a FunctionRecord) {
        let counts = function.line_counts.as_ref();
        for (at, line) in function.lines_covered.iter().enumerate() {
            let line = self.lines.entry(*line).or_default();
            line.is_executed = true;
            if let Some(count) = counts.and_then(|counts| counts.get(at)) {
                // Functions of several programs, or that are inlined, have lines in common.
                *line.count.get_or_insert(0) += count;
            }
        }
        for line in &function.lines_missed {
            self.lines.entry(*line).or_default();
        }
        for BranchRecord { line, taken, counts: _ } in &function.branches {
            let Some(line) = line.and_then(|line| self.lines.get_mut(&line)) else { continue };
            line.sides.0 += taken.iter().filter(|taken| **taken).count() as u64;
            line.sides.1 += 2;
        }
        self.figures.add(function.figures());
        self.functions.push(function);
    }

    /// What was executed of it, in numbers. A line counts once, whatever the number of functions that have
    /// it.
    pub(crate) fn figures(&self) -> CoverageFigures {
        let executed = self.lines.values().filter(|line| line.is_executed).count();
        CoverageFigures { lines: (executed as u64, self.lines.len() as u64), ..self.figures }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::samples::clean;

    #[test]
    fn coverage_has_a_line_for_each_function() {
        expect![[r#"
            {
              "covered": 40,
              "total": 52,
              "programs": [
                {"name":"b_fork.c","content":"0000000000001234"}
              ],
              "functions": [
                {"function":"main","program":0,"file":"b_fork.c","line":4,"covered":40,"total":52,"executed":"0-38 41","lines_covered":[4,5],"lines_missed":[9],"branches":[{"line":5,"taken":[true,false]}]}
              ]
            }
        "#]].assert_eq(&coverage_json(&clean()));
    }

    #[test]
    fn text_has_files_and_functions() {
        expect![[r#"
            coverage of 2 runs
                  77% of instructions: 40 of 52
                  67% of lines: 2 of 3
                 100% of functions: 1 of 1
                  50% of sides of branches: 1 of 2

                 77%      67%      50%  b_fork.c
                 77%      67%      50%    main

            of each file and function: instructions, lines, and sides of branches
        "#]]
        .assert_eq(&coverage_text(&CoverageRecord::of(&clean()), 2));
    }
}
