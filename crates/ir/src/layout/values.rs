//! Bytes of a variable in the words of its type: numbers, strings, fields.
//!
//! Variables are known by their name and their size. Where several of a program that have both are of
//! different types, nothing is said.

use std::ops::Range;

use super::structs::{ScalarKind, StructField, StructTable};

/// Elements of an array, and fields of a struct, that are shown.
const PARTS_MAX: usize = 32;
/// Characters of a value, about: what comes behind them is left out.
const CHARS_MAX: usize = 400;

/// The bytes of a variable that are known.
struct KnownBytes<'b> {
    /// The distance of the first of them from the beginning of the variable.
    offset: u64,
    bytes: &'b [u8],
}

impl KnownBytes<'_> {
    fn bits(&self) -> Range<u64> {
        8 * self.offset..8 * (self.offset + self.bytes.len() as u64)
    }

    fn has(&self, bits: &Range<u64>) -> bool {
        self.bits().start <= bits.start && bits.end <= self.bits().end && !bits.is_empty()
    }

    fn meets(&self, bits: &Range<u64>) -> bool {
        self.bits().start < bits.end && bits.start < self.bits().end
    }

    /// A number of at most 64 bits, the lowest byte first.
    fn number(&self, bits: &Range<u64>) -> Option<u64> {
        let width = bits.end - bits.start;
        if width > 64 || !self.has(bits) {
            return None;
        }
        let start = bits.start - self.bits().start;
        let bit = |at: u64| u64::from(self.bytes[(at / 8) as usize] >> (at % 8) & 1);
        Some((0..width).fold(0, |number, at| number | bit(start + at) << at))
    }
}

impl StructTable {
    /// Some bytes of a variable as text, `offset` bytes behind its beginning. `None` if nothing is known of
    /// its type, if types or variables were left out of the table, or if the bytes are no whole values.
    pub fn value_text(&self, name: &str, size: u64, offset: u64, bytes: &[u8]) -> Option<String> {
        let is_meant = |variable: &&StructField| variable.name == name && variable.size() == size;
        let mut found = self.variables.iter().filter(is_meant);
        let variable = found.next()?;
        if found.any(|other| other != variable) || !self.is_complete() {
            return None;
        }
        let known = KnownBytes { offset, bytes };
        let is_whole = offset == 0 && bytes.len() as u64 == size;
        self.field_text(variable, 0, &known, is_whole).filter(|text| !text.is_empty())
    }

    /// A field that begins at a bit of the variable, as far as its bytes are known.
    fn field_text(
        &self,
        field: &StructField,
        start: u64,
        known: &KnownBytes<'_>,
        is_whole: bool,
    ) -> Option<String> {
        let bits = |number: u64| {
            let first = start.saturating_add(number.saturating_mul(field.element_bits));
            first..first.saturating_add(field.element_bits)
        };
        if field.dimensions.is_empty() {
            return self.element_text(field, bits(0), known, is_whole);
        }
        if field.element_bits == 0 {
            return None;
        }
        let count = match field.dimensions.first() {
            Some(0) => u64::MAX,
            _ => field.dimensions.iter().fold(1, |all: u64, &count| all.saturating_mul(count)),
        };
        let first = (known.bits().start.saturating_sub(start)) / field.element_bits;
        let end = known.bits().end.saturating_sub(start).div_ceil(field.element_bits).min(count);
        if field.element.is_none() && field.scalar == ScalarKind::Char && field.element_bits == 8 {
            let letter = |number| known.number(&bits(number)).map(|number| number as u8);
            let letters: Vec<u8> = (first..end).filter_map(letter).collect();
            return Some(string_text(&letters));
        }
        let mut parts = Vec::new();
        let mut chars = 0;
        for number in first..end {
            if parts.len() == PARTS_MAX || chars > CHARS_MAX {
                parts.push("...".to_owned());
                break;
            }
            let text = self.element_text(field, bits(number), known, is_whole)?;
            chars += text.len();
            parts.push(text);
        }
        // One element that was exposed for itself.
        let is_alone = !is_whole && parts.len() == 1;
        Some(if is_alone { parts.swap_remove(0) } else { format!("[{}]", parts.join(", ")) })
    }

    fn element_text(
        &self,
        field: &StructField,
        bits: Range<u64>,
        known: &KnownBytes<'_>,
        is_whole: bool,
    ) -> Option<String> {
        let Some(ty) = field.element else {
            let number = known.number(&bits)?;
            return Some(scalar_text(field.scalar, number, bits.end - bits.start));
        };
        let mut parts = Vec::new();
        let mut chars = 0;
        for inner in &self.get(ty).fields {
            let start = bits.start.saturating_add(inner.offset_bits);
            let end = start.saturating_add(inner.bits().max(1));
            if !known.meets(&(start..end)) {
                continue;
            }
            if parts.len() == PARTS_MAX || chars > CHARS_MAX {
                parts.push(("", "...".to_owned()));
                break;
            }
            let text = self.field_text(inner, start, known, is_whole)?;
            chars += text.len() + inner.name.len();
            parts.push((&*inner.name, text));
        }
        if let ([(_, text)], false) = (&parts[..], is_whole) {
            return Some(text.clone());
        }
        let named = |(name, text): &(&str, String)| match *name {
            "" => text.clone(),
            name => format!("{name} {text}"),
        };
        Some(format!("{{{}}}", parts.iter().map(named).collect::<Vec<_>>().join(", ")))
    }
}

impl StructField {
    /// The bytes that it needs, rounded up; an array without a size has no end.
    fn size(&self) -> u64 {
        self.bits().div_ceil(8)
    }
}

/// Characters up to the first zero, in quotes.
fn string_text(letters: &[u8]) -> String {
    let end = letters.iter().position(|letter| *letter == 0).unwrap_or(letters.len());
    let shown = &letters[..end.min(CHARS_MAX)];
    let more = if shown.len() < end { "..." } else { "" };
    format!("\"{}\"{more}", shown.escape_ascii())
}

fn scalar_text(kind: ScalarKind, number: u64, width: u64) -> String {
    let unused = 64 - width as u32;
    let signed = (number << unused) as i64 >> unused;
    match (kind, width) {
        (ScalarKind::Bool, _) if number <= 1 => (number == 1).to_string(),
        (ScalarKind::Char, 8) if (number as u8).is_ascii_graphic() => {
            format!("'{}'", char::from(number as u8))
        }
        (ScalarKind::Float, 32) => f32::from_bits(number as u32).to_string(),
        (ScalarKind::Float, 64) => f64::from_bits(number).to_string(),
        (ScalarKind::Pointer, _) => format!("{number:#x}"),
        (ScalarKind::Unsigned | ScalarKind::Bool, _) => number.to_string(),
        (ScalarKind::Signed | ScalarKind::Char | ScalarKind::Float | ScalarKind::Other, _) => {
            signed.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ids::StructTypeId;
    use crate::layout::structs::{StructKind, StructType};

    use super::*;

    fn field(name: &str, at: u64, bits: u64, scalar: ScalarKind) -> StructField {
        let (name, dimensions) = (name.to_owned(), Vec::new());
        StructField { name, offset_bits: at, dimensions, element_bits: bits, element: None, scalar }
    }

    fn array(name: &str, count: u64, bits: u64, scalar: ScalarKind) -> StructField {
        StructField { dimensions: vec![count], ..field(name, 0, bits, scalar) }
    }

    /// `struct { int term; bool leads : 1; char name[3]; } node, nodes[2]` and some variables.
    fn table() -> StructTable {
        let mut table = StructTable::default();
        let fields = vec![
            field("term", 0, 32, ScalarKind::Signed),
            field("leads", 32, 1, ScalarKind::Bool),
            StructField { offset_bits: 40, ..array("name", 3, 8, ScalarKind::Char) },
        ];
        let (kind, name) = (StructKind::Struct, "node".to_owned());
        let ty = table.add(StructType { kind, name, size: 8, fields });
        assert_eq!(ty, StructTypeId::from_index(0));
        let of_struct =
            StructField { element: Some(ty), ..field("node", 0, 64, ScalarKind::Other) };
        let both = StructField { element: Some(ty), ..array("nodes", 2, 64, ScalarKind::Other) };
        let others = [
            array("log", 4, 32, ScalarKind::Signed),
            array("text", 8, 8, ScalarKind::Char),
            array("digest", 3, 8, ScalarKind::Unsigned),
            field("rate", 0, 64, ScalarKind::Float),
            field("same", 0, 32, ScalarKind::Signed),
            field("same", 0, 32, ScalarKind::Float),
        ];
        others.into_iter().chain([of_struct, both]).for_each(|field| table.add_variable(field));
        table
    }

    fn text(name: &str, size: u64, offset: u64, bytes: &[u8]) -> String {
        table().value_text(name, size, offset, bytes).unwrap_or_default()
    }

    const NODE: &[u8] = b"\xfe\xff\xff\xff\x01ab\0";

    #[test]
    fn values_are_numbers_strings_and_fields() {
        assert_eq!(text("log", 16, 0, b"\x04\0\0\0\x03\0\0\0"), "[4, 3]");
        assert_eq!(text("log", 16, 4, b"\x03\0\0\0"), "3");
        assert_eq!(text("text", 8, 0, b"yes\0\0\0\0\0"), "\"yes\"");
        assert_eq!(text("text", 8, 0, b"a\"\n"), "\"a\\\"\\n\"");
        assert_eq!(text("digest", 3, 0, b"\xff\x00\x07"), "[255, 0, 7]");
        assert_eq!(text("rate", 8, 0, &1.5f64.to_le_bytes()), "1.5");
        assert_eq!(text("node", 8, 0, NODE), "{term -2, leads true, name \"ab\"}");
        let two = [NODE, NODE].concat();
        let one = "{term -2, leads true, name \"ab\"}";
        assert_eq!(text("nodes", 16, 0, &two), format!("[{one}, {one}]"));
    }

    #[test]
    fn a_part_of_a_struct_is_shown_for_itself() {
        assert_eq!(text("node", 8, 0, &NODE[..4]), "-2");
        assert_eq!(text("nodes", 16, 8, &NODE[..4]), "-2");
        assert_eq!(text("node", 8, 5, b"hi\0"), "\"hi\"");
    }

    #[test]
    fn nothing_is_said_where_the_type_is_not_certain() {
        assert_eq!(text("same", 4, 0, &[0; 4]), "");
        assert_eq!(text("log", 8, 0, &[0; 8]), "");
        assert_eq!(text("unknown", 4, 0, &[0; 4]), "");
        // Half of a number.
        assert_eq!(text("log", 16, 0, &[0; 6]), "");
    }
}
