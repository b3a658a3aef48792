//! Rules of `rules/array.rs`, and of stores.

use super::*;
use crate::TermId;

fn read(table: Option<&[u8]>, stores: &[(T, T)], index: T) -> T {
    Rc::new(TermTree::Select { table: table.map(Into::into), stores: stores.to_vec(), index })
}

fn at(value: i64) -> T {
    k(64, value)
}

fn wide() -> T {
    zext(&x(8), 64)
}

const BYTE: &[u32] = &[8];
const TABLE: Option<&[u8]> = Some(&[3, 1, 4, 1, 5]);

#[test]
fn concrete_indices_read_tables_and_symbols() {
    applies(BYTE, |_| read(TABLE, &[], at(2)), |_| k(8, 4));
    applies(BYTE, |_| read(TABLE, &[], at(5)), |_| k(8, 0));
    applies(BYTE, |_| read(TABLE, &[], at(-1)), |_| k(8, 0));
    applies(BYTE, |_| read(None, &[], at(16)), |_| y(8));
    applies(BYTE, |_| read(None, &[], at(i64::from(BYTES))), |_| k(8, 0));
    stays(BYTE, |_| read(TABLE, &[], wide()));
    stays(BYTE, |_| read(None, &[], wide()));
}

#[test]
fn stores_at_decidable_indices_are_resolved() {
    applies(BYTE, |_| read(TABLE, &[(wide(), y(8))], wide()), |_| y(8));
    applies(BYTE, |_| read(TABLE, &[(at(1), y(8))], at(1)), |_| y(8));
    applies(BYTE, |_| read(TABLE, &[(at(1), y(8))], at(2)), |_| k(8, 4));
    let next = add(&wide(), &at(1));
    applies(BYTE, |_| read(None, &[(next.clone(), y(8))], wide()), |_| read(None, &[], wide()));
    applies(BYTE, |_| read(None, &[(at(300), y(8))], wide()), |_| read(None, &[], wide()));
    applies(
        BYTE,
        |_| read(TABLE, &[(wide(), z(8)), (wide(), y(8))], at(1)),
        |_| read(TABLE, &[(wide(), y(8))], at(1)),
    );
    stays(BYTE, |_| read(TABLE, &[(wide(), y(8))], at(1)));
    stays(BYTE, |_| read(TABLE, &[(at(1), y(8))], wide()));
}

#[test]
fn choices_of_indices_are_choices_of_entries() {
    applies(
        BYTE,
        |_| read(TABLE, &[], ite(&flag(), &at(0), &at(2))),
        |_| ite(&flag(), &k(8, 3), &k(8, 4)),
    );
}

#[test]
fn indices_beyond_the_end_read_zero() {
    applies(BYTE, |_| read(TABLE, &[], add(&wide(), &at(5))), |_| k(8, 0));
    stays(BYTE, |_| read(TABLE, &[], add(&wide(), &at(3))));
}

#[test]
fn equations_of_table_entries_become_equations_of_indices() {
    let index = || zext(&cut(&x(8), 0, 2), 64);
    applies(
        BYTE,
        |_| eq(&read(TABLE, &[], index()), &k(8, 4)),
        |_| eq(&cut(&x(8), 0, 2), &k(2, 2)),
    );
    applies(BYTE, |_| eq(&read(TABLE, &[], index()), &k(8, 2)), |_| k(1, 0));
    stays(BYTE, |_| eq(&read(TABLE, &[], index()), &k(8, 1)));
}

#[test]
fn tables_bound_what_is_read() {
    let pool = Pool::new();
    let symbol = pool.symbol("v", BYTES);
    let read_bits =
        |bits| -> TermId { read(TABLE, &[], zext(&cut(&x(8), 0, bits), 64)).build(&pool, symbol) };
    let range = pool.range(read_bits(2)).unwrap();
    assert_eq!((range.umin, range.umax), (1, 4));
    let range = pool.range(read_bits(3)).unwrap();
    assert_eq!((range.umin, range.umax), (0, 5));
}
