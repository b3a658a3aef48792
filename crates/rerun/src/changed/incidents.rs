//! Faults and preemptions of a test, and their places in programs that have changed.
//!
//! A test numbers the places where a fault or a preemption was possible. In a changed program the same
//! place may have another number. It is the nearest one at which the same happens: the same fault to the
//! same call or message, in the same function; a preemption in the same function. What happens where is
//! seen by running it.
//!
//! Not here: what the programs make of it (`changed.rs`).

use std::path::Path;
use std::sync::Arc;

use everett_engine::{
    FAULTS, FaultDecision, FaultReport, PreemptionReport, SCHEDULE, SourcePlace, ThreadSwitch,
};
use everett_engine::{FaultKind, WorldTest};
use everett_ir::Program;
use everett_replay::dtest::{self, TestRecord};
use everett_replay::{DTest, KTest, KTestObject};
use everett_report::place_text;

use super::{ChangedRun, ChangedTest};
use crate::error::{LoadFailure, RerunError, Result};
use crate::replay::place_of;

/// The distance over which the number of a place is looked for, in both directions.
const FARTHEST: u64 = 64;

/// All faults and preemptions of a test.
pub(super) struct IncidentList {
    /// The tests of the nodes, as they were written.
    ktests: Vec<KTest>,
    /// In the order of time.
    list: Vec<Incident>,
}

/// A fault or a preemption.
struct Incident {
    /// The node, by its place and by its name.
    node: usize,
    name: String,
    kind: IncidentKind,
    choice: u32,
    /// Its number in the test, and now.
    before: u64,
    point: u64,
    recorded: Option<RecordedIncident>,
    /// The place at which it happens now, for people.
    now: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IncidentKind {
    Fault(FaultKind),
    Preemption,
}

/// The facts that a test has recorded about an incident.
struct RecordedIncident {
    what: String,
    function: Option<String>,
    place: Option<String>,
    time_ns: u64,
}

/// The degree to which a place in the changed program matches the place of an incident in the test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum PlaceMatch {
    /// The programs do not come to a place of this number.
    Missed,
    /// Something else happens there.
    Elsewhere,
    /// The same happens in the same function, but to a call or message with another description.
    Near,
    Exact,
}

impl RecordedIncident {
    fn new(what: &str, place: Option<&dtest::TestPlace>, time_ns: u64) -> RecordedIncident {
        RecordedIncident {
            what: what.to_owned(),
            function: place.map(|place| place.function.clone()),
            place: place.map(|place| place_text(&place_of(place))),
            time_ns,
        }
    }
}

impl Incident {
    fn new((node, name): (usize, &str), kind: IncidentKind, point: u64, choice: u32) -> Incident {
        let name = name.to_owned();
        Incident { node, name, kind, choice, before: point, point, recorded: None, now: None }
    }

    /// Returns the incident at its number in a world, and its place.
    fn happened<'w>(&self, world: &'w WorldTest) -> Option<(&'w str, Option<&'w SourcePlace>)> {
        match self.kind {
            IncidentKind::Fault(kind) => {
                let is_it = |fault: &&FaultReport| {
                    (fault.node == self.name && fault.kind == kind)
                        && (fault.point, fault.choice) == (self.point, self.choice)
                };
                let found = world.faults.iter().find(is_it)?;
                Some((&found.what, found.place.as_ref()))
            }
            IncidentKind::Preemption => {
                let is_it =
                    |each: &&PreemptionReport| each.node == self.name && each.point == self.point;
                let found = world.preemptions.iter().find(is_it)?;
                Some((PREEMPTION, found.place.as_ref()))
            }
        }
    }

    fn fit(&self, attempt: &ChangedRun) -> PlaceMatch {
        let Some((what, place)) = attempt.world.as_ref().and_then(|world| self.happened(world))
        else {
            return PlaceMatch::Missed;
        };
        let Some(recorded) = &self.recorded else { return PlaceMatch::Exact };
        let function = place.map(|place| &place.function);
        if recorded.function.is_some() && recorded.function.as_ref() != function {
            PlaceMatch::Elsewhere
        } else if recorded.what == what {
            PlaceMatch::Exact
        } else if words(&recorded.what) == words(what) {
            PlaceMatch::Near
        } else {
            PlaceMatch::Elsewhere
        }
    }

    /// Describes it for people.
    fn text(&self) -> String {
        match &self.recorded {
            Some(RecordedIncident { what, place: Some(place), .. }) => {
                format!("`{what}` at {place}")
            }
            Some(RecordedIncident { what, .. }) => format!("`{what}`"),
            None => format!("fault or preemption {} of the test", self.before),
        }
    }
}

/// The description of a preemption, where faults have one of their own.
const PREEMPTION: &str = "preemption";

/// A description without its numbers, which change easily.
fn words(what: &str) -> String {
    what.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

impl IncidentList {
    /// Those that the tests of the nodes have, with what the test as a whole says about each.
    pub(super) fn new(
        test: &DTest,
        record: &TestRecord,
        ktests: Vec<KTest>,
    ) -> Result<IncidentList> {
        let mut list = Vec::new();
        for (at, (ktest, node)) in ktests.iter().zip(&test.nodes).enumerate() {
            let own = (at, node.hostname.as_str());
            if let Some(object) = ktest.object(FAULTS.as_bytes()) {
                let decisions = FaultDecision::read_all(&object.bytes);
                let named = |error| RerunError::from(error).of_node(&node.hostname);
                for decision in decisions.map_err(named)? {
                    let FaultDecision { kind, point, choice } = decision;
                    let mut incident = Incident::new(own, IncidentKind::Fault(kind), point, choice);
                    let is_it = |fault: &&dtest::TestFault| {
                        (fault.node == node.hostname && fault.kind == kind.name())
                            && fault.point == point
                    };
                    let known = record.faults.iter().find(is_it);
                    incident.recorded = known.map(|fault| {
                        RecordedIncident::new(&fault.what, fault.place.as_ref(), fault.time_ns)
                    });
                    list.push(incident);
                }
            }
            let switches = ktest.object(SCHEDULE.as_bytes());
            for switch in
                switches.map_or(Vec::new(), |object| ThreadSwitch::read_all(&object.bytes))
            {
                let ThreadSwitch { point, choice } = switch;
                let mut incident = Incident::new(own, IncidentKind::Preemption, point, choice);
                let is_it = |each: &&dtest::TestPreemption| {
                    each.node == node.hostname && each.point == point
                };
                let known = record.preemptions.iter().find(is_it);
                incident.recorded = known.map(|each| {
                    RecordedIncident::new(PREEMPTION, each.place.as_ref(), each.time_ns)
                });
                list.push(incident);
            }
        }
        list.sort_by_key(|each| each.recorded.as_ref().map_or(0, |known| known.time_ns));
        Ok(IncidentList { ktests, list })
    }

    /// The tests of the nodes with everything where it is now.
    fn ktests(&self) -> Vec<KTest> {
        let mut ktests = self.ktests.clone();
        for (at, ktest) in ktests.iter_mut().enumerate() {
            let own = || self.list.iter().filter(move |incident| incident.node == at);
            let decision = |incident: &Incident| match incident.kind {
                IncidentKind::Fault(kind) => {
                    Some(FaultDecision { kind, point: incident.point, choice: incident.choice })
                }
                IncidentKind::Preemption => None,
            };
            let switch = |incident: &Incident| match incident.kind {
                IncidentKind::Preemption => {
                    Some(ThreadSwitch { point: incident.point, choice: incident.choice })
                }
                IncidentKind::Fault(_) => None,
            };
            let faults = FaultDecision::write_all(own().filter_map(decision));
            let switches = own().filter_map(switch).flat_map(|switch| switch.to_bytes()).collect();
            put(ktest, FAULTS, faults);
            put(ktest, SCHEDULE, switches);
        }
        ktests
    }

    /// Finds the place of each in the changed programs. Returns what happens then, and which of them has
    /// no place any more. If the finding of the test comes with one of them at another of its places,
    /// that is what happens.
    pub(super) fn settle<L: FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>>(
        &mut self,
        changed_test: &mut ChangedTest<'_, L>,
        first: ChangedRun,
    ) -> Result<(ChangedRun, Option<String>)> {
        let (mut best, mut lost) = (first, None);
        for at in 0..self.list.len() {
            let fit = self.list[at].fit(&best);
            if !best.has_finding && fit < PlaceMatch::Exact {
                let place = self.list[at].point;
                match self.search(changed_test, at, PlaceMatch::Near)? {
                    // No place that is like the old one is better than the one where it is.
                    Some(found)
                        if fit == PlaceMatch::Near
                            && self.list[at].fit(&found) == PlaceMatch::Near =>
                    {
                        match found.has_finding {
                            true => best = found,
                            false => self.list[at].point = place,
                        }
                    }
                    Some(found) => best = found,
                    None if fit == PlaceMatch::Near => {}
                    None => {
                        let Incident { name, .. } = &self.list[at];
                        let what = self.list[at].text();
                        lost = lost.or(Some(format!("node {name}: {what} has no place any more")));
                    }
                }
            }
        }
        for at in 0..self.list.len() {
            if !best.has_finding
                && lost.is_none()
                && let Some(found) = self.search(changed_test, at, PlaceMatch::Exact)?
            {
                best = found;
            }
        }
        if !best.has_finding && changed_test.replays_left == 0 {
            // Places that were not tried may be those where the finding comes.
            let why = "its faults and preemptions have more places now than are tried";
            lost = lost.or(Some(why.to_owned()));
        }
        self.describe(&best);
        Ok((best, lost))
    }

    /// Moves one to other places, the nearest first, and stays at the first one that is exactly its
    /// place, or at which the finding of the test comes. If `least` is exact, only the finding counts.
    fn search<L: FnMut(&Path) -> std::result::Result<Arc<Program>, LoadFailure>>(
        &mut self,
        changed_test: &mut ChangedTest<'_, L>,
        at: usize,
        least: PlaceMatch,
    ) -> Result<Option<ChangedRun>> {
        let start = self.list[at].point;
        let mut near: Option<(u64, ChangedRun)> = None;
        // Beyond a number that is never reached there are no others.
        let mut end = u64::MAX;
        for step in 1..=2 * FARTHEST {
            let distance = step.div_ceil(2);
            let point = match step % 2 {
                1 => start.saturating_add(distance),
                _ => start.saturating_sub(distance),
            };
            if point == 0
                || point >= end
                || changed_test.replays_left == 0
                || self.is_taken(at, point)
            {
                continue;
            }
            self.list[at].point = point;
            let attempt = changed_test.attempt(&self.ktests())?;
            let fit = self.list[at].fit(&attempt);
            if fit == PlaceMatch::Missed && point > start {
                end = point;
            }
            let is_place = fit == PlaceMatch::Exact && least == PlaceMatch::Near;
            if is_place || (fit >= PlaceMatch::Near && attempt.has_finding) {
                return Ok(Some(attempt));
            }
            if fit == PlaceMatch::Near && least == PlaceMatch::Near && near.is_none() {
                near = Some((point, attempt));
            }
        }
        self.list[at].point = start;
        Ok(near.map(|(point, attempt)| {
            self.list[at].point = point;
            attempt
        }))
    }

    /// Returns `true` if another one of the same kind is there.
    fn is_taken(&self, at: usize, point: u64) -> bool {
        let Incident { node, kind, .. } = &self.list[at];
        let mut others = self.list.iter().enumerate().filter(|(other, _)| *other != at);
        others.any(|(_, other)| (other.node, other.kind, other.point) == (*node, *kind, point))
    }

    fn describe(&mut self, attempt: &ChangedRun) {
        for incident in &mut self.list {
            let happened = attempt.world.as_ref().and_then(|world| incident.happened(world));
            incident.now = happened.map(|(what, place)| match place {
                Some(place) => format!("`{what}` at {}", place_text(place)),
                None => format!("`{what}`"),
            });
        }
    }

    /// Those that have another number now, for people.
    pub(super) fn moved(&self) -> Vec<String> {
        let moved = self.list.iter().filter(|each| each.point != each.before);
        moved
            .filter_map(|each| {
                let (name, before, now) = (&each.name, each.text(), each.now.as_ref()?);
                let (old, new) = (each.before, each.point);
                Some(format!(
                    "node {name}: {before} of the test is {now} now (place {new} where that is \
                     possible, {old} in the test)"
                ))
            })
            .collect()
    }
}

/// Gives an object of a test other bytes, if it is there.
fn put(ktest: &mut KTest, name: &str, bytes: Vec<u8>) {
    let is_it = |object: &&mut KTestObject| object.name == name.as_bytes();
    if let Some(object) = ktest.objects.iter_mut().find(is_it) {
        object.bytes = bytes;
    }
}
