//! Symbolic inputs: making them, constraining them, replaying them.

use everett_expr::SymbolId;
use everett_interp::{Args, BugKind, Flow, Purpose, Reg, Spot, Stop, Unsupported};
use everett_ir::FuncId;
use everett_memory::ByteValue;
use everett_posix::Guest;

use super::Primitives;
use crate::state::inputs::{fresh_bytes, given_bytes, new_symbol};
use crate::state::node_state::{Interpreter, PathState, bug};

/// Largest input that one call may make symbolic.
const MAX_INPUT_BYTES: u64 = 1 << 26;

impl Primitives {
    pub(super) fn make_symbolic(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let size = cx.fork_over(st, args.get(1), cx.config.max_sizes)?;
        if size > MAX_INPUT_BYTES {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_make_symbolic of {size} bytes is too large"),
            ));
        }
        let name = match self.input_name(cx, st, "klee_make_symbolic", args.get(2))? {
            Ok(name) => name,
            Err(flow) => return Ok(flow),
        };
        let address = match cx.locate(st, args.get(0), 0, size, Purpose::Write)? {
            Ok(Spot::Known(address)) => address,
            Ok(Spot::Within { object, offset }) => {
                object.base + cx.fork_over(st, Reg::symbolic(offset), cx.config.max_targets)?
            }
            Err(flow) => return Ok(flow),
        };
        if let Err(fault) = st.mem.check_write(address, size) {
            return Ok(cx.fault(&fault, Purpose::Write));
        }
        if size == 0 {
            return Ok(Flow::Next);
        }
        match fresh_bytes(cx, st, &name, size as u32) {
            Ok(bytes) => {
                st.mem.write_each(cx.pool, address, &bytes).expect("checked above");
                self.kernel.note_input(cx, st, &name, &bytes);
            }
            Err(flow) => return Ok(flow),
        }
        Ok(Flow::Next)
    }

    /// A symbolic value of `bytes` bytes, or the one that the replayed test has.
    fn fresh_value(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        name: &str,
        bytes: u32,
    ) -> Result<Reg, Flow> {
        let Some(given) = given_bytes(st, name, bytes)? else {
            let symbol = new_symbol(cx, st, name, bytes);
            return Ok(cx.term_reg(symbol_term(cx, symbol, bytes)));
        };
        let mut word = [0; 8];
        word[..bytes as usize].copy_from_slice(&given);
        Ok(Reg::word(u64::from_le_bytes(word)))
    }

    /// The same for a program that asks for it.
    fn asked_value(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        name: &str,
        bytes: u32,
    ) -> Result<Reg, Flow> {
        let value = self.fresh_value(cx, st, name, bytes)?;
        if st.extra.node().is_recorded() {
            let known = cx.example_of(st, value).to_le_bytes().map(ByteValue::Concrete);
            self.kernel.note_input(cx, st, name, &known[..bytes as usize]);
        }
        Ok(value)
    }

    pub(super) fn klee_int(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let name = match self.input_name(cx, st, "klee_int", args.get(0))? {
            Ok(name) => name,
            Err(flow) => return Ok(flow),
        };
        match self.asked_value(cx, st, &name, 4) {
            Ok(value) => cx.return_value(st, args, value),
            Err(flow) => return Ok(flow),
        }
        Ok(Flow::Next)
    }

    pub(super) fn klee_range(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let start = cx.fork_over(st, args.get(0), cx.config.max_sizes)? as u32 as i32;
        let end = cx.fork_over(st, args.get(1), cx.config.max_sizes)? as u32 as i32;
        let name = match self.input_name(cx, st, "klee_range", args.get(2))? {
            Ok(name) => name,
            Err(flow) => return Ok(flow),
        };
        if start >= end {
            return Ok(bug(
                BugKind::UserError,
                format!("klee_range of an empty range: {start} to {end}"),
            ));
        }
        if end.checked_sub(1) == Some(start) {
            cx.return_value(st, args, Reg::word(start as u32 as u64));
            return Ok(Flow::Next);
        }
        let value = match self.asked_value(cx, st, &name, 4) {
            Ok(value) => value,
            Err(flow) => return Ok(flow),
        };
        let pool = cx.pool;
        let term = cx.reg_term(value, 32);
        let above = pool.sge(term, pool.constant(32, start as u32 as u64));
        let below = pool.slt(term, pool.constant(32, end as u32 as u64));
        if let Some(flow) = self.constrain(cx, st, pool.and(above, below), "klee_range")? {
            return Ok(flow);
        }
        cx.return_value(st, args, value);
        Ok(Flow::Next)
    }

    pub(super) fn klee_choose(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let value = match self.asked_value(cx, st, "klee_choose", 8) {
            Ok(value) => value,
            Err(flow) => return Ok(flow),
        };
        let below = cx.pool.ult(cx.reg_term(value, 64), cx.reg_term(args.get(0), 64));
        if let Some(flow) = self.constrain(cx, st, below, "klee_choose")? {
            return Ok(flow);
        }
        cx.return_value(st, args, value);
        Ok(Flow::Next)
    }

    pub(super) fn assume(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let width = args.width(0);
        let value = cx.reg_term(args.get(0), width);
        let holds = cx.pool.ne(value, cx.pool.constant(width, 0));
        Ok(self.constrain(cx, st, holds, "klee_assume")?.unwrap_or(Flow::Next))
    }

    /// Adds a condition to the path. One that cannot hold is the user's error.
    fn constrain(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        cond: everett_expr::TermId,
        who: &str,
    ) -> Result<Option<Flow>, Stop> {
        if st.path.assume(cx.solver, cx.pool, cond)? {
            return Ok(None);
        }
        let message = format!("{who}: the condition cannot hold on this path");
        Ok(Some(bug(BugKind::UserError, message)))
    }

    pub(super) fn prefer(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        if let Some(address) = args.get(0).as_word()
            && st.mem.check(address, 0).is_err()
        {
            let message = format!("klee_prefer_cex: there is no object at {address:#x}");
            return Ok(bug(BugKind::UserError, message));
        }
        let width = args.width(1);
        let value = cx.reg_term(args.get(1), width);
        let holds = cx.pool.ne(value, cx.pool.constant(width, 0));
        if !cx.pool.is_const(holds) {
            st.extra.notebook_mut().preferences.push(holds);
        }
        Ok(Flow::Next)
    }

    /// The fresh symbolic result of an undefined function that the user declared harmless.
    pub(super) fn fresh_result(
        &mut self,
        cx: &mut Interpreter<'_>,
        st: &mut PathState,
        func: FuncId,
        args: &Args<'_>,
    ) -> Result<Flow, Stop> {
        let name = cx.image.program.function(func).name.clone();
        let widths = args.site.map_or(&[][..], |site| &site.ret_widths);
        match widths {
            [] => Ok(Flow::Next),
            [width] => {
                let bytes = u32::from(*width).div_ceil(8);
                match self.fresh_value(cx, st, &name, bytes) {
                    Ok(value) => cx.return_value(st, args, value),
                    Err(flow) => return Ok(flow),
                }
                Ok(Flow::Next)
            }
            _ => Err(Unsupported::Primitive {
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
