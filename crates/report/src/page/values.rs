//! Bytes as a person reads them: a short form for a line, and a dump.

use maud::{Markup, html};

use super::budget::PageBudget;
use crate::finding::input::{ascii, integer};
use crate::number::{bytes as size_text, count_of};

/// Bytes of a row of a dump.
const ROW_BYTES: usize = 16;
/// Rows of a dump; more are left to the files of the folder.
const ROWS_MAX: usize = 16;
/// Characters of a dumped row with its markup.
const ROW_CHARS: usize = 80;

/// Bytes in so many characters: text in quotes, or hexadecimal digits.
pub(super) fn short(bytes: &[u8], size: u64, chars_max: usize) -> String {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || b" \r\n\t".contains(byte);
    let whole = match bytes.iter().all(is_text) {
        true => format!("{:?}", String::from_utf8_lossy(bytes)),
        false => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" "),
    };
    let is_whole = bytes.len() as u64 >= size && whole.chars().count() <= chars_max;
    match is_whole {
        true => whole,
        false => cut(&format!("{whole}..."), chars_max),
    }
}

/// A text in so many characters.
pub(super) fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    short.push('\u{2026}');
    short
}

/// A value as a program understands it: a number where the size is that of one.
pub(super) fn value(bytes: &[u8]) -> String {
    match integer(bytes) {
        Some((_, signed)) => signed.to_string(),
        None => short(bytes, bytes.len() as u64, 40),
    }
}

/// Bytes row by row, if there is room for them; `all` is where all of them are.
pub(super) fn dump(bytes: &[u8], size: u64, all: &str, budget: &mut PageBudget) -> Markup {
    let rows: Vec<&[u8]> = bytes.chunks(ROW_BYTES).take(ROWS_MAX).collect();
    if !budget.take_dump(rows.len() * ROW_CHARS) {
        return html! { p.faint { (size_text(size)) " in " code { (all) } } };
    }
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let (at, hex) = (number * ROW_BYTES, hex.join(" "));
        text.push_str(&format!("{at:04x}  {hex:47}  {}\n", ascii(row)));
    }
    let left = size.saturating_sub(bytes.len().min(ROW_BYTES * ROWS_MAX) as u64);
    html! {
        pre.dump { (text) }
        @if left > 0 {
            p.faint { (count_of(left, "byte")) " more, in " code { (all) } " as far as they are known" }
        }
    }
}
