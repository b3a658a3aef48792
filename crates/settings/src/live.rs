//! The flags of `everett run` about live peers: nodes that are real, and run outside of the exploration.

use std::path::PathBuf;
use std::time::Duration;

use everett_input::units::parse_duration;

/// The settings of all live peers.
#[derive(Clone, Debug, clap::Args)]
pub struct LiveOptions {
    /// Conversations with a live peer that are open at the same time
    #[arg(long, value_name = "N", default_value_t = 16)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub live_connections: u32,
    /// Real time that a live peer has for an answer; one that says nothing is silent until something is said
    #[arg(long, value_name = "TIME", default_value = "1s")]
    #[arg(value_parser = parse_duration)]
    pub live_timeout: Duration,
    /// Values of a symbolic message that a live peer is told; of those that it answers alike, one is followed
    #[arg(long, value_name = "K", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub live_values: u32,
    /// Drop paths on which a live peer does not answer as it did before
    #[arg(long)]
    pub live_strict: bool,
    /// Let live peers be on other machines
    #[arg(long)]
    pub live_remote: bool,
    /// Run without live peers, on what they have said in the run with this output folder
    #[arg(long, value_name = "DIR")]
    pub live_from: Option<PathBuf>,
}
