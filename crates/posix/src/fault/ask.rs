//! Offering a fault: the state forks over the alternatives.

use everett_interp::{Bug, BugKind, Flow, Interp, Omission, PathEnding, SiblingCourse, State};
use smallvec::SmallVec;

use crate::config::FaultKind;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;
use crate::kernel::{Guest, Kernel};
use crate::state::faults::decision::FaultDecision;
use crate::state::faults::{FaultAnswer, PassedPoint, TakenFault};
use crate::state::node::Node;

/// A fault that is possible at a point.
pub struct FaultOffer<'o> {
    /// Of this kind.
    pub kind: FaultKind,
    /// The alternatives; 0, that nothing happens, is not among them.
    pub choices: &'o [u32],
    /// True if it happens to a call of the program, whose place is shown.
    pub of_call: bool,
    /// True if the point only counts: nothing is to happen there unless a plan says so.
    pub passed_over: bool,
    /// The words for an alternative, for people.
    pub what: &'o dyn Fn(u32) -> String,
    /// The budgets of links that it counts for: bits by their numbers.
    pub links: u32,
}

impl Kernel {
    /// Offers a fault at the point where a state is. Of each alternative there is a sibling, forked from
    /// `origin` or, without one, from the state itself; `prepare` says where it goes on. The state
    /// goes on without a fault, so the answer is 0, unless a plan says what happens.
    ///
    /// The caller has found the kind possible.
    pub fn offer<X: Guest>(
        &mut self,
        cx: &mut Interp<'_, X>,
        st: &mut State<X>,
        mut origin: Option<&mut State<X>>,
        offer: &FaultOffer<'_>,
        mut prepare: impl FnMut(&mut Interp<'_, X>, &mut State<X>, u32) -> SiblingCourse,
    ) -> Result<u32, Flow> {
        let FaultOffer { kind, choices, of_call, passed_over, what, links } = *offer;
        // Behind `execve` the state is in another program than the call.
        let caller = origin.as_deref().unwrap_or(st);
        let place = if of_call { cx.own_place(caller) } else { None };
        let at = X::woken_at(st);
        let node = st.extra.node_mut();
        let point = node.path.faults.reach(kind);
        let time_ns = node.clock.now;
        let taken = |choice| {
            let decision = FaultDecision { kind, point, choice };
            TakenFault { decision, time_ns, what: what(choice).into(), place, links }
        };
        if node.path.faults.is_survey() && !passed_over && !choices.is_empty() {
            let choices = choices.iter().map(|choice| (*choice, what(*choice).into())).collect();
            node.path.faults.pass(PassedPoint { kind, point, choices, place, at });
        }
        if let Some(choice) = node.path.faults.planned(kind, point) {
            self.fault_counts.count_offered(kind);
            if choice != 0 && !choices.contains(&choice) {
                // What a survey was to try is not possible here: it finds that it has not happened.
                let is_survey = node.path.faults.is_survey();
                return if is_survey { Ok(0) } else { Err(cannot_happen(kind, point)) };
            }
            if choice != 0 {
                self.fault_counts.count_taken(kind);
                node.path.faults.take(taken(choice));
            }
            return Ok(choice);
        }
        if passed_over {
            return Ok(0);
        }
        if !st.forking {
            cx.omit(st, Omission::ForkingOff);
            return Ok(0);
        }
        self.fault_counts.count_offered(kind);
        let number = st.extra.node().path.order_mark.next();
        for &choice in choices {
            let mut sibling = match &mut origin {
                Some(origin) => {
                    st.depth += 1;
                    let mut sibling = origin.fork();
                    // With a plan, the state passes these points before it comes to this one.
                    sibling.extra.node_mut().path.faults.catch_up(&st.extra.node().path.faults);
                    sibling
                }
                None => st.fork(),
            };
            self.fault_counts.count_taken(kind);
            sibling.extra.node_mut().path.faults.take(taken(choice));
            let course = prepare(cx, &mut sibling, choice);
            mark_order(&mut sibling, kind, number);
            cx.add_sibling(sibling, course);
        }
        if !choices.is_empty() {
            mark_order(st, kind, number);
        }
        Ok(0)
    }
}

impl Kernel {
    /// Returns true if the program can be blamed for what it makes of a fault: some function of its own is
    /// running, so it is neither the start-up nor the end of the C library.
    pub fn is_blamed<X: Guest>(cx: &Interp<'_, X>, st: &State<X>) -> bool {
        let program = &cx.image.program;
        // A machine without a program, in tests, has no frames at all.
        let mut frames = st.stack.frames().peekable();
        frames.peek().is_none() || frames.any(|frame| !program.function(frame.func).library)
    }

    /// A fault that a rule decides, once its point was counted by [`Kernel::offer`] with no choices:
    /// records it if it happens, and gives its number or 0.
    pub(super) fn impose<X: Guest>(
        &mut self,
        cx: &Interp<'_, X>,
        st: &mut State<X>,
        kind: FaultKind,
        choice: Option<u32>,
        what: String,
    ) -> u32 {
        self.fault_counts.count_offered(kind);
        let Some(choice) = choice else { return 0 };
        self.fault_counts.count_taken(kind);
        let place = cx.own_place(st);
        let node = st.extra.node_mut();
        let decision = FaultDecision { kind, point: node.path.faults.points(kind), choice };
        let taken =
            TakenFault { decision, time_ns: node.clock.now, what: what.into(), place, links: 0 };
        node.path.faults.take(taken);
        choice
    }
}

/// Notes in a state that has forked over an order which choice of its path that was.
fn mark_order<X: Guest>(st: &mut State<X>, kind: FaultKind, number: u32) {
    if matches!(kind, FaultKind::Order | FaultKind::Late) {
        let forks = st.depth;
        st.extra.node_mut().path.order_mark.choose(number, forks);
    }
}

fn cannot_happen(kind: FaultKind, point: u64) -> Flow {
    let message = format!(
        "the test case has a fault '{kind}' that cannot happen at place {point}; give the options of \
         the run that wrote it"
    );
    Flow::End(PathEnding::Bug(Box::new(Bug::new(BugKind::UserError, message))))
}

impl<X: Guest> Call<'_, '_, X> {
    /// The fault that happens here: 0 for none, or the number of one of so many alternatives. `what` says
    /// what happens with an alternative.
    ///
    /// Nothing may have been changed before: siblings execute the call again from its beginning and
    /// find their answers. A call that is executed again after a wait is not asked anew. At once 0 if
    /// no budget is left.
    #[inline]
    pub(crate) fn fault(
        &mut self,
        kind: FaultKind,
        alternatives: u32,
        what: impl Fn(u32) -> String,
    ) -> Result<u32, CallHalt> {
        if !self.node().path.faults.are_used() || alternatives == 0 {
            return Ok(0);
        }
        let choices: SmallVec<[u32; 4]> = (1..=alternatives).collect();
        self.ask(kind, &choices, &what)
    }

    /// The same with named alternatives; without any, the point is only counted.
    pub(super) fn ask(
        &mut self,
        kind: FaultKind,
        choices: &[u32],
        what: &dyn Fn(u32) -> String,
    ) -> Result<u32, CallHalt> {
        self.ask_and(kind, choices, what, 0, |_, _| {})
    }

    /// The number of the next question of this kind in this execution of the call.
    fn number_of(&self, kind: FaultKind) -> u8 {
        self.asked.iter().filter(|asked| **asked == kind).count() as u8
    }

    /// The answer to that question, if another execution of the call has asked it.
    fn known_answer(&self, kind: FaultKind) -> Option<u32> {
        let number = self.number_of(kind);
        let mut answers = self.node().thread().answers.iter();
        let known = answers.find(|answer| (answer.kind, answer.number) == (kind, number));
        known.map(|answer| answer.choice)
    }

    /// Passes the next question of a kind if another execution of the call has asked it; says whether.
    pub(crate) fn is_answered(&mut self, kind: FaultKind) -> bool {
        let is_known = self.known_answer(kind).is_some();
        if is_known {
            self.asked.push(kind);
        }
        is_known
    }

    /// The same, with the budgets of links that it counts for, and what the answer changes in the node at
    /// once, when it is given. That is 0, too, if there is nothing to ask.
    pub(crate) fn ask_and(
        &mut self,
        kind: FaultKind,
        choices: &[u32],
        what: &dyn Fn(u32) -> String,
        links: u32,
        change: impl Fn(&mut Node, u32),
    ) -> Result<u32, CallHalt> {
        let number = self.number_of(kind);
        let known = self.known_answer(kind);
        self.asked.push(kind);
        if let Some(choice) = known {
            return Ok(choice);
        }
        if !self.node().path.faults.is_possible(kind) || !Kernel::is_blamed(self.cx, self.st) {
            change(self.node_mut(), 0);
            return Ok(0);
        }
        let passed_over = choices.is_empty();
        let offer = FaultOffer { kind, choices, of_call: true, passed_over, what, links };
        let prepare = |_: &mut Interp<'_, X>, sibling: &mut State<X>, choice| {
            let node = sibling.extra.node_mut();
            node.thread_mut().answers.push(FaultAnswer { kind, number, choice });
            change(node, choice);
            SiblingCourse::Again
        };
        let choice = self.kernel.offer(self.cx, self.st, None, &offer, prepare)?;
        let node = self.node_mut();
        node.thread_mut().answers.push(FaultAnswer { kind, number, choice });
        change(node, choice);
        Ok(choice)
    }
}
