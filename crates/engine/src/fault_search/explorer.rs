//! The choice of the fault that is tried next: [`FaultExplorer`].
//!
//! Faults with effects are found near others with effects: the same call fails in the same way a little
//! later, and code that handles one error carelessly does so with the next. So the explorer keeps
//! a queue of points that had an *impact*, picks one with a chance in proportion to its *fitness*, and
//! moves it along one axis by a Gaussian step. An axis is picked by its *sensitivity*, which is the mean
//! impact of the latest moves along it. Fitness is the impact at first and ages with every experiment;
//! what has become too unfit leaves the queue. Now and then, and whenever the queue is empty, a point is
//! picked at random. No point is tried twice.
//!
//! What can happen beside a fault that had an effect is its *family*. To add one of them is a move along an
//! axis of its own; once all points were tried, there are only such moves.
//!
//! Not here: what an experiment is, and what its impact is (`experiment.rs`).

use std::collections::VecDeque;
use std::sync::Arc;

use everett_base::rng::Rng;

use super::space::{AXES, FaultSpace};

/// In which order faults are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultStrategy {
    /// Near those that had an impact.
    Fitness,
    /// In any order.
    Random,
    /// One after the other, by node, kind and time.
    Exhaustive,
}

impl FaultStrategy {
    /// All of them, with the names that users give.
    pub const ALL: [(&'static str, FaultStrategy); 3] = [
        ("fitness", FaultStrategy::Fitness),
        ("random", FaultStrategy::Random),
        ("exhaustive", FaultStrategy::Exhaustive),
    ];
}

/// Points that the queue holds at most.
const QUEUE: usize = 64;
/// Random experiments at the beginning.
const FIRST: usize = 16;
/// Later, one in so many experiments is random.
const RANDOM_EVERY: usize = 10;
/// The share of a fitness that is left after an experiment.
const AGEING: f64 = 0.96;
/// A point of less fitness than this retires.
const RETIRED: f64 = 0.5;
/// Moves that the sensitivity of an axis is the mean of.
const WINDOW: usize = 20;
/// The sensitivity of an axis that has not been tried, and what each has at least, as a part of the sum.
const CURIOSITY: f64 = 0.1;
/// The deviation of a step, as a part of the axis.
const DEVIATION: f64 = 0.2;

/// A trial: the faults of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultTrial {
    /// A point of the space.
    Point(usize),
    /// Faults that had an effect, and one more that can happen beside them.
    Member {
        /// The how-manieth that had an effect.
        family: usize,
        /// The number of the one beside it.
        member: usize,
    },
}

/// The axis of faults that are added to others.
const MORE: usize = AXES;

/// A trial in the queue, which may be mutated.
#[derive(Clone, Copy, Debug)]
struct QueuedTrial {
    trial: FaultTrial,
    /// The faults that can happen beside it.
    family: Option<usize>,
    fitness: f64,
}

/// A trial of a list.
#[derive(Clone, Debug)]
struct ListedTrial {
    each: Vec<bool>,
    left: usize,
}

impl ListedTrial {
    fn none_of(size: usize) -> ListedTrial {
        ListedTrial { each: vec![false; size], left: size }
    }

    fn add(&mut self, index: usize) {
        self.left -= usize::from(!std::mem::replace(&mut self.each[index], true));
    }

    fn untried(&self) -> impl Iterator<Item = usize> + '_ {
        self.each.iter().enumerate().filter(|(_, tried)| !**tried).map(|(index, _)| index)
    }

    /// The nearest to an index that was not tried, the lower one of two.
    fn nearest(&self, to: usize) -> Option<usize> {
        self.untried().min_by_key(|index| index.abs_diff(to))
    }
}

/// Picks points of a space, and learns from what came of them.
///
/// A clone goes on by itself, for guesses: it picks the same if it learns the same. It is made for each
/// experiment, so what is large is shared until it changes.
#[derive(Clone, Debug)]
pub(crate) struct FaultExplorer {
    space: Arc<FaultSpace>,
    strategy: FaultStrategy,
    rng: Rng,
    tried: Arc<ListedTrial>,
    families: Vec<Arc<ListedTrial>>,
    experiments: usize,
    queue: Vec<QueuedTrial>,
    /// Impacts of the latest moves along each axis.
    moves: [VecDeque<f64>; AXES + 1],
    /// The axis that what was picked last was reached along.
    moved_along: Option<usize>,
}

impl FaultExplorer {
    pub(crate) fn new(space: FaultSpace, strategy: FaultStrategy, seed: u64) -> FaultExplorer {
        FaultExplorer {
            tried: Arc::new(ListedTrial::none_of(space.len())),
            families: Vec::new(),
            space: Arc::new(space),
            strategy,
            rng: Rng::new(seed),
            experiments: 0,
            queue: Vec::new(),
            moves: Default::default(),
            moved_along: None,
        }
    }

    /// The next trial; `None` if there is none left.
    pub(crate) fn next(&mut self) -> Option<FaultTrial> {
        self.moved_along = None;
        let trial = match self.strategy {
            FaultStrategy::Exhaustive => self.first(),
            FaultStrategy::Random => self.any(),
            FaultStrategy::Fitness => self.guided(),
        }?;
        match trial {
            FaultTrial::Point(point) => Arc::make_mut(&mut self.tried).add(point),
            FaultTrial::Member { family, member } => {
                Arc::make_mut(&mut self.families[family]).add(member);
            }
        }
        self.experiments += 1;
        Some(trial)
    }

    /// Takes note of the impact of what was picked last, and of how many things can happen beside it.
    /// Those are a family, unless there are none.
    pub(crate) fn learn(&mut self, trial: FaultTrial, impact: f64, beside: usize) {
        if let Some(axis) = self.moved_along {
            let moves = &mut self.moves[axis];
            moves.push_back(impact);
            if moves.len() > WINDOW {
                moves.pop_front();
            }
        }
        let family = (beside > 0).then_some(self.families.len());
        self.families.extend(family.map(|_| Arc::new(ListedTrial::none_of(beside))));
        self.queue.iter_mut().for_each(|candidate| candidate.fitness *= AGEING);
        self.queue.push(QueuedTrial { trial, family, fitness: impact });
        self.queue.retain(|candidate| candidate.fitness >= RETIRED);
        if self.queue.len() > QUEUE {
            let fitness = |candidate: &(usize, &QueuedTrial)| candidate.1.fitness;
            let all = self.queue.iter().enumerate();
            let least = all.min_by(|a, b| fitness(a).total_cmp(&fitness(b))).map(|(at, _)| at);
            least.map(|at| self.queue.remove(at));
        }
    }

    /// Points in the queue.
    #[cfg(test)]
    pub(crate) fn queued(&self) -> usize {
        self.queue.len()
    }

    fn first(&self) -> Option<FaultTrial> {
        if let Some(point) = self.tried.untried().next() {
            return Some(FaultTrial::Point(point));
        }
        let (family, members) = self.open_families().next()?;
        members.untried().next().map(|member| FaultTrial::Member { family, member })
    }

    /// Any point that was not tried; then any member of a family.
    fn any(&mut self) -> Option<FaultTrial> {
        if self.tried.left > 0 {
            let nth = self.rng.below(self.tried.left as u64) as usize;
            return self.tried.untried().nth(nth).map(FaultTrial::Point);
        }
        let families = self.open_families().count();
        if families == 0 {
            return None;
        }
        let nth = self.rng.below(families as u64) as usize;
        let (family, left) = self.open_families().nth(nth).map(|(at, tried)| (at, tried.left))?;
        let nth = self.rng.below(left as u64) as usize;
        let member = self.families[family].untried().nth(nth)?;
        Some(FaultTrial::Member { family, member })
    }

    /// Families with members that were not tried.
    fn open_families(&self) -> impl Iterator<Item = (usize, &ListedTrial)> {
        let all = self.families.iter().map(|tried| &**tried).enumerate();
        all.filter(|(_, tried)| tried.left > 0)
    }

    fn guided(&mut self) -> Option<FaultTrial> {
        let is_random = self.experiments < FIRST || self.experiments.is_multiple_of(RANDOM_EVERY);
        if is_random || self.queue.is_empty() {
            return self.any();
        }
        let fitness: Vec<f64> = self.queue.iter().map(|candidate| candidate.fitness).collect();
        let picked = self.pick(&fitness);
        let from = self.queue[picked];
        let more = self.family_to_move_in(&from);
        let Some(axis) = self.axis(&from, more.is_some()) else { return self.any() };
        let moved = match (from.trial, more) {
            (_, Some((family, member))) if axis == MORE => {
                let members = &self.families[family];
                let length = members.each.len() as u32;
                let to = self.step(member, length) as usize;
                let member = self.families[family].nearest(to);
                member.map(|member| FaultTrial::Member { family, member })
            }
            (FaultTrial::Point(point), _) => {
                let mut to = self.space.at(point);
                to[axis] = self.step(to[axis], self.space.length(axis));
                let point = self.space.nearest(to, |point| !self.tried.each[point]);
                point.map(FaultTrial::Point)
            }
            (FaultTrial::Member { .. }, _) => None,
        };
        self.moved_along = moved.and(Some(axis));
        moved.or_else(|| self.any())
    }

    /// The family of a candidate, or else the one that it is of, and where in it to begin.
    fn family_to_move_in(&self, from: &QueuedTrial) -> Option<(usize, u32)> {
        let is_open = |family: usize| self.families[family].left > 0;
        match (from.family, from.trial) {
            (Some(own), _) if is_open(own) => Some((own, 0)),
            (_, FaultTrial::Member { family, member }) if is_open(family) => {
                Some((family, member as u32))
            }
            _ => None,
        }
    }

    /// An axis by its sensitivity; `None` if there is nothing left on any.
    fn axis(&mut self, from: &QueuedTrial, more: bool) -> Option<usize> {
        let mean = |moves: &VecDeque<f64>| moves.iter().sum::<f64>() / moves.len() as f64;
        let known: Vec<Option<f64>> =
            self.moves.iter().map(|moves| (!moves.is_empty()).then(|| mean(moves))).collect();
        let most = known.iter().flatten().fold(1.0, |most: f64, mean| most.max(*mean));
        let is_open = |axis: usize| match from.trial {
            _ if axis == MORE => more,
            FaultTrial::Point(_) => self.tried.left > 0 && self.space.length(axis) > 1,
            FaultTrial::Member { .. } => false,
        };
        let sensitivity = |axis: usize| match known[axis] {
            _ if !is_open(axis) => 0.0,
            None => most,
            Some(mean) => mean + CURIOSITY * most,
        };
        let chances: Vec<f64> = (0..=MORE).map(sensitivity).collect();
        let axis = self.pick(&chances);
        (chances[axis] > 0.0).then_some(axis)
    }

    /// One of several, each with a chance in proportion to its weight.
    fn pick(&mut self, weights: &[f64]) -> usize {
        let mut left = self.fraction() * weights.iter().sum::<f64>();
        for (at, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return at;
            }
        }
        // Rounding, or nothing has a weight.
        weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0)
    }

    /// Another coordinate, by a Gaussian step of at least one.
    fn step(&mut self, from: u32, length: u32) -> u32 {
        if length < 2 {
            return from;
        }
        // The sum of twelve has a variance of one; no function whose last digit depends on the host.
        let normal: f64 = (0..12).map(|_| self.fraction()).sum::<f64>() - 6.0;
        let step = (normal * DEVIATION * f64::from(length)).round() as i64;
        let step = if step == 0 { normal.signum() as i64 } else { step };
        let last = i64::from(length) - 1;
        let to = i64::from(from) + step;
        // A step across an end goes the other way.
        let to = if (0..=last).contains(&to) { to } else { i64::from(from) - step };
        to.clamp(0, last) as u32
    }

    /// A number from 0 on and below 1.
    fn fraction(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
