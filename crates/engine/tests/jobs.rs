//! Runs that are explored in jobs, each by an engine of its own, give what one engine gives.

#[path = "support/programs.rs"]
mod programs;

use std::collections::VecDeque;
use std::sync::Arc;

use everett_engine::{
    DropReason, Engine, EngineConfig, Finding, JobNews, JobPace, JobResults, LimitedCounts, Limits,
    Observer, Outcome, SilentObserver, Strategy, Summary, TestCase, TestPolicy,
};
use everett_ir::Program;
use programs::{DIVISION, forks_and, load};

const RUN: [u8; 32] = [9; 32];

/// Forks once for each of the first `n` bytes of an input, and divides by the last one.
fn forks(n: usize) -> String {
    forks_and(n, DIVISION)
}

/// Remembers the numbers that it is told.
#[derive(Default)]
struct NumberObserver {
    findings: Vec<u32>,
    tests: Vec<u64>,
}

impl Observer for NumberObserver {
    fn finding(&mut self, finding: &Finding) {
        self.findings.push(finding.id);
    }

    fn test(&mut self, test: &TestCase) {
        self.tests.push(test.id);
    }
}

/// A run that was explored in jobs.
struct JobsExplored {
    summary: Summary,
    told: NumberObserver,
    jobs: u32,
    /// The most states that jobs had which were not done.
    most_states: u64,
}

/// Explores in jobs of so many choices, each of which leaves so many parts.
fn explore_in_jobs(
    program: &Arc<Program>,
    config: &EngineConfig,
    choices: u64,
    parts: usize,
) -> JobsExplored {
    let engine = || Engine::new(program.clone(), config.clone()).expect("it is complete");
    let fold = engine();
    let mut results = JobResults::new(&fold, RUN);
    let mut observer = NumberObserver::default();
    let mut jobs = VecDeque::from([(fold.first_job(&RUN), 1)]);
    let (mut count, mut most_states) = (0, 0);
    loop {
        let states: u64 = jobs.iter().map(|(_, states)| states).sum();
        most_states = states.max(most_states);
        let Some((job, _)) = jobs.pop_front() else { break };
        count += 1;
        let pace = JobPace { choices: Some((choices, parts)), ..JobPace::default() };
        pace.totals.set(LimitedCounts { forks: results.forks(), states });
        let done = engine().work_on(&job, &RUN, pace, &[], &mut SilentObserver);
        let done = done.expect("it was just written");
        assert!(done.children.len() <= parts);
        let news = results.add(&done.record, &mut observer).expect("it was just written");
        jobs.extend(done.children.into_iter().map(|child| (child.bytes, child.states)));
        match news {
            JobNews::GoesOn => {}
            JobNews::Ends => {
                let why = results.why_ended().expect("it has ended");
                results.give_up(jobs.iter().map(|(_, states)| states).sum(), why);
                break;
            }
            JobNews::BeginsAgain(first) => {
                results = JobResults::new(&fold, RUN);
                jobs = VecDeque::from([(first, 1)]);
            }
        }
    }
    let summary = results.summary(std::time::Duration::ZERO, 1, &mut observer);
    JobsExplored { summary, told: observer, jobs: count, most_states }
}

fn counts(summary: &Summary) -> impl PartialEq + std::fmt::Debug + use<> {
    let finding = |f: &Finding| (f.kind, f.message.clone(), f.count);
    let findings: Vec<_> = summary.findings.iter().map(finding).collect();
    (
        summary.outcome,
        (summary.paths, summary.paths_failed, summary.forks, summary.instructions),
        format!("{:?} {:?}", summary.worlds, summary.dropped),
        (summary.states_created, summary.trace_hash, summary.symbolic_inputs),
        format!("{:?}", summary.functions),
        (findings, summary.tests),
    )
}

#[test]
fn jobs_give_what_one_run_gives() {
    let program = load(&forks(6));
    for strategy in [Strategy::Dfs, Strategy::Bfs, Strategy::RandomPath, Strategy::Coverage] {
        for tests in [TestPolicy::Findings, TestPolicy::All] {
            let config = EngineConfig { search: vec![strategy], tests, ..EngineConfig::default() };
            let mut engine = Engine::new(program.clone(), config.clone()).expect("it is complete");
            let whole = engine.run(&mut SilentObserver);
            assert_eq!(whole.paths, 64);
            for (choices, parts) in [(1, 1), (1, 3), (7, 2), (1_000_000, 2)] {
                let explored = explore_in_jobs(&program, &config, choices, parts);
                let JobsExplored { summary, told, jobs, .. } = explored;
                assert_eq!(counts(&summary), counts(&whole), "{strategy:?} {choices} {parts}");
                assert!(jobs > 3 || choices > 100, "{jobs}");
                assert_eq!(told.findings, [1]);
                let numbers: Vec<u64> = (1..=summary.tests).collect();
                let mut tests = told.tests;
                tests.sort_unstable();
                assert_eq!(tests, numbers);
            }
        }
    }
}

#[test]
fn a_limit_of_findings_ends_the_run() {
    let program = load(&forks(6));
    let config = EngineConfig { stop_after: Some(1), ..EngineConfig::default() };
    let JobsExplored { summary, .. } = explore_in_jobs(&program, &config, 3, 2);
    assert_eq!((summary.outcome, summary.limit), (Outcome::Limit, Some(DropReason::FindingLimit)));
    assert_eq!(summary.findings.len(), 1);
    assert!(summary.dropped.iter().any(|(why, n)| *why == DropReason::FindingLimit && *n > 0));
}

#[test]
fn limits_on_forks_and_states_hold_for_all_jobs_together() {
    let program = load(&forks(6));
    let limited = |limits: Limits| {
        let config = EngineConfig { limits, ..EngineConfig::default() };
        let mut engine = Engine::new(program.clone(), config.clone()).expect("it is complete");
        (engine.run(&mut SilentObserver), explore_in_jobs(&program, &config, 3, 2))
    };
    let dropped = |summary: &Summary, reason| {
        let found = summary.dropped.iter().find(|(why, _)| *why == reason);
        found.map_or(0, |(_, count)| *count)
    };
    let (whole, explored) = limited(Limits { forks: Some(20), ..Limits::default() });
    assert_eq!((whole.paths, explored.summary.paths), (21, 21));
    assert!(explored.jobs > 3, "{}", explored.jobs);
    assert_eq!(explored.summary.outcome, Outcome::Limit);
    assert!(dropped(&explored.summary, DropReason::ForkLimit) > 0);
    let (whole, explored) = limited(Limits { states: Some(5), ..Limits::default() });
    assert!(explored.jobs > 3, "{}", explored.jobs);
    assert!(whole.states_peak <= 5 && explored.most_states <= 5, "{}", explored.most_states);
    assert!(dropped(&explored.summary, DropReason::StateLimit) > 0);
}

#[test]
fn damaged_jobs_and_records_are_refused() {
    let program = load(&forks(2));
    let engine = || Engine::new(program.clone(), EngineConfig::default()).expect("it is complete");
    let first = engine().first_job(&RUN);
    let work = |job: &[u8], run| {
        engine().work_on(job, run, JobPace::default(), &[vec![1, 2, 3]], &mut SilentObserver)
    };
    assert!(work(&first, &[1; 32]).is_err());
    assert!(work(&first[..first.len() - 1], &RUN).is_err());
    let record = work(&first, &RUN).expect("coverage that cannot be read is passed over").record;
    let fold = engine();
    for end in 0..record.len() {
        assert!(
            JobResults::new(&fold, RUN).add(&record[..end], &mut SilentObserver).is_err(),
            "{end}"
        );
    }
}
