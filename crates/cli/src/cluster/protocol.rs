//! The messages between `everett work` and the processes that explore jobs for it.
//!
//! A message is its length, as eight bytes, and its bytes. The process that explores has the messages to it
//! on its standard input, and answers on its standard output.

use std::io::{ErrorKind, Read, Write};

use anyhow::{Context, Result, bail};
use everett_base::part::Portable;
use everett_engine::LimitedCounts;

use crate::value_bytes::{of_bytes, to_bytes};

/// The longest message that is read.
const MOST_BYTES: u64 = 4 << 30;

/// A message to the process that explores.
pub(crate) enum ToJobProcess {
    /// Explore this job; others have covered this by now.
    Work { job: Vec<u8>, known: Vec<Vec<u8>> },
    /// End the job as soon as possible, and leave at most so many parts.
    End { parts: u64 },
    /// All jobs of the run have come to this by now.
    Totals(LimitedCounts),
}

everett_base::portable!(enum ToJobProcess {
    0 = Work { job, known }, 1 = End { parts }, 2 = Totals(counts),
});

/// News about a run, which reach those that listen.
pub(crate) enum RunNews {
    /// A worker tells the code that is covered by now.
    Covered(Vec<u8>),
    /// Whoever follows the run tells what its jobs have come to, if there are limits on that.
    Totals(LimitedCounts),
}

everett_base::portable!(enum RunNews { 0 = Covered(coverage), 1 = Totals(counts) });

/// An answer of the process that explores.
pub(crate) enum FromJobProcess {
    /// The run is loaded.
    Ready,
    /// The worlds of the job are read, and are explored from now on.
    Begun,
    /// A job is done.
    Done(JobAnswer),
    /// A job, or the run itself, cannot be explored.
    Failed(String),
}

everett_base::portable!(enum FromJobProcess {
    0 = Ready, 1 = Done(answer), 2 = Failed(why), 3 = Begun,
});

/// A job that is done.
pub(crate) struct JobAnswer {
    /// The jobs that are left, compressed, with the number of states of each.
    pub(crate) children: Vec<(Vec<u8>, u64)>,
    /// The record, compressed.
    pub(crate) record: Vec<u8>,
    /// The code that is covered by now.
    pub(crate) coverage: Vec<u8>,
    /// Executions that are complete, and findings, for whoever looks at the run.
    pub(crate) executions: u64,
    pub(crate) findings: u64,
}

everett_base::portable!(struct JobAnswer { children, record, coverage, executions, findings });

/// The content of the record of a job at the board.
pub(crate) struct RecordBody {
    /// For each child of the job, the number of its states.
    pub(crate) states: Vec<u64>,
    /// Executions that are complete, and findings, of which other jobs may have some as well.
    pub(crate) executions: u64,
    pub(crate) findings: u64,
    /// The engine's record, compressed; nothing for a job that no worker could explore.
    pub(crate) record: Vec<u8>,
    /// The reason why no worker could explore it.
    pub(crate) failure: Option<String>,
}

everett_base::portable!(struct RecordBody { states, executions, findings, record, failure });

/// Sends a message.
pub(crate) fn send<T: Portable>(to: &mut impl Write, message: &T) -> Result<()> {
    let bytes = to_bytes(message);
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(&bytes)?;
    to.flush()?;
    Ok(())
}

/// The next message; `None` at the end.
pub(crate) fn receive<T: Portable>(from: &mut impl Read) -> Result<Option<T>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    if length > MOST_BYTES {
        bail!("a message has {length} bytes");
    }
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        bail!("a message is cut off");
    }
    of_bytes(&bytes).map(Some).context("a message is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_through_and_garbage_is_refused() {
        let mut pipe = Vec::new();
        send(&mut pipe, &ToJobProcess::Work { job: vec![1, 2], known: vec![vec![3]] }).unwrap();
        let end_of_first = pipe.len();
        send(&mut pipe, &ToJobProcess::End { parts: 2 }).unwrap();
        let mut from = &pipe[..];
        let first = receive(&mut from).unwrap();
        assert!(matches!(first, Some(ToJobProcess::Work { job, .. }) if job == [1, 2]));
        assert!(matches!(receive(&mut from).unwrap(), Some(ToJobProcess::End { parts: 2 })));
        assert!(receive::<ToJobProcess>(&mut from).unwrap().is_none());
        for end in 9..end_of_first {
            assert!(receive::<ToJobProcess>(&mut &pipe[..end]).is_err(), "{end}");
        }
        assert!(receive::<ToJobProcess>(&mut &[255u8; 30][..]).is_err());
    }
}
