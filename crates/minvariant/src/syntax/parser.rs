//! Tokens to a tree.
//!
//! The parser goes on behind an error: inside of a block with the next statement, outside with the next
//! declaration. It notes what signs with several meanings mean in their places ([`SignRole`]), for the
//! formatter, and limits nesting, so that no later walk can overflow the stack.

mod expr;
mod stmt;
mod types;

use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::SourceSpan;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{PendingDiagnostic, PendingDiagnostics};
use crate::syntax::ast::{Ast, FunctionDecl, InvariantDecl, ParamDecl, SpannedName};
use crate::syntax::token::{Sign, Token, TokenKind, Word};

/// The depth to which blocks, expressions and types may be nested, counted together. The parser is
/// recursive, so this bounds its stack.
pub(crate) const NESTING_MAX: u32 = 64;

/// The meaning of a sign where it stands, if it could mean several things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SignRole {
    #[default]
    Plain,
    /// `<` and `>` of a type.
    TypeOpen,
    TypeClose,
    /// Braces and colons of a map.
    MapOpen,
    MapClose,
    MapColon,
    /// A sign before its only operand.
    Prefix,
    /// The word of a clause.
    Clause,
}

/// An error that was reported.
pub(crate) struct ReportedError;

type ParseResult<T> = Result<T, ReportedError>;

/// Adds the declarations of one file to `ast`; returns the roles of its tokens.
pub(crate) fn parse(
    tokens: &[Token],
    ast: &mut Ast,
    reports: &mut PendingDiagnostics,
) -> Vec<SignRole> {
    let roles = vec![SignRole::Plain; tokens.len()];
    let mut parser = Parser { tokens, at: 0, depth: 0, gave_up: None, roles, ast, reports };
    while !parser.at_end() {
        let start = parser.at;
        if parser.declaration().is_err() {
            parser.skip_declaration(start);
        }
    }
    if let Some(count) = parser.gave_up {
        parser.reports.truncate(count);
    }
    parser.roles
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: u32,
    /// The number of problems when nesting became too deep, which nothing recovers from.
    gave_up: Option<usize>,
    roles: Vec<SignRole>,
    ast: &'a mut Ast,
    reports: &'a mut PendingDiagnostics,
}

impl Parser<'_> {
    fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    /// The token `distance` behind this one; the last one is never passed.
    fn ahead(&self, distance: usize) -> &TokenKind {
        &self.tokens[(self.at + distance).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> SourceSpan {
        self.tokens[self.at].span
    }

    /// The span of the token before this one.
    fn last_span(&self) -> SourceSpan {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn at_end(&self) -> bool {
        *self.kind() == TokenKind::End
    }

    fn bump(&mut self) -> SourceSpan {
        let span = self.span();
        if !self.at_end() {
            self.at += 1;
        }
        span
    }

    fn is(&self, sign: Sign) -> bool {
        *self.kind() == TokenKind::Sign(sign)
    }

    fn is_word(&self, word: Word) -> bool {
        *self.kind() == TokenKind::Word(word)
    }

    /// Takes the sign if it is next.
    fn take(&mut self, sign: Sign) -> bool {
        let found = self.is(sign);
        if found {
            self.bump();
        }
        found
    }

    fn report(&mut self, span: SourceSpan, problem: DiagnosticKind) -> &mut PendingDiagnostic {
        self.reports.add(span, problem)
    }

    /// Reports that something else was expected here, unless the lexer has complained already.
    fn unexpected<T>(&mut self, expected: &str) -> ParseResult<T> {
        let found = self.kind().clone();
        if found != TokenKind::Bad {
            let span = self.span();
            let problem = DiagnosticKind::Unexpected {
                expected: expected.to_owned(),
                found: found.to_string(),
            };
            self.report(span, problem);
        }
        Err(ReportedError)
    }

    fn expect(&mut self, sign: Sign) -> ParseResult<SourceSpan> {
        if self.is(sign) {
            return Ok(self.bump());
        }
        self.unexpected(&format!("`{}`", sign.spelling()))
    }

    /// The end of a list that began at `open`.
    fn expect_close(&mut self, sign: Sign, open: SourceSpan) -> ParseResult<SourceSpan> {
        if self.is(sign) {
            return Ok(self.bump());
        }
        let count = self.reports.count();
        let result = self.unexpected(&format!("`{}`", sign.spelling()));
        if self.reports.count() > count && self.at_end() {
            self.reports.last().related("opened here", open);
        }
        result
    }

    fn name(&mut self, what: &str) -> ParseResult<SpannedName> {
        let span = self.span();
        match self.kind() {
            TokenKind::Name(name) => {
                let name = SpannedName { text: name.clone(), span };
                self.bump();
                Ok(name)
            }
            TokenKind::Word(word) => {
                let word = word.spelling();
                self.report(span, DiagnosticKind::ReservedName { what: what.to_owned(), word })
                    .help("choose another name");
                Err(ReportedError)
            }
            _ => self.unexpected(what),
        }
    }

    /// Runs `inner` one level deeper.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= NESTING_MAX {
            let span = self.span();
            self.too_deep(span);
            return Err(ReportedError);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Reports nesting, and gives up: what follows would be misunderstood.
    fn too_deep(&mut self, span: SourceSpan) {
        self.report(span, DiagnosticKind::TooDeep { limit: NESTING_MAX as usize })
            .help("give parts of it names of their own");
        self.gave_up.get_or_insert(self.reports.count());
        self.at = self.tokens.len() - 1;
    }

    fn declaration(&mut self) -> ParseResult<()> {
        if self.is_word(Word::Invariant) {
            let invariant = self.invariant()?;
            self.ast.invariants.push(invariant);
            return Ok(());
        }
        if let (TokenKind::Name(word), TokenKind::Name(_)) = (self.kind(), self.ahead(1))
            && let Some(meant) = nearest(word, ["invariant"])
        {
            let (word, span) = (word.clone(), self.span());
            self.report(span, DiagnosticKind::UnknownType { name: word }).meant(Some(meant));
            return Err(ReportedError);
        }
        if !self.at_type() {
            return self.unexpected("a function or an invariant");
        }
        let (result, _) = self.ty()?;
        let name = self.name("the name of a function")?;
        let (params, _) = self.params()?;
        let body = self.block()?;
        self.ast.functions.push(FunctionDecl { result, name, params, body });
        Ok(())
    }

    fn params(&mut self) -> ParseResult<(Vec<ParamDecl>, SourceSpan)> {
        let open = self.expect(Sign::ParenOpen)?;
        let mut params = Vec::new();
        while !self.is(Sign::ParenClose) {
            if !self.at_type() {
                return self.unexpected("a parameter, as in `int x`,");
            }
            let (ty, ty_span) = self.ty()?;
            let name = self.name("the name of a parameter")?;
            params.push(ParamDecl { ty, ty_span, name });
            if !self.take(Sign::Comma) {
                break;
            }
        }
        let close = self.expect_close(Sign::ParenClose, open)?;
        Ok((params, open.to(close)))
    }

    fn invariant(&mut self) -> ParseResult<InvariantDecl> {
        self.bump();
        let name = self.name("the name of an invariant")?;
        let (params, params_span) = self.params()?;
        if !self.is(Sign::Colon) {
            let span = self.last_span().after();
            self.report(span, DiagnosticKind::InvariantWithoutSources)
                .help("write `: nodes, states, keys` with the names of three functions");
            return Err(ReportedError);
        }
        self.bump();
        let nodes = self.name("the function that gives the nodes")?;
        self.expect(Sign::Comma)?;
        let states = self.name("the function that gives the states")?;
        self.expect(Sign::Comma)?;
        let keys = self.name("the function that gives the keys")?;
        let (mut require, mut eventually, mut when) = (false, false, None);
        while let TokenKind::Name(clause) = self.kind().clone() {
            self.roles[self.at] = SignRole::Clause;
            let span = self.bump();
            let twice = match clause.as_str() {
                "require" => std::mem::replace(&mut require, true),
                "eventually" => std::mem::replace(&mut eventually, true),
                "when" => {
                    let condition = self.expr()?;
                    when.replace(condition).is_some()
                }
                _ => {
                    let meant = nearest(&clause, ["require", "eventually", "when"]);
                    let problem = DiagnosticKind::UnknownClause { name: clause.clone() };
                    self.report(span, problem).meant(meant);
                    return Err(ReportedError);
                }
            };
            if twice {
                self.report(span, DiagnosticKind::ClauseTwice { name: clause });
            }
        }
        let body = self.block()?;
        let sources = [nodes, states, keys];
        Ok(InvariantDecl { name, params, params_span, sources, require, eventually, when, body })
    }

    /// Goes to where the next declaration may begin; a broken one began at `start`.
    fn skip_declaration(&mut self, start: usize) {
        if self.at == start {
            self.bump();
        }
        let mut open = 0usize;
        while !self.at_end() {
            match self.kind() {
                TokenKind::Word(Word::Invariant) => return,
                TokenKind::Sign(Sign::BraceOpen) => open += 1,
                TokenKind::Sign(Sign::BraceClose) if open <= 1 => {
                    self.bump();
                    return;
                }
                TokenKind::Sign(Sign::BraceClose) => open -= 1,
                TokenKind::Sign(Sign::Semicolon) if open == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }
}
