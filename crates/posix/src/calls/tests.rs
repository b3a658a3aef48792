//! The table of calls does not contradict itself, and `docs/system-calls.md` is made of it.

use std::fmt::Write;

use expect_test::expect_file;

use super::refused::REFUSED;
use super::*;

/// Versions of one call. They differ in their arguments alone.
const VERSIONS: &[&[Sysno]] = &[
    &[Sysno::open, Sysno::openat, Sysno::openat2],
    &[Sysno::preadv, Sysno::preadv2],
    &[Sysno::pwritev, Sysno::pwritev2],
    &[Sysno::faccessat, Sysno::faccessat2],
    &[Sysno::fchmodat, Sysno::fchmodat2],
    &[Sysno::chown, Sysno::lchown],
    &[Sysno::newfstatat, Sysno::statx],
    &[Sysno::getdents, Sysno::getdents64],
    &[Sysno::eventfd, Sysno::eventfd2],
    &[Sysno::signalfd, Sysno::signalfd4],
    &[Sysno::epoll_create, Sysno::epoll_create1],
    &[Sysno::epoll_wait, Sysno::epoll_pwait, Sysno::epoll_pwait2],
    &[Sysno::pipe, Sysno::pipe2],
    &[Sysno::accept, Sysno::accept4],
    &[Sysno::rename, Sysno::renameat, Sysno::renameat2],
    &[Sysno::mknod, Sysno::mknodat],
];

const OBJECTS: &[(CallObject, &str)] = &[
    (CallObject::Other, ""),
    (CallObject::New, "if it makes the file: "),
    (CallObject::File, "of a file: "),
    (CallObject::Stream, "of a connection: "),
    (CallObject::Datagram, "of a datagram socket: "),
];

#[test]
fn versions_of_a_call_fail_and_crash_alike() {
    for versions in VERSIONS {
        let (first, others) = versions.split_first().expect("a call has a version");
        for call in others {
            for (object, _) in OBJECTS {
                assert_eq!(documented(*call, *object), documented(*first, *object), "{call:?}");
            }
            assert_eq!(facts(*call).failures.ruled, facts(*first).failures.ruled, "{call:?}");
            assert_eq!(facts(*call).crash, facts(*first).crash, "{call:?}");
        }
    }
}

#[test]
fn what_depends_on_an_object_has_one() {
    for call in CALLS {
        let facts = facts(*call);
        let of_descriptor = matches!(
            facts.crash,
            CrashPoint::Writes(_) | CrashPoint::Receives | CrashPoint::Connects
        );
        assert!(facts.has_descriptor() || !of_descriptor, "{call:?}");
        let is_known = facts.has_descriptor() || facts.opens();
        assert!(is_known || !facts.failures.depend_on_object(), "{call:?}");
    }
}

#[test]
fn call_that_always_fails_has_no_row() {
    let refused: Vec<Sysno> = REFUSED.iter().flat_map(|(_, calls)| *calls).copied().collect();
    assert!(refused.iter().all(|call| !CALLS.contains(call)));
    assert!(refused.iter().enumerate().all(|(at, call)| !refused[..at].contains(call)));
}

#[test]
fn documentation_has_the_table() {
    expect_file!["../../../../docs/system-calls.md"].assert_eq(&page());
}

fn page() -> String {
    let mut page = "# System calls\n\n\
        These system calls are implemented. `--max-sys-fail 1` lets each call fail that can, and \
        `--max-reboots 1` lets a node crash at each call where it can ([faults.md](faults.md)).\n\n\
        | column | meaning |\n|---|---|\n\
        | fails with | the errors of the call as a fault: the first one or, with `--errno-variety`, each \
        of them; *by a rule*: with `--socket-block-interval` or `--select-fail-interval` |\n\
        | a node may crash | the condition under which others, or a reboot, can see that the call has \
        happened |\n\
        | interrupted | what a call that waits does after a handler with `SA_RESTART`; it ends with \
        `EINTR` if the cell is empty |\n\n\
        | call | fails with | a node may crash | interrupted |\n|---|---|---|---|\n"
        .to_owned();
    let mut others = Vec::new();
    for call in CALLS {
        let cells = [errors(*call), crash(*call), interrupted(*call).to_owned()];
        match cells.iter().all(String::is_empty) {
            true => others.push(format!("`{}`", call.name())),
            false => {
                writeln!(page, "| `{}` | {} |", call.name(), cells.join(" | ")).expect("it fits")
            }
        }
    }
    let others = others.join(", ");
    write!(
        page,
        "\nThese calls never fail as a fault, and have no entry in the other columns: {others}.\n\n\
        ## Calls that always fail\n\n\
        A kernel need not have every call, and a container without privileges may not make every call. Programs \
        are ready for both. The simulated kernel refuses these calls, also to the superuser:\n\n\
        | error | calls |\n|---|---|\n"
    )
    .expect("it fits");
    for (errno, calls) in REFUSED {
        let calls: Vec<String> = calls.iter().map(|call| format!("`{}`", call.name())).collect();
        let errno = errno.name().expect("errors have names");
        writeln!(page, "| `{errno}` | {} |", calls.join(", ")).expect("it fits");
    }
    write!(
        page,
        "\nEvery other call ends the path with its name.\n\n\
        `cargo xtask bless --package everett-posix documentation` writes this page from the table in \
        `crates/posix/src/calls/table.rs`.\n"
    )
    .expect("it fits");
    page
}

fn errors(call: Sysno) -> String {
    let names = |errnos: &[Errno]| -> String {
        let name = |errno: &Errno| format!("`{}`", errno.name().expect("errors have names"));
        errnos.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let failures = &facts(call).failures;
    let mut parts: Vec<String> = if failures.depend_on_object() {
        let rows = OBJECTS.iter().map(|(object, what)| (what, failures.errors(*object)));
        rows.filter(|row| !row.1.is_empty())
            .map(|row| format!("{}{}", row.0, names(row.1)))
            .collect()
    } else {
        vec![names(failures.errors(CallObject::Other))]
    };
    parts.extend(failures.ruled.map(|ruled| match ruled {
        RuledFailure::WouldBlock => {
            "of a socket that does not wait: `EAGAIN`, by a rule".to_owned()
        }
        RuledFailure::Select => "`ENOMEM`, by a rule".to_owned(),
    }));
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

fn crash(call: Sysno) -> String {
    match facts(call).crash {
        CrashPoint::Nowhere => "",
        CrashPoint::Files => "if it changes files or names",
        CrashPoint::Sync => "if it makes changes durable",
        CrashPoint::Ending => "if it ends a stream",
        CrashPoint::Connects => "if it makes a connection",
        CrashPoint::Writes(_) => "if it writes to a file or a socket",
        CrashPoint::Receives => "if it receives from a socket",
    }
    .to_owned()
}

fn interrupted(call: Sysno) -> &'static str {
    match facts(call).after_signal {
        AfterSignal::Ends => "",
        AfterSignal::Restarts => "begins again",
        AfterSignal::Untimed => "begins again, unless its socket has a timeout",
    }
}
