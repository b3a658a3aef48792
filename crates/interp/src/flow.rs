//! Control flow as data: the outcome of an op ([`Flow`]), and that of a run ([`RunPause`]).

use everett_ir::Pc;
use everett_solver::SolverError;

use crate::bug::Bug;
use crate::error::{Stop, UnsupportedFeature};
use crate::state::State;
use crate::state::reg::Reg;

/// The step of the general executor after an op.
#[derive(Clone, Debug, PartialEq)]
pub enum Flow {
    /// Go on with the next op.
    Next,
    /// Go on at `Pc`.
    Jump(Pc),
    /// A frame was pushed; its `pc` says where to go on. The caller's `pc` stays at the call.
    Enter,
    /// The frame was left; the caller goes on behind its call.
    Returned,
    /// Another thread runs now, from where its own `pc` is.
    Switched,
    /// No thread can run: the embedder wakes the node when time or an event lets one.
    Idle,
    /// The path is over.
    End(PathEnding),
}

everett_base::portable!(enum Flow {
    0 = Next, 1 = Jump(value), 2 = Enter, 3 = Returned, 4 = Switched, 5 = Idle, 6 = End(value),
});

/// The reason why an op, or a call of a primitive, comes to no result here and now.
///
/// A program's doing is a [`Flow`], and a failure of the engine is a [`Stop`]. Both leave the functions that
/// compute on behalf of an op the same way, by `?`; [`Halt::flow_of`] tells them apart again at the end.
#[derive(Debug)]
pub enum Halt {
    /// The path ends, or goes on elsewhere.
    Flow(Flow),
    /// The engine gives the path up.
    Stop(Stop),
}

everett_base::portable!(enum Halt { 0 = Flow(value), 1 = Stop(value) });

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

impl From<UnsupportedFeature> for Halt {
    fn from(unsupported: UnsupportedFeature) -> Halt {
        Halt::Stop(unsupported.into())
    }
}

/// The end of a path, as far as the program is concerned.
#[derive(Clone, Debug, PartialEq)]
pub enum PathEnding {
    /// `main` returned, or `exit` was called, with this code, which may be symbolic.
    Exit(Reg),
    /// The program asked that this path be dropped (`klee_silent_exit`, an assumption that cannot
    /// hold).
    Silent,
    /// The path does nothing that another one does not do.
    Redundant(Redundancy),
    /// A bug.
    Bug(Box<Bug>),
}

everett_base::portable!(enum PathEnding {
    0 = Exit(value), 1 = Silent, 2 = Redundant(value), 3 = Bug(value),
});

/// The reason for which a path does nothing that another one does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redundancy {
    /// It was made for an order that did not come about.
    NotComeAbout,
    /// All of its threads that could go on have done so first on other paths.
    Asleep,
    /// Its threads went on beside the end of another path, to look for races.
    BesideEnd,
    /// A message that it got was replaced, and some sender can send each of those that lead here.
    Sendable,
    /// It has rejected a message that was replaced.
    Rejected,
    /// It got a message that was to be replaced as it was sent.
    NotReplaced,
}

everett_base::portable!(enum Redundancy {
    0 = NotComeAbout, 1 = Asleep, 2 = BesideEnd, 3 = Sendable, 4 = Rejected, 5 = NotReplaced,
});

/// The reason why [`crate::Interp::run`] came back.
#[derive(Clone, Debug, PartialEq)]
pub enum RunPause {
    /// The fuel is used up.
    Fuel,
    /// The state forked: the siblings are in [`crate::Interp::siblings`]. It can go on.
    Forked,
    /// It is time to look at the limits: a query reached a solver backend, which may have taken long, the
    /// interrupt of the run is raised, or the machine wants the embedder to come by.
    Asked,
    /// Another program runs now: another interpreter must go on.
    Switched,
    /// No thread can run before time passes or an event comes.
    Idle,
    /// The path is over.
    End(PathEnding),
}

/// A state that a fork made beside the running one.
pub struct Sibling<X> {
    /// The state.
    pub state: Box<State<X>>,
    /// Its way from the op that made it.
    pub course: SiblingCourse,
}

/// The way of a sibling from the op that made it.
#[derive(Clone, Debug, PartialEq)]
pub enum SiblingCourse {
    /// On, from where its program counter is.
    On,
    /// Through the same op once more, under a path condition that decides what it does.
    Again,
    /// Nowhere: its path ended in that op.
    Ended(PathEnding),
}
