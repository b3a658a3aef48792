//! Boolean functions of up to eight bits, as the set of assignments that make them true.

/// A function of the symbolic bits; as a condition, the assignments that satisfy it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Bits(pub(crate) [u64; 4]);

everett_base::portable!(struct Bits(words));

/// How many symbolic bits there can be.
pub(crate) const BITS_MAX: u32 = 8;

impl Bits {
    pub(crate) const FALSE: Bits = Bits([0; 4]);
    pub(crate) const TRUE: Bits = Bits([u64::MAX; 4]);

    /// The function that is a symbolic bit.
    pub(crate) fn symbol(bit: u32) -> Bits {
        let mut bits = Bits::FALSE;
        for assignment in (0..1 << BITS_MAX).filter(|assignment| assignment >> bit & 1 == 1) {
            bits.0[assignment / 64] |= 1 << (assignment % 64);
        }
        bits
    }

    pub(crate) fn constant(value: bool) -> Bits {
        if value { Bits::TRUE } else { Bits::FALSE }
    }

    pub(crate) fn at(self, assignment: usize) -> bool {
        self.0[assignment / 64] >> (assignment % 64) & 1 == 1
    }

    pub(crate) fn and(self, other: Bits) -> Bits {
        Bits(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    pub(crate) fn xor(self, other: Bits) -> Bits {
        Bits(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }

    pub(crate) fn not(self) -> Bits {
        self.xor(Bits::TRUE)
    }

    pub(crate) fn is_false(self) -> bool {
        self == Bits::FALSE
    }

    /// The bits that the function depends on, as a mask.
    pub(crate) fn support(self) -> u32 {
        const LOW: [u64; 6] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0f0f_0f0f_0f0f_0f0f,
            0x00ff_00ff_00ff_00ff,
            0x0000_ffff_0000_ffff,
            0x0000_0000_ffff_ffff,
        ];
        let mut mask = 0;
        for (bit, low) in LOW.iter().enumerate() {
            let differs = |word: &u64| (word ^ (word >> (1 << bit))) & low != 0;
            mask |= u32::from(self.0.iter().any(differs)) << bit;
        }
        let [a, b, c, d] = self.0;
        mask |= u32::from(a != b || c != d) << 6;
        mask |= u32::from(a != c || b != d) << 7;
        mask
    }
}

#[test]
fn support_is_what_a_function_depends_on() {
    for bit in 0..BITS_MAX {
        assert_eq!(Bits::symbol(bit).support(), 1 << bit);
        let both = Bits::symbol(bit).xor(Bits::symbol(7 - bit));
        assert_eq!(both.support(), 1 << bit | 1 << (7 - bit));
        assert_eq!(Bits::symbol(bit).not().and(both).support(), 1 << bit | 1 << (7 - bit));
    }
    assert_eq!(Bits::TRUE.support(), 0);
}
