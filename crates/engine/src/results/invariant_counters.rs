//! [`InvariantCounters`]: how often each invariant was evaluated, with which data, and what came of it.

use std::collections::BTreeMap;
use std::time::Duration;

use minvariant::Program;

use crate::api::summary::{InvariantCount, InvariantStats};

/// The counts of a worker, or of all workers together.
#[derive(Default)]
pub(crate) struct InvariantCounters {
    /// Evaluations, those included whose condition was false.
    evaluations: u64,
    violations: u64,
    /// Time spent on them.
    pub(crate) time: Duration,
    /// By name, those that have any counts.
    each: BTreeMap<String, EvaluationCounts>,
}

everett_base::portable!(struct InvariantCounters { evaluations, violations, time, each });

/// The counts of one invariant.
#[derive(Clone, Copy, Default)]
struct EvaluationCounts {
    evaluations: u64,
    with_data: u64,
    violations: u64,
}

everett_base::portable!(struct EvaluationCounts { evaluations, with_data, violations });

impl InvariantCounters {
    fn of(&mut self, name: &str) -> &mut EvaluationCounts {
        if !self.each.contains_key(name) {
            self.each.insert(name.to_owned(), EvaluationCounts::default());
        }
        self.each.get_mut(name).expect("it was inserted if it was not there")
    }

    /// Counts an evaluation. One that is not due has a condition that was false.
    pub(crate) fn count_evaluation(&mut self, name: &str, is_due: bool, saw_data: bool) {
        self.evaluations += 1;
        let counts = self.of(name);
        counts.evaluations += u64::from(is_due);
        counts.with_data += u64::from(is_due && saw_data);
    }

    /// Counts a violation.
    pub(crate) fn count_violation(&mut self, name: &str) {
        self.violations += 1;
        self.of(name).violations += 1;
    }

    /// Takes a violation out of the counts that another job has counted.
    pub(crate) fn forget_violation(&mut self, name: &str) {
        self.violations = self.violations.saturating_sub(1);
        let counts = self.of(name);
        counts.violations = counts.violations.saturating_sub(1);
    }

    /// Adds the counts of another worker.
    pub(crate) fn add(&mut self, other: InvariantCounters) {
        let InvariantCounters { evaluations, violations, time, each } = other;
        self.evaluations += evaluations;
        self.violations += violations;
        self.time += time;
        for (name, EvaluationCounts { evaluations, with_data, violations }) in each {
            let sum = self.each.entry(name).or_default();
            sum.evaluations += evaluations;
            sum.with_data += with_data;
            sum.violations += violations;
        }
    }

    /// The statistics of all invariants of a program, in its order.
    pub(crate) fn summary(&self, program: &Program) -> InvariantStats {
        let each = program.invariants().map(|invariant| {
            let name = invariant.name.to_string();
            let EvaluationCounts { evaluations, with_data, violations } =
                self.each.get(&name).copied().unwrap_or_default();
            let (file, line) = (invariant.location.file.to_string(), invariant.location.line);
            InvariantCount { name, file, line, evaluations, with_data, violations }
        });
        InvariantStats {
            evaluations: self.evaluations,
            violations: self.violations,
            time: self.time,
            each: each.collect(),
        }
    }
}
