//! Pseudo-terminals: a pair of files with the line discipline between them ([`Terminal`]).
//!
//! What is written to the master is typed: it is edited by lines, echoed, and some of it is signals. What
//! is written to the slave is shown: the master reads it. Bytes may be symbolic; the caller says which of
//! the special characters each of them is ([`TypedByte`]), so that nothing here forks.
//!
//! Not here: the calls, signals and waits (`sys/files/terminal.rs`).

mod settings;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use everett_memory::ByteValue;
use linux_raw_sys::general as linux;

pub(crate) use self::settings::{SpecialKey, TerminalSettings};
use crate::state::data::ByteData;
use crate::state::ids::Pid;
use crate::state::process::rare::rare;

/// The control character that is never shown as one.
const TAB: ByteValue = ByteValue::Concrete(b'\t');
/// Bytes that wait to be read by the slave, or by the master.
pub(crate) const MOST_INPUT: usize = 4095;
pub(crate) const MOST_OUTPUT: usize = 65536;

/// All terminals of a node, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct TerminalTable {
    pub(crate) terminals: BTreeMap<u32, Terminal>,
}

everett_base::portable!(struct TerminalTable { terminals });

rare!(TerminalTable);

/// A pair of files: the master, which plays the device, and the slave, which programs take for a terminal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terminal {
    pub(crate) settings: TerminalSettings,
    /// Rows, columns, and their sizes in pixels.
    pub(crate) size: [u16; 4],
    /// The slave cannot be opened yet.
    pub(crate) is_locked: bool,
    /// The session that it controls, and the group of processes in front.
    pub(crate) session: Option<Pid>,
    pub(crate) foreground: Option<Pid>,
    /// Open files of either end.
    pub(crate) masters: u32,
    pub(crate) slaves: u32,
    /// True once the slave was open: only then the master sees a hang-up.
    pub(crate) had_slave: bool,
    /// Output waits until it is resumed (`^S`).
    pub(crate) is_stopped: bool,
    /// Whole lines, oldest first; without lines (`ICANON` is off), all bytes. An empty line is an end of
    /// file.
    lines: Arc<VecDeque<Vec<ByteValue>>>,
    /// The line that is being typed.
    edited: Vec<ByteValue>,
    /// The next byte means nothing, as the last one was the key for that.
    is_quoted: bool,
    /// The bytes that the master can read.
    shown: Arc<VecDeque<ByteValue>>,
    /// Changes so far that made each end ready to be read: slave and master.
    pub(crate) arrivals: [u64; 2],
}

everett_base::portable!(struct Terminal {
    settings, size, is_locked, session, foreground, masters, slaves, had_slave, is_stopped, lines,
    edited, is_quoted, shown, arrivals,
});

impl TerminalTable {
    /// The events that an end is ready for.
    pub(crate) fn events(&self, number: u32, is_master: bool) -> u32 {
        let Some(terminal) = self.terminals.get(&number) else { return linux::POLLHUP };
        let input = linux::POLLIN | linux::POLLRDNORM;
        let output = linux::POLLOUT | linux::POLLWRNORM;
        let when = |is_so: bool, events: u32| if is_so { events } else { 0 };
        if is_master {
            let has_room = terminal.input_len() < MOST_INPUT || terminal.settings.has_lines();
            return when(terminal.shown_len() > 0, input)
                | when(has_room, output)
                | when(terminal.had_slave && terminal.slaves == 0, linux::POLLHUP);
        }
        if terminal.masters == 0 {
            return input | output | linux::POLLHUP | linux::POLLERR;
        }
        let least = match terminal.settings.least_bytes_and_time() {
            (least, 0) => usize::from(least).max(1),
            _ => 1,
        };
        let is_readable = match terminal.settings.has_lines() {
            true => terminal.has_line(),
            false => terminal.readable_len() >= least,
        };
        when(is_readable, input) | when(terminal.output_room() > 1 && !terminal.is_stopped, output)
    }

    /// The number of times that an end became ready for reading.
    pub(crate) fn arrivals(&self, number: u32, is_master: bool) -> u64 {
        let terminal = self.terminals.get(&number);
        terminal.map_or(0, |terminal| terminal.arrivals[usize::from(is_master)])
    }

    /// Bytes that can be read from an end.
    pub(crate) fn readable_bytes(&self, number: u32, is_master: bool) -> u64 {
        let count = self.terminals.get(&number).map_or(0, |terminal| {
            if is_master { terminal.shown_len() } else { terminal.readable_len() }
        });
        count as u64
    }
}

/// A byte that is typed, and the key that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypedByte {
    pub(crate) byte: ByteValue,
    /// The key, if it is one of those that mean something with the settings.
    pub(crate) key: Option<SpecialKey>,
}

/// The effect of a typed byte on processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypedSignal(pub(crate) u32);

impl Terminal {
    /// A terminal whose master was just opened, and whose slave cannot be opened yet.
    pub(crate) fn with_master() -> Terminal {
        Terminal { is_locked: true, masters: 1, ..Terminal::default() }
    }

    /// Types a byte. Returns the signal that it is.
    pub(crate) fn type_byte(&mut self, typed: TypedByte) -> Option<TypedSignal> {
        let is_edited = self.settings.has_lines();
        let is_quoted = std::mem::take(&mut self.is_quoted);
        match typed.key.filter(|_| !is_quoted) {
            Some(SpecialKey::Signal(signal)) => {
                if !self.settings.keeps_input() {
                    self.forget_input();
                    self.shown = Arc::default();
                }
                self.echo(typed.byte, true);
                return Some(TypedSignal(signal));
            }
            Some(SpecialKey::Stop) => self.is_stopped = true,
            Some(SpecialKey::Start) => self.is_stopped = false,
            Some(SpecialKey::Dropped) => {}
            Some(key) if is_edited && key.erases() => self.erase(key, typed.byte),
            Some(SpecialKey::Quote) if is_edited => {
                self.is_quoted = true;
                if self.settings.echoes() && self.settings.echoes_control() {
                    self.show(b"^\x08");
                }
            }
            Some(SpecialKey::Reprint) if is_edited => {
                self.echo(typed.byte, true);
                self.show_byte(ByteValue::Concrete(b'\n'), true);
                let line = self.lines.iter().flatten().chain(&self.edited);
                for byte in line.copied().collect::<Vec<_>>() {
                    self.echo(byte, byte != TAB);
                }
            }
            Some(SpecialKey::EndOfLine) if is_edited => {
                if self.add_input(typed.byte) {
                    self.echo(typed.byte, false);
                    self.end_line();
                }
            }
            Some(SpecialKey::EndOfFile) if is_edited => self.end_line(),
            Some(SpecialKey::NewLine) => {
                let newline = ByteValue::Concrete(b'\n');
                if self.add_input(newline) || is_edited {
                    self.echo(newline, false);
                    self.end_line();
                }
            }
            _ => {
                if self.add_input(typed.byte) {
                    // A new line that means nothing is a control character as others are.
                    self.echo(typed.byte, is_quoted && typed.byte != TAB);
                    if !is_edited {
                        self.end_line();
                    }
                }
            }
        }
        None
    }

    /// Takes characters back: the last one, the last word, or all, as `n_tty` does.
    fn erase(&mut self, key: SpecialKey, typed: ByteValue) {
        if self.edited.is_empty() {
            return;
        }
        let (settings, echoes) = (self.settings, self.settings.echoes());
        if key == SpecialKey::Kill && !(echoes && settings.echoes_killed()) {
            self.edited.clear();
            if echoes {
                self.echo(typed, true);
                if settings.breaks_at_kill() {
                    self.show_byte(ByteValue::Concrete(b'\n'), true);
                }
            }
            return;
        }
        let mut has_word = false;
        while let Some(start) = self.last_character() {
            let first = self.edited[start];
            if key == SpecialKey::EraseWord {
                let is_of_word = matches!(first, ByteValue::Concrete(byte) if is_of_word(byte));
                if has_word && !is_of_word {
                    break;
                }
                has_word |= is_of_word;
            }
            self.edited.truncate(start);
            let is_control = matches!(first, ByteValue::Concrete(byte) if byte.is_ascii_control());
            if echoes && key == SpecialKey::Erase && !settings.echoes_erased() {
                self.echo(typed, true);
            } else if echoes {
                let columns = match (is_control, settings.echoes_control()) {
                    (false, _) => 1,
                    (true, shown) => 2 * usize::from(shown),
                };
                (0..columns).for_each(|_| self.show(b"\x08 \x08"));
            }
            if key == SpecialKey::Erase {
                break;
            }
        }
    }

    /// The place in the line at which its last character begins.
    fn last_character(&self) -> Option<usize> {
        let is_rest = |byte: &ByteValue| match byte {
            ByteValue::Concrete(byte) => self.settings.has_long_characters() && byte & 0xc0 == 0x80,
            ByteValue::Symbolic(_) => false,
        };
        self.edited.iter().rposition(|byte| !is_rest(byte))
    }

    /// The reason why a key cannot be carried out that takes back what is typed now, beside these bytes.
    pub(crate) fn cannot_erase(&self, key: SpecialKey, typed: &ByteData) -> Option<&'static str> {
        let is_any = |is: &dyn Fn(&ByteValue) -> bool| {
            self.edited.iter().any(is) || typed.to_values().iter().any(is)
        };
        let is_shown = self.settings.echoes();
        if key == SpecialKey::EraseWord && is_any(&|byte| matches!(byte, ByteValue::Symbolic(_))) {
            return Some("a key that erases a word, in a line with symbolic bytes");
        }
        if is_shown && is_any(&|byte| *byte == TAB) {
            return Some("a key that erases, in a line with a tab that is shown");
        }
        (is_shown && self.settings.prints_erased()).then_some("ECHOPRT of a terminal")
    }

    /// Adds a byte to the line that is typed. Returns false where there is no room: the byte is lost.
    fn add_input(&mut self, byte: ByteValue) -> bool {
        let has_room = self.input_len() < MOST_INPUT;
        if has_room {
            self.edited.push(byte);
        }
        has_room
    }

    /// The line that is typed can be read.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.edited);
        let lines = Arc::make_mut(&mut self.lines);
        match lines.back_mut() {
            // Without lines, all is one.
            Some(last) if !self.settings.has_lines() && !last.is_empty() => last.extend(line),
            _ => lines.push_back(line),
        }
        self.arrivals[0] += 1;
    }

    /// Bytes that were typed and not read.
    pub(crate) fn input_len(&self) -> usize {
        self.edited.len() + self.readable_len()
    }

    /// Bytes that the slave can read.
    pub(crate) fn readable_len(&self) -> usize {
        self.lines.iter().map(Vec::len).sum()
    }

    /// Returns true if the slave can read, be it an end of file.
    pub(crate) fn has_line(&self) -> bool {
        !self.lines.is_empty()
    }

    /// Takes up to `want` bytes of the first line.
    pub(crate) fn take_line(&mut self, want: usize) -> Vec<ByteValue> {
        let lines = Arc::make_mut(&mut self.lines);
        let Some(line) = lines.front_mut() else { return Vec::new() };
        let rest = line.split_off(want.min(line.len()));
        let taken = std::mem::replace(line, rest);
        if line.is_empty() {
            lines.pop_front();
        }
        taken
    }

    /// Forgets what was typed and not read.
    pub(crate) fn forget_input(&mut self) {
        self.is_quoted = false;
        self.edited.clear();
        self.lines = Arc::default();
    }

    /// Forgets what was written and not read by the master.
    pub(crate) fn forget_output(&mut self) {
        self.shown = Arc::default();
    }

    /// Shows a typed byte, if that is wanted.
    fn echo(&mut self, byte: ByteValue, is_signal: bool) {
        let is_newline = byte == ByteValue::Concrete(b'\n');
        let is_shown = self.settings.echoes() || (is_newline && self.settings.echoes_newline());
        if !is_shown {
            return;
        }
        match byte {
            ByteValue::Concrete(control)
                if self.settings.echoes_control()
                    && (control < b' ' || control == 0x7f)
                    && (is_signal || !matches!(control, b'\n' | b'\t')) =>
            {
                self.show(&[b'^', control ^ 0x40]);
            }
            // A symbolic byte is shown as it is.
            byte => self.show_byte(byte, is_newline),
        }
    }

    /// Shows bytes that are known to mean nothing.
    fn show(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.show_byte(ByteValue::Concrete(*byte), false);
        }
    }

    /// Shows a byte, with what output makes of a new line.
    pub(crate) fn show_byte(&mut self, byte: ByteValue, is_newline: bool) {
        let shown = Arc::make_mut(&mut self.shown);
        if is_newline && self.settings.returns_at_newline() {
            shown.push_back(ByteValue::Concrete(b'\r'));
        }
        shown.push_back(byte);
        self.arrivals[1] += 1;
    }

    /// Room for bytes that are shown.
    pub(crate) fn output_room(&self) -> usize {
        MOST_OUTPUT.saturating_sub(self.shown.len())
    }

    /// Bytes that the master can read.
    pub(crate) fn shown_len(&self) -> usize {
        self.shown.len()
    }

    /// Takes up to `want` bytes for the master.
    pub(crate) fn take_shown(&mut self, want: usize) -> Vec<ByteValue> {
        let shown = Arc::make_mut(&mut self.shown);
        let count = want.min(shown.len());
        shown.drain(..count).collect()
    }

    /// Sets the settings. What is typed becomes readable when lines are no longer edited.
    pub(crate) fn set(&mut self, settings: TerminalSettings) {
        let had_lines = self.settings.has_lines();
        self.settings = settings;
        if had_lines && !self.settings.has_lines() {
            let bytes: Vec<ByteValue> =
                self.lines.iter().flatten().chain(&self.edited).copied().collect();
            self.forget_input();
            if !bytes.is_empty() {
                self.edited = bytes;
                self.end_line();
            }
        }
    }
}

/// Returns true if a byte is part of a word, as `n_tty` sees it: a letter of Latin-1, a digit, or `_`.
fn is_of_word(byte: u8) -> bool {
    let is_latin = byte >= 0xc0 && !matches!(byte, 0xd7 | 0xf7);
    byte.is_ascii_alphanumeric() || byte == b'_' || is_latin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(bytes: &[ByteValue]) -> String {
        let byte = |byte: &ByteValue| match byte {
            ByteValue::Concrete(byte) => char::from(*byte),
            ByteValue::Symbolic(_) => '?',
        };
        bytes.iter().map(byte).collect()
    }

    fn type_text(terminal: &mut Terminal, text: &[u8]) -> Vec<u32> {
        let mut signals = Vec::new();
        for byte in text {
            let key = terminal.settings.key_of(*byte);
            let typed = TypedByte { byte: ByteValue::Concrete(*byte), key };
            signals.extend(terminal.type_byte(typed).map(|signal| signal.0));
        }
        signals
    }

    #[test]
    fn lines_are_edited_and_echoed() {
        let mut terminal = Terminal::default();
        assert!(type_text(&mut terminal, b"ab\x7fc\rx").is_empty());
        assert_eq!(known(&terminal.take_line(100)), "ac\n");
        assert!(!terminal.has_line(), "the second line is being typed");
        assert_eq!(known(&terminal.take_shown(100)), "ab\x08 \x08c\r\nx");
        type_text(&mut terminal, b"\x04\x04");
        assert_eq!(known(&terminal.take_line(100)), "x");
        assert!(terminal.has_line() && terminal.take_line(100).is_empty(), "the end of file");
    }

    #[test]
    fn a_key_is_a_signal() {
        let mut terminal = Terminal::default();
        assert_eq!(type_text(&mut terminal, b"lost\x03"), [2]);
        assert_eq!((terminal.input_len(), known(&terminal.take_shown(9)).as_str()), (0, "^C"));
    }

    #[test]
    fn without_lines_each_byte_can_be_read() {
        let mut terminal = Terminal::default();
        type_text(&mut terminal, b"half");
        terminal.set(terminal.settings.raw());
        assert_eq!(terminal.readable_len(), 4);
        assert!(type_text(&mut terminal, b"\x03\x04\r").is_empty());
        assert_eq!(known(&terminal.take_line(100)), "half\x03\x04\r");
        assert!(!terminal.has_line());
    }
}
