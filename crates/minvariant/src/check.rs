//! Types, and code: one walk over the tree does both.
//!
//! Code is made even where a type is wrong, and thrown away with the program. An expression that was
//! complained about has the type [`Type::Unknown`], which fits everywhere, so that one mistake is
//! reported once.

mod call;
mod expr;
mod stmt;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{self, Ast, Name};
use crate::builtin::FUNCTIONS;
use crate::code::{Function, Invariant, Op, Slot, Target, are_steady};
use crate::diagnostic::{Report, Reports};
use crate::problem::Problem;
use crate::source::Span;
use crate::suggest::nearest;
use crate::types::Type;

/// What comes out of checking.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(crate) functions: Vec<Function>,
    pub(crate) invariants: Vec<Invariant>,
    pub(crate) texts: Vec<Arc<[u8]>>,
}

/// Checks all declarations and makes their code.
pub(crate) fn check(ast: &Ast, reports: &mut Reports) -> Checked {
    let mut names = BTreeMap::new();
    for (index, function) in ast.functions.iter().enumerate() {
        let name = &function.name;
        if FUNCTIONS.contains(&name.text.as_str()) || name.text == "sys" {
            reports.add(name.span, Problem::BuiltIn { name: name.text.clone() });
        }
        declare(&mut names, name, index, reports);
    }
    let mut checker = Checker { ast, reports, names, checked: Checked::default() };
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
    names: &mut BTreeMap<&'a str, (usize, Span)>,
    name: &'a Name,
    index: usize,
    reports: &mut Reports,
) {
    if let Some((_, first)) = names.get(name.text.as_str()) {
        reports
            .add(name.span, Problem::DeclaredTwice { name: name.text.clone() })
            .related("first declared here", *first);
        return;
    }
    names.insert(&name.text, (index, name.span));
}

struct Checker<'a> {
    ast: &'a Ast,
    reports: &'a mut Reports,
    /// Functions with their numbers and places.
    names: BTreeMap<&'a str, (usize, Span)>,
    checked: Checked,
}

/// A variable that can be seen.
#[derive(Clone)]
struct Local {
    name: String,
    span: Span,
    slot: Slot,
    ty: Type,
}

/// A loop statement around the place.
struct Loop {
    again: Target,
    /// Jumps that end it.
    breaks: Vec<usize>,
}

/// A function as its code grows.
struct Body {
    code: Vec<Op>,
    spans: Vec<Span>,
    slots: u32,
    locals: Vec<Local>,
    /// Where in `locals` each open block begins.
    scopes: Vec<usize>,
    loops: Vec<Loop>,
    result: Type,
    /// Variables whose block has ended, and variables of all statements, for suggestions.
    gone: Vec<(String, Span)>,
    declared: Vec<(String, Span)>,
}

impl Body {
    fn new(result: Type) -> Body {
        Body {
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

    fn emit(&mut self, span: Span, op: Op) -> usize {
        self.code.push(op);
        self.spans.push(span);
        self.code.len() - 1
    }

    /// The place of the next operation.
    fn here(&self) -> Target {
        self.code.len() as Target
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    fn find(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// Makes a variable visible; the same name may be there further out.
    fn bind(&mut self, name: &Name, ty: Type) -> Slot {
        let slot = self.slot();
        self.locals.push(Local { name: name.text.clone(), span: name.span, slot, ty });
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

    /// Whether all code from `start` can be tried.
    fn can_be_tried_from(&self, start: Target) -> bool {
        self.code[start as usize..].iter().all(|op| op.can_be_tried())
    }

    /// Whether all code from `start` is quiet.
    fn is_quiet_from(&self, start: Target) -> bool {
        self.code[start as usize..].iter().all(|op| op.is_quiet())
    }
}

impl<'a> Checker<'a> {
    fn report(&mut self, span: Span, problem: Problem) -> &mut Report {
        self.reports.add(span, problem)
    }

    /// Reports a value of a type that does not fit.
    fn mismatch(&mut self, span: Span, wanted: &Type, found: &Type) {
        let report = self
            .reports
            .add(span, Problem::Mismatch { wanted: wanted.clone(), found: found.clone() });
        match (wanted, found) {
            (Type::String, Type::Data) => report.help("`.string()` makes a string of it"),
            (Type::String, Type::Int) => report.help("`.string()` makes a string of it"),
            (Type::Data, Type::String) => report.help("`.data()` makes data of it"),
            (Type::Int, Type::String) => report.help("`.toInt()` makes a number of it"),
            (Type::Int, Type::Data) => {
                report.help("`.int32()` and its relatives read numbers in it");
            }
            (Type::Bool, Type::Int) => report.help("compare it, as in `x != 0`"),
            (Type::Array(element), found) if element.accepts(found) => {
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
        name: &Name,
        params: &[ast::Param],
        result: &Type,
        block: &ast::Block,
    ) -> Function {
        let mut body = Body::new(result.clone());
        for param in params {
            if let Some(first) = body.find(&param.name.text) {
                let (problem, first) =
                    (Problem::DeclaredTwice { name: first.name.clone() }, first.span);
                self.report(param.name.span, problem).related("first declared here", first);
            }
            self.forbid_sys(&param.name);
            body.bind(&param.name, param.ty.clone());
        }
        stmt::declared(&block.stmts, &mut body.declared);
        if self.statements(&mut body, &block.stmts) {
            self.report(block.end, Problem::MissingReturn { name: name.text.clone() })
                .help(format!("every way through it must return a value of type `{result}`"));
        }
        finish(body, &name.text, params.len())
    }

    /// `sys` is no name for a variable.
    fn forbid_sys(&mut self, name: &Name) {
        if name.text == "sys" {
            self.report(name.span, Problem::BuiltIn { name: name.text.clone() });
        }
    }

    fn invariant(&mut self, invariant: &ast::Invariant) {
        let wanted = Type::array(Type::Data);
        match invariant.params.as_slice() {
            [param] if wanted.accepts(&param.ty) => {}
            [param] => {
                let found = param.ty.clone();
                self.report(param.ty_span, Problem::InvariantParam { found: Some(found) })
                    .help("write `data[]`");
            }
            _ => {
                self.report(invariant.params_span, Problem::InvariantParam { found: None })
                    .help("write `(data[] d)`");
            }
        }
        let strings = Type::array(Type::String);
        let sources: [(&[Type], Type); 3] = [
            (&[], strings.clone()),
            (&[Type::String], Type::array(Type::Int)),
            (&[Type::String, Type::Int], strings),
        ];
        let mut numbers = [0; 3];
        for (index, (params, result)) in sources.iter().enumerate() {
            numbers[index] = self.source(&invariant.sources[index], params, result);
        }
        let when = invariant.when.map(|condition| {
            let mut body = Body::new(Type::Bool);
            self.typed(&mut body, condition, &Type::Bool);
            body.emit(self.ast.exprs[condition].span, Op::Return);
            self.add(finish(body, &invariant.name.text, 0))
        });
        let body = self.function(&invariant.name, &invariant.params, &Type::Bool, &invariant.body);
        let body = self.add(body);
        self.checked.invariants.push(Invariant {
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

    fn add(&mut self, function: Function) -> u32 {
        self.checked.functions.push(function);
        self.checked.functions.len() as u32 - 1
    }

    /// The number of a function that an invariant names, which must have this type.
    fn source(&mut self, name: &Name, params: &[Type], result: &Type) -> u32 {
        let list: Vec<String> = params.iter().map(Type::to_string).collect();
        let wanted = format!("{result} {}({})", name.text, list.join(", "));
        let Some(&(index, span)) = self.names.get(name.text.as_str()) else {
            let meant = nearest(&name.text, self.names.keys().copied());
            let report =
                self.reports.add(name.span, Problem::UnknownFunction { name: name.text.clone() });
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
            self.report(name.span, Problem::BadSource { name: name.text.clone(), wanted })
                .related("it is declared here", span);
        }
        index as u32
    }
}

fn finish(body: Body, name: &str, params: usize) -> Function {
    let Body { code, spans, slots, .. } = body;
    Function { name: name.into(), code, spans, slots, params: params as u32 }
}
