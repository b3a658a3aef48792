//! Results that do not exist, and when that is a bug.
//!
//! LLVM gives a shift by the width or more, and a no-wrap operation that wraps, no result but
//! *poison* (LangRef, "Poison Values"), and optimisers execute such operations where the source does
//! not, dropping the result later. So the operation itself is not reported: the path on which it has
//! no result goes on with a poisoned register, and ends when something depends on it. The finding
//! names the operation, not the use.
//!
//! Invariant: poison never leaves the frame that made it; passing, returning or storing it is a use.

use everett_expr::TermId;
use everett_ir::{Op, Operand, Pc, Slot, WideOp};

use crate::bug::Bug;
use crate::error::Stop;
use crate::flow::{Flow, PathEnding, SiblingCourse};
use crate::interp::{Interp, SplitOutcome};
use crate::state::State;
use crate::state::rare::PoisonedResults;
use crate::state::reg::Reg;

impl<X: Clone> Interp<'_, X> {
    /// Splits off the paths on which `fine` does not hold: there, the `n` slots from `dst` on are
    /// poisoned and execution goes on. False if this path is itself one of them. Where that is ignored, the
    /// operation has the result that the machine computes.
    pub(crate) fn poison_unless(
        &mut self,
        st: &mut State<X>,
        fine: TermId,
        dst: Slot,
        n: u32,
        bug: impl FnOnce(&Self, &State<X>) -> Bug,
    ) -> Result<bool, Stop> {
        let pc = st.pc();
        // An operation on memory that was never written decides nothing yet.
        let fine = self.pool.without_undefined(fine);
        match self.split(st, fine)? {
            SplitOutcome::Always => Ok(true),
            SplitOutcome::Never => {
                let bug = bug(self, st);
                if self.is_ignored(st, bug.kind) {
                    self.note_passed(st, bug.kind);
                    return Ok(true);
                }
                self.poison(st, pc, dst, n, bug);
                Ok(false)
            }
            SplitOutcome::Both(mut bad) => {
                let bug = bug(self, &bad);
                if self.is_ignored(&bad, bug.kind) {
                    // It comes back to the op, and has its result then.
                    self.add_sibling(bad, SiblingCourse::Again);
                    return Ok(true);
                }
                self.poison(&mut bad, pc, dst, n, bug);
                bad.jump(pc + 1);
                self.add_sibling(bad, SiblingCourse::On);
                Ok(true)
            }
        }
    }

    /// Poisons the `n` slots from `dst` on: once something depends on them, that is the bug.
    pub(crate) fn poison(&self, st: &mut State<X>, pc: Pc, dst: Slot, n: u32, bug: Bug) {
        let depth = st.stack.depth();
        let none = || PoisonedResults { depth, made: Vec::new() };
        let poisons = st.rare_mut().poisons.get_or_insert_with(none);
        poisons.depth = poisons.depth.min(depth);
        poisons.made.retain(|(origin, _)| *origin != pc);
        poisons.made.push((pc, bug));
        self.put_poison(st, &[(dst, n)], pc);
    }

    /// Forgets poison after a return, if no frame is left that could hold any.
    pub(crate) fn forget_poison(&self, st: &mut State<X>) {
        let depth = st.stack.depth();
        if st.poisons().is_some_and(|poisons| depth < poisons.depth) {
            st.rare_mut().poisons = None;
        }
    }

    fn put_poison(&self, st: &mut State<X>, slots: &[(Slot, u32)], origin: Pc) {
        for (first, n) in slots {
            (0..*n).for_each(|i| self.put_reg(st, first.plus(i), Reg::poison(origin)));
        }
    }

    /// Executes an op that reads poison. `None` if it reads none, or treats it like any value.
    pub(crate) fn step_poisoned(
        &mut self,
        st: &mut State<X>,
        op: &Op,
    ) -> Result<Option<Flow>, Stop> {
        if st.poisons().is_none() {
            return Ok(None);
        }
        let accesses = self.image.program.accesses(op);
        let mut all = accesses.reads.iter().flat_map(|(first, n)| (0..*n).map(|i| first.plus(i)));
        let Some(origin) = all.find_map(|operand| self.get(st, operand).poisoned_by()) else {
            return Ok(None);
        };
        match *op {
            Op::Copy { .. } => Ok(None),
            Op::Freeze { n, dst, a } => {
                for i in 0..u32::from(n) {
                    let reg = self.get(st, a.plus(i));
                    let frozen = if reg.poisoned_by().is_some() { Reg::word(0) } else { reg };
                    self.put_reg(st, dst.plus(i), frozen);
                }
                Ok(Some(Flow::Next))
            }
            Op::Select { dst, c, a, b, .. } if self.get(st, c).poisoned_by().is_none() => {
                self.choose(st, dst, c, [a, b]).map(Some)
            }
            _ if passes_on(op) => {
                self.put_poison(st, &accesses.writes, origin);
                Ok(Some(Flow::Next))
            }
            _ => Ok(Some(used(st, origin))),
        }
    }

    /// A `select` with a poisoned choice: a symbolic condition forks, since poison is no term.
    fn choose(
        &mut self,
        st: &mut State<X>,
        dst: Slot,
        c: Operand,
        choices: [Operand; 2],
    ) -> Result<Flow, Stop> {
        let cond = self.term(st, c, 1);
        let [then, other] = choices.map(|choice| self.get(st, choice));
        match self.split(st, cond)? {
            SplitOutcome::Always => self.put_reg(st, dst, then),
            SplitOutcome::Never => self.put_reg(st, dst, other),
            SplitOutcome::Both(mut sibling) => {
                self.put_reg(&mut sibling, dst, other);
                let next = sibling.pc() + 1;
                sibling.jump(next);
                self.add_sibling(sibling, SiblingCourse::On);
                self.put_reg(st, dst, then);
            }
        }
        Ok(Flow::Next)
    }
}

/// The end of a path that depends on a result that does not exist, at the op that has none.
fn used<X: Clone>(st: &mut State<X>, origin: Pc) -> Flow {
    let made = st.poisons().map_or(&[][..], |poisons| &poisons.made);
    let bug = made.iter().find(|(pc, _)| *pc == origin).map(|(_, bug)| bug.clone());
    st.jump(origin);
    Flow::End(PathEnding::Bug(Box::new(bug.expect("poison comes with its bug"))))
}

/// Returns true if an op only computes: its result is poison if an input is.
fn passes_on(op: &Op) -> bool {
    match op {
        Op::Add { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::And { .. }
        | Op::Or { .. }
        | Op::Xor { .. }
        | Op::Shl { .. }
        | Op::LShr { .. }
        | Op::AShr { .. }
        | Op::ICmp { .. }
        | Op::IntUnary { .. }
        | Op::IntBinary { .. }
        | Op::Overflow { .. }
        | Op::FunnelShift { .. }
        | Op::Trunc { .. }
        | Op::ZExt { .. }
        | Op::SExt { .. }
        | Op::Copy { .. }
        | Op::Promise { .. }
        | Op::WideCast { .. }
        | Op::Pack { .. }
        | Op::Unpack { .. }
        | Op::FloatBinary { .. }
        | Op::FloatUnary { .. }
        | Op::FloatCompare { .. }
        | Op::FloatCast { .. }
        | Op::FloatMulAdd { .. }
        | Op::FloatClass { .. }
        | Op::FloatScale { .. }
        | Op::PtrAdd { .. } => true,
        // Dividing by what does not exist may be dividing by zero.
        Op::Wide { op, .. } => {
            !matches!(op, WideOp::UDiv | WideOp::SDiv | WideOp::URem | WideOp::SRem)
        }
        Op::UDiv { .. }
        | Op::SDiv { .. }
        | Op::URem { .. }
        | Op::SRem { .. }
        | Op::Select { .. }
        | Op::Freeze { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::LoadMany { .. }
        | Op::StoreMany { .. }
        | Op::Alloca { .. }
        | Op::MemCopy { .. }
        | Op::MemSet { .. }
        | Op::AtomicRmw { .. }
        | Op::CompareExchange { .. }
        | Op::Fence
        | Op::ObjectSize { .. }
        | Op::ThreadLocal { .. }
        | Op::ThreadPointer { .. }
        | Op::StackSave { .. }
        | Op::StackRestore { .. }
        | Op::VaStart { .. }
        | Op::VaCopy { .. }
        | Op::Tick { .. }
        | Op::Jump { .. }
        | Op::Branch { .. }
        | Op::CompareBranch { .. }
        | Op::Switch { .. }
        | Op::IndirectJump { .. }
        | Op::Call { .. }
        | Op::Return { .. }
        | Op::Unreachable { .. }
        | Op::Trap { .. }
        | Op::Unsupported { .. } => false,
    }
}
