//! The set-up of a universe ([`UniverseOptions`]), and its answers to the embedder: [`UniverseChange`] and
//! [`UniverseCounts`].

use crate::{Arrival, DStateId, Stamp, StateId};

/// The representation of the set of worlds. Each represents the same worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MappingKind {
    /// Copy on branch: a branch copies the states of all other nodes. The reference.
    Cob,
    /// Copy on write: a dstate that splits copies the states that both parts need.
    Cow,
    /// Super-dstates: a state is in as many dstates as need it.
    Sds,
}

everett_base::portable!(enum MappingKind { 0 = Cob, 1 = Cow, 2 = Sds });

/// The set-up of a universe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniverseOptions {
    /// The representation of worlds.
    pub mapping: MappingKind,
    /// True if stalled worlds are looked for before their whole dstate is over, and deadlocks
    /// are reported.
    pub detect_stalled: bool,
    /// The most combinations of dependent states that are counted for one final dstate: there may be as many
    /// as the product of its sets, and each takes a question to the solver.
    pub world_cap: u64,
    /// Nanoseconds after which a world is over in which nothing has happened but timers of states at rest
    /// ([`crate::Rest`]); none if such worlds go on.
    pub grace: Option<u64>,
    /// The time in nanoseconds after which nothing happens: worlds that have come there are over.
    pub horizon: Option<u64>,
    /// True if walks through the tree of splits are made: [`crate::Universe::walk`].
    pub walks: bool,
}

everett_base::portable!(struct UniverseOptions {
    mapping, detect_stalled, world_cap, grace, horizon, walks,
});

impl Default for UniverseOptions {
    fn default() -> Self {
        UniverseOptions {
            mapping: MappingKind::Sds,
            detect_stalled: true,
            world_cap: 1 << 20,
            grace: None,
            horizon: None,
            walks: false,
        }
    }
}

/// The reason why a state is in no world any more. A later one outweighs those before it: a state that is
/// removed from its worlds one after the other is booked with the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RemovalReason {
    /// It has gone on in copies, one of which could have been itself; no world is over with it.
    Replaced,
    /// Its conditions contradict those of every state it could be in a world with.
    Separated,
    /// Its worlds ended because a state of another node did.
    WorldEnded,
    /// It was in worlds that are over: nothing can happen in them any more but for timers of servers, or the
    /// horizon was reached.
    Over,
    /// It was ended or killed itself.
    Ended,
}

everett_base::portable!(enum RemovalReason {
    0 = Replaced, 1 = Separated, 2 = WorldEnded, 3 = Over, 4 = Ended,
});

/// A change that the embedder has to carry out or to know of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UniverseChange<M> {
    /// Activate the state.
    Run {
        /// The state.
        state: StateId,
        /// The state that it was copied from for this, with [`crate::StateOwner::copy`].
        from: Option<StateId>,
        /// The stamp of its activation.
        at: Stamp,
        /// The messages that arrive, by stamp, sender and number.
        arrivals: Vec<Arrival<M>>,
    },
    /// The state was copied with [`crate::StateOwner::copy`]. The copy is in the phase of its
    /// original: if that runs or is to run, so does or is the copy.
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
        /// The reason.
        why: RemovalReason,
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
        /// The embedder's number for the note.
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

/// The counts of a universe.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UniverseCounts {
    /// Worlds that are over: nothing can happen in them any more, or one of the next two is the case. A
    /// lower bound if capped.
    pub final_worlds: u64,
    /// Those of them in which servers went on to follow their timers.
    pub idle_worlds: u64,
    /// Those of them that have come to the horizon.
    pub horizon_worlds: u64,
    /// The sum of the chances of all worlds that are over or have ended: the part of the tree of decisions
    /// that is explored, if a state's chance is [`crate::StateOwner::chance`].
    pub explored: f32,
    /// True if some dstate had more worlds than are counted.
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

impl UniverseCounts {
    /// The sums of these counts and others.
    #[must_use]
    pub fn with(self, others: UniverseCounts) -> UniverseCounts {
        UniverseCounts {
            final_worlds: self.final_worlds + others.final_worlds,
            idle_worlds: self.idle_worlds + others.idle_worlds,
            horizon_worlds: self.horizon_worlds + others.horizon_worlds,
            explored: self.explored + others.explored,
            capped: self.capped || others.capped,
            dstates: self.dstates + others.dstates,
            dstates_peak: self.dstates_peak + others.dstates_peak,
            joint_checks: self.joint_checks + others.joint_checks,
            deliveries: self.deliveries + others.deliveries,
            copies: self.copies + others.copies,
            splits: self.splits + others.splits,
        }
    }
}

everett_base::portable!(struct UniverseCounts {
    final_worlds, idle_worlds, horizon_worlds, explored, capped, dstates, dstates_peak,
    joint_checks, deliveries, copies, splits,
});
