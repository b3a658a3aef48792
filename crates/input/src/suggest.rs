//! Suggestions: the known word that is nearest to an unknown one.

/// The nearest of the known words, unless even that is far away.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace('_', "-");
    let word: Vec<char> = plain(word).chars().take(64).collect();
    let allowed = (word.len() / 3).clamp(1, 3);
    let distances = known.into_iter().map(|each| {
        let other: Vec<char> = plain(each).chars().collect();
        (distance(&word, &other), each)
    });
    distances.filter(|(distance, _)| *distance <= allowed).min().map(|(_, each)| each)
}

/// The help for an unknown word: the nearest known one, or all of them.
pub fn help(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there is {}", listed(known)),
    }
}

/// Words in a sentence.
fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match &quoted[..] {
        [] => "none".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Returns the number of characters that must be changed, added, removed or swapped with their
/// neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for row in 1..=one.len() {
        let mut current = vec![row];
        for column in 1..=other.len() {
            let same = one[row - 1] == other[column - 1];
            let mut least = (above[column - 1] + usize::from(!same))
                .min(above[column] + 1)
                .min(current[column - 1] + 1);
            let swapped = row > 1
                && column > 1
                && one[row - 1] == other[column - 2]
                && one[row - 2] == other[column - 1];
            if swapped {
                least = least.min(before[column - 2] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_near() {
        let known = ["address", "args", "program", "sym-stdin"];
        assert_eq!(nearest("adress", known), Some("address"));
        assert_eq!(nearest("agrs", known), Some("args"));
        assert_eq!(nearest("Program", known), Some("program"));
        assert_eq!(nearest("sym_stdin", known), Some("sym-stdin"));
        assert_eq!(nearest("frobnicate", known), None);
        assert_eq!(nearest("", known), None);
    }

    #[test]
    fn distance_counts_single_edits() {
        let distance = |one: &str, other: &str| {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            distance(&chars(one), &chars(other))
        };
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("ab", "ba"), 1);
    }

    #[test]
    fn without_a_near_one_all_are_listed() {
        assert_eq!(help("zzzzzz", &["a", "b", "c"]), "there is `a`, `b` and `c`");
        assert_eq!(help("zzzzzz", &["subnet"]), "there is `subnet`");
    }
}
