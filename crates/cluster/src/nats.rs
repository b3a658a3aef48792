//! The board on a NATS server with JetStream: everything is in files of the server.
//!
//! Callers are plain threads. A small runtime lives inside of the board, and talks to the server. A
//! server that goes away is waited for; every call can be repeated without an effect.
//!
//! Key-value buckets and consumers with several filters are not used: NATS 2.9 does not have them.

mod layout;
mod reader;
mod session;
mod store;

use std::path::PathBuf;
use std::time::Duration;

use crate::board::JobBoard;
use crate::error::Result;
use session::Session;
use store::NatsStore;

/// Where the server is, who we are, and how long to wait.
#[derive(Clone)]
pub struct NatsOptions {
    /// `nats://HOST:PORT` or `tls://HOST:PORT`, and `USER:PASSWORD@` before the host if need be.
    pub url: String,
    /// The user and the password, in place of those in the address.
    pub user: Option<(String, String)>,
    /// A token that the server asks for.
    pub token: Option<String>,
    /// A file with the seed of an nkey.
    pub nkey_file: Option<PathBuf>,
    /// A file with credentials (a JWT and the seed of an nkey).
    pub credentials_file: Option<PathBuf>,
    /// A file with the certificates of authorities to trust.
    pub tls_authorities: Option<PathBuf>,
    /// Files with our certificate and its key.
    pub tls_identity: Option<(PathBuf, PathBuf)>,
    /// A job that makes no progress for this time goes to another worker. All workers of a build use the
    /// same.
    pub hold: Duration,
    /// A server that is away for longer is an error.
    pub give_up_after: Duration,
}

impl NatsOptions {
    /// The address alone, with a hold of 30 s and patience of a minute.
    pub fn new(url: &str) -> NatsOptions {
        NatsOptions {
            url: url.to_owned(),
            user: None,
            token: None,
            nkey_file: None,
            credentials_file: None,
            tls_authorities: None,
            tls_identity: None,
            hold: Duration::from_secs(30),
            give_up_after: Duration::from_secs(60),
        }
    }

    /// Connects to the server, and makes its streams if it has none. What is wrong is known after a few
    /// seconds.
    pub fn connect(&self, build: &str) -> Result<JobBoard> {
        let store = NatsStore::new(Session::connect(self)?, self.hold);
        Ok(JobBoard::new(Box::new(store), build, self.hold))
    }
}
