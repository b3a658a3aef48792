//! Symbolic inputs: making them, constraining them, replaying them.

use everett_expr::SymbolId;
use everett_interp::{
    AccessPurpose, BugKind, Flow, Halt, MemoryAccess, Reg, UnsupportedFeature, ValueUse,
};
use everett_ir::FuncId;
use everett_memory::ByteValue;
use everett_posix::Guest;

use super::Primitives;
use super::call::PrimitiveCall;
use crate::state::inputs::{fresh_bytes, given_bytes, new_symbol};
use crate::state::node_state::{Interpreter, bug};

/// Largest input that one call may make symbolic.
const MAX_INPUT_BYTES: u64 = 1 << 26;

impl Primitives {
    pub(super) fn make_symbolic(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let size = call.settle_size(1)?;
        if size > MAX_INPUT_BYTES {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_make_symbolic of {size} bytes is too large"),
            ));
        }
        let name = call.input_name("klee_make_symbolic", call.arg(2))?;
        let access = MemoryAccess::new(call.arg(0), size, AccessPurpose::Write);
        let spot = call.cx.locate(call.st, access)?;
        let address = call.settle_spot(spot)?;
        if let Err(fault) = call.st.mem.check_write(address, size) {
            return Err(call.cx.fault(&fault, AccessPurpose::Write).into());
        }
        if size == 0 {
            return Ok(Flow::Next);
        }
        let bytes = fresh_bytes(call.cx, call.st, &name, size as u32)?;
        call.st.mem.write_each(call.cx.pool, address, &bytes).expect("checked above");
        self.kernel.note_input(call.cx, call.st, &name, &bytes);
        Ok(Flow::Next)
    }

    /// A symbolic value of `bytes` bytes, or the one that the replayed test has.
    fn fresh_value(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        name: &str,
        bytes: u32,
    ) -> Result<Reg, Flow> {
        let Some(given) = given_bytes(call.st, name, bytes)? else {
            let symbol = new_symbol(call.cx, call.st, name, bytes);
            return Ok(call.cx.term_reg(symbol_term(call.cx, symbol, bytes)));
        };
        let mut word = [0; 8];
        word[..bytes as usize].copy_from_slice(&given);
        Ok(Reg::word(u64::from_le_bytes(word)))
    }

    /// The same for a program that asks for it.
    fn asked_value(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        name: &str,
        bytes: u32,
    ) -> Result<Reg, Flow> {
        let value = self.fresh_value(call, name, bytes)?;
        if call.st.extra.node().is_recorded() {
            let known = call.cx.example_of(call.st, value).to_le_bytes().map(ByteValue::Concrete);
            self.kernel.note_input(call.cx, call.st, name, &known[..bytes as usize]);
        }
        Ok(value)
    }

    pub(super) fn klee_int(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let name = call.input_name("klee_int", call.arg(0))?;
        let value = self.asked_value(call, &name, 4)?;
        call.returns(value)
    }

    pub(super) fn klee_range(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let start = call.settle_size(0)? as u32 as i32;
        let end = call.settle_size(1)? as u32 as i32;
        let name = call.input_name("klee_range", call.arg(2))?;
        if start >= end {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_range of an empty range: {start} to {end}"),
            ));
        }
        if end.checked_sub(1) == Some(start) {
            return call.returns(Reg::word(start as u32 as u64));
        }
        let value = self.asked_value(call, &name, 4)?;
        let pool = call.cx.pool;
        let term = call.cx.reg_term(value, 32);
        let above = pool.sge(term, pool.constant(32, start as u32 as u64));
        let below = pool.slt(term, pool.constant(32, end as u32 as u64));
        self.constrain(call, pool.and(above, below), "klee_range")?;
        call.returns(value)
    }

    pub(super) fn klee_choose(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let value = self.asked_value(call, "klee_choose", 8)?;
        let below =
            call.cx.pool.ult(call.cx.reg_term(value, 64), call.cx.reg_term(call.arg(0), 64));
        self.constrain(call, below, "klee_choose")?;
        call.returns(value)
    }

    /// `__everett_draw(bits)`: a number below 2 to the power of `bits` that can be any, or -1 if random
    /// numbers are to be computed.
    pub(super) fn draw(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let bits = call.settle(0)?;
        let bits = u32::try_from(bits).ok().filter(|bits| (1..64).contains(bits));
        let Some(bits) = bits else {
            return Ok(bug(BugKind::UserError, "__everett_draw: 1 to 63 bits can be drawn"));
        };
        match self.kernel.draw(call.cx, call.st, bits)? {
            Some(number) => call.returns(call.cx.term_reg(number)),
            None => call.returns(Reg::word(u64::MAX)),
        }
    }

    pub(super) fn assume(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        let width = call.args.width(0);
        let value = call.cx.reg_term(call.arg(0), width);
        let holds = call.cx.pool.ne(value, call.cx.pool.constant(width, 0));
        self.constrain(call, holds, "klee_assume")?;
        Ok(Flow::Next)
    }

    /// Adds a condition to the path. One that cannot hold is the user's error.
    fn constrain(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        cond: everett_expr::TermId,
        who: &str,
    ) -> Result<(), Halt> {
        let cond = call.cx.use_term(call.st, cond, ValueUse::Branch);
        if call.st.path.assume(call.cx.solver, call.cx.pool, cond)? {
            return Ok(());
        }
        let message = format!("{who}: the condition cannot hold on this path");
        Err(bug(BugKind::UserError, message).into())
    }

    pub(super) fn prefer(&mut self, call: &mut PrimitiveCall<'_, '_>) -> Result<Flow, Halt> {
        if let Some(address) = call.arg(0).as_word()
            && call.st.mem.check(address, 0).is_err()
        {
            let message = format!("klee_prefer_cex: there is no object at {address:#x}");
            return Ok(bug(BugKind::UserError, message));
        }
        let width = call.args.width(1);
        let value = call.cx.reg_term(call.arg(1), width);
        let holds = call.cx.pool.ne(value, call.cx.pool.constant(width, 0));
        if !call.cx.pool.is_const(holds) {
            call.st.extra.notebook_mut().preferences.push(holds);
        }
        Ok(Flow::Next)
    }

    /// The fresh symbolic result of an undefined function that the user declared harmless.
    pub(super) fn fresh_result(
        &mut self,
        call: &mut PrimitiveCall<'_, '_>,
        func: FuncId,
    ) -> Result<Flow, Halt> {
        let name = call.cx.image.program.function(func).name.clone();
        let widths = call.args.site.map_or(&[][..], |site| &site.ret_widths);
        match widths {
            [] => Ok(Flow::Next),
            [width] => {
                let bytes = u32::from(*width).div_ceil(8);
                let value = self.fresh_value(call, &name, bytes)?;
                call.returns(value)
            }
            _ => Err(UnsupportedFeature::Primitive {
                function: name,
                reason: "a symbolic result of several registers".to_owned(),
            }
            .into()),
        }
    }
}

/// All bytes of a symbol as one little-endian term.
fn symbol_term(cx: &Interpreter<'_>, symbol: SymbolId, bytes: u32) -> everett_expr::TermId {
    let mut term = cx.pool.byte(symbol, 0);
    for i in 1..bytes {
        term = cx.pool.concat(cx.pool.byte(symbol, i), term);
    }
    term
}
