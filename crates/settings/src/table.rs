//! The table of settings: the section that each belongs to, the parts of a scenario that may have it, and
//! its place in tests.
//!
//! One row a setting. Command lines have their headings from here, scenarios their sections, and test cases
//! what they keep. Types, defaults and documentation are with [`RunOptions`](crate::RunOptions); a test
//! holds both against each other, so that a flag without a row fails.

use clap::Arg;

/// A heading of the help, and a section of scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingSection {
    /// The program, and what counts as a finding.
    Program,
    /// Inputs of programs.
    Inputs,
    /// The machine that is simulated.
    System,
    /// The orders in which things happen.
    Orders,
    /// Faults that the environment may cause.
    Faults,
    /// Peers that are real.
    Live,
    /// Properties that must hold over all nodes.
    Invariants,
    /// The order of exploration, and the workers.
    Search,
    /// Ends of exploration.
    Limits,
    /// Results that are reported and stored.
    Results,
    /// Conditions that the run has to meet.
    Gates,
    /// The workings of the engine.
    Engine,
}

impl SettingSection {
    /// Its heading in the help.
    pub fn heading(self) -> &'static str {
        match self {
            SettingSection::Program => "Program",
            SettingSection::Inputs => "Inputs",
            SettingSection::System => "Simulated system",
            SettingSection::Orders => "Orders",
            SettingSection::Faults => "Faults",
            SettingSection::Live => "Live peers",
            SettingSection::Invariants => "Invariants",
            SettingSection::Search => "Search",
            SettingSection::Limits => "Limits",
            SettingSection::Results => "Results",
            SettingSection::Gates => "Gates",
            SettingSection::Engine => "Engine",
        }
    }

    /// Its name in scenarios.
    pub fn name(self) -> &'static str {
        match self {
            SettingSection::Program => "program",
            SettingSection::Inputs => "inputs",
            SettingSection::System => "system",
            SettingSection::Orders => "orders",
            SettingSection::Faults => "faults",
            SettingSection::Live => "live",
            SettingSection::Invariants => "invariants",
            SettingSection::Search => "search",
            SettingSection::Limits => "limits",
            SettingSection::Results => "results",
            SettingSection::Gates => "gates",
            SettingSection::Engine => "engine",
        }
    }
}

/// The parts of a scenario that may have a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingScope {
    /// The run as a whole, in a section.
    Run,
    /// All nodes in a section, or a node of its own.
    Nodes,
    /// Each node, by a key of the same name; no section has it.
    OwnKey,
}

/// The place of a setting in test cases. A test has to keep a setting that decides what one world does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingStorage {
    /// With each node.
    OfNode,
    /// With the run as a whole.
    OfRun,
    /// Nowhere: the setting decides which worlds are explored and what is shown, and not what happens in one
    /// of them.
    Never,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettingRow {
    /// The name of the setting: that of its flag without dashes.
    pub name: &'static str,
    /// The section that it belongs to.
    pub section: SettingSection,
    /// The parts of a scenario that may have it.
    pub scope: SettingScope,
    /// Its place in test cases.
    pub kept: SettingStorage,
}

impl SettingRow {
    /// The row of a setting.
    pub fn find(name: &str) -> Option<&'static SettingRow> {
        SETTINGS.iter().find(|row| row.name == name)
    }
}

const fn row(
    name: &'static str,
    section: SettingSection,
    scope: SettingScope,
    kept: SettingStorage,
) -> SettingRow {
    SettingRow { name, section, scope, kept }
}

/// All settings of a run, in the order of the help.
#[rustfmt::skip]
pub const SETTINGS: &[SettingRow] = &[
    row("entry", SettingSection::Program, SettingScope::Run, SettingStorage::OfNode),
    row("symbolic-fn", SettingSection::Program, SettingScope::Run, SettingStorage::OfRun),
    row("ktest", SettingSection::Program, SettingScope::Run, SettingStorage::Never),
    row("check", SettingSection::Program, SettingScope::Run, SettingStorage::OfRun),
    row("ignore", SettingSection::Program, SettingScope::Run, SettingStorage::OfRun),
    row("sym-arg", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("sym-args", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("sym-stdin", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("stdin", SettingSection::Inputs, SettingScope::OwnKey, SettingStorage::OfNode),
    row("sym-file", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("sym-files", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("sym-random", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("sym-rand", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("sym-time", SettingSection::Inputs, SettingScope::Nodes, SettingStorage::OfNode),
    row("env", SettingSection::System, SettingScope::OwnKey, SettingStorage::OfNode),
    row("mount", SettingSection::System, SettingScope::OwnKey, SettingStorage::OfNode),
    row("forward", SettingSection::System, SettingScope::OwnKey, SettingStorage::OfNode),
    row("expose", SettingSection::System, SettingScope::OwnKey, SettingStorage::OfNode),
    row("cwd", SettingSection::System, SettingScope::OwnKey, SettingStorage::OfNode),
    row("user", SettingSection::System, SettingScope::Run, SettingStorage::OfNode),
    row("hostname", SettingSection::System, SettingScope::OwnKey, SettingStorage::OfNode),
    row("socket-buffer", SettingSection::System, SettingScope::Run, SettingStorage::OfNode),
    row("preempt", SettingSection::System, SettingScope::Run, SettingStorage::OfNode),
    row("reduction", SettingSection::System, SettingScope::Run, SettingStorage::OfNode),
    row("orders", SettingSection::Orders, SettingScope::Nodes, SettingStorage::OfNode),
    row("late", SettingSection::Orders, SettingScope::Nodes, SettingStorage::OfNode),
    row("signals", SettingSection::Orders, SettingScope::Nodes, SettingStorage::OfNode),
    row("fault-link", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("link-budget", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("lost-packet-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("duplicate-packet-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("reorder-packet-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("reorder-window", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("reorder-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("delay-packet-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("delay-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("corrupt-packet-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("corrupt-data-offset", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("corrupt-data-size", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("corrupt-printable", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("trojan-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("trojan-from", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("trojan-to", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("trojan-accepted", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("trojan-accept-at", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("truncate-packet-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("truncate-data-size", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("fragment-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("fragment-cuts", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("reset-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("connect-fail-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("partition-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("partition-cut", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("partition-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("link-down-count", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("link-down-nodes", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("link-down-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-sys-fail", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("sys-fail", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("errno-variety", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("open-errno", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("chdir-errno", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("short-reads", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("short-writes", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("interrupts", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("socket-block-interval", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("select-fail-interval", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("fstat-sym-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-malloc-fail", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-heap", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("disk-full", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-files", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-processes", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-crashes", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-reboots", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("torn-files", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("reboot-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("max-pauses", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("pause-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("skewed-clocks", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("clock-skew-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("clock-jumps", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("clock-jump-time", SettingSection::Faults, SettingScope::Nodes, SettingStorage::OfNode),
    row("live-connections", SettingSection::Live, SettingScope::Run, SettingStorage::Never),
    row("live-timeout", SettingSection::Live, SettingScope::Run, SettingStorage::Never),
    row("live-values", SettingSection::Live, SettingScope::Run, SettingStorage::Never),
    row("live-strict", SettingSection::Live, SettingScope::Run, SettingStorage::Never),
    row("live-remote", SettingSection::Live, SettingScope::Run, SettingStorage::Never),
    row("live-from", SettingSection::Live, SettingScope::Run, SettingStorage::Never),
    row("invariants", SettingSection::Invariants, SettingScope::Run, SettingStorage::OfRun),
    row("stop-on-violation", SettingSection::Invariants, SettingScope::Run, SettingStorage::OfRun),
    row("search", SettingSection::Search, SettingScope::Run, SettingStorage::Never),
    row("pct-depth", SettingSection::Search, SettingScope::Run, SettingStorage::Never),
    row("seed", SettingSection::Search, SettingScope::Run, SettingStorage::OfNode),
    row("quantum", SettingSection::Search, SettingScope::Run, SettingStorage::Never),
    row("workers", SettingSection::Search, SettingScope::Run, SettingStorage::Never),
    row("cluster", SettingSection::Search, SettingScope::Run, SettingStorage::Never),
    row("mapping", SettingSection::Search, SettingScope::Run, SettingStorage::Never),
    row("detect-stalled", SettingSection::Search, SettingScope::Run, SettingStorage::OfRun),
    row("max-time", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("max-instructions", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("max-forks", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("max-depth", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("max-path-instructions", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("max-round-instructions", SettingSection::Limits, SettingScope::Run, SettingStorage::OfRun),
    row("max-stack", SettingSection::Limits, SettingScope::Run, SettingStorage::OfRun),
    row("idle", SettingSection::Limits, SettingScope::Run, SettingStorage::OfRun),
    row("max-virtual-time", SettingSection::Limits, SettingScope::Run, SettingStorage::OfRun),
    row("max-states", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("max-memory", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("spill", SettingSection::Limits, SettingScope::Run, SettingStorage::Never),
    row("out", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("checkpoint", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("report", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("export", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("watch", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("frames", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("decode", SettingSection::Results, SettingScope::Run, SettingStorage::OfRun),
    row("tests", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("save-files", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("all-findings", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("stop-after", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("stop-at-first", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("echo", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("quiet", SettingSection::Results, SettingScope::Run, SettingStorage::Never),
    row("fail-on", SettingSection::Gates, SettingScope::Run, SettingStorage::Never),
    row("require-faults", SettingSection::Gates, SettingScope::Run, SettingStorage::Never),
    row("require-invariants", SettingSection::Gates, SettingScope::Run, SettingStorage::Never),
    row("min-coverage", SettingSection::Gates, SettingScope::Run, SettingStorage::Never),
    row("baseline", SettingSection::Gates, SettingScope::Run, SettingStorage::Never),
    row("strings", SettingSection::Engine, SettingScope::Run, SettingStorage::OfRun),
    row("solver", SettingSection::Engine, SettingScope::Run, SettingStorage::Never),
    row("solver-timeout", SettingSection::Engine, SettingScope::Run, SettingStorage::Never),
    row("no-solver-cache", SettingSection::Engine, SettingScope::Run, SettingStorage::Never),
    row("no-program-cache", SettingSection::Engine, SettingScope::Run, SettingStorage::Never),
];

/// Puts a flag under its heading.
pub(crate) fn under_heading(flag: Arg) -> Arg {
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
