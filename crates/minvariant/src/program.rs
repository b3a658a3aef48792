//! Programs: read, checked, and evaluated.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::ast::Ast;
use crate::check::{Checked, check};
use crate::code::{Function, Invariant as Code};
use crate::diagnostic::{Diagnostics, Reports};
use crate::domain::{Concrete, Domain};
use crate::error::{EvalError, Fault, Trace};
use crate::lexer::lex;
use crate::parser::parse;
use crate::provider::{Providers, Stamp, Triple};
use crate::source::{Location, Sources, Span};
use crate::value::Value;
use crate::vm::{Limits, Settled, Vm};

/// A checked program. It never changes, and threads may share it.
#[derive(Debug)]
pub struct Program {
    sources: Sources,
    checked: Checked,
}

/// The number of an invariant in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvariantId(pub u32);

impl fmt::Display for InvariantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{}", self.0)
    }
}

/// What is known about an invariant without evaluating it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Its number
    pub id: InvariantId,
    /// Its name
    pub name: Arc<str>,
    /// Where it is declared
    pub location: Location,
    /// Whether each of its triples must have been exposed
    pub require: bool,
    /// Whether it is evaluated only at the end of a world
    pub eventually: bool,
    /// Whether a condition says where it is evaluated
    pub when: bool,
}

/// Data that an invariant was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collected<B> {
    /// The node that exposed it
    pub node: Arc<str>,
    /// In which state
    pub state: i64,
    /// Under which key
    pub key: Arc<str>,
    /// The bytes that were exposed last
    pub bytes: Vec<B>,
    /// When
    pub stamp: Stamp,
}

/// What an evaluation came to.
pub enum Evaluation<D: Domain> {
    /// It is not to be evaluated here: its condition is false, or it is about the end.
    NotDue,
    /// It was evaluated.
    Checked {
        /// Whether it holds. The evaluation has not decided this.
        holds: D::Bool,
        /// What it was given
        collected: Vec<Collected<D::Byte>>,
        /// The `return` that gave the result
        location: Location,
    },
}

/// What an evaluation over plain values came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is not to be evaluated here.
    NotDue,
    /// It holds.
    Holds,
    /// It does not hold.
    Violated(Violation),
}

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the invariant
    pub invariant: String,
    /// What it was given
    pub collected: Vec<Collected<u8>>,
    /// The `return` that gave `false`
    pub location: Location,
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
        let (mut sources, mut reports, mut ast) = <(Sources, Reports, Ast)>::default();
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
    pub fn invariants(&self) -> impl ExactSizeIterator<Item = Invariant> {
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
    pub fn invariant(&self, id: InvariantId) -> Invariant {
        let Code { name, span, require, eventually, when, .. } = self.code(id);
        Invariant {
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
        limits: &Limits,
    ) -> Result<Evaluation<D>, EvalError<D::Error>> {
        self.evaluate_again(invariant, domain, providers, limits, &mut Triples::default())
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
        limits: &Limits,
        triples: &mut Triples,
    ) -> Result<Evaluation<D>, EvalError<D::Error>> {
        let code = self.code(invariant);
        if code.eventually && !providers.nodes.ended() {
            return Ok(Evaluation::NotDue);
        }
        let vm = Vm::new(self, domain, providers, *limits);
        let known = code.steady.then(|| triples.0.entry(invariant).or_default());
        Run { program: self, code, vm }.evaluate(known)
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
        providers: Providers<'_, Concrete>,
        limits: &Limits,
    ) -> Result<Verdict, EvalError<Infallible>> {
        Ok(match self.evaluate(invariant, &mut Concrete, providers, limits)? {
            Evaluation::NotDue => Verdict::NotDue,
            Evaluation::Checked { holds: true, .. } => Verdict::Holds,
            Evaluation::Checked { holds: false, collected, location } => {
                let invariant = self.code(invariant).name.to_string();
                Verdict::Violated(Violation { invariant, collected, location })
            }
        })
    }

    fn code(&self, id: InvariantId) -> &Code {
        &self.checked.invariants[id.0 as usize]
    }

    pub(crate) fn functions(&self) -> &[Function] {
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
pub struct Triples(BTreeMap<InvariantId, Known>);

/// The triples of an invariant, in order, once they are known.
type Known = Option<Vec<Named>>;

/// A triple as values have it, and as providers do.
#[derive(Clone, Debug)]
struct Named {
    triple: Settled,
    node: Arc<str>,
    key: Arc<str>,
    /// Steps that were made to find it, since the one before.
    steps: u64,
}

impl Named {
    fn new(triple: Settled, steps: u64) -> Named {
        let (node, key) = (triple.node_text().into(), triple.key_text().into());
        Named { triple, node, key, steps }
    }

    fn as_triple(&self) -> Triple<'_> {
        Triple { node: &self.node, state: self.triple.state, key: &self.key }
    }
}

/// An evaluation on its way.
struct Run<'a, D: Domain> {
    program: &'a Program,
    code: &'a Code,
    vm: Vm<'a, D>,
}

/// Data as the body gets it, and as the caller does.
type Collection<D> = (Vec<Value<D>>, Vec<Collected<<D as Domain>::Byte>>);
type Ran<D, T> = Result<T, EvalError<<D as Domain>::Error>>;

impl<'a, D: Domain> Run<'a, D> {
    fn evaluate(&mut self, known: Option<&mut Known>) -> Ran<D, Evaluation<D>> {
        if let Some(when) = self.code.when {
            let due = self.call(when, [])?;
            let Value::Bool(due) = due else { unreachable!("the checker has seen a bool") };
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
        let holds = self.call(self.code.body, [Value::Array(Rc::new(data))])?;
        let Value::Bool(holds) = holds else { unreachable!("the checker has seen a bool") };
        let location = self.program.sources.location(self.vm.span());
        Ok(Evaluation::Checked { holds, collected, location })
    }

    /// The data of all triples that the three functions name.
    fn collect(&mut self, mut note: impl FnMut(Named)) -> Ran<D, Collection<D>> {
        let mut collection = Collection::<D>::default();
        let mut since = self.vm.steps();
        for node in self.list(self.code.nodes, [])?.iter() {
            let node_name = self.settle_text(node, 0)?;
            for state in self.list(self.code.states, [node.clone()])?.iter() {
                let number = self.vm.settle_int(state);
                let number = self.located(number, Some(1))?;
                for key in self.list(self.code.keys, [node.clone(), state.clone()])?.iter() {
                    let key = self.settle_text(key, 2)?;
                    let triple = Settled { node: node_name.clone(), state: number, key };
                    let triple = Named::new(triple, self.vm.steps() - since);
                    self.add(&triple, &mut collection)?;
                    since = self.vm.steps();
                    note(triple);
                }
            }
        }
        Ok(collection)
    }

    /// The data of triples that are known.
    fn collect_known(&mut self, triples: &[Named]) -> Ran<D, Collection<D>> {
        let mut collection: Collection<D> =
            (Vec::with_capacity(triples.len()), Vec::with_capacity(triples.len()));
        for triple in triples {
            let spent = self.vm.spend(triple.steps);
            self.located(spent, Some(2))?;
            self.add(triple, &mut collection)?;
        }
        Ok(collection)
    }

    /// Adds the data of a triple, if there is any.
    fn add(&mut self, named: &Named, (data, collected): &mut Collection<D>) -> Ran<D, ()> {
        let found = self.vm.collect(named.as_triple(), &named.triple, self.code.require);
        if let Some((value, exposed)) = self.located(found, Some(2))? {
            data.push(value);
            collected.push(Collected {
                node: Arc::clone(&named.node),
                state: named.triple.state,
                key: Arc::clone(&named.key),
                bytes: exposed.bytes.into_owned(),
                stamp: exposed.stamp,
            });
        }
        Ok(())
    }

    fn settle_text(&mut self, value: &Value<D>, source: usize) -> Ran<D, Arc<[u8]>> {
        let settled = self.vm.settle_text(value);
        self.located(settled, Some(source))
    }

    fn list<const N: usize>(
        &mut self,
        function: u32,
        args: [Value<D>; N],
    ) -> Ran<D, Rc<Vec<Value<D>>>> {
        match self.call(function, args)? {
            Value::Array(items) => Ok(items),
            _ => unreachable!("the checker has seen an array"),
        }
    }

    fn call<const N: usize>(&mut self, function: u32, args: [Value<D>; N]) -> Ran<D, Value<D>> {
        let result = self.vm.run(function, args);
        self.located(result, None)
    }

    /// Adds the place to a fault: the current operation, or one of the three names of the invariant.
    fn located<T>(&self, result: Result<T, Fault<D::Error>>, source: Option<usize>) -> Ran<D, T> {
        result.map_err(|fault| {
            let sources = &self.program.sources;
            let (span, calls): (Span, _) = match source {
                Some(source) => (self.code.source_spans[source], Vec::new()),
                None => (self.vm.span(), self.vm.calls()),
            };
            let calls = calls.into_iter().map(|(name, span)| (name, sources.location(span)));
            let trace = Trace {
                place: sources.place(span),
                invariant: self.code.name.to_string(),
                calls: calls.collect(),
            };
            EvalError { fault, trace: Box::new(trace) }
        })
    }
}
