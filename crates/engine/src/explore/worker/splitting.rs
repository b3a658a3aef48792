//! The sharing of the set of worlds: a worker that has nothing left asks, and one that has enough gives it
//! half.
//!
//! A worker that searches depth first sets half of its worlds aside as well when it has many, and comes
//! back to them when it is done with the others, unless somebody else has taken them by then. What it has
//! at once stays small that way, and so does what lies in its caches. Other orders of search choose among
//! all that there is.
//!
//! States that are in worlds of both halves are shared from then on (`shared_states.rs`). Whoever has
//! begun to run a state for others keeps it: nobody waits for something that lies aside.

use everett_base::part::file::RunIdentity;
use everett_base::{Apart, Copies};
use everett_interp::ProgramId;
use everett_world::{SplitWishes, StateId};

use super::Worker;
use crate::api::config::Strategy;
use crate::parallel::exchange::WorldPart;
use crate::parallel::part_bytes::PartTables;
use crate::parallel::spilled_part::PartAside;
use crate::state::node_state::StateRunner;

/// Parts of states that are copied when a worker takes states over: enough for what is looked at and
/// counted all the time.
const PARTS_COPIED: usize = 1 << 16;
/// A worker has one of so many states that it makes before it shares its work as dstates, at least.
const DSTATES_SHARED: u64 = 8;
/// States that are made before a worker that had nothing to give tries again, at least.
const SHARE_AGAIN_AFTER: u64 = 32;
/// A part that is set aside has one of so many states in common with the rest, at most: to have states
/// twice takes time as well.
const PARTS_SHARED: usize = 4;
/// Whoever shares its work gives one of so many worlds away.
pub(super) const HALF: usize = 2;
/// The identity of the run for parts that stay in the process.
const IN_PROCESS: RunIdentity = [0; 32];

impl Worker<'_, '_> {
    /// Gives a part away if there is enough and somebody waits for one, or sets one aside.
    pub(crate) fn share_work(&mut self) {
        let made = self.counters.states_created;
        if made >= self.split.give_at
            && self.states.count() > 1
            && self.context.exchange.is_wanted()
        {
            if !self.give_part(usize::MAX) {
                self.split.give_at = made + self.until_more();
            }
        } else if made >= self.split.aside_at && self.has_much() {
            let most_shared = self.states.count() as usize / PARTS_SHARED;
            if !self.give_part(most_shared) {
                self.split.aside_at = made + self.until_more();
            }
        } else if self.states.count() > self.context.config.spill_above
            && made >= self.split.spill_at
            && self.can_spill()
            && !self.spill_part()
        {
            self.split.spill_at = made + self.until_more();
        }
    }

    /// Returns `true` if a part is to be set aside.
    fn has_much(&self) -> bool {
        let config = self.context.config;
        self.states.count() >= config.aside_above
            && self.context.nodes().len() > 1
            && config.search[..] == [Strategy::Dfs]
            && self.context.job.is_none()
    }

    /// States that are made before one that had nothing to give tries again: worlds part by that.
    fn until_more(&self) -> i64 {
        SHARE_AGAIN_AFTER.max(self.states.count() / 4) as i64
    }

    /// Leaves a part to whoever has nothing left, if it has at most so many states in common with the
    /// rest. Says whether it has.
    fn give_part(&mut self, most_shared: usize) -> bool {
        self.park_current();
        if self.has_few() {
            return false;
        }
        let Some(part) = self.split_part(most_shared, HALF) else { return false };
        let part = PartAside::Here(self.checked(part));
        self.hand_over(part);
        true
    }

    /// Returns `true` if there is not enough for two.
    pub(super) fn has_few(&self) -> bool {
        let least = self.context.config.share_after;
        self.context.nodes().len() > 1
            && self.worlds.counts().dstates < least / DSTATES_SHARED
            && self.states.count() < least
    }

    /// Splits one of so many worlds off, with at most so many states in common with the rest, if that can be;
    /// [`Worker::go_on_with_rest`] comes next.
    pub(super) fn split_part(&mut self, most_shared: usize, one_of: usize) -> Option<WorldPart> {
        self.park_current();
        let several = self.context.nodes().len() > 1;
        if several && !self.troubles.is_empty() {
            return None;
        }
        self.counters.note_peak(self.worlds.counts());
        let stay = if several { self.begun() } else { self.waiting() };
        let wishes = SplitWishes { stay: &stay, most_shared, one_of };
        let (universe, both) = self.worlds.split_off(&wishes)?;
        let mut states = Vec::new();
        let (mut ready, mut troubles) = (Vec::new(), Vec::new());
        for id in universe.states() {
            if both.binary_search(&id).is_ok() {
                states.extend(match &self.context.job {
                    None => self.share(id),
                    Some(job) => self.share_with_job(id, job.digest),
                });
                continue;
            }
            let Some(st) = self.states.remove(id) else { continue };
            if st.extra.ready {
                ready.push(id);
            } else if let StateRunner::Open(activation) = st.extra.running {
                self.awaited.remove(&activation);
            }
            troubles.extend(self.troubles.remove(&id).map(|trouble| (id, trouble)));
            states.push(st);
        }
        ready.sort_unstable();
        self.schedule.remove_all(&ready);
        let coverage = self.executor.coverage().to_vec();
        Some(WorldPart { from: self.number, universe, states, troubles, coverage })
    }

    /// Leaves a part that was split off to whoever has nothing left, and goes on with the rest.
    fn hand_over(&mut self, part: PartAside) {
        self.context.exchange.give(part);
        self.go_on_with_rest();
    }

    /// Goes on with the worlds that are left after a part was split off.
    pub(super) fn go_on_with_rest(&mut self) {
        self.counters.aside = self.context.exchange.aside(self.number);
        self.in_universe(|universe, owner| universe.resume(owner));
    }

    /// The part as it is after it was written as bytes and read again, if that is to be checked.
    fn checked(&self, mut part: WorldPart) -> WorldPart {
        if !self.context.config.parts_as_bytes {
            return part;
        }
        let (pool, constraints) = (self.context.pool, &*self.context.constraints);
        let tables = PartTables { pool, constraints };
        part.flush();
        let bytes = part.to_bytes(tables, &IN_PROCESS);
        WorldPart::from_bytes(&bytes, tables, &IN_PROCESS).expect("what was written can be read")
    }

    /// States that this worker runs for others as well.
    fn begun(&self) -> Vec<StateId> {
        let begun = self.states.parked().map(|st| &st.extra);
        let begun = begun.filter(|extra| matches!(extra.running, StateRunner::Ours(_)));
        let mut begun: Vec<StateId> = begun.map(|extra| extra.id).collect();
        begun.sort_unstable();
        begun
    }

    /// Takes a part over, having nothing else to do.
    pub(crate) fn adopt(&mut self, part: WorldPart) {
        let WorldPart { from, universe, states, troubles, coverage } = part;
        self.counters.aside = self.context.exchange.aside(self.number);
        if self.executor.machine().booting {
            // States that wait to become nodes are here.
            self.worlds.absorb(universe);
        } else {
            self.counters.worlds_done(self.worlds.counts());
            self.worlds.replace(universe);
        }
        self.troubles.extend(troubles);
        for (program, covered) in coverage.iter().enumerate() {
            let program = ProgramId::from_index(program);
            self.executor.with_coverage(self.context, program).merge(covered);
        }
        let mut copies = Copies::at_most(PARTS_COPIED);
        for mut st in states {
            if from != self.number {
                st.apart(&mut copies);
            }
            self.adopt_state(st);
        }
        self.in_universe(|universe, owner| universe.resume(owner));
    }
}
