//! Operations on exposed data and on `sys`.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::{StepResult, Vm};
use crate::domain::Domain;
use crate::error::EvalFault;
use crate::provider::{DataTriple, ExposedData};
use crate::vm::code::{PlainMethod, SysQuery};
use crate::vm::value::{ByteSequence, DataOrigin, DataValue, RuntimeValue};

/// A triple whose parts are known.
#[derive(Clone, Debug)]
pub(crate) struct SettledTriple {
    pub(crate) node: Arc<[u8]>,
    pub(crate) state: i64,
    pub(crate) key: Arc<[u8]>,
}

/// Data as a value, and as the provider has it.
pub(crate) type FetchedData<'a, D> = (RuntimeValue<D>, ExposedData<'a, <D as Domain>::Byte>);

impl SettledTriple {
    /// Calls `f` with the triple as providers know it.
    fn with<T>(&self, f: impl FnOnce(DataTriple<'_>) -> T) -> T {
        let (node, key) = (self.node_text(), self.key_text());
        f(DataTriple { node: &node, state: self.state, key: &key })
    }

    pub(crate) fn node_text(&self) -> Cow<'_, str> {
        text(&self.node)
    }

    pub(crate) fn key_text(&self) -> Cow<'_, str> {
        text(&self.key)
    }

    fn not_exposed<E>(&self) -> EvalFault<E> {
        let (node, key) = (self.node_text().into_owned(), self.key_text().into_owned());
        EvalFault::NotExposed { node, state: self.state, key }
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

impl<'a, D: Domain> Vm<'a, D> {
    /// A triple out of three values, the last on top.
    fn pop_triple(&mut self) -> StepResult<D, SettledTriple> {
        let key = self.pop_settled()?;
        let state = self.pop_int();
        let state = self.settle(&state)?;
        let node = self.pop_settled()?;
        Ok(SettledTriple { node, state, key })
    }

    /// A string whose bytes are known.
    pub(crate) fn settle_text(&mut self, value: &RuntimeValue<D>) -> StepResult<D, Arc<[u8]>> {
        let RuntimeValue::Text(bytes) = value else {
            unreachable!("the checker has seen a string")
        };
        self.settle_bytes(bytes)
    }

    /// A number that is known.
    pub(crate) fn settle_int(&mut self, value: &RuntimeValue<D>) -> StepResult<D, i64> {
        let RuntimeValue::Int(int) = value else { unreachable!("the checker has seen an int") };
        self.settle(int)
    }

    /// Makes a value of exposed data.
    fn datum(
        &mut self,
        triple: &SettledTriple,
        exposed: &ExposedData<'_, D::Byte>,
    ) -> StepResult<D, RuntimeValue<D>> {
        self.make(exposed.bytes.len())?;
        let bytes = ByteSequence::new(self.domain, &exposed.bytes);
        let origin = DataOrigin {
            node: triple.node.clone(),
            state: triple.state,
            key: triple.key.clone(),
            stamp: exposed.stamp,
        };
        Ok(RuntimeValue::Data(Rc::new(DataValue { bytes, origin: Some(origin) })))
    }

    /// Returns the data that was exposed last under a triple, which comes in both of its forms. Where
    /// there is none, that is none or, if it is required, a fault.
    pub(crate) fn collect(
        &mut self,
        triple: DataTriple<'_>,
        settled: &SettledTriple,
        require: bool,
    ) -> StepResult<D, Option<FetchedData<'a, D>>> {
        match self.providers.data.latest(triple) {
            Some(exposed) => {
                let value = self.datum(settled, &exposed)?;
                Ok(Some((value, exposed)))
            }
            None if require => Err(settled.not_exposed()),
            None => Ok(None),
        }
    }

    pub(super) fn get(&mut self) -> StepResult<D> {
        let triple = self.pop_triple()?;
        let data = self.providers.data;
        let Some(exposed) = triple.with(|triple| data.latest(triple)) else {
            return Err(triple.not_exposed());
        };
        let value = self.datum(&triple, &exposed)?;
        self.push(value)
    }

    pub(super) fn exposed(&mut self) -> StepResult<D> {
        let triple = self.pop_triple()?;
        let data = self.providers.data;
        let count = triple.with(|triple| data.count(triple));
        self.push_bool(count > 0)
    }

    pub(super) fn history(&mut self) -> StepResult<D> {
        let triple = self.pop_triple()?;
        let data = self.providers.data;
        let count = triple.with(|triple| data.count(triple));
        self.make(count)?;
        let mut items = Vec::with_capacity(count);
        for index in 0..count {
            if let Some(exposed) = triple.with(|triple| data.nth(triple, index)) {
                self.charge(super::ELEMENTS_PER_STEP)?;
                items.push(self.datum(&triple, &exposed)?);
            }
        }
        self.push(RuntimeValue::Array(Rc::new(items)))
    }

    pub(super) fn before(&mut self) -> StepResult<D> {
        let (b, a) = (self.pop_triple()?, self.pop_triple()?);
        let data = self.providers.data;
        let Some(second) = b.with(|triple| data.nth(triple, 0)) else {
            return self.push_bool(true);
        };
        let first = a.with(|triple| data.nth(triple, 0));
        let same_node = a.node == b.node;
        self.push_bool(first.is_some_and(|first| first.stamp.is_before(second.stamp, same_node)))
    }

    /// Pushes a part of the origin of data.
    pub(super) fn origin(&mut self, method: PlainMethod) -> StepResult<D> {
        let RuntimeValue::Data(data) = self.pop() else {
            unreachable!("the checker has seen data")
        };
        let Some(origin) = &data.origin else { return Err(EvalFault::NoOrigin) };
        match method {
            PlainMethod::Node => {
                self.push(RuntimeValue::Text(ByteSequence::Known(origin.node.clone())))
            }
            PlainMethod::Key => {
                self.push(RuntimeValue::Text(ByteSequence::Known(origin.key.clone())))
            }
            PlainMethod::State => self.push_int(origin.state),
            _ => self.push_int(origin.stamp.time.cast_signed()),
        }
    }

    pub(super) fn sys(&mut self, sys: SysQuery) -> StepResult<D> {
        let provider = self.providers.nodes;
        match sys {
            SysQuery::Nodes => {
                let mut names = Vec::new();
                provider.nodes(&mut |name| {
                    names.push(RuntimeValue::Text(ByteSequence::Known(name.as_bytes().into())));
                });
                self.make(names.len())?;
                self.push(RuntimeValue::Array(Rc::new(names)))
            }
            SysQuery::Time => self.push_int(provider.time().cast_signed()),
            SysQuery::Exposing => {
                let name = provider.exposing().unwrap_or_default();
                self.push_known(name.as_bytes())
            }
            SysQuery::Ended => self.push_bool(provider.ended()),
            SysQuery::Hostname | SysQuery::Addresses | SysQuery::Alive => self.sys_of_node(sys),
        }
    }

    fn sys_of_node(&mut self, sys: SysQuery) -> StepResult<D> {
        let provider = self.providers.nodes;
        let name = self.pop_settled()?;
        let name = text(&name);
        let unknown = || EvalFault::UnknownNode { node: name.clone().into_owned() };
        match sys {
            SysQuery::Hostname => {
                let hostname = provider.hostname(&name).ok_or_else(unknown)?;
                self.push_known(hostname.as_bytes())
            }
            SysQuery::Alive => {
                let alive = provider.alive(&name).ok_or_else(unknown)?;
                self.push_bool(alive)
            }
            _ => {
                let addresses = provider.addresses(&name).ok_or_else(unknown)?;
                self.make(addresses.len())?;
                let text = |address: &String| {
                    RuntimeValue::Text(ByteSequence::Known(address.as_bytes().into()))
                };
                self.push(RuntimeValue::Array(Rc::new(addresses.iter().map(text).collect())))
            }
        }
    }
}
