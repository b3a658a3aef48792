//! Coverage in the format of lcov's trace files, as `geninfo(1)` describes it.
//!
//! Unless instructions were counted, the engine knows whether a line was executed and not how often: a count
//! is 1 or 0.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::paths::one_line;
use crate::coverage::{BranchRecord, CoverageRecord, FileCoverage, FunctionRecord};

/// `coverage.lcov`. Code without debug information is not in it.
pub fn lcov_info(record: &CoverageRecord) -> String {
    let mut out = String::from("TN:\n");
    for (name, file) in record.files().iter().filter(|(name, _)| !name.is_empty()) {
        let _ = writeln!(out, "SF:{}", one_line(name));
        functions(&mut out, file);
        branches(&mut out, file);
        lines(&mut out, file);
        out.push_str("end_of_record\n");
    }
    out
}

fn functions(out: &mut String, file: &FileCoverage<'_>) {
    let mut entered: BTreeMap<String, (u32, u64)> = BTreeMap::new();
    for function in &file.functions {
        let first = function.lines_covered.iter().chain(&function.lines_missed).min();
        let line = function.line.or(first.copied()).unwrap_or(1);
        // Programs of several nodes may share a function.
        let known = entered.entry(one_line(&function.function)).or_insert((line, 0));
        known.1 += times(function);
    }
    for (name, (line, _)) in &entered {
        let _ = writeln!(out, "FN:{line},{name}");
    }
    for (name, (_, times)) in &entered {
        let _ = writeln!(out, "FNDA:{times},{name}");
    }
    let hit = entered.values().filter(|(_, times)| *times > 0).count();
    let _ = writeln!(out, "FNF:{}\nFNH:{hit}", entered.len());
}

/// How often a function was entered, as far as it is known.
fn times(function: &FunctionRecord) -> u64 {
    match function.is_entered() {
        true => function.entered.unwrap_or(1).max(1),
        false => 0,
    }
}

/// The sides of conditional branches. Each branch is a block of its own; its first side is the one on which
/// the condition holds.
fn branches(out: &mut String, file: &FileCoverage<'_>) {
    let mut by_line: BTreeMap<u32, Vec<&BranchRecord>> = BTreeMap::new();
    for branch in file.functions.iter().flat_map(|function| &function.branches) {
        let Some(line) = branch.line.filter(|line| file.lines.contains_key(line)) else { continue };
        by_line.entry(line).or_default().push(branch);
    }
    let (mut found, mut hit) = (0, 0);
    for (line, branches) in by_line {
        for (block, branch) in branches.into_iter().enumerate() {
            let is_evaluated = branch.taken.contains(&true);
            for (side, taken) in branch.taken.into_iter().enumerate() {
                let count = branch.counts.map_or(1, |counts| counts[side].max(1));
                let times = match (is_evaluated, taken) {
                    (false, _) => "-".to_owned(),
                    (true, false) => "0".to_owned(),
                    (true, true) => count.to_string(),
                };
                let _ = writeln!(out, "BRDA:{line},{block},{side},{times}");
                (found, hit) = (found + 1, hit + u64::from(taken));
            }
        }
    }
    let _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
}

fn lines(out: &mut String, file: &FileCoverage<'_>) {
    for (number, line) in &file.lines {
        let times = if line.is_executed { line.count.unwrap_or(1).max(1) } else { 0 };
        let _ = writeln!(out, "DA:{number},{times}");
    }
    let hit = file.lines.values().filter(|line| line.is_executed).count();
    let _ = writeln!(out, "LF:{}\nLH:{hit}", file.lines.len());
}
