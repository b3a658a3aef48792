//! The parts of a run that were not explored, in plain words, with advice.

use everett_engine::{DropReason, Omission};

use crate::number::{count_of, grouped};

/// The name of a thing that is counted, as one and as many.
struct CountedNoun(&'static str, &'static str);

const PATH: CountedNoun = CountedNoun("path", "paths");
const SIDE: CountedNoun = CountedNoun("side of a branch", "sides of branches");
const CALL: CountedNoun = CountedNoun("look at sockets", "looks at sockets");
const SIZE: CountedNoun = CountedNoun("symbolic allocation", "symbolic allocations");
const NAME: CountedNoun = CountedNoun("symbolic path name", "symbolic path names");
const ASKED: CountedNoun = CountedNoun("value of klee_get_value", "values of klee_get_value");
const VALUE: CountedNoun = CountedNoun("symbolic value", "symbolic values");
const INPUT: CountedNoun = CountedNoun("input", "inputs");
const EVALUATION: CountedNoun =
    CountedNoun("evaluation of an invariant", "evaluations of invariants");
const MESSAGE: CountedNoun =
    CountedNoun("symbolic message to a live peer", "symbolic messages to live peers");
const LIBRARY: CountedNoun = CountedNoun("library", "libraries");
const FLOAT: CountedNoun =
    CountedNoun("symbolic floating-point operand", "symbolic floating-point operands");

/// Returns the number and the thing: `12 paths ended by the time limit`.
pub(crate) fn dropped_text(reason: &DropReason, count: u64) -> String {
    let (noun, what) = match reason {
        DropReason::TimeLimit => (PATH, "ended by the time limit"),
        DropReason::InstructionLimit => (PATH, "ended by the limit on instructions"),
        DropReason::ForkLimit => (SIDE, "not followed because of the limit on forks"),
        DropReason::DepthLimit => (PATH, "ended by the limit on forks along one path"),
        DropReason::PathInstructionLimit => {
            (PATH, "ended by the limit on instructions along one path")
        }
        DropReason::StateLimit => (PATH, "dropped to keep within the limit on live states"),
        DropReason::MemoryLimit => (PATH, "dropped to keep within the limit on memory"),
        DropReason::FindingLimit => {
            (PATH, "unfinished when there were as many findings as asked for")
        }
        DropReason::Interrupted => (PATH, "unfinished when the run was stopped"),
        DropReason::SolverTimeout => (SIDE, "not followed: the solver did not answer in time"),
        DropReason::SolverFailure(why) => (PATH, &*format!("ended: the solver failed: {why}")),
        DropReason::Unsupported(what) => (PATH, &*format!("ended: {what}")),
        DropReason::MissingSymbol(name) => {
            (PATH, &*format!("ended: '{name}' of the C library is missing here"))
        }
        DropReason::InternalError(what) => (PATH, &*format!("ended: internal error: {what}")),
        DropReason::AfterInternalError => (PATH, "given up after the internal error"),
        DropReason::Omitted(what, _) => omitted(*what),
        DropReason::Invariant(why) => (EVALUATION, &*format!("without a result: {why}")),
        DropReason::SpillLost(why) => (PATH, &*format!("lost on disk: {why}")),
        DropReason::PeerLost(why) => (PATH, &*format!("ended: {why}")),
        DropReason::InvariantLimit => (EVALUATION, "with more results than are looked at"),
    };
    let CountedNoun(one, many) = noun;
    format!("{} {} {what}", grouped(count), if count == 1 { one } else { many })
}

fn omitted(what: Omission) -> (CountedNoun, &'static str) {
    match what {
        Omission::FloatOperand => (FLOAT, "replaced by one possible value"),
        Omission::AskedValue => (ASKED, "replaced by one possible value"),
        Omission::PathName => (NAME, "replaced by one possible name"),
        Omission::BootInput => {
            (INPUT, "from before a node was set up replaced by one possible value")
        }
        Omission::Values => (VALUE, "followed for only some of the values"),
        Omission::PointerTargets => (PATH, "ended: a symbolic pointer has too many targets"),
        Omission::AllocationSizes => (SIZE, "followed for only some of the sizes"),
        Omission::ForkingOff => (SIDE, "not followed: the program had switched forking off"),
        Omission::Orders => (CALL, "followed for only some of the messages that may have come"),
        Omission::SolverTimeout => (SIDE, "not followed: the solver did not answer in time"),
        Omission::PeerMessage => (MESSAGE, "replaced by some of the possible values"),
        Omission::Library => (LIBRARY, "not opened: it carries no bitcode"),
        Omission::SolverMemory => (SIDE, "not followed to keep within the limit on memory"),
    }
}

/// Places that a line names.
const PLACES_SHOWN: usize = 4;

/// Returns the parts that were dropped, a line each, with advice for the user; those that differ only
/// in their place are one line.
pub(crate) fn dropped_lines(dropped: &[(DropReason, u64)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = dropped;
    while let Some((first, _)) = rest.first() {
        let same = rest.iter().take_while(|(reason, _)| is_alike(first, reason)).count();
        let (group, others) = rest.split_at(same);
        let count = group.iter().map(|(_, count)| count).sum();
        let hint = advice(first).map_or(String::new(), |hint| format!(" ({hint})"));
        lines.push(format!("{}{}{hint}", dropped_text(first, count), places(group)));
        rest = others;
    }
    lines
}

/// Returns `true` if two reasons are the same but for the place.
fn is_alike(a: &DropReason, b: &DropReason) -> bool {
    match (a, b) {
        (DropReason::Omitted(a, _), DropReason::Omitted(b, _)) => a == b,
        _ => a == b,
    }
}

/// Returns the places where something was left out, those with most of it first.
fn places(group: &[(DropReason, u64)]) -> String {
    let mut places: Vec<(&str, u64)> = group
        .iter()
        .filter_map(|(reason, count)| match reason {
            DropReason::Omitted(_, place) if !place.is_empty() => Some((place.as_str(), *count)),
            _ => None,
        })
        .collect();
    places.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let single = group.len() == 1;
    let shown = places.iter().take(PLACES_SHOWN).map(|(place, count)| match single {
        true => (*place).to_owned(),
        false => format!("{} in {place}", grouped(*count)),
    });
    let shown = shown.collect::<Vec<String>>().join(", ");
    let more = match places.len().saturating_sub(PLACES_SHOWN) {
        0 => String::new(),
        more => format!(", and {}", count_of(more as u64, "more place")),
    };
    match (places.is_empty(), single) {
        (true, _) => String::new(),
        (false, true) => format!(" in {shown}"),
        (false, false) => format!(": {shown}{more}"),
    }
}

/// Returns advice for the user, if there is any.
pub fn advice(reason: &DropReason) -> Option<&'static str> {
    match reason {
        DropReason::TimeLimit => Some("give more time with --max-time"),
        DropReason::InstructionLimit => Some("raise --max-instructions"),
        DropReason::ForkLimit => Some("raise --max-forks"),
        DropReason::DepthLimit => Some("raise --max-depth"),
        DropReason::PathInstructionLimit => Some("raise --max-path-instructions"),
        DropReason::StateLimit => Some("raise --max-states, or try --search dfs"),
        DropReason::MemoryLimit => Some("raise --max-memory, or try --search dfs"),
        DropReason::SolverTimeout => Some("raise --solver-timeout"),
        DropReason::FindingLimit => Some("raise --stop-after"),
        DropReason::MissingSymbol(_) => {
            Some("link a definition, or let a function return anything with --symbolic-fn")
        }
        DropReason::Omitted(Omission::PeerMessage, _) => {
            Some("tell the peer more of them with --live-values")
        }
        DropReason::Omitted(Omission::Library, _) => {
            Some("build the library with `everett cc -shared`")
        }
        DropReason::InternalError(_) => Some(
            "a bug of Everett, not of the program; please report it with this line, the output of \
             `everett --version`, the command line and the program's bitcode",
        ),
        DropReason::Interrupted
        | DropReason::SolverFailure(_)
        | DropReason::SpillLost(_)
        | DropReason::PeerLost(_)
        | DropReason::Unsupported(_)
        | DropReason::AfterInternalError
        | DropReason::Omitted(..)
        | DropReason::Invariant(_)
        | DropReason::InvariantLimit => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_the_count() {
        assert_eq!(dropped_text(&DropReason::TimeLimit, 1), "1 path ended by the time limit");
        assert_eq!(
            dropped_text(&DropReason::Omitted(Omission::ForkingOff, String::new()), 2000),
            "2,000 sides of branches not followed: the program had switched forking off"
        );
        let cpuid = DropReason::Unsupported("unsupported: inline assembly at a.c:3".to_owned());
        assert_eq!(dropped_text(&cpuid, 2), "2 paths ended: unsupported: inline assembly at a.c:3");
    }

    #[test]
    fn places_of_the_same_thing_share_a_line() {
        let float = |place: &str| DropReason::Omitted(Omission::FloatOperand, place.to_owned());
        let one = [(float("main at a.c:3"), 1)];
        let line =
            "1 symbolic floating-point operand replaced by one possible value in main at a.c:3";
        assert_eq!(dropped_lines(&one), [line]);
        let mut many: Vec<_> = (1..=6).map(|i| (float(&format!("f at a.c:{i}")), i)).collect();
        many.insert(0, (DropReason::DepthLimit, 2));
        assert_eq!(
            dropped_lines(&many),
            [
                "2 paths ended by the limit on forks along one path (raise --max-depth)",
                "21 symbolic floating-point operands replaced by one possible value: \
                 6 in f at a.c:6, 5 in f at a.c:5, 4 in f at a.c:4, 3 in f at a.c:3, and 2 more places",
            ]
        );
    }
}
