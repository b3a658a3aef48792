//! Test cases on disk.
//!
//! A test case is what the engine leaves behind for a path: the values of the symbolic inputs that lead
//! along it. [`KTest`] is the one in KLEE's `.ktest` format, so that KLEE's tools read ours and we read
//! theirs; its bytes come from [`KTest::to_bytes`] and go back through [`KTest::from_bytes`], which
//! trusts nothing it reads. `Display` of a [`KTest`] is the listing for a person. A [`dtest::DTest`] is
//! the one of a system: XML that names a ktest for each node. A [`script::Script`] is what happens in
//! such a test, call by call, for native programs.
//!
//! ```
//! use everett_replay::{KTest, KTestObject};
//!
//! let mut test = KTest::new(["prog.bc"]);
//! test.objects.push(KTestObject::new("n", 7u32.to_le_bytes()));
//! let bytes = test.to_bytes()?;
//! assert_eq!(KTest::from_bytes(&bytes)?, test);
//! # Ok::<(), everett_replay::FormatError>(())
//! ```

#![forbid(unsafe_code)]

pub mod dtest;
mod ktest;
pub mod script;

mod error;
mod listing;

pub use dtest::DTest;
pub use error::{DTestError, DTestProblem, FormatError, FormatProblem, ReplayError};
pub use ktest::{FILE_BYTES_MAX, KTest, KTestObject};
pub use script::Script;
