//! The counters of a run.

use std::collections::{BTreeMap, BTreeSet};

use everett_interp::{BugKind, ExecutionNotes, Omission, ProgramImages, Redundancy};
use everett_posix::{FaultCounts, FaultKind, NodeFaults};
use everett_world::UniverseCounts;

use crate::api::dropped::{DropReason, Loss};
use crate::api::report::{FaultSummary, IgnoredHow, PathOutcome, SourcePlace};
use crate::api::spill::SpillCounts;
use crate::api::summary::Outcome;
use crate::parallel::exchange::AsideCounts;
use crate::programs::places;
use crate::results::invariant_counters::InvariantCounters;

/// The counters of a worker, or of all workers together at the end.
#[derive(Default)]
pub(crate) struct RunCounters {
    pub(crate) instructions: u64,
    pub(crate) paths: u64,
    pub(crate) paths_failed: u64,
    pub(crate) paths_silent: u64,
    pub(crate) paths_cut: u64,
    pub(crate) paths_ignored: u64,
    /// Paths that were made for orders that did not come about.
    pub(crate) orders_redundant: u64,
    /// Those of them whose threads were all asleep.
    pub(crate) orders_blocked: u64,
    /// The sum of the chances of paths that are over: the part of the tree of forks that is explored.
    pub(crate) explored: f64,
    /// Walks from the root to an end, if the search makes any.
    pub(crate) walks: WalkCounts,
    /// Some node had several threads.
    pub(crate) has_threads: bool,
    /// Findings that were ignored: how often paths went on, and how often they ended.
    pub(crate) ignored: BTreeMap<(BugKind, SourcePlace), (u64, u64)>,
    pub(crate) events_sent: u64,
    pub(crate) exit_code: Option<u64>,
    pub(crate) forks: u64,
    /// States that were made, less those that need not have been; of one worker that may be fewer than none.
    pub(crate) states_created: i64,
    pub(crate) states_peak: u64,
    pub(crate) dropped: BTreeMap<DropReason, u64>,
    /// The counts of parts of the set of worlds that are done, and the most dstates at once.
    pub(crate) worlds: UniverseCounts,
    /// The sizes of parts that this worker has set aside.
    pub(crate) aside: AsideCounts,
    /// The parts that were put outside of memory, and those that came back.
    pub(crate) spill: SpillCounts,
    pub(crate) trace_hash: u64,
    pub(crate) invariants: InvariantCounters,
    pub(crate) faults: FaultCounters,
    /// The latest virtual time, in nanoseconds, of states that were left when a limit ended the run.
    pub(crate) unfinished_at: Option<u64>,
}

everett_base::portable!(struct RunCounters {
    instructions, paths, paths_failed, paths_silent, paths_cut, paths_ignored, orders_redundant,
    orders_blocked, explored, walks, has_threads, ignored, events_sent, exit_code, forks,
    states_created, states_peak, dropped, worlds, aside, spill, trace_hash, invariants, faults,
    unfinished_at,
});

/// A path that is over, as far as it is counted.
pub(crate) struct ClosedPath {
    pub(crate) outcome: PathOutcome,
    /// The chance that it is taken ([`crate::state::node_state::PathMark::chance`]).
    pub(crate) chance: f64,
    /// The exit code that is shown if there is no other path.
    pub(crate) exit_code: Option<u64>,
    /// The kinds of faults on it, if it has ended as it should.
    pub(crate) faults: Vec<FaultKind>,
    /// What it adds to the hash of the run.
    pub(crate) hash: u64,
}

everett_base::portable!(struct ClosedPath { outcome, chance, exit_code, faults, hash });

/// Whether something is added to counts or taken out of them again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountSign {
    More,
    Less,
}

impl CountSign {
    /// Changes a count, which has what is taken out of it.
    pub(crate) fn apply(self, sum: &mut u64, count: u64) {
        match self {
            CountSign::More => *sum += count,
            CountSign::Less => *sum -= count,
        }
    }
}

/// The figures of walks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WalkCounts {
    /// Walks that were begun.
    pub(crate) walks: u64,
    /// Threads and flows that had priorities.
    pub(crate) actors: u64,
    /// The most choices in orders on one path.
    pub(crate) choices: u32,
}

everett_base::portable!(struct WalkCounts { walks, actors, choices });

impl WalkCounts {
    /// Adds the walks of another worker.
    pub(crate) fn add(&mut self, other: WalkCounts) {
        self.walks += other.walks;
        self.actors = self.actors.max(other.actors);
        self.choices = self.choices.max(other.choices);
    }
}

/// Counters of faults and of what they led to, by kind.
#[derive(Default)]
pub(crate) struct FaultCounters {
    /// Faults that were offered and taken, once a worker is done.
    pub(crate) counts: FaultCounts,
    findings: BTreeMap<FaultKind, u64>,
    paths: BTreeMap<FaultKind, u64>,
    /// The numbers of findings that each has led to.
    led_to: BTreeSet<(FaultKind, u32)>,
}

everett_base::portable!(struct FaultCounters { counts, findings, paths, led_to });

impl FaultCounters {
    /// The finding of this number in a world whose nodes have these faults.
    pub(crate) fn led_to_finding<'f>(
        &mut self,
        id: u32,
        nodes: impl Iterator<Item = &'f NodeFaults>,
    ) {
        let used: Vec<&NodeFaults> = nodes.filter(|faults| faults.are_used()).collect();
        for kind in FaultKind::ALL {
            if used.iter().any(|faults| faults.count(*kind) > 0) {
                *self.findings.entry(*kind).or_insert(0) += 1;
                self.led_to.insert((*kind, id));
            }
        }
    }

    /// Findings have other numbers from now on; those that have none are forgotten.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) {
        let led_to = std::mem::take(&mut self.led_to).into_iter();
        self.led_to = led_to.filter_map(|(kind, id)| Some((kind, number(id)?))).collect();
    }

    fn add(&mut self, other: FaultCounters) {
        let FaultCounters { counts, findings, paths, led_to } = other;
        self.counts.add(&counts);
        self.led_to.extend(led_to);
        for (sums, more) in [(&mut self.findings, findings), (&mut self.paths, paths)] {
            for (kind, count) in more {
                *sums.entry(kind).or_insert(0) += count;
            }
        }
    }

    /// The summary of the kinds that were allowed.
    pub(crate) fn summary(&self, allowed: impl Fn(FaultKind) -> bool) -> Vec<FaultSummary> {
        let of = |kind: FaultKind| FaultSummary {
            kind,
            offered: self.counts.offered(kind),
            taken: self.counts.taken(kind),
            findings: self.findings.get(&kind).copied().unwrap_or(0),
            paths: self.paths.get(&kind).copied().unwrap_or(0),
            led_to: self.led_to.iter().filter(|(of, _)| *of == kind).map(|(_, id)| *id).collect(),
        };
        FaultKind::ALL.iter().copied().filter(|kind| allowed(*kind)).map(of).collect()
    }
}

impl RunCounters {
    /// Counts a path that is over.
    pub(crate) fn count_path(&mut self, path: &ClosedPath, sign: CountSign) {
        match sign {
            CountSign::More => self.explored += path.chance,
            CountSign::Less => self.explored -= path.chance,
        }
        let hash = &mut self.trace_hash;
        *hash = match sign {
            // Addition, so that the order of paths does not matter.
            CountSign::More => hash.wrapping_add(path.hash),
            CountSign::Less => hash.wrapping_sub(path.hash),
        };
        for kind in &path.faults {
            sign.apply(self.faults.paths.entry(*kind).or_insert(0), 1);
        }
        match &path.outcome {
            PathOutcome::Exit(_) => {
                sign.apply(&mut self.paths, 1);
                // It is shown if there is no other path.
                let is_shown = self.paths == 1 && sign == CountSign::More;
                self.exit_code = path.exit_code.filter(|_| is_shown);
            }
            PathOutcome::Waits => sign.apply(&mut self.paths, 1),
            PathOutcome::Silent => sign.apply(&mut self.paths_silent, 1),
            PathOutcome::Redundant(
                Redundancy::Sendable | Redundancy::Rejected | Redundancy::NotReplaced,
            ) => {}
            PathOutcome::Redundant(why) => {
                sign.apply(&mut self.orders_redundant, 1);
                sign.apply(&mut self.orders_blocked, u64::from(*why == Redundancy::Asleep));
            }
            PathOutcome::WorldEnded => sign.apply(&mut self.paths_cut, 1),
            PathOutcome::Dropped(reason) => {
                let count = self.dropped.entry(reason.clone()).or_insert(0);
                sign.apply(count, 1);
                if *count == 0 {
                    self.dropped.remove(reason);
                }
            }
            PathOutcome::Ignored => sign.apply(&mut self.paths_ignored, 1),
            PathOutcome::Finding(_) | PathOutcome::Impossible => {}
        }
    }

    /// Books a new state; `live` states are alive with it, besides those that are set aside. One that
    /// `has_name`, which other jobs may have as well, is counted by its name at its end.
    pub(crate) fn created(&mut self, live: u64, has_name: bool) {
        self.states_created += i64::from(!has_name);
        self.are_alive(live);
    }

    /// So many states are alive, besides those that are set aside.
    pub(crate) fn are_alive(&mut self, live: u64) {
        self.states_peak = self.states_peak.max(live + self.aside.states);
    }

    /// A part of the set of worlds has counted this since the last time.
    pub(crate) fn note_peak(&mut self, counts: UniverseCounts) {
        let dstates = counts.dstates_peak + self.aside.dstates;
        self.worlds.dstates_peak = self.worlds.dstates_peak.max(dstates);
    }

    /// A part of the set of worlds is done.
    pub(crate) fn worlds_done(&mut self, counts: UniverseCounts) {
        self.note_peak(counts);
        self.worlds = self.worlds.with(UniverseCounts { dstates_peak: 0, ..counts });
    }

    /// Adds what another worker has come to.
    pub(crate) fn add(&mut self, other: RunCounters) {
        let RunCounters {
            instructions,
            paths,
            paths_failed,
            paths_silent,
            paths_cut,
            paths_ignored,
            orders_redundant,
            orders_blocked,
            explored,
            walks,
            has_threads,
            ignored,
            events_sent,
            exit_code,
            forks,
            states_created,
            states_peak,
            dropped,
            worlds,
            aside: _,
            spill,
            trace_hash,
            invariants,
            faults,
            unfinished_at,
        } = other;
        self.unfinished_at = self.unfinished_at.max(unfinished_at);
        self.faults.add(faults);
        self.spill.add(spill);
        self.instructions += instructions;
        self.paths += paths;
        self.paths_failed += paths_failed;
        self.paths_silent += paths_silent;
        self.paths_cut += paths_cut;
        self.paths_ignored += paths_ignored;
        self.orders_redundant += orders_redundant;
        self.orders_blocked += orders_blocked;
        self.explored += explored;
        self.walks.add(walks);
        self.has_threads |= has_threads;
        for (place, (went_on, ended)) in ignored {
            let counts = self.ignored.entry(place).or_insert((0, 0));
            (counts.0, counts.1) = (counts.0 + went_on, counts.1 + ended);
        }
        self.events_sent += events_sent;
        self.exit_code = self.exit_code.or(exit_code);
        self.forks += forks;
        self.states_created += states_created;
        self.states_peak += states_peak;
        for (reason, count) in dropped {
            *self.dropped.entry(reason).or_insert(0) += count;
        }
        self.worlds = self.worlds.with(worlds);
        self.trace_hash = self.trace_hash.wrapping_add(trace_hash);
        self.invariants.add(invariants);
    }

    /// Complete executions, and the part of the tree of decisions that they are: of worlds in a system, for
    /// which the counts of the part are given that is not done, and of paths otherwise.
    pub(crate) fn executions(&self, current: Option<UniverseCounts>) -> (u64, f64) {
        match current {
            Some(current) => {
                let worlds = self.worlds.with(current);
                (worlds.final_worlds, worlds.explored.into())
            }
            None => {
                let ended = self.paths_failed + self.paths_silent + self.paths_ignored;
                (self.paths + ended, self.explored)
            }
        }
    }

    /// Books a finding with this stack that is ignored.
    pub(crate) fn ignore(&mut self, kind: BugKind, stack: &[SourcePlace], how: IgnoredHow) {
        let place = places::own(stack).cloned().unwrap_or_else(|| places::unknown("?"));
        let (went_on, ended) = self.ignored.entry((kind, place)).or_insert((0, 0));
        match how {
            IgnoredHow::WentOn => *went_on += 1,
            IgnoredHow::Ended => *ended += 1,
        }
    }

    /// Books something that was dropped.
    pub(crate) fn drop(&mut self, reason: DropReason) {
        *self.dropped.entry(reason).or_insert(0) += 1;
    }

    /// Books several things that were dropped.
    pub(crate) fn drop_all(&mut self, reason: DropReason, count: u64) {
        if count > 0 {
            *self.dropped.entry(reason).or_insert(0) += count;
        }
    }

    /// The outcome when no state is left, and a limit to name. Nowhere else is it decided whether a run
    /// was exhaustive: whatever is booked as dropped is missing, for whatever reason.
    pub(crate) fn outcome(&self) -> (Outcome, Option<DropReason>) {
        if self.dropped.is_empty() {
            return (Outcome::Exhausted, None);
        }
        let is_named = |reason: &&DropReason| reason.loss() != Loss::Values;
        (Outcome::Limit, self.dropped.keys().find(is_named).cloned())
    }

    /// Adds what interpreters counted: what they have left out, and ignored bugs, each by its place.
    pub(crate) fn take_notes(&mut self, images: &ProgramImages, notes: &ExecutionNotes) {
        let ExecutionNotes { omissions, passed } = notes;
        let in_words = |(program, pc)| places::place(&images.image(program).program, pc);
        for (what, place, count) in omissions.iter() {
            let reason = match what {
                Omission::SolverTimeout => DropReason::SolverTimeout,
                Omission::SolverMemory => DropReason::MemoryLimit,
                what => DropReason::Omitted(what, place.map_or_else(String::new, in_words)),
            };
            *self.dropped.entry(reason).or_insert(0) += count;
        }
        for ((kind, program, pc), count) in passed {
            let place = places::op(&images.image(*program).program, *pc).swap_remove(0);
            self.ignored.entry((*kind, place)).or_insert((0, 0)).0 += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_dropped_makes_a_run_not_exhaustive() {
        assert_eq!(RunCounters::default().outcome(), (Outcome::Exhausted, None));
        let text = || "why".to_owned();
        let reasons = [
            DropReason::TimeLimit,
            DropReason::DepthLimit,
            DropReason::Interrupted,
            DropReason::SolverTimeout,
            DropReason::Unsupported(text()),
            DropReason::Invariant(text()),
            DropReason::Omitted(Omission::FloatOperand, text()),
            DropReason::Omitted(Omission::ForkingOff, text()),
            DropReason::Omitted(Omission::Values, text()),
        ];
        for reason in reasons {
            let mut counters = RunCounters::default();
            counters.drop(reason.clone());
            assert_eq!(counters.outcome().0, Outcome::Limit, "{reason}");
        }
    }
}
