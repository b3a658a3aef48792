//! The context that owns types and metadata, and what LLVM says while it works.

use std::cell::RefCell;
use std::ffi::c_void;

use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMContextSetDiagnosticHandler,
    LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::{LLVMContextRef, LLVMDiagnosticInfoRef};

use super::module::Module;
use super::text::{c_string, take_message};

/// Messages of LLVM, collected instead of printed.
#[derive(Default)]
struct DiagnosticLog {
    errors: RefCell<Vec<String>>,
    warnings: RefCell<Vec<String>>,
}

/// An LLVM context. Its diagnostics are collected, so that LLVM neither prints nor exits.
pub(crate) struct Context {
    raw: LLVMContextRef,
    log: Box<DiagnosticLog>,
}

impl Context {
    /// An empty context.
    pub(crate) fn new() -> Context {
        // SAFETY: creating a context has no precondition.
        let raw = unsafe { LLVMContextCreate() };
        let log = Box::new(DiagnosticLog::default());
        let pointer = std::ptr::from_ref::<DiagnosticLog>(&log).cast_mut().cast::<c_void>();
        // SAFETY: the log is boxed and lives as long as the context, which `drop` ends first.
        unsafe { LLVMContextSetDiagnosticHandler(raw, Some(collect), pointer) };
        Context { raw, log }
    }

    /// Reads bitcode or text. `name` appears in LLVM's messages.
    pub(crate) fn parse(&self, name: &str, bytes: &[u8]) -> Result<Module<'_>, String> {
        let name = c_string(name);
        // SAFETY: the range is valid and copied; LLVM adds the terminator that its parser needs.
        let buffer = unsafe {
            LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                name.as_ptr(),
            )
        };
        let mut module = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // SAFETY: context and buffer are valid; the call takes the buffer over.
        let failed =
            unsafe { LLVMParseIRInContext(self.raw, buffer, &raw mut module, &raw mut message) };
        let message = take_message(message);
        if failed != 0 || module.is_null() {
            return Err(self.explain(message));
        }
        Ok(Module::own(module))
    }

    /// Takes the warnings of LLVM since the last call.
    pub(crate) fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.log.warnings.borrow_mut())
    }

    /// `message` and the errors that LLVM has reported since the last call.
    pub(crate) fn explain(&self, message: String) -> String {
        let mut parts = vec![message.trim().to_owned()];
        parts.append(&mut self.log.errors.borrow_mut());
        parts.retain(|part| !part.is_empty());
        parts.dedup();
        parts.join("; ")
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so all of them are gone.
        unsafe { LLVMContextDispose(self.raw) };
    }
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, log: *mut c_void) {
    // SAFETY: LLVM passes back the pointer that `Context::new` gave, and the log outlives it.
    let log = unsafe { &*log.cast::<DiagnosticLog>() };
    // SAFETY: the diagnostic is valid during this call.
    let (text, severity) =
        unsafe { (take_message(LLVMGetDiagInfoDescription(info)), LLVMGetDiagInfoSeverity(info)) };
    match severity {
        LLVMDiagnosticSeverity::LLVMDSError => log.errors.borrow_mut().push(text),
        LLVMDiagnosticSeverity::LLVMDSWarning => log.warnings.borrow_mut().push(text),
        LLVMDiagnosticSeverity::LLVMDSRemark | LLVMDiagnosticSeverity::LLVMDSNote => {}
    }
}
