//! Types where they are written.

use super::{ParseResult, Parser, ReportedError, SignRole};
use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::SourceSpan;
use crate::diagnostic::suggest::nearest;
use crate::syntax::token::{Sign, TokenKind, Word};
use crate::types::{TYPE_DEPTH_MAX, ValueType};

/// Names of types, for suggestions, with names that other languages have for them.
const TYPES: [&str; 5] = ["int", "bool", "string", "data", "map"];
const OTHER_NAMES: [(&str, &str); 11] = [
    ("boolean", "bool"),
    ("str", "string"),
    ("char", "string"),
    ("bytes", "data"),
    ("byte", "int"),
    ("long", "int"),
    ("i64", "int"),
    ("integer", "int"),
    ("number", "int"),
    ("dict", "map"),
    ("uint", "int"),
];

impl Parser<'_> {
    /// Returns `true` if a type may begin here.
    pub(super) fn at_type(&self) -> bool {
        match self.kind() {
            TokenKind::Word(word) => {
                matches!(word, Word::Int | Word::Bool | Word::String | Word::Data | Word::Map)
            }
            TokenKind::Name(_) => true,
            _ => false,
        }
    }

    /// A type with all its brackets.
    pub(super) fn ty(&mut self) -> ParseResult<(ValueType, SourceSpan)> {
        let start = self.span();
        let mut ty = self.base_type()?;
        while self.is(Sign::BracketOpen) {
            self.bump();
            if !self.is(Sign::BracketClose) {
                return self.unexpected("`]`");
            }
            self.bump();
            ty = self.array_type(ty, start)?;
        }
        Ok((ty, start.to(self.last_span())))
    }

    /// An array type, unless it is nested too deeply.
    pub(super) fn array_type(
        &mut self,
        element: ValueType,
        start: SourceSpan,
    ) -> ParseResult<ValueType> {
        if element.depth() >= TYPE_DEPTH_MAX {
            let span = start.to(self.last_span());
            self.report(span, DiagnosticKind::TypeTooDeep { limit: TYPE_DEPTH_MAX });
            return Err(ReportedError);
        }
        Ok(ValueType::array(element))
    }

    /// A type without the brackets of arrays.
    pub(super) fn base_type(&mut self) -> ParseResult<ValueType> {
        let span = self.span();
        let ty = match self.kind().clone() {
            TokenKind::Word(Word::Int) => ValueType::Int,
            TokenKind::Word(Word::Bool) => ValueType::Bool,
            TokenKind::Word(Word::String) => ValueType::String,
            TokenKind::Word(Word::Data) => ValueType::Data,
            TokenKind::Word(Word::Map) => return self.nested(Self::map_type),
            TokenKind::Name(name) => {
                self.bump();
                let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
                let meant = other.map(|(_, ours)| *ours).or_else(|| nearest(&name, TYPES));
                let report = self.report(span, DiagnosticKind::UnknownType { name });
                match meant {
                    Some(_) => report.meant(meant),
                    None => report
                        .help("types are `int`, `bool`, `string`, `data`, `T[]` and `map<K, V>`"),
                }
                return Ok(ValueType::Unknown);
            }
            _ => return self.unexpected("a type"),
        };
        self.bump();
        Ok(ty)
    }

    fn map_type(&mut self) -> ParseResult<ValueType> {
        let start = self.bump();
        self.roles[self.at] = SignRole::TypeOpen;
        self.expect(Sign::Less)?;
        let (key, key_span) = self.ty()?;
        if !key.is_key() {
            self.report(key_span, DiagnosticKind::BadKey { ty: key.clone() })
                .help("keys are `int`, `bool`, `string` or `data`");
        }
        self.expect(Sign::Comma)?;
        let (value, _) = self.ty()?;
        self.roles[self.at] = SignRole::TypeClose;
        self.expect(Sign::Greater)?;
        if value.depth() >= TYPE_DEPTH_MAX {
            let span = start.to(self.last_span());
            self.report(span, DiagnosticKind::TypeTooDeep { limit: TYPE_DEPTH_MAX });
            return Err(ReportedError);
        }
        Ok(ValueType::map(if key.is_key() { key } else { ValueType::Unknown }, value))
    }
}
