//! Atomic read-modify-write operations.
//!
//! Within one op nothing else runs, so these are a load, a computation and a store. Threads may be switched
//! before each of them (`watch.rs`). A fence does nothing: all accesses are sequentially consistent.

use everett_expr::TermId;
use everett_ir::{Op, Operand, RmwOp, Slot, words};

use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::state::State;

impl<X: Clone> Interp<'_, X> {
    /// A fence or an atomic operation.
    pub(crate) fn atomic(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        match op {
            Op::AtomicRmw { op, bytes, access: _, dst, ptr, val } => {
                self.atomic_rmw(st, op, bytes, dst, [ptr, val])
            }
            Op::CompareExchange { bytes, access: _, dst, ptr, expected, new } => {
                self.compare_exchange(st, bytes, dst, ptr, [expected, new])
            }
            _ => Ok(Flow::Next),
        }
    }

    fn atomic_rmw(
        &mut self,
        st: &mut State<X>,
        op: RmwOp,
        bytes: u8,
        dst: Slot,
        [ptr, val]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let bits = u32::from(bytes) * 8;
        let pointer = self.get(st, ptr);
        let old = self.load_term(st, pointer, 0, bytes.into())?;
        let value = self.wide_term(st, val, bits);
        let new = self.rmw_result(op, old, value);
        self.store_term(st, pointer, 0, new)?;
        self.put_wide(st, dst, old);
        Ok(Flow::Next)
    }

    fn rmw_result(&self, op: RmwOp, old: TermId, value: TermId) -> TermId {
        let pool = self.pool;
        let w = pool.width(old);
        let pick = |cond, a, b| pool.ite(cond, a, b);
        match op {
            RmwOp::Exchange => value,
            RmwOp::Add => pool.add(old, value),
            RmwOp::Sub => pool.sub(old, value),
            RmwOp::And => pool.and(old, value),
            RmwOp::Nand => pool.not(pool.and(old, value)),
            RmwOp::Or => pool.or(old, value),
            RmwOp::Xor => pool.xor(old, value),
            RmwOp::SMax => pick(pool.sgt(old, value), old, value),
            RmwOp::SMin => pick(pool.slt(old, value), old, value),
            RmwOp::UMax => pick(pool.ugt(old, value), old, value),
            RmwOp::UMin => pick(pool.ult(old, value), old, value),
            RmwOp::UIncWrap => {
                let next = pool.add(old, pool.constant(w, 1));
                pick(pool.uge(old, value), pool.constant(w, 0), next)
            }
            RmwOp::UDecWrap => {
                let wraps = pool.or(pool.eq(old, pool.constant(w, 0)), pool.ugt(old, value));
                pick(wraps, value, pool.sub(old, pool.constant(w, 1)))
            }
            RmwOp::FAdd(kind) | RmwOp::FSub(kind) | RmwOp::FMax(kind) | RmwOp::FMin(kind) => {
                self.float_rmw(op, kind, old, value)
            }
        }
    }

    fn compare_exchange(
        &mut self,
        st: &mut State<X>,
        bytes: u8,
        dst: Slot,
        ptr: Operand,
        [expected, new]: [Operand; 2],
    ) -> Result<Flow, Halt> {
        let bits = u32::from(bytes) * 8;
        let pointer = self.get(st, ptr);
        let old = self.load_term(st, pointer, 0, bytes.into())?;
        let (expected, new) = (self.wide_term(st, expected, bits), self.wide_term(st, new, bits));
        let success = self.pool.eq(old, expected);
        // Storing the old value back on failure is what the hardware does, too, and needs no fork.
        let stored = self.pool.ite(success, new, old);
        self.store_term(st, pointer, 0, stored)?;
        if let Some(watch) = st.watch_mut() {
            watch.writes += u64::from(self.pool.as_const(success) != Some(0));
        }
        self.put_wide(st, dst, old);
        self.put(st, dst.plus(words(bits)), success);
        Ok(Flow::Next)
    }
}
