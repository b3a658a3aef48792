//! Test cases of worlds that are over, or that a limit has cut off.

use everett_base::hash::Set;
use everett_world::{StateId, StateOwner};

use super::Worker;
use crate::api::config::TestPolicy;
use crate::api::dropped::DropReason;
use crate::api::report::TestReason;
use crate::state::node_state::PathState;

/// Worlds that ended as they should and leave a test case, at most.
const WORLDS_MAX: u64 = 10_000;
/// Combinations of states that are looked at for that at a time: not all of them are worlds.
const EXAMINED_MAX: u64 = 100_000;

impl Worker<'_, '_> {
    /// Writes the test cases of the only world there is, which a limit has cut off.
    pub(crate) fn write_unfinished(&mut self, left: &[Box<PathState>], reason: &DropReason) {
        let context = self.context;
        let wanted = context.config.tests_unfinished && *reason == DropReason::InstructionLimit;
        let mut world: Vec<&PathState> = left.iter().map(|st| &**st).collect();
        world.sort_by_key(|st| st.extra.of);
        let is_world = world.iter().map(|st| st.extra.of.index()).eq(0..context.nodes().len());
        let Some(first) = world.first().filter(|_| wanted && is_world) else { return };
        let mut writer = self.writer();
        let path = writer.joined(first, &world);
        let reason = TestReason::Dropped(reason.clone());
        writer.write_tests(&mut context.reporter(), reason, &path, &world, None);
    }

    /// Writes the test cases of worlds that are over and ended as they should, out of the states of
    /// each node, as far as they are asked for. In worlds of stalled states only, nothing goes on.
    pub(crate) fn write_worlds(
        &mut self,
        mut members: Vec<Vec<StateId>>,
        stalled: &[Vec<StateId>],
    ) {
        if self.context.nodes().len() < 2 {
            return;
        }
        let (_, mut owner) = self.owner();
        // Somebody who waits for ever is a deadlock, which is told elsewhere, if nobody goes on.
        let mut waiting: Set<StateId> = Set::default();
        if members == stalled {
            members.iter_mut().for_each(|states| states.retain(|id| !owner.waits(*id)));
        } else {
            waiting.extend(stalled.iter().flatten().filter(|id| owner.waits(**id)));
        }
        let deadlocks = Deadlocks { stalled, waiting };
        match self.context.config.tests {
            TestPolicy::All => {
                self.write_combinations(&members, &deadlocks, &TestReason::Path, u64::MAX);
            }
            TestPolicy::New => {
                for node in 0..members.len() {
                    for id in members[node].clone() {
                        // A test of another state may have taken care of it.
                        if self.states.get(id).is_some_and(|st| st.covered_new) {
                            let all = std::mem::replace(&mut members[node], vec![id]);
                            let reason = TestReason::NewCode;
                            self.write_combinations(&members, &deadlocks, &reason, 1);
                            members[node] = all;
                        }
                    }
                }
            }
            TestPolicy::Findings | TestPolicy::None => {}
        }
    }

    /// Writes the test cases of the first so many worlds out of the states of each node.
    fn write_combinations(
        &mut self,
        members: &[Vec<StateId>],
        deadlocks: &Deadlocks<'_>,
        reason: &TestReason,
        most: u64,
    ) {
        let mut worlds = Odometer::new(members);
        let (mut examined, mut written) = (0, 0);
        while let Some(world) = worlds.next() {
            if self.context.exchange.why_cut_off().is_some() {
                return;
            }
            examined += 1;
            let full = self.context.reporter().worlds_tested >= WORLDS_MAX;
            if full || examined > EXAMINED_MAX {
                let left = most.min(worlds.left().saturating_add(1));
                let mut reporter = self.context.reporter();
                reporter.worlds_untested = reporter.worlds_untested.saturating_add(left);
                return;
            }
            let (_, mut owner) = self.owner();
            if deadlocks.contain(&world) || !owner.jointly(&world) {
                continue;
            }
            self.write_world(&world, reason.clone());
            written += 1;
            if written == most {
                return;
            }
        }
    }

    fn write_world(&mut self, world: &[StateId], reason: TestReason) {
        let context = self.context;
        let (mut writer, states) = self.writer_and_states();
        let nodes: Vec<&PathState> = world.iter().filter_map(|id| states.get(*id)).collect();
        let Some(first) = nodes.first() else { return };
        let path = writer.joined(first, &nodes);
        let mut reporter = context.reporter();
        reporter.worlds_tested += 1;
        writer.write_tests(&mut reporter, reason, &path, &nodes, None);
        drop(reporter);
        // Their new code needs no other test.
        for id in world {
            if let Some(st) = self.states.get_mut(*id) {
                st.covered_new = false;
            }
        }
    }
}

/// Worlds of stalled states only, of which one waits for what never comes.
struct Deadlocks<'a> {
    /// By node.
    stalled: &'a [Vec<StateId>],
    /// Those that it would be a bug to wait like for ever.
    waiting: Set<StateId>,
}

impl Deadlocks<'_> {
    fn contain(&self, world: &[StateId]) -> bool {
        let mut states = self.stalled.iter().zip(world);
        world.iter().any(|id| self.waiting.contains(id))
            && states.all(|(stalled, id)| stalled.contains(id))
    }
}

/// All combinations, one element of each list.
struct Odometer<'a> {
    lists: &'a [Vec<StateId>],
    at: Option<Vec<usize>>,
}

impl<'a> Odometer<'a> {
    fn new(lists: &'a [Vec<StateId>]) -> Odometer<'a> {
        let some = lists.iter().all(|list| !list.is_empty());
        Odometer { lists, at: some.then(|| vec![0; lists.len()]) }
    }

    fn next(&mut self) -> Option<Vec<StateId>> {
        let at = self.at.as_mut()?;
        let world = self.lists.iter().zip(&*at).map(|(list, at)| list[*at]).collect();
        for (place, list) in at.iter_mut().zip(self.lists).rev() {
            *place += 1;
            if *place < list.len() {
                return Some(world);
            }
            *place = 0;
        }
        self.at = None;
        Some(world)
    }

    /// The number of combinations that are still to come.
    fn left(&self) -> u64 {
        let Some(at) = &self.at else { return 0 };
        let mut left = 0u64;
        for (place, list) in at.iter().zip(self.lists) {
            let size = list.len() as u64;
            left = left.saturating_mul(size).saturating_add(size - 1 - *place as u64);
        }
        left.saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_once() {
        let lists = [vec![StateId(1), StateId(2)], vec![StateId(3)], vec![StateId(4), StateId(5)]];
        let mut odometer = Odometer::new(&lists);
        let mut seen = Vec::new();
        assert_eq!(odometer.left(), 4);
        while let Some(world) = odometer.next() {
            seen.push(world.iter().map(|id| id.0).collect::<Vec<_>>());
            assert_eq!(odometer.left(), 4 - seen.len() as u64);
        }
        assert_eq!(seen, [[1, 3, 4], [1, 3, 5], [2, 3, 4], [2, 3, 5]]);
        assert_eq!(Odometer::new(&[vec![StateId(1)], Vec::new()]).next(), None);
    }
}
