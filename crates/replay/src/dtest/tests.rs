//! Tests of the format: what is read and written, and what is refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

/// The published form, without anything of ours.
const PUBLISHED: &str = r#"<test>
  <network name="net0"/>
  <network name="net1"/>
  <router hostname="router">
    <interface identifier="1" network="net0"><address ip="10.0.0.2" mask="24" primary="true"/></interface>
    <interface identifier="2" network="net1"><address ip="10.0.1.2" mask="24" primary="true"/></interface>
  </router>
  <node filename="test000002.ktest" hostname="client" filesystem="" server="false" sequence="0">
    <interface identifier="1" network="net1"><address ip="10.0.1.1" mask="24" primary="true"/></interface>
    <route destination="null" mask="0" gateway="10.0.1.2"/>
  </node>
</test>"#;

fn sample() -> DTest {
    let address = TestAddress { ip: Ipv4Addr::new(10, 0, 0, 1).into(), mask: 24, primary: true };
    let interface = TestInterface {
        identifier: 1,
        network: "lan".to_owned(),
        addresses: vec![address],
        ..TestInterface::default()
    };
    let record = TestNodeRecord {
        server_detected: true,
        program: b"/srv/echo".to_vec(),
        digest: "blake3:00ff".to_owned(),
        arguments: vec![b"echo".to_vec(), b"a b\n<&>\"\\\xff".to_vec()],
        options: vec![TestSetting {
            name: "sym-args".to_owned(),
            values: vec![b"0".to_vec(), Vec::new(), b"a b".to_vec()],
        }],
        files: vec![(b"/etc/motd".to_vec(), b"hello\n".to_vec())],
        ..TestNodeRecord::default()
    };
    let node = TestNode {
        filename: "test000001.server.ktest".to_owned(),
        hostname: "server".to_owned(),
        interfaces: vec![interface],
        record: Some(record),
        ..TestNode::default()
    };
    DTest {
        networks: vec![TestNetwork {
            name: "lan".to_owned(),
            subnet: Some((Ipv4Addr::new(10, 0, 0, 0).into(), 24)),
            subnet6: Some((Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 0).into(), 64)),
            timing: TestTiming::default(),
        }],
        routers: Vec::new(),
        nodes: vec![node],
        record: Some(sample_record()),
    }
}

/// The project's own part of the sample.
fn sample_record() -> TestRecord {
    let place =
        TestPlace { function: "main".to_owned(), file: "echo.c".to_owned(), line: 7, column: 3 };
    let outcome = TestOutcome::Finding {
        kind: "assert".to_owned(),
        node: "server".to_owned(),
        message: "assertion failed: a < b".to_owned(),
        stack: vec![place.clone()],
    };
    let fault = TestFault {
        node: "server".to_owned(),
        kind: "loss".to_owned(),
        point: 1,
        what: "lost UDP packet 1".to_owned(),
        place: Some(place.clone()),
        ..TestFault::default()
    };
    let preemption = TestPreemption {
        node: "server".to_owned(),
        point: 3,
        from: 101,
        to: 102,
        place: Some(place),
        ..TestPreemption::default()
    };
    let message = TestMessage {
        from: "client".to_owned(),
        to: "server".to_owned(),
        kind: "udp data".to_owned(),
        size: 4,
        bytes: b"ab\n\xff".to_vec(),
        received: true,
        ..TestMessage::default()
    };
    TestRecord {
        options: vec![TestSetting { name: "stop-on-violation".to_owned(), values: Vec::new() }],
        outcome,
        faults: vec![fault],
        preemptions: vec![preemption],
        messages: vec![message],
        ..TestRecord::default()
    }
}

#[test]
fn the_published_form_is_read() {
    let test = DTest::from_xml(PUBLISHED.as_bytes()).unwrap();
    assert_eq!((test.networks.len(), test.routers[0].interfaces.len()), (2, 2));
    let node = &test.nodes[0];
    assert_eq!((&*node.filename, node.sequence, node.server), ("test000002.ktest", 0, false));
    let route = &node.routes[0];
    assert_eq!((route.destination, route.mask), (None, 0));
    assert_eq!(route.gateway, Some(Ipv4Addr::new(10, 0, 1, 2).into()));
    assert_eq!((&test.record, &node.record), (&None, &None));
    assert_eq!(DTest::from_xml(test.to_xml().as_bytes()).unwrap(), test);
}

#[test]
fn what_is_written_is_readable_for_people() {
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <test xmlns:everett="urn:everett:dtest" everett:version="1" everett:time="0">
          <everett:option name="stop-on-violation"/>
          <everett:finding kind="assert" node="server" message="assertion failed: a &lt; b">
            <everett:place function="main" file="echo.c" line="7" column="3"/>
          </everett:finding>
          <network name="lan" everett:subnet="10.0.0.0/24" everett:subnet6="fd00::/64"/>
          <node filename="test000001.server.ktest" hostname="server" filesystem="" server="false" sequence="0" everett:server="detected" everett:program="/srv/echo" everett:digest="blake3:00ff">
            <everett:argument value="echo"/>
            <everett:argument value="a b\n&lt;&amp;&gt;&quot;\\\xff"/>
            <everett:option name="sym-args" values="0 \- a\x20b"/>
            <everett:file path="/etc/motd" content="hello\n"/>
            <interface identifier="1" network="lan">
              <address ip="10.0.0.1" mask="24" primary="true"/>
            </interface>
          </node>
          <everett:fault node="server" kind="loss" point="1" choice="0" time="0" what="lost UDP packet 1">
            <everett:place function="main" file="echo.c" line="7" column="3"/>
          </everett:fault>
          <everett:preemption node="server" point="3" from="101" to="102" time="0">
            <everett:place function="main" file="echo.c" line="7" column="3"/>
          </everett:preemption>
          <everett:messages omitted="0">
            <everett:message time="0" round="0" from="client" to="server" kind="udp data" size="4" bytes="ab\n\xff" received="true"/>
          </everett:messages>
        </test>
    "#]]
    .assert_eq(&sample().to_xml());
    assert_eq!(DTest::from_xml(sample().to_xml().as_bytes()).unwrap(), sample());
}

#[test]
fn other_namespaces_are_skipped_with_all_that_is_inside() {
    let text = sample().to_xml().replace(
        "<network ",
        "<x:a xmlns:x=\"urn:x\">text<network/></x:a>\n<network xmlns:y=\"urn:y\" y:z=\"1\" ",
    );
    assert_eq!(DTest::from_xml(text.as_bytes()).unwrap(), sample());
}

fn refused(text: &str, expected: Expect) {
    expected.assert_eq(&DTest::from_xml(text.as_bytes()).unwrap_err().to_string());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let edited = |from: &str, to: &str| {
        let text = sample().to_xml();
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    refused("", expect!["1:1: expected the element <test>, found the end of the file"]);
    refused("<tests/>", expect!["1:1: unexpected <tests>; expected <test>"]);
    refused("<test>\n  hello</test>", expect!["1:7: expected an element, found text"]);
    refused("<!DOCTYPE test><test/>", expect!["1:1: a DOCTYPE is not allowed here"]);
    refused(
        "<test>\u{1}</test>",
        expect![["1:7: expected text in UTF-8 without control characters"]],
    );
    refused(
        &edited("version=\"1\"", "version=\"9\""),
        expect!["2:1: dtest version 9 is not known; version 1 is"],
    );
    let found = DTest::from_xml(edited("<everett:option ", "<everett:wish ").as_bytes());
    let found = found.unwrap_err().to_string();
    assert!(
        found.starts_with("3:3: unexpected <everett:wish>; expected <everett:option>"),
        "{found}"
    );
    refused(
        &edited("mask=\"24\"", "mask=\"129\""),
        expect!["14:7: `mask` is `129`; expected a number from 0 to 128"],
    );
    refused(&edited(" sequence=\"0\"", ""), expect!["8:3: <node> lacks the attribute `sequence`"]);
    refused(
        &edited(" sequence=\"0\"", " sequence=\"0\" speed=\"9\""),
        expect!["8:3: <node> has no attribute `speed`"],
    );
    refused(
        &edited("\\\\\\xff", "\\q"),
        expect![[
            r#"10:5: `value` is `a b\n<&>"\q`; expected text, in which a backslash begins an escape"#
        ]],
    );
    refused(
        &edited(" everett:version=\"1\"", ""),
        expect!["3:3: <test> lacks the attribute `everett:version`"],
    );
    assert!(DTest::from_xml(&sample().to_xml().as_bytes()[..300]).is_err());
}

fn words() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 0..6), 0..4)
}

fn settings() -> impl Strategy<Value = Vec<TestSetting>> {
    let setting = (".{0,6}", words()).prop_map(|(name, values)| TestSetting { name, values });
    prop::collection::vec(setting, 0..3)
}

fn timings() -> impl Strategy<Value = TestTiming> {
    let parts = (prop::collection::vec(any::<u64>(), 0..3), prop::option::of(any::<u64>()));
    parts.prop_map(|(latencies_ns, bytes_per_second)| TestTiming { latencies_ns, bytes_per_second })
}

fn interfaces() -> impl Strategy<Value = Vec<TestInterface>> {
    let address = (any::<IpAddr>(), 0u8..=128, any::<bool>())
        .prop_map(|(ip, mask, primary)| TestAddress { ip, mask, primary });
    let parts = (
        any::<u32>(),
        "[ -~\n\t]{0,5}",
        prop::option::of(".{0,4}"),
        any::<bool>(),
        timings(),
        prop::collection::vec(address, 0..3),
    );
    let interface = parts.prop_map(|(identifier, network, name, primary, timing, addresses)| {
        TestInterface { identifier, network, name, primary, timing, addresses }
    });
    prop::collection::vec(interface, 0..3)
}

fn outcomes() -> impl Strategy<Value = TestOutcome> {
    let place = (".{0,6}", ".{0,6}", any::<u32>(), any::<u32>())
        .prop_map(|(function, file, line, column)| TestPlace { function, file, line, column });
    let finding = (".{0,6}", ".{0,6}", ".{0,9}", prop::collection::vec(place, 0..3)).prop_map(
        |(kind, node, message, stack)| TestOutcome::Finding { kind, node, message, stack },
    );
    let ended = prop::collection::vec((".{0,6}", ".{0,6}"), 0..3).prop_map(TestOutcome::Ended);
    let unfinished = any::<u64>().prop_map(|instructions| TestOutcome::Unfinished { instructions });
    prop_oneof![finding, ended, unfinished]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        interfaces in interfaces(),
        route in (any::<Option<IpAddr>>(), 0u8..=128, any::<Option<IpAddr>>(), any::<Option<u32>>()),
        name in "[ -~\n\t]{0,8}",
        program in prop::collection::vec(any::<u8>(), 0..8),
        arguments in words(),
        (run_options, node_options) in (settings(), settings()),
        outcome in outcomes(),
        (boots, server_detected, omitted) in any::<(bool, bool, u64)>(),
    ) {
        let mut test = sample();
        let record = test.record.as_mut().unwrap();
        (record.boots, record.messages_omitted) = (boots, omitted);
        (record.options, record.outcome) = (run_options, outcome);
        let routes = vec![TestRoute {
            destination: route.0,
            mask: route.1,
            gateway: route.2,
            interface: route.3,
        }];
        let (hostname, router_interfaces) = (name.clone(), interfaces.clone());
        test.routers =
            vec![TestRouter { hostname, name: None, interfaces: router_interfaces, routes: routes.clone() }];
        let node = &mut test.nodes[0];
        (node.hostname, node.interfaces, node.routes) = (name, interfaces, routes);
        let own = node.record.as_mut().unwrap();
        (own.program, own.arguments, own.options) = (program, arguments, node_options);
        own.server_detected = server_detected;
        prop_assert_eq!(DTest::from_xml(test.to_xml().as_bytes()).unwrap(), test);
    }
}
