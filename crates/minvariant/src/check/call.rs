//! Calls: functions of the program, built-in functions, `sys`, and methods.
//!
//! A function without a name is inlined where it is an argument: the method becomes a loop around it.

use super::stmt::Place;
use super::{Body, Checker};
use crate::ast::{ExprId, ExprKind, Name};
use crate::builtin::{self, Action, FUNCTIONS, Loop, Param, SYS, Signature, Wanted};
use crate::code::{Method, Op, Slot};
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest::nearest;
use crate::types::Type;

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        body: &mut Body,
        span: Span,
        name: &Name,
        args: &[ExprId],
    ) -> Type {
        if FUNCTIONS.contains(&name.text.as_str()) {
            return self.call_builtin(body, span, name, args);
        }
        let Some(&(index, place)) = self.names.get(name.text.as_str()) else {
            let known = self.names.keys().copied().chain(FUNCTIONS.iter().copied());
            let meant = nearest(&name.text, known);
            let is_variable = body.find(&name.text).is_some();
            let problem = Problem::UnknownFunction { name: name.text.clone() };
            let report = self.reports.add(name.span, problem);
            if is_variable {
                report.help(format!("`{}` is a variable and cannot be called", name.text));
            } else {
                report.meant(meant);
            }
            self.ignore_args(body, args);
            return Type::Unknown;
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
        body.emit(span, Op::Call(index as u32));
        function.result.clone()
    }

    /// Checks arguments of a call that cannot be, for their own mistakes.
    fn ignore_args(&mut self, body: &mut Body, args: &[ExprId]) {
        for arg in args {
            if !matches!(self.ast.exprs[*arg].kind, ExprKind::Lambda { .. }) {
                self.expr(body, *arg);
            }
        }
    }

    /// Whether the number of arguments is right.
    fn check_count(&mut self, name: &Name, least: usize, most: usize, args: &[ExprId]) -> bool {
        if (least..=most).contains(&args.len()) {
            return true;
        }
        let problem =
            Problem::ArgumentCount { name: name.text.clone(), least, most, found: args.len() };
        self.report(name.span, problem);
        false
    }

    fn call_builtin(&mut self, body: &mut Body, span: Span, name: &Name, args: &[ExprId]) -> Type {
        let triple = [Type::String, Type::Int, Type::String];
        let (types, op, result) = match name.text.as_str() {
            "get" => (triple.to_vec(), Op::Get, Type::Data),
            "exposed" => (triple.to_vec(), Op::Exposed, Type::Bool),
            "history" => (triple.to_vec(), Op::History, Type::array(Type::Data)),
            "before" => ([triple.clone(), triple].concat(), Op::Before, Type::Bool),
            // `once` and `always` are `any` and `all` of the history.
            _ => (triple.to_vec(), Op::History, Type::Bool),
        };
        let kind = match name.text.as_str() {
            "once" => Some(Loop::Any),
            "always" => Some(Loop::All),
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
            let param = Param::Lambda(vec![Type::Data], Wanted::Bool);
            self.run_loop(body, span, kind, &param, lambda, None);
        }
        result
    }

    pub(super) fn method(
        &mut self,
        body: &mut Body,
        span: Span,
        receiver: ExprId,
        name: &Name,
        args: &[ExprId],
    ) -> Type {
        if matches!(&self.ast.exprs[receiver].kind, ExprKind::Name(name) if name == "sys") {
            return self.sys(body, span, name, args);
        }
        let start = body.code.len();
        let ty = self.expr(body, receiver);
        if ty == Type::Unknown {
            self.ignore_args(body, args);
            return Type::Unknown;
        }
        let is_lambda = |arg: &ExprId| matches!(self.ast.exprs[*arg].kind, ExprKind::Lambda { .. });
        let Some(signature) = builtin::method(&ty, &name.text, args.first().is_some_and(is_lambda))
        else {
            self.unknown_method(&ty, name);
            self.ignore_args(body, args);
            return Type::Unknown;
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
            Action::Push | Action::Remove => {
                // The receiver is a place, not a value: what was made for it is taken back.
                body.code.truncate(start);
                body.spans.truncate(start);
                self.change(body, span, receiver, &signature, args)
            }
            Action::Loop(kind) => self.loop_method(body, span, kind, &signature, args),
            Action::Plain(_) | Action::Decode(_) => self.plain(body, span, &signature, args),
        }
    }

    fn unknown_method(&mut self, ty: &Type, name: &Name) {
        let known = builtin::methods(ty);
        let other = builtin::other_name(&name.text).filter(|other| known.contains(other));
        let problem = Problem::UnknownMethod { name: name.text.clone(), ty: ty.clone() };
        let report = self.reports.add(name.span, problem);
        match other.or_else(|| nearest(&name.text, known.iter().copied())) {
            Some(meant) => report.meant(Some(meant)),
            None if known.is_empty() => report.help(format!("`{ty}` has no methods")),
            None => report.help(format!("`{ty}` has {}", known.join(", "))),
        }
    }

    /// Whether the elements of an array can do what the method needs of them.
    fn element_fits(&mut self, ty: &Type, name: &Name) -> bool {
        let Type::Array(element) = ty else { return true };
        let fits = match name.text.as_str() {
            "sum" => Type::Int.accepts(element),
            "min" | "max" => element.is_ordered(),
            _ => true,
        };
        if !fits {
            let problem = Problem::BadElement { name: name.text.clone(), ty: ty.clone() };
            self.report(name.span, problem);
        }
        fits
    }

    fn plain(
        &mut self,
        body: &mut Body,
        span: Span,
        signature: &Signature,
        args: &[ExprId],
    ) -> Type {
        for (arg, param) in args.iter().zip(&signature.params) {
            match param {
                Param::Value(ty) => self.typed(body, *arg, ty),
                Param::Lambda(..) => drop(self.expr(body, *arg)),
            }
        }
        match signature.action {
            Action::Decode(method) => {
                if args.is_empty() {
                    body.emit(span, Op::Int(0));
                }
                body.emit(span, Op::Method(method));
            }
            Action::Plain(Method::Slice) if args.len() == 1 => {
                body.emit(span, Op::Method(Method::SliceFrom));
            }
            Action::Plain(Method::Sort) => {
                let is_ordered =
                    matches!(&signature.result, Type::Array(element) if element.is_ordered());
                if !is_ordered || !args.is_empty() {
                    let problem = Problem::BadElement {
                        name: "sort".to_owned(),
                        ty: signature.result.clone(),
                    };
                    self.report(span, problem)
                        .help("sort by a key, as in `.sort(x => x.length())`");
                }
                body.emit(span, Op::Method(Method::Sort));
            }
            Action::Plain(method) => drop(body.emit(span, Op::Method(method))),
            Action::Loop(_) | Action::Push | Action::Remove => {}
        }
        signature.result.clone()
    }

    /// `push` and `remove`.
    fn change(
        &mut self,
        body: &mut Body,
        span: Span,
        receiver: ExprId,
        signature: &Signature,
        args: &[ExprId],
    ) -> Type {
        let Some(Place { slot, depth, .. }) = self.place(body, receiver) else {
            self.ignore_args(body, args);
            return signature.result.clone();
        };
        for (arg, param) in args.iter().zip(&signature.params) {
            if let Param::Value(ty) = param {
                self.typed(body, *arg, ty);
            }
        }
        let op = if signature.action == Action::Push {
            Op::PushPath { slot, depth }
        } else {
            Op::RemovePath { slot, depth }
        };
        body.emit(span, op);
        signature.result.clone()
    }

    fn loop_method(
        &mut self,
        body: &mut Body,
        span: Span,
        kind: Loop,
        signature: &Signature,
        args: &[ExprId],
    ) -> Type {
        let (Some(param), Some(&lambda)) = (signature.params.last(), args.last()) else {
            return Type::Unknown;
        };
        let first = (kind == Loop::Fold).then(|| args[0]);
        let found = self.run_loop(body, span, kind, param, lambda, first);
        match kind {
            Loop::Map => self.array_of(span, found),
            Loop::Fold => found,
            Loop::Filter | Loop::All | Loop::Any | Loop::Count | Loop::SortBy => {
                signature.result.clone()
            }
        }
    }

    /// A loop over the array on the stack; `first` is where a fold begins. Returns the type that the
    /// function without a name has, or that the fold has.
    fn run_loop(
        &mut self,
        body: &mut Body,
        span: Span,
        kind: Loop,
        param: &Param,
        lambda: ExprId,
        first: Option<ExprId>,
    ) -> Type {
        let (iter, _, acc, var) = (body.slot(), body.slot(), body.slot(), body.slot());
        if kind == Loop::SortBy {
            body.emit(span, Op::Store(acc));
            body.emit(span, Op::Load(acc));
            body.emit(span, Op::Load(acc));
        }
        body.emit(span, Op::IterStart(iter));
        let keys = if kind == Loop::SortBy { body.slot() } else { acc };
        let begin = match kind {
            Loop::Map | Loop::Filter | Loop::SortBy => Op::Array(0),
            Loop::All => Op::Bool(true),
            Loop::Any => Op::Bool(false),
            Loop::Count => Op::Int(0),
            Loop::Fold => Op::Pop,
        };
        let acc_type = match first {
            Some(first) => self.expr(body, first),
            None => {
                body.emit(span, begin);
                Type::Unknown
            }
        };
        body.emit(span, Op::Store(keys));
        let again = body.here();
        let next = body.emit(span, Op::IterNext { iter, var, end: 0 });
        let start = body.here();
        let slots = if kind == Loop::Fold { vec![keys, var] } else { vec![var] };
        let found = self.lambda(body, param, lambda, &slots, &acc_type);
        let quiet = body.is_quiet_from(start);
        let step = body.emit(span, step(kind, keys, var, 0, quiet));
        body.emit(span, Op::Jump(again));
        let end = body.here();
        body.code[next] = Op::IterNext { iter, var, end };
        body.code[step] = self::step(kind, keys, var, end, quiet);
        body.emit(span, Op::Take(keys));
        if kind == Loop::SortBy {
            body.emit(span, Op::Method(Method::SortBy));
        }
        if kind == Loop::Fold { acc_type } else { found }
    }

    /// The body of a function without a name, whose parameters are in `slots`.
    fn lambda(
        &mut self,
        body: &mut Body,
        param: &Param,
        id: ExprId,
        slots: &[Slot],
        accumulator: &Type,
    ) -> Type {
        let ast = self.ast;
        let expr = &ast.exprs[id];
        let Param::Lambda(types, wanted) = param else { return Type::Unknown };
        let ExprKind::Lambda { params, body: inner } = &expr.kind else {
            let found = self.expr(body, id);
            if found != Type::Unknown {
                let example = if types.len() == 1 { "x => ..." } else { "(a, x) => ..." };
                self.report(expr.span, Problem::LambdaWanted { found })
                    .help(format!("write `{example}`"));
            }
            return Type::Unknown;
        };
        if params.len() != types.len() {
            let problem = Problem::LambdaParams { wanted: types.len(), found: params.len() };
            self.report(expr.span, problem);
            return Type::Unknown;
        }
        body.open();
        for ((name, ty), &slot) in params.iter().zip(types).zip(slots) {
            let is_accumulator = types.len() == 2 && slot == slots[0];
            let ty = if is_accumulator { accumulator.clone() } else { ty.clone() };
            self.forbid_sys(name);
            let text = name.text.clone();
            body.locals.push(super::Local { name: text, span: name.span, slot, ty });
        }
        let found = self.expr(body, *inner);
        body.close();
        let span = ast.exprs[*inner].span;
        match wanted {
            Wanted::Bool if !Type::Bool.accepts(&found) => {
                self.mismatch(span, &Type::Bool, &found);
            }
            Wanted::Accumulator if !accumulator.accepts(&found) => {
                self.mismatch(span, accumulator, &found);
            }
            Wanted::Ordered if !found.is_ordered() => {
                let problem = Problem::NotOrdered { ty: found.clone() };
                self.report(span, problem).help("sort by an `int`, a `string` or `data`");
            }
            Wanted::Bool | Wanted::Accumulator | Wanted::Ordered | Wanted::Any => {}
        }
        found
    }

    fn sys(&mut self, body: &mut Body, span: Span, name: &Name, args: &[ExprId]) -> Type {
        let Some(&(_, sys, of_node)) = SYS.iter().find(|(known, ..)| *known == name.text) else {
            let meant = nearest(&name.text, SYS.iter().map(|(known, ..)| *known));
            let problem = Problem::UnknownSys { name: name.text.clone() };
            let report = self.reports.add(name.span, problem);
            match meant {
                Some(_) => report.meant(meant),
                None => {
                    let known: Vec<&str> = SYS.iter().map(|(known, ..)| *known).collect();
                    report.help(format!("`sys` has {}", known.join(", ")));
                }
            }
            self.ignore_args(body, args);
            return Type::Unknown;
        };
        let count = usize::from(of_node);
        if self.check_count(name, count, count, args) {
            for arg in args {
                self.typed(body, *arg, &Type::String);
            }
        } else {
            self.ignore_args(body, args);
        }
        body.emit(span, Op::Sys(sys));
        builtin::sys_result(sys)
    }
}

/// What a loop does with the value of its function.
fn step(kind: Loop, acc: Slot, var: Slot, end: u32, quiet: bool) -> Op {
    match kind {
        Loop::Map | Loop::SortBy => Op::PushStep(acc),
        Loop::Filter => Op::FilterStep { acc, var },
        Loop::All => Op::AllStep { acc, end, quiet },
        Loop::Any => Op::AnyStep { acc, end, quiet },
        Loop::Count => Op::CountStep(acc),
        Loop::Fold => Op::Store(acc),
    }
}
