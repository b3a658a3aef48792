//! Statements and blocks.

use super::{ParseResult, Parser, ReportedError};
use crate::diagnostic::kind::DiagnosticKind;
use crate::syntax::ast::{BinaryOp, Block, Stmt, StmtKind};
use crate::syntax::token::{Sign, TokenKind, Word};

/// The operator of `+=` and its relatives; none of `=`.
fn assignment(kind: &TokenKind) -> Option<Option<BinaryOp>> {
    let TokenKind::Sign(sign) = kind else { return None };
    Some(match sign {
        Sign::Assign => None,
        Sign::AddAssign => Some(BinaryOp::Add),
        Sign::SubAssign => Some(BinaryOp::Sub),
        Sign::MulAssign => Some(BinaryOp::Mul),
        Sign::DivAssign => Some(BinaryOp::Div),
        Sign::RemAssign => Some(BinaryOp::Rem),
        _ => return None,
    })
}

impl Parser<'_> {
    pub(super) fn block(&mut self) -> ParseResult<Block> {
        self.nested(|parser| {
            let open = parser.expect(Sign::BraceOpen)?;
            let mut stmts = Vec::new();
            while !parser.is(Sign::BraceClose) && !parser.at_end() {
                if parser.is_word(Word::Invariant) {
                    break;
                }
                let start = parser.at;
                match parser.stmt() {
                    Ok(stmt) => stmts.push(stmt),
                    Err(ReportedError) => parser.skip_stmt(start),
                }
            }
            if parser.is(Sign::BraceClose) {
                let end = parser.bump();
                return Ok(Block { stmts, end });
            }
            let span = parser.span();
            parser
                .report(span, DiagnosticKind::BlockWithoutEnd)
                .related("the block begins here", open);
            Err(ReportedError)
        })
    }

    /// Goes behind the broken statement that began at `start`: behind its `;`, or to the end of the block.
    fn skip_stmt(&mut self, start: usize) {
        if self.at == start {
            if self.is(Sign::BraceOpen) {
                // A block that could not be read at all is skipped as a whole.
                self.skip_declaration(start);
                return;
            }
            self.bump();
        }
        let mut open = 0usize;
        while !self.at_end() && !self.is_word(Word::Invariant) {
            match self.kind() {
                TokenKind::Sign(Sign::BraceOpen) => open += 1,
                TokenKind::Sign(Sign::BraceClose) if open == 0 => return,
                TokenKind::Sign(Sign::BraceClose) => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        return;
                    }
                }
                TokenKind::Sign(Sign::Semicolon) if open == 0 => {
                    self.bump();
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// The `;` behind a statement. A missing one is reported, and taken as written if a new line follows.
    fn semicolon(&mut self) -> ParseResult<()> {
        if self.take(Sign::Semicolon) {
            return Ok(());
        }
        if *self.kind() == TokenKind::Bad {
            return Err(ReportedError);
        }
        let span = self.last_span().after();
        let found = self.kind().to_string();
        self.report(span, DiagnosticKind::Unexpected { expected: "`;`".to_owned(), found })
            .help("end the statement with `;`");
        let starts_next = match self.kind() {
            TokenKind::Word(_)
            | TokenKind::Name(_)
            | TokenKind::Sign(Sign::BraceClose)
            | TokenKind::End => true,
            TokenKind::Int { .. }
            | TokenKind::Text(_)
            | TokenKind::Data(_)
            | TokenKind::Sign(_)
            | TokenKind::Bad => false,
        };
        if starts_next { Ok(()) } else { Err(ReportedError) }
    }

    fn stmt(&mut self) -> ParseResult<Stmt> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Word(Word::Var) => self.var(),
            TokenKind::Word(Word::If) => self.if_else(),
            TokenKind::Word(Word::Else) => {
                self.report(start, DiagnosticKind::ElseWithoutIf);
                Err(ReportedError)
            }
            TokenKind::Word(Word::For) => self.for_in(),
            TokenKind::Word(Word::While) => self.while_loop(),
            TokenKind::Word(Word::Break) => self.simple(StmtKind::Break),
            TokenKind::Word(Word::Continue) => self.simple(StmtKind::Continue),
            TokenKind::Word(Word::Return) => self.returns(),
            TokenKind::Sign(Sign::BraceOpen) => self.block().map(StmtKind::Block),
            TokenKind::Sign(Sign::Semicolon) => {
                self.report(start, DiagnosticKind::EmptyStatement).help("remove the `;`");
                Err(ReportedError)
            }
            _ => {
                if self.at_declaration() {
                    self.declare()
                } else {
                    self.expr_or_assignment()
                }
            }
        }?;
        Ok(Stmt { kind, span: start.to(self.last_span()) })
    }

    fn simple(&mut self, kind: StmtKind) -> ParseResult<StmtKind> {
        self.bump();
        self.semicolon()?;
        Ok(kind)
    }

    /// Returns `true` if a type and a name are next. Nothing is consumed or reported.
    fn at_declaration(&mut self) -> bool {
        if !self.at_type() {
            return false;
        }
        let (at, depth, count) = (self.at, self.depth, self.reports.count());
        // What a type notes about its signs is the same when it is read again, or is overwritten.
        let found = self.ty().is_ok() && matches!(self.kind(), TokenKind::Name(_));
        (self.at, self.depth) = (at, depth);
        self.reports.truncate(count);
        found
    }

    fn declare(&mut self) -> ParseResult<StmtKind> {
        let (ty, span) = self.ty()?;
        let name = self.name("the name of a variable")?;
        if self.is(Sign::Semicolon) {
            let help = format!("give it a value: `{ty} {} = ...;`", name.text);
            let span = span.to(name.span);
            self.report(span, DiagnosticKind::WithoutValue { name: name.text }).help(help);
            return Err(ReportedError);
        }
        self.value_of(Some(ty), name)
    }

    fn var(&mut self) -> ParseResult<StmtKind> {
        self.bump();
        let name = self.name("the name of a variable")?;
        if self.is(Sign::Semicolon) {
            let help = format!("give it a value: `var {} = ...;`", name.text);
            self.report(name.span, DiagnosticKind::WithoutValue { name: name.text }).help(help);
            return Err(ReportedError);
        }
        self.value_of(None, name)
    }

    fn value_of(
        &mut self,
        ty: Option<crate::types::ValueType>,
        name: crate::syntax::ast::SpannedName,
    ) -> ParseResult<StmtKind> {
        self.expect(Sign::Assign)?;
        let value = self.expr()?;
        self.semicolon()?;
        Ok(StmtKind::Declare { ty, name, value })
    }

    fn condition(&mut self) -> ParseResult<crate::syntax::ast::ExprId> {
        let open = self.expect(Sign::ParenOpen)?;
        let condition = self.expr()?;
        if self.is(Sign::Assign) {
            let span = self.span();
            self.report(span, DiagnosticKind::AssignmentAsCondition).help("compare with `==`");
            return Err(ReportedError);
        }
        self.expect_close(Sign::ParenClose, open)?;
        Ok(condition)
    }

    fn if_else(&mut self) -> ParseResult<StmtKind> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            self.bump();
            let condition = self.condition()?;
            arms.push((condition, self.block()?));
            if !self.is_word(Word::Else) {
                break;
            }
            self.bump();
            if !self.is_word(Word::If) {
                otherwise = Some(self.block()?);
                break;
            }
        }
        Ok(StmtKind::If { arms, otherwise })
    }

    fn for_in(&mut self) -> ParseResult<StmtKind> {
        self.bump();
        let open = self.expect(Sign::ParenOpen)?;
        let name = self.name("the name of a variable")?;
        if !self.is_word(Word::In) {
            return self.unexpected("`in`");
        }
        self.bump();
        let array = self.expr()?;
        self.expect_close(Sign::ParenClose, open)?;
        let body = self.block()?;
        Ok(StmtKind::For { name, array, body })
    }

    fn while_loop(&mut self) -> ParseResult<StmtKind> {
        self.bump();
        let condition = self.condition()?;
        let body = self.block()?;
        Ok(StmtKind::While { condition, body })
    }

    fn returns(&mut self) -> ParseResult<StmtKind> {
        self.bump();
        if self.is(Sign::Semicolon) {
            self.bump();
            return Ok(StmtKind::Return(None));
        }
        let value = self.expr()?;
        self.semicolon()?;
        Ok(StmtKind::Return(Some(value)))
    }

    fn expr_or_assignment(&mut self) -> ParseResult<StmtKind> {
        let target = self.expr()?;
        let Some(op) = assignment(self.kind()) else {
            self.semicolon()?;
            return Ok(StmtKind::Expr(target));
        };
        let op_span = self.bump();
        let value = self.expr()?;
        self.semicolon()?;
        Ok(StmtKind::Assign { target, op, op_span, value })
    }
}
