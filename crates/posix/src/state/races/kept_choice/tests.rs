//! Source sets on models of threads, against all interleavings: [`explore`] has to end each order that can be
//! told once, and none else, and to find the same accesses that race.

use std::collections::{BTreeMap, BTreeSet};

use everett_base::rng::Rng;
use everett_interp::ProgramId;

use super::*;
use crate::state::ids::Pid;
use crate::state::races::{AccessSite, AtomicWrite, RaceDetector, Synchronisation, ThreadAccess};
use crate::state::thread_event::{EventPlace, EventTouch, Footprint, TouchEffect, depend};

/// An operation of a thread of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    /// An atomic load, which acquires.
    Read(u64),
    /// An atomic store, which releases.
    Write(u64),
    /// An access that is an event only once it is known to race.
    PlainRead(u64),
    PlainWrite(u64),
    Lock(u64),
    Unlock(u64),
    /// Ends all threads, as an event.
    Exit,
    /// Ends the path, in the turn of the event before it.
    Abort,
}

impl Op {
    fn footprint(self) -> Footprint {
        let (place, effect) = match self {
            Op::Read(at) | Op::PlainRead(at) => (memory(at), TouchEffect::Reads),
            Op::Write(at) | Op::PlainWrite(at) => (memory(at), TouchEffect::Writes),
            Op::Lock(lock) | Op::Unlock(lock) => (memory(100 + lock), TouchEffect::Writes),
            Op::Exit | Op::Abort => (EventPlace::Everything, TouchEffect::Writes),
        };
        Footprint::from_iter([EventTouch { place, effect }])
    }

    fn is_plain(self) -> bool {
        matches!(self, Op::PlainRead(_) | Op::PlainWrite(_))
    }

    fn may_wait(self) -> bool {
        !matches!(self, Op::Read(_) | Op::Write(_) | Op::PlainRead(_) | Op::PlainWrite(_))
    }
}

fn memory(number: u64) -> EventPlace {
    EventPlace::Memory { address: number * 8, bytes: 8 }
}

/// An operation of a program, by its thread and its place there.
type OpPlace = (usize, usize);

/// Threads, and those of their operations that are events although they need not be: plain accesses that are
/// known to race.
#[derive(Clone, Debug)]
struct ModelProgram {
    threads: Vec<Vec<Op>>,
    racing: BTreeSet<OpPlace>,
}

impl ModelProgram {
    fn is_event(&self, (thread, index): OpPlace) -> bool {
        let op = self.threads[thread][index];
        !(op.is_plain() || op == Op::Abort) || self.racing.contains(&(thread, index))
    }
}

/// A program, and how far its threads have come.
#[derive(Clone)]
struct Model<'m> {
    program: &'m ModelProgram,
    next: Vec<usize>,
    owners: BTreeMap<u64, usize>,
    has_exited: bool,
    has_aborted: bool,
    trace: Vec<OpPlace>,
    detector: RaceDetector,
    races: BTreeSet<OpPlace>,
}

impl<'m> Model<'m> {
    /// All threads are at their first events.
    fn new(program: &'m ModelProgram) -> Model<'m> {
        let count = program.threads.len();
        let mut detector = RaceDetector::default();
        (0..count).for_each(|thread| detector.start(key(count), key(thread)));
        let (next, owners, trace) = (vec![0; count], BTreeMap::new(), Vec::new());
        let (has_exited, has_aborted, races) = (false, false, BTreeSet::new());
        let mut model =
            Model { program, next, owners, has_exited, has_aborted, trace, detector, races };
        (0..count).for_each(|thread| model.go_on(thread));
        model
    }

    fn op(&self, thread: usize) -> Option<Op> {
        let op = self.program.threads[thread].get(self.next[thread]).copied();
        op.filter(|_| !self.has_exited)
    }

    fn enabled(&self) -> Vec<usize> {
        let is_enabled = |thread: &usize| match self.op(*thread) {
            None => false,
            Some(Op::Lock(lock)) => !self.owners.contains_key(&lock),
            Some(_) => true,
        };
        (0..self.program.threads.len()).filter(is_enabled).collect()
    }

    /// A thread performs its event, and all that follows up to the next one.
    fn perform(&mut self, thread: usize) {
        self.trace.push((thread, self.next[thread]));
        self.step(thread);
        self.go_on(thread);
    }

    fn go_on(&mut self, thread: usize) {
        while self.op(thread).is_some() && !self.program.is_event((thread, self.next[thread])) {
            self.step(thread);
        }
    }

    /// A thread performs one operation.
    fn step(&mut self, thread: usize) {
        let lock_word = |lock: u64| (100 + lock) * 8;
        match self.op(thread) {
            Some(Op::Lock(lock)) => {
                self.owners.insert(lock, thread);
                self.detector.synchronise(key(thread), lock_word(lock), Synchronisation::STRONGEST);
            }
            Some(Op::Unlock(lock)) => {
                self.owners.remove(&lock);
                self.detector.synchronise(key(thread), lock_word(lock), Synchronisation::STRONGEST);
            }
            Some(Op::Exit) => self.has_exited = true,
            Some(Op::Abort) => (self.has_exited, self.has_aborted) = (true, true),
            Some(Op::Read(at) | Op::Write(at) | Op::PlainRead(at) | Op::PlainWrite(at)) => {
                self.access(thread, at * 8);
            }
            None => {}
        }
        self.next[thread] += 1;
    }

    fn access(&mut self, thread: usize, address: u64) {
        let (who, index) = (key(thread), self.next[thread]);
        let op = self.program.threads[thread][index];
        let is_write = matches!(op, Op::Write(_) | Op::PlainWrite(_));
        let how = Synchronisation {
            reads: !is_write,
            acquires: !is_write,
            writes: is_write.then_some(AtomicWrite::Store),
            releases: is_write,
        };
        let is_atomic = !op.is_plain();
        let pc = (thread * 100 + index) as u32;
        let site = AccessSite { program: ProgramId::from_index(0), pc, stack: None };
        let access = ThreadAccess { address, bytes: 8, is_write, is_atomic, site };
        if is_atomic {
            self.detector.take_over(who, address, how);
        }
        for race in self.detector.access(who, &access) {
            let ops = [(is_atomic, pc), (race.is_atomic, race.site.pc)];
            self.races.extend(ops.iter().filter(|(is_atomic, _)| !is_atomic).map(|op| place(op.1)));
        }
        if is_atomic {
            self.detector.leave(who, address, how);
        }
    }

    /// What can be told of the order so far: the events, and the order of each two that depend.
    fn order(&self) -> BTreeSet<[OpPlace; 2]> {
        let footprint = |at: OpPlace| self.program.threads[at.0][at.1].footprint();
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

/// The operation that has a number in accesses.
fn place(pc: u32) -> OpPlace {
    (pc as usize / 100, pc as usize % 100)
}

/// The orders of paths without a crash, and whether there is one with a crash.
#[derive(Debug, Default, PartialEq, Eq)]
struct Orders {
    all: BTreeSet<BTreeSet<[OpPlace; 2]>>,
    has_crash: bool,
}

impl Orders {
    /// A path ends. Returns true if it has not crashed.
    fn add(&mut self, path: &Model<'_>) -> bool {
        if path.has_aborted {
            self.has_crash = true;
        } else {
            self.all.insert(path.order());
        }
        !path.has_aborted
    }
}

/// The orders of all interleavings, and the plain accesses that race in them.
fn all_orders(model: &Model<'_>, orders: &mut Orders, races: &mut BTreeSet<OpPlace>) {
    let enabled = model.enabled();
    if enabled.is_empty() {
        orders.add(model);
        races.extend(&model.races);
    }
    for thread in enabled {
        let mut next = model.clone();
        next.perform(thread);
        all_orders(&next, orders, races);
    }
}

/// A path of the model.
#[derive(Clone)]
struct Path<'m> {
    model: Model<'m>,
    log: EventLog,
    asleep: Vec<EnabledThread>,
    /// Some thread is held before the end of its path, and only races are looked for.
    is_beside_end: bool,
}

fn key(thread: usize) -> ThreadKey {
    (Pid(1), Tid(thread as u32))
}

impl<'m> Path<'m> {
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
        let op = |thread: usize| self.model.program.threads[thread].get(self.model.next[thread]);
        let mut asked = Vec::new();
        for thread in 0..self.model.program.threads.len() {
            let Some(footprint) = op(thread).map(|op| op.footprint()) else { continue };
            if but.iter().all(|other| other.thread != key(thread)) {
                let tid = key(thread).1;
                let pending = PendingEvent { tid, footprint: &footprint, may_wait: true };
                asked.extend(reverse(&self.log, choices, pending));
            }
        }
        asked
    }

    fn perform<'p>(
        &mut self,
        choices: &ChoiceList<Path<'p>>,
        chosen: &EnabledThread,
    ) -> Vec<AskedThread<Path<'p>>> {
        let EnabledThread { thread, choice, footprint } = chosen;
        let op = self.model.op(*choice as usize).expect("it is at an event");
        let pending = PendingEvent { tid: thread.1, footprint, may_wait: op.may_wait() };
        let mut asked = reverse(&self.log, choices, pending);
        self.log.add(thread.1, footprint);
        self.asleep.retain(|sleeping| !depend(&sleeping.footprint, footprint));
        self.model.perform(*choice as usize);
        if self.model.has_aborted {
            self.log.let_last_touch_everything(Op::Abort.footprint());
        }
        if self.model.has_exited {
            asked.extend(self.reverse_pending(choices, std::slice::from_ref(chosen)));
        }
        asked
    }

    /// The path on which the others go on before the last thread ends all of them, if it does.
    fn beside_end(&self) -> Option<Path<'m>> {
        let (thread, _) = self.model.trace.last().filter(|_| self.model.has_aborted)?;
        let mut beside = Path { log: EventLog::default(), is_beside_end: true, ..self.clone() };
        (beside.model.has_exited, beside.model.has_aborted) = (false, false);
        beside.model.next[*thread] = usize::MAX;
        Some(beside)
    }
}

/// What an exploration with source sets and sleep sets comes to.
#[derive(Default)]
struct Explored {
    orders: Orders,
    /// Paths that came to their ends without a crash.
    ended: usize,
    /// Paths that did not come to an end.
    blocked: usize,
    /// Plain accesses that race.
    races: BTreeSet<OpPlace>,
    /// Those of them that do on paths that count.
    told: BTreeSet<OpPlace>,
}

fn explore(program: &ModelProgram) -> Explored {
    let mut explored = Explored::default();
    let (model, log, asleep) = (Model::new(program), EventLog::default(), Vec::new());
    let first = Path { model, log, asleep, is_beside_end: false };
    let mut paths = vec![(first, ChoiceList::new())];
    while let Some((mut path, mut choices)) = paths.pop() {
        let mut asked = Vec::new();
        loop {
            let enabled: Vec<EnabledThread> =
                path.model.enabled().into_iter().filter_map(|t| path.at_event(t)).collect();
            if enabled.is_empty() {
                asked.extend(path.reverse_pending(&choices, &[]));
                if !path.is_beside_end {
                    explored.ended += usize::from(explored.orders.add(&path.model));
                }
                paths.extend(path.beside_end().map(|beside| (beside, ChoiceList::new())));
                break;
            }
            let is_asleep = |who: ThreadKey| path.asleep.iter().any(|other| other.thread == who);
            let Some(chosen) = enabled.iter().find(|e| !is_asleep(e.thread)).cloned() else {
                asked.extend(path.reverse_pending(&choices, &enabled));
                explored.blocked += usize::from(!path.is_beside_end);
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
        explored.races.extend(&path.model.races);
        if !path.is_beside_end {
            explored.told.extend(&path.model.races);
        }
        while let Some((at, choices)) = asked.pop().and_then(AskedThread::take) {
            let mut path = at.choice.kept().clone();
            path.asleep.extend(at.before().cloned());
            asked.extend(path.perform(&choices, at.thread()));
            paths.push((path, choices));
        }
    }
    explored
}

/// Explores threads again and again, until all plain accesses that race are known.
fn explore_all(threads: &[Vec<Op>]) -> (ModelProgram, Explored) {
    let mut program = ModelProgram { threads: threads.to_vec(), racing: BTreeSet::new() };
    loop {
        let explored = explore(&program);
        if explored.races.is_subset(&program.racing) {
            return (program, explored);
        }
        program.racing.extend(&explored.races);
    }
}

/// The plain accesses that race in any order of all operations.
fn all_races(threads: &[Vec<Op>]) -> BTreeSet<OpPlace> {
    let places = threads.iter().enumerate();
    let racing = places.flat_map(|(thread, ops)| (0..ops.len()).map(move |op| (thread, op)));
    let program = ModelProgram { threads: threads.to_vec(), racing: racing.collect() };
    let mut races = BTreeSet::new();
    all_orders(&Model::new(&program), &mut Orders::default(), &mut races);
    races
}

fn check(threads: &[Vec<Op>]) -> Explored {
    let (program, explored) = explore_all(threads);
    let (mut expected, mut told) = (Orders::default(), BTreeSet::new());
    all_orders(&Model::new(&program), &mut expected, &mut told);
    let counts = [&explored.orders, &expected].map(|orders| orders.all.len());
    assert!(explored.orders == expected, "found and there, in numbers: {counts:?}, {program:?}");
    assert_eq!(explored.ended, expected.all.len(), "an order came twice: {program:?}");
    assert_eq!(explored.told, told, "races that are told, and that could be: {program:?}");
    let races = all_races(threads);
    assert_eq!(program.racing, races, "races that are found, and that are there: {threads:?}");
    explored
}

#[test]
fn events_of_other_places_have_one_order() {
    let threads: Vec<Vec<Op>> = (0..4).map(|at| vec![Op::Write(at), Op::Read(at)]).collect();
    let Explored { ended, blocked, .. } = check(&threads);
    assert_eq!((ended, blocked), (1, 0));
}

#[test]
fn readers_see_a_write_or_do_not() {
    let mut threads = vec![vec![Op::Read(0)]; 4];
    threads.push(vec![Op::Write(0)]);
    let Explored { ended, blocked, .. } = check(&threads);
    assert_eq!((ended, blocked), (16, 0));
}

#[test]
fn a_deadlock_does_not_hide_the_orders_without_it() {
    let nested = |a, b| vec![Op::Lock(a), Op::Lock(b), Op::Unlock(b), Op::Unlock(a)];
    assert_eq!(check(&[nested(0, 1), nested(1, 0)]).ended, 3);
}

#[test]
fn an_exit_does_not_hide_what_could_come_before_it() {
    let explored = check(&[vec![Op::Write(0), Op::Exit], vec![Op::Write(1), Op::Read(0)]]);
    assert!(explored.blocked == 0 && explored.ended > 2);
}

#[test]
fn a_crash_does_not_hide_what_could_come_before_it() {
    let crash = vec![Op::Lock(0), Op::Write(0), Op::Abort];
    assert_eq!(check(&[crash, vec![Op::Write(1), Op::Lock(0), Op::Unlock(0)]]).ended, 0);
    let crash = vec![Op::Write(0), Op::Write(0), Op::Abort];
    assert_eq!(check(&[crash, vec![Op::Write(1), Op::Read(0), Op::Exit]]).ended, 3);
}

#[test]
fn a_crash_does_not_hide_a_race() {
    let crash = vec![Op::Lock(1), Op::PlainRead(0), Op::Abort];
    let write = vec![Op::Lock(0), Op::PlainWrite(0), Op::Unlock(0)];
    assert_eq!(check(&[crash, write]).races, BTreeSet::from([(0, 1), (1, 1)]));
}

#[test]
fn random_threads_end_in_each_order_once() {
    let mut rng = Rng::new(20);
    let mut blocked = 0;
    for _ in 0..3000 {
        let count = 2 + rng.below(2) as usize;
        let most = if count == 2 { 5 } else { 3 };
        let threads: Vec<Vec<Op>> = (0..count).map(|_| random_thread(&mut rng, most)).collect();
        blocked += check(&threads).blocked;
    }
    assert!(blocked < 3000, "{blocked} paths were begun in vain");
}

/// Operations of a thread, which takes and leaves locks in turn. The first one is an event.
fn random_thread(rng: &mut Rng, most: u64) -> Vec<Op> {
    let (mut ops, mut held) = (Vec::new(), Vec::new());
    for _ in 0..rng.below(most + 1) {
        let place = rng.below(2);
        match rng.below(30) {
            0..6 => ops.push(Op::Read(place)),
            6..10 => ops.push(Op::Write(place)),
            10..16 if !held.contains(&place) => {
                held.push(place);
                ops.push(Op::Lock(place));
            }
            16 => ops.push(Op::Exit),
            17..19 if !ops.is_empty() => ops.push(Op::Abort),
            19..22 if !ops.is_empty() => ops.push(Op::PlainRead(place)),
            22..25 if !ops.is_empty() => ops.push(Op::PlainWrite(place)),
            _ => {
                held.retain(|lock| *lock != place);
                ops.push(Op::Unlock(place));
            }
        }
    }
    ops
}
