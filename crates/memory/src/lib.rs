//! Copy-on-write address space of one simulated process.
//!
//! [`AddressSpace`] holds objects (globals, heap blocks, stack variables) whose bytes are concrete,
//! or pieces of terms, or elements of an array that was written at a symbolic offset. Cloning it is
//! O(1): that is what makes branching cheap. An address tells by arithmetic which object it belongs
//! to, addresses are not used again while others are left, and objects lie far apart, so an access
//! out of bounds or after the end of an object's life is found exactly ([`MemoryFault`]).
//!
//! Concrete accesses go through a small write-back cache of pages (`cache.rs`); everything else
//! through the trees behind it.
//!
//! ```
//! use everett_memory::{AddressSpace, MemoryConfig, ObjectKind, SiteId};
//!
//! let mut parent = AddressSpace::new(MemoryConfig::default());
//! let address = parent.alloc(40, 16, ObjectKind::Heap, SiteId(7))?;
//! assert!(parent.store_concrete(address, 4, 1));
//! let mut child = parent.fork();
//! assert!(child.store_concrete(address, 4, 2));
//! assert_eq!(parent.load_concrete(address, 4), Some(1));
//! let fault = child.check(address + 40, 4).unwrap_err();
//! assert_eq!(fault.to_string(), "4 bytes at the end of a heap object of 40 bytes");
//! # Ok::<(), everett_memory::AllocError>(())
//! ```
//!
//! Not here: forking on symbolic pointers (`interp`), which objects have leaked (`engine`).
//! Invariant: no two live objects overlap.

#![forbid(unsafe_code)]

mod access;
mod array;
mod cache;
mod error;
pub mod layout;
mod object;
mod page;
mod space;
mod sparse;
mod undefined;

#[cfg(test)]
mod tests;

pub use access::bulk::overlap;
pub use access::search::{ObjectPosition, SearchResult};
pub use access::symbolic::{ByteValue, ReadValue};
pub use array::ArrayTooLarge;
pub use cache::PageCache;
pub use error::{AllocError, MemoryFault};
pub use layout::{code_address, code_index, library_address, library_slot};
pub use object::{
    AllocRequest, GuardState, ObjRef, Object, ObjectKind, ObjectNameId, SiteId, Tombstone,
};
pub use space::guard::{AccessRights, GUARD_BYTES, MemorySnapshot};
pub use space::{AddressResolution, AddressSpace, MemoryConfig};
pub use undefined::UndefinedByte;
