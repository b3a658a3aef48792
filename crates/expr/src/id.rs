//! The ids of this crate: small integers that are valid for the one [`Pool`](crate::Pool) they came from.

use std::fmt;
use std::num::NonZeroU32;

/// A bit-vector term. Two ids of one pool are equal exactly when the terms are structurally equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(NonZeroU32);

impl TermId {
    pub(crate) fn from_index(index: usize) -> Self {
        let raw = u32::try_from(index).expect("a pool holds fewer than 2^32 terms");
        assert_ne!(raw, u32::MAX, "a pool holds fewer than 2^32 terms");
        TermId(NonZeroU32::new(raw).expect("term 0 is the placeholder and has no id"))
    }

    pub(crate) fn from_raw(raw: u32) -> Self {
        TermId(NonZeroU32::new(raw).expect("operands are valid terms"))
    }

    /// The number of a term, never 0 and never `u32::MAX`: for tables that pack terms with marks of
    /// their own.
    #[inline(always)]
    pub const fn raw(self) -> u32 {
        self.0.get()
    }

    /// The term of a number that [`TermId::raw`] gave; `None` for 0.
    #[inline(always)]
    pub const fn unpack(raw: u32) -> Option<Self> {
        match NonZeroU32::new(raw) {
            Some(raw) => Some(TermId(raw)),
            None => None,
        }
    }

    /// A dense index from 1, for side tables.
    pub fn index(self) -> usize {
        self.0.get() as usize
    }
}

impl fmt::Display for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

macro_rules! small_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn from_usize(index: usize) -> Self {
                $name(u32::try_from(index).expect("ids of a pool fit 32 bits"))
            }

            /// A dense index from 0, for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

small_id! {
    /// An array-sorted term: a map from 64-bit indices to bytes.
    ArrayId, "a"
}
small_id! {
    /// A named sequence of symbolic bytes.
    SymbolId, "s"
}
small_id! {
    /// One symbolic byte. Dense over the pool; the bytes of a symbol are consecutive.
    VarId, "v"
}

impl VarId {
    /// The variable with this index.
    pub fn from_index(index: usize) -> Self {
        Self::from_usize(index)
    }
}
