//! Errors that end an evaluation without a result.

use std::fmt;

use thiserror::Error;

use crate::diagnostic::source::{SourceExcerpt, SourceLocation};

/// A fault while a program ran. `E` is the error of the domain.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message of a variant says what it is")]
pub enum EvalFault<E> {
    #[error("division by zero")]
    DivisionByZero,
    #[error("index {index} is outside of a length of {length}")]
    IndexOutOfRange { index: i64, length: usize },
    #[error("slice {from} to {to} is outside of a length of {length}")]
    SliceOutOfRange { from: i64, to: i64, length: usize },
    #[error("{size} bytes at {at} are outside of a length of {length}")]
    ReadOutOfRange { at: i64, size: usize, length: usize },
    #[error("the map has no key {key}")]
    NoKey { key: String },
    #[error("the array is empty")]
    EmptyArray,
    #[error("{text:?} is no number")]
    NotANumber { text: String },
    #[error("this data was made by the program: no node has exposed it")]
    NoOrigin,
    #[error("there is no node {node:?}")]
    UnknownNode { node: String },
    #[error("node {node:?} has not exposed {key:?} in state {state}")]
    NotExposed { node: String, state: i64, key: String },
    #[error("more than {limit} steps")]
    TooManySteps { limit: u64 },
    #[error("more than {limit} calls inside of each other")]
    TooDeep { limit: usize },
    #[error("a value of length {length}; at most {limit}")]
    TooLong { length: usize, limit: usize },
    #[error("a value cannot be determined: {0}")]
    Domain(E),
}

/// An evaluation that ended without a result, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError<E> {
    /// The fault.
    pub fault: EvalFault<E>,
    /// The place of the fault, and the calls that led to it.
    pub trace: Box<EvalTrace>,
}

/// The place at which an evaluation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalTrace {
    /// The place itself.
    pub place: SourceExcerpt,
    /// The invariant that was evaluated.
    pub invariant: String,
    /// The calls around the place, the innermost first: functions, and where they were called.
    pub calls: Vec<(String, SourceLocation)>,
}

/// Calls that are shown, at most.
const CALLS_SHOWN: usize = 5;

impl<E> EvalError<E> {
    /// Returns the place of the fault.
    pub fn location(&self) -> &SourceLocation {
        &self.trace.place.location
    }
}

impl<E: fmt::Display> fmt::Display for EvalError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EvalError { fault, trace } = self;
        let EvalTrace { place, invariant, calls } = &**trace;
        write!(f, "{}: {fault}\n{place}", place.location)?;
        for (name, location) in calls.iter().take(CALLS_SHOWN) {
            write!(f, "\n  in `{name}`, called at {location}")?;
        }
        if calls.len() > CALLS_SHOWN {
            write!(f, "\n  ... and {} more", calls.len() - CALLS_SHOWN)?;
        }
        write!(f, "\n  in invariant `{invariant}`")
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for EvalError<E> {}
