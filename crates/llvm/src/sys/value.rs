//! Values: constants, globals, functions, arguments and instructions alike.

use std::marker::PhantomData;

use llvm_sys::core::{
    LLVMAddAttributeAtIndex, LLVMAliasGetAliasee, LLVMConstBitCast, LLVMConstIntGetZExtValue,
    LLVMCountBasicBlocks, LLVMCountParams, LLVMCreateEnumAttribute, LLVMCreateStringAttribute,
    LLVMDisposeValueMetadataEntries, LLVMGetAggregateElement, LLVMGetAlignment, LLVMGetAsString,
    LLVMGetBasicBlocks, LLVMGetBlockAddressBasicBlock, LLVMGetBlockAddressFunction,
    LLVMGetConstOpcode, LLVMGetEnumAttributeKindForName, LLVMGetFirstUse,
    LLVMGetGEPSourceElementType, LLVMGetGlobalIFuncResolver, LLVMGetInitializer,
    LLVMGetIntrinsicID, LLVMGetLinkage, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands,
    LLVMGetMaskValue, LLVMGetNextUse, LLVMGetNumMaskElements, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGetParams, LLVMGetStringAttributeAtIndex, LLVMGetStringAttributeValue, LLVMGetTypeContext,
    LLVMGetUser, LLVMGetValueName2, LLVMGetVisibility, LLVMGlobalCopyAllMetadata,
    LLVMGlobalGetValueType, LLVMIntTypeInContext, LLVMIntrinsicGetName, LLVMIsABlockAddress,
    LLVMIsAConstant, LLVMIsAConstantExpr, LLVMIsAConstantFP, LLVMIsAConstantInt, LLVMIsAFunction,
    LLVMIsAGlobalAlias, LLVMIsAGlobalIFunc, LLVMIsAGlobalValue, LLVMIsAGlobalVariable,
    LLVMIsAInlineAsm, LLVMIsAInstruction, LLVMIsAUndefValue, LLVMIsAUser, LLVMIsConstantString,
    LLVMIsDeclaration, LLVMIsGlobalConstant, LLVMIsNull, LLVMIsThreadLocal, LLVMPrintValueToString,
    LLVMSetLinkage, LLVMTypeOf, LLVMValueAsMetadata, LLVMValueMetadataEntriesGetMetadata,
};
use llvm_sys::debuginfo::LLVMGetSubprogram;
use llvm_sys::prelude::{LLVMContextRef, LLVMValueRef};
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMTypeKind, LLVMValue, LLVMVisibility};

use super::block::BasicBlock;
use super::inst::{Inst, Opcode};
use super::meta::MetadataNode;
use super::text::{c_string, copy_bytes, copy_text, take_message};
use super::ty::Type;

/// A value of any kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value<'m> {
    raw: *mut LLVMValue,
    module: PhantomData<&'m ()>,
}

/// The part that a symbol takes in linking, as far as this crate tells cases apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Linkage {
    /// `extern` and `weak`: absent unless someone defines it.
    ExternalWeak,
    /// Visible in its own module only.
    Local,
    /// Gives way to another definition.
    Weak,
    /// Joined from all modules, as constructors are.
    Appending,
    /// An ordinary symbol.
    Strong,
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print())
    }
}

/// Returns `true` if the value is of the kind that an `LLVMIsA...` function tests.
fn is_a(value: LLVMValueRef, test: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> bool {
    // SAFETY: values are valid while their module is borrowed; the tests accept every value.
    unsafe { !test(value).is_null() }
}

/// The context that a value belongs to.
pub(super) fn context_of(value: LLVMValueRef) -> LLVMContextRef {
    // SAFETY: the value is valid, and so is its type.
    unsafe { LLVMGetTypeContext(LLVMTypeOf(value)) }
}

impl<'m> Value<'m> {
    /// Wraps a handle; null is `None`.
    pub(super) fn new(raw: LLVMValueRef) -> Option<Value<'m>> {
        (!raw.is_null()).then_some(Value { raw, module: PhantomData })
    }

    /// Wraps a handle that LLVM never leaves null.
    pub(super) fn present(raw: LLVMValueRef) -> Value<'m> {
        Value::new(raw).expect("LLVM gives this value for every well-formed module")
    }

    /// The handle.
    pub(super) fn raw(self) -> LLVMValueRef {
        self.raw
    }

    /// LLVM's text of the value.
    pub(crate) fn print(self) -> String {
        // SAFETY: the value is valid.
        take_message(unsafe { LLVMPrintValueToString(self.raw) })
    }

    /// The type.
    pub(crate) fn ty(self) -> Type<'m> {
        // SAFETY: the value is valid.
        Type::new(unsafe { LLVMTypeOf(self.raw) })
    }

    /// The name; empty when it has none.
    pub(crate) fn name(self) -> String {
        let mut len = 0;
        // SAFETY: the value is valid; the name is copied.
        copy_text(unsafe { LLVMGetValueName2(self.raw, &raw mut len) }, len)
    }

    /// The instruction that it is.
    pub(crate) fn as_inst(self) -> Option<Inst<'m>> {
        is_a(self.raw, LLVMIsAInstruction).then(|| Inst::assume(self))
    }

    pub(crate) fn is_constant(self) -> bool {
        is_a(self.raw, LLVMIsAConstant)
    }
    pub(crate) fn is_function(self) -> bool {
        is_a(self.raw, LLVMIsAFunction)
    }
    pub(crate) fn is_global_variable(self) -> bool {
        is_a(self.raw, LLVMIsAGlobalVariable)
    }
    pub(crate) fn is_alias(self) -> bool {
        is_a(self.raw, LLVMIsAGlobalAlias)
    }
    pub(crate) fn is_ifunc(self) -> bool {
        is_a(self.raw, LLVMIsAGlobalIFunc)
    }
    pub(crate) fn is_inline_asm(self) -> bool {
        is_a(self.raw, LLVMIsAInlineAsm)
    }
    pub(crate) fn is_block_address(self) -> bool {
        is_a(self.raw, LLVMIsABlockAddress)
    }
    pub(crate) fn is_int(self) -> bool {
        is_a(self.raw, LLVMIsAConstantInt)
    }
    pub(crate) fn is_float(self) -> bool {
        is_a(self.raw, LLVMIsAConstantFP)
    }
    pub(crate) fn is_constant_expr(self) -> bool {
        is_a(self.raw, LLVMIsAConstantExpr)
    }
    /// Undefined or poison.
    pub(crate) fn is_undef(self) -> bool {
        is_a(self.raw, LLVMIsAUndefValue)
    }

    /// Returns `true` if all bits of a constant are zero.
    pub(crate) fn is_null(self) -> bool {
        // SAFETY: the value is valid.
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    /// Number of operands; 0 for what has none.
    pub(crate) fn operand_count(self) -> u32 {
        if !is_a(self.raw, LLVMIsAUser) {
            return 0;
        }
        // SAFETY: the value is a user.
        u32::try_from(unsafe { LLVMGetNumOperands(self.raw) }).unwrap_or(0)
    }

    /// An operand.
    ///
    /// # Panics
    /// When there is none of that index.
    pub(crate) fn operand(self, index: u32) -> Value<'m> {
        assert!(index < self.operand_count(), "operand in range");
        // SAFETY: the value is a user and has the operand.
        Value::present(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// All operands.
    pub(crate) fn operands(self) -> impl Iterator<Item = Value<'m>> {
        (0..self.operand_count())
            // SAFETY: the index is in range.
            .filter_map(move |index| Value::new(unsafe { LLVMGetOperand(self.raw, index) }))
    }

    /// Everything that uses the value, once a use.
    pub(crate) fn users(self) -> Vec<Value<'m>> {
        let mut found = Vec::new();
        // SAFETY: the value is valid, and its uses are walked without changes.
        unsafe {
            let mut current = LLVMGetFirstUse(self.raw);
            while !current.is_null() {
                found.extend(Value::new(LLVMGetUser(current)));
                current = LLVMGetNextUse(current);
            }
        }
        found
    }

    /// An integer constant's low 64 bits, when it has no more.
    pub(crate) fn as_u64(self) -> Option<u64> {
        if !self.is_int() {
            return None;
        }
        match self.ty().kind() {
            super::TypeKind::Int(width) if width <= 64 => {
                // SAFETY: the value is an integer constant of at most 64 bits.
                Some(unsafe { LLVMConstIntGetZExtValue(self.raw) })
            }
            _ => None,
        }
    }

    /// A floating constant's bits, as an integer constant.
    pub(crate) fn float_bits(self, bits: u32) -> Value<'m> {
        assert!(self.is_float(), "a floating constant");
        // SAFETY: the value is a scalar of `bits` bits, so that LLVM folds the cast.
        Value::present(unsafe {
            let int = LLVMIntTypeInContext(context_of(self.raw), bits);
            LLVMConstBitCast(self.raw, int)
        })
    }

    /// The element of a constant aggregate or vector.
    pub(crate) fn element(self, index: u32) -> Option<Value<'m>> {
        assert!(self.is_constant(), "a constant");
        // SAFETY: the value is a constant; LLVM answers null when there is no such element.
        Value::new(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The bytes of a constant array of `i8` that is stored as plain data.
    pub(crate) fn as_bytes(self) -> Option<Vec<u8>> {
        if !self.is_constant() {
            return None;
        }
        // SAFETY: the value is a constant; the bytes of a string are copied.
        unsafe {
            let data = !llvm_sys::core::LLVMIsAConstantDataSequential(self.raw).is_null();
            if !data || LLVMIsConstantString(self.raw) == 0 {
                return None;
            }
            let mut len = 0;
            let start = LLVMGetAsString(self.raw, &raw mut len);
            Some(copy_bytes(start, len))
        }
    }

    /// The operation of a constant expression.
    pub(crate) fn expr_opcode(self) -> Opcode {
        assert!(self.is_constant_expr(), "a constant expression");
        // SAFETY: the value is a constant expression.
        Opcode::from_raw(unsafe { LLVMGetConstOpcode(self.raw) })
    }

    fn assert_operation(self, opcode: Opcode) {
        let found = match self.as_inst() {
            Some(inst) => inst.opcode(),
            None => self.expr_opcode(),
        };
        assert!(found == opcode, "{opcode:?} expected, {found:?} found");
    }

    /// The type that the first index of an address computation steps over.
    pub(crate) fn source_element_type(self) -> Type<'m> {
        self.assert_operation(Opcode::GetElementPtr);
        // SAFETY: the value is a `getelementptr`, as instruction or as constant.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The lanes that a shuffle picks; `None` is "any".
    pub(crate) fn shuffle_mask(self) -> Vec<Option<u32>> {
        self.assert_operation(Opcode::ShuffleVector);
        // SAFETY: the value is a shuffle, and the indices are in range.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw))
                .map(|lane| u32::try_from(LLVMGetMaskValue(self.raw, lane)).ok())
                .collect()
        }
    }

    /// Function and block of a block's address.
    pub(crate) fn block_address(self) -> (Value<'m>, Option<BasicBlock<'m>>) {
        assert!(self.is_block_address(), "the address of a block");
        // SAFETY: the value is a block's address.
        unsafe {
            (
                Value::present(LLVMGetBlockAddressFunction(self.raw)),
                BasicBlock::new(LLVMGetBlockAddressBasicBlock(self.raw)),
            )
        }
    }

    fn assert_global(self) {
        assert!(is_a(self.raw, LLVMIsAGlobalValue), "a global value");
    }

    /// Returns `true` if it is declared only.
    pub(crate) fn is_declaration(self) -> bool {
        self.assert_global();
        // SAFETY: the value is global.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    /// Its part in linking.
    pub(crate) fn linkage(self) -> Linkage {
        self.assert_global();
        // SAFETY: the value is global.
        match unsafe { LLVMGetLinkage(self.raw) } {
            LLVMLinkage::LLVMExternalWeakLinkage => Linkage::ExternalWeak,
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage => Linkage::Local,
            LLVMLinkage::LLVMAppendingLinkage => Linkage::Appending,
            LLVMLinkage::LLVMLinkOnceAnyLinkage
            | LLVMLinkage::LLVMLinkOnceODRLinkage
            | LLVMLinkage::LLVMWeakAnyLinkage
            | LLVMLinkage::LLVMWeakODRLinkage
            | LLVMLinkage::LLVMCommonLinkage
            | LLVMLinkage::LLVMAvailableExternallyLinkage => Linkage::Weak,
            _ => Linkage::Strong,
        }
    }

    /// Returns `true` if only the program or the library that it is linked into may refer to it.
    pub(crate) fn is_hidden(self) -> bool {
        self.assert_global();
        // SAFETY: the value is global.
        unsafe { LLVMGetVisibility(self.raw) == LLVMVisibility::LLVMHiddenVisibility }
    }

    /// Lets another definition of the symbol win.
    pub(crate) fn make_weak(self) {
        self.assert_global();
        // SAFETY: the value is global.
        unsafe { LLVMSetLinkage(self.raw, LLVMLinkage::LLVMWeakAnyLinkage) };
    }

    /// The type of a global's content, or of a function.
    pub(crate) fn value_type(self) -> Type<'m> {
        self.assert_global();
        // SAFETY: the value is global.
        Type::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    /// The explicit alignment of a global; 0 when there is none.
    pub(crate) fn global_align(self) -> u32 {
        assert!(self.is_global_variable() || self.is_function(), "a global object");
        // SAFETY: the value is a global object.
        unsafe { LLVMGetAlignment(self.raw) }
    }

    fn assert_variable(self) {
        assert!(self.is_global_variable(), "a global variable");
    }

    /// The initial value of a global variable.
    pub(crate) fn initializer(self) -> Option<Value<'m>> {
        self.assert_variable();
        // SAFETY: the value is a global variable; one without initialiser answers null.
        Value::new(unsafe { LLVMGetInitializer(self.raw) })
    }

    /// Returns `true` if a global variable may not be written.
    pub(crate) fn is_read_only(self) -> bool {
        self.assert_variable();
        // SAFETY: the value is a global variable.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Returns `true` if every thread has its own instance of a global variable.
    pub(crate) fn is_thread_local(self) -> bool {
        self.assert_variable();
        // SAFETY: the value is a global variable.
        unsafe { LLVMIsThreadLocal(self.raw) != 0 }
    }

    /// Returns the value that an alias stands for.
    pub(crate) fn aliasee(self) -> Value<'m> {
        assert!(self.is_alias(), "an alias");
        // SAFETY: the value is an alias.
        Value::present(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    /// The function that computes an indirect function's address.
    pub(crate) fn resolver(self) -> Value<'m> {
        assert!(self.is_ifunc(), "an indirect function");
        // SAFETY: the value is an indirect function.
        Value::present(unsafe { LLVMGetGlobalIFuncResolver(self.raw) })
    }

    fn assert_function(self) {
        assert!(self.is_function(), "a function");
    }

    /// The blocks of a function, entry first.
    pub(crate) fn blocks(self) -> Vec<BasicBlock<'m>> {
        self.assert_function();
        // SAFETY: the value is a function; the buffer has room for all blocks.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountBasicBlocks(self.raw) as usize];
            LLVMGetBasicBlocks(self.raw, raw.as_mut_ptr());
            raw.into_iter().filter_map(BasicBlock::new).collect()
        }
    }

    /// The parameters of a function.
    pub(crate) fn params(self) -> Vec<Value<'m>> {
        self.assert_function();
        // SAFETY: the value is a function; the buffer has room for all parameters.
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParams(self.raw) as usize];
            LLVMGetParams(self.raw, raw.as_mut_ptr());
            raw.into_iter().filter_map(Value::new).collect()
        }
    }

    /// The base name of an intrinsic, without the types that it is overloaded on.
    pub(crate) fn intrinsic_name(self) -> Option<String> {
        self.assert_function();
        // SAFETY: the value is a function, and the identifier is the one LLVM gave.
        unsafe {
            let id = LLVMGetIntrinsicID(self.raw);
            if id == 0 {
                return None;
            }
            let mut len = 0;
            let start = LLVMIntrinsicGetName(id, &raw mut len);
            Some(copy_text(start, len))
        }
    }

    /// Gives a function a string attribute without text.
    pub(crate) fn add_string_attribute(self, key: &str) {
        self.assert_function();
        let len = u32::try_from(key.len()).expect("keys are short");
        // SAFETY: the value is a function; the key is copied, and the text is empty.
        unsafe {
            let context = context_of(self.raw);
            let start = key.as_ptr().cast();
            let attribute = LLVMCreateStringAttribute(context, start, len, start, 0);
            LLVMAddAttributeAtIndex(self.raw, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Gives a function an attribute of LLVM that has no value.
    pub(crate) fn add_enum_attribute(self, name: &str) {
        self.assert_function();
        // SAFETY: the value is a function; the name is not kept.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            assert!(kind != 0, "LLVM knows the attribute {name}");
            let attribute = LLVMCreateEnumAttribute(context_of(self.raw), kind, 0);
            LLVMAddAttributeAtIndex(self.raw, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// The text of a string attribute of a function.
    pub(crate) fn string_attribute(self, key: &str) -> Option<String> {
        self.assert_function();
        let name = c_string(key);
        let len = u32::try_from(key.len()).ok()?;
        // SAFETY: the value is a function, the key is valid, the text is copied.
        unsafe {
            let index = LLVMAttributeFunctionIndex;
            let attribute = LLVMGetStringAttributeAtIndex(self.raw, index, name.as_ptr(), len);
            if attribute.is_null() {
                return None;
            }
            let mut len = 0;
            let start = LLVMGetStringAttributeValue(attribute, &raw mut len);
            Some(copy_text(start, len as usize))
        }
    }

    /// The debug description of a function or of a global variable.
    pub(crate) fn debug_node(self) -> Option<MetadataNode<'m>> {
        let context = context_of(self.raw);
        if self.is_function() {
            // SAFETY: the value is a function.
            return MetadataNode::new(unsafe { LLVMGetSubprogram(self.raw) }, context);
        }
        self.assert_variable();
        let mut count = 0;
        // SAFETY: the value is a global variable; the entries are freed after the walk.
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &raw mut count);
            let found = (0..count as u32)
                .filter_map(|i| {
                    MetadataNode::new(LLVMValueMetadataEntriesGetMetadata(entries, i), context)
                })
                .find_map(MetadataNode::global_variable);
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }

    /// The metadata that an operand of a debug intrinsic wraps.
    pub(crate) fn as_meta(self) -> Option<MetadataNode<'m>> {
        if !self.is_metadata() {
            return None;
        }
        // SAFETY: the value wraps metadata.
        unsafe { MetadataNode::new(LLVMValueAsMetadata(self.raw), context_of(self.raw)) }
    }

    /// The value that an operand of a debug intrinsic wraps.
    pub(crate) fn unwrap_metadata(self) -> Option<Value<'m>> {
        if !self.is_metadata() {
            return None;
        }
        // SAFETY: the value wraps metadata; a wrapped value counts as its only operand.
        unsafe {
            let mut operands =
                vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(self.raw) as usize];
            if operands.len() != 1 {
                return None;
            }
            LLVMGetMDNodeOperands(self.raw, operands.as_mut_ptr());
            Value::new(operands[0])
        }
    }

    fn is_metadata(self) -> bool {
        // SAFETY: the type is valid.
        let kind = unsafe { llvm_sys::core::LLVMGetTypeKind(self.ty().raw()) };
        kind == LLVMTypeKind::LLVMMetadataTypeKind
    }
}
