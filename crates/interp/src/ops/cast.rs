//! Width changes of at most 64 bits, and copies, in all generality.

use everett_ir::{Operand, Slot};

use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::state::State;

impl<X: Clone> Interp<'_, X> {
    pub(crate) fn trunc(
        &mut self,
        st: &mut State<X>,
        to: u8,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let reg = self.get(st, a);
        match reg.term() {
            // The op does not carry the width it truncates from: the term knows its own.
            Some(term) => {
                let low = self.pool.extract(term, 0, to.into());
                self.put(st, dst, low);
            }
            None => self.put_word(st, dst, reg.bits() & crate::ops::int::mask(to)),
        }
        Ok(Flow::Next)
    }

    pub(crate) fn zext(
        &mut self,
        st: &mut State<X>,
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let term = self.term(st, a, from);
        let wide = self.pool.zext(term, to.into());
        self.put(st, dst, wide);
        Ok(Flow::Next)
    }

    pub(crate) fn sext(
        &mut self,
        st: &mut State<X>,
        from: u8,
        to: u8,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        let term = self.term(st, a, from);
        let wide = self.pool.sext(term, to.into());
        self.put(st, dst, wide);
        Ok(Flow::Next)
    }

    pub(crate) fn copy(
        &mut self,
        st: &mut State<X>,
        n: u16,
        dst: Slot,
        a: Operand,
    ) -> Result<Flow, Halt> {
        for i in 0..u32::from(n) {
            let value = self.get(st, a.plus(i));
            self.put_reg(st, dst.plus(i), value);
        }
        Ok(Flow::Next)
    }
}
