//! Questions and answers of DNS (RFC 1035, section 4).

use std::fmt::Write;
use std::net::{Ipv4Addr, Ipv6Addr};

const HEADER_BYTES: usize = 12;
/// The bits that stand for a place where a name goes on.
const POINTER: u8 = 0xc0;
/// Bytes of a name, and places at which it may go on: more are a circle.
const NAME_BYTES_MAX: usize = 255;
const POINTERS_MAX: usize = 32;
/// Answers that are shown.
const ANSWERS_MAX: usize = 4;

/// A message; in a stream, its length stands before it.
pub(super) fn decode(bytes: &[u8], is_stream: bool) -> Result<String, String> {
    let bytes = match (is_stream, bytes) {
        (false, bytes) => bytes,
        (true, [high, low, rest @ ..]) => {
            let length = usize::from(u16::from_be_bytes([*high, *low]));
            if length > rest.len() {
                return Err(format!("{} bytes of a message of {length}", rest.len()));
            }
            &rest[..length]
        }
        (true, _) => return Err("the length of a message is cut off".to_owned()),
    };
    DnsReader { bytes, at: 0 }.message().map_err(str::to_owned)
}

/// Reads a message from its beginning.
struct DnsReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

type Part<T> = Result<T, &'static str>;

impl<'b> DnsReader<'b> {
    fn message(&mut self) -> Part<String> {
        if self.bytes.len() < HEADER_BYTES {
            return Err("shorter than the header of a message");
        }
        let (id, flags) = (self.number()?, self.number()?);
        let (questions, answers) = (self.number()?, self.number()?);
        self.at = HEADER_BYTES;
        let is_answer = flags & 0x8000 != 0;
        let mut text = format!("{} {id}", if is_answer { "answer" } else { "query" });
        for _ in 0..questions {
            let name = self.name()?;
            let kind = self.number()?;
            self.number()?;
            let _ = write!(text, " {} {name}", kind_name(kind));
        }
        if !is_answer {
            return Ok(text);
        }
        text.push_str(match flags & 0xf {
            0 => "",
            1 => ": format error",
            2 => ": server failure",
            3 => ": no such name",
            4 => ": not implemented",
            5 => ": refused",
            _ => ": another error",
        });
        for number in 0..usize::from(answers).min(ANSWERS_MAX) {
            let record = self.record()?;
            let _ = write!(text, "{} {record}", if number == 0 { ":" } else { "," });
        }
        if usize::from(answers) > ANSWERS_MAX {
            let _ = write!(text, " and {} more", usize::from(answers) - ANSWERS_MAX);
        }
        Ok(text)
    }

    fn take(&mut self, count: usize) -> Part<&'b [u8]> {
        let end = self.at + count;
        let part = self.bytes.get(self.at..end).ok_or("cut off")?;
        self.at = end;
        Ok(part)
    }

    fn number(&mut self) -> Part<u16> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// The data of a record behind its name.
    fn record(&mut self) -> Part<String> {
        self.name()?;
        let kind = self.number()?;
        // Class, and how long it may be kept.
        self.take(6)?;
        let length = usize::from(self.number()?);
        let start = self.at;
        let data = self.take(length)?;
        Ok(match (kind, data) {
            (1, &[a, b, c, d]) => Ipv4Addr::new(a, b, c, d).to_string(),
            (28, data) if data.len() == 16 => {
                let mut octets = [0; 16];
                octets.copy_from_slice(data);
                Ipv6Addr::from(octets).to_string()
            }
            (2 | 5 | 12, _) => {
                let inner = DnsReader { bytes: self.bytes, at: start }.name()?;
                format!("{} {inner}", kind_name(kind))
            }
            _ => format!("{} of {length} bytes", kind_name(kind)),
        })
    }

    /// A name, which may go on at an earlier place of the message.
    fn name(&mut self) -> Part<String> {
        let mut name = String::new();
        let (mut back, mut pointers, mut size) = (None, 0, 0);
        loop {
            let length = self.take(1)?[0];
            match length {
                0 => break,
                _ if length & POINTER == POINTER => {
                    let low = self.take(1)?[0];
                    back = back.or(Some(self.at));
                    self.at = usize::from(u16::from_be_bytes([length & !POINTER, low]));
                    pointers += 1;
                    if pointers > POINTERS_MAX {
                        return Err("a name leads back to itself");
                    }
                }
                _ if length & POINTER != 0 => return Err("a label of an unknown kind"),
                _ => {
                    size += usize::from(length) + 1;
                    if size > NAME_BYTES_MAX {
                        return Err("a name is longer than 255 bytes");
                    }
                    let label = self.take(length.into())?;
                    let separator = if name.is_empty() { "" } else { "." };
                    let _ = write!(name, "{separator}{}", label.escape_ascii());
                }
            }
        }
        self.at = back.unwrap_or(self.at);
        Ok(if name.is_empty() { ".".to_owned() } else { name })
    }
}

fn kind_name(kind: u16) -> String {
    let known = match kind {
        1 => "A",
        2 => "NS",
        5 => "CNAME",
        6 => "SOA",
        12 => "PTR",
        15 => "MX",
        16 => "TXT",
        28 => "AAAA",
        33 => "SRV",
        255 => "ANY",
        _ => return format!("TYPE{kind}"),
    };
    known.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question for the address of `www.example`.
    const QUERY: &[u8] = b"\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x03www\x07example\0\0\x01\0\x01";

    fn text(bytes: &[u8]) -> String {
        match decode(bytes, false) {
            Ok(text) => text,
            Err(why) => format!("! {why}"),
        }
    }

    fn answer(flags: [u8; 2], count: u8, records: &[u8]) -> Vec<u8> {
        let mut bytes = QUERY.to_vec();
        bytes[2..4].copy_from_slice(&flags);
        bytes[7] = count;
        bytes.extend_from_slice(records);
        bytes
    }

    #[test]
    fn questions_and_answers_have_names_and_addresses() {
        assert_eq!(text(QUERY), "query 4660 A www.example");
        let record = b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04\x0a\0\0\x07";
        assert_eq!(text(&answer([0x81, 0x80], 1, record)), "answer 4660 A www.example: 10.0.0.7");
        let alias = b"\xc0\x0c\0\x05\0\x01\0\0\0\x3c\0\x05\x02me\xc0\x10";
        let expected = "answer 4660 A www.example: CNAME me.example";
        assert_eq!(text(&answer([0x81, 0x80], 1, alias)), expected);
        let missing = answer([0x81, 0x83], 0, b"");
        assert_eq!(text(&missing), "answer 4660 A www.example: no such name");
    }

    #[test]
    fn a_stream_has_the_length_first() {
        let mut stream = vec![0, QUERY.len() as u8];
        stream.extend_from_slice(QUERY);
        assert_eq!(decode(&stream, true), Ok("query 4660 A www.example".to_owned()));
        assert!(decode(&stream[..9], true).is_err());
        assert!(decode(b"\0", true).is_err());
    }

    #[test]
    fn damaged_messages_are_told() {
        assert_eq!(text(b"hello"), "! shorter than the header of a message");
        assert_eq!(text(&QUERY[..20]), "! cut off");
        let circle = b"\0\x01\0\0\0\x01\0\0\0\0\0\0\xc0\x0c\0\x01\0\x01";
        assert_eq!(text(circle), "! a name leads back to itself");
        let odd = b"\0\x01\0\0\0\x01\0\0\0\0\0\0\x80\0\0\x01\0\x01";
        assert_eq!(text(odd), "! a label of an unknown kind");
    }
}
