//! Variable arguments, as the x86-64 ABI lays them out in memory.

use everett_ir::{AccessFlags, Op, Operand, VarArg, WrapFlags, words};

use crate::sys::{Attributes, Inst, TypeKind};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};
use crate::lower::{LowerResult, UnsupportedConstruct};

/// Offset of `overflow_arg_area` in a `va_list`.
const OVERFLOW_AREA: i32 = 8;

impl<'m> FunctionLowering<'_, 'm> {
    /// The variable argument `index` of a call.
    pub(crate) fn var_arg(&mut self, inst: Inst<'m>, index: u32) -> LowerResult<VarArg> {
        let value = inst.operand(index);
        let ty = value.ty();
        let class = self.unit.class_of_argument(inst, index);
        if let Some((pointee, align)) = Attributes::of_call(inst).by_val(index) {
            let size = u32::try_from(self.unit.layout.alloc_size(pointee))
                .map_err(|_| UnsupportedConstruct::new("argument of more than 4 GiB"))?;
            let align = align.max(self.unit.layout.align(pointee)).max(8);
            let value = self.operand(value)?;
            return Ok(VarArg { value, class, widths: vec![64], size, align, by_val: true });
        }
        let align = self.unit.layout.align(ty).max(8);
        let size = u32::try_from(self.unit.layout.store_size(ty)).unwrap_or(u32::MAX);
        let mut operand = self.operand(value)?;
        let mut widths = self.unit.shape(ty)?.widths.clone();
        if matches!(ty.kind(), TypeKind::Vector(..)) {
            // Lanes lie side by side in memory: pass the vector as the words that it fills.
            let lanes = lanes(ty)?;
            let bits = lanes.bits() * lanes.count;
            let packed = self.temp(words(bits));
            self.pack(lanes, packed, operand)?;
            operand = Operand::slot(packed);
            widths = vec![64; words(bits) as usize];
            if let Some(last) = widths.last_mut() {
                *last = narrow(bits - (words(bits) - 1) * 64);
            }
        }
        Ok(VarArg { value: operand, class, widths, size, align, by_val: false })
    }

    /// `va_arg`: takes the next argument from the area in memory, where all of them are.
    pub(crate) fn va_arg(&mut self, inst: Inst<'m>) -> LowerResult {
        let list = self.operand(inst.operand(0))?;
        let ty = inst.ty();
        let at = self.temp(1);
        self.load_word(64, AccessFlags::PLAIN, at, list, OVERFLOW_AREA);
        let align = u64::from(self.unit.layout.align(ty).max(8));
        if align > 8 {
            let (up, down) = (self.int(align - 1), self.int(!(align - 1)));
            let a = Operand::slot(at);
            self.emit(Op::Add { w: 64, wrap: WrapFlags::NONE, dst: at, a, b: up });
            self.emit(Op::And { w: 64, dst: at, a, b: down });
        }
        let dst = self.dst(inst);
        self.load_value(ty, AccessFlags::PLAIN, dst, Operand::slot(at), 0)?;
        let size = self.int(self.unit.layout.alloc_size(ty).next_multiple_of(8));
        let a = Operand::slot(at);
        self.emit(Op::Add { w: 64, wrap: WrapFlags::NONE, dst: at, a, b: size });
        let access = AccessFlags::PLAIN;
        self.emit(Op::Store { bytes: 8, w: 64, access, val: a, ptr: list, off: OVERFLOW_AREA });
        Ok(())
    }
}
