//! [`Stop`]: the engine, as opposed to the program, ends a path.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_solver::SolverError;
use thiserror::Error;

/// A reason to give a path up that is not the program's fault.
#[derive(Debug, Error)]
pub enum Stop {
    /// The program does something that the engine does not execute.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedFeature),
    /// The solver failed or ran out of its budget.
    #[error("the solver gave up: {0}")]
    Solver(SolverError),
    /// A symbolic pointer has more targets than the configuration allows.
    #[error("a symbolic pointer has more targets than the limit allows")]
    TooManyTargets,
    /// A peer outside of the exploration cannot be talked to any more. The text says what has happened to it.
    #[error("the live peer is lost: {0}")]
    PeerLost(String),
}

everett_base::portable!(enum Stop {
    0 = Unsupported(feature), 1 = Solver(error), 2 = TooManyTargets, 3 = PeerLost(reason),
});

/// Not a cause of its own: the message has it.
impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Stop {
        Stop::Solver(error)
    }
}

/// Something that the engine does not execute.
#[derive(Debug, Error, Clone, PartialEq)]
pub enum UnsupportedFeature {
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
        /// The trouble with the call.
        reason: String,
    },
}

/// An operation on floating-point numbers becomes an instruction of the same text.
impl Portable for UnsupportedFeature {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        match self {
            UnsupportedFeature::Instruction(what) => {
                to.number(0);
                what.write(to);
            }
            UnsupportedFeature::LibrarySymbol { name } => {
                to.number(1);
                name.write(to);
            }
            UnsupportedFeature::Float { operation, format } => {
                to.number(0);
                to.byte_string(format!("{operation} on {format}").as_bytes());
            }
            UnsupportedFeature::Primitive { function, reason } => {
                to.number(2);
                function.write(to);
                reason.write(to);
            }
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(match from.number()? {
            0 => UnsupportedFeature::Instruction(Portable::read(from)?),
            1 => UnsupportedFeature::LibrarySymbol { name: Portable::read(from)? },
            2 => UnsupportedFeature::Primitive {
                function: Portable::read(from)?,
                reason: Portable::read(from)?,
            },
            _ => return Err(from.unexpected("something unsupported")),
        })
    }
}
