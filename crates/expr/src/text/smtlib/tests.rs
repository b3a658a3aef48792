//! Scripts as snapshots.

use expect_test::{Expect, expect};

use crate::Pool;
use crate::id::TermId;

fn check(pool: &Pool, assertions: &[TermId], expected: Expect) {
    expected.assert_eq(&pool.smtlib(assertions));
}

#[test]
fn bytes_are_declared_and_comparisons_are_bool() {
    let pool = Pool::new();
    let x = pool.symbol("x", 4);
    let sum = pool.add(pool.byte(x, 0), pool.byte(x, 3));
    let small = pool.ult(sum, pool.constant(8, 10));
    check(
        &pool,
        &[small, pool.bool(true)],
        expect![[r#"
        (set-logic QF_ABV)
        (declare-const |x[3]| (_ BitVec 8))
        (declare-const |x[0]| (_ BitVec 8))
        (assert (bvult (bvadd |x[3]| |x[0]|) #x0a))
        (assert true)
        (check-sat)
    "#]],
    );
}

#[test]
fn shared_subterms_get_a_name() {
    let pool = Pool::new();
    let x = pool.symbol("x", 2);
    let product = pool.mul(pool.byte(x, 0), pool.byte(x, 1));
    let square = pool.mul(product, product);
    let wide = pool.sext(square, 13);
    check(
        &pool,
        &[pool.slt(wide, pool.zext(product, 13))],
        expect![[r#"
        (set-logic QF_ABV)
        (declare-const |x[0]| (_ BitVec 8))
        (declare-const |x[1]| (_ BitVec 8))
        (define-fun t0 () (_ BitVec 8) (bvmul |x[0]| |x[1]|))
        (assert (bvslt ((_ sign_extend 1) (bvmul t0 t0)) ((_ zero_extend 1) t0)))
        (check-sat)
    "#]],
    );
}

#[test]
fn truth_values_convert_to_bits_and_back() {
    let pool = Pool::new();
    let x = pool.byte(pool.symbol("a b|c", 1), 0);
    let odd = pool.extract(x, 0, 1);
    let big = pool.ult(pool.constant(8, 99), x);
    let count = pool.add(pool.zext(odd, 8), pool.zext(big, 8));
    let either = pool.or(odd, pool.eq(count, x));
    check(
        &pool,
        &[either],
        expect![[r#"
        (set-logic QF_ABV)
        (declare-const |a_b_c[0]| (_ BitVec 8))
        (define-fun t0 () (_ BitVec 1) ((_ extract 0 0) |a_b_c[0]|))
        (assert (or (= (bvadd ((_ zero_extend 7) (ite (bvult #x63 |a_b_c[0]|) #b1 #b0)) ((_ zero_extend 7) t0)) |a_b_c[0]|) (= t0 #b1)))
        (check-sat)
    "#]],
    );
}

#[test]
fn tables_and_stores_are_arrays_of_zeros_with_stores() {
    let pool = Pool::new();
    let x = pool.symbol("x", 2);
    let index = pool.zext(pool.byte(x, 0), 64);
    let other = pool.zext(pool.byte(x, 1), 64);
    let table = pool.const_array(&[7, 0, 9]);
    let written = pool.store(pool.store(table, other, pool.byte(x, 0)), index, pool.byte(x, 1));
    let read = pool.select(written, pool.add(index, other));
    let back = pool.select(pool.symbol_array(x), index);
    check(
        &pool,
        &[pool.eq(read, back)],
        expect![[r#"
        (set-logic QF_ABV)
        (declare-const |x[1]| (_ BitVec 8))
        (declare-const |x[0]| (_ BitVec 8))
        (define-fun t0 () (_ BitVec 64) ((_ zero_extend 56) |x[1]|))
        (define-fun t1 () (_ BitVec 64) ((_ zero_extend 56) |x[0]|))
        (define-fun t2 () (Array (_ BitVec 64) (_ BitVec 8)) ((as const (Array (_ BitVec 64) (_ BitVec 8))) #x00))
        (define-fun t3 () (Array (_ BitVec 64) (_ BitVec 8)) (store (store t2 #x0000000000000000 #x07) #x0000000000000002 #x09))
        (define-fun t4 () (Array (_ BitVec 64) (_ BitVec 8)) (store t3 t0 |x[0]|))
        (define-fun t5 () (Array (_ BitVec 64) (_ BitVec 8)) (store t4 t1 |x[1]|))
        (define-fun t6 () (Array (_ BitVec 64) (_ BitVec 8)) ((as const (Array (_ BitVec 64) (_ BitVec 8))) #x00))
        (define-fun t7 () (Array (_ BitVec 64) (_ BitVec 8)) (store (store t6 #x0000000000000000 |x[0]|) #x0000000000000001 |x[1]|))
        (assert (= (select t5 (bvadd t0 t1)) (select t7 t1)))
        (check-sat)
    "#]],
    );
}

#[test]
fn symbols_of_one_name_stay_apart() {
    let pool = Pool::new();
    let (short, long) = (pool.symbol("x", 1), pool.symbol("x", 2));
    let equal = pool.eq(pool.byte(short, 0), pool.mul(pool.byte(long, 0), pool.byte(long, 0)));
    check(
        &pool,
        &[equal],
        expect![[r#"
        (set-logic QF_ABV)
        (declare-const |x[0]| (_ BitVec 8))
        (declare-const |x#2[0]| (_ BitVec 8))
        (assert (= (bvmul |x[0]| |x[0]|) |x#2[0]|))
        (check-sat)
    "#]],
    );
}

#[test]
fn deep_terms_are_broken_into_definitions() {
    let pool = Pool::new();
    let x = pool.symbol("x", 2);
    let (a, b) = (pool.byte(x, 0), pool.byte(x, 1));
    let deep = (0..20_000)
        .fold(a, |term, at| if at % 2 == 0 { pool.mul(term, b) } else { pool.xor(term, a) });
    let script = pool.smtlib(&[pool.eq(deep, b)]);
    assert!(script.lines().all(|line| line.len() < 2000));
    assert!(script.lines().count() > 300);
}
