//! [`Coverage`]: what was executed of a program, and the work that it was.
//!
//! A segment is named by the control op that ends it. Marking is one byte store; a state that
//! marks a segment for the first time learns it. A conditional branch has two marks, one for each side.
//!
//! Forks and queries are rare, and always counted, by the op that they were for. Segments are counted only
//! on request ([`Coverage::counting`]): then no mark is final, so that each goes the slow way, and the way
//! of those that are not counted is as it was.

use std::collections::BTreeMap;

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_ir::{FuncId, Op, Pc, Program};

/// Executed segments of one program.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Two flags an op. A conditional branch has the first for its `other` side and the second for its
    /// `then` side; any other op that ends a segment has the first. None is set while segments are counted.
    seen: Flags,
    /// Ops executed in segments that a path ended in the middle of.
    partial: Vec<(Pc, Pc)>,
    fresh: u64,
    /// Forks and queries, by the op that they were for.
    work: BTreeMap<Pc, OpWork>,
    counted: Option<Box<SegmentCounts>>,
}

everett_base::portable!(struct Coverage { seen, partial, fresh, work, counted });

/// Flags that take a byte each in memory, where they are looked at all the time, and a bit each elsewhere.
#[derive(Clone, Debug, Default)]
struct Flags(Vec<bool>);

impl Portable for Flags {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let bit = |(at, flag): (usize, &bool)| u8::from(*flag) << at;
        let byte = |flags: &[bool]| flags.iter().enumerate().map(bit).sum();
        let packed: Vec<u8> = self.0.chunks(8).map(byte).collect();
        to.number(self.0.len() as u64);
        to.byte_string(&packed);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let (length, packed) = (from.number()?, from.byte_string()?);
        if length.div_ceil(8) != packed.len() as u64 {
            return Err(from.unexpected("a bit for each flag"));
        }
        let flags = packed.iter().flat_map(|byte| (0..8).map(move |at| byte >> at & 1 != 0));
        Ok(Flags(flags.take(length as usize).collect()))
    }
}

/// The number of times that segments were executed.
#[derive(Clone, Debug, Default)]
struct SegmentCounts {
    /// The flags, which [`Coverage::seen`] does not have.
    seen: Flags,
    /// A number for each flag.
    counts: Vec<u64>,
    /// Branches of which a state took one side and its sibling the other, in one execution.
    both: BTreeMap<Pc, u64>,
    /// Beginnings of segments that a path ended in the middle of.
    partial: BTreeMap<(Pc, Pc), u64>,
}

everett_base::portable!(struct SegmentCounts { seen, counts, both, partial });

/// The work that was done for one op.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpWork {
    /// States that were made.
    pub forks: u64,
    /// Queries that reached a backend of the solver.
    pub queries: u64,
    /// Nanoseconds that backends took for them.
    pub solver_ns: u64,
}

everett_base::portable!(struct OpWork { forks, queries, solver_ns });

impl OpWork {
    /// Adds other work for the same op.
    pub fn add(&mut self, other: OpWork) {
        let OpWork { forks, queries, solver_ns } = other;
        self.forks += forks;
        self.queries += queries;
        self.solver_ns += solver_ns;
    }
}

/// The sides of a conditional branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchSides {
    /// The branch.
    pub pc: Pc,
    /// True for a side that was taken: where the condition holds, and where it does not.
    pub taken: [bool; 2],
    /// How often, if that was counted.
    pub counts: Option<[u64; 2]>,
}

/// Returns true for a conditional branch.
pub(crate) fn is_branch(op: &Op) -> bool {
    matches!(op, Op::Branch { .. } | Op::CompareBranch { .. })
}

impl Coverage {
    /// Nothing covered yet.
    pub fn new(program: &Program) -> Coverage {
        let seen = Flags(vec![false; 2 * program.ops.len()]);
        let (partial, work) = (Vec::new(), BTreeMap::new());
        Coverage { seen, partial, fresh: 0, work, counted: None }
    }

    /// Nothing covered yet; segments are going to be counted.
    pub fn counting(program: &Program) -> Coverage {
        let mut coverage = Coverage::new(program);
        let (seen, counts) = (coverage.seen.clone(), vec![0; coverage.seen.0.len()]);
        coverage.counted = Some(Box::new(SegmentCounts { seen, counts, ..Default::default() }));
        coverage
    }

    /// The same of a program that this one is the beginning of, without what was counted.
    pub fn extended(&self, program: &Program) -> Coverage {
        let mut extended = match self.counted {
            Some(_) => Coverage::counting(program),
            None => Coverage::new(program),
        };
        extended.learn(self);
        extended.fresh = self.fresh;
        extended
    }

    /// What is covered, without what was counted: for others, which count for themselves.
    pub fn known(&self) -> Coverage {
        let (seen, partial) = (Flags(self.flags().to_vec()), self.partial.clone());
        Coverage { seen, partial, fresh: self.fresh, work: BTreeMap::new(), counted: None }
    }

    fn flags(&self) -> &[bool] {
        &self.counted.as_ref().map_or(&self.seen, |counted| &counted.seen).0
    }

    /// Marks the segment that ends at `pc`; true if it was new.
    #[inline(always)]
    pub fn mark(&mut self, pc: Pc) -> bool {
        self.mark_at(2 * pc as usize)
    }

    /// Marks the segment that ends at a conditional branch, of which one side is taken; true if it was new,
    /// whatever the side.
    #[inline(always)]
    pub fn mark_side(&mut self, pc: Pc, holds: bool) -> bool {
        self.mark_at(2 * pc as usize + usize::from(holds))
    }

    /// The same for both sides: a state takes one, and its sibling the other.
    pub fn mark_both(&mut self, pc: Pc) -> bool {
        let is_new = self.mark_side(pc, true);
        self.mark_side(pc, false);
        if let Some(counted) = &mut self.counted {
            *counted.both.entry(pc).or_default() += 1;
        }
        is_new
    }

    #[inline(always)]
    fn mark_at(&mut self, at: usize) -> bool {
        if self.seen.0[at] {
            return false;
        }
        self.mark_slowly(at)
    }

    #[cold]
    #[inline(never)]
    fn mark_slowly(&mut self, at: usize) -> bool {
        let flags = match &mut self.counted {
            None => &mut self.seen.0,
            Some(counted) => {
                counted.counts[at] += 1;
                &mut counted.seen.0
            }
        };
        let is_new = !flags[at] && !flags[at ^ 1];
        flags[at] = true;
        self.fresh += u64::from(is_new);
        is_new
    }

    /// Returns true if the segment that ends at `pc` was executed.
    pub fn is_covered(&self, pc: Pc) -> bool {
        let (flags, at) = (self.flags(), 2 * pc as usize);
        flags[at] || flags[at + 1]
    }

    /// Segments marked so far: a number that changes exactly when coverage of segments does.
    pub fn version(&self) -> u64 {
        self.fresh
    }

    /// Marks the ops `first..=last` of a segment that a path left in the middle.
    pub fn mark_partial(&mut self, first: Pc, last: Pc) {
        if let Some(counted) = &mut self.counted {
            *counted.partial.entry((first, last)).or_default() += 1;
        }
        self.know_partial(first, last);
    }

    fn know_partial(&mut self, first: Pc, last: Pc) {
        let known = self.partial.iter().any(|(f, l)| *f == first && *l >= last);
        if !known {
            self.partial.retain(|(f, _)| *f != first);
            self.partial.push((first, last));
        }
    }

    /// Notes work that was done for an op.
    pub fn note_work(&mut self, pc: Pc, work: OpWork) {
        self.work.entry(pc).or_default().add(work);
    }

    /// The work that was done for ops.
    pub fn work(&self) -> impl Iterator<Item = (Pc, OpWork)> + '_ {
        self.work.iter().map(|(pc, work)| (*pc, *work))
    }

    /// Marks what is marked in another coverage of the same program, or of one that begins with it. What was
    /// counted there is not counted here.
    pub fn learn(&mut self, other: &Coverage) {
        let own = self.seen.0.len();
        let flags = other.flags().iter().take(own).enumerate();
        let flags: Vec<usize> = flags.filter(|(_, seen)| **seen).map(|(at, _)| at).collect();
        for at in flags {
            let seen = match &mut self.counted {
                None => &mut self.seen.0,
                Some(counted) => &mut counted.seen.0,
            };
            self.fresh += u64::from(!seen[at] && !seen[at ^ 1]);
            seen[at] = true;
        }
        let partial = other.partial.iter().filter(|(first, _)| 2 * (*first as usize) < own);
        partial.for_each(|(first, last)| self.know_partial(*first, *last));
    }

    /// The same, with what was counted.
    pub fn add(&mut self, other: &Coverage) {
        self.learn(other);
        let own = self.seen.0.len();
        let is_own = |pc: Pc| 2 * (pc as usize) < own;
        for (pc, work) in other.work().filter(|(pc, _)| is_own(*pc)) {
            self.note_work(pc, work);
        }
        let Some(other) = &other.counted else { return };
        let flags = Flags(self.flags().to_vec());
        let counted = self.counted.get_or_insert_with(|| {
            Box::new(SegmentCounts { seen: flags, counts: vec![0; own], ..Default::default() })
        });
        self.seen.0.iter_mut().for_each(|seen| *seen = false);
        let SegmentCounts { seen: _, counts, both, partial } = &**other;
        counted.counts.iter_mut().zip(counts).for_each(|(own, other)| *own += other);
        for (pc, count) in both.iter().filter(|(pc, _)| is_own(**pc)) {
            *counted.both.entry(*pc).or_default() += count;
        }
        for (segment, count) in partial.iter().filter(|((first, _), _)| is_own(*first)) {
            *counted.partial.entry(*segment).or_default() += count;
        }
    }

    /// For each op of a function, true if it has been executed.
    pub fn covered_ops(&self, program: &Program, func: FuncId) -> Vec<bool> {
        let function = program.function(func);
        let mut covered = vec![false; (function.end - function.entry) as usize];
        let mut end = None;
        for pc in (function.entry..function.end).rev() {
            if program.ops[pc as usize].insts().is_some() {
                end = Some(pc);
            }
            covered[(pc - function.entry) as usize] = end.is_some_and(|end| self.is_covered(end));
        }
        for (first, last) in &self.partial {
            for pc in (*first..=*last).filter(|pc| (function.entry..function.end).contains(pc)) {
                covered[(pc - function.entry) as usize] = true;
            }
        }
        covered
    }

    /// For each op of a function, how often it was executed, if that was counted.
    pub fn op_counts(&self, program: &Program, func: FuncId) -> Option<Vec<u64>> {
        let counted = self.counted.as_ref()?;
        let function = program.function(func);
        let mut counts = vec![0; (function.end - function.entry) as usize];
        let mut count = 0;
        for pc in (function.entry..function.end).rev() {
            if program.ops[pc as usize].insts().is_some() {
                let sides: u64 = counted.counts[2 * pc as usize..][..2].iter().sum();
                count = sides - counted.both.get(&pc).copied().unwrap_or(0);
            }
            counts[(pc - function.entry) as usize] = count;
        }
        for ((first, last), count) in counted.partial.range((function.entry, 0)..(function.end, 0))
        {
            for pc in *first..=*last {
                counts[(pc - function.entry) as usize] += count;
            }
        }
        Some(counts)
    }

    /// The conditional branches of a function.
    pub fn branches(&self, program: &Program, func: FuncId) -> Vec<BranchSides> {
        let function = program.function(func);
        let flags = self.flags();
        let sides = |pc: Pc| {
            let at = 2 * pc as usize;
            let counts = self.counted.as_ref().map(|counted| &counted.counts[at..at + 2]);
            let counts = counts.map(|counts| [counts[1], counts[0]]);
            BranchSides { pc, taken: [flags[at + 1], flags[at]], counts }
        };
        let branches = function.entry..function.end;
        branches.filter(|pc| is_branch(&program.ops[*pc as usize])).map(sides).collect()
    }

    /// Covered and total source instructions of a function.
    pub fn of_function(&self, program: &Program, func: FuncId) -> (u64, u64) {
        let entry = program.function(func).entry as usize;
        let covered_ops = self.covered_ops(program, func);
        let weights = &program.weights[entry..entry + covered_ops.len()];
        let total = weights.iter().map(|w| u64::from(*w)).sum();
        let covered =
            weights.iter().zip(covered_ops).filter(|(_, c)| *c).map(|(w, _)| u64::from(*w));
        (covered.sum(), total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of nine ops: a branch, an op, and ends of segments.
    fn program() -> Program {
        let mut program = Program::new();
        let branch = Op::Branch {
            insts: 1,
            cond: everett_ir::Operand::slot(everett_ir::Slot(0)),
            then: 2,
            other: 1,
        };
        program.ops =
            vec![branch, Op::Jump { insts: 1, target: 2 }, Op::Jump { insts: 1, target: 0 }];
        program.weights = vec![1; 3];
        program.functions =
            vec![everett_ir::Function { defined: true, end: 3, ..Default::default() }];
        program
    }

    fn bytes_of<T: Portable>(value: &T) -> Vec<u8> {
        let mut to = PartWriter::new(&[]);
        value.write(&mut to);
        to.into_bytes()
    }

    fn covered(coverage: &Coverage) -> Vec<bool> {
        coverage.covered_ops(&program(), FuncId(0))
    }

    #[test]
    fn second_side_of_a_branch_is_no_new_segment() {
        for mut coverage in [Coverage::new(&program()), Coverage::counting(&program())] {
            assert!(coverage.mark_side(0, true));
            assert!(!coverage.mark_side(0, false) && !coverage.mark_side(0, true));
            assert_eq!((coverage.version(), covered(&coverage)), (1, vec![true, false, false]));
            let [sides] = coverage.branches(&program(), FuncId(0))[..] else {
                panic!("one branch")
            };
            assert_eq!(sides.taken, [true, true]);
            assert_eq!(sides.counts, coverage.counted.as_ref().map(|_| [2, 1]));
        }
    }

    #[test]
    fn counts_are_added_and_what_others_know_is_not_counted() {
        let mut coverage = Coverage::counting(&program());
        coverage.mark_both(0);
        coverage.mark(1);
        coverage.mark_partial(2, 2);
        let counts = |coverage: &Coverage| coverage.op_counts(&program(), FuncId(0)).unwrap();
        // A state and its sibling have executed the branch once.
        assert_eq!(counts(&coverage), [1, 1, 1]);
        let mut other = coverage.known();
        assert!(other.op_counts(&program(), FuncId(0)).is_none());
        other.add(&coverage);
        other.add(&coverage);
        assert_eq!((counts(&other), covered(&other)), (vec![2, 2, 2], vec![true; 3]));
        other.learn(&coverage);
        assert_eq!(counts(&other), [2, 2, 2]);
    }

    #[test]
    fn coverage_goes_through_bytes() {
        let mut coverage = Coverage::counting(&program());
        coverage.mark_side(0, false);
        coverage.note_work(0, OpWork { forks: 1, queries: 2, solver_ns: 3 });
        let bytes = bytes_of(&coverage);
        let again = Coverage::read(&mut PartReader::new(&bytes, &[])).unwrap();
        assert_eq!(format!("{again:?}"), format!("{coverage:?}"));
        // One flag more than the bits that there are.
        let mut damaged = bytes_of(&Flags(vec![true; 8]));
        damaged[0] += 1;
        assert!(Flags::read(&mut PartReader::new(&damaged, &[])).is_err());
    }
}
