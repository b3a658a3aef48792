//! Calls and returns.
//!
//! Not here: calls as another type (`convention.rs`); variable arguments in memory (`varargs.rs`).

use everett_expr::TermId;
use everett_ir::{ByVal, CallId, CallSite, Callee, FuncId, Op, Operand, Pc, VarArg};
use everett_memory::ObjectKind;
use smallvec::SmallVec;

use crate::bug::text::{AccessPurpose, byte_count};
use crate::bug::{Bug, BugKind};
use crate::error::Stop;
use crate::flow::{Flow, Halt, PathEnding};
use crate::interp::Interp;
use crate::machine::{CallArgs, Machine};
use crate::ops::convention::{ArgumentPlace, ArrangedArguments};
use crate::resolve::MemoryAccess;
use crate::state::State;
use crate::state::reg::Reg;
use crate::state::stack::EnteredBy;

/// A variable argument and its registers.
pub(crate) type PassedVariable<'a> = (&'a VarArg, SmallVec<[Reg; 2]>);

/// Arguments on their way from a call to the frame of its function.
struct PassedArguments<'a> {
    /// The function's parameters, one register a slot.
    fixed: SmallVec<[Reg; 8]>,
    /// Those of them that are addresses of what the function gets a copy of.
    by_val: &'a [ByVal],
    variable: &'a [PassedVariable<'a>],
    /// The places of the variable arguments by the convention; empty if in the order in which they are read.
    places: &'a [ArgumentPlace],
}

impl<X: Clone> Interp<'_, X> {
    pub(crate) fn call<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        id: CallId,
        pc: Pc,
    ) -> Result<Flow, Halt>
    where
        M: Machine<Extra = X>,
    {
        let image = self.image;
        let site = image.program.call(id);
        let func = match site.callee {
            Callee::Direct(func) => func,
            Callee::Indirect(operand) => self.called_function(st, operand)?,
        };
        if st.watch().is_some() {
            self.before_function(machine, st, func, &site.args)?;
        }
        let func = match st.plain_calls {
            true => func,
            false => {
                let args = self.first_args(st, &site.args);
                machine.before_call(self, st, func, args)?
            }
        };
        let function = image.program.function(func);
        if !function.defined {
            // The usual case, apart: arguments of another type are arranged anew.
            if self.takes_as_passed(site, func) {
                let args = self.passed_args(st, site);
                self.check_result(st, site, func)?;
                return machine.call(self, st, func, &args);
            }
            let args = self.outward_args(st, site, func)?;
            self.check_result(st, site, func)?;
            return machine.call(self, st, func, &args);
        }
        if st.stack.bytes() > self.config.most_before_call() {
            let deep = st.stack.depth();
            return Ok(self.stack_overflow(&format!("{deep} calls within each other make")));
        }
        let fixed = self.fixed_args(st, site);
        let variable: Vec<PassedVariable<'_>> =
            site.var_args.iter().map(|arg| (arg, self.slots(st, arg))).collect();
        self.settle_by_value(st, site, &fixed, &variable)?;
        if site.signature == function.signature {
            let passing =
                PassedArguments { fixed, by_val: &site.by_val, variable: &variable, places: &[] };
            return self.enter_by(st, EnteredBy::Call(id), func, passing, pc);
        }
        let ArrangedArguments { fixed, by_val, variable, places } =
            self.arrange(site, func, &fixed, &variable)?;
        let variable: Vec<_> = variable.iter().map(|(arg, regs)| (arg, regs.clone())).collect();
        let passing =
            PassedArguments { fixed, by_val: &by_val, variable: &variable, places: &places };
        self.enter_by(st, EnteredBy::MismatchedCall(id), func, passing, pc)
    }

    /// Enters a function by a call. If something cannot be passed, the call is not left.
    fn enter_by(
        &mut self,
        st: &mut State<X>,
        by: EnteredBy,
        func: FuncId,
        passing: PassedArguments<'_>,
        pc: Pc,
    ) -> Result<Flow, Halt> {
        let function = self.image.program.function(func);
        st.stack.push(func, function.entry, by, function.frame_slots);
        let passed = self.pass(st, func, passing, pc);
        // What the engine gives up is dropped as it is.
        if let Err(Halt::Flow(_)) = passed {
            let here = self.image.site(pc);
            let State { stack, mem, .. } = st;
            stack.take_objects(0, |object| mem.release_stack(object, here));
            stack.pop();
        }
        passed.map(|()| Flow::Enter)
    }

    /// Hands arguments to the frame that was just made for a function.
    fn pass(
        &mut self,
        st: &mut State<X>,
        func: FuncId,
        passing: PassedArguments<'_>,
        pc: Pc,
    ) -> Result<(), Halt> {
        let PassedArguments { mut fixed, by_val, variable, places } = passing;
        self.pass_by_value(st, by_val, &mut fixed, pc)?;
        st.stack.regs_mut()[..fixed.len()].copy_from_slice(&fixed);
        if self.image.program.function(func).var_args {
            return self.pass_variable(st, variable, places, pc);
        }
        Ok(())
    }

    fn slots(&self, st: &State<X>, arg: &VarArg) -> SmallVec<[Reg; 2]> {
        (0..arg.widths.len()).map(|i| self.get(st, arg.value.plus(i as u32))).collect()
    }

    /// The arguments of a call to a function without a body, as its declaration has them. One
    /// without a prototype declares none: then they are as the call has them.
    pub(crate) fn outward_args<'s>(
        &self,
        st: &State<X>,
        site: &'s CallSite,
        func: FuncId,
    ) -> Result<CallArgs<'s>, Flow>
    where
        Self: 's,
    {
        let args = self.passed_args(st, site);
        if self.takes_as_passed(site, func) {
            return Ok(args);
        }
        let passed: Vec<PassedVariable<'_>> =
            site.var_args.iter().map(|arg| (arg, self.slots(st, arg))).collect();
        let ArrangedArguments { fixed, variable, .. } =
            self.arrange(site, func, &args.fixed, &passed)?;
        let variable = variable.iter().map(|(_, regs)| regs[0]).collect();
        let widths = &self.image.program.function(func).params;
        Ok(CallArgs { site: Some(site), fixed, widths, variable })
    }

    /// True if a function without a body takes arguments as a call has them.
    #[inline]
    fn takes_as_passed(&self, site: &CallSite, func: FuncId) -> bool {
        let program = &self.image.program;
        let declared = program.function(func).signature;
        site.signature == declared || {
            let declared = program.signature(declared);
            declared.var_args && declared.params.is_empty()
        }
    }

    /// The arguments of a call as the call has them.
    #[inline]
    fn passed_args<'s>(&self, st: &State<X>, site: &'s CallSite) -> CallArgs<'s> {
        CallArgs {
            site: Some(site),
            fixed: self.fixed_args(st, site),
            widths: &site.widths,
            variable: site.var_args.iter().map(|arg| self.get(st, arg.value)).collect(),
        }
    }

    /// The fixed arguments of a call.
    #[inline]
    fn fixed_args(&self, st: &State<X>, site: &CallSite) -> SmallVec<[Reg; 8]> {
        // Cheaper than to collect them, as there are few.
        let mut fixed = SmallVec::new();
        for arg in &site.args {
            fixed.push(self.get(st, *arg));
        }
        fixed
    }

    /// The function that an operand points to. A symbolic pointer forks over its targets.
    fn called_function(&mut self, st: &mut State<X>, operand: Operand) -> Result<FuncId, Halt> {
        let reg = self.get(st, operand);
        let Some(term) = reg.term() else {
            let address = reg.bits();
            return Ok(self.image.function_at(address).ok_or_else(|| bad_callee(address))?);
        };
        let address = self.fork_over(st, Reg::symbolic(term), self.config.max_targets)?;
        Ok(self.image.function_at(address).ok_or_else(|| bad_callee(address))?)
    }

    /// Feasible values of a term, ascending; the flag says whether these are all.
    pub fn feasible_values(
        &mut self,
        st: &State<X>,
        term: TermId,
        limit: usize,
    ) -> Result<(Vec<u64>, bool), Stop> {
        Ok(st.path.values(self.solver, self.pool, term, limit)?)
    }

    /// Forks over what pointers to arguments passed by value may point to, while the call can still
    /// be executed again: once the new frame is there, it cannot.
    fn settle_by_value(
        &mut self,
        st: &mut State<X>,
        site: &CallSite,
        fixed: &[Reg],
        variable: &[PassedVariable<'_>],
    ) -> Result<(), Halt> {
        let by_val = site.by_val.iter().map(|by| (fixed[usize::from(by.arg)], by.size));
        let in_area = variable.iter().filter(|(arg, _)| arg.by_val);
        for (pointer, size) in by_val.chain(in_area.map(|(arg, regs)| (regs[0], arg.size))) {
            if pointer.is_symbolic() {
                self.locate(st, MemoryAccess::new(pointer, size.into(), AccessPurpose::Read))?;
            }
        }
        Ok(())
    }

    /// Copies aggregates that are passed by value into objects of the new frame.
    fn pass_by_value(
        &mut self,
        st: &mut State<X>,
        by_val: &[ByVal],
        fixed: &mut [Reg],
        pc: Pc,
    ) -> Result<(), Halt> {
        for by_val in by_val {
            let size = u64::from(by_val.size);
            let copy = self.stack_object(st, size, by_val.align.into(), pc)?;
            st.stack.add_variable(size);
            let from = fixed[usize::from(by_val.arg)];
            self.copy_bytes(st, Reg::word(copy), from, size)?;
            fixed[usize::from(by_val.arg)] = Reg::word(copy);
        }
        Ok(())
    }

    /// Makes an object that dies with the innermost frame.
    pub(super) fn stack_object(
        &mut self,
        st: &mut State<X>,
        size: u64,
        align: u64,
        pc: Pc,
    ) -> Result<u64, Flow> {
        match st.mem.alloc(size, align, ObjectKind::Stack, self.image.site(pc)) {
            Ok(address) => {
                st.stack.own_object(address);
                Ok(address)
            }
            Err(_) => Err(self.too_large_variable(size)),
        }
    }

    /// The end of a path whose stack something makes too large.
    pub(crate) fn stack_overflow(&self, something_makes: &str) -> Flow {
        let most = byte_count(self.config.max_stack_bytes.into());
        let message = format!("{something_makes} the stack larger than {most}");
        Flow::End(PathEnding::Bug(Box::new(Bug::new(BugKind::StackOverflow, message))))
    }

    /// The end of a path whose stack has no room for a variable.
    pub(crate) fn too_large_variable(&self, size: u64) -> Flow {
        self.stack_overflow(&format!("a local variable of {} makes", byte_count(size)))
    }

    pub(crate) fn return_op<M>(
        &mut self,
        machine: &mut M,
        st: &mut State<X>,
        n: u16,
        val: Operand,
        pc: Pc,
    ) -> Result<Flow, Halt>
    where
        M: Machine<Extra = X>,
    {
        let mut values: SmallVec<[Reg; 4]> = SmallVec::new();
        for i in 0..n {
            values.push(self.get(st, val.plus(i.into())));
        }
        let here = self.image.site(pc);
        let State { stack, mem, .. } = st;
        stack.take_objects(0, |object| mem.release_stack(object, here));
        let frame = stack.pop();
        self.forget_poison(st);
        let (site, values) = match frame.entered_by() {
            EnteredBy::Call(site) => (self.image.program.call(site), values),
            EnteredBy::MismatchedCall(site) => {
                let site = self.image.program.call(site);
                (site, self.arrange_result(st, site, frame.func, &values)?)
            }
            EnteredBy::Engine if st.stack.is_empty() => {
                return machine.finished(self, st, values.first().copied());
            }
            EnteredBy::Engine => return Ok(Flow::Enter),
        };
        for (i, value) in values.iter().take(site.ret_slots.into()).enumerate() {
            self.put_reg(st, site.dst.plus(i as u32), *value);
        }
        Ok(Flow::Returned)
    }

    /// Enters a function from outside any call site. When it returns, execution goes on at the
    /// op that the frame below is at, or the machine is told that the last frame has returned.
    pub fn enter(&mut self, st: &mut State<X>, func: FuncId, args: &[Reg]) {
        self.enter_with(st, EnteredBy::Engine, func, args);
    }

    /// Enters a function in place of the one that the innermost frame calls: its result is that of the call,
    /// and the call is what exceptions pass through.
    pub fn enter_instead(&mut self, st: &mut State<X>, func: FuncId, args: &[Reg]) {
        let by = match self.image.program.ops[st.pc() as usize] {
            Op::Call { site, .. } => EnteredBy::Call(site),
            _ => EnteredBy::Engine,
        };
        self.enter_with(st, by, func, args);
    }

    fn enter_with(&mut self, st: &mut State<X>, by: EnteredBy, func: FuncId, args: &[Reg]) {
        let function = self.image.program.function(func);
        st.stack.push(func, function.entry, by, function.frame_slots);
        for (param, arg) in st.stack.regs_mut().iter_mut().zip(args).take(function.params.len()) {
            *param = *arg;
        }
    }

    /// Writes the result of a call outward.
    pub fn return_value(&mut self, st: &mut State<X>, args: &CallArgs<'_>, value: Reg) {
        if let Some(site) = args.site {
            self.put_result(st, site, value);
        }
    }

    /// Ends the call outward that the innermost frame is at, whenever it was begun: writes its
    /// result and goes on behind it.
    pub fn complete_call(&self, st: &mut State<X>, value: Reg) {
        let pc = st.pc();
        if let Op::Call { site, .. } = self.image.program.ops[pc as usize] {
            self.put_result(st, self.image.program.call(site), value);
        }
        st.jump(pc + 1);
    }

    /// Writes the result of the call at a site of the innermost frame.
    pub(crate) fn put_result(&self, st: &mut State<X>, site: &CallSite, value: Reg) {
        let Some(width) = site.ret_widths.first() else { return };
        let value = match value.as_word() {
            Some(word) => Reg::word(word & crate::ops::int::mask(*width)),
            None => {
                let term = self.reg_term(value, (*width).into());
                self.term_reg(self.resize(term, (*width).into()))
            }
        };
        self.put_reg(st, site.dst, value);
        // A call that takes more than there is finds nothing in the rest.
        (1..u32::from(site.ret_slots)).for_each(|i| self.put_word(st, site.dst.plus(i), 0));
    }

    /// A term cut or zero-extended to another width.
    pub fn resize(&self, term: TermId, width: u32) -> TermId {
        if self.pool.width(term) > width {
            self.pool.extract(term, 0, width)
        } else {
            self.pool.zext(term, width)
        }
    }
}

fn bad_callee(address: u64) -> Flow {
    let (kind, message) = if address < 4096 {
        (BugKind::NullPointer, format!("call through a null function pointer ({address:#x})"))
    } else {
        (BugKind::OutOfBounds, format!("call of address {address:#x}, where no function is"))
    };
    Flow::End(PathEnding::Bug(Box::new(Bug::new(kind, message))))
}
