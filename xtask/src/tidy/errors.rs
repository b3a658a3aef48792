//! The rule about errors: a cause is either in the message or the error's source, never both.
//!
//! What prints an error prints its sources behind it, so a message that has its cause in it would say it
//! twice: `cannot read x: no such file: no such file`.

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;

/// The line and the name of a cause that is printed twice, if the item has one.
pub(super) fn doubled(
    attributes: &[syn::Attribute],
    fields: &syn::Fields,
) -> Option<(usize, String)> {
    let message = attributes.iter().find_map(message)?;
    fields.iter().enumerate().find_map(|(index, field)| {
        let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
        let marked = ["from", "source"]
            .map(|mark| field.attrs.iter().any(|attribute| attribute.path().is_ident(mark)));
        let is_source = name == "source" || marked.contains(&true);
        (is_source && mentions(message.clone(), &name)).then(|| (field.span().start().line, name))
    })
}

/// What `#[error(...)]` says.
fn message(attribute: &syn::Attribute) -> Option<TokenStream> {
    let syn::Meta::List(list) = &attribute.meta else { return None };
    list.path.is_ident("error").then(|| list.tokens.clone())
}

/// Whether a format string or its arguments name a field.
fn mentions(tokens: TokenStream, field: &str) -> bool {
    let (closed, formatted) = (format!("{{{field}}}"), format!("{{{field}:"));
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            text.contains(&closed) || text.contains(&formatted)
        }
        TokenTree::Ident(ident) => ident == field,
        TokenTree::Group(group) => mentions(group.stream(), field),
        TokenTree::Punct(_) => false,
    })
}
