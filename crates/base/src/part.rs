//! Values as bytes, and back, with everything that they share: [`Portable`].
//!
//! A part of a set of worlds is written by one [`PartWriter`] and read by one [`PartReader`]. Both pass
//! through the same values in the same order, so most values need no name. Three sorts of values do:
//!
//! * A part that several values share is written once and has a number from then on. It is shared again
//!   after reading.
//! * An id of a table that is not part of the values, such as a term, is written as its number in the order
//!   in which such ids are met ([`PartWriter::reference`]). The owner of the table writes a section of its
//!   own for the ids that were met.
//! * Data that the whole run has in common is not written. Both sides are given it as a *handle*.
//!
//! Reading is bounded: whatever the bytes are, it allocates in proportion to their number, does not recurse
//! deeper than types are nested, and ends with a [`PartError`] instead of a panic.
//!
//! The macro [`portable!`](crate::portable) implements the trait for structs and enums.
//! [`file`] puts the sections of a part into one file.

mod containers;
pub mod file;
mod numbers;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

pub use reader::{PartError, PartReader};
pub use writer::PartWriter;

/// A value that can be written as bytes and read again.
///
/// `write` borrows the value for as long as the writer lives, since shared parts are known by their
/// addresses: a temporary value, whose address another one may get, does not compile.
pub trait Portable: Sized {
    /// Writes the value.
    fn write<'a>(&'a self, to: &mut PartWriter<'a>);

    /// Reads what [`Portable::write`] has written.
    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError>;
}

/// Implements [`Portable`](crate::part::Portable) for structs and enums, beside their definitions.
///
/// Each field is named, so that a new one does not compile before it is decided about. The variants of an
/// enum have numbers, which are part of the format. Type parameters, with their bounds, come first.
///
/// ```
/// use everett_base::portable;
///
/// struct Point { x: u32, y: u32 }
/// portable!(struct Point { x, y });
///
/// struct Name(String);
/// portable!(struct Name(name));
///
/// enum Shape<T> { Nothing, Circle(T, u32), Line { from: T, to: T } }
/// portable!([T: everett_base::part::Portable] enum Shape<T> {
///     0 = Nothing,
///     1 = Circle(at, radius),
///     2 = Line { from, to },
/// });
/// ```
#[macro_export]
macro_rules! portable {
    ($([$($bounds:tt)*])? struct $name:ident $(<$($param:ident),*>)? { $($field:ident),* $(,)? }) => {
        impl $(<$($bounds)*>)? $crate::part::Portable for $name $(<$($param),*>)? {
            fn write<'a>(&'a self, to: &mut $crate::part::PartWriter<'a>) {
                let $name { $($field),* } = self;
                $($crate::part::Portable::write($field, to);)*
            }

            fn read(
                from: &mut $crate::part::PartReader<'_>,
            ) -> ::core::result::Result<Self, $crate::part::PartError> {
                ::core::result::Result::Ok($name {
                    $($field: $crate::part::Portable::read(from)?),*
                })
            }
        }
    };
    ($([$($bounds:tt)*])? struct $name:ident $(<$($param:ident),*>)? ( $($field:ident),* $(,)? )) => {
        impl $(<$($bounds)*>)? $crate::part::Portable for $name $(<$($param),*>)? {
            fn write<'a>(&'a self, to: &mut $crate::part::PartWriter<'a>) {
                let $name ( $($field),* ) = self;
                $($crate::part::Portable::write($field, to);)*
            }

            fn read(
                from: &mut $crate::part::PartReader<'_>,
            ) -> ::core::result::Result<Self, $crate::part::PartError> {
                $(let $field = $crate::part::Portable::read(from)?;)*
                ::core::result::Result::Ok($name ( $($field),* ))
            }
        }
    };
    ($([$($bounds:tt)*])? enum $name:ident $(<$($param:ident),*>)? {
        $($number:literal = $variant:ident
            $(( $($item:ident),* $(,)? ))? $({ $($field:ident),* $(,)? })?),* $(,)?
    }) => {
        impl $(<$($bounds)*>)? $crate::part::Portable for $name $(<$($param),*>)? {
            fn write<'a>(&'a self, to: &mut $crate::part::PartWriter<'a>) {
                match self {
                    $($name::$variant $(( $($item),* ))? $({ $($field),* })? => {
                        to.number($number);
                        $($($crate::part::Portable::write($item, to);)*)?
                        $($($crate::part::Portable::write($field, to);)*)?
                    })*
                }
            }

            fn read(
                from: &mut $crate::part::PartReader<'_>,
            ) -> ::core::result::Result<Self, $crate::part::PartError> {
                ::core::result::Result::Ok(match from.number()? {
                    $($number => {
                        $($(let $item = $crate::part::Portable::read(from)?;)*)?
                        $($(let $field = $crate::part::Portable::read(from)?;)*)?
                        $name::$variant $(( $($item),* ))? $({ $($field),* })?
                    })*
                    _ => {
                        const EXPECTED: &str =
                            ::core::concat!("a variant of ", ::core::stringify!($name));
                        return ::core::result::Result::Err(from.unexpected(EXPECTED));
                    }
                })
            }
        }
    };
}
