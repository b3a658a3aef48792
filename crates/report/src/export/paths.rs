//! Names of source files as other tools want them: relative to a folder, and as parts of URIs.

/// A file relative to a folder, if it is in it.
pub(crate) fn relative<'f>(file: &'f str, base: &str) -> &'f str {
    let inside = file.strip_prefix(base).and_then(|rest| rest.strip_prefix('/'));
    let inside = inside.filter(|_| !base.is_empty()).unwrap_or(file);
    inside.strip_prefix("./").unwrap_or(inside)
}

/// A file as the reference of a URI: RFC 3986, section 4.2.
pub(super) fn uri(file: &str, base: &str) -> String {
    let path = relative(file, base);
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~/+,@=".contains(&byte);
        match is_plain {
            true => uri.push(char::from(byte)),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_folder() {
        assert_eq!(uri("./src/a b.c", "/sources"), "src/a%20b.c");
        assert_eq!(uri("/sources/src/a.c", "/sources"), "src/a.c");
        assert_eq!(uri("/sources2/a.c", "/sources"), "file:///sources2/a.c");
        assert_eq!(uri("<musl>/ü.c", "/sources"), "%3Cmusl%3E/%C3%BC.c");
    }
}
