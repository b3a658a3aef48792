//! A NATS server for tests: on a port of its own, with a store in a temporary folder.

use std::fs;
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::clock::now;

/// The server is ready after this time, or the test fails.
const START_TIME: Duration = Duration::from_secs(30);

/// A server that can be killed and started again on the same port and with the same store.
pub struct TestServer {
    folder: tempfile::TempDir,
    port: u16,
    process: Mutex<Option<Child>>,
}

impl TestServer {
    /// Starts a server with JetStream.
    pub fn start() -> TestServer {
        Self::with_config("")
    }

    /// Starts a server with JetStream and further lines of its configuration. A block `jetstream` in them
    /// has no `store_dir`.
    pub fn with_config(lines: &str) -> TestServer {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let store = folder.path().join("store");
        let config = format!("jetstream {{ store_dir: {store:?} }}\n{lines}\n");
        Self::in_folder(folder, &config)
    }

    /// Starts a server without JetStream.
    pub fn without_jetstream() -> TestServer {
        Self::in_folder(tempfile::tempdir().expect("a temporary folder can be made"), "")
    }

    /// Starts a server whose store has this many bytes at most.
    pub fn with_store_of(bytes: u64) -> TestServer {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let store = folder.path().join("store");
        let config = format!("jetstream {{ store_dir: {store:?}, max_file_store: {bytes} }}\n");
        Self::in_folder(folder, &config)
    }

    fn in_folder(folder: tempfile::TempDir, config: &str) -> TestServer {
        fs::write(folder.path().join("config"), config).expect("the configuration can be written");
        let process = spawn(folder.path(), "-1");
        let file = folder.path().join(format!("nats-server_{}.ports", process.id()));
        let process = Mutex::new(Some(process));
        let mut server = TestServer { folder, port: 0, process };
        server.port = server.wait_for(|| port_in(&file));
        server
    }

    /// The address, for `NatsOptions`.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The port on the loopback interface.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills the server as `kill -9` does.
    pub fn kill(&self) {
        if let Some(mut process) = self.process().take() {
            process.kill().expect("the server can be killed");
            process.wait().expect("the server has ended");
        }
    }

    /// Starts the server again after it was killed.
    pub fn start_again(&self) {
        assert!(self.process().is_none(), "the server is killed first");
        *self.process() = Some(spawn(self.folder.path(), &self.port.to_string()));
        self.wait_for(|| TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok());
    }

    fn process(&self) -> MutexGuard<'_, Option<Child>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for<T>(&self, look: impl Fn() -> Option<T>) -> T {
        let begin = now();
        loop {
            if let Some(found) = look() {
                return found;
            }
            let ended = self.process().as_mut().map(|process| process.try_wait());
            let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(matches!(ended, Some(Ok(None))), "nats-server has ended: {}", log());
            assert!(begin.elapsed() < START_TIME, "nats-server does not start: {}", log());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(folder: &Path, port: &str) -> Child {
    Command::new(program())
        .args(["--addr", "127.0.0.1", "--port", port])
        .arg("--config")
        .arg(folder.join("config"))
        .arg("--log")
        .arg(folder.join("log"))
        .arg("--ports_file_dir")
        .arg(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server can be started; `cargo xtask setup` installs it")
}

/// Debian has it in a folder that users do not have in their `PATH`.
fn program() -> PathBuf {
    let debian = Path::new("/usr/sbin/nats-server");
    if debian.is_file() { debian.to_owned() } else { PathBuf::from("nats-server") }
}

/// The port that the server has chosen, once it has written it down.
fn port_in(file: &Path) -> Option<u16> {
    let text = fs::read_to_string(file).ok()?;
    let (_, rest) = text.split_once("://127.0.0.1:")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    rest[digits.len()..].starts_with('"').then(|| digits.parse().ok()).flatten()
}
