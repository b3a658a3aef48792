//! Evaluation over values that are not known, held against evaluation of every value they can have.

#![allow(clippy::unwrap_used, reason = "a test fails where it is surprised")]

mod programs;
mod toy;

use minvariant::{
    ConcreteDomain, DecisionScript, Domain, EvalError, EvalLimits, Evaluation, InvariantId,
    Program, Providers, Recording, explore, format,
};
use proptest::prelude::*;
use toy::{BitTable, ToyDomain, WAYS};

/// The data of three nodes: two bytes each, which depend on the bits.
fn data() -> [[BitTable<u8>; 2]; 3] {
    let pick = |way: usize, shift: usize| [0, 1, 97, 0x80][(way >> shift) & 3];
    [
        [BitTable::new(|way| pick(way, 0)), BitTable::new(|way| (way >> 1 & 1) as u8)],
        [BitTable::new(|way| pick(way, 2)), BitTable::new(|_| 1)],
        [BitTable::new(|way| pick(way, 4)), BitTable::new(|_| 1)],
    ]
}

fn recording<B: Clone>(of: impl Fn(&BitTable<u8>) -> B) -> Recording<B> {
    let mut recording = Recording::new(["a", "b", "c"]);
    for (node, bytes) in ["a", "b", "c"].iter().zip(data()) {
        recording.expose(node, 0, "v", &bytes.each_ref().map(&of));
    }
    recording
}

/// The result, or in one word why there is none.
fn outcome<D: Domain>(result: Result<Evaluation<D>, EvalError<D::Error>>) -> Result<D::Bool, String>
where
    D::Error: std::fmt::Debug,
{
    match result {
        Ok(Evaluation::Checked { holds, .. }) => Ok(holds),
        Ok(Evaluation::NotDue) => Err("not due".to_owned()),
        Err(error) => {
            let fault = format!("{:?}", error.fault);
            Err(fault.split([' ', '{', '(']).next().unwrap().to_owned())
        }
    }
}

fn concrete(program: &Program, way: usize) -> Result<bool, String> {
    let recording = recording(|byte| byte.at(way));
    let limits = EvalLimits::default();
    outcome(program.evaluate(
        InvariantId(0),
        &mut ConcreteDomain,
        Providers::of(&recording),
        &limits,
    ))
}

/// One path: its result, the settings it is about, and how often it asked.
type ExploredPath = (Result<BitTable<bool>, String>, Vec<usize>, usize);

fn paths(program: &Program) -> Vec<ExploredPath> {
    let recording = recording(Clone::clone);
    let run = |decisions: &mut DecisionScript| {
        let mut toy = ToyDomain::new(decisions);
        let limits = EvalLimits::default();
        let result = program.evaluate(InvariantId(0), &mut toy, Providers::of(&recording), &limits);
        Ok::<_, String>((outcome(result), toy.possible, toy.asked))
    };
    let (paths, more) = explore(WAYS, run).unwrap();
    assert!(!more, "more paths than settings");
    paths
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let program =
        Program::parse("random.minv", text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    let mut covered = Vec::new();
    for (result, possible, _) in paths(&program) {
        for way in possible {
            let symbolic = result.as_ref().map(|holds| holds.at(way)).map_err(Clone::clone);
            prop_assert_eq!(symbolic, concrete(&program, way), "setting {}", way);
            covered.push(way);
        }
    }
    covered.sort_unstable();
    prop_assert_eq!(covered, (0..WAYS).collect::<Vec<_>>(), "paths are no partition");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn symbolic_evaluation_agrees_with_every_concrete_one(text in programs::program()) {
        check(&text)?;
    }

    #[test]
    fn layout_keeps_the_meaning(
        text in programs::program(),
        gaps in prop::collection::vec(0usize..12, 1..40),
    ) {
        const GAPS: [&str; 12] = [
            " ", " ", " ", " ", " ", "  ", "\n", "\n\n\n", " /* # */ ", " // #\n", "\n// #\n", "\t/* #\nd */",
        ];
        let mut gap = gaps.iter().cycle().map(|gap| GAPS[*gap]);
        let mangled: String =
            text.split(' ').flat_map(|word| [word, gap.next().unwrap()]).collect();
        let formatted = format("random.minv", &mangled).unwrap();
        prop_assert_eq!(&format("random.minv", &formatted).unwrap(), &formatted);
        prop_assert_eq!(formatted.matches('#').count(), mangled.matches('#').count());
        let (before, after) =
            (Program::parse("a", &text).unwrap(), Program::parse("b", &formatted).unwrap());
        for way in [0, 7, 27, 42, WAYS - 1] {
            prop_assert_eq!(concrete(&before, way), concrete(&after, way));
        }
    }
}

fn program(expression: &str) -> Program {
    let text = format!(
        "invariant i(data[] d) : nodes, states, keys {{ return {expression}; }}\n\
         string[] nodes() {{ return sys.nodes(); }}\n\
         int[] states(string node) {{ return int[0]; }}\n\
         string[] keys(string node, int state) {{ return string[\"v\"]; }}\n"
    );
    Program::parse("one.minv", &text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn what_needs_no_control_flow_decides_nothing() {
    for expression in [
        "d.equalElements()",
        "d.contains(x\"0001\")",
        "d.count(d[0]) == 2",
        "d.count(x => x[0] == 1) < 2",
        "d.all(x => x.int16() > 3)",
        "d.any(x => x[0] == 1 && x[1] == 2)",
        "d.map(x => x[0]).sum() == 7",
        "d.map(x => x[0]).min() < d.map(x => x[0]).max()",
        "d[0] == d[1] || d[1] != d[2]",
        "d[0] < d[1]",
        "d[0].contains(x\"01\") && d[1].startsWith(x\"61\")",
        "(d[0] == d[1] ? 1 : 2) + 3 > 4",
        "(d[0] == d[1]) == (d[1] == d[2])",
        "!(d[0] == d[1]) && d.length() == 3",
        "d[0].node() == \"a\"",
        "d[0].int16() == 1 && d[1].int16() / 2 == 3 || d[2][1] == 4",
        "d[0] == d[1] && d.all(x => x.int16() > 3) && d.map(x => x[0]).max() < 3",
        "(d[0] == d[1] ? d[0].int16() : d[1].int16be()) == 1",
    ] {
        let paths = paths(&program(expression));
        assert_eq!(paths.len(), 1, "{expression}");
        assert_eq!(paths[0].2, 0, "{expression}");
    }
}

#[test]
fn control_flow_decides() {
    for (expression, count) in [
        // The right side fails, so the left one is decided.
        ("d[0][0] == 1 && 1 / (d.length() - 3) == 0", 2),
        // The right side has to ask, so the left one is decided first.
        ("d[0][0] == 1 && 1 / d[1][0] == 0", 3),
        // Calls are not tried.
        ("d[0][0] == 1 && nodes().length() == 3", 2),
        // Zero is one way, all others another one.
        ("1 / d[0][0] == 1", 2),
        ("d.filter(x => x[0] == 1).length() == 1", 8),
        ("map<int, int>{}.has(d[0][0])", 4),
        ("d[0][0].string() == \"97\"", 4),
        ("d[0].string().length() == 0", 3),
        ("(d[0] == d[1] ? \"a\" : \"b\") == \"a\"", 2),
    ] {
        assert_eq!(paths(&program(expression)).len(), count, "{expression}");
    }
}

#[test]
fn known_sides_are_not_asked_about() {
    let program =
        program("(d.length() == 3 || 1 / d[0][0] == 1) && !(d.length() == 2 && d[5][0] == 1)");
    assert_eq!(paths(&program)[0].2, 0);
}
