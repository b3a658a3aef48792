//! Basic blocks.

use std::marker::PhantomData;

use llvm_sys::LLVMBasicBlock;
use llvm_sys::core::{
    LLVMGetBasicBlockTerminator, LLVMGetFirstInstruction, LLVMGetNextInstruction,
};
use llvm_sys::prelude::LLVMBasicBlockRef;

use super::inst::Inst;
use super::value::Value;

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct BasicBlock<'m> {
    raw: *mut LLVMBasicBlock,
    module: PhantomData<&'m ()>,
}

impl<'m> BasicBlock<'m> {
    /// Wraps a handle; null is `None`.
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<BasicBlock<'m>> {
        (!raw.is_null()).then_some(BasicBlock { raw, module: PhantomData })
    }

    /// The instructions, in order.
    pub(crate) fn instructions(self) -> Vec<Inst<'m>> {
        let mut found = Vec::new();
        // SAFETY: the block is valid.
        let mut current = unsafe { LLVMGetFirstInstruction(self.raw) };
        while let Some(inst) = Value::new(current).and_then(Value::as_inst) {
            found.push(inst);
            // SAFETY: `current` is an instruction of the block.
            current = unsafe { LLVMGetNextInstruction(current) };
        }
        found
    }

    /// The instruction that ends the block.
    pub(crate) fn terminator(self) -> Option<Inst<'m>> {
        // SAFETY: the block is valid.
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.raw) }).and_then(Value::as_inst)
    }
}
