//! Ends of an op before its regular one: [`Halt`], and [`Stop`], the reasons that are the engine's.

use everett_solver::SolverError;
use thiserror::Error;

use crate::flow::Flow;

/// The reason why an op, or a call of a primitive, comes to no result here and now.
///
/// What a program does is a [`Flow`], what the engine cannot do is a [`Stop`]. Both leave the functions that
/// compute on behalf of an op the same way, by `?`; [`Halt::flow_of`] tells them apart again at the end.
#[derive(Debug)]
pub enum Halt {
    /// The path ends, or goes on elsewhere.
    Flow(Flow),
    /// The engine gives the path up.
    Stop(Stop),
}

impl Halt {
    /// The flow that an op came to, by its regular end or before it.
    pub fn flow_of(result: Result<Flow, Halt>) -> Result<Flow, Stop> {
        match result {
            Ok(flow) | Err(Halt::Flow(flow)) => Ok(flow),
            Err(Halt::Stop(stop)) => Err(stop),
        }
    }
}

impl From<Flow> for Halt {
    fn from(flow: Flow) -> Halt {
        Halt::Flow(flow)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

impl From<SolverError> for Halt {
    fn from(error: SolverError) -> Halt {
        Halt::Stop(error.into())
    }
}

impl From<Unsupported> for Halt {
    fn from(unsupported: Unsupported) -> Halt {
        Halt::Stop(unsupported.into())
    }
}

/// A reason to give a path up that is not the program's fault.
#[derive(Debug, Error)]
pub enum Stop {
    /// The program does something that the engine does not execute.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The solver failed or ran out of its budget.
    #[error("the solver gave up: {0}")]
    Solver(SolverError),
    /// A symbolic pointer has more targets than the configuration allows.
    #[error("a symbolic pointer has more targets than the limit allows")]
    TooManyTargets,
}

/// Not a cause of its own: the message has it.
impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Stop {
        Stop::Solver(error)
    }
}

/// Something that the engine does not execute.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum Unsupported {
    /// An instruction, intrinsic or inline assembly.
    #[error("unsupported: {0}")]
    Instruction(String),
    /// A function or a variable that a C library has, and the one here lacks.
    #[error("unsupported: '{name}' of the C library")]
    LibrarySymbol {
        /// Its name.
        name: String,
    },
    /// A floating-point operation in a format that has none here.
    #[error("unsupported: {operation} on {format}")]
    Float {
        /// The operation.
        operation: &'static str,
        /// The format.
        format: &'static str,
    },
    /// A primitive was called in a way that it does not understand.
    #[error("unsupported: {function}: {reason}")]
    Primitive {
        /// The function.
        function: String,
        /// What is wrong.
        reason: String,
    },
}
