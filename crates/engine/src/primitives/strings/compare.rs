//! Comparing: `memcmp`, `strcmp` and their relatives.
//!
//! The result is the difference of the first two bytes that differ, as unsigned characters; `bcmp`
//! has 1 instead, since only zero means something there.

use everett_expr::{Pool, TermId};
use everett_interp::{Halt, Reg};
use everett_memory::ByteValue;
use memchr::memchr;

use super::StringCall;
use super::chain::{ByteTruth, byte_term, equal, is_zero};
use super::search::{SearchLength, SearchLimit};
use super::view::ByteView;

/// The treatment of letters in a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LetterCase {
    /// Any two bytes that differ.
    Matters,
    /// Letters are the same in upper and lower case; "C" locale.
    Folded,
}

impl StringCall<'_, '_> {
    pub(super) fn memcmp(&mut self, a: Reg, b: Reg, n: Reg) -> Result<Reg, Halt> {
        if let (Some(x), Some(y), Some(n)) = (a.as_word(), b.as_word(), n.as_word())
            && let (Some(x), Some(y)) = (self.bytes_at_hand(x, n), self.bytes_at_hand(y, n))
        {
            let difference = first_difference(x, y).map_or(0, |at| difference(x[at], y[at]));
            return Ok(Reg::word(difference));
        }
        self.compare_blocks(a, b, n, |pool, [x, y]| {
            difference_term(pool, LetterCase::Matters, x, y)
        })
    }

    pub(super) fn bcmp(&mut self, a: Reg, b: Reg, n: Reg) -> Result<Reg, Halt> {
        self.compare_blocks(a, b, n, |_, _| Reg::word(1))
    }

    /// The bytes at an address, if all of them are at hand.
    fn bytes_at_hand(&self, address: u64, n: u64) -> Option<&[u8]> {
        self.at_hand(address).get(..usize::try_from(n).ok()?)
    }

    fn compare_blocks(
        &mut self,
        a: Reg,
        b: Reg,
        n: Reg,
        outcome: impl Fn(&Pool, [ByteValue; 2]) -> Reg,
    ) -> Result<Reg, Halt> {
        let n = self.length_of(n, &[a, b])?;
        if let SearchLength::Known(0) = n {
            return Ok(Reg::word(0));
        }
        let (mut a, mut b) = (self.view(a)?, self.view(b)?);
        self.whole_block(&a, n)?;
        self.whole_block(&b, n)?;
        let chain = self.search_pairs(
            &mut a,
            &mut b,
            SearchLimit::After(n, Reg::word(0)),
            first_difference,
            |search, call, _, [x, y]| {
                let pool = call.cx.pool;
                search.stop(call, equal(pool, x, y).not(pool), outcome(pool, [x, y]))
            },
        )?;
        Ok(self.fold(&chain, 32, |result| *result))
    }

    /// All of the bytes must be inside the object: paths on which they are not end.
    fn whole_block(&mut self, view: &ByteView, n: SearchLength) -> Result<(), Halt> {
        let pool = self.cx.pool;
        let n = match n {
            SearchLength::Known(n) => pool.constant(64, n),
            SearchLength::Term(n) => n,
        };
        let inside = pool.ule(n, view.room_term(self.cx));
        self.cx.require(self.st, inside, |cx, bad| {
            let bytes = cx.example(bad, n);
            view.block_past_end(cx, bad, bytes)
        })
    }

    pub(super) fn strcmp(&mut self, a: Reg, b: Reg) -> Result<Reg, Halt> {
        self.compare_strings(a, b, SearchLimit::None, LetterCase::Matters)
    }

    pub(super) fn strcasecmp(&mut self, a: Reg, b: Reg) -> Result<Reg, Halt> {
        self.compare_strings(a, b, SearchLimit::None, LetterCase::Folded)
    }

    pub(super) fn strncmp(&mut self, a: Reg, b: Reg, n: Reg) -> Result<Reg, Halt> {
        self.compare_at_most(a, b, n, LetterCase::Matters)
    }

    pub(super) fn strncasecmp(&mut self, a: Reg, b: Reg, n: Reg) -> Result<Reg, Halt> {
        self.compare_at_most(a, b, n, LetterCase::Folded)
    }

    fn compare_at_most(&mut self, a: Reg, b: Reg, n: Reg, case: LetterCase) -> Result<Reg, Halt> {
        let n = self.length_of(n, &[a, b])?;
        if let SearchLength::Known(0) = n {
            return Ok(Reg::word(0));
        }
        self.compare_strings(a, b, SearchLimit::After(n, Reg::word(0)), case)
    }

    fn compare_strings(
        &mut self,
        a: Reg,
        b: Reg,
        limit: SearchLimit<Reg>,
        case: LetterCase,
    ) -> Result<Reg, Halt> {
        if let (Some(x), Some(y)) = (a.as_word(), b.as_word())
            && let Some(result) = self.compare_at_hand(x, y, &limit, case)
        {
            return Ok(Reg::word(result));
        }
        let (mut a, mut b) = (self.view(a)?, self.view(b)?);
        let chain = self.search_pairs(
            &mut a,
            &mut b,
            limit,
            |x, y| string_end(case, x, y),
            |search, call, _, [x, y]| {
                let pool = call.cx.pool;
                let (p, q) = (folded(pool, case, x), folded(pool, case, y));
                let result = difference_term(pool, case, x, y);
                if [x, y].contains(&ByteValue::Concrete(0)) {
                    return search.stop(call, ByteTruth::Yes, result);
                }
                Ok(search.stop(call, equal(pool, p, q).not(pool), result)?
                    || search.stop(call, both_zero(pool, x, y), Reg::word(0))?)
            },
        )?;
        Ok(self.fold(&chain, 32, |result| *result))
    }

    /// The result, if it follows from bytes that are at hand.
    fn compare_at_hand(
        &self,
        a: u64,
        b: u64,
        limit: &SearchLimit<Reg>,
        case: LetterCase,
    ) -> Option<u64> {
        let (x, y) = (self.at_hand(a), self.at_hand(b));
        let len = match limit {
            SearchLimit::None => x.len().min(y.len()),
            SearchLimit::After(SearchLength::Known(n), _) => {
                x.len().min(y.len()).min(usize::try_from(*n).unwrap_or(usize::MAX))
            }
            SearchLimit::After(..) | SearchLimit::Fatal(..) => return None,
        };
        let (x, y) = (&x[..len], &y[..len]);
        match string_end(case, x, y) {
            Some(at) => Some(difference(case.fold(x[at]), case.fold(y[at]))),
            None => (limit.known() == Some(len as u64)).then_some(0),
        }
    }
}

impl LetterCase {
    fn fold(self, byte: u8) -> u8 {
        match self {
            LetterCase::Matters => byte,
            LetterCase::Folded => byte.to_ascii_lowercase(),
        }
    }
}

/// The first place where two runs of equal length differ.
fn first_difference(x: &[u8], y: &[u8]) -> Option<usize> {
    if x == y { None } else { x.iter().zip(y).position(|(x, y)| x != y) }
}

/// The first place where a comparison of strings stops.
fn string_end(case: LetterCase, x: &[u8], y: &[u8]) -> Option<usize> {
    match case {
        LetterCase::Matters => {
            let end = memchr(0, x).map_or(x.len(), |zero| zero + 1);
            first_difference(&x[..end], &y[..end])
                .or_else(|| end.checked_sub(1).filter(|last| x[*last] == 0))
        }
        LetterCase::Folded => {
            x.iter().zip(y).position(|(x, y)| case.fold(*x) != case.fold(*y) || *x == 0)
        }
    }
}

/// Returns `true` if both of two bytes that are equal but for case are terminators.
fn both_zero(pool: &Pool, x: ByteValue, y: ByteValue) -> ByteTruth {
    let known = |byte| match byte {
        ByteValue::Concrete(byte) => Some(ByteTruth::from(byte == 0)),
        ByteValue::Symbolic(_) => None,
    };
    known(x).or(known(y)).unwrap_or_else(|| is_zero(pool, x))
}

fn folded(pool: &Pool, case: LetterCase, byte: ByteValue) -> ByteValue {
    match (case, byte) {
        (LetterCase::Matters, byte) => byte,
        (LetterCase::Folded, ByteValue::Concrete(byte)) => ByteValue::Concrete(case.fold(byte)),
        (LetterCase::Folded, ByteValue::Symbolic(term)) => ByteValue::Symbolic(lower(pool, term)),
    }
}

fn lower(pool: &Pool, byte: TermId) -> TermId {
    let from_a = pool.sub(byte, pool.constant(8, b'A'.into()));
    let upper = pool.ult(from_a, pool.constant(8, 26));
    pool.ite(upper, pool.or(byte, pool.constant(8, 0x20)), byte)
}

/// The difference of two characters as a result of 32 bits.
fn difference(x: u8, y: u8) -> u64 {
    u64::from((i32::from(x) - i32::from(y)) as u32)
}

fn difference_term(pool: &Pool, case: LetterCase, x: ByteValue, y: ByteValue) -> Reg {
    if let (ByteValue::Concrete(x), ByteValue::Concrete(y)) = (x, y) {
        return Reg::word(difference(case.fold(x), case.fold(y)));
    }
    let wide = |byte| pool.zext(byte_term(pool, folded(pool, case, byte)), 32);
    Reg::symbolic(pool.sub(wide(x), wide(y)))
}
