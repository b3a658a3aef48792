//! What a checked program becomes: functions of operations for a stack machine.
//!
//! Names are slots and numbers, functions without names are inlined into loops, and jumps are absolute,
//! so that running needs no lookup by name and no recursion.

use std::sync::Arc;

use crate::domain::{IntOp, Relation};
use crate::source::Span;

/// A slot of a frame.
pub(crate) type Slot = u32;
/// An operation of a function.
pub(crate) type Target = u32;

/// A function, or the body or the condition of an invariant.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: Arc<str>,
    pub(crate) code: Vec<Op>,
    /// Where each operation comes from.
    pub(crate) spans: Vec<Span>,
    /// Slots of a frame; parameters are the first.
    pub(crate) slots: u32,
    pub(crate) params: u32,
}

/// An invariant; numbers are those of functions.
#[derive(Debug)]
pub(crate) struct Invariant {
    pub(crate) name: Arc<str>,
    pub(crate) span: Span,
    pub(crate) nodes: u32,
    pub(crate) states: u32,
    pub(crate) keys: u32,
    pub(crate) source_spans: [Span; 3],
    /// Whether those three come to the same in every evaluation.
    pub(crate) steady: bool,
    pub(crate) require: bool,
    pub(crate) eventually: bool,
    pub(crate) when: Option<u32>,
    pub(crate) body: u32,
}

/// An operation. Operands are on the stack, the last on top.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Int(i64),
    Bool(bool),
    Text(u32),
    Data(u32),
    Array(u32),
    /// Pairs of keys and values.
    Map(u32),
    Load(Slot),
    Store(Slot),
    /// Loads and leaves nothing: the value stays unshared.
    Take(Slot),
    Pop,
    Arithmetic(IntOp),
    Negate,
    Concat,
    Compare {
        relation: Relation,
        swapped: bool,
    },
    Not,
    And,
    Or,
    /// Skips the right side if the left one, which stays, is false. `tries`: whether the right side may
    /// be tried although nobody knows.
    ShortAnd {
        end: Target,
        tries: bool,
    },
    ShortOr {
        end: Target,
        tries: bool,
    },
    /// Of a condition, which stays: to the second alternative, if it is false. `tries`: whether both may
    /// be tried although nobody knows.
    Ternary {
        no: Target,
        end: Target,
        tries: bool,
    },
    /// Behind the first alternative: to the end, if the condition is true.
    TernaryElse {
        end: Target,
    },
    /// Of a condition and two alternatives.
    Choose,
    Jump(Target),
    JumpIfFalse(Target),
    Call(u32),
    Return,
    /// Begins to go through an array, which takes the slot and the next one.
    IterStart(Slot),
    IterNext {
        iter: Slot,
        var: Slot,
        end: Target,
    },
    AllStep {
        acc: Slot,
        end: Target,
        quiet: bool,
    },
    AnyStep {
        acc: Slot,
        end: Target,
        quiet: bool,
    },
    CountStep(Slot),
    PushStep(Slot),
    FilterStep {
        acc: Slot,
        var: Slot,
    },
    Index,
    /// The element of the variable that the indices on the stack lead to; they stay.
    LoadPath {
        slot: Slot,
        depth: u32,
    },
    StorePath {
        slot: Slot,
        depth: u32,
    },
    PushPath {
        slot: Slot,
        depth: u32,
    },
    RemovePath {
        slot: Slot,
        depth: u32,
    },
    Method(Method),
    Sys(Sys),
    Get,
    Exposed,
    History,
    Before,
}

/// Methods that need no loop over code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
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

/// What `sys` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sys {
    Nodes,
    Time,
    Exposing,
    Ended,
    Hostname,
    Addresses,
    Alive,
}

/// Whether functions come to the same whenever they get the same arguments, over the same nodes.
pub(crate) fn are_steady(functions: &[Function], numbers: &[u32]) -> bool {
    let mut seen = numbers.to_vec();
    let mut next = 0;
    while let Some(&number) = seen.get(next) {
        // A function that is missing was complained about.
        for op in functions.get(number as usize).into_iter().flat_map(|function| &function.code) {
            match *op {
                Op::Call(callee) if !seen.contains(&callee) => seen.push(callee),
                op if !op.is_steady() => return false,
                _ => {}
            }
        }
        next += 1;
    }
    true
}

impl Op {
    /// Whether the operation depends on nothing but its operands and on which nodes there are.
    fn is_steady(self) -> bool {
        match self {
            Op::Sys(sys) => matches!(sys, Sys::Nodes | Sys::Hostname | Sys::Addresses),
            Op::Get | Op::Exposed | Op::History | Op::Before => false,
            _ => true,
        }
    }

    /// Whether the operation can be undone by forgetting what it left on the stack. Slots that it writes
    /// belong to the expression that it is a part of.
    pub(crate) fn can_be_tried(self) -> bool {
        !matches!(
            self,
            Op::Call(_)
                | Op::Return
                | Op::LoadPath { .. }
                | Op::StorePath { .. }
                | Op::PushPath { .. }
                | Op::RemovePath { .. }
        )
    }

    /// Whether the operation can neither fail, nor decide, nor change anything: leaving it out makes no
    /// difference.
    pub(crate) fn is_quiet(self) -> bool {
        match self {
            Op::Int(_) | Op::Bool(_) | Op::Text(_) | Op::Data(_) | Op::Load(_) => true,
            Op::Negate | Op::Compare { .. } | Op::Not | Op::And | Op::Or => true,
            Op::TernaryElse { .. } | Op::Choose => true,
            Op::Arithmetic(op) => !matches!(op, IntOp::Div | IntOp::Rem),
            Op::ShortAnd { tries, .. } | Op::ShortOr { tries, .. } | Op::Ternary { tries, .. } => {
                tries
            }
            Op::Method(method) => method.is_quiet(),
            Op::Sys(sys) => matches!(sys, Sys::Nodes | Sys::Time | Sys::Exposing | Sys::Ended),
            Op::Array(_) | Op::Map(_) | Op::Store(_) | Op::Take(_) | Op::Pop | Op::Concat => false,
            Op::Jump(_) | Op::JumpIfFalse(_) | Op::Call(_) | Op::Return => false,
            Op::IterStart(_) | Op::IterNext { .. } | Op::AllStep { .. } | Op::AnyStep { .. } => {
                false
            }
            Op::CountStep(_) | Op::PushStep(_) | Op::FilterStep { .. } | Op::Index => false,
            Op::LoadPath { .. } | Op::StorePath { .. } => false,
            Op::PushPath { .. } | Op::RemovePath { .. } => false,
            Op::Get | Op::Exposed | Op::History | Op::Before => false,
        }
    }
}

impl Method {
    fn is_quiet(self) -> bool {
        match self {
            Method::Length | Method::ContainsBytes | Method::StartsWith | Method::EndsWith => true,
            Method::EqualElements | Method::Contains | Method::CountOf | Method::Sum => true,
            Method::StringData | Method::IntByte => true,
            Method::Slice | Method::SliceFrom | Method::Decode { .. } => false,
            Method::DataString | Method::DataHex | Method::StringToInt | Method::IntString => false,
            Method::Node | Method::State | Method::Key | Method::Time => false,
            Method::IndexOf | Method::Distinct | Method::Sort | Method::SortBy => false,
            Method::Min | Method::Max | Method::First | Method::Last | Method::Reverse => false,
            Method::Append | Method::Concat => false,
            Method::Has | Method::Keys | Method::Values | Method::GetOr => false,
        }
    }
}
