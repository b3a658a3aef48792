//! Random systems: what their nodes do, as data that is both written as C and simulated.
//!
//! Each pair of nodes has sockets of its own, in each direction, so that what a node receives depends on what
//! its peer has sent and on times, and not on the order in which messages of others arrive.

use everett_fuzz::choices::Choices;

/// Variables of a node, all of them bytes. The first begins as the node's symbolic input.
pub(crate) const VARIABLES: usize = 4;
/// A symbolic input is this part of a byte.
pub(crate) const INPUT_MASK: u8 = 3;
/// Whatever a decision with several alternatives is about is this part of a byte.
pub(crate) const CHOICE_MASK: u8 = 3;
/// The answer of a peer that is no longer there.
pub(crate) const NO_ANSWER: u8 = 255;

const STEPS_MAX: usize = 14;
const EXPRESSION_DEPTH: u32 = 2;
const DURATIONS_MS: [u32; 5] = [0, 10, 20, 50, 130];

/// An expression over the variables of a node; it wraps around as bytes do.
#[derive(Clone, Debug)]
pub(crate) enum Expression {
    Constant(u8),
    Variable(usize),
    Binary(Operator, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Operator {
    Add,
    Xor,
    And,
    Multiply,
    Less,
    Equal,
}

/// How a helper of a node runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Helper {
    /// In a child process that ends with a status.
    Process,
    /// In a thread that returns a value.
    Thread,
}

/// A step of one node.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Assign {
        to: usize,
        value: Expression,
    },
    /// Branches, which is a decision of the node.
    If {
        condition: Expression,
        then: Vec<Statement>,
    },
    Sleep {
        ms: u32,
    },
    /// Sends a datagram of one byte.
    Send {
        peer: usize,
        value: Expression,
    },
    /// Waits for a datagram of a peer. Without an answer in time the variable is [`NO_ANSWER`].
    Receive {
        peer: usize,
        to: usize,
        timeout_ms: Option<u32>,
    },
    /// Connects to a peer, sends a byte, and waits for one.
    Call {
        peer: usize,
        value: Expression,
        to: usize,
    },
    /// Accepts a connection of a peer, reads a byte, and answers it.
    Serve {
        peer: usize,
        reply: Expression,
        to: usize,
    },
    /// Lets a helper sleep, send perhaps, and end with a value, of which the node looks at [`CHOICE_MASK`].
    Delegate {
        helper: Helper,
        ms: u32,
        send: Option<(usize, Expression)>,
        value: Expression,
        to: usize,
    },
}

/// What the nodes of a system do. Each ends with a decision about its second variable, which is its status.
#[derive(Clone, Debug)]
pub(crate) struct RandomSystem {
    pub(crate) nodes: Vec<RandomNode>,
}

#[derive(Clone, Debug)]
pub(crate) struct RandomNode {
    pub(crate) is_symbolic: bool,
    pub(crate) statements: Vec<Statement>,
}

impl RandomSystem {
    /// The system that the bytes of an input describe.
    pub(crate) fn from_choices(mut choices: Choices<'_>) -> RandomSystem {
        let count = 2 + choices.below(3);
        let mut nodes: Vec<RandomNode> =
            (0..count).map(|_| RandomNode { is_symbolic: false, statements: Vec::new() }).collect();
        nodes[0].is_symbolic = true;
        for node in &mut nodes[1..] {
            node.is_symbolic = choices.flag();
        }
        step(&mut nodes, &mut choices);
        for _ in 1..STEPS_MAX {
            if choices.is_used_up() {
                break;
            }
            step(&mut nodes, &mut choices);
        }
        RandomSystem { nodes }
    }

    /// Nodes with a symbolic input.
    pub(crate) fn symbolic_nodes(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&node| self.nodes[node].is_symbolic).collect()
    }
}

/// Adds to one node, or to two that communicate: senders and receivers are in one order, so that most
/// systems come to an end.
fn step(nodes: &mut [RandomNode], choices: &mut Choices<'_>) {
    let one = choices.below(nodes.len());
    let other = (one + 1 + choices.below(nodes.len() - 1)) % nodes.len();
    let to = 1 + choices.below(VARIABLES - 1);
    match choices.below(8) {
        0 | 1 => {
            let (send, receive) = datagram(one, other, to, choices);
            nodes[one].statements.push(send);
            nodes[other].statements.push(receive);
            if choices.flag() {
                react(nodes, one, other, to, choices);
            }
        }
        2 => {
            let (send, receive) = datagram(one, other, to, choices);
            let condition = expression(choices, EXPRESSION_DEPTH);
            nodes[one].statements.push(Statement::If { condition, then: vec![send] });
            nodes[other].statements.push(receive);
        }
        3 => {
            let value = expression(choices, EXPRESSION_DEPTH);
            let reply = expression(choices, EXPRESSION_DEPTH);
            let call = Statement::Call { peer: other, value, to };
            // A peer that waits for a connection that never comes waits for ever: few systems do that.
            let call = if choices.below(8) == 7 {
                Statement::If { condition: expression(choices, 1), then: vec![call] }
            } else {
                call
            };
            nodes[one].statements.push(call);
            nodes[other].statements.push(Statement::Serve { peer: one, reply, to });
        }
        4 => {
            let value = expression(choices, EXPRESSION_DEPTH);
            let condition = expression(choices, EXPRESSION_DEPTH);
            let then = vec![Statement::Assign { to, value }];
            nodes[one].statements.push(Statement::If { condition, then });
        }
        5 => {
            let sends = choices.flag();
            let send = sends.then(|| (other, expression(choices, EXPRESSION_DEPTH)));
            let helper = choices.pick(&[Helper::Process, Helper::Thread]);
            let ms = choices.pick(&DURATIONS_MS);
            let value = expression(choices, EXPRESSION_DEPTH);
            nodes[one].statements.push(Statement::Delegate { helper, ms, send, value, to });
            if sends {
                nodes[other].statements.push(receive(one, to, choices));
            }
        }
        6 => nodes[one].statements.push(Statement::Sleep { ms: choices.pick(&DURATIONS_MS) }),
        _ => {
            let value = expression(choices, EXPRESSION_DEPTH);
            nodes[one].statements.push(Statement::Assign { to, value });
        }
    }
}

/// Lets a receiver decide about what it has received, and answer it or not.
fn react(
    nodes: &mut [RandomNode],
    one: usize,
    other: usize,
    received: usize,
    choices: &mut Choices<'_>,
) {
    let operator = choices.pick(&[Operator::Less, Operator::Equal, Operator::And, Operator::Xor]);
    let operands = (Expression::Variable(received), expression(choices, 1));
    let condition = Expression::Binary(operator, Box::new(operands.0), Box::new(operands.1));
    let (send, receive) = datagram(other, one, received, choices);
    nodes[other].statements.push(Statement::If { condition, then: vec![send] });
    nodes[one].statements.push(receive);
}

fn datagram(
    one: usize,
    other: usize,
    to: usize,
    choices: &mut Choices<'_>,
) -> (Statement, Statement) {
    let send = Statement::Send { peer: other, value: expression(choices, EXPRESSION_DEPTH) };
    (send, receive(one, to, choices))
}

fn receive(peer: usize, to: usize, choices: &mut Choices<'_>) -> Statement {
    // A receiver without a timeout waits for ever for what is not sent: few do.
    let timeout_ms = match choices.below(6) {
        5 => None,
        index => Some([30, 10, 50, 130, 150][index]),
    };
    Statement::Receive { peer, to, timeout_ms }
}

fn expression(choices: &mut Choices<'_>, depth: u32) -> Expression {
    if depth == 0 || choices.is_used_up() || choices.below(3) == 0 {
        // The first variable is the one that is symbolic from the beginning.
        return match choices.below(8) {
            7 => Expression::Constant(choices.byte() % 5),
            index => Expression::Variable(index.saturating_sub(3)),
        };
    }
    let operator = choices.pick(&[
        Operator::Add,
        Operator::Xor,
        Operator::Less,
        Operator::Equal,
        Operator::And,
        Operator::Multiply,
    ]);
    let (left, right) = (expression(choices, depth - 1), expression(choices, depth - 1));
    Expression::Binary(operator, Box::new(left), Box::new(right))
}
