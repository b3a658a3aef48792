//! Decides constraints: what a path assumed, whether it can go on, and with which input.
//!
//! A [`PathCondition`] belongs to one path: it is cloned when the path forks, and carries a model, so
//! that most questions need no solver. What is left goes to a [`SolverChain`], one a worker: layers
//! of caches and shortcuts over a [`Backend`]. There are two real backends, [`Bitblast`] (ours,
//! over the SAT solver CaDiCaL) and [`Boolector`]; [`BruteForce`] and [`CheckingBackend`] serve tests.
//!
//! ```
//! use everett_expr::Pool;
//! use everett_solver::{BranchFeasibility, ChainOptions, MonotonicClock, PathCondition, SolverChain};
//!
//! let pool = Pool::new();
//! let byte = pool.byte(pool.symbol("input", 1), 0);
//! let mut chain = SolverChain::new(ChainOptions::default(), MonotonicClock::stopped());
//! let mut path = PathCondition::new();
//! let small = pool.ult(byte, pool.constant(8, 10));
//! let BranchFeasibility::Both { then, .. } = path.branch(&mut chain, &pool, small)? else { panic!() };
//! path.assume_side(&pool, small, then);
//! assert!(path.is_always(&mut chain, &pool, pool.ult(byte, pool.constant(8, 11)))?);
//! assert_eq!(path.max_value(&mut chain, &pool, byte)?.low_u64(), 9);
//! # Ok::<(), everett_solver::SolverError>(())
//! ```
//!
//! Not here: terms and their simplification (`everett-expr`); choosing a side (`everett-interp` and
//! above). Nothing reads the host's clock except Boolector's own time-out.
#![forbid(unsafe_code)]

mod backend;
mod budget;
mod chain;
mod compiled;
mod error;
mod model;
mod path;
#[cfg(test)]
#[path = "../tests/support/terms.rs"]
mod terms;

pub use self::backend::{
    Backend, Bitblast, Boolector, BruteForce, CheckingBackend, ResetPolicy, SolverAnswer,
};
pub use self::budget::{MonotonicClock, QueryBudget};
pub use self::chain::{
    BackendChoice, BackendStats, ChainOptions, SharedAnswers, SolverChain, SolverStats,
};
pub use self::error::SolverError;
pub use self::model::{Model, PersistentModel};
pub use self::path::{BranchFeasibility, BranchWitness, CountedUse, PathCondition, UndefinedUses};
