//! Arrays and maps, and the comparison of any two values.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{StepResult, Vm};
use crate::domain::{Domain, IntOp, IntRelation};
use crate::error::EvalFault;
use crate::vm::value::{ByteSequence, DataValue, MapKey, RuntimeValue};

impl<D: Domain> Vm<'_, D> {
    pub(super) fn make_array(&mut self, count: usize) -> StepResult<D> {
        self.make(count)?;
        let items = self.stack.split_off(self.stack.len() - count);
        self.push(RuntimeValue::Array(Rc::new(items)))
    }

    pub(super) fn make_map(&mut self, count: usize) -> StepResult<D> {
        self.make(count)?;
        let mut items = self.stack.split_off(self.stack.len() - 2 * count).into_iter();
        let mut map = BTreeMap::new();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let key = self.key(key)?;
            map.insert(key, value);
        }
        self.push(RuntimeValue::Map(Rc::new(map)))
    }

    /// A key of a map, settled.
    pub(super) fn key(&mut self, value: RuntimeValue<D>) -> StepResult<D, MapKey> {
        Ok(match value {
            RuntimeValue::Int(int) => MapKey::Int(self.settle(&int)?),
            RuntimeValue::Bool(bool) => MapKey::Bool(self.decide(&bool)?),
            RuntimeValue::Text(bytes) => MapKey::Text(self.settle_bytes(&bytes)?),
            RuntimeValue::Data(data) => MapKey::Data(self.settle_bytes(&data.bytes)?),
            RuntimeValue::Array(_) | RuntimeValue::Map(_) | RuntimeValue::Cursor(_) => {
                unreachable!("the checker has seen a key")
            }
        })
    }

    fn key_value(&mut self, key: &MapKey) -> RuntimeValue<D> {
        match key {
            MapKey::Int(value) => RuntimeValue::Int(self.domain.int(*value)),
            MapKey::Bool(value) => RuntimeValue::Bool(self.domain.bool(*value)),
            MapKey::Text(bytes) => RuntimeValue::Text(ByteSequence::Known(bytes.clone())),
            MapKey::Data(bytes) => RuntimeValue::Data(Rc::new(DataValue {
                bytes: ByteSequence::Known(bytes.clone()),
                origin: None,
            })),
        }
    }

    pub(super) fn pop_array(&mut self) -> Rc<Vec<RuntimeValue<D>>> {
        match self.pop() {
            RuntimeValue::Array(items) => items,
            _ => unreachable!("the checker has seen an array"),
        }
    }

    fn pop_map(&mut self) -> Rc<BTreeMap<MapKey, RuntimeValue<D>>> {
        match self.pop() {
            RuntimeValue::Map(map) => map,
            _ => unreachable!("the checker has seen a map"),
        }
    }

    /// Returns whether two values of one type are the same, without a decision.
    pub(super) fn equal(
        &mut self,
        a: &RuntimeValue<D>,
        b: &RuntimeValue<D>,
    ) -> StepResult<D, D::Bool> {
        match (a, b) {
            (RuntimeValue::Int(a), RuntimeValue::Int(b)) => {
                Ok(self.relate(IntRelation::Equal, a, b))
            }
            (RuntimeValue::Bool(a), RuntimeValue::Bool(b)) => {
                let (both, any) = (self.both(a, b), self.either(a, b));
                let neither = self.inverse(&any);
                Ok(self.either(&both, &neither))
            }
            (RuntimeValue::Text(a), RuntimeValue::Text(b)) => self.bytes_equal(a, b),
            (RuntimeValue::Data(a), RuntimeValue::Data(b)) => self.bytes_equal(&a.bytes, &b.bytes),
            (RuntimeValue::Array(a), RuntimeValue::Array(b)) => {
                if a.len() != b.len() {
                    return Ok(self.domain.bool(false));
                }
                self.all_equal(a.iter().zip(b.iter()))
            }
            (RuntimeValue::Map(a), RuntimeValue::Map(b)) => {
                if a.len() != b.len() || a.keys().ne(b.keys()) {
                    return Ok(self.domain.bool(false));
                }
                self.all_equal(a.values().zip(b.values()))
            }
            _ => unreachable!("the checker compares only values of one type"),
        }
    }

    fn all_equal<'v>(
        &mut self,
        pairs: impl Iterator<Item = (&'v RuntimeValue<D>, &'v RuntimeValue<D>)>,
    ) -> StepResult<D, D::Bool>
    where
        D: 'v,
    {
        let mut result = self.domain.bool(true);
        for (a, b) in pairs {
            self.charge(super::ELEMENTS_PER_STEP)?;
            let same = self.equal(a, b)?;
            result = self.both(&result, &same);
            if self.domain.bool_value(&result) == Some(false) {
                break;
            }
        }
        Ok(result)
    }

    /// Returns whether one value is smaller than another one of its type, without a decision.
    pub(super) fn less(
        &mut self,
        a: &RuntimeValue<D>,
        b: &RuntimeValue<D>,
    ) -> StepResult<D, D::Bool> {
        match (a, b) {
            (RuntimeValue::Int(a), RuntimeValue::Int(b)) => {
                Ok(self.relate(IntRelation::Less, a, b))
            }
            (RuntimeValue::Text(a), RuntimeValue::Text(b)) => self.bytes_less(a, b),
            (RuntimeValue::Data(a), RuntimeValue::Data(b)) => self.bytes_less(&a.bytes, &b.bytes),
            _ => unreachable!("the checker has seen types with an order"),
        }
    }

    pub(super) fn equal_elements(&mut self) -> StepResult<D> {
        let items = self.pop_array();
        let result = match items.split_first() {
            Some((first, rest)) => self.all_equal(rest.iter().map(|item| (first, item)))?,
            None => self.domain.bool(true),
        };
        self.push(RuntimeValue::Bool(result))
    }

    pub(super) fn contains(&mut self) -> StepResult<D> {
        let (wanted, items) = (self.pop(), self.pop_array());
        let mut result = self.domain.bool(false);
        for item in items.iter() {
            self.charge(super::ELEMENTS_PER_STEP)?;
            let same = self.equal(item, &wanted)?;
            result = self.either(&result, &same);
            if self.domain.bool_value(&result) == Some(true) {
                break;
            }
        }
        self.push(RuntimeValue::Bool(result))
    }

    pub(super) fn count_of(&mut self) -> StepResult<D> {
        let (wanted, items) = (self.pop(), self.pop_array());
        let mut count = self.domain.int(0);
        for item in items.iter() {
            self.charge(super::ELEMENTS_PER_STEP)?;
            let same = self.equal(item, &wanted)?;
            count = self.count_if(&same, &count);
        }
        self.push(RuntimeValue::Int(count))
    }

    pub(super) fn index_of(&mut self) -> StepResult<D> {
        let (wanted, items) = (self.pop(), self.pop_array());
        let mut found = -1;
        for (index, item) in items.iter().enumerate() {
            self.charge(super::ELEMENTS_PER_STEP)?;
            let same = self.equal(item, &wanted)?;
            if self.decide(&same)? {
                found = index as i64;
                break;
            }
        }
        self.push_int(found)
    }

    pub(super) fn distinct(&mut self) -> StepResult<D> {
        let items = self.pop_array();
        self.make(items.len())?;
        let mut kept: Vec<RuntimeValue<D>> = Vec::new();
        for item in items.iter() {
            let mut known = false;
            for other in &kept {
                self.charge(super::ELEMENTS_PER_STEP)?;
                let same = self.equal(item, other)?;
                if self.decide(&same)? {
                    known = true;
                    break;
                }
            }
            if !known {
                kept.push(item.clone());
            }
        }
        self.push(RuntimeValue::Array(Rc::new(kept)))
    }

    pub(super) fn sort(&mut self) -> StepResult<D> {
        let items = self.pop_array();
        let sorted = self.sorted(&items, &items)?;
        self.push(RuntimeValue::Array(Rc::new(sorted)))
    }

    pub(super) fn sort_by(&mut self) -> StepResult<D> {
        let (keys, items) = (self.pop_array(), self.pop_array());
        let sorted = self.sorted(&items, &keys)?;
        self.push(RuntimeValue::Array(Rc::new(sorted)))
    }

    /// The items in the order of their keys; those with the same key stay in theirs. The merge sort is
    /// written out, so that it asks for the same decisions everywhere and may fail.
    fn sorted(
        &mut self,
        items: &[RuntimeValue<D>],
        keys: &[RuntimeValue<D>],
    ) -> StepResult<D, Vec<RuntimeValue<D>>> {
        self.make(items.len())?;
        let mut order: Vec<usize> = (0..items.len()).collect();
        let mut width = 1;
        while width < order.len() {
            let mut merged = Vec::with_capacity(order.len());
            for chunk in order.chunks(2 * width) {
                let (mut left, mut right) = chunk.split_at(width.min(chunk.len()));
                while let ([a, ..], [b, ..]) = (left, right) {
                    self.charge(super::ELEMENTS_PER_STEP)?;
                    let swap = self.less(&keys[*b], &keys[*a])?;
                    if self.decide(&swap)? {
                        merged.push(*b);
                        right = &right[1..];
                    } else {
                        merged.push(*a);
                        left = &left[1..];
                    }
                }
                merged.extend_from_slice(left);
                merged.extend_from_slice(right);
            }
            order = merged;
            width *= 2;
        }
        Ok(order.into_iter().map(|index| items[index].clone()).collect())
    }

    /// `min` and `max`: numbers are chosen, others compared with a decision.
    pub(super) fn extreme(&mut self, largest: bool) -> StepResult<D> {
        let items = self.pop_array();
        let Some((first, rest)) = items.split_first() else { return Err(EvalFault::EmptyArray) };
        let mut best = first.clone();
        for item in rest {
            self.charge(super::ELEMENTS_PER_STEP)?;
            let better = if largest { self.less(&best, item)? } else { self.less(item, &best)? };
            best = match (&best, item, self.domain.bool_value(&better)) {
                (RuntimeValue::Int(a), RuntimeValue::Int(b), None) => {
                    RuntimeValue::Int(self.domain.choose_int(&better, b, a))
                }
                _ => {
                    if self.decide(&better)? {
                        item.clone()
                    } else {
                        best
                    }
                }
            };
        }
        self.push(best)
    }

    pub(super) fn sum(&mut self) -> StepResult<D> {
        let items = self.pop_array();
        self.charge(items.len())?;
        let mut sum = self.domain.int(0);
        for item in items.iter() {
            let RuntimeValue::Int(item) = item else { unreachable!("the checker has seen ints") };
            sum = self.operate(IntOp::Add, &sum, item);
        }
        self.push(RuntimeValue::Int(sum))
    }

    pub(super) fn end_of_array(&mut self, first: bool) -> StepResult<D> {
        let items = self.pop_array();
        let item = if first { items.first() } else { items.last() };
        match item {
            Some(item) => self.push(item.clone()),
            None => Err(EvalFault::EmptyArray),
        }
    }

    pub(super) fn reverse(&mut self) -> StepResult<D> {
        let items = self.pop_array();
        self.make(items.len())?;
        self.push(RuntimeValue::Array(Rc::new(items.iter().rev().cloned().collect())))
    }

    pub(super) fn append(&mut self) -> StepResult<D> {
        let (item, mut items) = (self.pop(), self.pop_array());
        self.make(items.len() + 1)?;
        Rc::make_mut(&mut items).push(item);
        self.push(RuntimeValue::Array(items))
    }

    pub(super) fn concat_arrays(&mut self) -> StepResult<D> {
        let (more, mut items) = (self.pop_array(), self.pop_array());
        self.make(items.len() + more.len())?;
        Rc::make_mut(&mut items).extend(more.iter().cloned());
        self.push(RuntimeValue::Array(items))
    }

    pub(super) fn has(&mut self) -> StepResult<D> {
        let key = self.pop();
        let key = self.key(key)?;
        let map = self.pop_map();
        self.push_bool(map.contains_key(&key))
    }

    pub(super) fn keys(&mut self) -> StepResult<D> {
        let map = self.pop_map();
        self.make(map.len())?;
        let keys = map.keys().map(|key| self.key_value(key)).collect();
        self.push(RuntimeValue::Array(Rc::new(keys)))
    }

    pub(super) fn values(&mut self) -> StepResult<D> {
        let map = self.pop_map();
        self.make(map.len())?;
        self.push(RuntimeValue::Array(Rc::new(map.values().cloned().collect())))
    }

    pub(super) fn get_or(&mut self) -> StepResult<D> {
        let (otherwise, key) = (self.pop(), self.pop());
        let key = self.key(key)?;
        let map = self.pop_map();
        let value = map.get(&key).cloned().unwrap_or(otherwise);
        self.push(value)
    }
}
