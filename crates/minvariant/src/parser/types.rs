//! Types where they are written.

use super::{Parsed, Parser, Reported, Role};
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest::nearest;
use crate::token::{Kind, Sign, Word};
use crate::types::{TYPE_DEPTH_MAX, Type};

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
    /// Whether a type may begin here.
    pub(super) fn at_type(&self) -> bool {
        match self.kind() {
            Kind::Word(word) => {
                matches!(word, Word::Int | Word::Bool | Word::String | Word::Data | Word::Map)
            }
            Kind::Name(_) => true,
            _ => false,
        }
    }

    /// A type with all its brackets.
    pub(super) fn ty(&mut self) -> Parsed<(Type, Span)> {
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
    pub(super) fn array_type(&mut self, element: Type, start: Span) -> Parsed<Type> {
        if element.depth() >= TYPE_DEPTH_MAX {
            let span = start.to(self.last_span());
            self.report(span, Problem::TypeTooDeep { limit: TYPE_DEPTH_MAX });
            return Err(Reported);
        }
        Ok(Type::array(element))
    }

    /// A type without the brackets of arrays.
    pub(super) fn base_type(&mut self) -> Parsed<Type> {
        let span = self.span();
        let ty = match self.kind().clone() {
            Kind::Word(Word::Int) => Type::Int,
            Kind::Word(Word::Bool) => Type::Bool,
            Kind::Word(Word::String) => Type::String,
            Kind::Word(Word::Data) => Type::Data,
            Kind::Word(Word::Map) => return self.nested(Self::map_type),
            Kind::Name(name) => {
                self.bump();
                let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
                let meant = other.map(|(_, ours)| *ours).or_else(|| nearest(&name, TYPES));
                let report = self.report(span, Problem::UnknownType { name });
                match meant {
                    Some(_) => report.meant(meant),
                    None => report
                        .help("types are `int`, `bool`, `string`, `data`, `T[]` and `map<K, V>`"),
                }
                return Ok(Type::Unknown);
            }
            _ => return self.unexpected("a type"),
        };
        self.bump();
        Ok(ty)
    }

    fn map_type(&mut self) -> Parsed<Type> {
        let start = self.bump();
        self.roles[self.at] = Role::TypeOpen;
        self.expect(Sign::Less)?;
        let (key, key_span) = self.ty()?;
        if !key.is_key() {
            self.report(key_span, Problem::BadKey { ty: key.clone() })
                .help("keys are `int`, `bool`, `string` or `data`");
        }
        self.expect(Sign::Comma)?;
        let (value, _) = self.ty()?;
        self.roles[self.at] = Role::TypeClose;
        self.expect(Sign::Greater)?;
        if value.depth() >= TYPE_DEPTH_MAX {
            let span = start.to(self.last_span());
            self.report(span, Problem::TypeTooDeep { limit: TYPE_DEPTH_MAX });
            return Err(Reported);
        }
        Ok(Type::map(if key.is_key() { key } else { Type::Unknown }, value))
    }
}
