//! Every rule: where it applies, where it does not, and that both sides are equal.
//!
//! A rule is given as two trees over a width. `applies` says that the simplified left side is the very term
//! that the right side gives; `stays` that the outermost operation is still there. Both evaluate the tree
//! without simplification: under every assignment at small widths, under random ones at large widths.

mod arith;
mod array;
mod bitwise;
mod compare;
mod limits;
mod structure;

use std::rc::Rc;

use everett_base::rng::Rng;

use crate::fuzzing::TermTree;
use crate::id::VarId;
use crate::node::TermNode;
use crate::op::{BinOp, UnOp};
use crate::{BitVec, Pool};

/// Widths for rules that hold at every width.
const ALL: &[u32] = &[1, 2, 3, 4, 8, 13, 32, 64, 100];
/// Widths for rules that truth values do not have.
const WORDS: &[u32] = &[3, 4, 8, 13, 32, 64, 100];

/// The bytes of the test symbol: four variables of up to 16 bytes, each twice.
const BYTES: u32 = 128;

type T = Rc<TermTree>;

/// A variable of any width that no rule looks into.
fn var(width: u32, slot: u32) -> T {
    let at = slot * 16;
    if width <= 8 {
        return cut(&Rc::new(TermTree::Byte(at)), 0, width);
    }
    // The product of two words has no structure that rules could use.
    mul(&word(width, at), &word(width, at + 64))
}

fn word(width: u32, at: u32) -> T {
    let bytes = width.div_ceil(8);
    let whole = (1..bytes).fold(Rc::new(TermTree::Byte(at)), |low, offset| {
        cat(&Rc::new(TermTree::Byte(at + offset)), &low)
    });
    cut(&whole, 0, width)
}

fn x(width: u32) -> T {
    var(width, 0)
}

fn y(width: u32) -> T {
    var(width, 1)
}

fn z(width: u32) -> T {
    var(width, 2)
}

fn flag() -> T {
    var(1, 3)
}

fn k(width: u32, value: i64) -> T {
    Rc::new(TermTree::Const(BitVec::from_i64(width, value)))
}

fn not(a: &T) -> T {
    Rc::new(TermTree::Unary(UnOp::Not, a.clone()))
}

fn neg(a: &T) -> T {
    Rc::new(TermTree::Unary(UnOp::Neg, a.clone()))
}

macro_rules! binary {
    ($($name:ident $op:ident),*) => {
        $(fn $name(a: &T, b: &T) -> T {
            Rc::new(TermTree::Binary(BinOp::$op, a.clone(), b.clone()))
        })*
    };
}

binary!(and And, or Or, xor Xor, add Add, sub Sub, mul Mul, udiv UDiv, sdiv SDiv, urem URem, srem SRem);
binary!(shl Shl, lshr LShr, ashr AShr, eq Eq, ult Ult, slt Slt);

fn ite(c: &T, t: &T, e: &T) -> T {
    Rc::new(TermTree::Ite(c.clone(), t.clone(), e.clone()))
}

fn cat(high: &T, low: &T) -> T {
    Rc::new(TermTree::Concat(high.clone(), low.clone()))
}

fn cut(a: &T, low: u32, width: u32) -> T {
    if low == 0 && width == a.width() {
        return a.clone();
    }
    Rc::new(TermTree::Extract(a.clone(), low, width))
}

fn zext(a: &T, width: u32) -> T {
    Rc::new(TermTree::ZExt(a.clone(), width))
}

fn sext(a: &T, width: u32) -> T {
    Rc::new(TermTree::SExt(a.clone(), width))
}

/// The left side simplifies to what the right side simplifies to, and means the same.
#[track_caller]
fn applies(widths: &[u32], left: impl Fn(u32) -> T, right: impl Fn(u32) -> T) {
    for &width in widths {
        let pool = Pool::new();
        let symbol = pool.symbol("v", BYTES);
        let (left, right) = (left(width), right(width));
        let (a, b) = (left.build(&pool, symbol), right.build(&pool, symbol));
        assert_eq!(a, b, "width {width}: {} and {}", pool.display(a), pool.display(b));
        means_the_same(&pool, width, &left);
        means_the_same(&pool, width, &right);
    }
}

/// The outermost operation is not rewritten, and the term means what the tree does.
#[track_caller]
fn stays(widths: &[u32], tree: impl Fn(u32) -> T) {
    for &width in widths {
        let pool = Pool::new();
        let tree = tree(width);
        let term = tree.build(&pool, pool.symbol("v", BYTES));
        let shown = pool.display(term);
        let same = match (&*tree, pool.node(term)) {
            (TermTree::Unary(op, _), TermNode::Unary(other, _)) => *op == other,
            (TermTree::Binary(op, ..), TermNode::Binary(other, ..)) => *op == other,
            (TermTree::Ite(..), TermNode::Ite(..)) => true,
            (TermTree::Concat(..), TermNode::Concat(..)) => true,
            (TermTree::Extract(_, low, _), TermNode::Extract { low: from, .. }) => *low == from,
            (TermTree::ZExt(..), TermNode::ZExt(_)) => true,
            (TermTree::SExt(..), TermNode::SExt(_)) => true,
            (TermTree::Select { .. }, TermNode::Select(..)) => true,
            _ => false,
        };
        assert!(same, "width {width}: became {shown}");
        means_the_same(&pool, width, &tree);
    }
}

#[track_caller]
fn means_the_same(pool: &Pool, width: u32, tree: &TermTree) {
    let term = tree.build(pool, pool.symbol("v", BYTES));
    let check = |bytes: &[u8]| {
        let value = pool.eval(term, &|var: VarId| bytes[var.index()]);
        assert_eq!(
            value,
            tree.eval(bytes),
            "width {width}: {} under {bytes:?}",
            pool.display(term)
        );
        if let Some(range) = pool.range(term) {
            assert!((range.umin..=range.umax).contains(&value.low_u64()), "{range:?} {value}");
        }
    };
    let mut bytes = vec![0; BYTES as usize];
    if width <= 4 {
        // All values of the three variables and the flag, each in the low bits of its own byte.
        for all in 0..2u32 << (3 * width) {
            let (flag, rest) = (all & 1, all >> 1);
            for slot in 0..3 {
                bytes[slot * 16] = (rest >> (slot as u32 * width) & ((1 << width) - 1)) as u8;
            }
            bytes[48] = flag as u8;
            check(&bytes);
        }
        return;
    }
    let mut rng = Rng::new(u64::from(width));
    for _ in 0..200 {
        let extreme = rng.below(3) == 0;
        for byte in &mut bytes {
            let corner = [0, 1, 0x7f, 0x80, 0xff][rng.below(5) as usize];
            *byte = if extreme { corner } else { rng.next_u64() as u8 };
        }
        check(&bytes);
    }
}
