//! Newtype identifiers over `u32`.
//!
//! Identifiers are indices into tables that are filled in a fixed order; they are never addresses
//! and never bare integers, so that one kind cannot be passed for another.

/// Defines an identifier: a `Copy` newtype over `u32` that prints as a letter and its number, and that is
/// written as its number into parts.
///
/// ```
/// everett_base::define_id!(
///     /// A function of the program.
///     pub struct FuncId, "f"
/// );
/// let id = FuncId::from_index(3);
/// assert_eq!(id.to_string(), "f3");
/// assert_eq!(id.index(), 3);
/// ```
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident, $prefix:literal $(;)?) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            $crate::__serde::Serialize, $crate::__serde::Deserialize,
        )]
        #[serde(crate = "everett_base::__serde", transparent)]
        $vis struct $name(pub u32);

        impl $name {
            /// The identifier with this number; panics beyond `u32::MAX`.
            #[inline]
            #[allow(dead_code)]
            $vis fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("identifiers are 32 bits wide"))
            }

            /// The number, as an index into the table that holds what is identified.
            #[inline]
            #[allow(dead_code)]
            $vis const fn index(self) -> usize {
                self.0 as usize
            }
        }

        $crate::portable!(struct $name(number));

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, ::core::concat!($prefix, "{}"), self.0)
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    define_id!(
        /// An example.
        pub(crate) struct ExampleId, "x"
    );

    #[test]
    fn prints_with_its_letter() {
        let id = ExampleId::from_index(17);
        assert_eq!(format!("{id} {id:?}"), "x17 x17");
        assert_eq!(id.index(), 17);
    }

    #[test]
    fn serialises_as_a_bare_number() {
        let text = serde_json::to_string(&ExampleId(4)).unwrap();
        assert_eq!(text, "4");
        assert_eq!(serde_json::from_str::<ExampleId>(&text).unwrap(), ExampleId(4));
    }

    #[test]
    #[should_panic(expected = "32 bits wide")]
    fn rejects_an_index_beyond_32_bits() {
        let _ = ExampleId::from_index(1 << 32);
    }
}
