//! Calls of intrinsics.
//!
//! [`FunctionLowering::intrinsic`] finds the family by name; the families are in the files of this folder.
//! Intrinsics that only inform the optimiser emit nothing; those that pass a value on are aliases.

mod float;
mod int;
mod memory;
mod system;
mod vector;

use everett_ir::Op;

use crate::sys::{Inst, Opcode, Value};

use crate::lower::function::FunctionLowering;
use crate::lower::{LowerResult, UnsupportedConstruct};

/// The base name of the intrinsic that a call calls.
fn name_of(inst: Inst<'_>) -> Option<String> {
    if inst.opcode() != Opcode::Call {
        return None;
    }
    let callee = inst.callee();
    if callee.is_function() { callee.intrinsic_name() } else { None }
}

/// The name of a debug intrinsic.
pub(crate) fn debug_name(inst: Inst<'_>) -> Option<String> {
    name_of(inst).filter(|name| name.starts_with("llvm.dbg."))
}

/// Returns `true` if an instruction counts as executed.
pub(crate) fn is_counted(inst: Inst<'_>) -> bool {
    name_of(inst).is_none_or(|name| !name.starts_with("llvm.dbg.") && !is_lifetime(&name))
}

/// Returns `true` if a call says where the life of a variable begins or ends.
pub(crate) fn marks_lifetime(inst: Inst<'_>) -> bool {
    name_of(inst).is_some_and(|name| is_lifetime(&name))
}

fn is_lifetime(name: &str) -> bool {
    name.starts_with("llvm.lifetime.")
}

/// Returns `true` if a call is lowered to anything else than one call.
pub(crate) fn is_expanded(inst: Inst<'_>) -> bool {
    inst.callee().is_inline_asm() || name_of(inst).is_some()
}

/// The argument that an intrinsic answers unchanged.
pub(crate) fn passes_through(inst: Inst<'_>) -> Option<Value<'_>> {
    let name = name_of(inst)?;
    let passes = matches!(
        name.as_str(),
        "llvm.expect"
            | "llvm.expect.with.probability"
            | "llvm.launder.invariant.group"
            | "llvm.strip.invariant.group"
            | "llvm.ssa.copy"
            | "llvm.annotation"
            | "llvm.ptr.annotation"
            | "llvm.arithmetic.fence"
            | "llvm.preserve.array.access.index"
            | "llvm.preserve.union.access.index"
    );
    passes.then(|| inst.operand(0))
}

/// Returns `true` if an intrinsic has no effect that a program can observe.
fn is_hint(name: &str) -> bool {
    matches!(
        name,
        "llvm.assume"
            | "llvm.lifetime.start"
            | "llvm.lifetime.end"
            | "llvm.invariant.end"
            | "llvm.var.annotation"
            | "llvm.codeview.annotation"
            | "llvm.experimental.noalias.scope.decl"
            | "llvm.prefetch"
            | "llvm.donothing"
            | "llvm.sideeffect"
            | "llvm.pseudoprobe"
            | "llvm.va_end"
            | "llvm.x86.sse2.pause"
            | "llvm.fake.use"
            | "llvm.clear_cache"
    )
}

impl<'m> FunctionLowering<'_, 'm> {
    /// A call of the intrinsic with that base name.
    pub(crate) fn intrinsic(&mut self, inst: Inst<'m>, full: &str) -> LowerResult {
        if is_hint(full) {
            return Ok(());
        }
        let unknown = || Err(UnsupportedConstruct::new(format!("intrinsic {full}")));
        let Some(name) = full.strip_prefix("llvm.") else { return unknown() };
        if self.int_intrinsic(inst, name)?
            || self.memory_intrinsic(inst, name)?
            || self.float_intrinsic(inst, name)?
            || self.vector_intrinsic(inst, name)?
            || self.system_intrinsic(inst, name)?
        {
            return Ok(());
        }
        unknown()
    }

    /// Emits an op and says that the intrinsic is known.
    fn known(&mut self, op: Op) -> LowerResult<bool> {
        self.emit(op);
        Ok(true)
    }
}
