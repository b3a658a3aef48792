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

/// The address without a user and a password, for others to see.
pub(crate) fn without_login(url: &str) -> String {
    match (url.split_once("//"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, server))) => format!("{scheme}//{server}"),
        _ => url.to_owned(),
    }
}

/// Reads the name of a run.
pub(crate) fn parse_run(text: &str) -> Result<RunId, String> {
    text.parse().map_err(|error: everett_cluster::ClusterError| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(without_login("nats://me:secret@host:4222"), "nats://host:4222");
        assert_eq!(without_login("tls://me:a@b@host"), "tls://host");
        assert_eq!(without_login("nats://host:4222"), "nats://host:4222");
    }
}
