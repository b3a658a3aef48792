//! Instructions, and what each kind of them has beside operands.

use llvm_sys::core::{
    LLVMCountIncoming, LLVMGetAlignment, LLVMGetAllocatedType, LLVMGetAtomicRMWBinOp,
    LLVMGetCallSiteEnumAttribute, LLVMGetCalledFunctionType, LLVMGetCalledValue, LLVMGetClause,
    LLVMGetCmpXchgFailureOrdering, LLVMGetCmpXchgSuccessOrdering, LLVMGetEnumAttributeAtIndex,
    LLVMGetEnumAttributeKindForName, LLVMGetExact, LLVMGetFCmpPredicate, LLVMGetICmpPredicate,
    LLVMGetIncomingBlock, LLVMGetIncomingValue, LLVMGetIndices, LLVMGetInlineAsmAsmString,
    LLVMGetInlineAsmConstraintString, LLVMGetInlineAsmDialect, LLVMGetInstructionOpcode,
    LLVMGetInstructionParent, LLVMGetNSW, LLVMGetNUW, LLVMGetNumArgOperands, LLVMGetNumClauses,
    LLVMGetNumIndices, LLVMGetNumSuccessors, LLVMGetOrdering, LLVMGetSuccessor, LLVMGetVolatile,
    LLVMIsATerminatorInst, LLVMIsCleanup, LLVMIsConditional,
};
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMAttributeFunctionIndex, LLVMInlineAsmDialect,
    LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate,
};

use everett_ir::{AccessFlags, FloatPredicate, IntPredicate};

use super::block::BasicBlock;
use super::meta::MetadataNode;
use super::text::copy_text;
use super::ty::Type;
use super::value::Value;

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Inst<'m>(Value<'m>);

/// The update of an `atomicrmw`.
pub(crate) type RmwKind = LLVMAtomicRMWBinOp;

macro_rules! opcodes {
    ($($name:ident = $raw:ident,)*) => {
        /// The operation of an instruction or of a constant expression.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        pub(crate) enum Opcode { $($name,)* }

        impl Opcode {
            pub(super) fn from_raw(raw: LLVMOpcode) -> Opcode {
                match raw { $(LLVMOpcode::$raw => Opcode::$name,)* }
            }
        }
    };
}

opcodes! {
    Ret = LLVMRet, Br = LLVMBr, Switch = LLVMSwitch, IndirectBr = LLVMIndirectBr,
    Invoke = LLVMInvoke, Unreachable = LLVMUnreachable, CallBr = LLVMCallBr, FNeg = LLVMFNeg,
    Add = LLVMAdd, FAdd = LLVMFAdd, Sub = LLVMSub, FSub = LLVMFSub, Mul = LLVMMul,
    FMul = LLVMFMul, UDiv = LLVMUDiv, SDiv = LLVMSDiv, FDiv = LLVMFDiv, URem = LLVMURem,
    SRem = LLVMSRem, FRem = LLVMFRem, Shl = LLVMShl, LShr = LLVMLShr, AShr = LLVMAShr,
    And = LLVMAnd, Or = LLVMOr, Xor = LLVMXor, Alloca = LLVMAlloca, Load = LLVMLoad,
    Store = LLVMStore, GetElementPtr = LLVMGetElementPtr, Trunc = LLVMTrunc, ZExt = LLVMZExt,
    SExt = LLVMSExt, FPToUI = LLVMFPToUI, FPToSI = LLVMFPToSI, UIToFP = LLVMUIToFP,
    SIToFP = LLVMSIToFP, FPTrunc = LLVMFPTrunc, FPExt = LLVMFPExt, PtrToInt = LLVMPtrToInt,
    IntToPtr = LLVMIntToPtr, BitCast = LLVMBitCast, AddrSpaceCast = LLVMAddrSpaceCast,
    ICmp = LLVMICmp, FCmp = LLVMFCmp, Phi = LLVMPHI, Call = LLVMCall, Select = LLVMSelect,
    UserOp1 = LLVMUserOp1, UserOp2 = LLVMUserOp2, VaArg = LLVMVAArg,
    ExtractElement = LLVMExtractElement, InsertElement = LLVMInsertElement,
    ShuffleVector = LLVMShuffleVector, ExtractValue = LLVMExtractValue,
    InsertValue = LLVMInsertValue, Freeze = LLVMFreeze, Fence = LLVMFence,
    CmpXchg = LLVMAtomicCmpXchg, AtomicRmw = LLVMAtomicRMW, Resume = LLVMResume,
    LandingPad = LLVMLandingPad, CleanupRet = LLVMCleanupRet, CatchRet = LLVMCatchRet,
    CatchPad = LLVMCatchPad, CleanupPad = LLVMCleanupPad, CatchSwitch = LLVMCatchSwitch,
}

/// The pattern of the operations on two integers of one type.
macro_rules! int_binary_opcode {
    () => {
        Opcode::Add
            | Opcode::Sub
            | Opcode::Mul
            | Opcode::UDiv
            | Opcode::SDiv
            | Opcode::URem
            | Opcode::SRem
            | Opcode::Shl
            | Opcode::LShr
            | Opcode::AShr
            | Opcode::And
            | Opcode::Or
            | Opcode::Xor
    };
}
pub(crate) use int_binary_opcode;

impl<'m> Inst<'m> {
    /// Wraps a value that is known to be an instruction.
    pub(super) fn assume(value: Value<'m>) -> Inst<'m> {
        Inst(value)
    }

    /// The value that it computes.
    pub(crate) fn value(self) -> Value<'m> {
        self.0
    }

    /// The type of its value.
    pub(crate) fn ty(self) -> Type<'m> {
        self.0.ty()
    }

    /// An operand.
    pub(crate) fn operand(self, index: u32) -> Value<'m> {
        self.0.operand(index)
    }

    /// Returns the operation.
    pub(crate) fn opcode(self) -> Opcode {
        // SAFETY: the value is an instruction.
        Opcode::from_raw(unsafe { LLVMGetInstructionOpcode(self.0.raw()) })
    }

    fn assert_opcode(self, allowed: &[Opcode]) {
        let found = self.opcode();
        assert!(allowed.contains(&found), "one of {allowed:?} expected, {found:?} found");
    }

    /// The block that holds it.
    pub(crate) fn parent(self) -> Option<BasicBlock<'m>> {
        // SAFETY: the value is an instruction.
        BasicBlock::new(unsafe { LLVMGetInstructionParent(self.0.raw()) })
    }

    /// Returns the debug location that it comes from.
    pub(crate) fn debug_loc(self) -> Option<MetadataNode<'m>> {
        // SAFETY: the value is an instruction.
        unsafe {
            let raw = self.0.raw();
            MetadataNode::new(LLVMInstructionGetDebugLoc(raw), super::value::context_of(raw))
        }
    }

    /// The promises not to wrap, signed and unsigned.
    pub(crate) fn no_wrap(self) -> (bool, bool) {
        self.assert_opcode(&[Opcode::Add, Opcode::Sub, Opcode::Mul, Opcode::Shl]);
        // SAFETY: the instruction is one that has these flags.
        unsafe { (LLVMGetNSW(self.0.raw()) != 0, LLVMGetNUW(self.0.raw()) != 0) }
    }

    /// The promise of a division or a right shift to lose nothing.
    pub(crate) fn is_exact(self) -> bool {
        let has = [Opcode::UDiv, Opcode::SDiv, Opcode::LShr, Opcode::AShr];
        // SAFETY: the instruction is one that has this flag.
        has.contains(&self.opcode()) && unsafe { LLVMGetExact(self.0.raw()) != 0 }
    }

    /// The predicate of an `icmp`.
    pub(crate) fn int_predicate(self) -> IntPredicate {
        self.assert_opcode(&[Opcode::ICmp]);
        // SAFETY: the instruction is an `icmp`.
        match unsafe { LLVMGetICmpPredicate(self.0.raw()) } {
            LLVMIntPredicate::LLVMIntEQ => IntPredicate::Eq,
            LLVMIntPredicate::LLVMIntNE => IntPredicate::Ne,
            LLVMIntPredicate::LLVMIntUGT => IntPredicate::Ugt,
            LLVMIntPredicate::LLVMIntUGE => IntPredicate::Uge,
            LLVMIntPredicate::LLVMIntULT => IntPredicate::Ult,
            LLVMIntPredicate::LLVMIntULE => IntPredicate::Ule,
            LLVMIntPredicate::LLVMIntSGT => IntPredicate::Sgt,
            LLVMIntPredicate::LLVMIntSGE => IntPredicate::Sge,
            LLVMIntPredicate::LLVMIntSLT => IntPredicate::Slt,
            LLVMIntPredicate::LLVMIntSLE => IntPredicate::Sle,
        }
    }

    /// The predicate of an `fcmp`.
    pub(crate) fn float_predicate(self) -> FloatPredicate {
        self.assert_opcode(&[Opcode::FCmp]);
        // SAFETY: the instruction is an `fcmp`.
        match unsafe { LLVMGetFCmpPredicate(self.0.raw()) } {
            LLVMRealPredicate::LLVMRealPredicateFalse => FloatPredicate::False,
            LLVMRealPredicate::LLVMRealOEQ => FloatPredicate::Oeq,
            LLVMRealPredicate::LLVMRealOGT => FloatPredicate::Ogt,
            LLVMRealPredicate::LLVMRealOGE => FloatPredicate::Oge,
            LLVMRealPredicate::LLVMRealOLT => FloatPredicate::Olt,
            LLVMRealPredicate::LLVMRealOLE => FloatPredicate::Ole,
            LLVMRealPredicate::LLVMRealONE => FloatPredicate::One,
            LLVMRealPredicate::LLVMRealORD => FloatPredicate::Ord,
            LLVMRealPredicate::LLVMRealUNO => FloatPredicate::Uno,
            LLVMRealPredicate::LLVMRealUEQ => FloatPredicate::Ueq,
            LLVMRealPredicate::LLVMRealUGT => FloatPredicate::Ugt,
            LLVMRealPredicate::LLVMRealUGE => FloatPredicate::Uge,
            LLVMRealPredicate::LLVMRealULT => FloatPredicate::Ult,
            LLVMRealPredicate::LLVMRealULE => FloatPredicate::Ule,
            LLVMRealPredicate::LLVMRealUNE => FloatPredicate::Une,
            LLVMRealPredicate::LLVMRealPredicateTrue => FloatPredicate::True,
        }
    }

    /// The kind of access to memory that a load, a store, an `atomicrmw` or a `cmpxchg` makes.
    pub(crate) fn access_flags(self) -> AccessFlags {
        let value = self.0.raw();
        if self.opcode() == Opcode::CmpXchg {
            // SAFETY: the instruction is a `cmpxchg`.
            let orderings = unsafe {
                (LLVMGetCmpXchgSuccessOrdering(value), LLVMGetCmpXchgFailureOrdering(value))
            };
            let fails = match ordering_flags(orderings.1).acquires() {
                true => AccessFlags::ACQUIRE_ON_FAILURE,
                false => AccessFlags::ATOMIC,
            };
            return ordering_flags(orderings.0).with(fails);
        }
        self.assert_opcode(&[Opcode::Load, Opcode::Store, Opcode::AtomicRmw]);
        // SAFETY: the instruction accesses memory, and is one of those that have these.
        let (ordering, volatile) = unsafe { (LLVMGetOrdering(value), LLVMGetVolatile(value)) };
        let volatile = if volatile == 0 { AccessFlags::PLAIN } else { AccessFlags::VOLATILE };
        ordering_flags(ordering).with(volatile)
    }

    /// The update of an `atomicrmw`.
    pub(crate) fn rmw_kind(self) -> RmwKind {
        self.assert_opcode(&[Opcode::AtomicRmw]);
        // SAFETY: the instruction is an `atomicrmw`.
        unsafe { LLVMGetAtomicRMWBinOp(self.0.raw()) }
    }

    /// The type that an `alloca` makes room for, and its alignment.
    pub(crate) fn allocated(self) -> (Type<'m>, u32) {
        self.assert_opcode(&[Opcode::Alloca]);
        // SAFETY: the instruction is an `alloca`.
        unsafe { (Type::new(LLVMGetAllocatedType(self.0.raw())), LLVMGetAlignment(self.0.raw())) }
    }

    /// The path of indices of `extractvalue` and `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        self.assert_opcode(&[Opcode::ExtractValue, Opcode::InsertValue]);
        // SAFETY: the instruction has indices; start and count belong together, and are copied.
        unsafe {
            let count = LLVMGetNumIndices(self.0.raw()) as usize;
            let start = LLVMGetIndices(self.0.raw());
            if count == 0 { Vec::new() } else { std::slice::from_raw_parts(start, count).to_vec() }
        }
    }

    /// The value and block of each edge into a phi.
    pub(crate) fn incoming(self) -> Vec<(Value<'m>, BasicBlock<'m>)> {
        self.assert_opcode(&[Opcode::Phi]);
        // SAFETY: the instruction is a phi, and the indices are in range.
        unsafe {
            (0..LLVMCountIncoming(self.0.raw()))
                .filter_map(|i| {
                    let value = Value::new(LLVMGetIncomingValue(self.0.raw(), i))?;
                    Some((value, BasicBlock::new(LLVMGetIncomingBlock(self.0.raw(), i))?))
                })
                .collect()
        }
    }

    /// The blocks that a terminator may continue at.
    pub(crate) fn successors(self) -> Vec<BasicBlock<'m>> {
        // SAFETY: the instruction is checked to be a terminator; the indices are in range.
        unsafe {
            if LLVMIsATerminatorInst(self.0.raw()).is_null() {
                return Vec::new();
            }
            (0..LLVMGetNumSuccessors(self.0.raw()))
                .filter_map(|i| BasicBlock::new(LLVMGetSuccessor(self.0.raw(), i)))
                .collect()
        }
    }

    /// Returns `true` if a `br` has a condition.
    pub(crate) fn is_conditional(self) -> bool {
        self.assert_opcode(&[Opcode::Br]);
        // SAFETY: the instruction is a branch.
        unsafe { LLVMIsConditional(self.0.raw()) != 0 }
    }

    /// What a landing pad stops: types, and arrays of types.
    pub(crate) fn landing_clauses(self) -> Vec<Value<'m>> {
        self.assert_opcode(&[Opcode::LandingPad]);
        // SAFETY: the instruction is a landing pad, and the indices are in range.
        unsafe {
            let clauses = 0..LLVMGetNumClauses(self.0.raw());
            clauses.filter_map(|i| Value::new(LLVMGetClause(self.0.raw(), i))).collect()
        }
    }

    /// Returns `true` if a landing pad is entered by exceptions that it does not stop.
    pub(crate) fn is_cleanup(self) -> bool {
        self.assert_opcode(&[Opcode::LandingPad]);
        // SAFETY: the instruction is a landing pad.
        unsafe { LLVMIsCleanup(self.0.raw()) != 0 }
    }

    fn assert_call(self) {
        self.assert_opcode(&[Opcode::Call, Opcode::Invoke, Opcode::CallBr]);
    }

    /// Returns the function that a call calls.
    pub(crate) fn callee(self) -> Value<'m> {
        self.assert_call();
        // SAFETY: the instruction is a call.
        Value::present(unsafe { LLVMGetCalledValue(self.0.raw()) })
    }

    /// The function type that a call uses.
    pub(crate) fn called_type(self) -> Type<'m> {
        self.assert_call();
        // SAFETY: the instruction is a call.
        Type::new(unsafe { LLVMGetCalledFunctionType(self.0.raw()) })
    }

    /// Number of a call's arguments.
    pub(crate) fn arg_count(self) -> u32 {
        self.assert_call();
        // SAFETY: the instruction is a call.
        unsafe { LLVMGetNumArgOperands(self.0.raw()) }
    }

    /// Returns `true` if it calls a function that may return more than once, as `setjmp` does.
    pub(crate) fn may_return_twice(self) -> bool {
        if !matches!(self.opcode(), Opcode::Call | Opcode::Invoke | Opcode::CallBr) {
            return false;
        }
        let (callee, name) = (self.callee(), "returns_twice");
        // SAFETY: the instruction is a call, the callee is checked to be a function, and the
        // attribute's name is a known one.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let index = LLVMAttributeFunctionIndex;
            let own = LLVMGetCallSiteEnumAttribute(self.0.raw(), index, kind);
            !own.is_null()
                || callee.is_function()
                    && !LLVMGetEnumAttributeAtIndex(callee.raw(), index, kind).is_null()
        }
    }

    /// Template and constraints of inline assembly, and whether it is in Intel's syntax.
    pub(crate) fn inline_asm(self) -> (String, String, bool) {
        let callee = self.callee();
        assert!(callee.is_inline_asm(), "inline assembly");
        let (mut text_len, mut constraints_len) = (0, 0);
        // SAFETY: the callee is inline assembly; both strings are copied.
        unsafe {
            let text = LLVMGetInlineAsmAsmString(callee.raw(), &raw mut text_len);
            let constraints =
                LLVMGetInlineAsmConstraintString(callee.raw(), &raw mut constraints_len);
            let intel = matches!(
                LLVMGetInlineAsmDialect(callee.raw()),
                LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel
            );
            (copy_text(text, text_len), copy_text(constraints, constraints_len), intel)
        }
    }
}

/// The flags of an access with a memory order.
fn ordering_flags(ordering: LLVMAtomicOrdering) -> AccessFlags {
    use LLVMAtomicOrdering as Order;
    match ordering {
        Order::LLVMAtomicOrderingNotAtomic => AccessFlags::PLAIN,
        Order::LLVMAtomicOrderingUnordered | Order::LLVMAtomicOrderingMonotonic => {
            AccessFlags::ATOMIC
        }
        Order::LLVMAtomicOrderingAcquire => AccessFlags::ACQUIRE,
        Order::LLVMAtomicOrderingRelease => AccessFlags::RELEASE,
        Order::LLVMAtomicOrderingAcquireRelease
        | Order::LLVMAtomicOrderingSequentiallyConsistent => {
            AccessFlags::ACQUIRE.with(AccessFlags::RELEASE)
        }
    }
}
