//! What was not explored, in plain words, and what one can do about it.

use everett_engine::DropReason;

use crate::number::grouped;

/// What is counted, as one and as many.
struct Noun(&'static str, &'static str);

const PATH: Noun = Noun("path", "paths");
const SIDE: Noun = Noun("side of a branch", "sides of branches");
const TARGET: Noun = Noun("target of a symbolic pointer", "targets of symbolic pointers");
const SIZE: Noun = Noun("size of a symbolic allocation", "sizes of symbolic allocations");
const NAME: Noun = Noun("symbolic path name", "symbolic path names");
const INPUT: Noun = Noun("input", "inputs");
const EVALUATION: Noun = Noun("evaluation of an invariant", "evaluations of invariants");
const FLOAT: Noun = Noun("symbolic floating-point operand", "symbolic floating-point operands");

/// How often and what: `12 paths ended by the time limit`.
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
        DropReason::PointerTargets => (TARGET, "beyond the limit"),
        DropReason::AllocationSizes => (SIZE, "beyond the limit"),
        DropReason::ForkingOff => (SIDE, "not followed: the program had switched forking off"),
        DropReason::FloatConcretised => (FLOAT, "replaced by one possible value"),
        DropReason::PathNameChosen => (NAME, "replaced by one possible name"),
        DropReason::Invariant(why) => (EVALUATION, &*format!("without a result: {why}")),
        DropReason::InvariantLimit => (EVALUATION, "with more results than are looked at"),
        DropReason::BootInputChosen => {
            (INPUT, "from before a node was set up replaced by one possible value")
        }
    };
    let Noun(one, many) = noun;
    format!("{} {} {what}", grouped(count), if count == 1 { one } else { many })
}

/// What the user may do about it, if anything.
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
        DropReason::Interrupted
        | DropReason::SolverFailure(_)
        | DropReason::Unsupported(_)
        | DropReason::PointerTargets
        | DropReason::AllocationSizes
        | DropReason::ForkingOff
        | DropReason::FloatConcretised
        | DropReason::PathNameChosen
        | DropReason::BootInputChosen
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
            dropped_text(&DropReason::ForkingOff, 2000),
            "2,000 sides of branches not followed: the program had switched forking off"
        );
        let cpuid = DropReason::Unsupported("unsupported: inline assembly at a.c:3".to_owned());
        assert_eq!(dropped_text(&cpuid, 2), "2 paths ended: unsupported: inline assembly at a.c:3");
    }
}
