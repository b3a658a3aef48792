//! The properties of an object besides its bytes.

use everett_base::define_id;

define_id!(
    /// A place in the program, opaque here: where an object was allocated or freed.
    pub struct Site, "s"
);

define_id!(
    /// The name of an object, opaque here: a global's name or a local variable's.
    pub struct NameId, "name"
);

impl Site {
    /// No place in the program: the object was there from the start.
    pub const NONE: Site = Site(u32::MAX);
}

impl NameId {
    /// An object without a name.
    pub const NONE: NameId = NameId(u32::MAX);
}

/// The owner of an object, which decides how its life ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A global variable; lives as long as the process.
    Global,
    /// Memory that the program frees.
    Heap,
    /// A variable of a function; ends when the function returns.
    Stack,
    /// Provided by the environment (arguments, thread descriptors); lives as long as the process.
    External,
}

impl Kind {
    /// The adjective that messages use.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Global => "global",
            Kind::Heap => "heap",
            Kind::Stack => "stack",
            Kind::External => "external",
        }
    }
}

/// An object's properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    /// Bytes.
    pub size: u64,
    /// The place of its allocation.
    pub site: Site,
    /// Its name, or [`NameId::NONE`].
    pub name: NameId,
    /// Its owner.
    pub kind: Kind,
    /// True if writing to it is a fault.
    pub constant: bool,
    /// Tells whether parts of it have rights of their own.
    pub guarded: Guarded,
    /// The content of a byte that was never written.
    pub(crate) fill: u8,
}

/// Tells whether parts of an object have rights of their own.
///
/// As wide as this, so that the compiler does not load it together with its neighbours: right after
/// an object was made, that would wait for the separate stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum Guarded {
    /// Everything can be read and written, unless the object is constant.
    No,
    /// [`AddressSpace::parts`](crate::AddressSpace::parts) tells.
    Yes,
    /// The same, and another object may have the same bytes.
    Twin,
}

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
    pub freed: Site,
}

/// A request for a new object.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Bytes; none is allowed and gives an address of its own.
    pub size: u64,
    /// A power of two that the address is a multiple of; less than 16 counts as 16.
    pub align: u64,
    /// The owner of the object.
    pub kind: Kind,
    /// The place of the allocation.
    pub site: Site,
    /// The name of the object.
    pub name: NameId,
    /// True if all bytes are zero at first; if not, the configuration says what they are.
    pub zeroed: bool,
}

impl Request {
    /// An unnamed object of the usual alignment; globals and external objects are zeroed.
    pub fn new(size: u64, kind: Kind, site: Site) -> Request {
        let zeroed = matches!(kind, Kind::Global | Kind::External);
        Request { size, align: 16, kind, site, name: NameId::NONE, zeroed }
    }

    /// The same with a name.
    pub fn named(self, name: NameId) -> Request {
        Request { name, ..self }
    }

    /// The same with an alignment.
    pub fn aligned(self, align: u64) -> Request {
        Request { align, ..self }
    }

    /// The same with zeroed bytes.
    pub fn zeroed(self) -> Request {
        Request { zeroed: true, ..self }
    }
}
