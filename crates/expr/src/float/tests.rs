//! Circuits, the host's arithmetic and that in software have one meaning, for every format; comparisons with
//! constants mean what they did before they were simplified.

use everett_base::FloatKind;
use everett_base::rng::Rng;

use super::{FloatOp, IntegerRounding, arithmetic, infinity, is_nan};
use crate::id::{TermId, VarId};
use crate::{BitVec, Pool, TermEvaluator};

/// A term of `width` bits over the bytes of a new symbol.
fn variable(pool: &Pool, name: &str, width: u32) -> TermId {
    let bytes = width.div_ceil(8);
    let symbol = pool.symbol(name, bytes);
    let whole =
        (1..bytes).fold(pool.byte(symbol, 0), |low, at| pool.concat(pool.byte(symbol, at), low));
    pool.extract(whole, 0, width)
}

/// A number of the format: a special one, one near a power of two, or any.
fn number(rng: &mut Rng, kind: FloatKind) -> u128 {
    let sign = u128::from(rng.below(2)) << (kind.bits() - 1);
    let fraction = kind.precision() - 1;
    let highest = 1 << fraction;
    let random = u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64());
    let below = match rng.below(5) {
        0 => 0,
        1 => highest - 1,
        2 => 1 << rng.below(fraction.into()),
        3 => random & (highest - 1) & !((1 << rng.below(fraction.into())) - 1),
        _ => random & (highest - 1),
    };
    let most = (1u128 << kind.exponent_bits()) - 1;
    let middle = most / 2;
    let field = match rng.below(6) {
        0 => 0,
        1 => most,
        2 => most - 1 - u128::from(rng.below(2)),
        3 => 1 + u128::from(rng.below(3)),
        4 => middle + u128::from(rng.below(2 * u64::from(fraction))) % (most - middle),
        _ => random >> 64 & most,
    };
    let below = match kind {
        FloatKind::X87 => u128::from(field != 0) << fraction | below,
        _ => below,
    };
    let stored = if kind == FloatKind::X87 { fraction + 1 } else { fraction };
    sign | field << stored | below
}

fn operators(kind: FloatKind) -> Vec<FloatOp> {
    use FloatOp::*;
    let mut all = vec![Add(kind), Sub(kind), Mul(kind), Div(kind), MulAdd(kind), Sqrt(kind)];
    all.extend([Equal(kind), Less(kind), LessOrEqual(kind)]);
    all.extend(IntegerRounding::ALL.map(|direction| Round(kind, direction)));
    all.extend(
        FloatKind::ALL
            .map(|to| Convert { from: kind, to })
            .into_iter()
            .filter(|op| !matches!(op, Convert { from, to } if from == to)),
    );
    for signed in [false, true] {
        all.extend([FromInt { to: kind, signed }, ToInt { from: kind, signed }]);
    }
    all
}

/// Widths of integers that an operator is tried with, or of its result.
fn widths(op: FloatOp) -> &'static [u32] {
    match op {
        FloatOp::FromInt { .. } | FloatOp::ToInt { .. } => &[1, 8, 16, 32, 64, 128],
        _ => &[0],
    }
}

/// Calls `check` with a circuit, its operands as terms, and many values for them.
fn for_each_sample(
    kind: FloatKind,
    samples: u64,
    check: impl Fn(FloatOp, &BitVec, &BitVec, &[u128]),
) {
    let mut rng = Rng::new(7 + kind as u64);
    for op in operators(kind) {
        for &int_width in widths(op) {
            let pool = Pool::new();
            let from_int = matches!(op, FloatOp::FromInt { .. });
            let first = if from_int { int_width } else { kind.bits() };
            let width = op.result_width().unwrap_or(int_width);
            let terms = ["a", "b", "c"].map(|name| {
                let own = if name == "a" { first } else { kind.bits() };
                variable(&pool, name, own)
            });
            let (a, b) = match op {
                FloatOp::MulAdd(_) => (pool.concat(terms[0], terms[1]), Some(terms[2])),
                _ => (terms[0], op.is_binary().then_some(terms[1])),
            };
            let node = pool.raw_float(op, width, a, b);
            let circuit = pool.float_circuit(node);
            for _ in 0..samples / widths(op).len() as u64 {
                let mut values: [u128; 3] = std::array::from_fn(|_| number(&mut rng, kind));
                if rng.below(8) == 0 {
                    values[1] = values[0] ^ u128::from(rng.below(4));
                }
                if from_int {
                    let shift = rng.below(u64::from(int_width));
                    values[0] =
                        number(&mut rng, FloatKind::F128) & u128::MAX >> (128 - int_width) >> shift;
                }
                let operands: Vec<BitVec> = values
                    .iter()
                    .zip(&terms)
                    .map(|(&value, &term)| BitVec::from_u128(pool.width(term), value))
                    .collect();
                let byte = |var: VarId| {
                    let (symbol, at) = pool.var_owner(var);
                    let which = (pool.symbol_name(symbol).as_bytes()[0] - b'a') as usize;
                    (values[which] >> (8 * at)) as u8
                };
                let mut evaluator = TermEvaluator::new(&pool, &byte);
                let (value, spelled_out) = (evaluator.eval(node), evaluator.eval(circuit));
                assert_eq!(value, spelled_out, "{op:?} of {operands:x?}");
                check(op, &value, &operands[0], &values);
            }
        }
    }
}

#[test]
fn circuits_of_small_formats_compute_what_operators_do() {
    for kind in [FloatKind::Half, FloatKind::BFloat] {
        for_each_sample(kind, 1000, |_, _, _, _| {});
    }
}

#[test]
fn circuits_of_float_and_double_compute_what_the_host_and_software_do() {
    for kind in [FloatKind::F32, FloatKind::F64] {
        for_each_sample(kind, 800, |op, value, first, values| {
            let width = value.width();
            let software = arithmetic::value(op, width, first.width(), values);
            assert_eq!(*value, BitVec::from_u128(width, software), "{op:?} of {values:x?}");
        });
    }
}

#[test]
fn circuits_of_wide_formats_compute_what_operators_do() {
    for kind in [FloatKind::X87, FloatKind::F128] {
        for_each_sample(kind, 200, |_, _, _, _| {});
    }
}

/// Every number with 16 bits through every operator on one.
#[test]
fn all_numbers_of_half_precision_go_through_all_unary_circuits() {
    let kind = FloatKind::Half;
    for op in operators(kind).into_iter().filter(|op| !op.is_binary()) {
        let pool = Pool::new();
        let number = variable(&pool, "a", 16);
        let width = op.result_width().unwrap_or(9);
        let node = pool.raw_float(op, width, number, None);
        let circuit = pool.float_circuit(node);
        for bits in 0..=u16::MAX {
            let byte = |var: VarId| bits.to_le_bytes()[var.index()];
            let mut evaluator = TermEvaluator::new(&pool, &byte);
            assert_eq!(evaluator.eval(node), evaluator.eval(circuit), "{op:?} of {bits:#x}");
        }
    }
}

/// Random chains of operators with constants, compared with a constant: for all values of the leaf.
#[test]
fn comparisons_with_constants_become_thresholds() {
    let mut rng = Rng::new(3);
    let mut simplified = 0;
    for round in 0..120 {
        let pool = Pool::new();
        let kind = [FloatKind::Half, FloatKind::BFloat][round % 2];
        let leaf = variable(&pool, "a", 16);
        let mut term = leaf;
        if rng.below(2) == 0 {
            let op = FloatOp::FromInt { to: kind, signed: rng.below(2) == 0 };
            term = pool.float(op, 16, leaf, None);
        }
        for _ in 0..1 + rng.below(3) {
            let constant = number(&mut rng, kind);
            let constant = pool.big_constant(&BitVec::from_u128(16, constant));
            let op =
                [FloatOp::Add(kind), FloatOp::Sub(kind), FloatOp::Mul(kind), FloatOp::Div(kind)]
                    [rng.below(4) as usize];
            let (a, b) = if rng.below(2) == 0 { (term, constant) } else { (constant, term) };
            term = pool.float(op, 16, a, Some(b));
        }
        let known = pool.big_constant(&BitVec::from_u128(16, number(&mut rng, kind)));
        let op = [FloatOp::Less(kind), FloatOp::LessOrEqual(kind), FloatOp::Equal(kind)]
            [rng.below(3) as usize];
        let (a, b) = if rng.below(2) == 0 { (term, known) } else { (known, term) };
        let (plain, result) = (pool.raw_float(op, 1, a, Some(b)), pool.float(op, 1, a, Some(b)));
        simplified += u32::from(plain != result);
        for bits in 0..=u16::MAX {
            let byte = |var: VarId| bits.to_le_bytes()[var.index()];
            assert_eq!(
                pool.eval_bool(plain, &byte),
                pool.eval_bool(result, &byte),
                "{} became {} at {bits:#x}",
                pool.display(plain),
                pool.display(result)
            );
        }
    }
    assert!(simplified > 40, "{simplified} comparisons were simplified");
}

#[test]
fn the_average_of_an_integer_is_compared_as_an_integer() {
    let pool = Pool::new();
    let kind = FloatKind::F64;
    let n = variable(&pool, "a", 32);
    let number = pool.float(FloatOp::FromInt { to: kind, signed: true }, 64, n, None);
    let of = |value: f64| pool.constant(64, value.to_bits());
    let average = pool.float(FloatOp::Div(kind), 64, number, Some(of(3.0)));
    let more = pool.float(FloatOp::Less(kind), 1, of(2.5), Some(average));
    assert_eq!(more, pool.not(pool.slt(n, pool.constant(32, 8))));
    let same = pool.float(FloatOp::Equal(kind), 1, average, Some(of(0.1)));
    assert_eq!(same, pool.bool(false));
    let back = pool.float(FloatOp::ToInt { from: kind, signed: true }, 64, number, None);
    assert_eq!(back, pool.sext(n, 64));
}

#[test]
fn codes_are_those_of_their_operators() {
    for op in FloatKind::ALL.into_iter().flat_map(operators) {
        assert_eq!(FloatOp::from_code(op.code()), Some(op));
    }
    assert_eq!(FloatOp::from_code(13), None);
    assert_eq!(FloatOp::from_code(6 | 5 << 8), None);
}

/// What the instructions of x86-64 give for a NaN and for an invalid operation.
#[test]
fn a_nan_keeps_its_payload() {
    let add = |a: u64, b: u64| FloatOp::Add(FloatKind::F64).apply(64, 64, a, b);
    let one = 1f64.to_bits();
    assert_eq!(add(0x7ff0_0000_0000_0001, one), 0x7ff8_0000_0000_0001);
    assert_eq!(add(one, 0xfff8_0000_0000_0002), 0xfff8_0000_0000_0002);
    let infinite = infinity(FloatKind::F64) as u64;
    assert_eq!(add(infinite, infinite | 1 << 63), 0xfff8_0000_0000_0000);
    let narrow = FloatOp::Convert { from: FloatKind::F64, to: FloatKind::F32 };
    assert_eq!(narrow.apply(32, 64, 0x7ff4_0000_2000_0000, 0), 0x7fe0_0001);
    assert!(is_nan(FloatKind::X87, 1 << 64));
}
