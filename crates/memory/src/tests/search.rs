//! Searches agree with looking at one byte after the other.

use everett_base::rng::Rng;

use super::*;
use crate::{AccessRights, GUARD_BYTES, ObjectPosition, SearchResult};

/// An object of two pages and a bit: never written, concrete and symbolic parts.
fn mixed(pool: &Pool, space: &mut AddressSpace, rng: &mut Rng, symbolic: u64) -> u64 {
    let base = heap(space, 600);
    let symbol = pool.symbol("mixed", 600);
    for at in 0..600 {
        let value = match rng.below(40) {
            n if n < symbolic => ByteValue::Symbolic(pool.byte(symbol, at)),
            n if n < 20 => continue,
            _ => ByteValue::Concrete(1 + rng.below(3) as u8),
        };
        space.write_each(pool, base + u64::from(at), &[value]).unwrap();
    }
    base
}

fn is(value: u8) -> impl Fn(&ByteValue) -> bool {
    move |byte| *byte == ByteValue::Concrete(value)
}

fn found(at: Option<usize>, bytes: &[ByteValue]) -> SearchResult {
    match at {
        None => SearchResult::Nothing,
        Some(at) if matches!(bytes[at], ByteValue::Symbolic(_)) => {
            SearchResult::Symbolic(at as u64)
        }
        Some(at) => SearchResult::At(at as u64),
    }
}

#[test]
fn searches_agree_with_looking_at_each_byte() {
    let (pool, mut rng) = (Pool::new(), Rng::new(5));
    for round in 0..300 {
        let mut space = space();
        let [a, b] = [0, 1].map(|_| mixed(&pool, &mut space, &mut rng, round % 3));
        let (x, y) = (rng.below(600), rng.below(600));
        let len = rng.below(600 - x.max(y));
        let at = |space: &AddressSpace, base, offset| ObjectPosition {
            object: object(space, base),
            address: base + offset,
        };
        let (from, other) = (at(&space, a, x), at(&space, b, y));
        if round % 2 == 0 {
            space.bring(from.address);
        }
        let bytes = space.read_each(&pool, from.address, len).unwrap();
        let others = space.read_each(&pool, other.address, len).unwrap();
        let stops = |byte: &ByteValue| matches!(byte, ByteValue::Symbolic(_)) || is(3)(byte);
        let first = space.search(from, len, |run| run.iter().position(|byte| *byte == 3));
        assert_eq!(first, found(bytes.iter().position(stops), &bytes));
        let last = space.search_last(from, len, |run| run.iter().rposition(|byte| *byte == 3));
        assert_eq!(last, found(bytes.iter().rposition(stops), &bytes));
        let pair = space.search_pair(from, other, len, |x, y| {
            assert_eq!(x.len(), y.len());
            x.iter().zip(y).position(|(x, y)| *x == 3 && *y == 3)
        });
        let expected = bytes.iter().zip(&others).position(|(x, y)| {
            let symbolic = |byte: &ByteValue| matches!(byte, ByteValue::Symbolic(_));
            symbolic(x) || symbolic(y) || is(3)(x) && is(3)(y)
        });
        let expected = match expected {
            Some(at) if is(3)(&bytes[at]) && is(3)(&others[at]) => SearchResult::At(at as u64),
            Some(at) => SearchResult::Symbolic(at as u64),
            None => SearchResult::Nothing,
        };
        assert_eq!(pair, expected);
    }
}

#[test]
fn what_is_at_hand_ends_with_the_object_and_is_current() {
    let (pool, mut space) = (Pool::new(), space());
    let base = heap(&mut space, 300);
    assert!(space.store_concrete(base + 290, 1, 7));
    space.bring(base + 290);
    let rest = space.at_hand(base + 290);
    assert_eq!((rest.len(), rest[0]), (10, 7));
    let symbol = pool.symbol("s", 1);
    space.make_symbolic(&pool, base + 299, symbol).unwrap();
    space.bring(base + 290);
    assert!(space.at_hand(base + 290).is_empty(), "a page with a symbolic byte is not at hand");
    assert!(space.at_hand(base + 300).is_empty() && space.at_hand(0).is_empty());
}

#[test]
fn copies_at_hand_keep_to_objects_that_may_be_written() {
    let pool = Pool::new();
    let mut space = space();
    let [a, b] = [0, 1].map(|_| heap(&mut space, 40));
    space.write_bytes(a, b"hello").unwrap();
    space.bring(a);
    space.bring(b);
    assert!(space.copy_at_hand(&pool, b + 35, a, 5));
    assert_eq!(space.load_concrete(b + 35, 4), Some(u64::from(u32::from_le_bytes(*b"hell"))));
    assert!(!space.copy_at_hand(&pool, b + 36, a, 5) && !space.copy_at_hand(&pool, b, a + 36, 5));
    let shared = space.fork();
    assert!(space.copy_at_hand(&pool, b, a, 3));
    assert_eq!(shared.read_each(&Pool::new(), b, 1).unwrap(), [ByteValue::Concrete(0)]);
    space.set_read_only(b, true);
    space.bring(b);
    assert!(!space.copy_at_hand(&pool, b, a, 1));
}

#[test]
fn what_is_accessible_ends_where_rights_do() {
    let mut space = space();
    let base = heap(&mut space, 3 * GUARD_BYTES + 5);
    let at = |space: &AddressSpace, offset| ObjectPosition {
        object: object(space, base),
        address: base + offset,
    };
    assert_eq!(space.accessible(at(&space, 5), true), 3 * GUARD_BYTES);
    space.protect(base + GUARD_BYTES, GUARD_BYTES, AccessRights::ReadOnly);
    space.protect(base + 2 * GUARD_BYTES, GUARD_BYTES, AccessRights::Nothing);
    for (offset, read, write) in [
        (5, 2 * GUARD_BYTES - 5, GUARD_BYTES - 5),
        (GUARD_BYTES + 7, GUARD_BYTES - 7, 0),
        (2 * GUARD_BYTES + 7, 0, 0),
        (3 * GUARD_BYTES + 1, 4, 4),
    ] {
        let from = at(&space, offset);
        assert_eq!((space.accessible(from, false), space.accessible(from, true)), (read, write));
    }
}
