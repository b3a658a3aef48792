//! Expressions: their types, and code that leaves their value on the stack.

use super::{Body, Checker};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::builtin::FUNCTIONS;
use crate::code::Op;
use crate::domain::{IntOp, Relation};
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest::nearest;
use crate::types::{TYPE_DEPTH_MAX, Type};

impl Checker<'_> {
    /// Checks that an expression has a type.
    pub(super) fn typed(&mut self, body: &mut Body, id: ExprId, wanted: &Type) {
        let found = self.expr(body, id);
        if !wanted.accepts(&found) {
            self.mismatch(self.ast.exprs[id].span, wanted, &found);
        }
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, body: &mut Body, id: ExprId) -> Type {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => constant(body, span, Op::Int(*value), Type::Int),
            ExprKind::Bool(value) => constant(body, span, Op::Bool(*value), Type::Bool),
            ExprKind::Text(bytes) => constant(body, span, Op::Text(self.text(bytes)), Type::String),
            ExprKind::Data(bytes) => constant(body, span, Op::Data(self.text(bytes)), Type::Data),
            ExprKind::Name(name) => self.variable(body, name, span),
            ExprKind::Array { element, items } => self.array(body, span, element, items),
            ExprKind::Map { key, value, items } => self.map(body, span, key, value, items),
            ExprKind::Unary { op, operand } => self.unary(body, span, *op, *operand),
            ExprKind::Binary { .. } => self.chain(body, id),
            ExprKind::Ternary { condition, yes, no } => {
                self.ternary(body, span, *condition, *yes, *no)
            }
            ExprKind::Index { base, index } => self.index(body, span, *base, *index),
            ExprKind::Call { name, args } => self.call(body, span, name, args),
            ExprKind::Method { receiver, name, args } => {
                self.method(body, span, *receiver, name, args)
            }
            ExprKind::Lambda { .. } => {
                self.report(span, Problem::LambdaHere).help("only some methods take functions");
                Type::Unknown
            }
            ExprKind::Paren(inner) => self.expr(body, *inner),
        }
    }

    fn variable(&mut self, body: &mut Body, name: &str, span: Span) -> Type {
        let Some(local) = body.find(name) else {
            self.unknown_variable(body, name, span);
            return Type::Unknown;
        };
        let (slot, ty) = (local.slot, local.ty.clone());
        body.emit(span, Op::Load(slot));
        ty
    }

    pub(super) fn unknown_variable(&mut self, body: &Body, name: &str, span: Span) {
        let problem = Problem::UnknownVariable { name: name.to_owned() };
        let report = self.reports.add(span, problem);
        if self.names.contains_key(name) || FUNCTIONS.contains(&name) {
            report.help(format!("`{name}` is a function: call it with `{name}(...)`"));
        } else if name == "sys" {
            report.help("`sys` is only used with a method, as in `sys.nodes()`");
        } else if let Some((_, place)) = body.gone.iter().rev().find(|(gone, _)| gone == name) {
            report.related("this one ends with its block", *place);
        } else if let Some((_, place)) = body.declared.iter().find(|(later, _)| later == name) {
            report.related("it has a value only from here on", *place);
        } else {
            let locals = body.locals.iter().map(|local| local.name.as_str());
            report.meant(nearest(name, locals.chain(["true", "false"])));
        }
    }

    fn array(&mut self, body: &mut Body, span: Span, element: &Type, items: &[ExprId]) -> Type {
        for item in items {
            self.typed(body, *item, element);
        }
        body.emit(span, Op::Array(items.len() as u32));
        Type::array(element.clone())
    }

    fn map(
        &mut self,
        body: &mut Body,
        span: Span,
        key: &Type,
        value: &Type,
        items: &[(ExprId, ExprId)],
    ) -> Type {
        for (item_key, item_value) in items {
            self.typed(body, *item_key, key);
            self.typed(body, *item_value, value);
        }
        body.emit(span, Op::Map(items.len() as u32));
        Type::map(key.clone(), value.clone())
    }

    /// An array type, unless it is nested too deeply.
    pub(super) fn array_of(&mut self, span: Span, element: Type) -> Type {
        if element.depth() >= TYPE_DEPTH_MAX {
            self.report(span, Problem::TypeTooDeep { limit: TYPE_DEPTH_MAX });
            return Type::Unknown;
        }
        Type::array(element)
    }

    fn unary(&mut self, body: &mut Body, span: Span, op: UnaryOp, operand: ExprId) -> Type {
        let (op, ty) = match op {
            UnaryOp::Not => (Op::Not, Type::Bool),
            UnaryOp::Negate => (Op::Negate, Type::Int),
        };
        self.typed(body, operand, &ty);
        body.emit(span, op);
        ty
    }

    /// A chain of binary operators, from its innermost left operand outwards.
    fn chain(&mut self, body: &mut Body, id: ExprId) -> Type {
        let ast = self.ast;
        let mut links = Vec::new();
        let mut inner = id;
        while let ExprKind::Binary { op, op_span, left, right } = &ast.exprs[inner].kind {
            links.push((*op, *op_span, *left, *right));
            inner = *left;
        }
        let mut ty = self.expr(body, inner);
        for (op, op_span, left, right) in links.into_iter().rev() {
            ty = match op {
                BinaryOp::And | BinaryOp::Or => {
                    if !Type::Bool.accepts(&ty) {
                        self.mismatch(ast.exprs[left].span, &Type::Bool, &ty);
                    }
                    self.short(body, op, op_span, right)
                }
                _ => {
                    let right = self.expr(body, right);
                    self.operator(body, op, op_span, &ty, &right)
                }
            };
        }
        ty
    }

    /// `&&` and `||`, behind their left side.
    fn short(&mut self, body: &mut Body, op: BinaryOp, span: Span, right: ExprId) -> Type {
        let is_and = op == BinaryOp::And;
        let jump = body.emit(span, Op::ShortAnd { end: 0, tries: false });
        let start = body.here();
        self.typed(body, right, &Type::Bool);
        let tries = body.can_be_tried_from(start);
        body.emit(span, if is_and { Op::And } else { Op::Or });
        let end = body.here();
        body.code[jump] =
            if is_and { Op::ShortAnd { end, tries } } else { Op::ShortOr { end, tries } };
        Type::Bool
    }

    /// An operator behind both its operands.
    pub(super) fn operator(
        &mut self,
        body: &mut Body,
        op: BinaryOp,
        span: Span,
        left: &Type,
        right: &Type,
    ) -> Type {
        let wrong = |checker: &mut Self| {
            let problem = Problem::BadOperands {
                op: op.spelling(),
                left: left.clone(),
                right: right.clone(),
            };
            let report = checker.reports.add(span, problem);
            match (op, left, right) {
                (BinaryOp::Add, Type::String, Type::Int | Type::Data)
                | (BinaryOp::Add, Type::Int | Type::Data, Type::String) => {
                    report.help("`.string()` makes a string of the other side");
                }
                (BinaryOp::Add, Type::Array(_), Type::Array(_)) => {
                    report.help("arrays are joined with `.concat(...)`");
                }
                (BinaryOp::Add, Type::Array(_), _) => {
                    report.help("an element is added with `.append(...)`");
                }
                _ => {}
            }
        };
        let same = left.accepts(right);
        let int = same && Type::Int.accepts(left) && Type::Int.accepts(right);
        let (fits, code, result) = match op {
            BinaryOp::Add if same && (*left == Type::String || *right == Type::String) => {
                (true, Op::Concat, Type::String)
            }
            BinaryOp::Add => (int, Op::Arithmetic(IntOp::Add), Type::Int),
            BinaryOp::Sub => (int, Op::Arithmetic(IntOp::Sub), Type::Int),
            BinaryOp::Mul => (int, Op::Arithmetic(IntOp::Mul), Type::Int),
            BinaryOp::Div => (int, Op::Arithmetic(IntOp::Div), Type::Int),
            BinaryOp::Rem => (int, Op::Arithmetic(IntOp::Rem), Type::Int),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                (same, compare(Relation::Equal, false), Type::Bool)
            }
            BinaryOp::Less => {
                (same && left.is_ordered(), compare(Relation::Less, false), Type::Bool)
            }
            BinaryOp::LessEqual => {
                (same && left.is_ordered(), compare(Relation::LessEqual, false), Type::Bool)
            }
            BinaryOp::Greater => {
                (same && left.is_ordered(), compare(Relation::Less, true), Type::Bool)
            }
            BinaryOp::GreaterEqual => {
                (same && left.is_ordered(), compare(Relation::LessEqual, true), Type::Bool)
            }
            BinaryOp::And => (false, Op::And, Type::Bool),
            BinaryOp::Or => (false, Op::Or, Type::Bool),
        };
        if !fits {
            wrong(self);
        }
        body.emit(span, code);
        if op == BinaryOp::NotEqual {
            body.emit(span, Op::Not);
        }
        if fits || result == Type::Bool { result } else { Type::Unknown }
    }

    fn ternary(
        &mut self,
        body: &mut Body,
        span: Span,
        condition: ExprId,
        yes: ExprId,
        no: ExprId,
    ) -> Type {
        self.typed(body, condition, &Type::Bool);
        let branch = body.emit(span, Op::Ternary { no: 0, end: 0, tries: false });
        let start = body.here();
        let ty = self.expr(body, yes);
        let skip = body.emit(span, Op::TernaryElse { end: 0 });
        let second = body.here();
        let other = self.expr(body, no);
        let can_choose = matches!(ty, Type::Int | Type::Bool);
        let tries = can_choose && body.can_be_tried_from(start);
        body.emit(span, Op::Choose);
        let end = body.here();
        body.code[branch] = Op::Ternary { no: second, end, tries };
        body.code[skip] = Op::TernaryElse { end };
        if !ty.accepts(&other) {
            self.report(
                self.ast.exprs[no].span,
                Problem::DifferentAlternatives { first: ty.clone(), second: other },
            );
        }
        ty
    }

    fn index(&mut self, body: &mut Body, span: Span, base: ExprId, index: ExprId) -> Type {
        let ty = self.expr(body, base);
        let result = match ty {
            Type::Array(element) => {
                self.typed(body, index, &Type::Int);
                *element
            }
            Type::Map(key, value) => {
                self.typed(body, index, &key);
                *value
            }
            Type::Data => {
                self.typed(body, index, &Type::Int);
                Type::Int
            }
            Type::String => {
                self.typed(body, index, &Type::Int);
                Type::String
            }
            Type::Int | Type::Bool | Type::Unknown => {
                self.expr(body, index);
                if ty != Type::Unknown {
                    self.report(span, Problem::NotIndexable { ty });
                }
                Type::Unknown
            }
        };
        body.emit(span, Op::Index);
        result
    }
}

fn constant(body: &mut Body, span: Span, op: Op, ty: Type) -> Type {
    body.emit(span, op);
    ty
}

fn compare(relation: Relation, swapped: bool) -> Op {
    Op::Compare { relation, swapped }
}
