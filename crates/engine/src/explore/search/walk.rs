//! One path after the other, from the root of the tree of forks to its end: [`Walks`].
//!
//! A walk runs the states of one path, or of one set of worlds, until they are over; then the next one begins
//! at the root. States beside the walk are kept, so nothing is executed twice, and no path is explored twice.
//! A [`WalkGuide`] decides at forks: by chance, or by random priorities ([`Priorities`]).

use std::collections::BTreeSet;

use everett_base::hash::{Map, Set};
use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::rng::Rng;
use everett_world::{StateId, WalkChild, WalkGuide, WalkTree};

use super::{Searcher, StateDistances, WorldWalk};
use crate::results::counters::WalkCounts;

/// Decides at the forks of walks, and tells what it has seen.
trait CountingGuide: WalkGuide + Send {
    /// The number of actors, and the most choices on one path.
    fn seen(&self) -> (u64, u32);

    /// As what the set of worlds knows.
    fn as_guide(&mut self) -> &mut dyn WalkGuide;

    /// Writes everything that later choices depend on.
    fn write<'a>(&'a self, to: &mut PartWriter<'a>);

    /// Becomes what another guide of the same kind has written.
    fn restore(&mut self, from: &mut PartReader<'_>) -> Result<(), PartError>;
}

/// Follows one path after the other.
pub(crate) struct Walks {
    guide: Box<dyn CountingGuide>,
    rng: Rng,
    /// The tree of the states of a program. That of a system is in its set of worlds.
    tree: WalkTree,
    /// All states that may run.
    ready: BTreeSet<StateId>,
    walks: u64,
}

impl Walks {
    fn new(guide: Box<dyn CountingGuide>, rng: Rng) -> Walks {
        Walks { guide, rng, tree: WalkTree::default(), ready: BTreeSet::new(), walks: 0 }
    }

    /// Walks with a random choice at each fork, all children being equally likely.
    pub(crate) fn random(mut rng: Rng) -> Walks {
        Walks::new(Box::new(RandomChoice { rng: rng.split() }), rng)
    }

    /// Walks by random priorities, with one change of a priority less than the depth.
    pub(crate) fn by_priorities(mut rng: Rng, depth: u32) -> Walks {
        Walks::new(Box::new(Priorities::new(rng.split(), depth)), rng)
    }
}

impl Searcher for Walks {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let Walks { guide, rng, tree, ready, walks } = self;
        guide.write(to);
        rng.write(to);
        tree.write(to);
        ready.write(to);
        walks.write(to);
    }

    fn restore(&mut self, from: &mut PartReader<'_>) -> Result<(), PartError> {
        self.guide.restore(from)?;
        self.rng = Portable::read(from)?;
        self.tree = Portable::read(from)?;
        self.ready = Portable::read(from)?;
        self.walks = Portable::read(from)?;
        Ok(())
    }

    fn select(&mut self, distances: &mut dyn StateDistances) -> Option<StateId> {
        let (state, is_new) = match distances.on_walk(self.guide.as_guide(), &mut self.rng) {
            WorldWalk::To(state, is_new) => (state, is_new),
            // Another worker runs what the walk waits for.
            WorldWalk::Nowhere => (self.ready.first().copied()?, false),
            WorldWalk::OneNode => {
                let choice = &mut |state| distances.order_choice(StateId(state));
                let (state, is_new) = self.tree.step(self.guide.as_guide(), choice)?;
                (StateId(state), is_new)
            }
        };
        self.walks += u64::from(is_new);
        Some(state)
    }

    fn added(&mut self, parent: Option<StateId>, child: StateId) {
        self.ready.insert(child);
        match parent {
            Some(parent) => self.tree.grow(parent.0, child.0),
            None => self.tree.plant(child.0),
        }
    }

    fn removed(&mut self, state: StateId) {
        self.ready.remove(&state);
        self.tree.remove(state.0);
    }

    fn walks(&self) -> WalkCounts {
        let (actors, choices) = self.guide.seen();
        WalkCounts { walks: self.walks, actors, choices }
    }
}

/// A random open child; each is as likely as another.
fn any_open(
    rng: &mut Rng,
    children: &[WalkChild],
    is_wanted: impl Fn(&WalkChild) -> bool,
) -> usize {
    let open = (0..children.len()).filter(|at| children[*at].is_open && is_wanted(&children[*at]));
    let open: Vec<usize> = open.collect();
    open[rng.below(open.len() as u64) as usize]
}

/// Chooses by chance.
struct RandomChoice {
    rng: Rng,
}

everett_base::portable!(struct RandomChoice { rng });

impl WalkGuide for RandomChoice {
    fn begin(&mut self) {}

    fn choose(&mut self, children: &[WalkChild]) -> usize {
        any_open(&mut self.rng, children, |_| true)
    }
}

impl CountingGuide for RandomChoice {
    as_bytes!();

    fn seen(&self) -> (u64, u32) {
        (0, 0)
    }

    fn as_guide(&mut self) -> &mut dyn WalkGuide {
        self
    }
}

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
///
/// In each walk, threads and flows have random priorities, and the one with the highest goes first at each
/// choice. At `depth - 1` random choices, the one that would go first gets the lowest priority instead. With
/// n threads and k choices on a path, a bug that needs `depth` events in a certain order is found by one walk
/// with a chance of at least 1/(n·k^(depth-1)). Where the children that a walk would follow are explored, it
/// goes on with the best of the others: what it would have found was found.
///
/// Forks over data and faults are decided by chance.
struct Priorities {
    rng: Rng,
    depth: u32,
    /// The priorities of this walk. Those that were lowered are below [`LOWERED`].
    priorities: Map<u64, u64>,
    /// The choices of this walk at which a priority is lowered, as far as they are still to come, with the
    /// priority that it gets.
    changes: Vec<(u32, u64)>,
    /// All actors of all walks.
    actors: Set<u64>,
    /// The most choices on a path so far.
    longest: u32,
}

everett_base::portable!(struct Priorities { rng, depth, priorities, changes, actors, longest });

/// A bound of the priorities that were lowered.
const LOWERED: u64 = 1 << 63;

impl Priorities {
    fn new(rng: Rng, depth: u32) -> Priorities {
        Priorities {
            rng,
            depth,
            priorities: Map::default(),
            changes: Vec::new(),
            actors: Set::default(),
            longest: 0,
        }
    }

    fn priority(&mut self, actor: u64) -> u64 {
        let Priorities { rng, priorities, actors, .. } = self;
        *priorities.entry(actor).or_insert_with(|| {
            actors.insert(actor);
            rng.next_u64() | LOWERED
        })
    }

    /// The position of the child whose actor has the highest priority, among those that may be chosen.
    fn best(&mut self, children: &[WalkChild], may: impl Fn(&WalkChild) -> bool) -> Option<usize> {
        let mut best: Option<(u64, usize)> = None;
        for (at, child) in children.iter().enumerate().filter(|(_, child)| may(child)) {
            let Some(choice) = child.choice else { continue };
            let priority = self.priority(choice.actor);
            if best.is_none_or(|(highest, _)| priority > highest) {
                best = Some((priority, at));
            }
        }
        best.map(|(_, at)| at)
    }
}

impl WalkGuide for Priorities {
    fn begin(&mut self) {
        self.priorities.clear();
        let Priorities { rng, depth, longest, .. } = self;
        let choices = u64::from(*longest).max(1);
        let change = |lowered: u32| (1 + rng.below(choices) as u32, u64::from(lowered));
        self.changes = (1..*depth).map(change).collect();
    }

    fn choose(&mut self, children: &[WalkChild]) -> usize {
        let number = children.iter().filter_map(|child| child.choice).map(|c| c.number).max();
        let is_plain = |child: &WalkChild| child.choice.is_none();
        let plain = children.iter().filter(|child| child.is_open && is_plain(child)).count() as u64;
        let is_order_open = children.iter().any(|child| child.is_open && !is_plain(child));
        let (Some(number), true) = (number, is_order_open) else {
            return any_open(&mut self.rng, children, is_plain);
        };
        // Faults and data beside the order: each is as likely as all that is ordered.
        if plain > 0 && self.rng.below(plain + 1) > 0 {
            return any_open(&mut self.rng, children, is_plain);
        }
        self.longest = self.longest.max(number);
        let due = self.changes.iter().position(|(at, _)| *at <= number);
        if let Some((_, lowered)) = due.map(|at| self.changes.swap_remove(at))
            && let Some(first) = self.best(children, |_| true)
            && let Some(choice) = children[first].choice
        {
            self.priorities.insert(choice.actor, lowered);
        }
        self.best(children, |child| child.is_open).expect("an ordered child is open")
    }
}

impl CountingGuide for Priorities {
    as_bytes!();

    fn seen(&self) -> (u64, u32) {
        (self.actors.len() as u64, self.longest)
    }

    fn as_guide(&mut self) -> &mut dyn WalkGuide {
        self
    }
}

#[cfg(test)]
mod tests {
    use everett_world::OrderChoice;

    use super::*;

    fn child(number: u32, actor: u64, is_open: bool) -> WalkChild {
        WalkChild { choice: Some(OrderChoice { number, actor }), is_open }
    }

    /// The actors that run in a walk of so many choices among all of them.
    fn schedule(guide: &mut Priorities, actors: u64, choices: u32) -> Vec<u64> {
        guide.begin();
        let of = |number| (0..actors).map(|actor| child(number, actor, true)).collect::<Vec<_>>();
        (1..=choices).map(|number| guide.choose(&of(number)) as u64).collect()
    }

    #[test]
    fn as_many_actors_take_turns_as_priorities_change() {
        let mut guide = Priorities::new(Rng::new(4), 3);
        schedule(&mut guide, 4, 20);
        let mut firsts = Set::default();
        for _ in 0..200 {
            let walk = schedule(&mut guide, 4, 20);
            let switches = walk.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(switches <= 2, "{walk:?}");
            firsts.insert(walk[0]);
        }
        assert_eq!(firsts.len(), 4);
        assert_eq!(guide.seen(), (4, 20));
    }

    /// Two threads of ten choices each: a bug of depth 2 is one preemption at one of them.
    #[test]
    fn a_bug_of_a_depth_is_found_as_often_as_promised() {
        let (actors, choices, walks) = (2, 10, 4000);
        let mut guide = Priorities::new(Rng::new(1), 2);
        schedule(&mut guide, actors, choices);
        let wanted: Vec<u64> = [0; 6].into_iter().chain([1; 4]).collect();
        let found = (0..walks).filter(|_| schedule(&mut guide, actors, choices) == wanted).count();
        let bound = f64::from(walks) / (actors as f64 * f64::from(choices));
        assert!(found as f64 > bound * 0.8, "{found} of {walks}, and {bound} are promised");
    }

    #[test]
    fn the_best_of_what_is_left_is_followed() {
        let mut guide = Priorities::new(Rng::new(9), 1);
        guide.begin();
        let all = [child(1, 5, true), child(1, 6, true), child(1, 7, true)];
        let first = guide.choose(&all);
        let mut rest = all;
        rest[first].is_open = false;
        let second = guide.choose(&rest);
        assert_ne!(first, second);
        assert_eq!(guide.choose(&all), first);
    }

    #[test]
    fn a_random_walk_follows_each_child_equally_often() {
        let mut guide = RandomChoice { rng: Rng::new(2) };
        let children =
            [child(1, 0, true), child(1, 1, false), WalkChild { choice: None, is_open: true }];
        let mut hits = [0; 3];
        (0..3000).for_each(|_| hits[guide.choose(&children)] += 1);
        assert_eq!(hits[1], 0);
        assert!((1400..1600).contains(&hits[0]), "{hits:?}");
    }
}
