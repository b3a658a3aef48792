//! Rules of `rules/bitwise.rs` and `rules/ite.rs`.

use super::*;

#[test]
fn double_negation_vanishes() {
    applies(ALL, |w| not(&not(&x(w))), x);
    stays(ALL, |w| not(&x(w)));
}

#[test]
fn complement_moves_into_a_constant() {
    applies(WORDS, |w| not(&xor(&x(w), &k(w, 2))), |w| xor(&x(w), &k(w, -3)));
    applies(
        WORDS,
        |w| not(&ite(&flag(), &k(w, 2), &k(w, 3))),
        |w| ite(&flag(), &k(w, -3), &k(w, -4)),
    );
    stays(WORDS, |w| not(&and(&x(w), &y(w))));
}

#[test]
fn complement_of_arithmetic() {
    applies(WORDS, |w| not(&neg(&x(w))), |w| sub(&x(w), &k(w, 1)));
    applies(WORDS, |w| not(&add(&x(w), &k(w, -1))), |w| neg(&x(w)));
    stays(WORDS, |w| not(&add(&x(w), &k(w, 1))));
}

#[test]
fn complement_moves_into_extensions() {
    applies(WORDS, |w| not(&sext(&x(w), 2 * w)), |w| sext(&not(&x(w)), 2 * w));
    applies(WORDS, |w| not(&zext(&x(w), 2 * w)), |w| cat(&k(w, -1), &not(&x(w))));
    applies(WORDS, |w| not(&cat(&x(w), &k(w, 1))), |w| cat(&not(&x(w)), &k(w, -2)));
    stays(WORDS, |w| not(&cat(&x(w), &y(w))));
}

#[test]
fn neutral_and_absorbing_constants() {
    applies(ALL, |w| and(&x(w), &k(w, -1)), x);
    applies(ALL, |w| and(&k(w, 0), &x(w)), |w| k(w, 0));
    applies(ALL, |w| or(&k(w, 0), &x(w)), x);
    applies(ALL, |w| or(&x(w), &k(w, -1)), |w| k(w, -1));
    applies(ALL, |w| xor(&x(w), &k(w, 0)), x);
    applies(ALL, |w| xor(&x(w), &k(w, -1)), |w| not(&x(w)));
}

#[test]
fn equal_and_complementary_operands() {
    applies(ALL, |w| and(&x(w), &x(w)), x);
    applies(ALL, |w| or(&x(w), &x(w)), x);
    applies(ALL, |w| xor(&x(w), &x(w)), |w| k(w, 0));
    applies(ALL, |w| and(&x(w), &not(&x(w))), |w| k(w, 0));
    applies(ALL, |w| or(&not(&x(w)), &x(w)), |w| k(w, -1));
    applies(ALL, |w| xor(&not(&x(w)), &x(w)), |w| k(w, -1));
    stays(ALL, |w| and(&x(w), &not(&y(w))));
    stays(ALL, |w| or(&x(w), &y(w)));
}

#[test]
fn operands_of_commutative_operators_have_one_order() {
    for op in [and, or, xor, add, mul, eq] {
        applies(ALL, |w| op(&x(w), &y(w)), |w| op(&y(w), &x(w)));
    }
}

#[test]
fn absorption() {
    applies(ALL, |w| and(&x(w), &and(&x(w), &y(w))), |w| and(&x(w), &y(w)));
    applies(ALL, |w| and(&x(w), &or(&y(w), &x(w))), x);
    applies(ALL, |w| or(&and(&x(w), &y(w)), &x(w)), x);
    applies(ALL, |w| and(&x(w), &and(&not(&x(w)), &y(w))), |w| k(w, 0));
    applies(ALL, |w| or(&x(w), &or(&not(&x(w)), &y(w))), |w| k(w, -1));
    applies(ALL, |w| and(&x(w), &or(&not(&x(w)), &y(w))), |w| and(&x(w), &y(w)));
    applies(ALL, |w| or(&x(w), &and(&not(&x(w)), &y(w))), |w| or(&x(w), &y(w)));
    stays(ALL, |w| and(&x(w), &or(&y(w), &z(w))));
}

#[test]
fn constants_of_chains_meet() {
    applies(WORDS, |w| xor(&xor(&x(w), &k(w, 5)), &k(w, 3)), |w| xor(&x(w), &k(w, 6)));
    applies(WORDS, |w| or(&or(&x(w), &k(w, 5)), &k(w, 2)), |w| or(&x(w), &k(w, 7)));
    applies(WORDS, |w| xor(&xor(&x(w), &y(w)), &y(w)), x);
    applies(WORDS, |w| xor(&not(&x(w)), &not(&y(w))), |w| xor(&x(w), &y(w)));
    stays(WORDS, |w| xor(&xor(&x(w), &y(w)), &z(w)));
}

#[test]
fn exclusive_or_of_truth_values_is_an_equality() {
    applies(&[1], |w| xor(&x(w), &y(w)), |w| not(&eq(&x(w), &y(w))));
    stays(WORDS, |w| xor(&x(w), &y(w)));
}

#[test]
fn masks_of_one_run_select_bits() {
    applies(WORDS, |w| and(&x(w), &k(w, 3)), |w| zext(&cut(&x(w), 0, 2), w));
    applies(WORDS, |w| and(&x(w), &k(w, 2)), |w| zext(&cat(&cut(&x(w), 1, 1), &k(1, 0)), w));
    applies(WORDS, |w| and(&x(w), &k(w, -2)), |w| cat(&cut(&x(w), 1, w - 1), &k(1, 0)));
    stays(WORDS, |w| and(&x(w), &k(w, 5)));
}

#[test]
fn facts_make_operands_superfluous() {
    applies(&[3, 4, 8], |w| and(&zext(&x(w), 2 * w), &k(2 * w, 0xff)), |w| zext(&x(w), 2 * w));
    applies(&[8], |w| or(&urem(&x(w), &k(w, 3)), &or(&y(w), &k(w, 3))), |w| or(&y(w), &k(w, 3)));
    stays(&[8], |w| or(&urem(&x(w), &k(w, 9)), &or(&y(w), &k(w, 3))));
}

#[test]
fn words_put_together_of_pieces_are_concatenations() {
    let wide = |w, a: &T| zext(a, 2 * w);
    applies(
        WORDS,
        |w| or(&shl(&wide(w, &x(w)), &k(2 * w, i64::from(w))), &wide(w, &y(w))),
        |w| cat(&x(w), &y(w)),
    );
    applies(
        WORDS,
        |w| xor(&cat(&x(w), &y(w)), &k(2 * w, 1)),
        |w| cat(&x(w), &xor(&y(w), &k(w, 1))),
    );
    stays(WORDS, |w| or(&cat(&x(w), &y(w)), &cat(&y(w), &z(w))));
}

#[test]
fn one_term_has_one_value() {
    let is = |w, value| eq(&x(w), &k(w, value));
    applies(WORDS, |w| and(&is(w, 1), &is(w, 2)), |_| k(1, 0));
    applies(WORDS, |w| and(&is(w, 1), &not(&is(w, 2))), |w| is(w, 1));
    stays(WORDS, |w| and(&not(&is(w, 1)), &not(&is(w, 2))));
}

#[test]
fn choices_that_are_decided() {
    applies(ALL, |w| ite(&k(1, 1), &x(w), &y(w)), x);
    applies(ALL, |w| ite(&k(1, 0), &x(w), &y(w)), y);
    applies(ALL, |w| ite(&flag(), &x(w), &x(w)), x);
    stays(ALL, |w| ite(&flag(), &x(w), &y(w)));
}

#[test]
fn choices_by_a_negated_or_repeated_condition() {
    applies(ALL, |w| ite(&not(&flag()), &x(w), &y(w)), |w| ite(&flag(), &y(w), &x(w)));
    let inner = |w| ite(&flag(), &x(w), &y(w));
    applies(WORDS, |w| ite(&flag(), &inner(w), &z(w)), |w| ite(&flag(), &x(w), &z(w)));
    applies(WORDS, |w| ite(&flag(), &z(w), &inner(w)), |w| ite(&flag(), &z(w), &y(w)));
}

#[test]
fn choices_between_flags_are_extensions() {
    applies(WORDS, |w| ite(&flag(), &k(w, 1), &k(w, 0)), |w| zext(&flag(), w));
    applies(WORDS, |w| ite(&flag(), &k(w, -1), &k(w, 0)), |w| sext(&flag(), w));
    applies(WORDS, |w| ite(&flag(), &k(w, 0), &k(w, 1)), |w| zext(&not(&flag()), w));
    applies(WORDS, |w| ite(&flag(), &k(w, 0), &k(w, -1)), |w| sext(&not(&flag()), w));
    stays(WORDS, |w| ite(&flag(), &k(w, 2), &k(w, 0)));
}

#[test]
fn choices_of_truth_values_are_connectives() {
    let (c, p) = (flag, || x(1));
    applies(&[1], |_| ite(&c(), &k(1, 1), &p()), |_| or(&c(), &p()));
    applies(&[1], |_| ite(&c(), &k(1, 0), &p()), |_| and(&not(&c()), &p()));
    applies(&[1], |_| ite(&c(), &p(), &k(1, 0)), |_| and(&c(), &p()));
    applies(&[1], |_| ite(&c(), &p(), &k(1, 1)), |_| or(&not(&c()), &p()));
    applies(&[1], |_| ite(&c(), &c(), &p()), |_| or(&c(), &p()));
    applies(&[1], |_| ite(&c(), &p(), &c()), |_| and(&c(), &p()));
    applies(&[1], |_| ite(&c(), &p(), &not(&p())), |_| eq(&c(), &p()));
}

#[test]
fn nested_choices_with_a_common_outcome_merge() {
    let d = || ult(&z(8), &k(8, 77));
    let both = |c: &T, d: &T| and(c, d);
    applies(
        &[8, 13, 100],
        |w| ite(&flag(), &ite(&d(), &x(w), &y(w)), &y(w)),
        |w| ite(&both(&flag(), &d()), &x(w), &y(w)),
    );
    applies(
        &[8, 13, 100],
        |w| ite(&flag(), &ite(&d(), &y(w), &x(w)), &y(w)),
        |w| ite(&both(&flag(), &not(&d())), &x(w), &y(w)),
    );
    applies(
        &[8, 13, 100],
        |w| ite(&flag(), &x(w), &ite(&d(), &x(w), &y(w))),
        |w| ite(&or(&flag(), &d()), &x(w), &y(w)),
    );
    stays(&[8, 13, 100], |w| ite(&flag(), &ite(&d(), &x(w), &y(w)), &z(w)));
}

#[test]
fn operators_on_choices_between_constants_fold() {
    let choice = |w| ite(&flag(), &k(w, 3), &k(w, 2));
    applies(WORDS, |w| add(&choice(w), &k(w, 1)), |w| ite(&flag(), &k(w, 4), &k(w, 3)));
    applies(WORDS, |w| and(&choice(w), &k(w, 1)), |w| zext(&flag(), w));
    applies(WORDS, |w| ult(&choice(w), &k(w, 3)), |_| not(&flag()));
    applies(WORDS, |w| eq(&choice(w), &k(w, 3)), |_| flag());
    applies(
        WORDS,
        |w| shl(&x(w), &choice(w)),
        |w| ite(&flag(), &shl(&x(w), &k(w, 3)), &shl(&x(w), &k(w, 2))),
    );
    stays(WORDS, |w| add(&choice(w), &x(w)));
}
