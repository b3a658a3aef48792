//! Promises about the inputs of operations, which the compiler made and the program has to keep.

use everett_expr::{BitVec, TermId};
use everett_ir::{Op, OperandPromise, OverflowOp};

use crate::bug::{Bug, BugKind};
use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::state::State;

impl<X: Clone> Interp<'_, X> {
    /// Poisons a result on the paths that break the promise.
    pub(crate) fn promise(&mut self, st: &mut State<X>, op: Op) -> Result<Flow, Halt> {
        let Op::Promise { what, n, w, dst, a, b } = op else {
            unreachable!("dispatch sends only promises here")
        };
        if !self.config.checks.overflow && !what.is_always_checked() {
            return Ok(Flow::Next);
        }
        let ta = self.wide_term(st, a, w);
        let tb = if what.is_unary() { ta } else { self.wide_term(st, b, w) };
        let holds = self.promised(what, ta, tb);
        self.poison_unless(st, holds, dst, n.into(), |this, bad| {
            let example = |term| this.pool.eval(term, bad.path.model()).low_u64();
            broken(what, w, example(ta), example(tb))
        })?;
        Ok(Flow::Next)
    }

    fn promised(&self, what: OperandPromise, a: TermId, b: TermId) -> TermId {
        let pool = self.pool;
        let w = pool.width(a);
        let zero = pool.big_constant(&BitVec::zero(w));
        let fits = |op| pool.not(self.overflow_terms(op, a, b).1);
        // Such a shift has no result for that reason.
        let too_far = pool.uge(b, pool.big_constant(&BitVec::from_words(w, &[w.into()])));
        match what {
            OperandPromise::Lane => pool.ult(a, b),
            OperandPromise::NotSmallest => {
                let mut smallest = BitVec::zero(w);
                smallest.set_bit(w - 1, true);
                pool.ne(a, pool.big_constant(&smallest))
            }
            OperandPromise::NonZero => pool.ne(a, zero),
            OperandPromise::ExactShift => {
                pool.or(too_far, pool.eq(pool.shl(pool.lshr(a, b), b), a))
            }
            OperandPromise::ExactUnsignedDivision => pool.eq(pool.urem(a, b), zero),
            OperandPromise::ExactSignedDivision => pool.eq(pool.srem(a, b), zero),
            OperandPromise::SignedAdd => fits(OverflowOp::SAdd),
            OperandPromise::SignedSub => fits(OverflowOp::SSub),
            OperandPromise::SignedMul => fits(OverflowOp::SMul),
            OperandPromise::SignedShl => pool.or(too_far, pool.eq(pool.ashr(pool.shl(a, b), b), a)),
        }
    }
}

/// The bug of an operation without a result, once something depends on it.
fn broken(what: OperandPromise, w: u32, a: u64, b: u64) -> Bug {
    let message = match what {
        OperandPromise::Lane => {
            let message = format!("lane {a} of a vector of {b} lanes");
            return Bug::new(BugKind::OutOfBounds, message);
        }
        OperandPromise::NotSmallest => format!("absolute value of the smallest {w}-bit number"),
        OperandPromise::NonZero => format!("leading or trailing zeros of a {w}-bit 0 are counted"),
        OperandPromise::ExactShift => format!("exact {w}-bit right shift by {b} loses bits"),
        OperandPromise::ExactUnsignedDivision | OperandPromise::ExactSignedDivision => {
            format!(
                "exact {w}-bit division leaves a remainder, as of pointers that are not whole \
                     elements apart"
            )
        }
        OperandPromise::SignedAdd => format!("signed {w}-bit addition overflows"),
        OperandPromise::SignedSub => format!("signed {w}-bit subtraction overflows"),
        OperandPromise::SignedMul => format!("signed {w}-bit multiplication overflows"),
        OperandPromise::SignedShl => format!("signed {w}-bit left shift overflows"),
    };
    Bug::new(BugKind::Overflow, message)
}
