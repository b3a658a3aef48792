//! The experiments with faults: lost packets, and two-phase commit with a corrupted byte.

use anyhow::{Context, Result};

use super::outcome::Outcome;
use super::system::{Laboratory, Run, System};
use crate::eval::table::grouped;
use crate::process::heading;

/// Packets of each client.
const PACKETS: usize = 3;

/// Published: clients; processes and seconds for 0 to 3 lost packets.
const LOSS: [(usize, [(u64, f64); 4]); 4] = [
    (1, [(2, 0.3), (8, 0.3), (8, 0.3), (8, 0.4)]),
    (2, [(3, 0.5), (59, 1.2), (68, 1.2), (68, 1.3)]),
    (3, [(4, 0.6), (344, 6.9), (469, 8.3), (500, 9.2)]),
    (5, [(6, 0.9), (9_940, 401.0), (18_917, 801.7), (24_510, 1010.8)]),
];
/// Published MiB for five clients.
const LOSS_MEMORY: [f64; 4] = [24.2, 93.1, 138.3, 161.6];
/// How much faster five clients with three losses are promised to be.
const LOSS_GOAL: f64 = 100.0;

/// Published for two-phase commit with five members: processes, seconds, MiB, violations, and the share
/// of the time that went into invariants.
const COMMIT: (u64, f64, f64, u64, f64) = (3_472, 17.0, 135.0, 1_675, 5.8);
/// The share of the time that invariants are promised to need at most, in percent.
const COMMIT_GOAL: f64 = 2.0;
/// Runs of which the quickest counts: most take a few milliseconds.
const COMMIT_RUNS: u32 = 5;

/// Clients that wait a second for each echo, and up to three lost packets.
pub(super) fn loss(laboratory: &Laboratory) -> Result<Outcome> {
    heading("packet loss");
    let columns = [
        "clients",
        "lost",
        "worlds",
        "counted",
        "states",
        "time s",
        "MB",
        "published: processes",
        "time s",
        "MB",
        "faster",
    ];
    let mut outcome = Outcome::new("Packet loss: three echoed packets of each client", &columns);
    for (clients, published) in LOSS {
        for (lost, (processes, seconds)) in published.into_iter().enumerate() {
            let run = laboratory.run(&System {
                name: format!("loss-{clients}-{lost}"),
                template: "loss.toml",
                values: vec![format!("CLIENTS={clients}"), format!("LOST={lost}")],
                flags: &[],
            })?;
            let counted = outcomes(clients * PACKETS, lost);
            outcome.failures.extend(run.wrong(Some(counted), &[]));
            let wall = run.sample.wall_seconds;
            if (clients, lost) == (5, 3) && seconds / wall < LOSS_GOAL {
                let failure = format!("{} is not {LOSS_GOAL} times as fast", run.name);
                outcome.failures.push(failure);
            }
            let memory =
                if clients == 5 { format!("{:.1}", LOSS_MEMORY[lost]) } else { String::new() };
            outcome.table.row(vec![
                clients.to_string(),
                lost.to_string(),
                grouped(run.summary.worlds_at_least),
                grouped(counted),
                grouped(run.summary.states_created),
                format!("{wall:.2}"),
                format!("{:.1}", run.sample.megabytes()),
                grouped(processes),
                format!("{seconds:.1}"),
                memory,
                format!("{:.0}x", seconds / wall),
            ]);
        }
    }
    outcome.notes.push(
        "counted: each exchange goes well, loses its request or its answer, one by one, within the budget"
            .to_owned(),
    );
    Ok(outcome)
}

/// The outcomes of exchanges that each go well, or lose one of two packets, with so many losses at most:
/// listed one by one.
fn outcomes(exchanges: usize, losses: usize) -> u64 {
    if exchanges == 0 {
        return 1;
    }
    let well = outcomes(exchanges - 1, losses);
    let lost = |_packet| if losses == 0 { 0 } else { outcomes(exchanges - 1, losses - 1) };
    well + (0..2).map(lost).sum::<u64>()
}

/// Symbolic votes, and a byte of one packet that may become any other.
pub(super) fn commit(laboratory: &Laboratory) -> Result<Outcome> {
    heading("two-phase commit");
    let columns = [
        "members",
        "corrupted",
        "worlds",
        "states",
        "violations",
        "evaluations",
        "MB",
        "without s",
        "with s",
        "in invariants",
        "of exploring",
    ];
    let mut outcome = Outcome::new(
        "Two-phase commit: symbolic votes, and a byte of one packet that may become any other",
        &columns,
    );
    for (members, corrupted) in [(2, 0), (2, 1), (3, 1), (5, 0), (5, 1), (8, 1), (10, 1)] {
        let with = quickest_commit(laboratory, members, corrupted, true)?;
        let without = quickest_commit(laboratory, members, corrupted, false)?;
        let kinds = if corrupted == 0 { &[][..] } else { &["invariant"][..] };
        // For each combination of votes: nothing happens, a vote changes and is a yes or not, or what a
        // member is told changes.
        let worlds = Some((1 << members) * (1 + 3 * u64::from(members * corrupted)));
        outcome.failures.extend(with.wrong(worlds, kinds));
        outcome.failures.extend(without.wrong(worlds, &[]));
        let invariants = with.summary.invariants.as_ref().context("there are invariants")?;
        // Of either decision, the member that was told something else and all behind it see it.
        let violations = u64::from(corrupted * members * (members + 1));
        if invariants.violations != violations {
            let counted = invariants.violations;
            let failure = format!("{}: {counted} violations, not {violations}", with.name);
            outcome.failures.push(failure);
        }
        let of = |seconds| 100.0 * invariants.time_s / seconds;
        let share = of(with.sample.wall_seconds);
        if (members, corrupted) == (5, 1) && share > COMMIT_GOAL {
            outcome.failures.push(format!("{share:.1}% of the time went into invariants"));
        }
        outcome.table.row(vec![
            members.to_string(),
            corrupted.to_string(),
            grouped(with.summary.worlds_at_least),
            grouped(with.summary.states_created),
            grouped(invariants.violations),
            grouped(invariants.evaluations),
            format!("{:.1}", with.sample.megabytes()),
            format!("{:.4}", without.sample.wall_seconds),
            format!("{:.4}", with.sample.wall_seconds),
            format!("{share:.1}%"),
            format!("{:.1}%", of(with.summary.wall_seconds)),
        ]);
    }
    let (processes, seconds, mebibytes, violations, share) = COMMIT;
    outcome.notes.push(format!(
        "the quickest of {COMMIT_RUNS} runs each; with invariants, a finding is written as well. In \
         invariants: of the whole run, and of exploring alone, without reading the programs and \
         writing what came of them"
    ));
    outcome.notes.push(format!(
        "published for 5 members: {} processes, {seconds} s, {mebibytes} MiB, {} violations, {share}% in \
         invariants",
        grouped(processes),
        grouped(violations)
    ));
    Ok(outcome)
}

/// The quickest of several runs of two-phase commit.
fn quickest_commit(
    laboratory: &Laboratory,
    members: u32,
    corrupted: u32,
    checked: bool,
) -> Result<Run> {
    let (name, invariants) = match checked {
        true => ("commit", "files = \"commit.minv\""),
        false => ("plain-commit", ""),
    };
    let system = System {
        name: format!("{name}-{members}-{corrupted}"),
        template: "commit.toml",
        values: vec![
            format!("MEMBERS={members}"),
            format!("CORRUPT={corrupted}"),
            format!("INVARIANTS={invariants}"),
        ],
        flags: &[],
    };
    let runs = (0..COMMIT_RUNS).map(|_| laboratory.run(&system)).collect::<Result<Vec<Run>>>()?;
    let quickest =
        runs.into_iter().min_by(|a, b| a.sample.wall_seconds.total_cmp(&b.sample.wall_seconds));
    quickest.context("there is at least one run")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_three_exchanges() {
        assert_eq!([0, 1, 2, 3, 4].map(|losses| outcomes(3, losses)), [1, 7, 19, 27, 27]);
        assert_eq!(outcomes(15, 3), 1 + 30 + 105 * 4 + 455 * 8);
    }
}
