//! Emphasis: escape sequences on a terminal that wants them, plain text elsewhere.

/// The way in which emphasis is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaintMode {
    /// Not at all.
    Plain,
    /// With the terminal's colours.
    Colour,
}

impl PaintMode {
    /// A bug, an error.
    pub fn alarm(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    /// Something to look at twice.
    pub fn caution(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    /// A heading, a label.
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Paints what frames the text: arrows, line numbers.
    pub fn frame(self, text: &str) -> String {
        self.wrap("34", text)
    }

    /// Paints text that may be skipped.
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            PaintMode::Plain => text.to_owned(),
            PaintMode::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
