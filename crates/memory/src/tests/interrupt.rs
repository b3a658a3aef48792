//! Large copies and fills are left when the run ends.

use everett_base::Interrupt;
use everett_base::interrupt::{Left, MemoryPressure, StopReason};

use super::*;

#[test]
fn copies_and_fills_are_left() {
    let interrupt = Interrupt::new();
    let (pool, mut space) = (Pool::with_interrupt(interrupt.clone()), space());
    let [from, to] = [(); 2].map(|()| heap(&mut space, 1 << 20));
    let seven = ByteValue::Concrete(7);
    let mut fill = || Interrupt::catch(|| space.fill(&pool, from, seven, 1 << 20));
    assert_eq!(fill(), Ok(Ok(())));
    interrupt.press(MemoryPressure::Above);
    assert_eq!(fill(), Ok(Ok(())));
    interrupt.press(MemoryPressure::FarAbove);
    assert_eq!(fill(), Err(Left));
    interrupt.press(MemoryPressure::None);
    let mut copy = || Interrupt::catch(|| space.copy(&pool, to, from, 1 << 20));
    assert_eq!(copy(), Ok(Ok(())));
    interrupt.stop(StopReason::Asked);
    assert_eq!(copy(), Ok(Ok(())));
    interrupt.leave();
    assert_eq!(copy(), Err(Left));
}
