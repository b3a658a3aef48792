//! Rules of `rules/compare.rs` and `rules/compare/equality.rs`.

use super::*;

const MIXED: &[u32] = &[3, 4, 8, 13, 32];

fn least(w: u32) -> T {
    Rc::new(TermTree::Const(BitVec::from_u64(w, 1).shl_by(w - 1)))
}

fn most(w: u32) -> T {
    Rc::new(TermTree::Const(BitVec::ones(w).lshr_by(1)))
}

#[test]
fn equality_of_one_term_with_itself() {
    applies(ALL, |w| eq(&x(w), &x(w)), |_| k(1, 1));
    applies(ALL, |w| eq(&x(w), &not(&x(w))), |_| k(1, 0));
    stays(ALL, |w| eq(&x(w), &y(w)));
}

#[test]
fn equality_of_truth_values() {
    applies(&[1], |w| eq(&x(w), &k(1, 1)), x);
    applies(&[1], |w| eq(&x(w), &k(1, 0)), |w| not(&x(w)));
    applies(&[1], |w| eq(&not(&x(w)), &not(&y(w))), |w| eq(&x(w), &y(w)));
    applies(&[1], |w| eq(&not(&x(w)), &y(w)), |w| not(&eq(&x(w), &y(w))));
}

#[test]
fn equations_with_constants_are_solved() {
    applies(WORDS, |w| eq(&not(&x(w)), &k(w, 2)), |w| eq(&x(w), &k(w, -3)));
    applies(WORDS, |w| eq(&neg(&x(w)), &k(w, 2)), |w| eq(&x(w), &k(w, -2)));
    applies(WORDS, |w| eq(&add(&x(w), &k(w, 3)), &k(w, 2)), |w| eq(&x(w), &k(w, -1)));
    applies(WORDS, |w| eq(&xor(&x(w), &k(w, 3)), &k(w, 2)), |w| eq(&x(w), &k(w, 1)));
    applies(
        &[3, 4, 8, 13, 32, 64],
        |w| eq(&mul(&x(w), &k(w, 3)), &k(w, 9)),
        |w| eq(&x(w), &k(w, 3)),
    );
    applies(WORDS, |w| eq(&sub(&x(w), &y(w)), &k(w, 0)), |w| eq(&x(w), &y(w)));
    applies(WORDS, |w| eq(&xor(&x(w), &y(w)), &k(w, 0)), |w| eq(&x(w), &y(w)));
    stays(WORDS, |w| eq(&sub(&x(w), &y(w)), &k(w, 1)));
    stays(WORDS, |w| eq(&mul(&x(w), &k(w, 6)), &k(w, 2)));
}

#[test]
fn equations_with_constants_split() {
    let is = |a: T, value| eq(&a, &k(a.width(), value));
    applies(WORDS, |w| is(or(&x(w), &y(w)), 0), |w| and(&is(x(w), 0), &is(y(w), 0)));
    applies(WORDS, |w| is(and(&x(w), &y(w)), -1), |w| and(&is(x(w), -1), &is(y(w), -1)));
    applies(WORDS, |w| is(cat(&x(w), &y(w)), 2), |w| and(&is(x(w), 0), &is(y(w), 2)));
    stays(WORDS, |w| is(or(&x(w), &y(w)), 1));
}

#[test]
fn equations_of_extensions_narrow() {
    applies(WORDS, |w| eq(&zext(&x(w), 2 * w), &k(2 * w, 2)), |w| eq(&x(w), &k(w, 2)));
    applies(WORDS, |w| eq(&zext(&x(w), 2 * w), &k(2 * w, -1)), |_| k(1, 0));
    applies(WORDS, |w| eq(&sext(&x(w), 2 * w), &k(2 * w, -2)), |w| eq(&x(w), &k(w, -2)));
    applies(&[3, 4, 8, 13, 32], |w| eq(&sext(&x(w), 2 * w), &k(2 * w, 1 << (w - 1))), |_| k(1, 0));
    applies(WORDS, |w| eq(&zext(&x(w), 2 * w), &zext(&y(w), 2 * w)), |w| eq(&x(w), &y(w)));
    applies(WORDS, |w| eq(&sext(&x(w), 2 * w), &sext(&y(w), 2 * w)), |w| eq(&x(w), &y(w)));
    applies(
        WORDS,
        |w| eq(&zext(&flag(), 2 * w), &zext(&y(w), 2 * w)),
        |w| eq(&zext(&flag(), w), &y(w)),
    );
    stays(WORDS, |w| eq(&zext(&x(w), 2 * w), &sext(&y(w), 2 * w)));
}

#[test]
fn equations_of_choices() {
    let is = |a: T, value| eq(&a, &k(a.width(), value));
    applies(WORDS, |w| is(ite(&flag(), &k(w, 1), &x(w)), 1), |w| or(&flag(), &is(x(w), 1)));
    applies(WORDS, |w| is(ite(&flag(), &k(w, 2), &x(w)), 1), |w| and(&not(&flag()), &is(x(w), 1)));
    applies(WORDS, |w| is(ite(&flag(), &x(w), &k(w, 2)), 1), |w| and(&flag(), &is(x(w), 1)));
    applies(WORDS, |w| is(ite(&flag(), &x(w), &k(w, 1)), 1), |w| or(&not(&flag()), &is(x(w), 1)));
    applies(WORDS, |w| eq(&ite(&flag(), &x(w), &y(w)), &x(w)), |w| or(&flag(), &eq(&x(w), &y(w))));
    stays(WORDS, |w| is(ite(&flag(), &x(w), &y(w)), 1));
}

#[test]
fn equations_of_differences_behind_a_comparison() {
    let is = |a: T, value| eq(&a, &k(a.width(), value));
    let wide = |a: &T| zext(a, 2 * a.width());
    let difference = |w| sub(&wide(&x(w)), &wide(&y(w)));
    let same = |w| eq(&x(w), &y(w));
    applies(
        WORDS,
        |w| is(ite(&same(w), &wide(&z(w)), &difference(w)), 0),
        |w| and(&same(w), &is(z(w), 0)),
    );
    applies(
        WORDS,
        |w| is(ite(&not(&same(w)), &difference(w), &wide(&z(w))), 0),
        |w| and(&same(w), &is(z(w), 0)),
    );
    stays(WORDS, |w| is(ite(&same(w), &wide(&z(w)), &difference(w)), 1));
}

#[test]
fn equations_of_terms_cancel() {
    applies(WORDS, |w| eq(&add(&x(w), &y(w)), &x(w)), |w| eq(&y(w), &k(w, 0)));
    applies(WORDS, |w| eq(&xor(&x(w), &y(w)), &y(w)), |w| eq(&x(w), &k(w, 0)));
    applies(WORDS, |w| eq(&sub(&x(w), &y(w)), &x(w)), |w| eq(&y(w), &k(w, 0)));
    applies(WORDS, |w| eq(&add(&x(w), &z(w)), &add(&z(w), &y(w))), |w| eq(&x(w), &y(w)));
    applies(WORDS, |w| eq(&add(&x(w), &k(w, 1)), &add(&x(w), &k(w, 2))), |_| k(1, 0));
    applies(WORDS, |w| eq(&neg(&x(w)), &neg(&y(w))), |w| eq(&x(w), &y(w)));
    applies(WORDS, |w| eq(&cat(&x(w), &y(w)), &cat(&z(w), &y(w))), |w| eq(&x(w), &z(w)));
    applies(
        WORDS,
        |w| eq(&cat(&x(w), &y(w)), &zext(&z(w), 2 * w)),
        |w| and(&eq(&x(w), &k(w, 0)), &eq(&y(w), &z(w))),
    );
    stays(WORDS, |w| eq(&add(&x(w), &y(w)), &z(w)));
}

#[test]
fn facts_exclude_equality() {
    applies(MIXED, |w| eq(&urem(&x(w), &k(w, 3)), &k(w, 3)), |_| k(1, 0));
    applies(
        MIXED,
        |w| eq(&or(&x(w), &k(w, 1)), &cat(&cut(&y(w), 1, w - 1), &k(1, 0))),
        |_| k(1, 0),
    );
    stays(MIXED, |w| eq(&urem(&x(w), &k(w, 3)), &k(w, 2)));
}

#[test]
fn unsigned_comparison_at_the_ends() {
    applies(ALL, |w| ult(&x(w), &x(w)), |_| k(1, 0));
    applies(ALL, |w| ult(&x(w), &k(w, 0)), |_| k(1, 0));
    applies(ALL, |w| ult(&k(w, -1), &x(w)), |_| k(1, 0));
    applies(ALL, |w| ult(&x(w), &k(w, 1)), |w| eq(&x(w), &k(w, 0)));
    applies(ALL, |w| ult(&k(w, 0), &x(w)), |w| not(&eq(&x(w), &k(w, 0))));
    applies(ALL, |w| ult(&x(w), &k(w, -1)), |w| not(&eq(&x(w), &k(w, -1))));
    applies(&[3, 4, 8, 13, 32, 64], |w| ult(&k(w, -2), &x(w)), |w| eq(&x(w), &k(w, -1)));
    applies(&[1], |w| ult(&x(w), &y(w)), |w| and(&not(&x(w)), &y(w)));
    stays(WORDS, |w| ult(&x(w), &k(w, 2)));
    stays(WORDS, |w| ult(&x(w), &y(w)));
}

#[test]
fn ranges_decide_unsigned_comparisons() {
    let rest = |w| urem(&x(w), &k(w, 3));
    applies(MIXED, |w| ult(&rest(w), &k(w, 3)), |_| k(1, 1));
    applies(MIXED, |w| ult(&k(w, 2), &rest(w)), |_| k(1, 0));
    applies(MIXED, |w| ult(&rest(w), &k(w, 2)), |w| not(&eq(&rest(w), &k(w, 2))));
    applies(MIXED, |w| ult(&k(w, 1), &rest(w)), |w| eq(&rest(w), &k(w, 2)));
    let odd = |w| add(&urem(&x(w), &k(w, 3)), &k(w, 2));
    applies(MIXED, |w| ult(&odd(w), &k(w, 3)), |w| eq(&odd(w), &k(w, 2)));
    applies(MIXED, |w| ult(&k(w, 2), &odd(w)), |w| not(&eq(&odd(w), &k(w, 2))));
    stays(&[4, 8, 13], |w| ult(&urem(&x(w), &k(w, 5)), &k(w, 3)));
}

#[test]
fn unsigned_comparison_strips_common_parts() {
    applies(WORDS, |w| ult(&not(&x(w)), &not(&y(w))), |w| ult(&y(w), &x(w)));
    applies(WORDS, |w| ult(&not(&x(w)), &k(w, 2)), |w| ult(&k(w, -3), &x(w)));
    applies(WORDS, |w| ult(&k(w, 2), &not(&x(w))), |w| ult(&x(w), &k(w, -3)));
    applies(WORDS, |w| ult(&zext(&x(w), 2 * w), &zext(&y(w), 2 * w)), |w| ult(&x(w), &y(w)));
    applies(WORDS, |w| ult(&sext(&x(w), 2 * w), &sext(&y(w), 2 * w)), |w| ult(&x(w), &y(w)));
    applies(WORDS, |w| ult(&zext(&x(w), 2 * w), &k(2 * w, 2)), |w| ult(&x(w), &k(w, 2)));
    applies(WORDS, |w| ult(&zext(&x(w), 2 * w), &k(2 * w, -1)), |_| k(1, 1));
    applies(WORDS, |w| ult(&k(2 * w, 2), &zext(&x(w), 2 * w)), |w| ult(&k(w, 2), &x(w)));
    applies(WORDS, |w| ult(&k(2 * w, -2), &zext(&x(w), 2 * w)), |_| k(1, 0));
    stays(WORDS, |w| ult(&zext(&x(w), 2 * w), &sext(&y(w), 2 * w)));
}

#[test]
fn comparison_of_concatenations() {
    for less in [ult, slt] {
        applies(WORDS, |w| less(&cat(&x(w), &y(w)), &cat(&x(w), &z(w))), |w| ult(&y(w), &z(w)));
        applies(WORDS, |w| less(&cat(&x(w), &z(w)), &cat(&y(w), &z(w))), |w| less(&x(w), &y(w)));
        applies(
            WORDS,
            |w| less(&cat(&x(w), &y(w)), &cat(&k(w, 2), &k(w, 0))),
            |w| less(&x(w), &k(w, 2)),
        );
        applies(
            WORDS,
            |w| less(&cat(&k(w, 2), &k(w, -1)), &cat(&x(w), &y(w))),
            |w| less(&k(w, 2), &x(w)),
        );
        stays(WORDS, |w| less(&cat(&x(w), &y(w)), &cat(&y(w), &z(w))));
        stays(WORDS, |w| less(&cat(&x(w), &y(w)), &cat(&k(w, 2), &k(w, 1))));
    }
}

#[test]
fn signed_comparison_at_the_ends() {
    applies(ALL, |w| slt(&x(w), &x(w)), |_| k(1, 0));
    applies(WORDS, |w| slt(&x(w), &k(w, 0)), |w| cut(&x(w), w - 1, 1));
    applies(WORDS, |w| slt(&k(w, -1), &x(w)), |w| not(&cut(&x(w), w - 1, 1)));
    applies(WORDS, |w| slt(&x(w), &least(w)), |_| k(1, 0));
    applies(WORDS, |w| slt(&most(w), &x(w)), |_| k(1, 0));
    applies(WORDS, |w| slt(&x(w), &most(w)), |w| not(&eq(&x(w), &most(w))));
    applies(WORDS, |w| slt(&least(w), &x(w)), |w| not(&eq(&x(w), &least(w))));
    applies(WORDS, |w| slt(&x(w), &add(&least(w), &k(w, 1))), |w| eq(&x(w), &least(w)));
    applies(WORDS, |w| slt(&sub(&most(w), &k(w, 1)), &x(w)), |w| eq(&x(w), &most(w)));
    applies(&[1], |w| slt(&x(w), &y(w)), |w| and(&x(w), &not(&y(w))));
    stays(WORDS, |w| slt(&x(w), &y(w)));
    stays(WORDS, |w| slt(&x(w), &k(w, 2)));
}

#[test]
fn known_signs_make_signed_comparisons_unsigned() {
    let wide = |w, a: T| zext(&a, 2 * w);
    applies(WORDS, |w| slt(&wide(w, x(w)), &wide(w, y(w))), |w| ult(&x(w), &y(w)));
    applies(WORDS, |w| slt(&wide(w, x(w)), &k(2 * w, -5)), |_| k(1, 0));
    applies(WORDS, |w| slt(&k(2 * w, -5), &wide(w, x(w))), |_| k(1, 1));
}

#[test]
fn signed_comparison_strips_common_parts() {
    applies(WORDS, |w| slt(&not(&x(w)), &not(&y(w))), |w| slt(&y(w), &x(w)));
    applies(WORDS, |w| slt(&not(&x(w)), &k(w, 2)), |w| slt(&k(w, -3), &x(w)));
    applies(WORDS, |w| slt(&k(w, 2), &not(&x(w))), |w| slt(&x(w), &k(w, -3)));
    applies(WORDS, |w| slt(&sext(&x(w), 2 * w), &sext(&y(w), 2 * w)), |w| slt(&x(w), &y(w)));
    applies(WORDS, |w| slt(&sext(&x(w), 2 * w), &k(2 * w, -2)), |w| slt(&x(w), &k(w, -2)));
    applies(WORDS, |w| slt(&k(2 * w, -2), &sext(&x(w), 2 * w)), |w| slt(&k(w, -2), &x(w)));
    applies(&[3, 4, 8, 13], |w| slt(&sext(&x(w), 2 * w), &k(2 * w, 1 << w)), |_| k(1, 1));
    applies(&[3, 4, 8, 13], |w| slt(&k(2 * w, 1 << w), &sext(&x(w), 2 * w)), |_| k(1, 0));
    applies(
        WORDS,
        |w| slt(&sext(&x(w), 3 * w), &zext(&y(w), 3 * w)),
        |w| slt(&sext(&x(w), w + 1), &zext(&y(w), w + 1)),
    );
    stays(WORDS, |w| slt(&sext(&x(w), 2 * w), &y(2 * w)));
}
