//! Data that a node has exposed to invariants along a path: [`Exposures`].
//!
//! A log only grows, so its newest entry's [`Exposure::log`] tells it apart from all others: states
//! with equal logs are the same to every invariant, however else they differ.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use everett_base::hash::FixedState;
use everett_base::plist::List;
use everett_expr::{Pool, Support, TermId};
use everett_interp::ProgramId;
use everett_ir::Pc;
use everett_memory::ByteValue;
use everett_solver::PathCondition;
use everett_world::Stamp;

/// Data that a node has exposed for a state and a key.
pub(crate) struct Exposure {
    pub(crate) state: i64,
    pub(crate) key: String,
    pub(crate) bytes: Vec<ByteValue>,
    /// The constraints of the path on the symbolic bytes then; whatever it learns later is more.
    pub(crate) given: Vec<TermId>,
    /// The round in which it was exposed.
    pub(crate) at: Stamp,
    /// Its position in the log, from 0.
    pub(crate) number: u32,
    /// Names the log up to here, by its contents.
    pub(crate) log: LogId,
    /// The program that exposed it, and where: its stack, innermost place first.
    pub(crate) program: ProgramId,
    pub(crate) stack: Vec<Pc>,
    /// The variable that the bytes are of, if they are of one.
    pub(crate) variable: Option<ExposedVariable>,
}

everett_base::portable!(struct Exposure {
    state, key, bytes, given, at, number, log, program, stack, variable,
});

/// The variable that exposed bytes are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ExposedVariable {
    pub(crate) name: String,
    pub(crate) size: u64,
    /// The distance of the bytes from its beginning.
    pub(crate) offset: u64,
}

everett_base::portable!(struct ExposedVariable { name, size, offset });

/// A log, by its contents: equal for equal logs, in all states and in every run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct LogId(u64);

everett_base::portable!(struct LogId(value));

/// Data that a path exposes, with the place at which it does.
pub(crate) struct ExposedData {
    pub(crate) state: i64,
    pub(crate) key: String,
    pub(crate) bytes: Vec<ByteValue>,
    pub(crate) program: ProgramId,
    /// The frames, innermost first.
    pub(crate) stack: Vec<Pc>,
    pub(crate) variable: Option<ExposedVariable>,
}

/// All that a node has exposed, newest first.
#[derive(Clone, Default)]
pub(crate) struct Exposures {
    list: List<Arc<Exposure>>,
    count: u32,
    log: LogId,
}

everett_base::portable!(struct Exposures { list, count, log });

impl Exposures {
    /// Adds data that a path exposes in a round.
    pub(crate) fn add(
        &mut self,
        pool: &Pool,
        path: &PathCondition,
        exposed: ExposedData,
        at: Stamp,
    ) {
        let ExposedData { state, key, bytes, program, stack, variable } = exposed;
        let given = known_of(pool, path, &bytes);
        let mut hasher = FixedState.build_hasher();
        (self.log, state, &*key, bytes.len(), given.len(), at).hash(&mut hasher);
        for byte in &bytes {
            match byte {
                ByteValue::Concrete(byte) => (0u8, u64::from(*byte)).hash(&mut hasher),
                ByteValue::Symbolic(term) => (1u8, pool.structural_hash(*term)).hash(&mut hasher),
            }
        }
        given.iter().for_each(|term| pool.structural_hash(*term).hash(&mut hasher));
        self.log = LogId(hasher.finish());
        let (number, log) = (self.count, self.log);
        let new = Exposure { state, key, bytes, given, at, number, log, program, stack, variable };
        self.list.push(Arc::new(new));
        self.count += 1;
    }

    /// Names all of it.
    pub(crate) fn log(&self) -> LogId {
        self.log
    }

    /// All exposures, newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Exposure> {
        self.list.iter().map(|exposure| &**exposure)
    }

    /// The first so many exposures, oldest first.
    pub(crate) fn oldest(&self, count: usize) -> Vec<Arc<Exposure>> {
        let newer = self.list.len() - count;
        let mut all: Vec<Arc<Exposure>> = self.list.iter().skip(newer).cloned().collect();
        all.reverse();
        all
    }
}

/// The constraints of a path that bytes are connected with.
fn known_of(pool: &Pool, path: &PathCondition, bytes: &[ByteValue]) -> Vec<TermId> {
    let symbolic = bytes.iter().filter_map(|byte| match byte {
        ByteValue::Concrete(_) => None,
        ByteValue::Symbolic(term) => Some(*term),
    });
    let support =
        symbolic.fold(Support::default(), |support, term| support.union(pool.support(term)));
    if support.is_empty() { Vec::new() } else { path.connected(pool, &support) }
}
