//! Racing systems: toys that look for messages, and have no time, except that one of them may have deadlines.

use std::rc::Rc;

use everett_base::Rng;
use everett_world::Stamp;

use crate::program::{Carry, FaultPlan, Op, System};

/// The looks that the nodes of a racing system have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// Those that wait, and show one message.
    One,
    /// Also those that do not wait.
    Trying,
    /// Also those that show several messages at once.
    Several,
    /// Those that wait, and show one message; one node also waits for some time only.
    Timed,
}

/// The most messages that the programs of a system send, not counting what is passed on.
const MOST_SENT: usize = 6;

impl System {
    /// A racing system of these programs.
    pub(crate) fn of(programs: Vec<Vec<Op>>) -> System {
        let symbols = programs.iter().flatten().filter_map(|op| match op {
            Op::Symbol(_, bit) => Some(bit + 1),
            _ => None,
        });
        System {
            bits: symbols.max().unwrap_or(0),
            starts: vec![Stamp::ZERO; programs.len()],
            programs: Rc::new(programs),
            common: false,
            carry: Carry::Related,
            grace: None,
            horizon: None,
            racing: true,
            faults: FaultPlan::default(),
        }
    }

    /// The places where something may become of a node, which servers have several times.
    pub(crate) fn fault_places(&self) -> u32 {
        let places = |op: &Op| match op {
            Op::Symbol(..) | Op::Constant(..) | Op::Xor(..) | Op::And(..) | Op::Branch(..) => 0,
            Op::Exit | Op::Bug => 0,
            Op::Serve(_) => 3,
            _ => 1,
        };
        self.programs.iter().flatten().map(places).sum()
    }

    /// A random racing system.
    pub(crate) fn racing(seed: u64, looks: Looks) -> System {
        let mut rng = Rng::new(seed ^ 0x07de7);
        let nodes = 2 + rng.below(3) as u32;
        let bits_max = rng.below(4) as u32;
        let length = 2 + rng.below(4);
        // One node is mostly sent to, and mostly receives.
        let hub = rng.below(u64::from(nodes)) as u32;
        let common = bits_max > 0 && rng.below(2) == 0;
        let mut bits = u32::from(common);
        let mut sent = 0;
        let mut programs = Vec::new();
        for node in 0..nodes {
            let length = 1 + rng.below(length) as usize;
            let mut program = Vec::new();
            if common && rng.below(2) == 0 {
                program.push(Op::Branch(1, 1));
            }
            if node != hub && rng.below(4) > 0 {
                program.push(Op::Send(hub, rng.below(2) as usize, 0));
                sent += 1;
            }
            while program.len() < length {
                let op = random_op(&mut rng, looks, (node, hub, nodes));
                match op {
                    Op::Symbol(..) if bits == bits_max => continue,
                    Op::Symbol(register, _) => {
                        program.push(Op::Symbol(register, bits));
                        bits += 1;
                        if rng.below(4) > 0 {
                            program.push(Op::Branch(register, 1 + rng.below(2) as usize));
                        }
                    }
                    Op::Send(..) if sent == MOST_SENT => break,
                    Op::Send(..) => {
                        sent += 1;
                        program.push(op);
                    }
                    _ => program.push(op),
                }
            }
            program.push(match rng.below(8) {
                0 => Op::Receive(0),
                1 => Op::Serve(if rng.below(2) == 0 {
                    rng.below(nodes.into()) as u32
                } else {
                    u32::MAX
                }),
                _ => Op::Exit,
            });
            programs.push(program);
        }
        let apart = rng.below(3) == 0;
        let starts = (0..nodes).map(|n| Stamp::new(0, if apart { n } else { 0 })).collect();
        let carry = [Carry::Related, Carry::Nothing, Carry::Everything][rng.below(3) as usize];
        System { starts, bits, common, carry, ..System::of(programs) }
    }
}

fn random_op(rng: &mut Rng, looks: Looks, (node, hub, nodes): (u32, u32, u32)) -> Op {
    let register = rng.below(2) as usize;
    let mut other = if rng.below(2) == 0 { hub } else { rng.below(u64::from(nodes)) as u32 };
    if other == node && rng.below(8) > 0 {
        other = (other + 1) % nodes;
    }
    // The hub has mostly looks, the others mostly something else.
    let range = match rng.below(2) {
        0 if node == hub => 36..61,
        0 => 0..36,
        _ => 0..61,
    };
    match range.start + rng.below(range.end - range.start) {
        0..=7 => Op::Symbol(register, 0),
        8 => Op::Xor(register, 1 - register),
        9 => Op::And(register, 1 - register),
        10..=11 => Op::Constant(register, true),
        12..=15 => Op::Branch(register, 1 + rng.below(2) as usize),
        16..=35 => Op::Send(other, register, 0),
        36..=39 => Op::ReceiveFrom(register, other),
        40 if rng.below(3) > 0 => Op::Bug,
        41..=46 if looks == Looks::Trying || looks == Looks::Several => Op::TryReceive(register),
        41..=48 if looks == Looks::Timed && node == hub => {
            Op::ReceiveTimeout(register, 1 + rng.below(3))
        }
        47..=50 if looks == Looks::Several => Op::Poll(register),
        51..=53 if looks == Looks::Several => Op::Read(register, other),
        _ => Op::Receive(register),
    }
}
