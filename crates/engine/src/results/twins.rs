//! What came of states that several jobs have, each by its name: [`TwinRows`].
//!
//! A job leaves a row for each name that it has come by. Rows of one name tell of the same steps: one job may
//! have come further than another, and worlds of one may have ended with a state that goes on in another.
//! Rows are merged such that neither the order of jobs matters nor how often a row is merged.

use everett_base::hash::{Map, Set};
use everett_interp::{BugKind, ExecutionNotes, ProgramImages};
use everett_posix::{FaultCounts, FaultKind};
use everett_world::RemovalReason;

use crate::api::dropped::DropReason;
use crate::api::report::{PathEnd, SourcePlace};
use crate::results::counters::{ClosedPath, CountSign, RunCounters};
use crate::state::twin::TwinName;

/// The rows of a job, or of all jobs together.
#[derive(Default)]
pub(crate) struct TwinRows {
    rows: Map<TwinName, TwinRow>,
    /// States about which a bug was found.
    found: Set<TwinName>,
}

/// What came of a state while it had a name.
#[derive(Default)]
pub(crate) struct TwinRow {
    pub(crate) steps: TwinSteps,
    /// It was activated again, and has had another name since.
    pub(crate) went_on: bool,
    /// What it is if worlds have ended with it.
    pub(crate) end: Option<Box<TwinEnd>>,
}

everett_base::portable!(struct TwinRow { steps, went_on, end });

/// The work of a state while it has a name. It only grows.
#[derive(Default, Clone)]
pub(crate) struct TwinSteps {
    pub(crate) instructions: u64,
    pub(crate) forks: u64,
    pub(crate) events_sent: u64,
    /// There are as many rows as activations, and most have nothing of it.
    rare: Option<Box<RareSteps>>,
}

everett_base::portable!(struct TwinSteps { instructions, forks, events_sent, rare });

/// Work that few states have.
#[derive(Default, Clone)]
struct RareSteps {
    /// How often each kind of fault was offered and taken, of those that were.
    faults: Vec<(FaultKind, u64, u64)>,
    dropped: Vec<(DropReason, u64)>,
    /// Findings that were ignored, with the number of times that it went on.
    ignored: Vec<(BugKind, SourcePlace, u64)>,
    written: Vec<WrittenBytes>,
}

everett_base::portable!(struct RareSteps { faults, dropped, ignored, written });

/// Bytes that a node has written to a standard stream.
#[derive(Clone)]
pub(crate) struct WrittenBytes {
    pub(crate) node: String,
    pub(crate) descriptor: u32,
    pub(crate) bytes: Vec<u8>,
}

everett_base::portable!(struct WrittenBytes { node, descriptor, bytes });

/// The end of a state in worlds that are over.
pub(crate) struct TwinEnd {
    pub(crate) why: RemovalReason,
    pub(crate) path: ClosedPath,
    /// What an observer that wants paths is told.
    pub(crate) told: Option<Box<PathEnd>>,
}

everett_base::portable!(struct TwinEnd { why, path, told });

/// A bug that was found about a state.
pub(crate) struct FoundTwin {
    pub(crate) name: TwinName,
    /// The number of the finding in the job; none if it is ignored.
    pub(crate) finding: Option<u32>,
    /// Everything that was counted for it.
    pub(crate) counters: RunCounters,
}

everett_base::portable!(struct FoundTwin { name, finding, counters });

impl TwinSteps {
    /// Adds what was counted by the kernel and the interpreter in one step.
    pub(crate) fn add(
        &mut self,
        images: &ProgramImages,
        faults: &FaultCounts,
        notes: &ExecutionNotes,
    ) {
        for (kind, offered, taken) in faults.not_zero() {
            let faults = &mut self.rare().faults;
            match faults.iter_mut().find(|(other, ..)| *other == kind) {
                Some((_, sum_offered, sum_taken)) => {
                    (*sum_offered, *sum_taken) = (*sum_offered + offered, *sum_taken + taken);
                }
                None => faults.push((kind, offered, taken)),
            }
        }
        let mut counters = RunCounters::default();
        counters.take_notes(images, notes);
        self.add_rare(counters);
    }

    /// Adds what is rarely counted: what was dropped, and ignored.
    pub(crate) fn add_rare(&mut self, counters: RunCounters) {
        for (reason, count) in counters.dropped {
            let dropped = &mut self.rare().dropped;
            match dropped.iter_mut().find(|(other, _)| *other == reason) {
                Some((_, sum)) => *sum += count,
                None => dropped.push((reason, count)),
            }
        }
        for ((kind, place), (count, _)) in counters.ignored {
            let ignored = &mut self.rare().ignored;
            match ignored.iter_mut().find(|(a, b, _)| (a, b) == (&kind, &place)) {
                Some((.., sum)) => *sum += count,
                None => ignored.push((kind, place, count)),
            }
        }
    }

    /// Adds what a state has written.
    pub(crate) fn add_written(&mut self, written: WrittenBytes) {
        self.rare().written.push(written);
    }

    fn rare(&mut self) -> &mut RareSteps {
        self.rare.get_or_insert_default()
    }

    /// What was written, from the piece of this number on.
    fn written_from(&self, first: usize) -> Vec<WrittenBytes> {
        let written = self.rare.as_ref().and_then(|rare| rare.written.get(first..));
        written.unwrap_or_default().to_vec()
    }

    /// The number of pieces that were written.
    fn written_count(&self) -> usize {
        self.rare.as_ref().map_or(0, |rare| rare.written.len())
    }

    /// How far it has come: of two rows of a name, the one with more of this has come further.
    fn extent(&self) -> (u64, u64, u64, u64, usize) {
        let rare = self.rare.as_ref().map_or(0, |rare| {
            let faults = rare.faults.iter().map(|(_, offered, taken)| offered + taken);
            let dropped = rare.dropped.iter().map(|(_, count)| *count);
            let ignored = rare.ignored.iter().map(|(.., count)| *count);
            faults.chain(dropped).chain(ignored).sum()
        });
        (self.instructions, self.forks, self.events_sent, rare, self.written_count())
    }

    fn count(&self, counters: &mut RunCounters, sign: CountSign) {
        sign.apply(&mut counters.instructions, self.instructions);
        sign.apply(&mut counters.forks, self.forks);
        sign.apply(&mut counters.events_sent, self.events_sent);
        let Some(rare) = &self.rare else { return };
        for (kind, offered, taken) in &rare.faults {
            let (all_offered, all_taken) = counters.faults.counts.of_mut(*kind);
            sign.apply(all_offered, *offered);
            sign.apply(all_taken, *taken);
        }
        for (reason, count) in &rare.dropped {
            sign.apply(counters.dropped.entry(reason.clone()).or_insert(0), *count);
        }
        for (kind, place, count) in &rare.ignored {
            let (went_on, _) = counters.ignored.entry((*kind, place.clone())).or_insert((0, 0));
            sign.apply(went_on, *count);
        }
    }
}

impl TwinEnd {
    /// Of two ends of a state, the greater one says more: it is what the state has come to in all worlds.
    fn weight(&self) -> (u32, RemovalReason) {
        (self.path.outcome.weight(), self.why)
    }
}

impl TwinRow {
    /// The end of the state if it is a path of its own: if worlds are over with it, or it has not gone on
    /// in any.
    fn closed(&self) -> Option<&TwinEnd> {
        let end = self.end.as_deref();
        end.filter(|end| end.why >= RemovalReason::Over || !self.went_on)
    }

    /// Worlds have ended with the state.
    pub(crate) fn ended(&mut self, end: Box<TwinEnd>) {
        if self.end.as_ref().is_none_or(|known| known.weight() < end.weight()) {
            self.end = Some(end);
        }
    }
}

impl TwinRows {
    /// The row of a name.
    pub(crate) fn row(&mut self, name: TwinName) -> &mut TwinRow {
        self.rows.entry(name).or_default()
    }

    /// The steps of a name, if there are any.
    pub(crate) fn steps(&self, name: TwinName) -> Option<&TwinSteps> {
        Some(&self.rows.get(&name)?.steps)
    }

    /// All rows, by name.
    pub(crate) fn into_sorted(self) -> Vec<(TwinName, TwinRow)> {
        let mut rows: Vec<_> = self.rows.into_iter().collect();
        rows.sort_unstable_by_key(|(name, _)| *name);
        rows
    }

    /// Adds the steps and the end of a row of a job, and what they add to the counts of the run. Returns what
    /// was written in steps that are new.
    pub(crate) fn merge(
        &mut self,
        name: TwinName,
        row: TwinRow,
        counters: &mut RunCounters,
    ) -> Vec<WrittenBytes> {
        let known = self.row(name);
        if let Some(end) = known.closed() {
            counters.count_path(&end.path, CountSign::Less);
            counters.states_created -= 1;
        }
        let mut written = Vec::new();
        if row.steps.extent() > known.steps.extent() {
            row.steps.count(counters, CountSign::More);
            known.steps.count(counters, CountSign::Less);
            written = row.steps.written_from(known.steps.written_count());
            known.steps = row.steps;
        }
        known.went_on |= row.went_on;
        if let Some(end) = row.end {
            known.ended(end);
        }
        if let Some(end) = known.closed() {
            counters.count_path(&end.path, CountSign::More);
            counters.states_created += 1;
        }
        written
    }

    /// Books a bug of a job; `false` if another job has found it.
    pub(crate) fn is_found_first(&mut self, name: TwinName) -> bool {
        self.found.insert(name)
    }

    /// The ends of states that are paths, for an observer that wants them.
    pub(crate) fn told(&self) -> impl Iterator<Item = &PathEnd> {
        self.rows.values().filter_map(|row| row.closed()?.told.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use everett_base::rng::Rng;
    use everett_world::StateId;

    use super::*;
    use crate::api::report::PathOutcome;

    const OUTCOMES: [PathOutcome; 4] = [
        PathOutcome::Impossible,
        PathOutcome::WorldEnded,
        PathOutcome::Waits,
        PathOutcome::Finding(1),
    ];

    fn name(number: u64) -> TwinName {
        TwinName::of_divided(number, StateId(0))
    }

    /// A row that came to be while a state, which may do so much, was in worlds of some job.
    fn row(rng: &mut Rng) -> TwinRow {
        let steps = rng.below(4);
        let end = (rng.below(2) == 0).then(|| {
            let outcome = OUTCOMES[rng.below(4) as usize].clone();
            let why = match outcome {
                PathOutcome::Impossible => RemovalReason::Separated,
                PathOutcome::WorldEnded => RemovalReason::WorldEnded,
                _ => RemovalReason::Over,
            };
            let hash = u64::from(outcome.weight()) + 1;
            let path =
                ClosedPath { outcome, chance: 0.5, exit_code: None, faults: Vec::new(), hash };
            Box::new(TwinEnd { why, path, told: None })
        });
        TwinRow {
            steps: TwinSteps { instructions: 10 * steps, forks: steps, ..TwinSteps::default() },
            went_on: rng.below(2) == 0,
            end,
        }
    }

    fn counts(counters: &RunCounters) -> impl PartialEq + std::fmt::Debug + use<> {
        let paths = (counters.paths, counters.paths_cut, counters.states_created);
        (counters.instructions, counters.forks, paths, counters.trace_hash)
    }

    #[test]
    fn neither_the_order_of_rows_matters_nor_how_often_they_come() {
        for seed in 0..2000 {
            let make = || {
                let mut rng = Rng::new(seed);
                let rows = (0..8).map(|_| (name(rng.below(3)), row(&mut rng)));
                rows.collect::<Vec<_>>()
            };
            let merged = |order: &[usize]| {
                let (mut rows, mut counters) = (TwinRows::default(), RunCounters::default());
                for &at in order {
                    let (name, row) = make().swap_remove(at);
                    rows.merge(name, row, &mut counters);
                }
                counts(&counters)
            };
            let once = merged(&[0, 1, 2, 3, 4, 5, 6, 7]);
            assert_eq!(merged(&[7, 2, 5, 0, 1, 6, 3, 4]), once, "seed {seed}");
            assert_eq!(merged(&[3, 3, 0, 1, 2, 7, 6, 0, 5, 4, 7, 1]), once, "seed {seed}");
        }
    }

    #[test]
    fn an_end_counts_unless_the_state_goes_on_in_other_worlds() {
        let (mut rows, mut counters) = (TwinRows::default(), RunCounters::default());
        let ended = |outcome: PathOutcome, why| TwinRow {
            end: Some(Box::new(TwinEnd {
                why,
                path: ClosedPath {
                    outcome,
                    chance: 1.0,
                    exit_code: None,
                    faults: Vec::new(),
                    hash: 7,
                },
                told: None,
            })),
            ..TwinRow::default()
        };
        let cut = ended(PathOutcome::WorldEnded, RemovalReason::WorldEnded);
        rows.merge(name(1), cut, &mut counters);
        assert_eq!((counters.paths_cut, counters.states_created, counters.trace_hash), (1, 1, 7));
        let went_on = TwinRow { went_on: true, ..TwinRow::default() };
        rows.merge(name(1), went_on, &mut counters);
        assert_eq!((counters.paths_cut, counters.states_created, counters.trace_hash), (0, 0, 0));
        // Worlds are over with it all the same.
        rows.merge(name(1), ended(PathOutcome::Waits, RemovalReason::Over), &mut counters);
        assert_eq!((counters.paths, counters.states_created, counters.trace_hash), (1, 1, 7));
    }
}
