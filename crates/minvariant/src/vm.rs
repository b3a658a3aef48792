//! The machine that runs checked programs over a domain.
//!
//! [`Vm::step`] only dispatches; bodies are in a file for each family. Frames are on a stack of our own:
//! no program can overflow that of the host. Every step, and every element that is made or looked at,
//! is counted against [`EvalLimits`].

mod array;
mod bytes;
pub(crate) mod code;
mod data;
mod flow;
mod path;
pub(crate) mod value;

use crate::diagnostic::source::SourceSpan;
use crate::domain::{Domain, IntOp, IntRelation};
use crate::error::EvalFault;
use crate::program::Program;
use crate::provider::Providers;
use crate::vm::code::{CompiledFunction, FrameSlot, PlainMethod, StackOp};
use crate::vm::value::{ByteSequence, RuntimeValue};

use flow::BranchTrial;

pub(crate) use data::SettledTriple;

/// Elements that are made or looked at for the price of one step.
const ELEMENTS_PER_STEP: usize = 4;

/// The resources that an evaluation may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalLimits {
    /// Operations, and elements of arrays and strings that they make or look at.
    pub steps: u64,
    /// Calls inside of each other.
    pub depth: usize,
    /// Length of an array, a map, a string or data.
    pub length: usize,
}

impl Default for EvalLimits {
    fn default() -> EvalLimits {
        EvalLimits { steps: 1_000_000, depth: 200, length: 1 << 20 }
    }
}

/// The result of one step; its error is a fault of the program or of the domain.
type StepResult<D, T = ()> = Result<T, EvalFault<<D as Domain>::Error>>;

/// A call that waits for another one.
struct CallFrame<'a> {
    function: &'a CompiledFunction,
    at: usize,
    base: usize,
}

/// A running evaluation.
pub(crate) struct Vm<'a, D: Domain> {
    program: &'a Program,
    pub(crate) domain: &'a mut D,
    pub(crate) providers: Providers<'a, D>,
    limits: EvalLimits,
    steps: u64,
    stack: Vec<RuntimeValue<D>>,
    frames: Vec<CallFrame<'a>>,
    function: &'a CompiledFunction,
    at: usize,
    base: usize,
    /// Code that runs although a condition before it is not known, and what becomes of it.
    trial: Option<BranchTrial>,
    /// The next condition has to be decided: its trial has failed.
    tried: bool,
}

impl<'a, D: Domain> Vm<'a, D> {
    pub(crate) fn new(
        program: &'a Program,
        domain: &'a mut D,
        providers: Providers<'a, D>,
        limits: EvalLimits,
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
        args: impl IntoIterator<Item = RuntimeValue<D>>,
    ) -> StepResult<D, RuntimeValue<D>> {
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
                return Err(EvalFault::TooManySteps { limit: self.limits.steps });
            }
            if let StackOp::Return = op
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

    /// Returns the place that the current operation comes from.
    pub(crate) fn span(&self) -> SourceSpan {
        self.function.spans[self.at.saturating_sub(1)]
    }

    /// The functions around the current operation, the innermost first, and where they were called.
    pub(crate) fn calls(&self) -> Vec<(String, SourceSpan)> {
        let names = std::iter::once(self.function)
            .chain(self.frames.iter().rev().map(|frame| frame.function));
        let places = self.frames.iter().rev().map(|frame| frame.function.spans[frame.at - 1]);
        names.map(|function| function.name.to_string()).zip(places).collect()
    }

    #[inline(always)]
    fn step(&mut self, op: StackOp) -> StepResult<D> {
        match op {
            StackOp::Int(value) => self.push_int(value),
            StackOp::Bool(value) => self.push_bool(value),
            StackOp::Text(index) => self.push(RuntimeValue::Text(self.text(index))),
            StackOp::Data(index) => self.push_data(self.text(index), None),
            StackOp::Array(count) => self.make_array(count as usize),
            StackOp::Map(count) => self.make_map(count as usize),
            StackOp::Load(slot) => self.push(self.local(slot).clone()),
            StackOp::Store(slot) => self.store(slot),
            StackOp::Take(slot) => self.take(slot),
            StackOp::Pop => self.discard(),
            StackOp::Arithmetic(op) => self.arithmetic(op),
            StackOp::Negate => self.negate(),
            StackOp::Concat => self.concat(),
            StackOp::Compare { relation, swapped } => self.compare(relation, swapped),
            StackOp::Not => self.not(),
            StackOp::And => self.join(true),
            StackOp::Or => self.join(false),
            StackOp::ShortAnd { end, tries } => self.short(true, end, tries),
            StackOp::ShortOr { end, tries } => self.short(false, end, tries),
            StackOp::Ternary { no, end, tries } => self.ternary(no, end, tries),
            StackOp::TernaryElse { end } => self.ternary_else(end),
            StackOp::Choose => self.choose(),
            StackOp::Jump(target) => self.jump(target),
            StackOp::JumpIfFalse(target) => self.jump_if_false(target),
            StackOp::Call(function) => self.call(function),
            StackOp::Return => self.leave(),
            StackOp::IterStart(slot) => self.iter_start(slot),
            StackOp::IterNext { iter, var, end } => self.iter_next(iter, var, end),
            StackOp::AllStep { acc, end, quiet } => self.accumulate(true, acc, end, quiet),
            StackOp::AnyStep { acc, end, quiet } => self.accumulate(false, acc, end, quiet),
            StackOp::CountStep(acc) => self.count_step(acc),
            StackOp::PushStep(acc) => self.push_step(acc),
            StackOp::FilterStep { acc, var } => self.filter_step(acc, var),
            StackOp::Index => self.index(),
            StackOp::LoadPath { slot, depth } => self.load_path(slot, depth as usize),
            StackOp::StorePath { slot, depth } => self.store_path(slot, depth as usize),
            StackOp::PushPath { slot, depth } => self.push_path(slot, depth as usize),
            StackOp::RemovePath { slot, depth } => self.remove_path(slot, depth as usize),
            StackOp::Method(method) => self.method(method),
            StackOp::Sys(sys) => self.sys(sys),
            StackOp::Get => self.get(),
            StackOp::Exposed => self.exposed(),
            StackOp::History => self.history(),
            StackOp::Before => self.before(),
        }
    }

    fn method(&mut self, method: PlainMethod) -> StepResult<D> {
        match method {
            PlainMethod::Length => self.length(),
            PlainMethod::Slice => self.slice(true),
            PlainMethod::SliceFrom => self.slice(false),
            PlainMethod::ContainsBytes => self.contains_bytes(),
            PlainMethod::StartsWith => self.starts_with(true),
            PlainMethod::EndsWith => self.starts_with(false),
            PlainMethod::Decode { size, signed, big } => self.decode(size as usize, signed, big),
            PlainMethod::DataString => self.data_string(),
            PlainMethod::DataHex => self.data_hex(),
            PlainMethod::StringData => self.string_data(),
            PlainMethod::StringToInt => self.string_to_int(),
            PlainMethod::IntString => self.int_string(),
            PlainMethod::IntByte => self.int_byte(),
            PlainMethod::Node | PlainMethod::State | PlainMethod::Key | PlainMethod::Time => {
                self.origin(method)
            }
            PlainMethod::EqualElements => self.equal_elements(),
            PlainMethod::Contains => self.contains(),
            PlainMethod::CountOf => self.count_of(),
            PlainMethod::IndexOf => self.index_of(),
            PlainMethod::Distinct => self.distinct(),
            PlainMethod::Sort => self.sort(),
            PlainMethod::SortBy => self.sort_by(),
            PlainMethod::Min => self.extreme(false),
            PlainMethod::Max => self.extreme(true),
            PlainMethod::Sum => self.sum(),
            PlainMethod::First => self.end_of_array(true),
            PlainMethod::Last => self.end_of_array(false),
            PlainMethod::Reverse => self.reverse(),
            PlainMethod::Append => self.append(),
            PlainMethod::Concat => self.concat_arrays(),
            PlainMethod::Has => self.has(),
            PlainMethod::Keys => self.keys(),
            PlainMethod::Values => self.values(),
            PlainMethod::GetOr => self.get_or(),
        }
    }

    /// The steps that were made so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts the elements that an operation makes or looks at.
    #[inline(always)]
    fn charge(&mut self, elements: usize) -> StepResult<D> {
        self.spend((elements / ELEMENTS_PER_STEP) as u64)
    }

    /// Counts steps.
    #[inline(always)]
    pub(crate) fn spend(&mut self, steps: u64) -> StepResult<D> {
        self.steps += steps;
        if self.steps > self.limits.steps {
            return Err(EvalFault::TooManySteps { limit: self.limits.steps });
        }
        Ok(())
    }

    /// Counts a value of this length that is about to be made.
    #[inline(always)]
    fn make(&mut self, length: usize) -> StepResult<D> {
        if length > self.limits.length {
            return Err(EvalFault::TooLong { length, limit: self.limits.length });
        }
        self.charge(length)
    }

    fn text(&self, index: u32) -> ByteSequence<D> {
        ByteSequence::Known(self.program.text(index).clone())
    }

    #[inline(always)]
    fn push(&mut self, value: RuntimeValue<D>) -> StepResult<D> {
        self.stack.push(value);
        Ok(())
    }

    #[inline(always)]
    fn push_int(&mut self, value: i64) -> StepResult<D> {
        let value = self.domain.int(value);
        self.push(RuntimeValue::Int(value))
    }

    fn push_bool(&mut self, value: bool) -> StepResult<D> {
        let value = self.domain.bool(value);
        self.push(RuntimeValue::Bool(value))
    }

    #[inline(always)]
    fn pop(&mut self) -> RuntimeValue<D> {
        self.stack.pop().expect("the checker balances the stack")
    }

    fn discard(&mut self) -> StepResult<D> {
        self.pop();
        Ok(())
    }

    #[inline(always)]
    fn pop_int(&mut self) -> D::Int {
        match self.pop() {
            RuntimeValue::Int(int) => int,
            _ => unreachable!("the checker has seen an int"),
        }
    }

    #[inline(always)]
    fn pop_bool(&mut self) -> D::Bool {
        match self.pop() {
            RuntimeValue::Bool(bool) => bool,
            _ => unreachable!("the checker has seen a bool"),
        }
    }

    #[inline(always)]
    fn local(&self, slot: FrameSlot) -> &RuntimeValue<D> {
        &self.stack[self.base + slot as usize]
    }

    #[inline(always)]
    fn local_mut(&mut self, slot: FrameSlot) -> &mut RuntimeValue<D> {
        &mut self.stack[self.base + slot as usize]
    }

    fn store(&mut self, slot: FrameSlot) -> StepResult<D> {
        *self.local_mut(slot) = self.pop();
        Ok(())
    }

    fn take(&mut self, slot: FrameSlot) -> StepResult<D> {
        let value = std::mem::replace(self.local_mut(slot), RuntimeValue::Cursor(0));
        self.push(value)
    }

    /// The number where one is needed.
    fn settle(&mut self, int: &D::Int) -> StepResult<D, i64> {
        match self.domain.int_value(int) {
            Some(value) => Ok(value),
            None => {
                self.may_ask()?;
                self.domain.settle(int).map_err(EvalFault::Domain)
            }
        }
    }

    /// Decides the way that control flow goes.
    pub(crate) fn decide(&mut self, condition: &D::Bool) -> StepResult<D, bool> {
        match self.domain.bool_value(condition) {
            Some(value) => Ok(value),
            None => {
                self.may_ask()?;
                self.domain.decide(condition).map_err(EvalFault::Domain)
            }
        }
    }

    fn arithmetic(&mut self, op: IntOp) -> StepResult<D> {
        let (b, a) = (self.pop_int(), self.pop_int());
        if matches!(op, IntOp::Div | IntOp::Rem) {
            let zero = self.domain.int(0);
            let is_zero = self.relate(IntRelation::Equal, &b, &zero);
            if self.decide(&is_zero)? {
                return Err(EvalFault::DivisionByZero);
            }
        }
        let result = self.operate(op, &a, &b);
        self.push(RuntimeValue::Int(result))
    }

    fn operate(&mut self, op: IntOp, a: &D::Int, b: &D::Int) -> D::Int {
        match (self.domain.int_value(a), self.domain.int_value(b)) {
            (Some(a), Some(b)) => self.domain.int(op.apply(a, b)),
            _ => self.domain.arithmetic(op, a, b),
        }
    }

    fn negate(&mut self) -> StepResult<D> {
        let a = self.pop_int();
        let result = match self.domain.int_value(&a) {
            Some(a) => self.domain.int(a.wrapping_neg()),
            None => self.domain.negate(&a),
        };
        self.push(RuntimeValue::Int(result))
    }

    fn compare(&mut self, relation: IntRelation, swapped: bool) -> StepResult<D> {
        let (b, a) = (self.pop(), self.pop());
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let result = match relation {
            IntRelation::Equal => self.equal(&a, &b)?,
            IntRelation::Less => self.less(&a, &b)?,
            IntRelation::LessEqual => match (&a, &b) {
                (RuntimeValue::Int(a), RuntimeValue::Int(b)) => self.relate(relation, a, b),
                _ => {
                    let greater = self.less(&b, &a)?;
                    self.inverse(&greater)
                }
            },
        };
        self.push(RuntimeValue::Bool(result))
    }

    /// A comparison of numbers.
    fn relate(&mut self, relation: IntRelation, a: &D::Int, b: &D::Int) -> D::Bool {
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

    fn not(&mut self) -> StepResult<D> {
        let a = self.pop_bool();
        let result = self.inverse(&a);
        self.push(RuntimeValue::Bool(result))
    }
}
