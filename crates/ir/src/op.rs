//! The ops: what one step of the interpreter executes.
//!
//! An [`Op`] is at most 24 bytes and is matched on directly; there is no further decoding. The
//! hot families (integer arithmetic, comparisons, loads, stores, jumps) have one variant each so
//! that dispatch is a single jump; rarer families carry an inner operation code.

pub(crate) mod float;
pub(crate) mod operand;

use serde::{Deserialize, Serialize};

use crate::ids::{CallId, GlobalId, LayoutId, NameId, SwitchId};
use everett_base::FloatKind;
use float::{FloatBinary, FloatCast, FloatPredicate, FloatUnary};
use operand::{Operand, Pc, Slot};

/// The no-wrap promises of an integer operation (`nsw`, `nuw`, `exact` in LLVM's words).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WrapFlags(pub u8);

impl WrapFlags {
    /// No promise.
    pub const NONE: WrapFlags = WrapFlags(0);
    /// Signed overflow is undefined behaviour.
    pub const SIGNED: WrapFlags = WrapFlags(1);
    /// Unsigned overflow is undefined behaviour.
    pub const UNSIGNED: WrapFlags = WrapFlags(2);

    /// Returns `true` if signed overflow is promised not to happen.
    pub fn signed(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The properties of a memory access, beside its place and its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AccessFlags(pub u8);

everett_base::portable!(struct AccessFlags(value));

impl AccessFlags {
    /// An ordinary access.
    pub const PLAIN: AccessFlags = AccessFlags(0);
    /// A `volatile` access.
    pub const VOLATILE: AccessFlags = AccessFlags(1);
    /// An atomic access: a point at which threads may be switched.
    pub const ATOMIC: AccessFlags = AccessFlags(2);
    /// An atomic access by which all that was released at its place happens before what comes next.
    pub const ACQUIRE: AccessFlags = AccessFlags(2 | 4);
    /// An atomic access that releases all that its thread has done before.
    pub const RELEASE: AccessFlags = AccessFlags(2 | 8);
    /// A compare-and-swap that acquires if it fails, too.
    pub const ACQUIRE_ON_FAILURE: AccessFlags = AccessFlags(2 | 16);
    /// An atomic access of the strongest order.
    pub const SEQUENTIAL: AccessFlags = AccessFlags(2 | 4 | 8 | 16);

    /// An access to a variable of its function whose address only such accesses use: no other thread and no
    /// handler can have it.
    pub const LOCAL: AccessFlags = AccessFlags(32);

    /// These flags and others.
    #[must_use]
    pub const fn with(self, other: AccessFlags) -> AccessFlags {
        AccessFlags(self.0 | other.0)
    }

    /// Returns `true` if the access is volatile.
    pub fn volatile(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns `true` if the access is atomic.
    pub fn atomic(self) -> bool {
        self.0 & 2 != 0
    }

    /// Returns `true` if only the function that makes the access knows its place.
    pub fn local(self) -> bool {
        self.0 & 32 != 0
    }

    /// Returns `true` if the access acquires what was released; a compare-and-swap, if it succeeds.
    pub fn acquires(self) -> bool {
        self.0 & 4 != 0
    }

    /// Returns `true` if the access releases; a compare-and-swap, if it succeeds.
    pub fn releases(self) -> bool {
        self.0 & 8 != 0
    }

    /// Returns `true` if a compare-and-swap acquires although it fails.
    pub fn acquires_on_failure(self) -> bool {
        self.0 & 16 != 0
    }
}

/// Predicates of integer comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum IntPredicate {
    Eq,
    Ne,
    Ugt,
    Uge,
    Ult,
    Ule,
    Sgt,
    Sge,
    Slt,
    Sle,
}

/// Unary integer operations that LLVM offers as intrinsics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum IntUnary {
    PopCount,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    Abs,
}

/// Binary integer operations that LLVM offers as intrinsics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum IntBinary {
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
    /// Three-way comparison, unsigned: -1, 0 or 1.
    UCmp,
    /// Three-way comparison, signed: -1, 0 or 1.
    SCmp,
}

/// Arithmetic with an overflow bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum OverflowOp {
    SAdd,
    UAdd,
    SSub,
    USub,
    SMul,
    UMul,
}

/// A promise about the inputs of an operation. An operation whose promise is broken has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OperandPromise {
    /// `a`, the number of a lane, is less than `b`.
    Lane,
    /// `a` is not the smallest signed number, so that it has an absolute value.
    NotSmallest,
    /// `a`, whose zeros are counted, is not zero.
    NonZero,
    /// `a` shifted right by `b` loses no bit that is set.
    ExactShift,
    /// Dividing `a` by `b`, unsigned, leaves no remainder.
    ExactUnsignedDivision,
    /// Dividing `a` by `b`, signed, leaves no remainder.
    ExactSignedDivision,
    /// `a + b` does not overflow, signed.
    SignedAdd,
    /// `a - b` does not overflow, signed.
    SignedSub,
    /// `a * b` does not overflow, signed.
    SignedMul,
    /// `a << b` does not overflow, signed.
    SignedShl,
}

impl OperandPromise {
    /// Returns `true` if it is kept without `--check overflow`, too.
    pub fn is_always_checked(self) -> bool {
        self == OperandPromise::Lane
    }

    /// Returns `true` if it is about one input only.
    pub fn is_unary(self) -> bool {
        matches!(self, OperandPromise::NotSmallest | OperandPromise::NonZero)
    }
}

/// Operations on integers of more than 64 bits. Comparisons yield one slot; the `..Ov` family
/// yields the value's slots and then one slot with the overflow bit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum WideOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Compare(IntPredicate),
    Unary(IntUnary),
    Binary(IntBinary),
    Overflow(OverflowOp),
}

/// Width changes where either side has more than 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum WideCast {
    Trunc,
    ZExt,
    SExt,
}

/// The update of an `atomicrmw`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    SMax,
    SMin,
    UMax,
    UMin,
    UIncWrap,
    UDecWrap,
    FAdd(FloatKind),
    FSub(FloatKind),
    FMax(FloatKind),
    FMin(FloatKind),
}

/// The kind of a block copy: its ranges may overlap, or must not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CopyKind {
    /// `memcpy`: overlap (but for identical ranges) is an error.
    Disjoint,
    /// `memmove`.
    Overlapping,
}

/// The reason for which a trap op stops the path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TrapKind {
    /// `llvm.trap`, as from `__builtin_trap`.
    Trap,
    /// `llvm.debugtrap`.
    Debug,
    /// `llvm.ubsantrap`.
    Sanitizer,
}

/// One step of the interpreter.
///
/// Field names: `w` is the width in bits (1 to 64), `dst` the first slot written, `a`, `b`, `c`
/// the inputs, `insts` the number of source instructions in the segment that a control op ends.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Op {
    // Integer arithmetic on at most 64 bits.
    Add {
        w: u8,
        wrap: WrapFlags,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Sub {
        w: u8,
        wrap: WrapFlags,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Mul {
        w: u8,
        wrap: WrapFlags,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    And {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Or {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Xor {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    Shl {
        w: u8,
        wrap: WrapFlags,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    LShr {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    AShr {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    UDiv {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    SDiv {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    URem {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    SRem {
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    ICmp {
        pred: IntPredicate,
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    IntUnary {
        op: IntUnary,
        w: u8,
        dst: Slot,
        a: Operand,
    },
    IntBinary {
        op: IntBinary,
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// Writes the wrapped result to `dst` and the overflow bit to the slot after it.
    Overflow {
        op: OverflowOp,
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// The high (left) or low (right) word of `a:b` shifted by `c` modulo the width.
    FunnelShift {
        left: bool,
        w: u8,
        dst: Slot,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    /// `c` (one bit) chooses between `a` and `b`, one slot each.
    Select {
        w: u8,
        dst: Slot,
        c: Operand,
        a: Operand,
        b: Operand,
    },

    // Width changes within 64 bits, and plain copies of `n` slots.
    Trunc {
        to: u8,
        dst: Slot,
        a: Operand,
    },
    ZExt {
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    },
    SExt {
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    },
    Copy {
        n: u16,
        dst: Slot,
        a: Operand,
    },
    /// Like `Copy`, but what is poison becomes an ordinary value.
    Freeze {
        n: u16,
        dst: Slot,
        a: Operand,
    },

    /// Poisons the `n` slots from `dst` on, the result of the op before, unless the promise holds for
    /// `a` and `b` of `w` bits.
    Promise {
        what: OperandPromise,
        n: u16,
        w: u32,
        dst: Slot,
        a: Operand,
        b: Operand,
    },

    // Integers of more than 64 bits, and bit casts between shapes.
    Wide {
        op: WideOp,
        w: u32,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    WideCast {
        op: WideCast,
        from: u32,
        to: u32,
        dst: Slot,
        a: Operand,
    },
    /// Joins `lanes` values of `lane_bits` each (first lane lowest) into one integer of
    /// `lanes * lane_bits` bits in as few slots as it needs.
    Pack {
        lanes: u16,
        lane_bits: u16,
        dst: Slot,
        a: Operand,
    },
    /// The inverse of `Pack`.
    Unpack {
        lanes: u16,
        lane_bits: u16,
        dst: Slot,
        a: Operand,
    },

    // Floating point.
    FloatBinary {
        op: FloatBinary,
        kind: FloatKind,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    FloatUnary {
        op: FloatUnary,
        kind: FloatKind,
        dst: Slot,
        a: Operand,
    },
    FloatCompare {
        pred: FloatPredicate,
        kind: FloatKind,
        dst: Slot,
        a: Operand,
        b: Operand,
    },
    /// Conversions; `bits` is the integer side's width where there is one.
    FloatCast {
        op: FloatCast,
        kind: FloatKind,
        bits: u16,
        dst: Slot,
        a: Operand,
    },
    /// `a * b + c`, rounded once.
    FloatMulAdd {
        kind: FloatKind,
        dst: Slot,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    /// LLVM's `is.fpclass` with its mask of classes.
    FloatClass {
        kind: FloatKind,
        mask: u16,
        dst: Slot,
        a: Operand,
    },
    /// `a * 2^b` with an `i32` exponent (`ldexp`), or `a^b` (`powi`).
    FloatScale {
        power: bool,
        kind: FloatKind,
        dst: Slot,
        a: Operand,
        b: Operand,
    },

    // Memory.
    /// Loads `bytes` bytes from `ptr + off` and keeps the low `w` bits.
    Load {
        bytes: u8,
        w: u8,
        access: AccessFlags,
        dst: Slot,
        ptr: Operand,
        off: i32,
    },
    /// Stores the low `w` bits of `val`, zero-extended to `bytes` bytes, to `ptr + off`.
    Store {
        bytes: u8,
        w: u8,
        access: AccessFlags,
        val: Operand,
        ptr: Operand,
        off: i32,
    },
    /// Loads a value of several slots, placed as `layout` says.
    LoadMany {
        access: AccessFlags,
        layout: LayoutId,
        dst: Slot,
        ptr: Operand,
        off: i32,
    },
    /// Stores a value of several slots, placed as `layout` says.
    StoreMany {
        access: AccessFlags,
        layout: LayoutId,
        val: Operand,
        ptr: Operand,
        off: i32,
    },
    /// Creates a stack object of `size * count` bytes that lives until the function returns.
    /// `align` is a power of two given by its exponent; `name` is the source variable's. A variable
    /// `has_place` on the native stack, if native code may not give it the place of another one that has.
    Alloca {
        align_log2: u8,
        has_place: bool,
        dst: Slot,
        size: u32,
        count: Operand,
        name: NameId,
    },
    /// `base + sext(index, w) * scale + off`, wrapping at 64 bits.
    PtrAdd {
        w: u8,
        dst: Slot,
        base: Operand,
        index: Operand,
        scale: i32,
        off: i32,
    },
    /// Copies `len` bytes between objects.
    MemCopy {
        kind: CopyKind,
        to: Operand,
        from: Operand,
        len: Operand,
    },
    /// Fills `len` bytes with the low byte of `val`.
    MemSet {
        to: Operand,
        val: Operand,
        len: Operand,
    },
    /// `dst` receives the old value. `bytes` may be 16, then values take two slots.
    AtomicRmw {
        op: RmwOp,
        bytes: u8,
        access: AccessFlags,
        dst: Slot,
        ptr: Operand,
        val: Operand,
    },
    /// `dst` receives the old value, the slot(s) after it the success bit.
    CompareExchange {
        bytes: u8,
        access: AccessFlags,
        dst: Slot,
        ptr: Operand,
        expected: Operand,
        new: Operand,
    },
    Fence,
    /// Bytes from `ptr` to the end of its object. Where that is not known, 0 if `least`, else all ones;
    /// so it is for the null pointer, whose size is 0 unless `null_unknown`.
    ObjectSize {
        least: bool,
        null_unknown: bool,
        w: u8,
        dst: Slot,
        ptr: Operand,
    },
    /// Address of this thread's instance of a thread-local global.
    ThreadLocal {
        dst: Slot,
        global: GlobalId,
    },
    /// The address that the C library keeps its data of this thread at.
    ThreadPointer {
        dst: Slot,
    },
    StackSave {
        dst: Slot,
    },
    StackRestore {
        a: Operand,
    },
    /// Fills the `va_list` at `list` so that it walks this frame's variable arguments.
    VaStart {
        list: Operand,
    },
    VaCopy {
        to: Operand,
        from: Operand,
    },

    // Control. These end a segment.
    /// Counts a segment without transferring control; breaks up very long straight code.
    Tick {
        insts: u16,
    },
    Jump {
        insts: u16,
        target: Pc,
    },
    Branch {
        insts: u16,
        cond: Operand,
        then: Pc,
        other: Pc,
    },
    /// A comparison and the branch that is its only user.
    CompareBranch {
        pred: IntPredicate,
        w: u8,
        insts: u16,
        a: Operand,
        b: Operand,
        then: Pc,
        other: Pc,
    },
    Switch {
        insts: u16,
        w: u8,
        val: Operand,
        table: SwitchId,
    },
    /// Jumps to the block whose address is `addr`; `table` lists the allowed ones.
    IndirectJump {
        insts: u16,
        addr: Operand,
        table: u32,
    },
    Call {
        insts: u16,
        site: CallId,
    },
    /// Returns `n` slots starting at `val`.
    Return {
        insts: u16,
        n: u16,
        val: Operand,
    },
    Unreachable {
        insts: u16,
    },
    Trap {
        insts: u16,
        kind: TrapKind,
    },
    /// Something that the engine does not execute; `what` names it.
    Unsupported {
        insts: u16,
        what: NameId,
    },
}

impl Op {
    /// The segment length that a control op carries; `None` for straight-line ops.
    pub fn insts(&self) -> Option<u16> {
        let mut copy = *self;
        copy.insts_mut().map(|insts| *insts)
    }

    /// Mutable access to the segment length of a control op.
    pub fn insts_mut(&mut self) -> Option<&mut u16> {
        match self {
            Op::Tick { insts }
            | Op::Jump { insts, .. }
            | Op::Branch { insts, .. }
            | Op::CompareBranch { insts, .. }
            | Op::Switch { insts, .. }
            | Op::IndirectJump { insts, .. }
            | Op::Call { insts, .. }
            | Op::Return { insts, .. }
            | Op::Unreachable { insts }
            | Op::Trap { insts, .. }
            | Op::Unsupported { insts, .. } => Some(insts),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<Op>() <= 24, "ops stay compact");
