//! [`ClassTable`]: the classes of all states, by where their messages are accepted.

use std::collections::BTreeMap;

use everett_base::part::Portable;
use everett_base::portable;

use crate::classes::{Certainty, TrojanClass};

/// The key of a class among those of all states.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClassKey<L> {
    /// Where the messages are accepted, as the caller names it.
    pub place: L,
    /// The length of the messages.
    pub length: u32,
    /// The bytes that no sender can send together.
    pub core: Vec<u32>,
}

portable!([L: Portable] struct ClassKey<L> { place, length, core });

/// A class of several states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassEntry {
    /// The smallest example among those of the states.
    pub example: Vec<u8>,
    /// How sure the example is.
    pub certainty: Certainty,
    /// The number of states that have messages of the class.
    pub state_count: u64,
}

portable!(struct ClassEntry { example, certainty, state_count });

/// Classes of Trojan messages by the place where they are accepted and by their core, in a fixed order.
///
/// Two states that accept at one place have the classes of both: the entry keeps the smaller example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassTable<L> {
    entries: BTreeMap<ClassKey<L>, ClassEntry>,
}

portable!([L: Portable + Ord] struct ClassTable<L> { entries });

impl<L: Ord> Default for ClassTable<L> {
    fn default() -> Self {
        ClassTable { entries: BTreeMap::new() }
    }
}

impl<L: Ord> ClassTable<L> {
    /// A table without classes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a class of a state that accepts at a place. Returns `true` if it is the first of its kind.
    pub fn add(&mut self, place: L, class: TrojanClass) -> bool {
        let TrojanClass { core, example, certainty, model: _, messages: _ } = class;
        let length = u32::try_from(example.len()).expect("a message is shorter than 4 GiB");
        let mut is_new = false;
        let entry = self.entries.entry(ClassKey { place, length, core }).or_insert_with(|| {
            is_new = true;
            ClassEntry { example: example.clone(), certainty, state_count: 0 }
        });
        entry.state_count += 1;
        if example < entry.example {
            entry.example = example;
        }
        entry.certainty = entry.certainty.min(certainty);
        is_new
    }

    /// The classes, ordered by place, length and core.
    pub fn iter(&self) -> impl Iterator<Item = (&ClassKey<L>, &ClassEntry)> {
        self.entries.iter()
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns `true` if there are no classes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
