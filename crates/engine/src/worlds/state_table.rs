//! The states of a worker, by number: [`StateTable`].

use std::ops::Range;

use everett_base::hash::Map;
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_memory::{AddressSpace, PageCache};
use everett_world::StateId;

use crate::parallel::context::RunContext;
use crate::state::node_state::{PathState, PathStates};

/// The states of a worker: the one that ran last, and all others, which are parked.
///
/// A state is either in the table or with whoever has taken it out. The set of worlds asks about parked
/// states only, so the one that ran last has to be parked before.
#[derive(Default)]
pub(crate) struct StateTable {
    parked: Map<StateId, Box<PathState>>,
    /// The state that ran last, kept apart while it may run again at once.
    current: Option<Box<PathState>>,
    /// Memory's scratch space, handed from state to state.
    cache: Option<Box<PageCache>>,
    /// Numbers of states that are this worker's to give.
    ids: Range<u32>,
}

/// Written and read while no state is the current one.
impl Portable for StateTable {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        self.ids.write(to);
        let ids = self.parked_ids();
        to.number(ids.len() as u64);
        ids.iter().for_each(|id| self.parked[id].write(to));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let ids = Portable::read(from)?;
        let states: PathStates = from.sequence()?;
        let parked = states.into_iter().map(|st| (st.extra.id, st)).collect();
        Ok(StateTable { parked, ids, ..StateTable::default() })
    }
}

impl StateTable {
    /// Brings the memory of all states up to date with its caches, which are not written.
    pub(crate) fn flush(&mut self) {
        self.parked.values_mut().for_each(|st| st.mem.flush());
    }

    /// A parked state.
    pub(crate) fn get(&self, id: StateId) -> Option<&PathState> {
        self.parked.get(&id).map(|st| &**st)
    }

    /// A parked state, to change it.
    pub(crate) fn get_mut(&mut self, id: StateId) -> Option<&mut PathState> {
        self.parked.get_mut(&id).map(|st| &mut **st)
    }

    /// A state that is parked or ran last.
    pub(crate) fn any(&self, id: StateId) -> Option<&PathState> {
        let current = self.current.as_deref().filter(|st| st.extra.id == id);
        current.or_else(|| self.get(id))
    }

    /// Parks a state under its number.
    pub(crate) fn insert(&mut self, st: Box<PathState>) {
        self.parked.insert(st.extra.id, st);
    }

    /// Takes a parked state out.
    pub(crate) fn remove(&mut self, id: StateId) -> Option<Box<PathState>> {
        self.parked.remove(&id)
    }

    /// The parked states, in no order.
    pub(crate) fn parked(&self) -> impl Iterator<Item = &PathState> {
        self.parked.values().map(|st| &**st)
    }

    /// The numbers of the parked states, sorted.
    pub(crate) fn parked_ids(&self) -> Vec<StateId> {
        let mut ids: Vec<StateId> = self.parked.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// The number of parked states.
    pub(crate) fn parked_count(&self) -> u64 {
        self.parked.len() as u64
    }

    /// The number of all states.
    pub(crate) fn count(&self) -> u64 {
        self.parked_count() + u64::from(self.current.is_some())
    }

    /// Takes all states out, sorted by number.
    pub(crate) fn take_all(&mut self) -> PathStates {
        let mut all: PathStates = self.parked.drain().map(|(_, st)| st).collect();
        all.extend(self.current.take());
        all.sort_unstable_by_key(|st| st.extra.id);
        all
    }

    /// Takes out the state that ran last.
    pub(crate) fn take_current(&mut self) -> Option<Box<PathState>> {
        self.current.take()
    }

    /// Keeps a state that may run again at once.
    pub(crate) fn set_current(&mut self, st: Box<PathState>) {
        self.current = Some(st);
    }

    /// The number of the state that ran last.
    pub(crate) fn current_id(&self) -> Option<StateId> {
        self.current.as_ref().map(|st| st.extra.id)
    }

    /// Makes a parked state the current one, with memory's scratch space. There must be no other.
    pub(crate) fn make_current(&mut self, id: StateId) {
        debug_assert!(self.current.is_none());
        let mut next = self.parked.remove(&id);
        if let (Some(st), Some(cache)) = (&mut next, self.cache.take()) {
            st.mem.adopt_cache(cache);
        }
        self.current = next;
    }

    /// Takes memory's scratch space from a state that does not run on.
    pub(crate) fn keep_cache(&mut self, memory: &mut AddressSpace) {
        if let Some(cache) = memory.release_cache() {
            self.cache = Some(cache);
        }
    }

    /// The number of a new state, which no other of the run has.
    pub(crate) fn new_id(&mut self, context: &RunContext<'_>) -> StateId {
        context.new_id(&mut self.ids)
    }

    /// Numbers a new state, and parks it.
    pub(crate) fn add(&mut self, context: &RunContext<'_>, mut st: Box<PathState>) -> StateId {
        let id = self.new_id(context);
        context.remember();
        st.extra.id = id;
        self.insert(st);
        id
    }
}
