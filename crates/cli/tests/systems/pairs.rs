//! The table of `docs/maintainers/fault-systems.md`: each kind of fault, and each limit, has a system with a
//! bug that is there only under it, and one that is correct under it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use everett_engine::{FaultConfig, FaultKind, FaultSummary};

use crate::build::Workshop;
use crate::cases::Case;
use crate::execute::{Run, run};

/// Limits and rules that are no faults, by their flags.
const LIMITS: [&str; 5] = ["disk-full", "fstat-sym-time", "max-files", "max-heap", "max-processes"];
/// The page that has the table.
const PAGE: &str = "docs/maintainers/fault-systems.md";
/// The beginning of the header of the table.
const HEADER: &str = "| kind or flag |";
/// The folder that the table's names are in, unless they name another one.
const GROUP: &str = "faults";

/// A row of the table.
pub(crate) struct Row {
    /// A kind of fault, or the flag of a limit.
    pub(crate) of: String,
    /// Scenarios: with the bug, the same without faults, and without the bug.
    guilty: Arc<Case>,
    spared: Arc<Case>,
    careful: Arc<Case>,
}

/// The rows, which are of all kinds and limits.
pub(crate) fn rows(cases: &[Arc<Case>]) -> Result<Vec<Row>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE);
    let text = std::fs::read_to_string(file)?;
    let named = |name: &str| {
        let name = name.trim_matches('`');
        let in_group = format!("{GROUP}/{name}");
        let case = cases.iter().find(|case| case.name() == in_group || case.name() == name);
        case.cloned().with_context(|| format!("there is no system {name}"))
    };
    let mut rows = Vec::new();
    for line in text.lines().skip_while(|line| !line.starts_with(HEADER)).skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [of, guilty, spared, careful] = cells[..] else { break };
        let of = of.trim_matches('`').to_owned();
        let (guilty, spared, careful) = (named(guilty)?, named(spared)?, named(careful)?);
        rows.push(Row { of, guilty, spared, careful });
    }
    let found: BTreeSet<&str> = rows.iter().map(|row| &*row.of).collect();
    let kinds = FaultKind::ALL.iter().map(|kind| kind.name());
    let expected: BTreeSet<&str> = kinds.chain(LIMITS).collect();
    ensure!(found.len() == rows.len(), "a row of {PAGE} comes twice");
    ensure!(found == expected, "{PAGE} has rows for {found:?}, expected {expected:?}");
    Ok(rows)
}

/// The differences between a row and its systems.
pub(crate) fn check(workshop: &Workshop, row: &Row) -> Result<Vec<String>> {
    let Row { of, guilty, spared, careful } = row;
    let [with, without, correct] = [guilty, spared, careful].map(|case| run(workshop, case, &[]));
    let (with, without, correct) = (with?, without?, correct?);
    let mut complaints = Vec::new();
    let mut check = |is_so: bool, case: &Case, what: &str| {
        if !is_so {
            complaints.push(format!("{}: {what}", case.name()));
        }
    };
    check(!with.summary.findings.is_empty(), guilty, "has no finding");
    check(without.summary.findings.is_empty(), spared, "has a finding");
    check(correct.summary.findings.is_empty(), careful, "has a finding");
    let [may, may_not, may_too] = [guilty, spared, careful].map(|case| nodes(workshop, case));
    let (may, may_not, may_too) = (may?, may_not?, may_too?);
    check(programs(&may) == programs(&may_not), spared, "has other programs");
    let Some(kind) = FaultKind::ALL.iter().copied().find(|kind| kind.name() == of) else {
        check(configs(&may) == configs(&may_too), careful, "has other limits");
        check(configs(&may) != configs(&may_not), spared, "has the same limits");
        return Ok(complaints);
    };
    let counted = |run: &Run| -> Option<FaultSummary> {
        run.summary.faults.iter().find(|counted| counted.kind == kind).cloned()
    };
    let led_to = counted(&with).is_some_and(|counted| !counted.led_to.is_empty());
    check(led_to, guilty, "has no finding that the fault led to");
    check(counted(&without).is_none_or(|counted| counted.taken == 0), spared, "has the fault");
    let happened = counted(&correct).is_some_and(|counted| counted.taken > 0);
    check(happened, careful, "does not have the fault");
    let most = may.values().map(|(_, faults)| faults.budgets.get(kind)).max();
    // Some follow a rule, and have no budget.
    let by_rule = matches!(
        kind,
        FaultKind::WouldBlock | FaultKind::SelectFail | FaultKind::Piece | FaultKind::Latency
    );
    check(by_rule || most == Some(1), guilty, "has another budget than 1");
    Ok(complaints)
}

/// The program of each node, and what may happen to it.
type Nodes = BTreeMap<String, (Option<PathBuf>, FaultConfig)>;

fn nodes(workshop: &Workshop, case: &Case) -> Result<Nodes> {
    let installed = workshop.installed(case)?;
    let nodes = installed.system(case, &[])?.nodes(|file| Ok(installed.program(file)?))?;
    let node = |node: everett_engine::SystemNode| {
        let config = node.config;
        (config.kernel.hostname, (config.executable, config.kernel.faults))
    };
    Ok(nodes.into_iter().map(node).collect())
}

fn programs(nodes: &Nodes) -> Vec<&PathBuf> {
    nodes.values().filter_map(|(program, _)| program.as_ref()).collect()
}

fn configs(nodes: &Nodes) -> Vec<&FaultConfig> {
    nodes.values().map(|(_, faults)| faults).collect()
}
