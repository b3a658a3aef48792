//! Standard output, standard error, and colours.
//!
//! Results go to standard output, progress and errors to standard error. A reader that goes away
//! (`everett run ... | head`) is no reason to fail, so errors of writing are ignored here; what must
//! not be lost is in the output folder.

use std::io::{IsTerminal, Write};

use everett_report::{FramesShown, PaintMode};
use everett_settings::FrameChoice;

/// Writes to standard output.
pub(crate) fn out(text: &str) {
    out_bytes(text.as_bytes());
}

/// Writes bytes of the program under test to standard output.
pub(crate) fn out_bytes(bytes: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
}

/// Writes to standard error.
pub(crate) fn err(text: &str) {
    err_bytes(text.as_bytes());
}

/// Writes bytes to standard error.
pub(crate) fn err_bytes(bytes: &[u8]) {
    let _ = std::io::stderr().lock().write_all(bytes);
}

/// Reports what failed.
pub(crate) fn error(message: &str) {
    err(&format!("{} {message}\n", error_paint().alarm("error:")));
}

/// Reports what the user should know.
pub(crate) fn warning(message: &str) {
    err(&format!("{} {message}\n", error_paint().caution("warning:")));
}

/// Colours of standard output.
pub(crate) fn paint() -> PaintMode {
    choose(std::io::stdout().is_terminal())
}

/// Returns `true` if standard error is a terminal, on which a line can be redrawn.
pub(crate) fn is_interactive() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Columns of the terminal.
pub(crate) fn width() -> usize {
    match terminal_size::terminal_size_of(std::io::stderr()) {
        Some((terminal_size::Width(columns), _)) => usize::from(columns),
        None => 80,
    }
}

fn error_paint() -> PaintMode {
    choose(std::io::stderr().is_terminal())
}

/// See no-color.org.
/// The frames of stacks that a user has asked for.
pub(crate) fn frames_shown(choice: FrameChoice) -> FramesShown {
    match choice {
        FrameChoice::Own => FramesShown::Own,
        FrameChoice::All => FramesShown::All,
    }
}

fn choose(is_terminal: bool) -> PaintMode {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if is_terminal && !refused { PaintMode::Colour } else { PaintMode::Plain }
}
