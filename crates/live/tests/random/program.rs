//! Random programs that talk to a peer, and what they have heard.

use std::collections::BTreeMap;
use std::time::Duration;

use everett_base::Rng;
use everett_live::{
    Closing, ConnectionId, ConversationTree, Endpoint, LiveError, Peer, PeerEvent, Position, Source,
};

use crate::machine::MachinePeer;

const LIMIT: Duration = Duration::from_millis(10);

/// One thing that a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Deed {
    Open(Endpoint),
    Send(ConnectionId, Vec<u8>),
    SendDatagram(ConnectionId, Vec<u8>),
    Close(ConnectionId, Closing),
    Receive(Source, PeerEvent),
}

/// A program on the way, with everything that it has done.
#[derive(Clone)]
pub(crate) struct Program {
    position: Position,
    connections: u32,
    deeds: Vec<Deed>,
    /// It always waits until a connection is open, and never asks for anything, so that what a session is
    /// told and asked determines the way.
    is_orderly: bool,
}

impl Default for Program {
    fn default() -> Program {
        Program { position: Position::ROOT, connections: 0, deeds: Vec::new(), is_orderly: false }
    }
}

impl Program {
    /// A program that does everything in an orderly way.
    pub(crate) fn orderly() -> Program {
        Program { is_orderly: true, ..Program::default() }
    }

    /// A program that has done nothing yet.
    pub(crate) fn anew(&self) -> Program {
        Program { is_orderly: self.is_orderly, ..Program::default() }
    }

    /// Does something random.
    pub(crate) fn step(&mut self, tree: &ConversationTree, rng: &mut Rng) -> Result<(), LiveError> {
        let connection = ConnectionId(rng.below(u64::from(self.connections.max(1))) as u32);
        let deed = match rng.below(20) {
            _ if self.connections == 0 && rng.below(2) == 0 => {
                Deed::Open(Endpoint(rng.below(2) as u32))
            }
            0..9 => {
                let source = match rng.below(6) {
                    0 => Source::Endpoint(Endpoint(rng.below(2) as u32)),
                    1 if !self.is_orderly => Source::Anything,
                    _ => Source::Connection(connection),
                };
                Deed::Receive(source, PeerEvent::Silence)
            }
            _ if self.connections == 0 => return Ok(()),
            9 if self.connections < 4 => Deed::Open(Endpoint(rng.below(2) as u32)),
            10..17 => Deed::Send(connection, few_bytes(rng)),
            17 | 18 => Deed::SendDatagram(connection, few_bytes(rng)),
            _ if rng.below(4) > 0 => return Ok(()),
            _ => {
                let ways = [Closing::Finish, Closing::Close, Closing::Abort];
                Deed::Close(connection, ways[rng.below(3) as usize])
            }
        };
        let opened = matches!(deed, Deed::Open(_)).then_some(ConnectionId(self.connections));
        self.act(tree, deed)?;
        match opened.filter(|_| self.is_orderly) {
            None => Ok(()),
            Some(connection) => {
                self.act(tree, Deed::Receive(Source::Connection(connection), PeerEvent::Silence))
            }
        }
    }

    fn act(&mut self, tree: &ConversationTree, mut deed: Deed) -> Result<(), LiveError> {
        self.position = match &mut deed {
            Deed::Open(endpoint) => {
                self.connections += 1;
                tree.open(self.position, *endpoint)?
            }
            Deed::Send(connection, bytes) => tree.send(self.position, *connection, bytes)?,
            Deed::SendDatagram(connection, bytes) => {
                tree.send_datagram(self.position, *connection, bytes)?
            }
            Deed::Close(connection, how) => tree.close(self.position, *connection, *how)?,
            Deed::Receive(source, event) => {
                let heard = tree.receive(self.position, *source, LIMIT)?;
                *event = heard.event;
                self.connections += u32::from(matches!(event, PeerEvent::Connected(_)));
                heard.position
            }
        };
        let newest = self.position.newest_connection().map_or(0, |newest| newest.0 + 1);
        assert_eq!(newest, self.connections, "a position knows how many connections there are");
        self.deeds.push(deed);
        Ok(())
    }

    /// Does the same with another tree, and hears the same.
    pub(crate) fn repeat(&self, tree: &ConversationTree, seed: u64) {
        let mut again = Program::default();
        for deed in &self.deeds {
            again.act(tree, deed.clone()).unwrap();
            assert_eq!(again.deeds.last(), Some(deed), "seed {seed}");
        }
        assert_eq!(again.position, self.position, "seed {seed}");
    }

    /// The deeds, with bytes that are sent directly one after the other put together.
    fn way(&self) -> Vec<Deed> {
        let mut way: Vec<Deed> = Vec::new();
        for deed in &self.deeds {
            match (way.last_mut(), deed) {
                (Some(Deed::Send(last, sent)), Deed::Send(connection, bytes))
                    if last == connection =>
                {
                    sent.extend(bytes);
                }
                _ => way.push(deed.clone()),
            }
        }
        way
    }
}

fn few_bytes(rng: &mut Rng) -> Vec<u8> {
    let length = 1 + rng.below(3);
    (0..length).map(|_| b"ab"[rng.below(2) as usize]).collect()
}

/// Compares what a program has heard with what it hears when it talks to a peer alone.
pub(crate) fn check_alone(program: &Program, peer: &MachinePeer, seed: u64) {
    let mut session = peer.start(LIMIT).unwrap();
    let (mut connections, mut opened) = (0, BTreeMap::new());
    for (number, deed) in program.deeds.iter().enumerate() {
        match deed {
            Deed::Open(endpoint) => {
                let connection = ConnectionId(connections);
                opened.insert(connection, session.open(connection, *endpoint, LIMIT).unwrap());
                connections += 1;
            }
            Deed::Send(connection, bytes) => {
                assert_eq!(session.send(*connection, bytes, LIMIT).unwrap(), bytes.len());
            }
            Deed::SendDatagram(connection, bytes) => {
                session.send_datagram(*connection, bytes).unwrap();
            }
            Deed::Close(connection, how) => session.close(*connection, *how).unwrap(),
            Deed::Receive(source, heard) => {
                // Only the order in which connections are heard of is free for those who ask for anything.
                let outcome = heard.source().and_then(|source| match source {
                    Source::Connection(connection) => opened.remove(&connection),
                    _ => None,
                });
                let alone = outcome.unwrap_or_else(|| session.wait(*source, LIMIT).unwrap());
                assert_eq!(alone, *heard, "seed {seed}, deed {number} of {:?}", program.deeds);
                if let PeerEvent::Connected(endpoint) = heard {
                    session.accept(ConnectionId(connections), *endpoint).unwrap();
                    connections += 1;
                }
            }
        }
    }
}

/// Checks that programs have the same position if they have done and heard the same, and only then.
///
/// A silence that is heard again right behind another one leads nowhere, so those ways are left out.
pub(crate) fn check_positions(programs: &[Program], seed: u64) {
    let is_silent =
        |deed: &Deed| matches!(deed, Deed::Receive(_, PeerEvent::Silence | PeerEvent::Gone));
    let programs: Vec<&Program> =
        programs.iter().filter(|program| !program.deeds.iter().any(is_silent)).collect();
    for (number, one) in programs.iter().enumerate() {
        for two in &programs[..number] {
            let is_same = one.way() == two.way();
            assert_eq!(
                one.position == two.position,
                is_same,
                "seed {seed}: {:?} {:?}",
                one.way(),
                two.way()
            );
        }
    }
}
