//! Walks over terms are left when the run that the terms belong to ends.

use everett_base::Interrupt;
use everett_base::interrupt::{Left, MemoryPressure, StopReason};
use everett_expr::{Pool, TermId, VarId};

fn sum(pool: &Pool, bytes: u32) -> TermId {
    let symbol = pool.symbol("bytes", bytes);
    let byte = |at| pool.mul(pool.zext(pool.byte(symbol, at), 32), pool.constant(32, at.into()));
    (0..bytes).map(byte).reduce(|a, b| pool.add(a, b)).expect("there are some")
}

#[test]
fn evaluation_and_substitution_are_left() {
    let interrupt = Interrupt::new();
    let pool = Pool::with_interrupt(interrupt.clone());
    let term = sum(&pool, 1000);
    let one = |_: VarId| 1u8;
    let eval = || Interrupt::catch(|| pool.eval_u64(term, &one));
    let replace = || Interrupt::catch(|| pool.substitute(term, &|_| Some(pool.constant(8, 1))));
    let (value, replaced) = (eval().expect("nobody asked"), replace().expect("nobody asked"));
    assert_eq!(pool.as_const(replaced), Some(value));
    interrupt.stop(StopReason::Time);
    assert_eq!(eval(), Ok(value));
    interrupt.leave();
    assert_eq!((eval(), replace()), (Err(Left), Err(Left)));
}

#[test]
fn new_terms_are_not_made_when_memory_is_far_above_its_limit() {
    let interrupt = Interrupt::new();
    let pool = Pool::with_interrupt(interrupt.clone());
    let term = sum(&pool, 10);
    interrupt.press(MemoryPressure::FarAbove);
    assert_eq!(Interrupt::catch(|| sum(&pool, 10)), Ok(term), "there is nothing new in it");
    assert_eq!(Interrupt::catch(|| sum(&pool, 11)), Err(Left));
    interrupt.press(MemoryPressure::None);
    assert!(Interrupt::catch(|| sum(&pool, 11)).is_ok());
}
