//! Calls: functions of the program, built-in functions, `sys`, and methods.
//!
//! A function without a name is inlined where it is an argument: the method becomes a loop around it.

use super::stmt::AssignmentTarget;
use super::{FunctionBuilder, ProgramChecker};
use crate::check::builtin::{
    self, ExpectedArgument, FUNCTIONS, LambdaMethod, LambdaResult, MethodAction, MethodSignature,
    SYS,
};
use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::SourceSpan;
use crate::diagnostic::suggest::nearest;
use crate::syntax::ast::{ExprId, ExprKind, SpannedName};
use crate::types::ValueType;
use crate::vm::code::{FrameSlot, PlainMethod, StackOp};

/// A method that calls a function without a name for each element of an array.
struct ArrayLoop<'a> {
    kind: LambdaMethod,
    /// The function that the method takes.
    param: &'a ExpectedArgument,
    /// The function that it is given.
    lambda: ExprId,
    /// The value that a fold begins with.
    first: Option<ExprId>,
}

impl ProgramChecker<'_> {
    pub(super) fn call(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        name: &SpannedName,
        args: &[ExprId],
    ) -> ValueType {
        if FUNCTIONS.contains(&name.text.as_str()) {
            return self.call_builtin(body, span, name, args);
        }
        let Some(&(index, place)) = self.names.get(name.text.as_str()) else {
            let known = self.names.keys().copied().chain(FUNCTIONS.iter().copied());
            let meant = nearest(&name.text, known);
            let is_variable = body.find(&name.text).is_some();
            let problem = DiagnosticKind::UnknownFunction { name: name.text.clone() };
            let report = self.reports.add(name.span, problem);
            if is_variable {
                report.help(format!("`{}` is a variable and cannot be called", name.text));
            } else {
                report.meant(meant);
            }
            self.ignore_args(body, args);
            return ValueType::Unknown;
        };
        let function = &self.ast.functions[index];
        if !self.check_count(name, function.params.len(), function.params.len(), args) {
            self.reports.last().related("it is declared here", place);
            self.ignore_args(body, args);
            return function.result.clone();
        }
        for (arg, param) in args.iter().zip(&function.params) {
            self.typed(body, *arg, &param.ty);
        }
        body.emit(span, StackOp::Call(index as u32));
        function.result.clone()
    }

    /// Checks arguments of a call that cannot be, for their own mistakes.
    fn ignore_args(&mut self, body: &mut FunctionBuilder, args: &[ExprId]) {
        for arg in args {
            if !matches!(self.ast.exprs[*arg].kind, ExprKind::Lambda { .. }) {
                self.expr(body, *arg);
            }
        }
    }

    /// Returns `true` if the number of arguments is right.
    fn check_count(
        &mut self,
        name: &SpannedName,
        least: usize,
        most: usize,
        args: &[ExprId],
    ) -> bool {
        if (least..=most).contains(&args.len()) {
            return true;
        }
        let problem = DiagnosticKind::ArgumentCount {
            name: name.text.clone(),
            least,
            most,
            found: args.len(),
        };
        self.report(name.span, problem);
        false
    }

    fn call_builtin(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        name: &SpannedName,
        args: &[ExprId],
    ) -> ValueType {
        let triple = [ValueType::String, ValueType::Int, ValueType::String];
        let (types, op, result) = match name.text.as_str() {
            "get" => (triple.to_vec(), StackOp::Get, ValueType::Data),
            "exposed" => (triple.to_vec(), StackOp::Exposed, ValueType::Bool),
            "history" => (triple.to_vec(), StackOp::History, ValueType::array(ValueType::Data)),
            "before" => ([triple.clone(), triple].concat(), StackOp::Before, ValueType::Bool),
            // `once` and `always` are `any` and `all` of the history.
            _ => (triple.to_vec(), StackOp::History, ValueType::Bool),
        };
        let kind = match name.text.as_str() {
            "once" => Some(LambdaMethod::Any),
            "always" => Some(LambdaMethod::All),
            _ => None,
        };
        let count = types.len() + usize::from(kind.is_some());
        if !self.check_count(name, count, count, args) {
            self.ignore_args(body, args);
            return result;
        }
        for (arg, ty) in args.iter().zip(&types) {
            self.typed(body, *arg, ty);
        }
        body.emit(span, op);
        if let Some(kind) = kind {
            let lambda = args[args.len() - 1];
            let param = ExpectedArgument::Lambda(vec![ValueType::Data], LambdaResult::Bool);
            self.run_loop(body, span, ArrayLoop { kind, param: &param, lambda, first: None });
        }
        result
    }

    pub(super) fn method(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        receiver: ExprId,
        name: &SpannedName,
        args: &[ExprId],
    ) -> ValueType {
        if matches!(&self.ast.exprs[receiver].kind, ExprKind::Name(name) if name == "sys") {
            return self.sys(body, span, name, args);
        }
        let start = body.code.len();
        let ty = self.expr(body, receiver);
        if ty == ValueType::Unknown {
            self.ignore_args(body, args);
            return ValueType::Unknown;
        }
        let is_lambda = |arg: &ExprId| matches!(self.ast.exprs[*arg].kind, ExprKind::Lambda { .. });
        let Some(signature) = builtin::method(&ty, &name.text, args.first().is_some_and(is_lambda))
        else {
            self.unknown_method(&ty, name);
            self.ignore_args(body, args);
            return ValueType::Unknown;
        };
        let most = signature.params.len();
        let most = if name.text == "sort" { most.max(args.len().min(1)) } else { most };
        if !self.check_count(name, signature.params.len() - signature.optional, most, args) {
            self.ignore_args(body, args);
            return signature.result;
        }
        if !self.element_fits(&ty, name) {
            return signature.result;
        }
        match signature.action {
            MethodAction::Push | MethodAction::Remove => {
                // The receiver is a place, not a value: what was made for it is taken back.
                body.code.truncate(start);
                body.spans.truncate(start);
                self.change(body, span, receiver, &signature, args)
            }
            MethodAction::Loop(kind) => self.loop_method(body, span, kind, &signature, args),
            MethodAction::Plain(_) | MethodAction::Decode(_) => {
                self.plain(body, span, &signature, args)
            }
        }
    }

    fn unknown_method(&mut self, ty: &ValueType, name: &SpannedName) {
        let known = builtin::methods(ty);
        let other = builtin::other_name(&name.text).filter(|other| known.contains(other));
        let problem = DiagnosticKind::UnknownMethod { name: name.text.clone(), ty: ty.clone() };
        let report = self.reports.add(name.span, problem);
        match other.or_else(|| nearest(&name.text, known.iter().copied())) {
            Some(meant) => report.meant(Some(meant)),
            None if known.is_empty() => report.help(format!("`{ty}` has no methods")),
            None => report.help(format!("`{ty}` has {}", known.join(", "))),
        }
    }

    /// Returns `true` if the elements of an array can do what the method needs of them.
    fn element_fits(&mut self, ty: &ValueType, name: &SpannedName) -> bool {
        let ValueType::Array(element) = ty else { return true };
        let fits = match name.text.as_str() {
            "sum" => ValueType::Int.accepts(element),
            "min" | "max" => element.is_ordered(),
            _ => true,
        };
        if !fits {
            let problem = DiagnosticKind::BadElement { name: name.text.clone(), ty: ty.clone() };
            self.report(name.span, problem);
        }
        fits
    }

    fn plain(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        signature: &MethodSignature,
        args: &[ExprId],
    ) -> ValueType {
        for (arg, param) in args.iter().zip(&signature.params) {
            match param {
                ExpectedArgument::Value(ty) => self.typed(body, *arg, ty),
                ExpectedArgument::Lambda(..) => drop(self.expr(body, *arg)),
            }
        }
        match signature.action {
            MethodAction::Decode(method) => {
                if args.is_empty() {
                    body.emit(span, StackOp::Int(0));
                }
                body.emit(span, StackOp::Method(method));
            }
            MethodAction::Plain(PlainMethod::Slice) if args.len() == 1 => {
                body.emit(span, StackOp::Method(PlainMethod::SliceFrom));
            }
            MethodAction::Plain(PlainMethod::Sort) => {
                let is_ordered =
                    matches!(&signature.result, ValueType::Array(element) if element.is_ordered());
                if !is_ordered || !args.is_empty() {
                    let problem = DiagnosticKind::BadElement {
                        name: "sort".to_owned(),
                        ty: signature.result.clone(),
                    };
                    self.report(span, problem)
                        .help("sort by a key, as in `.sort(x => x.length())`");
                }
                body.emit(span, StackOp::Method(PlainMethod::Sort));
            }
            MethodAction::Plain(method) => drop(body.emit(span, StackOp::Method(method))),
            MethodAction::Loop(_) | MethodAction::Push | MethodAction::Remove => {}
        }
        signature.result.clone()
    }

    /// `push` and `remove`.
    fn change(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        receiver: ExprId,
        signature: &MethodSignature,
        args: &[ExprId],
    ) -> ValueType {
        let Some(AssignmentTarget { slot, depth, .. }) = self.place(body, receiver) else {
            self.ignore_args(body, args);
            return signature.result.clone();
        };
        for (arg, param) in args.iter().zip(&signature.params) {
            if let ExpectedArgument::Value(ty) = param {
                self.typed(body, *arg, ty);
            }
        }
        let op = if signature.action == MethodAction::Push {
            StackOp::PushPath { slot, depth }
        } else {
            StackOp::RemovePath { slot, depth }
        };
        body.emit(span, op);
        signature.result.clone()
    }

    fn loop_method(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        kind: LambdaMethod,
        signature: &MethodSignature,
        args: &[ExprId],
    ) -> ValueType {
        let (Some(param), Some(&lambda)) = (signature.params.last(), args.last()) else {
            return ValueType::Unknown;
        };
        let first = (kind == LambdaMethod::Fold).then(|| args[0]);
        let found = self.run_loop(body, span, ArrayLoop { kind, param, lambda, first });
        match kind {
            LambdaMethod::Map => self.array_of(span, found),
            LambdaMethod::Fold => found,
            LambdaMethod::Filter
            | LambdaMethod::All
            | LambdaMethod::Any
            | LambdaMethod::Count
            | LambdaMethod::SortBy => signature.result.clone(),
        }
    }

    /// A loop over the array on the stack. Returns the type that the function without a name has, or that
    /// the fold has.
    fn run_loop(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        ArrayLoop { kind, param, lambda, first }: ArrayLoop<'_>,
    ) -> ValueType {
        let (iter, _, acc, var) = (body.slot(), body.slot(), body.slot(), body.slot());
        if kind == LambdaMethod::SortBy {
            body.emit(span, StackOp::Store(acc));
            body.emit(span, StackOp::Load(acc));
            body.emit(span, StackOp::Load(acc));
        }
        body.emit(span, StackOp::IterStart(iter));
        let keys = if kind == LambdaMethod::SortBy { body.slot() } else { acc };
        let begin = match kind {
            LambdaMethod::Map | LambdaMethod::Filter | LambdaMethod::SortBy => StackOp::Array(0),
            LambdaMethod::All => StackOp::Bool(true),
            LambdaMethod::Any => StackOp::Bool(false),
            LambdaMethod::Count => StackOp::Int(0),
            LambdaMethod::Fold => StackOp::Pop,
        };
        let acc_type = match first {
            Some(first) => self.expr(body, first),
            None => {
                body.emit(span, begin);
                ValueType::Unknown
            }
        };
        body.emit(span, StackOp::Store(keys));
        let again = body.here();
        let next = body.emit(span, StackOp::IterNext { iter, var, end: 0 });
        let start = body.here();
        let slots = if kind == LambdaMethod::Fold { vec![keys, var] } else { vec![var] };
        let found = self.lambda(body, param, lambda, &slots, &acc_type);
        let quiet = body.is_quiet_from(start);
        let step = body.emit(span, step(kind, keys, var, 0, quiet));
        body.emit(span, StackOp::Jump(again));
        let end = body.here();
        body.code[next] = StackOp::IterNext { iter, var, end };
        body.code[step] = self::step(kind, keys, var, end, quiet);
        body.emit(span, StackOp::Take(keys));
        if kind == LambdaMethod::SortBy {
            body.emit(span, StackOp::Method(PlainMethod::SortBy));
        }
        if kind == LambdaMethod::Fold { acc_type } else { found }
    }

    /// The body of a function without a name, whose parameters are in `slots`.
    fn lambda(
        &mut self,
        body: &mut FunctionBuilder,
        param: &ExpectedArgument,
        id: ExprId,
        slots: &[FrameSlot],
        accumulator: &ValueType,
    ) -> ValueType {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let ExpectedArgument::Lambda(types, wanted) = param else { return ValueType::Unknown };
        let ExprKind::Lambda { params, body: inner } = &expr.kind else {
            let found = self.expr(body, id);
            if found != ValueType::Unknown {
                let example = if types.len() == 1 { "x => ..." } else { "(a, x) => ..." };
                self.report(expr.span, DiagnosticKind::LambdaWanted { found })
                    .help(format!("write `{example}`"));
            }
            return ValueType::Unknown;
        };
        if params.len() != types.len() {
            let problem = DiagnosticKind::LambdaParams { wanted: types.len(), found: params.len() };
            self.report(expr.span, problem);
            return ValueType::Unknown;
        }
        body.open();
        for ((name, ty), &slot) in params.iter().zip(types).zip(slots) {
            let is_accumulator = types.len() == 2 && slot == slots[0];
            let ty = if is_accumulator { accumulator.clone() } else { ty.clone() };
            self.forbid_sys(name);
            let text = name.text.clone();
            body.locals.push(super::LocalVariable { name: text, span: name.span, slot, ty });
        }
        let found = self.expr(body, *inner);
        body.close();
        let span = ast.exprs[*inner].span;
        match wanted {
            LambdaResult::Bool if !ValueType::Bool.accepts(&found) => {
                self.mismatch(span, &ValueType::Bool, &found);
            }
            LambdaResult::Accumulator if !accumulator.accepts(&found) => {
                self.mismatch(span, accumulator, &found);
            }
            LambdaResult::Ordered if !found.is_ordered() => {
                let problem = DiagnosticKind::NotOrdered { ty: found.clone() };
                self.report(span, problem).help("sort by an `int`, a `string` or `data`");
            }
            LambdaResult::Bool
            | LambdaResult::Accumulator
            | LambdaResult::Ordered
            | LambdaResult::Any => {}
        }
        found
    }

    fn sys(
        &mut self,
        body: &mut FunctionBuilder,
        span: SourceSpan,
        name: &SpannedName,
        args: &[ExprId],
    ) -> ValueType {
        let Some(&(_, sys, of_node)) = SYS.iter().find(|(known, ..)| *known == name.text) else {
            let meant = nearest(&name.text, SYS.iter().map(|(known, ..)| *known));
            let problem = DiagnosticKind::UnknownSys { name: name.text.clone() };
            let report = self.reports.add(name.span, problem);
            match meant {
                Some(_) => report.meant(meant),
                None => {
                    let known: Vec<&str> = SYS.iter().map(|(known, ..)| *known).collect();
                    report.help(format!("`sys` has {}", known.join(", ")));
                }
            }
            self.ignore_args(body, args);
            return ValueType::Unknown;
        };
        let count = usize::from(of_node);
        if self.check_count(name, count, count, args) {
            for arg in args {
                self.typed(body, *arg, &ValueType::String);
            }
        } else {
            self.ignore_args(body, args);
        }
        body.emit(span, StackOp::Sys(sys));
        builtin::sys_result(sys)
    }
}

/// Returns the operation by which a loop takes in the value of its function.
fn step(kind: LambdaMethod, acc: FrameSlot, var: FrameSlot, end: u32, quiet: bool) -> StackOp {
    match kind {
        LambdaMethod::Map | LambdaMethod::SortBy => StackOp::PushStep(acc),
        LambdaMethod::Filter => StackOp::FilterStep { acc, var },
        LambdaMethod::All => StackOp::AllStep { acc, end, quiet },
        LambdaMethod::Any => StackOp::AnyStep { acc, end, quiet },
        LambdaMethod::Count => StackOp::CountStep(acc),
        LambdaMethod::Fold => StackOp::Store(acc),
    }
}
