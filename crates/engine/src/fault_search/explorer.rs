//! Which fault is tried next: [`Explorer`].
//!
//! Faults with effects are found near others with effects: the same call fails in the same way a little
//! later, and code that handles one error carelessly does so with the next. So the explorer keeps
//! a queue of points that had an *impact*, picks one with a chance in proportion to its *fitness*, and
//! moves it along one axis by a Gaussian step. An axis is picked by its *sensitivity*, which is the mean
//! impact of the latest moves along it. Fitness is the impact at first and ages with every experiment;
//! what has become too unfit leaves the queue. Now and then, and whenever the queue is empty, a point is
//! picked at random. No point is tried twice.
//!
//! Not here: what an experiment is, and what its impact is (`experiment.rs`, `impact.rs`).

use std::collections::VecDeque;

use everett_base::rng::Rng;

use super::space::{AXES, Space};

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
/// What is left of a fitness after an experiment.
const AGEING: f64 = 0.96;
/// A point of less fitness than this retires.
const RETIRED: f64 = 0.5;
/// Moves that the sensitivity of an axis is the mean of.
const WINDOW: usize = 20;
/// The sensitivity of an axis that has not been tried, and what each has at least, as a part of the sum.
const CURIOSITY: f64 = 0.1;
/// The deviation of a step, as a part of the axis.
const DEVIATION: f64 = 0.2;

/// A point in the queue.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    point: usize,
    fitness: f64,
}

/// Picks points of a space, and learns from what came of them.
#[derive(Debug)]
pub(crate) struct Explorer {
    space: Space,
    strategy: FaultStrategy,
    rng: Rng,
    tried: Vec<bool>,
    experiments: usize,
    queue: Vec<Candidate>,
    /// Impacts of the latest moves along each axis.
    moves: [VecDeque<f64>; AXES],
    /// The axis that the point that was picked last was reached along.
    moved_along: Option<usize>,
}

impl Explorer {
    pub(crate) fn new(space: Space, strategy: FaultStrategy, seed: u64) -> Explorer {
        Explorer {
            tried: vec![false; space.len()],
            space,
            strategy,
            rng: Rng::new(seed),
            experiments: 0,
            queue: Vec::new(),
            moves: Default::default(),
            moved_along: None,
        }
    }

    /// The point to try next; `None` if all were.
    pub(crate) fn next(&mut self) -> Option<usize> {
        self.moved_along = None;
        let point = match self.strategy {
            FaultStrategy::Exhaustive => self.tried.iter().position(|tried| !tried),
            FaultStrategy::Random => self.any(),
            FaultStrategy::Fitness => self.guided(),
        }?;
        self.tried[point] = true;
        self.experiments += 1;
        Some(point)
    }

    /// Takes note of the impact of the point that was picked last.
    pub(crate) fn learn(&mut self, point: usize, impact: f64) {
        if let Some(axis) = self.moved_along {
            let moves = &mut self.moves[axis];
            moves.push_back(impact);
            if moves.len() > WINDOW {
                moves.pop_front();
            }
        }
        self.queue.iter_mut().for_each(|candidate| candidate.fitness *= AGEING);
        self.queue.push(Candidate { point, fitness: impact });
        self.queue.retain(|candidate| candidate.fitness >= RETIRED);
        if self.queue.len() > QUEUE {
            let fitness = |candidate: &(usize, &Candidate)| candidate.1.fitness;
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

    /// Any point that was not tried.
    fn any(&mut self) -> Option<usize> {
        let left = self.tried.iter().filter(|tried| !**tried).count();
        if left == 0 {
            return None;
        }
        let nth = self.rng.below(left as u64) as usize;
        let mut untried = self.tried.iter().enumerate().filter(|(_, tried)| !**tried);
        untried.nth(nth).map(|(point, _)| point)
    }

    fn guided(&mut self) -> Option<usize> {
        let is_random = self.experiments < FIRST || self.experiments.is_multiple_of(RANDOM_EVERY);
        if is_random || self.queue.is_empty() {
            return self.any();
        }
        let fitness: Vec<f64> = self.queue.iter().map(|candidate| candidate.fitness).collect();
        let picked = self.pick(&fitness);
        let from = self.queue[picked].point;
        let axis = self.axis();
        let mut to = self.space.at(from);
        to[axis] = self.step(to[axis], self.space.length(axis));
        let point = self.space.nearest(to, |point| !self.tried[point])?;
        self.moved_along = Some(axis);
        Some(point)
    }

    /// An axis by its sensitivity.
    fn axis(&mut self) -> usize {
        let mean = |moves: &VecDeque<f64>| moves.iter().sum::<f64>() / moves.len() as f64;
        let known: Vec<Option<f64>> =
            self.moves.iter().map(|moves| (!moves.is_empty()).then(|| mean(moves))).collect();
        let most = known.iter().flatten().fold(1.0, |most: f64, mean| most.max(*mean));
        let sensitivity = |axis: usize| match (self.space.length(axis), known[axis]) {
            (0 | 1, _) => 0.0,
            (_, None) => most,
            (_, Some(mean)) => mean + CURIOSITY * most,
        };
        let chances: Vec<f64> = (0..AXES).map(sensitivity).collect();
        self.pick(&chances)
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
