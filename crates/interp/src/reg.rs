//! A register: a machine word, or the term that stands for one.

use everett_expr::TermId;

/// The content of a frame slot.
///
/// While `term` is empty the value is `bits`, zero-extended; a symbolic value has its term and
/// its bits are meaningless. Sixteen bytes and `Copy`, so that a frame is cloned by `memcpy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Reg {
    bits: u64,
    term: Option<TermId>,
}

impl Reg {
    /// A concrete word. The caller has masked it to its width.
    #[inline(always)]
    pub const fn word(bits: u64) -> Reg {
        Reg { bits, term: None }
    }

    /// A symbolic value.
    #[inline(always)]
    pub const fn symbolic(term: TermId) -> Reg {
        Reg { bits: 0, term: Some(term) }
    }

    /// The word, if it is concrete.
    #[inline(always)]
    pub fn as_word(self) -> Option<u64> {
        if self.term.is_none() { Some(self.bits) } else { None }
    }

    /// The bits, which mean something only when [`Reg::is_symbolic`] is false.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// The term, if it is symbolic.
    #[inline(always)]
    pub fn term(self) -> Option<TermId> {
        self.term
    }

    /// Whether it is symbolic.
    #[inline(always)]
    pub fn is_symbolic(self) -> bool {
        self.term.is_some()
    }
}
