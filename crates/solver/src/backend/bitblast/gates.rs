//! The gate graph: and-inverter graph with xor, multiplexer and majority nodes.
//!
//! [`GateGraph`] hash-conses nodes, so that equal circuits are one circuit whichever terms they came
//! from; a negation is a bit of the literal and costs nothing. Constructors fold constants and the
//! usual one- and two-level identities. Majority is a node because the carry of an adder and the
//! borrow of a comparison are majorities, and six clauses beat what and-gates would need.
//!
//! Not here: words of several bits (`words.rs`), clauses (`instance.rs`).
//! Invariant: a gate's operands are older than the gate, so the graph has no cycle.

use everett_base::{Map, Set};

/// A gate's output, or its negation. The first two literals are the constants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const FALSE: Lit = Lit(0);
    pub(crate) const TRUE: Lit = Lit(1);

    pub(crate) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    pub(super) fn of_node(node: u32) -> Lit {
        Lit(node << 1)
    }

    /// The node that drives this literal; node 0 is the constant.
    pub(crate) fn node(self) -> u32 {
        self.0 >> 1
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// The constant's value, for literals that are constant.
    pub(crate) fn as_constant(self) -> Option<bool> {
        self.is_constant().then_some(self.0 == 1)
    }

    fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }

    fn negate_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ u32::from(negate))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The function that a node computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// The constant false; node 0 only.
    False,
    /// A free bit, numbered by who asked for it.
    Input,
    And(Lit, Lit),
    /// Operands are positive literals.
    Xor(Lit, Lit),
    /// `if 0 then 1 else 2`; the selector and the middle operand are positive literals.
    Mux(Lit, Lit, Lit),
    /// At least two of three; at most one operand is negated.
    Maj(Lit, Lit, Lit),
}

impl Gate {
    /// The operands, and how many there are.
    pub(crate) fn operands(self) -> ([Lit; 3], usize) {
        let none = Lit::FALSE;
        match self {
            Gate::False | Gate::Input => ([none; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, none], 2),
            Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => ([a, b, c], 3),
        }
    }
}

/// The hash-consed graph.
pub(crate) struct GateGraph {
    nodes: Vec<Gate>,
    known: Map<Gate, u32>,
}

impl GateGraph {
    pub(crate) fn new() -> GateGraph {
        GateGraph { nodes: vec![Gate::False], known: Map::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn gate(&self, node: u32) -> Gate {
        self.nodes[node as usize]
    }

    /// Returns the number of gates that the given literals depend on.
    pub(crate) fn cone_len(&self, lits: &[Lit]) -> usize {
        let mut seen: Set<u32> = Set::default();
        let mut stack: Vec<u32> = lits.iter().map(|lit| lit.node()).collect();
        while let Some(node) = stack.pop() {
            if node != 0 && seen.insert(node) {
                let (operands, count) = self.gate(node).operands();
                stack.extend(operands[..count].iter().map(|lit| lit.node()));
            }
        }
        seen.len()
    }

    /// A new free bit.
    pub(crate) fn input(&mut self) -> Lit {
        self.push(Gate::Input)
    }

    fn push(&mut self, gate: Gate) -> Lit {
        let node = u32::try_from(self.nodes.len()).expect("the graph is reset long before 2^31");
        assert!(node < 1 << 31, "the gate graph is full");
        self.nodes.push(gate);
        Lit::of_node(node)
    }

    fn intern(&mut self, gate: Gate) -> Lit {
        if let Some(&node) = self.known.get(&gate) {
            return Lit::of_node(node);
        }
        let lit = self.push(gate);
        self.known.insert(gate, lit.node());
        lit
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        if let Some(folded) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return folded;
        }
        self.intern(Gate::And(a, b))
    }

    /// `a & b` where `b` is itself an and-gate, or the negation of one, that mentions `a`.
    fn absorb(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Gate::And(x, y) = self.gate(b.node()) else { return None };
        match b.is_negated() {
            false if x == a || y == a => Some(b),
            false if x == !a || y == !a => Some(Lit::FALSE),
            true if x == !a || y == !a => Some(a),
            true if x == a => Some(self.and(a, !y)),
            true if y == a => Some(self.and(a, !x)),
            _ => None,
        }
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.positive(), b.positive());
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let result = if a == Lit::FALSE {
            b
        } else if a == b {
            Lit::FALSE
        } else {
            self.intern(Gate::Xor(a, b))
        };
        result.negate_if(negate)
    }

    pub(crate) fn mux(&mut self, select: Lit, then: Lit, other: Lit) -> Lit {
        if select.is_negated() {
            return self.mux(!select, other, then);
        }
        if select == Lit::FALSE {
            return other;
        }
        if then == other {
            return then;
        }
        if then == !other {
            return self.xor(select, other);
        }
        if then == Lit::TRUE || then == select {
            return self.or(select, other);
        }
        if then == Lit::FALSE || then == !select {
            return self.and(!select, other);
        }
        if other == Lit::FALSE || other == select {
            return self.and(select, then);
        }
        if other == Lit::TRUE || other == !select {
            return self.or(!select, then);
        }
        let negate = then.is_negated();
        let gate = Gate::Mux(select, then.negate_if(negate), other.negate_if(negate));
        self.intern(gate).negate_if(negate)
    }

    pub(crate) fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut operands = [a, b, c];
        operands.sort_unstable();
        let [a, b, c] = operands;
        // Sorted literals: equal and complementary operands, and the constants, are neighbours.
        if a == b || b == !c {
            return a;
        }
        if b == c || a == !b {
            return if b == c { b } else { c };
        }
        match a.as_constant() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        let negate = operands.iter().filter(|lit| lit.is_negated()).count() >= 2;
        let [a, b, c] = operands.map(|lit| lit.negate_if(negate));
        self.intern(Gate::Maj(a, b, c)).negate_if(negate)
    }

    /// Sum and carry of three bits.
    pub(crate) fn full_adder(&mut self, a: Lit, b: Lit, carry: Lit) -> (Lit, Lit) {
        let half = self.xor(a, b);
        (self.xor(half, carry), self.maj(a, b, carry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluates a literal under the given values of the inputs, in order of their creation.
    fn eval(gates: &GateGraph, lit: Lit, inputs: &[bool]) -> bool {
        let mut values: Vec<bool> = Vec::with_capacity(gates.len());
        let mut next_input = inputs.iter();
        for node in 0..gates.len() {
            let of = |lit: Lit, values: &[bool]| values[lit.node() as usize] != lit.is_negated();
            let value = match gates.gate(node as u32) {
                Gate::False => false,
                Gate::Input => *next_input.next().unwrap(),
                Gate::And(a, b) => of(a, &values) && of(b, &values),
                Gate::Xor(a, b) => of(a, &values) != of(b, &values),
                Gate::Mux(s, t, e) => {
                    if of(s, &values) {
                        of(t, &values)
                    } else {
                        of(e, &values)
                    }
                }
                Gate::Maj(a, b, c) => {
                    [a, b, c].iter().filter(|lit| of(**lit, &values)).count() >= 2
                }
            };
            values.push(value);
        }
        values[lit.node() as usize] != lit.is_negated()
    }

    #[test]
    fn every_constructor_computes_its_function_on_all_operand_shapes() {
        for shape in 0..8u32.pow(3) {
            let mut gates = GateGraph::new();
            let (x, y, z) = (gates.input(), gates.input(), gates.input());
            let xy = gates.and(x, y);
            let choices = [x, !x, y, !y, z, xy, !xy, Lit::TRUE];
            let pick = |place: u32| choices[(shape / 8u32.pow(place) % 8) as usize];
            let (a, b, c) = (pick(0), pick(1), pick(2));
            let results = [
                gates.and(a, b),
                gates.or(a, b),
                gates.xor(a, b),
                gates.mux(a, b, c),
                gates.maj(a, b, c),
            ];
            for bits in 0..8u32 {
                let inputs = [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0];
                let [a, b, c] = [a, b, c].map(|lit| eval(&gates, lit, &inputs));
                let majority = a & b | b & c | a & c;
                let expected = [a & b, a | b, a ^ b, if a { b } else { c }, majority];
                let found = results.map(|lit| eval(&gates, lit, &inputs));
                assert_eq!(found, expected, "shape {shape}, inputs {bits:03b}");
            }
        }
    }

    #[test]
    fn equal_circuits_are_one_node() {
        let mut gates = GateGraph::new();
        let (x, y, z) = (gates.input(), gates.input(), gates.input());
        assert_eq!(gates.and(x, y), gates.and(y, x));
        assert_eq!(gates.xor(!x, y), !gates.xor(y, x));
        assert_eq!(gates.maj(!x, !y, !z), !gates.maj(z, x, y));
        assert_eq!(gates.mux(!x, y, z), gates.mux(x, z, y));
        assert_eq!(gates.mux(x, !y, !z), !gates.mux(x, y, z));
    }
}
