//! The lowered program that Everett interprets.
//!
//! A [`Program`] is one linked module, flattened: all functions share one vector of fixed-size
//! [`Op`]s, a program counter is an index into it, values live in numbered frame slots, phis have
//! become copies on edges, vectors and aggregates have become runs of slots, and everything that
//! does not fit an op (call arguments, switch tables, memory layouts) sits in a side table.
//!
//! The conventions that producers and interpreters share:
//!
//! - A scalar of at most 64 bits takes one slot, zero-extended. An integer of `w > 64` bits takes
//!   `w.div_ceil(64)` slots, low word first. `x86_fp80` and `fp128` take two. A vector or an
//!   aggregate takes the slots of its elements, one after the other.
//! - An [`Operand`] names a frame slot or an entry of the constant table; a value of several slots
//!   is named by its first, and its constants are consecutive too.
//! - Parameters arrive in slots `0..param_slots`, flattened.
//! - A control op carries in `insts` the number of source instructions of the straight-line
//!   segment that it ends, so that counting costs nothing in between (see [`Program::seal`]).
//!
//! Not here: LLVM (`everett-llvm` produces programs), execution (`everett-interp`).
//!
//! ```
//! use everett_ir::{Operand, Slot};
//! assert_eq!(Operand::slot(Slot(3)).as_slot(), Some(Slot(3)));
//! assert_eq!(Operand::constant(7).as_constant(), Some(7));
//! ```
#![forbid(unsafe_code)]

mod cache;
mod constant;
mod dynamic;
mod error;
mod extend;
mod global;
mod ids;
mod layout;
mod loc;
mod op;
mod print;
mod program;
mod rust;
mod seal;
mod signature;
mod site;
mod validate;

pub use cache::{FORMAT_VERSION, decode, encode};
pub use constant::{Const, ConstExpr, ConstOp};
pub use dynamic::{DynamicInfo, ExportedSymbol, LinkedLibrary, SymbolTarget};
pub use error::IrError;
pub use everett_base::FloatKind;
pub use extend::ExtendedProgram;
pub use global::{Global, Relocation};
pub use ids::{
    CallId, FileId, FuncId, GlobalId, LayoutId, LocId, NameId, SignatureId, StructTypeId, SwitchId,
};
pub use layout::structs::{
    FieldError, FlatField, NESTING_MAX, ScalarKind, StructField, StructKind, StructTable,
    StructType,
};
pub use layout::{LayoutSlot, ValueLayout};
pub use loc::{SourceFile, SourceLocation};
pub use op::float::{FloatBinary, FloatCast, FloatPredicate, FloatUnary};
pub use op::operand::{Operand, Pc, Slot, words};
pub use op::{
    AccessFlags, CopyKind, IntBinary, IntPredicate, IntUnary, Op, OperandPromise, OverflowOp,
    RmwOp, TrapKind, WideCast, WideOp, WrapFlags,
};
pub use program::{Function, Program, TargetMachine};
pub use rust::is_rust_library;
pub use signature::{IntExtension, Signature, ValueClass};
pub use site::{
    ByVal, CallSite, Callee, IndirectTargets, LandingClause, LandingPad, SwitchTable, VarArg,
};
pub use validate::SlotAccesses;
