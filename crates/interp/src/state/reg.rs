//! A register: a machine word, or the term that stands for one.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_expr::TermId;
use everett_ir::Pc;

/// The content of a frame slot.
///
/// A plain register is a word, zero-extended. A symbolic one has a term, and its bits mean nothing.
/// A poisoned one is the result of an operation that has none (a shift by too much); that is a bug
/// only once something depends on it, because optimisers execute such operations where the source
/// does not. Sixteen bytes and `Copy`, so that a frame is cloned by `memcpy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Reg {
    bits: u64,
    /// 0 for a plain word, [`POISON`], or the number of a term.
    tag: u32,
}

/// A register with the width of its value, as something that is written as whole bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SizedReg {
    pub(crate) reg: Reg,
    /// Width of the value.
    pub(crate) bits: u8,
    /// Bytes that are written; those that the value does not fill are zero.
    pub(crate) bytes: u8,
}

impl SizedReg {
    /// A value that fills its bytes.
    pub(crate) fn whole(reg: Reg, bytes: u8) -> SizedReg {
        SizedReg { reg, bits: bytes * 8, bytes }
    }
}

/// No term has this number.
const POISON: u32 = u32::MAX;

/// `0` and a word, `1` and a term, or `2` and the op whose missing result it is.
impl Portable for Reg {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        match (self.term(), self.poisoned_by()) {
            (Some(term), _) => {
                to.number(1);
                to.reference::<TermId>(term.raw());
            }
            (None, Some(origin)) => {
                to.number(2);
                to.number(origin.into());
            }
            (None, None) => {
                to.number(0);
                to.number(self.bits);
            }
        }
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        match from.number()? {
            0 => from.number().map(Reg::word),
            1 => TermId::read(from).map(Reg::symbolic),
            2 => Pc::read(from).map(Reg::poison),
            _ => Err(from.unexpected("a register")),
        }
    }
}

impl Reg {
    /// A concrete word. The caller has masked it to its width.
    #[inline(always)]
    pub const fn word(bits: u64) -> Reg {
        Reg { bits, tag: 0 }
    }

    /// A symbolic value.
    #[inline(always)]
    pub const fn symbolic(term: TermId) -> Reg {
        Reg { bits: 0, tag: term.raw() }
    }

    /// The missing result of the op at `origin`.
    pub(crate) const fn poison(origin: Pc) -> Reg {
        Reg { bits: origin as u64, tag: POISON }
    }

    /// Returns true if it is a concrete word.
    #[inline(always)]
    pub const fn is_plain(self) -> bool {
        self.tag == 0
    }

    /// The word, if it is concrete.
    #[inline(always)]
    pub fn as_word(self) -> Option<u64> {
        if self.is_plain() { Some(self.bits) } else { None }
    }

    /// The bits, which mean something only when [`Reg::is_plain`].
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The term, if it is symbolic.
    #[inline(always)]
    pub fn term(self) -> Option<TermId> {
        if self.tag == POISON { None } else { TermId::unpack(self.tag) }
    }

    /// Returns true if it is symbolic.
    #[inline(always)]
    pub fn is_symbolic(self) -> bool {
        self.term().is_some()
    }

    /// The op whose missing result it is, if it is poisoned.
    pub(crate) fn poisoned_by(self) -> Option<Pc> {
        (self.tag == POISON).then_some(self.bits as Pc)
    }
}
