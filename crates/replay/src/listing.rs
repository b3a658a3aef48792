//! The listing of a test case for a person.
//!
//! Each object is shown as hexadecimal rows, as an integer where its size is that of one (little-endian,
//! as the simulated machine is), and as text.

use std::fmt;

use crate::ktest::{KTest, KTestObject};

/// Bytes of a hexadecimal or text row.
const ROW_BYTES: usize = 16;

impl fmt::Display for KTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KTest { args, sym_argvs, sym_argv_len, objects } = self;
        write!(f, "arguments")?;
        for arg in args {
            write!(f, " \"{}\"", arg.escape_ascii())?;
        }
        writeln!(f)?;
        if *sym_argvs != 0 {
            writeln!(f, "symbolic arguments {sym_argvs}, each of {sym_argv_len} bytes")?;
        }
        writeln!(f, "objects {}", objects.len())?;
        for (number, object) in objects.iter().enumerate() {
            writeln!(f, "\n[{number}] {object}")?;
        }
        Ok(())
    }
}

impl fmt::Display for KTestObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KTestObject { name, bytes } = self;
        let noun = if bytes.len() == 1 { "byte" } else { "bytes" };
        write!(f, "{}, {} {noun}", name.escape_ascii(), bytes.len())?;
        rows(f, "hex", bytes, |byte| format!("{byte:02x} "))?;
        if let Some(value) = unsigned(bytes) {
            let unused = 64 - 8 * bytes.len() as u32;
            // Moving the sign bit to the top and back fills the unused bits with it.
            write!(f, "\n    int  {}", ((value << unused) as i64) >> unused)?;
            write!(f, "\n    uint {value}")?;
        }
        rows(f, "text", bytes, |byte| match byte {
            b' '..=b'~' => char::from(byte).to_string(),
            _ => ".".to_string(),
        })
    }
}

/// Rows of at most [`ROW_BYTES`] bytes, the first of them with a label.
fn rows(
    f: &mut fmt::Formatter<'_>,
    label: &str,
    bytes: &[u8],
    show: impl Fn(u8) -> String,
) -> fmt::Result {
    for (number, row) in bytes.chunks(ROW_BYTES).enumerate() {
        let label = if number == 0 { label } else { "" };
        let row: String = row.iter().map(|&byte| show(byte)).collect();
        write!(f, "\n    {label:4} {}", row.trim_ascii_end())?;
    }
    Ok(())
}

/// The value of an object that has the size of a machine integer.
fn unsigned(bytes: &[u8]) -> Option<u64> {
    if !matches!(bytes.len(), 1 | 2 | 4 | 8) {
        return None;
    }
    Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(test: &KTest, expected: Expect) {
        expected.assert_eq(&test.to_string());
    }

    #[test]
    fn integers_are_little_endian_and_signed() {
        let mut test = KTest::new(["prog.bc", "a\"b"]);
        test.objects.push(KTestObject::new("n", (-2i32).to_le_bytes()));
        test.objects.push(KTestObject::new("c", *b"A"));
        check(
            &test,
            expect![[r#"
                arguments "prog.bc" "a\"b"
                objects 2

                [0] n, 4 bytes
                    hex  fe ff ff ff
                    int  -2
                    uint 4294967294
                    text ....

                [1] c, 1 byte
                    hex  41
                    int  65
                    uint 65
                    text A
            "#]],
        );
    }

    #[test]
    fn long_objects_take_several_rows() {
        let mut test = KTest::new(["prog.bc"]);
        (test.sym_argvs, test.sym_argv_len) = (2, 3);
        test.objects.push(KTestObject::new("buf\n", *b"GET / HTTP/1.0\r\n\0 and so on"));
        test.objects.push(KTestObject::new("nothing", []));
        check(
            &test,
            expect![[r#"
                arguments "prog.bc"
                symbolic arguments 2, each of 3 bytes
                objects 2

                [0] buf\n, 27 bytes
                    hex  47 45 54 20 2f 20 48 54 54 50 2f 31 2e 30 0d 0a
                         00 20 61 6e 64 20 73 6f 20 6f 6e
                    text GET / HTTP/1.0..
                         . and so on

                [1] nothing, 0 bytes
            "#]],
        );
    }
}
