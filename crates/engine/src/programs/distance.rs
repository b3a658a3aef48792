//! Distances from code to code that has not been executed.
//!
//! The graph has the segments' ends (control ops) as nodes. Edges follow jumps and fall-through;
//! a call is an edge into the callee and one over it. Distances are in segments, recomputed when
//! enough has changed.

use everett_interp::{Coverage, Stack};
use everett_ir::{Callee, FuncId, Op, Pc, Program};

const FAR: u32 = u32::MAX / 4;

/// Distances to uncovered code, for one version of the coverage.
pub(crate) struct DistanceMap {
    /// Control ops in order.
    nodes: Vec<Pc>,
    /// Predecessors: `(successor node) -> nodes`.
    predecessors: Vec<Vec<u32>>,
    distances: Vec<u32>,
    version: Option<u64>,
}

impl DistanceMap {
    pub(crate) fn new(program: &Program) -> DistanceMap {
        let nodes: Vec<Pc> = (0..program.ops.len() as u32)
            .filter(|pc| program.ops[*pc as usize].insts().is_some())
            .collect();
        let mut map = DistanceMap {
            predecessors: vec![Vec::new(); nodes.len()],
            distances: vec![FAR; nodes.len()],
            nodes,
            version: None,
        };
        for (i, pc) in map.nodes.clone().into_iter().enumerate() {
            for target in successors(program, pc) {
                let node = map.node_at(target);
                map.predecessors[node].push(i as u32);
            }
        }
        map
    }

    /// The node that ends the segment that `pc` is in.
    fn node_at(&self, pc: Pc) -> usize {
        self.nodes.partition_point(|end| *end < pc).min(self.nodes.len().saturating_sub(1))
    }

    /// Recomputes distances if the coverage has changed.
    pub(crate) fn update(&mut self, coverage: &Coverage) {
        if self.version == Some(coverage.version()) {
            return;
        }
        self.version = Some(coverage.version());
        self.distances.fill(FAR);
        let mut queue = std::collections::VecDeque::new();
        for (i, pc) in self.nodes.iter().enumerate() {
            if !coverage.is_covered(*pc) {
                self.distances[i] = 0;
                queue.push_back(i as u32);
            }
        }
        while let Some(node) = queue.pop_front() {
            let next = self.distances[node as usize] + 1;
            for before in &self.predecessors[node as usize] {
                let distance = &mut self.distances[*before as usize];
                if *distance > next {
                    *distance = next;
                    queue.push_back(*before);
                }
            }
        }
    }

    /// The distance of a state: the nearest over its frames, each caller a little further away.
    pub(crate) fn of_stack(&self, stack: &Stack) -> u32 {
        let frames = stack.frames().take(16).zip(0u32..);
        frames
            .map(|(frame, up)| self.distances[self.node_at(frame.pc)].saturating_add(up))
            .min()
            .unwrap_or(FAR)
    }
}

fn successors(program: &Program, pc: Pc) -> Vec<Pc> {
    match program.ops[pc as usize] {
        Op::Tick { .. } => vec![pc + 1],
        Op::Jump { target, .. } => vec![target],
        Op::Branch { then, other, .. } | Op::CompareBranch { then, other, .. } => vec![then, other],
        Op::Switch { table, .. } => {
            let table = &program.switches[table.index()];
            let mut targets: Vec<Pc> = table.cases.iter().map(|case| case.1).collect();
            targets.push(table.default);
            targets.sort_unstable();
            targets.dedup();
            targets
        }
        Op::IndirectJump { table, .. } => {
            program.indirect[table as usize].targets.iter().map(|(_, edge)| *edge).collect()
        }
        Op::Call { site, .. } => {
            let mut targets = vec![pc + 1];
            if let Callee::Direct(func) = program.call(site).callee {
                targets.extend(entry(program, func));
            }
            targets.extend(program.call(site).landing.as_ref().map(|landing| landing.target));
            targets
        }
        _ => Vec::new(),
    }
}

fn entry(program: &Program, func: FuncId) -> Option<Pc> {
    let function = program.function(func);
    function.defined.then_some(function.entry)
}
