//! Terms are the same after reading, in the same pool, in an empty one and in one that has other terms.

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use proptest::prelude::*;

use super::TermTable;
use crate::fuzzing::decode;
use crate::{Pool, Support, SymbolId, TermId};

type Values = (Vec<TermId>, Support, SymbolId);

fn write(pool: &Pool, values: &Values) -> (Vec<u8>, Vec<u8>) {
    let mut to = PartWriter::new(&[]);
    values.write(&mut to);
    (TermTable::write(pool, &to), to.into_bytes())
}

fn read(
    pool: &Pool,
    (terms, values): &(Vec<u8>, Vec<u8>),
) -> Result<(TermTable, Values), PartError> {
    let table = TermTable::read(pool, terms)?;
    let mut from = PartReader::new(values, &[&table]);
    let values = Values::read(&mut from)?;
    from.end()?;
    Ok((table, values))
}

fn sample(pool: &Pool) -> Values {
    pool.symbol("empty", 0);
    let (input, other) = (pool.symbol("input", 70), pool.symbol("other", 9));
    let index = pool.zext(pool.byte(other, 3), 64);
    let array = pool.store(pool.symbol_array(input), index, pool.byte(other, 1));
    let table = pool.const_array(&[1, 2, 3, 250]);
    let both = pool
        .concat(pool.select(array, pool.zext(pool.byte(input, 5), 64)), pool.select(table, index));
    let wide = pool.concat(pool.big_constant(&crate::BitVec::ones(100)), both);
    let terms =
        vec![wide, both, pool.not(pool.eq(both, pool.constant(16, 77))), pool.bool(true), both];
    let support = pool.support(terms[0]).union(pool.support(pool.byte(other, 8)));
    (terms, support, other)
}

#[test]
fn terms_come_back_in_every_pool() {
    let pool = Pool::new();
    let values = sample(&pool);
    let bytes = write(&pool, &values);
    let (table, same) = read(&pool, &bytes).unwrap();
    assert!(same == values && !table.is_moved());

    let empty = Pool::new();
    let (table, read_values) = read(&empty, &bytes).unwrap();
    assert!(!table.is_moved() && read_values.1 == values.1);
    let text = |pool: &Pool, term: TermId| pool.display(term).to_string();
    for (old, new) in values.0.iter().zip(&read_values.0) {
        assert_eq!(text(&pool, *old), text(&empty, *new));
    }
    assert_eq!(empty.symbol_name(read_values.2), "other");

    let used = Pool::new();
    used.symbol("before", 3);
    used.symbol("other", 9);
    let (table, read_values) = read(&used, &bytes).unwrap();
    assert!(table.is_moved());
    assert_eq!(read_values, sample(&used));
}

#[test]
fn a_deep_term_needs_no_stack() {
    let pool = Pool::new();
    let symbol = pool.symbol("x", 2);
    let deep = (0..200_000u64).fold(pool.byte(symbol, 0), |term, step| {
        pool.raw_binary(
            crate::BinOp::Sub,
            pool.byte(symbol, 1),
            pool.raw_binary(crate::BinOp::Xor, term, pool.constant(8, step)),
        )
    });
    let values = (vec![deep], Support::default(), symbol);
    let other = Pool::new();
    let (_, read_values) = read(&other, &write(&pool, &values)).unwrap();
    assert_eq!(other.structural_hash(read_values.0[0]), pool.structural_hash(deep));
    assert_eq!(other.term_count(), pool.term_count());
}

#[test]
fn a_section_that_is_cut_is_an_error() {
    let pool = Pool::new();
    let (terms, _) = write(&pool, &sample(&pool));
    for end in 0..terms.len() {
        assert!(TermTable::read(&Pool::new(), &terms[..end]).is_err(), "{end} of {}", terms.len());
    }
}

proptest! {
    #[test]
    fn random_terms_come_back(data in proptest::collection::vec(any::<u8>(), 0..200)) {
        let pool = Pool::new();
        let symbol = pool.symbol("bytes", 16);
        let term = decode(&data).build(&pool, symbol);
        let bytes = write(&pool, &(vec![term], pool.support(term).clone(), symbol));
        let other = Pool::new();
        other.symbol("more", 5);
        let (_, (terms, support, _)) = read(&other, &bytes).unwrap();
        prop_assert_eq!(other.structural_hash(terms[0]), pool.structural_hash(term));
        prop_assert_eq!(other.support(terms[0]), &support);
        prop_assert_eq!(other.width(terms[0]), pool.width(term));
    }

    #[test]
    fn garbage_is_an_error_or_terms(
        at in any::<prop::sample::Index>(), byte in any::<u8>(), more in any::<(prop::sample::Index, u8)>(),
    ) {
        let pool = Pool::new();
        let (mut terms, mut values) = write(&pool, &sample(&pool));
        let places = terms.len();
        terms[at.index(places)] = byte;
        terms[more.0.index(places)] = more.1;
        let _ = read(&Pool::new(), &(terms.clone(), values.clone()));
        let places = values.len();
        values[at.index(places)] = byte;
        let _ = read(&Pool::new(), &(terms, values));
    }
}
