//! The identification of the compiler that wrote a bitcode file.
//!
//! Bitcode starts with an identification block: a string such as `LLVM19.1.7` and an epoch. This
//! is a reader for just that block, so that an error can name the version; see "Bitstream" in
//! LLVM's description of its bitcode format.

/// The magic number of bitcode.
const MAGIC: [u8; 4] = [b'B', b'C', 0xc0, 0xde];
/// The magic number of the wrapper that some systems put around bitcode.
const WRAPPER: [u8; 4] = [0xde, 0xc0, 0x17, 0x0b];
const IDENTIFICATION_BLOCK: u64 = 13;
const STRING_RECORD: u64 = 1;
const MAX_OPERANDS: u64 = 1000;

/// Returns `true` if the bytes are bitcode, wrapped or not.
pub(crate) fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&WRAPPER)
}

/// The producer that bitcode names, such as `LLVM19.1.7`.
pub(crate) fn producer(bytes: &[u8]) -> Option<String> {
    let bytes = unwrap(bytes)?;
    let mut bits = BitReader { bytes, at: 32 };
    if bits.fixed(2)? != 1 || bits.vbr(8)? != IDENTIFICATION_BLOCK {
        return None;
    }
    let width = bits.vbr(4)?;
    bits.align();
    bits.fixed(32)?;
    let mut abbreviations: Vec<Vec<OperandEncoding>> = Vec::new();
    loop {
        let id = bits.fixed(width)?;
        let record = match id {
            0 | 1 => return None,
            2 => {
                abbreviations.push(bits.abbreviation()?);
                continue;
            }
            3 => bits.unabbreviated()?,
            _ => bits.abbreviated(abbreviations.get(usize::try_from(id - 4).ok()?)?)?,
        };
        if record.first() == Some(&STRING_RECORD) {
            let text: Vec<u8> = record[1..].iter().map(|c| *c as u8).collect();
            return String::from_utf8(text).ok();
        }
    }
}

/// The major version in a producer's name.
pub(crate) fn major_version(producer: &str) -> Option<u32> {
    let digits = producer.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn unwrap(bytes: &[u8]) -> Option<&[u8]> {
    if !bytes.starts_with(&WRAPPER) {
        return bytes.starts_with(&MAGIC).then_some(bytes);
    }
    let field = |at: usize| {
        let field = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(field.try_into().ok()?) as usize)
    };
    let (offset, size) = (field(8)?, field(12)?);
    bytes.get(offset..offset.checked_add(size)?).filter(|inner| inner.starts_with(&MAGIC))
}

/// One operand of an abbreviation.
enum OperandEncoding {
    Literal(u64),
    Fixed(u64),
    Vbr(u64),
    Char6,
    Array,
}

struct BitReader<'a> {
    bytes: &'a [u8],
    at: u64,
}

impl BitReader<'_> {
    fn fixed(&mut self, width: u64) -> Option<u64> {
        if width > 64 {
            return None;
        }
        let mut value = 0;
        for bit in 0..width {
            let at = self.at + bit;
            let byte = *self.bytes.get(usize::try_from(at / 8).ok()?)?;
            value |= u64::from(byte >> (at % 8) & 1) << bit;
        }
        self.at += width;
        Some(value)
    }

    fn vbr(&mut self, width: u64) -> Option<u64> {
        if !(2..=32).contains(&width) {
            return None;
        }
        let mut value = 0u64;
        let mut shift = 0;
        loop {
            let chunk = self.fixed(width)?;
            let high = 1 << (width - 1);
            value |= (chunk & (high - 1)).checked_shl(shift)?;
            shift += width as u32 - 1;
            if chunk & high == 0 {
                return Some(value);
            }
        }
    }

    fn align(&mut self) {
        self.at = self.at.next_multiple_of(32);
    }

    fn abbreviation(&mut self) -> Option<Vec<OperandEncoding>> {
        let count = self.vbr(5).filter(|count| *count <= MAX_OPERANDS)?;
        let mut operands = Vec::new();
        for _ in 0..count {
            let operand = if self.fixed(1)? == 1 {
                OperandEncoding::Literal(self.vbr(8)?)
            } else {
                match self.fixed(3)? {
                    1 => OperandEncoding::Fixed(self.vbr(5)?),
                    2 => OperandEncoding::Vbr(self.vbr(5)?),
                    3 => OperandEncoding::Array,
                    4 => OperandEncoding::Char6,
                    _ => return None,
                }
            };
            operands.push(operand);
        }
        Some(operands)
    }

    fn unabbreviated(&mut self) -> Option<Vec<u64>> {
        let mut record = vec![self.vbr(6)?];
        let count = self.vbr(6).filter(|count| *count <= MAX_OPERANDS)?;
        for _ in 0..count {
            record.push(self.vbr(6)?);
        }
        Some(record)
    }

    fn abbreviated(&mut self, abbreviation: &[OperandEncoding]) -> Option<Vec<u64>> {
        let mut record = Vec::new();
        let mut operands = abbreviation.iter();
        while let Some(operand) = operands.next() {
            if matches!(operand, OperandEncoding::Array) {
                let element = operands.next()?;
                let count = self.vbr(6).filter(|count| *count <= MAX_OPERANDS)?;
                for _ in 0..count {
                    record.push(self.scalar(element)?);
                }
            } else {
                record.push(self.scalar(operand)?);
            }
        }
        Some(record)
    }

    fn scalar(&mut self, encoding: &OperandEncoding) -> Option<u64> {
        match encoding {
            OperandEncoding::Literal(value) => Some(*value),
            OperandEncoding::Fixed(width) => self.fixed(*width),
            OperandEncoding::Vbr(width) => self.vbr(*width),
            OperandEncoding::Char6 => {
                let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                letters.get(self.fixed(6)? as usize).map(|letter| u64::from(*letter))
            }
            OperandEncoding::Array => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_producers() {
        assert_eq!(major_version("LLVM19.1.7"), Some(19));
        assert_eq!(major_version("LLVM 3.9"), Some(3));
        assert_eq!(major_version("APPLE_1_1500.3.9.4_0"), Some(1));
        assert_eq!(major_version("rustc"), None);
    }

    #[test]
    fn garbage_has_no_producer() {
        assert_eq!(producer(b""), None);
        assert_eq!(producer(b"BC\xc0\xde"), None);
        assert_eq!(producer(b"BC\xc0\xde\xff\xff\xff\xff\xff\xff\xff\xff"), None);
        assert_eq!(producer(b"\xde\xc0\x17\x0b\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"), None);
    }
}
