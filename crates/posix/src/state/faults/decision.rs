//! [`FaultDecision`]: a fault as a test case records it.
//!
//! The object of a test case begins with the version of its format and then has one decision after the
//! other: the kind (`u16`), the point (`u64`) and the choice (`u32`), all little-endian. What cannot be
//! read is an error: a test that lacks a fault would be another test.

use thiserror::Error;

use crate::config::FaultKind;

/// A fault that happens at a point of a node's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FaultDecision {
    /// The kind of fault that happens.
    pub kind: FaultKind,
    /// The how-manieth place on the path, from 1, where a fault of this kind was possible.
    pub point: u64,
    /// The alternative that is taken there; 0 is that nothing happens, and never recorded.
    pub choice: u32,
}

everett_base::portable!(struct FaultDecision { kind, point, choice });

/// The reason why a test case does not say which faults happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FaultDecisionError {
    /// Another program has written it.
    #[error("its faults are written in format {0}, not {VERSION}; write the test again")]
    Version(u16),
    /// Something is missing at its end.
    #[error("its faults are incomplete")]
    Incomplete,
    /// A kind that there is not.
    #[error("it has a fault of the unknown kind {0}")]
    Kind(u16),
}

const VERSION: u16 = 1;
/// Bytes of one decision.
const BYTES: usize = 14;

impl FaultDecision {
    /// Decisions as a test case has them.
    pub fn write_all(decisions: impl IntoIterator<Item = FaultDecision>) -> Vec<u8> {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        for FaultDecision { kind, point, choice } in decisions {
            bytes.extend(kind.number().to_le_bytes());
            bytes.extend(point.to_le_bytes());
            bytes.extend(choice.to_le_bytes());
        }
        bytes
    }

    /// All decisions of a test case.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<FaultDecision>, FaultDecisionError> {
        let (version, rest) = bytes.split_first_chunk().ok_or(FaultDecisionError::Incomplete)?;
        let version = u16::from_le_bytes(*version);
        if version != VERSION {
            return Err(FaultDecisionError::Version(version));
        }
        let (chunks, left) = rest.as_chunks::<BYTES>();
        if !left.is_empty() {
            return Err(FaultDecisionError::Incomplete);
        }
        chunks.iter().map(FaultDecision::read).collect()
    }

    fn read(bytes: &[u8; BYTES]) -> Result<FaultDecision, FaultDecisionError> {
        let word = u128::from_le_bytes(std::array::from_fn(|i| *bytes.get(i).unwrap_or(&0)));
        let number = word as u16;
        let kind = FaultKind::from_number(number).ok_or(FaultDecisionError::Kind(number))?;
        Ok(FaultDecision { kind, point: (word >> 16) as u64, choice: (word >> 80) as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_read_as_they_were_written() {
        let decisions = [
            FaultDecision { kind: FaultKind::SysFail, point: 1 << 40, choice: 28 },
            FaultDecision { kind: FaultKind::Loss, point: 1, choice: u32::MAX },
        ];
        let bytes = FaultDecision::write_all(decisions);
        assert_eq!(bytes.len(), 2 + 2 * BYTES);
        assert_eq!(FaultDecision::read_all(&bytes), Ok(decisions.to_vec()));
    }

    #[test]
    fn what_cannot_be_read_is_an_error() {
        let decision = FaultDecision { kind: FaultKind::Loss, point: 1, choice: 1 };
        let good = FaultDecision::write_all([decision]);
        assert_eq!(FaultDecision::read_all(&good[..1]), Err(FaultDecisionError::Incomplete));
        assert_eq!(FaultDecision::read_all(&good[..9]), Err(FaultDecisionError::Incomplete));
        let mut other = good.clone();
        other[0] = 9;
        assert_eq!(FaultDecision::read_all(&other), Err(FaultDecisionError::Version(9)));
        let mut unknown = good;
        unknown[3] = 0xff;
        assert_eq!(FaultDecision::read_all(&unknown), Err(FaultDecisionError::Kind(0xff00)));
    }
}
