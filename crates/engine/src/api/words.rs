//! Messages in the words of their protocol: the decoders that are asked, and what they say.

/// A decoder of messages that the engine has, or a function of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageDecoder {
    /// Questions and answers of DNS.
    Dns,
    /// Requests and answers of HTTP.
    Http,
    /// A function of the program that sends a message, receives it, or is another node's:
    /// `int decode(const void *bytes, size_t length, char *text, size_t size)`.
    Function(String),
}

/// The decoder of some messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeRule {
    /// Messages from or to this port; all of them if there is none.
    pub port: Option<u16>,
    /// Their decoder.
    pub decoder: MessageDecoder,
}

/// What a decoder has made of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageWords {
    /// The name of the decoder.
    pub decoder: String,
    /// The message in words, without control characters; if the decoder failed, the reason.
    pub text: String,
    /// The decoder failed.
    pub failed: bool,
}

everett_base::portable!(struct MessageWords { decoder, text, failed });
