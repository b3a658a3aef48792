//! Bit-vector and array terms: what symbolic execution knows about a value.
//!
//! A [`Pool`] owns every term. Building a term that exists gives the same [`TermId`], so equal
//! structure is one integer comparison, and every constructor simplifies first ([`rules`] documents
//! each rewrite). The leaves are constants and [`VarId`]s, the bytes of named symbols.
//!
//! - [`BitVec`]: a concrete value of any width, and the arithmetic that defines what terms mean.
//! - [`TermNode`]: the view that walkers over terms match on.
//! - [`Support`]: the bytes that a term depends on;
//! - [`KnownBits`] and [`UnsignedRange`]: facts about its value.
//! - [`TermTable`]: terms as bytes, and back;
//! - [`Assignment`] and [`TermEvaluator`]: the value of a term once every byte has one.
//!
//! Semantics are SMT-LIB's, total in every operation: `x udiv 0` is all ones, `x urem 0` is `x`, a shift
//! by the width or more gives zeros (or copies of the sign). Booleans are terms of width 1.
//!
//! ```
//! use everett_expr::{Pool, VarId};
//!
//! let pool = Pool::new();
//! let symbol = pool.symbol("input", 2);
//! let byte = pool.byte(symbol, 0);
//! let sum = pool.add(pool.zext(byte, 32), pool.constant(32, 1));
//! assert_eq!(pool.sub(sum, pool.constant(32, 1)), pool.zext(byte, 32));
//! assert_eq!(pool.eval_u64(sum, &|_: VarId| 41), 42);
//! ```
//!
//! Not here: deciding satisfiability (`solver`), memory objects (`memory`).
//! Invariant: the structure of a term never depends on the order in which threads created terms.
#![forbid(unsafe_code)]

mod bitvec;
mod derived;
mod eval;
mod facts;
mod float;
pub mod fuzzing;
mod id;
mod node;
mod op;
mod pool;
mod portable;
pub mod rules;
mod subst;
mod text;

pub use bitvec::BitVec;
pub use eval::{Assignment, TermEvaluator};
pub use facts::{KnownBits, UnsignedRange};
pub use float::{FloatOp, IntegerRounding};
pub use id::{ArrayId, SymbolId, TermId, VarId};
pub use node::TermNode;
pub use op::{BinOp, UnOp};
pub use pool::Pool;
pub use pool::array::ArrayNode;
pub use pool::support::Support;
pub use portable::TermTable;
pub use text::display::TermDisplay;

/// The widest bit vector a term may have.
pub const MAX_WIDTH: u32 = 65_536;
