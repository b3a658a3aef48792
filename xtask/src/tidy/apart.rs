//! The rule about `impl Apart`: it names every field, so that a new one is not forgotten.
//!
//! What is not taken apart is counted by two threads at once, which is slow and otherwise invisible: no
//! test fails. A pattern without `..` makes the compiler ask about each field.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The lines of an `impl Apart` at which a field could be left out unnoticed.
pub(super) fn forgetful(item: &syn::ItemImpl) -> Vec<usize> {
    let last = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    let mut finder = Finder { lines: Vec::new() };
    if last.is_some_and(|name| name.ident == "Apart") {
        finder.visit_item_impl(item);
    }
    finder.lines
}

struct Finder {
    lines: Vec<usize>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_pat_rest(&mut self, rest: &'ast syn::PatRest) {
        self.lines.push(rest.span().start().line);
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        if matches!(&*field.base, syn::Expr::Path(base) if base.path.is_ident("self")) {
            self.lines.push(field.span().start().line);
        }
        visit::visit_expr_field(self, field);
    }
}
