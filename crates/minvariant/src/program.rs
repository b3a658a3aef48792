//! Programs: read, checked, and evaluated.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::check::{CheckedProgram, check};
use crate::diagnostic::source::{SourceLocation, SourceSpan, SourceTexts};
use crate::diagnostic::{Diagnostics, PendingDiagnostics};
use crate::domain::{ConcreteDomain, Domain};
use crate::error::{EvalError, EvalFault, EvalTrace};
use crate::provider::{DataTriple, ExposureStamp, Providers};
use crate::syntax::ast::Ast;
use crate::syntax::lexer::lex;
use crate::syntax::parser::parse;
use crate::vm::code::{CompiledFunction, CompiledInvariant as Code};
use crate::vm::value::RuntimeValue;
use crate::vm::{EvalLimits, SettledTriple, Vm};

/// A checked program. It never changes, and threads may share it.
#[derive(Debug)]
pub struct Program {
    sources: SourceTexts,
    checked: CheckedProgram,
}

/// The number of an invariant in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvariantId(pub u32);

impl fmt::Display for InvariantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{}", self.0)
    }
}

/// The facts about an invariant that are known without evaluating it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantInfo {
    /// Its number
    pub id: InvariantId,
    /// Its name
    pub name: Arc<str>,
    /// The place of its declaration
    pub location: SourceLocation,
    /// True if each of its triples must have been exposed
    pub require: bool,
    /// True if it is evaluated only at the end of a world
    pub eventually: bool,
    /// True if a condition says where it is evaluated
    pub when: bool,
}

/// Data that an invariant was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedData<B> {
    /// The node that exposed it
    pub node: Arc<str>,
    /// In which state
    pub state: i64,
    /// Under which key
    pub key: Arc<str>,
    /// The bytes that were exposed last
    pub bytes: Vec<B>,
    /// The time of the exposure
    pub stamp: ExposureStamp,
}

/// The result of an evaluation.
pub enum Evaluation<D: Domain> {
    /// It is not to be evaluated here: its condition is false, or it is about the end.
    NotDue,
    /// It was evaluated.
    Checked {
        /// Tells whether it holds. The evaluation has not decided this.
        holds: D::Bool,
        /// The data that it was given
        collected: Vec<CollectedData<D::Byte>>,
        /// The `return` that gave the result
        location: SourceLocation,
    },
}

/// The result of an evaluation over plain values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is not to be evaluated here.
    NotDue,
    /// It holds.
    Holds,
    /// It does not hold.
    Violated(ViolatedInvariant),
}

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViolatedInvariant {
    /// Name of the invariant
    pub invariant: String,
    /// The data that it was given
    pub collected: Vec<CollectedData<u8>>,
    /// The `return` that gave `false`
    pub location: SourceLocation,
}

impl Program {
    /// Reads and checks a program of one file. The name is for messages.
    ///
    /// # Errors
    /// If the program is not right: all that was found, with places and suggestions.
    pub fn parse(name: &str, text: &str) -> Result<Program, Diagnostics> {
        Program::parse_files([(name, text)])
    }

    /// Reads and checks a program of several files, which see each other's declarations.
    ///
    /// # Errors
    /// If the program is not right: all that was found, with places and suggestions.
    pub fn parse_files<'a>(
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Program, Diagnostics> {
        let (mut sources, mut reports, mut ast) =
            <(SourceTexts, PendingDiagnostics, Ast)>::default();
        for (name, text) in files {
            let file = sources.add(name, text);
            let (tokens, _) = lex(sources.get(file), file, &mut reports);
            parse(&tokens, &mut ast, &mut reports);
        }
        // What was not understood would be missed by the rest.
        std::mem::take(&mut reports).finish(&sources)?;
        let checked = check(&ast, &mut reports);
        reports.finish(&sources)?;
        Ok(Program { sources, checked })
    }

    /// The invariants, in the order of their declarations.
    pub fn invariants(&self) -> impl ExactSizeIterator<Item = InvariantInfo> {
        (0..self.checked.invariants.len() as u32).map(|index| self.invariant(InvariantId(index)))
    }

    /// The invariants that are evaluated at the end of a world, or those that are evaluated before.
    pub fn due(&self, at_end: bool) -> impl Iterator<Item = InvariantId> {
        let invariants = (0..).map(InvariantId).zip(&self.checked.invariants);
        invariants.filter(move |(_, code)| code.eventually == at_end).map(|(id, _)| id)
    }

    /// One of the invariants.
    ///
    /// # Panics
    /// If the number is that of another program.
    pub fn invariant(&self, id: InvariantId) -> InvariantInfo {
        let Code { name, span, require, eventually, when, .. } = self.code(id);
        InvariantInfo {
            id,
            name: name.clone(),
            location: self.sources.location(*span),
            require: *require,
            eventually: *eventually,
            when: when.is_some(),
        }
    }

    /// The invariant with a name.
    pub fn find(&self, name: &str) -> Option<InvariantId> {
        let index = self.checked.invariants.iter().position(|code| &*code.name == name)?;
        Some(InvariantId(index as u32))
    }

    /// The source text of a file of the program, by the name that it was given.
    pub fn source(&self, name: &str) -> Option<&str> {
        self.sources.find(name)
    }

    /// Evaluates an invariant: asks for nodes, states and keys, collects the data, runs the body.
    ///
    /// The same answers of the domain and the providers give the same result.
    ///
    /// # Errors
    /// If the evaluation fails, reaches a limit, or the domain gives up.
    ///
    /// # Panics
    /// If the number is that of another program.
    pub fn evaluate<D: Domain>(
        &self,
        invariant: InvariantId,
        domain: &mut D,
        providers: Providers<'_, D>,
        limits: &EvalLimits,
    ) -> Result<Evaluation<D>, EvalError<D::Error>> {
        self.evaluate_again(invariant, domain, providers, limits, &mut FixedTriples::default())
    }

    /// As [`Program::evaluate`], one of many times: where the triples of an invariant are the same in each
    /// of them, they are found once.
    ///
    /// # Errors
    /// If the evaluation fails, reaches a limit, or the domain gives up.
    ///
    /// # Panics
    /// If the number is that of another program.
    pub fn evaluate_again<D: Domain>(
        &self,
        invariant: InvariantId,
        domain: &mut D,
        providers: Providers<'_, D>,
        limits: &EvalLimits,
        triples: &mut FixedTriples,
    ) -> Result<Evaluation<D>, EvalError<D::Error>> {
        let code = self.code(invariant);
        if code.eventually && !providers.nodes.ended() {
            return Ok(Evaluation::NotDue);
        }
        let vm = Vm::new(self, domain, providers, *limits);
        let known = code.steady.then(|| triples.0.entry(invariant).or_default());
        InvariantRun { program: self, code, vm }.evaluate(known)
    }

    /// Evaluates an invariant over plain values.
    ///
    /// # Errors
    /// If the evaluation fails or reaches a limit.
    ///
    /// # Panics
    /// If the number is that of another program.
    pub fn verdict(
        &self,
        invariant: InvariantId,
        providers: Providers<'_, ConcreteDomain>,
        limits: &EvalLimits,
    ) -> Result<Verdict, EvalError<Infallible>> {
        Ok(match self.evaluate(invariant, &mut ConcreteDomain, providers, limits)? {
            Evaluation::NotDue => Verdict::NotDue,
            Evaluation::Checked { holds: true, .. } => Verdict::Holds,
            Evaluation::Checked { holds: false, collected, location } => {
                let invariant = self.code(invariant).name.to_string();
                Verdict::Violated(ViolatedInvariant { invariant, collected, location })
            }
        })
    }

    fn code(&self, id: InvariantId) -> &Code {
        &self.checked.invariants[id.0 as usize]
    }

    pub(crate) fn functions(&self) -> &[CompiledFunction] {
        &self.checked.functions
    }

    pub(crate) fn text(&self, index: u32) -> &Arc<[u8]> {
        &self.checked.texts[index as usize]
    }
}

/// The triples of invariants that are the same in every evaluation: none of the three functions asks for
/// data, for time, or for what nodes do.
///
/// They belong to one program, and to nodes with the same names and addresses.
#[derive(Clone, Debug, Default)]
pub struct FixedTriples(BTreeMap<InvariantId, KnownTriples>);

/// The triples of an invariant, in order, once they are known.
type KnownTriples = Option<Vec<NamedTriple>>;

/// A triple as values have it, and as providers do.
#[derive(Clone, Debug)]
struct NamedTriple {
    triple: SettledTriple,
    node: Arc<str>,
    key: Arc<str>,
    /// Steps that were made to find it, since the one before.
    steps: u64,
}

impl NamedTriple {
    fn new(triple: SettledTriple, steps: u64) -> NamedTriple {
        let (node, key) = (triple.node_text().into(), triple.key_text().into());
        NamedTriple { triple, node, key, steps }
    }

    fn as_triple(&self) -> DataTriple<'_> {
        DataTriple { node: &self.node, state: self.triple.state, key: &self.key }
    }
}

/// An evaluation on its way.
struct InvariantRun<'a, D: Domain> {
    program: &'a Program,
    code: &'a Code,
    vm: Vm<'a, D>,
}

/// Data as the body gets it, and as the caller does.
type DataCollection<D> = (Vec<RuntimeValue<D>>, Vec<CollectedData<<D as Domain>::Byte>>);
type EvalResult<D, T> = Result<T, EvalError<<D as Domain>::Error>>;

impl<'a, D: Domain> InvariantRun<'a, D> {
    fn evaluate(&mut self, known: Option<&mut KnownTriples>) -> EvalResult<D, Evaluation<D>> {
        if let Some(when) = self.code.when {
            let due = self.call(when, [])?;
            let RuntimeValue::Bool(due) = due else { unreachable!("the checker has seen a bool") };
            let due = self.vm.decide(&due);
            if !self.located(due, None)? {
                return Ok(Evaluation::NotDue);
            }
        }
        let (data, collected) = match known {
            Some(Some(known)) => self.collect_known(known)?,
            Some(known @ None) => {
                let mut found = Vec::new();
                let collection = self.collect(|triple| found.push(triple))?;
                *known = Some(found);
                collection
            }
            None => self.collect(|_| ())?,
        };
        let holds = self.call(self.code.body, [RuntimeValue::Array(Rc::new(data))])?;
        let RuntimeValue::Bool(holds) = holds else { unreachable!("the checker has seen a bool") };
        let location = self.program.sources.location(self.vm.span());
        Ok(Evaluation::Checked { holds, collected, location })
    }

    /// The data of all triples that the three functions name.
    fn collect(&mut self, mut note: impl FnMut(NamedTriple)) -> EvalResult<D, DataCollection<D>> {
        let mut collection = DataCollection::<D>::default();
        let mut since = self.vm.steps();
        for node in self.list(self.code.nodes, [])?.iter() {
            let node_name = self.settle_text(node, 0)?;
            for state in self.list(self.code.states, [node.clone()])?.iter() {
                let number = self.vm.settle_int(state);
                let number = self.located(number, Some(1))?;
                for key in self.list(self.code.keys, [node.clone(), state.clone()])?.iter() {
                    let key = self.settle_text(key, 2)?;
                    let triple = SettledTriple { node: node_name.clone(), state: number, key };
                    let triple = NamedTriple::new(triple, self.vm.steps() - since);
                    self.add(&triple, &mut collection)?;
                    since = self.vm.steps();
                    note(triple);
                }
            }
        }
        Ok(collection)
    }

    /// The data of triples that are known.
    fn collect_known(&mut self, triples: &[NamedTriple]) -> EvalResult<D, DataCollection<D>> {
        let mut collection: DataCollection<D> =
            (Vec::with_capacity(triples.len()), Vec::with_capacity(triples.len()));
        for triple in triples {
            let spent = self.vm.spend(triple.steps);
            self.located(spent, Some(2))?;
            self.add(triple, &mut collection)?;
        }
        Ok(collection)
    }

    /// Adds the data of a triple, if there is any.
    fn add(
        &mut self,
        named: &NamedTriple,
        (data, collected): &mut DataCollection<D>,
    ) -> EvalResult<D, ()> {
        let found = self.vm.collect(named.as_triple(), &named.triple, self.code.require);
        if let Some((value, exposed)) = self.located(found, Some(2))? {
            data.push(value);
            collected.push(CollectedData {
                node: Arc::clone(&named.node),
                state: named.triple.state,
                key: Arc::clone(&named.key),
                bytes: exposed.bytes.into_owned(),
                stamp: exposed.stamp,
            });
        }
        Ok(())
    }

    fn settle_text(&mut self, value: &RuntimeValue<D>, source: usize) -> EvalResult<D, Arc<[u8]>> {
        let settled = self.vm.settle_text(value);
        self.located(settled, Some(source))
    }

    fn list<const N: usize>(
        &mut self,
        function: u32,
        args: [RuntimeValue<D>; N],
    ) -> EvalResult<D, Rc<Vec<RuntimeValue<D>>>> {
        match self.call(function, args)? {
            RuntimeValue::Array(items) => Ok(items),
            _ => unreachable!("the checker has seen an array"),
        }
    }

    fn call<const N: usize>(
        &mut self,
        function: u32,
        args: [RuntimeValue<D>; N],
    ) -> EvalResult<D, RuntimeValue<D>> {
        let result = self.vm.run(function, args);
        self.located(result, None)
    }

    /// Adds the place to a fault: the current operation, or one of the three names of the invariant.
    fn located<T>(
        &self,
        result: Result<T, EvalFault<D::Error>>,
        source: Option<usize>,
    ) -> EvalResult<D, T> {
        result.map_err(|fault| {
            let sources = &self.program.sources;
            let (span, calls): (SourceSpan, _) = match source {
                Some(source) => (self.code.source_spans[source], Vec::new()),
                None => (self.vm.span(), self.vm.calls()),
            };
            let calls = calls.into_iter().map(|(name, span)| (name, sources.location(span)));
            let trace = EvalTrace {
                place: sources.place(span),
                invariant: self.code.name.to_string(),
                calls: calls.collect(),
            };
            EvalError { fault, trace: Box::new(trace) }
        })
    }
}
