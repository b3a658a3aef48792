//! Types, and code: one walk over the tree does both.
//!
//! Code is made even where a type is wrong, and thrown away with the program. An expression that was
//! complained about has the type [`ValueType::Unknown`], which fits everywhere, so that one mistake is
//! reported once.

pub(crate) mod builtin;
mod call;
mod expr;
mod stmt;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::check::builtin::FUNCTIONS;
use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::SourceSpan;
use crate::diagnostic::suggest::nearest;
use crate::diagnostic::{PendingDiagnostic, PendingDiagnostics};
use crate::syntax::ast::{self, Ast, SpannedName};
use crate::types::ValueType;
use crate::vm::code::{
    CompiledFunction, CompiledInvariant, FrameSlot, JumpTarget, StackOp, are_steady,
};

/// A program without mistakes: its functions, its invariants and its texts.
#[derive(Debug, Default)]
pub(crate) struct CheckedProgram {
    pub(crate) functions: Vec<CompiledFunction>,
    pub(crate) invariants: Vec<CompiledInvariant>,
    pub(crate) texts: Vec<Arc<[u8]>>,
}

/// Checks all declarations and makes their code.
pub(crate) fn check(ast: &Ast, reports: &mut PendingDiagnostics) -> CheckedProgram {
    let mut names = BTreeMap::new();
    for (index, function) in ast.functions.iter().enumerate() {
        let name = &function.name;
        if FUNCTIONS.contains(&name.text.as_str()) || name.text == "sys" {
            reports.add(name.span, DiagnosticKind::BuiltIn { name: name.text.clone() });
        }
        declare(&mut names, name, index, reports);
    }
    let mut checker = ProgramChecker { ast, reports, names, checked: CheckedProgram::default() };
    for function in &ast.functions {
        let code =
            checker.function(&function.name, &function.params, &function.result, &function.body);
        checker.checked.functions.push(code);
    }
    let mut known = BTreeMap::new();
    for (index, invariant) in ast.invariants.iter().enumerate() {
        declare(&mut known, &invariant.name, index, checker.reports);
        checker.invariant(invariant);
    }
    checker.checked
}

/// Enters a name, or says that it is there already.
fn declare<'a>(
    names: &mut BTreeMap<&'a str, (usize, SourceSpan)>,
    name: &'a SpannedName,
    index: usize,
    reports: &mut PendingDiagnostics,
) {
    if let Some((_, first)) = names.get(name.text.as_str()) {
        reports
            .add(name.span, DiagnosticKind::DeclaredTwice { name: name.text.clone() })
            .related("first declared here", *first);
        return;
    }
    names.insert(&name.text, (index, name.span));
}

struct ProgramChecker<'a> {
    ast: &'a Ast,
    reports: &'a mut PendingDiagnostics,
    /// Functions with their numbers and places.
    names: BTreeMap<&'a str, (usize, SourceSpan)>,
    checked: CheckedProgram,
}

/// A variable that can be seen.
#[derive(Clone)]
struct LocalVariable {
    name: String,
    span: SourceSpan,
    slot: FrameSlot,
    ty: ValueType,
}

/// A loop statement around the place.
struct EnclosingLoop {
    again: JumpTarget,
    /// Jumps that end it.
    breaks: Vec<usize>,
}

/// A function as its code grows.
struct FunctionBuilder {
    code: Vec<StackOp>,
    spans: Vec<SourceSpan>,
    slots: u32,
    locals: Vec<LocalVariable>,
    /// The index in `locals` at which each open block begins.
    scopes: Vec<usize>,
    loops: Vec<EnclosingLoop>,
    result: ValueType,
    /// Variables whose block has ended, and variables of all statements, for suggestions.
    gone: Vec<(String, SourceSpan)>,
    declared: Vec<(String, SourceSpan)>,
}

impl FunctionBuilder {
    fn new(result: ValueType) -> FunctionBuilder {
        FunctionBuilder {
            code: Vec::new(),
            spans: Vec::new(),
            slots: 0,
            locals: Vec::new(),
            scopes: vec![0],
            loops: Vec::new(),
            result,
            gone: Vec::new(),
            declared: Vec::new(),
        }
    }

    fn emit(&mut self, span: SourceSpan, op: StackOp) -> usize {
        self.code.push(op);
        self.spans.push(span);
        self.code.len() - 1
    }

    /// The place of the next operation.
    fn here(&self) -> JumpTarget {
        self.code.len() as JumpTarget
    }

    fn slot(&mut self) -> FrameSlot {
        self.slots += 1;
        self.slots - 1
    }

    fn find(&self, name: &str) -> Option<&LocalVariable> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// Makes a variable visible; the same name may be there further out.
    fn bind(&mut self, name: &SpannedName, ty: ValueType) -> FrameSlot {
        let slot = self.slot();
        self.locals.push(LocalVariable { name: name.text.clone(), span: name.span, slot, ty });
        slot
    }

    fn open(&mut self) {
        self.scopes.push(self.locals.len());
    }

    fn close(&mut self) {
        let start = self.scopes.pop().expect("a block was opened");
        let ended = self.locals.drain(start..);
        self.gone.extend(ended.map(|local| (local.name, local.span)));
    }

    /// Returns `true` if all code from `start` can be tried.
    fn can_be_tried_from(&self, start: JumpTarget) -> bool {
        self.code[start as usize..].iter().all(|op| op.can_be_tried())
    }

    /// Returns `true` if all code from `start` is quiet.
    fn is_quiet_from(&self, start: JumpTarget) -> bool {
        self.code[start as usize..].iter().all(|op| op.is_quiet())
    }
}

impl<'a> ProgramChecker<'a> {
    fn report(&mut self, span: SourceSpan, problem: DiagnosticKind) -> &mut PendingDiagnostic {
        self.reports.add(span, problem)
    }

    /// Reports a value of a type that does not fit.
    fn mismatch(&mut self, span: SourceSpan, wanted: &ValueType, found: &ValueType) {
        let report = self
            .reports
            .add(span, DiagnosticKind::Mismatch { wanted: wanted.clone(), found: found.clone() });
        match (wanted, found) {
            (ValueType::String, ValueType::Data) => report.help("`.string()` makes a string of it"),
            (ValueType::String, ValueType::Int) => report.help("`.string()` makes a string of it"),
            (ValueType::Data, ValueType::String) => report.help("`.data()` makes data of it"),
            (ValueType::Int, ValueType::String) => report.help("`.toInt()` makes a number of it"),
            (ValueType::Int, ValueType::Data) => {
                report.help("`.int32()` and its relatives read numbers in it");
            }
            (ValueType::Bool, ValueType::Int) => report.help("compare it, as in `x != 0`"),
            (ValueType::Array(element), found) if element.accepts(found) => {
                let help = format!("an array of it is written `{found}[...]`");
                report.help(help);
            }
            _ => {}
        }
    }

    fn text(&mut self, bytes: &Arc<[u8]>) -> u32 {
        let texts = &mut self.checked.texts;
        if let Some(index) = texts.iter().position(|text| text == bytes) {
            return index as u32;
        }
        texts.push(bytes.clone());
        texts.len() as u32 - 1
    }

    fn function(
        &mut self,
        name: &SpannedName,
        params: &[ast::ParamDecl],
        result: &ValueType,
        block: &ast::Block,
    ) -> CompiledFunction {
        let mut body = FunctionBuilder::new(result.clone());
        for param in params {
            if let Some(first) = body.find(&param.name.text) {
                let (problem, first) =
                    (DiagnosticKind::DeclaredTwice { name: first.name.clone() }, first.span);
                self.report(param.name.span, problem).related("first declared here", first);
            }
            self.forbid_sys(&param.name);
            body.bind(&param.name, param.ty.clone());
        }
        stmt::declared(&block.stmts, &mut body.declared);
        if self.statements(&mut body, &block.stmts) {
            self.report(block.end, DiagnosticKind::MissingReturn { name: name.text.clone() })
                .help(format!("every way through it must return a value of type `{result}`"));
        }
        finish(body, &name.text, params.len())
    }

    /// `sys` is no name for a variable.
    fn forbid_sys(&mut self, name: &SpannedName) {
        if name.text == "sys" {
            self.report(name.span, DiagnosticKind::BuiltIn { name: name.text.clone() });
        }
    }

    fn invariant(&mut self, invariant: &ast::InvariantDecl) {
        let wanted = ValueType::array(ValueType::Data);
        match invariant.params.as_slice() {
            [param] if wanted.accepts(&param.ty) => {}
            [param] => {
                let found = param.ty.clone();
                self.report(param.ty_span, DiagnosticKind::InvariantParam { found: Some(found) })
                    .help("write `data[]`");
            }
            _ => {
                self.report(invariant.params_span, DiagnosticKind::InvariantParam { found: None })
                    .help("write `(data[] d)`");
            }
        }
        let strings = ValueType::array(ValueType::String);
        let sources: [(&[ValueType], ValueType); 3] = [
            (&[], strings.clone()),
            (&[ValueType::String], ValueType::array(ValueType::Int)),
            (&[ValueType::String, ValueType::Int], strings),
        ];
        let mut numbers = [0; 3];
        for (index, (params, result)) in sources.iter().enumerate() {
            numbers[index] = self.source(&invariant.sources[index], params, result);
        }
        let when = invariant.when.map(|condition| {
            let mut body = FunctionBuilder::new(ValueType::Bool);
            self.typed(&mut body, condition, &ValueType::Bool);
            body.emit(self.ast.exprs[condition].span, StackOp::Return);
            self.add(finish(body, &invariant.name.text, 0))
        });
        let body =
            self.function(&invariant.name, &invariant.params, &ValueType::Bool, &invariant.body);
        let body = self.add(body);
        self.checked.invariants.push(CompiledInvariant {
            name: invariant.name.text.as_str().into(),
            span: invariant.name.span,
            nodes: numbers[0],
            states: numbers[1],
            keys: numbers[2],
            source_spans: invariant.sources.each_ref().map(|name| name.span),
            steady: are_steady(&self.checked.functions, &numbers),
            require: invariant.require,
            eventually: invariant.eventually,
            when,
            body,
        });
    }

    fn add(&mut self, function: CompiledFunction) -> u32 {
        self.checked.functions.push(function);
        self.checked.functions.len() as u32 - 1
    }

    /// The number of a function that an invariant names, which must have this type.
    fn source(&mut self, name: &SpannedName, params: &[ValueType], result: &ValueType) -> u32 {
        let list: Vec<String> = params.iter().map(ValueType::to_string).collect();
        let wanted = format!("{result} {}({})", name.text, list.join(", "));
        let Some(&(index, span)) = self.names.get(name.text.as_str()) else {
            let meant = nearest(&name.text, self.names.keys().copied());
            let report = self
                .reports
                .add(name.span, DiagnosticKind::UnknownFunction { name: name.text.clone() });
            match meant {
                Some(_) => report.meant(meant),
                None => report.help(format!("declare `{wanted}`")),
            }
            return 0;
        };
        let function = &self.ast.functions[index];
        let fits = function.params.len() == params.len()
            && function.params.iter().zip(params).all(|(param, ty)| ty.accepts(&param.ty))
            && result.accepts(&function.result);
        if !fits {
            self.report(name.span, DiagnosticKind::BadSource { name: name.text.clone(), wanted })
                .related("it is declared here", span);
        }
        index as u32
    }
}

fn finish(body: FunctionBuilder, name: &str, params: usize) -> CompiledFunction {
    let FunctionBuilder { code, spans, slots, .. } = body;
    CompiledFunction { name: name.into(), code, spans, slots, params: params as u32 }
}
