//! The chain's layers one by one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use everett_expr::{Pool, TermId};

use super::slice::QuerySlicer;
use super::*;
use crate::path::{BranchFeasibility, PathCondition};

fn default_chain() -> SolverChain {
    SolverChain::new(ChainOptions::default(), MonotonicClock::stopped())
}

/// A clock that moves on by a millisecond whenever it is read.
fn ticking_clock() -> MonotonicClock {
    let ticks = Arc::new(AtomicU64::new(0));
    MonotonicClock::new(move || Duration::from_millis(ticks.fetch_add(1, Ordering::Relaxed)))
}

/// A query that no backend decides within a few conflicts.
fn hard_query(pool: &Pool) -> TermId {
    let symbol = pool.symbol("hard", 8);
    let word = |from: u32| {
        (1..4)
            .fold(pool.byte(symbol, from), |low, at| pool.concat(pool.byte(symbol, from + at), low))
    };
    let (x, y) = (pool.zext(word(0), 64), pool.zext(word(4), 64));
    let two = pool.constant(64, 2);
    // The product of two primes near 2^31, sought from its factors.
    let product = pool.eq(pool.mul(x, y), pool.constant(64, 2_147_483_647 * 2_147_483_629));
    pool.and(product, pool.and(pool.ult(two, x), pool.ult(x, y)))
}

fn slice_of(pool: &Pool, terms: &[TermId], query: TermId) -> Vec<TermId> {
    let mut constraints = ConstraintList::default();
    for &term in terms {
        constraints.push(term, pool.support(term).signature());
    }
    let mut slice = Vec::new();
    QuerySlicer::default().slice(pool, &constraints, None, query, &mut slice);
    slice
}

#[test]
fn a_slice_is_closed_and_holds_nothing_else() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 200);
    let byte = |at: u32| pool.byte(symbol, at);
    let less = |a: u32, b: u32| pool.ult(byte(a), byte(b));
    // 0-1, 1-2 and 2-66 hang together; 64 and 128 share a signature bit with 0 but no byte.
    let terms = [less(64, 128), less(1, 2), less(10, 11), less(2, 66), less(0, 1), less(129, 130)];
    let query = pool.eq(byte(0), pool.constant(8, 5));
    assert_eq!(slice_of(&pool, &terms, query), [terms[1], terms[3], terms[4]]);
    let query = pool.eq(byte(199), pool.constant(8, 5));
    assert!(slice_of(&pool, &terms, query).is_empty());
}

#[test]
fn closure_reaches_through_constraints_that_were_added_earlier_and_later() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 64);
    let chain: Vec<TermId> =
        (0..63).map(|at| pool.ult(pool.byte(symbol, at), pool.byte(symbol, at + 1))).collect();
    let mut shuffled = chain.clone();
    shuffled.sort_by_key(|term| term.index().wrapping_mul(0x9e37_79b9) & 0xffff);
    let query = pool.eq(pool.byte(symbol, 30), pool.constant(8, 1));
    assert_eq!(slice_of(&pool, &shuffled, query), shuffled);
}

#[test]
fn fixed_bytes_connect_nothing() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 3);
    let [a, b, c] = [0, 1, 2].map(|at| pool.byte(symbol, at));
    let mut chain = default_chain();
    let mut path = PathCondition::new();
    for cond in [pool.ult(a, b), pool.ult(b, c), pool.eq(b, pool.constant(8, 7))] {
        assert!(path.assume(&mut chain, &pool, cond).unwrap());
    }
    let before = chain.stats().sliced_constraints;
    assert!(matches!(
        path.branch(&mut chain, &pool, pool.ult(a, pool.constant(8, 5))).unwrap(),
        BranchFeasibility::Both { .. }
    ));
    assert_eq!(chain.stats().sliced_constraints - before, 1, "only a < 7 is left of a < b");
    assert_eq!(path.max_value(&mut chain, &pool, a).unwrap().low_u64(), 6);
    assert_eq!(path.min_value(&mut chain, &pool, c).unwrap().low_u64(), 8);
}

/// A word of symbols. It is a sum, since an equality with a plain word would be taken apart into bytes.
fn sum_of_words(pool: &Pool) -> TermId {
    let symbol = pool.symbol("s", 8);
    let word = |from: u32| {
        (1..4)
            .fold(pool.byte(symbol, from), |low, at| pool.concat(pool.byte(symbol, from + at), low))
    };
    pool.add(word(0), word(4))
}

#[test]
fn comparisons_with_constants_are_refuted_without_a_backend() {
    let pool = Pool::new();
    let x = sum_of_words(&pool);
    let constant = |value| pool.constant(32, value);
    let chain = [
        pool.ult(x, constant(10)),
        pool.not(pool.ult(x, constant(8))),
        pool.ne(x, constant(9)),
        pool.slt(x, constant(3)),
        pool.slt(constant(u64::MAX), x),
    ];
    let refuted = |given: &[TermId], query| ranges::refute(&pool, given, query);
    assert!(refuted(&chain[..1], pool.ult(constant(9), x)));
    assert!(!refuted(&chain[..1], pool.ult(constant(8), x)));
    assert!(refuted(&chain[..3], pool.ne(x, constant(8))));
    assert!(!refuted(&chain[..2], pool.ne(x, constant(8))));
    assert!(refuted(&chain[3..4], pool.slt(constant(2), x)));
    assert!(refuted(&chain[3..], pool.slt(x, constant(u64::MAX))));
    assert!(!refuted(&[], pool.eq(x, constant(4))));
}

/// The comparisons of a term over one byte with constants, each with the values of the byte that it allows.
fn comparisons(pool: &Pool, term: TermId) -> Vec<(TermId, Vec<bool>)> {
    let mut all = Vec::new();
    for value in [0u64, 1, 2, 100, 127, 128, 254, 255] {
        let constant = pool.constant(8, value);
        all.extend([pool.ult(term, constant), pool.ult(constant, term), pool.eq(term, constant)]);
        all.extend([pool.slt(term, constant), pool.slt(constant, term)]);
    }
    all.extend(all.clone().into_iter().map(|comparison| pool.not(comparison)));
    all.retain(|&comparison| !pool.is_const(comparison));
    let values = |comparison| {
        let allows = |byte: u8| pool.eval_bool(comparison, &|_| byte);
        (comparison, (0..=255).map(allows).collect())
    };
    all.into_iter().map(values).collect()
}

#[test]
fn ranges_refute_what_no_value_of_a_byte_satisfies() {
    let pool = Pool::new();
    let x = pool.byte(pool.symbol("x", 1), 0);
    let turned = [5, 128, 251].map(|by| pool.add(x, pool.constant(8, by)));
    let all: Vec<_> =
        [x].iter().chain(&turned).flat_map(|term| comparisons(&pool, *term)).collect();
    let mut refuted = 0;
    for (at, (a, of_a)) in all.iter().enumerate() {
        for (b, of_b) in all[at..].iter().step_by(7) {
            for (query, of_query) in all.iter().step_by(11) {
                let is_empty = (0..256).all(|byte| !(of_a[byte] && of_b[byte] && of_query[byte]));
                let found = ranges::refute(&pool, &[*a, *b], *query);
                refuted += u32::from(found);
                assert!(is_empty || !found, "{a:?} {b:?} {query:?}");
            }
        }
    }
    assert!(refuted > 1000, "{refuted}");
}

#[test]
fn values_that_a_range_begins_with_are_left_out_one_by_one() {
    let pool = Pool::new();
    let x = sum_of_words(&pool);
    let constant = |value: i32| pool.constant(32, u64::from(value as u32));
    // From -1,000 to 5, as programs say it, and without 5 to 0.
    let mut given = vec![pool.ult(pool.add(x, constant(1000)), constant(1006))];
    given.extend((0..6).map(|value| pool.ne(x, constant(value))));
    for value in [0, 5, 6, 1000, i32::MAX, i32::MIN, -1001] {
        assert!(ranges::refute(&pool, &given, pool.eq(x, constant(value))), "{value}");
    }
    assert!(ranges::refute(&pool, &given, pool.slt(constant(-1), x)));
    assert!(!ranges::refute(&pool, &given, pool.slt(constant(-2), x)));
    for value in [-1, -500, -1000] {
        assert!(!ranges::refute(&pool, &given, pool.eq(x, constant(value))), "{value}");
    }
}

#[test]
fn the_same_question_twice_reaches_a_backend_once() {
    let pool = Pool::new();
    let x = pool.byte(pool.symbol("x", 1), 0);
    let options = ChainOptions { enumeration: false, ..ChainOptions::default() };
    let mut chain = SolverChain::new(options, MonotonicClock::stopped());
    let mut path = PathCondition::new();
    for _ in 0..3 {
        let branch = path.branch(&mut chain, &pool, pool.ult(x, pool.constant(8, 9))).unwrap();
        assert!(matches!(branch, BranchFeasibility::Both { .. }));
    }
    assert_eq!((chain.stats().backend_queries(), chain.stats().by_exact_cache), (1, 2));
}

#[test]
fn a_superset_of_an_unsatisfiable_set_needs_no_backend() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 3);
    let [a, b, c] = [0, 1, 2].map(|at| pool.byte(symbol, at));
    let options = ChainOptions { enumeration: false, ..ChainOptions::default() };
    let mut chain = SolverChain::new(options, MonotonicClock::stopped());
    let mut path = PathCondition::new();
    assert!(path.assume(&mut chain, &pool, pool.ult(a, b)).unwrap());
    assert!(!path.may_be(&mut chain, &pool, pool.ult(b, a)).unwrap());
    let asked = chain.stats().backend_queries();
    assert!(path.assume(&mut chain, &pool, pool.ult(pool.add(a, b), c)).unwrap());
    let between = chain.stats().backend_queries();
    assert!(!path.may_be(&mut chain, &pool, pool.ult(b, a)).unwrap());
    assert!(asked >= 1 && chain.stats().backend_queries() == between);
    assert_eq!(chain.stats().by_core, 1);
}

#[test]
fn a_used_up_budget_is_an_answer_and_the_chain_goes_on() {
    let pool = Pool::new();
    let hard = hard_query(&pool);
    let easy = pool.ult(pool.byte(pool.symbol("easy", 1), 0), pool.constant(8, 3));
    for (name, options) in [
        ("conflicts", ChainOptions { query_conflicts: Some(20), ..ChainOptions::default() }),
        (
            "time",
            ChainOptions { query_time: Some(Duration::from_millis(3)), ..ChainOptions::default() },
        ),
    ] {
        let options = ChainOptions { backend: BackendChoice::Bitblast, ..options };
        let mut chain = SolverChain::new(options, ticking_clock());
        let mut path = PathCondition::new();
        for _ in 0..2 {
            let branch = path.branch(&mut chain, &pool, hard).unwrap();
            assert!(
                matches!(branch, BranchFeasibility::Unknown { feasible: false }),
                "{name}: {branch:?}"
            );
        }
        assert_eq!(path.assume(&mut chain, &pool, hard), Err(SolverError::BudgetReached), "{name}");
        assert!(matches!(
            path.branch(&mut chain, &pool, easy).unwrap(),
            BranchFeasibility::Both { .. }
        ));
        assert_eq!(chain.stats().backends[0].unknown, 3, "{name}: unknown is not cached");
    }
}

#[test]
fn boolector_answers_again_after_a_time_out() {
    let pool = Pool::new();
    let options = ChainOptions {
        backend: BackendChoice::Boolector,
        query_time: Some(Duration::from_millis(30)),
        ..ChainOptions::default()
    };
    let mut chain = SolverChain::new(options, MonotonicClock::stopped());
    let mut path = PathCondition::new();
    let branch = path.branch(&mut chain, &pool, hard_query(&pool)).unwrap();
    assert!(matches!(branch, BranchFeasibility::Unknown { feasible: false }), "{branch:?}");
    let easy = pool.ult(pool.byte(pool.symbol("easy", 1), 0), pool.constant(8, 3));
    assert!(matches!(
        path.branch(&mut chain, &pool, easy).unwrap(),
        BranchFeasibility::Both { .. }
    ));
}

/// A backend that is always wrong about satisfiable queries.
struct Liar;

impl Backend for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn check(
        &mut self,
        _: &Pool,
        _: &[TermId],
        _: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError> {
        Ok(SolverAnswer::Sat(Model::default()))
    }
}

#[test]
fn a_wrong_answer_is_noticed_when_answers_are_checked() {
    let pool = Pool::new();
    let x = pool.byte(pool.symbol("x", 1), 0);
    let impossible = pool.ult(pool.mul(x, x), pool.and(x, pool.constant(8, 1)));
    let terms = [impossible, pool.ult(pool.constant(8, 200), x)];
    let mut checking = CheckingBackend::new(Box::new(Bitblast::new()), Box::new(Liar));
    let found = checking.check(&pool, &terms, &QueryBudget::unlimited());
    assert!(matches!(found, Err(SolverError::WrongModel { backend: "liar", .. })), "{found:?}");
    let options =
        ChainOptions { verify_models: true, enumeration: false, ..ChainOptions::default() };
    let mut chain = SolverChain::with_backend(options, MonotonicClock::stopped(), Box::new(Liar));
    let found = PathCondition::new().branch(&mut chain, &pool, terms[1]);
    assert!(matches!(found, Err(SolverError::WrongModel { .. })), "{found:?}");
}

#[test]
fn auto_sends_many_reads_through_many_stores_to_boolector() {
    let pool = Pool::new();
    let symbol = pool.symbol("s", 40);
    let index = |at| pool.zext(pool.byte(symbol, at), 64);
    let mut array = pool.const_array(&[0; 256]);
    for at in 0..16 {
        array = pool.store(array, index(at), pool.byte(symbol, at + 1));
    }
    let reads: Vec<TermId> = (17..40)
        .map(|at| pool.eq(pool.select(array, index(at)), pool.byte(symbol, at - 1)))
        .collect();
    let (mut chooser, unlimited) = (BackendChooser::default(), QueryBudget::unlimited());
    for count in 1..reads.len() {
        let many = 16 * count >= choice::COMPARISONS_MIN;
        let preferred = chooser.prefers_boolector(&pool, &reads[..count], &unlimited);
        assert_eq!(preferred, Some(many), "{count} reads");
    }
    let product = pool.mul(pool.zext(pool.byte(symbol, 0), 64), index(1));
    let equal = pool.eq(product, pool.constant(64, 77));
    assert_eq!(chooser.prefers_boolector(&pool, &[equal], &unlimited), Some(false));
}

/// A turn of a backend: its name, and the conflicts and the time that it may take.
type Turn = (&'static str, Option<u64>, Option<Duration>);

/// A backend that answers what it is told, and notes the limits of its turns.
struct Scripted {
    answers: Vec<SolverAnswer>,
    turns: Arc<std::sync::Mutex<Vec<Turn>>>,
    name: &'static str,
}

impl Backend for Scripted {
    fn name(&self) -> &'static str {
        self.name
    }

    fn check(
        &mut self,
        _: &Pool,
        _: &[TermId],
        budget: &QueryBudget,
    ) -> Result<SolverAnswer, SolverError> {
        let turn = (self.name, budget.conflicts(), budget.time_left());
        self.turns.lock().unwrap().push(turn);
        Ok(self.answers.remove(0))
    }
}

/// Asks one question of two scripted backends; the result says which turns there were.
fn turns_of(
    first: &[SolverAnswer],
    second: &[SolverAnswer],
    options: ChainOptions,
) -> (ChainAnswer, Vec<Turn>) {
    let turns = Arc::new(std::sync::Mutex::new(Vec::new()));
    let scripted = |name, answers: &[SolverAnswer]| {
        let (answers, turns) = (answers.to_vec(), turns.clone());
        Box::new(Scripted { answers, turns, name }) as Box<dyn Backend>
    };
    let clock = ticking_clock();
    let mut chain = SolverChain::with_backend(options, clock, scripted("first", first));
    chain.second = Some((scripted("second", second), BackendChooser::default()));
    let pool = Pool::new();
    let decision =
        chain.decide_slice(&pool, &PersistentModel::new(), &[], hard_query(&pool)).unwrap();
    let turns = turns.lock().unwrap().clone();
    (decision, turns)
}

#[test]
fn a_query_that_one_backend_does_not_decide_is_tried_by_the_other() {
    let timed = |millis| ChainOptions {
        query_time: Some(Duration::from_millis(millis)),
        verify_models: false,
        sampling: false,
        ..ChainOptions::default()
    };
    const UNSAT: SolverAnswer = SolverAnswer::Unsat;
    const UNKNOWN: SolverAnswer = SolverAnswer::Unknown;
    let (decision, turns) = turns_of(&[UNSAT], &[], timed(1000));
    assert!(matches!(decision, ChainAnswer::Unsat) && turns.len() == 1);
    assert_eq!(turns[0].1, Some(FIRST_TURN_CONFLICTS));
    let (decision, turns) = turns_of(&[UNKNOWN], &[UNSAT], timed(1000));
    assert!(matches!(decision, ChainAnswer::Unsat));
    assert_eq!(turns.iter().map(|turn| turn.0).collect::<Vec<_>>(), ["first", "second"]);
    assert!(turns[1].2.unwrap() < Duration::from_millis(501), "half of what is left");
    let (decision, turns) = turns_of(&[UNKNOWN, UNSAT], &[UNKNOWN], timed(1000));
    assert!(matches!(decision, ChainAnswer::Unsat));
    assert_eq!(turns.iter().map(|turn| turn.0).collect::<Vec<_>>(), ["first", "second", "first"]);
    assert_eq!(turns[2].1, None, "only time limits the last turn");
    // Without a time limit, a turn of the second would never end.
    let untimed = ChainOptions { sampling: false, ..ChainOptions::default() };
    let (decision, turns) = turns_of(&[UNKNOWN], &[], untimed);
    assert!(matches!(decision, ChainAnswer::Unknown) && turns.len() == 1);
    // All turns together have the time of one query.
    let (decision, turns) = turns_of(&[UNKNOWN], &[], timed(1));
    assert!(matches!(decision, ChainAnswer::Unknown) && turns.len() <= 1);
}

#[test]
fn values_are_drawn_between_the_first_two_turns() {
    const UNSAT: SolverAnswer = SolverAnswer::Unsat;
    const UNKNOWN: SolverAnswer = SolverAnswer::Unknown;
    let conflicts = |turns: &[Turn]| turns.iter().map(|turn| turn.1).collect::<Vec<_>>();
    let (decision, turns) = turns_of(&[UNSAT], &[], ChainOptions::default());
    assert!(matches!(decision, ChainAnswer::Unsat));
    assert_eq!(conflicts(&turns), [Some(CONFLICTS_BEFORE_SAMPLING)]);
    // No draw hits the only two factors of a product.
    let (decision, turns) = turns_of(&[UNKNOWN, UNSAT], &[], ChainOptions::default());
    assert!(matches!(decision, ChainAnswer::Unsat));
    assert_eq!(conflicts(&turns), [Some(CONFLICTS_BEFORE_SAMPLING), None]);
    // The user's limit is smaller than that of the first turn.
    let few = ChainOptions { query_conflicts: Some(20), ..ChainOptions::default() };
    let (decision, turns) = turns_of(&[UNKNOWN], &[], few);
    assert!(matches!(decision, ChainAnswer::Unknown));
    assert_eq!(conflicts(&turns), [Some(20)]);
}
