//! Circuits over words: arithmetic, comparison and shifting on slices of literals.
//!
//! A word is a slice of literals, lowest bit first. Both operands of a binary operation have the
//! same width; division by zero and over-shift follow SMT-LIB.
//!
//! Not here: what terms mean (`circuits.rs`); tables and stores (`memory.rs`).

use super::gates::{GateGraph, Lit};

/// A word under construction.
pub(crate) type LitWord = Vec<Lit>;

/// The word of a constant's bits.
pub(crate) fn constant(width: u32, bit: impl Fn(u32) -> bool) -> LitWord {
    (0..width).map(|index| Lit::constant(bit(index))).collect()
}

impl GateGraph {
    pub(crate) fn not_word(&mut self, a: &[Lit]) -> LitWord {
        a.iter().map(|&lit| !lit).collect()
    }

    pub(crate) fn map2(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        gate: impl Fn(&mut GateGraph, Lit, Lit) -> Lit,
    ) -> LitWord {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&x, &y)| gate(self, x, y)).collect()
    }

    pub(crate) fn mux_word(&mut self, select: Lit, then: &[Lit], other: &[Lit]) -> LitWord {
        self.map2(then, other, |gates, t, e| gates.mux(select, t, e))
    }

    /// `a + b + carry`, without the carry out.
    pub(crate) fn add_word(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> LitWord {
        let mut carry = carry;
        self.map2_mut(a, b, |gates, x, y| {
            let (sum, out) = gates.full_adder(x, y, carry);
            carry = out;
            sum
        })
    }

    fn map2_mut(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        mut gate: impl FnMut(&mut GateGraph, Lit, Lit) -> Lit,
    ) -> LitWord {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&x, &y)| gate(self, x, y)).collect()
    }

    pub(crate) fn sub_word(&mut self, a: &[Lit], b: &[Lit]) -> LitWord {
        let b = self.not_word(b);
        self.add_word(a, &b, Lit::TRUE)
    }

    pub(crate) fn neg_word(&mut self, a: &[Lit]) -> LitWord {
        let zero = constant(a.len() as u32, |_| false);
        self.sub_word(&zero, a)
    }

    /// The conjunction of all literals, as a balanced tree.
    pub(crate) fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut level = lits.to_vec();
        while level.len() > 1 {
            level = level
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] })
                .collect();
        }
        level.first().copied().unwrap_or(Lit::TRUE)
    }

    pub(crate) fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated = self.not_word(lits);
        !self.all(&negated)
    }

    pub(crate) fn eq_word(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = self.map2(a, b, |gates, x, y| !gates.xor(x, y));
        self.all(&same)
    }

    /// `a < b`, or `a <= b` when `or_equal`; unsigned.
    pub(crate) fn less_word(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let mut less = Lit::constant(or_equal);
        for (&x, &y) in a.iter().zip(b) {
            less = self.maj(!x, y, less);
        }
        less
    }

    /// `a < b`, or `a <= b` when `or_equal`; two's complement.
    pub(crate) fn less_signed_word(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let flip_sign = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less_word(&flip_sign(a), &flip_sign(b), or_equal)
    }

    /// The low half of the product: shift and add, over the operand with more constant bits.
    pub(crate) fn mul_word(&mut self, a: &[Lit], b: &[Lit]) -> LitWord {
        let constants = |word: &[Lit]| word.iter().filter(|lit| lit.is_constant()).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        if b.iter().all(|lit| lit.is_constant()) {
            return self.mul_constant(a, b);
        }
        let width = a.len();
        let mut sum = constant(width as u32, |_| false);
        for (shift, &bit) in b.iter().enumerate() {
            if bit == Lit::FALSE {
                continue;
            }
            let row: LitWord = a[..width - shift].iter().map(|&lit| self.and(lit, bit)).collect();
            let high = self.add_word(&sum[shift..], &row, Lit::FALSE);
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }

    /// Multiplication by a constant in signed-digit form: a run of ones costs one addition and one
    /// subtraction.
    fn mul_constant(&mut self, a: &[Lit], b: &[Lit]) -> LitWord {
        let width = a.len();
        let mut sum = constant(width as u32, |_| false);
        let bit = |index: usize| b.get(index) == Some(&Lit::TRUE);
        let mut carry = false;
        for shift in 0..width {
            let ones = usize::from(bit(shift)) + usize::from(carry);
            let digit_is_minus = ones == 1 && bit(shift + 1);
            carry = ones == 2 || digit_is_minus;
            if ones != 1 {
                continue;
            }
            let row = &a[..width - shift];
            let high = if digit_is_minus {
                self.sub_word(&sum[shift..], row)
            } else {
                self.add_word(&sum[shift..], row, Lit::FALSE)
            };
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }

    /// Quotient and remainder by restoring division; `x / 0` is all ones and `x % 0` is `x`.
    pub(crate) fn divide_word(&mut self, a: &[Lit], b: &[Lit]) -> (LitWord, LitWord) {
        let width = a.len();
        // One bit more than the operands, since the shifted remainder may not fit.
        let mut divisor = b.to_vec();
        divisor.push(Lit::FALSE);
        let mut quotient = vec![Lit::FALSE; width];
        let mut rest = vec![Lit::FALSE; width];
        for index in (0..width).rev() {
            rest.insert(0, a[index]);
            let fits = self.less_word(&divisor, &rest, true);
            let difference = self.sub_word(&rest, &divisor);
            rest = self.mux_word(fits, &difference, &rest);
            rest.truncate(width);
            quotient[index] = fits;
        }
        (quotient, rest)
    }

    /// Quotient and remainder rounded towards zero, the remainder with the dividend's sign.
    pub(crate) fn divide_signed_word(&mut self, a: &[Lit], b: &[Lit]) -> (LitWord, LitWord) {
        let sign = |word: &[Lit]| word.last().copied().unwrap_or(Lit::FALSE);
        let (sign_a, sign_b) = (sign(a), sign(b));
        let (a, b) = (self.negate_word_if(sign_a, a), self.negate_word_if(sign_b, b));
        let (quotient, rest) = self.divide_word(&a, &b);
        let signs_differ = self.xor(sign_a, sign_b);
        (self.negate_word_if(signs_differ, &quotient), self.negate_word_if(sign_a, &rest))
    }

    fn negate_word_if(&mut self, condition: Lit, a: &[Lit]) -> LitWord {
        let flipped = a.iter().map(|&lit| self.xor(lit, condition)).collect::<LitWord>();
        let zero = constant(a.len() as u32, |_| false);
        self.add_word(&flipped, &zero, condition)
    }

    /// A barrel shifter; `fill` moves in, and fills everything when the amount is too large.
    pub(crate) fn shift_word(
        &mut self,
        a: &[Lit],
        amount: &[Lit],
        left: bool,
        fill: Lit,
    ) -> LitWord {
        let width = a.len();
        let mut word = a.to_vec();
        let mut too_far = Lit::FALSE;
        for (stage, &bit) in amount.iter().enumerate() {
            let distance = 1usize.checked_shl(stage as u32).filter(|&d| stage < 32 && d < width);
            let Some(distance) = distance else {
                too_far = self.or(too_far, bit);
                continue;
            };
            let shifted: LitWord = (0..width)
                .map(|index| {
                    let source = if left {
                        index.checked_sub(distance)
                    } else {
                        Some(index + distance).filter(|&source| source < width)
                    };
                    source.map_or(fill, |source| word[source])
                })
                .collect();
            word = self.mux_word(bit, &shifted, &word);
        }
        let filled = vec![fill; width];
        self.mux_word(too_far, &filled, &word)
    }
}
