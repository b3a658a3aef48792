//! Exposed bytes as a person reads them, in a line.

use crate::finding::input::integer;

/// Bytes that are shown of data without a known type.
const BYTES_MAX: usize = 40;

/// The value in the words of its type, where debug information has it. Otherwise a number, text, or bytes: a
/// large number of eight bytes may as well be two numbers.
pub(crate) fn value_text(bytes: &[u8], typed: Option<&str>) -> String {
    if let Some(text) = typed {
        return text.to_owned();
    }
    let is_text = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    match integer(bytes) {
        Some((_, signed)) if i32::try_from(signed).is_ok() || bytes.len() <= 4 => {
            signed.to_string()
        }
        _ if !bytes.is_empty() && bytes.iter().all(is_text) => {
            format!("{:?}", String::from_utf8_lossy(bytes))
        }
        _ => {
            let shown = &bytes[..bytes.len().min(BYTES_MAX)];
            let hex: Vec<String> = shown.iter().map(|byte| format!("{byte:02x}")).collect();
            let more = if shown.len() < bytes.len() { " ..." } else { "" };
            format!("{}{more}", hex.join(" "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_a_type_are_small_numbers_text_or_bytes() {
        assert_eq!(value_text(&[0xfe, 0xff, 0xff, 0xff], None), "-2");
        assert_eq!(value_text(b"commit", None), "\"commit\"");
        assert_eq!(value_text(&[4, 0, 0, 0, 3, 0, 0, 0], None), "04 00 00 00 03 00 00 00");
        assert_eq!(value_text(&[4, 0, 0, 0, 0, 0, 0, 0], None), "4");
        assert_eq!(value_text(&[4, 0, 0, 0, 3, 0, 0, 0], Some("[4, 3]")), "[4, 3]");
        assert!(value_text(&[0; 100], None).ends_with("00 ..."));
        assert_eq!(value_text(&[], None), "");
    }
}
