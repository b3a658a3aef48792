//! Why an engine cannot be built.

use everett_memory::AllocError;
use thiserror::Error;

/// An error in a program or a configuration.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The entry function is missing.
    #[error("the program has no function '{name}' to begin with")]
    NoEntry {
        /// The function asked for.
        name: String,
    },
    /// The globals do not fit.
    #[error("cannot place the program's globals: {0}")]
    Globals(AllocError),
    /// A file cannot be shown to the program.
    #[error("{path}: {error}")]
    Files {
        /// The file.
        path: String,
        /// The cause.
        error: everett_fs::FsError,
    },
    /// Two files, or two mounts, have the same name.
    #[error("{path} is given twice; leave out one of the two")]
    FileTwice {
        /// The name as the program sees it.
        path: String,
    },
    /// A search by priorities has nothing to give priorities to.
    #[error(
        "search pct: only one order is explored, so there is nothing to choose; \
         allow preemptions, other orders or late messages, or search with random-walk"
    )]
    PctWithoutOrders,
    /// A search that follows one path to its end is to take turns with others.
    #[error(
        "search {walk}: it follows one path after the other, and cannot take turns; give no others"
    )]
    WalkTakesTurns {
        /// The strategy.
        walk: &'static str,
    },
    /// An argument does not suit the entry function.
    #[error("'{function}' takes {}, not {given}", arguments(*expected))]
    Arguments {
        /// The function.
        function: String,
        /// Its parameters.
        expected: usize,
        /// Arguments given.
        given: usize,
    },
}

/// Not a cause of its own: the message has it.
impl From<AllocError> for EngineError {
    fn from(error: AllocError) -> EngineError {
        EngineError::Globals(error)
    }
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}
