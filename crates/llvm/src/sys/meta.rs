//! Debug information.

use std::marker::PhantomData;

use llvm_sys::LLVMOpaqueMetadata;
use llvm_sys::core::{
    LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMDString, LLVMIsAMDNode,
    LLVMIsAMDString, LLVMMetadataAsValue, LLVMValueAsMetadata,
};
use llvm_sys::debuginfo::{
    LLVMDIFileGetDirectory, LLVMDIFileGetFilename, LLVMDIGlobalVariableExpressionGetVariable,
    LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt, LLVMDILocationGetLine,
    LLVMDILocationGetScope, LLVMDIScopeGetFile, LLVMDISubprogramGetLine, LLVMDIVariableGetFile,
    LLVMDIVariableGetLine, LLVMGetMetadataKind, LLVMMetadataKind,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

use super::text::copy_text;

/// A node of metadata.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MetadataNode<'m> {
    raw: *mut LLVMOpaqueMetadata,
    context: LLVMContextRef,
    module: PhantomData<&'m ()>,
}

impl<'m> MetadataNode<'m> {
    /// Wraps a handle; null is `None`.
    pub(super) fn new(raw: LLVMMetadataRef, context: LLVMContextRef) -> Option<MetadataNode<'m>> {
        (!raw.is_null()).then_some(MetadataNode { raw, context, module: PhantomData })
    }

    fn next(self, raw: LLVMMetadataRef) -> Option<MetadataNode<'m>> {
        MetadataNode::new(raw, self.context)
    }

    fn kind(self) -> LLVMMetadataKind {
        // SAFETY: the node is valid.
        unsafe { LLVMGetMetadataKind(self.raw) }
    }

    /// Returns `true` if it is a place in the source.
    pub(crate) fn is_location(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDILocationMetadataKind)
    }

    /// Returns `true` if it describes a function.
    pub(crate) fn is_subprogram(self) -> bool {
        matches!(self.kind(), LLVMMetadataKind::LLVMDISubprogramMetadataKind)
    }

    fn is_scope(self) -> bool {
        matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDISubprogramMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind
                | LLVMMetadataKind::LLVMDICompileUnitMetadataKind
                | LLVMMetadataKind::LLVMDIFileMetadataKind
        )
    }

    fn is_lexical_block(self) -> bool {
        matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDILexicalBlockMetadataKind
                | LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind
        )
    }

    fn is_variable(self) -> bool {
        matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDILocalVariableMetadataKind
                | LLVMMetadataKind::LLVMDIGlobalVariableMetadataKind
        )
    }

    /// Line and column of a location.
    pub(crate) fn line_and_column(self) -> (u32, u32) {
        assert!(self.is_location(), "a location");
        // SAFETY: the node is a location.
        unsafe { (LLVMDILocationGetLine(self.raw), LLVMDILocationGetColumn(self.raw)) }
    }

    /// Returns the location at which the function of a location was inlined.
    pub(crate) fn inlined_at(self) -> Option<MetadataNode<'m>> {
        assert!(self.is_location(), "a location");
        // SAFETY: the node is a location.
        self.next(unsafe { LLVMDILocationGetInlinedAt(self.raw) })
    }

    /// The scope of a location, or the scope around a lexical block.
    pub(crate) fn scope(self) -> Option<MetadataNode<'m>> {
        if self.is_location() {
            // SAFETY: the node is a location.
            return self.next(unsafe { LLVMDILocationGetScope(self.raw) });
        }
        // Operand 1 of a lexical block is the scope around it; the C interface has no getter.
        if self.is_lexical_block() { self.operand(1) } else { None }
    }

    /// The file of a scope, as name and directory.
    pub(crate) fn file(self) -> Option<(String, String)> {
        let file = if self.is_variable() {
            // SAFETY: the node is a variable.
            unsafe { LLVMDIVariableGetFile(self.raw) }
        } else if self.is_scope() {
            // SAFETY: the node is a scope.
            unsafe { LLVMDIScopeGetFile(self.raw) }
        } else {
            return None;
        };
        let file = self.next(file)?;
        let (mut name_len, mut directory_len) = (0, 0);
        // SAFETY: the node is a file; both strings are copied.
        unsafe {
            let name = LLVMDIFileGetFilename(file.raw, &raw mut name_len);
            let directory = LLVMDIFileGetDirectory(file.raw, &raw mut directory_len);
            Some((copy_text(name, name_len as usize), copy_text(directory, directory_len as usize)))
        }
    }

    /// The line of a function's or a variable's declaration; 0 for other nodes.
    pub(crate) fn declared_line(self) -> u32 {
        if self.is_subprogram() {
            // SAFETY: the node is a subprogram.
            unsafe { LLVMDISubprogramGetLine(self.raw) }
        } else if self.is_variable() {
            // SAFETY: the node is a variable.
            unsafe { LLVMDIVariableGetLine(self.raw) }
        } else {
            0
        }
    }

    /// The source name of a function (operand 2) or of a local variable (operand 1).
    pub(crate) fn name(self) -> Option<String> {
        let index = if self.is_subprogram() {
            2
        } else if matches!(self.kind(), LLVMMetadataKind::LLVMDILocalVariableMetadataKind) {
            1
        } else {
            return None;
        };
        self.string_operand(index)
    }

    /// The variable that a global's debug expression describes.
    pub(crate) fn global_variable(self) -> Option<MetadataNode<'m>> {
        if !matches!(self.kind(), LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
            return None;
        }
        // SAFETY: the node is a global variable expression.
        self.next(unsafe { LLVMDIGlobalVariableExpressionGetVariable(self.raw) })
    }

    fn operand_value(self, index: usize) -> Option<LLVMValueRef> {
        // SAFETY: node and context are valid; the buffer has room for all operands.
        unsafe {
            let value = LLVMMetadataAsValue(self.context, self.raw);
            if LLVMIsAMDNode(value).is_null() {
                return None;
            }
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands.get(index).copied().filter(|operand| !operand.is_null())
        }
    }

    fn operand(self, index: usize) -> Option<MetadataNode<'m>> {
        let value = self.operand_value(index)?;
        // SAFETY: the operand is metadata wrapped as a value.
        self.next(unsafe { LLVMValueAsMetadata(value) })
    }

    fn string_operand(self, index: usize) -> Option<String> {
        let value = self.operand_value(index)?;
        // SAFETY: the operand is valid, and checked to be a string.
        unsafe {
            if LLVMIsAMDString(value).is_null() {
                return None;
            }
            let mut len = 0;
            let start = LLVMGetMDString(value, &raw mut len);
            Some(copy_text(start, len as usize))
        }
    }
}
