//! Counters of the chain: the questions that each layer settled, and the cost of the backends.

use std::time::Duration;

use everett_base::part::{PartError, PartReader, PartWriter, Portable};

/// The names that counters have, for reading them.
const NAMES: [&str; 6] =
    ["bitblast", "boolector", "brute", "checking", super::ENUMERATION, super::SAMPLING];

/// Counters of a [`SolverChain`](crate::SolverChain); plain data.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct SolverStats {
    /// Questions asked: may this term hold on this path?
    pub questions: u64,
    /// Settled because the term is constant, or all its bytes are fixed by equalities.
    pub by_constant: u64,
    /// Settled by the path's own model.
    pub by_path_model: u64,
    /// Settled by comparisons with constants.
    pub by_ranges: u64,
    /// Found in the cache of whole queries.
    pub by_exact_cache: u64,
    /// Refuted by a known unsatisfiable core.
    pub by_core: u64,
    /// Satisfied by a model found lately.
    pub by_recent_model: u64,
    /// Settled by trying all values of the one byte concerned.
    pub by_enumeration: u64,
    /// Constraints in all slices, of all that the paths had.
    pub sliced_constraints: u64,
    /// Constraints that the paths had, summed over the questions that were sliced.
    pub path_constraints: u64,
    /// The queries that reached each backend.
    pub backends: Vec<BackendStats>,
}

/// Counters of one backend.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct BackendStats {
    /// The backend's name.
    pub name: &'static str,
    /// Queries that were satisfiable.
    pub sat: u64,
    /// Queries that were not.
    pub unsat: u64,
    /// Queries that used up their budget.
    pub unknown: u64,
    /// Time spent, by the embedder's clock.
    pub time: Duration,
    /// The longest query.
    pub time_max: Duration,
}

everett_base::portable!(struct SolverStats {
    questions, by_constant, by_path_model, by_ranges, by_exact_cache, by_core, by_recent_model,
    by_enumeration, sliced_constraints, path_constraints, backends,
});

impl Portable for BackendStats {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let BackendStats { name, sat, unsat, unknown, time, time_max } = self;
        to.byte_string(name.as_bytes());
        [sat, unsat, unknown].into_iter().for_each(|count| count.write(to));
        [time, time_max].into_iter().for_each(|time| time.write(to));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        let name = from.byte_string()?;
        let name = NAMES.into_iter().find(|known| known.as_bytes() == name);
        let name = name.ok_or_else(|| from.unexpected("the name of a backend"))?;
        let [sat, unsat, unknown] = Portable::read(from)?;
        let [time, time_max] = Portable::read(from)?;
        Ok(BackendStats { name, sat, unsat, unknown, time, time_max })
    }
}

impl SolverStats {
    /// Queries that reached a backend.
    pub fn backend_queries(&self) -> u64 {
        self.backends.iter().map(|backend| backend.sat + backend.unsat + backend.unknown).sum()
    }

    /// Time spent in backends.
    pub fn backend_time(&self) -> Duration {
        self.backends.iter().map(|backend| backend.time).sum()
    }

    /// Adds the counters of another chain, for a sum over workers.
    pub fn add(&mut self, other: &SolverStats) {
        let SolverStats {
            questions,
            by_constant,
            by_path_model,
            by_ranges,
            by_exact_cache,
            by_core,
            by_recent_model,
            by_enumeration,
            sliced_constraints,
            path_constraints,
            backends,
        } = other;
        self.questions += questions;
        self.by_constant += by_constant;
        self.by_path_model += by_path_model;
        self.by_ranges += by_ranges;
        self.by_exact_cache += by_exact_cache;
        self.by_core += by_core;
        self.by_recent_model += by_recent_model;
        self.by_enumeration += by_enumeration;
        self.sliced_constraints += sliced_constraints;
        self.path_constraints += path_constraints;
        for backend in backends {
            self.backend(backend.name).add(backend);
        }
    }

    /// The counters of the backend with this name.
    pub(crate) fn backend(&mut self, name: &'static str) -> &mut BackendStats {
        let at = self.backends.iter().position(|backend| backend.name == name);
        let at = at.unwrap_or_else(|| {
            self.backends.push(BackendStats { name, ..BackendStats::default() });
            self.backends.len() - 1
        });
        &mut self.backends[at]
    }
}

impl BackendStats {
    fn add(&mut self, other: &BackendStats) {
        let BackendStats { name: _, sat, unsat, unknown, time, time_max } = other;
        self.sat += sat;
        self.unsat += unsat;
        self.unknown += unknown;
        self.time += *time;
        self.time_max = self.time_max.max(*time_max);
    }
}
