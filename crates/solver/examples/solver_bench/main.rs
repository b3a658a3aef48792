//! Measures backends and the chain: `cargo run --release -p everett-solver --example solver_bench`.
//!
//! Prints three tables: the query table of both backends, programs as sequences of branches through
//! the whole chain, and the same programs with one layer switched off at a time. The figures in
//! `docs/maintainers/solver.md` come from here.

mod programs;
mod queries;

use std::time::Duration;

use everett_solver::{
    Backend, BackendChoice, Bitblast, Boolector, ChainOptions, MonotonicClock, QueryBudget,
    ResetPolicy, SolverChain,
};

type Make = fn() -> Box<dyn Backend>;
type Switch = fn(&mut ChainOptions);

/// This thread's processor time, so that other work on the machine does not count.
fn cpu_clock() -> MonotonicClock {
    MonotonicClock::new(|| {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let nanos = text.split(' ').next().and_then(|field| field.parse().ok());
        Duration::from_nanos(nanos.expect("Linux says how long a thread ran"))
    })
}

/// The least time of several runs. The clock's steps are milliseconds, so short runs are repeated.
fn best_of<R>(runs: u32, clock: &MonotonicClock, mut run: impl FnMut() -> R) -> (Duration, R) {
    let mut best = Duration::MAX;
    let mut repeat = 1;
    let mut done = 0;
    loop {
        let start = clock.now();
        let mut result = run();
        (1..repeat).for_each(|_| result = run());
        let time = clock.now() - start;
        if time < Duration::from_millis(100) && repeat < 1 << 14 {
            repeat *= 4;
            continue;
        }
        best = best.min(time / repeat);
        done += 1;
        if done >= runs {
            return (best, result);
        }
    }
}

fn main() {
    let clock = cpu_clock();
    let filter = std::env::args().nth(1).unwrap_or_default();
    query_table(&clock, &filter);
    program_table(&clock, &filter);
    layer_table(&clock, &filter);
}

fn query_table(clock: &MonotonicClock, filter: &str) {
    let backends: [(&str, Make); 2] =
        [("bitblast", || Box::new(Bitblast::new())), ("boolector", || Box::new(Boolector::new()))];
    let budget = QueryBudget::time(clock.clone(), Duration::from_secs(20));
    println!("{:<52} {:>12} {:>12}   milliseconds", "query", backends[0].0, backends[1].0);
    for row in queries::ROWS.iter().filter(|row| row.name.contains(filter)) {
        print!("{:<52}", row.name);
        for (_, make) in &backends {
            let (time, outcome) = best_of(row.runs(), clock, || (row.run)(make, &budget));
            print!(" {:>12.2}", time.as_secs_f64() * 1e3);
            if outcome.unknown > 0 {
                print!("?");
            }
            assert_eq!((outcome.sat, outcome.unsat), row.expected(&outcome), "{}", row.name);
        }
        println!();
    }
}

fn program_table(clock: &MonotonicClock, filter: &str) {
    println!("\n{:<28} {:>8} {:>9} {:>9} {:>10}", "program", "paths", "branches", "queries", "ms");
    for program in programs::ALL.iter().filter(|program| program.name.contains(filter)) {
        for backend in [BackendChoice::Auto, BackendChoice::Bitblast, BackendChoice::Boolector] {
            let options = ChainOptions { backend, verify_models: false, ..ChainOptions::default() };
            let (time, (paths, stats)) = best_of(3, clock, || {
                let mut chain = SolverChain::new(options.clone(), MonotonicClock::stopped());
                ((program.run)(&mut chain), chain.stats().clone())
            });
            println!(
                "{:<28} {:>8} {:>9} {:>9} {:>10.2}   {backend:?}",
                program.name,
                paths,
                stats.questions,
                stats.backend_queries(),
                time.as_secs_f64() * 1e3,
            );
        }
    }
    reset_table(clock, filter);
}

fn reset_table(clock: &MonotonicClock, filter: &str) {
    println!("\nreset policy: keep below, growth; ms of each program");
    for (keep_below_vars, growth_max) in [
        (0, 1),
        (500, 2),
        (2_000, 2),
        (2_000, 4),
        (4_000, 4),
        (10_000, 4),
        (10_000, 16),
        (1 << 30, 1),
    ] {
        print!("{keep_below_vars:>12} {growth_max:>4}");
        for program in programs::ALL.iter().filter(|program| program.name.contains(filter)) {
            let (time, _) = best_of(3, clock, || {
                let policy = ResetPolicy { keep_below_vars, growth_max, ..ResetPolicy::default() };
                let options = ChainOptions { verify_models: false, ..ChainOptions::default() };
                let backend = Box::new(Bitblast::with_policy(policy));
                let mut chain =
                    SolverChain::with_backend(options, MonotonicClock::stopped(), backend);
                (program.run)(&mut chain)
            });
            print!(" {:>10.2}", time.as_secs_f64() * 1e3);
        }
        println!();
    }
}

fn layer_table(clock: &MonotonicClock, filter: &str) {
    let switches: [(&str, Switch); 8] = [
        ("all layers", |_| {}),
        ("without independence", |o| o.independence = false),
        ("without substitution", |o| o.substitution = false),
        ("without ranges", |o| o.ranges = false),
        ("without exact cache", |o| o.exact_cache = false),
        ("without cores", |o| o.core_reuse = false),
        ("without recent models", |o| o.model_reuse = false),
        ("bare", |o| *o = ChainOptions::bare()),
    ];
    for program in programs::ALL.iter().filter(|program| program.name.contains(filter)) {
        println!("\n{}", program.name);
        for (name, switch) in switches {
            let mut options = ChainOptions::default();
            switch(&mut options);
            options.verify_models = false;
            let (time, stats) = best_of(2, clock, || {
                let mut chain = SolverChain::new(options.clone(), clock.clone());
                (program.run)(&mut chain);
                chain.stats().clone()
            });
            println!(
                "  {name:<24} {:>9.2} ms, {:>6} to backends ({:.2} ms); exact {}, ranges {}, \
                 cores {}, recent {}",
                time.as_secs_f64() * 1e3,
                stats.backend_queries(),
                stats.backend_time().as_secs_f64() * 1e3,
                stats.by_exact_cache,
                stats.by_ranges,
                stats.by_core,
                stats.by_recent_model,
            );
        }
    }
}
