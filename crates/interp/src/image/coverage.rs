//! [`Coverage`]: the segments of a program that have been executed.
//!
//! A segment is named by the control op that ends it. Marking is one byte store; a state that
//! marks a segment for the first time learns it.

use everett_ir::{FuncId, Pc, Program};

/// Executed segments of one program.
#[derive(Clone, Debug)]
pub struct Coverage {
    seen: Vec<bool>,
    /// Ops executed in segments that a path ended in the middle of.
    partial: Vec<(Pc, Pc)>,
    fresh: u64,
}

everett_base::portable!(struct Coverage { seen, partial, fresh });

impl Coverage {
    /// Nothing covered yet.
    pub fn new(program: &Program) -> Coverage {
        Coverage { seen: vec![false; program.ops.len()], partial: Vec::new(), fresh: 0 }
    }

    /// The same of a program that this one is the beginning of.
    pub fn extended(&self, program: &Program) -> Coverage {
        let mut extended = self.clone();
        extended.seen.resize(program.ops.len(), false);
        extended
    }

    /// Marks the segment that ends at `pc`; true if it was new.
    #[inline(always)]
    pub fn mark(&mut self, pc: Pc) -> bool {
        let seen = &mut self.seen[pc as usize];
        if *seen {
            return false;
        }
        *seen = true;
        self.fresh += 1;
        true
    }

    /// Returns true if the segment that ends at `pc` was executed.
    pub fn is_covered(&self, pc: Pc) -> bool {
        self.seen[pc as usize]
    }

    /// Segments marked so far: a number that changes exactly when coverage does.
    pub fn version(&self) -> u64 {
        self.fresh
    }

    /// Marks the ops `first..=last` of a segment that a path left in the middle.
    pub fn mark_partial(&mut self, first: Pc, last: Pc) {
        let known = self.partial.iter().any(|(f, l)| *f == first && *l >= last);
        if !known {
            self.partial.retain(|(f, _)| *f != first);
            self.partial.push((first, last));
        }
    }

    /// Marks what is marked in another coverage of the same program, or of one that begins with it.
    pub fn merge(&mut self, other: &Coverage) {
        let own = self.seen.len();
        for (pc, _) in (0..).zip(other.seen.iter().take(own)).filter(|(_, seen)| **seen) {
            self.mark(pc);
        }
        let partial = other.partial.iter().filter(|(first, _)| (*first as usize) < own);
        partial.for_each(|(first, last)| self.mark_partial(*first, *last));
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
            covered[(pc - function.entry) as usize] =
                end.is_some_and(|end| self.seen[end as usize]);
        }
        for (first, last) in &self.partial {
            for pc in (*first..=*last).filter(|pc| (function.entry..function.end).contains(pc)) {
                covered[(pc - function.entry) as usize] = true;
            }
        }
        covered
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
