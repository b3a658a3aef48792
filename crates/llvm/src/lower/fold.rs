//! Arithmetic on constants, done now where no address takes part.

use everett_ir::{Const, ConstExpr, ConstOp};

/// The low `width` bits.
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// `a op b` in `width` bits, at most 64.
pub(crate) fn binary(op: ConstOp, width: u32, a: Const, b: Const) -> Const {
    match (op, &a, &b) {
        (_, Const::Int(_), Const::Int(_)) => {
            let expr = ConstExpr { op, width: width as u8, a, b };
            Const::Int(Const::Expr(Box::new(expr)).resolve(&|_| 0))
        }
        (ConstOp::Add, Const::Global { global, offset }, Const::Int(number))
        | (ConstOp::Add, Const::Int(number), Const::Global { global, offset })
            if width == 64 =>
        {
            Const::Global { global: *global, offset: offset.wrapping_add(*number as i64) }
        }
        (ConstOp::Sub, Const::Global { global, offset }, Const::Int(number)) if width == 64 => {
            Const::Global { global: *global, offset: offset.wrapping_sub(*number as i64) }
        }
        (
            ConstOp::Sub,
            Const::Global { global: g1, offset: o1 },
            Const::Global { global: g2, offset: o2 },
        ) if g1 == g2 => Const::Int(o1.wrapping_sub(*o2) as u64 & mask(width)),
        (ConstOp::Add | ConstOp::Sub, _, Const::Int(0)) if width == 64 => a,
        (ConstOp::Mul, _, Const::Int(1)) if width == 64 => a,
        _ => Const::Expr(Box::new(ConstExpr { op, width: width as u8, a, b })),
    }
}

/// The low `width` bits of a word.
pub(crate) fn truncate(width: u32, word: Const) -> Const {
    match word {
        Const::Int(number) => Const::Int(number & mask(width)),
        a if width >= 64 => a,
        a => {
            let b = Const::Int(0);
            Const::Expr(Box::new(ConstExpr { op: ConstOp::Trunc, width: width as u8, a, b }))
        }
    }
}

/// A word of `from` bits, sign-extended to `to` bits.
pub(crate) fn sign_extend(from: u32, to: u32, word: Const) -> Const {
    match word {
        Const::Int(number) => {
            let unused = 64 - from.clamp(1, 64);
            Const::Int(((number << unused) as i64 >> unused) as u64 & mask(to))
        }
        a if from >= to => a,
        a => {
            let b = Const::Int(from.into());
            Const::Expr(Box::new(ConstExpr { op: ConstOp::SExt, width: to as u8, a, b }))
        }
    }
}

/// Joins lanes of `bits` bits, each in as many words as it needs, to a dense run of words.
pub(crate) fn pack(lanes: &[u64], bits: u32) -> Vec<u64> {
    let stride = everett_ir::words(bits);
    let count = lanes.len() as u32 / stride;
    let mut packed = vec![0; everett_ir::words(bits * count) as usize];
    for bit in 0..bits * count {
        let (lane, within) = (bit / bits, bit % bits);
        let word = lanes[(lane * stride + within / 64) as usize];
        packed[bit as usize / 64] |= (word >> (within % 64) & 1) << (bit % 64);
    }
    packed
}

/// The inverse of [`pack`], for `count` lanes.
pub(crate) fn unpack(packed: &[u64], bits: u32, count: u32) -> Vec<u64> {
    let stride = everett_ir::words(bits);
    let mut lanes = vec![0; (stride * count) as usize];
    for bit in 0..bits * count {
        let (lane, within) = (bit / bits, bit % bits);
        let word = packed.get(bit as usize / 64).copied().unwrap_or(0);
        lanes[(lane * stride + within / 64) as usize] |= (word >> (bit % 64) & 1) << (within % 64);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use everett_ir::GlobalId;

    use super::*;

    #[test]
    fn offsets_fold_into_the_address_of_a_global() {
        let global = Const::Global { global: GlobalId(3), offset: 4 };
        let sum = binary(ConstOp::Add, 64, global.clone(), Const::Int(u64::MAX));
        assert_eq!(sum, Const::Global { global: GlobalId(3), offset: 3 });
        assert_eq!(binary(ConstOp::Sub, 32, sum, global), Const::Int(0xffff_ffff));
    }

    #[test]
    fn lanes_survive_packing() {
        let lanes = [0x12, 0xff, 0, 0x80];
        assert_eq!(pack(&lanes, 8), [0x8000_ff12]);
        assert_eq!(unpack(&[0x8000_ff12], 8, 4), lanes);
        assert_eq!(unpack(&pack(&[1, 2, 3], 33), 33, 3), [1, 2, 3]);
        assert_eq!(unpack(&[5, 1], 128, 1), [5, 1]);
    }
}
