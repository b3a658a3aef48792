//! The syntax of the language: tokens, the parser and its tree, and the formatter.
//!
//! Not here: the meaning of a program, which `check` looks at.

pub(crate) mod ast;
pub(crate) mod format;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod token;
