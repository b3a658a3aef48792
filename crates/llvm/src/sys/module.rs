//! Modules: owning, linking, verifying, and walking their top level.

use std::marker::PhantomData;

use llvm_sys::LLVMModule;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::{
    LLVMDisposeMemoryBuffer, LLVMDisposeModule, LLVMGetBufferSize, LLVMGetBufferStart,
    LLVMGetFirstFunction, LLVMGetFirstGlobal, LLVMGetFirstGlobalAlias, LLVMGetFirstGlobalIFunc,
    LLVMGetModuleInlineAsm, LLVMGetNamedGlobal, LLVMGetNextFunction, LLVMGetNextGlobal,
    LLVMGetNextGlobalAlias, LLVMGetNextGlobalIFunc, LLVMGetTarget, LLVMSetIsNewDbgInfoFormat,
    LLVMSetTarget,
};
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::{LLVMModuleRef, LLVMValueRef};
use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMByteOrder, LLVMByteOrdering,
    LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMOpaqueTargetData, LLVMPointerSize,
    LLVMStoreSizeOfType,
};

use super::text::{c_string, copy_bytes, copy_c_text, take_message};
use super::ty::Type;
use super::value::Value;

/// A module that we own, in a context that outlives it.
pub(crate) struct Module<'c> {
    raw: *mut LLVMModule,
    context: PhantomData<&'c ()>,
}

impl<'c> Module<'c> {
    /// Takes over a module that LLVM has just made.
    pub(super) fn own(raw: LLVMModuleRef) -> Module<'c> {
        Module { raw, context: PhantomData }
    }

    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.raw
    }

    /// Moves everything of `other` into this module. The reason of a failure is in the context.
    pub(crate) fn link(&self, other: Module<'c>) -> Result<(), ()> {
        let source = other.raw;
        std::mem::forget(other);
        // SAFETY: both modules are valid and of one context; the call destroys the source.
        let failed = unsafe { LLVMLinkModules2(self.raw, source) };
        if failed == 0 { Ok(()) } else { Err(()) }
    }

    /// The module as bitcode.
    pub(crate) fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the module is valid; the call makes a buffer that we own.
        let buffer = unsafe { LLVMWriteBitcodeToMemoryBuffer(self.raw) };
        // SAFETY: the buffer is valid; its start and size belong together.
        let bytes = unsafe { copy_bytes(LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)) };
        // SAFETY: the buffer is ours and not used after this.
        unsafe { LLVMDisposeMemoryBuffer(buffer) };
        bytes
    }

    /// Returns whether LLVM's verifier accepts the module.
    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        // SAFETY: the module is valid.
        let failed = unsafe {
            LLVMVerifyModule(
                self.raw,
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &raw mut message,
            )
        };
        let message = take_message(message);
        if failed == 0 { Ok(()) } else { Err(message) }
    }

    /// Turns debug records into calls of `llvm.dbg.*`, the form that the C interface can read.
    pub(crate) fn use_debug_intrinsics(&self) {
        // SAFETY: the module is valid.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw, 0) };
    }

    /// The target triple.
    pub(crate) fn triple(&self) -> String {
        // SAFETY: the module is valid; the string is copied.
        copy_c_text(unsafe { LLVMGetTarget(self.raw) })
    }

    /// Changes the target.
    pub(crate) fn set_triple(&self, triple: &str) {
        let triple = c_string(triple);
        // SAFETY: the module is valid; the string is copied.
        unsafe { LLVMSetTarget(self.raw, triple.as_ptr()) }
    }

    /// Assembly outside functions.
    pub(crate) fn inline_asm(&self) -> String {
        let mut len = 0;
        // SAFETY: the module is valid; the text is copied.
        let start = unsafe { LLVMGetModuleInlineAsm(self.raw, &raw mut len) };
        String::from_utf8_lossy(&copy_bytes(start, len)).into_owned()
    }

    /// Sizes and alignments.
    pub(crate) fn data_layout(&self) -> DataLayout<'_> {
        // SAFETY: the module is valid, and owns the layout.
        let raw = unsafe { LLVMGetModuleDataLayout(self.raw) };
        DataLayout { raw, module: PhantomData }
    }

    /// Functions, defined and declared.
    pub(crate) fn functions(&self) -> Vec<Value<'_>> {
        // SAFETY: the module is valid, and the list is walked without changes.
        unsafe { walk(LLVMGetFirstFunction(self.raw), LLVMGetNextFunction) }
    }

    /// Global variables, defined and declared.
    pub(crate) fn globals(&self) -> Vec<Value<'_>> {
        // SAFETY: as in `functions`.
        unsafe { walk(LLVMGetFirstGlobal(self.raw), LLVMGetNextGlobal) }
    }

    /// Aliases.
    pub(crate) fn aliases(&self) -> Vec<Value<'_>> {
        // SAFETY: as in `functions`.
        unsafe { walk(LLVMGetFirstGlobalAlias(self.raw), LLVMGetNextGlobalAlias) }
    }

    /// Indirect functions, whose address a resolver gives at start-up.
    pub(crate) fn ifuncs(&self) -> Vec<Value<'_>> {
        // SAFETY: as in `functions`.
        unsafe { walk(LLVMGetFirstGlobalIFunc(self.raw), LLVMGetNextGlobalIFunc) }
    }

    /// Everything that has a linker name.
    pub(crate) fn symbols(&self) -> Vec<Value<'_>> {
        let mut found = self.functions();
        found.extend(self.globals());
        found.extend(self.aliases());
        found.extend(self.ifuncs());
        found
    }

    /// The global variable of that name.
    pub(crate) fn global_named(&self, name: &str) -> Option<Value<'_>> {
        let name = c_string(name);
        // SAFETY: the module and the string are valid.
        Value::new(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is owned, and every handle into it borrows it.
        unsafe { LLVMDisposeModule(self.raw) };
    }
}

/// Collects a list of values that LLVM links through `next`.
///
/// # Safety
/// `first` is null or a valid element of the list that `next` walks.
unsafe fn walk<'m>(
    first: LLVMValueRef,
    next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
) -> Vec<Value<'m>> {
    let mut found = Vec::new();
    let mut current = first;
    while let Some(value) = Value::new(current) {
        found.push(value);
        // SAFETY: `current` is a valid element.
        current = unsafe { next(current) };
    }
    found
}

/// Sizes and alignments of types in one module.
#[derive(Clone, Copy)]
pub(crate) struct DataLayout<'m> {
    raw: *mut LLVMOpaqueTargetData,
    module: PhantomData<&'m ()>,
}

impl<'m> DataLayout<'m> {
    /// Returns `true` if it is the layout that the engine supports: little-endian, pointers of 8 bytes.
    pub(crate) fn is_supported(self) -> bool {
        // SAFETY: the layout is valid.
        unsafe {
            matches!(LLVMByteOrder(self.raw), LLVMByteOrdering::LLVMLittleEndian)
                && LLVMPointerSize(self.raw) == 8
        }
    }

    /// Bytes that a store writes.
    pub(crate) fn store_size(self, ty: Type<'m>) -> u64 {
        ty.assert_sized();
        // SAFETY: the layout is valid and the type has a size.
        unsafe { LLVMStoreSizeOfType(self.raw, ty.raw()) }
    }

    /// Bytes from one array element to the next.
    pub(crate) fn alloc_size(self, ty: Type<'m>) -> u64 {
        ty.assert_sized();
        // SAFETY: as in `store_size`.
        unsafe { LLVMABISizeOfType(self.raw, ty.raw()) }
    }

    /// Alignment in bytes.
    pub(crate) fn align(self, ty: Type<'m>) -> u32 {
        ty.assert_sized();
        // SAFETY: as in `store_size`.
        unsafe { LLVMABIAlignmentOfType(self.raw, ty.raw()) }
    }

    /// Byte offset of a struct's field.
    pub(crate) fn field_offset(self, ty: Type<'m>, field: u32) -> u64 {
        ty.assert_sized();
        assert!(field < ty.field_count(), "field in range");
        // SAFETY: the layout is valid, the type is a struct and has the field.
        unsafe { LLVMOffsetOfElement(self.raw, ty.raw(), field) }
    }
}
