//! Faults of a node as a whole: it crashes, it crashes and reboots, or it is paused.
//!
//! They are offered at calls that have sent, received, made or ended a connection, changed or synced
//! files, or exposed something to invariants ([`MachineFaultPlace`]). A node is paused before the call.
//! It crashes before the call or after it, before the program knows; after a write that is to be synced
//! also before the sync. So each change that others or a reboot can see has a crash behind it, and the
//! last one, too. A crash is offered only where somebody can tell it from the one that was offered
//! last:
//!
//! - a node that stays down, by what it has sent and exposed;
//! - one that reboots, by that, the time, and the files that it then has.

mod survival;

use everett_fs::{Fs, FsError};
use everett_interp::{Flow, Halt, Interp, Reg, Sibling, SiblingCourse, State, Stop};
use everett_memory::ByteValue;
use smallvec::SmallVec;
use syscalls::Sysno;

use self::survival::SurvivingFiles;
use super::place::MachineFaultPlace;
use crate::config::FaultKind;
use crate::fault::FaultOffer;
use crate::kernel::reply::{CallHalt, Reply};
use crate::kernel::{Guest, Kernel, VisibleEffect, unsupported};
use crate::state::faults::FaultAnswer;
use crate::state::faults::crash_marks::{
    CrashMarks, CrashMoment, FilesLeft, LastChange, SeenCounts,
};
use crate::state::ids::Time;
use crate::state::node::Node;
use crate::state::standstill::NodeStandstill;

/// Kinds that happen to a node as a whole.
const KINDS: u32 = FaultKind::Crash.bit() | FaultKind::Reboot.bit() | FaultKind::Pause.bit();

/// The alternatives of a crash.
const BEFORE: u32 = 1;
const AFTER: u32 = 2;
/// After what the call has written was synced, which it waits for.
const SYNCED: u32 = 3;

/// A call at which something may happen to the node, kept as it was before it did anything.
pub(super) struct MachineFaultPoint<X> {
    before: Box<State<X>>,
    name: &'static str,
    place: MachineFaultPlace,
    /// Siblings that there were already.
    siblings: usize,
}

impl<X: Guest> MachineFaultPoint<X> {
    fn new(
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        name: &'static str,
        place: MachineFaultPlace,
    ) -> MachineFaultPoint<X> {
        // What was written before is no part of this call.
        st.extra.node_mut().path.faults.since_boot.written = None;
        MachineFaultPoint { before: st.copy(), name, place, siblings: cx.siblings.len() }
    }
}

/// More files than these are not compared with: a crash may then be offered that is like an earlier one.
const MOST_LEFT: usize = 32;

impl SeenCounts {
    fn of(node: &Node) -> SeenCounts {
        SeenCounts { sent: node.net.sent(), exposed: node.path.exposed }
    }
}

impl CrashMoment {
    fn of(node: &Node, changes: u64) -> CrashMoment {
        CrashMoment {
            now: node.clock.now,
            seen: SeenCounts::of(node),
            durable: node.disk.fs.durable(),
            changes,
        }
    }
}

impl CrashMarks {
    /// Returns true if files are other ones than those that nodes were left with that crashed at the
    /// same time.
    fn is_new(&mut self, fs: &Fs<ByteValue>) -> Result<bool, FsError> {
        for FilesLeft(other) in &self.left {
            if survival::is_same(fs, other)? {
                return Ok(false);
            }
        }
        if self.left.len() == MOST_LEFT {
            self.left.remove(0);
        }
        self.left.push(FilesLeft(fs.clone()));
        Ok(true)
    }

    /// The news about the files that a node may have after a crash at a moment: whether they are new if all
    /// is lost that was not synced, and those that they are otherwise.
    fn look(
        &mut self,
        moment: &CrashMoment,
        fs: &Fs<ByteValue>,
        torn: bool,
    ) -> Result<(bool, Vec<SurvivingFiles>), FsError> {
        let last = self.reboot.replace(moment.clone());
        let last = last.filter(|last| (last.now, last.seen) == (moment.now, moment.seen));
        if last.is_none() {
            self.left.clear();
        }
        let last = last.filter(|last| last.durable.is_same(&moment.durable));
        let lost = last.is_none() && self.is_new(&fs.after_crash()?)?;
        let mut new = Vec::new();
        if torn && last.is_none_or(|last| last.changes != moment.changes) {
            for left in survival::survivors(fs, self.last_change.as_ref())? {
                if self.is_new(&left.fs)? {
                    new.push(left);
                }
            }
        }
        Ok((lost, new))
    }
}

/// A reboot that is possible.
struct PossibleReboot {
    choice: u32,
    /// The node that crashes.
    node: Node,
    /// True if everything may be lost that was not synced.
    lost: bool,
    /// The other files that may be left.
    survivors: Vec<SurvivingFiles>,
}

impl Kernel {
    /// Keeps a state before a call at which something may happen to the node.
    pub(super) fn keep_point<X: Guest>(
        &self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        sysno: Sysno,
        args: &[Reg; 6],
    ) -> Option<MachineFaultPoint<X>> {
        let node = st.extra.node();
        if !node.path.faults.is_one_possible(KINDS) {
            return None;
        }
        let place = MachineFaultPlace::of_call(node, sysno, args)?;
        if !Kernel::is_blamed(cx, st) {
            return None;
        }
        Some(MachineFaultPoint::new(cx, st, sysno.name(), place))
    }

    /// Lets a program expose something, and offers what may happen to the node there. `expose` does it to
    /// a state; `is_seen` says whether there are invariants that see it. A halt with a flow is what the
    /// state goes on with instead.
    pub fn expose<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        is_seen: bool,
        expose: impl FnOnce(&mut Kernel, &mut Interp<'_, X>, &mut State<X>),
    ) -> Result<(), Halt> {
        let is_possible = st.extra.node().path.faults.is_one_possible(KINDS);
        let point = (is_possible && Kernel::is_blamed(cx, st))
            .then(|| MachineFaultPoint::new(cx, st, "everett_expose", MachineFaultPlace::Exposure));
        expose(self, cx, st);
        if X::watches_effects(st) {
            X::noticed(cx, st, VisibleEffect::Exposed);
        }
        st.extra.node_mut().path.exposed += u64::from(is_seen);
        let Some(point) = point else { return Ok(()) };
        self.offer_machine_faults(cx, st, point, &Ok(Reply::Value(0)))?;
        st.extra.node_mut().thread_mut().answers.clear();
        Ok(())
    }

    /// Offers what may happen to the node, once the handler of a call has answered.
    pub(super) fn offer_machine_faults<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        mut point: MachineFaultPoint<X>,
        answer: &Result<Reply, CallHalt>,
    ) -> Result<(), Halt> {
        let has_done = point.place.has_done(point.before.extra.node(), st.extra.node());
        if !matches!(answer, Ok(Reply::Value(_))) || !has_done {
            return Ok(());
        }
        if cx.siblings.len() > point.siblings {
            // Those that were split off execute the call again, and have faults of their own.
            point.before.path = st.path.clone();
        }
        self.offer_pause(cx, st, &mut point)?;
        self.offer_crash(cx, st, &mut point, answer)?;
        self.offer_reboot(cx, st, &mut point, answer)
    }

    fn offer_pause<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        point: &mut MachineFaultPoint<X>,
    ) -> Result<(), Flow> {
        let node = st.extra.node();
        let kind = FaultKind::Pause;
        let mut answers = node.thread().answers.iter();
        let is_asked = answers.any(|answer| answer.kind == kind);
        if !node.path.faults.is_possible(kind) || is_asked || !point.place.has_pauses() {
            return Ok(());
        }
        // Where nobody looks, the point only counts.
        let is_seen = point.place != MachineFaultPlace::Exposure
            || SeenCounts::of(node) != SeenCounts::of(point.before.extra.node())
            || node.path.faults.has_plan();
        let choices: &[u32] = if is_seen { &[1] } else { &[] };
        let time = node.path.faults.config().times.pause_ns;
        let until = node.clock.now.saturating_add(time);
        let name = point.name;
        let what = |_| format!("is paused before {name} (for {})", seconds(time));
        let offer = offer_of(kind, choices, &what);
        let pause = |node: &mut Node| {
            node.volatile.standstill = NodeStandstill::Paused(until);
            node.thread_mut().answers.push(FaultAnswer { kind, number: 0, choice: 1 });
        };
        point.before_is_asked(st);
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, _| {
            pause(sibling.extra.node_mut());
            SiblingCourse::Again
        };
        if self.offer(cx, st, Some(&mut point.before), &offer, prepare)? == 0 {
            return Ok(());
        }
        point.undo(st);
        pause(st.extra.node_mut());
        Err(Flow::Idle)
    }

    /// Offers that the node crashes and stays down.
    fn offer_crash<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        point: &mut MachineFaultPoint<X>,
        answer: &Result<Reply, CallHalt>,
    ) -> Result<(), Flow> {
        let faults = &st.extra.node().path.faults;
        if !faults.is_possible(FaultKind::Crash) {
            return Ok(());
        }
        let seen = [SeenCounts::of(point.before.extra.node()), SeenCounts::of(st.extra.node())];
        let mut choices: SmallVec<[u32; 2]> = SmallVec::from_slice(&[BEFORE, AFTER]);
        if !faults.has_plan() {
            let news = [faults.marks().down != Some(seen[0]), seen[1] != seen[0]];
            choices.retain(|choice| news[*choice as usize - 1]);
        }
        st.extra.node_mut().path.faults.marks_mut().down = Some(seen[1]);
        let name = point.name;
        let what = |choice| format!("crashes {} {name} (for good)", side(choice));
        let offer = offer_of(FaultKind::Crash, &choices, &what);
        point.before_is_asked(st);
        let first = cx.siblings.len();
        let prepare = |_: &mut Interp<'_, X>, _: &mut State<X>, _| SiblingCourse::Again;
        let choice = self.offer(cx, st, Some(&mut point.before), &offer, prepare)?;
        let made: Vec<Sibling<X>> = cx.siblings.drain(first..).collect();
        for (mut sibling, choice) in made.into_iter().zip(&choices) {
            if *choice == AFTER {
                adopt(&mut sibling.state, st.extra.node());
                X::adopt_exposed(&mut sibling.state, st);
            }
            Kernel::take_down(cx, &mut sibling.state, None);
            cx.siblings.push(sibling);
        }
        if choice == 0 {
            return Ok(());
        }
        if choice == BEFORE {
            point.undo(st);
        }
        self.note_fall(cx, st, choice == AFTER, answer);
        Kernel::take_down(cx, st, None);
        Err(Flow::Idle)
    }

    /// Offers that the node crashes and is up again after a while.
    fn offer_reboot<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        point: &mut MachineFaultPoint<X>,
        answer: &Result<Reply, CallHalt>,
    ) -> Result<(), Halt> {
        let node = st.extra.node();
        if !node.path.faults.is_possible(FaultKind::Reboot) || node.path.restart.is_none() {
            return Ok(());
        }
        let reboots = self.reboots(st, point).map_err(|error| files_stop(&error))?;
        let choices: SmallVec<[u32; 2]> = reboots.iter().map(|reboot| reboot.choice).collect();
        let time = st.extra.node().path.faults.config().times.reboot_ns;
        let name = point.name;
        let what =
            |choice| format!("crashes {} {name} (up again after {})", side(choice), seconds(time));
        let offer = offer_of(FaultKind::Reboot, &choices, &what);
        point.before_is_asked(st);
        let first = cx.siblings.len();
        let prepare = |_: &mut Interp<'_, X>, _: &mut State<X>, _| SiblingCourse::Again;
        let choice = self.offer(cx, st, Some(&mut point.before), &offer, prepare)?;
        let made: Vec<Sibling<X>> = cx.siblings.drain(first..).collect();
        for (mut sibling, reboot) in made.into_iter().zip(&reboots) {
            adopt(&mut sibling.state, &reboot.node);
            if reboot.choice != BEFORE {
                X::adopt_exposed(&mut sibling.state, st);
            }
            self.leave_files(cx, &mut sibling.state, reboot)?;
            if reboot.lost {
                cx.siblings.push(sibling);
            }
        }
        let Some(planned) = reboots.iter().find(|reboot| reboot.choice == choice) else {
            return Ok(());
        };
        match choice {
            BEFORE => point.undo(st),
            SYNCED => sync(st.extra.node_mut())?,
            _ => {}
        }
        self.note_fall(cx, st, choice != BEFORE, answer);
        self.leave_files(cx, st, planned)?;
        Err(Flow::Idle.into())
    }

    /// The reboots that are possible at a point, and remembers what there is now.
    fn reboots<X: Guest>(
        &self,
        st: &mut State<X>,
        point: &MachineFaultPoint<X>,
    ) -> Result<Vec<PossibleReboot>, FsError> {
        let node = st.extra.node_mut();
        let torn = node.path.faults.is_possible(FaultKind::Torn);
        let written = node.path.faults.since_boot.written.take();
        let before = point.before.extra.node();
        let mut marks = node.path.faults.marks().clone();
        let synced = node.path.faults.since_boot.sync_due.map(|inode| {
            let mut synced = node.clone();
            synced.disk.fs.sync_data(inode).map(|()| synced)
        });
        let synced = synced.transpose()?;
        let mut reboots = Vec::new();
        let times = [(BEFORE, Some(before)), (AFTER, Some(&*node)), (SYNCED, synced.as_ref())];
        for (choice, node) in times {
            let Some(node) = node else { continue };
            if choice == AFTER && point.place == MachineFaultPlace::Files {
                marks.changes += 1;
                marks.last_change = Some(LastChange::new(before.disk.fs.clone(), written));
            }
            let moment = CrashMoment::of(node, marks.changes);
            let (lost, survivors) = match node.path.faults.has_plan() {
                // Anything that is possible may be planned.
                true if torn => {
                    (true, survival::survivors(&node.disk.fs, marks.last_change.as_ref())?)
                }
                true => (true, Vec::new()),
                false => marks.look(&moment, &node.disk.fs, torn)?,
            };
            if lost || !survivors.is_empty() {
                reboots.push(PossibleReboot { choice, node: node.clone(), lost, survivors });
            }
        }
        *node.path.faults.marks_mut() = marks;
        Ok(reboots)
    }

    /// Crashes the node of a state that reboots, and offers what may be left of its files.
    fn leave_files<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        reboot: &PossibleReboot,
    ) -> Result<(), Flow> {
        let node = st.extra.node();
        let at = node.clock.now.saturating_add(node.path.faults.config().times.reboot_ns);
        let mut choice = 0;
        if node.path.faults.is_possible(FaultKind::Torn) {
            let survivors = &reboot.survivors;
            let choices: SmallVec<[u32; 5]> = survivors.iter().map(|left| left.choice).collect();
            let left = |choice| survivors.iter().find(|left| left.choice == choice);
            let what = |choice| left(choice).map_or(String::new(), |left| left.what.clone());
            let offer = offer_of(FaultKind::Torn, &choices, &what);
            let prepare = |cx: &mut Interp<'_, X>, sibling: &mut State<X>, choice| {
                if let Some(left) = left(choice) {
                    sibling.extra.node_mut().disk.fs = left.fs.clone();
                }
                Kernel::take_down(cx, sibling, Some(at));
                SiblingCourse::Again
            };
            choice = self.offer(cx, st, None, &offer, prepare)?;
        }
        let node = st.extra.node_mut();
        node.disk.fs = match reboot.survivors.iter().find(|left| left.choice == choice) {
            Some(left) => left.fs.clone(),
            None => node.disk.fs.after_crash().map_err(|error| files_flow(&error))?,
        };
        Kernel::take_down(cx, st, Some(at));
        Ok(())
    }
}

impl<X: Guest> MachineFaultPoint<X> {
    /// Gives the state that is kept what was asked and answered since, so that siblings made of it are
    /// not asked again.
    fn before_is_asked(&mut self, st: &State<X>) {
        let node = st.extra.node();
        let before = self.before.extra.node_mut();
        before.path.faults = node.path.faults.clone();
        before.thread_mut().answers = node.thread().answers.clone();
    }

    /// Takes back what the call has done to a state, which keeps its faults.
    fn undo(&mut self, st: &mut State<X>) {
        let (faults, depth) = (st.extra.node().path.faults.clone(), st.depth);
        if let Some(cache) = st.mem.release_cache() {
            self.before.mem.adopt_cache(cache);
        }
        std::mem::swap(st, &mut self.before);
        st.depth = depth;
        st.extra.node_mut().path.faults = faults;
    }
}

/// Gives a state the node of another, but for its faults.
fn adopt<X: Guest>(st: &mut State<X>, node: &Node) {
    let own = st.extra.node_mut();
    let faults = own.path.faults.clone();
    *own = node.clone();
    own.path.faults = faults;
}

fn offer_of<'o>(
    kind: FaultKind,
    choices: &'o [u32],
    what: &'o dyn Fn(u32) -> String,
) -> FaultOffer<'o> {
    FaultOffer { kind, choices, of_call: true, passed_over: choices.is_empty(), what, links: 0 }
}

fn side(choice: u32) -> &'static str {
    match choice {
        BEFORE => "before",
        SYNCED => "after the sync of",
        _ => "after",
    }
}

/// A time for people.
pub(super) fn seconds(nanoseconds: Time) -> String {
    format!("{} s", nanoseconds as f64 / 1e9)
}

/// Syncs what a call has written that returns only once it is synced: a crash may come first.
pub(super) fn sync(node: &mut Node) -> Result<(), Stop> {
    let Some(inode) = node.path.faults.since_boot.sync_due.take() else { return Ok(()) };
    node.disk.fs.sync_data(inode).map_err(|error| files_stop(&error))
}

fn files_stop(error: &FsError) -> Stop {
    unsupported(format!("a crash with these files: {error}"))
}

fn files_flow(error: &FsError) -> Flow {
    use everett_interp::{Bug, BugKind, PathEnding};
    let message = format!("the files after a crash: {error}");
    Flow::End(PathEnding::Bug(Box::new(Bug::new(BugKind::UserError, message))))
}
