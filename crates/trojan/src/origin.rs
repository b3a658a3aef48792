//! [`MessageOrigin`]: can a sender have sent a message that was recorded, and if not, why not?
//!
//! It is the question of the search the other way round: the message is given, so that exact groups are
//! evaluated, and each group with inputs is one query, which all messages with the same bytes share.

use std::collections::BTreeSet;

use everett_base::Map;
use everett_expr::{Assignment, Pool, TermId};
use everett_solver::{Model, SolverAnswer, SolverChain, SolverError};

use crate::search::{FixedBytes, GroupAnswer, MessageSenders, TrojanSearch};
use crate::sender::{GroupId, SenderPathId};

/// Rows that are tried for a message that is nearest.
const NEAREST_ROWS_MAX: usize = 8;

/// The answer to the question whether senders can have sent a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageOrigin {
    /// The paths that can have sent it.
    pub senders: MessageSenders,
    /// The reason why no path can have sent it; `None` if one can or may.
    pub obstacle: Option<SendingObstacle>,
}

/// The reason why no path can have sent a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SendingObstacle {
    /// The offsets of a smallest set of bytes that no sender can send together, ascending: the first single
    /// byte, else the first pair, else a set of which no byte can be left out, as long as the limit on
    /// queries allows. It has no byte if no sender sends messages of this length.
    pub core: Vec<u32>,
    /// A message near to it that a path can send.
    pub nearest: Option<NearestMessage>,
}

/// A message that a path can send and that differs from another one in few bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NearestMessage {
    /// The path.
    pub path: SenderPathId,
    /// The message. Bytes that differ have the smallest values that they can have, in the order of their
    /// offsets, as long as the limit on queries allows. Masked bytes are those of the other one.
    pub bytes: Vec<u8>,
}

impl NearestMessage {
    /// The offsets at which it differs from the other message, ascending.
    pub fn differences(&self, message: &[u8]) -> Vec<u32> {
        let pairs = (0..).zip(self.bytes.iter().zip(message));
        pairs.filter(|(_, (near, given))| near != given).map(|(offset, _)| offset).collect()
    }
}

impl TrojanSearch {
    /// Says whether senders can have sent a message and, if they cannot, why.
    ///
    /// The senders must not share bytes with a receiver ([`SenderOptions::shared`]).
    ///
    /// # Panics
    /// When they do.
    ///
    /// [`SenderOptions::shared`]: crate::SenderOptions::shared
    pub fn origin(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        message: &[u8],
    ) -> Result<MessageOrigin, SolverError> {
        let senders = self.senders.clone();
        let length = u32::try_from(message.len()).expect("a message is shorter than 4 GiB");
        assert!(senders.shared_by(length).is_empty(), "a message alone has no shared bytes");
        let symbol = senders.message(pool, length);
        let vars = (0..length).map(|offset| pool.symbol_var(symbol, offset));
        let model = Model::new(vars.zip(message.iter().copied()));
        let mut verdicts: Map<GroupId, GroupVerdict> = Map::default();
        let mut found = MessageSenders::default();
        for row in senders.rows(length) {
            let mut verdict = GroupVerdict::Satisfied;
            for &id in &row.groups {
                let group = match verdicts.get(&id) {
                    Some(&known) => known,
                    None => self.group_verdict(pool, chain, id, length, &model)?,
                };
                verdicts.insert(id, group);
                verdict = verdict.max(group);
                if verdict == GroupVerdict::Violated {
                    break;
                }
            }
            match verdict {
                GroupVerdict::Satisfied => found.certain.extend(&row.paths),
                GroupVerdict::Unknown => found.undecided.extend(&row.paths),
                GroupVerdict::Violated => {}
            }
        }
        found.put_in_order();
        let mut obstacle = None;
        if found.certain.is_empty() && found.undecided.is_empty() {
            let core = self.core(pool, chain, length, &model)?;
            let nearest = self.nearest(pool, chain, message, &model)?;
            obstacle = Some(SendingObstacle { core, nearest });
        }
        Ok(MessageOrigin { senders: found, obstacle })
    }

    /// Asks whether a message satisfies a group.
    fn group_verdict(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        id: GroupId,
        length: u32,
        model: &Model,
    ) -> Result<GroupVerdict, SolverError> {
        let senders = self.senders.clone();
        let group = senders.group(id);
        if group.is_exact() {
            let holds = group.terms.iter().all(|&term| pool.eval_bool(term, model));
            return Ok(if holds { GroupVerdict::Satisfied } else { GroupVerdict::Violated });
        }
        let bytes = FixedBytes { length, offsets: None, model };
        Ok(match self.ask(pool, chain, id, &bytes)? {
            GroupAnswer::Possible(_) => GroupVerdict::Satisfied,
            GroupAnswer::Impossible => GroupVerdict::Violated,
            GroupAnswer::Unknown => GroupVerdict::Unknown,
        })
    }

    /// A message near to one that cannot be sent. Rows with the fewest bytes in groups that the message
    /// violates are tried, and the result that differs in the fewest bytes is taken.
    fn nearest(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        message: &[u8],
        model: &Model,
    ) -> Result<Option<NearestMessage>, SolverError> {
        let senders = self.senders.clone();
        let length = u32::try_from(message.len()).expect("a message is shorter than 4 GiB");
        let mut verdicts: Map<GroupId, GroupVerdict> = Map::default();
        let mut candidates = Vec::new();
        for (at, row) in senders.rows(length).iter().enumerate() {
            let mut violated = Vec::new();
            for &id in &row.groups {
                let verdict = match verdicts.get(&id) {
                    Some(&known) => known,
                    None => self.group_verdict(pool, chain, id, length, model)?,
                };
                verdicts.insert(id, verdict);
                if verdict != GroupVerdict::Satisfied {
                    violated.push(id);
                }
            }
            let bytes = violated.iter().flat_map(|&id| senders.group(id).bytes.iter());
            let count = bytes.collect::<BTreeSet<_>>().len();
            candidates.push((count, at, violated));
        }
        candidates.sort_unstable();
        candidates.truncate(NEAREST_ROWS_MAX);
        let queries_end = self.stats.group_queries.saturating_add(self.limits.core_queries_max);
        let mut best: Option<(usize, NearestMessage)> = None;
        for (_, at, violated) in candidates {
            let mut repaired =
                RepairedMessage { given: model, queries_end, bytes: message.to_vec() };
            let mut can_be_sent = true;
            for id in violated {
                can_be_sent &= self.repair(pool, chain, id, &mut repaired)?;
            }
            let bytes = repaired.bytes;
            let near = NearestMessage { path: senders.rows(length)[at].paths[0], bytes };
            let count = near.differences(message).len();
            if can_be_sent && best.as_ref().is_none_or(|(fewest, _)| count < *fewest) {
                best = Some((count, near));
            }
        }
        Ok(best.map(|(_, near)| near))
    }

    /// Changes bytes of a message such that it satisfies a group that it violates, none of them without
    /// need. Returns `false` if no message is known to satisfy the group.
    fn repair(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        id: GroupId,
        message: &mut RepairedMessage<'_>,
    ) -> Result<bool, SolverError> {
        let senders = self.senders.clone();
        let group = senders.group(id);
        let length = u32::try_from(message.bytes.len()).expect("a message is shorter than 4 GiB");
        let symbol = senders.message(pool, length);
        let (mut kept, mut sendable) = (Vec::new(), None);
        for added in std::iter::once(None).chain(group.bytes.iter().copied().map(Some)) {
            if sendable.is_some() && self.stats.group_queries > message.queries_end {
                break;
            }
            kept.extend(added);
            let fixed = FixedBytes { length, offsets: Some(&kept), model: message.given };
            match self.ask(pool, chain, id, &fixed)? {
                GroupAnswer::Possible(found) => sendable = Some(found),
                _ if sendable.is_none() => return Ok(false),
                _ => {
                    kept.pop();
                }
            }
        }
        let Some(sendable) = sendable else { return Ok(false) };
        let mut terms = group.terms.to_vec();
        let is = |offset: u32, value: u8| {
            pool.eq(pool.byte(symbol, offset), pool.constant(8, u64::from(value)))
        };
        terms.extend(kept.iter().map(|&offset| is(offset, message.bytes[offset as usize])));
        // The smallest values, so that the model that a solver happens to give does not show.
        let changed: Vec<u32> =
            group.bytes.iter().copied().filter(|offset| !kept.contains(offset)).collect();
        let mut values = Vec::new();
        for &offset in &changed {
            let byte = pool.byte(symbol, offset);
            let value = match self.stats.group_queries > message.queries_end {
                true => None,
                false => self.smallest(pool, chain, &terms, byte)?,
            };
            let Some(value) = value else { break };
            terms.push(is(offset, value));
            values.push(value);
        }
        if values.len() < changed.len() {
            // Values of one model belong together.
            let var = |&offset: &u32| pool.symbol_var(symbol, offset);
            values = changed.iter().map(|offset| sendable.byte(var(offset))).collect();
        }
        for (offset, value) in changed.into_iter().zip(values) {
            message.bytes[offset as usize] = value;
        }
        Ok(true)
    }

    /// The smallest value of a byte under some conditions; `None` if the solver gives up.
    fn smallest(
        &mut self,
        pool: &Pool,
        chain: &mut SolverChain,
        conditions: &[TermId],
        byte: TermId,
    ) -> Result<Option<u8>, SolverError> {
        let (mut low, mut high) = (0, 255);
        while low < high {
            let middle = low + (high - low) / 2;
            let is_at_most = pool.ule(byte, pool.constant(8, u64::from(middle)));
            let terms: Vec<TermId> = conditions.iter().copied().chain([is_at_most]).collect();
            self.stats.group_queries += 1;
            match chain.solve(pool, &terms)? {
                SolverAnswer::Sat(_) => high = middle,
                SolverAnswer::Unsat => low = middle + 1,
                SolverAnswer::Unknown => return Ok(None),
            }
        }
        Ok(Some(low))
    }
}

/// A message that is changed until it can be sent.
struct RepairedMessage<'a> {
    /// The message as it was given.
    given: &'a Model,
    bytes: Vec<u8>,
    /// The number of queries after which bytes are changed without a try to keep them.
    queries_end: u64,
}

/// The relation of a message to a group. The worst of a row's groups is that of the row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum GroupVerdict {
    Satisfied,
    Unknown,
    Violated,
}
