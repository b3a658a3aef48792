//! A domain of functions over a few bits, given by their tables: small enough to check everything.

use std::rc::Rc;

use minvariant::{DecisionScript, Domain, IntOp, IntRelation, decode_bytes};

/// Bits that values depend on.
pub(crate) const BITS: usize = 6;
/// Ways to set them; also the length of every table.
pub(crate) const WAYS: usize = 1 << BITS;

/// A value for each setting of the bits.
pub(crate) struct BitTable<T>(Rc<[T]>);

impl<T> Clone for BitTable<T> {
    fn clone(&self) -> Self {
        BitTable(Rc::clone(&self.0))
    }
}

impl<T: Copy + PartialEq> BitTable<T> {
    pub(crate) fn new(of: impl FnMut(usize) -> T) -> BitTable<T> {
        BitTable((0..WAYS).map(of).collect())
    }

    pub(crate) fn at(&self, way: usize) -> T {
        self.0[way]
    }

    fn known(&self) -> Option<T> {
        self.0.iter().all(|value| *value == self.0[0]).then_some(self.0[0])
    }
}

/// The domain on one path: the settings that are still possible, and the decisions so far.
pub(crate) struct ToyDomain<'a> {
    pub(crate) possible: Vec<usize>,
    pub(crate) decisions: &'a mut DecisionScript,
    pub(crate) asked: usize,
}

impl<'a> ToyDomain<'a> {
    pub(crate) fn new(decisions: &'a mut DecisionScript) -> ToyDomain<'a> {
        ToyDomain { possible: (0..WAYS).collect(), decisions, asked: 0 }
    }

    /// Finds a value by asking whether it is the first possible one, the next, and so on.
    fn settle_any<T: Copy + PartialEq>(&mut self, table: &BitTable<T>) -> Result<T, String> {
        loop {
            let guess = table.at(self.possible[0]);
            if self.decide(&BitTable::new(|way| table.at(way) == guess))? {
                return Ok(guess);
            }
        }
    }
}

impl Domain for ToyDomain<'_> {
    type Int = BitTable<i64>;
    type Bool = BitTable<bool>;
    type Byte = BitTable<u8>;
    type Error = String;

    fn int(&mut self, value: i64) -> BitTable<i64> {
        BitTable::new(|_| value)
    }

    fn bool(&mut self, value: bool) -> BitTable<bool> {
        BitTable::new(|_| value)
    }

    fn byte(&mut self, value: u8) -> BitTable<u8> {
        BitTable::new(|_| value)
    }

    fn int_value(&self, int: &BitTable<i64>) -> Option<i64> {
        int.known()
    }

    fn bool_value(&self, bool: &BitTable<bool>) -> Option<bool> {
        bool.known()
    }

    fn byte_value(&self, byte: &BitTable<u8>) -> Option<u8> {
        byte.known()
    }

    fn arithmetic(&mut self, op: IntOp, a: &BitTable<i64>, b: &BitTable<i64>) -> BitTable<i64> {
        if matches!(op, IntOp::Div | IntOp::Rem) {
            assert!(
                self.possible.iter().all(|way| b.at(*way) != 0),
                "a division by zero came here"
            );
        }
        BitTable::new(|way| op.apply(a.at(way), b.at(way)))
    }

    fn negate(&mut self, a: &BitTable<i64>) -> BitTable<i64> {
        BitTable::new(|way| a.at(way).wrapping_neg())
    }

    fn compare(
        &mut self,
        relation: IntRelation,
        a: &BitTable<i64>,
        b: &BitTable<i64>,
    ) -> BitTable<bool> {
        BitTable::new(|way| relation.apply(&a.at(way), &b.at(way)))
    }

    fn byte_equal(&mut self, a: &BitTable<u8>, b: &BitTable<u8>) -> BitTable<bool> {
        BitTable::new(|way| a.at(way) == b.at(way))
    }

    fn byte_less(&mut self, a: &BitTable<u8>, b: &BitTable<u8>) -> BitTable<bool> {
        BitTable::new(|way| a.at(way) < b.at(way))
    }

    fn byte_to_int(&mut self, byte: &BitTable<u8>) -> BitTable<i64> {
        BitTable::new(|way| i64::from(byte.at(way)))
    }

    fn int_to_byte(&mut self, int: &BitTable<i64>) -> BitTable<u8> {
        BitTable::new(|way| int.at(way) as u8)
    }

    fn decode(&mut self, bytes: &[BitTable<u8>], signed: bool) -> BitTable<i64> {
        BitTable::new(|way| {
            let known: Vec<u8> = bytes.iter().map(|byte| byte.at(way)).collect();
            decode_bytes(&known, signed)
        })
    }

    fn not(&mut self, a: &BitTable<bool>) -> BitTable<bool> {
        BitTable::new(|way| !a.at(way))
    }

    fn and(&mut self, a: &BitTable<bool>, b: &BitTable<bool>) -> BitTable<bool> {
        BitTable::new(|way| a.at(way) && b.at(way))
    }

    fn or(&mut self, a: &BitTable<bool>, b: &BitTable<bool>) -> BitTable<bool> {
        BitTable::new(|way| a.at(way) || b.at(way))
    }

    fn choose_int(
        &mut self,
        c: &BitTable<bool>,
        a: &BitTable<i64>,
        b: &BitTable<i64>,
    ) -> BitTable<i64> {
        BitTable::new(|way| if c.at(way) { a.at(way) } else { b.at(way) })
    }

    fn decide(&mut self, condition: &BitTable<bool>) -> Result<bool, String> {
        self.asked += 1;
        let possible = &self.possible;
        let is_possible =
            |side| Ok::<_, String>(possible.iter().any(|way| condition.at(*way) == side));
        let taken = self.decisions.decide(is_possible)?.ok_or("nothing is possible")?;
        self.possible.retain(|way| condition.at(*way) == taken);
        Ok(taken)
    }

    fn settle(&mut self, int: &BitTable<i64>) -> Result<i64, String> {
        self.settle_any(int)
    }

    fn settle_byte(&mut self, byte: &BitTable<u8>) -> Result<u8, String> {
        self.settle_any(byte)
    }
}
