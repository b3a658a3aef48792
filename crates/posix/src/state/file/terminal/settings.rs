//! The settings of a terminal, as `tcgetattr` shows them: [`TerminalSettings`].

use linux_raw_sys::general as linux;

/// Bytes of the kernel's `struct termios`.
pub(crate) const SETTINGS_BYTES: usize = 36;
/// Special characters in it.
const KEYS: usize = 19;
/// Flags of input, output and editing.
const ISTRIP: u32 = linux::ISTRIP;
const INLCR: u32 = linux::INLCR;
const IGNCR: u32 = linux::IGNCR;
const ICRNL: u32 = linux::ICRNL;
const IXON: u32 = linux::IXON;
const OPOST: u32 = linux::OPOST;
const ONLCR: u32 = linux::ONLCR;
/// The conversions of input and output that are not simulated.
const UNSUPPORTED_INPUT: u32 = ISTRIP | linux::IUCLC;
const UNSUPPORTED_OUTPUT: u32 =
    linux::OLCUC | linux::OCRNL | linux::ONOCR | linux::ONLRET | linux::OFILL | linux::TAB3;

/// A character that means something to a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecialKey {
    Signal(u32),
    /// It takes the last character back, the last word, or the whole line.
    Erase,
    EraseWord,
    Kill,
    /// It shows the line once more.
    Reprint,
    /// The next character means nothing.
    Quote,
    EndOfFile,
    NewLine,
    /// It ends a line, and is part of it.
    EndOfLine,
    /// It holds output up, and lets it go on.
    Stop,
    Start,
    /// It is ignored.
    Dropped,
}

impl SpecialKey {
    /// Returns true if it takes characters back.
    pub(crate) fn erases(self) -> bool {
        matches!(self, SpecialKey::Erase | SpecialKey::EraseWord | SpecialKey::Kill)
    }
}

/// The settings of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TerminalSettings {
    input: u32,
    output: u32,
    /// Speed and form of characters, which make no difference.
    control: u32,
    editing: u32,
    line: u8,
    keys: [u8; KEYS],
}

everett_base::portable!(struct TerminalSettings { input, output, control, editing, line, keys });

impl Default for TerminalSettings {
    /// Those of a terminal that was just made.
    fn default() -> TerminalSettings {
        TerminalSettings {
            input: ICRNL | IXON,
            output: OPOST | ONLCR,
            control: linux::B38400 | linux::CS8 | linux::CREAD,
            editing: linux::ISIG
                | linux::ICANON
                | linux::ECHO
                | linux::ECHOE
                | linux::ECHOK
                | linux::ECHOCTL
                | linux::ECHOKE
                | linux::IEXTEN,
            line: 0,
            keys: *b"\x03\x1c\x7f\x15\x04\0\x01\0\x11\x13\x1a\0\x12\x0f\x17\x16\0\0\0",
        }
    }
}

impl TerminalSettings {
    /// As the kernel's `struct termios`.
    pub(crate) fn to_bytes(self) -> [u8; SETTINGS_BYTES] {
        let mut bytes = [0; SETTINGS_BYTES];
        let words = [self.input, self.output, self.control, self.editing];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[16] = self.line;
        bytes[17..].copy_from_slice(&self.keys);
        bytes
    }

    /// Those of a `struct termios`; the name of a conversion that is not simulated.
    pub(crate) fn from_bytes(bytes: &[u8; SETTINGS_BYTES]) -> Result<TerminalSettings, String> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let mut keys = [0; KEYS];
        keys.copy_from_slice(&bytes[17..]);
        let settings = TerminalSettings {
            input: word(0),
            output: word(4),
            control: word(8),
            editing: word(12),
            line: bytes[16],
            keys,
        };
        let input = settings.input & UNSUPPORTED_INPUT;
        let is_processed = settings.output & OPOST != 0;
        let output = if is_processed { settings.output & UNSUPPORTED_OUTPUT } else { 0 };
        match (input, output) {
            (0, 0) => Ok(settings),
            (0, output) => Err(format!("flags of output {output:#x} of a terminal")),
            (input, _) => Err(format!("flags of input {input:#x} of a terminal")),
        }
    }

    /// Input is edited by lines.
    pub(crate) fn has_lines(&self) -> bool {
        self.editing & linux::ICANON != 0
    }

    pub(crate) fn echoes(&self) -> bool {
        self.editing & linux::ECHO != 0
    }

    /// New lines are echoed although nothing else is.
    pub(crate) fn echoes_newline(&self) -> bool {
        self.has_lines() && self.editing & linux::ECHONL != 0
    }

    /// Control characters are echoed as `^C`.
    pub(crate) fn echoes_control(&self) -> bool {
        self.editing & linux::ECHOCTL != 0
    }

    /// What is erased disappears from the screen.
    pub(crate) fn echoes_erased(&self) -> bool {
        self.editing & linux::ECHOE != 0
    }

    /// A line that is taken back disappears from the screen; otherwise the key is shown.
    pub(crate) fn echoes_killed(&self) -> bool {
        let wanted = linux::ECHOK | linux::ECHOKE | linux::ECHOE;
        self.editing & wanted == wanted
    }

    /// A new line is shown behind the key that takes a line back.
    pub(crate) fn breaks_at_kill(&self) -> bool {
        self.editing & linux::ECHOK != 0
    }

    /// What is erased is shown once more, between slashes.
    pub(crate) fn prints_erased(&self) -> bool {
        self.editing & linux::ECHOPRT != 0
    }

    /// Characters of several bytes (UTF-8) are erased whole.
    pub(crate) fn has_long_characters(&self) -> bool {
        self.input & linux::IUTF8 != 0
    }

    /// Signals leave what was typed.
    pub(crate) fn keeps_input(&self) -> bool {
        self.editing & linux::NOFLSH != 0
    }

    /// Processes in the background may not write.
    pub(crate) fn stops_output_of_others(&self) -> bool {
        self.editing & linux::TOSTOP != 0
    }

    /// A new line is shown with a return before it.
    pub(crate) fn returns_at_newline(&self) -> bool {
        self.output & (OPOST | ONLCR) == OPOST | ONLCR
    }

    /// The bytes that a read waits for without lines, and tenths of a second.
    pub(crate) fn least_bytes_and_time(&self) -> (u8, u8) {
        (self.keys[linux::VMIN as usize], self.keys[linux::VTIME as usize])
    }

    /// The bytes that mean something, and the key that each is. The first that fits counts.
    pub(crate) fn special_keys(&self) -> Vec<(u8, SpecialKey)> {
        let mut keys = Vec::new();
        let key = |index: u32| self.keys[index as usize];
        let mut add = |is_on: bool, byte: u8, key: SpecialKey| {
            // The byte 0 stands for no key.
            if is_on && byte != 0 {
                keys.push((byte, key));
            }
        };
        let has_signals = self.editing & linux::ISIG != 0;
        let (has_flow, has_lines) = (self.input & IXON != 0, self.has_lines());
        add(has_flow, key(linux::VSTART), SpecialKey::Start);
        add(has_flow, key(linux::VSTOP), SpecialKey::Stop);
        add(has_signals, key(linux::VINTR), SpecialKey::Signal(linux::SIGINT));
        add(has_signals, key(linux::VQUIT), SpecialKey::Signal(linux::SIGQUIT));
        add(has_signals, key(linux::VSUSP), SpecialKey::Signal(linux::SIGTSTP));
        add(self.input & IGNCR != 0, b'\r', SpecialKey::Dropped);
        add(self.input & ICRNL != 0, b'\r', SpecialKey::NewLine);
        add(has_lines, key(linux::VERASE), SpecialKey::Erase);
        add(has_lines, key(linux::VKILL), SpecialKey::Kill);
        add(has_lines, key(linux::VEOF), SpecialKey::EndOfFile);
        let is_extended = has_lines && self.editing & linux::IEXTEN != 0;
        add(is_extended, key(linux::VWERASE), SpecialKey::EraseWord);
        add(is_extended, key(linux::VLNEXT), SpecialKey::Quote);
        add(is_extended && self.echoes(), key(linux::VREPRINT), SpecialKey::Reprint);
        add(has_lines && self.input & INLCR == 0, b'\n', SpecialKey::NewLine);
        add(has_lines, key(linux::VEOL), SpecialKey::EndOfLine);
        add(is_extended, key(linux::VEOL2), SpecialKey::EndOfLine);
        keys
    }

    /// The key that a byte is.
    #[cfg(test)]
    pub(super) fn key_of(&self, byte: u8) -> Option<SpecialKey> {
        self.special_keys().into_iter().find(|(of, _)| *of == byte).map(|(_, key)| key)
    }

    /// The same without lines, signals and conversions.
    #[cfg(test)]
    pub(super) fn raw(&self) -> TerminalSettings {
        TerminalSettings { input: 0, output: 0, editing: 0, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_those_that_were_set() {
        let settings = TerminalSettings::default();
        let mut bytes = settings.to_bytes();
        assert_eq!(TerminalSettings::from_bytes(&bytes), Ok(settings));
        bytes[0] |= ISTRIP as u8;
        let error = TerminalSettings::from_bytes(&bytes).unwrap_err();
        assert_eq!(error, "flags of input 0x20 of a terminal");
    }

    #[test]
    fn keys_mean_nothing_when_they_are_off() {
        let settings = TerminalSettings::default();
        assert_eq!(settings.key_of(3), Some(SpecialKey::Signal(linux::SIGINT)));
        assert_eq!(settings.key_of(b'\r'), Some(SpecialKey::NewLine));
        assert_eq!((settings.key_of(b'a'), settings.raw().key_of(3)), (None, None));
    }
}
