//! Elements: reading one, and changing the one that indices lead to in place.

use std::rc::Rc;

use super::{Step, Vm};
use crate::code::Slot;
use crate::domain::Domain;
use crate::error::Fault;
use crate::value::{Key, Value};

/// A step of a path, settled.
enum Index {
    At(i64),
    Key(Key),
}

impl<D: Domain> Vm<'_, D> {
    pub(super) fn index(&mut self) -> Step<D> {
        let (index, base) = (self.pop(), self.pop());
        let item = match &base {
            Value::Array(items) => {
                let at = self.position(index, items.len())?;
                items[at].clone()
            }
            Value::Map(map) => {
                let key = self.key(index)?;
                map.get(&key).cloned().ok_or_else(|| Fault::NoKey { key: key.shown() })?
            }
            Value::Text(_) | Value::Data(_) => {
                let at = self.position(index, super::bytes::length(&base))?;
                return self.byte_at(&base, at);
            }
            Value::Int(_) | Value::Bool(_) | Value::Cursor(_) => {
                unreachable!("the checker has seen elements")
            }
        };
        self.push(item)
    }

    /// An index within a length.
    fn position(&mut self, index: Value<D>, length: usize) -> Step<D, usize> {
        let Value::Int(index) = index else { unreachable!("the checker has seen an int") };
        let index = self.settle(&index)?;
        within(index, length)
    }

    /// The indices on top of the stack.
    fn pop_path(&mut self, depth: usize) -> Vec<Value<D>> {
        self.stack.split_off(self.stack.len() - depth)
    }

    pub(super) fn load_path(&mut self, slot: Slot, depth: usize) -> Step<D> {
        let start = self.stack.len() - depth;
        self.push(self.local(slot).clone())?;
        for at in start..start + depth {
            self.push(self.stack[at].clone())?;
            self.index()?;
        }
        Ok(())
    }

    /// Runs `change` on the place that a path leads to; `inserts`: whether its last key may be new.
    fn change<T>(
        &mut self,
        slot: Slot,
        path: Vec<Value<D>>,
        inserts: bool,
        change: impl FnOnce(&mut Value<D>) -> T,
    ) -> Step<D, T> {
        let mut value = std::mem::replace(self.local_mut(slot), Value::Cursor(0));
        let result = self.change_inside(&mut value, path, inserts, change);
        *self.local_mut(slot) = value;
        result
    }

    fn change_inside<T>(
        &mut self,
        value: &mut Value<D>,
        path: Vec<Value<D>>,
        inserts: bool,
        change: impl FnOnce(&mut Value<D>) -> T,
    ) -> Step<D, T> {
        let mut place = value;
        let depth = path.len();
        for (level, index) in path.into_iter().enumerate() {
            let index = match place {
                Value::Map(_) => Index::Key(self.key(index)?),
                _ => {
                    let Value::Int(index) = index else {
                        unreachable!("the checker has seen an int")
                    };
                    Index::At(self.settle(&index)?)
                }
            };
            self.own(place)?;
            place = match (place, index) {
                (Value::Array(items), Index::At(at)) => {
                    let at = within(at, items.len())?;
                    &mut Rc::make_mut(items)[at]
                }
                (Value::Map(map), Index::Key(key)) => {
                    let is_new = !map.contains_key(&key);
                    if is_new && !(inserts && level + 1 == depth) {
                        return Err(Fault::NoKey { key: key.shown() });
                    }
                    if is_new && map.len() >= self.limits.length {
                        let limit = self.limits.length;
                        return Err(Fault::TooLong { length: limit + 1, limit });
                    }
                    Rc::make_mut(map).entry(key).or_insert(Value::Cursor(0))
                }
                _ => unreachable!("the checker has seen elements"),
            };
        }
        self.own(place)?;
        Ok(change(place))
    }

    /// Counts the copy that a change of a shared value makes.
    fn own(&mut self, value: &Value<D>) -> Step<D> {
        match value {
            Value::Array(items) if Rc::strong_count(items) > 1 => self.make(items.len()),
            Value::Map(map) if Rc::strong_count(map) > 1 => self.make(map.len()),
            _ => Ok(()),
        }
    }

    pub(super) fn store_path(&mut self, slot: Slot, depth: usize) -> Step<D> {
        let value = self.pop();
        let path = self.pop_path(depth);
        self.change(slot, path, true, |place| *place = value)
    }

    pub(super) fn push_path(&mut self, slot: Slot, depth: usize) -> Step<D> {
        let value = self.pop();
        let path = self.pop_path(depth);
        let length = self.change(slot, path, false, |place| {
            let Value::Array(items) = place else { unreachable!("the checker has seen an array") };
            let items = Rc::make_mut(items);
            items.push(value);
            items.len()
        })?;
        if length > self.limits.length {
            return Err(Fault::TooLong { length, limit: self.limits.length });
        }
        self.push_int(length as i64)
    }

    pub(super) fn remove_path(&mut self, slot: Slot, depth: usize) -> Step<D> {
        let key = self.pop();
        let key = self.key(key)?;
        let path = self.pop_path(depth);
        let removed = self.change(slot, path, false, |place| {
            let Value::Map(map) = place else { unreachable!("the checker has seen a map") };
            Rc::make_mut(map).remove(&key).is_some()
        })?;
        self.push_bool(removed)
    }
}

/// An index within a length.
fn within<E>(index: i64, length: usize) -> Result<usize, Fault<E>> {
    usize::try_from(index)
        .ok()
        .filter(|at| *at < length)
        .ok_or(Fault::IndexOutOfRange { index, length })
}
