//! Calls that are added to a module, and calls that go to another function.

use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMAddFunction, LLVMBuildCall2, LLVMConstInt, LLVMConstNull, LLVMCreateBuilderInContext,
    LLVMDeleteFunction, LLVMDisposeBuilder, LLVMFunctionType, LLVMGetModuleContext,
    LLVMGetNamedFunction, LLVMGetNextInstruction, LLVMGetPointerAddressSpace,
    LLVMGlobalGetValueType, LLVMInt32TypeInContext, LLVMPointerTypeInContext,
    LLVMPositionBuilderBefore, LLVMReplaceAllUsesWith, LLVMSetLinkage, LLVMTypeOf,
    LLVMVoidTypeInContext,
};
use llvm_sys::prelude::LLVMValueRef;

use super::inst::{Inst, Opcode};
use super::module::Module;
use super::text::c_string;
use super::ty::Type;
use super::value::Value;

impl<'c> Module<'c> {
    /// Adds calls of a function before and after an access to memory: with a number, 0 before and 1 after,
    /// the address, and the number of bytes. The function is not defined here; somebody else may do so.
    pub(crate) fn hook(&self, inst: Inst<'_>, function: &str, number: u32) {
        let at = inst.value().raw();
        let name = c_string(function);
        // SAFETY: the module is valid and has the instruction, which ends no block, so that another one comes
        // after it. All values are of one context, and the arguments are those of the type.
        unsafe {
            let context = LLVMGetModuleContext(self.raw());
            let word = LLVMInt32TypeInContext(context);
            let pointer = LLVMPointerTypeInContext(context, 0);
            let mut params = [word, word, pointer, word];
            let result = LLVMVoidTypeInContext(context);
            let ty = LLVMFunctionType(result, params.as_mut_ptr(), params.len() as u32, 0);
            let mut callee = LLVMGetNamedFunction(self.raw(), name.as_ptr());
            if callee.is_null() {
                callee = LLVMAddFunction(self.raw(), name.as_ptr(), ty);
                LLVMSetLinkage(callee, LLVMLinkage::LLVMExternalWeakLinkage);
            }
            let (address, bytes) = match accessed(inst) {
                Some((address, ty)) => (address, self.data_layout().store_size(ty)),
                None => (LLVMConstNull(pointer), 0),
            };
            let builder = LLVMCreateBuilderInContext(context);
            for (is_after, place) in [(0, at), (1, LLVMGetNextInstruction(at))] {
                assert!(!place.is_null(), "an access ends no block");
                let constant = |value: u64| LLVMConstInt(word, value, 0);
                let mut args =
                    [constant(number.into()), constant(is_after), address, constant(bytes)];
                LLVMPositionBuilderBefore(builder, place);
                let count = args.len() as u32;
                LLVMBuildCall2(builder, ty, callee, args.as_mut_ptr(), count, c"".as_ptr());
            }
            LLVMDisposeBuilder(builder);
        }
    }

    /// Adds a call of a function without arguments, which is not defined here, at the beginning of another
    /// one.
    pub(crate) fn call_first(&self, function: Value<'_>, callee: &str) {
        let first =
            function.blocks().first().and_then(|block| block.instructions().first().copied());
        let first = first.expect("a function that is defined has an instruction");
        let name = c_string(callee);
        // SAFETY: the module is valid and has the instruction, and the function has no parameters.
        unsafe {
            let context = LLVMGetModuleContext(self.raw());
            let result = LLVMVoidTypeInContext(context);
            let ty = LLVMFunctionType(result, std::ptr::null_mut(), 0, 0);
            let mut callee = LLVMGetNamedFunction(self.raw(), name.as_ptr());
            if callee.is_null() {
                callee = LLVMAddFunction(self.raw(), name.as_ptr(), ty);
            }
            let builder = LLVMCreateBuilderInContext(context);
            LLVMPositionBuilderBefore(builder, first.value().raw());
            LLVMBuildCall2(builder, ty, callee, std::ptr::null_mut(), 0, c"".as_ptr());
            LLVMDisposeBuilder(builder);
        }
    }

    /// Lets another function of the same type take the place of a declared one, whose handle is not to be
    /// used any more.
    pub(crate) fn replace_function(&self, function: Value<'_>, name: &str) {
        assert!(function.is_function() && function.is_declaration(), "only a declaration goes");
        let name = c_string(name);
        // SAFETY: the module is valid and has the function, which has no body. Nobody refers to it any more
        // when it is deleted.
        unsafe {
            let mut other = LLVMGetNamedFunction(self.raw(), name.as_ptr());
            if other.is_null() {
                let ty = LLVMGlobalGetValueType(function.raw());
                other = LLVMAddFunction(self.raw(), name.as_ptr(), ty);
            }
            LLVMReplaceAllUsesWith(function.raw(), other);
            LLVMDeleteFunction(function.raw());
        }
    }
}

/// The address of an access and the type of its value, if the instruction has an address that is an ordinary
/// pointer.
fn accessed(inst: Inst<'_>) -> Option<(LLVMValueRef, Type<'_>)> {
    let (address, ty) = match inst.opcode() {
        Opcode::Load => (inst.operand(0), inst.ty()),
        Opcode::CmpXchg | Opcode::AtomicRmw => (inst.operand(0), inst.operand(1).ty()),
        Opcode::Store => (inst.operand(1), inst.operand(0).ty()),
        _ => return None,
    };
    // SAFETY: the value is valid, and a pointer.
    let space = unsafe { LLVMGetPointerAddressSpace(LLVMTypeOf(address.raw())) };
    (space == 0).then_some((address.raw(), ty))
}
