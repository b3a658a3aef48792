//! From what was executed of the programs of a run to coverage by function, and to the work by source line.
//!
//! Not here: coverage while programs are executed (`everett_interp::Coverage`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use everett_base::hash::Map;
use everett_interp::{Coverage, OpWork, ProgramId, ProgramImages};
use everett_ir::{FuncId, LocId, Pc, Program};

use crate::api::report::SourcePlace;
use crate::api::summary::{
    BranchCoverage, CoverageCount, ExecutedProgram, FunctionCounts, FunctionCoverage, FunctionWork,
    LineWork, RunWork,
};
use crate::programs::names::readable;
use crate::programs::places;

/// What a summary says about the programs.
pub(crate) struct ProgramResults {
    pub(crate) programs: Vec<ExecutedProgram>,
    pub(crate) functions: Vec<FunctionCoverage>,
    pub(crate) work: RunWork,
}

pub(crate) fn results(images: &ProgramImages, coverage: &[Coverage]) -> ProgramResults {
    let (mut known, mut functions) = (Vec::new(), Vec::new());
    let mut work = WorkByPlace::default();
    for CoveredProgram { id, coverage, first } in programs(images, coverage) {
        let image = images.image(id);
        let program = &*image.program;
        let (number, own) = (known.len(), own(program, first));
        functions.extend(own.map(|func| one_function(program, number, &coverage, func)));
        known.push(ExecutedProgram { name: name(program, first), content: image.content() });
        work.add(program, &coverage, first);
    }
    ProgramResults { programs: known, functions, work: work.into_work() }
}

/// Covered and total instructions of the user's programs; libraries do not count.
pub(crate) fn coverage(images: &ProgramImages, coverage: &[Coverage]) -> CoverageCount {
    let mut count = CoverageCount::default();
    for CoveredProgram { id, coverage, first } in programs(images, coverage) {
        let program = &*images.image(id).program;
        for func in own(program, first) {
            let (covered, total) = coverage.of_function(program, func);
            count.covered += covered;
            count.total += total;
        }
    }
    count
}

/// A program of the user's, and what was executed of it.
struct CoveredProgram<'a> {
    id: ProgramId,
    coverage: Cow<'a, Coverage>,
    /// Its first function; those before it are another program's, to which libraries were linked.
    first: usize,
}

/// The user's programs. What was executed of a program after it has opened libraries counts as its own.
fn programs<'a>(
    images: &'a ProgramImages,
    coverage: &'a [Coverage],
) -> impl Iterator<Item = CoveredProgram<'a>> {
    let image = |i| images.image(ProgramId::from_index(i));
    let mut all: Vec<Cow<'a, Coverage>> = coverage.iter().map(Cow::Borrowed).collect();
    for i in (0..all.len()).rev() {
        let (before, rest) = all.split_at_mut(i);
        if let (Some(base), Some(extended)) = (image(i).base, rest.first()) {
            before[base.index()].to_mut().add(extended);
        }
    }
    let own = all.into_iter().enumerate().filter(move |(i, _)| !image(*i).is_gateway);
    own.map(move |(i, coverage)| {
        let first = image(i).base.map_or(0, |base| images.image(base).program.functions.len());
        CoveredProgram { id: ProgramId::from_index(i), coverage, first }
    })
}

/// Functions with code that are not a library's, from one on.
fn own(program: &Program, first: usize) -> impl Iterator<Item = FuncId> + '_ {
    (first..program.functions.len())
        .map(FuncId::from_index)
        .filter(|f| program.function(*f).defined && !program.function(*f).library)
}

/// The source file of `main`, or of the first function that has one.
fn name(program: &Program, first: usize) -> String {
    let of = |func: FuncId| {
        let location = program.location(program.function(func).loc)?;
        Some(program.files[location.file.index()].name.clone())
    };
    let main = program.function_named("main").filter(|func| func.index() >= first);
    main.and_then(of).or_else(|| own(program, first).find_map(of)).unwrap_or_default()
}

fn one_function(
    program: &Program,
    number: usize,
    coverage: &Coverage,
    func: FuncId,
) -> FunctionCoverage {
    let function = program.function(func);
    let (covered, total) = coverage.of_function(program, func);
    let place = program.location(function.loc);
    // The initialiser of a C++ object has lines, but none of its own.
    let own =
        |pc| program.location(program.loc(pc)).filter(|l| l.line > 0 && l.inlined_at.is_none());
    let first = || (function.entry..function.end).find_map(own);
    let file = place.or_else(first).map(|location| location.file);
    let line = |pc: Pc| {
        let location = program.location(program.loc(pc))?;
        (location.line > 0 && Some(location.file) == file).then_some(location.line)
    };
    let covered_ops = coverage.covered_ops(program, func);
    let counts = coverage.op_counts(program, func);
    let mut lines: BTreeMap<u32, (bool, u64)> = BTreeMap::new();
    for (at, (pc, executed)) in (function.entry..).zip(&covered_ops).enumerate() {
        let Some(line) = line(pc) else { continue };
        let line = lines.entry(line).or_default();
        line.0 |= *executed;
        line.1 = line.1.max(counts.as_ref().map_or(0, |counts| counts[at]));
    }
    let branch = |of: everett_interp::BranchSides| {
        let line = line(of.pc).unwrap_or(0);
        BranchCoverage { line, taken: of.taken, counts: of.counts }
    };
    FunctionCoverage {
        program: number,
        function: function.name.clone(),
        name: readable(&function.name).into_owned(),
        file: file.map_or(String::new(), |file| program.files[file.index()].name.clone()),
        line: place.map_or(0, |location| location.line),
        instructions: CoverageCount { covered, total },
        executed: executed(&program.weights[function.entry as usize..], &covered_ops),
        counts: counts.map(|counts| FunctionCounts {
            entered: counts.first().copied().unwrap_or(0),
            lines: lines.values().map(|(_, count)| *count).collect(),
        }),
        lines: lines.into_iter().map(|(line, (executed, _))| (line, executed)).collect(),
        branches: coverage.branches(program, func).into_iter().map(branch).collect(),
    }
}

/// The runs of source instructions that were executed, of ops that stand for so many.
fn executed(weights: &[u16], covered: &[bool]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    let mut next = 0;
    for (weight, covered) in weights.iter().zip(covered) {
        let first = next;
        next += u64::from(*weight);
        if !covered || *weight == 0 {
            continue;
        }
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == first => *last = next - 1,
            _ => runs.push((first, next - 1)),
        }
    }
    runs
}

/// The work of a run, by the lines and functions that it was for.
#[derive(Default)]
struct WorkByPlace {
    lines: BTreeMap<(String, u32), LineWork>,
    functions: Option<Map<(String, String), FunctionWork>>,
}

impl WorkByPlace {
    /// Adds what was done for a program, from one function on.
    fn add(&mut self, program: &Program, coverage: &Coverage, first: usize) {
        let begin = program.functions.get(first).map_or(0, |function| function.entry);
        for (pc, work) in coverage.work().filter(|(pc, _)| *pc >= begin) {
            self.add_to_line(program, pc, work, 0);
        }
        for func in (first..program.functions.len()).map(FuncId::from_index) {
            if let Some(counts) = coverage.op_counts(program, func) {
                self.functions.get_or_insert_default();
                self.add_counts(program, func, &counts);
            }
        }
    }

    fn add_to_line(&mut self, program: &Program, pc: Pc, work: OpWork, instructions: u64) {
        let places = places::op(program, pc);
        let Some(place) = places::own(&places) else { return };
        let SourcePlace { file, line, .. } = place;
        let new = || LineWork {
            place: SourcePlace { column: 0, inlined: false, ..place.clone() },
            forks: 0,
            queries: 0,
            solver_time: Duration::ZERO,
            instructions: 0,
        };
        let entry = self.lines.entry((file.clone(), *line)).or_insert_with(new);
        entry.forks += work.forks;
        entry.queries += work.queries;
        entry.solver_time += Duration::from_nanos(work.solver_ns);
        entry.instructions += instructions;
    }

    fn add_counts(&mut self, program: &Program, func: FuncId, counts: &[u64]) {
        let function = program.function(func);
        let mut sum = 0;
        let mut by_place: BTreeMap<LocId, (Pc, u64)> = BTreeMap::new();
        for (pc, count) in (function.entry..).zip(counts) {
            let instructions = count * u64::from(program.weights[pc as usize]);
            sum += instructions;
            by_place.entry(program.loc(pc)).or_insert((pc, 0)).1 += instructions;
        }
        if sum == 0 {
            return;
        }
        if !function.library {
            for (pc, instructions) in by_place.into_values().filter(|(_, count)| *count > 0) {
                self.add_to_line(program, pc, OpWork::default(), instructions);
            }
        }
        let location = program.location(function.loc);
        let file = location.map(|at| program.files[at.file.index()].name.clone());
        let (name, file) = (readable(&function.name).into_owned(), file.unwrap_or_default());
        let functions = self.functions.get_or_insert_default();
        let entry = functions.entry((file.clone(), name.clone())).or_insert_with(|| FunctionWork {
            function: name,
            file,
            library: function.library,
            instructions: 0,
        });
        entry.instructions += sum;
    }

    fn into_work(self) -> RunWork {
        let functions = self.functions.map(|functions| {
            let mut functions: Vec<FunctionWork> = functions.into_values().collect();
            functions.sort_by(|a, b| {
                let key = |work: &FunctionWork| (u64::MAX - work.instructions, work.file.clone());
                key(a).cmp(&key(b)).then_with(|| a.function.cmp(&b.function))
            });
            functions
        });
        RunWork { lines: self.lines.into_values().collect(), functions }
    }
}
