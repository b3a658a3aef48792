//! A connection that lasts: calls wait while the server is away, and are tried again.

use std::error::Error;
use std::future::Future;
use std::path::Path;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::{self, Context, Error as ServerError, ErrorCode};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, ServerAddr};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use super::{NatsOptions, layout};
use crate::clock::now;
use crate::error::{ClusterError, Result};

/// The first connection is there after this time, or it is an error.
const CONNECT_TIME: Duration = Duration::from_secs(4);
/// A request that has no answer after this time is sent again.
const REQUEST_TIME: Duration = Duration::from_secs(3);
/// An attempt of several requests ends after this time, beside what it waits for on purpose.
const ATTEMPT_TIME: Duration = Duration::from_secs(15);
/// The first pause before another attempt; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
/// The longest pause.
const LAST_PAUSE: Duration = Duration::from_millis(500);
/// Attempts after which it is worth looking whether the streams are there.
const ATTEMPTS_BEFORE_STREAMS: u32 = 4;

/// Why an attempt has failed.
pub(super) enum Failure {
    /// Another attempt may do better.
    Passing(String),
    /// The server has no room.
    Full(String),
}

impl Failure {
    /// Looks for what the server has said among the causes of an error.
    pub(super) fn of(error: &(dyn Error + 'static)) -> Failure {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            if let Some(said) = error.downcast_ref::<ServerError>() {
                return Failure::said(said);
            }
            if !text.contains(&error.to_string()) {
                text = format!("{text}: {error}");
            }
            cause = error.source();
        }
        Failure::Passing(text)
    }

    fn said(error: &ServerError) -> Failure {
        let is_full = [
            ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
            ErrorCode::INSUFFICIENT_RESOURCES,
            ErrorCode::STORAGE_RESOURCES_EXCEEDED,
            ErrorCode::STREAM_STORE_FAILED,
        ]
        .contains(&error.error_code());
        let text = error.to_string();
        if is_full { Failure::Full(text) } else { Failure::Passing(text) }
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::of(&error)
    }
}

pub(super) struct Session {
    runtime: Runtime,
    pub(super) client: Client,
    pub(super) jetstream: Context,
    server: String,
    give_up_after: Duration,
}

impl Session {
    pub(super) fn connect(options: &NatsOptions) -> Result<Session> {
        let address: ServerAddr = options.url.parse().map_err(|error: std::io::Error| {
            ClusterError::Address { url: without_secret(&options.url), reason: error.to_string() }
        })?;
        if address.host().is_empty() {
            let (url, reason) = (without_secret(&options.url), "it has no host".to_owned());
            return Err(ClusterError::Address { url, reason });
        }
        let server = format!("{}:{}", address.host(), address.port());
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("everett-nats")
            .enable_all()
            .build()
            .map_err(ClusterError::Runtime)?;
        let client = runtime.block_on(connect_client(options, address, &server))?;
        let mut jetstream = {
            // It has a task of its own.
            let _inside = runtime.enter();
            jetstream::new(client.clone())
        };
        jetstream.set_timeout(REQUEST_TIME);
        let give_up_after = options.give_up_after;
        let session = Session { runtime, client, jetstream, server, give_up_after };
        session.block_on(session.find_jetstream())?;
        session.persist("making the streams", async || session.make_streams().await)?;
        Ok(session)
    }

    pub(super) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Asks for the account, and does not read the answer: the library cannot read that of NATS 2.9.
    async fn find_jetstream(&self) -> Result<()> {
        let error = |reason| Err(ClusterError::NoJetStream { server: self.server.clone(), reason });
        match self.client.request("$JS.API.INFO", bytes::Bytes::new()).await {
            Ok(answer) => match String::from_utf8_lossy(&answer.payload) {
                text if text.contains("not enabled") => error(text.into_owned()),
                _ => Ok(()),
            },
            Err(failure) => error(failure.to_string()),
        }
    }

    async fn make_streams(&self) -> std::result::Result<(), Failure> {
        for config in layout::streams() {
            if let Err(error) = self.jetstream.get_or_create_stream(config).await {
                return Err(match error.kind() {
                    jetstream::context::CreateStreamErrorKind::JetStream(said) => {
                        Failure::said(&said)
                    }
                    _ => Failure::of(&error),
                });
            }
        }
        Ok(())
    }

    /// Tries until it succeeds, for as long as a server may be away.
    pub(super) fn persist<T>(
        &self,
        doing: &str,
        attempt: impl AsyncFnMut() -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        self.persist_waiting(doing, Duration::ZERO, attempt)
    }

    /// The same for attempts that wait on purpose.
    pub(super) fn persist_waiting<T>(
        &self,
        doing: &str,
        waiting: Duration,
        attempt: impl AsyncFnMut() -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        self.block_on(self.try_again(doing, waiting + ATTEMPT_TIME, attempt))
    }

    async fn try_again<T>(
        &self,
        doing: &str,
        attempt_time: Duration,
        mut attempt: impl AsyncFnMut() -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        let begin = now();
        let mut pause = FIRST_PAUSE;
        let mut attempts = 0;
        loop {
            // Requests that are sent into a broken connection would reach the server later, when nobody
            // waits for their answers.
            let reason = if !self.is_connected() {
                "the connection is lost".to_owned()
            } else {
                attempts += 1;
                match timeout(attempt_time, attempt()).await {
                    Ok(Ok(value)) => return Ok(value),
                    Ok(Err(Failure::Full(reason))) => {
                        return Err(ClusterError::Full { doing: doing.to_owned(), reason });
                    }
                    Ok(Err(Failure::Passing(reason))) => reason,
                    Err(_) => "no answer".to_owned(),
                }
            };
            let waited = begin.elapsed();
            if waited >= self.give_up_after {
                let (server, doing) = (self.server.clone(), doing.to_owned());
                return Err(ClusterError::GaveUp { server, doing, waited, reason });
            }
            if attempts >= ATTEMPTS_BEFORE_STREAMS && self.is_connected() {
                // What is wrong is told by the next attempt.
                drop(timeout(attempt_time, self.make_streams()).await);
            }
            sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }
}

async fn connect_client(
    options: &NatsOptions,
    address: ServerAddr,
    server: &str,
) -> Result<Client> {
    let connect = ConnectOptions::new()
        .name("everett")
        .no_echo()
        .connection_timeout(CONNECT_TIME)
        .request_timeout(Some(REQUEST_TIME))
        .reconnect_delay_callback(|attempts| {
            let doublings = u32::try_from(attempts).unwrap_or(u32::MAX).min(10);
            (FIRST_PAUSE * (1 << doublings)).min(LAST_PAUSE)
        });
    let connect = with_tls(options, with_identity(options, &address, connect)?)?;
    match timeout(CONNECT_TIME, connect.connect(address)).await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(refusal(&error, server)),
        Err(_) => {
            let reason = format!("no answer within {} s", CONNECT_TIME.as_secs());
            Err(ClusterError::Unreachable { server: server.to_owned(), reason })
        }
    }
}

/// Who we are: by the options, and by the address otherwise.
fn with_identity(
    options: &NatsOptions,
    address: &ServerAddr,
    mut connect: ConnectOptions,
) -> Result<ConnectOptions> {
    let user = address.username().map(without_escapes);
    let password = address.password().map(without_escapes);
    match (&options.user, user, password) {
        (Some((user, password)), _, _) => {
            connect = connect.user_and_password(user.clone(), password.clone());
        }
        (None, Some(user), Some(password)) => connect = connect.user_and_password(user, password),
        // NATS takes a name without a password for a token.
        (None, Some(token), None) => connect = connect.token(token),
        (None, None, _) => {}
    }
    if let Some(token) = &options.token {
        connect = connect.token(token.clone());
    }
    if let Some(file) = &options.nkey_file {
        connect = connect.nkey(read(file)?.trim().to_owned());
    }
    if let Some(file) = &options.credentials_file {
        let credentials = connect.credentials(&read(file)?);
        connect =
            credentials.map_err(|source| ClusterError::File { path: file.clone(), source })?;
    }
    Ok(connect)
}

fn with_tls(options: &NatsOptions, mut connect: ConnectOptions) -> Result<ConnectOptions> {
    if let Some(file) = &options.tls_authorities {
        read(file)?;
        connect = connect.add_root_certificates(file.clone()).require_tls(true);
    }
    if let Some((certificate, key)) = &options.tls_identity {
        read(certificate)?;
        read(key)?;
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    Ok(connect)
}

/// Text of an address in which `%41` stands for `A`.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match digits {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            None => bytes.extend([b"%", part.as_bytes()].concat()),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn refusal(error: &ConnectError, server: &str) -> ClusterError {
    let server = server.to_owned();
    let reason = error.to_string();
    match error.kind() {
        ConnectErrorKind::ServerParse => ClusterError::Address { url: server, reason },
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            ClusterError::Refused { server, reason }
        }
        ConnectErrorKind::Tls => ClusterError::Tls { server, reason },
        ConnectErrorKind::Io if is_invalid_data(error) => ClusterError::Tls { server, reason },
        ConnectErrorKind::Dns
        | ConnectErrorKind::TimedOut
        | ConnectErrorKind::Io
        | ConnectErrorKind::MaxReconnects => ClusterError::Unreachable { server, reason },
    }
}

/// What TLS refuses, such as a certificate of an unknown authority, comes as invalid data.
fn is_invalid_data(error: &ConnectError) -> bool {
    let mut cause = error.source();
    while let Some(error) = cause {
        let io_error = error.downcast_ref::<std::io::Error>();
        if io_error.is_some_and(|error| error.kind() == std::io::ErrorKind::InvalidData) {
            return true;
        }
        cause = error.source();
    }
    false
}

fn read(file: &Path) -> Result<String> {
    let path = file.to_owned();
    std::fs::read_to_string(file).map_err(|source| ClusterError::File { path, source })
}

/// The address without user and password.
fn without_secret(url: &str) -> String {
    url.rsplit_once('@').map_or(url, |(_, place)| place).to_owned()
}
