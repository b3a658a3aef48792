//! The known Trojan messages of the protocols in `tests/eval/trojan`, told from examples.

use std::path::Path;

use anyhow::{Result, ensure};

/// Messages that are one and the same mistake.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shape {
    /// A path that is shorter than its length says.
    Short { command: u8, length: usize, characters: usize },
    /// A path with a wildcard.
    Wildcard { command: u8, length: usize, at: usize },
    /// A wrong code for a replica.
    Code { replica: usize },
    /// A class of a system without shapes.
    Class(usize),
}

/// The shape of an example with a core; `None` if it is no Trojan message.
type ShapeOf = fn(&[u8], &[usize]) -> Option<Shape>;

/// Reads shapes of the examples of a scenario, if it has any.
pub(super) fn of(scenario: &Path) -> Option<ShapeOf> {
    let is = |end: &str| scenario.ends_with(end);
    match () {
        () if is("eval/trojan/file_transfer/length.toml") => Some(short),
        () if is("eval/trojan/file_transfer/wildcard.toml") => Some(wildcard),
        () if is("eval/trojan/replicas/codes.toml") => Some(code),
        () => None,
    }
}

/// Bytes that are written as pairs of hexadecimal digits.
pub(super) fn bytes(text: &str) -> Result<Vec<u8>> {
    ensure!(text.is_ascii() && text.len().is_multiple_of(2), "no bytes: {text}");
    let pairs = (0..text.len()).step_by(2).map(|at| &text[at..at + 2]);
    Ok(pairs.map(|pair| u8::from_str_radix(pair, 16)).collect::<Result<_, _>>()?)
}

/// The commands with a path, in `file_transfer/message.h`. The first two have a position.
const COMMANDS: [u8; 8] = [0x41, 0x42, 0x45, 0x46, 0x47, 0x49, 0x4b, 0x4d];
/// The key of the session, and the number of the second request.
const SESSION: [u8; 4] = [0x2c, 0x5e, 0, 2];

/// The command and the path of a request, up to its length, if all else is as the server wants it.
fn path(message: &[u8]) -> Option<(u8, &[u8])> {
    let (header, data) = message.split_at_checked(12)?;
    let &[command, sum, k0, k1, s0, s1, l0, l1, ref position @ ..] = header else { return None };
    let length = usize::from(l0) << 8 | usize::from(l1);
    let bytes = message.iter().map(|&byte| u32::from(byte)).sum::<u32>() - u32::from(sum);
    let total = bytes + u32::try_from(message.len()).ok()?;
    let is_right = u32::from(sum) == (total + (total >> 8)) & 0xff
        && [k0, k1, s0, s1] == SESSION
        && COMMANDS.contains(&command)
        && (COMMANDS[..2].contains(&command) || position == [0; 4])
        && (1..=4).contains(&length)
        && data.len() == length + 1
        && data[length] == 0;
    is_right.then(|| (command, &data[..length]))
}

fn is_printable(byte: &u8) -> bool {
    (33..=126).contains(byte)
}

fn short(message: &[u8], _: &[usize]) -> Option<Shape> {
    let (command, path) = path(message)?;
    let characters = path.iter().position(|&byte| byte == 0)?;
    let is_accepted = path[..characters].iter().all(is_printable);
    is_accepted.then_some(Shape::Short { command, length: path.len(), characters })
}

fn wildcard(message: &[u8], core: &[usize]) -> Option<Shape> {
    let (command, path) = path(message)?;
    let &[offset] = core else { return None };
    let at = offset.checked_sub(12)?;
    let is_accepted = path.iter().all(is_printable) && *path.get(at)? == b'*';
    is_accepted.then_some(Shape::Wildcard { command, length: path.len(), at })
}

/// The offset of the first code in a request of `replicas/message.h`; each has one byte.
const CODES: usize = 24;
/// The keys of the replicas.
const KEYS: [u16; 4] = [0x36c2, 0x9ae1, 0xf75d, 0x214b];

/// The digest of a request, as `digest_of` in `replicas/message.h` has it.
fn digest(bytes: &[u8]) -> [u8; 2] {
    let (mut first, mut second) = (0x5a_u16, 0xa5_u16);
    for &byte in bytes {
        first = first.wrapping_add(u16::from(byte));
        second = second.wrapping_add(first);
    }
    second.to_le_bytes()
}

/// The code of a digest, as `code_of` in `replicas/message.h` has it.
fn code_of(digest: [u8; 2], key: u16) -> u8 {
    let (mut a, mut b) = (key, !key);
    for byte in digest {
        a = (a ^ u16::from(byte)).rotate_left(9).wrapping_add(b);
        b = b.rotate_left(5) ^ a;
    }
    b.to_le_bytes()[0]
}

fn code(message: &[u8], core: &[usize]) -> Option<Shape> {
    if message.len() != CODES + KEYS.len() {
        return None;
    }
    let digest = digest(&message[14..CODES]);
    let is_accepted = message[..2] == [1, 0]
        && (message[2] <= 1 && message[3] == 0)
        && message[4..8] == [28, 0, 0, 0]
        && message[8..10] == digest
        && (message[10] < 4 && message[11..14] == [0, 6, 0])
        && (message[14] < 2 && message[15] == 0 && message[16..18] != [0, 0]);
    let replica = core.iter().find_map(|&offset| offset.checked_sub(CODES))?;
    let is_wrong = message[CODES + replica] != code_of(digest, KEYS[replica]);
    (is_accepted && is_wrong).then_some(Shape::Code { replica })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request to list a path that says it has two characters.
    fn request(path: [u8; 2], sum: u8) -> Vec<u8> {
        [&[0x41, sum, 0x2c, 0x5e, 0, 2, 0, 2, 0, 0, 0, 0], &path[..], &[0]].concat()
    }

    #[test]
    fn a_path_is_short_if_it_ends_before_its_length() {
        let shape = Shape::Short { command: 0x41, length: 2, characters: 1 };
        assert_eq!(short(&request(*b"a\0", 0x40), &[13]), Some(shape));
        assert_eq!(short(&request(*b"a\0", 0x41), &[13]), None, "the checksum is wrong");
        assert_eq!(short(&request(*b"ab", 0xa2), &[13]), None, "the length is right");
        assert_eq!(path(&request(*b"ab", 0xa2)), Some((0x41, &b"ab"[..])));
    }

    #[test]
    fn a_wildcard_is_at_the_byte_to_blame() {
        let shape = Shape::Wildcard { command: 0x41, length: 2, at: 1 };
        assert_eq!(wildcard(&request(*b"a*", 0x6a), &[13]), Some(shape));
        assert_eq!(wildcard(&request(*b"a*", 0x6a), &[12]), None);
    }

    #[test]
    fn a_code_is_wrong_if_it_is_not_that_of_the_digest() {
        let mut message = [0; CODES + KEYS.len()];
        (message[0], message[4], message[12], message[16]) = (1, 28, 6, 1);
        let sum = digest(&message[14..CODES]);
        message[8..10].copy_from_slice(&sum);
        for (replica, key) in KEYS.iter().enumerate() {
            message[CODES + replica] = code_of(sum, *key);
        }
        assert_eq!(code(&message, &[8, 25]), None, "the code is right");
        message[25] ^= 1;
        assert_eq!(code(&message, &[8, 25]), Some(Shape::Code { replica: 1 }));
        assert_eq!(code(&message, &[8, 26]), None, "another code is wrong");
        message[14] = 2;
        assert_eq!(code(&message, &[8, 25]), None, "there is no such client");
    }

    #[test]
    fn bytes_are_read() {
        assert_eq!(bytes("00ff").expect("these are bytes"), [0, 255]);
        assert!(bytes("0").is_err());
    }
}
