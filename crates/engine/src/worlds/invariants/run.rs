//! One evaluation of an invariant, over data that may be symbolic: [`EvaluationRun`].
//!
//! An evaluation asks two kinds of questions: which alternative of a node it is to look at, the
//! first time that it wants to know something of that node, and which of several conditions holds,
//! where its control flow depends on symbolic data. It follows the answers that it is given and
//! takes the first alternative beyond them; whoever wants all alternatives runs it again.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use everett_expr::{BinOp, Pool, TermId};
use everett_memory::ByteValue;
use everett_solver::{PathCondition, SolverChain, SolverError};
use minvariant::{DataProvider, DataTriple, Domain, ExposedData, IntOp, IntRelation, NodeProvider};
use thiserror::Error;

use super::round::{EvaluationTrigger, NodeAlternative, ShownWorlds};
use crate::parallel::context::RunContext;
use crate::state::exposure::Exposure;

/// Values that a number is settled to, at most.
const MAX_VALUES: usize = 256;
/// Conditions that one evaluation decides, at most.
const MAX_DECISIONS: usize = 256;

/// A question that an evaluation asks.
#[derive(Clone)]
pub(crate) enum EvaluationQuestion {
    /// The alternative of this node that it sees.
    Node(usize),
    /// The one of these conditions that holds; exactly one does.
    Which(Rc<[TermId]>),
}

/// Why an evaluation cannot go on.
#[derive(Clone, Debug, Error)]
pub(crate) enum UndecidedReason {
    #[error("no world has all of this")]
    Impossible,
    #[error(transparent)]
    Solver(SolverError),
    #[error("it depends on too many symbolic values")]
    TooMuch,
}

/// An evaluation in progress, shared between the domain and the providers of its data.
pub(crate) struct EvaluationRun<'e, 's> {
    context: &'e RunContext<'s>,
    showing: &'e ShownWorlds,
    trigger: EvaluationTrigger<'e>,
    progress: RefCell<Progress<'e>>,
    saw_data: Cell<bool>,
}

struct Progress<'e> {
    solver: &'e mut SolverChain,
    /// The answers that are given, by question.
    given: &'e [u32],
    /// All questions with their answers.
    asked: Vec<(EvaluationQuestion, u32)>,
    /// The alternative of each node that was asked for.
    chosen: Vec<Option<u32>>,
    /// Conditions that were assumed when data was exposed, and decisions since.
    path: PathCondition,
    decided: Vec<TermId>,
    trouble: Option<UndecidedReason>,
}

/// The questions and decisions of an evaluation, besides its result.
pub(crate) struct EvaluationTrail {
    pub(crate) asked: Vec<(EvaluationQuestion, u32)>,
    /// The conditions under which it came to that.
    pub(crate) decided: Vec<TermId>,
    pub(crate) trouble: Option<UndecidedReason>,
    /// It was given data that some node has exposed.
    pub(crate) saw_data: bool,
}

impl<'e, 's> EvaluationRun<'e, 's> {
    pub(crate) fn new(
        context: &'e RunContext<'s>,
        solver: &'e mut SolverChain,
        showing: &'e ShownWorlds,
        trigger: EvaluationTrigger<'e>,
        given: &'e [u32],
    ) -> EvaluationRun<'e, 's> {
        let nodes = showing.choices().len();
        let progress = RefCell::new(Progress {
            solver,
            given,
            asked: Vec::with_capacity(nodes),
            chosen: vec![None; nodes],
            path: PathCondition::new(),
            decided: Vec::new(),
            trouble: None,
        });
        EvaluationRun { context, showing, trigger, progress, saw_data: Cell::new(false) }
    }

    /// Its questions and decisions.
    pub(crate) fn finish(self) -> EvaluationTrail {
        let Progress { asked, decided, trouble, .. } = self.progress.into_inner();
        EvaluationTrail { asked, decided, trouble, saw_data: self.saw_data.get() }
    }

    fn pool(&self) -> &'e Pool {
        self.context.pool
    }

    fn node(&self, name: &str) -> Option<usize> {
        self.context.nodes().iter().position(|setup| setup.name() == name)
    }

    /// The alternative of a node that this evaluation sees.
    fn alternative(&self, node: usize) -> &'e NodeAlternative {
        let alternatives = self.showing.alternatives(self.trigger, node);
        let mut progress = self.progress.borrow_mut();
        if let Some(chosen) = progress.chosen[node] {
            return &alternatives[chosen as usize];
        }
        let chosen = progress.answer(EvaluationQuestion::Node(node));
        progress.chosen[node] = Some(chosen);
        let alternative = &alternatives[chosen as usize];
        let given = alternative.exposures().iter().flat_map(|exposure| exposure.given.iter());
        progress.assume_given(self.pool(), given.copied());
        alternative
    }

    fn exposures<'t>(
        &self,
        triple: DataTriple<'t>,
    ) -> impl DoubleEndedIterator<Item = &'e Exposure> + use<'_, 'e, 't, 's> {
        let alternative = self.node(triple.node).map(|node| self.alternative(node));
        let of = move |exposure: &&Exposure| {
            exposure.state == triple.state && *exposure.key == *triple.key
        };
        let all = alternative.into_iter().flat_map(|alternative| alternative.exposures());
        let all = all.map(|exposure| &**exposure).filter(of);
        all.inspect(|_| self.saw_data.set(true))
    }
}

impl Progress<'_> {
    /// The answer to a question: the one that is given, or the first.
    fn answer(&mut self, question: EvaluationQuestion) -> u32 {
        let answer = self.given.get(self.asked.len()).copied().unwrap_or(0);
        self.asked.push((question, answer));
        answer
    }

    fn assume_given(&mut self, pool: &Pool, terms: impl Iterator<Item = TermId>) {
        if self.trouble.is_some() {
            return;
        }
        match self.path.assume_all(self.solver, pool, terms) {
            Ok(true) => {}
            Ok(false) => self.trouble = Some(UndecidedReason::Impossible),
            Err(error) => self.trouble = Some(UndecidedReason::Solver(error)),
        }
    }

    /// Assumes one of several conditions.
    fn choose(&mut self, pool: &Pool, conditions: Vec<TermId>) -> Result<usize, UndecidedReason> {
        if self.decided.len() >= MAX_DECISIONS {
            return Err(UndecidedReason::TooMuch);
        }
        let chosen = match conditions.len() {
            1 => 0,
            _ => self.answer(EvaluationQuestion::Which(conditions.as_slice().into())) as usize,
        };
        let condition = conditions[chosen];
        if !self.path.assume(self.solver, pool, condition).map_err(UndecidedReason::Solver)? {
            return Err(UndecidedReason::Impossible);
        }
        self.decided.push(condition);
        Ok(chosen)
    }

    fn decide(&mut self, pool: &Pool, condition: TermId) -> Result<bool, UndecidedReason> {
        let condition = self.path.simplify(pool, condition);
        let mut may_be =
            |term| self.path.may_be(self.solver, pool, term).map_err(UndecidedReason::Solver);
        let negated = pool.not(condition);
        match (may_be(condition)?, may_be(negated)?) {
            (true, true) => Ok(self.choose(pool, vec![condition, negated])? == 0),
            (holds, _) => Ok(holds),
        }
    }

    fn settle(&mut self, pool: &Pool, term: TermId) -> Result<u64, UndecidedReason> {
        let term = self.path.simplify(pool, term);
        if let Some(value) = pool.as_const(term) {
            return Ok(value);
        }
        let width = pool.width(term);
        let mut others = self.path.clone();
        let (mut values, mut conditions) = (Vec::new(), Vec::new());
        loop {
            let value = others.value(pool, term).low_u64();
            let equal = pool.eq(term, pool.constant(width, value));
            values.push(value);
            conditions.push(equal);
            let left = others.assume(self.solver, pool, pool.not(equal));
            if !left.map_err(UndecidedReason::Solver)? {
                break;
            }
            if values.len() == MAX_VALUES {
                return Err(UndecidedReason::TooMuch);
            }
        }
        // The solver may find them in any order.
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_unstable_by_key(|&i| values[i]);
        let chosen = self.choose(pool, order.iter().map(|&i| conditions[i]).collect())?;
        Ok(values[order[chosen]])
    }
}

impl NodeProvider for EvaluationRun<'_, '_> {
    fn nodes(&self, each: &mut dyn FnMut(&str)) {
        self.context.nodes().iter().for_each(|setup| each(setup.name()));
    }

    fn hostname(&self, node: &str) -> Option<Cow<'_, str>> {
        self.node(node).map(|node| Cow::Borrowed(self.context.nodes()[node].name()))
    }

    fn addresses(&self, node: &str) -> Option<Vec<String>> {
        let kernel = &self.context.nodes()[self.node(node)?].config.kernel;
        let host = kernel.topology.as_ref().map(|networks| networks.host(kernel.host));
        let addresses = host.into_iter().flat_map(|host| host.addresses());
        Some(addresses.map(|address| address.to_string()).collect())
    }

    fn alive(&self, node: &str) -> Option<bool> {
        Some(self.alternative(self.node(node)?).alive)
    }

    fn time(&self) -> u64 {
        match self.trigger {
            EvaluationTrigger::Exposed(..) => self.showing.at().time,
            EvaluationTrigger::End => {
                let times = (0..self.showing.choices().len()).map(|n| self.alternative(n).time);
                times.max().unwrap_or(0)
            }
        }
    }

    fn exposing(&self) -> Option<Cow<'_, str>> {
        match self.trigger {
            EvaluationTrigger::Exposed(node, _) => {
                Some(Cow::Borrowed(self.context.nodes()[node.index()].name()))
            }
            EvaluationTrigger::End => None,
        }
    }

    fn ended(&self) -> bool {
        matches!(self.trigger, EvaluationTrigger::End)
    }
}

impl DataProvider<EvaluationValues<'_, '_>> for EvaluationRun<'_, '_> {
    fn count(&self, triple: DataTriple<'_>) -> usize {
        self.exposures(triple).count()
    }

    fn nth(&self, triple: DataTriple<'_>, index: usize) -> Option<ExposedData<'_, ByteValue>> {
        self.exposures(triple).nth(index).map(shown)
    }

    fn latest(&self, triple: DataTriple<'_>) -> Option<ExposedData<'_, ByteValue>> {
        self.exposures(triple).next_back().map(shown)
    }
}

fn shown(exposure: &Exposure) -> ExposedData<'_, ByteValue> {
    let stamp = minvariant::ExposureStamp {
        time: exposure.at.time,
        round: exposure.at.round,
        sequence: exposure.number,
    };
    ExposedData { bytes: Cow::Borrowed(&exposure.bytes), stamp }
}

/// A number or a truth value that may be symbolic.
#[derive(Clone, Copy)]
pub(crate) enum SymbolicValue<T> {
    Known(T),
    Term(TermId),
}

/// The values of an evaluation: numbers are terms of 64 bits, truth values of one.
pub(crate) struct EvaluationValues<'r, 'e> {
    run: &'r dyn ConditionDecider,
    pool: &'e Pool,
}

/// The side that decides for [`EvaluationValues`].
trait ConditionDecider {
    fn decide(&self, condition: TermId) -> Result<bool, UndecidedReason>;
    fn settle(&self, term: TermId) -> Result<u64, UndecidedReason>;
}

impl ConditionDecider for EvaluationRun<'_, '_> {
    fn decide(&self, condition: TermId) -> Result<bool, UndecidedReason> {
        let mut progress = self.progress.borrow_mut();
        match progress.trouble.take() {
            Some(trouble) => Err(trouble),
            None => progress.decide(self.pool(), condition),
        }
    }

    fn settle(&self, term: TermId) -> Result<u64, UndecidedReason> {
        let mut progress = self.progress.borrow_mut();
        match progress.trouble.take() {
            Some(trouble) => Err(trouble),
            None => progress.settle(self.pool(), term),
        }
    }
}

impl<'r, 'e> EvaluationValues<'r, 'e> {
    pub(crate) fn new(run: &'r EvaluationRun<'e, '_>) -> EvaluationValues<'r, 'e> {
        EvaluationValues { run, pool: run.pool() }
    }

    fn number(&self, value: &SymbolicValue<i64>) -> TermId {
        match value {
            SymbolicValue::Known(value) => self.pool.constant(64, *value as u64),
            SymbolicValue::Term(term) => *term,
        }
    }

    /// The term of a truth value.
    pub(crate) fn truth(&self, value: &SymbolicValue<bool>) -> TermId {
        match value {
            SymbolicValue::Known(value) => self.pool.bool(*value),
            SymbolicValue::Term(term) => *term,
        }
    }

    fn byte_term(&self, byte: &ByteValue) -> TermId {
        match byte {
            ByteValue::Concrete(byte) => self.pool.constant(8, u64::from(*byte)),
            ByteValue::Symbolic(term) => *term,
        }
    }

    fn as_number(&self, term: TermId) -> SymbolicValue<i64> {
        self.pool
            .as_const(term)
            .map_or(SymbolicValue::Term(term), |value| SymbolicValue::Known(value as i64))
    }

    fn as_truth(&self, term: TermId) -> SymbolicValue<bool> {
        self.pool
            .as_const(term)
            .map_or(SymbolicValue::Term(term), |value| SymbolicValue::Known(value != 0))
    }
}

impl Domain for EvaluationValues<'_, '_> {
    type Int = SymbolicValue<i64>;
    type Bool = SymbolicValue<bool>;
    type Byte = ByteValue;
    type Error = UndecidedReason;

    fn int(&mut self, value: i64) -> SymbolicValue<i64> {
        SymbolicValue::Known(value)
    }

    fn bool(&mut self, value: bool) -> SymbolicValue<bool> {
        SymbolicValue::Known(value)
    }

    fn byte(&mut self, value: u8) -> ByteValue {
        ByteValue::Concrete(value)
    }

    fn int_value(&self, int: &SymbolicValue<i64>) -> Option<i64> {
        match int {
            SymbolicValue::Known(value) => Some(*value),
            SymbolicValue::Term(_) => None,
        }
    }

    fn bool_value(&self, bool: &SymbolicValue<bool>) -> Option<bool> {
        match bool {
            SymbolicValue::Known(value) => Some(*value),
            SymbolicValue::Term(_) => None,
        }
    }

    fn byte_value(&self, byte: &ByteValue) -> Option<u8> {
        match byte {
            ByteValue::Concrete(value) => Some(*value),
            ByteValue::Symbolic(_) => None,
        }
    }

    fn arithmetic(
        &mut self,
        op: IntOp,
        a: &SymbolicValue<i64>,
        b: &SymbolicValue<i64>,
    ) -> SymbolicValue<i64> {
        let op = match op {
            IntOp::Add => BinOp::Add,
            IntOp::Sub => BinOp::Sub,
            IntOp::Mul => BinOp::Mul,
            IntOp::Div => BinOp::SDiv,
            IntOp::Rem => BinOp::SRem,
        };
        self.as_number(self.pool.binary(op, self.number(a), self.number(b)))
    }

    fn negate(&mut self, a: &SymbolicValue<i64>) -> SymbolicValue<i64> {
        self.as_number(self.pool.neg(self.number(a)))
    }

    fn compare(
        &mut self,
        relation: IntRelation,
        a: &SymbolicValue<i64>,
        b: &SymbolicValue<i64>,
    ) -> SymbolicValue<bool> {
        let (a, b) = (self.number(a), self.number(b));
        self.as_truth(match relation {
            IntRelation::Equal => self.pool.eq(a, b),
            IntRelation::Less => self.pool.slt(a, b),
            IntRelation::LessEqual => self.pool.sle(a, b),
        })
    }

    fn byte_equal(&mut self, a: &ByteValue, b: &ByteValue) -> SymbolicValue<bool> {
        self.as_truth(self.pool.eq(self.byte_term(a), self.byte_term(b)))
    }

    fn byte_less(&mut self, a: &ByteValue, b: &ByteValue) -> SymbolicValue<bool> {
        self.as_truth(self.pool.ult(self.byte_term(a), self.byte_term(b)))
    }

    fn byte_to_int(&mut self, byte: &ByteValue) -> SymbolicValue<i64> {
        self.as_number(self.pool.zext(self.byte_term(byte), 64))
    }

    fn int_to_byte(&mut self, int: &SymbolicValue<i64>) -> ByteValue {
        let term = self.pool.extract(self.number(int), 0, 8);
        let known = self.pool.as_const(term);
        known.map_or(ByteValue::Symbolic(term), |value| ByteValue::Concrete(value as u8))
    }

    fn decode(&mut self, bytes: &[ByteValue], signed: bool) -> SymbolicValue<i64> {
        let terms = bytes.iter().map(|byte| self.byte_term(byte));
        let Some(term) = terms.reduce(|low, high| self.pool.concat(high, low)) else {
            return SymbolicValue::Known(0);
        };
        let wide = match (self.pool.width(term), signed) {
            (64, _) => term,
            (_, true) => self.pool.sext(term, 64),
            (_, false) => self.pool.zext(term, 64),
        };
        self.as_number(wide)
    }

    fn not(&mut self, a: &SymbolicValue<bool>) -> SymbolicValue<bool> {
        self.as_truth(self.pool.not(self.truth(a)))
    }

    fn and(&mut self, a: &SymbolicValue<bool>, b: &SymbolicValue<bool>) -> SymbolicValue<bool> {
        self.as_truth(self.pool.and(self.truth(a), self.truth(b)))
    }

    fn or(&mut self, a: &SymbolicValue<bool>, b: &SymbolicValue<bool>) -> SymbolicValue<bool> {
        self.as_truth(self.pool.or(self.truth(a), self.truth(b)))
    }

    fn choose_int(
        &mut self,
        condition: &SymbolicValue<bool>,
        a: &SymbolicValue<i64>,
        b: &SymbolicValue<i64>,
    ) -> SymbolicValue<i64> {
        let condition = self.truth(condition);
        self.as_number(self.pool.ite(condition, self.number(a), self.number(b)))
    }

    fn decide(&mut self, condition: &SymbolicValue<bool>) -> Result<bool, UndecidedReason> {
        match condition {
            SymbolicValue::Known(value) => Ok(*value),
            SymbolicValue::Term(term) => self.run.decide(*term),
        }
    }

    fn settle(&mut self, int: &SymbolicValue<i64>) -> Result<i64, UndecidedReason> {
        match int {
            SymbolicValue::Known(value) => Ok(*value),
            SymbolicValue::Term(term) => self.run.settle(*term).map(|value| value as i64),
        }
    }

    fn settle_byte(&mut self, byte: &ByteValue) -> Result<u8, UndecidedReason> {
        match byte {
            ByteValue::Concrete(value) => Ok(*value),
            ByteValue::Symbolic(term) => self.run.settle(*term).map(|value| value as u8),
        }
    }
}
