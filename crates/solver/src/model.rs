//! Values of symbolic bytes: what a backend found, and what a path carries along.
//!
//! A [`Model`] is the answer to one query: the bytes that the query mentions. A
//! [`PersistentModel`] covers every byte of a path (those never mentioned are zero), is cloned in
//! O(1) when a path forks, and also knows which bytes the path's constraints leave no choice for.
//! Both hold bytes in groups of eight neighbours, since the bytes of a symbol are neighbours.

use everett_base::RadixMap;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::{Apart, Copies, portable, shares_nothing};
use everett_expr::{Assignment, Support, TermTable, VarId};

/// Bytes in a group.
const GROUP: usize = 8;

fn place(var: VarId) -> (u32, usize) {
    let index = var.index();
    ((index / GROUP) as u32, index % GROUP)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ByteGroup {
    number: u32,
    /// A bit for each of the eight bytes that has a value.
    known: u8,
    values: [u8; GROUP],
}

/// Values for the bytes that one query mentions; all other bytes are zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Model {
    groups: Box<[ByteGroup]>,
}

impl Model {
    /// The model with these values; a byte named twice keeps its last value.
    pub fn new(values: impl IntoIterator<Item = (VarId, u8)>) -> Model {
        let mut values: Vec<(VarId, u8)> = values.into_iter().collect();
        values.sort_by_key(|&(var, _)| var);
        let mut groups: Vec<ByteGroup> = Vec::new();
        for (var, value) in values {
            let (number, slot) = place(var);
            if groups.last().is_none_or(|last| last.number != number) {
                groups.push(ByteGroup { number, known: 0, values: [0; GROUP] });
            }
            let last = groups.last_mut().expect("a group was pushed if there was none");
            last.known |= 1 << slot;
            last.values[slot] = value;
        }
        Model { groups: groups.into() }
    }

    /// The value of a byte, if the query mentioned it.
    pub fn get(&self, var: VarId) -> Option<u8> {
        let (number, slot) = place(var);
        let at = self.groups.binary_search_by_key(&number, |group| group.number).ok()?;
        let group = &self.groups[at];
        (group.known & (1 << slot) != 0).then_some(group.values[slot])
    }

    /// The bytes mentioned, in order.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u8)> + '_ {
        self.groups.iter().flat_map(|group| {
            (0..GROUP).filter(|slot| group.known & (1 << slot) != 0).map(|slot| {
                (VarId::from_index(group.number as usize * GROUP + slot), group.values[slot])
            })
        })
    }

    /// The numbers of the groups of eight bytes that have values.
    pub(crate) fn groups(&self) -> impl Iterator<Item = usize> + '_ {
        self.groups.iter().map(|group| group.number as usize)
    }

    /// The number of a byte's group.
    pub(crate) fn group_of(var: VarId) -> usize {
        var.index() / GROUP
    }

    /// Both models together; `other` wins where they differ.
    #[must_use]
    pub fn merged(&self, other: &Model) -> Model {
        Model::new(self.iter().chain(other.iter()))
    }
}

impl Assignment for Model {
    #[inline]
    fn byte(&self, var: VarId) -> u8 {
        self.get(var).unwrap_or(0)
    }
}

/// Eight bytes of a path's model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct PathByteGroup {
    values: [u8; GROUP],
    /// A bit for each of the eight bytes that the path's constraints determine.
    fixed: u8,
}

/// A value for every byte of a path; O(1) to clone, and copies share what is equal.
#[derive(Clone, Default)]
pub struct PersistentModel {
    groups: RadixMap<PathByteGroup>,
    /// Bit `v mod 64` for every fixed byte `v`, as in [`everett_expr::Support::signature`].
    fixed_signature: u64,
}

impl Apart for PersistentModel {
    fn apart(&mut self, copies: &mut Copies) {
        let PersistentModel { groups, fixed_signature: _ } = self;
        groups.apart(copies);
    }
}

shares_nothing!(PathByteGroup);

portable!(struct PathByteGroup { values, fixed });

/// Written by the numbers that bytes have, which others may have when they are read.
impl Portable for PersistentModel {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let PersistentModel { groups, fixed_signature } = self;
        groups.write(to);
        fixed_signature.write(to);
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let groups: RadixMap<PathByteGroup> = Portable::read(from)?;
        let fixed_signature = Portable::read(from)?;
        let beyond = u64::from(u32::MAX) / GROUP as u64;
        if groups.first_at_or_after(beyond).is_some() {
            return Err(from.unexpected("fewer symbolic bytes"));
        }
        let written = PersistentModel { groups, fixed_signature };
        let table = from.handle::<TermTable>();
        if !table.is_moved() {
            return Ok(written);
        }
        let mut model = PersistentModel::new();
        for (var, value) in written.iter() {
            let is_fixed = written.fixed(var).is_some();
            let Some(now) = table.var(var.index()) else {
                // Behind the last symbol, groups have bytes that belong to none.
                if value == 0 && !is_fixed {
                    continue;
                }
                return Err(from.unexpected("values of symbolic bytes"));
            };
            model.set(now, value);
            if is_fixed {
                model.fix(now);
            }
        }
        Ok(model)
    }
}

impl PersistentModel {
    /// All bytes zero, none fixed.
    pub fn new() -> PersistentModel {
        PersistentModel::default()
    }

    /// The value that the path's constraints leave a byte, if they leave just one and it is known.
    #[inline]
    pub fn fixed(&self, var: VarId) -> Option<u8> {
        let (number, slot) = place(var);
        let held = self.groups.get(u64::from(number))?;
        (held.fixed & (1 << slot) != 0).then_some(held.values[slot])
    }

    /// Returns `true` if some of these bytes may be fixed; a "no" is certain.
    #[inline]
    pub(crate) fn may_fix(&self, support: &Support) -> bool {
        self.fixed_signature & support.signature() != 0
    }

    /// The bytes that were ever given a value, in order; all others are zero.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, u8)> + '_ {
        self.groups.iter().flat_map(|(number, held)| {
            (0..GROUP).map(move |slot| {
                (VarId::from_index(number as usize * GROUP + slot), held.values[slot])
            })
        })
    }

    /// Takes over the values of `model`; touches only groups that change.
    ///
    /// Fixed bytes keep their values. They are replaced in every query, but a symbol that is read at a
    /// symbolic offset still brings all of its bytes along, for which a backend may answer anything.
    pub(crate) fn apply(&mut self, model: &Model) {
        for group in &model.groups {
            let key = u64::from(group.number);
            let old = self.groups.get(key).copied().unwrap_or_default();
            let mut held = old;
            let free = group.known & !held.fixed;
            for slot in (0..GROUP).filter(|slot| free & (1 << slot) != 0) {
                held.values[slot] = group.values[slot];
            }
            if held != old {
                self.put(key, held);
            }
        }
    }

    /// Records that the constraints determine this byte; its value must already be the model's.
    pub(crate) fn fix(&mut self, var: VarId) {
        self.fixed_signature |= 1 << (var.index() % 64);
        let (number, slot) = place(var);
        let key = u64::from(number);
        let mut held = self.groups.get(key).copied().unwrap_or_default();
        if held.fixed & (1 << slot) == 0 {
            held.fixed |= 1 << slot;
            self.put(key, held);
        }
    }

    fn set(&mut self, var: VarId, value: u8) {
        let (number, slot) = place(var);
        let key = u64::from(number);
        let mut held = self.groups.get(key).copied().unwrap_or_default();
        held.values[slot] = value;
        self.put(key, held);
    }

    fn put(&mut self, key: u64, held: PathByteGroup) {
        match self.groups.get_mut(key) {
            Some(place) => *place = held,
            None => {
                self.groups.insert(key, held);
            }
        }
    }
}

impl Assignment for PersistentModel {
    #[inline]
    fn byte(&self, var: VarId) -> u8 {
        let (number, slot) = place(var);
        self.groups.get(u64::from(number)).map_or(0, |held| held.values[slot])
    }
}

impl std::fmt::Debug for PersistentModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter().filter(|&(_, value)| value != 0)).finish()
    }
}

/// A model laid over the values that a path already has.
pub(crate) struct ModelOverlay<'a> {
    pub(crate) top: &'a Model,
    pub(crate) base: &'a PersistentModel,
}

impl Assignment for ModelOverlay<'_> {
    #[inline]
    fn byte(&self, var: VarId) -> u8 {
        let fixed = self.base.fixed_signature & (1 << (var.index() % 64)) != 0;
        if fixed && let Some(value) = self.base.fixed(var) {
            return value;
        }
        self.top.get(var).unwrap_or_else(|| self.base.byte(var))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(index: usize) -> VarId {
        VarId::from_index(index)
    }

    #[test]
    fn bytes_that_were_not_mentioned_are_zero() {
        let model = Model::new([(var(3), 7), (var(300), 9), (var(3), 8)]);
        assert_eq!((model.get(var(3)), model.get(var(4))), (Some(8), None));
        assert_eq!((model.byte(var(300)), model.byte(var(5))), (9, 0));
        assert_eq!(model.iter().collect::<Vec<_>>(), [(var(3), 8), (var(300), 9)]);
    }

    #[test]
    fn copies_of_a_persistent_model_grow_apart() {
        let mut parent = PersistentModel::new();
        parent.apply(&Model::new([(var(1), 1)]));
        let mut child = parent.clone();
        child.apply(&Model::new([(var(1), 2), (var(100), 3)]));
        child.fix(var(1));
        assert_eq!(
            (parent.byte(var(1)), parent.byte(var(100)), parent.fixed(var(1))),
            (1, 0, None)
        );
        assert_eq!(
            (child.byte(var(1)), child.byte(var(100)), child.fixed(var(1))),
            (2, 3, Some(2))
        );
    }

    #[test]
    fn a_fixed_byte_keeps_its_value() {
        let mut model = PersistentModel::new();
        model.apply(&Model::new([(var(1), 5)]));
        model.fix(var(1));
        let top = Model::new([(var(1), 6), (var(2), 7)]);
        let overlay = ModelOverlay { top: &top, base: &model };
        assert_eq!((overlay.byte(var(1)), overlay.byte(var(2))), (5, 7));
        model.apply(&top);
        assert_eq!((model.byte(var(1)), model.byte(var(2))), (5, 7));
    }

    #[test]
    fn an_overlay_falls_back_to_the_path() {
        let mut base = PersistentModel::new();
        base.apply(&Model::new([(var(1), 1), (var(2), 2)]));
        let top = Model::new([(var(2), 9)]);
        let overlay = ModelOverlay { top: &top, base: &base };
        assert_eq!((overlay.byte(var(1)), overlay.byte(var(2)), overlay.byte(var(3))), (1, 9, 0));
    }
}
