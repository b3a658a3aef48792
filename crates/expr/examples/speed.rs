//! Measures interning, evaluation and support look-up: `cargo run --release -p everett-expr --example
//! speed`.
#![allow(clippy::disallowed_methods, reason = "a benchmark reads the clock")]

use std::hint::black_box;
use std::time::Instant;

use everett_expr::{Pool, TermId, VarId};

fn measure(name: &str, count: u32, mut work: impl FnMut(u32)) {
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let start = Instant::now();
        (0..count).for_each(&mut work);
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(count));
    }
    println!("{name:<44} {best:8.1} ns");
}

fn main() {
    let pool = Pool::new();
    let symbol = pool.symbol("input", 1024);
    let bytes: Vec<TermId> = (0..1024).map(|at| pool.byte(symbol, at)).collect();
    let at = |i: u32| bytes[i as usize % 1024];
    let words: Vec<TermId> = (0..256)
        .map(|w| (1..4).fold(at(w * 4), |low, i| pool.concat(at(w * 4 + i), low)))
        .collect();
    let word = |i: u32| words[i as usize % 256];
    measure("existing add of bytes", 1_000_000, |i| {
        black_box(pool.add(at(i), at(i.wrapping_mul(7))));
    });
    measure("existing add of words", 1_000_000, |i| {
        black_box(pool.add(word(i), word(i + 1)));
    });
    measure("existing ult of a word and a constant", 1_000_000, |i| {
        black_box(pool.ult(word(i), pool.constant(32, 1000)));
    });
    measure("existing eq of a word and a constant", 100_000, |i| {
        black_box(pool.eq(word(i), pool.constant(32, 1000)));
    });
    measure("existing constant", 1_000_000, |i| {
        black_box(pool.constant(64, u64::from(i % 500)));
    });
    measure("extract of a byte of a word", 1_000_000, |i| {
        black_box(pool.extract(word(i), 8, 8));
    });
    let fresh = Pool::new();
    let other = fresh.symbol("input", 1024);
    let mut last = fresh.byte(other, 0);
    measure("new mul", 200_000, |i| last = fresh.mul(last, fresh.byte(other, i % 1024)));
    println!("{} terms", fresh.term_count());
    let condition = pool.ult(pool.add(word(3), pool.constant(32, 5)), word(9));
    let values = |var: VarId| var.index() as u8;
    measure("evaluation of (word + 5) < word", 1_000_000, |_| {
        black_box(pool.eval_u64(condition, &values));
    });
    let small = pool.ult(pool.add(at(3), pool.constant(8, 5)), at(9));
    measure("evaluation of (byte + 5) < byte", 1_000_000, |_| {
        black_box(pool.eval_u64(small, &values));
    });
    let sum = (0..1000).fold(at(0), |sum, i| pool.add(pool.mul(sum, at(i)), at(i + 1)));
    measure("evaluation of 2000 nodes", 1_000, |_| {
        black_box(pool.eval_u64(sum, &values));
    });
    measure("support", 1_000_000, |i| {
        black_box(pool.support(word(i)).signature());
    });
}
