//! [`RunWatch`]: the page about a run while it goes on, for a browser on this machine (`--watch`).
//!
//! A thread of its own makes the page out of the output folder when it is asked for, and not more often than
//! every now and then, so that the run does nothing for it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use anyhow::{Context, Result};
use everett_engine::MonotonicClock;
use everett_report::{LiveState, live_html};

use crate::commands::report;
use crate::local_server::{LocalAnswer, LocalServer};
use crate::sources::SourceFiles;
use crate::terminal;

/// A page is made again after this time.
const MADE_EVERY: Duration = Duration::from_millis(700);
/// Somebody looks who has asked so long ago at most.
const LOOKING: Duration = Duration::from_secs(4);
/// The time for who looks to get the last page.
const FAREWELL: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(20);

/// Says where the run stands, in a line.
pub(super) type ProgressLine = Box<dyn Fn() -> String + Send + Sync>;

/// The server of a run.
pub(super) struct RunWatch {
    shared: Arc<WatchShared>,
    thread: Option<JoinHandle<()>>,
}

struct WatchShared {
    server: LocalServer,
    line: ProgressLine,
    folder: PathBuf,
    clock: MonotonicClock,
    is_over: AtomicBool,
    state: Mutex<WatchState>,
}

#[derive(Default)]
struct WatchState {
    /// When somebody has asked for the page.
    asked: Option<Duration>,
    /// The last page and when it was made.
    made: Option<(Duration, String)>,
    /// Somebody has got the page of the end.
    has_told_end: bool,
}

impl RunWatch {
    /// Starts to serve, and prints the address.
    pub(super) fn start(
        folder: PathBuf,
        line: ProgressLine,
        clock: MonotonicClock,
    ) -> Result<RunWatch> {
        let server = LocalServer::start(0)?;
        terminal::err(&format!("watch the run: {}\n", server.url()));
        let (is_over, state) = (AtomicBool::new(false), Mutex::default());
        let shared = Arc::new(WatchShared { server, line, folder, clock, is_over, state });
        let serving = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("watch".to_owned());
        let thread = thread.spawn(move || serving.serve()).context("cannot start a thread")?;
        Ok(RunWatch { shared, thread: Some(thread) })
    }

    /// The results are stored. Waits for who looks to get the last page.
    pub(super) fn finish(self) {
        let shared = &self.shared;
        shared.is_over.store(true, Ordering::Release);
        let end = shared.clock.now() + FAREWELL;
        while shared.is_looked_at() && shared.clock.now() < end {
            sleep(PAUSE);
        }
    }
}

impl Drop for RunWatch {
    fn drop(&mut self) {
        self.shared.server.stop();
        // A thread that has failed has said so.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl WatchShared {
    /// Returns `true` if somebody looks who has not seen the end.
    fn is_looked_at(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        !state.has_told_end && state.asked.is_some_and(|asked| now.saturating_sub(asked) < LOOKING)
    }

    fn serve(&self) {
        let base = self.server.base();
        while let Ok(Some(request)) = self.server.next() {
            let is_page = request.path().is_empty() && !request.is_post;
            let answer = match is_page.then(|| self.page()) {
                None => LocalAnswer::NotFound("there is no such page".to_owned()),
                Some(Ok(page)) => LocalAnswer::Page(page),
                Some(Err(error)) => LocalAnswer::Failed(format!("{error:#}")),
            };
            let is_end = self.is_over.load(Ordering::Acquire);
            request.answer(&base, answer);
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.asked = Some(self.clock.now());
            state.has_told_end |= is_page && is_end && state.made.is_none();
        }
    }

    /// The page as it is now, or was a moment ago.
    fn page(&self) -> Result<String> {
        let is_over = self.is_over.load(Ordering::Acquire);
        let now = self.clock.now();
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let is_new = |made: Duration| now.saturating_sub(made) < MADE_EVERY;
            match &state.made {
                Some((made, page)) if !is_over && is_new(*made) => return Ok(page.clone()),
                _ => state.made = None,
            }
        }
        let record = report::read(&self.folder)?;
        let file = self.folder.join(report::PAGE);
        let (line, file) = ((self.line)(), file.is_file().then(|| file.display().to_string()));
        let state = match is_over {
            true => LiveState::Over(file.as_deref()),
            false => LiveState::Running(&line),
        };
        let page = live_html(&record, &SourceFiles::default(), state);
        if !is_over {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.made = Some((self.clock.now(), page.clone()));
        }
        Ok(page)
    }
}
