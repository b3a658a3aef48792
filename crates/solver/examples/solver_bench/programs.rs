//! Programs as the chain sees them: sequences of branches over a path condition, explored to the
//! end depth first.

use everett_expr::{Pool, TermId};
use everett_solver::{BranchFeasibility, PathCondition, SolverChain};

/// A program that can be explored.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    /// The number of paths.
    pub(crate) run: fn(&mut SolverChain) -> usize,
}

/// All programs.
pub(crate) const ALL: &[Program] = &[
    Program { name: "fork, 14 bytes", run: |chain| fork(chain, 14) },
    Program { name: "bubble sort, 6 ints", run: |chain| bubble_sort(chain, 6) },
    Program { name: "nested tables", run: nested_tables },
    Program { name: "text matcher, 6 bytes", run: matcher },
    Program { name: "60 words in turn", run: words_in_turn },
    Program { name: "stores at symbolic index", run: stores },
];

/// The next step of a program: ask a condition and go on either way, or end.
pub(crate) enum Step {
    Ask(TermId),
    /// The condition must hold here; a path where it does not is a path of its own.
    End,
}

/// A program as a state machine: `next` is given the answers so far.
pub(crate) trait Machine: Clone {
    fn next(&mut self, pool: &Pool) -> Step;
    fn answer(&mut self, value: bool);
}

/// Explores all paths, depth first, the true side first.
pub(crate) fn explore<M: Machine>(
    chain: &mut SolverChain,
    pool: &Pool,
    start: M,
    assumed: &[TermId],
) -> usize {
    let mut path = PathCondition::new();
    for &cond in assumed {
        assert!(path.assume(chain, pool, cond).expect("no budget is set"));
    }
    let mut work = vec![(path, start)];
    let mut ended = 0;
    while let Some((mut path, mut machine)) = work.pop() {
        loop {
            let cond = match machine.next(pool) {
                Step::End => break,
                Step::Ask(cond) => cond,
            };
            match path.branch(chain, pool, cond).expect("no budget is set") {
                BranchFeasibility::Always(value) => machine.answer(value),
                BranchFeasibility::Both { then, other } => {
                    let (mut other_path, mut other_machine) = (path.clone(), machine.clone());
                    other_path.assume_side(pool, pool.not(cond), other);
                    other_machine.answer(false);
                    work.push((other_path, other_machine));
                    path.assume_side(pool, cond, then);
                    machine.answer(true);
                }
                BranchFeasibility::Unknown { .. } => unreachable!("no budget is set"),
            }
        }
        ended += 1;
    }
    ended
}

/// `count` independent branches on one buffer.
#[derive(Clone)]
struct Fork {
    conds: std::sync::Arc<[TermId]>,
    at: usize,
}

impl Machine for Fork {
    fn next(&mut self, _: &Pool) -> Step {
        self.conds.get(self.at).map_or(Step::End, |&cond| Step::Ask(cond))
    }

    fn answer(&mut self, _: bool) {
        self.at += 1;
    }
}

/// Explores `2^count` paths.
pub(crate) fn fork(chain: &mut SolverChain, count: u32) -> usize {
    let pool = Pool::new();
    let symbol = pool.symbol("buf", 20);
    let cond = |at| pool.slt(pool.constant(8, u64::from(b'a')), pool.byte(symbol, at));
    let conds = (0..count).map(cond).collect();
    explore(chain, &pool, Fork { conds, at: 0 }, &[])
}

/// Bubble sort of up to six symbolic integers, and a check that they are sorted.
#[derive(Clone)]
struct Bubble {
    items: [TermId; 6],
    len: TermId,
    place: Place,
    i: u64,
    j: u64,
}

#[derive(Clone, Copy)]
enum Place {
    Outer,
    Inner,
    Compare,
    CheckLen,
    CheckOrder,
    Done,
}

impl Machine for Bubble {
    fn next(&mut self, pool: &Pool) -> Step {
        let constant = |value| pool.constant(32, value);
        let at = self.j as usize;
        Step::Ask(match self.place {
            Place::Outer => pool.ult(constant(self.i + 1), self.len),
            Place::Inner => pool.ult(constant(self.j + 1), pool.sub(self.len, constant(self.i))),
            Place::Compare => pool.slt(self.items[at + 1], self.items[at]),
            Place::CheckLen => pool.ult(constant(self.i), self.len),
            Place::CheckOrder => {
                let at = self.i as usize;
                pool.sle(self.items[at - 1], self.items[at])
            }
            Place::Done => return Step::End,
        })
    }

    fn answer(&mut self, value: bool) {
        match (self.place, value) {
            (Place::Outer, true) => {
                self.j = 0;
                self.place = Place::Inner;
            }
            (Place::Outer, false) => {
                self.i = 1;
                self.place = Place::CheckLen;
            }
            (Place::Inner, true) => self.place = Place::Compare,
            (Place::Inner, false) => {
                self.i += 1;
                self.place = Place::Outer;
            }
            (Place::Compare, greater) => {
                let at = self.j as usize;
                if greater {
                    self.items.swap(at, at + 1);
                }
                self.j += 1;
                self.place = Place::Inner;
            }
            (Place::CheckLen, more) => {
                self.place = if more { Place::CheckOrder } else { Place::Done };
            }
            (Place::CheckOrder, sorted) => {
                assert!(sorted, "the sorted order is a fact");
                self.i += 1;
                self.place = Place::CheckLen;
            }
            (Place::Done, _) => {}
        }
    }
}

/// Explores 873 paths for six integers: every order of every length.
pub(crate) fn bubble_sort(chain: &mut SolverChain, count: u64) -> usize {
    let pool = Pool::new();
    let items = std::array::from_fn(|at| crate::queries::word(&pool, &format!("a{at}"), 4));
    let len = crate::queries::word(&pool, "n", 4);
    let start = Bubble { items, len, place: Place::Outer, i: 0, j: 0 };
    explore(chain, &pool, start, &[pool.ule(len, pool.constant(32, count))])
}

/// Three nested look-ups in a table of 256 bytes, and three comparisons of the results.
pub(crate) fn nested_tables(chain: &mut SolverChain) -> usize {
    let pool = Pool::new();
    let table = crate::queries::table(&pool);
    let symbol = pool.symbol("ijk", 3);
    let [i, j, k] = [0, 1, 2].map(|at| pool.byte(symbol, at));
    let look_up = |at| pool.select(table, pool.zext(at, 64));
    let deep = look_up(pool.xor(look_up(pool.xor(look_up(i), j)), k));
    let wide = |term| pool.zext(term, 32);
    let conds = [
        pool.eq(deep, pool.constant(8, 42)),
        pool.ult(look_up(j), look_up(k)),
        pool.eq(pool.add(wide(deep), wide(look_up(i))), pool.constant(32, 300)),
    ];
    explore(chain, &pool, Fork { conds: conds.into(), at: 0 }, &[])
}

/// Walks over a text that ends at the first zero, looking for `a.*b` by a little automaton.
#[derive(Clone)]
struct Matcher {
    text: std::sync::Arc<[TermId]>,
    at: usize,
    wanted: usize,
    looked: bool,
}

const PATTERN: &[u8] = b"ab";

impl Machine for Matcher {
    fn next(&mut self, pool: &Pool) -> Step {
        let Some(&byte) = self.text.get(self.at) else { return Step::End };
        let other = if self.looked { 0 } else { *PATTERN.get(self.wanted).unwrap_or(&0) };
        Step::Ask(pool.eq(byte, pool.constant(8, u64::from(other))))
    }

    fn answer(&mut self, same: bool) {
        match (self.looked, same) {
            (false, true) => {
                self.wanted += 1;
                self.at += 1;
            }
            (false, false) => self.looked = true,
            (true, true) => self.at = self.text.len(),
            (true, false) => {
                self.looked = false;
                self.at += 1;
            }
        }
    }
}

/// Explores the paths of a small text search.
pub(crate) fn matcher(chain: &mut SolverChain) -> usize {
    let pool = Pool::new();
    let symbol = pool.symbol("text", 6);
    let text = (0..6).map(|at| pool.byte(symbol, at)).collect();
    explore(chain, &pool, Matcher { text, at: 0, wanted: 0, looked: false }, &[])
}

/// One long path that asks about 60 unrelated words in turn, five times over.
pub(crate) fn words_in_turn(chain: &mut SolverChain) -> usize {
    let pool = Pool::new();
    let mut path = PathCondition::new();
    for round in 0..5u64 {
        for at in 0..60 {
            let x = crate::queries::word(&pool, &format!("w{at}"), 4);
            let mixed = pool.add(pool.mul(x, pool.constant(32, 1_000_003)), pool.constant(32, at));
            let cond = pool.ult(pool.xor(mixed, x), pool.constant(32, 0x8000_0000 >> round));
            assert!(path.assume(chain, &pool, cond).expect("no budget is set"));
            let other = pool.ult(x, pool.constant(32, 0x1000_0000 * (round + 1)));
            path.branch(chain, &pool, other).expect("no budget is set");
        }
    }
    1
}

/// A small table that is written at unknown places, with a look-up and a branch after each write.
pub(crate) fn stores(chain: &mut SolverChain) -> usize {
    let pool = Pool::new();
    let symbol = pool.symbol("ix", 24);
    let mut array = pool.const_array(&[0; 64]);
    let mut conds = Vec::new();
    for at in 0..12 {
        let place = |at: u32| pool.zext(pool.extract(pool.byte(symbol, at), 0, 6), 64);
        array = pool.store(array, place(at), pool.byte(symbol, 12 + at));
        if at % 3 == 2 {
            let read = pool.select(array, place(at - 2));
            conds.push(pool.eq(read, pool.byte(symbol, 12 + at - 2)));
        }
    }
    explore(chain, &pool, Fork { conds: conds.into(), at: 0 }, &[])
}
