//! The coverage of several runs as one.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{BranchRecord, CoverageRecord, FunctionRecord, ProgramRecord};

/// Runs whose coverage cannot be put together.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CoverageMismatch {
    /// The folder is one of a version that has not kept the programs.
    #[error(
        "the coverage does not tell which programs it is of, since an earlier version has made it; run again"
    )]
    NoPrograms,
    /// A program is another one than before.
    #[error(
        "{name} is another program than in the folders before: it was changed, or compiled in another way \
         ({}); run it again, or leave the folder out", difference(.differing)
    )]
    Changed {
        /// The name of the program.
        name: String,
        /// Some of the functions that differ; none if it cannot be seen from outside.
        differing: Vec<String>,
    },
    /// A function is not what its program has: the file is damaged.
    #[error("the coverage of {function} is damaged")]
    Damaged {
        /// The name of the function.
        function: String,
    },
}

/// Functions that are named in an error.
const NAMED: usize = 3;

fn difference(functions: &[String]) -> String {
    match functions {
        [] => "all of its functions have as many instructions as before".to_owned(),
        [one] => format!("{one} differs"),
        names => {
            let more = if names.len() > NAMED { ", ..." } else { "" };
            let names = names.iter().take(NAMED).map(String::as_str);
            format!("{}{more} differ", names.collect::<Vec<_>>().join(", "))
        }
    }
}

impl CoverageRecord {
    /// Adds the coverage of another run. A program of a known name and of other contents is an error, unless
    /// the other run has the known one, too: then both are programs of a system.
    ///
    /// # Errors
    /// If the programs are not the same, or cannot be told.
    pub fn merge(&mut self, other: &CoverageRecord) -> Result<(), CoverageMismatch> {
        for record in [&*self, other] {
            if record.programs.is_empty() && !record.functions.is_empty() {
                return Err(CoverageMismatch::NoPrograms);
            }
        }
        self.check_same_programs(other)?;
        let numbers: Vec<usize> = other.programs.iter().map(|each| self.number(each)).collect();
        let key = |program: usize, function: &FunctionRecord| (program, function.function.clone());
        let mut known: BTreeMap<(usize, String), usize> = BTreeMap::new();
        for (at, function) in self.functions.iter().enumerate() {
            known.insert(key(function.program, function), at);
        }
        for function in &other.functions {
            let damaged = || CoverageMismatch::Damaged { function: function.function.clone() };
            let program = *numbers.get(function.program).ok_or_else(damaged)?;
            match known.get(&key(program, function)) {
                Some(at) => self.functions[*at].merge(function).ok_or_else(damaged)?,
                None => self.functions.push(FunctionRecord { program, ..function.clone() }),
            }
        }
        self.count_again();
        Ok(())
    }

    fn check_same_programs(&self, other: &CoverageRecord) -> Result<(), CoverageMismatch> {
        for (at, program) in other.programs.iter().enumerate() {
            let ours: Vec<usize> = self.programs_named(&program.name);
            let is_known =
                |of: &CoverageRecord, program: &ProgramRecord| of.programs.contains(program);
            let all_there = ours.iter().all(|ours| is_known(other, &self.programs[*ours]));
            if ours.is_empty() || is_known(self, program) || all_there {
                continue;
            }
            let functions = |of: &CoverageRecord, programs: &[usize]| -> BTreeSet<(String, u64)> {
                let functions = of.functions.iter().filter(|each| programs.contains(&each.program));
                functions.map(|each| (each.readable().to_owned(), each.total)).collect()
            };
            let (before, now) = (functions(self, &ours), functions(other, &[at]));
            let mut differing: Vec<String> =
                before.symmetric_difference(&now).map(|(name, _)| name.clone()).collect();
            differing.dedup();
            return Err(CoverageMismatch::Changed { name: program.name.clone(), differing });
        }
        Ok(())
    }

    fn programs_named(&self, name: &str) -> Vec<usize> {
        let programs = self.programs.iter().enumerate();
        programs.filter(|(_, program)| program.name == name).map(|(at, _)| at).collect()
    }

    /// The number of a program, which may be new.
    fn number(&mut self, program: &ProgramRecord) -> usize {
        let known = self.programs.iter().position(|known| known == program);
        known.unwrap_or_else(|| {
            self.programs.push(program.clone());
            self.programs.len() - 1
        })
    }
}

impl FunctionRecord {
    /// Adds what another run has executed of the same function; `None` if it is not the same.
    fn merge(&mut self, other: &FunctionRecord) -> Option<()> {
        let is_same = self.total == other.total && self.branches.len() == other.branches.len();
        let (ours, theirs) = (instructions(&self.executed)?, instructions(&other.executed)?);
        let executed: BTreeSet<u64> = ours.union(&theirs).copied().collect();
        if !is_same || executed.last().is_some_and(|last| *last >= self.total) {
            return None;
        }
        self.covered = executed.len() as u64;
        self.executed = runs_text(&runs(&executed));
        self.merge_lines(other);
        for (own, other) in self.branches.iter_mut().zip(&other.branches) {
            let BranchRecord { line: _, taken, counts } = own;
            *taken = [taken[0] || other.taken[0], taken[1] || other.taken[1]];
            *counts = counts.zip(other.counts).map(|(a, b)| [a[0] + b[0], a[1] + b[1]]);
        }
        self.entered = self.entered.zip(other.entered).map(|(own, other)| own + other);
        Some(())
    }

    fn merge_lines(&mut self, other: &FunctionRecord) {
        let counted = |of: &FunctionRecord| -> Option<BTreeMap<u32, u64>> {
            let counts = of.line_counts.as_ref()?;
            Some(of.lines_covered.iter().copied().zip(counts.iter().copied()).collect())
        };
        let counts = counted(self).zip(counted(other));
        let covered: BTreeSet<u32> =
            self.lines_covered.iter().chain(&other.lines_covered).copied().collect();
        let all: BTreeSet<u32> =
            self.lines_missed.iter().chain(&other.lines_missed).copied().collect();
        self.lines_missed = all.difference(&covered).copied().collect();
        self.lines_covered = covered.into_iter().collect();
        self.line_counts = counts.map(|(own, other)| {
            let of = |line| own.get(line).unwrap_or(&0) + other.get(line).unwrap_or(&0);
            self.lines_covered.iter().map(of).collect()
        });
    }
}

/// Runs of numbers, as text.
pub(super) fn runs_text(runs: &[(u64, u64)]) -> String {
    let run = |(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    runs.iter().map(run).collect::<Vec<_>>().join(" ")
}

/// Instructions of a function that are believed at most.
const INSTRUCTIONS_MAX: u64 = 1 << 24;

/// The numbers in a text of runs; `None` if it is not one.
pub(super) fn instructions(text: &str) -> Option<BTreeSet<u64>> {
    let mut numbers = BTreeSet::new();
    for run in text.split_whitespace() {
        let (first, last) = run.split_once('-').unwrap_or((run, run));
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        if last >= INSTRUCTIONS_MAX {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some(numbers)
}

/// Numbers as runs of them.
fn runs(numbers: &BTreeSet<u64>) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => runs.push((*number, *number)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(content: &str, executed: &str, covered: &[u32], missed: &[u32]) -> CoverageRecord {
        let function = FunctionRecord {
            function: "f".to_owned(),
            total: 10,
            covered: instructions(executed).unwrap().len() as u64,
            executed: executed.to_owned(),
            lines_covered: covered.to_vec(),
            lines_missed: missed.to_vec(),
            branches: vec![BranchRecord {
                line: Some(1),
                taken: [covered.contains(&1), covered.contains(&2)],
                counts: None,
            }],
            ..FunctionRecord::default()
        };
        let program = ProgramRecord { name: "a.c".to_owned(), content: content.to_owned() };
        let mut record = CoverageRecord {
            programs: vec![program],
            functions: vec![function],
            ..CoverageRecord::default()
        };
        record.count_again();
        record
    }

    #[test]
    fn runs_of_one_program_are_united_instruction_by_instruction() {
        let mut one = record("1", "0-3 7", &[1, 3], &[2]);
        one.merge(&record("1", "2-5", &[2, 3], &[1])).unwrap();
        let [function] = &one.functions[..] else { panic!("one function") };
        assert_eq!((&*function.executed, function.covered, one.covered), ("0-5 7", 7, 7));
        assert_eq!((&function.lines_covered, &function.lines_missed), (&vec![1, 2, 3], &vec![]));
        assert_eq!(function.branches[0].taken, [true, true]);
        let again = one.to_json();
        one.merge(&record("1", "2-5", &[2, 3], &[1])).unwrap();
        assert_eq!(one.to_json(), again, "what is known adds nothing");
    }

    #[test]
    fn changed_programs_are_told_apart() {
        let mut one = record("1", "0", &[1], &[]);
        let mut other = record("2", "0", &[1], &[]);
        other.functions[0].total = 11;
        let error = one.merge(&other).unwrap_err();
        assert_eq!(
            error,
            CoverageMismatch::Changed { name: "a.c".to_owned(), differing: vec!["f".to_owned()] }
        );
        // A program of another name is another program of the system.
        other.programs[0].name = "b.c".to_owned();
        one.merge(&other).unwrap();
        assert_eq!((one.programs.len(), one.functions.len(), one.total), (2, 2, 21));
    }

    #[test]
    fn damaged_files_are_errors() {
        let mut one = record("1", "0", &[1], &[]);
        for executed in ["0-99999999999", "x", "3-", "10"] {
            let mut other = record("1", "0", &[1], &[]);
            other.functions[0].executed = executed.to_owned();
            let damaged = CoverageMismatch::Damaged { function: "f".to_owned() };
            assert_eq!(one.merge(&other), Err(damaged), "{executed}");
        }
        let mut other = record("1", "0", &[1], &[]);
        other.functions[0].program = 1;
        assert!(one.merge(&other).is_err());
        other.programs.clear();
        assert_eq!(one.merge(&other), Err(CoverageMismatch::NoPrograms));
    }
}
