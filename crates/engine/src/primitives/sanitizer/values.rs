//! What a failed check tells of its types and operands.
//!
//! The data of a check begin with its place in the source: a pointer to the file's name, a line and a column.
//! Pointers to descriptions of types come next, then single bytes. A description is two numbers of 16 bits,
//! the kind of the type and its size, and its name. An operand of up to 64 bits is passed as such, and a
//! pointer to a wider one.

use std::fmt;

use everett_expr::TermId;
use everett_interp::Reg;
use everett_memory::ByteValue;

use crate::primitives::call::PrimitiveCall;

/// The bytes of a place in the source, and of a pointer.
const PLACE_BYTES: u64 = 16;
const POINTER_BYTES: u64 = 8;
/// The longest name of a type that is shown.
const NAME_BYTES_MAX: u64 = 256;
/// The kinds of types.
const INTEGER: u16 = 0;
const FLOAT: u16 = 1;
/// The widest operand that is passed as a value.
const INLINE_BITS: u32 = 64;

/// The address of the data of a failed check.
#[derive(Clone, Copy)]
pub(super) struct CheckData(u64);

/// The description of a type.
#[derive(Clone, Debug)]
pub(super) struct CheckedType {
    kind: u16,
    size: u16,
    /// Its name, with quotation marks.
    pub(super) name: String,
}

/// A value with its type, as it may be on the path.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) of: CheckedType,
    bits: u128,
}

impl CheckData {
    pub(super) fn at(address: u64) -> CheckData {
        CheckData(address)
    }

    /// The type that a pointer behind the place describes.
    pub(super) fn type_at(self, call: &mut PrimitiveCall<'_, '_>, index: u64) -> CheckedType {
        self.type_behind(call, PLACE_BYTES + index * POINTER_BYTES)
    }

    /// The type that a pointer behind two places describes.
    pub(super) fn type_behind_two_places(self, call: &mut PrimitiveCall<'_, '_>) -> CheckedType {
        self.type_behind(call, 2 * PLACE_BYTES)
    }

    fn type_behind(self, call: &mut PrimitiveCall<'_, '_>, offset: u64) -> CheckedType {
        let address = read(call, self.0 + offset, POINTER_BYTES) as u64;
        let name = call.cx.example_string(call.st, Reg::word(address + 4));
        let name = name.ok().flatten().unwrap_or_default();
        let shown = &name[..name.len().min(NAME_BYTES_MAX as usize)];
        CheckedType {
            kind: read(call, address, 2) as u16,
            size: read(call, address + 2, 2) as u16,
            name: String::from_utf8_lossy(shown).into_owned(),
        }
    }

    /// An argument of the call that is of the type at an index.
    pub(super) fn operand(
        self,
        call: &mut PrimitiveCall<'_, '_>,
        type_index: u64,
        argument: usize,
    ) -> Operand {
        let of = self.type_at(call, type_index);
        let value = call.cx.example_of(call.st, call.arg(argument));
        let bits = match of.bits() {
            ..=INLINE_BITS => u128::from(value),
            bits => read(call, value, u64::from(bits.min(128)).div_ceil(8)),
        };
        let bits = bits & u128::MAX.checked_shr(128 - of.bits().clamp(1, 128)).unwrap_or(u128::MAX);
        Operand { of, bits }
    }

    /// The alignment that an access needs, and the number of its kind: two bytes behind one type.
    pub(super) fn access(self, call: &mut PrimitiveCall<'_, '_>) -> (u64, usize) {
        let offset = PLACE_BYTES + POINTER_BYTES;
        let alignment_log2 = read(call, self.0 + offset, 1) as u32;
        (1 << (alignment_log2 & 63), read(call, self.0 + offset + 1, 1) as usize)
    }

    /// The number of a built-in function, behind the place.
    pub(super) fn builtin(self, call: &mut PrimitiveCall<'_, '_>) -> u64 {
        read(call, self.0 + PLACE_BYTES, 1) as u64
    }

    /// The width of the bitfield that a value is converted to, behind two types and a number; 0 if it is
    /// none.
    pub(super) fn bitfield_bits(self, call: &mut PrimitiveCall<'_, '_>) -> u32 {
        read(call, self.0 + PLACE_BYTES + 2 * POINTER_BYTES + 4, 4) as u32
    }

    /// The number of an argument, behind two places.
    pub(super) fn argument_number(self, call: &mut PrimitiveCall<'_, '_>) -> u32 {
        read(call, self.0 + 2 * PLACE_BYTES, 4) as u32
    }
}

/// A number of up to 16 bytes in memory, or zero where there is none.
fn read(call: &mut PrimitiveCall<'_, '_>, address: u64, bytes: u64) -> u128 {
    let read = call.st.mem.read_each(call.cx.pool, address, bytes);
    let mut number = 0;
    for (index, byte) in read.unwrap_or_default().into_iter().enumerate() {
        let byte = match byte {
            ByteValue::Concrete(byte) => byte,
            ByteValue::Symbolic(term) => call.cx.example(call.st, term) as u8,
        };
        number |= u128::from(byte) << (8 * index);
    }
    number
}

impl CheckedType {
    /// Its width.
    pub(super) fn bits(&self) -> u32 {
        match self.kind {
            INTEGER => 1 << (self.size >> 1).min(16),
            _ => self.size.into(),
        }
    }

    /// An argument of the call that is an integer of this type, as it was passed; `None` if it was passed in
    /// memory.
    pub(super) fn term(&self, call: &PrimitiveCall<'_, '_>, argument: usize) -> Option<TermId> {
        let is_inline = self.kind == INTEGER && self.bits() <= INLINE_BITS;
        let whole = call.cx.reg_term(call.arg(argument), INLINE_BITS);
        is_inline.then(|| call.cx.pool.extract(whole, 0, self.bits()))
    }

    pub(super) fn is_signed(&self) -> bool {
        self.kind == INTEGER && self.size & 1 != 0
    }
}

impl Operand {
    /// The value of a signed integer.
    pub(super) fn signed(&self) -> Option<i128> {
        let unused = 128 - self.of.bits().clamp(1, 128);
        self.of.is_signed().then_some((self.bits as i128) << unused >> unused)
    }

    /// Returns true if an integer that is not negative is at least as large as a number.
    pub(super) fn is_at_least(&self, number: u32) -> bool {
        !self.is_negative() && self.bits >= number.into()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.signed().is_some_and(|value| value < 0)
    }

    /// The value of a floating-point number, as far as `f64` has it.
    fn float(&self) -> f64 {
        match self.of.bits() {
            32 => f32::from_bits(self.bits as u32).into(),
            64 => f64::from_bits(self.bits as u64),
            _ => {
                // The extended format of x86: 64 bits with the leading one, 15 of exponent, a sign.
                let exponent = (self.bits >> 64) as i32 & 0x7fff;
                let size = self.bits as u64 as f64 * 2f64.powi(exponent - 16383 - 63);
                if self.bits >> 79 & 1 == 1 { -size } else { size }
            }
        }
    }
}

impl fmt::Display for Operand {
    /// As the sanitizer writes it: integers beyond 64 bits in hexadecimal digits, floating-point numbers by
    /// `%Lg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.of.kind, self.signed()) {
            (INTEGER, Some(value)) if i64::try_from(value).is_ok() => write!(f, "{value}"),
            (INTEGER, None) if u64::try_from(self.bits).is_ok() => write!(f, "{}", self.bits),
            (INTEGER, value) => {
                write!(f, "{:#034x}", value.map_or(self.bits, |value| value as u128))
            }
            (FLOAT, _) => f.write_str(&general(self.float())),
            _ => f.write_str("<unknown>"),
        }
    }
}

/// A number as `%g` writes it: six digits, without zeros at the end.
fn general(number: f64) -> String {
    const DIGITS: i32 = 6;
    if !number.is_finite() {
        let sign = if number.is_sign_negative() { "-" } else { "" };
        return format!("{sign}{}", if number.is_nan() { "nan" } else { "inf" });
    }
    let rounded = format!("{number:.*e}", DIGITS as usize - 1);
    let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let shorten = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..DIGITS).contains(&exponent) {
        return shorten(&format!("{number:.*}", (DIGITS - 1 - exponent) as usize));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", shorten(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_does() {
        let numbers = [
            (0.0, "0"),
            (1e20, "1e+20"),
            (-2.5, "-2.5"),
            (123_456_789.0, "1.23457e+08"),
            (0.0001, "0.0001"),
            (0.000_012_34, "1.234e-05"),
            (999_999.6, "1e+06"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ];
        for (number, text) in numbers {
            assert_eq!(general(number), text);
        }
    }

    #[test]
    fn operands_have_the_sign_of_their_type() {
        let operand = |size, bits| Operand {
            of: CheckedType { kind: INTEGER, size, name: "'x'".to_owned() },
            bits,
        };
        assert_eq!(operand(5 << 1 | 1, 0xffff_ffff).to_string(), "-1");
        assert_eq!(operand(5 << 1, 0xffff_ffff).to_string(), "4294967295");
        let wide = "0x40000000000000000000000000000000";
        assert_eq!(operand(7 << 1 | 1, 1 << 126).to_string(), wide);
        assert_eq!(operand(7 << 1 | 1, u128::MAX).to_string(), "-1");
        let extended = Operand {
            of: CheckedType { kind: FLOAT, size: 80, name: "'long double'".to_owned() },
            bits: 16383 << 64 | 3 << 62,
        };
        assert_eq!(extended.to_string(), "1.5");
    }
}
