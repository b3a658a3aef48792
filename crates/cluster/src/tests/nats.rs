//! The suite against a real server, and what only a server can do: refuse, fill up, go away and come back.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::fake_work::{BUILD, fold_with_workers, record, submit, take};
use super::{LONG, PATIENT, SHORT, TestCluster, conformance};
use crate::clock::now;
use crate::testing::TestServer;
use crate::{ClusterError, JobBoard, NatsOptions};

struct NatsCluster {
    server: TestServer,
    hold: Duration,
}

impl NatsCluster {
    fn new(hold: Duration) -> NatsCluster {
        NatsCluster { server: TestServer::start(), hold }
    }
}

impl TestCluster for NatsCluster {
    fn board(&self, build: &str) -> JobBoard {
        let options = NatsOptions { hold: self.hold, ..NatsOptions::new(&self.server.url()) };
        options.connect(build).expect("the server is there")
    }
}

suite_for!(NatsCluster::new);

/// The error of a connection, which has to come within five seconds.
fn refusal(options: &NatsOptions) -> ClusterError {
    let begin = now();
    let error = options.connect(BUILD).err().expect("the connection is refused");
    assert!(begin.elapsed() < Duration::from_secs(5), "{error}");
    error
}

#[test]
fn tree_is_folded_exactly_while_the_server_is_killed() {
    let cluster = NatsCluster::new(SHORT);
    fold_with_workers(&cluster, 400, 4, &|| {
        for _ in 0..3 {
            thread::sleep(Duration::from_millis(700));
            cluster.server.kill();
            thread::sleep(Duration::from_millis(300));
            cluster.server.start_again();
        }
    });
}

#[test]
fn calls_wait_for_a_server_that_is_away() {
    let cluster = NatsCluster::new(LONG);
    let board = cluster.board(BUILD);
    let root = submit(&board, 7);
    let taken = take(&board);
    cluster.server.kill();
    thread::scope(|scope| {
        let done = scope.spawn(|| board.done(&taken, &record(&[], b"done")));
        thread::sleep(Duration::from_secs(10));
        assert!(!done.is_finished());
        cluster.server.start_again();
        assert!(done.join().expect("no panic").expect("recorded"));
    });
    let there = board.record(root.run(), &root.id()).expect("answered");
    assert_eq!(there, Some(record(&[], b"done")));
}

#[test]
fn server_that_stays_away_is_given_up() {
    let server = TestServer::start();
    let options =
        NatsOptions { give_up_after: Duration::from_secs(2), ..NatsOptions::new(&server.url()) };
    let board = options.connect(BUILD).expect("the server is there");
    server.kill();
    let begin = now();
    let error = board.runs().expect_err("the server is away");
    assert!(matches!(error, ClusterError::GaveUp { .. }), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

#[test]
fn full_store_is_an_error_and_nothing_is_lost() {
    let server = TestServer::with_store_of(4 << 20);
    let board = NatsOptions::new(&server.url()).connect(BUILD).expect("the server is there");
    let other = submit(&board, 1);
    board.put_blob(other.run(), &[7; 1 << 20]).expect("there is room");
    let root = submit(&board, 7);
    let taken = loop {
        let taken = take(&board);
        if taken.job() == &root {
            break taken;
        }
    };
    let error = board.put_blob(root.run(), &[1; 4 << 20]).expect_err("there is no room");
    assert!(matches!(error, ClusterError::Full { .. }), "{error}");
    let child = taken.job().child(0, 1, vec![2; 3 << 20]);
    let error = board.publish(&child).expect_err("there is no room");
    assert!(matches!(error, ClusterError::Full { .. }), "{error}");
    board.give_back(&taken).expect("given back");
    // The job is still there, and goes on as soon as there is room.
    board.remove_run(other.run()).expect("removed");
    let taken = take(&board);
    assert_eq!(taken.job(), &root);
    assert!(board.done(&taken, &record(&[], b"done")).expect("there is room"));
    assert_eq!(board.records(root.run(), 0, PATIENT).expect("answered").len(), 1);
}

#[test]
fn addresses_without_a_meaning_are_refused() {
    for url in ["http://localhost", "nats://", "nats://user:secret@host:port", "::"] {
        let error = refusal(&NatsOptions::new(url));
        assert!(matches!(error, ClusterError::Address { .. }), "{url}: {error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[test]
fn nobody_who_listens_is_an_error() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = listener.local_addr().expect("bound").port();
    let url = format!("nats://127.0.0.1:{port}");
    let silent = refusal(&NatsOptions::new(&url));
    assert!(matches!(silent, ClusterError::Unreachable { .. }), "{silent}");
    drop(listener);
    let absent = refusal(&NatsOptions::new(&url));
    assert!(matches!(absent, ClusterError::Unreachable { .. }), "{absent}");
    let unknown = refusal(&NatsOptions::new("nats://host.invalid"));
    assert!(matches!(unknown, ClusterError::Unreachable { .. }), "{unknown}");
}

#[test]
fn server_without_jetstream_is_an_error() {
    let server = TestServer::without_jetstream();
    let error = refusal(&NatsOptions::new(&server.url()));
    assert!(matches!(error, ClusterError::NoJetStream { .. }), "{error}");
}

#[test]
fn wrong_password_is_an_error_and_the_right_one_is_not() {
    let server = TestServer::with_config("authorization { user: alice, password: secret }");
    let address = |who: &str| NatsOptions::new(&format!("nats://{who}127.0.0.1:{}", server.port()));
    for options in [
        address(""),
        address("alice:wrong@"),
        NatsOptions { user: Some(("bob".to_owned(), "secret".to_owned())), ..address("") },
        NatsOptions { token: Some("secret".to_owned()), ..address("") },
    ] {
        let error = refusal(&options);
        assert!(matches!(error, ClusterError::Refused { .. }), "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    address("alice:s%65cret@").connect(BUILD).expect("the password with an escape");
    address("alice:secret@").connect(BUILD).expect("the password of the address");
    let user = Some(("alice".to_owned(), "secret".to_owned()));
    NatsOptions { user, ..address("") }.connect(BUILD).expect("the password of the options");
}

#[test]
fn token_and_nkey_are_passed_on() {
    let server = TestServer::with_config("authorization { token: secret }");
    let in_address = format!("nats://secret@127.0.0.1:{}", server.port());
    NatsOptions::new(&in_address).connect(BUILD).expect("the token of the address");
    let token = Some("secret".to_owned());
    NatsOptions { token, ..NatsOptions::new(&server.url()) }.connect(BUILD).expect("the token");

    let folder = tempfile::tempdir().expect("a folder");
    let pair = nkeys::KeyPair::new_user();
    let users = format!("authorization {{ users: [ {{ nkey: {} }} ] }}", pair.public_key());
    let server = TestServer::with_config(&users);
    let file = folder.path().join("seed");
    fs::write(&file, format!("{}\n", pair.seed().expect("a seed"))).expect("written");
    let nkey_file = Some(file);
    NatsOptions { nkey_file, ..NatsOptions::new(&server.url()) }.connect(BUILD).expect("the nkey");
    let error = refusal(&NatsOptions::new(&server.url()));
    assert!(matches!(error, ClusterError::Refused { .. }), "{error}");
}

#[test]
fn files_that_are_not_there_are_named() {
    let file = || Some("/nowhere/file".into());
    let plain = || NatsOptions::new("nats://127.0.0.1:1");
    for options in [
        NatsOptions { nkey_file: file(), ..plain() },
        NatsOptions { credentials_file: file(), ..plain() },
        NatsOptions { tls_authorities: file(), ..plain() },
        NatsOptions { tls_identity: file().zip(file()), ..plain() },
    ] {
        let error = refusal(&options);
        assert!(matches!(error, ClusterError::File { .. }), "{error}");
        assert!(error.to_string().contains("/nowhere/file"), "{error}");
    }
}

/// Makes an authority, and a certificate for the loopback interface with its key: three files.
fn certificates(folder: &Path) -> [PathBuf; 3] {
    let mut params = rcgen::CertificateParams::new([]).expect("no names");
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority_key = rcgen::KeyPair::generate().expect("a key");
    let authority = params.self_signed(&authority_key).expect("a certificate");
    let issuer = rcgen::Issuer::new(params, authority_key);
    let params = rcgen::CertificateParams::new(["127.0.0.1".to_owned()]).expect("an address");
    let key = rcgen::KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, &issuer).expect("a certificate");
    let contents = [authority.pem(), certificate.pem(), key.serialize_pem()];
    let files = ["authority.pem", "certificate.pem", "key.pem"].map(|name| folder.join(name));
    for (file, content) in files.iter().zip(contents) {
        fs::write(file, content).expect("written");
    }
    files
}

#[test]
fn tls_with_certificates_on_both_sides() {
    let folder = tempfile::tempdir().expect("a folder");
    let [authority, certificate, key] = certificates(folder.path());
    let server = TestServer::with_config(&format!(
        "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {authority:?}, verify: true }}"
    ));
    for scheme in ["nats", "tls"] {
        let url = format!("{scheme}://127.0.0.1:{}", server.port());
        let full = NatsOptions {
            tls_authorities: Some(authority.clone()),
            tls_identity: Some((certificate.clone(), key.clone())),
            ..NatsOptions::new(&url)
        };
        let board = full.connect(BUILD).expect("both sides trust each other");
        submit(&board, 7);
        take(&board);
        let strange = refusal(&NatsOptions { tls_authorities: None, ..full.clone() });
        assert!(matches!(strange, ClusterError::Tls { .. }), "{strange}");
        refusal(&NatsOptions { tls_identity: None, ..full });
    }
    let plain = TestServer::start();
    refusal(&NatsOptions::new(&format!("tls://127.0.0.1:{}", plain.port())));
}
