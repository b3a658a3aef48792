//! Accesses to objects: reads and writes of concrete and symbolic values, whole ranges, and searches.
//!
//! Not here: which object an address belongs to (`space`), and how its bytes are kept (`page`, `array`).

pub(crate) mod bulk;
pub(crate) mod concrete;
pub(crate) mod scan;
pub(crate) mod search;
pub(crate) mod symbolic;
