//! A run whose work is a number: a job counts one, and splits the rest among its children.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::{PATIENT, TestCluster};
use crate::clock::now;
use crate::{
    Job, JobBoard, JobRecord, Result, RunDescription, RunFold, RunHeader, RunId, RunState, TakenJob,
};

/// The build of all fake workers.
pub(crate) const BUILD: &str = "build 1";

/// Submits a run with this number as its work.
pub(crate) fn submit(board: &JobBoard, number: u64) -> Job {
    let root = Job::root(RunId::random(), 1, number.to_le_bytes().to_vec());
    board.submit(&description(&root, b"options")).expect("submitted");
    board.publish(&root).expect("published");
    root
}

pub(crate) fn description(root: &Job, body: &[u8]) -> RunDescription {
    let header = RunHeader {
        id: root.run().clone(),
        build: BUILD.to_owned(),
        title: "everett run fake".to_owned(),
        submitted_at: 1_700_000_000,
        root: Some(root.id()),
    };
    RunDescription { header, body: body.to_vec() }
}

pub(crate) fn record(children: &[&Job], body: &[u8]) -> JobRecord {
    JobRecord { children: children.iter().map(|child| child.id()).collect(), body: body.to_vec() }
}

/// Takes a job that has to come.
pub(crate) fn take(board: &JobBoard) -> TakenJob {
    board.take(PATIENT).expect("the board works").expect("a job comes")
}

/// Numbers that differ from worker to worker and from job to job.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn number(job: &Job) -> u64 {
    u64::from_le_bytes(job.body().try_into().expect("a number"))
}

/// Splits a job in a way that depends on the worker: two executions have different children.
fn split(job: &Job, dice: &mut Dice) -> Vec<Job> {
    let mut rest = number(job) - 1;
    let mut children = Vec::new();
    while rest > 0 {
        let share = if children.len() < 5 { 1 + dice.roll(rest) } else { rest };
        children.push(job.child(children.len() as u32, share, share.to_le_bytes().to_vec()));
        rest -= share;
    }
    children
}

/// Executes jobs as one that dies now and then, at every place where a worker can die.
fn work(board: &JobBoard, mut dice: Dice, is_over: &AtomicBool, lives: &AtomicU64) -> Result<()> {
    while !is_over.load(Ordering::Relaxed) {
        let Some(taken) = board.take(Duration::from_millis(100))? else { continue };
        let may_die = lives.load(Ordering::Relaxed) > 0;
        let fate = if may_die { dice.roll(30) } else { u64::MAX };
        if fate <= 2 {
            lives.fetch_sub(1, Ordering::Relaxed);
        }
        let children = split(taken.job(), &mut dice);
        let named: Vec<&Job> = children.iter().collect();
        if fate == 0 {
            continue;
        }
        // One that dies after some of its children.
        let published = if fate == 1 { children.len() / 2 } else { children.len() };
        for child in &children[..published] {
            board.publish(child)?;
        }
        if fate == 1 || fate == 2 {
            continue;
        }
        if fate == 3 {
            board.give_back(&taken)?;
            continue;
        }
        if fate == 4 {
            board.progress(&taken)?;
        }
        let record = record(&named, &1_u64.to_le_bytes());
        let counts = board.done(&taken, &record)?;
        if fate == 5 {
            // The same record again is the same record; another one is none.
            assert_eq!(board.done(&taken, &record)?, counts);
        }
        if fate == 6 {
            assert!(!board.done(&taken, &self::record(&[], b"another"))?);
        }
    }
    Ok(())
}

/// What happens to the cluster while workers are at it.
pub(crate) type Disturbance<'a> = &'a (dyn Fn() + Sync);

/// Runs workers until the fold over the records is complete, and compares it with the number.
pub(crate) fn fold_with_workers(
    cluster: &dyn TestCluster,
    total: u64,
    workers: u64,
    disturbance: Disturbance<'_>,
) {
    let board = cluster.board(BUILD);
    let root = submit(&board, total);
    let is_over = AtomicBool::new(false);
    let lives = AtomicU64::new(6);
    let begin = now();
    thread::scope(|scope| {
        for worker in 0..workers {
            let (is_over, lives) = (&is_over, &lives);
            scope.spawn(move || {
                work(&cluster.board(BUILD), Dice(worker), is_over, lives).expect("a worker goes on")
            });
        }
        scope.spawn(disturbance);
        let mut fold = RunFold::new(root.id());
        let mut sum = 0;
        while !fold.is_complete() && begin.elapsed() < Duration::from_secs(120) {
            let records = board.records(root.run(), fold.last_number(), Duration::from_secs(1));
            for numbered in records.expect("records come") {
                let record = fold.admit(&numbered).expect("only real jobs have records");
                sum += u64::from_le_bytes(record.body[..].try_into().expect("a count"));
            }
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(fold.is_complete(), "{} jobs are open, {} done", fold.open(), fold.done());
        assert_eq!((sum, fold.done()), (total, total));
    });
    assert!(board.end_run(root.run(), &RunState::Finished).expect("ended"));
    // A publish that a worker has repeated may reach the queue late. It leaves it when somebody takes jobs.
    let begin = now();
    while !board.queue_length(root.run()).expect("known").is_empty() {
        assert!(board.take(Duration::from_millis(100)).expect("the board works").is_none());
        assert!(begin.elapsed() < PATIENT, "jobs of a run that is over are left");
    }
}
