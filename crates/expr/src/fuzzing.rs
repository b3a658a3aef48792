//! Random terms, built twice: through the simplifying constructors, and as a plain [`TermTree`] that is
//! evaluated without any simplification. For fuzz targets and tests; nothing in the engine uses it.
//!
//! [`check`] turns a byte string into a term and compares all that the crate claims about it with the tree.

mod decode;
mod tree;

pub use decode::decode;
pub use tree::{DerivedOp, TermTree};

use everett_base::Set;
use everett_base::rng::Rng;

use crate::id::{SymbolId, TermId, VarId};
use crate::node::TermNode;
use crate::{BitVec, Pool};

/// The number of symbolic bytes that decoded trees range over.
pub const BYTES: u32 = 8;

/// Decodes `data` to a tree and compares the simplified term with it under several assignments.
///
/// # Panics
/// When a claim does not hold: the value, the known bits and range, the support, substitution, the
/// circuits of floating-point operators, the independence of structure from the order of creation.
pub fn check(data: &[u8]) {
    let tree = decode(data);
    let pool = Pool::new();
    let symbol = pool.symbol("input", BYTES);
    let term = tree.build(&pool, symbol);
    let mut rng = Rng::new(
        data.iter().fold(data.len() as u64, |seed, &byte| seed.rotate_left(5) ^ u64::from(byte)),
    );
    for round in 0..8 {
        let bytes = assignment(&mut rng, round);
        compare(&pool, &tree, term, &bytes);
    }
    check_substitution(&pool, symbol, &tree, term, &mut rng);
    check_order(&pool, &tree, term);
    check_circuits(&pool, term, &mut rng);
    check_text(&pool, term);
}

/// Values for all bytes: the corners first, then random ones that are often equal or extreme.
fn assignment(rng: &mut Rng, round: u32) -> Vec<u8> {
    let byte = |rng: &mut Rng| match round {
        0 => 0,
        1 => 0xff,
        _ => match rng.below(4) {
            0 => [0, 1, 0x7f, 0x80, 0xff][rng.below(5) as usize],
            1 => rng.below(4) as u8,
            _ => rng.next_u64() as u8,
        },
    };
    (0..BYTES).map(|_| byte(rng)).collect()
}

fn compare(pool: &Pool, tree: &TermTree, term: TermId, bytes: &[u8]) {
    let expected = tree.eval(bytes);
    assert_eq!(pool.width(term), expected.width(), "width of {}", pool.display(term));
    let value = pool.eval(term, &|var: VarId| bytes[var.index()]);
    assert_eq!(value, expected, "{tree:?} became {} under {bytes:?}", pool.display(term));
    check_facts(pool, term, &value);
}

fn check_facts(pool: &Pool, term: TermId, value: &BitVec) {
    let Some(range) = pool.range(term) else { return };
    let (value, known) = (value.low_u64(), pool.known_bits(term));
    let shown = pool.display(term);
    assert!(range.umin <= value && value <= range.umax, "{value:#x} outside {range:?} of {shown}");
    assert_eq!(value & known.zeros, 0, "{value:#x} against {known:x?} of {shown}");
    assert_eq!(value & known.ones, known.ones, "{value:#x} against {known:x?} of {shown}");
}

/// Substituting first and evaluating then is evaluating with the substituted values.
fn check_substitution(pool: &Pool, symbol: SymbolId, tree: &TermTree, term: TermId, rng: &mut Rng) {
    let replaced = rng.next_u64();
    let constants = rng.next_u64();
    let source = rng.below(u64::from(BYTES)) as u32;
    let with = |var: VarId| {
        let at = var.index() as u32;
        (replaced >> at & 1 == 1).then(|| match constants >> at & 1 {
            0 => pool.constant(8, constants >> 32),
            _ => pool.not(pool.byte(symbol, source)),
        })
    };
    let result = pool.substitute(term, &with);
    let mut bytes = assignment(rng, 2);
    let value = pool.eval(result, &|var: VarId| bytes[var.index()]);
    let inverted = !bytes[source as usize];
    for at in 0..BYTES {
        if replaced >> at & 1 == 1 {
            let byte = &mut bytes[at as usize];
            *byte = if constants >> at & 1 == 0 { (constants >> 32) as u8 } else { inverted };
        }
    }
    assert_eq!(value, tree.eval(&bytes), "substitution in {}", pool.display(term));
}

/// A pool with another history gives the same structure.
fn check_order(pool: &Pool, tree: &TermTree, term: TermId) {
    let other = Pool::new();
    let noise = other.symbol("noise", 3);
    let symbol = other.symbol("input", BYTES);
    for at in (0..BYTES).rev() {
        let byte = other.byte(symbol, at);
        other.add(byte, other.byte(noise, at % 3));
    }
    let again = tree.build(&other, symbol);
    assert_eq!(pool.structural_hash(term), other.structural_hash(again));
    assert_eq!(pool.display(term).to_string(), other.display(again).to_string());
    assert_eq!(pool.support(term).len(), other.support(again).len());
}

/// The first floating-point operators of the term mean what their circuits do.
fn check_circuits(pool: &Pool, term: TermId, rng: &mut Rng) {
    const CIRCUITS: usize = 2;
    let mut operators = Vec::new();
    let mut stack = vec![term];
    let mut seen = Set::default();
    while let Some(top) = stack.pop() {
        if operators.len() < CIRCUITS && seen.insert(top) {
            if let TermNode::Float(..) = pool.node(top) {
                operators.push(top);
            }
            pool.for_each_operand(top, |operand| stack.push(operand));
        }
    }
    for operator in operators {
        let bytes = assignment(rng, 2);
        let assignment = |var: VarId| bytes[var.index()];
        let (value, circuit) = (
            pool.eval(operator, &assignment),
            pool.eval(pool.float_circuit(operator), &assignment),
        );
        assert_eq!(value, circuit, "{} under {bytes:?}", pool.display(operator));
    }
}

/// The script is complete, and its parentheses match.
fn check_text(pool: &Pool, term: TermId) {
    let zero = pool.constant(pool.width(term), 0);
    let script = pool.smtlib(&[pool.eq(term, zero)]);
    let depth = script.chars().fold(0i64, |depth, c| match c {
        '(' => depth + 1,
        ')' => depth - 1,
        _ => depth,
    });
    assert_eq!(depth, 0, "unbalanced: {script}");
}
