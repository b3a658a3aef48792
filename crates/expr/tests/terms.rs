//! The public interface: symbols, supports, facts, evaluation, substitution and derived constructors.

use everett_base::rng::Rng;
use everett_expr::{BitVec, Pool, SymbolId, TermEvaluator, TermId, TermNode, VarId};

fn word(pool: &Pool, symbol: SymbolId, bytes: u32) -> TermId {
    (1..bytes).fold(pool.byte(symbol, 0), |low, at| pool.concat(pool.byte(symbol, at), low))
}

#[test]
fn a_pool_is_shared_between_threads_and_ids_are_small() {
    fn shared<T: Send + Sync>() {}
    shared::<Pool>();
    assert_eq!(size_of::<Option<TermId>>(), 4);
}

#[test]
fn symbols_are_interned_on_name_and_size() {
    let pool = Pool::new();
    let symbols = [("a", 3), ("empty", 0), ("b", 1), ("a", 4)];
    let ids: Vec<_> = symbols.iter().map(|&(name, size)| pool.symbol(name, size)).collect();
    for (&id, &(name, size)) in ids.iter().zip(&symbols) {
        assert_eq!(pool.symbol(name, size), id);
        assert_eq!((pool.symbol_name(id), pool.symbol_size(id)), (name, size));
        for at in 0..size {
            assert_eq!(pool.var_owner(pool.symbol_var(id, at)), (id, at));
            assert_eq!(pool.node(pool.byte(id, at)), TermNode::Var(pool.symbol_var(id, at)));
            assert_eq!(pool.var(pool.symbol_var(id, at)), pool.byte(id, at));
        }
    }
    assert_eq!(pool.symbol_count(), 4);
    assert_eq!(pool.symbol_var(ids[3], 0).index(), 4, "variables are dense");
}

#[test]
#[should_panic(expected = "byte 3 of symbol a of 3 bytes")]
fn a_byte_beyond_its_symbol_is_refused() {
    let pool = Pool::new();
    pool.byte(pool.symbol("a", 3), 3);
}

#[test]
fn constants_of_any_width_are_one_term_each() {
    let pool = Pool::new();
    assert_eq!(pool.constant(8, 0x1ff), pool.constant(8, 0xff));
    assert_eq!(pool.constant(1, 1), pool.bool(true));
    let big = BitVec::ones(100);
    assert_eq!(pool.big_constant(&big), pool.not(pool.constant(100, 0)));
    assert_eq!(pool.as_bitvec(pool.big_constant(&big)), Some(big));
    assert_eq!(pool.as_const(pool.constant(64, u64::MAX)), Some(u64::MAX));
    assert_eq!(pool.as_const(pool.constant(65, 1)), None);
}

#[test]
fn supports_are_exact_sets_of_bytes() {
    let pool = Pool::new();
    let (a, b) = (pool.symbol("a", 8), pool.symbol("b", 200));
    let sum = pool.add(pool.byte(a, 1), pool.byte(a, 3));
    let support = pool.support(sum);
    assert_eq!(support.iter().map(|var| var.index()).collect::<Vec<_>>(), [1, 3]);
    assert!(support.contains(pool.symbol_var(a, 3)) && !support.contains(pool.symbol_var(a, 2)));
    let more = pool.mul(sum, pool.byte(a, 2));
    assert_eq!(pool.support(more).ranges().count(), 1);
    assert!(pool.support(more).contains_all(support) && !support.contains_all(pool.support(more)));
    assert!(support.intersects(pool.support(more)));
    // The same bit of the signature, yet another variable.
    let far = pool.support(pool.byte(b, 57));
    assert_eq!(far.signature() & support.signature(), far.signature());
    assert!(!far.intersects(support));
    let read = pool.select(pool.symbol_array(b), pool.zext(pool.byte(a, 0), 64));
    assert_eq!(pool.support(read).len(), 201);
    assert!(pool.support(pool.constant(8, 1)).is_empty());
    assert_eq!(pool.support_id(sum), pool.support_id(pool.sub(pool.byte(a, 3), pool.byte(a, 1))));
}

#[test]
fn facts_are_known_without_asking_a_solver() {
    let pool = Pool::new();
    let byte = pool.byte(pool.symbol("a", 1), 0);
    let scaled = pool.mul(pool.zext(byte, 32), pool.constant(32, 12));
    let offset = pool.add(scaled, pool.constant(32, 2));
    let range = pool.range(offset).unwrap();
    assert_eq!((range.umin, range.umax), (2, 255 * 12 + 2));
    assert_eq!(pool.known_bits(offset).ones, 2);
    assert_eq!(pool.known_bits(offset).zeros & 1, 1);
    assert_eq!(pool.ult(offset, pool.constant(32, 4000)), pool.bool(true));
    assert_eq!(pool.range(pool.zext(byte, 65)), None);
}

#[test]
fn one_evaluator_serves_many_terms() {
    let pool = Pool::new();
    let symbol = pool.symbol("a", 64);
    let mut chain = vec![pool.zext(pool.byte(symbol, 0), 128)];
    for at in 1..64 {
        let byte = pool.zext(pool.byte(symbol, at), 128);
        let last = chain[chain.len() - 1];
        chain.push(pool.xor(pool.mul(last, pool.constant(128, 0x100_0193)), byte));
    }
    let values = |var: VarId| var.index() as u8 ^ 0x5a;
    let mut evaluator = TermEvaluator::new(&pool, &values);
    let mut expected = 0u128;
    for (at, &term) in chain.iter().enumerate() {
        expected = expected.wrapping_mul(0x100_0193) ^ u128::from(at as u8 ^ 0x5a);
        assert_eq!(evaluator.eval(term).low_u128(), expected);
        assert_eq!(evaluator.eval_u64(pool.extract(term, 64, 64)), (expected >> 64) as u64);
    }
}

#[test]
fn substitution_fixes_bytes_and_folds() {
    let pool = Pool::new();
    let symbol = pool.symbol("a", 4);
    let whole = word(&pool, symbol, 4);
    let condition = pool.ult(whole, pool.constant(32, 0x0102_0304));
    let fix = |values: [Option<u8>; 4]| {
        let pool = &pool;
        move |var: VarId| values[var.index()].map(|value| pool.constant(8, u64::from(value)))
    };
    assert_eq!(pool.substitute(condition, &fix([None, None, None, Some(0)])), pool.bool(true));
    assert_eq!(pool.substitute(condition, &fix([None, None, None, Some(2)])), pool.bool(false));
    assert_eq!(pool.substitute(condition, &fix([None; 4])), condition);
    let swap = |var: VarId| Some(pool.byte(symbol, 3 - var.index() as u32));
    assert_eq!(pool.substitute(whole, &swap), pool.bswap(whole));
}

#[test]
fn outermost_terms_are_replaced() {
    let pool = Pool::new();
    let symbol = pool.symbol("x", 2);
    let (a, b) = (pool.byte(symbol, 0), pool.byte(symbol, 1));
    let inner = pool.ult(a, b);
    let outer = pool.ite(inner, a, b);
    let term = pool.add(outer, pool.zext(inner, 8));
    let yes = |part| (part == inner).then(|| pool.bool(true));
    assert_eq!(pool.replace(term, &yes), pool.add(a, pool.constant(8, 1)));
    let both = |part| if part == outer { Some(b) } else { yes(part) };
    assert_eq!(pool.replace(term, &both), pool.add(b, pool.constant(8, 1)));
    assert_eq!(pool.replace(term, &|_| None), term);
}

#[test]
fn substitution_reaches_into_arrays() {
    let pool = Pool::new();
    let (a, i) = (pool.symbol("a", 4), pool.symbol("i", 1));
    let index = pool.zext(pool.byte(i, 0), 64);
    let stored = pool.store(pool.symbol_array(a), pool.constant(64, 2), pool.byte(a, 0));
    let read = pool.select(stored, index);
    let all = pool.substitute(read, &|var| {
        (var.index() < 4).then(|| pool.constant(8, 7 + var.index() as u64))
    });
    assert_eq!(pool.support(all).len(), 1);
    let some = pool.substitute(read, &|var| (var.index() == 1).then(|| pool.constant(8, 9)));
    for at in 0..6u8 {
        let values = |var: VarId| if var.index() == 4 { at } else { 7 + var.index() as u8 };
        let direct = pool.eval_u64(read, &values);
        assert_eq!(pool.eval_u64(all, &values), direct);
        assert_eq!(pool.eval_u64(some, &values), if at == 1 { 9 } else { direct });
    }
}

#[test]
fn derived_constructors_agree_with_concrete_values() {
    let mut rng = Rng::new(5);
    for width in [1, 2, 3, 7, 8, 13, 16, 32, 64, 100, 128] {
        let pool = Pool::new();
        let (a, b) = (pool.symbol("a", 16), pool.symbol("b", 16));
        let x = pool.extract(word(&pool, a, 16), 0, width);
        let n = pool.extract(word(&pool, b, 16), 0, width);
        let unary = [pool.popcount(x), pool.ctlz(x), pool.cttz(x), pool.bitreverse(x)];
        let (left, right) = (pool.rotl(x, n), pool.rotr(x, n));
        for round in 0..100 {
            let bytes: Vec<u8> = (0..32)
                .map(|_| [rng.next_u64() as u8, 0, 1, 0x80][rng.below(4) as usize])
                .collect();
            let values = |var: VarId| if round == 0 { 0 } else { bytes[var.index()] };
            let (value, amount) = (pool.eval(x, &values), pool.eval(n, &values));
            let count = |count: u32| BitVec::from_u64(width, u64::from(count));
            let expected = [
                count(value.count_ones()),
                count(value.leading_zeros()),
                count(value.trailing_zeros()),
                value.reverse_bits(),
            ];
            for (term, expected) in unary.iter().zip(expected) {
                assert_eq!(pool.eval(*term, &values), expected, "{width} bits, {value}");
            }
            let turn =
                amount.resize(256).urem(&BitVec::from_u64(256, u64::from(width))).low_u64() as u32;
            assert_eq!(pool.eval(left, &values), value.rotate_left(turn));
            assert_eq!(pool.eval(right, &values), value.rotate_left(width - turn));
        }
    }
}

#[test]
fn byte_order_is_swapped_by_wiring_alone() {
    let pool = Pool::new();
    let whole = word(&pool, pool.symbol("a", 4), 4);
    let shift = |by| pool.constant(32, by);
    let mask = |term, bits| pool.and(term, pool.constant(32, bits));
    // What ntohl does in portable C.
    let swapped = pool.or(
        pool.or(pool.shl(whole, shift(24)), pool.shl(mask(whole, 0xff00), shift(8))),
        pool.or(mask(pool.lshr(whole, shift(8)), 0xff00), pool.lshr(whole, shift(24))),
    );
    assert_eq!(swapped, pool.bswap(whole));
    assert_eq!(pool.bswap(swapped), whole);
}

#[test]
fn terms_print_shortly() {
    let pool = Pool::new();
    let x = pool.byte(pool.symbol("x", 1), 0);
    let term = pool.ult(pool.add(pool.zext(x, 32), pool.constant(32, 1)), pool.constant(32, 7));
    assert_eq!(pool.display(term).to_string(), "(bvult (bvadd (zext x[0] 32) 0x1:32) 0x7:32)");
    let read = pool.select(pool.const_array(&[1, 2, 3]), pool.zext(x, 64));
    assert_eq!(pool.display(read).to_string(), "(select table:3 (zext x[0] 64))");
}
