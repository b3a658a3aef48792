//! Loads LLVM 19 bitcode and text, links it, and lowers it to an [`everett_ir::Program`].
//!
//! [`load`] reads the program's modules and the libraries beside them, links them as a linker
//! would, and answers a [`LoadedProgram`] program together with what it does not define. [`load_cached`]
//! does the same through a folder of programs lowered before, so that a large program starts at
//! once the second time. This is the only crate that touches LLVM.
//!
//! Not here: execution (`everett-interp`), and which undefined functions the engine provides.
//!
//! ```
//! use everett_llvm::{LoadOptions, load_bytes};
//!
//! let text = b"define i32 @main() {\n  ret i32 7\n}\n";
//! let loaded = load_bytes("tiny.ll", text, &LoadOptions::default())?;
//! assert!(loaded.program.function_named("main").is_some());
//! # Ok::<(), everett_llvm::LlvmError>(())
//! ```

mod cache;
mod error;
mod hooks;
mod instructions;
mod library;
mod link;
mod load;
mod lower;
mod producer;
mod resolve;
mod sys;

pub use cache::{load_cached, look_up};
pub use error::LlvmError;
pub use hooks::{HOOK, HookRequest, hook};
pub use library::Library;
pub use link::link_to_bitcode;
pub use load::{LoadOptions, LoadedProgram, PANIC, UndefinedSymbol, load, load_bytes};
