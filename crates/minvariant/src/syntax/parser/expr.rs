//! Expressions, by the precedence of their operators.

use super::{NESTING_MAX, ParseResult, Parser, ReportedError, SignRole};
use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::SourceSpan;
use crate::syntax::ast::{BinaryOp, Expr, ExprId, ExprKind, SpannedName, UnaryOp};
use crate::syntax::token::{Sign, TokenKind, Word};

/// The operator of a sign, and how tightly it binds.
fn binary(kind: &TokenKind) -> Option<(BinaryOp, u8)> {
    let TokenKind::Sign(sign) = kind else { return None };
    Some(match sign {
        Sign::Or => (BinaryOp::Or, 1),
        Sign::And => (BinaryOp::And, 2),
        Sign::Equal => (BinaryOp::Equal, 3),
        Sign::NotEqual => (BinaryOp::NotEqual, 3),
        Sign::Less => (BinaryOp::Less, 4),
        Sign::LessEqual => (BinaryOp::LessEqual, 4),
        Sign::Greater => (BinaryOp::Greater, 4),
        Sign::GreaterEqual => (BinaryOp::GreaterEqual, 4),
        Sign::Add => (BinaryOp::Add, 5),
        Sign::Sub => (BinaryOp::Sub, 5),
        Sign::Mul => (BinaryOp::Mul, 6),
        Sign::Div => (BinaryOp::Div, 6),
        Sign::Rem => (BinaryOp::Rem, 6),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Adds an expression that is one level above its highest part.
    fn add(&mut self, kind: ExprKind, span: SourceSpan, parts: &[ExprId]) -> ParseResult<ExprId> {
        let inner = parts.iter().map(|part| self.ast.exprs[*part].height).max().unwrap_or(0);
        self.add_high(kind, span, inner + 1)
    }

    fn add_high(&mut self, kind: ExprKind, span: SourceSpan, height: u32) -> ParseResult<ExprId> {
        if height > NESTING_MAX {
            self.too_deep(span);
            return Err(ReportedError);
        }
        Ok(self.ast.exprs.add(Expr { kind, span, height }))
    }

    fn span_of(&self, id: ExprId) -> SourceSpan {
        self.ast.exprs[id].span
    }

    pub(super) fn expr(&mut self) -> ParseResult<ExprId> {
        self.nested(|parser| {
            let condition = parser.binary(1)?;
            if !parser.take(Sign::Question) {
                return Ok(condition);
            }
            let yes = parser.expr()?;
            parser.expect(Sign::Colon)?;
            let no = parser.expr()?;
            let span = parser.span_of(condition).to(parser.span_of(no));
            let kind = ExprKind::Ternary { condition, yes, no };
            parser.add(kind, span, &[condition, yes, no])
        })
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> ParseResult<ExprId> {
        let mut left = self.unary()?;
        while let Some((op, tightness)) = binary(self.kind())
            && tightness >= least
        {
            let op_span = self.bump();
            let right = self.binary(tightness + 1)?;
            let span = self.span_of(left).to(self.span_of(right));
            // A chain is as high as its highest operand, not as it is long.
            let exprs = &self.ast.exprs;
            let is_chain = matches!(exprs[left].kind, ExprKind::Binary { .. });
            let left_height = exprs[left].height + u32::from(!is_chain);
            let height = left_height.max(exprs[right].height + 1);
            let kind = ExprKind::Binary { op, op_span, left, right };
            left = self.add_high(kind, span, height)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> ParseResult<ExprId> {
        let op = match self.kind() {
            TokenKind::Sign(Sign::Not) => UnaryOp::Not,
            TokenKind::Sign(Sign::Sub) => UnaryOp::Negate,
            _ => return self.postfix(),
        };
        self.nested(|parser| {
            parser.roles[parser.at] = SignRole::Prefix;
            let start = parser.bump();
            if let (UnaryOp::Negate, TokenKind::Int { value: 0x8000_0000_0000_0000, hex: false }) =
                (op, parser.kind())
            {
                let span = start.to(parser.bump());
                return parser.add(ExprKind::Int(i64::MIN), span, &[]);
            }
            let operand = parser.unary()?;
            let span = start.to(parser.span_of(operand));
            parser.add(ExprKind::Unary { op, operand }, span, &[operand])
        })
    }

    fn postfix(&mut self) -> ParseResult<ExprId> {
        let mut base = self.primary()?;
        loop {
            let start = self.span_of(base);
            if self.is(Sign::Dot) {
                self.bump();
                let name = self.method_name()?;
                if !self.is(Sign::ParenOpen) {
                    let span = name.span;
                    let help = format!("write `.{}()`", name.text);
                    self.report(span, DiagnosticKind::MethodWithoutCall { name: name.text })
                        .help(help);
                    return Err(ReportedError);
                }
                let args = self.args()?;
                let mut parts = args.clone();
                parts.push(base);
                let span = start.to(self.last_span());
                base = self.add(ExprKind::Method { receiver: base, name, args }, span, &parts)?;
            } else if self.is(Sign::BracketOpen) {
                let open = self.bump();
                let index = self.expr()?;
                let close = self.expect_close(Sign::BracketClose, open)?;
                let kind = ExprKind::Index { base, index };
                base = self.add(kind, start.to(close), &[base, index])?;
            } else {
                return Ok(base);
            }
        }
    }

    /// Methods may be called like types.
    fn method_name(&mut self) -> ParseResult<SpannedName> {
        let text = match self.kind() {
            TokenKind::Name(name) => name.clone(),
            TokenKind::Word(word) => word.spelling().to_owned(),
            _ => return self.unexpected("the name of a method"),
        };
        Ok(SpannedName { text, span: self.bump() })
    }

    fn args(&mut self) -> ParseResult<Vec<ExprId>> {
        let open = self.expect(Sign::ParenOpen)?;
        let mut args = Vec::new();
        while !self.is(Sign::ParenClose) {
            let arg = if self.at_lambda() { self.lambda()? } else { self.expr()? };
            args.push(arg);
            if !self.take(Sign::Comma) {
                break;
            }
        }
        self.expect_close(Sign::ParenClose, open)?;
        Ok(args)
    }

    /// Returns `true` if `x =>` or `(a, b) =>` is next.
    fn at_lambda(&self) -> bool {
        let arrow = TokenKind::Sign(Sign::Arrow);
        if matches!(self.kind(), TokenKind::Name(_)) {
            return *self.ahead(1) == arrow;
        }
        if !self.is(Sign::ParenOpen) {
            return false;
        }
        let mut at = 1;
        while matches!(self.ahead(at), TokenKind::Name(_) | TokenKind::Sign(Sign::Comma)) {
            at += 1;
        }
        *self.ahead(at) == TokenKind::Sign(Sign::ParenClose) && *self.ahead(at + 1) == arrow
    }

    fn lambda(&mut self) -> ParseResult<ExprId> {
        let start = self.span();
        let mut params = Vec::new();
        if self.take(Sign::ParenOpen) {
            while !self.is(Sign::ParenClose) {
                params.push(self.name("the name of a parameter")?);
                if !self.take(Sign::Comma) {
                    break;
                }
            }
            self.expect(Sign::ParenClose)?;
        } else {
            params.push(self.name("the name of a parameter")?);
        }
        self.expect(Sign::Arrow)?;
        let body = self.expr()?;
        let span = start.to(self.span_of(body));
        self.add(ExprKind::Lambda { params, body }, span, &[body])
    }

    fn primary(&mut self) -> ParseResult<ExprId> {
        let span = self.span();
        let kind = match self.kind().clone() {
            TokenKind::Int { value, hex } => match i64::try_from(value) {
                Ok(value) => ExprKind::Int(value),
                Err(_) if hex => ExprKind::Int(value.cast_signed()),
                Err(_) => {
                    self.report(span, DiagnosticKind::NumberTooLarge);
                    ExprKind::Int(0)
                }
            },
            TokenKind::Text(bytes) => ExprKind::Text(bytes.into()),
            TokenKind::Data(bytes) => ExprKind::Data(bytes.into()),
            TokenKind::Word(Word::True) => ExprKind::Bool(true),
            TokenKind::Word(Word::False) => ExprKind::Bool(false),
            TokenKind::Word(Word::Map) => return self.map(),
            TokenKind::Word(Word::Int | Word::Bool | Word::String | Word::Data) => {
                return self.array();
            }
            TokenKind::Sign(Sign::ParenOpen) => return self.paren(),
            TokenKind::Name(text) => {
                self.bump();
                if !self.is(Sign::ParenOpen) {
                    return self.add(ExprKind::Name(text), span, &[]);
                }
                let args = self.args()?;
                let (parts, span_all) = (args.clone(), span.to(self.last_span()));
                let kind = ExprKind::Call { name: SpannedName { text, span }, args };
                return self.add(kind, span_all, &parts);
            }
            _ => return self.unexpected("an expression"),
        };
        self.bump();
        self.add(kind, span, &[])
    }

    fn paren(&mut self) -> ParseResult<ExprId> {
        if self.at_lambda() {
            return self
                .unexpected("an expression (a function without a name is only an argument)");
        }
        let open = self.bump();
        let inner = self.expr()?;
        let close = self.expect_close(Sign::ParenClose, open)?;
        self.add(ExprKind::Paren(inner), open.to(close), &[inner])
    }

    /// `T[a, b]`; with further brackets, all but the last pair belong to the type of the elements.
    fn array(&mut self) -> ParseResult<ExprId> {
        let element = self.base_type()?;
        self.array_of(element, self.last_span())
    }

    fn array_of(
        &mut self,
        mut element: crate::types::ValueType,
        start: SourceSpan,
    ) -> ParseResult<ExprId> {
        if !self.is(Sign::BracketOpen) {
            let help = format!("an array is written `{element}[...]`");
            let span = self.last_span();
            self.report(span, DiagnosticKind::TypeAsValue { ty: element }).help(help);
            return Err(ReportedError);
        }
        let close = TokenKind::Sign(Sign::BracketClose);
        while self.is(Sign::BracketOpen)
            && *self.ahead(1) == close
            && *self.ahead(2) == TokenKind::Sign(Sign::BracketOpen)
        {
            self.bump();
            self.bump();
            element = self.array_type(element, start)?;
        }
        // The array itself must be a type, too.
        self.array_type(element.clone(), start)?;
        let open = self.expect(Sign::BracketOpen)?;
        let mut items = Vec::new();
        while !self.is(Sign::BracketClose) {
            items.push(self.expr()?);
            if !self.take(Sign::Comma) {
                break;
            }
        }
        let close = self.expect_close(Sign::BracketClose, open)?;
        let parts = items.clone();
        self.add(ExprKind::Array { element, items }, start.to(close), &parts)
    }

    /// `map<K, V>{k: v, ...}`, or an array of maps.
    fn map(&mut self) -> ParseResult<ExprId> {
        let start = self.span();
        let ty = self.base_type()?;
        if self.is(Sign::BracketOpen) {
            return self.array_of(ty, start);
        }
        let crate::types::ValueType::Map(key, value) = ty else { return Err(ReportedError) };
        self.roles[self.at] = SignRole::MapOpen;
        let open = self.expect(Sign::BraceOpen)?;
        let (mut items, mut parts) = (Vec::new(), Vec::new());
        while !self.is(Sign::BraceClose) {
            let key = self.expr()?;
            self.roles[self.at] = SignRole::MapColon;
            self.expect(Sign::Colon)?;
            let value = self.expr()?;
            items.push((key, value));
            parts.extend([key, value]);
            if !self.take(Sign::Comma) {
                break;
            }
        }
        self.roles[self.at] = SignRole::MapClose;
        let close = self.expect_close(Sign::BraceClose, open)?;
        let kind = ExprKind::Map { key: *key, value: *value, items };
        self.add(kind, start.to(close), &parts)
    }
}
