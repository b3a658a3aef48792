//! Choices between threads at which others may still be asked for: [`KeptChoice`].
//!
//! At a choice one thread goes on, and the situation from before is kept. Others are tried there when
//! somebody asks for them: [`reverse`] finds out who has to be, because an event could come before an earlier
//! one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use everett_base::part::{PartError, PartReader, PartWriter, Portable};
use everett_base::plist::List;
use everett_interp::State;
use smallvec::SmallVec;

use super::event_log::{EventLog, EventNumber, PendingEvent};
use crate::state::ids::{ThreadKey, Tid};
use crate::state::thread_event::EnabledThread;

/// Threads of a choice, by their places among those whose events could happen.
type ThreadPlaces = SmallVec<[usize; 4]>;

/// A choice between threads, with the situation `S` before it.
pub struct KeptChoice<S> {
    /// The number of the event that is chosen here.
    event: EventNumber,
    /// The threads whose events could happen.
    enabled: Vec<EnabledThread>,
    /// Those of them whose events come first on other paths.
    asleep: ThreadPlaces,
    /// Its number among the choices of the path, for test cases.
    point: u64,
    /// The situation. It does not have the choices before this one: they come after it in a list.
    kept: S,
    /// The threads that were tried, in their order. Paths of all workers share it.
    tried: Mutex<ThreadPlaces>,
}

/// Choices of a path, newest first.
pub(crate) type ChoiceList<S> = List<Arc<KeptChoice<S>>>;

/// The choices of a path at which others may still be asked for, newest first, with the states before them.
pub type KeptChoices<X> = ChoiceList<Box<State<X>>>;

/// A thread that is to be tried at a choice, too.
pub(crate) struct AskedThread<S> {
    /// The choices up to that one.
    choices: ChoiceList<S>,
    place: usize,
    /// Those that were tried before it.
    before: ThreadPlaces,
}

/// The answer of a choice to a wish.
enum WishAnswer {
    /// One of the threads was tried already, or sleeps.
    Tried,
    /// None of the threads can go on there.
    Impossible,
    /// This one is tried now, after those.
    New(usize, ThreadPlaces),
}

impl<S: Portable> Portable for KeptChoice<S> {
    fn write<'a>(&'a self, to: &mut PartWriter<'a>) {
        let KeptChoice { event, enabled, asleep, point, kept, tried: _ } = self;
        event.write(to);
        enabled.write(to);
        asleep.write(to);
        point.write(to);
        kept.write(to);
        let tried = self.tried();
        to.number(tried.len() as u64);
        tried.iter().for_each(|place| to.number(*place as u64));
    }

    fn read(from: &mut PartReader<'_>) -> Result<Self, PartError> {
        Ok(KeptChoice {
            event: Portable::read(from)?,
            enabled: Portable::read(from)?,
            asleep: Portable::read(from)?,
            point: Portable::read(from)?,
            kept: Portable::read(from)?,
            tried: Mutex::new(Portable::read(from)?),
        })
    }
}

impl<S> KeptChoice<S> {
    /// A choice of the next event of a log between threads whose events could happen. The first one of the
    /// candidates is tried. Those that are no candidates sleep.
    pub(crate) fn new(
        log: &EventLog,
        enabled: &[EnabledThread],
        candidates: &[&EnabledThread],
        point: u64,
        kept: S,
    ) -> KeptChoice<S> {
        let first = candidates.first().map(|first| first.thread);
        let is_asleep = |thread: ThreadKey| candidates.iter().all(|other| other.thread != thread);
        let places = |is_there: &dyn Fn(ThreadKey) -> bool| -> ThreadPlaces {
            (0..enabled.len()).filter(|place| is_there(enabled[*place].thread)).collect()
        };
        KeptChoice {
            event: log.count() + 1,
            enabled: enabled.to_vec(),
            asleep: places(&is_asleep),
            point,
            kept,
            tried: Mutex::new(places(&|thread| Some(thread) == first)),
        }
    }

    /// The situation before it.
    pub(crate) fn kept(&self) -> &S {
        &self.kept
    }

    /// Its number among the choices of the path, for test cases.
    pub(crate) fn point(&self) -> u64 {
        self.point
    }

    fn tried(&self) -> MutexGuard<'_, ThreadPlaces> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, tid: Tid) -> Option<usize> {
        self.enabled.iter().position(|enabled| enabled.thread.1 == tid)
    }

    /// One of some threads is to go on here. The preferred one is the one whose event is to come earlier.
    fn wish(&self, first: &[Tid], preferred: Tid) -> WishAnswer {
        let preferred = first.contains(&preferred).then(|| self.place(preferred));
        if preferred == Some(None) {
            // It is at its event there already, and is held up.
            return WishAnswer::Impossible;
        }
        let able: ThreadPlaces = first.iter().filter_map(|tid| self.place(*tid)).collect();
        let mut tried = self.tried();
        if able.iter().any(|place| tried.contains(place) || self.asleep.contains(place)) {
            return WishAnswer::Tried;
        }
        let Some(place) = preferred.flatten().or(able.first().copied()) else {
            return WishAnswer::Impossible;
        };
        let before = tried.clone();
        tried.push(place);
        WishAnswer::New(place, before)
    }

    /// A thread that was not tried, which is tried now, and those that were before it.
    fn any(&self) -> Option<(usize, ThreadPlaces)> {
        let mut tried = self.tried();
        let is_over = |place: &usize| tried.contains(place) || self.asleep.contains(place);
        let place = (0..self.enabled.len()).find(|place| !is_over(place))?;
        let before = tried.clone();
        tried.push(place);
        Some((place, before))
    }
}

impl<S> AskedThread<S> {
    /// The choice, the thread that is tried there, and those that were before it. The choices of its path are
    /// the second result.
    pub(crate) fn take(self) -> Option<(AskedChoice<S>, ChoiceList<S>)> {
        let AskedThread { choices, place, before } = self;
        let choice = choices.first()?.clone();
        Some((AskedChoice { choice, place, before }, choices))
    }
}

/// A choice at which another thread is tried.
pub(crate) struct AskedChoice<S> {
    pub(crate) choice: Arc<KeptChoice<S>>,
    place: usize,
    before: ThreadPlaces,
}

impl<S> AskedChoice<S> {
    /// The thread that is tried.
    pub(crate) fn thread(&self) -> &EnabledThread {
        &self.choice.enabled[self.place]
    }

    /// Those that were tried before it.
    pub(crate) fn before(&self) -> impl Iterator<Item = &EnabledThread> {
        self.before.iter().map(|place| &self.choice.enabled[*place])
    }
}

/// The threads that are asked for because an event of a thread could come before others.
pub(crate) fn reverse<S>(
    log: &EventLog,
    choices: &ChoiceList<S>,
    pending: PendingEvent<'_>,
) -> Vec<AskedThread<S>> {
    let (mut asked, mut choices) = (Vec::new(), choices.clone());
    log.reverse(pending, |number, first| {
        choices = choices.skip_while(|choice| choice.event > number);
        let Some(choice) = choices.first().filter(|choice| choice.event == number) else {
            return false;
        };
        match choice.wish(first, pending.tid) {
            WishAnswer::Tried => true,
            WishAnswer::Impossible => false,
            WishAnswer::New(place, before) => {
                asked.push(AskedThread { choices: choices.clone(), place, before });
                true
            }
        }
    });
    asked
}

/// All threads that could be asked for at any choice.
pub(crate) fn ask_for_all<S>(choices: &ChoiceList<S>) -> Vec<AskedThread<S>> {
    let (mut asked, mut choices) = (Vec::new(), choices.clone());
    while let Some(choice) = choices.first() {
        while let Some((place, before)) = choice.any() {
            asked.push(AskedThread { choices: choices.clone(), place, before });
        }
        choices = choices.rest();
    }
    asked
}

#[cfg(test)]
mod tests;
