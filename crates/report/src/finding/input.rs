//! Values of symbolic inputs: hexadecimal, text, and integers where the size is that of one.

use std::fmt::Write;

use everett_engine::Input;

use crate::number::count_of;

/// Bytes of a row.
const ROW_BYTES: usize = 16;
/// More rows than this are left to the test file.
const ROWS_MAX: usize = 8;

/// The inputs, one block each, names aligned.
pub(crate) fn inputs_text(inputs: &[Input], indent: &str) -> String {
    let width = inputs.iter().map(|i| i.name.chars().count()).max().unwrap_or(0).min(24);
    let sizes: Vec<String> =
        inputs.iter().map(|i| count_of(i.bytes.len() as u64, "byte")).collect();
    let size_width = sizes.iter().map(String::len).max().unwrap_or(0);
    let mut out = String::new();
    for (Input { name, bytes }, size) in inputs.iter().zip(&sizes) {
        let _ = write!(out, "{indent}{name:width$}  {size:size_width$}");
        let margin = indent.len() + width.max(name.chars().count()) + 2 + size_width;
        if let Some(value) = integer_text(bytes) {
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let text = ascii(bytes);
            let _ = writeln!(out, "  {}  |{text}|  = {value}", hex.join(" "));
            continue;
        }
        let columns = (ROW_BYTES.min(bytes.len()) * 3).saturating_sub(1);
        for (number, row) in bytes.chunks(ROW_BYTES).take(ROWS_MAX).enumerate() {
            let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
            let margin = if number == 0 { 0 } else { margin };
            let hex = hex.join(" ");
            let _ = writeln!(out, "{:margin$}  {hex:columns$}  |{}|", "", ascii(row));
        }
        if bytes.is_empty() {
            out.push('\n');
        }
        if bytes.len() > ROW_BYTES * ROWS_MAX {
            let rest = count_of((bytes.len() - ROW_BYTES * ROWS_MAX) as u64, "byte");
            let _ = writeln!(out, "{:margin$}  ... {rest} more, all in the test file", "");
        }
    }
    out
}

/// Printable characters, dots for the others.
pub(crate) fn ascii(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| if (b' '..=b'~').contains(&b) { char::from(b) } else { '.' }).collect()
}

/// Bytes as one string of hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The unsigned and the signed value of bytes that have the size of a machine integer.
pub(crate) fn integer(bytes: &[u8]) -> Option<(u64, i64)> {
    if !matches!(bytes.len(), 1 | 2 | 4 | 8) {
        return None;
    }
    let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
    let unused = 64 - 8 * bytes.len() as u32;
    // Moving the sign bit to the top and back fills the unused bits with it.
    Some((value, ((value << unused) as i64) >> unused))
}

/// `65`, or `-2 or 4294967294` where the sign matters.
fn integer_text(bytes: &[u8]) -> Option<String> {
    let (unsigned, signed) = integer(bytes)?;
    Some(if signed < 0 { format!("{signed} or {unsigned}") } else { unsigned.to_string() })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(inputs: &[(&str, &[u8])], expected: Expect) {
        let inputs: Vec<Input> = inputs
            .iter()
            .map(|(name, bytes)| Input { name: (*name).to_owned(), bytes: bytes.to_vec() })
            .collect();
        // A first line without indent keeps that of the others.
        expected.assert_eq(&format!("inputs\n{}", inputs_text(&inputs, "  ")));
    }

    #[test]
    fn small_inputs_are_shown_as_integers() {
        check(
            &[("c", b"A"), ("n", &(-2i32).to_le_bytes()), ("word", b"FELF"), ("u", &[7, 0])],
            expect![[r#"
                inputs
                  c     1 byte   41  |A|  = 65
                  n     4 bytes  fe ff ff ff  |....|  = -2 or 4294967294
                  word  4 bytes  46 45 4c 46  |FELF|  = 1179403590
                  u     2 bytes  07 00  |..|  = 7
            "#]],
        );
    }

    #[test]
    fn others_are_rows_of_bytes_and_text() {
        check(
            &[("buf", b"GET / HTTP/1.0\r\n\0 on"), ("nothing", b""), ("odd", b"abc")],
            expect![[r#"
                inputs
                  buf      20 bytes  47 45 54 20 2f 20 48 54 54 50 2f 31 2e 30 0d 0a  |GET / HTTP/1.0..|
                                     00 20 6f 6e                                      |. on|
                  nothing  0 bytes 
                  odd      3 bytes   61 62 63  |abc|
            "#]],
        );
    }

    #[test]
    fn long_inputs_are_cut() {
        let inputs = [Input { name: "file".to_owned(), bytes: vec![0; 1000] }];
        let text = inputs_text(&inputs, "");
        assert_eq!(text.lines().count(), ROWS_MAX + 1);
        assert!(text.ends_with("... 872 bytes more, all in the test file\n"), "{text}");
    }
}
