//! Classes of Trojan messages: those that a scenario expects, and those that the command has found.
//!
//! ```text
//! # trojan: --from client --to server             the flags of `everett trojan`
//! # classes: 1                                    the number of classes
//! # class: server.c:answer 4 0,2                  the line with `// mark: answer`, or `-` for any place; the
//!                                                 length of the messages; the bytes that no sender can send
//!                                                 together, or `-` if there are none
//! # class: server.c:answer 4 1 count 93           with the number of messages
//! # class: server.c:answer 4 1 effect crash       with their effect
//! ```

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::cases::Case;

/// What a scenario says about its Trojan messages.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TrojanExpectations {
    /// The flags of the command.
    pub(crate) flags: Vec<String>,
    pub(crate) classes: Vec<ExpectedClass>,
}

/// A class that is expected.
#[derive(Debug, PartialEq)]
pub(crate) struct ExpectedClass {
    /// A file and a mark in it.
    place: Option<(String, String)>,
    length: usize,
    core: Vec<usize>,
    count: Option<u64>,
    effect: Option<String>,
}

/// A class that was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FoundClass {
    /// A file without its folder, and a line.
    pub(crate) place: String,
    pub(crate) length: usize,
    pub(crate) core: Vec<usize>,
    pub(crate) example: Vec<u8>,
    pub(crate) certain: bool,
    pub(crate) effect: String,
    pub(crate) count: Option<u64>,
    /// The file of a test with the example.
    pub(crate) test: Option<String>,
}

impl TrojanExpectations {
    /// Returns `true` if some class is to crash its receiver.
    pub(crate) fn has_crash(&self) -> bool {
        self.classes.iter().any(|class| class.effect.as_deref() == Some("crash"))
    }

    /// Reads the comments of a scenario; `None` if it has none about Trojan messages.
    pub(crate) fn parse(text: &str) -> Result<Option<TrojanExpectations>> {
        let mut expected = TrojanExpectations::default();
        let (mut has_flags, mut count) = (false, None);
        for line in text.lines() {
            let Some((key, rest)) = line.strip_prefix("# ").and_then(|line| line.split_once(": "))
            else {
                continue;
            };
            let words = rest.split_whitespace();
            match key {
                "trojan" => {
                    has_flags = true;
                    expected.flags = words.map(str::to_owned).collect();
                }
                "classes" => count = Some(rest.parse::<usize>().context("classes")?),
                "class" => {
                    let words: Vec<&str> = words.collect();
                    let class = ExpectedClass::parse(&words);
                    expected.classes.push(class.with_context(|| line.to_owned())?);
                }
                _ => {}
            }
        }
        if !has_flags {
            ensure!(expected.classes.is_empty() && count.is_none(), "which flags?");
            return Ok(None);
        }
        ensure!(count == Some(expected.classes.len()), "{count:?} classes are expected");
        Ok(Some(expected))
    }
}

impl ExpectedClass {
    fn parse(words: &[&str]) -> Result<ExpectedClass> {
        let [place, length, core, more @ ..] = words else { bail!("not understood") };
        let place = match *place {
            "-" => None,
            place => {
                let (file, mark) = place.split_once(':').context("write FILE:MARK")?;
                Some((file.to_owned(), mark.to_owned()))
            }
        };
        let core = match *core {
            "-" => Vec::new(),
            core => core.split(',').map(str::parse).collect::<Result<_, _>>()?,
        };
        let (mut count, mut effect) = (None, None);
        for pair in more.chunks(2) {
            match pair {
                ["count", number] => count = Some(number.parse()?),
                ["effect", name] => effect = Some((*name).to_owned()),
                _ => bail!("not understood"),
            }
        }
        Ok(ExpectedClass { place, length: length.parse()?, core, count, effect })
    }

    /// Returns `true` if a class is the expected one.
    pub(crate) fn is(&self, case: &Case, found: &FoundClass) -> bool {
        let is_place = self.place.as_ref().is_none_or(|(file, mark)| {
            case.line(file, mark).is_some_and(|line| found.place == format!("{file}:{line}"))
        });
        // A number that cannot be told is not wrong.
        let is_count = found.count.is_none() || self.count.is_none() || found.count == self.count;
        let is_effect = self.effect.as_ref().is_none_or(|effect| *effect == found.effect);
        let is_key = self.length == found.length && self.core == found.core;
        is_key && is_place && is_count && is_effect
    }
}

impl FoundClass {
    /// Reads the classes of `trojans.json`.
    pub(crate) fn read_all(trojans: &Value) -> Result<Vec<FoundClass>> {
        let classes = trojans["classes"].as_array().context("there is no list of classes")?;
        classes.iter().map(|class| FoundClass::read(class).context(class.to_string())).collect()
    }

    /// The class without its test.
    pub(crate) fn key(&self) -> FoundClass {
        FoundClass { test: None, ..self.clone() }
    }

    fn read(class: &Value) -> Result<FoundClass> {
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
        let word = |name: &str| class[name].as_str().with_context(|| format!("no {name}"));
        let core = class["core"].as_array().context("no core")?;
        let core = core.iter().map(|byte| number(&byte["offset"]));
        let messages = |count: &Value| {
            let messages: u64 = count["messages"].as_str()?.parse().ok()?;
            let power = count["power_of_256"].as_u64()?.try_into().ok()?;
            messages.checked_mul(256_u64.checked_pow(power)?)
        };
        Ok(FoundClass {
            place: word("place")?.rsplit('/').next().unwrap_or_default().to_owned(),
            length: number(&class["length"]).context("no length")?,
            core: core.collect::<Option<_>>().context("a core of offsets")?,
            example: bytes(word("example")?)?,
            certain: class["certain"].as_bool().context("no certain")?,
            effect: word("effect")?.to_owned(),
            count: messages(&class["count"]),
            test: class["test"].as_str().map(str::to_owned),
        })
    }
}

/// Bytes that are written as pairs of hexadecimal digits.
fn bytes(text: &str) -> Result<Vec<u8>> {
    ensure!(text.is_ascii() && text.len().is_multiple_of(2), "no bytes: {text}");
    let pairs = (0..text.len()).step_by(2).map(|at| &text[at..at + 2]);
    Ok(pairs.map(|pair| u8::from_str_radix(pair, 16)).collect::<Result<_, _>>()?)
}

pub(super) mod tests {
    use super::*;

    pub(crate) fn comments_are_read() {
        let text = "# A system: two nodes.\n# trojan: --from a --to b\n# classes: 2\n\
                    # class: b.c:answer 4 0,2 count 3\n# class: - 2 - effect crash\n[[node]]\n";
        let expected = TrojanExpectations::parse(text).expect("the comments are right");
        let expected = expected.expect("there are some");
        assert_eq!(expected.flags, ["--from", "a", "--to", "b"]);
        let [first, second] = &expected.classes[..] else { panic!("{:?}", expected.classes) };
        assert_eq!(first.place, Some(("b.c".to_owned(), "answer".to_owned())));
        assert_eq!((first.length, &*first.core, first.count), (4, &[0, 2][..], Some(3)));
        assert_eq!((&second.place, second.core.len()), (&None, 0));
        assert_eq!(second.effect.as_deref(), Some("crash"));
        assert_eq!(TrojanExpectations::parse("# expect: worlds 1\n").expect("right"), None);
        for text in [
            "# classes: 0",
            "# trojan: --from a",
            "# trojan: --from a\n# classes: 1",
            "# trojan: --from a\n# classes: 1\n# class: b.c 4 0",
            "# trojan: --from a\n# classes: 1\n# class: b.c:m 4 x",
            "# trojan: --from a\n# classes: 1\n# class: b.c:m 4 0 count",
        ] {
            assert!(TrojanExpectations::parse(text).is_err(), "{text}");
        }
    }
}
