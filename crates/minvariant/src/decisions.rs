//! Forking by running again: a script of decisions that a domain follows and extends.
//!
//! An evaluation is the same whenever it gets the same answers. To explore both sides of a decision, it
//! runs once for each: [`DecisionScript`] repeats the answers of the run before up to the last decision
//! that has another side, and then goes there.

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScriptedDecision {
    taken: bool,
    /// The other side is possible, and was not run yet.
    open: bool,
}

/// A script of decisions. A domain keeps it, and asks it in [`Domain::decide`](crate::Domain::decide).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionScript {
    list: Vec<ScriptedDecision>,
    at: usize,
}

impl DecisionScript {
    /// A script without decisions, for the first run.
    pub fn new() -> DecisionScript {
        DecisionScript::default()
    }

    /// The next answer of the script; none where it ends, and a new decision has to be made.
    pub fn replay(&mut self) -> Option<bool> {
        let decision = self.list.get(self.at)?;
        self.at += 1;
        Some(decision.taken)
    }

    /// Adds a decision at the end of the script; `both`: whether the other side is possible, too.
    ///
    /// # Panics
    /// If the script is not at its end.
    pub fn record(&mut self, taken: bool, both: bool) {
        assert_eq!(self.at, self.list.len(), "the script was not followed to its end");
        self.list.push(ScriptedDecision { taken, open: both });
        self.at += 1;
    }

    /// The answer of the script, or a new decision: `possible` says whether a side is. The true side
    /// comes first. None if neither side is possible.
    ///
    /// # Errors
    /// What `possible` returns.
    pub fn decide<E>(
        &mut self,
        mut possible: impl FnMut(bool) -> Result<bool, E>,
    ) -> Result<Option<bool>, E> {
        if let Some(taken) = self.replay() {
            return Ok(Some(taken));
        }
        let taken = match (possible(true)?, possible(false)?) {
            (false, false) => return Ok(None),
            (yes, no) => {
                self.record(yes, yes && no);
                yes
            }
        };
        Ok(Some(taken))
    }

    /// Returns the decisions of this run so far.
    pub fn taken(&self) -> impl ExactSizeIterator<Item = bool> {
        self.list[..self.at].iter().map(|decision| decision.taken)
    }

    /// Goes to the next run, if there is one: the last decision with another side takes that.
    pub fn advance(&mut self) -> bool {
        self.list.truncate(self.at);
        self.at = 0;
        while let Some(last) = self.list.last_mut() {
            if last.open {
                *last = ScriptedDecision { taken: !last.taken, open: false };
                return true;
            }
            self.list.pop();
        }
        false
    }
}

/// Runs `run` once for each way that its decisions can go, but at most `limit` times. Returns the results
/// in order, and whether there are more.
///
/// # Errors
/// The first error of `run`.
pub fn explore<T, E>(
    limit: usize,
    mut run: impl FnMut(&mut DecisionScript) -> Result<T, E>,
) -> Result<(Vec<T>, bool), E> {
    let mut decisions = DecisionScript::new();
    let mut results = Vec::new();
    loop {
        if results.len() >= limit {
            return Ok((results, true));
        }
        results.push(run(&mut decisions)?);
        if !decisions.advance() {
            return Ok((results, false));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn any(_: bool) -> Result<bool, Infallible> {
        Ok(true)
    }

    #[test]
    fn every_way_is_run_once_in_order() {
        // A tree of different depths: the second decision exists only behind a true first one.
        let (ways, more) = explore(10, |decisions| {
            let first = decisions.decide(any)?.unwrap();
            let second = if first { decisions.decide(any)? } else { None };
            Ok::<_, Infallible>((first, second))
        })
        .unwrap();
        assert!(!more);
        assert_eq!(ways, [(true, Some(true)), (true, Some(false)), (false, None)]);
    }

    #[test]
    fn impossible_sides_are_not_run() {
        let (ways, _) = explore(10, |decisions| {
            decisions.decide(|side| Ok::<_, Infallible>(!side))?;
            decisions.decide(any)?;
            Ok::<_, Infallible>(decisions.taken().collect::<Vec<_>>())
        })
        .unwrap();
        assert_eq!(ways, [[false, true], [false, false]]);
        assert_eq!(DecisionScript::new().decide(|_| Ok::<_, Infallible>(false)), Ok(None));
    }

    #[test]
    fn limit_ends_it() {
        let (ways, more) = explore(3, |decisions| {
            for _ in 0..8 {
                decisions.decide(any)?;
            }
            Ok::<_, Infallible>(())
        })
        .unwrap();
        assert_eq!((ways.len(), more), (3, true));
    }
}
