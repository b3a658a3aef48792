//! [`DropReason`]: why something was not explored. Nothing is dropped without one.

use everett_interp::Omission;
/// Why a path, or a part of the work, was dropped.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DropReason {
    /// The time limit.
    TimeLimit,
    /// The limit on instructions.
    InstructionLimit,
    /// The limit on forks: a side of a branch was not followed.
    ForkLimit,
    /// The limit on forks along one path.
    DepthLimit,
    /// The limit on instructions along one path.
    PathInstructionLimit,
    /// The limit on live states.
    StateLimit,
    /// The limit on memory.
    MemoryLimit,
    /// As many findings as were asked for.
    FindingLimit,
    /// The user asked to stop.
    Interrupted,
    /// The solver did not answer in time.
    SolverTimeout,
    /// The solver failed.
    SolverFailure(String),
    /// Something unsupported, with the place: `unsupported: ... at file.c:12`.
    Unsupported(String),
    /// A function or a variable of the C library that is not there, by its name.
    MissingSymbol(String),
    /// A panic, with its message and place: an error of the engine.
    InternalError(String),
    /// The run was given up after an internal error.
    AfterInternalError,
    /// Values or sides of branches were left out, with the place: `main at file.c:12`, empty when it is
    /// unknown.
    Omitted(Omission, String),
    /// An invariant that makes no sense for the data that it is given, with the place.
    Invariant(String),
    /// More results of an invariant than are looked at.
    InvariantLimit,
    /// States that were put outside of memory cannot be read again, with the reason.
    SpillLost(String),
    /// A live peer cannot be talked to any more, with the reason.
    PeerLost(String),
}

everett_base::portable!(enum DropReason {
    0 = TimeLimit, 1 = InstructionLimit, 2 = ForkLimit, 3 = DepthLimit, 4 = PathInstructionLimit,
    5 = StateLimit, 6 = MemoryLimit, 7 = FindingLimit, 8 = Interrupted, 9 = SolverTimeout,
    10 = SolverFailure(value), 11 = Unsupported(value), 12 = MissingSymbol(value),
    13 = InternalError(value), 14 = AfterInternalError, 15 = Omitted(a, b), 16 = Invariant(value),
    17 = InvariantLimit, 18 = SpillLost(value), 19 = PeerLost(value),
});

/// A loss: the consequence for the result when something was dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// The engine could not go on: behaviour of the program is missing.
    Failure,
    /// A limit was reached: behaviour is missing that a higher limit would show.
    Limit,
    /// Paths go on, but stand for fewer values or sides than they could.
    Values,
}

impl DropReason {
    /// The consequence for the result when something was dropped for this reason.
    pub fn loss(&self) -> Loss {
        match self {
            DropReason::SolverFailure(_)
            | DropReason::Unsupported(_)
            | DropReason::MissingSymbol(_)
            | DropReason::InternalError(_)
            | DropReason::AfterInternalError
            | DropReason::Invariant(_)
            | DropReason::SpillLost(_)
            | DropReason::PeerLost(_) => Loss::Failure,
            DropReason::TimeLimit
            | DropReason::InstructionLimit
            | DropReason::ForkLimit
            | DropReason::DepthLimit
            | DropReason::PathInstructionLimit
            | DropReason::StateLimit
            | DropReason::MemoryLimit
            | DropReason::SolverTimeout
            | DropReason::FindingLimit
            | DropReason::Interrupted
            | DropReason::InvariantLimit => Loss::Limit,
            DropReason::Omitted(..) => Loss::Values,
        }
    }
}

impl std::fmt::Display for DropReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            DropReason::TimeLimit => "time limit",
            DropReason::InstructionLimit => "instruction limit",
            DropReason::ForkLimit => "fork limit",
            DropReason::DepthLimit => "depth limit",
            DropReason::PathInstructionLimit => "path instruction limit",
            DropReason::StateLimit => "state limit",
            DropReason::MemoryLimit => "memory limit",
            DropReason::FindingLimit => "limit on findings",
            DropReason::Interrupted => "interrupted",
            DropReason::SolverTimeout => "solver timeout",
            DropReason::SolverFailure(why) => return write!(f, "solver failure: {why}"),
            DropReason::Unsupported(what) => return f.write_str(what),
            DropReason::MissingSymbol(name) => {
                return write!(f, "unsupported: '{name}' of the C library");
            }
            DropReason::InternalError(what) => return write!(f, "internal error: {what}"),
            DropReason::AfterInternalError => "given up after an internal error",
            DropReason::Invariant(what) => return write!(f, "invariant not evaluated: {what}"),
            DropReason::SpillLost(why) => return write!(f, "states on disk are lost: {why}"),
            DropReason::PeerLost(why) => return f.write_str(why),
            DropReason::InvariantLimit => "too many results of an invariant",
            DropReason::Omitted(what, place) => {
                f.write_str(omission_text(*what))?;
                return if place.is_empty() { Ok(()) } else { write!(f, " in {place}") };
            }
        };
        f.write_str(text)
    }
}

fn omission_text(what: Omission) -> &'static str {
    match what {
        Omission::FloatOperand => "symbolic floating-point operand replaced by a value",
        Omission::AskedValue => "symbolic value replaced by one value that the program asked for",
        Omission::PathName => "symbolic path name replaced by one name",
        Omission::BootInput => "input from before klee_net_host_setup replaced by one value",
        Omission::Values => "too many values of a symbolic value",
        Omission::PointerTargets => "too many targets of a symbolic pointer",
        Omission::AllocationSizes => "too many sizes of a symbolic allocation",
        Omission::ForkingOff => "forking switched off by the program",
        Omission::Orders => "orders of messages beyond a limit",
        Omission::SolverTimeout => "solver timeout",
        Omission::SolverMemory => "memory limit",
        Omission::PeerMessage => "symbolic message to a live peer replaced by some values",
        Omission::Library => "library without bitcode not opened",
    }
}
