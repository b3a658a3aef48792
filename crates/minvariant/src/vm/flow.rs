//! Control flow: jumps, calls, loops, and choices that need no decision.
//!
//! Where the left side of `&&` or `||` or the condition of `?:` is not known, the machine *tries* what
//! follows: if that neither fails nor asks for a decision, the results are joined and nothing was decided.
//! Otherwise the machine goes back, decides, and continues as the program says.

use super::{CallFrame, StepResult, Vm};
use crate::domain::{Domain, IntOp};
use crate::error::EvalFault;
use crate::vm::code::{FrameSlot, JumpTarget};
use crate::vm::value::RuntimeValue;

/// The point to go back to if a trial fails, and the point at which it is over.
pub(super) struct BranchTrial {
    /// The operation that began it.
    at: usize,
    stack: usize,
    end: usize,
}

impl<D: Domain> Vm<'_, D> {
    /// Ends the trial, if there is one: nothing may be asked in it.
    pub(super) fn may_ask(&self) -> StepResult<D> {
        match self.trial {
            // Nobody sees this fault: `retreat` takes it.
            Some(_) => Err(EvalFault::TooManySteps { limit: 0 }),
            None => Ok(()),
        }
    }

    /// Goes back to the beginning of the trial; without one, the fault is one.
    pub(super) fn retreat(&mut self, fault: EvalFault<D::Error>) -> StepResult<D> {
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

    pub(super) fn jump(&mut self, target: JumpTarget) -> StepResult<D> {
        self.at = target as usize;
        Ok(())
    }

    pub(super) fn jump_if_false(&mut self, target: JumpTarget) -> StepResult<D> {
        let condition = self.pop_bool();
        if !self.decide(&condition)? {
            self.at = target as usize;
        }
        Ok(())
    }

    /// Makes the slots of the current function that are no parameters.
    pub(super) fn make_room(&mut self) -> StepResult<D> {
        let slots = self.function.slots as usize;
        self.charge(slots)?;
        self.stack.resize_with(self.base + slots, || RuntimeValue::Cursor(0));
        Ok(())
    }

    pub(super) fn call(&mut self, function: u32) -> StepResult<D> {
        if self.frames.len() + 1 >= self.limits.depth {
            return Err(EvalFault::TooDeep { limit: self.limits.depth });
        }
        self.frames.push(CallFrame { function: self.function, at: self.at, base: self.base });
        self.function = &self.program.functions()[function as usize];
        self.at = 0;
        self.base = self.stack.len() - self.function.params as usize;
        self.make_room()
    }

    pub(super) fn leave(&mut self) -> StepResult<D> {
        let value = self.pop();
        self.stack.truncate(self.base);
        let CallFrame { function, at, base } =
            self.frames.pop().expect("the outermost call ends the run");
        (self.function, self.at, self.base) = (function, at, base);
        self.push(value)
    }

    fn top_bool(&self) -> &D::Bool {
        match self.stack.last() {
            Some(RuntimeValue::Bool(bool)) => bool,
            _ => unreachable!("the checker has seen a bool"),
        }
    }

    /// The condition on the stack. If it is not known, a trial up to `end` begins, or it is decided and
    /// known from now on.
    fn condition(&mut self, end: JumpTarget, tries: bool) -> StepResult<D, Option<bool>> {
        let condition = self.top_bool();
        if let Some(value) = self.domain.bool_value(condition) {
            return Ok(Some(value));
        }
        if tries && !std::mem::take(&mut self.tried) {
            if self.trial.is_none() {
                let (at, stack) = (self.at - 1, self.stack.len());
                self.trial = Some(BranchTrial { at, stack, end: end as usize });
            }
            return Ok(None);
        }
        let condition = self.pop_bool();
        let value = self.decide(&condition)?;
        self.push_bool(value)?;
        Ok(Some(value))
    }

    pub(super) fn short(&mut self, is_and: bool, end: JumpTarget, tries: bool) -> StepResult<D> {
        if self.condition(end, tries)? == Some(!is_and) {
            self.at = end as usize;
        }
        Ok(())
    }

    /// The two sides of `&&` or `||`.
    pub(super) fn join(&mut self, is_and: bool) -> StepResult<D> {
        self.end_trial();
        let (b, a) = (self.pop_bool(), self.pop_bool());
        let result = if is_and { self.both(&a, &b) } else { self.either(&a, &b) };
        self.push(RuntimeValue::Bool(result))
    }

    pub(super) fn ternary(
        &mut self,
        no: JumpTarget,
        end: JumpTarget,
        tries: bool,
    ) -> StepResult<D> {
        if self.condition(end, tries)? == Some(false) {
            // The first alternative is not made; something has to stand for it.
            self.at = no as usize;
            return self.push(RuntimeValue::Cursor(0));
        }
        Ok(())
    }

    pub(super) fn ternary_else(&mut self, end: JumpTarget) -> StepResult<D> {
        let value = self.pop();
        let condition = self.top_bool();
        if self.domain.bool_value(condition) == Some(true) {
            self.pop();
            self.at = end as usize;
        }
        self.push(value)
    }

    pub(super) fn choose(&mut self) -> StepResult<D> {
        self.end_trial();
        let (no, yes, condition) = (self.pop(), self.pop(), self.pop_bool());
        let value = match (self.domain.bool_value(&condition), yes, no) {
            (Some(_), _, no) => no,
            (None, RuntimeValue::Int(yes), RuntimeValue::Int(no)) => {
                RuntimeValue::Int(self.domain.choose_int(&condition, &yes, &no))
            }
            (None, RuntimeValue::Bool(yes), RuntimeValue::Bool(no)) => {
                RuntimeValue::Bool(self.domain.choose_bool(&condition, &yes, &no))
            }
            (None, _, _) => unreachable!("only ints and bools are chosen without a decision"),
        };
        self.push(value)
    }

    pub(super) fn iter_start(&mut self, slot: FrameSlot) -> StepResult<D> {
        let array = self.pop();
        *self.local_mut(slot) = array;
        *self.local_mut(slot + 1) = RuntimeValue::Cursor(0);
        Ok(())
    }

    pub(super) fn iter_next(
        &mut self,
        iter: FrameSlot,
        var: FrameSlot,
        end: JumpTarget,
    ) -> StepResult<D> {
        let (RuntimeValue::Array(items), RuntimeValue::Cursor(at)) =
            (self.local(iter), self.local(iter + 1))
        else {
            unreachable!("the loop has begun")
        };
        let at = *at;
        match items.get(at).cloned() {
            Some(item) => {
                *self.local_mut(var) = item;
                *self.local_mut(iter + 1) = RuntimeValue::Cursor(at + 1);
            }
            None => {
                self.at = end as usize;
                // What was gone through is not needed any more, and may be changed in place.
                *self.local_mut(iter) = RuntimeValue::Cursor(0);
            }
        }
        Ok(())
    }

    /// `all` and `any`: joins one more truth value. If nobody notices, the loop ends when the result is
    /// known; otherwise each element is looked at, so that nothing has to be decided.
    pub(super) fn accumulate(
        &mut self,
        is_all: bool,
        acc: FrameSlot,
        end: JumpTarget,
        quiet: bool,
    ) -> StepResult<D> {
        let next = self.pop_bool();
        let RuntimeValue::Bool(so_far) = self.local(acc).clone() else {
            unreachable!("the loop has begun")
        };
        let joined = if is_all { self.both(&so_far, &next) } else { self.either(&so_far, &next) };
        if quiet && self.domain.bool_value(&joined) == Some(!is_all) {
            self.at = end as usize;
        }
        *self.local_mut(acc) = RuntimeValue::Bool(joined);
        Ok(())
    }

    pub(super) fn count_step(&mut self, acc: FrameSlot) -> StepResult<D> {
        let found = self.pop_bool();
        let RuntimeValue::Int(so_far) = self.local(acc).clone() else {
            unreachable!("the loop has begun")
        };
        let count = self.count_if(&found, &so_far);
        *self.local_mut(acc) = RuntimeValue::Int(count);
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

    pub(super) fn filter_step(&mut self, acc: FrameSlot, var: FrameSlot) -> StepResult<D> {
        let keep = self.pop_bool();
        if self.decide(&keep)? {
            let item = self.local(var).clone();
            self.push(item)?;
            self.push_step(acc)?;
        }
        Ok(())
    }

    /// Adds the value on the stack to the array in a slot, which nobody else has.
    pub(super) fn push_step(&mut self, acc: FrameSlot) -> StepResult<D> {
        let item = self.pop();
        let RuntimeValue::Array(items) = self.local_mut(acc) else {
            unreachable!("the loop has begun")
        };
        let items = std::rc::Rc::make_mut(items);
        items.push(item);
        let length = items.len();
        if length > self.limits.length {
            return Err(EvalFault::TooLong { length, limit: self.limits.length });
        }
        Ok(())
    }
}
