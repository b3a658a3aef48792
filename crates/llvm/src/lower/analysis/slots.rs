//! Gives values their frame slots.
//!
//! A phi and the values that flow into it share a slot where their live ranges allow it, so that
//! most copies on loop edges disappear. Then slots are handed out in order of position and taken
//! back when a value is dead: frames are part of every state, so that small ones matter.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use everett_base::Map;
use everett_ir::Slot;

use crate::sys::{Opcode, Value};

use crate::lower::analysis::live::{LiveSegment, Liveness, normalise};
use crate::lower::analysis::plan::FunctionPlan;

/// Ranges longer than this are not compared when phis are joined with their inputs.
const MAX_SEGMENTS: usize = 2000;

/// The slots of each value, and the size of the frame.
pub(crate) struct SlotAssignment<'m> {
    /// First slot of each value.
    pub(crate) first: Map<Value<'m>, Slot>,
    /// Slots of the frame.
    pub(crate) count: u32,
}

/// Values that share slots.
struct SlotClass {
    segments: Vec<LiveSegment>,
    slots: u32,
    pinned: Option<u32>,
}

struct SlotClasses {
    parent: Vec<u32>,
    classes: Vec<SlotClass>,
}

impl<'m> SlotAssignment<'m> {
    /// Assigns slots. The first `params` live values are the parameters, in order.
    pub(crate) fn assign(
        plan: &FunctionPlan<'m>,
        live: Liveness<'m>,
        params: usize,
    ) -> SlotAssignment<'m> {
        let Liveness { values, index } = live;
        let mut next = 0;
        let mut classes = SlotClasses { parent: Vec::new(), classes: Vec::new() };
        let mut names = Vec::new();
        for (position, value) in values.into_iter().enumerate() {
            let pinned = (position < params).then_some(next);
            next += if position < params { value.slots } else { 0 };
            classes.parent.push(position as u32);
            let class = SlotClass { segments: value.segments, slots: value.slots, pinned };
            classes.classes.push(class);
            names.push(value.value);
        }
        if !plan.returns_twice {
            classes.join_phis(plan, &index);
        }
        let (starts, count) = classes.allocate(next, !plan.returns_twice);
        let first = (0..).zip(names).map(|(i, value)| {
            let class = classes.find(i);
            (value, Slot(starts[class as usize]))
        });
        SlotAssignment { first: first.collect(), count }
    }
}

impl SlotClasses {
    fn find(&self, index: u32) -> u32 {
        let mut at = index;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    fn join_phis<'m>(&mut self, plan: &FunctionPlan<'m>, index: &Map<Value<'m>, u32>) {
        for (position, block) in (0u32..).zip(&plan.blocks).filter(|(_, b)| b.reachable) {
            for phi in block.insts.iter().take_while(|inst| inst.opcode() == Opcode::Phi) {
                let Some(target) = index.get(&phi.value()).copied() else { continue };
                let mut incoming = phi.incoming();
                // Edges back into a loop are taken most often.
                incoming.sort_by_key(|(_, from)| {
                    plan.position.get(from).is_none_or(|from| *from < position)
                });
                for (value, _) in incoming {
                    let (root, skip) = plan.resolve(value);
                    if let Some(source) = index.get(&root).copied().filter(|_| skip == 0) {
                        self.join(target, source);
                    }
                }
            }
        }
    }

    /// Lets two values share slots, if they are never alive together.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        let (left, right) = (&self.classes[a as usize], &self.classes[b as usize]);
        let fits = a != b
            && left.slots == right.slots
            && !(left.pinned.is_some() && right.pinned.is_some())
            && left.segments.len() + right.segments.len() <= MAX_SEGMENTS
            && disjoint(&left.segments, &right.segments);
        if !fits {
            return;
        }
        let moved = std::mem::take(&mut self.classes[b as usize].segments);
        let pinned = self.classes[b as usize].pinned;
        let class = &mut self.classes[a as usize];
        class.segments.extend(moved);
        class.pinned = class.pinned.or(pinned);
        normalise(&mut class.segments);
        self.parent[b as usize] = a;
    }

    /// First slot of each class, and the number of slots used. The first `reserved` belong to the
    /// parameters until they are dead.
    fn allocate(&self, reserved: u32, reuse: bool) -> (Vec<u32>, u32) {
        let mut starts = vec![0; self.classes.len()];
        let mut free = FreeSlots { runs: BTreeMap::new(), count: reserved };
        let mut active = BinaryHeap::new();
        let mut order = Vec::new();
        for (index, class) in self.classes.iter().enumerate() {
            let (Some(first), Some(last)) = (class.segments.first(), class.segments.last()) else {
                continue;
            };
            if let Some(slot) = class.pinned {
                starts[index] = slot;
                active.push(Reverse((last.1, slot, class.slots)));
            } else {
                order.push((first.0, last.1, index));
            }
        }
        order.sort_unstable();
        for (start, end, index) in order {
            while let Some(Reverse((dead, slot, slots))) = active.peek().copied() {
                if dead >= start || !reuse {
                    break;
                }
                active.pop();
                free.give(slot, slots);
            }
            let slots = self.classes[index].slots;
            starts[index] = free.take(slots);
            active.push(Reverse((end, starts[index], slots)));
        }
        (starts, free.count)
    }
}

/// Runs of slots that nobody uses.
struct FreeSlots {
    runs: BTreeMap<u32, u32>,
    count: u32,
}

impl FreeSlots {
    fn take(&mut self, slots: u32) -> u32 {
        let found = self.runs.iter().find(|(_, len)| **len >= slots).map(|(at, len)| (*at, *len));
        match found {
            Some((at, len)) => {
                self.runs.remove(&at);
                if len > slots {
                    self.runs.insert(at + slots, len - slots);
                }
                at
            }
            None => {
                let at = self.count;
                self.count += slots;
                at
            }
        }
    }

    fn give(&mut self, at: u32, slots: u32) {
        if slots == 0 {
            return;
        }
        let (mut at, mut len) = (at, slots);
        if let Some((before, before_len)) = self.runs.range(..at).next_back().map(|(a, l)| (*a, *l))
            && before + before_len == at
        {
            self.runs.remove(&before);
            at = before;
            len += before_len;
        }
        if let Some(after) = self.runs.remove(&(at + len)) {
            len += after;
        }
        self.runs.insert(at, len);
    }
}

fn disjoint(a: &[LiveSegment], b: &[LiveSegment]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.0 <= y.1 && y.0 <= x.1 {
            return false;
        }
        if x.1 < y.1 { i += 1 } else { j += 1 }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_not_disjoint() {
        assert!(disjoint(&[(0, 4), (9, 9)], &[(5, 8), (10, 12)]));
        assert!(!disjoint(&[(0, 4)], &[(4, 8)]));
    }

    #[test]
    fn freed_runs_merge_with_their_neighbours() {
        let mut free = FreeSlots { runs: BTreeMap::new(), count: 6 };
        free.give(0, 2);
        free.give(4, 2);
        free.give(2, 2);
        assert_eq!(free.take(6), 0);
        assert_eq!(free.take(1), 6);
        assert_eq!(free.count, 7);
    }
}
