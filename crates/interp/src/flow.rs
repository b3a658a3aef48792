//! Control flow as data: what an op, and what a run, came to.

use everett_ir::Pc;

use crate::bug::Bug;
use crate::reg::Reg;
use crate::state::State;

/// What the general executor does after an op.
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
    End(Ending),
}

/// How a path ends, as far as the program is concerned.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// `main` returned, or `exit` was called, with this code, which may be symbolic.
    Exit(Reg),
    /// The program asked that this path be dropped (`klee_silent_exit`, an assumption that cannot
    /// hold).
    Silent,
    /// A bug.
    Bug(Box<Bug>),
}

/// Why [`crate::Interp::run`] came back.
#[derive(Clone, Debug, PartialEq)]
pub enum Pause {
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
    End(Ending),
}

/// A state that a fork made beside the running one.
pub struct Sibling<X> {
    /// The state.
    pub state: Box<State<X>>,
    /// Where it goes from the op that made it.
    pub course: Course,
}

/// Where a sibling goes from the op that made it.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// On, from where its program counter is.
    On,
    /// Through the same op once more, under a path condition that decides what it does.
    Again,
    /// Nowhere: its path ended in that op.
    Ended(Ending),
}
