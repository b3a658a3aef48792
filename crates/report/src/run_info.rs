//! [`RunInfo`]: the facts about a run that its reports have from elsewhere than the engine.

use everett_engine::Finding;

use crate::gates::GateReport;

/// The facts about a run that the engine does not know.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    /// Most resident memory, 0 if unknown.
    pub peak_rss_bytes: u64,
    /// The output folder as the user names it; `None` if nothing was written.
    pub folder: Option<String>,
    /// The program as the user named it, for the command that replays.
    pub program: String,
    /// The names of the nodes that there are from the beginning.
    pub nodes: Vec<String>,
    /// The most preemptions along a path that were allowed.
    pub preemptions: u32,
    /// True if the run was on given inputs, along one path.
    pub replay: bool,
    /// The page about the results was written.
    pub has_page: bool,
    /// True if results could not be stored, which ends a run.
    pub unstored: bool,
    /// What became of the gates; `None` if there are none.
    pub gates: Option<GateReport>,
}

impl RunInfo {
    /// The file of a test case, relative to the output folder; in a system, that of one node.
    pub fn test_file(test: u64, node: Option<&str>) -> String {
        match node {
            Some(node) => format!("tests/test{test:06}.{node}.ktest"),
            None => format!("tests/test{test:06}.ktest"),
        }
    }

    /// The file of a world's test case, relative to the output folder.
    pub fn world_file(test: u64) -> String {
        format!("tests/test{test:06}.dtest")
    }

    /// The file of a finding's test case as the user can name it; in a system that of the world.
    pub fn test_path(&self, finding: &Finding) -> Option<String> {
        let file = match finding.of_system {
            false => RunInfo::test_file(finding.test?, None),
            true => RunInfo::world_file(finding.test?),
        };
        Some(match &self.folder {
            Some(folder) => format!("{folder}/{file}"),
            None => file,
        })
    }
}
