//! Rules that need the syntax tree: length of functions and lines, `unwrap`, printing in libraries, errors,
//! fields of `impl Apart`.

use std::ops::RangeInclusive;
use std::path::Path;

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::apart::forgetful;
use super::errors::doubled;
use super::layers::PRINTING_ALLOWED;
use super::problem::Problem;

/// Parameters of a function beside `self`, at most.
const PARAMETERS: usize = 5;
/// Lines of a function from `fn` to its closing brace, at most.
const FUNCTION_LINES: usize = 70;
/// Characters of a line, at most. `rustfmt` keeps code at 100; this bounds strings and comments.
const LINE_CHARS: usize = 110;
/// The comment that excuses a longer function, directly above it or above its attributes and docs.
const EXCUSE: &str = "// tidy: long because ";
/// Statements that may prepare the one `match` of an excused function.
const PREPARING_STATEMENTS: usize = 4;

/// Checks one Rust file; `file` is relative to the root of the workspace.
pub(super) fn check(file: &Path, text: &str) -> Vec<Problem> {
    let tree = match syn::parse_file(text) {
        Ok(tree) => tree,
        Err(error) => {
            let message = format!("cannot be parsed: {error}");
            return vec![Problem::new(file, error.span().start().line, message)];
        }
    };
    let mut checker = Checker {
        file,
        lines: text.lines().collect(),
        in_tests: is_test_file(file),
        may_print: may_print(file),
        problems: Vec::new(),
    };
    checker.visit_file(&tree);
    checker.check_line_lengths(&snapshots(tree.to_token_stream()));
    checker.problems
}

/// The lines of string literals that take several: snapshots, which are as wide as what they show.
fn snapshots(tokens: TokenStream) -> Vec<RangeInclusive<usize>> {
    let mut found = Vec::new();
    let mut pending = vec![tokens];
    while let Some(tokens) = pending.pop() {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => pending.push(group.stream()),
                TokenTree::Literal(literal) => {
                    let (start, end) = (literal.span().start().line, literal.span().end().line);
                    if start < end {
                        found.push(start + 1..=end);
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
    found
}

/// Files that are compiled for tests, examples and build scripts only.
pub(super) fn is_test_file(file: &Path) -> bool {
    let folder = |name: &str| file.components().any(|part| part.as_os_str() == name);
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("");
    folder("tests") || folder("examples") || folder("benches") || matches!(name, "tests.rs")
}

fn may_print(file: &Path) -> bool {
    // A build script, `build.rs` or the folder `build`, talks to cargo through its standard output.
    let builds =
        file.ends_with("build.rs") || file.iter().nth(2).is_some_and(|part| part == "build");
    builds || PRINTING_ALLOWED.iter().any(|folder| file.starts_with(folder))
}

struct Checker<'a> {
    file: &'a Path,
    lines: Vec<&'a str>,
    in_tests: bool,
    may_print: bool,
    problems: Vec<Problem>,
}

impl Checker<'_> {
    fn report(&mut self, line: usize, message: impl Into<String>) {
        self.problems.push(Problem::new(self.file, line, message));
    }

    /// Visits an item, remembering whether its attributes make it a part of the tests.
    fn nested(&mut self, attributes: &[syn::Attribute], visit: impl FnOnce(&mut Self)) {
        let outer = self.in_tests;
        self.in_tests |= attributes.iter().any(marks_test);
        visit(self);
        self.in_tests = outer;
    }

    fn check_line_lengths(&mut self, exempt: &[RangeInclusive<usize>]) {
        for at in 0..self.lines.len() {
            let (line, chars) = (at + 1, self.lines[at].chars().count());
            if chars > LINE_CHARS && !exempt.iter().any(|lines| lines.contains(&line)) {
                self.report(line, format!("{chars} characters; at most {LINE_CHARS}"));
            }
        }
    }

    fn check_parameters(&mut self, signature: &syn::Signature) {
        let is_parameter = |input: &&syn::FnArg| matches!(input, syn::FnArg::Typed(_));
        let (name, number) =
            (&signature.ident, signature.inputs.iter().filter(is_parameter).count());
        if number > PARAMETERS && !self.in_tests {
            let message = format!(
                "`{name}` has {number} parameters; at most {PARAMETERS}: a struct says what belongs together"
            );
            self.report(name.span().start().line, message);
        }
    }

    /// `item` is the first token of the whole function with its attributes.
    fn check_length(&mut self, item: LineColumn, signature: &syn::Signature, body: &syn::Block) {
        let (name, start) = (&signature.ident, signature.span().start().line);
        let lines = body.span().end().line + 1 - start;
        if lines <= FUNCTION_LINES || is_dispatch(body) || self.is_excused(item.line) {
            return;
        }
        let message = format!("`{name}` has {lines} lines; at most {FUNCTION_LINES}");
        self.report(start, message);
    }

    /// Whether the excuse, with a reason, is in the comments directly above line `item`.
    fn is_excused(&self, item: usize) -> bool {
        let above = self.lines[..item - 1].iter().rev().map(|line| line.trim());
        above
            .take_while(|line| line.starts_with("//"))
            .any(|line| line.strip_prefix(EXCUSE).is_some_and(|reason| !reason.trim().is_empty()))
    }

    /// The bodies of macro calls are not part of the tree: look for the tokens `. unwrap ( )`.
    fn check_tokens(&mut self, tokens: TokenStream) {
        let mut pending = vec![tokens];
        while let Some(tokens) = pending.pop() {
            let trees: Vec<TokenTree> = tokens.into_iter().collect();
            for window in trees.windows(3) {
                if let [TokenTree::Punct(dot), TokenTree::Ident(name), TokenTree::Group(group)] =
                    window
                    && dot.as_char() == '.'
                    && name == "unwrap"
                    && group.stream().is_empty()
                {
                    self.report_unwrap(name.span().start().line);
                }
            }
            pending.extend(trees.into_iter().filter_map(|tree| match tree {
                TokenTree::Group(group) => Some(group.stream()),
                TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
            }));
        }
    }

    fn check_error(&mut self, attributes: &[syn::Attribute], fields: &syn::Fields) {
        if let Some((line, field)) = doubled(attributes, fields) {
            let message =
                format!("the message has `{field}`, which is the source as well: it is said twice");
            self.report(line, message);
        }
    }

    fn report_unwrap(&mut self, line: usize) {
        self.report(line, "`unwrap()` outside tests; say why it cannot fail with `expect`");
    }
}

impl<'ast> Visit<'ast> for Checker<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.nested(&item.attrs, |checker| visit::visit_item_mod(checker, item));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.check_error(&variant.attrs, &variant.fields);
        visit::visit_variant(self, variant);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.check_error(&item.attrs, &item.fields);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.check_length(item.span().start(), &item.sig, &item.block);
        self.nested(&item.attrs, |checker| visit::visit_item_fn(checker, item));
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        for line in forgetful(item) {
            self.report(line, "an `impl Apart` names every field in one pattern, without `..`");
        }
        self.nested(&item.attrs, |checker| visit::visit_item_impl(checker, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.check_length(item.span().start(), &item.sig, &item.block);
        self.nested(&item.attrs, |checker| visit::visit_impl_item_fn(checker, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.check_length(item.span().start(), &item.sig, body);
        }
        self.nested(&item.attrs, |checker| visit::visit_trait_item_fn(checker, item));
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.check_parameters(signature);
        visit::visit_signature(self, signature);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if !self.in_tests && call.method == "unwrap" && call.args.is_empty() {
            self.report_unwrap(call.method.span().start().line);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if self.in_tests {
            return;
        }
        self.check_tokens(call.tokens.clone());
        let Some(name) = call.path.segments.last().map(|segment| segment.ident.to_string()) else {
            return;
        };
        if !self.may_print && ["print", "println", "eprint", "eprintln"].contains(&name.as_str()) {
            let message = format!("`{name}!` in a library; only the driver prints");
            self.report(call.span().start().line, message);
        }
    }
}

/// `#[test]`, `#[cfg(test)]` and their relatives.
fn marks_test(attribute: &syn::Attribute) -> bool {
    if attribute.path().is_ident("test") {
        return true;
    }
    let syn::Meta::List(list) = &attribute.meta else { return false };
    list.path.is_ident("cfg") && has_ident(list.tokens.clone(), "test")
}

/// Whether the identifier is among the tokens, but not inside `not(...)`.
pub(super) fn has_ident(tokens: TokenStream, wanted: &str) -> bool {
    let mut negated = false;
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) if ident == wanted => return true,
            TokenTree::Ident(ident) => negated = ident == "not",
            TokenTree::Group(group) if !negated && has_ident(group.stream(), wanted) => {
                return true;
            }
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    false
}

/// Whether the body is one exhaustive `match` whose arms are single expressions: a table that reads
/// no better in pieces.
fn is_dispatch(body: &syn::Block) -> bool {
    let Some((syn::Stmt::Expr(last, _), before)) = body.stmts.split_last() else { return false };
    let syn::Expr::Match(table) = last else { return false };
    before.len() <= PREPARING_STATEMENTS
        && before.iter().all(|s| matches!(s, syn::Stmt::Local(_) | syn::Stmt::Item(_)))
        && table
            .arms
            .iter()
            .all(|arm| !matches!(arm.pat, syn::Pat::Wild(_)) && is_single(&arm.body))
}

fn is_single(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Block(block) => match block.block.stmts.as_slice() {
            [] => true,
            [syn::Stmt::Expr(only, _)] => is_single(only),
            _ => false,
        },
        other => !matches!(
            other,
            syn::Expr::Match(_)
                | syn::Expr::If(_)
                | syn::Expr::Loop(_)
                | syn::Expr::While(_)
                | syn::Expr::ForLoop(_)
                | syn::Expr::Unsafe(_)
        ),
    }
}

#[cfg(test)]
mod tests;
