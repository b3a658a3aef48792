//! Types.

use std::marker::PhantomData;

use llvm_sys::core::{
    LLVMCountParamTypes, LLVMCountStructElementTypes, LLVMGetArrayLength2, LLVMGetElementType,
    LLVMGetIntTypeWidth, LLVMGetParamTypes, LLVMGetReturnType, LLVMGetTypeKind, LLVMGetVectorSize,
    LLVMIsFunctionVarArg, LLVMIsOpaqueStruct, LLVMPrintTypeToString, LLVMStructGetTypeAtIndex,
    LLVMTypeIsSized,
};
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::{LLVMType, LLVMTypeKind};

use super::text::take_message;

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type<'m> {
    raw: *mut LLVMType,
    module: PhantomData<&'m ()>,
}

/// The kind of a type, with the parts that types of the kind have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeKind<'m> {
    Void,
    Int(u32),
    Half,
    BFloat,
    Float,
    Double,
    X87,
    Quad,
    Pointer,
    Struct,
    Array(Type<'m>, u64),
    Vector(Type<'m>, u32),
    Function,
    /// Labels, tokens, metadata, scalable vectors, types of other machines.
    Other,
}

impl std::fmt::Debug for Type<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: the type is valid.
        f.write_str(&take_message(unsafe { LLVMPrintTypeToString(self.raw) }))
    }
}

impl<'m> Type<'m> {
    /// Wraps a handle.
    ///
    /// # Panics
    /// When it is null.
    pub(super) fn new(raw: LLVMTypeRef) -> Type<'m> {
        assert!(!raw.is_null(), "every value has a type");
        Type { raw, module: PhantomData }
    }

    /// The handle.
    pub(super) fn raw(self) -> LLVMTypeRef {
        self.raw
    }

    fn raw_kind(self) -> LLVMTypeKind {
        // SAFETY: the type is valid.
        unsafe { LLVMGetTypeKind(self.raw) }
    }

    /// Returns the kind of the type.
    pub(crate) fn kind(self) -> TypeKind<'m> {
        match self.raw_kind() {
            LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
            LLVMTypeKind::LLVMIntegerTypeKind => {
                // SAFETY: the type is an integer.
                TypeKind::Int(unsafe { LLVMGetIntTypeWidth(self.raw) })
            }
            LLVMTypeKind::LLVMHalfTypeKind => TypeKind::Half,
            LLVMTypeKind::LLVMBFloatTypeKind => TypeKind::BFloat,
            LLVMTypeKind::LLVMFloatTypeKind => TypeKind::Float,
            LLVMTypeKind::LLVMDoubleTypeKind => TypeKind::Double,
            LLVMTypeKind::LLVMX86_FP80TypeKind => TypeKind::X87,
            LLVMTypeKind::LLVMFP128TypeKind => TypeKind::Quad,
            LLVMTypeKind::LLVMPointerTypeKind => TypeKind::Pointer,
            LLVMTypeKind::LLVMStructTypeKind => TypeKind::Struct,
            LLVMTypeKind::LLVMArrayTypeKind => {
                // SAFETY: the type is an array.
                TypeKind::Array(self.element(), unsafe { LLVMGetArrayLength2(self.raw) })
            }
            LLVMTypeKind::LLVMVectorTypeKind => {
                // SAFETY: the type is a vector of fixed size.
                TypeKind::Vector(self.element(), unsafe { LLVMGetVectorSize(self.raw) })
            }
            LLVMTypeKind::LLVMFunctionTypeKind => TypeKind::Function,
            LLVMTypeKind::LLVMPPC_FP128TypeKind
            | LLVMTypeKind::LLVMLabelTypeKind
            | LLVMTypeKind::LLVMMetadataTypeKind
            | LLVMTypeKind::LLVMX86_MMXTypeKind
            | LLVMTypeKind::LLVMTokenTypeKind
            | LLVMTypeKind::LLVMScalableVectorTypeKind
            | LLVMTypeKind::LLVMX86_AMXTypeKind
            | LLVMTypeKind::LLVMTargetExtTypeKind => TypeKind::Other,
        }
    }

    /// Element type of an array or a vector.
    fn element(self) -> Type<'m> {
        // SAFETY: callers have checked that the type is sequential.
        Type::new(unsafe { LLVMGetElementType(self.raw) })
    }

    /// Returns `true` if values of the type have a size.
    pub(crate) fn is_sized(self) -> bool {
        // SAFETY: the type is valid.
        unsafe { LLVMTypeIsSized(self.raw) != 0 }
    }

    /// Panics unless the type has a fixed size.
    pub(super) fn assert_sized(self) {
        assert!(self.is_sized(), "only sized types have a layout: {self:?}");
    }

    /// Number of a struct's fields.
    pub(crate) fn field_count(self) -> u32 {
        assert!(self.kind() == TypeKind::Struct, "only structs have fields");
        // SAFETY: the type is a struct; an opaque one has no fields to count.
        unsafe {
            if LLVMIsOpaqueStruct(self.raw) != 0 {
                0
            } else {
                LLVMCountStructElementTypes(self.raw)
            }
        }
    }

    /// Type of a struct's field.
    pub(crate) fn field(self, index: u32) -> Type<'m> {
        assert!(index < self.field_count(), "field in range");
        // SAFETY: the type is a struct and has the field.
        Type::new(unsafe { LLVMStructGetTypeAtIndex(self.raw, index) })
    }

    fn assert_function(self) {
        assert!(self.raw_kind() == LLVMTypeKind::LLVMFunctionTypeKind, "a function type");
    }

    /// Parameter types of a function type.
    pub(crate) fn params(self) -> Vec<Type<'m>> {
        self.assert_function();
        // SAFETY: the type is a function's, and the buffer has room for all its parameters.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.raw) as usize];
            LLVMGetParamTypes(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(Type::new).collect()
        }
    }

    /// Result type of a function type.
    pub(crate) fn result(self) -> Type<'m> {
        self.assert_function();
        // SAFETY: the type is a function's.
        Type::new(unsafe { LLVMGetReturnType(self.raw) })
    }

    /// Returns `true` if a function type takes variable arguments.
    pub(crate) fn is_var_arg(self) -> bool {
        self.assert_function();
        // SAFETY: the type is a function's.
        unsafe { LLVMIsFunctionVarArg(self.raw) != 0 }
    }
}
