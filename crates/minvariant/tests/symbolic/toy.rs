//! A domain of functions over a few bits, given by their tables: small enough to check everything.

use std::rc::Rc;

use minvariant::{Decisions, Domain, IntOp, Relation, decode_bytes};

/// Bits that values depend on.
pub(crate) const BITS: usize = 6;
/// Ways to set them; also the length of every table.
pub(crate) const WAYS: usize = 1 << BITS;

/// A value for each setting of the bits.
pub(crate) struct Table<T>(Rc<[T]>);

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Table(Rc::clone(&self.0))
    }
}

impl<T: Copy + PartialEq> Table<T> {
    pub(crate) fn new(of: impl FnMut(usize) -> T) -> Table<T> {
        Table((0..WAYS).map(of).collect())
    }

    pub(crate) fn at(&self, way: usize) -> T {
        self.0[way]
    }

    fn known(&self) -> Option<T> {
        self.0.iter().all(|value| *value == self.0[0]).then_some(self.0[0])
    }
}

/// The domain on one path: the settings that are still possible, and the decisions so far.
pub(crate) struct Toy<'a> {
    pub(crate) possible: Vec<usize>,
    pub(crate) decisions: &'a mut Decisions,
    pub(crate) asked: usize,
}

impl<'a> Toy<'a> {
    pub(crate) fn new(decisions: &'a mut Decisions) -> Toy<'a> {
        Toy { possible: (0..WAYS).collect(), decisions, asked: 0 }
    }

    /// Finds a value by asking whether it is the first possible one, the next, and so on.
    fn settle_any<T: Copy + PartialEq>(&mut self, table: &Table<T>) -> Result<T, String> {
        loop {
            let guess = table.at(self.possible[0]);
            if self.decide(&Table::new(|way| table.at(way) == guess))? {
                return Ok(guess);
            }
        }
    }
}

impl Domain for Toy<'_> {
    type Int = Table<i64>;
    type Bool = Table<bool>;
    type Byte = Table<u8>;
    type Error = String;

    fn int(&mut self, value: i64) -> Table<i64> {
        Table::new(|_| value)
    }

    fn bool(&mut self, value: bool) -> Table<bool> {
        Table::new(|_| value)
    }

    fn byte(&mut self, value: u8) -> Table<u8> {
        Table::new(|_| value)
    }

    fn int_value(&self, int: &Table<i64>) -> Option<i64> {
        int.known()
    }

    fn bool_value(&self, bool: &Table<bool>) -> Option<bool> {
        bool.known()
    }

    fn byte_value(&self, byte: &Table<u8>) -> Option<u8> {
        byte.known()
    }

    fn arithmetic(&mut self, op: IntOp, a: &Table<i64>, b: &Table<i64>) -> Table<i64> {
        if matches!(op, IntOp::Div | IntOp::Rem) {
            assert!(
                self.possible.iter().all(|way| b.at(*way) != 0),
                "a division by zero came here"
            );
        }
        Table::new(|way| op.apply(a.at(way), b.at(way)))
    }

    fn negate(&mut self, a: &Table<i64>) -> Table<i64> {
        Table::new(|way| a.at(way).wrapping_neg())
    }

    fn compare(&mut self, relation: Relation, a: &Table<i64>, b: &Table<i64>) -> Table<bool> {
        Table::new(|way| relation.apply(&a.at(way), &b.at(way)))
    }

    fn byte_equal(&mut self, a: &Table<u8>, b: &Table<u8>) -> Table<bool> {
        Table::new(|way| a.at(way) == b.at(way))
    }

    fn byte_less(&mut self, a: &Table<u8>, b: &Table<u8>) -> Table<bool> {
        Table::new(|way| a.at(way) < b.at(way))
    }

    fn byte_to_int(&mut self, byte: &Table<u8>) -> Table<i64> {
        Table::new(|way| i64::from(byte.at(way)))
    }

    fn int_to_byte(&mut self, int: &Table<i64>) -> Table<u8> {
        Table::new(|way| int.at(way) as u8)
    }

    fn decode(&mut self, bytes: &[Table<u8>], signed: bool) -> Table<i64> {
        Table::new(|way| {
            let known: Vec<u8> = bytes.iter().map(|byte| byte.at(way)).collect();
            decode_bytes(&known, signed)
        })
    }

    fn not(&mut self, a: &Table<bool>) -> Table<bool> {
        Table::new(|way| !a.at(way))
    }

    fn and(&mut self, a: &Table<bool>, b: &Table<bool>) -> Table<bool> {
        Table::new(|way| a.at(way) && b.at(way))
    }

    fn or(&mut self, a: &Table<bool>, b: &Table<bool>) -> Table<bool> {
        Table::new(|way| a.at(way) || b.at(way))
    }

    fn choose_int(&mut self, c: &Table<bool>, a: &Table<i64>, b: &Table<i64>) -> Table<i64> {
        Table::new(|way| if c.at(way) { a.at(way) } else { b.at(way) })
    }

    fn decide(&mut self, condition: &Table<bool>) -> Result<bool, String> {
        self.asked += 1;
        let possible = &self.possible;
        let is_possible =
            |side| Ok::<_, String>(possible.iter().any(|way| condition.at(*way) == side));
        let taken = self.decisions.decide(is_possible)?.ok_or("nothing is possible")?;
        self.possible.retain(|way| condition.at(*way) == taken);
        Ok(taken)
    }

    fn settle(&mut self, int: &Table<i64>) -> Result<i64, String> {
        self.settle_any(int)
    }

    fn settle_byte(&mut self, byte: &Table<u8>) -> Result<u8, String> {
        self.settle_any(byte)
    }
}
