//! How workers share the set of worlds: one that has nothing left asks, and one that has enough gives it
//! half.
//!
//! States that are in worlds of both halves are twins from then on (`twins.rs`).

use everett_base::{Apart, Copies};
use everett_interp::ProgramId;

use crate::extra::Running;
use crate::shared::Part;
use crate::worker::Worker;

/// Parts of states that are copied when a worker takes states over: enough for what is looked at and
/// counted all the time.
const PARTS_COPIED: usize = 1 << 16;
/// A worker has one of so many states that it makes before it shares its work as dstates, at least.
const DSTATES_SHARED: u64 = 8;
/// States that are made before a worker that had nothing to give tries again, at least.
const SHARE_AGAIN_AFTER: u64 = 32;

impl Worker<'_, '_> {
    /// Gives a part away if there is enough, and somebody waits for one.
    pub(crate) fn share_work(&mut self) {
        if self.books.states_created >= self.share_at
            && self.live() > 1
            && self.shared.exchange.is_wanted()
        {
            self.give_part();
        }
    }

    /// Gives a part away to a worker that has nothing left.
    fn give_part(&mut self) {
        if let Some(current) = self.current.take() {
            self.park(current);
        }
        let several = self.shared.nodes().len() > 1;
        let least = self.shared.config.share_after;
        let few = self.universe.counts().dstates < least / DSTATES_SHARED && self.live() < least;
        let parts = if several && (few || !self.troubles.is_empty()) {
            None
        } else {
            self.universe.split_off()
        };
        let Some((universe, both)) = parts else {
            // That changes when worlds part, which takes new states.
            let more = SHARE_AGAIN_AFTER.max(self.live() / 4);
            self.share_at = self.books.states_created + more as i64;
            return;
        };
        let mut states = Vec::new();
        let (mut ready, mut troubles) = (Vec::new(), Vec::new());
        for id in universe.states() {
            if both.binary_search(&id).is_ok() {
                states.extend(self.share(id));
                continue;
            }
            let Some(st) = self.states.remove(&id) else { continue };
            if st.extra.ready {
                ready.push(id);
            } else if let Running::Open(activation) = st.extra.running {
                self.waiting.remove(&activation);
            }
            troubles.extend(self.troubles.remove(&id).map(|trouble| (id, trouble)));
            states.push(st);
        }
        ready.sort_unstable();
        self.searcher.all_removed(&ready);
        let coverage = self.coverage.clone();
        self.shared.exchange.give(Part { universe, states, troubles, coverage });
        self.in_universe(|universe, owner| universe.resume(owner));
    }

    /// Takes a part over, having nothing else to do.
    pub(crate) fn adopt(&mut self, part: Part) {
        let Part { universe, states, troubles, coverage } = part;
        self.books.worlds.push(self.universe.counts());
        self.universe = universe;
        self.troubles.extend(troubles);
        for (program, covered) in coverage.iter().enumerate() {
            self.with_coverage(ProgramId::from_index(program)).merge(covered);
        }
        let mut copies = Copies::at_most(PARTS_COPIED);
        for mut st in states {
            st.apart(&mut copies);
            self.adopt_state(st);
        }
        self.in_universe(|universe, owner| universe.resume(owner));
    }
}
