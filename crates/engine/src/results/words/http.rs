//! Requests and answers of HTTP/1: their first line, and the host that is asked.

/// Methods that a request begins with.
const METHODS: [&str; 9] =
    ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];

/// A message that begins with the first line of a request or of an answer.
pub(super) fn decode(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?.trim_end();
    let is_printable = |text: &str| text.chars().all(|c| c == ' ' || c.is_ascii_graphic());
    let is_version = |word: &str| {
        word.strip_prefix("HTTP/").is_some_and(|number| matches!(number, "0.9" | "1.0" | "1.1"))
    };
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    let [first, second, ..] = words[..] else { return None };
    let is_answer = is_version(first) && second.len() == 3 && second.parse::<u16>().is_ok();
    if is_answer {
        return Some(line.to_owned());
    }
    let is_request = METHODS.contains(&first)
        && !second.is_empty()
        && is_printable(second)
        && words.get(2).is_some_and(|version| is_version(version));
    let host = || header(&bytes[end + 1..], "host").map(|host| format!(" (host {host})"));
    is_request.then(|| format!("{first} {second}{}", host().unwrap_or_default()))
}

/// The value of a header, if it is there and is text.
fn header(bytes: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut headers = text.lines().take_while(|line| !line.trim().is_empty());
    headers.find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_are_known_by_their_first_line() {
        let text = |bytes: &[u8]| decode(bytes).unwrap_or_default();
        let request = b"GET /index.html?q=1 HTTP/1.1\r\nAccept: */*\r\nHost: web\r\n\r\n";
        assert_eq!(text(request), "GET /index.html?q=1 (host web)");
        assert_eq!(text(b"POST / HTTP/1.0\n\nhost: body"), "POST /");
        assert_eq!(text(b"HTTP/1.1 404 Not Found\r\n\r\n"), "HTTP/1.1 404 Not Found");
        assert_eq!(text(b"HTTP/1.0 200\r\n\r\n"), "HTTP/1.0 200");
    }

    #[test]
    fn other_text_is_none_of_it() {
        let others: [&[u8]; 7] = [
            b"GET key\r\n",
            b"GET a HTTP/2.5\r\n",
            b"HTTP/1.1 four\r\n",
            b"GET / HTTP/1.1",
            b"\xff\xfe\n",
            b"GET \x01 HTTP/1.1\n",
            b"",
        ];
        for other in others {
            assert_eq!(decode(other), None, "{other:?}");
        }
    }
}
