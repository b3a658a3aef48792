//! Coverage in the format of lcov's trace files, as `geninfo(1)` describes it.
//!
//! The engine knows whether a line was executed and not how often: a count is 1 or 0.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::paths::one_line;
use crate::record::{FunctionRecord, RunRecord};

/// `coverage.lcov`. Code without debug information is not in it.
pub fn lcov_info(record: &RunRecord) -> String {
    let mut files: BTreeMap<&str, Vec<&FunctionRecord>> = BTreeMap::new();
    for function in &record.coverage.functions {
        if let Some(file) = &function.file {
            files.entry(file).or_default().push(function);
        }
    }
    let mut out = String::from("TN:\n");
    for (file, functions) in files {
        let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
        let mut entered: BTreeMap<String, (u32, bool)> = BTreeMap::new();
        for function in functions {
            function.lines_missed.iter().for_each(|line| _ = lines.entry(*line).or_insert(false));
            function.lines_covered.iter().for_each(|line| _ = lines.insert(*line, true));
            let first = function.lines_covered.iter().chain(&function.lines_missed).min();
            let line = function.line.or(first.copied()).unwrap_or(1);
            // Programs of several nodes may share a function.
            let known = entered.entry(one_line(&function.function)).or_insert((line, false));
            known.1 |= function.covered > 0;
        }
        let _ = writeln!(out, "SF:{}", one_line(file));
        for (name, (line, _)) in &entered {
            let _ = writeln!(out, "FN:{line},{name}");
        }
        for (name, (_, is_entered)) in &entered {
            let _ = writeln!(out, "FNDA:{},{name}", u32::from(*is_entered));
        }
        let hit = entered.values().filter(|(_, is_entered)| *is_entered).count();
        let _ = writeln!(out, "FNF:{}\nFNH:{hit}", entered.len());
        for (line, executed) in &lines {
            let _ = writeln!(out, "DA:{line},{}", u32::from(*executed));
        }
        let hit = lines.values().filter(|executed| **executed).count();
        let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    out
}
