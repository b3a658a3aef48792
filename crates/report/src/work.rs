//! [`WorkRecord`]: where the time of a run went, by source line and by function: `profile.json`.

use everett_engine::{FunctionWork, LineWork, Summary};
use serde::{Deserialize, Serialize};

use crate::coverage::list;
use crate::number::{count_of, duration, grouped, percent};

/// Lines and functions that are shown.
pub(crate) const SHOWN: usize = 20;

/// Where the time of a run went.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct WorkRecord {
    pub(crate) lines: Vec<LineRecord>,
    /// Functions by the number of their instructions, most first; `None` if these were not counted.
    pub(crate) functions: Option<Vec<FunctionWorkRecord>>,
}

/// The work that a source line is behind.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct LineRecord {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) function: String,
    pub(crate) forks: u64,
    pub(crate) queries: u64,
    pub(crate) solver_seconds: f64,
    /// 0 if they were not counted.
    pub(crate) instructions: u64,
}

/// The instructions of a function.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct FunctionWorkRecord {
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) library: bool,
    pub(crate) instructions: u64,
}

impl WorkRecord {
    pub(crate) fn of(summary: &Summary) -> WorkRecord {
        let line = |of: &LineWork| {
            let LineWork { place, forks, queries, solver_time, instructions } = of;
            LineRecord {
                file: place.file.clone(),
                line: place.line,
                function: place.function.clone(),
                forks: *forks,
                queries: *queries,
                solver_seconds: solver_time.as_secs_f64(),
                instructions: *instructions,
            }
        };
        let function = |of: &FunctionWork| {
            let FunctionWork { function, file, library, instructions } = of;
            FunctionWorkRecord {
                function: function.clone(),
                file: file.clone(),
                library: *library,
                instructions: *instructions,
            }
        };
        let functions = summary.work.functions.as_ref();
        WorkRecord {
            lines: summary.work.lines.iter().map(line).collect(),
            functions: functions.map(|functions| functions.iter().map(function).collect()),
        }
    }

    /// The lines with most of something, most first.
    pub(crate) fn most(&self, of: impl Fn(&LineRecord) -> f64) -> Vec<&LineRecord> {
        let mut lines: Vec<&LineRecord> = self.lines.iter().filter(|line| of(line) > 0.0).collect();
        lines.sort_by(|a, b| of(b).total_cmp(&of(a)));
        lines.truncate(SHOWN);
        lines
    }
}

impl LineRecord {
    pub(crate) fn place(&self) -> String {
        match (&*self.file, self.line) {
            ("", _) => format!("(no debug information) {}", self.function),
            (file, line) => format!("{file}:{line}"),
        }
    }

    pub(crate) fn solver_time(&self) -> String {
        duration(std::time::Duration::try_from_secs_f64(self.solver_seconds).unwrap_or_default())
    }
}

/// What makes forks fewer.
pub(crate) const FORK_ADVICE: &str = "These lines have conditions on symbolic data that can be true and \
    false. There are fewer states with fewer symbolic bytes, or if klee_assume settles a condition before \
    the line.";
/// What makes the solver faster.
pub(crate) const SOLVER_ADVICE: &str = "Products, quotients, checksums and hashes of symbolic data, and \
    symbolic indices of large arrays, are hard for the solver: make what goes into these lines concrete or \
    smaller, or replace the function by a simple one.";
/// What makes instructions fewer.
pub(crate) const INSTRUCTION_ADVICE: &str = "These functions execute most: make their loops shorter by \
    smaller buffers, tables and inputs, or leave out what the test does not need, such as logging.";

/// `profile.json`.
pub fn profile_json(summary: &Summary) -> String {
    let WorkRecord { lines, functions } = WorkRecord::of(summary);
    let functions = functions.map_or_else(|| "null".to_owned(), |functions| list(&functions));
    format!("{{\n  \"lines\": {},\n  \"functions\": {functions}\n}}\n", list(&lines))
}

/// Where the time went, for a person.
pub fn profile_text(summary: &Summary) -> String {
    let work = WorkRecord::of(summary);
    let mut text = String::from("\nwhere the time went:\n");
    let mut table = |title: &str, rows: Vec<String>, advice: &str| {
        if !rows.is_empty() {
            text.push_str(&format!("\n  {title}\n{}  {advice}\n", rows.concat()));
        }
    };
    let lines = work.most(|line| line.forks as f64).into_iter().take(10);
    let all = summary.forks;
    let row = |line: &LineRecord| {
        let (share, forks) = (percent(line.forks, all), grouped(line.forks));
        format!("  {forks:>14} {share:>7}  {} in {}\n", line.place(), line.function)
    };
    table("forks by line", lines.map(row).collect(), FORK_ADVICE);
    let lines = work.most(|line| line.solver_seconds).into_iter().take(10);
    let row = |line: &LineRecord| {
        let (time, asked) = (line.solver_time(), count_of(line.queries, "query"));
        format!("  {time:>14}  {asked:>16}  {} in {}\n", line.place(), line.function)
    };
    table("time of the solver by line", lines.map(row).collect(), SOLVER_ADVICE);
    let functions = work.functions.unwrap_or_default();
    let row = |of: &FunctionWorkRecord| {
        let share = percent(of.instructions, summary.instructions);
        let library = if of.library { " (library)" } else { "" };
        format!("  {:>14} {share:>7}  {}{library}\n", grouped(of.instructions), of.function)
    };
    table(
        "instructions by function",
        functions.iter().take(10).map(row).collect(),
        INSTRUCTION_ADVICE,
    );
    text
}
