//! Connections to the server of a cluster.

use anyhow::Result;
use everett_cluster::{JobBoard, NatsOptions, RunId};

use super::description::build;
use crate::environment;

/// Connects to the server at an address; the rest is in environment variables, which other users do not see.
pub(crate) fn connect(url: &str) -> Result<JobBoard> {
    let mut options = NatsOptions::new(url);
    environment::log_in(&mut options)?;
    Ok(options.connect(&build()?)?)
}

/// Reads the name of a run.
pub(crate) fn parse_run(text: &str) -> Result<RunId, String> {
    text.parse().map_err(|error: everett_cluster::ClusterError| error.to_string())
}
