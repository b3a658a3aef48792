//! `cargo xtask eval servers`: servers and clients as the distribution has them, explored as they are.
//!
//! Each is built from its source package without a change, compared with its native run on one
//! conversation, and explored with symbolic characters in what is said to it, with faults, and with two
//! clients. What does not start, answer or end is named with the reason; only an answer that differs
//! from the native one is a failure.

mod explore;
mod native;
mod recipes;
mod subjects;
mod walk;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::driver::release_driver;
use super::table::Table;
use crate::process::{self, heading, now};
use crate::workspace::{self, driver};
use native::{Place, copy_folder};
use subjects::{Role, SUBJECTS, Subject, Variant};

/// Our programs on the other side, and the files that servers show.
const SOURCES: &str = "tests/eval/servers";

/// The programs of ours.
const OURS: [&str; 3] = ["client", "answer", "feed"];

/// Which of them, and how long.
#[derive(clap::Args)]
pub(super) struct Options {
    /// Only the programs of these names
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// The most that one exploration may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u64,
    /// Use this driver instead of building one
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,
    /// Build the programs again
    #[arg(long)]
    rebuild: bool,
    /// Run the commands of docs/servers.md instead
    #[arg(long)]
    walk: bool,
}

/// Evaluates, and prints the table at the end.
pub(super) fn run(options: &Options) -> Result<()> {
    let everett = release_driver(options.driver.as_deref())?;
    let home = workspace::target_dir().join("eval/servers");
    if options.walk {
        return walk::run(&everett, &home.join("walk"));
    }
    let start = now();
    build_ours(&everett, &home.join("bin"))?;
    let mut table = Results::new();
    let wanted = |subject: &&Subject| {
        options.only.is_empty() || options.only.iter().any(|n| n == subject.name)
    };
    for subject in SUBJECTS.iter().filter(wanted) {
        match evaluate(subject, &everett, &home, options) {
            Ok(rows) => table.add(subject, rows),
            Err(error) => table.fail(subject, &error),
        }
    }
    table.print();
    println!("\n{:.0} s in all", start.elapsed().as_secs_f64());
    match table.failures {
        0 => Ok(()),
        1 => bail!("one program was not built, or does not answer as natively"),
        n => bail!("{n} programs were not built, or do not answer as natively"),
    }
}

/// Builds the programs of ours.
fn build_ours(everett: &Path, bin: &Path) -> Result<()> {
    fs::create_dir_all(bin)?;
    for name in OURS {
        let source = format!("{SOURCES}/{name}.c");
        process::run(driver(everett).args(["cc", "-g", &source, "-o"]).arg(bin.join(name)))?;
    }
    Ok(())
}

/// Builds a subject, compares it with its native run, and explores it.
fn evaluate(
    subject: &Subject,
    everett: &Path,
    home: &Path,
    options: &Options,
) -> Result<Vec<(String, explore::Exploration)>> {
    let recipes = recipes::of(subject.name).context("there is no recipe")?;
    for recipe in recipes {
        recipe.build(everett, home, options.rebuild)?;
    }
    heading(&format!("exploring {}", subject.name));
    let folder = home.join(subject.name);
    fs::create_dir_all(folder.join("out"))?;
    copy_folder(&workspace::root().join(SOURCES).join("site"), &folder.join("site"))?;
    let place = Place { everett, folder };
    place.compare(subject)?;
    println!("answers as natively");
    let mut rows = Vec::new();
    for (name, variant) in variants(subject) {
        let row = place.explore(subject, variant, &name, options.time)?;
        println!("{name}: {}", row.cells.join(", "));
        rows.push((name, row));
    }
    Ok(rows)
}

/// The runs of a subject, with their names.
fn variants(subject: &Subject) -> Vec<(String, Variant)> {
    let plain = Variant { clients: 1, ..Variant::default() };
    let of = |characters: usize| Variant { characters, ..plain };
    let mut all = vec![("concrete".to_owned(), plain)];
    all.extend((1..=3).map(|count| (format!("{count} symbolic"), of(count))));
    let failing = Variant { faults: Some("max-sys-fail = 1"), ..plain };
    all.push(("failing call".to_owned(), failing));
    if let Some(mishap) = subject.mishap {
        let name = if mishap.starts_with("lost") { "lost packet" } else { "short packet" };
        all.push((name.to_owned(), Variant { faults: Some(mishap), ..plain }));
    }
    if subject.role != Role::Tool {
        all.push(("two clients".to_owned(), Variant { clients: 2, ..of(1) }));
    }
    all
}

/// The table, the notes below it, and how many subjects failed.
struct Results {
    table: Table,
    notes: Vec<String>,
    failures: usize,
    /// Subjects that were explored to the end with two symbolic characters.
    exhaustive: Vec<&'static str>,
    subjects: usize,
}

impl Results {
    fn new() -> Results {
        let heads =
            ["program", "run", "worlds", "paths", "s", "MiB", "lines", "%", "findings", "end"];
        let (notes, exhaustive) = (Vec::new(), Vec::new());
        Results { table: Table::new(&heads), notes, failures: 0, exhaustive, subjects: 0 }
    }

    fn add(&mut self, subject: &Subject, rows: Vec<(String, explore::Exploration)>) {
        self.subjects += 1;
        for (name, row) in rows {
            if row.is_exhaustive && name == "2 symbolic" {
                self.exhaustive.push(subject.name);
            }
            let heads = [subject.name.to_owned(), name.clone()];
            self.table.row([heads.to_vec(), row.cells].concat());
            let notes = row.notes.iter().map(|note| format!("{}, {name}: {note}", subject.name));
            self.notes.extend(notes);
        }
    }

    fn fail(&mut self, subject: &Subject, error: &anyhow::Error) {
        println!("{}: {error:#}", subject.name);
        self.subjects += 1;
        self.failures += 1;
        self.notes.push(format!("{}: {error:#}", subject.name));
    }

    fn print(&self) {
        heading("servers and clients");
        self.table.lines().iter().for_each(|line| println!("{line}"));
        println!();
        self.notes.iter().for_each(|note| println!("{note}"));
        println!(
            "\nexplored to the end with two symbolic characters: {} of {}: {}",
            self.exhaustive.len(),
            self.subjects,
            self.exhaustive.join(", ")
        );
        println!("\npublished figures, of other programs and machines:");
        PUBLISHED.iter().for_each(|line| println!("  {line}"));
    }
}

/// What others have published about similar runs.
const PUBLISHED: [&str; 8] = [
    "Boa, a web server, with symbolic characters in GET /sym1.html (Dzhumerov 2011; one Xeon of 2.27 GHz)",
    "  none: 1.2 s, 2 processes, 31 MiB, 40.8 % of the lines that can be tested",
    "  one: at most 158 s, 35 processes, 61 MiB, 46.2 %;  two: 1,658 s, 442 processes, 165 MiB, 48.3 %",
    "  three: at most 1,814 s, 618 processes, 247 MiB, 49.1 %;  one failing call adds 2.9 % to all requests",
    "memcached 1.4.5, two symbolic binary commands (Bucur and others 2011, Cloud9)",
    "  74,503 paths, 36.0 % of the lines: 10 minutes with 48 workers, more than 10 hours with one",
    "memcached with its test suite and failing calls: 312,465 paths in 10 minutes with 24 workers (Cloud9)",
    "lighttpd 1.4.12 and 1.4.13: crashes when a request comes in certain fragments (Cloud9)",
];
