//! The properties of an object besides its bytes.

use everett_base::define_id;

define_id!(
    /// A place in the program, opaque here: where an object was allocated or freed.
    pub struct SiteId, "s"
);

define_id!(
    /// The name of an object, opaque here: a global's name or a local variable's.
    pub struct ObjectNameId, "name"
);

impl SiteId {
    /// No place in the program: the object was there from the start.
    pub const NONE: SiteId = SiteId(u32::MAX);
}

impl ObjectNameId {
    /// An object without a name.
    pub const NONE: ObjectNameId = ObjectNameId(u32::MAX);
}

/// The owner of an object, which decides how its life ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    /// A global variable; lives as long as the process.
    Global,
    /// Memory that the program frees.
    Heap,
    /// A variable of a function; ends when the function returns.
    Stack,
    /// Provided by the environment (arguments, thread descriptors); lives as long as the process.
    External,
}

everett_base::portable!(enum ObjectKind { 0 = Global, 1 = Heap, 2 = Stack, 3 = External });

impl ObjectKind {
    /// The adjective that messages use.
    pub fn name(self) -> &'static str {
        match self {
            ObjectKind::Global => "global",
            ObjectKind::Heap => "heap",
            ObjectKind::Stack => "stack",
            ObjectKind::External => "external",
        }
    }
}

/// An object's properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Bytes.
    pub size: u64,
    /// The place of its allocation.
    pub site: SiteId,
    /// Its name, or [`ObjectNameId::NONE`].
    pub name: ObjectNameId,
    /// Its owner.
    pub kind: ObjectKind,
    /// True if writing to it is a fault.
    pub constant: bool,
    /// Its protection: whether parts of it have rights of their own.
    pub guarded: GuardState,
    /// The content of a byte that was never written.
    pub(crate) fill: u8,
    /// True if reading a byte that was never written gives a term over an undefined symbol.
    pub(crate) undefined: bool,
}

everett_base::portable!(struct Object {
    size, site, name, kind, constant, guarded, fill, undefined,
});

/// The protection of an object: whether parts of it have access rights of their own.
///
/// Four bytes wide on purpose. The compiler would load a narrower field together with its neighbours,
/// and right after an object was made, such a load has to wait until all the separate stores are done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum GuardState {
    /// Everything can be read and written, unless the object is constant.
    Unguarded,
    /// The rights of each part are in [`AddressSpace::parts`](crate::AddressSpace::parts).
    Guarded,
    /// The same as `Guarded`, and another object may have the same bytes (see `space/alias.rs`).
    Aliased,
}

everett_base::portable!(enum GuardState { 0 = Unguarded, 1 = Guarded, 2 = Aliased });

/// A live object and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObjRef {
    /// The address of its first byte.
    pub base: u64,
    /// Its properties.
    pub object: Object,
}

impl ObjRef {
    /// The address after its last byte.
    pub fn end(&self) -> u64 {
        self.base + self.object.size
    }

    /// Returns `true` if all of `bytes` bytes at `address` are inside.
    #[inline]
    pub fn contains(&self, address: u64, bytes: u64) -> bool {
        let offset = address.wrapping_sub(self.base);
        offset <= self.object.size && bytes <= self.object.size - offset
    }

    /// Returns the distance of the object from an address: 0 inside and directly behind it.
    pub fn distance(&self, address: u64) -> u64 {
        if address < self.base { self.base - address } else { address.saturating_sub(self.end()) }
    }
}

/// An object whose life has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tombstone {
    /// The address of its first byte.
    pub base: u64,
    /// Its properties while it lived.
    pub object: Object,
    /// The place where it was freed, or the return that ended it.
    pub freed: SiteId,
}

everett_base::portable!(struct Tombstone { base, object, freed });

/// A request for a new object.
#[derive(Clone, Copy, Debug)]
pub struct AllocRequest {
    /// Bytes; none is allowed and gives an address of its own.
    pub size: u64,
    /// A power of two that the address is a multiple of; less than 16 counts as 16.
    pub align: u64,
    /// The owner of the object.
    pub kind: ObjectKind,
    /// The place of the allocation.
    pub site: SiteId,
    /// The name of the object.
    pub name: ObjectNameId,
    /// True if all bytes are zero at first; if not, the configuration says what they are.
    pub zeroed: bool,
    /// True if a program must write a byte before it uses it. It makes a difference only where
    /// [`MemoryConfig::undefined`](crate::MemoryConfig) is set.
    pub undefined: bool,
}

impl AllocRequest {
    /// An unnamed object of the usual alignment; globals and external objects are zeroed.
    pub fn new(size: u64, kind: ObjectKind, site: SiteId) -> AllocRequest {
        let zeroed = matches!(kind, ObjectKind::Global | ObjectKind::External);
        let name = ObjectNameId::NONE;
        AllocRequest { size, align: 16, kind, site, name, zeroed, undefined: false }
    }

    /// The same with a name.
    pub fn named(self, name: ObjectNameId) -> AllocRequest {
        AllocRequest { name, ..self }
    }

    /// The same with an alignment.
    pub fn aligned(self, align: u64) -> AllocRequest {
        AllocRequest { align, ..self }
    }

    /// The same with zeroed bytes.
    pub fn zeroed(self) -> AllocRequest {
        AllocRequest { zeroed: true, ..self }
    }

    /// The same with bytes that must be written before they are used.
    pub fn undefined(self) -> AllocRequest {
        AllocRequest { undefined: true, ..self }
    }
}
