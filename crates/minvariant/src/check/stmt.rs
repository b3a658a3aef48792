//! Statements.

use super::{EnclosingLoop, FunctionBuilder, ProgramChecker};
use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::SourceSpan;
use crate::syntax::ast::{BinaryOp, Block, ExprId, ExprKind, SpannedName, Stmt, StmtKind};
use crate::types::ValueType;
use crate::vm::code::{FrameSlot, StackOp};

/// The variables that statements declare.
pub(super) fn declared(stmts: &[Stmt], found: &mut Vec<(String, SourceSpan)>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Declare { name, .. } => found.push((name.text.clone(), name.span)),
            StmtKind::If { arms, otherwise } => {
                let blocks = arms.iter().map(|(_, block)| block).chain(otherwise);
                blocks.for_each(|block| declared(&block.stmts, found));
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::Block(body) => {
                declared(&body.stmts, found);
            }
            StmtKind::Assign { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Expr(_) => {}
        }
    }
}

/// A variable, or a part of one, that can be changed.
pub(super) struct AssignmentTarget {
    pub(super) slot: FrameSlot,
    /// The number of indices on the stack.
    pub(super) depth: u32,
    pub(super) ty: ValueType,
}

impl ProgramChecker<'_> {
    /// Checks statements in a block of their own; whether their end can be reached.
    pub(super) fn block(&mut self, body: &mut FunctionBuilder, block: &Block) -> bool {
        body.open();
        let reached = self.statements(body, &block.stmts);
        body.close();
        reached
    }

    /// Returns `true` if the end of the statements can be reached.
    pub(super) fn statements(&mut self, body: &mut FunctionBuilder, stmts: &[Stmt]) -> bool {
        let mut reached = true;
        for stmt in stmts {
            reached &= self.statement(body, stmt);
        }
        reached
    }

    /// Returns `true` if the statement behind this one can be reached from it.
    fn statement(&mut self, body: &mut FunctionBuilder, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Declare { ty, name, value } => self.declare(body, ty.as_ref(), name, *value),
            StmtKind::Assign { target, op, op_span, value } => {
                self.assign(body, *target, *op, *op_span, *value)
            }
            StmtKind::If { arms, otherwise } => self.if_else(body, arms, otherwise.as_ref()),
            StmtKind::For { name, array, body: inner } => self.for_in(body, name, *array, inner),
            StmtKind::While { condition, body: inner } => self.while_loop(body, *condition, inner),
            StmtKind::Break => self.leave(body, stmt.span, true),
            StmtKind::Continue => self.leave(body, stmt.span, false),
            StmtKind::Return(value) => self.returns(body, stmt.span, *value),
            StmtKind::Expr(expr) => self.expr_statement(body, *expr),
            StmtKind::Block(block) => self.block(body, block),
        }
    }

    fn declare(
        &mut self,
        body: &mut FunctionBuilder,
        ty: Option<&ValueType>,
        name: &SpannedName,
        value: ExprId,
    ) -> bool {
        let ty = match ty {
            Some(ty) => {
                self.typed(body, value, ty);
                ty.clone()
            }
            None => self.expr(body, value),
        };
        let scope = *body.scopes.last().expect("a body has a block");
        if let Some(first) = body.locals[scope..].iter().find(|local| local.name == name.text) {
            let first = first.span;
            self.report(name.span, DiagnosticKind::DeclaredTwice { name: name.text.clone() })
                .related("first declared here", first);
        }
        self.forbid_sys(name);
        let slot = body.bind(name, ty);
        body.emit(name.span, StackOp::Store(slot));
        true
    }

    fn assign(
        &mut self,
        body: &mut FunctionBuilder,
        target: ExprId,
        op: Option<BinaryOp>,
        op_span: SourceSpan,
        value: ExprId,
    ) -> bool {
        let span = self.ast.exprs[target].span;
        let Some(AssignmentTarget { slot, depth, ty }) = self.place(body, target) else {
            self.expr(body, value);
            return true;
        };
        match op {
            None => self.typed(body, value, &ty),
            Some(op) => {
                body.emit(
                    span,
                    if depth == 0 {
                        StackOp::Load(slot)
                    } else {
                        StackOp::LoadPath { slot, depth }
                    },
                );
                let right = self.expr(body, value);
                let result = self.operator(body, op, op_span, &ty, &right);
                if !ty.accepts(&result) {
                    self.mismatch(op_span, &ty, &result);
                }
            }
        }
        body.emit(
            span,
            if depth == 0 { StackOp::Store(slot) } else { StackOp::StorePath { slot, depth } },
        );
        true
    }

    /// The place of an expression, with its indices put on the stack; none if it cannot be changed.
    pub(super) fn place(
        &mut self,
        body: &mut FunctionBuilder,
        target: ExprId,
    ) -> Option<AssignmentTarget> {
        let ast = self.ast;
        let expr = &ast.exprs[target];
        match &expr.kind {
            ExprKind::Paren(inner) => self.place(body, *inner),
            ExprKind::Name(name) => {
                let Some(local) = body.find(name) else {
                    self.unknown_variable(body, name, expr.span);
                    return None;
                };
                Some(AssignmentTarget { slot: local.slot, depth: 0, ty: local.ty.clone() })
            }
            ExprKind::Index { base, index } => {
                let AssignmentTarget { slot, depth, ty } = self.place(body, *base)?;
                let ty = match ty {
                    ValueType::Array(element) => {
                        self.typed(body, *index, &ValueType::Int);
                        *element
                    }
                    ValueType::Map(key, value) => {
                        self.typed(body, *index, &key);
                        *value
                    }
                    ValueType::Unknown => {
                        self.expr(body, *index);
                        ValueType::Unknown
                    }
                    ValueType::Int | ValueType::Bool | ValueType::String | ValueType::Data => {
                        self.report(expr.span, DiagnosticKind::CannotAssignPart { ty })
                            .help("only elements of arrays and maps can be changed");
                        return None;
                    }
                };
                Some(AssignmentTarget { slot, depth: depth + 1, ty })
            }
            _ => {
                self.report(expr.span, DiagnosticKind::CannotAssign)
                    .help("only variables and their elements can be changed");
                None
            }
        }
    }

    fn if_else(
        &mut self,
        body: &mut FunctionBuilder,
        arms: &[(ExprId, Block)],
        otherwise: Option<&Block>,
    ) -> bool {
        let mut ends = Vec::new();
        let mut reached = false;
        for (condition, block) in arms {
            self.typed(body, *condition, &ValueType::Bool);
            let span = self.ast.exprs[*condition].span;
            let skip = body.emit(span, StackOp::JumpIfFalse(0));
            reached |= self.block(body, block);
            ends.push(body.emit(span, StackOp::Jump(0)));
            body.code[skip] = StackOp::JumpIfFalse(body.here());
        }
        reached |= otherwise.is_none_or(|block| self.block(body, block));
        for end in ends {
            body.code[end] = StackOp::Jump(body.here());
        }
        reached
    }

    fn for_in(
        &mut self,
        body: &mut FunctionBuilder,
        name: &SpannedName,
        array: ExprId,
        inner: &Block,
    ) -> bool {
        let ty = self.expr(body, array);
        let span = self.ast.exprs[array].span;
        let element = match ty {
            ValueType::Array(element) => *element,
            ValueType::Unknown => ValueType::Unknown,
            other => {
                let report =
                    self.reports.add(span, DiagnosticKind::NotIterable { ty: other.clone() });
                if matches!(other, ValueType::Map(..)) {
                    report.help("go through `.keys()` or `.values()`");
                }
                ValueType::Unknown
            }
        };
        let iter = body.slot();
        body.slot();
        body.emit(span, StackOp::IterStart(iter));
        body.open();
        self.forbid_sys(name);
        let var = body.bind(name, element);
        let again = body.here();
        let next = body.emit(span, StackOp::IterNext { iter, var, end: 0 });
        body.loops.push(EnclosingLoop { again, breaks: Vec::new() });
        self.block(body, inner);
        body.emit(span, StackOp::Jump(again));
        let ended = body.loops.pop().expect("a loop was opened");
        body.close();
        let end = body.here();
        body.code[next] = StackOp::IterNext { iter, var, end };
        for jump in ended.breaks {
            body.code[jump] = StackOp::Jump(end);
        }
        true
    }

    fn while_loop(&mut self, body: &mut FunctionBuilder, condition: ExprId, inner: &Block) -> bool {
        let span = self.ast.exprs[condition].span;
        let for_ever = matches!(self.ast.exprs[condition].kind, ExprKind::Bool(true));
        let again = body.here();
        self.typed(body, condition, &ValueType::Bool);
        let skip = body.emit(span, StackOp::JumpIfFalse(0));
        body.loops.push(EnclosingLoop { again, breaks: Vec::new() });
        self.block(body, inner);
        body.emit(span, StackOp::Jump(again));
        let ended = body.loops.pop().expect("a loop was opened");
        body.code[skip] = StackOp::JumpIfFalse(body.here());
        for &jump in &ended.breaks {
            body.code[jump] = StackOp::Jump(body.here());
        }
        !for_ever || !ended.breaks.is_empty()
    }

    /// `break` and `continue`.
    fn leave(&mut self, body: &mut FunctionBuilder, span: SourceSpan, ends: bool) -> bool {
        let word = if ends { "break" } else { "continue" };
        let Some(around) = body.loops.last() else {
            self.report(span, DiagnosticKind::OutsideLoop { word });
            return false;
        };
        let jump = StackOp::Jump(around.again);
        let jump = body.emit(span, jump);
        if ends {
            body.loops.last_mut().expect("there is one").breaks.push(jump);
        }
        false
    }

    fn returns(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        value: Option<ExprId>,
    ) -> bool {
        let wanted = body.result.clone();
        match value {
            Some(value) => self.typed(body, value, &wanted),
            None => {
                self.report(span, DiagnosticKind::ReturnWithoutValue { wanted });
            }
        }
        body.emit(span, StackOp::Return);
        false
    }

    fn expr_statement(&mut self, body: &mut FunctionBuilder, expr: ExprId) -> bool {
        let ast = self.ast;
        let mut inner = expr;
        while let ExprKind::Paren(next) = ast.exprs[inner].kind {
            inner = next;
        }
        let has_effect = match &ast.exprs[inner].kind {
            ExprKind::Call { .. } => true,
            ExprKind::Method { name, .. } => matches!(name.text.as_str(), "push" | "remove"),
            _ => false,
        };
        let count = self.reports.count();
        let span = ast.exprs[expr].span;
        self.expr(body, expr);
        body.emit(span, StackOp::Pop);
        if !has_effect && self.reports.count() == count {
            let report = self.reports.add(span, DiagnosticKind::NoEffect);
            match &ast.exprs[inner].kind {
                ExprKind::Binary { op: BinaryOp::Equal, .. } => {
                    report.help("`=` assigns, `==` compares");
                }
                ExprKind::Method { name, .. } if name.text == "append" => {
                    report.help("`push` changes the array; `append` returns another one");
                }
                _ => report.help("use its value, or remove it"),
            }
        }
        true
    }
}
