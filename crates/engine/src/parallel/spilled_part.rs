//! Parts that nobody works on, in memory or outside of it: [`PartAside`], [`SpilledPart`].
//!
//! Paths share their choices between threads ([`KeptChoice`]), so that a thread is tried once at each. A
//! [`SpilledPart`] keeps the choices of its states in memory, and the bytes have their numbers: after
//! reading, the states share them with all others again. Everything else in a part is either its own or
//! known by a number that stays the same (states that several workers have, symbols, programs).

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use everett_base::hash::Set;
use everett_posix::{Guest, KeptChoice};
use everett_world::{StateId, UniverseCounts};

use crate::api::spill::{SpillStore, SpilledBytes};
use crate::parallel::exchange::{AsideCounts, WorldPart};
use crate::parallel::part_bytes::PartTables;
use crate::state::node_state::{PathState, StateRunner};

/// A choice between threads that several paths share.
pub(crate) type SharedChoice = Arc<KeptChoice<Box<PathState>>>;

/// A part that nobody works on.
pub(crate) enum PartAside {
    Here(WorldPart),
    Spilled(SpilledPart),
}

everett_base::portable!(enum PartAside { 0 = Here(part), 1 = Spilled(part) });

impl PartAside {
    /// The worker that has set it aside.
    pub(crate) fn from(&self) -> usize {
        match self {
            PartAside::Here(part) => part.from,
            PartAside::Spilled(part) => part.from,
        }
    }

    /// Its size.
    pub(crate) fn size(&self) -> AsideCounts {
        let (states, counts) = match self {
            PartAside::Here(part) => (part.states.len() as u64, part.universe.counts()),
            PartAside::Spilled(part) => (part.states, part.counts),
        };
        AsideCounts { states, dstates: counts.dstates }
    }

    /// Brings memory up to date with its caches, which are not written.
    pub(crate) fn flush(&mut self) {
        if let PartAside::Here(part) = self {
            part.flush();
        }
    }
}

/// A part whose bytes are in a [`SpillStore`].
pub(crate) struct SpilledPart {
    from: usize,
    pub(crate) name: SpilledBytes,
    /// The number of its states.
    pub(crate) states: u64,
    /// Those of them that other parts may have as well.
    pub(crate) shared: BTreeSet<StateId>,
    /// The counts of its worlds.
    pub(crate) counts: UniverseCounts,
    /// The choices that its states share with others, in the order of their numbers.
    choices: Vec<SharedChoice>,
}

everett_base::portable!(struct SpilledPart { from, name, states, shared, counts, choices });

impl SpilledPart {
    /// Writes a part into a store. A part that cannot be written is handed back.
    pub(crate) fn write(
        mut part: WorldPart,
        tables: PartTables<'_>,
        store: &dyn SpillStore,
    ) -> Result<SpilledPart, Box<(WorldPart, io::Error)>> {
        part.flush();
        let choices = choices_of(&part);
        let name = match store.write(&part.to_bytes_beside(tables, &choices)) {
            Ok(name) => name,
            Err(error) => return Err(Box::new((part, error))),
        };
        let is_shared =
            |st: &PathState| st.extra.is_shared || !matches!(st.extra.running, StateRunner::Alone);
        let shared = part.states.iter().filter(|st| is_shared(st)).map(|st| st.extra.id);
        Ok(SpilledPart {
            from: part.from,
            name,
            states: part.states.len() as u64,
            shared: shared.collect(),
            counts: part.universe.counts(),
            choices,
        })
    }

    /// Reads the part again.
    pub(crate) fn read(
        &self,
        tables: PartTables<'_>,
        store: &dyn SpillStore,
    ) -> io::Result<WorldPart> {
        let bytes = store.read(&self.name)?;
        let part = WorldPart::from_bytes_beside(&bytes, tables, &self.choices);
        part.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }
}

/// The choices of the states of a part, each once.
fn choices_of(part: &WorldPart) -> Vec<SharedChoice> {
    let mut known = Set::default();
    let mut choices = Vec::new();
    for choice in part.states.iter().flat_map(|st| st.extra.choices().iter()) {
        if known.insert(Arc::as_ptr(choice).addr()) {
            choices.push(choice.clone());
        }
    }
    choices
}
