//! The words of the language.

use std::fmt;

use crate::diagnostic::source::SourceSpan;

/// A token and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: SourceSpan,
}

/// A comment, which the parser does not see and the formatter keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) span: SourceSpan,
    /// `// ...`, which needs the rest of its line.
    pub(crate) to_line_end: bool,
}

/// A kind of token, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name(String),
    Word(Word),
    /// A number; decimal ones are at most 2^63, which only a minus makes valid.
    Int {
        value: u64,
        hex: bool,
    },
    Text(Vec<u8>),
    Data(Vec<u8>),
    Sign(Sign),
    /// A token that the lexer has complained about.
    Bad,
    End,
}

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident => $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant,)* }

        impl $name {
            pub(crate) const ALL: &[$name] = &[$($name::$variant,)*];

            pub(crate) fn spelling(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

spelled! {
    /// Words that are no names.
    Word {
        Invariant => "invariant",
        Var => "var",
        If => "if",
        Else => "else",
        For => "for",
        In => "in",
        While => "while",
        Break => "break",
        Continue => "continue",
        Return => "return",
        True => "true",
        False => "false",
        Int => "int",
        Bool => "bool",
        String => "string",
        Data => "data",
        Map => "map",
    }
}

spelled! {
    /// Signs; those that begin with another one stand before it.
    Sign {
        AddAssign => "+=",
        SubAssign => "-=",
        MulAssign => "*=",
        DivAssign => "/=",
        RemAssign => "%=",
        Equal => "==",
        NotEqual => "!=",
        LessEqual => "<=",
        GreaterEqual => ">=",
        And => "&&",
        Or => "||",
        Arrow => "=>",
        Assign => "=",
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        Less => "<",
        Greater => ">",
        Not => "!",
        Question => "?",
        Colon => ":",
        Semicolon => ";",
        Comma => ",",
        Dot => ".",
        ParenOpen => "(",
        ParenClose => ")",
        BracketOpen => "[",
        BracketClose => "]",
        BraceOpen => "{",
        BraceClose => "}",
    }
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKind::Name(name) => write!(f, "`{name}`"),
            TokenKind::Word(word) => write!(f, "`{}`", word.spelling()),
            TokenKind::Int { .. } => f.write_str("a number"),
            TokenKind::Text(_) => f.write_str("a string"),
            TokenKind::Data(_) => f.write_str("a data literal"),
            TokenKind::Sign(sign) => write!(f, "`{}`", sign.spelling()),
            TokenKind::Bad => f.write_str("something unreadable"),
            TokenKind::End => f.write_str("the end of the file"),
        }
    }
}
