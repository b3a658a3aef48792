//! Tests of the format.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddrV4};

use expect_test::{expect, expect_file};

use super::*;

fn example() -> Script {
    let mut script = Script::default();
    for (i, name) in ["client", "server"].into_iter().enumerate() {
        let i = i as u8;
        let addresses = vec![ScriptAddress {
            real: Ipv4Addr::new(10, 0, 0, 1 + i),
            loopback: Ipv4Addr::new(127, 1, 0, 1 + i),
            ipv6: (i > 0).then(|| Ipv6Addr::from_bits(i.into())),
        }];
        script.nodes.push(ScriptNode { name: name.to_owned(), addresses, first_thread: i.into() });
        script.threads.push(ScriptThread {
            node: i.into(),
            process: i.into(),
            pid: 100,
            tid: 100,
            parent_pid: 1,
            maker: None,
            boot: 0,
        });
    }
    let to = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 7);
    let from = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 1), 49152);
    let words = [address_word(to), address_word(from), 0, 0];
    script.events.push(ScriptEvent {
        result: 5,
        fd: 3,
        flags: EventFlags::DATAGRAM,
        aux: words,
        data: b"hello".to_vec(),
        site: "client.c:12 in main".to_owned(),
        ..ScriptEvent::new(0, ScriptApi::Sendto)
    });
    script.events.push(ScriptEvent {
        flags: EventFlags::BLOCKS.with(EventFlags::DATAGRAM),
        fd: 3,
        ..ScriptEvent::new(1, ScriptApi::Recv)
    });
    script.events.push(ScriptEvent {
        result: -1,
        errno: 4,
        flags: EventFlags::RETURN.with(EventFlags::FED),
        fd: 3,
        partner: Some(1),
        realtime_ns: -5,
        monotonic_ns: 1 << 40,
        ..ScriptEvent::new(1, ScriptApi::Recv)
    });
    script
}

#[test]
fn what_is_written_is_read() {
    let script = example();
    let bytes = script.to_bytes();
    assert_eq!(Script::from_bytes(&bytes), Ok(script));
}

#[test]
fn every_cut_is_noticed() {
    let bytes = example().to_bytes();
    let whole = bytes.len() - 8;
    for end in 0..whole {
        assert!(Script::from_bytes(&bytes[..end]).is_err(), "{end}");
    }
}

#[test]
fn other_versions_are_refused() {
    let mut bytes = example().to_bytes();
    bytes[at::header::VERSION] = 9;
    assert_eq!(Script::from_bytes(&bytes), Err(ScriptError::Version(9)));
}

#[test]
fn an_event_is_a_line() {
    // The first line keeps the others from losing their indentation.
    expect![[r#"
        events:
           0 client: sendto(3) = 5 DATAGRAM to 10.0.0.2:7 from 10.0.0.1:49152 "hello" at client.c:12 in main
           1 server: recv(3) BLOCKS DATAGRAM
           2 server: recv(3) = -1 errno 4 RETURN FED of event 1
    "#]]
    .assert_eq(&format!("events:\n{}", example()));
}

#[test]
fn the_header_of_c_is_as_generated() {
    expect_file!["../../../../runtime-c/replay/script.h"].assert_eq(&c_header());
}

#[test]
fn addresses_are_one_number() {
    let address = SocketAddrV4::new(Ipv4Addr::new(10, 0, 0, 2), 7);
    assert_eq!(address_word(address), 0x0a00_0002_0007);
    assert_eq!(word_address(address_word(address)), address);
}
