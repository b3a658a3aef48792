//! Intrinsics on memory, variable arguments and the stack.

use everett_ir::{AccessFlags, CopyKind, Op, Operand};

use crate::lower::function::FunctionLowering;
use crate::lower::relative::STRETCH;
use crate::lower::shape::lanes;
use crate::lower::symbol::through_aliases;
use crate::lower::{LowerResult, UnsupportedConstruct};
use crate::sys::Inst;

impl<'m> FunctionLowering<'_, 'm> {
    /// An intrinsic on memory; `false` when the name is none of them.
    pub(super) fn memory_intrinsic(&mut self, inst: Inst<'m>, name: &str) -> LowerResult<bool> {
        match name {
            "memcpy" | "memcpy.inline" | "memcpy.element.unordered.atomic" => {
                self.block_copy(inst, CopyKind::Disjoint)
            }
            "memmove" | "memmove.element.unordered.atomic" => {
                self.block_copy(inst, CopyKind::Overlapping)
            }
            "memset" | "memset.inline" | "memset.element.unordered.atomic" => {
                let (to, val) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
                let len = self.length(inst)?;
                self.known(Op::MemSet { to, val, len })
            }
            "va_start" => {
                let list = self.arg(inst, 0)?;
                self.known(Op::VaStart { list })
            }
            "va_copy" => {
                let (to, from) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
                self.known(Op::VaCopy { to, from })
            }
            "stacksave" => {
                let dst = self.dst(inst);
                self.known(Op::StackSave { dst })
            }
            "stackrestore" => {
                let a = self.arg(inst, 0)?;
                self.known(Op::StackRestore { a })
            }
            "threadlocal.address" => self.thread_local(inst).map(|()| true),
            "load.relative" => self.load_relative(inst).map(|()| true),
            "ptrmask" => self.pointer_mask(inst).map(|()| true),
            _ => Ok(false),
        }
    }

    fn block_copy(&mut self, inst: Inst<'m>, kind: CopyKind) -> LowerResult<bool> {
        let (to, from) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
        let len = self.length(inst)?;
        self.known(Op::MemCopy { kind, to, from, len })
    }

    /// Argument 2, as 64 bits.
    fn length(&mut self, inst: Inst<'m>) -> LowerResult<Operand> {
        let bits = lanes(inst.operand(2).ty())?.bits();
        let len = self.arg(inst, 2)?;
        if bits == 64 || inst.operand(2).is_constant() {
            return Ok(len);
        }
        let wide = self.temp(1);
        self.resize(false, bits, 64, wide, len);
        Ok(Operand::slot(wide))
    }

    fn thread_local(&mut self, inst: Inst<'m>) -> LowerResult {
        let target = through_aliases(inst.operand(0));
        let Some(global) = self.unit.globals.get(&target).copied() else {
            return Err(UnsupportedConstruct::new("thread-local address of what is no variable"));
        };
        let dst = self.dst(inst);
        self.emit(Op::ThreadLocal { dst, global });
        Ok(())
    }

    /// `load.relative`: the `i32` at pointer plus offset is itself relative to the pointer.
    fn load_relative(&mut self, inst: Inst<'m>) -> LowerResult {
        let base = self.arg(inst, 0)?;
        let bits = lanes(inst.operand(1).ty())?.bits().min(64);
        let index = self.arg(inst, 1)?;
        let (at, word) = (self.temp(1), self.temp(1));
        let w = bits as u8;
        if self.unit.relative.contains(&through_aliases(inst.operand(0))) {
            let scale = STRETCH;
            self.emit(Op::PtrAdd { w, dst: at, base, index, scale, off: 0 });
            let dst = self.dst(inst);
            self.load_word(64, AccessFlags::PLAIN, dst, Operand::slot(at), 0);
            return Ok(());
        }
        self.emit(Op::PtrAdd { w, dst: at, base, index, scale: 1, off: 0 });
        self.load_word(32, AccessFlags::PLAIN, word, Operand::slot(at), 0);
        let (dst, index) = (self.dst(inst), Operand::slot(word));
        self.emit(Op::PtrAdd { w: 32, dst, base, index, scale: 1, off: 0 });
        Ok(())
    }

    fn pointer_mask(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let (a, b) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
        let dst = self.dst(inst);
        self.each_lane(lanes, |body, at| {
            body.emit(Op::And { w: 64, dst: dst.plus(at), a: a.plus(at), b: b.plus(at) });
        });
        Ok(())
    }
}
