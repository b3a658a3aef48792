//! The plan of the conductor: the programs that it starts, their places, and the expected outcome.
//!
//! A text with a key and values on each line; `runtime-c/replay/conductor/plan.c` reads it.

use std::fmt::Write;

use everett_engine::{InterpConfig, ProgramLaunch};
use everett_replay::dtest::{TestOutcome, TestPlace};
use everett_replay::script::{EventFlags, ScriptApi, ScriptEvent};
use everett_toolchain::Libc;

use super::executable::NativeExecutable;
use super::folder;
use super::network::namespace_of_node;
use crate::error::{RerunError, Result};
use crate::script::{NodeLaunch, ScriptRecording};

/// The path of the program in the folder that a node sees as its root.
pub(super) const PROGRAM: &str = "/.everett/program";

/// The options of sanitizers: they end the program at once, do not look at clocks, and do not start
/// tools, which are not there. `replay.sh` finds the lines.
const SANITIZERS: [&str; 2] = [
    "ASAN_OPTIONS=abort_on_error=1:detect_leaks=0:symbolize=0:allocator_release_to_os_interval_ms=-1",
    "UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_summary=1:symbolize=0",
];

/// A value as it is written.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'%' | ..=b' ' | 127.. => {
                let _ = write!(text, "%{byte:02x}");
            }
            _ => text.push(char::from(*byte)),
        }
    }
    text
}

/// The name of the root of a node's start, below the folder of a run.
pub(super) fn root_name(node: usize, boot: usize) -> String {
    format!("{}.{boot}", namespace_of_node(node))
}

/// The plan of a recording.
pub(super) fn text(recording: &ScriptRecording, programs: &[NativeExecutable]) -> Result<String> {
    let outcome = recording.test.record.as_ref().map(|record| record.outcome.clone());
    let mut text = expectation(&outcome.unwrap_or_default(), recording, programs)?;
    for (at, node) in recording.script.nodes.iter().enumerate() {
        let _ = writeln!(text, "\nnode {}", escaped(node.name.as_bytes()));
        let _ =
            writeln!(text, "hostname {}", escaped(recording.test.nodes[at].hostname.as_bytes()));
        let _ = writeln!(text, "network /run/netns/{}", namespace_of_node(at));
        let launches = recording.launches.iter().filter(|launch| launch.node as usize == at);
        for (boot, launch) in launches.enumerate() {
            start(&mut text, launch, &root_name(at, boot), boot == 0, &programs[at]);
        }
        if recording.stack_bytes != InterpConfig::STACK_BYTES {
            let _ = writeln!(text, "stack {}", recording.stack_bytes);
        }
    }
    Ok(text)
}

fn start(
    text: &mut String,
    launch: &NodeLaunch,
    root: &str,
    is_first: bool,
    program: &NativeExecutable,
) {
    let NodeLaunch { node: _, thread, with } = launch;
    let ProgramLaunch { argv, env, cwd, uid, gid, stdin: _, files } = with;
    if is_first {
        let _ = writeln!(text, "uid {uid}\ngid {gid}");
    }
    let _ = writeln!(text, "boot {root}\nthread {thread}\ncwd {}", escaped(cwd));
    let _ = writeln!(text, "program {PROGRAM}");
    for (path, permissions) in folder::sockets(files) {
        let _ = writeln!(text, "socket {} {permissions}", escaped(path));
    }
    for argument in argv {
        let _ = writeln!(text, "arg {}", escaped(argument));
    }
    for variable in env {
        let _ = writeln!(text, "env {}", escaped(variable));
    }
    if program.libc == Libc::Glibc {
        for options in SANITIZERS {
            let _ = writeln!(text, "env {options}");
        }
    }
}

/// Returns the end that the conductor expects.
fn expectation(
    outcome: &TestOutcome,
    recording: &ScriptRecording,
    programs: &[NativeExecutable],
) -> Result<String> {
    let (kind, node, stack) = match outcome {
        TestOutcome::Finding { kind, node, stack, message: _ } => (kind, node, stack),
        TestOutcome::Ended(_) => return Ok(ends(recording)),
        TestOutcome::Unfinished { .. } => {
            let reason = "instructions are counted in the engine only".to_owned();
            return Err(RerunError::NotVisible { reason });
        }
    };
    let at = recording.script.nodes.iter().position(|each| each.name == *node);
    let libc = at.map_or(Libc::Musl, |at| programs[at].libc);
    let name = escaped(node.as_bytes());
    Ok(match kind.as_str() {
        "assert" => {
            let said = said_by_assert(stack, libc).map(|said| escaped(said.as_bytes()));
            format!("expect assert {name} {}\n", said.unwrap_or_default())
        }
        "abort" | "uncaught-exception" => format!("expect assert {name}\n"),
        "data-race" => format!("expect race {name}\n"),
        "trojan" => format!("expect accepted {name}\n"),
        "deadlock" => format!("expect deadlock {name}\n"),
        "hang" => format!("expect hang {name}\n"),
        "invariant" => format!("expect exposed {name}\n"),
        "user-error" if let Some(said) = refusal(recording, at) => {
            format!("expect assert {name} {}\n", escaped(said))
        }
        "leak" | "lock-misuse" | "uninitialized" | "information-leak" | "user-error"
        | "undefined-function" | "undefined-variable" | "call-mismatch" | "overshift"
        | "overlap" | "unreachable" => {
            let reason = format!("nothing happens to a native program in a {kind}");
            return Err(RerunError::NotVisible { reason });
        }
        _ => format!("expect memory {name}\n"),
    })
}

/// Returns the reason for which the last call of a node was refused, which ends the node; `None` if the
/// call was not refused.
fn refusal(recording: &ScriptRecording, node: Option<usize>) -> Option<&[u8]> {
    let script = &recording.script;
    let is_own =
        |event: &&ScriptEvent| Some(script.threads[event.thread as usize].node as usize) == node;
    let last = script.events.iter().rfind(is_own)?;
    last.flags.has(EventFlags::REFUSED).then_some(&last.data)
}

/// Returns the message of the C library about a failed assertion, as far as it tells the place.
fn said_by_assert(stack: &[TestPlace], libc: Libc) -> Option<String> {
    let TestPlace { line, .. } = stack.iter().find(|place| !place.file.starts_with('<'))?;
    // The function may be another one if it is inlined.
    Some(match libc {
        Libc::Musl => format!(": {line})\n"),
        Libc::Glibc => format!(":{line}: "),
    })
}

/// The ends of nodes: those that end in the script end in the same way natively, and the others wait.
fn ends(recording: &ScriptRecording) -> String {
    let mut text = String::from("expect ended\n");
    let script = &recording.script;
    for (at, node) in script.nodes.iter().enumerate() {
        let thread = { recording.launches.iter() }
            .rfind(|launch| launch.node as usize == at)
            .map(|launch| launch.thread);
        let is_end = |event: &&ScriptEvent| {
            let process = script.threads[event.thread as usize].process;
            event.api == ScriptApi::Exit && Some(process) == thread
        };
        let status = script.events.iter().find(is_end).map_or(-1, |event| event.result);
        let _ = writeln!(text, "end {} {status}", escaped(node.name.as_bytes()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_words() {
        assert_eq!(escaped(b"a b%\n\xff"), "a%20b%25%0a%ff");
    }

    #[test]
    fn the_place_of_an_assertion_is_what_the_library_says() {
        let place = |file: &str, function: &str, line| TestPlace {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            column: 1,
        };
        let stack =
            [place("<musl>/src/exit/assert.c", "__assert_fail", 8), place("a.c", "main", 12)];
        assert_eq!(said_by_assert(&stack, Libc::Musl).unwrap(), ": 12)\n");
        assert_eq!(said_by_assert(&stack, Libc::Glibc).unwrap(), ":12: ");
    }
}
