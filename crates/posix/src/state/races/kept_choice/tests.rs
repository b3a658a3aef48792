//! Source sets on models of threads, against all interleavings: [`explore`] has to end each order that can be
//! told once, and none else.

use std::collections::{BTreeMap, BTreeSet};

use everett_base::rng::Rng;

use super::*;
use crate::state::ids::Pid;
use crate::state::thread_event::{EventPlace, EventTouch, Footprint, TouchEffect, depend};

/// The next event of a thread of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Read(u64),
    Write(u64),
    Lock(u64),
    Unlock(u64),
    /// Ends all threads.
    Exit,
    /// A write after which its thread crashes, and ends all others.
    WriteAndCrash(u64),
}

impl Op {
    fn footprint(self) -> Footprint {
        let (place, effect) = match self {
            Op::Read(at) => (memory(at), TouchEffect::Reads),
            Op::Write(at) | Op::WriteAndCrash(at) => (memory(at), TouchEffect::Writes),
            Op::Lock(lock) | Op::Unlock(lock) => (memory(100 + lock), TouchEffect::Writes),
            Op::Exit => (EventPlace::Everything, TouchEffect::Writes),
        };
        Footprint::from_iter([EventTouch { place, effect }])
    }
}

fn memory(number: u64) -> EventPlace {
    EventPlace::Memory { address: number * 8, bytes: 8 }
}

/// A program of threads, and how far they have come.
#[derive(Clone)]
struct Model<'m> {
    threads: &'m [Vec<Op>],
    next: Vec<usize>,
    owners: BTreeMap<u64, usize>,
    has_exited: bool,
    trace: Vec<(usize, usize)>,
}

impl<'m> Model<'m> {
    fn new(threads: &'m [Vec<Op>]) -> Model<'m> {
        let (next, owners) = (vec![0; threads.len()], BTreeMap::new());
        Model { threads, next, owners, has_exited: false, trace: Vec::new() }
    }

    fn op(&self, thread: usize) -> Option<Op> {
        self.threads[thread].get(self.next[thread]).copied().filter(|_| !self.has_exited)
    }

    fn enabled(&self) -> Vec<usize> {
        let is_enabled = |thread: &usize| match self.op(*thread) {
            None => false,
            Some(Op::Lock(lock)) => !self.owners.contains_key(&lock),
            Some(_) => true,
        };
        (0..self.threads.len()).filter(is_enabled).collect()
    }

    fn perform(&mut self, thread: usize) {
        match self.op(thread) {
            Some(Op::Lock(lock)) => drop(self.owners.insert(lock, thread)),
            Some(Op::Unlock(lock)) => drop(self.owners.remove(&lock)),
            Some(Op::Exit | Op::WriteAndCrash(_)) => self.has_exited = true,
            _ => {}
        }
        self.trace.push((thread, self.next[thread]));
        self.next[thread] += 1;
    }

    /// What can be told of the order so far: the events, and the order of each two that depend.
    fn order(&self) -> BTreeSet<[(usize, usize); 2]> {
        let footprint = |(thread, index): (usize, usize)| self.threads[thread][index].footprint();
        let mut order = BTreeSet::new();
        for (i, later) in self.trace.iter().enumerate() {
            order.insert([*later, *later]);
            for earlier in &self.trace[..i] {
                if depend(&footprint(*earlier), &footprint(*later)) {
                    order.insert([*earlier, *later]);
                }
            }
        }
        order
    }
}

/// The orders of paths without a crash, and whether there is one with a crash.
#[derive(Debug, Default, PartialEq, Eq)]
struct Orders {
    all: BTreeSet<BTreeSet<[(usize, usize); 2]>>,
    has_crash: bool,
}

impl Orders {
    /// A path ends. Returns true if it has not crashed.
    fn add(&mut self, path: &Model<'_>) -> bool {
        let last = path.trace.last().map(|(thread, index)| path.threads[*thread][*index]);
        if matches!(last, Some(Op::WriteAndCrash(_))) {
            self.has_crash = true;
            return false;
        }
        self.all.insert(path.order());
        true
    }
}

/// The orders of all interleavings.
fn all_orders(model: &Model<'_>, orders: &mut Orders) {
    let enabled = model.enabled();
    if enabled.is_empty() {
        orders.add(model);
    }
    for thread in enabled {
        let mut next = model.clone();
        next.perform(thread);
        all_orders(&next, orders);
    }
}

/// A path of the model.
#[derive(Clone)]
struct Path<'m> {
    model: Model<'m>,
    log: EventLog,
    asleep: Vec<EnabledThread>,
}

fn key(thread: usize) -> ThreadKey {
    (Pid(1), Tid(thread as u32))
}

impl Path<'_> {
    fn at_event(&self, thread: usize) -> Option<EnabledThread> {
        let footprint = self.model.op(thread)?.footprint();
        Some(EnabledThread { thread: key(thread), choice: thread as u32, footprint })
    }

    /// The threads that are asked for because of what all but some are at.
    fn reverse_pending<'p>(
        &self,
        choices: &ChoiceList<Path<'p>>,
        but: &[EnabledThread],
    ) -> Vec<AskedThread<Path<'p>>> {
        let all = (0..self.model.threads.len()).filter_map(|thread| self.at_event(thread));
        let at = all.filter(|at| but.iter().all(|other| other.thread != at.thread));
        let asked = at.map(|at| {
            let pending =
                PendingEvent { tid: at.thread.1, footprint: &at.footprint, may_wait: true };
            reverse(&self.log, choices, pending)
        });
        asked.flatten().collect()
    }

    fn perform<'p>(
        &mut self,
        choices: &ChoiceList<Path<'p>>,
        chosen: &EnabledThread,
    ) -> Vec<AskedThread<Path<'p>>> {
        let EnabledThread { thread, choice, footprint } = chosen;
        let op = self.model.op(*choice as usize);
        let may_wait = !matches!(op, Some(Op::Read(_) | Op::Write(_) | Op::WriteAndCrash(_)));
        let pending = PendingEvent { tid: thread.1, footprint, may_wait };
        let mut asked = reverse(&self.log, choices, pending);
        self.log.add(thread.1, footprint);
        if op == Some(Op::Exit) {
            asked.extend(self.reverse_pending(choices, std::slice::from_ref(chosen)));
        }
        if matches!(op, Some(Op::WriteAndCrash(_))) {
            self.log.let_last_touch_everything(Op::Exit.footprint());
            asked.extend(self.reverse_pending(choices, std::slice::from_ref(chosen)));
        }
        self.asleep.retain(|sleeping| !depend(&sleeping.footprint, footprint));
        self.model.perform(*choice as usize);
        asked
    }
}

/// Explores a model with source sets and sleep sets. Gives the orders, the number of paths that came to their
/// ends without a crash, and of those that did not.
fn explore(threads: &[Vec<Op>]) -> (Orders, usize, usize) {
    let (mut orders, mut ended, mut blocked) = (Orders::default(), 0, 0);
    let first = Path { model: Model::new(threads), log: EventLog::default(), asleep: Vec::new() };
    let mut paths = vec![(first, ChoiceList::new())];
    while let Some((mut path, mut choices)) = paths.pop() {
        let mut asked = Vec::new();
        loop {
            let enabled: Vec<EnabledThread> =
                path.model.enabled().into_iter().filter_map(|t| path.at_event(t)).collect();
            if enabled.is_empty() {
                asked.extend(path.reverse_pending(&choices, &[]));
                ended += usize::from(orders.add(&path.model));
                break;
            }
            let is_asleep = |who: ThreadKey| path.asleep.iter().any(|other| other.thread == who);
            let Some(chosen) = enabled.iter().find(|e| !is_asleep(e.thread)).cloned() else {
                asked.extend(path.reverse_pending(&choices, &enabled));
                blocked += 1;
                break;
            };
            if enabled.len() > 1 {
                let candidates: Vec<&EnabledThread> =
                    enabled.iter().filter(|e| !is_asleep(e.thread)).collect();
                let choice = KeptChoice::new(&path.log, &enabled, &candidates, 0, path.clone());
                choices.push(Arc::new(choice));
            }
            asked.extend(path.perform(&choices, &chosen));
        }
        while let Some((at, choices)) = asked.pop().and_then(AskedThread::take) {
            let mut path = at.choice.kept().clone();
            path.asleep.extend(at.before().cloned());
            asked.extend(path.perform(&choices, at.thread()));
            paths.push((path, choices));
        }
    }
    (orders, ended, blocked)
}

fn check(threads: &[Vec<Op>]) -> usize {
    let mut expected = Orders::default();
    all_orders(&Model::new(threads), &mut expected);
    let (orders, ended, blocked) = explore(threads);
    let counts = [&orders, &expected].map(|orders| orders.all.len());
    assert!(orders == expected, "found and there, in numbers: {counts:?}, {threads:?}");
    assert_eq!(ended, expected.all.len(), "an order came twice: {threads:?}");
    blocked
}

#[test]
fn events_of_other_places_have_one_order() {
    let threads: Vec<Vec<Op>> = (0..4).map(|at| vec![Op::Write(at), Op::Read(at)]).collect();
    assert_eq!((explore(&threads).1, check(&threads)), (1, 0));
}

#[test]
fn readers_see_a_write_or_do_not() {
    let mut threads = vec![vec![Op::Read(0)]; 4];
    threads.push(vec![Op::Write(0)]);
    assert_eq!((explore(&threads).1, check(&threads)), (16, 0));
}

#[test]
fn a_deadlock_does_not_hide_the_orders_without_it() {
    let nested = |a, b| vec![Op::Lock(a), Op::Lock(b), Op::Unlock(b), Op::Unlock(a)];
    let threads = [nested(0, 1), nested(1, 0)];
    assert_eq!(explore(&threads).1, 3);
    check(&threads);
}

#[test]
fn an_exit_does_not_hide_what_could_come_before_it() {
    let threads = [vec![Op::Write(0), Op::Exit], vec![Op::Write(1), Op::Read(0)]];
    assert!(check(&threads) == 0 && explore(&threads).1 > 2);
}

#[test]
fn a_crash_does_not_hide_what_could_come_before_it() {
    let crash = vec![Op::Lock(0), Op::WriteAndCrash(0)];
    let threads = [crash, vec![Op::Write(1), Op::Lock(0), Op::Unlock(0)]];
    check(&threads);
    assert_eq!(explore(&threads).1, 0);
    let threads =
        [vec![Op::Write(0), Op::WriteAndCrash(0)], vec![Op::Write(1), Op::Read(0), Op::Exit]];
    check(&threads);
    assert_eq!(explore(&threads).1, 3);
}

#[test]
fn random_threads_end_in_each_order_once() {
    let mut rng = Rng::new(20);
    let mut blocked = 0;
    for _ in 0..3000 {
        let count = 2 + rng.below(2) as usize;
        let most = if count == 2 { 5 } else { 3 };
        let threads: Vec<Vec<Op>> = (0..count).map(|_| random_thread(&mut rng, most)).collect();
        blocked += check(&threads);
    }
    assert!(blocked < 3000, "{blocked} paths were begun in vain");
}

/// Events of a thread, which takes and leaves locks in turn.
fn random_thread(rng: &mut Rng, most: u64) -> Vec<Op> {
    let (mut ops, mut held) = (Vec::new(), Vec::new());
    for _ in 0..rng.below(most + 1) {
        let place = rng.below(2);
        match rng.below(22) {
            0..8 => ops.push(Op::Read(place)),
            8..14 => ops.push(Op::Write(place)),
            14..20 if !held.contains(&place) => {
                held.push(place);
                ops.push(Op::Lock(place));
            }
            20 => ops.push(Op::Exit),
            21 => ops.push(Op::WriteAndCrash(place)),
            _ => {
                held.retain(|lock| *lock != place);
                ops.push(Op::Unlock(place));
            }
        }
    }
    ops
}
