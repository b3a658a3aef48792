//! Rules of `rules/arith.rs` and `rules/shift.rs`.

use super::*;

#[test]
fn negation() {
    applies(ALL, |w| neg(&neg(&x(w))), x);
    applies(WORDS, |w| neg(&sub(&x(w), &y(w))), |w| sub(&y(w), &x(w)));
    applies(WORDS, |w| neg(&add(&x(w), &k(w, 3))), |w| sub(&k(w, -3), &x(w)));
    applies(WORDS, |w| neg(&mul(&x(w), &k(w, 3))), |w| mul(&x(w), &k(w, -3)));
    applies(WORDS, |w| neg(&not(&x(w))), |w| add(&x(w), &k(w, 1)));
    applies(
        WORDS,
        |w| neg(&ite(&flag(), &k(w, 2), &k(w, 3))),
        |w| ite(&flag(), &k(w, -2), &k(w, -3)),
    );
    applies(WORDS, |w| neg(&zext(&flag(), w)), |w| sext(&flag(), w));
    applies(WORDS, |w| neg(&sext(&flag(), w)), |w| zext(&flag(), w));
    applies(&[1], |w| neg(&x(w)), x);
    stays(WORDS, |w| neg(&x(w)));
    stays(WORDS, |w| neg(&and(&x(w), &y(w))));
}

#[test]
fn constants_of_sums_meet() {
    applies(WORDS, |w| add(&add(&x(w), &k(w, 3)), &k(w, -3)), x);
    applies(WORDS, |w| sub(&add(&x(w), &k(w, 3)), &k(w, 1)), |w| add(&x(w), &k(w, 2)));
    applies(
        WORDS,
        |w| add(&add(&x(w), &k(w, 1)), &add(&y(w), &k(w, 2))),
        |w| add(&add(&x(w), &y(w)), &k(w, 3)),
    );
    applies(WORDS, |w| sub(&add(&x(w), &k(w, 3)), &add(&x(w), &k(w, 1))), |w| k(w, 2));
    applies(WORDS, |w| sub(&x(w), &add(&y(w), &k(w, 1))), |w| add(&sub(&x(w), &y(w)), &k(w, -1)));
    stays(WORDS, |w| add(&x(w), &k(w, 3)));
}

#[test]
fn sums_that_cancel() {
    applies(ALL, |w| add(&x(w), &k(w, 0)), x);
    applies(ALL, |w| sub(&x(w), &x(w)), |w| k(w, 0));
    applies(ALL, |w| add(&sub(&x(w), &y(w)), &y(w)), x);
    applies(ALL, |w| sub(&add(&x(w), &y(w)), &x(w)), y);
    applies(WORDS, |w| sub(&sub(&x(w), &y(w)), &x(w)), |w| neg(&y(w)));
    applies(WORDS, |w| sub(&x(w), &add(&x(w), &y(w))), |w| neg(&y(w)));
    applies(ALL, |w| sub(&x(w), &sub(&x(w), &y(w))), y);
    applies(ALL, |w| add(&x(w), &not(&x(w))), |w| k(w, -1));
    stays(WORDS, |w| sub(&add(&x(w), &y(w)), &z(w)));
}

#[test]
fn sums_with_negations() {
    applies(WORDS, |w| add(&neg(&x(w)), &y(w)), |w| sub(&y(w), &x(w)));
    applies(WORDS, |w| sub(&x(w), &neg(&y(w))), |w| add(&x(w), &y(w)));
    applies(WORDS, |w| sub(&neg(&x(w)), &y(w)), |w| neg(&add(&x(w), &y(w))));
    applies(WORDS, |w| add(&not(&x(w)), &k(w, 1)), |w| neg(&x(w)));
    applies(WORDS, |w| sub(&k(w, -1), &x(w)), |w| not(&x(w)));
    stays(WORDS, |w| sub(&x(w), &y(w)));
}

#[test]
fn sums_as_wiring() {
    applies(WORDS, |w| add(&x(w), &x(w)), |w| cat(&cut(&x(w), 0, w - 1), &k(1, 0)));
    applies(
        &[4, 8, 13, 32],
        |w| add(&shl(&zext(&x(w), 2 * w), &k(2 * w, i64::from(w))), &zext(&y(w), 2 * w)),
        |w| cat(&x(w), &y(w)),
    );
    applies(&[1], |w| add(&x(w), &y(w)), |w| xor(&x(w), &y(w)));
    applies(&[1], |w| sub(&x(w), &y(w)), |w| xor(&x(w), &y(w)));
    stays(WORDS, |w| add(&x(w), &y(w)));
}

#[test]
fn products_by_constants() {
    applies(ALL, |w| mul(&x(w), &k(w, 0)), |w| k(w, 0));
    applies(ALL, |w| mul(&k(w, 1), &x(w)), x);
    applies(WORDS, |w| mul(&x(w), &k(w, -1)), |w| neg(&x(w)));
    applies(WORDS, |w| mul(&x(w), &k(w, 4)), |w| shl(&x(w), &k(w, 2)));
    applies(WORDS, |w| mul(&mul(&x(w), &k(w, 3)), &k(w, 3)), |w| mul(&x(w), &k(w, 9)));
    applies(
        WORDS,
        |w| mul(&add(&x(w), &k(w, 1)), &k(w, 3)),
        |w| add(&mul(&x(w), &k(w, 3)), &k(w, 3)),
    );
    applies(WORDS, |w| mul(&neg(&x(w)), &k(w, 3)), |w| mul(&x(w), &k(w, -3)));
    stays(WORDS, |w| mul(&x(w), &k(w, 3)));
}

#[test]
fn products_of_terms() {
    applies(&[1], |w| mul(&x(w), &y(w)), |w| and(&x(w), &y(w)));
    applies(WORDS, |w| mul(&zext(&flag(), w), &x(w)), |w| ite(&flag(), &x(w), &k(w, 0)));
    applies(WORDS, |w| mul(&mul(&x(w), &k(w, 3)), &y(w)), |w| mul(&mul(&x(w), &y(w)), &k(w, 3)));
    applies(WORDS, |w| mul(&neg(&x(w)), &y(w)), |w| neg(&mul(&x(w), &y(w))));
    stays(WORDS, |w| mul(&x(w), &y(w)));
}

#[test]
fn unsigned_division() {
    applies(ALL, |w| udiv(&x(w), &k(w, 0)), |w| k(w, -1));
    applies(ALL, |w| udiv(&x(w), &k(w, 1)), x);
    applies(WORDS, |w| udiv(&x(w), &k(w, 4)), |w| lshr(&x(w), &k(w, 2)));
    applies(&[3, 4, 8, 13, 32], |w| udiv(&zext(&x(w), 2 * w), &k(2 * w, 1 << w)), |w| k(2 * w, 0));
    applies(
        WORDS,
        |w| udiv(&zext(&x(w), 2 * w), &k(2 * w, 3)),
        |w| zext(&udiv(&x(w), &k(w, 3)), 2 * w),
    );
    stays(ALL, |w| udiv(&x(w), &y(w)));
    stays(WORDS, |w| udiv(&zext(&x(w), 2 * w), &zext(&y(w), 2 * w)));
}

#[test]
fn unsigned_remainder() {
    applies(ALL, |w| urem(&x(w), &k(w, 0)), x);
    applies(ALL, |w| urem(&x(w), &k(w, 1)), |w| k(w, 0));
    applies(ALL, |w| urem(&x(w), &x(w)), |w| k(w, 0));
    applies(WORDS, |w| urem(&x(w), &k(w, 4)), |w| and(&x(w), &k(w, 3)));
    applies(
        WORDS,
        |w| urem(&zext(&x(w), 2 * w), &zext(&y(w), 2 * w)),
        |w| zext(&urem(&x(w), &y(w)), 2 * w),
    );
    applies(&[4, 8, 13, 32], |w| urem(&urem(&x(w), &k(w, 5)), &k(w, 6)), |w| urem(&x(w), &k(w, 5)));
    stays(ALL, |w| urem(&x(w), &y(w)));
    stays(&[4, 8, 13, 32], |w| urem(&urem(&x(w), &k(w, 5)), &k(w, 3)));
}

#[test]
fn signed_division_and_remainder() {
    applies(WORDS, |w| sdiv(&x(w), &k(w, 1)), x);
    applies(ALL, |w| sdiv(&x(w), &k(w, -1)), |w| neg(&x(w)));
    applies(ALL, |w| srem(&x(w), &k(w, 0)), x);
    applies(ALL, |w| srem(&x(w), &k(w, -1)), |w| k(w, 0));
    applies(WORDS, |w| srem(&x(w), &k(w, 1)), |w| k(w, 0));
    applies(ALL, |w| srem(&x(w), &x(w)), |w| k(w, 0));
    let wide = |w, a: T| zext(&a, 2 * w);
    applies(WORDS, |w| sdiv(&wide(w, x(w)), &k(2 * w, 3)), |w| udiv(&wide(w, x(w)), &k(2 * w, 3)));
    applies(
        WORDS,
        |w| srem(&wide(w, x(w)), &wide(w, y(w))),
        |w| urem(&wide(w, x(w)), &wide(w, y(w))),
    );
    stays(ALL, |w| sdiv(&x(w), &y(w)));
    stays(WORDS, |w| sdiv(&x(w), &k(w, 3)));
    stays(ALL, |w| srem(&x(w), &y(w)));
    stays(ALL, |w| sdiv(&x(w), &k(w, 0)));
}

#[test]
fn shifts_by_constants_are_wiring() {
    for shift in [shl, lshr, ashr] {
        applies(ALL, |w| shift(&x(w), &k(w, 0)), x);
        applies(ALL, |w| shift(&k(w, 0), &x(w)), |w| k(w, 0));
    }
    applies(WORDS, |w| shl(&x(w), &k(w, 1)), |w| cat(&cut(&x(w), 0, w - 1), &k(1, 0)));
    applies(WORDS, |w| lshr(&x(w), &k(w, 1)), |w| zext(&cut(&x(w), 1, w - 1), w));
    applies(WORDS, |w| ashr(&x(w), &k(w, 1)), |w| sext(&cut(&x(w), 1, w - 1), w));
    applies(WORDS, |w| shl(&x(w), &k(w, -1)), |w| k(w, 0));
    applies(WORDS, |w| lshr(&x(w), &k(w, -1)), |w| k(w, 0));
    applies(WORDS, |w| ashr(&x(w), &k(w, -1)), |w| sext(&cut(&x(w), w - 1, 1), w));
    applies(
        WORDS,
        |w| shl(&add(&x(w), &k(w, 1)), &k(w, 1)),
        |w| add(&shl(&x(w), &k(w, 1)), &k(w, 2)),
    );
}

#[test]
fn shifts_by_terms() {
    for shift in [shl, lshr, ashr] {
        stays(ALL, |w| shift(&x(w), &y(w)));
    }
    applies(ALL, |w| ashr(&k(w, -1), &y(w)), |w| k(w, -1));
    applies(
        WORDS,
        |w| ashr(&zext(&x(w), 2 * w), &y(2 * w)),
        |w| lshr(&zext(&x(w), 2 * w), &y(2 * w)),
    );
    let over = |w| or(&y(w), &k(w, i64::from(w)));
    applies(&[4, 8, 13, 32], |w| shl(&x(w), &over(w)), |w| k(w, 0));
    applies(&[4, 8, 13, 32], |w| lshr(&x(w), &over(w)), |w| k(w, 0));
    applies(&[4, 8, 13, 32], |w| ashr(&x(w), &over(w)), |w| sext(&cut(&x(w), w - 1, 1), w));
}
