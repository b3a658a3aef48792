//! Intrinsics that ask or tell the machine something.

use everett_ir::{Op, TrapKind};

use crate::lower::fold::mask;
use crate::lower::function::FunctionLowering;
use crate::lower::shape::{lanes, narrow};
use crate::lower::{LowerResult, UnsupportedConstruct};
use crate::sys::Inst;

impl<'m> FunctionLowering<'_, 'm> {
    /// An intrinsic about the machine; `false` when the name is none of them.
    pub(super) fn system_intrinsic(&mut self, inst: Inst<'m>, name: &str) -> LowerResult<bool> {
        match name {
            "trap" => self.known(Op::Trap { insts: 0, kind: TrapKind::Trap }),
            "debugtrap" => self.known(Op::Trap { insts: 0, kind: TrapKind::Debug }),
            "ubsantrap" => self.known(Op::Trap { insts: 0, kind: TrapKind::Sanitizer }),
            "x86.sse2.mfence" | "x86.sse2.lfence" | "x86.sse.sfence" => self.known(Op::Fence),
            "eh.typeid.for" => self.exception_type_number(inst),
            "thread.pointer" => {
                let dst = self.dst(inst);
                self.known(Op::ThreadPointer { dst })
            }
            "objectsize" => {
                let flag = |index| inst.operand(index).as_u64() == Some(1);
                let (least, null_unknown) = (flag(1), flag(2));
                // Argument 3 says whether code may be made to find out; here it costs nothing.
                let w = narrow(lanes(inst.ty())?.bits());
                let (ptr, dst) = (self.arg(inst, 0)?, self.dst(inst));
                self.known(Op::ObjectSize { least, null_unknown, w, dst, ptr })
            }
            "is.constant" => {
                let value = inst.operand(0);
                self.answer(inst, u64::from(value.is_int() || value.is_float() || value.is_null()))
            }
            // The default rounding mode, to nearest.
            "get.rounding" => self.answer(inst, 1),
            "vscale" | "allow.runtime.check" | "allow.ubsan.check" => self.answer(inst, 1),
            // Return addresses are not part of the model: the function's own address stands for
            // them, so that they are not null and lead back to code.
            "returnaddress" => {
                let a = self.operand(self.function)?;
                let dst = self.dst(inst);
                self.copy(dst, a, 1);
                Ok(true)
            }
            "addressofreturnaddress" | "invariant.start" => self.answer(inst, 0),
            "frameaddress" | "sponentry" => {
                let (count, name) = (self.int(1), self.name("frame address"));
                let dst = self.dst(inst);
                self.known(Op::Alloca {
                    align_log2: 4,
                    has_place: false,
                    dst,
                    size: 16,
                    count,
                    name,
                })
            }
            _ => Ok(false),
        }
    }

    /// Answers a number, cut to the width of the result.
    fn answer(&mut self, inst: Inst<'m>, number: u64) -> LowerResult<bool> {
        let lanes = lanes(inst.ty())?;
        if lanes.count != 1 || lanes.bits() > 64 {
            return Err(UnsupportedConstruct::new(format!(
                "result {:?} of an intrinsic",
                inst.ty()
            )));
        }
        let a = self.int(number & mask(lanes.bits()));
        let dst = self.dst(inst);
        self.copy(dst, a, 1);
        Ok(true)
    }
}
