//! The nearest name, for names that are not known.

/// Names longer than this are not compared.
const NAME_CHARS_MAX: usize = 40;

/// The candidate that is nearest to `name`, if one is near enough to be what was meant.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let tolerance = (name.chars().count() / 3).min(3);
    let near = candidates.into_iter().filter_map(|candidate| {
        let distance = distance(name, candidate)?;
        (distance <= tolerance).then_some((distance, candidate))
    });
    near.min().map(|(_, candidate)| candidate)
}

/// Letters to insert, remove, replace or swap with their neighbour; case costs nothing.
fn distance(a: &str, b: &str) -> Option<usize> {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    if a.len() > NAME_CHARS_MAX || b.len() > NAME_CHARS_MAX {
        return None;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swaps { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    Some(rows[a.len()][b.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_mistakes_are_recognised() {
        let names = ["length", "equalElements", "contains"];
        assert_eq!(nearest("lenght", names), Some("length"));
        assert_eq!(nearest("equalelement", names), Some("equalElements"));
        assert_eq!(nearest("size", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn ties_go_to_the_first_in_order() {
        assert_eq!(nearest("abc", ["abd", "aac"]), Some("aac"));
    }
}
