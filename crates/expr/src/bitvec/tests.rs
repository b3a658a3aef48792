//! Wide arithmetic against `u128`, and the corners of division and shifting.

use everett_base::rng::Rng;

use super::BitVec;
use crate::op::BinOp;

fn wide(width: u32, rng: &mut Rng) -> BitVec {
    let words: Vec<u64> = (0..width.div_ceil(64))
        .map(|_| match rng.below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => rng.below(4),
            _ => rng.next_u64(),
        })
        .collect();
    BitVec::from_words(width, &words)
}

#[test]
fn narrow_operators_agree_with_wide_ones() {
    let mut rng = Rng::new(1);
    for width in [1, 2, 7, 8, 13, 31, 32, 63, 64] {
        for _ in 0..500 {
            let (a, b) = (wide(width, &mut rng), wide(width, &mut rng));
            for op in BinOp::ALL {
                let narrow = op.apply(width, a.low_u64(), b.low_u64());
                let result = op.apply_wide(&a, &b);
                assert_eq!(result.to_u64(), Some(narrow), "{op:?} {a} {b}");
            }
        }
    }
}

#[test]
fn arithmetic_agrees_with_u128() {
    let mut rng = Rng::new(2);
    for _ in 0..2000 {
        let (a, b) = (wide(128, &mut rng), wide(128, &mut rng));
        let (x, y) = (a.low_u128(), b.low_u128());
        assert_eq!(a.add(&b).low_u128(), x.wrapping_add(y));
        assert_eq!(a.sub(&b).low_u128(), x.wrapping_sub(y));
        assert_eq!(a.mul(&b).low_u128(), x.wrapping_mul(y));
        assert_eq!(a.udiv(&b).low_u128(), x.checked_div(y).unwrap_or(u128::MAX));
        assert_eq!(a.urem(&b).low_u128(), x.checked_rem(y).unwrap_or(x));
        assert_eq!(a.ult(&b), x < y);
        assert_eq!(a.slt(&b), (x as i128) < (y as i128));
        if y != 0 {
            assert_eq!(a.sdiv(&b).low_u128(), (x as i128).wrapping_div(y as i128) as u128);
            assert_eq!(a.srem(&b).low_u128(), (x as i128).wrapping_rem(y as i128) as u128);
        }
        let by = rng.below(128) as u32;
        assert_eq!(a.shl_by(by).low_u128(), x << by);
        assert_eq!(a.lshr_by(by).low_u128(), x >> by);
        assert_eq!(a.ashr_by(by).low_u128(), ((x as i128) >> by) as u128);
        assert_eq!(a.rotate_left(by).low_u128(), x.rotate_left(by));
        assert_eq!(a.leading_zeros(), x.leading_zeros());
        assert_eq!(a.trailing_zeros(), x.trailing_zeros());
        assert_eq!(a.count_ones(), x.count_ones());
        assert_eq!(a.reverse_bits().low_u128(), x.reverse_bits());
        assert_eq!(a.swap_bytes().low_u128(), x.swap_bytes());
    }
}

#[test]
fn quotient_times_divisor_plus_remainder_is_the_dividend() {
    let mut rng = Rng::new(3);
    for width in [65, 100, 192, 257, 1024] {
        for _ in 0..300 {
            let (a, b) = (wide(width, &mut rng), wide(width, &mut rng));
            let b = b.lshr_by(rng.below(u64::from(width)) as u32);
            if b.is_zero() {
                continue;
            }
            let (q, r) = (a.udiv(&b), a.urem(&b));
            assert!(r.ult(&b));
            assert_eq!(q.mul(&b).add(&r), a);
        }
    }
}

#[test]
fn division_by_zero_follows_smt_lib() {
    let minus_five = BitVec::from_i64(100, -5);
    let zero = BitVec::zero(100);
    assert!(minus_five.udiv(&zero).is_ones());
    assert_eq!(minus_five.urem(&zero), minus_five);
    assert_eq!(minus_five.sdiv(&zero).to_u64(), Some(1));
    assert!(minus_five.neg().sdiv(&zero).is_ones());
    assert_eq!(minus_five.srem(&zero), minus_five);
}

#[test]
fn shifts_by_the_width_or_more_leave_zeros_or_signs() {
    let value = BitVec::from_i64(70, -2);
    let huge = BitVec::ones(70);
    assert!(value.shl(&huge).is_zero());
    assert!(value.lshr(&BitVec::from_u64(70, 70)).is_zero());
    assert!(value.ashr(&huge).is_ones());
}

#[test]
fn concat_then_extract_gives_the_parts() {
    let mut rng = Rng::new(4);
    for (high, low) in [(1, 1), (8, 64), (63, 65), (100, 30)] {
        let (a, b) = (wide(high, &mut rng), wide(low, &mut rng));
        let joined = a.concat(&b);
        assert_eq!(joined.extract(low, high), a);
        assert_eq!(joined.extract(0, low), b);
    }
}

#[test]
fn sign_extension_keeps_the_signed_value() {
    assert_eq!(BitVec::from_i64(7, -3).sext(100), BitVec::from_i64(100, -3));
    assert_eq!(BitVec::from_i64(7, 3).sext(100), BitVec::from_i64(100, 3));
}

#[test]
fn bytes_round_trip() {
    let value = BitVec::from_bytes_le(24, &[1, 2, 3]);
    assert_eq!(value.to_u64(), Some(0x030201));
    assert_eq!(value.to_bytes_le(), [1, 2, 3]);
    assert_eq!(value.to_string(), "0x30201:24");
}
