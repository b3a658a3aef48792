//! Operations of programs that a run learns about while it explores orders of threads: [`LearntOps`].

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_interp::ProgramId;
use everett_ir::Pc;

use crate::state::races::RacingPair;

/// An operation of a program.
type ProgramOp = (ProgramId, Pc);

/// Operations that matter in the same way, such as plain accesses that race. A run that notes others than
/// those that are known at its beginning is to be repeated with these.
#[derive(Debug, Default)]
pub struct LearntOps {
    known: BTreeSet<ProgramOp>,
    noted: Mutex<BTreeSet<ProgramOp>>,
    has_noted: AtomicBool,
}

/// Both those that were known at the beginning of the run and those that it has noted since.
impl Portable for LearntOps {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.known.write(to);
        // Those that are noted may become more meanwhile, so they are not borrowed.
        let noted = lock(&self.noted);
        to.number(noted.len() as u64);
        for (program, pc) in noted.iter() {
            to.number(program.index() as u64);
            to.number((*pc).into());
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let known = Portable::read(from)?;
        let noted: Vec<(u32, Pc)> = from.sequence()?;
        let op = |(program, pc)| (ProgramId::from_index(program as usize), pc);
        let noted: BTreeSet<ProgramOp> = noted.into_iter().map(op).collect();
        let has_noted = AtomicBool::new(!noted.is_empty());
        Ok(LearntOps { known, noted: Mutex::new(noted), has_noted })
    }
}

impl LearntOps {
    /// Bytes of one in a test case.
    const BYTES: usize = 8;

    /// Those that are known from the beginning.
    pub fn new(known: impl IntoIterator<Item = ProgramOp>) -> LearntOps {
        LearntOps { known: known.into_iter().collect(), ..LearntOps::default() }
    }

    /// Reads those of a test case; an incomplete one at the end is passed over.
    pub fn read_all(bytes: &[u8]) -> Vec<ProgramOp> {
        let word = |chunk: &[u8], at: usize| {
            u32::from_le_bytes(std::array::from_fn(|i| chunk.get(at + i).copied().unwrap_or(0)))
        };
        let op = |chunk: &[u8]| (ProgramId::from_index(word(chunk, 0) as usize), word(chunk, 4));
        bytes.chunks_exact(LearntOps::BYTES).map(op).collect()
    }

    /// As a test case has them; empty if there are none.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.known.iter().flat_map(op_bytes).collect()
    }

    /// A pair as a test case has it.
    pub fn pair_bytes(pair: RacingPair) -> Vec<u8> {
        [pair.earlier, pair.later].iter().flat_map(op_bytes).collect()
    }

    /// Returns true if further ones were noted.
    pub fn has_noted(&self) -> bool {
        self.has_noted.load(Ordering::Relaxed)
    }

    /// Those that are known, and those that were noted.
    pub fn all(&self) -> BTreeSet<ProgramOp> {
        self.known.union(&lock(&self.noted)).copied().collect()
    }

    /// The known ones of a program.
    pub(crate) fn of(&self, program: ProgramId) -> impl Iterator<Item = Pc> + '_ {
        self.known.iter().filter(move |(of, _)| *of == program).map(|(_, pc)| *pc)
    }

    /// Returns true if an operation is known.
    pub(crate) fn is_known(&self, op: ProgramOp) -> bool {
        self.known.contains(&op)
    }

    /// Notes an operation, unless it is known.
    pub(crate) fn note(&self, op: ProgramOp) {
        if !self.is_known(op) {
            lock(&self.noted).insert(op);
            self.has_noted.store(true, Ordering::Relaxed);
        }
    }
}

fn op_bytes((program, pc): &ProgramOp) -> Vec<u8> {
    [(program.index() as u32).to_le_bytes(), pc.to_le_bytes()].concat()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_operations_go_through_a_test_case_and_new_ones_are_noted() {
        let program = ProgramId::from_index(1);
        let ops = LearntOps::new([(program, 7), (program, 9)]);
        assert_eq!(LearntOps::read_all(&ops.to_bytes()), [(program, 7), (program, 9)]);
        ops.note((program, 7));
        assert!(!ops.has_noted());
        ops.note((program, 8));
        assert!(ops.has_noted() && ops.all().len() == 3);
        let pair = RacingPair { earlier: (program, 7), later: (program, 8) };
        assert_eq!(LearntOps::read_all(&LearntOps::pair_bytes(pair)), [pair.earlier, pair.later]);
    }
}
