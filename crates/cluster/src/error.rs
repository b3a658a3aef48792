//! What can go wrong with a board, in words that say what to do next.

use std::path::PathBuf;
use std::time::Duration;

use crate::ids::RunId;

/// Results of everything that a board does.
pub type Result<T> = std::result::Result<T, ClusterError>;

/// A failure of a board, of the server behind it, or of what somebody has put there.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The address of the server has no meaning.
    #[error(
        "cannot use `{url}` as the address of a NATS server ({reason}); \
         write nats://HOST:4222, or tls://HOST:4222 for TLS"
    )]
    Address {
        /// What the user has written, without a password.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of an option cannot be read.
    #[error("cannot read {}, which an option for the NATS server names", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// Nobody answers at the address.
    #[error(
        "cannot reach a NATS server at {server} ({reason}); start one there with \
         `nats-server --jetstream`, or correct the address"
    )]
    Unreachable {
        /// Host and port.
        server: String,
        /// What the attempt ended with.
        reason: String,
    },
    /// The server wants to know who we are, or does not let us in.
    #[error(
        "the NATS server at {server} refuses the connection ({reason}); \
         check the user, the password, the token, the nkey or the credentials"
    )]
    Refused {
        /// Host and port.
        server: String,
        /// What the server says.
        reason: String,
    },
    /// The server and we do not agree on TLS.
    #[error(
        "cannot speak TLS with the NATS server at {server} ({reason}); \
         check the authorities to trust, the certificate and its key"
    )]
    Tls {
        /// Host and port.
        server: String,
        /// What the attempt ended with.
        reason: String,
    },
    /// The server has no JetStream, which keeps the jobs.
    #[error(
        "the NATS server at {server} does not offer JetStream ({reason}); \
         start it with `nats-server --jetstream --store_dir FOLDER`, and allow it for this user"
    )]
    NoJetStream {
        /// Host and port.
        server: String,
        /// What the server says.
        reason: String,
    },
    /// The server was there, and has not answered for too long.
    #[error(
        "the NATS server at {server} has not answered for {} s while {doing} ({reason}); \
         nothing is lost: start the server again with its store, then this command",
        waited.as_secs()
    )]
    GaveUp {
        /// Host and port.
        server: String,
        /// What was tried.
        doing: String,
        /// The time that it was tried for.
        waited: Duration,
        /// What the last attempt ended with.
        reason: String,
    },
    /// The server has no room for more.
    #[error(
        "the NATS server has no room left while {doing} ({reason}); remove old runs with \
         `everett cluster remove`, or raise max_file_store of the server"
    )]
    Full {
        /// What was tried.
        doing: String,
        /// What the server says.
        reason: String,
    },
    /// The thread that talks to the server cannot be started.
    #[error("cannot start the thread that talks to the NATS server")]
    Runtime(#[source] std::io::Error),
    /// Something is larger than its limit.
    #[error("{what} has {bytes} bytes, and {limit} are the limit; divide it")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// A run of this name was submitted before.
    #[error("there is a run {run} already; submit this one under another name")]
    RunExists {
        /// The run.
        run: RunId,
    },
    /// No run of this name is known.
    #[error("there is no run {run}; `everett cluster list` shows those that are there")]
    NoSuchRun {
        /// The run.
        run: RunId,
    },
    /// A run is submitted through the board of another build.
    #[error(
        "the run is for workers of build `{run}`, and this is build `{board}`; use one binary for both"
    )]
    OtherBuild {
        /// The build that the run names.
        run: String,
        /// The build of the board.
        board: String,
    },
    /// Bytes at the server are not what was put there.
    #[error("{what} at the server cannot be read; stop the run, and submit it again")]
    Damaged {
        /// What cannot be read.
        what: String,
    },
    /// Bytes that others refer to are not at the server.
    #[error("{what} is not at the server; stop the run, and submit it again")]
    Missing {
        /// What is missing.
        what: String,
    },
    /// The name of a run has characters that it may not have.
    #[error(
        "`{text}` cannot be the name of a run: it has 1 to 32 characters, \
         lower-case letters, digits and hyphens"
    )]
    InvalidRunId {
        /// What was given.
        text: String,
    },
}
