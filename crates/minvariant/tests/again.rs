//! Triples that are kept between evaluations change nothing.

use std::borrow::Cow;
use std::cell::Cell;

use minvariant::{
    ConcreteDomain, DataProvider, DataTriple, EvalError, EvalLimits, Evaluation, ExposedData,
    FixedTriples, NodeProvider, Program, Providers, Recording,
};

/// Invariants whose triples are always the same, and some whose triples are not.
const PROGRAM: &str = r#"
    invariant steady(data[] d) : nodes, states, keys { return d.equalElements(); }
    invariant required(data[] d) : nodes, states, keys require { return d.length() == 3; }
    invariant grown(data[] d) : nodes, states, exposedKeys { return d.length() < 3; }
    invariant timed(data[] d) : nodes, timedStates, keys { return d.length() < 2; }
    invariant told(data[] d) : exposing, states, keys { return d.length() == 1; }

    string[] nodes() { return sys.nodes(); }
    string[] exposing() { return string[sys.exposing()]; }
    int[] states(string node) { return int[1]; }
    int[] timedStates(string node) { return int[sys.time() % 2]; }
    string[] keys(string node, int state) { return string["decision"]; }
    string[] exposedKeys(string node, int state) { return filled(node, state); }
    string[] filled(string node, int state) {
      if (exposed(node, state, "decision")) { return string["decision"]; }
      return string[];
    }
"#;

/// Counts how often it is asked for the nodes.
struct CountingProvider<'a> {
    recording: &'a Recording,
    asked: Cell<usize>,
}

impl NodeProvider for CountingProvider<'_> {
    fn nodes(&self, each: &mut dyn FnMut(&str)) {
        self.asked.set(self.asked.get() + 1);
        self.recording.nodes(each);
    }
    fn hostname(&self, node: &str) -> Option<Cow<'_, str>> {
        self.recording.hostname(node)
    }
    fn addresses(&self, node: &str) -> Option<Vec<String>> {
        self.recording.addresses(node)
    }
    fn alive(&self, node: &str) -> Option<bool> {
        self.recording.alive(node)
    }
    fn time(&self) -> u64 {
        self.recording.time()
    }
    fn exposing(&self) -> Option<Cow<'_, str>> {
        self.recording.exposing()
    }
    fn ended(&self) -> bool {
        self.recording.ended()
    }
}

impl DataProvider<ConcreteDomain> for CountingProvider<'_> {
    fn count(&self, triple: DataTriple<'_>) -> usize {
        DataProvider::<ConcreteDomain>::count(self.recording, triple)
    }
    fn nth(&self, triple: DataTriple<'_>, index: usize) -> Option<ExposedData<'_, u8>> {
        DataProvider::<ConcreteDomain>::nth(self.recording, triple, index)
    }
}

type Result = std::result::Result<Evaluation<ConcreteDomain>, EvalError<std::convert::Infallible>>;

fn shown(result: Result) -> String {
    match result {
        Ok(Evaluation::NotDue) => "not due".to_owned(),
        Ok(Evaluation::Checked { holds, collected, location }) => {
            format!("{holds} {collected:?} {location}")
        }
        Err(error) => error.to_string(),
    }
}

/// A system that exposes something at each step.
fn after(steps: u64) -> Recording {
    let mut system = Recording::new(["a", "b", "c"]);
    for step in 0..steps {
        let node = ["a", "b", "c"][step as usize % 3];
        let decision: &[u8] = if step == 4 { b"no" } else { b"yes" };
        system.expose(node, 1, "decision", decision);
    }
    system
}

#[test]
fn kept_triples_change_no_result() {
    let program = Program::parse("again.minv", PROGRAM).expect("it is right");
    let mut triples = FixedTriples::default();
    for limits in [EvalLimits::default(), EvalLimits { steps: 20, ..EvalLimits::default() }] {
        for steps in 0..7 {
            let system = after(steps);
            let providers = || Providers::of(&system);
            for invariant in program.invariants() {
                let (id, name) = (invariant.id, &invariant.name);
                let alone = program.evaluate(id, &mut ConcreteDomain, providers(), &limits);
                let again = program.evaluate_again(
                    id,
                    &mut ConcreteDomain,
                    providers(),
                    &limits,
                    &mut triples,
                );
                assert_eq!(again.is_ok(), alone.is_ok(), "{name} after {steps} steps");
                if limits == EvalLimits::default() {
                    assert_eq!(shown(again), shown(alone), "{name} after {steps} steps");
                }
            }
        }
    }
}

#[test]
fn steady_triples_are_found_once() {
    let program = Program::parse("again.minv", PROGRAM).expect("it is right");
    for (name, expected) in [("steady", 1), ("grown", 3)] {
        let invariant = program.find(name).expect("it is declared");
        let system = after(5);
        let counting = CountingProvider { recording: &system, asked: Cell::new(0) };
        let mut triples = FixedTriples::default();
        for _ in 0..3 {
            let (providers, limits) = (Providers::of(&counting), EvalLimits::default());
            let result = program.evaluate_again(
                invariant,
                &mut ConcreteDomain,
                providers,
                &limits,
                &mut triples,
            );
            assert!(result.is_ok());
        }
        assert_eq!(counting.asked.get(), expected, "{name}");
    }
}
