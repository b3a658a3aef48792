//! Progress while a run goes on: a line redrawn on a terminal, a line now and then elsewhere.

use std::time::Duration;

use everett_engine::Progress;
use everett_report::progress_line;

use crate::terminal;

/// How often a terminal is redrawn.
const REDRAW: Duration = Duration::from_millis(200);
/// How often a line is added elsewhere.
const LINE: Duration = Duration::from_secs(5);
/// Back to the first column, and erase to the end.
const CLEAR: &str = "\r\x1b[K";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Silent,
    Lines,
    Redrawn,
}

/// The progress display.
pub(crate) struct Display {
    mode: Mode,
    next: Duration,
    shown: bool,
}

impl Display {
    /// A display on standard error.
    pub(crate) fn new(quiet: bool) -> Display {
        let mode = match (quiet, terminal::is_interactive()) {
            (true, _) => Mode::Silent,
            (false, true) => Mode::Redrawn,
            (false, false) => Mode::Lines,
        };
        let next = if mode == Mode::Redrawn { REDRAW } else { LINE };
        Display { mode, next, shown: false }
    }

    /// Shows where the run stands, if it is time to.
    pub(crate) fn update(&mut self, progress: &Progress) {
        self.show(progress.elapsed, || progress_line(progress));
    }

    /// Shows a line, if it is time to.
    pub(crate) fn show(&mut self, elapsed: Duration, line: impl FnOnce() -> String) {
        if self.mode == Mode::Silent || elapsed < self.next {
            return;
        }
        let line = line();
        if self.mode == Mode::Redrawn {
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
