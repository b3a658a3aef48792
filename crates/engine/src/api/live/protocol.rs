//! The numbers that the engine and the program of live nodes give each other.
//!
//! `runtime-c/live/protocol.h` has them for the program (`runtime-c/live/gateway.c`). It is generated, and a
//! test compares it: `cargo xtask bless --package everett-engine protocol` writes it anew.

/// Something that a peer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum EventKind {
    /// The peer has accepted a connection.
    Opened,
    /// It does not accept it, or nobody has got a datagram.
    Refused,
    /// It begins a connection.
    Connected,
    /// Bytes of a stream.
    Bytes,
    /// A datagram.
    Datagram,
    /// The end of its stream.
    EndOfStream,
    /// It has broken a connection off.
    Reset,
    /// It is not there any more.
    Gone,
    /// Nothing comes.
    Silence,
}

/// Flags of what is sent.
pub(crate) mod sending {
    /// It is a datagram.
    pub(crate) const AS_DATAGRAM: u64 = 1;
    /// Nothing else is said at this moment, and the peer is listened to.
    pub(crate) const LAST: u64 = 2;
    /// It is sent only if it has one value.
    pub(crate) const IF_KNOWN: u64 = 4;
    /// The stream ends behind it.
    pub(crate) const ENDS_STREAM: u64 = 8;
}

/// The ways in which the program ends a connection.
pub(crate) mod closing {
    /// It sends nothing more.
    pub(crate) const FINISH: u64 = 0;
    /// The connection is closed.
    pub(crate) const CLOSE: u64 = 1;
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use everett_posix::decision_options;
    use expect_test::expect_file;

    use super::*;

    fn put(text: &mut String, name: &str, numbers: &[(&str, u64)]) {
        let _ = write!(text, "\nenum{name} {{\n");
        for (name, number) in numbers {
            let _ = writeln!(text, "    {name} = {number:#x},");
        }
        text.push_str("};\n");
    }

    #[test]
    fn the_program_has_the_numbers_of_the_protocol() {
        let mut text = String::from(
            "/* The numbers that the engine and the gateway give each other, generated from\n\
             \x20* crates/engine/src/api/live/protocol.rs: see there. */\n\
             #ifndef EVERETT_LIVE_PROTOCOL_H\n#define EVERETT_LIVE_PROTOCOL_H\n",
        );
        let kinds = [
            ("OPENED", EventKind::Opened),
            ("REFUSED", EventKind::Refused),
            ("CONNECTED", EventKind::Connected),
            ("BYTES", EventKind::Bytes),
            ("DATAGRAM", EventKind::Datagram),
            ("END_OF_STREAM", EventKind::EndOfStream),
            ("RESET", EventKind::Reset),
            ("GONE", EventKind::Gone),
            ("SILENCE", EventKind::Silence),
        ];
        put(&mut text, " event_kind", &kinds.map(|(name, kind)| (name, kind as u64)));
        let flags = [
            ("STREAM", 0),
            ("AS_DATAGRAM", sending::AS_DATAGRAM),
            ("LAST", sending::LAST),
            ("IF_KNOWN", sending::IF_KNOWN),
            ("ENDS_STREAM", sending::ENDS_STREAM),
        ];
        put(&mut text, " sending", &flags);
        let ways = [("FINISH", closing::FINISH), ("CLOSE", closing::CLOSE), ("ABORT", 2)];
        put(&mut text, " closing", &ways);
        put(&mut text, "", &decision_options().map(|(name, number)| (name, number.into())));
        text.push_str("\n#endif\n");
        expect_file!["../../../../../runtime-c/live/protocol.h"].assert_eq(&text);
    }
}
