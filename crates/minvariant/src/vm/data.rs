//! What nodes have exposed, and what `sys` knows about them.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::{Step, Vm};
use crate::code::{Method, Sys};
use crate::domain::Domain;
use crate::error::Fault;
use crate::provider::{Exposed, Triple};
use crate::value::{Bytes, Data, Origin, Value};

/// A triple whose parts are known.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    pub(crate) node: Arc<[u8]>,
    pub(crate) state: i64,
    pub(crate) key: Arc<[u8]>,
}

/// Data as a value, and as the provider has it.
pub(crate) type Found<'a, D> = (Value<D>, Exposed<'a, <D as Domain>::Byte>);

impl Settled {
    /// Calls `f` with the triple as providers know it.
    fn with<T>(&self, f: impl FnOnce(Triple<'_>) -> T) -> T {
        let (node, key) = (self.node_text(), self.key_text());
        f(Triple { node: &node, state: self.state, key: &key })
    }

    pub(crate) fn node_text(&self) -> Cow<'_, str> {
        text(&self.node)
    }

    pub(crate) fn key_text(&self) -> Cow<'_, str> {
        text(&self.key)
    }

    fn not_exposed<E>(&self) -> Fault<E> {
        let (node, key) = (self.node_text().into_owned(), self.key_text().into_owned());
        Fault::NotExposed { node, state: self.state, key }
    }
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

impl<'a, D: Domain> Vm<'a, D> {
    /// A triple out of three values, the last on top.
    fn pop_triple(&mut self) -> Step<D, Settled> {
        let key = self.pop_settled()?;
        let state = self.pop_int();
        let state = self.settle(&state)?;
        let node = self.pop_settled()?;
        Ok(Settled { node, state, key })
    }

    /// A string whose bytes are known.
    pub(crate) fn settle_text(&mut self, value: &Value<D>) -> Step<D, Arc<[u8]>> {
        let Value::Text(bytes) = value else { unreachable!("the checker has seen a string") };
        self.settle_bytes(bytes)
    }

    /// A number that is known.
    pub(crate) fn settle_int(&mut self, value: &Value<D>) -> Step<D, i64> {
        let Value::Int(int) = value else { unreachable!("the checker has seen an int") };
        self.settle(int)
    }

    /// What was exposed, as a value.
    fn datum(&mut self, triple: &Settled, exposed: &Exposed<'_, D::Byte>) -> Step<D, Value<D>> {
        self.make(exposed.bytes.len())?;
        let bytes = Bytes::new(self.domain, &exposed.bytes);
        let origin = Origin {
            node: triple.node.clone(),
            state: triple.state,
            key: triple.key.clone(),
            stamp: exposed.stamp,
        };
        Ok(Value::Data(Rc::new(Data { bytes, origin: Some(origin) })))
    }

    /// What was exposed last under a triple, which comes in both of its forms; none, or a fault if it is
    /// required, where nothing was.
    pub(crate) fn collect(
        &mut self,
        triple: Triple<'_>,
        settled: &Settled,
        require: bool,
    ) -> Step<D, Option<Found<'a, D>>> {
        match self.providers.data.latest(triple) {
            Some(exposed) => {
                let value = self.datum(settled, &exposed)?;
                Ok(Some((value, exposed)))
            }
            None if require => Err(settled.not_exposed()),
            None => Ok(None),
        }
    }

    pub(super) fn get(&mut self) -> Step<D> {
        let triple = self.pop_triple()?;
        let data = self.providers.data;
        let Some(exposed) = triple.with(|triple| data.latest(triple)) else {
            return Err(triple.not_exposed());
        };
        let value = self.datum(&triple, &exposed)?;
        self.push(value)
    }

    pub(super) fn exposed(&mut self) -> Step<D> {
        let triple = self.pop_triple()?;
        let data = self.providers.data;
        let count = triple.with(|triple| data.count(triple));
        self.push_bool(count > 0)
    }

    pub(super) fn history(&mut self) -> Step<D> {
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
        self.push(Value::Array(Rc::new(items)))
    }

    pub(super) fn before(&mut self) -> Step<D> {
        let (b, a) = (self.pop_triple()?, self.pop_triple()?);
        let data = self.providers.data;
        let Some(second) = b.with(|triple| data.nth(triple, 0)) else {
            return self.push_bool(true);
        };
        let first = a.with(|triple| data.nth(triple, 0));
        let same_node = a.node == b.node;
        self.push_bool(first.is_some_and(|first| first.stamp.is_before(second.stamp, same_node)))
    }

    /// Where data comes from.
    pub(super) fn origin(&mut self, method: Method) -> Step<D> {
        let Value::Data(data) = self.pop() else { unreachable!("the checker has seen data") };
        let Some(origin) = &data.origin else { return Err(Fault::NoOrigin) };
        match method {
            Method::Node => self.push(Value::Text(Bytes::Known(origin.node.clone()))),
            Method::Key => self.push(Value::Text(Bytes::Known(origin.key.clone()))),
            Method::State => self.push_int(origin.state),
            _ => self.push_int(origin.stamp.time.cast_signed()),
        }
    }

    pub(super) fn sys(&mut self, sys: Sys) -> Step<D> {
        let provider = self.providers.nodes;
        match sys {
            Sys::Nodes => {
                let mut names = Vec::new();
                provider.nodes(&mut |name| {
                    names.push(Value::Text(Bytes::Known(name.as_bytes().into())));
                });
                self.make(names.len())?;
                self.push(Value::Array(Rc::new(names)))
            }
            Sys::Time => self.push_int(provider.time().cast_signed()),
            Sys::Exposing => {
                let name = provider.exposing().unwrap_or_default();
                self.push_known(name.as_bytes())
            }
            Sys::Ended => self.push_bool(provider.ended()),
            Sys::Hostname | Sys::Addresses | Sys::Alive => self.sys_of_node(sys),
        }
    }

    fn sys_of_node(&mut self, sys: Sys) -> Step<D> {
        let provider = self.providers.nodes;
        let name = self.pop_settled()?;
        let name = text(&name);
        let unknown = || Fault::UnknownNode { node: name.clone().into_owned() };
        match sys {
            Sys::Hostname => {
                let hostname = provider.hostname(&name).ok_or_else(unknown)?;
                self.push_known(hostname.as_bytes())
            }
            Sys::Alive => {
                let alive = provider.alive(&name).ok_or_else(unknown)?;
                self.push_bool(alive)
            }
            _ => {
                let addresses = provider.addresses(&name).ok_or_else(unknown)?;
                self.make(addresses.len())?;
                let text = |address: &String| Value::Text(Bytes::Known(address.as_bytes().into()));
                self.push(Value::Array(Rc::new(addresses.iter().map(text).collect())))
            }
        }
    }
}
