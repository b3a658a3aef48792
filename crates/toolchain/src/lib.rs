//! From C to programs: the compiler, native files that carry their bitcode, and loading.
//!
//! * [`cc`] compiles as gcc and clang do; the results are native and carry their bitcode.
//! * [`carried`] takes bitcode out of native files.
//! * [`BitcodeLoader`] makes a program of a file of bitcode, or of a native one that carries it.
//! * [`Clang`] is the compiler itself.
//! * [`peer_library`] is loaded into live peers.
//! * [`program_file`] says what files are that are given as programs and are none.
//!
//! Nothing here looks at the environment of the process: folders and names are passed in.
//!
//! ```no_run
//! use everett_toolchain::{ProgramCaching, BitcodeLoader, ReadingMode};
//!
//! let options = everett_runtime::load_options(Vec::new());
//! let loader = BitcodeLoader::new(options, "cache".into(), ReadingMode::Here);
//! let loaded = loader.load(&["prog".into()], ProgramCaching::On)?;
//! println!("{} functions", loaded.program.functions.len());
//! # Ok::<(), everett_toolchain::ToolchainError>(())
//! ```

#![forbid(unsafe_code)]

pub mod carried;
pub mod cc;
mod clang;
mod error;
pub mod gateway;
mod load;
mod made;
mod peer_library;
pub mod program_file;

pub use clang::{Clang, Libc, UnknownLibc};
pub use error::{CommandLineError, ElfError, RecordError, ToolchainError};
pub use load::{BitcodeLoader, ProgramCaching, ReadingMode, ReadingProcess};
pub use peer_library::{loads_peer_library, peer_library};
