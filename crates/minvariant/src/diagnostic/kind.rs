//! Everything that can be wrong with a program before it runs.

use thiserror::Error;

use crate::types::ValueType;

/// A kind of mistake in a program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message of a variant says what it is")]
pub enum DiagnosticKind {
    #[error("the file is longer than {limit} bytes")]
    FileTooLong { limit: usize },
    #[error("the comment has no end")]
    CommentWithoutEnd,
    #[error("the string has no end")]
    StringWithoutEnd,
    #[error("unknown escape in a string")]
    BadEscape,
    #[error("a data literal holds pairs of hexadecimal digits")]
    BadHex,
    #[error("this is no number")]
    BadNumber,
    #[error("the number does not fit into 64 bits")]
    NumberTooLarge,
    #[error("unknown character `{}`", character.escape_debug())]
    UnknownCharacter { character: char },

    #[error("expected {expected} but found {found}")]
    Unexpected { expected: String, found: String },
    #[error("expected {what}, and `{word}` is a word of the language")]
    ReservedName { what: String, word: &'static str },
    #[error("more than {limit} levels are nested here")]
    TooDeep { limit: usize },
    #[error("more than {limit} types are nested here")]
    TypeTooDeep { limit: usize },
    #[error("the block has no end: expected `}}`")]
    BlockWithoutEnd,
    #[error("`else` without `if`")]
    ElseWithoutIf,
    #[error("a statement without anything")]
    EmptyStatement,
    #[error("`=` is no comparison")]
    AssignmentAsCondition,
    #[error("`{name}` is declared without a value")]
    WithoutValue { name: String },
    #[error("method `{name}` is not called")]
    MethodWithoutCall { name: String },
    #[error("`{ty}` is a type, not a value")]
    TypeAsValue { ty: ValueType },
    #[error("the invariant does not say which data it is about")]
    InvariantWithoutSources,
    #[error("unknown clause `{name}` of an invariant")]
    UnknownClause { name: String },
    #[error("the clause `{name}` is there twice")]
    ClauseTwice { name: String },

    #[error("unknown type `{name}`")]
    UnknownType { name: String },
    #[error("`{ty}` cannot be the key of a map")]
    BadKey { ty: ValueType },
    #[error("unknown variable `{name}`")]
    UnknownVariable { name: String },
    #[error("unknown function `{name}`")]
    UnknownFunction { name: String },
    #[error("unknown method `{name}` of `{ty}`")]
    UnknownMethod { name: String, ty: ValueType },
    #[error("unknown method `{name}` of `sys`")]
    UnknownSys { name: String },
    #[error("`{name}` is declared twice")]
    DeclaredTwice { name: String },
    #[error("`{name}` is built in and cannot be declared")]
    BuiltIn { name: String },
    #[error("expected `{wanted}` but found `{found}`")]
    Mismatch { wanted: ValueType, found: ValueType },
    #[error("`{op}` cannot be used on `{left}` and `{right}`")]
    BadOperands { op: &'static str, left: ValueType, right: ValueType },
    #[error("the alternatives are `{first}` and `{second}`")]
    DifferentAlternatives { first: ValueType, second: ValueType },
    #[error("`{ty}` has no elements to index")]
    NotIndexable { ty: ValueType },
    #[error("`{ty}` cannot be gone through with `for`")]
    NotIterable { ty: ValueType },
    #[error("`{ty}` has no order")]
    NotOrdered { ty: ValueType },
    #[error("`{name}` does not work on `{ty}`")]
    BadElement { name: String, ty: ValueType },
    #[error("`{name}` takes {} but {found} {} given", count(*least, *most),
        if *found == 1 { "is" } else { "are" })]
    ArgumentCount { name: String, least: usize, most: usize, found: usize },
    #[error("a function without a name cannot be here")]
    LambdaHere,
    #[error("expected a function without a name but found `{found}`")]
    LambdaWanted { found: ValueType },
    #[error("this function gets {} but names {found}", count(*wanted, *wanted))]
    LambdaParams { wanted: usize, found: usize },
    #[error("this cannot be changed")]
    CannotAssign,
    #[error("a part of `{ty}` cannot be changed")]
    CannotAssignPart { ty: ValueType },
    #[error("`{word}` outside of a loop")]
    OutsideLoop { word: &'static str },
    #[error("this has no effect")]
    NoEffect,
    #[error("`return` needs a `{wanted}`")]
    ReturnWithoutValue { wanted: ValueType },
    #[error("`{name}` can end without a `return`")]
    MissingReturn { name: String },
    #[error("an invariant has one parameter of type `data[]`{}",
        found.as_ref().map(|ty| format!(", not `{ty}`")).unwrap_or_default())]
    InvariantParam { found: Option<ValueType> },
    #[error("`{name}` must be `{wanted}` here")]
    BadSource { name: String, wanted: String },
}

/// A number of arguments in words.
fn count(least: usize, most: usize) -> String {
    match (least, most) {
        (0, 0) => "no arguments".to_owned(),
        (1, 1) => "1 argument".to_owned(),
        (least, most) if least == most => format!("{least} arguments"),
        (least, most) => format!("{least} or {most} arguments"),
    }
}
