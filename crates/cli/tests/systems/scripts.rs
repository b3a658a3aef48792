//! The oracle of scripts: each finding has one, always the same, and it makes sense in itself.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use everett_replay::script::{EventFlags, Script, ScriptApi, ScriptEvent};
use everett_rerun::ReplayResult;
use everett_rerun::script::{ScriptRecording, record};

use crate::build::{Installed, Workshop};
use crate::cases::Case;

/// The problems of the script of a test, which has the expected outcome when it is not recorded.
pub(crate) fn check(
    workshop: &Workshop,
    case: &Case,
    installed: &Installed,
    test: &Path,
    replayed: &ReplayResult,
) -> Result<Vec<String>> {
    let make = || -> Result<ScriptRecording> {
        let recording = record(test, |file| Ok(installed.program(file)?), &workshop.context());
        recording.context("the script cannot be made")
    };
    let (first, second) = (make()?, make()?);
    let mut complaints = complaints(&first.script);
    let bytes = first.script.to_bytes();
    if bytes != second.script.to_bytes() || first.launches != second.launches {
        complaints.push("a second recording is another one".to_owned());
    }
    if Script::from_bytes(&bytes).as_ref() != Ok(&first.script) {
        complaints.push("what is read is not what was written".to_owned());
    }
    if first.replayed.instructions != replayed.instructions {
        let (with, without) = (first.replayed.instructions, replayed.instructions);
        complaints.push(format!("{with} instructions while it is recorded, {without} otherwise"));
    }
    if replayed.world.as_ref().is_some_and(|world| !world.recorded.is_empty()) {
        complaints.push("it is recorded although nobody has asked for that".to_owned());
    }
    if !first.troubles.is_empty() {
        complaints.push(format!("only in the engine because {:?}", first.troubles));
    }
    if case.expected.script {
        let name = case.file.replace(".toml", ".script");
        expect_test::expect_file![case.folder.path.join(name)].assert_eq(&first.script.to_string());
    }
    for launch in &first.launches {
        let is_there = launch.with.files.iter().any(|file| file.path == launch.with.cwd);
        if launch.with.argv.is_empty() || !is_there {
            complaints
                .push(format!("node {} cannot be started: {:?}", launch.node, launch.with.argv));
        }
    }
    Ok(complaints)
}

/// The events of a script that no script can have.
fn complaints(script: &Script) -> Vec<String> {
    let mut complaints = Vec::new();
    // By thread: whether it has begun, and whether it waits at an event.
    let mut threads: BTreeMap<u32, Option<usize>> = BTreeMap::new();
    for (at, event) in script.events.iter().enumerate() {
        let mut complain = |what: &str| complaints.push(format!("{what}: {at} {event}"));
        if event.thread as usize >= script.threads.len() {
            complain("there is no such thread");
        }
        let state = threads.get(&event.thread).copied();
        match (event.api, state) {
            (ScriptApi::Start, None) | (ScriptApi::Restart, None) => {}
            (ScriptApi::Start, Some(_)) if event.thread != restarted(script, at) => {
                complain("a thread begins twice");
            }
            (ScriptApi::Start, _) => {}
            (_, None) => complain("a thread has not begun"),
            (api, Some(Some(wait))) if !may_follow(event, &script.events[wait], api) => {
                complain("a thread waits");
            }
            _ => {}
        }
        if event.flags.has(EventFlags::RETURN) && state.flatten().is_none() {
            complain("a call ends that has not waited");
        }
        if event.partner.is_some_and(|partner| partner as usize >= at) {
            complain("it belongs to something later");
        }
        let waits = event.flags.has(EventFlags::BLOCKS).then_some(at);
        threads.insert(event.thread, waits);
    }
    complaints
}

/// The thread that a node has begun again with just before.
fn restarted(script: &Script, at: usize) -> u32 {
    let before = at.checked_sub(1).map(|before| &script.events[before]);
    before.filter(|event| event.api == ScriptApi::Restart).map_or(u32::MAX, |event| event.thread)
}

/// Returns `true` if an event of a thread may follow one with which it began to wait.
fn may_follow(event: &ScriptEvent, wait: &ScriptEvent, api: ScriptApi) -> bool {
    let ends = event.flags.has(EventFlags::RETURN) && event.api == wait.api;
    // A signal ends or interrupts a wait; a crash ends everything.
    ends || matches!(api, ScriptApi::Signal | ScriptApi::Exit | ScriptApi::NodeCrash)
}
