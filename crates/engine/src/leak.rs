//! Which heap objects nothing points to any more.

use std::collections::BTreeSet;

use everett_memory::{Kind, ObjRef};

use crate::primitives::St;

/// Leaked objects that a finding lists.
pub(crate) const MAX_REPORTED: usize = 8;

/// Heap objects that cannot be reached from globals, live local variables and registers, in
/// address order. A pointer into the middle of an object keeps it alive, too.
pub(crate) fn unreachable(st: &mut St) -> Vec<ObjRef> {
    let objects: Vec<ObjRef> = st.mem.objects_in(0, u64::MAX).collect();
    let mut lost: BTreeSet<u64> =
        objects.iter().filter(|o| o.object.kind == Kind::Heap).map(|o| o.base).collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let mut todo: Vec<ObjRef> =
        objects.iter().filter(|o| o.object.kind != Kind::Heap).copied().collect();
    let registers: Vec<u64> = st.stack.all_regs().filter_map(|reg| reg.as_word()).collect();
    for word in registers {
        todo.extend(reached(st, &mut lost, word));
    }
    while let Some(object) = todo.pop() {
        for word in st.mem.words(object) {
            todo.extend(reached(st, &mut lost, word));
        }
    }
    objects.into_iter().filter(|object| lost.contains(&object.base)).collect()
}

/// The object that a word points to, if it was thought lost.
fn reached(st: &St, lost: &mut BTreeSet<u64>, word: u64) -> Option<ObjRef> {
    let object = st.mem.check(word, 0).ok()?;
    lost.remove(&object.base).then_some(object)
}
