//! The paths that a file names, read from its tokens: in `use` declarations, in code and in macros.
//!
//! What is compiled for tests alone is left out, and so are documentation and other attributes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::tidy::code::has_ident;

/// A path of several segments, or one of a `use` declaration, as it is written in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Reference {
    pub(super) line: usize,
    /// The segments, without generic arguments.
    pub(super) path: Vec<String>,
    /// The name that a `use` declaration gives to it in the file's module.
    pub(super) name: Option<String>,
    /// The declaration hands the name on (`pub use`): the file need not use it itself.
    pub(super) handed_on: bool,
}

/// The references of a file, in their order.
pub(super) fn read(tokens: TokenStream) -> Vec<Reference> {
    let mut found = Vec::new();
    read_into(tokens, &mut found);
    found
}

fn read_into(tokens: TokenStream, found: &mut Vec<Reference>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                at = behind_attribute(&tokens, at);
            }
            TokenTree::Ident(word) if word == "use" => {
                let end = end_of_item(&tokens, at, |token| is_punct(token, ';'));
                let handed_on = is_visible(&tokens[..at]);
                let mut prefix = Vec::new();
                read_use(&tokens[at + 1..end], &mut prefix, handed_on, found);
                at = end + 1;
            }
            TokenTree::Ident(word) => {
                let path = path_at(&tokens, at);
                let is_visibility = at > 0 && is_ident(&tokens[at - 1], "in");
                let line = word.span().start().line;
                at += 3 * path.len() - 2;
                if path.len() > 1 && !is_visibility {
                    found.push(Reference { line, path, name: None, handed_on: false });
                }
            }
            TokenTree::Group(group) => {
                read_into(group.stream(), found);
                at += 1;
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => at += 1,
        }
    }
}

/// The position behind an attribute, and behind the item that it is of if that is one of the tests.
fn behind_attribute(tokens: &[TokenTree], at: usize) -> usize {
    let group = tokens[at..].iter().take(3).position(|token| matches!(token, TokenTree::Group(_)));
    let Some(group) = group.map(|offset| at + offset) else { return at + 1 };
    if !marks_test(&tokens[group]) {
        return group + 1;
    }
    let is_end = |token: &TokenTree| is_punct(token, ';') || is_block(token);
    end_of_item(tokens, group + 1, is_end) + 1
}

fn end_of_item(tokens: &[TokenTree], from: usize, is_end: impl Fn(&TokenTree) -> bool) -> usize {
    let end = tokens[from..].iter().position(is_end);
    end.map_or(tokens.len(), |offset| from + offset)
}

/// `[test]` and `[cfg(test)]`, with or without other conditions.
fn marks_test(attribute: &TokenTree) -> bool {
    let TokenTree::Group(group) = attribute else { return false };
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    match &tokens[..] {
        [word] => is_ident(word, "test"),
        [word, TokenTree::Group(condition)] if is_ident(word, "cfg") => {
            has_ident(condition.stream(), "test")
        }
        _ => false,
    }
}

/// The segments of the path that begins at an identifier.
fn path_at(tokens: &[TokenTree], at: usize) -> Vec<String> {
    let mut path = vec![tokens[at].to_string()];
    let mut next = at + 1;
    while let Some([first, second, TokenTree::Ident(word)]) = tokens.get(next..next + 3)
        && is_punct(first, ':')
        && is_punct(second, ':')
    {
        path.push(word.to_string());
        next += 3;
    }
    path
}

/// Reads one tree of a `use` declaration; `prefix` is what stands before it.
fn read_use(
    tokens: &[TokenTree],
    prefix: &mut Vec<String>,
    handed_on: bool,
    found: &mut Vec<Reference>,
) {
    let known = prefix.len();
    let mut renamed = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for tree in inner.split(|token| is_punct(token, ',')) {
                    read_use(tree, prefix, handed_on, found);
                }
                prefix.truncate(known);
                return;
            }
            TokenTree::Ident(word) if word == "as" => {
                renamed = tokens.get(at + 1).map(TokenTree::to_string);
                break;
            }
            TokenTree::Ident(word) => prefix.push(word.to_string()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    if let Some(first) = tokens.first() {
        let mut path = prefix.clone();
        path.pop_if(|last| last == "self" && !prefix.is_empty());
        let name = renamed.or_else(|| path.last().cloned());
        found.push(Reference { line: first.span().start().line, path, name, handed_on });
    }
    prefix.truncate(known);
}

/// Whether an item behind these tokens begins with `pub`.
fn is_visible(before: &[TokenTree]) -> bool {
    match before {
        [.., word, TokenTree::Group(_)] | [.., word] => is_ident(word, "pub"),
        [] => false,
    }
}

fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == name)
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let shown = |reference: Reference| {
            let Reference { line, path, name, handed_on } = reference;
            let name = name.map_or(String::new(), |name| format!(" as {name}"));
            let mark = if handed_on { " handed on" } else { "" };
            format!("{line}: {}{name}{mark}", path.join("::"))
        };
        let tokens = text.parse().expect("tokens of Rust");
        let found: Vec<String> = read(tokens).into_iter().map(shown).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn declarations_are_taken_apart() {
        check("use crate::a::B;", &["1: crate::a::B as B"]);
        check("pub(crate) use a::B;", &["1: a::B as B handed on"]);
        check(
            "use crate::{a::{self, B as C}, d::*};",
            &["1: crate::a as a", "1: crate::a::B as C", "1: crate::d as d"],
        );
    }

    #[test]
    fn paths_in_code_and_macros_count() {
        check("fn f() {\n    crate::a::g(super::h());\n}", &["2: crate::a::g", "2: super::h"]);
        check("fn f() { assert!(crate::a::g()); }", &["1: crate::a::g"]);
        check("fn f(x: self::a::X) {}", &["1: self::a::X"]);
        check("pub(in crate::a) fn f() {}", &[]);
    }

    #[test]
    fn tests_and_attributes_do_not_count() {
        check("#[cfg(test)]\nmod tests { use super::*; }\nuse crate::a;", &["3: crate::a as a"]);
        check("#[cfg(test)]\nmod tests;\nuse crate::a;", &["3: crate::a as a"]);
        check("#[doc = \"crate::a\"]\n#[derive(a::B)]\nstruct C;", &[]);
        check("#[cfg(not(test))]\nfn f() { a::b() }", &["2: a::b"]);
    }
}
