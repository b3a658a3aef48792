//! First-class structs and arrays: runs of slots.

use crate::sys::Inst;

use crate::lower::LowerResult;
use crate::lower::function::FunctionLowering;

impl<'m> FunctionLowering<'_, 'm> {
    /// `insertvalue`: a copy of the aggregate with some slots replaced.
    pub(crate) fn insert_value(&mut self, inst: Inst<'m>) -> LowerResult {
        let mut ty = inst.ty();
        let total = self.unit.slots(ty)?;
        let mut skip = 0;
        for index in inst.indices() {
            let (before, member) = self.unit.member(ty, index)?;
            skip += before;
            ty = member;
        }
        let inserted = self.unit.slots(ty)?;
        let dst = self.dst(inst);
        self.replace(inst, dst, total, skip, inserted)
    }

    /// Copies operand 0 to `dst`, but for `inserted` slots that come from operand 1.
    pub(crate) fn replace(
        &mut self,
        inst: Inst<'m>,
        dst: everett_ir::Slot,
        total: u32,
        skip: u32,
        inserted: u32,
    ) -> LowerResult {
        let rest = skip + inserted;
        // An undefined aggregate reads as zeroes: slots must never hold a value of other widths.
        let whole = self.operand(inst.operand(0))?;
        self.copy(dst, whole, skip);
        self.copy(dst.plus(rest), whole.plus(rest), total - rest);
        if inserted > 0 {
            let part = self.operand(inst.operand(1))?;
            self.copy(dst.plus(skip), part, inserted);
        }
        Ok(())
    }
}
