//! Settings about how results read: the frames of stacks, and messages in the words of their protocols.

use clap::ValueEnum;
use everett_engine::{DecodeRule, MessageDecoder};

/// The frames of stacks that are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FrameChoice {
    /// Those of programs; calls of libraries are one line.
    Own,
    /// All of them.
    All,
}

/// Settings about how results read.
#[derive(Clone, clap::Args)]
pub(crate) struct ReadingOptions {
    /// Frames of stacks that are printed: the program's own, with a line for each call of a library, or all
    #[arg(long, value_name = "own|all", default_value = "own", hide_possible_values = true)]
    pub(crate) frames: FrameChoice,
    /// Show messages from or to a port, or all of them, in the words of a decoder: `dns`, `http`, or a
    /// function of the program, int NAME(const void *bytes, size_t length, char *text, size_t size)
    #[arg(long, value_name = "[PORT=]NAME", value_parser = parse_rule)]
    decode: Vec<DecodeRule>,
}

impl ReadingOptions {
    /// The decoders of messages, in their order.
    pub(crate) fn decoders(&self) -> Vec<DecodeRule> {
        self.decode.clone()
    }
}

fn parse_rule(text: &str) -> std::result::Result<DecodeRule, String> {
    let (port, name) = match text.split_once('=') {
        None => (None, text),
        Some((port, name)) => {
            let wrong = |_| format!("'{port}' is no port; expected a number below 65536");
            (Some(port.parse::<u16>().map_err(wrong)?), name)
        }
    };
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    let goes_on = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
    if !name.starts_with(begins) || !name.chars().all(goes_on) {
        return Err(format!("'{name}' is neither dns, http, nor the name of a function"));
    }
    let decoder = match name {
        "dns" => MessageDecoder::Dns,
        "http" => MessageDecoder::Http,
        name => MessageDecoder::Function(name.to_owned()),
    };
    Ok(DecodeRule { port, decoder })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_decoders_with_or_without_a_port() {
        let rule = |text| parse_rule(text).ok();
        let dns = MessageDecoder::Dns;
        assert_eq!(rule("dns"), Some(DecodeRule { port: None, decoder: dns }));
        let decoder = MessageDecoder::Function("describe".to_owned());
        assert_eq!(rule("4000=describe"), Some(DecodeRule { port: Some(4000), decoder }));
        for wrong in ["", "4000=", "x=dns", "65536=dns", "a b", "=dns", "1=2"] {
            assert_eq!(rule(wrong), None, "{wrong}");
        }
    }
}
