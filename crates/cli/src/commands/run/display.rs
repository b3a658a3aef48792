//! Progress while a run goes on: a line redrawn on a terminal, a line now and then elsewhere.

use std::time::Duration;

use everett_engine::Progress;
use everett_report::progress_line;

use crate::terminal;

/// The time between two updates of the line on a terminal.
const REDRAW: Duration = Duration::from_millis(200);
/// The time between two lines where the output is no terminal.
const LINE: Duration = Duration::from_secs(5);
/// Back to the first column, and erase to the end.
const CLEAR: &str = "\r\x1b[K";

#[derive(Clone, Copy, PartialEq, Eq)]
enum DisplayMode {
    Silent,
    Lines,
    Redrawn,
}

/// The progress display.
pub(crate) struct ProgressDisplay {
    mode: DisplayMode,
    next: Duration,
    shown: bool,
}

impl ProgressDisplay {
    /// A display on standard error.
    pub(crate) fn new(quiet: bool) -> ProgressDisplay {
        let mode = match (quiet, terminal::is_interactive()) {
            (true, _) => DisplayMode::Silent,
            (false, true) => DisplayMode::Redrawn,
            (false, false) => DisplayMode::Lines,
        };
        let next = if mode == DisplayMode::Redrawn { REDRAW } else { LINE };
        ProgressDisplay { mode, next, shown: false }
    }

    /// Shows where the run stands, if it is time to.
    pub(crate) fn update(&mut self, progress: &Progress) {
        self.show(progress.elapsed, || progress_line(progress));
    }

    /// Shows a line, if it is time to.
    pub(crate) fn show(&mut self, elapsed: Duration, line: impl FnOnce() -> String) {
        if self.mode == DisplayMode::Silent || elapsed < self.next {
            return;
        }
        let line = line();
        if self.mode == DisplayMode::Redrawn {
            self.next = elapsed + REDRAW;
            self.shown = true;
            let fitting: String = line.chars().take(terminal::width().saturating_sub(1)).collect();
            terminal::err(&format!("{CLEAR}{fitting}"));
        } else {
            self.next = elapsed + LINE;
            terminal::err(&format!("{line}\n"));
        }
    }

    /// Makes room for other text.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            terminal::err(CLEAR);
        }
    }
}
