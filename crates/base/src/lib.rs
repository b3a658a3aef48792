//! Building blocks that know no domain word: identifiers, persistent collections, hashing, randomness,
//! interruption.
//!
//! * [`define_id!`] makes newtype identifiers that print with a letter (`f3`).
//! * [`RadixMap`] is a map whose clone is O(1) and whose copies cost one path: branching a state
//!   clones maps.
//! * [`List`] is a persistent list, for histories that grow at one end.
//! * [`Apart`] gives a value copies of what it shares, before another thread works on it.
//! * [`part`] writes values as bytes and reads them again, with what they share.
//! * [`Rng`] is the one source of randomness; a seed gives the same numbers for ever.
//! * [`Stamp`] is a moment of virtual time.
//! * [`Interrupt`] is the wish that a run ends, which everything that takes long looks at.
//! * [`Map`] and [`Set`] are hash tables that behave the same in every run.
//!
//! ```
//! use everett_base::RadixMap;
//!
//! let mut parent = RadixMap::new();
//! parent.insert(7, "seven");
//! let mut child = parent.clone();
//! child.insert(7, "changed");
//! assert_eq!(parent.get(7), Some(&"seven"));
//! assert_eq!(child.get(7), Some(&"changed"));
//! ```

#![forbid(unsafe_code)]

extern crate self as everett_base;

mod apart;
mod float_kind;
pub mod hash;
mod id;
pub mod interrupt;
pub mod part;
pub mod plist;
pub mod pmap;
pub mod rng;
mod stamp;

pub use apart::{Apart, Copies};
pub use float_kind::FloatKind;
pub use hash::{FixedState, Map, Set};
pub use interrupt::Interrupt;
pub use plist::List;
pub use pmap::RadixMap;
pub use rng::Rng;
pub use stamp::{NextWake, Stamp};

#[doc(hidden)]
pub use serde as __serde;
