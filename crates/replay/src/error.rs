//! Errors of test cases on disk.
//!
//! Messages have their causes in them, so no error names another as its source: it would be printed twice.
//! [`FormatError`] and [`DTestError`] speak of contents, [`ReplayError`] of a file that holds them.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A test file that cannot be read or written.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The operating system refused.
    #[error("cannot {action} {}: {error}", file.display())]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// The file in question.
        file: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The contents are not those of a test file, or cannot be written as one.
    #[error("{}: {error}", file.display())]
    Format {
        /// The file in question.
        file: PathBuf,
        /// The place in the file, and the problem.
        error: FormatError,
    },
    /// The contents are not those of a test of a system.
    #[error("{}:{error}", file.display())]
    DTest {
        /// The file in question.
        file: PathBuf,
        /// The place in the file, and the problem.
        error: DTestError,
    },
}

/// Bytes that are not a test file, or a test that the format cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at byte {offset}: {problem}")]
pub struct FormatError {
    /// The offset at which the guilty field begins.
    pub offset: u64,
    /// The problem with it.
    pub problem: FormatProblem,
}

/// A problem at one place of a test file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FormatProblem {
    /// The file does not begin as one.
    #[error("not a ktest file: it begins with neither `KTEST` nor `BOUT`")]
    Magic,
    /// Written by something newer than we know, or not a version at all.
    #[error("ktest version {found} is not known; versions 1 to {newest} are")]
    Version {
        /// The version in the file.
        found: u32,
        /// The newest one that is understood.
        newest: u32,
    },
    /// A field reaches beyond the end.
    #[error("{field} takes {needed} bytes, but only {left} are left")]
    Truncated {
        /// The name of the field.
        field: &'static str,
        /// The number of bytes that it takes, or takes at least.
        needed: u64,
        /// The number of bytes that there are.
        left: u64,
    },
    /// Something follows the last object.
    #[error("{count} bytes follow the last object")]
    Trailing {
        /// The number of bytes.
        count: u64,
    },
    /// The file is larger than any test case.
    #[error("the file has {size} bytes; test files have at most {most}")]
    TooLarge {
        /// Its size.
        size: u64,
        /// The limit.
        most: u64,
    },
    /// A part of the test has more bytes or entries than the format can count.
    #[error("{field} has length {length}, more than a ktest file can hold")]
    TooLong {
        /// The name of the part.
        field: &'static str,
        /// Its length.
        length: u64,
    },
}

/// Bytes that are not a test of a system.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line}:{column}: {problem}")]
pub struct DTestError {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The problem there.
    pub problem: DTestProblem,
}

/// A problem at one place of a test of a system.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DTestProblem {
    /// It is larger than any test.
    #[error("the file is larger than {most} bytes, which no test is")]
    TooLarge {
        /// The limit.
        most: u64,
    },
    /// It is nested deeper than any test.
    #[error("elements are nested more than {most} deep")]
    TooDeep {
        /// The limit.
        most: usize,
    },
    /// Something that is not text.
    #[error("expected text in UTF-8 without control characters")]
    NotText,
    /// It is not XML.
    #[error("not well-formed XML: {0}")]
    Xml(String),
    /// It declares a type.
    #[error("a DOCTYPE is not allowed here")]
    DocType,
    /// There is nothing in it.
    #[error("expected the element <test>, found the end of the file")]
    NoRoot,
    /// Text where only elements may be.
    #[error("expected an element, found text")]
    Text,
    /// An element that may not be there.
    #[error("unexpected <{found}>; expected {expected}")]
    Element {
        /// Its name.
        found: String,
        /// The values that may be there.
        expected: &'static str,
    },
    /// An element that is not there.
    #[error("<{inside}> lacks the element <{name}>")]
    MissingElement {
        /// The element that lacks it.
        inside: String,
        /// Its name.
        name: &'static str,
    },
    /// An element that is there twice.
    #[error("a second <{0}>; there is one at most")]
    Repeated(String),
    /// An attribute that may not be there.
    #[error("<{element}> has no attribute `{found}`")]
    Attribute {
        /// The element.
        element: String,
        /// The attribute.
        found: String,
    },
    /// An attribute that is not there.
    #[error("<{element}> lacks the attribute `{name}`")]
    MissingAttribute {
        /// The element.
        element: String,
        /// The attribute.
        name: String,
    },
    /// A value that an attribute cannot have.
    #[error("`{attribute}` is `{found}`; expected {expected}")]
    Value {
        /// The attribute.
        attribute: String,
        /// Its value.
        found: String,
        /// The values that it may have.
        expected: &'static str,
    },
    /// Written by something newer than we know.
    #[error("dtest version {found} is not known; version {known} is")]
    Version {
        /// The version in the file.
        found: u32,
        /// The one that is understood.
        known: u32,
    },
}
