//! Warnings about places in `--ignore` that do not exist: a typo there would ignore nothing.

use everett_engine::{BugKind, EngineConfig, IgnoredPlace, SystemNode};
use everett_input::suggest;

/// A warning for each place that is to be ignored and that no program has. It is no error, because the
/// place may belong to a program that is executed later.
pub(super) fn warnings(config: &EngineConfig, nodes: &[SystemNode]) -> Vec<String> {
    let places = config.exec.ignored.places().iter();
    let is_unknown = |place: &&IgnoredPlace| {
        !nodes.iter().any(|node| place.exists_in(&node.program)) && !is_of_invariant(config, place)
    };
    let warning = |place: &IgnoredPlace| match place {
        IgnoredPlace::Line { file, .. } => {
            format!("--ignore {place}: no file of the program is called `{file}`")
        }
        _ => {
            let word = place.to_string();
            let near = suggest::nearest(&word, known(nodes));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            format!(
                "--ignore {word}: that is no kind of finding, and no function of the program{hint}"
            )
        }
    };
    places.filter(is_unknown).map(warning).collect()
}

/// Kinds of findings, and functions of the user's.
fn known(nodes: &[SystemNode]) -> Vec<&str> {
    let mut known: Vec<&str> = BugKind::ALL.into_iter().map(BugKind::name).collect();
    for node in nodes {
        let own = node.program.functions.iter().filter(|function| !function.library);
        known.extend(own.map(|function| function.name.as_str()));
    }
    known
}

/// Returns `true` if a place is the name of an invariant, or is inside of one.
fn is_of_invariant(config: &EngineConfig, place: &IgnoredPlace) -> bool {
    let Some(program) = &config.invariants else { return false };
    let mut only = everett_engine::IgnoredBugs::default();
    only.add(place.clone());
    program.invariants().any(|invariant| {
        let location = &invariant.location;
        only.covers(BugKind::Invariant, &invariant.name, &location.file, location.line)
    })
}
