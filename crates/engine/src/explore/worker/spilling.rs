//! Parts of the set of worlds that leave memory when it is short, and come back when there is nothing else to
//! do.
//!
//! What leaves is a part as workers give each other: some of the worlds, or what was set aside before. So
//! nothing that is counted depends on when it happens, as nothing depends on the number of workers.

use std::time::Duration;

use everett_base::Interrupt;
use everett_base::hash::Set;
use everett_base::interrupt::MemoryPressure;
use everett_world::{SplitWishes, StateId, UniverseCounts};

use super::Worker;
use crate::api::dropped::DropReason;
use crate::parallel::context::RunContext;
use crate::parallel::exchange::WorldPart;
use crate::parallel::part_bytes::PartTables;
use crate::parallel::spilled_part::{PartAside, SpilledPart};

/// Parts leave until no more than one of so many parts of the limit is in use.
const ROOM_SHARE: u64 = 2;
/// A part that leaves without making room for one of so many parts of the limit was the last one for now.
const LEAST_GAIN: u64 = 32;
/// Of the worlds of several nodes, one of so many leaves at once. They have states in common that each cut
/// gives to both sides, so there are no smaller pieces.
const SYSTEM_SHARE: usize = 8;
/// The part of a program is written in pieces that all workers together need one of so many parts of the
/// limit for, by estimate: while one is written, its bytes are there beside its states.
const PIECE_SHARE: u64 = 32;
/// But a piece has at least so many states, if there are as many.
const PIECE_STATES: u64 = 32;
/// A part that cannot be read as memory is far above its limit is read again so often, after so much time.
const READS: u32 = 50;
const READ_AGAIN_AFTER: Duration = Duration::from_millis(20);

impl Worker<'_, '_> {
    /// Returns `true` if parts may leave memory.
    pub(super) fn can_spill(&self) -> bool {
        self.context.spill_store().is_some()
    }

    /// Lets parts leave memory while it is short. Returns `false` if none could.
    pub(super) fn make_room(&mut self) -> bool {
        let Some(limit) = self.context.config.limits.memory else { return true };
        if self.context.used_memory(self.watch.spills_above(limit)).is_none() {
            return true;
        }
        let _saving = self.context.begin_saving();
        let mut spilled = false;
        let mut before = u64::MAX;
        while self.spill_part() {
            spilled = true;
            let used = self.context.used_memory(0).unwrap_or(0);
            self.watch.note_spill(used);
            let gained = before.saturating_sub(used);
            if used <= limit / ROOM_SHARE || (used <= limit && gained < limit / LEAST_GAIN) {
                break;
            }
            before = used;
        }
        if spilled && self.watch.is_in_vain(self.context.used_memory(limit).is_some()) {
            let why = "memory stays above its limit whatever leaves it";
            self.context.stop_spilling(why);
        }
        // The watchdog looks again soon; until then nothing is left for what was in use before.
        self.context.config.interrupt.press(MemoryPressure::None);
        spilled
    }

    /// Puts the oldest part that this worker has set aside into the store, or else some of its worlds.
    /// Returns `false` if there is none, or the store fails.
    pub(super) fn spill_part(&mut self) -> bool {
        let exchange = &self.context.exchange;
        if let Some(part) = exchange.take_oldest(self.number) {
            return self.spill_in_pieces(part, |piece| exchange.put_oldest(piece));
        }
        let Some(part) = self.split_part(usize::MAX, SYSTEM_SHARE) else { return false };
        let is_spilled = self.spill_in_pieces(part, |piece| exchange.give(piece));
        self.go_on_with_rest();
        is_spilled
    }

    /// Puts a part into the store, in pieces that can be written without much more memory, and hands each of
    /// them over. Returns `false` if the store fails.
    fn spill_in_pieces(&mut self, part: WorldPart, hand_over: impl Fn(PartAside)) -> bool {
        let most = self.most_states_of_piece(&part);
        let mut is_spilled = true;
        let mut rest = vec![part];
        while let Some(mut part) = rest.pop() {
            let half = (part.states.len() as u64 > most).then(|| halve(&mut part)).flatten();
            if let Some(half) = half {
                rest.extend([part, half]);
                continue;
            }
            let (piece, is_written) = self.spilled(part);
            hand_over(piece);
            is_spilled &= is_written;
        }
        is_spilled
    }

    /// The states that a piece of a part may have. Worlds of several nodes have states in common, and are
    /// written as they are.
    fn most_states_of_piece(&self, part: &WorldPart) -> u64 {
        let context = self.context;
        let limit = context.config.limits.memory.filter(|_| context.nodes().len() == 1);
        let Some(limit) = limit else { return u64::MAX };
        // Each worker has its share of what is in use.
        let used = context.reporter().observer.memory();
        let all = self.states.count() + part.states.len() as u64;
        (all.saturating_mul(limit / PIECE_SHARE) / used.max(1)).max(PIECE_STATES)
    }

    /// The part after it was put into the store, and `true`; the part as it was if that fails, or the run is
    /// to end.
    fn spilled(&mut self, part: WorldPart) -> (PartAside, bool) {
        let context = self.context;
        let interrupt = &context.config.interrupt;
        let ends = interrupt.stopping().or(interrupt.winding_down()).is_some();
        let store = context.spill_store().filter(|_| !ends);
        let Some(store) = store else { return (PartAside::Here(part), false) };
        let _saving = context.begin_saving();
        match SpilledPart::write(part, tables(context), store) {
            Ok(part) => {
                let counts = &mut self.counters.spill;
                counts.parts_out += 1;
                counts.states_out += part.states;
                counts.bytes_out += part.name.stored;
                (PartAside::Spilled(part), true)
            }
            Err(failed) => {
                let (part, error) = *failed;
                context.stop_spilling(&error.to_string());
                (PartAside::Here(part), false)
            }
        }
    }

    /// Takes a part over that nobody works on, having nothing else to do.
    pub(super) fn adopt_aside(&mut self, part: PartAside) {
        match part {
            PartAside::Here(part) => self.adopt(part),
            PartAside::Spilled(part) => self.read_back(part),
        }
    }

    fn read_back(&mut self, part: SpilledPart) {
        let context = self.context;
        let Some(place) = &context.config.spill else { return };
        let read = || {
            let _saving = context.begin_saving();
            Interrupt::catch(|| part.read(tables(context), place.store())).ok()
        };
        // What is read makes memory grow, and is left when that is far above its limit. Others may make room.
        let pause = |_: &u32| std::thread::sleep(READ_AGAIN_AFTER);
        let is_over = |_: &u32| context.stopping().is_some();
        let tries = (0..READS).inspect(pause).take_while(|number| !is_over(number));
        let Some(read) = read().or_else(|| { tries }.find_map(|_| read())) else {
            if context.stopping().is_none() {
                self.counters.drop_all(DropReason::MemoryLimit, part.states);
                self.worlds_lost(part.counts);
                return place.store().release(&part.name);
            }
            return context.exchange.put_oldest(PartAside::Spilled(part));
        };
        place.store().release(&part.name);
        match read {
            Ok(whole) => {
                let counts = &mut self.counters.spill;
                counts.parts_back += 1;
                counts.states_back += part.states;
                counts.bytes_back += part.name.stored;
                self.adopt(whole);
            }
            Err(error) => {
                let reason = DropReason::SpillLost(error.to_string());
                self.counters.drop_all(reason, part.states);
                self.worlds_lost(part.counts);
                let message = format!("states that were put on disk cannot be read: {error}");
                context.reporter().observer.warning(&message);
            }
        }
    }

    /// Gives a part up that is still in the store when the run ends. States that other parts have as well are
    /// counted by the caller.
    pub(super) fn give_up_spilled(&mut self, part: &SpilledPart, reason: &DropReason) {
        self.worlds_lost(part.counts);
        self.counters.drop_all(reason.clone(), part.states - part.shared.len() as u64);
        if let Some(place) = &self.context.config.spill {
            place.store().release(&part.name);
        }
    }

    /// Counts the worlds of a part that is given up.
    pub(super) fn worlds_lost(&mut self, counts: UniverseCounts) {
        // They were among what was set aside.
        self.counters.worlds_done(UniverseCounts { dstates_peak: 0, ..counts });
    }
}

/// Takes half of the paths out of a part of a program, if there are several.
fn halve(part: &mut WorldPart) -> Option<WorldPart> {
    let (universe, both) =
        part.universe.split_off(&SplitWishes { stay: &[], most_shared: 0, one_of: 2 })?;
    debug_assert!(both.is_empty(), "none may be in both");
    let ids: Set<StateId> = universe.states().into_iter().collect();
    let (states, rest) =
        std::mem::take(&mut part.states).into_iter().partition(|st| ids.contains(&st.extra.id));
    let (troubles, other_troubles) =
        std::mem::take(&mut part.troubles).into_iter().partition(|(id, _)| ids.contains(id));
    (part.states, part.troubles) = (rest, other_troubles);
    let (from, coverage) = (part.from, part.coverage.clone());
    Some(WorldPart { from, universe, states, troubles, coverage })
}

fn tables<'c>(context: &'c RunContext<'_>) -> PartTables<'c> {
    PartTables { pool: context.pool, constraints: &context.constraints }
}
