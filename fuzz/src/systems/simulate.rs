//! The exact simulator of random systems: one assignment of all inputs at a time, without any engine.
//!
//! Messages take no time. A node that waits with a deadline gets what is sent before the deadline, and not
//! what is sent at that very time, since it wakes before anybody who wakes at the same time has sent.

use std::collections::VecDeque;

use super::model::{
    CHOICE_MASK, Expression, NO_ANSWER, Operator, RandomSystem, Statement, VARIABLES,
};

/// Each node sleeps before it exits, by its number, so that its peers are done with it, or wait in vain.
/// Sums of these and of all other times differ, so that no node exits at the moment another one uses it.
pub(crate) const LAST_SLEEPS_MS: [u32; 4] = [1_000_000, 2_100_000, 4_300_000, 8_700_000];

/// How a system ends for one assignment of its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SystemEnd {
    /// The decisions of each node, which tell worlds apart.
    pub(crate) decisions: Vec<Vec<u8>>,
    /// The exit status of each node, or `None` for one that waits for ever.
    pub(crate) statuses: Vec<Option<u8>>,
}

/// Runs the system with an input for each symbolic node, in their order.
pub(crate) fn simulate(system: &RandomSystem, inputs: &[u8]) -> SystemEnd {
    let count = system.nodes.len();
    let mut nodes: Vec<NodeRun<'_>> = system.nodes.iter().map(NodeRun::new).collect();
    for (node, input) in system.symbolic_nodes().into_iter().zip(inputs) {
        nodes[node].variables[0] = *input;
    }
    let mut run = SystemRun {
        nodes,
        datagrams: vec![vec![VecDeque::new(); count]; count],
        calls: vec![vec![None; count]; count],
    };
    while let Some((node, now)) = run.next() {
        run.nodes[node].now = now;
        run.advance(node);
    }
    SystemEnd {
        decisions: run.nodes.iter().map(|node| node.decisions.clone()).collect(),
        statuses: run.nodes.iter().map(|node| node.status).collect(),
    }
}

/// A call of one node to another, which waits for its answer.
#[derive(Clone, Copy)]
enum PendingCall {
    Asked { at: u32, value: u8 },
    Answered { at: u32, value: u8 },
}

/// A node in the middle of its statements.
struct NodeRun<'s> {
    variables: [u8; VARIABLES],
    decisions: Vec<u8>,
    /// What is left to do, the next at the end.
    left: Vec<Task<'s>>,
    /// The time of the node in milliseconds.
    now: u32,
    status: Option<u8>,
    exited_at: Option<u32>,
}

#[derive(Clone, Copy)]
enum Task<'s> {
    Statement(&'s Statement),
    /// Waits until a time.
    SleepUntil(u32),
    /// Waits for a datagram until a deadline, if there is one.
    AwaitDatagram {
        peer: usize,
        to: usize,
        deadline: Option<u32>,
    },
    AwaitAnswer {
        peer: usize,
        to: usize,
    },
    SendAndDecide {
        statement: &'s Statement,
    },
    Finish,
    Exit,
}

impl<'s> NodeRun<'s> {
    fn new(node: &'s super::model::RandomNode) -> NodeRun<'s> {
        let mut left = vec![Task::Exit, Task::Finish];
        left.extend(node.statements.iter().rev().map(Task::Statement));
        NodeRun {
            variables: [0; VARIABLES],
            decisions: Vec::new(),
            left,
            now: 0,
            status: None,
            exited_at: None,
        }
    }

    fn value(&self, expression: &Expression) -> u8 {
        match expression {
            Expression::Constant(value) => *value,
            Expression::Variable(index) => self.variables[*index],
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                match operator {
                    Operator::Add => left.wrapping_add(right),
                    Operator::Xor => left ^ right,
                    Operator::And => left & right,
                    Operator::Multiply => left.wrapping_mul(right),
                    Operator::Less => u8::from(left < right),
                    Operator::Equal => u8::from(left == right),
                }
            }
        }
    }

    fn decide(&mut self, value: u8) -> u8 {
        self.decisions.push(value & CHOICE_MASK);
        value & CHOICE_MASK
    }
}

struct SystemRun<'s> {
    nodes: Vec<NodeRun<'s>>,
    /// Datagrams by sender and receiver, each with the time when it was sent.
    datagrams: Vec<Vec<VecDeque<(u32, u8)>>>,
    /// Calls by caller and peer.
    calls: Vec<Vec<Option<PendingCall>>>,
}

impl<'s> SystemRun<'s> {
    /// The node that goes on next, and when. At one time, those whose deadline it is go first.
    fn next(&self) -> Option<(usize, u32)> {
        let candidates = (0..self.nodes.len()).filter_map(|node| {
            let (at, is_deadline) = self.ready(node)?;
            Some((at, !is_deadline, node))
        });
        candidates.min().map(|(at, _, node)| (node, at))
    }

    /// When a node can go on, and whether that is because a deadline is over.
    fn ready(&self, node: usize) -> Option<(u32, bool)> {
        let run = &self.nodes[node];
        match *run.left.last()? {
            Task::SleepUntil(at) => Some((at, true)),
            Task::AwaitDatagram { peer, deadline, .. } => {
                let sent = self.datagrams[peer][node].front().map(|&(at, _)| at.max(run.now));
                match (sent, deadline) {
                    (Some(at), Some(deadline)) if at < deadline => Some((at, false)),
                    (Some(at), None) => Some((at, false)),
                    (_, deadline) => Some((deadline?, true)),
                }
            }
            Task::AwaitAnswer { peer, .. } => match self.calls[node][peer] {
                Some(PendingCall::Answered { at, .. }) => Some((at.max(run.now), false)),
                _ => self.nodes[peer].exited_at.map(|at| (at.max(run.now), false)),
            },
            Task::Statement(Statement::Serve { peer, .. }) => match self.calls[*peer][node] {
                Some(PendingCall::Asked { at, .. }) => Some((at.max(run.now), false)),
                _ => None,
            },
            Task::Statement(_) | Task::SendAndDecide { .. } | Task::Finish | Task::Exit => {
                Some((run.now, false))
            }
        }
    }

    /// Does the next thing of a node that can go on.
    fn advance(&mut self, node: usize) {
        let task = self.nodes[node].left.pop().expect("a node that goes on has something to do");
        let now = self.nodes[node].now;
        match task {
            Task::Statement(statement) => self.execute(node, statement),
            Task::SleepUntil(_) => {}
            Task::AwaitDatagram { peer, to, deadline } => {
                let in_time = |at: u32| deadline.is_none_or(|deadline| at < deadline);
                let queue = &mut self.datagrams[peer][node];
                let value = match queue.front() {
                    Some(&(at, value)) if in_time(at.max(now)) => {
                        queue.pop_front();
                        value
                    }
                    _ => NO_ANSWER,
                };
                self.nodes[node].variables[to] = value;
            }
            Task::AwaitAnswer { peer, to } => {
                let value = match self.calls[node][peer].take() {
                    Some(PendingCall::Answered { value, .. }) => value,
                    _ => NO_ANSWER,
                };
                self.nodes[node].variables[to] = value;
            }
            Task::SendAndDecide { statement } => self.end_of_helper(node, statement),
            Task::Finish => {
                let run = &mut self.nodes[node];
                run.status = Some(run.decide(run.variables[1]));
                let at = now + LAST_SLEEPS_MS[node];
                run.left.push(Task::SleepUntil(at));
            }
            Task::Exit => self.nodes[node].exited_at = Some(now),
        }
    }

    fn execute(&mut self, node: usize, statement: &'s Statement) {
        let now = self.nodes[node].now;
        let run = &mut self.nodes[node];
        match statement {
            Statement::Assign { to, value } => run.variables[*to] = run.value(value),
            Statement::If { condition, then } => {
                if run.decide(u8::from(run.value(condition) != 0)) != 0 {
                    run.left.extend(then.iter().rev().map(Task::Statement));
                }
            }
            Statement::Sleep { ms } => run.left.push(Task::SleepUntil(now + ms)),
            Statement::Send { peer, value } => {
                let value = run.value(value);
                self.datagrams[node][*peer].push_back((now, value));
            }
            Statement::Receive { peer, to, timeout_ms } => {
                let deadline = timeout_ms.map(|ms| now + ms);
                // What was sent before is there already, even at the deadline of an earlier wait.
                run.left.push(Task::AwaitDatagram { peer: *peer, to: *to, deadline });
            }
            Statement::Call { peer, value, to } => {
                let value = run.value(value);
                run.left.push(Task::AwaitAnswer { peer: *peer, to: *to });
                if self.nodes[*peer].exited_at.is_none() {
                    self.calls[node][*peer] = Some(PendingCall::Asked { at: now, value });
                }
            }
            Statement::Serve { peer, reply, to } => {
                if let Some(PendingCall::Asked { value, .. }) = self.calls[*peer][node] {
                    run.variables[*to] = value;
                    let value = run.value(reply);
                    self.calls[*peer][node] = Some(PendingCall::Answered { at: now, value });
                }
            }
            Statement::Delegate { ms, .. } => {
                run.left.push(Task::SendAndDecide { statement });
                run.left.push(Task::SleepUntil(now + ms));
            }
        }
    }

    fn end_of_helper(&mut self, node: usize, statement: &'s Statement) {
        let Statement::Delegate { send, value, to, .. } = statement else { return };
        let run = &mut self.nodes[node];
        if let Some((peer, value)) = send {
            let value = run.value(value);
            self.datagrams[node][*peer].push_back((run.now, value));
        }
        let run = &mut self.nodes[node];
        run.variables[*to] = run.decide(run.value(value));
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{Helper, RandomNode};
    use super::*;

    fn system(nodes: Vec<Vec<Statement>>) -> RandomSystem {
        let nodes = nodes.into_iter().enumerate();
        let node = |(index, statements)| RandomNode { is_symbolic: index == 0, statements };
        RandomSystem { nodes: nodes.map(node).collect() }
    }

    fn input() -> Expression {
        Expression::Variable(0)
    }

    #[test]
    fn a_datagram_that_is_sent_at_the_deadline_comes_too_late_and_stays() {
        let send = vec![Statement::Sleep { ms: 30 }, Statement::Send { peer: 1, value: input() }];
        let receive = |to, ms| Statement::Receive { peer: 0, to, timeout_ms: Some(ms) };
        let late = system(vec![send.clone(), vec![receive(1, 30), receive(2, 10)]]);
        let end = simulate(&late, &[2]);
        assert_eq!(end.statuses, [Some(0), Some(NO_ANSWER & CHOICE_MASK)]);
        let in_time = system(vec![send, vec![receive(1, 31)]]);
        assert_eq!(simulate(&in_time, &[2]).statuses, [Some(0), Some(2)]);
    }

    #[test]
    fn a_call_is_answered_when_it_is_served() {
        let call = vec![Statement::Call { peer: 1, value: input(), to: 1 }];
        let reply = Expression::Binary(
            Operator::Add,
            Box::new(Expression::Variable(1)),
            Box::new(Expression::Constant(1)),
        );
        let serve = vec![Statement::Sleep { ms: 50 }, Statement::Serve { peer: 0, reply, to: 1 }];
        let end = simulate(&system(vec![call.clone(), serve]), &[1]);
        assert_eq!(end.statuses, [Some(2), Some(1)]);
        // Nobody serves: the call fails when the peer exits.
        let end = simulate(&system(vec![call, Vec::new()]), &[1]);
        assert_eq!(end.statuses, [Some(NO_ANSWER & CHOICE_MASK), Some(0)]);
    }

    #[test]
    fn who_waits_for_what_is_never_sent_has_no_status() {
        let receive = vec![Statement::Receive { peer: 0, to: 1, timeout_ms: None }];
        let end = simulate(&system(vec![Vec::new(), receive]), &[0]);
        assert_eq!(end.statuses, [Some(0), None]);
    }

    #[test]
    fn a_helper_sends_when_it_has_slept_and_its_value_is_a_decision() {
        let delegate = Statement::Delegate {
            helper: Helper::Process,
            ms: 20,
            send: Some((1, Expression::Constant(7))),
            value: input(),
            to: 1,
        };
        let receive = vec![Statement::Receive { peer: 0, to: 1, timeout_ms: Some(50) }];
        let end = simulate(&system(vec![vec![delegate], receive]), &[3]);
        assert_eq!(end.decisions, [vec![3, 3], vec![3]]);
        assert_eq!(end.statuses, [Some(3), Some(7 & CHOICE_MASK)]);
    }
}
