//! Clusters of up to a thousand workers, simulated: a server that all of them share, parts that cost time
//! to write, to read and to transfer, and workers that come, go and die. The policy of splitting is the
//! real one.
//!
//! ```text
//! cargo run --release --no-default-features -p everett-cluster --example simulate
//! ```

mod cluster;
mod random;

use std::time::Duration;

use cluster::{Outcome, Scene, simulate};
use everett_cluster::SplitPolicy;

/// The sizes of clusters that are tried.
const WORKERS: [u64; 10] = [1, 2, 4, 16, 32, 64, 128, 256, 512, 1000];

fn main() {
    let adaptive = SplitPolicy::default();
    let second = Duration::from_secs(1);
    let short =
        SplitPolicy { longest: adaptive.shortest, look_every: (second, second), ..adaptive };
    let minutes = 10.0 * 60.0;
    println!("ten minutes of work for each worker, nobody dies\n");
    table(adaptive, |workers| Scene { work: minutes * workers as f64, ..Scene::steady(workers) });
    println!(
        "\nthe same, and each worker dies or leaves after half an hour on average; others come\n"
    );
    table(adaptive, |workers| Scene {
        work: minutes * workers as f64,
        life: Some(1800.0),
        ..Scene::steady(workers)
    });
    println!(
        "\nthe same with a tenth of the longest time of a job, and a look at the queue every second\n"
    );
    table(short, |workers| Scene {
        work: minutes * workers as f64,
        life: Some(1800.0),
        ..Scene::steady(workers)
    });
    println!("\nten hours of work, however many workers\n");
    table(adaptive, |workers| Scene {
        work: 36_000.0,
        life: Some(1800.0),
        ..Scene::steady(workers)
    });
}

fn table(policy: SplitPolicy, scene: impl Fn(u64) -> Scene) {
    println!(
        "| workers | efficiency | time | first finding | jobs | lost | MB/s | messages/s | server busy |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for workers in WORKERS {
        let outcome = simulate(&scene(workers), &policy);
        println!("{}", row(workers, &outcome));
    }
}

fn row(workers: u64, outcome: &Outcome) -> String {
    let Outcome { time, first_finding, jobs, lost_jobs, .. } = outcome;
    let per_second = |value: f64| value / time;
    format!(
        "| {workers} | {:.0} % | {} | {} | {jobs} | {lost_jobs} | {:.1} | {:.0} | {:.0} % |",
        100.0 * outcome.efficiency(),
        shown(*time),
        shown(*first_finding),
        per_second(outcome.megabytes),
        per_second(outcome.messages as f64),
        100.0 * per_second(outcome.server_busy),
    )
}

fn shown(seconds: f64) -> String {
    let rounded = Duration::from_secs_f64(seconds).as_secs();
    if rounded < 120 { format!("{seconds:.1} s") } else { format!("{} min", (rounded + 30) / 60) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_work_is_done_once_whatever_happens() {
        for (seed, workers) in [(1, 1), (2, 3), (3, 20), (4, 100)] {
            let work = 60.0 * workers as f64;
            let scene = Scene { work, life: Some(60.0), seed, ..Scene::steady(workers) };
            let outcome = simulate(&scene, &SplitPolicy::default());
            assert!((outcome.useful - work).abs() < 1e-3, "{workers}: {}", outcome.useful);
        }
    }

    #[test]
    fn workers_are_busy_as_long_as_the_server_is_not() {
        for workers in [1, 2, 16, 64] {
            let scene = Scene { work: 600.0 * workers as f64, ..Scene::steady(workers) };
            let outcome = simulate(&scene, &SplitPolicy::default());
            assert!(outcome.efficiency() > 0.85, "{workers}: {}", outcome.efficiency());
        }
    }

    #[test]
    fn same_seed_gives_the_same_outcome() {
        let scene = Scene { work: 3000.0, life: Some(100.0), ..Scene::steady(10) };
        let outcome = simulate(&scene, &SplitPolicy::default());
        assert_eq!(outcome, simulate(&scene, &SplitPolicy::default()));
        assert!(outcome.lost_jobs > 0);
    }
}
