//! Exceptions: calls that may end by one, the places where functions go on then, and the way out of these.
//!
//! The engine knows frames and landing pads, and nothing of types: whether a handler takes an exception is
//! for the library of the language, which also is what throws (`runtime-c/port/cxx/unwind.cc`).

use everett_ir::{CallId, CallSite, Callee, LandingClause, LandingPad, Op, Operand, ValueClass};

use crate::lower::function::{FunctionLowering, LANDING_SLOTS};
use crate::lower::{LowerResult, UnsupportedConstruct};
use crate::sys::{Inst, Opcode, TypeKind, Value};

/// The function that lets an exception go on from where it was stopped to clean up.
pub(crate) const RESUME: &str = "_Unwind_Resume";

impl<'m> FunctionLowering<'_, 'm> {
    /// `invoke`: a call that goes on at one place if it returns, and at another one if it throws.
    pub(crate) fn invoke(&mut self, position: u32, inst: Inst<'m>) -> LowerResult {
        let successors = inst.successors();
        let [normal, unwind] = successors[..] else {
            return Err(UnsupportedConstruct::new("invoke without two destinations"));
        };
        let calls = self.unit.program.calls.len();
        self.call(inst)?;
        let mut trampolines = Vec::new();
        // Some intrinsics are invoked, and call nothing.
        if self.unit.program.calls.len() > calls {
            let unwind_position = self.block_label(unwind);
            let target = self.edge(position, unwind_position, &mut trampolines)?;
            let landing = self.landing(unwind_position, target)?;
            let site = self.unit.program.calls.last_mut().expect("a call was just added");
            site.landing = Some(Box::new(landing));
        }
        let normal = self.block_label(normal);
        self.jump(position, normal)?;
        self.emit_trampolines(position, trampolines)
    }

    /// The landing pad that a block begins with.
    fn landing(&mut self, block: u32, target: u32) -> LowerResult<LandingPad> {
        let insts = &self.plan.blocks[block as usize].insts;
        let pad = insts.iter().copied().find(|inst| inst.opcode() == Opcode::LandingPad);
        let (Some(pad), Some(dst)) = (pad, self.landing_slots()) else {
            return Err(UnsupportedConstruct::new("invoke that does not lead to a landing pad"));
        };
        let mut clauses = Vec::new();
        for clause in pad.landing_clauses() {
            clauses.push(self.landing_clause(clause)?);
        }
        Ok(LandingPad { target, dst, clauses, cleans_up: pad.is_cleanup() })
    }

    fn landing_clause(&mut self, clause: Value<'m>) -> LowerResult<LandingClause> {
        let TypeKind::Array(_, count) = clause.ty().kind() else {
            let ty = self.operand(clause)?;
            return Ok(LandingClause::Catch { ty, number: self.unit.exception_type(clause) });
        };
        let types = (0..count as u32).filter_map(|index| clause.element(index));
        let types: LowerResult<Vec<Operand>> = types.map(|ty| self.operand(ty)).collect();
        Ok(LandingClause::Filter { types: types? })
    }

    /// `landingpad`: the exception is in the slots that are kept for it.
    pub(crate) fn landing_pad(&mut self, inst: Inst<'m>) -> LowerResult {
        let slots = self.unit.slots(inst.ty())?;
        let Some(from) = self.landing_slots().filter(|_| slots == LANDING_SLOTS) else {
            return Err(UnsupportedConstruct::new(format!("landing pad of {slots} slots")));
        };
        let dst = self.dst(inst);
        self.copy(dst, Operand::slot(from), LANDING_SLOTS);
        Ok(())
    }

    /// `resume`: a call of the library's function, which does not return.
    pub(crate) fn resume(&mut self, inst: Inst<'m>) -> LowerResult {
        let func = self.unit.function_or_declared(RESUME, &[ValueClass::Pointer]);
        let exception = self.operand(inst.operand(0))?;
        let dst = self.temp(1);
        let id = CallId::from_index(self.unit.program.calls.len());
        self.unit.program.calls.push(CallSite {
            callee: Callee::Direct(func),
            signature: self.unit.program.function(func).signature,
            args: vec![exception],
            widths: vec![64],
            by_val: Vec::new(),
            var_args: Vec::new(),
            dst,
            ret_slots: 0,
            ret_widths: Vec::new(),
            result_used: false,
            landing: None,
        });
        self.emit(Op::Call { insts: 0, site: id });
        self.emit_free(Op::Unreachable { insts: 0 });
        Ok(())
    }

    /// `llvm.eh.typeid.for`: the number that a landing pad gives to exceptions of a type.
    pub(crate) fn exception_type_number(&mut self, inst: Inst<'m>) -> LowerResult<bool> {
        let number = self.unit.exception_type(inst.operand(0));
        let (a, dst) = (self.int(number.into()), self.dst(inst));
        self.copy(dst, a, 1);
        Ok(true)
    }
}
