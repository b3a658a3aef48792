//! Text to tokens.
//!
//! What cannot be read is reported and becomes [`TokenKind::Bad`], so that the parser goes on behind it.

use crate::diagnostic::PendingDiagnostics;
use crate::diagnostic::kind::DiagnosticKind;
use crate::diagnostic::source::{SourceSpan, SourceText};
use crate::syntax::token::{Comment, Sign, Token, TokenKind, Word};

/// The longest source text. Spans have 32 bits, and nobody writes so much by hand.
const TEXT_BYTES_MAX: usize = 4 << 20;

/// The tokens of a text, the last of them [`TokenKind::End`], and its comments.
pub(crate) fn lex(
    source: &SourceText,
    file: u32,
    reports: &mut PendingDiagnostics,
) -> (Vec<Token>, Vec<Comment>) {
    let mut lexer = Lexer {
        text: &source.text,
        at: 0,
        file,
        reports,
        tokens: Vec::new(),
        comments: Vec::new(),
    };
    if source.text.len() > TEXT_BYTES_MAX {
        lexer.reports.add(lexer.span(0), DiagnosticKind::FileTooLong { limit: TEXT_BYTES_MAX });
        lexer.at = source.text.len();
    }
    while lexer.token() {}
    (lexer.tokens, lexer.comments)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    file: u32,
    reports: &'a mut PendingDiagnostics,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// From `start` to here.
    fn span(&self, start: usize) -> SourceSpan {
        SourceSpan { file: self.file, start: start as u32, end: self.at as u32 }
    }

    /// Goes on while the characters are such.
    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        let span = self.span(start);
        self.tokens.push(Token { kind, span });
    }

    /// Reads one token or comment; false at the end.
    fn token(&mut self) -> bool {
        self.skip(char::is_whitespace);
        let start = self.at;
        let Some(first) = self.peek() else {
            self.push(start, TokenKind::End);
            return false;
        };
        if self.rest().starts_with("//") {
            self.skip(|c| c != '\n');
            self.comments.push(Comment { span: self.span(start), to_line_end: true });
        } else if self.rest().starts_with("/*") {
            self.block_comment(start);
        } else if self.rest().starts_with("x\"") {
            self.at += 1;
            self.hex_data(start);
        } else if first == '"' {
            self.text(start);
        } else if first.is_ascii_digit() {
            self.number(start);
        } else if first.is_alphabetic() || first == '_' {
            self.name(start);
        } else {
            self.sign(start, first);
        }
        true
    }

    fn block_comment(&mut self, start: usize) {
        match self.rest()[2..].find("*/") {
            Some(length) => self.at += length + 4,
            None => {
                self.at += 2;
                let span = self.span(start);
                self.reports.add(span, DiagnosticKind::CommentWithoutEnd).help("end it with `*/`");
                self.at = self.text.len();
            }
        }
        self.comments.push(Comment { span: self.span(start), to_line_end: false });
    }

    fn name(&mut self, start: usize) {
        self.skip(|c| c.is_alphanumeric() || c == '_');
        let name = &self.text[start..self.at];
        let word = Word::ALL.iter().find(|word| word.spelling() == name);
        self.push(
            start,
            word.map_or_else(|| TokenKind::Name(name.to_owned()), |word| TokenKind::Word(*word)),
        );
    }

    fn number(&mut self, start: usize) {
        self.skip(|c| c.is_alphanumeric() || c == '_');
        let text = &self.text[start..self.at];
        let (digits, hex) = match text.strip_prefix("0x") {
            Some(digits) => (digits.replace('_', ""), true),
            None => (text.replace('_', ""), false),
        };
        let radix = if hex { 16 } else { 10 };
        let good = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        let limit = if hex { u64::MAX } else { 1 << 63 };
        let value = u64::from_str_radix(&digits, radix).ok().filter(|value| *value <= limit);
        match value {
            Some(value) if good => self.push(start, TokenKind::Int { value, hex }),
            _ => {
                let span = self.span(start);
                let problem =
                    if good { DiagnosticKind::NumberTooLarge } else { DiagnosticKind::BadNumber };
                self.reports.add(span, problem);
                self.push(start, TokenKind::Bad);
            }
        }
    }

    /// The characters between quotes, which stand before the next one; none if the line ends first.
    fn quoted(&mut self, start: usize) -> Option<std::ops::Range<usize>> {
        self.at += 1;
        let from = self.at;
        loop {
            self.skip(|c| !matches!(c, '"' | '\\' | '\n'));
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return Some(from..self.at - 1);
                }
                Some('\\') => {
                    self.at += 1;
                    self.at += self.peek().filter(|c| *c != '\n').map_or(0, char::len_utf8);
                }
                Some(_) | None => {
                    let span = self.span(start);
                    let help = "end it with `\"`; a line break in a string is `\\n`";
                    self.reports.add(span, DiagnosticKind::StringWithoutEnd).help(help);
                    self.push(start, TokenKind::Bad);
                    return None;
                }
            }
        }
    }

    fn text(&mut self, start: usize) {
        let Some(range) = self.quoted(start) else { return };
        let text = &self.text[range.clone()];
        let mut bytes = Vec::with_capacity(text.len());
        let mut chars = text.char_indices();
        let mut bad = None;
        while let Some((at, c)) = chars.next() {
            if c != '\\' {
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            let byte = match chars.next().map(|(_, c)| c) {
                Some('n') => Some(b'\n'),
                Some('r') => Some(b'\r'),
                Some('t') => Some(b'\t'),
                Some('0') => Some(0),
                Some('\\') => Some(b'\\'),
                Some('"') => Some(b'"'),
                Some('x') => {
                    let digits = text.get(at + 2..at + 4).filter(|digits| digits.is_ascii());
                    let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    if byte.is_some() {
                        chars.nth(1);
                    }
                    byte
                }
                _ => None,
            };
            match byte {
                Some(byte) => bytes.push(byte),
                None => bad = bad.or(Some(range.start + at)),
            }
        }
        if let Some(at) = bad {
            let next = self.text[at + 1..].chars().next().map_or(0, char::len_utf8);
            let span =
                SourceSpan { file: self.file, start: at as u32, end: (at + 1 + next) as u32 };
            let help = r#"there are `\n`, `\r`, `\t`, `\0`, `\\`, `\"` and `\x` with two hexadecimal digits"#;
            self.reports.add(span, DiagnosticKind::BadEscape).help(help);
        }
        self.push(start, TokenKind::Text(bytes));
    }

    fn hex_data(&mut self, start: usize) {
        let Some(range) = self.quoted(start) else { return };
        let digits: Vec<char> = self.text[range].chars().filter(|c| *c != ' ').collect();
        let values: Option<Vec<u32>> = digits.iter().map(|c| c.to_digit(16)).collect();
        let bytes = match values {
            Some(values) if values.len().is_multiple_of(2) => {
                values.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
            }
            _ => {
                let help = "write two hexadecimal digits for each byte, as in `x\"00ff\"`";
                let span = self.span(start);
                self.reports.add(span, DiagnosticKind::BadHex).help(help);
                Vec::new()
            }
        };
        self.push(start, TokenKind::Data(bytes));
    }

    fn sign(&mut self, start: usize, first: char) {
        let found = Sign::ALL.iter().find(|sign| self.rest().starts_with(sign.spelling()));
        if let Some(sign) = found {
            self.at += sign.spelling().len();
            self.push(start, TokenKind::Sign(*sign));
            return;
        }
        self.at += first.len_utf8();
        let span = self.span(start);
        let report = self.reports.add(span, DiagnosticKind::UnknownCharacter { character: first });
        match first {
            '\'' => report.help("strings have double quotes: `\"...\"`"),
            '&' => report.help("did you mean `&&`?"),
            '|' => report.help("did you mean `||`?"),
            '#' => report.help("comments begin with `//`"),
            _ => {}
        }
        self.push(start, TokenKind::Bad);
    }
}
