//! Times of files that may be anything, from long ago to far ahead.
//!
//! A file has one such time, in seconds, for all of its times, as long as it is not changed: what a program
//! is told once stays so.

use std::sync::Arc;

use everett_fs::InodeId;
use everett_memory::ByteValue;

use crate::kernel::Guest;
use crate::kernel::call::Call;
use crate::kernel::reply::CallHalt;

/// The name of the input.
const INPUT: &str = "file-time";
const BYTES: u32 = 8;
/// The latest time, in seconds since 1970: the year 2242.
const LATEST: u64 = 1 << 33;

impl<X: Guest> Call<'_, '_, X> {
    /// The time of a file, in bytes, if it is not the real one. Nothing may fail afterwards.
    pub(crate) fn symbolic_time(
        &mut self,
        inode: InodeId,
        changed: i64,
    ) -> Result<Option<Arc<[ByteValue]>>, CallHalt> {
        let node = self.node();
        let known = node.disk.times.get(&inode).filter(|(at, _)| *at == changed);
        if let Some((_, bytes)) = known {
            return Ok(Some(bytes.clone()));
        }
        // A test that has such an input was written by a run with such times.
        let wanted =
            node.path.faults.config().symbolic_times && crate::Kernel::is_blamed(self.cx, self.st);
        if !wanted && !X::next_input_is(self.st, INPUT) {
            return Ok(None);
        }
        let bytes: Arc<[ByteValue]> = X::new_input(self.cx, self.st, INPUT, BYTES)?.into();
        let pool = self.cx.pool;
        let mut term = None;
        for byte in bytes.iter() {
            let ByteValue::Symbolic(byte) = *byte else { break };
            term = Some(term.map_or(byte, |low| pool.concat(byte, low)));
        }
        if let Some(term) = term {
            let within = pool.ult(term, pool.constant(8 * BYTES, LATEST));
            let possible = self.st.path.assume(self.cx.solver, pool, within);
            possible.map_err(everett_interp::Stop::from)?;
        }
        Arc::make_mut(&mut self.node_mut().disk.times).insert(inode, (changed, bytes.clone()));
        Ok(Some(bytes))
    }
}
