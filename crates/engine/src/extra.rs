//! The engine's part of a state: the simulated node, and what primitives remember along a path.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use everett_expr::TermId;
use everett_interp::{Flow, Interp, State};
use everett_ir::FuncId;
use everett_memory::ByteValue;
use everett_posix::{Guest, Node};
use everett_replay::KTest;

use crate::primitives::fresh_bytes;

/// Both parts are shared between branches until one of them changes it.
#[derive(Clone)]
pub(crate) struct Extra {
    book: Arc<Notebook>,
    node: Arc<Node>,
}

/// What primitives remember.
#[derive(Clone, Default)]
pub(crate) struct Notebook {
    /// The test case whose inputs are used instead of symbolic ones.
    pub(crate) replay: Option<Arc<KTest>>,
    /// Inputs taken from it.
    pub(crate) replayed: usize,
    /// Conditions that tests should satisfy if they can, oldest first.
    pub(crate) preferences: Vec<TermId>,
    /// How often each name was used for an input.
    pub(crate) names: BTreeMap<String, u32>,
    /// Calls that the program has redirected; a later entry wins over an earlier one.
    pub(crate) aliases: Vec<Alias>,
    /// Addresses that the program has declared to be in use for ever.
    pub(crate) marked: BTreeSet<u64>,
}

/// Calls of some functions that go to another one.
#[derive(Clone)]
pub(crate) struct Alias {
    /// The name or pattern that the program gave.
    pub(crate) pattern: String,
    /// The functions whose calls are redirected.
    pub(crate) from: Vec<FuncId>,
    /// Where they go.
    pub(crate) to: FuncId,
}

impl Extra {
    pub(crate) fn new(book: Notebook, node: Node) -> Extra {
        Extra { book: Arc::new(book), node: Arc::new(node) }
    }

    /// What primitives remember, to change it.
    pub(crate) fn book(&mut self) -> &mut Notebook {
        Arc::make_mut(&mut self.book)
    }
}

impl Deref for Extra {
    type Target = Notebook;

    fn deref(&self) -> &Notebook {
        &self.book
    }
}

impl Guest for Extra {
    fn node(&self) -> &Node {
        &self.node
    }

    fn node_mut(&mut self) -> &mut Node {
        Arc::make_mut(&mut self.node)
    }

    fn new_input(
        cx: &mut Interp<'_, Extra>,
        st: &mut State<Extra>,
        name: &str,
        size: u32,
    ) -> Result<Vec<ByteValue>, Flow> {
        fresh_bytes(cx, st, name, size)
    }

    fn next_input_is(st: &State<Extra>, name: &str) -> bool {
        let next = st.extra.replay.as_ref().and_then(|test| test.objects.get(st.extra.replayed));
        next.is_some_and(|object| object.name == name.as_bytes())
    }
}
