//! Bytes as text of XML, for values in our namespace.
//!
//! XML has no way to write most control characters, and bytes of the simulated system need not be text.
//! A backslash begins an escape: `\\`, `\n`, `\t`, `\r`, or `\xNN` for one byte. In lists, words are
//! separated by spaces; a space inside one is `\x20`, and a word without bytes is `\-`.

/// Bytes as text.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                '\u{fffe}' | '\u{ffff}' => push_bytes(&mut out, letter.encode_utf8(&mut [0; 4])),
                letter if letter.is_control() => {
                    push_bytes(&mut out, letter.encode_utf8(&mut [0; 4]));
                }
                letter => out.push(letter),
            }
        }
        chunk.invalid().iter().for_each(|byte| push_byte(&mut out, *byte));
    }
    out
}

/// Words as one text.
pub(super) fn escaped_list(words: &[Vec<u8>]) -> String {
    let word = |word: &Vec<u8>| match word.is_empty() {
        true => "\\-".to_owned(),
        false => escaped(word).replace(' ', "\\x20"),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn push_bytes(out: &mut String, text: &str) {
    text.bytes().for_each(|byte| push_byte(out, byte));
}

fn push_byte(out: &mut String, byte: u8) {
    out.push_str(&format!("\\x{byte:02x}"));
}

/// The bytes that a text stands for; `None` if it has an escape that there is not.
pub(super) fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, more)) = rest.split_first() {
        rest = more;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let (&kind, more) = rest.split_first()?;
        rest = more;
        match kind {
            b'\\' => out.push(b'\\'),
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'x' => {
                let (digits, more) = rest.split_at_checked(2)?;
                out.push(hex(digits[0])? << 4 | hex(digits[1])?);
                rest = more;
            }
            _ => return None,
        }
    }
    Some(out)
}

/// The words of a list.
pub(super) fn unescaped_list(text: &str) -> Option<Vec<Vec<u8>>> {
    let words = text.split(' ').filter(|word| !word.is_empty());
    words.map(|word| if word == "\\-" { Some(Vec::new()) } else { unescaped(word) }).collect()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}
