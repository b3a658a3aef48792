//! Services for machines that implement primitives: reading and writing the program's memory, examples
//! of symbolic bytes, forks.

use everett_expr::TermId;
use everett_memory::{ByteValue, MemoryFault, ReadValue};

use crate::bug::text::AccessPurpose;
use crate::error::Stop;
use crate::flow::{Flow, Halt, SiblingCourse};
use crate::interp::{Interp, SplitOutcome};
use crate::state::State;
use crate::state::reg::{Reg, SizedReg};

/// Longest string that a primitive reads.
const MAX_STRING_BYTES: u64 = 1 << 16;

impl<X: Clone> Interp<'_, X> {
    /// The end of a path at a fault.
    pub fn fault(&self, fault: &MemoryFault, purpose: AccessPurpose) -> Flow {
        self.faulty(fault, purpose)
    }

    /// Reads a word of up to 8 bytes through a pointer.
    pub fn read_word(&mut self, st: &mut State<X>, pointer: Reg, bytes: u64) -> Result<Reg, Halt> {
        Ok(match self.load_value(st, pointer, 0, bytes)? {
            ReadValue::Concrete(word) => Reg::word(word),
            ReadValue::Term(term) => Reg::symbolic(term),
        })
    }

    /// Writes a word of up to 8 bytes through a pointer.
    pub fn write_word(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
        bytes: u8,
        word: u64,
    ) -> Result<(), Halt> {
        self.store_value(st, pointer, 0, SizedReg::whole(Reg::word(word), bytes))
    }

    fn example_byte(&self, st: &State<X>, byte: ByteValue) -> u8 {
        match byte {
            ByteValue::Concrete(byte) => byte,
            ByteValue::Symbolic(term) => self.pool.eval_u64(term, st.path.model()) as u8,
        }
    }

    /// The C string at a pointer, as far as it can be read; `None` for a pointer to nowhere.
    pub fn example_string(
        &mut self,
        st: &mut State<X>,
        pointer: Reg,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let start = self.example_of(st, pointer);
        let Ok(object) = st.mem.check(start, 1) else { return Ok(None) };
        let len = (object.end() - start).min(MAX_STRING_BYTES);
        let Ok(bytes) = st.mem.read_each(self.pool, start, len) else { return Ok(None) };
        let text = bytes.into_iter().map(|byte| self.example_byte(st, byte));
        Ok(Some(text.take_while(|byte| *byte != 0).collect()))
    }

    /// Splits off the paths on which `cond` holds; they execute the same call again. True if there
    /// are no others, so that this state is itself one of them.
    pub fn split_sibling(&mut self, st: &mut State<X>, cond: TermId) -> Result<bool, Stop> {
        match self.split_off(st, cond)? {
            SplitOutcome::Never => Ok(false),
            SplitOutcome::Always => Ok(true),
            SplitOutcome::Both(sibling) => {
                self.add_sibling(sibling, SiblingCourse::Again);
                Ok(false)
            }
        }
    }
}
