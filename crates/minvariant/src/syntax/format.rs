//! The formatter: the same tokens and comments, laid out in one way.
//!
//! Works on tokens, not on the tree, so that nothing can get lost. Line breaks inside of statements stay
//! where the author put them, and so do single blank lines, and blocks of one statement on one line.
//!
//! Invariant: formatting what was formatted changes nothing.

use std::ops::Range;

use crate::diagnostic::source::SourceTexts;
use crate::diagnostic::{Diagnostics, PendingDiagnostics};
use crate::syntax::ast::Ast;
use crate::syntax::lexer::lex;
use crate::syntax::parser::{SignRole, parse};
use crate::syntax::token::{Sign, Token, TokenKind, Word};

const INDENT: &str = "  ";
/// The indentation of the second and all other lines of a statement.
const CONTINUATION: &str = "    ";
/// Characters of a line with a whole block in it, at most.
const LINE_CHARS: usize = 100;

/// The program in its standard layout. It need not be free of type errors.
///
/// # Errors
/// If the text is no program: all that was found.
///
/// ```
/// let text = "int one( ){return  1 ;} // the first\n";
/// assert_eq!(minvariant::format("a.minv", text)?, "int one() { return 1; } // the first\n");
/// # Ok::<(), minvariant::Diagnostics>(())
/// ```
pub fn format(name: &str, text: &str) -> Result<String, Diagnostics> {
    let (mut sources, mut reports, mut ast) = <(SourceTexts, PendingDiagnostics, Ast)>::default();
    let file = sources.add(name, text);
    let (tokens, comments) = lex(sources.get(file), file, &mut reports);
    let roles = parse(&tokens, &mut ast, &mut reports);
    reports.finish(&sources)?;
    let mut pieces: Vec<SourcePiece<'_>> = comments
        .iter()
        .map(|comment| {
            let range = comment.span.start as usize..comment.span.end as usize;
            SourcePiece { shape: PieceKind::Comment { to_line_end: comment.to_line_end }, range }
        })
        .collect();
    let tokens = tokens.iter().zip(&roles).filter(|(token, _)| token.kind != TokenKind::End);
    pieces.extend(tokens.map(|(token, role)| {
        let range = token.span.start as usize..token.span.end as usize;
        SourcePiece { shape: PieceKind::Token(token, *role), range }
    }));
    pieces.sort_by_key(|piece| piece.range.start);
    Ok(Formatter { text, pieces: &pieces, out: String::new(), indent: 0 }.run())
}

/// A token or a comment.
struct SourcePiece<'a> {
    shape: PieceKind<'a>,
    range: Range<usize>,
}

#[derive(Clone, Copy)]
enum PieceKind<'a> {
    Token(&'a Token, SignRole),
    Comment { to_line_end: bool },
}

/// The space between two pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceGap {
    Nothing,
    Space,
    /// A new line, and a blank one before it if there was one.
    Line {
        blank: bool,
        continues: bool,
    },
}

impl PieceKind<'_> {
    fn sign(self) -> Option<(Sign, SignRole)> {
        match self {
            PieceKind::Token(Token { kind: TokenKind::Sign(sign), .. }, role) => {
                Some((*sign, role))
            }
            PieceKind::Token(..) | PieceKind::Comment { .. } => None,
        }
    }

    fn is_comment(self) -> bool {
        matches!(self, PieceKind::Comment { .. })
    }

    fn opens_block(self) -> bool {
        self.sign() == Some((Sign::BraceOpen, SignRole::Plain))
    }

    fn closes_block(self) -> bool {
        self.sign() == Some((Sign::BraceClose, SignRole::Plain))
    }

    /// Returns `true` if a statement or a declaration ends here, or a block begins.
    fn ends_line(self) -> bool {
        self.opens_block()
            || self.closes_block()
            || matches!(self.sign(), Some((Sign::Semicolon, _)))
    }

    /// Returns `true` if the piece never begins a line, wherever the author put it.
    fn stays(self) -> bool {
        let is_else =
            matches!(self, PieceKind::Token(Token { kind: TokenKind::Word(Word::Else), .. }, _));
        is_else
            || self.opens_block()
            || matches!(self.sign(), Some((Sign::Semicolon | Sign::Comma, _)))
    }
}

struct Formatter<'a> {
    text: &'a str,
    pieces: &'a [SourcePiece<'a>],
    out: String,
    indent: usize,
}

impl<'a> Formatter<'a> {
    fn run(mut self) -> String {
        let mut at = 0;
        while at < self.pieces.len() {
            let shape = self.pieces[at].shape;
            if shape.closes_block() {
                self.indent = self.indent.saturating_sub(1);
            }
            let gap = self.gap(at);
            self.put_gap(gap, shape);
            if shape.opens_block()
                && let Some((end, line)) = self.one_line(at)
            {
                self.out.push_str(&line);
                at = end + 1;
                continue;
            }
            self.out.push_str(self.source(at));
            if shape.opens_block() {
                self.indent += 1;
            }
            at += 1;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out
    }

    fn source(&self, at: usize) -> &'a str {
        self.text[self.pieces[at].range.clone()].trim_end()
    }

    /// Line breaks that the author put before a piece.
    fn breaks_before(&self, at: usize) -> usize {
        let start = at.checked_sub(1).map_or(0, |before| self.pieces[before].range.end);
        self.text[start..self.pieces[at].range.start].matches('\n').count()
    }

    fn gap(&self, at: usize) -> PieceGap {
        let Some(before) = at.checked_sub(1) else { return PieceGap::Nothing };
        let (last, shape) = (self.pieces[before].shape, self.pieces[at].shape);
        let breaks = self.breaks_before(at);
        let last_token = self.pieces[..at].iter().rev().find(|piece| !piece.shape.is_comment());
        let begins = last_token.is_none_or(|piece| piece.shape.ends_line());
        let blank = breaks > 1 && begins && !last.opens_block() && !shape.closes_block();
        let line = PieceGap::Line { blank, continues: !begins && !shape.closes_block() };
        let must_break = matches!(last, PieceKind::Comment { to_line_end: true });
        if shape.is_comment() {
            return if breaks > 0 || must_break { line } else { PieceGap::Space };
        }
        if must_break || shape.closes_block() {
            return line;
        }
        if last.is_comment() {
            // After a comment on the line of a `;`, the next statement begins a line of its own.
            let behind_end = begins && !self.comment_leads(before);
            return if breaks > 0 || behind_end { line } else { PieceGap::Space };
        }
        if shape.stays() && (!begins || last.closes_block()) {
            return spacing(last, shape);
        }
        if begins || breaks > 0 {
            return line;
        }
        spacing(last, shape)
    }

    /// Returns `true` if the comment, or the comments that end with it, begin their line.
    fn comment_leads(&self, mut at: usize) -> bool {
        loop {
            if at == 0 || self.breaks_before(at) > 0 {
                return true;
            }
            at -= 1;
            if !self.pieces[at].shape.is_comment() {
                return false;
            }
        }
    }

    fn put_gap(&mut self, gap: PieceGap, shape: PieceKind<'_>) {
        match gap {
            PieceGap::Nothing => {}
            PieceGap::Space => self.out.push(' '),
            PieceGap::Line { blank, continues } => {
                self.out.push_str(if blank { "\n\n" } else { "\n" });
                self.out.push_str(&INDENT.repeat(self.indent));
                let closes = matches!(
                    shape.sign(),
                    Some((Sign::ParenClose | Sign::BracketClose, _) | (_, SignRole::MapClose))
                );
                if continues && !closes {
                    self.out.push_str(CONTINUATION);
                }
            }
        }
    }

    /// The block that begins at a piece on one line, if the author wrote it so, it has at most one
    /// statement, and there is room; and where it ends.
    fn one_line(&self, open: usize) -> Option<(usize, String)> {
        let length = self.pieces[open + 1..]
            .iter()
            .position(|piece| piece.shape.opens_block() || piece.shape.closes_block())?;
        let close = open + 1 + length;
        let (inside, range) = (
            &self.pieces[open + 1..close],
            self.pieces[open].range.start..self.pieces[close].range.end,
        );
        let is_end =
            |piece: &&SourcePiece<'_>| matches!(piece.shape.sign(), Some((Sign::Semicolon, _)));
        let ends = inside.iter().filter(is_end).count();
        let last_ends = inside.last().is_none_or(|piece| is_end(&piece));
        if !self.pieces[close].shape.closes_block()
            || self.text[range].contains('\n')
            || ends > 1
            || !last_ends
        {
            return None;
        }
        let mut line = String::from("{");
        for at in open + 1..close {
            let (last, shape) = (self.pieces[at - 1].shape, self.pieces[at].shape);
            let spaced = at == open + 1 || spacing(last, shape) == PieceGap::Space;
            line.push_str(if spaced { " " } else { "" });
            line.push_str(self.source(at));
        }
        line.push_str(if inside.is_empty() { "}" } else { " }" });
        let column = self.out.chars().rev().take_while(|c| *c != '\n').count();
        (column + line.chars().count() <= LINE_CHARS).then_some((close, line))
    }
}

/// Returns the space between two pieces of one line.
fn spacing(last: PieceKind<'_>, shape: PieceKind<'_>) -> PieceGap {
    let (PieceKind::Token(a, role_a), PieceKind::Token(b, role_b)) = (last, shape) else {
        return PieceGap::Space;
    };
    let glued_left = match (&a.kind, role_a) {
        (_, SignRole::Prefix | SignRole::TypeOpen | SignRole::MapOpen) => true,
        (TokenKind::Sign(sign), _) => {
            matches!(sign, Sign::ParenOpen | Sign::BracketOpen | Sign::Dot)
        }
        _ => false,
    };
    let glued_right = match (&b.kind, role_b) {
        (
            _,
            SignRole::TypeOpen
            | SignRole::TypeClose
            | SignRole::MapOpen
            | SignRole::MapClose
            | SignRole::MapColon,
        ) => true,
        (TokenKind::Sign(Sign::ParenOpen), _) => match &a.kind {
            TokenKind::Name(_) => role_a != SignRole::Clause,
            TokenKind::Word(word) => !matches!(
                word,
                Word::If | Word::For | Word::While | Word::Return | Word::In | Word::Else
            ),
            _ => false,
        },
        (TokenKind::Sign(sign), _) => matches!(
            sign,
            Sign::ParenClose
                | Sign::BracketOpen
                | Sign::BracketClose
                | Sign::Comma
                | Sign::Semicolon
                | Sign::Dot
        ),
        _ => false,
    };
    if glued_left || glued_right { PieceGap::Nothing } else { PieceGap::Space }
}
