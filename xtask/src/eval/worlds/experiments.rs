//! The experiments whose tables have one row for each size: network size, symbolic packets,
//! transfer, stalled worlds.

use anyhow::Result;

use super::outcome::Outcome;
use super::system::{Laboratory, System};
use crate::eval::table::grouped;
use crate::process::heading;

/// Packets of 256 bytes in 32 KiB.
const ECHOED: u32 = 128;

/// Clients; published seconds, and MiB where they are.
const NETWORK_SIZE: [(u32, Option<f64>, Option<f64>); 8] = [
    (1, Some(4.5), Some(24.5)),
    (2, None, None),
    (4, None, None),
    (8, Some(5.0), None),
    (16, None, None),
    (32, Some(6.6), None),
    (64, Some(12.0), None),
    (128, Some(33.5), Some(36.6)),
];

/// What was published about a run.
struct Published {
    seconds: f64,
    processes: u64,
}

const fn published(seconds: f64, processes: u64) -> Published {
    Published { seconds, processes }
}

/// Clients, with concrete and with symbolic packets.
const SYMBOLIC: [(u32, Published, Published); 5] = [
    (1, published(0.32, 2), published(2.0, 36)),
    (5, published(0.8, 6), published(10.4, 108)),
    (10, published(1.57, 11), published(21.6, 198)),
    (20, published(3.06, 21), published(44.4, 378)),
    (50, published(10.1, 51), published(123.9, 918)),
];

/// Branches; published MiB with and without detection.
const STALLED: [(u32, f64, f64); 3] = [(593, 57.4, 86.4), (842, 54.4, 95.8), (1130, 57.9, 113.1)];

/// Published KiB and promised MiB in a second.
const TRANSFER: (f64, f64) = (7.3, 5.0);

/// Clients that share 32 KiB of echoed packets.
pub(super) fn network_size(laboratory: &Laboratory) -> Result<Outcome> {
    heading("network size");
    let columns = ["clients", "time s", "user s", "MB", "published s", "faster", "published MB"];
    let mut outcome =
        Outcome::new("Network size: 32 KiB echoed over UDP in packets of 256 bytes", &columns);
    for (clients, seconds, mebibytes) in NETWORK_SIZE {
        let packets = ECHOED / clients;
        let run = laboratory.run(&System {
            name: format!("echo-{clients}"),
            template: "echo.toml",
            values: vec![format!("CLIENTS={clients}"), format!("PACKETS={packets}")],
            flags: &[],
        })?;
        outcome.failures.extend(run.wrong(Some(1), &[]));
        let wall = run.sample.wall_seconds;
        outcome.table.row(vec![
            clients.to_string(),
            format!("{wall:.2}"),
            format!("{:.2}", run.sample.user_seconds),
            format!("{:.1}", run.sample.megabytes()),
            seconds.map_or(String::new(), |seconds| format!("{seconds:.1}")),
            seconds.map_or(String::new(), |seconds| format!("{:.0}x", seconds / wall)),
            mebibytes.map_or(String::new(), megabytes),
        ]);
    }
    Ok(outcome)
}

/// Packets that a server compares with fixed values.
pub(super) fn symbolic(laboratory: &Laboratory) -> Result<Outcome> {
    heading("symbolic packets");
    let columns = [
        "clients",
        "packets",
        "time s",
        "user s",
        "MB",
        "states",
        "worlds",
        "published s",
        "faster",
        "processes",
    ];
    let title = "Symbolic communication: three packets of each client, compared by the server";
    let mut outcome = Outcome::new(title, &columns);
    for (clients, concrete, symbolic) in SYMBOLIC {
        // The server ends with the first packet that differs, or with the last one.
        let variants = [("concrete", concrete, 1), ("symbolic", symbolic, 3 * clients + 1)];
        for (texts, Published { seconds, processes }, worlds) in variants {
            let run = laboratory.run(&System {
                name: format!("compare-{clients}-{texts}"),
                template: "compare.toml",
                values: vec![format!("CLIENTS={clients}"), format!("TEXTS={texts}")],
                flags: &[],
            })?;
            outcome.failures.extend(run.wrong(Some(u64::from(worlds)), &[]));
            let wall = run.sample.wall_seconds;
            outcome.table.row(vec![
                clients.to_string(),
                texts.to_owned(),
                format!("{wall:.2}"),
                format!("{:.2}", run.sample.user_seconds),
                format!("{:.1}", run.sample.megabytes()),
                grouped(run.summary.states_created),
                grouped(run.summary.worlds_at_least),
                format!("{seconds:.2}"),
                format!("{:.0}x", seconds / wall),
                grouped(processes),
            ]);
        }
    }
    Ok(outcome)
}

/// Packets that are acknowledged one by one.
pub(super) fn transfer(laboratory: &Laboratory) -> Result<Outcome> {
    heading("transfer");
    let columns = ["MiB", "time s", "user s", "MB", "MiB/s", "published KiB/s", "faster", "goal"];
    let title = "Network transfer: packets of 256 bytes, each of which is acknowledged";
    let mut outcome = Outcome::new(title, &columns);
    let (published, goal) = TRANSFER;
    for mebibytes in [1, 2, 4] {
        let run = laboratory.run(&System {
            name: format!("transfer-{mebibytes}M"),
            template: "transfer.toml",
            values: vec![format!("PACKETS={}", mebibytes * 4096)],
            flags: &[],
        })?;
        outcome.failures.extend(run.wrong(Some(1), &[]));
        let rate = f64::from(mebibytes) / run.sample.wall_seconds;
        outcome.table.row(vec![
            mebibytes.to_string(),
            format!("{:.2}", run.sample.wall_seconds),
            format!("{:.2}", run.sample.user_seconds),
            format!("{:.1}", run.sample.megabytes()),
            format!("{rate:.2}"),
            format!("{published:.1}"),
            format!("{:.0}x", rate * 1024.0 / published),
            format!("{goal:.0} MiB/s: {}", if rate >= goal { "reached" } else { "MISSED" }),
        ]);
    }
    Ok(outcome)
}

/// Memory with and without looking for stalled worlds.
pub(super) fn stalled(laboratory: &Laboratory) -> Result<Outcome> {
    heading("stalled worlds");
    let columns = [
        "branches",
        "on: time s",
        "user s",
        "MB",
        "off: time s",
        "user s",
        "MB",
        "saved",
        "published: on MB",
        "off MB",
        "saved",
    ];
    let title = "Deadlock detection: memory with --detect-stalled=on and =off";
    let mut outcome = Outcome::new(title, &columns);
    for (branches, on, off) in STALLED {
        let mut cells = vec![branches.to_string()];
        let mut memory = Vec::new();
        for (mode, findings) in [("on", &["deadlock"][..]), ("off", &[][..])] {
            let run = laboratory.run(&System {
                name: format!("stall-{branches}-{mode}"),
                template: "stall.toml",
                values: vec![format!("READINGS={branches}")],
                flags: &["--detect-stalled", mode],
            })?;
            outcome.failures.extend(run.wrong(Some(u64::from(branches) + 1), findings));
            memory.push(run.sample.megabytes());
            cells.push(format!("{:.2}", run.sample.wall_seconds));
            cells.push(format!("{:.2}", run.sample.user_seconds));
            cells.push(format!("{:.1}", run.sample.megabytes()));
        }
        cells.push(format!("{:.0}%", 100.0 * (1.0 - memory[0] / memory[1])));
        cells.extend([megabytes(on), megabytes(off), format!("{:.0}%", 100.0 * (1.0 - on / off))]);
        outcome.table.row(cells);
    }
    Ok(outcome)
}

/// Published mebibytes in the unit of our own figures.
fn megabytes(mebibytes: f64) -> String {
    format!("{:.1}", mebibytes * 1.048_576)
}
