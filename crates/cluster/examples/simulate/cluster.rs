//! The simulation: events in the order of their times.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use everett_cluster::{QueueLength, SplitPolicy};

use crate::random::Random;

/// Seconds to write a part, and to read one.
const WRITE: f64 = 0.04;
const READ: f64 = 0.06;
/// Megabytes of a part, from and to.
const PART_MEGABYTES: (f64, f64) = (0.5, 4.0);
/// Megabytes that the server takes in or gives out in a second.
const SERVER_MEGABYTES: f64 = 100.0;
/// Seconds of the server for a message.
const MESSAGE: f64 = 0.0003;
/// Messages to take a job (the request, the job, the state of the run, two records), to look at the queue
/// and extend the hold, and to end a job, beside the pieces of parts.
const TAKE_MESSAGES: u64 = 10;
const LOOK_MESSAGES: u64 = 8;
const END_MESSAGES: u64 = 8;
/// A part travels in pieces of so many megabytes, each with an answer.
const PIECE_MEGABYTES: f64 = 0.5;
/// Seconds after which the job of a dead worker goes to another one.
const HOLD: f64 = 30.0;
/// Findings in the whole work, at places that nobody knows.
const FINDINGS: usize = 10;

/// What is simulated.
pub(crate) struct Scene {
    pub(crate) workers: u64,
    /// Seconds that one worker would need for all of it.
    pub(crate) work: f64,
    /// The mean time in seconds until a worker dies or leaves. Another one comes after a minute on average.
    pub(crate) life: Option<f64>,
    pub(crate) seed: u64,
}

impl Scene {
    /// Workers that stay.
    pub(crate) fn steady(workers: u64) -> Scene {
        Scene { workers, work: 0.0, life: None, seed: 1 }
    }
}

/// What came of it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Seconds until the last record.
    pub(crate) time: f64,
    /// Seconds until the first record with a finding.
    pub(crate) first_finding: f64,
    /// Seconds of work that counted.
    pub(crate) useful: f64,
    /// Seconds that workers were there.
    pub(crate) present: f64,
    pub(crate) jobs: u64,
    /// Jobs whose worker has died.
    pub(crate) lost_jobs: u64,
    pub(crate) megabytes: f64,
    pub(crate) messages: u64,
    /// Seconds in which the server had something to do.
    pub(crate) server_busy: f64,
}

impl Outcome {
    pub(crate) fn efficiency(&self) -> f64 {
        self.useful / self.present
    }
}

/// A job: seconds of work, places of findings within them, and its size.
#[derive(Clone)]
struct Part {
    work: f64,
    findings: Vec<f64>,
    megabytes: f64,
}

enum Activity {
    /// Waiting for a job.
    Idle,
    /// Fetching a job, or publishing what is left of one.
    Busy,
    /// At work since a moment.
    Working { since: f64 },
    /// Dead, or gone.
    Away,
}

struct Worker {
    activity: Activity,
    /// The job that it holds.
    part: Option<Part>,
    came: f64,
    /// Counts what the worker has begun: an event of something that is over means nothing.
    epoch: u64,
}

enum Happening {
    /// A part was fetched and read.
    Begins,
    /// A worker looks at the queue, or its job is at its end.
    Looks,
    /// What is left of a job is at the server, and its record.
    Ends { done: f64, children: Vec<Part> },
    /// A worker dies or leaves.
    Leaves,
    /// A worker comes.
    Comes,
    /// The hold of a dead worker expires.
    Expires(Part),
}

struct Event {
    time: f64,
    /// Events of the same time come in the order in which they were planned.
    number: u64,
    worker: usize,
    epoch: u64,
    happening: Happening,
}

impl Ord for Event {
    fn cmp(&self, other: &Event) -> Ordering {
        other.time.total_cmp(&self.time).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Event) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Event) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

struct Simulation<'a> {
    scene: &'a Scene,
    policy: &'a SplitPolicy,
    random: Random,
    now: f64,
    events: BinaryHeap<Event>,
    planned: u64,
    workers: Vec<Worker>,
    idle: VecDeque<usize>,
    queue: VecDeque<Part>,
    /// Jobs that are held, by the living and the dead.
    taken: u64,
    /// The moment at which the server has answered everything that it was asked so far.
    server_free: f64,
    outcome: Outcome,
}

/// Runs a scene to the last record.
pub(crate) fn simulate(scene: &Scene, policy: &SplitPolicy) -> Outcome {
    let mut random = Random(scene.seed);
    let findings = (0..FINDINGS).map(|_| scene.work * random.unit()).collect();
    let root = Part { work: scene.work, findings, megabytes: PART_MEGABYTES.0 };
    let mut simulation = Simulation {
        scene,
        policy,
        random,
        now: 0.0,
        events: BinaryHeap::new(),
        planned: 0,
        workers: Vec::new(),
        idle: VecDeque::new(),
        queue: VecDeque::from([root]),
        taken: 0,
        server_free: 0.0,
        outcome: Outcome { first_finding: f64::INFINITY, ..Outcome::default() },
    };
    for worker in 0..scene.workers as usize {
        simulation.workers.push(Worker {
            activity: Activity::Away,
            part: None,
            came: 0.0,
            epoch: 0,
        });
        simulation.comes(worker);
    }
    simulation.run()
}

impl Simulation<'_> {
    fn run(mut self) -> Outcome {
        while !self.queue.is_empty() || self.taken > 0 {
            let event = self.events.pop().expect("what is in the queue or taken has a future");
            self.now = event.time;
            let is_over = self.workers[event.worker].epoch != event.epoch;
            match event.happening {
                Happening::Expires(part) => {
                    self.taken -= 1;
                    self.enqueue(vec![part]);
                }
                Happening::Comes => self.comes(event.worker),
                Happening::Leaves => self.leaves(event.worker),
                _ if is_over => {}
                Happening::Begins => self.begins(event.worker),
                Happening::Looks => self.looks(event.worker),
                Happening::Ends { done, children } => self.ends(event.worker, done, children),
            }
        }
        self.outcome.time = self.now;
        for worker in &self.workers {
            if !matches!(worker.activity, Activity::Away) {
                self.outcome.present += self.now - worker.came;
            }
        }
        self.outcome
    }

    fn plan(&mut self, after: f64, worker: usize, happening: Happening) {
        self.planned += 1;
        let (time, number, epoch) = (self.now + after, self.planned, self.workers[worker].epoch);
        self.events.push(Event { time, number, worker, epoch, happening });
    }

    /// Seconds until the server has answered.
    fn ask_server(&mut self, messages: u64, megabytes: f64) -> f64 {
        let pieces = 2 * (megabytes / PIECE_MEGABYTES).ceil() as u64;
        let effort = (messages + pieces) as f64 * MESSAGE + megabytes / SERVER_MEGABYTES;
        self.server_free = self.server_free.max(self.now) + effort;
        self.outcome.messages += messages + pieces;
        self.outcome.megabytes += megabytes;
        self.outcome.server_busy += effort;
        self.server_free - self.now
    }

    fn queue_length(&self) -> QueueLength {
        let (waiting, idle) = (self.queue.len() as u64, self.idle.len() as u64);
        QueueLength { waiting, taken: self.taken, idle }
    }

    fn comes(&mut self, worker: usize) {
        self.workers[worker].epoch += 1;
        self.workers[worker].came = self.now;
        if let Some(life) = self.scene.life {
            let time = self.random.time_until(life);
            self.plan(time, worker, Happening::Leaves);
        }
        self.takes(worker);
    }

    /// Takes a job, or waits for one.
    fn takes(&mut self, worker: usize) {
        let Some(part) = self.queue.pop_front() else {
            self.workers[worker].activity = Activity::Idle;
            self.idle.push_back(worker);
            return;
        };
        self.taken += 1;
        self.outcome.jobs += 1;
        let time = self.ask_server(TAKE_MESSAGES, part.megabytes);
        self.workers[worker].activity = Activity::Busy;
        self.workers[worker].part = Some(part);
        self.plan(time + READ, worker, Happening::Begins);
    }

    fn begins(&mut self, worker: usize) {
        self.workers[worker].activity = Activity::Working { since: self.now };
        let work = self.workers[worker].part.as_ref().map_or(0.0, |part| part.work);
        let first = self.policy.first_look(Duration::from_secs_f64(READ)).as_secs_f64();
        self.plan(work.min(first), worker, Happening::Looks);
    }

    fn looks(&mut self, worker: usize) {
        let Activity::Working { since } = self.workers[worker].activity else { return };
        let work = self.workers[worker].part.as_ref().map_or(0.0, |part| part.work);
        let worked = (self.now - since).min(work);
        let left = work - worked;
        self.ask_server(LOOK_MESSAGES, 0.0);
        let queue = self.queue_length();
        let worked_time = Duration::from_secs_f64(worked + 1e-6);
        let reading = Duration::from_secs_f64(READ);
        if left <= 1e-6 {
            self.publishes(worker, work, 0);
        } else if self.policy.is_time_to_split(worked_time, reading, queue) {
            let parts = self.policy.parts_to_make(queue);
            self.publishes(worker, worked, parts);
        } else {
            let next = self.policy.next_look(queue).as_secs_f64();
            self.plan(left.min(next), worker, Happening::Looks);
        }
    }

    /// Writes what is left of a job as so many parts, and the record.
    fn publishes(&mut self, worker: usize, done: f64, parts: usize) {
        let part = self.workers[worker].part.clone().expect("a worker at work holds a job");
        let children = self.split(&part, done, parts);
        let megabytes = children.iter().map(|child| child.megabytes).sum();
        let time = self.ask_server(END_MESSAGES, megabytes) + WRITE * children.len() as f64;
        self.workers[worker].activity = Activity::Busy;
        self.plan(time, worker, Happening::Ends { done, children });
    }

    /// Cuts what is left into pieces that are not all alike, the largest first.
    fn split(&mut self, part: &Part, done: f64, parts: usize) -> Vec<Part> {
        let sizes: Vec<f64> = (0..parts).map(|_| self.random.uneven()).collect();
        let all: f64 = sizes.iter().sum();
        let mut from = done;
        let mut children = Vec::new();
        for (at, size) in sizes.iter().enumerate() {
            let is_last = at + 1 == parts;
            let to = if is_last { part.work } else { from + (part.work - done) * size / all };
            let inside = part.findings.iter().filter(|place| (from..to).contains(*place));
            let findings = inside.map(|place| place - from).collect();
            let megabytes = self.random.between(PART_MEGABYTES.0, PART_MEGABYTES.1);
            children.push(Part { work: to - from, findings, megabytes });
            from = to;
        }
        children.sort_by(|a, b| b.work.total_cmp(&a.work));
        children
    }

    fn ends(&mut self, worker: usize, done: f64, children: Vec<Part>) {
        let part = self.workers[worker].part.take().expect("a job is held until its end");
        self.taken -= 1;
        self.outcome.useful += done;
        if part.findings.iter().any(|place| *place < done) {
            self.outcome.first_finding = self.outcome.first_finding.min(self.now);
        }
        self.enqueue(children);
        if !matches!(self.workers[worker].activity, Activity::Away) {
            self.takes(worker);
        }
    }

    fn enqueue(&mut self, parts: Vec<Part>) {
        self.queue.extend(parts);
        while !self.queue.is_empty() {
            let Some(worker) = self.idle.pop_front() else { break };
            if matches!(self.workers[worker].activity, Activity::Idle) {
                self.takes(worker);
            }
        }
    }

    /// Half of those that go are killed, and their jobs come again when their holds expire. The others
    /// give back what they hold.
    fn leaves(&mut self, worker: usize) {
        let is_killed = self.random.unit() < 0.5;
        self.workers[worker].epoch += 1;
        self.workers[worker].activity = Activity::Away;
        self.outcome.present += self.now - self.workers[worker].came;
        self.idle.retain(|idle| *idle != worker);
        if let Some(part) = self.workers[worker].part.take() {
            self.outcome.lost_jobs += u64::from(is_killed);
            self.plan(if is_killed { HOLD } else { 0.0 }, worker, Happening::Expires(part));
        }
        let time = self.random.time_until(60.0);
        self.plan(time, worker, Happening::Comes);
    }
}
