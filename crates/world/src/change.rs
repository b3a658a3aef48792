//! What a universe tells its embedder ([`Change`], [`Counts`]) and how it is set up ([`Options`]).

use crate::{Arrival, DStateId, Stamp, StateId};

/// How the set of worlds is represented. Each represents the same worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MappingKind {
    /// Copy on branch: a branch copies the states of all other nodes. The reference.
    Cob,
    /// Copy on write: a dstate that splits copies the states that both parts need.
    Cow,
    /// Super-dstates: a state is in as many dstates as need it.
    Sds,
}

/// How a universe is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How worlds are represented.
    pub mapping: MappingKind,
    /// Whether stalled worlds are looked for before their whole dstate is over, and deadlocks
    /// are reported.
    pub detect_stalled: bool,
    /// The most combinations of dependent states that are counted for one final dstate.
    pub world_cap: u64,
    /// A world is over in which nothing but timers of states at rest ([`crate::Rest`]) has happened for
    /// so long, in nanoseconds; none if such worlds go on.
    pub grace: Option<u64>,
    /// Nothing happens after this time, in nanoseconds: worlds that have come there are over.
    pub horizon: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mapping: MappingKind::Sds,
            detect_stalled: true,
            world_cap: 1 << 20,
            grace: None,
            horizon: None,
        }
    }
}

/// Why a state is in no world any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gone {
    /// It has gone on in copies, one of which could have been itself; no world is over with it.
    Replaced,
    /// Its conditions contradict those of every state it could be in a world with.
    Separated,
    /// Its worlds ended because a state of another node did.
    WorldEnded,
    /// It was in worlds that are over: nothing can happen in them any more, but for timers of servers, or
    /// nothing is to.
    Over,
    /// It was ended or killed itself.
    Ended,
}

/// What the embedder has to do or to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change<M> {
    /// Activate the state.
    Run {
        /// The state.
        state: StateId,
        /// The state that it was copied from for this, with [`crate::StateOwner::copy`].
        from: Option<StateId>,
        /// When it runs.
        at: Stamp,
        /// What arrives, by stamp, sender and number.
        arrivals: Vec<Arrival<M>>,
    },
    /// The state was copied with [`crate::StateOwner::copy`]; the copy is in the phase of its original: one that is
    /// to run or runs does so too.
    Copied {
        /// The copy.
        state: StateId,
        /// Its original.
        from: StateId,
    },
    /// The state is in no world any more.
    Gone {
        /// The state.
        state: StateId,
        /// Why.
        why: Gone,
    },
    /// The state waits for something that will never come, in this world.
    Deadlock {
        /// The state that waits.
        state: StateId,
        /// A world in which everything has stalled, by node.
        world: Vec<StateId>,
    },
    /// Something is to be noted about a world, as [`crate::StateOwner::examine`] said.
    Noted {
        /// The world, by node.
        world: Vec<StateId>,
        /// What the embedder calls it.
        note: u32,
    },
    /// Combinations of states are over; comes before the states are gone, and only if asked for
    /// with [`crate::Universe::report_final`].
    Final {
        /// The dstate.
        dstate: DStateId,
        /// By node, the states whose jointly satisfiable combinations are the final worlds.
        members: Vec<Vec<StateId>>,
        /// By node, those of them that wait for nothing that is known to come.
        stalled: Vec<Vec<StateId>>,
    },
}

/// What a universe has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Worlds that are over: nothing can happen in them any more, or one of the next two is the case. A
    /// lower bound if capped.
    pub final_worlds: u64,
    /// Those of them in which servers went on to follow their timers.
    pub idle_worlds: u64,
    /// Those of them that have come to the horizon.
    pub horizon_worlds: u64,
    /// Whether the worlds of some dstate were more than are counted.
    pub capped: bool,
    /// Dstates that exist now.
    pub dstates: u64,
    /// The most dstates that existed at a time.
    pub dstates_peak: u64,
    /// Questions whether states are jointly satisfiable.
    pub joint_checks: u64,
    /// Lists of arrivals that were added to a state in a dstate.
    pub deliveries: u64,
    /// Copies of states that were made.
    pub copies: u64,
    /// Dstates that were added by splitting.
    pub splits: u64,
}
