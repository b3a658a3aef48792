//! The machine that runs checked programs over a domain.
//!
//! [`Vm::step`] only dispatches; bodies are in a file for each family. Frames are on a stack of our own:
//! no program can overflow that of the host. Every step, and every element that is made or looked at,
//! is counted against [`Limits`].

mod array;
mod bytes;
mod data;
mod flow;
mod path;

use crate::code::{Function, Method, Op, Slot};
use crate::domain::{Domain, IntOp, Relation};
use crate::error::Fault;
use crate::program::Program;
use crate::provider::Providers;
use crate::source::Span;
use crate::value::{Bytes, Value};

use flow::Trial;

pub(crate) use data::Settled;

/// Elements that are made or looked at for the price of one step.
const ELEMENTS_PER_STEP: usize = 4;

/// What an evaluation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations, and elements of arrays and strings that they make or look at.
    pub steps: u64,
    /// Calls inside of each other.
    pub depth: usize,
    /// Length of an array, a map, a string or data.
    pub length: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000, depth: 200, length: 1 << 20 }
    }
}

/// What a step comes to, if nothing is wrong.
type Step<D, T = ()> = Result<T, Fault<<D as Domain>::Error>>;

/// A call that waits for another one.
struct Frame<'a> {
    function: &'a Function,
    at: usize,
    base: usize,
}

/// A running evaluation.
pub(crate) struct Vm<'a, D: Domain> {
    program: &'a Program,
    pub(crate) domain: &'a mut D,
    pub(crate) providers: Providers<'a, D>,
    limits: Limits,
    steps: u64,
    stack: Vec<Value<D>>,
    frames: Vec<Frame<'a>>,
    function: &'a Function,
    at: usize,
    base: usize,
    /// Code that runs although a condition before it is not known, and what becomes of it.
    trial: Option<Trial>,
    /// The next condition has to be decided: its trial has failed.
    tried: bool,
}

impl<'a, D: Domain> Vm<'a, D> {
    pub(crate) fn new(
        program: &'a Program,
        domain: &'a mut D,
        providers: Providers<'a, D>,
        limits: Limits,
    ) -> Vm<'a, D> {
        Vm {
            program,
            domain,
            providers,
            limits,
            steps: 0,
            stack: Vec::with_capacity(32),
            frames: Vec::new(),
            function: &program.functions()[0],
            at: 0,
            base: 0,
            trial: None,
            tried: false,
        }
    }

    /// Calls a function and runs it to its end.
    pub(crate) fn run(
        &mut self,
        function: u32,
        args: impl IntoIterator<Item = Value<D>>,
    ) -> Step<D, Value<D>> {
        self.stack.extend(args);
        self.function = &self.program.functions()[function as usize];
        self.base = self.stack.len() - self.function.params as usize;
        self.at = 0;
        self.make_room()?;
        loop {
            let op = self.function.code[self.at];
            self.at += 1;
            self.steps += 1;
            if self.steps > self.limits.steps {
                return Err(Fault::TooManySteps { limit: self.limits.steps });
            }
            if let Op::Return = op
                && self.frames.is_empty()
            {
                let value = self.pop();
                self.stack.truncate(self.base);
                return Ok(value);
            }
            if let Err(fault) = self.step(op) {
                self.retreat(fault)?;
            }
        }
    }

    /// Where the current operation comes from.
    pub(crate) fn span(&self) -> Span {
        self.function.spans[self.at.saturating_sub(1)]
    }

    /// The functions around the current operation, the innermost first, and where they were called.
    pub(crate) fn calls(&self) -> Vec<(String, Span)> {
        let names = std::iter::once(self.function)
            .chain(self.frames.iter().rev().map(|frame| frame.function));
        let places = self.frames.iter().rev().map(|frame| frame.function.spans[frame.at - 1]);
        names.map(|function| function.name.to_string()).zip(places).collect()
    }

    #[inline(always)]
    fn step(&mut self, op: Op) -> Step<D> {
        match op {
            Op::Int(value) => self.push_int(value),
            Op::Bool(value) => self.push_bool(value),
            Op::Text(index) => self.push(Value::Text(self.text(index))),
            Op::Data(index) => self.push_data(self.text(index), None),
            Op::Array(count) => self.make_array(count as usize),
            Op::Map(count) => self.make_map(count as usize),
            Op::Load(slot) => self.push(self.local(slot).clone()),
            Op::Store(slot) => self.store(slot),
            Op::Take(slot) => self.take(slot),
            Op::Pop => self.discard(),
            Op::Arithmetic(op) => self.arithmetic(op),
            Op::Negate => self.negate(),
            Op::Concat => self.concat(),
            Op::Compare { relation, swapped } => self.compare(relation, swapped),
            Op::Not => self.not(),
            Op::And => self.join(true),
            Op::Or => self.join(false),
            Op::ShortAnd { end, tries } => self.short(true, end, tries),
            Op::ShortOr { end, tries } => self.short(false, end, tries),
            Op::Ternary { no, end, tries } => self.ternary(no, end, tries),
            Op::TernaryElse { end } => self.ternary_else(end),
            Op::Choose => self.choose(),
            Op::Jump(target) => self.jump(target),
            Op::JumpIfFalse(target) => self.jump_if_false(target),
            Op::Call(function) => self.call(function),
            Op::Return => self.leave(),
            Op::IterStart(slot) => self.iter_start(slot),
            Op::IterNext { iter, var, end } => self.iter_next(iter, var, end),
            Op::AllStep { acc, end, quiet } => self.accumulate(true, acc, end, quiet),
            Op::AnyStep { acc, end, quiet } => self.accumulate(false, acc, end, quiet),
            Op::CountStep(acc) => self.count_step(acc),
            Op::PushStep(acc) => self.push_step(acc),
            Op::FilterStep { acc, var } => self.filter_step(acc, var),
            Op::Index => self.index(),
            Op::LoadPath { slot, depth } => self.load_path(slot, depth as usize),
            Op::StorePath { slot, depth } => self.store_path(slot, depth as usize),
            Op::PushPath { slot, depth } => self.push_path(slot, depth as usize),
            Op::RemovePath { slot, depth } => self.remove_path(slot, depth as usize),
            Op::Method(method) => self.method(method),
            Op::Sys(sys) => self.sys(sys),
            Op::Get => self.get(),
            Op::Exposed => self.exposed(),
            Op::History => self.history(),
            Op::Before => self.before(),
        }
    }

    fn method(&mut self, method: Method) -> Step<D> {
        match method {
            Method::Length => self.length(),
            Method::Slice => self.slice(true),
            Method::SliceFrom => self.slice(false),
            Method::ContainsBytes => self.contains_bytes(),
            Method::StartsWith => self.starts_with(true),
            Method::EndsWith => self.starts_with(false),
            Method::Decode { size, signed, big } => self.decode(size as usize, signed, big),
            Method::DataString => self.data_string(),
            Method::DataHex => self.data_hex(),
            Method::StringData => self.string_data(),
            Method::StringToInt => self.string_to_int(),
            Method::IntString => self.int_string(),
            Method::IntByte => self.int_byte(),
            Method::Node | Method::State | Method::Key | Method::Time => self.origin(method),
            Method::EqualElements => self.equal_elements(),
            Method::Contains => self.contains(),
            Method::CountOf => self.count_of(),
            Method::IndexOf => self.index_of(),
            Method::Distinct => self.distinct(),
            Method::Sort => self.sort(),
            Method::SortBy => self.sort_by(),
            Method::Min => self.extreme(false),
            Method::Max => self.extreme(true),
            Method::Sum => self.sum(),
            Method::First => self.end_of_array(true),
            Method::Last => self.end_of_array(false),
            Method::Reverse => self.reverse(),
            Method::Append => self.append(),
            Method::Concat => self.concat_arrays(),
            Method::Has => self.has(),
            Method::Keys => self.keys(),
            Method::Values => self.values(),
            Method::GetOr => self.get_or(),
        }
    }

    /// The steps that were made so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts the elements that an operation makes or looks at.
    #[inline(always)]
    fn charge(&mut self, elements: usize) -> Step<D> {
        self.spend((elements / ELEMENTS_PER_STEP) as u64)
    }

    /// Counts steps.
    #[inline(always)]
    pub(crate) fn spend(&mut self, steps: u64) -> Step<D> {
        self.steps += steps;
        if self.steps > self.limits.steps {
            return Err(Fault::TooManySteps { limit: self.limits.steps });
        }
        Ok(())
    }

    /// Counts a value of this length that is about to be made.
    #[inline(always)]
    fn make(&mut self, length: usize) -> Step<D> {
        if length > self.limits.length {
            return Err(Fault::TooLong { length, limit: self.limits.length });
        }
        self.charge(length)
    }

    fn text(&self, index: u32) -> Bytes<D> {
        Bytes::Known(self.program.text(index).clone())
    }

    #[inline(always)]
    fn push(&mut self, value: Value<D>) -> Step<D> {
        self.stack.push(value);
        Ok(())
    }

    #[inline(always)]
    fn push_int(&mut self, value: i64) -> Step<D> {
        let value = self.domain.int(value);
        self.push(Value::Int(value))
    }

    fn push_bool(&mut self, value: bool) -> Step<D> {
        let value = self.domain.bool(value);
        self.push(Value::Bool(value))
    }

    #[inline(always)]
    fn pop(&mut self) -> Value<D> {
        self.stack.pop().expect("the checker balances the stack")
    }

    fn discard(&mut self) -> Step<D> {
        self.pop();
        Ok(())
    }

    #[inline(always)]
    fn pop_int(&mut self) -> D::Int {
        match self.pop() {
            Value::Int(int) => int,
            _ => unreachable!("the checker has seen an int"),
        }
    }

    #[inline(always)]
    fn pop_bool(&mut self) -> D::Bool {
        match self.pop() {
            Value::Bool(bool) => bool,
            _ => unreachable!("the checker has seen a bool"),
        }
    }

    #[inline(always)]
    fn local(&self, slot: Slot) -> &Value<D> {
        &self.stack[self.base + slot as usize]
    }

    #[inline(always)]
    fn local_mut(&mut self, slot: Slot) -> &mut Value<D> {
        &mut self.stack[self.base + slot as usize]
    }

    fn store(&mut self, slot: Slot) -> Step<D> {
        *self.local_mut(slot) = self.pop();
        Ok(())
    }

    fn take(&mut self, slot: Slot) -> Step<D> {
        let value = std::mem::replace(self.local_mut(slot), Value::Cursor(0));
        self.push(value)
    }

    /// The number where one is needed.
    fn settle(&mut self, int: &D::Int) -> Step<D, i64> {
        match self.domain.int_value(int) {
            Some(value) => Ok(value),
            None => {
                self.may_ask()?;
                self.domain.settle(int).map_err(Fault::Domain)
            }
        }
    }

    /// Which way control flow goes.
    pub(crate) fn decide(&mut self, condition: &D::Bool) -> Step<D, bool> {
        match self.domain.bool_value(condition) {
            Some(value) => Ok(value),
            None => {
                self.may_ask()?;
                self.domain.decide(condition).map_err(Fault::Domain)
            }
        }
    }

    fn arithmetic(&mut self, op: IntOp) -> Step<D> {
        let (b, a) = (self.pop_int(), self.pop_int());
        if matches!(op, IntOp::Div | IntOp::Rem) {
            let zero = self.domain.int(0);
            let is_zero = self.relate(Relation::Equal, &b, &zero);
            if self.decide(&is_zero)? {
                return Err(Fault::DivisionByZero);
            }
        }
        let result = self.operate(op, &a, &b);
        self.push(Value::Int(result))
    }

    fn operate(&mut self, op: IntOp, a: &D::Int, b: &D::Int) -> D::Int {
        match (self.domain.int_value(a), self.domain.int_value(b)) {
            (Some(a), Some(b)) => self.domain.int(op.apply(a, b)),
            _ => self.domain.arithmetic(op, a, b),
        }
    }

    fn negate(&mut self) -> Step<D> {
        let a = self.pop_int();
        let result = match self.domain.int_value(&a) {
            Some(a) => self.domain.int(a.wrapping_neg()),
            None => self.domain.negate(&a),
        };
        self.push(Value::Int(result))
    }

    fn compare(&mut self, relation: Relation, swapped: bool) -> Step<D> {
        let (b, a) = (self.pop(), self.pop());
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let result = match relation {
            Relation::Equal => self.equal(&a, &b)?,
            Relation::Less => self.less(&a, &b)?,
            Relation::LessEqual => match (&a, &b) {
                (Value::Int(a), Value::Int(b)) => self.relate(relation, a, b),
                _ => {
                    let greater = self.less(&b, &a)?;
                    self.inverse(&greater)
                }
            },
        };
        self.push(Value::Bool(result))
    }

    /// A comparison of numbers.
    fn relate(&mut self, relation: Relation, a: &D::Int, b: &D::Int) -> D::Bool {
        match (self.domain.int_value(a), self.domain.int_value(b)) {
            (Some(a), Some(b)) => self.domain.bool(relation.apply(&a, &b)),
            _ => self.domain.compare(relation, a, b),
        }
    }

    fn inverse(&mut self, a: &D::Bool) -> D::Bool {
        match self.domain.bool_value(a) {
            Some(a) => self.domain.bool(!a),
            None => self.domain.not(a),
        }
    }

    fn both(&mut self, a: &D::Bool, b: &D::Bool) -> D::Bool {
        match (self.domain.bool_value(a), self.domain.bool_value(b)) {
            (Some(true), _) => b.clone(),
            (_, Some(true)) => a.clone(),
            (Some(false), _) | (_, Some(false)) => self.domain.bool(false),
            (None, None) => self.domain.and(a, b),
        }
    }

    fn either(&mut self, a: &D::Bool, b: &D::Bool) -> D::Bool {
        match (self.domain.bool_value(a), self.domain.bool_value(b)) {
            (Some(false), _) => b.clone(),
            (_, Some(false)) => a.clone(),
            (Some(true), _) | (_, Some(true)) => self.domain.bool(true),
            (None, None) => self.domain.or(a, b),
        }
    }

    fn not(&mut self) -> Step<D> {
        let a = self.pop_bool();
        let result = self.inverse(&a);
        self.push(Value::Bool(result))
    }
}
