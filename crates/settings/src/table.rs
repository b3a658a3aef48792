//! The table of settings: which section each belongs to, who may have it, and which tests keep it.
//!
//! One row a setting. Command lines have their headings from here, scenarios their sections, and test cases
//! what they keep. Types, defaults and documentation are with [`RunOptions`](crate::RunOptions); a test
//! holds both against each other, so that a flag without a row fails.

use clap::Arg;

/// A heading of the help, and a section of scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The program, and what counts as a finding.
    Program,
    /// Inputs of programs.
    Inputs,
    /// The machine that is simulated.
    System,
    /// Faults that the environment may cause.
    Faults,
    /// Properties that must hold over all nodes.
    Invariants,
    /// The order of exploration, and the workers.
    Search,
    /// Ends of exploration.
    Limits,
    /// Results that are reported and stored.
    Results,
    /// The workings of the engine.
    Engine,
}

impl Section {
    /// Its heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            Section::Program => "Program",
            Section::Inputs => "Inputs",
            Section::System => "Simulated system",
            Section::Faults => "Faults",
            Section::Invariants => "Invariants",
            Section::Search => "Search",
            Section::Limits => "Limits",
            Section::Results => "Results",
            Section::Engine => "Engine",
        }
    }

    /// Its name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            Section::Program => "program",
            Section::Inputs => "inputs",
            Section::System => "system",
            Section::Faults => "faults",
            Section::Invariants => "invariants",
            Section::Search => "search",
            Section::Limits => "limits",
            Section::Results => "results",
            Section::Engine => "engine",
        }
    }
}

/// The parts of a scenario that may have a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The run as a whole, in a section.
    Run,
    /// All nodes in a section, or a node of its own.
    Nodes,
    /// Each node, by a key of the same name; no section has it.
    OwnKey,
}

/// The tests that keep a setting, because it decides what one world does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// With each node.
    OfNode,
    /// With the run as a whole.
    OfRun,
    /// Nowhere: it decides which worlds are explored and what is shown, and not what happens in one.
    Never,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingRow {
    /// The name of the setting: that of its flag without dashes.
    pub name: &'static str,
    /// The section that it belongs to.
    pub section: Section,
    /// The parts of a scenario that may have it.
    pub scope: Scope,
    /// The tests that keep it.
    pub kept: Kept,
}

impl SettingRow {
    /// The row of a setting.
    pub fn find(name: &str) -> Option<&'static SettingRow> {
        SETTINGS.iter().find(|row| row.name == name)
    }
}

const fn row(name: &'static str, section: Section, scope: Scope, kept: Kept) -> SettingRow {
    SettingRow { name, section, scope, kept }
}

/// All settings of a run, in the order of the help.
#[rustfmt::skip]
pub const SETTINGS: &[SettingRow] = &[
    row("entry", Section::Program, Scope::Run, Kept::OfNode),
    row("symbolic-fn", Section::Program, Scope::Run, Kept::OfRun),
    row("ktest", Section::Program, Scope::Run, Kept::Never),
    row("check", Section::Program, Scope::Run, Kept::OfRun),
    row("ignore", Section::Program, Scope::Run, Kept::OfRun),
    row("sym-arg", Section::Inputs, Scope::Nodes, Kept::OfNode),
    row("sym-args", Section::Inputs, Scope::Nodes, Kept::OfNode),
    row("sym-stdin", Section::Inputs, Scope::Nodes, Kept::OfNode),
    row("stdin", Section::Inputs, Scope::OwnKey, Kept::OfNode),
    row("sym-file", Section::Inputs, Scope::Nodes, Kept::OfNode),
    row("sym-files", Section::Inputs, Scope::Nodes, Kept::OfNode),
    row("sym-random", Section::Inputs, Scope::Nodes, Kept::OfNode),
    row("env", Section::System, Scope::OwnKey, Kept::OfNode),
    row("mount", Section::System, Scope::OwnKey, Kept::OfNode),
    row("cwd", Section::System, Scope::OwnKey, Kept::OfNode),
    row("user", Section::System, Scope::Run, Kept::OfNode),
    row("hostname", Section::System, Scope::OwnKey, Kept::OfNode),
    row("socket-buffer", Section::System, Scope::Run, Kept::OfNode),
    row("preempt", Section::System, Scope::Run, Kept::OfNode),
    row("fault-link", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("link-budget", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("lost-packet-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("duplicate-packet-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("reorder-packet-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("reorder-window", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("delay-packet-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("delay-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("corrupt-packet-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("corrupt-data-offset", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("corrupt-data-size", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("corrupt-printable", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("truncate-packet-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("truncate-data-size", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("fragment-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("fragment-cuts", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("reset-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("connect-fail-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("partition-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("partition-cut", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("partition-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("link-down-count", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("link-down-nodes", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("link-down-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-sys-fail", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("sys-fail", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("errno-variety", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("open-errno", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("chdir-errno", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("short-reads", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("short-writes", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("interrupts", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("socket-block-interval", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("select-fail-interval", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("fstat-sym-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-malloc-fail", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-heap", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("disk-full", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-files", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-processes", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-crashes", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-reboots", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("torn-files", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("reboot-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("max-pauses", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("pause-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("skewed-clocks", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("clock-skew-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("clock-jumps", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("clock-jump-time", Section::Faults, Scope::Nodes, Kept::OfNode),
    row("invariants", Section::Invariants, Scope::Run, Kept::OfRun),
    row("stop-on-violation", Section::Invariants, Scope::Run, Kept::OfRun),
    row("search", Section::Search, Scope::Run, Kept::Never),
    row("seed", Section::Search, Scope::Run, Kept::OfNode),
    row("quantum", Section::Search, Scope::Run, Kept::Never),
    row("workers", Section::Search, Scope::Run, Kept::Never),
    row("mapping", Section::Search, Scope::Run, Kept::Never),
    row("detect-stalled", Section::Search, Scope::Run, Kept::OfRun),
    row("max-time", Section::Limits, Scope::Run, Kept::Never),
    row("max-instructions", Section::Limits, Scope::Run, Kept::Never),
    row("max-forks", Section::Limits, Scope::Run, Kept::Never),
    row("max-depth", Section::Limits, Scope::Run, Kept::Never),
    row("max-path-instructions", Section::Limits, Scope::Run, Kept::Never),
    row("max-round-instructions", Section::Limits, Scope::Run, Kept::OfRun),
    row("idle", Section::Limits, Scope::Run, Kept::OfRun),
    row("max-virtual-time", Section::Limits, Scope::Run, Kept::OfRun),
    row("max-states", Section::Limits, Scope::Run, Kept::Never),
    row("max-memory", Section::Limits, Scope::Run, Kept::Never),
    row("out", Section::Results, Scope::Run, Kept::Never),
    row("tests", Section::Results, Scope::Run, Kept::Never),
    row("save-files", Section::Results, Scope::Run, Kept::Never),
    row("all-findings", Section::Results, Scope::Run, Kept::Never),
    row("stop-after", Section::Results, Scope::Run, Kept::Never),
    row("stop-at-first", Section::Results, Scope::Run, Kept::Never),
    row("echo", Section::Results, Scope::Run, Kept::Never),
    row("quiet", Section::Results, Scope::Run, Kept::Never),
    row("strings", Section::Engine, Scope::Run, Kept::OfRun),
    row("solver", Section::Engine, Scope::Run, Kept::Never),
    row("solver-timeout", Section::Engine, Scope::Run, Kept::Never),
    row("no-solver-cache", Section::Engine, Scope::Run, Kept::Never),
    row("no-program-cache", Section::Engine, Scope::Run, Kept::Never),
];

/// Puts a flag under its heading.
pub(crate) fn arranged(flag: Arg) -> Arg {
    let row = flag.get_long().and_then(SettingRow::find);
    match row {
        Some(row) => flag.help_heading(row.section.heading()),
        None => flag,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::options::RunCommand;

    #[test]
    fn every_flag_has_its_row_and_every_row_its_flag() {
        let command = RunCommand::command();
        let flags: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
        let rows: Vec<&str> = SETTINGS.iter().map(|row| row.name).collect();
        assert_eq!(flags, rows);
    }

    #[test]
    fn help_has_the_headings_of_the_table() {
        for flag in RunCommand::command().get_arguments().filter(|flag| flag.get_long().is_some()) {
            let row = flag.get_long().and_then(SettingRow::find).unwrap();
            assert_eq!(flag.get_help_heading(), Some(row.section.heading()), "{}", row.name);
        }
    }
}
