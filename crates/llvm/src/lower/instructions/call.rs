//! Calls of functions.

use everett_ir::{ByVal, CallId, CallSite, Callee, Op, Operand};

use crate::sys::{Attributes, Inst, Opcode};

use crate::lower::function::FunctionLowering;
use crate::lower::symbol::through_aliases;
use crate::lower::{LowerResult, UnsupportedConstruct};

impl<'m> FunctionLowering<'_, 'm> {
    /// `call`: an intrinsic, inline assembly, or a function.
    pub(crate) fn call(&mut self, inst: Inst<'m>) -> LowerResult {
        let callee = inst.callee();
        if callee.is_inline_asm() {
            return self.inline_asm(inst);
        }
        if callee.is_function()
            && let Some(name) = callee.intrinsic_name()
        {
            return self.intrinsic(inst, &name);
        }
        let target = through_aliases(callee);
        if target.is_function() && target.name().starts_with("llvm.") {
            return Err(UnsupportedConstruct::new(format!("intrinsic {}", target.name())));
        }
        let callee = self.callee(callee)?;
        self.call_function(inst, callee)
    }

    fn call_function(&mut self, inst: Inst<'m>, callee: Callee) -> LowerResult {
        debug_assert!(matches!(inst.opcode(), Opcode::Call | Opcode::Invoke));
        let fixed = inst.called_type().params().len() as u32;
        let attributes = Attributes::of_call(inst);
        let mut args = Vec::new();
        let mut widths = Vec::new();
        let mut by_val = Vec::new();
        let mut var_args = Vec::new();
        for index in 0..inst.arg_count() {
            let value = inst.operand(index);
            if index >= fixed {
                var_args.push(self.var_arg(inst, index)?);
                continue;
            }
            if let Some((ty, align)) = attributes.by_val(index) {
                by_val.push(ByVal {
                    arg: position(args.len())?,
                    size: u32::try_from(self.unit.layout.alloc_size(ty))
                        .map_err(|_| UnsupportedConstruct::new("argument of more than 4 GiB"))?,
                    align: align.max(self.unit.layout.align(ty)),
                });
            }
            let shape = self.unit.shape(value.ty())?;
            if shape.slots() > 0 {
                let operand = self.operand(value)?;
                args.extend((0..shape.slots()).map(|slot| operand.plus(slot)));
                widths.extend_from_slice(&shape.widths);
            }
        }
        let result = self.unit.shape(inst.ty())?;
        let dst = self.dst(inst);
        let site = CallSite {
            callee,
            signature: self.unit.called_signature(inst),
            args,
            widths,
            by_val,
            var_args,
            dst,
            ret_slots: position(result.widths.len())?,
            ret_widths: result.widths.clone(),
            result_used: !inst.value().users().is_empty(),
            landing: None,
        };
        self.emit_call(site);
        Ok(())
    }

    /// Emits a call.
    pub(crate) fn emit_call(&mut self, site: CallSite) {
        let id = CallId::from_index(self.unit.program.calls.len());
        self.unit.program.calls.push(site);
        self.emit(Op::Call { insts: 0, site: id });
    }

    /// The argument of a call, by position.
    pub(crate) fn arg(&mut self, inst: Inst<'m>, index: u32) -> LowerResult<Operand> {
        self.operand(inst.operand(index))
    }
}

fn position(index: usize) -> LowerResult<u16> {
    u16::try_from(index).map_err(|_| UnsupportedConstruct::new("call with more than 65535 slots"))
}
