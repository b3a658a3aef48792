//! Elements: reading one, and changing the one that indices lead to in place.

use std::rc::Rc;

use super::{StepResult, Vm};
use crate::domain::Domain;
use crate::error::EvalFault;
use crate::vm::code::FrameSlot;
use crate::vm::value::{MapKey, RuntimeValue};

/// A step of a path, settled.
enum PathIndex {
    At(i64),
    Key(MapKey),
}

impl<D: Domain> Vm<'_, D> {
    pub(super) fn index(&mut self) -> StepResult<D> {
        let (index, base) = (self.pop(), self.pop());
        let item = match &base {
            RuntimeValue::Array(items) => {
                let at = self.position(index, items.len())?;
                items[at].clone()
            }
            RuntimeValue::Map(map) => {
                let key = self.key(index)?;
                map.get(&key).cloned().ok_or_else(|| EvalFault::NoKey { key: key.shown() })?
            }
            RuntimeValue::Text(_) | RuntimeValue::Data(_) => {
                let at = self.position(index, super::bytes::length(&base))?;
                return self.byte_at(&base, at);
            }
            RuntimeValue::Int(_) | RuntimeValue::Bool(_) | RuntimeValue::Cursor(_) => {
                unreachable!("the checker has seen elements")
            }
        };
        self.push(item)
    }

    /// An index within a length.
    fn position(&mut self, index: RuntimeValue<D>, length: usize) -> StepResult<D, usize> {
        let RuntimeValue::Int(index) = index else { unreachable!("the checker has seen an int") };
        let index = self.settle(&index)?;
        within(index, length)
    }

    /// The indices on top of the stack.
    fn pop_path(&mut self, depth: usize) -> Vec<RuntimeValue<D>> {
        self.stack.split_off(self.stack.len() - depth)
    }

    pub(super) fn load_path(&mut self, slot: FrameSlot, depth: usize) -> StepResult<D> {
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
        slot: FrameSlot,
        path: Vec<RuntimeValue<D>>,
        inserts: bool,
        change: impl FnOnce(&mut RuntimeValue<D>) -> T,
    ) -> StepResult<D, T> {
        let mut value = std::mem::replace(self.local_mut(slot), RuntimeValue::Cursor(0));
        let result = self.change_inside(&mut value, path, inserts, change);
        *self.local_mut(slot) = value;
        result
    }

    fn change_inside<T>(
        &mut self,
        value: &mut RuntimeValue<D>,
        path: Vec<RuntimeValue<D>>,
        inserts: bool,
        change: impl FnOnce(&mut RuntimeValue<D>) -> T,
    ) -> StepResult<D, T> {
        let mut place = value;
        let depth = path.len();
        for (level, index) in path.into_iter().enumerate() {
            let index = match place {
                RuntimeValue::Map(_) => PathIndex::Key(self.key(index)?),
                _ => {
                    let RuntimeValue::Int(index) = index else {
                        unreachable!("the checker has seen an int")
                    };
                    PathIndex::At(self.settle(&index)?)
                }
            };
            self.own(place)?;
            place = match (place, index) {
                (RuntimeValue::Array(items), PathIndex::At(at)) => {
                    let at = within(at, items.len())?;
                    &mut Rc::make_mut(items)[at]
                }
                (RuntimeValue::Map(map), PathIndex::Key(key)) => {
                    let is_new = !map.contains_key(&key);
                    if is_new && !(inserts && level + 1 == depth) {
                        return Err(EvalFault::NoKey { key: key.shown() });
                    }
                    if is_new && map.len() >= self.limits.length {
                        let limit = self.limits.length;
                        return Err(EvalFault::TooLong { length: limit + 1, limit });
                    }
                    Rc::make_mut(map).entry(key).or_insert(RuntimeValue::Cursor(0))
                }
                _ => unreachable!("the checker has seen elements"),
            };
        }
        self.own(place)?;
        Ok(change(place))
    }

    /// Counts the copy that a change of a shared value makes.
    fn own(&mut self, value: &RuntimeValue<D>) -> StepResult<D> {
        match value {
            RuntimeValue::Array(items) if Rc::strong_count(items) > 1 => self.make(items.len()),
            RuntimeValue::Map(map) if Rc::strong_count(map) > 1 => self.make(map.len()),
            _ => Ok(()),
        }
    }

    pub(super) fn store_path(&mut self, slot: FrameSlot, depth: usize) -> StepResult<D> {
        let value = self.pop();
        let path = self.pop_path(depth);
        self.change(slot, path, true, |place| *place = value)
    }

    pub(super) fn push_path(&mut self, slot: FrameSlot, depth: usize) -> StepResult<D> {
        let value = self.pop();
        let path = self.pop_path(depth);
        let length = self.change(slot, path, false, |place| {
            let RuntimeValue::Array(items) = place else {
                unreachable!("the checker has seen an array")
            };
            let items = Rc::make_mut(items);
            items.push(value);
            items.len()
        })?;
        if length > self.limits.length {
            return Err(EvalFault::TooLong { length, limit: self.limits.length });
        }
        self.push_int(length as i64)
    }

    pub(super) fn remove_path(&mut self, slot: FrameSlot, depth: usize) -> StepResult<D> {
        let key = self.pop();
        let key = self.key(key)?;
        let path = self.pop_path(depth);
        let removed = self.change(slot, path, false, |place| {
            let RuntimeValue::Map(map) = place else { unreachable!("the checker has seen a map") };
            Rc::make_mut(map).remove(&key).is_some()
        })?;
        self.push_bool(removed)
    }
}

/// An index within a length.
fn within<E>(index: i64, length: usize) -> Result<usize, EvalFault<E>> {
    usize::try_from(index)
        .ok()
        .filter(|at| *at < length)
        .ok_or(EvalFault::IndexOutOfRange { index, length })
}
