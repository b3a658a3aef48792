//! The compiled form of a checked program: functions of operations for a stack machine.
//!
//! Names are slots and numbers, functions without names are inlined into loops, and jumps are absolute,
//! so that running needs no lookup by name and no recursion.

use std::sync::Arc;

use crate::diagnostic::source::SourceSpan;
use crate::domain::{IntOp, IntRelation};

/// A slot of a frame.
pub(crate) type FrameSlot = u32;
/// An operation of a function.
pub(crate) type JumpTarget = u32;

/// A function, or the body or the condition of an invariant.
#[derive(Debug)]
pub(crate) struct CompiledFunction {
    pub(crate) name: Arc<str>,
    pub(crate) code: Vec<StackOp>,
    /// The place in the source that each operation comes from.
    pub(crate) spans: Vec<SourceSpan>,
    /// Slots of a frame; parameters are the first.
    pub(crate) slots: u32,
    pub(crate) params: u32,
}

/// An invariant; numbers are those of functions.
#[derive(Debug)]
pub(crate) struct CompiledInvariant {
    pub(crate) name: Arc<str>,
    pub(crate) span: SourceSpan,
    pub(crate) nodes: u32,
    pub(crate) states: u32,
    pub(crate) keys: u32,
    pub(crate) source_spans: [SourceSpan; 3],
    /// True if those three come to the same in every evaluation.
    pub(crate) steady: bool,
    pub(crate) require: bool,
    pub(crate) eventually: bool,
    pub(crate) when: Option<u32>,
    pub(crate) body: u32,
}

/// An operation. Operands are on the stack, the last on top.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StackOp {
    Int(i64),
    Bool(bool),
    Text(u32),
    Data(u32),
    Array(u32),
    /// Pairs of keys and values.
    Map(u32),
    Load(FrameSlot),
    Store(FrameSlot),
    /// Loads and leaves nothing: the value stays unshared.
    Take(FrameSlot),
    Pop,
    Arithmetic(IntOp),
    Negate,
    Concat,
    Compare {
        relation: IntRelation,
        swapped: bool,
    },
    Not,
    And,
    Or,
    /// Skips the right side if the left one, which stays, is false. `tries`: whether the right side may
    /// be tried although nobody knows.
    ShortAnd {
        end: JumpTarget,
        tries: bool,
    },
    ShortOr {
        end: JumpTarget,
        tries: bool,
    },
    /// Of a condition, which stays: to the second alternative, if it is false. `tries`: whether both may
    /// be tried although nobody knows.
    Ternary {
        no: JumpTarget,
        end: JumpTarget,
        tries: bool,
    },
    /// Behind the first alternative: to the end, if the condition is true.
    TernaryElse {
        end: JumpTarget,
    },
    /// Of a condition and two alternatives.
    Choose,
    Jump(JumpTarget),
    JumpIfFalse(JumpTarget),
    Call(u32),
    Return,
    /// Begins to go through an array, which takes the slot and the next one.
    IterStart(FrameSlot),
    IterNext {
        iter: FrameSlot,
        var: FrameSlot,
        end: JumpTarget,
    },
    AllStep {
        acc: FrameSlot,
        end: JumpTarget,
        quiet: bool,
    },
    AnyStep {
        acc: FrameSlot,
        end: JumpTarget,
        quiet: bool,
    },
    CountStep(FrameSlot),
    PushStep(FrameSlot),
    FilterStep {
        acc: FrameSlot,
        var: FrameSlot,
    },
    Index,
    /// The element of the variable that the indices on the stack lead to; they stay.
    LoadPath {
        slot: FrameSlot,
        depth: u32,
    },
    StorePath {
        slot: FrameSlot,
        depth: u32,
    },
    PushPath {
        slot: FrameSlot,
        depth: u32,
    },
    RemovePath {
        slot: FrameSlot,
        depth: u32,
    },
    Method(PlainMethod),
    Sys(SysQuery),
    Get,
    Exposed,
    History,
    Before,
}

/// Methods that need no loop over code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainMethod {
    Length,
    Slice,
    SliceFrom,
    ContainsBytes,
    StartsWith,
    EndsWith,
    /// `size` bytes from an offset.
    Decode {
        size: u8,
        signed: bool,
        big: bool,
    },
    DataString,
    DataHex,
    StringData,
    StringToInt,
    IntString,
    IntByte,
    Node,
    State,
    Key,
    Time,
    EqualElements,
    Contains,
    CountOf,
    IndexOf,
    Distinct,
    Sort,
    /// Of an array and an array of keys.
    SortBy,
    Min,
    Max,
    Sum,
    First,
    Last,
    Reverse,
    Append,
    Concat,
    Has,
    Keys,
    Values,
    GetOr,
}

/// The questions that `sys` answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SysQuery {
    Nodes,
    Time,
    Exposing,
    Ended,
    Hostname,
    Addresses,
    Alive,
}

/// Returns `true` if functions come to the same whenever they get the same arguments, over the same
/// nodes.
pub(crate) fn are_steady(functions: &[CompiledFunction], numbers: &[u32]) -> bool {
    let mut seen = numbers.to_vec();
    let mut next = 0;
    while let Some(&number) = seen.get(next) {
        // A function that is missing was complained about.
        for op in functions.get(number as usize).into_iter().flat_map(|function| &function.code) {
            match *op {
                StackOp::Call(callee) if !seen.contains(&callee) => seen.push(callee),
                op if !op.is_steady() => return false,
                _ => {}
            }
        }
        next += 1;
    }
    true
}

impl StackOp {
    /// Returns `true` if the operation depends on nothing but its operands and on which nodes there
    /// are.
    fn is_steady(self) -> bool {
        match self {
            StackOp::Sys(sys) => {
                matches!(sys, SysQuery::Nodes | SysQuery::Hostname | SysQuery::Addresses)
            }
            StackOp::Get | StackOp::Exposed | StackOp::History | StackOp::Before => false,
            _ => true,
        }
    }

    /// Returns `true` if the operation can be undone by forgetting what it left on the stack. Slots
    /// that it writes belong to the expression that it is a part of.
    pub(crate) fn can_be_tried(self) -> bool {
        !matches!(
            self,
            StackOp::Call(_)
                | StackOp::Return
                | StackOp::LoadPath { .. }
                | StackOp::StorePath { .. }
                | StackOp::PushPath { .. }
                | StackOp::RemovePath { .. }
        )
    }

    /// Returns `true` if the operation can neither fail, nor decide, nor change anything: leaving it
    /// out makes no difference.
    pub(crate) fn is_quiet(self) -> bool {
        match self {
            StackOp::Int(_)
            | StackOp::Bool(_)
            | StackOp::Text(_)
            | StackOp::Data(_)
            | StackOp::Load(_) => true,
            StackOp::Negate
            | StackOp::Compare { .. }
            | StackOp::Not
            | StackOp::And
            | StackOp::Or => true,
            StackOp::TernaryElse { .. } | StackOp::Choose => true,
            StackOp::Arithmetic(op) => !matches!(op, IntOp::Div | IntOp::Rem),
            StackOp::ShortAnd { tries, .. }
            | StackOp::ShortOr { tries, .. }
            | StackOp::Ternary { tries, .. } => tries,
            StackOp::Method(method) => method.is_quiet(),
            StackOp::Sys(sys) => matches!(
                sys,
                SysQuery::Nodes | SysQuery::Time | SysQuery::Exposing | SysQuery::Ended
            ),
            StackOp::Array(_)
            | StackOp::Map(_)
            | StackOp::Store(_)
            | StackOp::Take(_)
            | StackOp::Pop
            | StackOp::Concat => false,
            StackOp::Jump(_) | StackOp::JumpIfFalse(_) | StackOp::Call(_) | StackOp::Return => {
                false
            }
            StackOp::IterStart(_)
            | StackOp::IterNext { .. }
            | StackOp::AllStep { .. }
            | StackOp::AnyStep { .. } => false,
            StackOp::CountStep(_)
            | StackOp::PushStep(_)
            | StackOp::FilterStep { .. }
            | StackOp::Index => false,
            StackOp::LoadPath { .. } | StackOp::StorePath { .. } => false,
            StackOp::PushPath { .. } | StackOp::RemovePath { .. } => false,
            StackOp::Get | StackOp::Exposed | StackOp::History | StackOp::Before => false,
        }
    }
}

impl PlainMethod {
    fn is_quiet(self) -> bool {
        match self {
            PlainMethod::Length
            | PlainMethod::ContainsBytes
            | PlainMethod::StartsWith
            | PlainMethod::EndsWith => true,
            PlainMethod::EqualElements
            | PlainMethod::Contains
            | PlainMethod::CountOf
            | PlainMethod::Sum => true,
            PlainMethod::StringData | PlainMethod::IntByte => true,
            PlainMethod::Slice | PlainMethod::SliceFrom | PlainMethod::Decode { .. } => false,
            PlainMethod::DataString
            | PlainMethod::DataHex
            | PlainMethod::StringToInt
            | PlainMethod::IntString => false,
            PlainMethod::Node | PlainMethod::State | PlainMethod::Key | PlainMethod::Time => false,
            PlainMethod::IndexOf
            | PlainMethod::Distinct
            | PlainMethod::Sort
            | PlainMethod::SortBy => false,
            PlainMethod::Min
            | PlainMethod::Max
            | PlainMethod::First
            | PlainMethod::Last
            | PlainMethod::Reverse => false,
            PlainMethod::Append | PlainMethod::Concat => false,
            PlainMethod::Has | PlainMethod::Keys | PlainMethod::Values | PlainMethod::GetOr => {
                false
            }
        }
    }
}
