//! Grids of nodes under each representation of worlds.
//!
//! What was published is 10x10 only, and leaves open which packets can be lost: the first one that
//! the source sends, wherever that is heard, or the first one that each node hears. Both are
//! measured; the second has far more worlds.

use anyhow::Result;

use super::outcome::Outcome;
use super::system::{Laboratory, Run, System};
use crate::eval::table::grouped;
use crate::process::heading;

const WIDTHS: [u32; 3] = [5, 7, 10];
const LOSSES: [&str; 2] = ["first", "each"];

/// Mappings, and what was published about them at 10x10.
const MAPPINGS: [(&str, &str); 3] = [
    ("sds", "19 m, 4,159 states, 1,600 MB"),
    ("cow", "98 m, 30,464 states, 3,400 MB"),
    ("cob", "aborted after 579 m, 1,025,700 states, 38,100 MB"),
];

/// What super-dstates are promised to need at 10x10.
const GOAL: (f64, f64) = (57.0, 320.0);

/// Grids under each mapping; all that are explored to the end have the same worlds.
pub(super) fn mappings(laboratory: &Laboratory) -> Result<Outcome> {
    heading("mappings");
    let columns = [
        "grid",
        "losses",
        "mapping",
        "time s",
        "user s",
        "MB",
        "states",
        "dstates",
        "worlds",
        "end",
        "published",
    ];
    let title = "State mappings: packets over a grid whose nodes may lose one";
    let mut outcome = Outcome::new(title, &columns);
    for width in WIDTHS {
        for losses in LOSSES {
            let mut worlds = None;
            for (mapping, published) in MAPPINGS {
                let run = laboratory.run(&System {
                    name: format!("grid-{width}-{losses}-{mapping}"),
                    template: "grid.toml",
                    values: vec![
                        format!("WIDTH={width}"),
                        format!("NODES={}", width * width),
                        format!("LOSSES={losses}"),
                    ],
                    flags: &["--mapping", mapping],
                })?;
                // Only super-dstates have to come to an end.
                if mapping == "sds" || run.is_complete() {
                    outcome.failures.extend(run.wrong(worlds, &[]));
                    worlds = worlds.or(run.summary.worlds);
                }
                let published = if width == 10 { published } else { "" };
                let place = [format!("{width}x{width}"), losses.to_owned(), mapping.to_owned()];
                outcome.table.row(row(place, &run, published));
                if (width, mapping) == (10, "sds") {
                    outcome.notes.push(goal(losses, &run));
                }
            }
        }
    }
    Ok(outcome)
}

fn row(place: [String; 3], run: &Run, published: &str) -> Vec<String> {
    let end = match run.is_complete() {
        true => "complete",
        false => run.summary.limit.as_deref().unwrap_or("stopped"),
    };
    let worlds = match (run.is_complete(), run.summary.worlds) {
        (true, Some(worlds)) => grouped(worlds),
        (true, None) => format!(">= {}", grouped(run.summary.worlds_at_least)),
        (false, _) => String::new(),
    };
    let mut cells = place.to_vec();
    cells.extend([
        format!("{:.2}", run.sample.wall_seconds),
        format!("{:.2}", run.sample.user_seconds),
        format!("{:.0}", run.sample.megabytes()),
        grouped(run.summary.states_created),
        grouped(run.summary.dstates_peak),
        worlds,
        end.to_owned(),
        published.to_owned(),
    ]);
    cells
}

fn goal(losses: &str, run: &Run) -> String {
    let (seconds, megabytes) = GOAL;
    let (needed, memory) = (run.sample.wall_seconds, run.sample.megabytes());
    let reached = run.is_complete() && needed < seconds && memory < megabytes;
    let verdict = if reached { "reached" } else { "MISSED" };
    format!(
        "10x10 {losses} under sds: {needed:.1} s of {seconds} s, \
         {memory:.0} MB of {megabytes} MB: {verdict}"
    )
}
