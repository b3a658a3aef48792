//! Debug information.

use std::marker::PhantomData;

use llvm_sys::LLVMOpaqueMetadata;
use llvm_sys::core::{
    LLVMConstIntGetSExtValue, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands, LLVMGetMDString,
    LLVMIsAConstantInt, LLVMIsAMDNode, LLVMIsAMDString, LLVMMetadataAsValue, LLVMValueAsMetadata,
};
use llvm_sys::debuginfo::{
    LLVMDIFileGetDirectory, LLVMDIFileGetFilename, LLVMDIFlagFwdDecl, LLVMDIFlagStaticMember,
    LLVMDIFlagVirtual, LLVMDIFlags, LLVMDIGlobalVariableExpressionGetVariable,
    LLVMDILocationGetColumn, LLVMDILocationGetInlinedAt, LLVMDILocationGetLine,
    LLVMDILocationGetScope, LLVMDIScopeGetFile, LLVMDISubprogramGetLine, LLVMDITypeGetFlags,
    LLVMDITypeGetOffsetInBits, LLVMDITypeGetSizeInBits, LLVMDIVariableGetFile,
    LLVMDIVariableGetLine, LLVMGetDINodeTag, LLVMGetMetadataKind, LLVMMetadataKind,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMMetadataRef, LLVMValueRef};

use everett_ir::ScalarKind;

use super::text::copy_text;

/// The kind of a node that describes a type or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DebugTypeKind {
    Struct,
    Class,
    Union,
    Array,
    /// An enumeration, or a type whose parts are not told.
    OtherComposite,
    Typedef,
    /// A qualified type: `const`, `volatile`, `restrict`, `_Atomic`.
    Qualified,
    Member,
    Base,
    /// A pointer, a reference, or another type that is made of one.
    OtherDerived,
}

/// Tags of DWARF 5, section 7.5.3.
mod tag {
    pub(super) const ARRAY_TYPE: u16 = 0x01;
    pub(super) const CLASS_TYPE: u16 = 0x02;
    pub(super) const ENUMERATION_TYPE: u16 = 0x04;
    pub(super) const MEMBER: u16 = 0x0d;
    pub(super) const POINTER_TYPE: u16 = 0x0f;
    pub(super) const STRUCTURE_TYPE: u16 = 0x13;
    pub(super) const TYPEDEF: u16 = 0x16;
    pub(super) const UNION_TYPE: u16 = 0x17;
    pub(super) const INHERITANCE: u16 = 0x1c;
    pub(super) const CONST_TYPE: u16 = 0x26;
    pub(super) const VOLATILE_TYPE: u16 = 0x35;
    pub(super) const RESTRICT_TYPE: u16 = 0x37;
    pub(super) const ATOMIC_TYPE: u16 = 0x47;
}

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

    /// The kind of a type, or of a member of one.
    pub(crate) fn type_kind(self) -> Option<DebugTypeKind> {
        let is_composite = match self.kind() {
            LLVMMetadataKind::LLVMDICompositeTypeMetadataKind => true,
            LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind => false,
            _ => return None,
        };
        // SAFETY: the node is one of debug information.
        Some(match unsafe { LLVMGetDINodeTag(self.raw) } {
            tag::STRUCTURE_TYPE => DebugTypeKind::Struct,
            tag::CLASS_TYPE => DebugTypeKind::Class,
            tag::UNION_TYPE => DebugTypeKind::Union,
            tag::ARRAY_TYPE => DebugTypeKind::Array,
            tag::TYPEDEF => DebugTypeKind::Typedef,
            tag::CONST_TYPE | tag::VOLATILE_TYPE | tag::RESTRICT_TYPE | tag::ATOMIC_TYPE => {
                DebugTypeKind::Qualified
            }
            tag::MEMBER => DebugTypeKind::Member,
            tag::INHERITANCE => DebugTypeKind::Base,
            _ if is_composite => DebugTypeKind::OtherComposite,
            _ => DebugTypeKind::OtherDerived,
        })
    }

    /// The type of a variable, which has it as operand 3; `None` for other nodes.
    pub(crate) fn variable_type(self) -> Option<MetadataNode<'m>> {
        self.is_variable().then(|| self.operand(3)).flatten()
    }

    /// The meaning of the bits of a type without fields.
    pub(crate) fn scalar_kind(self) -> ScalarKind {
        if matches!(self.kind(), LLVMMetadataKind::LLVMDIBasicTypeMetadataKind) {
            let name = self.type_name().unwrap_or_default();
            return ScalarKind::of_name(&name);
        }
        if self.type_kind().is_none() {
            return ScalarKind::Other;
        }
        // SAFETY: the node is one of debug information.
        match unsafe { LLVMGetDINodeTag(self.raw) } {
            tag::POINTER_TYPE => ScalarKind::Pointer,
            tag::ENUMERATION_TYPE => ScalarKind::Signed,
            _ => ScalarKind::Other,
        }
    }

    fn is_type(self) -> bool {
        matches!(
            self.kind(),
            LLVMMetadataKind::LLVMDIBasicTypeMetadataKind
                | LLVMMetadataKind::LLVMDIDerivedTypeMetadataKind
                | LLVMMetadataKind::LLVMDICompositeTypeMetadataKind
                | LLVMMetadataKind::LLVMDISubroutineTypeMetadataKind
        )
    }

    fn type_flags(self) -> LLVMDIFlags {
        assert!(self.is_type(), "a type");
        // SAFETY: the node is a type.
        unsafe { LLVMDITypeGetFlags(self.raw) }
    }

    /// Returns `true` if the type is declared only.
    pub(crate) fn is_forward(self) -> bool {
        self.type_flags() & LLVMDIFlagFwdDecl != 0
    }

    /// Returns `true` if the member belongs to the class and not to its objects.
    pub(crate) fn is_static(self) -> bool {
        self.type_flags() & LLVMDIFlagStaticMember != 0
    }

    /// Returns `true` for a base class whose place depends on the class of the object.
    pub(crate) fn is_virtual(self) -> bool {
        self.type_flags() & LLVMDIFlagVirtual != 0
    }

    /// The size of a type or a member in bits; 0 for other nodes.
    pub(crate) fn size_bits(self) -> u64 {
        // SAFETY: the node is a type.
        if self.is_type() { unsafe { LLVMDITypeGetSizeInBits(self.raw) } } else { 0 }
    }

    /// The offset of a member in bits; 0 for other nodes.
    pub(crate) fn offset_bits(self) -> u64 {
        // SAFETY: the node is a type.
        if self.is_type() { unsafe { LLVMDITypeGetOffsetInBits(self.raw) } } else { 0 }
    }

    /// Name of a type, a member or a namespace. All of them have it as operand 2.
    pub(crate) fn type_name(self) -> Option<String> {
        let is_namespace = matches!(self.kind(), LLVMMetadataKind::LLVMDINamespaceMetadataKind);
        if self.is_type() || is_namespace { self.string_operand(2) } else { None }
    }

    /// The namespace or type around a type or a namespace. All of them have it as operand 1.
    pub(crate) fn outer_type(self) -> Option<MetadataNode<'m>> {
        self.operand(1).filter(|outer| outer.type_name().is_some())
    }

    /// The type that a type or a member is made of: the aim of a pointer, the elements of an array.
    pub(crate) fn base_type(self) -> Option<MetadataNode<'m>> {
        self.type_kind().and_then(|_| self.operand(3))
    }

    /// The members of a type, or the ranges of an array.
    pub(crate) fn elements(self) -> Vec<MetadataNode<'m>> {
        let list = self.type_kind().and_then(|_| self.operand(4));
        let is_list = |node: &MetadataNode<'m>| {
            matches!(node.kind(), LLVMMetadataKind::LLVMMDTupleMetadataKind)
        };
        list.filter(is_list).map(MetadataNode::operands).unwrap_or_default()
    }

    /// The number of elements in a range of an array; `None` if it is not known when the program is
    /// compiled.
    pub(crate) fn range_count(self) -> Option<u64> {
        if !matches!(self.kind(), LLVMMetadataKind::LLVMDISubrangeMetadataKind) {
            return None;
        }
        let count = self.operand_value(0)?;
        // SAFETY: the operand is valid, and checked to be a number.
        unsafe {
            if LLVMIsAConstantInt(count).is_null() {
                return None;
            }
            u64::try_from(LLVMConstIntGetSExtValue(count)).ok()
        }
    }

    /// Returns `true` for nodes through which a search for types goes: not for places in the source, and not
    /// for names that one namespace imports from another.
    pub(crate) fn leads_to_types(self) -> bool {
        self.is_type()
            || self.is_variable()
            || self.is_subprogram()
            || self.is_scope()
            || matches!(
                self.kind(),
                LLVMMetadataKind::LLVMMDTupleMetadataKind
                    | LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind
            )
    }

    /// The nodes that this one refers to.
    pub(crate) fn operands(self) -> Vec<MetadataNode<'m>> {
        let operands = self.operand_values().into_iter().filter(|operand| !operand.is_null());
        // SAFETY: the operand is a value; one that is no metadata is wrapped.
        operands.filter_map(|value| self.next(unsafe { LLVMValueAsMetadata(value) })).collect()
    }

    fn operand_value(self, index: usize) -> Option<LLVMValueRef> {
        self.operand_values().get(index).copied().filter(|operand| !operand.is_null())
    }

    /// The operands as values; null for those that are not there.
    fn operand_values(self) -> Vec<LLVMValueRef> {
        // SAFETY: node and context are valid; the buffer has room for all operands.
        unsafe {
            let value = LLVMMetadataAsValue(self.context, self.raw);
            if LLVMIsAMDNode(value).is_null() {
                return Vec::new();
            }
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(value) as usize];
            LLVMGetMDNodeOperands(value, operands.as_mut_ptr());
            operands
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
