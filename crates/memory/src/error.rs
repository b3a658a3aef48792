//! Errors of memory: faults are the program's, allocation errors are limits of the address space.

use crate::object::{ObjRef, ObjectKind, Tombstone};
use crate::space::guard::AccessRights;

/// A wrong use of memory by the program. It is an outcome of the path, not a failure of the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemoryFault {
    /// An access to the null page.
    #[error("{bytes} bytes at address {address:#x}, in the null page")]
    Null {
        /// The address used.
        address: u64,
        /// The number of bytes that were to be accessed.
        bytes: u64,
    },
    /// An access to an address where there never was an object.
    #[error("{bytes} bytes at address {address:#x}, where no object ever was")]
    Unmapped {
        /// The address used.
        address: u64,
        /// The number of bytes that were to be accessed.
        bytes: u64,
    },
    /// An access to the bytes of a function.
    #[error("{bytes} bytes at address {address:#x}, which is code")]
    Code {
        /// The address used.
        address: u64,
        /// The number of bytes that were to be accessed.
        bytes: u64,
    },
    /// An access that is not wholly inside the object it is nearest to.
    #[error("{} of {}", place(*address, *bytes, object), what(object))]
    OutOfBounds {
        /// The address used.
        address: u64,
        /// The number of bytes that were to be accessed.
        bytes: u64,
        /// The object that is nearest.
        object: ObjRef,
    },
    /// An access to an object whose life has ended.
    #[error("{bytes} bytes at address {address:#x}, {}", life(tombstone))]
    Freed {
        /// The address used.
        address: u64,
        /// The number of bytes that were to be accessed.
        bytes: u64,
        /// The kind of the object.
        kind: ObjectKind,
        /// The object, unless too much was freed since.
        tombstone: Option<Tombstone>,
    },
    /// A write to an object that is constant.
    #[error("{bytes} bytes at offset {} of a constant{}", address - object.base, &what(object)[1..])]
    ReadOnly {
        /// The address used.
        address: u64,
        /// The number of bytes that were to be written.
        bytes: u64,
        /// The constant object.
        object: ObjRef,
    },
    /// An access to a part of an object that does not allow it.
    #[error("{bytes} bytes at address {address:#x}, in {}", rights.describe())]
    Protected {
        /// The address used.
        address: u64,
        /// The number of bytes that were to be accessed.
        bytes: u64,
        /// The object.
        object: ObjRef,
        /// The rights of the first part that does not allow the access.
        rights: AccessRights,
    },
    /// A second free of the same object.
    #[error("address {address:#x} freed again, {}", life(tombstone))]
    DoubleFree {
        /// The address given to `free`.
        address: u64,
        /// The object, unless too much was freed since.
        tombstone: Option<Tombstone>,
    },
    /// A free of an object that is not on the heap.
    #[error("free of a {} object of {} bytes", object.object.kind.name(), object.object.size)]
    FreeNotHeap {
        /// The address given to `free`.
        address: u64,
        /// The object there.
        object: ObjRef,
    },
    /// A free of an address that is not the start of an object.
    #[error("free of an address {}", offset_text(*address, object))]
    FreeInterior {
        /// The address given to `free`.
        address: u64,
        /// The object that is nearest.
        object: ObjRef,
    },
    /// A free of an address where there never was an object.
    #[error("free of address {address:#x}, where no object ever was")]
    FreeUnmapped {
        /// The address given to `free`.
        address: u64,
    },
}

/// An allocation that the address space has no room for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AllocError {
    /// The object or its alignment is larger than any slot.
    #[error("no object can have {size} bytes aligned to {align}")]
    TooLarge {
        /// The size asked for.
        size: u64,
        /// The alignment asked for.
        align: u64,
    },
    /// No object can be placed at that fixed address.
    #[error(
        "no object of {size} bytes can be placed at {address:#x}: a fixed address is a multiple of \
         256, from 4096 to 2^42, and free"
    )]
    NotThere {
        /// The address asked for.
        address: u64,
        /// The size asked for.
        size: u64,
    },
    /// All slots of that size hold live objects.
    #[error("no free slot is left for an object of {size} bytes")]
    Exhausted {
        /// The size asked for.
        size: u64,
    },
}

fn what(object: &ObjRef) -> String {
    format!("a {} object of {} bytes", object.object.kind.name(), object.object.size)
}

fn place(address: u64, bytes: u64, object: &ObjRef) -> String {
    if address < object.base {
        format!("{bytes} bytes at {} bytes before the start", object.base - address)
    } else if address == object.end() {
        format!("{bytes} bytes at the end")
    } else if address > object.end() {
        format!("{bytes} bytes at {} bytes past the end", address - object.end())
    } else {
        format!("{bytes} bytes at offset {}", address - object.base)
    }
}

fn offset_text(address: u64, object: &ObjRef) -> String {
    let (kind, size) = (object.object.kind.name(), object.object.size);
    if address < object.base {
        format!(
            "{} bytes before the start of a {kind} object of {size} bytes",
            object.base - address
        )
    } else {
        format!("at offset {} of a {kind} object of {size} bytes", address - object.base)
    }
}

fn life(tombstone: &Option<Tombstone>) -> String {
    match tombstone {
        Some(Tombstone { base: _, object, freed: _ }) => {
            format!("in a {} object of {} bytes that was freed", object.kind.name(), object.size)
        }
        None => "in an object that was freed long ago".to_owned(),
    }
}
