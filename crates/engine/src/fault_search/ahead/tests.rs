//! Runs ahead of time with a runner that ends them in an order of its own.

use everett_posix::{FaultDecision, FaultKind};

use super::*;

/// Ends the run first that was begun last. What a run leaves says which one it was.
struct LastFirst {
    size: usize,
    shares_memory: bool,
    running: Vec<(u64, ExperimentJob)>,
    /// The most runs at the same time, for each that has ended, and which it was.
    ended: std::sync::mpsc::Sender<(u64, usize)>,
}

impl ExperimentRunner for LastFirst {
    fn size(&mut self) -> usize {
        self.size
    }

    fn shares_memory(&self) -> bool {
        self.shares_memory
    }

    fn begin(&mut self, number: u64, job: &ExperimentJob) -> Result<(), RunnerError> {
        self.running.push((number, job.clone()));
        Ok(())
    }

    fn wait(&mut self) -> Result<Option<(u64, ExperimentRun)>, RunnerError> {
        let beside = self.running.len();
        let Some((number, job)) = self.running.pop() else { return Ok(None) };
        let point = job.faults[0].1.point;
        self.ended.send((point, beside))?;
        let run = ExperimentRun {
            is_stopped: false,
            limit: None,
            lacked_memory: beside > 1,
            instructions: point,
            is_applicable: true,
            seen: Default::default(),
            collected: Default::default(),
        };
        Ok(Some((number, run)))
    }
}

fn fault(point: u64) -> Vec<NodeFault> {
    vec![(0, FaultDecision { kind: FaultKind::SysFail, point, choice: 1 })]
}

/// Asks for runs one after the other, with the next ones as guesses, some of them wrong. Returns the runs
/// that were made, in the order of their ends.
fn ended_runs(size: usize, shares_memory: bool, count: u64) -> Vec<(u64, usize)> {
    let (ended, all) = std::sync::mpsc::channel();
    let runner = LastFirst { size, shares_memory, running: Vec::new(), ended };
    let mut ahead = ExperimentsAhead::new(Box::new(runner), 1_000);
    for point in 0..count {
        let mut guess = point;
        let run = ahead.run(&fault(point), || {
            guess += if guess % 5 == 3 { 2 } else { 1 };
            (guess < count).then(|| fault(guess))
        });
        assert_eq!(run.unwrap().unwrap().instructions, point);
    }
    drop(ahead);
    all.iter().collect()
}

#[test]
fn one_at_a_time_makes_no_guesses() {
    let expected: Vec<(u64, usize)> = (0..40).map(|point| (point, 1)).collect();
    assert_eq!(ended_runs(1, true, 40), expected);
}

#[test]
fn every_run_is_made_once_whatever_ends_first() {
    for size in [2, 3, 7] {
        let ended = ended_runs(size, false, 40);
        let mut points: Vec<u64> = ended.iter().map(|(point, _)| *point).collect();
        points.sort_unstable();
        assert_eq!(points, (0..40).collect::<Vec<_>>(), "{size}");
        assert!(ended.iter().any(|(_, beside)| *beside == size), "{size}");
        assert!(ended.iter().all(|(_, beside)| *beside <= size), "{size}");
    }
}

#[test]
fn a_run_that_lacks_memory_beside_others_is_made_again_alone() {
    let ended = ended_runs(3, true, 12);
    for point in 0..12 {
        let last = ended.iter().rfind(|(of, _)| *of == point);
        assert_eq!(last, Some(&(point, 1)), "{ended:?}");
    }
}

#[test]
fn runs_that_nobody_wants_are_forgotten() {
    let (ended, all) = std::sync::mpsc::channel();
    let runner = LastFirst { size: 2, shares_memory: false, running: Vec::new(), ended };
    let mut ahead = ExperimentsAhead::new(Box::new(runner), 1_000);
    for point in 0..100 {
        // Each guess is wrong.
        let mut guess = 1_000 * (point + 1);
        let run = ahead.run(&fault(point), || {
            guess += 1;
            Some(fault(guess))
        });
        assert_eq!(run.unwrap().unwrap().instructions, point);
        assert!(ahead.kept.len() <= 2 * KEPT);
    }
    drop(ahead);
    assert!(all.iter().count() > 200);
}

#[test]
fn the_end_of_the_search_ends_the_wait() {
    struct Ended;
    impl ExperimentRunner for Ended {
        fn size(&mut self) -> usize {
            2
        }

        fn shares_memory(&self) -> bool {
            false
        }

        fn begin(&mut self, _: u64, _: &ExperimentJob) -> Result<(), RunnerError> {
            Ok(())
        }

        fn wait(&mut self) -> Result<Option<(u64, ExperimentRun)>, RunnerError> {
            Ok(None)
        }
    }
    let mut ahead = ExperimentsAhead::new(Box::new(Ended), 1_000);
    assert!(ahead.run(&fault(1), || None).unwrap().is_none());
}
