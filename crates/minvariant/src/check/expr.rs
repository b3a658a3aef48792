//! Expressions: their types, and code that leaves their value on the stack.

use super::{FunctionBuilder, ProgramChecker};
use crate::check::builtin::FUNCTIONS;
use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::SourceSpan;
use crate::diagnostic::suggest::nearest;
use crate::domain::{IntOp, IntRelation};
use crate::syntax::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::types::{TYPE_DEPTH_MAX, ValueType};
use crate::vm::code::StackOp;

impl ProgramChecker<'_> {
    /// Checks that an expression has a type.
    pub(super) fn typed(&mut self, body: &mut FunctionBuilder, id: ExprId, wanted: &ValueType) {
        let found = self.expr(body, id);
        if !wanted.accepts(&found) {
            self.mismatch(self.ast.exprs[id].span, wanted, &found);
        }
    }

    /// The type of an expression.
    pub(super) fn expr(&mut self, body: &mut FunctionBuilder, id: ExprId) -> ValueType {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => constant(body, span, StackOp::Int(*value), ValueType::Int),
            ExprKind::Bool(value) => constant(body, span, StackOp::Bool(*value), ValueType::Bool),
            ExprKind::Text(bytes) => {
                constant(body, span, StackOp::Text(self.text(bytes)), ValueType::String)
            }
            ExprKind::Data(bytes) => {
                constant(body, span, StackOp::Data(self.text(bytes)), ValueType::Data)
            }
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
                self.report(span, DiagnosticKind::LambdaHere)
                    .help("only some methods take functions");
                ValueType::Unknown
            }
            ExprKind::Paren(inner) => self.expr(body, *inner),
        }
    }

    fn variable(&mut self, body: &mut FunctionBuilder, name: &str, span: SourceSpan) -> ValueType {
        let Some(local) = body.find(name) else {
            self.unknown_variable(body, name, span);
            return ValueType::Unknown;
        };
        let (slot, ty) = (local.slot, local.ty.clone());
        body.emit(span, StackOp::Load(slot));
        ty
    }

    pub(super) fn unknown_variable(
        &mut self,
        body: &FunctionBuilder,
        name: &str,
        span: SourceSpan,
    ) {
        let problem = DiagnosticKind::UnknownVariable { name: name.to_owned() };
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

    fn array(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        element: &ValueType,
        items: &[ExprId],
    ) -> ValueType {
        for item in items {
            self.typed(body, *item, element);
        }
        body.emit(span, StackOp::Array(items.len() as u32));
        ValueType::array(element.clone())
    }

    fn map(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        key: &ValueType,
        value: &ValueType,
        items: &[(ExprId, ExprId)],
    ) -> ValueType {
        for (item_key, item_value) in items {
            self.typed(body, *item_key, key);
            self.typed(body, *item_value, value);
        }
        body.emit(span, StackOp::Map(items.len() as u32));
        ValueType::map(key.clone(), value.clone())
    }

    /// An array type, unless it is nested too deeply.
    pub(super) fn array_of(&mut self, span: SourceSpan, element: ValueType) -> ValueType {
        if element.depth() >= TYPE_DEPTH_MAX {
            self.report(span, DiagnosticKind::TypeTooDeep { limit: TYPE_DEPTH_MAX });
            return ValueType::Unknown;
        }
        ValueType::array(element)
    }

    fn unary(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        op: UnaryOp,
        operand: ExprId,
    ) -> ValueType {
        let (op, ty) = match op {
            UnaryOp::Not => (StackOp::Not, ValueType::Bool),
            UnaryOp::Negate => (StackOp::Negate, ValueType::Int),
        };
        self.typed(body, operand, &ty);
        body.emit(span, op);
        ty
    }

    /// A chain of binary operators, from its innermost left operand outwards.
    fn chain(&mut self, body: &mut FunctionBuilder, id: ExprId) -> ValueType {
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
                    if !ValueType::Bool.accepts(&ty) {
                        self.mismatch(ast.exprs[left].span, &ValueType::Bool, &ty);
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
    fn short(
        &mut self,
        body: &mut FunctionBuilder,
        op: BinaryOp,
        span: SourceSpan,
        right: ExprId,
    ) -> ValueType {
        let is_and = op == BinaryOp::And;
        let jump = body.emit(span, StackOp::ShortAnd { end: 0, tries: false });
        let start = body.here();
        self.typed(body, right, &ValueType::Bool);
        let tries = body.can_be_tried_from(start);
        body.emit(span, if is_and { StackOp::And } else { StackOp::Or });
        let end = body.here();
        body.code[jump] =
            if is_and { StackOp::ShortAnd { end, tries } } else { StackOp::ShortOr { end, tries } };
        ValueType::Bool
    }

    /// An operator behind both its operands.
    pub(super) fn operator(
        &mut self,
        body: &mut FunctionBuilder,
        op: BinaryOp,
        span: SourceSpan,
        left: &ValueType,
        right: &ValueType,
    ) -> ValueType {
        let wrong = |checker: &mut Self| {
            let problem = DiagnosticKind::BadOperands {
                op: op.spelling(),
                left: left.clone(),
                right: right.clone(),
            };
            let report = checker.reports.add(span, problem);
            match (op, left, right) {
                (BinaryOp::Add, ValueType::String, ValueType::Int | ValueType::Data)
                | (BinaryOp::Add, ValueType::Int | ValueType::Data, ValueType::String) => {
                    report.help("`.string()` makes a string of the other side");
                }
                (BinaryOp::Add, ValueType::Array(_), ValueType::Array(_)) => {
                    report.help("arrays are joined with `.concat(...)`");
                }
                (BinaryOp::Add, ValueType::Array(_), _) => {
                    report.help("an element is added with `.append(...)`");
                }
                _ => {}
            }
        };
        let same = left.accepts(right);
        let int = same && ValueType::Int.accepts(left) && ValueType::Int.accepts(right);
        let (fits, code, result) = match op {
            BinaryOp::Add
                if same && (*left == ValueType::String || *right == ValueType::String) =>
            {
                (true, StackOp::Concat, ValueType::String)
            }
            BinaryOp::Add => (int, StackOp::Arithmetic(IntOp::Add), ValueType::Int),
            BinaryOp::Sub => (int, StackOp::Arithmetic(IntOp::Sub), ValueType::Int),
            BinaryOp::Mul => (int, StackOp::Arithmetic(IntOp::Mul), ValueType::Int),
            BinaryOp::Div => (int, StackOp::Arithmetic(IntOp::Div), ValueType::Int),
            BinaryOp::Rem => (int, StackOp::Arithmetic(IntOp::Rem), ValueType::Int),
            BinaryOp::Equal | BinaryOp::NotEqual => {
                (same, compare(IntRelation::Equal, false), ValueType::Bool)
            }
            BinaryOp::Less => {
                (same && left.is_ordered(), compare(IntRelation::Less, false), ValueType::Bool)
            }
            BinaryOp::LessEqual => {
                (same && left.is_ordered(), compare(IntRelation::LessEqual, false), ValueType::Bool)
            }
            BinaryOp::Greater => {
                (same && left.is_ordered(), compare(IntRelation::Less, true), ValueType::Bool)
            }
            BinaryOp::GreaterEqual => {
                (same && left.is_ordered(), compare(IntRelation::LessEqual, true), ValueType::Bool)
            }
            BinaryOp::And => (false, StackOp::And, ValueType::Bool),
            BinaryOp::Or => (false, StackOp::Or, ValueType::Bool),
        };
        if !fits {
            wrong(self);
        }
        body.emit(span, code);
        if op == BinaryOp::NotEqual {
            body.emit(span, StackOp::Not);
        }
        if fits || result == ValueType::Bool { result } else { ValueType::Unknown }
    }

    fn ternary(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        condition: ExprId,
        yes: ExprId,
        no: ExprId,
    ) -> ValueType {
        self.typed(body, condition, &ValueType::Bool);
        let branch = body.emit(span, StackOp::Ternary { no: 0, end: 0, tries: false });
        let start = body.here();
        let ty = self.expr(body, yes);
        let skip = body.emit(span, StackOp::TernaryElse { end: 0 });
        let second = body.here();
        let other = self.expr(body, no);
        let can_choose = matches!(ty, ValueType::Int | ValueType::Bool);
        let tries = can_choose && body.can_be_tried_from(start);
        body.emit(span, StackOp::Choose);
        let end = body.here();
        body.code[branch] = StackOp::Ternary { no: second, end, tries };
        body.code[skip] = StackOp::TernaryElse { end };
        if !ty.accepts(&other) {
            self.report(
                self.ast.exprs[no].span,
                DiagnosticKind::DifferentAlternatives { first: ty.clone(), second: other },
            );
        }
        ty
    }

    fn index(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        base: ExprId,
        index: ExprId,
    ) -> ValueType {
        let ty = self.expr(body, base);
        let result = match ty {
            ValueType::Array(element) => {
                self.typed(body, index, &ValueType::Int);
                *element
            }
            ValueType::Map(key, value) => {
                self.typed(body, index, &key);
                *value
            }
            ValueType::Data => {
                self.typed(body, index, &ValueType::Int);
                ValueType::Int
            }
            ValueType::String => {
                self.typed(body, index, &ValueType::Int);
                ValueType::String
            }
            ValueType::Int | ValueType::Bool | ValueType::Unknown => {
                self.expr(body, index);
                if ty != ValueType::Unknown {
                    self.report(span, DiagnosticKind::NotIndexable { ty });
                }
                ValueType::Unknown
            }
        };
        body.emit(span, StackOp::Index);
        result
    }
}

fn constant(body: &mut FunctionBuilder, span: SourceSpan, op: StackOp, ty: ValueType) -> ValueType {
    body.emit(span, op);
    ty
}

fn compare(relation: IntRelation, swapped: bool) -> StackOp {
    StackOp::Compare { relation, swapped }
}
