//! Deep and wide terms: constructors return at once, and structure does not depend on history.

use super::*;
use crate::TermId;

fn sources(pool: &Pool) -> (TermId, TermId) {
    let symbol = pool.symbol("v", BYTES);
    (pool.byte(symbol, 0), pool.byte(symbol, 1))
}

#[test]
fn deep_terms_neither_overflow_the_stack_nor_take_long() {
    let pool = Pool::new();
    let (a, b) = sources(&pool);
    let (mut term, mut wide) = (a, pool.sext(a, 32));
    for step in 0..50_000 {
        let mixed = pool.xor(wide, pool.mul(wide, pool.zext(b, 32)));
        wide = pool.add(mixed, pool.concat(pool.extract(mixed, 8, 24), pool.extract(mixed, 0, 8)));
        term = pool.ite(
            pool.eq(pool.extract(wide, 0, 8), pool.constant(8, step)),
            pool.not(term),
            term,
        );
    }
    let low = pool.extract(wide, 3, 5);
    let value = pool.eval_u64(pool.concat(term, low), &|_: VarId| 1);
    assert!(value < 1 << 13);
    assert_eq!(pool.support(term).len(), 2);
    let replaced = pool.substitute(term, &|var| (var.index() == 0).then_some(b));
    assert_eq!(pool.support(replaced).len(), 1);
}

#[test]
fn long_concatenations_are_read_back_piece_by_piece() {
    let pool = Pool::new();
    let symbol = pool.symbol("long", 4000);
    let whole =
        (1..4000).fold(pool.byte(symbol, 0), |low, at| pool.concat(pool.byte(symbol, at), low));
    for at in [0, 1, 1999, 3999] {
        assert_eq!(pool.extract(whole, at * 8, 8), pool.byte(symbol, at));
    }
    assert_eq!(pool.support(whole).len(), 4000);
    assert_eq!(pool.support(whole).ranges().count(), 1);
}

#[test]
fn many_threads_make_the_same_structure() {
    let build = |pool: &Pool, seed: u64| -> Vec<(u64, String)> {
        let mut rng = Rng::new(seed);
        let (a, b) = sources(pool);
        let mut terms = vec![a, b];
        for _ in 0..300 {
            let op = BinOp::ALL[rng.below(13) as usize];
            let pick =
                |rng: &mut Rng, terms: &[TermId]| terms[rng.below(terms.len() as u64) as usize];
            let (x, y) = (pick(&mut rng, &terms), pick(&mut rng, &terms));
            terms.push(pool.binary(op, x, y));
        }
        terms.iter().map(|&t| (pool.structural_hash(t), pool.display(t).to_string())).collect()
    };
    let shared = Pool::new();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|seed| {
                (
                    seed,
                    scope.spawn(|| build(&shared, 1)),
                    scope.spawn({
                        let shared = &shared;
                        move || build(shared, seed)
                    }),
                )
            })
            .collect();
        for (seed, same, other) in workers {
            assert_eq!(same.join().unwrap(), build(&Pool::new(), 1));
            assert_eq!(other.join().unwrap(), build(&Pool::new(), seed));
        }
    });
}

#[test]
fn structural_hashes_never_change() {
    let pool = Pool::new();
    let (a, b) = sources(&pool);
    let term = pool.ite(pool.ult(a, b), pool.add(a, b), pool.constant(8, 7));
    assert_eq!(pool.structural_hash(term), 0x7025652ad7ca09a5);
}

#[test]
#[should_panic(expected = "one width")]
fn operands_of_different_widths_are_refused() {
    let pool = Pool::new();
    pool.add(pool.constant(8, 1), pool.constant(9, 1));
}
