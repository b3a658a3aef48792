//! Errors of questions that could not be answered. An unsatisfiable query is an answer, not an error.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use thiserror::Error;

/// The condition that stops a solver.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SolverError {
    /// The query's budget was used up and the caller has no use for a partial answer.
    #[error(
        "the solver's budget was used up before it could decide a query; raise the time limit \
         for queries"
    )]
    BudgetReached,
    /// The query was given up because memory is far above its limit.
    #[error("memory was too far above its limit to go on with a query; raise the limit on memory")]
    MemoryReached,
    /// Two backends gave different answers.
    #[error(
        "solvers disagree: {first} says {first_says}, {second} says {second_says}, on\n{script}"
    )]
    Disagreement {
        /// The first backend.
        first: &'static str,
        /// Its answer.
        first_says: &'static str,
        /// The second backend.
        second: &'static str,
        /// Its answer.
        second_says: &'static str,
        /// The query as an SMT-LIB script.
        script: String,
    },
    /// A backend's model does not satisfy the query.
    #[error("the model that {backend} gave does not satisfy the query\n{script}")]
    WrongModel {
        /// The backend that gave it.
        backend: &'static str,
        /// The query as an SMT-LIB script.
        script: String,
    },
    /// The query is beyond a backend that only takes small ones.
    #[error(
        "{backend} takes queries over at most {limit_bytes} symbolic bytes, this one has {bytes}"
    )]
    TooLarge {
        /// The backend.
        backend: &'static str,
        /// The most bytes that the backend takes.
        limit_bytes: usize,
        /// The bytes that it was given.
        bytes: usize,
    },
    /// The error of another process, which has written the path that it came to.
    #[error("{message}")]
    Elsewhere {
        /// The error.
        message: String,
    },
}

/// Those that name backends become [`SolverError::Elsewhere`].
impl Portable for SolverError {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        match self {
            SolverError::BudgetReached => to.number(0),
            SolverError::MemoryReached => to.number(1),
            SolverError::Disagreement { .. }
            | SolverError::WrongModel { .. }
            | SolverError::TooLarge { .. }
            | SolverError::Elsewhere { .. } => {
                to.number(2);
                to.byte_string(self.to_string().as_bytes());
            }
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        match from.number()? {
            0 => Ok(SolverError::BudgetReached),
            1 => Ok(SolverError::MemoryReached),
            2 => Ok(SolverError::Elsewhere { message: Portable::read(from)? }),
            _ => Err(from.unexpected("an error of a solver")),
        }
    }
}
