//! KLEE's `.ktest` format, version 3, and the older versions for reading.
//!
//! All numbers are big-endian 32-bit words; a string or block is its length and its bytes:
//!
//! ```text
//! "KTEST" (or the older "BOUT\n")  version
//! count of arguments               each: string
//! symbolic arguments, their length (from version 2 on)
//! count of objects                 each: name string, contents block
//! ```
//!
//! Names and arguments are bytes, not text: C puts no encoding on them. Every length is compared with
//! what is left of the file before anything is allocated, so a damaged file costs no more memory than
//! its own size.

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use crate::error::{FormatError, FormatProblem, ReplayError};
use everett_input::host;

const MAGIC: &[u8; 5] = b"KTEST";
const MAGIC_OLD: &[u8; 5] = b"BOUT\n";
const VERSION: u32 = 3;

/// The largest file that [`KTest::read`] accepts.
pub const FILE_BYTES_MAX: u64 = 1 << 30;

/// A test case: the arguments of the program and the contents of its symbolic objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KTest {
    /// The command line that the program was run with; the first is the program itself.
    pub args: Vec<Vec<u8>>,
    /// The most symbolic command-line arguments that there were.
    pub sym_argvs: u32,
    /// The length of each of them.
    pub sym_argv_len: u32,
    /// The symbolic objects, in the order in which the path created them.
    pub objects: Vec<KTestObject>,
}

everett_base::portable!(struct KTest { args, sym_argvs, sym_argv_len, objects });

/// One symbolic object and its contents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KTestObject {
    /// The name given to `klee_make_symbolic`.
    pub name: Vec<u8>,
    /// The contents of the object.
    pub bytes: Vec<u8>,
}

everett_base::portable!(struct KTestObject { name, bytes });

impl KTestObject {
    /// An object of this name and contents.
    pub fn new(name: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) -> KTestObject {
        KTestObject { name: name.into(), bytes: bytes.into() }
    }
}

impl KTest {
    /// A test without objects for a program run with these arguments.
    pub fn new<A: Into<Vec<u8>>>(args: impl IntoIterator<Item = A>) -> KTest {
        KTest { args: args.into_iter().map(Into::into).collect(), ..KTest::default() }
    }

    /// The first object of this name.
    pub fn object(&self, name: &[u8]) -> Option<&KTestObject> {
        self.objects.iter().find(|object| object.name == name)
    }

    /// Returns `true` if a file that begins with these bytes says that it is a test.
    pub fn is_one(start: &[u8]) -> bool {
        start.starts_with(MAGIC) || start.starts_with(MAGIC_OLD)
    }

    /// Reads a test file.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than [`FILE_BYTES_MAX`], or is not a test file.
    pub fn read(file: &Path) -> Result<KTest, ReplayError> {
        let io = |error| ReplayError::Io { action: "read", file: file.to_path_buf(), error };
        let format = |error| ReplayError::Format { file: file.to_path_buf(), error };
        let mut bytes = Vec::new();
        // One byte more than allowed: so a file that is too large shows, even one that grows.
        let limited = fs::File::open(host::real(file)).map_err(io)?.take(FILE_BYTES_MAX + 1);
        { limited }.read_to_end(&mut bytes).map_err(io)?;
        let size = bytes.len() as u64;
        if size > FILE_BYTES_MAX {
            let problem = FormatProblem::TooLarge { size, most: FILE_BYTES_MAX };
            return Err(format(FormatError { offset: 0, problem }));
        }
        KTest::from_bytes(&bytes).map_err(format)
    }

    /// Writes a test file.
    ///
    /// # Errors
    /// When the file cannot be written, or a length does not fit the format.
    pub fn write(&self, file: &Path) -> Result<(), ReplayError> {
        let write = || {
            // Tests with the answers of live peers are as large as these, so they are not copied first.
            let mut writer = KTestWriter { to: BufWriter::new(fs::File::create(file)?), offset: 0 };
            self.write_to(&mut writer)?;
            writer.to.flush()?;
            Ok(())
        };
        write().map_err(|problem| match problem {
            WriteProblem::Format(error) => ReplayError::Format { file: file.to_path_buf(), error },
            WriteProblem::Io(error) => {
                ReplayError::Io { action: "write", file: file.to_path_buf(), error }
            }
        })
    }

    /// The contents of a test file, always of version 3.
    ///
    /// # Errors
    /// When a length does not fit into 32 bits.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut writer = KTestWriter { to: Vec::new(), offset: 0 };
        match self.write_to(&mut writer) {
            Ok(()) => Ok(writer.to),
            Err(WriteProblem::Format(error)) => Err(error),
            Err(WriteProblem::Io(error)) => unreachable!("memory takes all bytes: {error}"),
        }
    }

    fn write_to<W: Write>(&self, writer: &mut KTestWriter<W>) -> Result<(), WriteProblem> {
        let KTest { args, sym_argvs, sym_argv_len, objects } = self;
        writer.bytes(MAGIC)?;
        writer.word(VERSION)?;
        writer.length("the list of arguments", args.len())?;
        for arg in args {
            writer.block("an argument", arg)?;
        }
        writer.word(*sym_argvs)?;
        writer.word(*sym_argv_len)?;
        writer.length("the list of objects", objects.len())?;
        for KTestObject { name, bytes } in objects {
            writer.block("the name of an object", name)?;
            writer.block("an object", bytes)?;
        }
        Ok(())
    }

    /// Reads the contents of a test file.
    ///
    /// # Errors
    /// When they are not those of a test file of a known version; the error says where and why.
    pub fn from_bytes(bytes: &[u8]) -> Result<KTest, FormatError> {
        let mut reader = KTestReader { bytes, at: 0 };
        let magic = reader.take("the signature", MAGIC.len()).ok();
        if magic != Some(MAGIC) && magic != Some(MAGIC_OLD) {
            return Err(FormatError { offset: 0, problem: FormatProblem::Magic });
        }
        let offset = reader.at as u64;
        let version = reader.word("the version")?;
        if !(1..=VERSION).contains(&version) {
            let problem = FormatProblem::Version { found: version, newest: VERSION };
            return Err(FormatError { offset, problem });
        }
        let args =
            reader.list("the list of arguments", 4, |r| Ok(r.block("an argument")?.to_vec()))?;
        let (sym_argvs, sym_argv_len) = match version {
            1 => (0, 0),
            _ => (
                reader.word("the number of symbolic arguments")?,
                reader.word("the length of symbolic arguments")?,
            ),
        };
        let objects = reader.list("the list of objects", 8, |r| {
            Ok(KTestObject::new(r.block("the name of an object")?, r.block("an object")?))
        })?;
        match reader.left() {
            0 => Ok(KTest { args, sym_argvs, sym_argv_len, objects }),
            count => Err(reader.error(FormatProblem::Trailing { count: count as u64 })),
        }
    }
}

/// The reason for which a test could not be written.
enum WriteProblem {
    Format(FormatError),
    Io(io::Error),
}

impl From<io::Error> for WriteProblem {
    fn from(error: io::Error) -> WriteProblem {
        WriteProblem::Io(error)
    }
}

/// Writes the parts of a file, and counts its bytes.
struct KTestWriter<W> {
    to: W,
    offset: u64,
}

impl<W: Write> KTestWriter<W> {
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), WriteProblem> {
        self.to.write_all(bytes)?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    fn word(&mut self, value: u32) -> Result<(), WriteProblem> {
        self.bytes(&value.to_be_bytes())
    }

    fn length(&mut self, field: &'static str, length: usize) -> Result<(), WriteProblem> {
        let word = u32::try_from(length).map_err(|_| {
            let problem = FormatProblem::TooLong { field, length: length as u64 };
            WriteProblem::Format(FormatError { offset: self.offset, problem })
        })?;
        self.word(word)
    }

    fn block(&mut self, field: &'static str, bytes: &[u8]) -> Result<(), WriteProblem> {
        self.length(field, bytes.len())?;
        self.bytes(bytes)
    }
}

/// A position in the bytes of a file. Invariant: `at <= bytes.len()`.
struct KTestReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> KTestReader<'a> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn error(&self, problem: FormatProblem) -> FormatError {
        FormatError { offset: self.at as u64, problem }
    }

    fn require(&self, field: &'static str, needed: u64) -> Result<(), FormatError> {
        let left = self.left() as u64;
        if needed > left {
            return Err(self.error(FormatProblem::Truncated { field, needed, left }));
        }
        Ok(())
    }

    fn take(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], FormatError> {
        self.require(field, count as u64)?;
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    fn word(&mut self, field: &'static str) -> Result<u32, FormatError> {
        let bytes = self.take(field, 4)?;
        Ok(u32::from_be_bytes(bytes.try_into().expect("four bytes were taken")))
    }

    fn block(&mut self, field: &'static str) -> Result<&'a [u8], FormatError> {
        let length = self.word(field)?;
        self.take(field, length as usize)
    }

    /// A count and as many entries, each of `entry_bytes` bytes at least.
    fn list<T>(
        &mut self,
        field: &'static str,
        entry_bytes: u64,
        mut entry: impl FnMut(&mut Self) -> Result<T, FormatError>,
    ) -> Result<Vec<T>, FormatError> {
        let count = self.word(field)?;
        self.require(field, u64::from(count) * entry_bytes)?;
        (0..count).map(|_| entry(self)).collect()
    }
}

#[cfg(test)]
mod tests;
