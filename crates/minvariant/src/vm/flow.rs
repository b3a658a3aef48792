//! Control flow: jumps, calls, loops, and choices that need no decision.
//!
//! Where the left side of `&&` or `||` or the condition of `?:` is not known, the machine *tries* what
//! follows: if that neither fails nor asks for a decision, the results are joined and nothing was decided.
//! Otherwise the machine goes back, decides, and continues as the program says.

use super::{Frame, Step, Vm};
use crate::code::{Slot, Target};
use crate::domain::{Domain, IntOp};
use crate::error::Fault;
use crate::value::Value;

/// Where to go back to if a trial fails, and where it is over.
pub(super) struct Trial {
    /// The operation that began it.
    at: usize,
    stack: usize,
    end: usize,
}

impl<D: Domain> Vm<'_, D> {
    /// Ends the trial, if there is one: nothing may be asked in it.
    pub(super) fn may_ask(&self) -> Step<D> {
        match self.trial {
            // Nobody sees this fault: `retreat` takes it.
            Some(_) => Err(Fault::TooManySteps { limit: 0 }),
            None => Ok(()),
        }
    }

    /// Goes back to the beginning of the trial; without one, the fault is one.
    pub(super) fn retreat(&mut self, fault: Fault<D::Error>) -> Step<D> {
        let Some(trial) = self.trial.take() else { return Err(fault) };
        self.stack.truncate(trial.stack);
        self.at = trial.at;
        self.tried = true;
        Ok(())
    }

    /// The trial is over where its results have been joined.
    fn end_trial(&mut self) {
        if self.trial.as_ref().is_some_and(|trial| trial.end == self.at) {
            self.trial = None;
        }
    }

    pub(super) fn jump(&mut self, target: Target) -> Step<D> {
        self.at = target as usize;
        Ok(())
    }

    pub(super) fn jump_if_false(&mut self, target: Target) -> Step<D> {
        let condition = self.pop_bool();
        if !self.decide(&condition)? {
            self.at = target as usize;
        }
        Ok(())
    }

    /// Makes the slots of the current function that are no parameters.
    pub(super) fn make_room(&mut self) -> Step<D> {
        let slots = self.function.slots as usize;
        self.charge(slots)?;
        self.stack.resize_with(self.base + slots, || Value::Cursor(0));
        Ok(())
    }

    pub(super) fn call(&mut self, function: u32) -> Step<D> {
        if self.frames.len() + 1 >= self.limits.depth {
            return Err(Fault::TooDeep { limit: self.limits.depth });
        }
        self.frames.push(Frame { function: self.function, at: self.at, base: self.base });
        self.function = &self.program.functions()[function as usize];
        self.at = 0;
        self.base = self.stack.len() - self.function.params as usize;
        self.make_room()
    }

    pub(super) fn leave(&mut self) -> Step<D> {
        let value = self.pop();
        self.stack.truncate(self.base);
        let Frame { function, at, base } =
            self.frames.pop().expect("the outermost call ends the run");
        (self.function, self.at, self.base) = (function, at, base);
        self.push(value)
    }

    fn top_bool(&self) -> &D::Bool {
        match self.stack.last() {
            Some(Value::Bool(bool)) => bool,
            _ => unreachable!("the checker has seen a bool"),
        }
    }

    /// The condition on the stack. If it is not known, a trial up to `end` begins, or it is decided and
    /// known from now on.
    fn condition(&mut self, end: Target, tries: bool) -> Step<D, Option<bool>> {
        let condition = self.top_bool();
        if let Some(value) = self.domain.bool_value(condition) {
            return Ok(Some(value));
        }
        if tries && !std::mem::take(&mut self.tried) {
            if self.trial.is_none() {
                let (at, stack) = (self.at - 1, self.stack.len());
                self.trial = Some(Trial { at, stack, end: end as usize });
            }
            return Ok(None);
        }
        let condition = self.pop_bool();
        let value = self.decide(&condition)?;
        self.push_bool(value)?;
        Ok(Some(value))
    }

    pub(super) fn short(&mut self, is_and: bool, end: Target, tries: bool) -> Step<D> {
        if self.condition(end, tries)? == Some(!is_and) {
            self.at = end as usize;
        }
        Ok(())
    }

    /// The two sides of `&&` or `||`.
    pub(super) fn join(&mut self, is_and: bool) -> Step<D> {
        self.end_trial();
        let (b, a) = (self.pop_bool(), self.pop_bool());
        let result = if is_and { self.both(&a, &b) } else { self.either(&a, &b) };
        self.push(Value::Bool(result))
    }

    pub(super) fn ternary(&mut self, no: Target, end: Target, tries: bool) -> Step<D> {
        if self.condition(end, tries)? == Some(false) {
            // The first alternative is not made; something has to stand for it.
            self.at = no as usize;
            return self.push(Value::Cursor(0));
        }
        Ok(())
    }

    pub(super) fn ternary_else(&mut self, end: Target) -> Step<D> {
        let value = self.pop();
        let condition = self.top_bool();
        if self.domain.bool_value(condition) == Some(true) {
            self.pop();
            self.at = end as usize;
        }
        self.push(value)
    }

    pub(super) fn choose(&mut self) -> Step<D> {
        self.end_trial();
        let (no, yes, condition) = (self.pop(), self.pop(), self.pop_bool());
        let value = match (self.domain.bool_value(&condition), yes, no) {
            (Some(_), _, no) => no,
            (None, Value::Int(yes), Value::Int(no)) => {
                Value::Int(self.domain.choose_int(&condition, &yes, &no))
            }
            (None, Value::Bool(yes), Value::Bool(no)) => {
                Value::Bool(self.domain.choose_bool(&condition, &yes, &no))
            }
            (None, _, _) => unreachable!("only ints and bools are chosen without a decision"),
        };
        self.push(value)
    }

    pub(super) fn iter_start(&mut self, slot: Slot) -> Step<D> {
        let array = self.pop();
        *self.local_mut(slot) = array;
        *self.local_mut(slot + 1) = Value::Cursor(0);
        Ok(())
    }

    pub(super) fn iter_next(&mut self, iter: Slot, var: Slot, end: Target) -> Step<D> {
        let (Value::Array(items), Value::Cursor(at)) = (self.local(iter), self.local(iter + 1))
        else {
            unreachable!("the loop has begun")
        };
        let at = *at;
        match items.get(at).cloned() {
            Some(item) => {
                *self.local_mut(var) = item;
                *self.local_mut(iter + 1) = Value::Cursor(at + 1);
            }
            None => {
                self.at = end as usize;
                // What was gone through is not needed any more, and may be changed in place.
                *self.local_mut(iter) = Value::Cursor(0);
            }
        }
        Ok(())
    }

    /// `all` and `any`: joins one more truth value. If nobody notices, the loop ends when the result is
    /// known; otherwise each element is looked at, so that nothing has to be decided.
    pub(super) fn accumulate(
        &mut self,
        is_all: bool,
        acc: Slot,
        end: Target,
        quiet: bool,
    ) -> Step<D> {
        let next = self.pop_bool();
        let Value::Bool(so_far) = self.local(acc).clone() else {
            unreachable!("the loop has begun")
        };
        let joined = if is_all { self.both(&so_far, &next) } else { self.either(&so_far, &next) };
        if quiet && self.domain.bool_value(&joined) == Some(!is_all) {
            self.at = end as usize;
        }
        *self.local_mut(acc) = Value::Bool(joined);
        Ok(())
    }

    pub(super) fn count_step(&mut self, acc: Slot) -> Step<D> {
        let found = self.pop_bool();
        let Value::Int(so_far) = self.local(acc).clone() else {
            unreachable!("the loop has begun")
        };
        let count = self.count_if(&found, &so_far);
        *self.local_mut(acc) = Value::Int(count);
        Ok(())
    }

    /// One more, if it holds.
    pub(super) fn count_if(&mut self, found: &D::Bool, so_far: &D::Int) -> D::Int {
        let one = self.domain.int(1);
        match self.domain.bool_value(found) {
            Some(false) => so_far.clone(),
            Some(true) => self.operate(IntOp::Add, so_far, &one),
            None => {
                let more = self.operate(IntOp::Add, so_far, &one);
                self.domain.choose_int(found, &more, so_far)
            }
        }
    }

    pub(super) fn filter_step(&mut self, acc: Slot, var: Slot) -> Step<D> {
        let keep = self.pop_bool();
        if self.decide(&keep)? {
            let item = self.local(var).clone();
            self.push(item)?;
            self.push_step(acc)?;
        }
        Ok(())
    }

    /// Adds the value on the stack to the array in a slot, which nobody else has.
    pub(super) fn push_step(&mut self, acc: Slot) -> Step<D> {
        let item = self.pop();
        let Value::Array(items) = self.local_mut(acc) else { unreachable!("the loop has begun") };
        let items = std::rc::Rc::make_mut(items);
        items.push(item);
        let length = items.len();
        if length > self.limits.length {
            return Err(Fault::TooLong { length, limit: self.limits.length });
        }
        Ok(())
    }
}
