//! Panics of workers: errors of the engine, which end a run in order.
//!
//! A worker that panics loses the state that it was at, and nothing else: what it has counted, found
//! and written stays, and the run says what happened. Where it happened is told by the process's panic
//! hook only, which belongs to the embedder: it hands what it is told to a [`PanicLog`].

use std::any::Any;
use std::panic::PanicHookInfo;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// Panics of the threads that run an engine, with their places.
#[derive(Debug, Default)]
pub struct PanicLog(Mutex<LogEntries>);

#[derive(Debug, Default)]
struct LogEntries {
    /// Threads that run an engine.
    watched: Vec<ThreadId>,
    /// Panics that nobody has asked for yet.
    panics: Vec<(ThreadId, String)>,
}

impl PanicLog {
    fn entries(&self) -> MutexGuard<'_, LogEntries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a panic; to be called by the panic hook. False if the panic is of a thread that
    /// runs no engine, and has to be shown in another way.
    pub fn note(&self, info: &PanicHookInfo<'_>) -> bool {
        let mut entries = self.entries();
        let current = thread::current().id();
        if !entries.watched.contains(&current) {
            return false;
        }
        let place = info.location().map_or(String::new(), |place| {
            format!(", at {}:{}:{}", place.file(), place.line(), place.column())
        });
        entries.panics.push((current, format!("{}{place}", message(info.payload()))));
        true
    }

    /// Has panics of this thread taken note of from now on, until the guard is dropped.
    pub(crate) fn watch(&self) -> PanicWatch<'_> {
        self.entries().watched.push(thread::current().id());
        PanicWatch(self)
    }

    /// The panic of this thread that was noted first.
    fn take(&self) -> Option<String> {
        let mut entries = self.entries();
        let current = thread::current().id();
        let at = entries.panics.iter().position(|(thread, _)| *thread == current)?;
        Some(entries.panics.remove(at).1)
    }

    /// The message of a panic of this thread and, if the panic hook has told, its place.
    pub(crate) fn describe(&self, payload: &(dyn Any + Send)) -> String {
        self.take().unwrap_or_else(|| message(payload).to_owned())
    }
}

/// While it lives, panics of its thread are noted.
pub(crate) struct PanicWatch<'l>(&'l PanicLog);

impl Drop for PanicWatch<'_> {
    fn drop(&mut self) {
        let mut entries = self.0.entries();
        let current = thread::current().id();
        if let Some(at) = entries.watched.iter().rposition(|thread| *thread == current) {
            entries.watched.remove(at);
        }
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "no message",
    }
}
