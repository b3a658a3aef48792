//! Entries of the constant table.
//!
//! Addresses are not known when a program is lowered, so an entry may refer to a global, a
//! function or a block; the engine resolves the whole table to plain words once, at start-up.

use serde::{Deserialize, Serialize};

use crate::ids::{FuncId, GlobalId};
use crate::op::operand::Pc;

/// One word of the constant table or of a global's initialiser.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Const {
    /// A number, zero-extended to 64 bits.
    Int(u64),
    /// The address of a global, plus a byte offset.
    Global {
        /// The global.
        global: GlobalId,
        /// Byte offset, which may point outside.
        offset: i64,
    },
    /// The address of a function.
    Func(FuncId),
    /// The address of a block, for `indirectbr`.
    Block {
        /// The function that holds the block.
        func: FuncId,
        /// The block's first op.
        pc: Pc,
    },
    /// Arithmetic over other constants.
    Expr(Box<ConstExpr>),
}

/// Arithmetic that must wait for addresses.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ConstExpr {
    /// The operation.
    pub op: ConstOp,
    /// Width of the result in bits, at most 64.
    pub width: u8,
    /// Left operand, or the only one.
    pub a: Const,
    /// Right operand; ignored by `Trunc` and `SExt`.
    pub b: Const,
}

/// Operations of a [`ConstExpr`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ConstOp {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    /// Keeps the low `width` bits of `a`.
    Trunc,
    /// Sign-extends `a` from the number of bits that `b` gives.
    SExt,
}

impl Const {
    /// The value, once every address is known.
    pub fn resolve(&self, address: &impl Fn(&Const) -> u64) -> u64 {
        match self {
            Const::Int(value) => *value,
            Const::Global { .. } | Const::Func(_) | Const::Block { .. } => address(self),
            Const::Expr(expr) => expr.resolve(address),
        }
    }
}

impl ConstExpr {
    fn resolve(&self, address: &impl Fn(&Const) -> u64) -> u64 {
        let a = self.a.resolve(address);
        let b = self.b.resolve(address);
        let value = match self.op {
            ConstOp::Add => a.wrapping_add(b),
            ConstOp::Sub => a.wrapping_sub(b),
            ConstOp::Mul => a.wrapping_mul(b),
            ConstOp::And => a & b,
            ConstOp::Or => a | b,
            ConstOp::Xor => a ^ b,
            ConstOp::Shl => a.checked_shl(b as u32).unwrap_or(0),
            ConstOp::LShr => a.checked_shr(b as u32).unwrap_or(0),
            ConstOp::Trunc => a,
            ConstOp::SExt => {
                let unused = 64 - (b as u32).clamp(1, 64);
                ((a << unused) as i64 >> unused) as u64
            }
        };
        value & (u64::MAX >> (64 - u32::from(self.width.clamp(1, 64))))
    }
}
