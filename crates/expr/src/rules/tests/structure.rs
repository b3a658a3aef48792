//! Rules of `rules/structure.rs`.

use super::*;

#[test]
fn concatenations_lean_to_the_right() {
    applies(ALL, |w| cat(&cat(&x(w), &y(w)), &z(w)), |w| cat(&x(w), &cat(&y(w), &z(w))));
    stays(ALL, |w| cat(&x(w), &y(w)));
}

#[test]
fn extensions_move_out_of_concatenations() {
    applies(ALL, |w| cat(&k(w, 0), &x(w)), |w| zext(&x(w), 2 * w));
    applies(ALL, |w| cat(&zext(&x(w), 2 * w), &y(w)), |w| zext(&cat(&x(w), &y(w)), 3 * w));
    applies(ALL, |w| cat(&sext(&x(w), 2 * w), &y(w)), |w| sext(&cat(&x(w), &y(w)), 3 * w));
    stays(ALL, |w| cat(&x(w), &k(w, 0)));
}

#[test]
fn neighbouring_constants_join() {
    applies(
        ALL,
        |w| cat(&k(w, 1), &cat(&k(w, -1), &x(w))),
        |w| cat(&cat(&k(w, 1), &k(w, -1)), &x(w)),
    );
    applies(ALL, |w| cat(&k(w, 1), &zext(&x(w), 2 * w)), |w| cat(&cat(&k(w, 1), &k(w, 0)), &x(w)));
    stays(ALL, |w| cat(&x(w), &zext(&y(w), 2 * w)));
}

#[test]
fn neighbouring_pieces_join() {
    applies(WORDS, |w| cat(&cut(&x(w), 1, w - 1), &cut(&x(w), 0, 1)), x);
    applies(
        WORDS,
        |w| cat(&cut(&x(w), 2, 1), &cat(&cut(&x(w), 1, 1), &y(w))),
        |w| cat(&cut(&x(w), 1, 2), &y(w)),
    );
    stays(WORDS, |w| cat(&cut(&x(w), 0, 1), &cut(&x(w), 1, 1)));
    stays(WORDS, |w| cat(&cut(&x(w), 1, 1), &cut(&y(w), 0, 1)));
}

#[test]
fn words_taken_apart_and_put_together_come_back() {
    let words: [fn(u32) -> T; 6] = [
        |w| add(&zext(&x(w), 2 * w), &zext(&y(w), 2 * w)),
        |w| sext(&x(w), 2 * w),
        |w| zext(&x(w), 2 * w),
        |w| mul(&zext(&x(w), 2 * w), &y(2 * w)),
        |w| ite(&flag(), &x(2 * w), &y(2 * w)),
        |w| sub(&k(2 * w, 3), &sext(&x(w), 2 * w)),
    ];
    for word in words {
        applies(&[4, 8, 13, 32], |w| cat(&cut(&word(w), w, w), &cut(&word(w), 0, w)), word);
        let thirds = |w: u32| {
            let (third, word) = (2 * w / 3, word(w));
            let high = cut(&word, 2 * third, 2 * w - 2 * third);
            cat(&high, &cat(&cut(&word, third, third), &cut(&word, 0, third)))
        };
        applies(&[4, 8, 13, 32], thirds, word);
    }
}

#[test]
fn extensions_move_into_sums_that_do_not_overflow() {
    for op in [add, mul] {
        applies(
            &[4, 8, 13],
            |w| zext(&op(&zext(&x(w), 2 * w), &zext(&y(w), 2 * w)), 3 * w),
            |w| op(&zext(&x(w), 3 * w), &zext(&y(w), 3 * w)),
        );
        stays(&[4, 8, 13], |w| zext(&op(&x(w), &y(w)), 3 * w));
        stays(&[4, 8, 13], |w| zext(&op(&zext(&x(w), w + 1), &k(w + 1, -3)), 3 * w));
    }
}

#[test]
fn copies_of_the_sign_are_an_extension() {
    applies(WORDS, |w| cat(&cut(&x(w), w - 1, 1), &x(w)), |w| sext(&x(w), w + 1));
    applies(WORDS, |w| cat(&sext(&cut(&x(w), w - 1, 1), w), &x(w)), |w| sext(&x(w), 2 * w));
    stays(WORDS, |w| cat(&cut(&x(w), w - 2, 1), &x(w)));
}

#[test]
fn neighbouring_choices_join() {
    let choice = |a: T, b: T| ite(&flag(), &a, &b);
    applies(
        WORDS,
        |w| cat(&choice(x(w), y(w)), &choice(y(w), z(w))),
        |w| choice(cat(&x(w), &y(w)), cat(&y(w), &z(w))),
    );
    applies(
        WORDS,
        |w| cat(&k(w, 1), &choice(k(w, 2), k(w, 3))),
        |w| choice(cat(&k(w, 1), &k(w, 2)), cat(&k(w, 1), &k(w, 3))),
    );
    stays(WORDS, |w| cat(&x(w), &choice(k(w, 2), k(w, 3))));
}

#[test]
fn extracts_of_pieces() {
    applies(WORDS, |w| cut(&cut(&x(w), 1, w - 1), 1, 1), |w| cut(&x(w), 2, 1));
    applies(WORDS, |w| cut(&cat(&x(w), &y(w)), 1, 2), |w| cut(&y(w), 1, 2));
    applies(WORDS, |w| cut(&cat(&x(w), &y(w)), w + 1, 2), |w| cut(&x(w), 1, 2));
    applies(
        WORDS,
        |w| cut(&cat(&x(w), &y(w)), 1, w),
        |w| cat(&cut(&x(w), 0, 1), &cut(&y(w), 1, w - 1)),
    );
    stays(WORDS, |w| cut(&x(w), 1, 2));
}

#[test]
fn extracts_of_extensions() {
    applies(WORDS, |w| cut(&zext(&x(w), 2 * w), 1, 2), |w| cut(&x(w), 1, 2));
    applies(WORDS, |w| cut(&zext(&x(w), 2 * w), w, w), |w| k(w, 0));
    applies(WORDS, |w| cut(&zext(&x(w), 2 * w), 1, w + 1), |w| zext(&cut(&x(w), 1, w - 1), w + 1));
    applies(WORDS, |w| cut(&sext(&x(w), 2 * w), 1, 2), |w| cut(&x(w), 1, 2));
    applies(WORDS, |w| cut(&sext(&x(w), 2 * w), w, w), |w| sext(&cut(&x(w), w - 1, 1), w));
    applies(WORDS, |w| cut(&sext(&x(w), 2 * w), 1, w + 1), |w| sext(&cut(&x(w), 1, w - 1), w + 1));
}

#[test]
fn extracts_move_into_bitwise_operations() {
    applies(WORDS, |w| cut(&not(&x(w)), 1, 2), |w| not(&cut(&x(w), 1, 2)));
    for op in [and, or, xor] {
        applies(
            WORDS,
            |w| cut(&op(&x(w), &y(w)), 1, 2),
            |w| op(&cut(&x(w), 1, 2), &cut(&y(w), 1, 2)),
        );
    }
}

#[test]
fn extracts_narrow_arithmetic_on_extensions() {
    for op in [add, sub, mul] {
        applies(
            WORDS,
            |w| cut(&op(&zext(&x(w), 2 * w), &sext(&y(w), 2 * w)), 0, w),
            |w| op(&x(w), &y(w)),
        );
        stays(&[4, 13], |w| cut(&op(&x(2 * w), &y(2 * w)), 0, w));
        stays(WORDS, |w| cut(&op(&zext(&x(w), 2 * w), &y(2 * w)), 1, w));
    }
    applies(WORDS, |w| cut(&neg(&zext(&x(w), 2 * w)), 0, w), |w| neg(&x(w)));
    stays(&[8], |w| cut(&neg(&x(w)), 0, w - 1));
}

#[test]
fn extracts_of_choices() {
    let word = |a: T| cat(&a, &a);
    applies(
        WORDS,
        |w| cut(&ite(&flag(), &word(x(w)), &k(2 * w, 3)), 0, w),
        |w| ite(&flag(), &x(w), &k(w, 3)),
    );
    stays(&[13, 32], |w| cut(&ite(&flag(), &x(w), &y(w)), 1, 2));
}

#[test]
fn extensions_of_extensions_and_choices() {
    applies(ALL, |w| zext(&zext(&x(w), 2 * w), 3 * w), |w| zext(&x(w), 3 * w));
    applies(ALL, |w| sext(&sext(&x(w), 2 * w), 3 * w), |w| sext(&x(w), 3 * w));
    applies(ALL, |w| sext(&zext(&x(w), 2 * w), 3 * w), |w| zext(&x(w), 3 * w));
    applies(
        &[3, 4, 8, 13, 32, 64],
        |w| sext(&or(&x(w), &least(w)), 2 * w),
        |w| cat(&k(w, -1), &or(&x(w), &least(w))),
    );
    let choice = |w, n| ite(&flag(), &k(n, 2), &k(n, if w > 3 { 3 } else { 1 }));
    applies(WORDS, |w| zext(&choice(w, w), 2 * w), |w| choice(w, 2 * w));
    stays(ALL, |w| zext(&x(w), 2 * w));
    stays(ALL, |w| sext(&x(w), 2 * w));
    stays(ALL, |w| zext(&sext(&x(w), 2 * w), 3 * w));
}

fn least(w: u32) -> T {
    Rc::new(TermTree::Const(BitVec::from_u64(w, 1).shl_by(w - 1)))
}
