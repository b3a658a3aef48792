//! Toy nodes: what they execute, and one node's execution until it needs a decision.

use std::rc::Rc;

use everett_base::Rng;
use everett_world::{NodeId, Rest, SentMessage, Stamp};

use crate::bits::{BITS_MAX, Bits};

/// One step of a toy program. Registers are numbered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// A register becomes a symbolic bit.
    Symbol(usize, u32),
    /// A register becomes a constant.
    Constant(usize, bool),
    /// The first register becomes the exclusive or of both.
    Xor(usize, usize),
    /// The first register becomes the conjunction of both.
    And(usize, usize),
    /// Skips some ops if the register is false.
    Branch(usize, usize),
    /// Sends a register to a node with a delay.
    Send(u32, usize, u64),
    /// Waits for a bit of any node; to wait for ever is a bug.
    Receive(usize),
    /// Waits for a bit of one node, like a read from a connection.
    ReceiveFrom(usize, u32),
    /// Takes a bit of any node if one has come; without one the register becomes false.
    TryReceive(usize),
    /// Waits for bits, and takes one of each of some nodes at once, like `poll`: the register becomes their
    /// exclusive or.
    Poll(usize),
    /// Waits for bits of one node, and takes some of them at once, like a read from a stream: the register
    /// becomes their exclusive or.
    Read(usize, u32),
    /// Waits for a bit for some time; without one the register becomes false.
    ReceiveTimeout(usize, u64),
    /// Waits for some time; zero is the next round.
    Sleep(u64),
    /// Sends whatever comes on to a node, for ever.
    Serve(u32),
    /// Takes whatever comes for some time, and goes back by some ops then, for ever.
    Tick(u64, usize),
    /// Exits.
    Exit,
    /// Ends with a bug.
    Bug,
}

/// Programs of all nodes, and when they start.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) programs: Rc<Vec<Vec<Op>>>,
    pub(crate) starts: Vec<Stamp>,
    pub(crate) bits: u32,
    /// Whether all nodes know the first symbolic bit from the beginning.
    pub(crate) common: bool,
    pub(crate) carry: Carry,
    /// How long servers may only tick before a world is over.
    pub(crate) grace: Option<u64>,
    /// The time after which nothing happens.
    pub(crate) horizon: Option<u64>,
    /// Whether nodes are told what they see wherever they look ([`Stop::Look`]), in any order that is
    /// possible.
    pub(crate) racing: bool,
    /// The most faults in a world, and where they happen.
    pub(crate) faults: FaultPlan,
}

/// The faults of a system.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FaultPlan {
    /// The most of them in a world.
    pub(crate) most: u32,
    /// Messages are lost, or sent twice.
    pub(crate) of_messages: bool,
    /// Nodes crash before they send or look.
    pub(crate) crashes: bool,
    /// Nodes begin again before they send or look.
    pub(crate) restarts: bool,
}

/// What becomes of a node where it sends or looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Fate {
    Usual,
    /// What it sends is lost.
    Lost,
    /// What it sends arrives twice.
    Twice,
    /// It does nothing from here on.
    Crashed,
    /// It begins again, and has forgotten its registers.
    Restarted,
}

/// How much of a sender's condition travels with what it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carry {
    Nothing,
    /// What mentions a symbol of what is sent or that the receiver knows, transitively.
    Related,
    Everything,
}

impl System {
    pub(crate) fn random(seed: u64) -> System {
        let mut rng = Rng::new(seed);
        let nodes = 2 + rng.below(4) as u32;
        let bits_max = 2 + rng.below(u64::from(BITS_MAX) - 1) as u32;
        let length = 3 + rng.below(10);
        let common = rng.below(2) == 0;
        let mut bits = u32::from(common);
        let mut programs = Vec::new();
        for node in 0..nodes {
            let length = 2 + rng.below(length) as usize;
            let mut program = Vec::new();
            if common && rng.below(2) == 0 {
                program.push(Op::Branch(1, 1));
            }
            while program.len() < length {
                random_ops(&mut rng, &mut program, node, nodes, bits_max, &mut bits);
            }
            program.push(if rng.below(4) == 0 { Op::Receive(0) } else { Op::Exit });
            programs.push(program);
        }
        let apart = rng.below(3) == 0;
        let starts = (0..nodes).map(|n| Stamp::new(0, if apart { n } else { 0 })).collect();
        let carry = [Carry::Related, Carry::Related, Carry::Nothing, Carry::Everything];
        let carry = carry[rng.below(4) as usize];
        let programs = Rc::new(programs);
        let (grace, horizon, racing) = (None, None, false);
        let faults = FaultPlan::default();
        System { programs, starts, bits, common, carry, grace, horizon, racing, faults }
    }

    /// A random system in which some nodes follow timers for ever.
    pub(crate) fn ticking(seed: u64) -> System {
        let mut system = System::random(seed);
        let mut rng = Rng::new(seed ^ 0x71c);
        for program in Rc::make_mut(&mut system.programs) {
            if rng.below(3) > 0 {
                // Mostly it does nothing but tick, and sometimes it does again what it did before.
                let back = if rng.below(3) == 0 { rng.below(program.len() as u64) } else { 0 };
                program.pop();
                program.push(Op::Tick(1 + rng.below(4), back as usize));
            }
        }
        system.grace = (rng.below(8) > 0).then(|| rng.below(7));
        // Some wait for ever while others tick.
        system.horizon = Some(if rng.below(2) == 0 { 4 + rng.below(10) } else { 24 });
        system
    }

    /// The first node of the system, which sends to itself what it would send to others.
    pub(crate) fn alone(mut self) -> System {
        let programs = Rc::make_mut(&mut self.programs);
        programs.truncate(1);
        for op in &mut programs[0] {
            if let Op::Send(to, ..) | Op::Serve(to) = op {
                *to = 0;
            }
        }
        self.starts.truncate(1);
        self
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.programs.len() as u32
    }
}

/// Adds one or two ops.
fn random_ops(
    rng: &mut Rng,
    program: &mut Vec<Op>,
    node: u32,
    nodes: u32,
    bits_max: u32,
    bits: &mut u32,
) {
    let register = rng.below(2) as usize;
    // Mostly to others, sometimes to itself.
    let mut to = rng.below(u64::from(nodes)) as u32;
    if to == node && rng.below(4) > 0 {
        to = (to + 1) % nodes;
    }
    let branch = Op::Branch(register, 1 + rng.below(2) as usize);
    let op = match rng.below(62) {
        0..=14 if *bits < bits_max => {
            *bits += 1;
            program.push(Op::Symbol(register, *bits - 1));
            if rng.below(4) == 0 {
                return;
            }
            branch
        }
        0..=14 if rng.below(2) == 0 => Op::Send(to, register, 0),
        0..=15 => Op::Xor(register, 1 - register),
        16 => Op::And(register, 1 - register),
        17 => Op::Constant(register, true),
        18..=22 => branch,
        23..=38 => Op::Send(to, register, if rng.below(3) == 0 { rng.below(4) } else { 0 }),
        39..=41 => Op::Receive(register),
        42..=49 => {
            program.push(Op::ReceiveTimeout(register, rng.below(4)));
            if rng.below(2) == 0 {
                return;
            }
            branch
        }
        50..=55 => Op::Sleep(rng.below(4)),
        56..=57 => Op::Serve(if rng.below(2) == 0 { to } else { u32::MAX }),
        58 => Op::Receive(1),
        59..=60 => branch,
        _ => Op::Bug,
    };
    program.push(op);
}

/// What arrived at a node, and when.
pub(crate) type Received = (Stamp, u32, u32, Bits);

/// What makes a node state what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct History {
    pub(crate) node: u32,
    pub(crate) decisions: Vec<bool>,
    pub(crate) received: Vec<Received>,
    /// Where it is, and why it does not go on.
    pub(crate) end: (usize, &'static str),
    /// How often its timer has passed.
    pub(crate) ticks: u32,
    /// What became of it, wherever there was a choice.
    pub(crate) fates: Vec<Fate>,
}

impl History {
    /// Whether it would be a bug to wait like this for ever.
    pub(crate) fn waits(&self) -> bool {
        self.end.1 == "receive"
    }

    /// The number of looks that have shown nothing.
    pub(crate) fn looks_in_vain(&self) -> u32 {
        self.received.iter().filter(|(_, from, ..)| *from == NOBODY).count() as u32
    }
}

/// A node in execution.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    pub(crate) node: u32,
    programs: Rc<Vec<Vec<Op>>>,
    pc: usize,
    pub(crate) registers: [Bits; 2],
    is_common: bool,
    pub(crate) inbox: Vec<Bits>,
    deadline: Option<u64>,
    pub(crate) now: Stamp,
    pub(crate) sent: Vec<SentMessage<Bits>>,
    pub(crate) decisions: Vec<bool>,
    pub(crate) received: Vec<Received>,
    /// What it has seen, look by look: the number of a look is in the place of that of a message. None if it
    /// takes what is in its inbox.
    pub(crate) seen: Option<Vec<Received>>,
    looks: u32,
    pub(crate) why: &'static str,
    served: u32,
    ticks: u32,
    /// The last op that made a value, and the value.
    pub(crate) noted: Option<(usize, Bits)>,
    /// Whether that was in this activation.
    pub(crate) news: bool,
    faults: FaultPlan,
    /// What became of it, wherever there was a choice.
    pub(crate) fates: Vec<Fate>,
    /// What may become of it at the op that it is at, while that is not decided.
    alternatives: Vec<Fate>,
    /// The number of the look for which that is decided.
    settled_look: Option<u32>,
}

/// Why a toy stops executing.
pub(crate) enum Stop {
    /// It needs to know a value, to be told with [`Toy::decide`].
    Branch(Bits),
    /// Several things may become of it, to be decided with [`Toy::choose_fate`].
    Fault,
    /// It looks for messages, and is to be told with [`Toy::see`] what it sees.
    Look(Look),
    /// It waits, until a time if there is one.
    Wait(Option<u64>),
    Exited,
    Bug,
}

/// The kinds of looks, which show different messages. Those of one node are seen in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// The first message of any node.
    Any,
    /// The first message of any node, or nothing: it does not wait.
    Try,
    /// The first message of any node, or nothing if it waits until this time.
    Until(u64),
    /// The first message of this node.
    From(u32),
    /// The first messages of one or more nodes.
    Poll,
    /// One or more messages of this node.
    Read(u32),
}

/// Messages that one look shows, each with its sender, by sender and order of sending.
pub(crate) type View = Vec<(u32, Bits)>;

/// The sender of nothing, in a history.
const NOBODY: u32 = u32::MAX;

impl Toy {
    pub(crate) fn new(system: &System, node: u32) -> Toy {
        Toy {
            node,
            programs: system.programs.clone(),
            pc: 0,
            registers: Toy::first_registers(system.common),
            is_common: system.common,
            inbox: Vec::new(),
            deadline: None,
            now: Stamp::ZERO,
            sent: Vec::new(),
            decisions: Vec::new(),
            received: Vec::new(),
            seen: system.racing.then(Vec::new),
            looks: 0,
            why: "new",
            served: 0,
            ticks: 0,
            noted: None,
            news: false,
            faults: system.faults,
            fates: Vec::new(),
            alternatives: Vec::new(),
            settled_look: None,
        }
    }

    fn first_registers(is_common: bool) -> [Bits; 2] {
        [Bits::FALSE, if is_common { Bits::symbol(0) } else { Bits::FALSE }]
    }

    /// The faults that have happened to it.
    pub(crate) fn fault_count(&self) -> u32 {
        self.fates.iter().filter(|fate| **fate != Fate::Usual).count() as u32
    }

    /// Decides for the first thing that may become of it, or against it.
    pub(crate) fn choose_fate(&mut self, first: bool) {
        if first {
            self.alternatives.truncate(1);
        } else {
            self.alternatives.remove(0);
        }
    }

    /// Finds out what becomes of it where it sends or looks. None while that has to be decided.
    fn fate(&mut self, sends: bool) -> Option<Fate> {
        // A node stays at a look while it waits, and nothing more becomes of it there.
        let is_settled = !sends && self.settled_look == Some(self.looks);
        if is_settled || self.fault_count() >= self.faults.most {
            return Some(Fate::Usual);
        }
        if self.alternatives.is_empty() {
            let FaultPlan { of_messages, crashes, restarts, .. } = self.faults;
            self.alternatives.push(Fate::Usual);
            if sends && of_messages {
                self.alternatives.extend([Fate::Lost, Fate::Twice]);
            }
            self.alternatives.extend(crashes.then_some(Fate::Crashed));
            self.alternatives.extend(restarts.then_some(Fate::Restarted));
        }
        if self.alternatives.len() > 1 {
            return None;
        }
        let fate = self.alternatives.pop()?;
        self.fates.push(fate);
        self.settled_look = (fate == Fate::Usual && !sends).then_some(self.looks);
        Some(fate)
    }

    /// Lets happen what becomes of it at an op, instead of the op. None if it executes the op as usual.
    fn suffer(&mut self, op: Op) -> Option<Result<(), Stop>> {
        // What comes later does not wake it up.
        if self.fates.last() == Some(&Fate::Crashed) {
            self.why = "crashed";
            return Some(Err(Stop::Exited));
        }
        let sends = match op {
            Op::Send(..) => true,
            Op::Receive(_) | Op::Serve(_) | Op::ReceiveTimeout(..) | Op::TryReceive(_) => false,
            Op::ReceiveFrom(..) | Op::Poll(_) | Op::Read(..) => false,
            _ => return None,
        };
        match (self.fate(sends), op) {
            (None, _) => return Some(Err(Stop::Fault)),
            (Some(Fate::Usual), _) => return None,
            (Some(Fate::Crashed), _) => {
                self.why = "crashed";
                return Some(Err(Stop::Exited));
            }
            (Some(Fate::Restarted), _) => self.restart(),
            (Some(Fate::Twice), Op::Send(to, register, delay)) => {
                self.send(to, self.registers[register], delay);
                self.send(to, self.registers[register], delay);
                self.pc += 1;
            }
            (Some(Fate::Lost | Fate::Twice), _) => self.pc += 1,
        }
        Some(Ok(()))
    }

    fn restart(&mut self) {
        (self.pc, self.deadline) = (0, None);
        self.registers = Toy::first_registers(self.is_common);
    }

    /// A register gets a new value, which is worth a note.
    fn make(&mut self, register: usize, value: Bits) {
        self.registers[register] = value;
        self.noted = Some((self.pc, value));
        self.news = true;
    }

    pub(crate) fn history(&self) -> History {
        History {
            node: self.node,
            decisions: self.decisions.clone(),
            received: self.seen.as_ref().unwrap_or(&self.received).clone(),
            end: (self.pc, self.why),
            ticks: self.ticks,
            fates: self.fates.clone(),
        }
    }

    /// Whether it would be a bug to wait like this for ever.
    pub(crate) fn waits(&self) -> bool {
        self.why == "receive"
    }

    /// What it waits for. Values that it makes in some places are as if something had happened to it.
    pub(crate) fn rest(&self) -> Rest {
        let is_stirred = || self.news && self.noted.is_some_and(|(place, _)| place % 2 == 1);
        match self.why {
            "exited" | "crashed" => Rest::Idle { place: self.pc as u64 },
            "serve" | "tick" if is_stirred() => Rest::Stirred,
            "serve" | "tick" => Rest::Idle { place: self.pc as u64 },
            _ => Rest::Busy,
        }
    }

    /// Begins an activation.
    pub(crate) fn wake(&mut self, at: Stamp, arrivals: &[Received]) {
        self.now = at;
        self.sent.clear();
        if self.seen.is_none() {
            self.inbox.extend(arrivals.iter().map(|(_, _, _, value)| *value));
        }
        self.received.extend(arrivals);
        self.why = "running";
        self.news = false;
    }

    pub(crate) fn decide(&mut self, value: bool) {
        let Op::Branch(_, skip) = self.programs[self.node as usize][self.pc] else {
            panic!("only branches are decided");
        };
        self.decisions.push(value);
        self.pc += if value { 1 } else { 1 + skip };
    }

    /// Executes until something has to be decided or waited for.
    pub(crate) fn step(&mut self) -> Stop {
        let programs = self.programs.clone();
        loop {
            let Some(&op) = programs[self.node as usize].get(self.pc) else { return self.exited() };
            if let Some(suffered) = self.suffer(op) {
                let Err(stop) = suffered else { continue };
                return stop;
            }
            match op {
                Op::Symbol(register, bit) => self.make(register, Bits::symbol(bit)),
                Op::Constant(register, value) => self.make(register, Bits::constant(value)),
                Op::Xor(a, b) => self.make(a, self.registers[a].xor(self.registers[b])),
                Op::And(a, b) => self.make(a, self.registers[a].and(self.registers[b])),
                Op::Branch(register, _) => return Stop::Branch(self.registers[register]),
                Op::Send(to, register, delay) => self.send(to, self.registers[register], delay),
                Op::Receive(_) | Op::Serve(_) if self.seen.is_some() => {
                    return Stop::Look(Look::Any);
                }
                Op::ReceiveTimeout(_, time) if self.seen.is_some() => {
                    self.expired(time);
                    return Stop::Look(Look::Until(self.deadline.unwrap_or(self.now.time)));
                }
                Op::TryReceive(_) => return Stop::Look(Look::Try),
                Op::ReceiveFrom(_, node) => return Stop::Look(Look::From(node)),
                Op::Poll(_) => return Stop::Look(Look::Poll),
                Op::Read(_, node) => return Stop::Look(Look::Read(node)),
                Op::Receive(register) => {
                    let Some(value) = self.take() else { return self.wait("receive") };
                    self.registers[register] = value;
                }
                Op::ReceiveTimeout(register, time) => {
                    if let Some(value) = self.take() {
                        self.registers[register] = value;
                    } else if self.expired(time) {
                        self.registers[register] = Bits::FALSE;
                    } else {
                        return self.wait("receive or timeout");
                    }
                    self.deadline = None;
                }
                Op::Sleep(time) => {
                    if !self.expired(time) {
                        return self.wait("sleep");
                    }
                    self.deadline = None;
                }
                Op::Serve(to) => {
                    let Some(value) = self.take() else { return self.wait("serve") };
                    self.serve(to, value);
                    continue;
                }
                Op::Tick(time, back) => {
                    while self.take().is_some() {}
                    if !self.expired(time) {
                        return self.wait("tick");
                    }
                    self.deadline = None;
                    self.ticks += 1;
                    self.pc -= back;
                    continue;
                }
                Op::Exit => return self.exited(),
                Op::Bug => {
                    self.why = "bug";
                    return Stop::Bug;
                }
            }
            self.pc += 1;
        }
    }

    /// Goes on from a look that shows these messages.
    pub(crate) fn see(&mut self, view: &[(u32, Bits)]) {
        let seen = self.seen.as_mut().expect("only nodes that look are told");
        let number = self.looks;
        seen.extend(view.iter().map(|(from, value)| (Stamp::ZERO, *from, number, *value)));
        if view.is_empty() {
            seen.push((Stamp::ZERO, NOBODY, number, Bits::FALSE));
        }
        self.looks += 1;
        self.deadline = None;
        self.why = "running";
        let value = view.iter().fold(Bits::FALSE, |sum, (_, value)| sum.xor(*value));
        match self.programs[self.node as usize][self.pc] {
            Op::Serve(to) => self.serve(to, value),
            Op::Receive(register)
            | Op::ReceiveFrom(register, _)
            | Op::TryReceive(register)
            | Op::ReceiveTimeout(register, _)
            | Op::Poll(register)
            | Op::Read(register, _) => {
                self.registers[register] = value;
                self.pc += 1;
            }
            op => panic!("{op:?} does not look"),
        }
    }

    /// Waits until there is something to see.
    pub(crate) fn wait_to_see(&mut self) {
        self.why = match self.programs[self.node as usize][self.pc] {
            Op::Serve(_) => "serve",
            Op::TryReceive(_) => "try",
            Op::ReceiveTimeout(..) => "receive or timeout",
            _ => "receive",
        };
    }

    fn serve(&mut self, to: u32, value: Bits) {
        // Two servers must not play ball for ever.
        self.served += 1;
        if to != u32::MAX && self.served <= 3 {
            self.send(to, value, 0);
        }
    }

    fn send(&mut self, to: u32, message: Bits, delay: u64) {
        self.sent.push(SentMessage { to: NodeId(to), delay, message });
    }

    fn take(&mut self) -> Option<Bits> {
        (!self.inbox.is_empty()).then(|| self.inbox.remove(0))
    }

    fn exited(&mut self) -> Stop {
        self.why = "exited";
        Stop::Exited
    }

    fn wait(&mut self, why: &'static str) -> Stop {
        self.why = why;
        Stop::Wait(self.deadline)
    }

    /// Whether the deadline of this op, which is set the first time, has passed. A deadline that is
    /// now passes in the next round.
    fn expired(&mut self, time: u64) -> bool {
        match self.deadline {
            Some(deadline) if deadline > self.now.time => false,
            Some(_) => true,
            None => {
                self.deadline = Some(self.now.time + time);
                false
            }
        }
    }
}

/// What the nodes of a world have noted last: the places, and whether the values add up to an odd
/// number.
pub(crate) type Noted = (Vec<Option<usize>>, bool);

/// The places of notes, and the function that tells whether the values add up to an odd number.
pub(crate) fn notes<'t>(toys: impl Iterator<Item = &'t Toy>) -> (Vec<Option<usize>>, Bits) {
    let mut odd = Bits::FALSE;
    let place = |toy: &Toy| {
        let (place, value) = toy.noted?;
        odd = odd.xor(value);
        Some(place)
    };
    (toys.map(place).collect(), odd)
}

/// Whether a world with notes in these places is to end, when asked for.
pub(crate) fn is_unwanted(places: &[Option<usize>]) -> bool {
    places.iter().flatten().sum::<usize>() % 3 == 1
}
