//! Sample data for the tests of this crate.

use std::time::Duration;

use everett_engine::{
    CoverageCount, DropReason, FaultKind, FaultReport, Finding, FunctionCoverage, Input,
    LayerStats, MappingKind, MessageReport, NodeReport, ObjectReport, Omission, OrderSummary,
    Outcome, SourcePlace, SpillCounts, Summary, WorldCount,
};
use everett_interp::BugKind;

pub(crate) fn place(function: &str, file: &str, line: u32, column: u32) -> SourcePlace {
    SourcePlace {
        function: function.to_owned(),
        file: file.to_owned(),
        line,
        column,
        inlined: false,
    }
}

pub(crate) fn out_of_bounds() -> Finding {
    let file = "src/request.c";
    let copy = SourcePlace { inlined: true, ..place("copy", file, 18, 11) };
    Finding {
        after_ignored: 0,
        id: 1,
        kind: BugKind::OutOfBounds,
        message: "write of 1 byte, 0 bytes behind the end of local variable 'request'".to_owned(),
        node: "node0".to_owned(),
        at: (0, 0),
        stack: vec![copy, place("parse", file, 30, 3), place("main", file, 41, 10)],
        violation: None,
        objects: vec![ObjectReport {
            what: "local variable 'request'".to_owned(),
            address: 0x4000_0010,
            size: 6,
            allocated: vec![place("main", file, 39, 18)],
            freed: Vec::new(),
        }],
        inputs: vec![Input { name: "bytes".to_owned(), bytes: vec![0x53, 0x80, 0, 0, 0, 0, 0, 0] }],
        output: b"parsing\n\x1b[31mred\n".to_vec(),
        world: Vec::new(),
        messages: Vec::new(),
        messages_omitted: 0,
        faults: Vec::new(),
        preemptions: Vec::new(),
        exposed: Vec::new(),
        exposed_omitted: 0,
        count: 3,
        test: Some(3),
        of_system: false,
    }
}

pub(crate) fn use_after_free() -> Finding {
    Finding {
        id: 2,
        kind: BugKind::UseAfterFree,
        message: "read of 4 bytes at offset 0 of a freed heap object".to_owned(),
        node: "node0".to_owned(),
        at: (0, 0),
        stack: vec![place("main", "list.c", 50, 9)],
        violation: None,
        objects: vec![ObjectReport {
            what: "heap object".to_owned(),
            address: 0x8000_0000,
            size: 1 << 20,
            allocated: vec![place("make", "list.c", 10, 12), place("main", "list.c", 44, 3)],
            freed: vec![place("drop", "list.c", 20, 3)],
        }],
        inputs: Vec::new(),
        output: Vec::new(),
        world: Vec::new(),
        messages: Vec::new(),
        messages_omitted: 0,
        faults: Vec::new(),
        preemptions: Vec::new(),
        exposed: Vec::new(),
        exposed_omitted: 0,
        count: 1,
        after_ignored: 0,
        test: None,
        of_system: false,
    }
}

/// A bug of one of two nodes.
pub(crate) fn in_a_system() -> Finding {
    let message = |time_ns, round, from: &str, to: &str, bytes: &[u8], received| MessageReport {
        time_ns,
        round,
        from: from.to_owned(),
        to: to.to_owned(),
        kind: "udp data".to_owned(),
        addresses: match from {
            "client" => ("10.0.0.2:40000".to_owned(), "10.0.0.1:7".to_owned()),
            _ => ("10.0.0.1:7".to_owned(), "10.0.0.2:40000".to_owned()),
        },
        size: bytes.len() as u64,
        bytes: bytes.to_vec(),
        received,
        received_at: received.then_some((time_ns, round + 1)),
        words: None,
    };
    let node = |name: &str, status: &str, stack, inputs| NodeReport {
        name: name.to_owned(),
        status: status.to_owned(),
        stack,
        inputs,
    };
    let key = Input { name: "key".to_owned(), bytes: vec![0xff] };
    Finding {
        of_system: true,
        node: "server".to_owned(),
        world: vec![
            node("server", "runs", vec![place("main", "server.c", 9, 5)], Vec::new()),
            node("client", "waits in recvfrom", vec![place("main", "client.c", 7, 3)], vec![key]),
        ],
        messages: vec![
            message(0, 1, "client", "server", b"hello", true),
            message(1_500_000_000, 0, "server", "client", &[0xff, 0], false),
        ],
        messages_omitted: 12,
        faults: vec![FaultReport {
            kind: FaultKind::Loss,
            node: "client".to_owned(),
            point: 2,
            choice: 1,
            what: "lost UDP packet 2 (10.0.0.1:9 -> 10.0.0.2:7, 12 bytes)".to_owned(),
            time_ns: 1_500_000_000,
            place: None,
        }],
        ..use_after_free()
    }
}

/// A run that explored everything and found nothing.
pub(crate) fn clean() -> Summary {
    Summary {
        trojans: None,
        live: Vec::new(),
        outcome: Outcome::Exhausted,
        limit: None,
        instructions: 1_234_567,
        paths: 16_384,
        paths_failed: 0,
        paths_silent: 0,
        paths_cut: 0,
        paths_ignored: 0,
        ignored: Vec::new(),
        nodes: 1,
        worlds: WorldCount::Exactly(16_384),
        worlds_idle: 0,
        worlds_horizon: 0,
        orders: OrderSummary::default(),
        estimate: None,
        unfinished_at: None,
        dstates_peak: 1,
        events_sent: 0,
        joint_checks: 0,
        invariants: None,
        mapping: MappingKind::Sds,
        states_created: 16_384,
        states_peak: 15,
        spill: SpillCounts::default(),
        forks: 16_383,
        queries: 14,
        solver_time: Duration::from_millis(3),
        symbolic_inputs: 1,
        wall_time: Duration::from_millis(120),
        workers: 1,
        coverage: CoverageCount { covered: 40, total: 52 },
        functions: vec![FunctionCoverage {
            function: "main".to_owned(),
            file: "b_fork.c".to_owned(),
            line: 4,
            instructions: CoverageCount { covered: 40, total: 52 },
            lines: vec![(4, true), (5, true), (9, false)],
        }],
        dropped: Vec::new(),
        findings: Vec::new(),
        tests: 2,
        solver_layers: vec![
            LayerStats { layer: "model".to_owned(), asked: 20, answered: 6 },
            LayerStats { layer: "bitblast".to_owned(), asked: 14, answered: 14 },
        ],
        exit_code: None,
        faults: Vec::new(),
        trace_hash: 0xfeed_0000_0000_0001,
    }
}

/// A run with findings that a limit ended.
pub(crate) fn limited() -> Summary {
    Summary {
        outcome: Outcome::Limit,
        limit: Some(DropReason::TimeLimit),
        dropped: vec![
            (DropReason::TimeLimit, 12),
            (
                DropReason::Unsupported("unsupported: inline assembly `cpuid` at a.c:3".to_owned()),
                1,
            ),
            (DropReason::Omitted(Omission::FloatOperand, "mean at a.c:7".to_owned()), 1),
        ],
        findings: vec![out_of_bounds(), use_after_free()],
        paths: 5,
        paths_failed: 4,
        ..clean()
    }
}
