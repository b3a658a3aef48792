//! The oracle for protocols whose messages have few bytes: each message, tried natively.
//!
//! Client and server are functions in a header, `protocol.h`, that their programs share. They are compiled
//! with `every_message.c`, which tells for each message whether the client can send it and the server
//! accepts it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::classes::FoundClass;
use crate::workbench::NATIVE_C;

/// The header of a protocol, in the folder of its system.
pub(crate) const HEADER: &str = "protocol.h";

/// All messages of a protocol, by their number.
pub(crate) struct EveryMessage {
    /// Bits: 1 if the client can send it, 2 if the server accepts it.
    table: Vec<u8>,
    length: usize,
}

impl EveryMessage {
    /// Tries the messages of a protocol.
    pub(crate) fn of(header: &Path) -> Result<EveryMessage> {
        let folder = tempfile::tempdir()?;
        let program = folder.path().join("every_message");
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/systems/trojans/every_message.c");
        let mut compile = Command::new(NATIVE_C);
        compile.args(["-O2", "-w"]).arg(format!("-DPROTOCOL={:?}", header.canonicalize()?));
        let status = compile.arg(&source).arg("-o").arg(&program).status()?;
        ensure!(status.success(), "{} cannot be built", header.display());
        let done = Command::new(&program).output().context("cannot start the oracle")?;
        ensure!(done.status.success(), "the oracle failed: {}", done.status);
        let table = done.stdout;
        let length = (1..=3).find(|length| table.len() == 1 << (8 * length));
        let length = length.context("a protocol has messages of one to three bytes")?;
        Ok(EveryMessage { table, length })
    }

    /// The differences between the classes that were found and the messages that there are.
    pub(crate) fn check(&self, classes: &[FoundClass]) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut unexplained = vec![true; self.table.len()];
        for class in classes {
            let number = self.number(&class.example);
            if class.example.len() != self.length || self.table[number] != 2 {
                complaints.push(format!("the example is no Trojan message: {class:?}"));
                continue;
            }
            let sent = self.sent(&class.core);
            if sent.contains(&self.at(number, &class.core)) {
                complaints.push(format!("the bytes of the core can be sent: {class:?}"));
            }
            for left_out in 0..class.core.len() {
                let mut fewer = class.core.clone();
                fewer.remove(left_out);
                if !self.sent(&fewer).contains(&self.at(number, &fewer)) {
                    complaints.push(format!("fewer bytes cannot be sent, too: {class:?}"));
                }
            }
            for (number, is_unexplained) in unexplained.iter_mut().enumerate() {
                *is_unexplained &= sent.contains(&self.at(number, &class.core));
            }
        }
        let is_trojan = |number: &usize| self.table[*number] == 2;
        if let Some(number) = (0..self.table.len()).filter(is_trojan).find(|n| unexplained[*n]) {
            complaints.push(format!("no class has the message {number:0w$x}", w = 2 * self.length));
        }
        let counts: Option<Vec<u64>> = classes.iter().map(|class| class.count).collect();
        let total = (0..self.table.len()).filter(is_trojan).count() as u64;
        if let Some(counts) = counts
            && counts.iter().sum::<u64>() != total
        {
            complaints.push(format!("{counts:?} messages, and {total} in all"));
        }
        complaints
    }

    fn number(&self, message: &[u8]) -> usize {
        message.iter().fold(0, |number, &byte| number << 8 | usize::from(byte))
    }

    /// The bytes of a message at some offsets, as a number.
    fn at(&self, number: usize, offsets: &[usize]) -> usize {
        let byte = |offset: &usize| number >> (8 * (self.length - 1 - offset)) & 0xff;
        offsets.iter().fold(0, |bytes, offset| bytes << 8 | byte(offset))
    }

    /// What the client can send at some offsets.
    fn sent(&self, offsets: &[usize]) -> BTreeSet<usize> {
        let is_sent = |number: &usize| self.table[*number] & 1 != 0;
        let all = (0..self.table.len()).filter(is_sent);
        all.map(|number| self.at(number, offsets)).collect()
    }
}

pub(super) mod tests {
    use super::*;
    use crate::cases;

    /// A name of two characters may have a wildcard at its end or at its beginning.
    pub(crate) fn wrong_classes_are_noticed() {
        let header = cases::root().join("trojan/wildcard").join(HEADER);
        let messages = EveryMessage::of(&header).expect("the protocol can be compiled");
        let class = |example: [u8; 2], core: &[usize], count| FoundClass {
            place: "server.c:1".to_owned(),
            length: 2,
            core: core.to_vec(),
            example: example.to_vec(),
            certain: true,
            effect: "answer".to_owned(),
            count,
            test: None,
        };
        let complaints = |classes: &[FoundClass]| messages.check(classes).join("\n");
        let (end, begin) = (class(*b"!*", &[1], Some(94)), class(*b"*!", &[0], Some(93)));
        assert_eq!(complaints(&[end.clone(), begin.clone()]), "");
        assert!(complaints(std::slice::from_ref(&end)).contains("no class has the message 2a21"));
        let wrong = class(*b"!!", &[0], None);
        assert!(complaints(&[end.clone(), begin.clone(), wrong]).contains("no Trojan message"));
        let other = class(*b"*!", &[1], Some(93));
        assert!(complaints(&[end.clone(), other]).contains("can be sent"));
        let more = class(*b"*!", &[0, 1], Some(93));
        assert!(complaints(&[end.clone(), more]).contains("fewer bytes"));
        let fewer = class(*b"*!", &[0], Some(92));
        assert!(complaints(&[end, fewer]).contains("187 in all"));
    }
}
