//! From a byte string to a [`TermTree`]: a small stack machine, total on all inputs.
//!
//! Each operation takes its operands from the stack, fitting their widths, and puts its result back. The
//! result of the whole is what lies on top at the end.

use std::rc::Rc;

use everett_base::FloatKind;

use super::BYTES;
use super::tree::{DerivedOp, TermTree};
use crate::BitVec;
use crate::float::{FloatOp, IntegerRounding, MAX_INT_WIDTH};
use crate::op::{BinOp, UnOp};

/// Operations that one input makes at most; bounds the depth of the tree.
const OPERATIONS: usize = 40;
/// Nodes of the tree, with sharing unfolded.
const NODES: u64 = 3000;
const WIDEST: u32 = 200;

/// The tree that a byte string describes.
pub fn decode(data: &[u8]) -> TermTree {
    let mut machine = DecodeMachine { data: data.iter(), stack: Vec::new() };
    for _ in 0..OPERATIONS {
        let Some(&code) = machine.data.next() else { break };
        let (tree, size) = machine.operation(code);
        if size <= NODES {
            machine.stack.push((Rc::new(tree), size));
        }
    }
    let (top, _) = machine.pop();
    (*top).clone()
}

struct DecodeMachine<'a> {
    data: std::slice::Iter<'a, u8>,
    stack: Vec<(Rc<TermTree>, u64)>,
}

impl DecodeMachine<'_> {
    fn next(&mut self) -> u8 {
        self.data.next().copied().unwrap_or(0)
    }

    fn pop(&mut self) -> (Rc<TermTree>, u64) {
        self.stack.pop().unwrap_or_else(|| (Rc::new(TermTree::Byte(0)), 1))
    }

    /// The top of the stack, or a copy of what lies deeper, so that subterms are shared.
    fn operand(&mut self) -> (Rc<TermTree>, u64) {
        let pick = self.next() as usize;
        if pick.is_multiple_of(3)
            && let Some(tree) = self.stack.get(pick / 3 % self.stack.len().max(1))
        {
            return tree.clone();
        }
        self.pop()
    }

    fn operand_of(&mut self, width: u32) -> (Rc<TermTree>, u64) {
        let (tree, size) = self.operand();
        let signed = self.next() & 1 == 1;
        (fit(tree, width, signed), size + 1)
    }

    fn operation(&mut self, code: u8) -> (TermTree, u64) {
        match code % 18 {
            0 | 1 => (TermTree::Byte(u32::from(self.next()) % BYTES), 1),
            2 => (TermTree::Const(self.constant()), 1),
            3 => {
                let (a, size) = self.operand();
                let op = if self.next() & 1 == 0 { UnOp::Not } else { UnOp::Neg };
                (TermTree::Unary(op, a), size + 1)
            }
            4..=8 => self.binary(),
            9 => {
                let (c, first) = self.operand_of(1);
                let (t, second) = self.operand();
                let (e, third) = self.operand_of(t.width());
                (TermTree::Ite(c, t, e), first + second + third + 1)
            }
            10 => {
                let ((a, first), (b, second)) = (self.operand(), self.operand());
                if a.width() + b.width() > WIDEST {
                    return ((*a).clone(), first);
                }
                (TermTree::Concat(a, b), first + second + 1)
            }
            11 => {
                let (a, size) = self.operand();
                let low = u32::from(self.next()) % a.width();
                let width = 1 + u32::from(self.next()) % (a.width() - low);
                (TermTree::Extract(a, low, width), size + 1)
            }
            12 => {
                let (a, size) = self.operand();
                let width = (a.width() + u32::from(self.next()) % 40).min(WIDEST);
                let signed = self.next() & 1 == 1;
                ((*fit(a, width, signed)).clone(), size + 1)
            }
            13 => self.select(),
            14 => {
                let (a, size) = self.operand();
                let kinds =
                    [DerivedOp::Popcount, DerivedOp::Ctlz, DerivedOp::Cttz, DerivedOp::Reverse];
                (TermTree::Bits(kinds[self.next() as usize % 4], a), size + 1)
            }
            15 => {
                let (a, first) = self.operand();
                let (b, second) = self.operand_of(a.width());
                (TermTree::Rotl(a, b), first + second + 1)
            }
            _ => self.float(),
        }
    }

    fn binary(&mut self) -> (TermTree, u64) {
        let op = BinOp::ALL[self.next() as usize % BinOp::ALL.len()];
        let (a, first) = self.operand();
        let (b, second) = if self.next().is_multiple_of(3) {
            let value = self.constant();
            (Rc::new(TermTree::Const(value.resize(a.width()))), 1)
        } else {
            self.operand_of(a.width())
        };
        (TermTree::Binary(op, a, b), first + second + 1)
    }

    /// An operator on floating-point numbers; constants are often integers and their neighbours.
    fn float(&mut self) -> (TermTree, u64) {
        let kind = FloatKind::ALL[[0, 1, 2, 3, 2, 3][self.next() as usize % 6]];
        let bits = kind.bits();
        let to = FloatKind::ALL[self.next() as usize % 4];
        let signed = self.next() & 1 == 1;
        let direction = IntegerRounding::ALL[self.next() as usize % 5];
        let op = match self.next() % 13 {
            0 => FloatOp::Add(kind),
            1 => FloatOp::Sub(kind),
            2 => FloatOp::Mul(kind),
            3 => FloatOp::Div(kind),
            4 => FloatOp::MulAdd(kind),
            5 => FloatOp::Sqrt(kind),
            6 => FloatOp::Round(kind, direction),
            7 => FloatOp::Equal(kind),
            8 => FloatOp::Less(kind),
            9 => FloatOp::LessOrEqual(kind),
            10 => FloatOp::Convert { from: kind, to },
            11 => FloatOp::FromInt { to: kind, signed },
            _ => FloatOp::ToInt { from: kind, signed },
        };
        let (a, first) = match op {
            FloatOp::FromInt { .. } => {
                let (a, size) = self.operand();
                let width = a.width().min(MAX_INT_WIDTH);
                (fit(a, width, signed), size + 1)
            }
            FloatOp::MulAdd(_) => self.operand_of(2 * bits),
            _ => self.operand_of(bits),
        };
        let width = op.result_width().unwrap_or(1 + u32::from(self.next()) % MAX_INT_WIDTH);
        if !op.is_binary() {
            return (TermTree::Float(op, width, a, None), first + 1);
        }
        let (b, second) = if self.next() & 1 == 0 {
            let integer = BitVec::from_i64(16, i64::from(self.next()) - 128);
            let from = FloatOp::FromInt { to: kind, signed: true };
            let value = from.apply_wide(bits, &integer, None);
            let near = BitVec::from_i64(bits, i64::from(self.next() % 3) - 1);
            (Rc::new(TermTree::Const(value.add(&near))), 1)
        } else {
            self.operand_of(bits)
        };
        (TermTree::Float(op, width, a, Some(b)), first + second + 1)
    }

    fn constant(&mut self) -> BitVec {
        let width = [1, 8, 13, 16, 32, 64, 100][self.next() as usize % 7];
        let value = u64::from(self.next());
        match self.next() % 6 {
            0 => BitVec::from_u64(width, value),
            1 => BitVec::from_u64(width, value).not(),
            2 => BitVec::from_u64(width, 1).shl_by(value as u32 % width),
            3 => BitVec::ones(width).lshr_by(value as u32 % width),
            4 => BitVec::ones(width).shl_by(value as u32 % width),
            _ => BitVec::from_u64(width, value.wrapping_mul(0x0101_0307_1155_aa01)),
        }
    }

    fn select(&mut self) -> (TermTree, u64) {
        let length = self.next() as usize % 12;
        let table = (length > 0).then(|| (0..length).map(|_| self.next()).collect::<Rc<[u8]>>());
        let mut size = 1;
        let mut stores = Vec::new();
        for _ in 0..self.next() % 4 {
            let ((index, first), (value, second)) = (self.operand_of(64), self.operand_of(8));
            size += first + second;
            stores.push((index, value));
        }
        let (index, more) = self.operand_of(64);
        (TermTree::Select { table, stores, index }, size + more)
    }
}

/// The tree cut or extended to `width`.
fn fit(tree: Rc<TermTree>, width: u32, signed: bool) -> Rc<TermTree> {
    if tree.width() == width {
        return tree;
    }
    Rc::new(match (tree.width() > width, signed) {
        (true, _) => TermTree::Extract(tree, 0, width),
        (false, false) => TermTree::ZExt(tree, width),
        (false, true) => TermTree::SExt(tree, width),
    })
}
