//! Leaks: heap objects that nothing points to any more.

use std::collections::BTreeSet;

use everett_memory::{ObjRef, ObjectKind};

use crate::state::node_state::PathState;

/// Leaked objects that a finding lists.
pub(crate) const MAX_REPORTED: usize = 8;

/// Heap objects that cannot be reached from globals, in address order. A pointer into the middle of
/// an object keeps it alive, too.
///
/// Local variables and registers do not count: at the end of a path they are gone, whether `main`
/// returned or some function called `exit`. So optimisation does not change what is a leak.
pub(crate) fn unreachable(st: &mut PathState) -> Vec<ObjRef> {
    let objects: Vec<ObjRef> = st.mem.objects_in(0, u64::MAX).collect();
    let mut lost: BTreeSet<u64> =
        objects.iter().filter(|o| o.object.kind == ObjectKind::Heap).map(|o| o.base).collect();
    let marked: Vec<u64> = st.extra.marked.iter().copied().collect();
    let mut todo: Vec<ObjRef> =
        marked.into_iter().filter_map(|address| reached(st, &mut lost, address)).collect();
    let roots =
        |object: &&ObjRef| matches!(object.object.kind, ObjectKind::Global | ObjectKind::External);
    todo.extend(objects.iter().filter(roots));
    while let Some(object) = todo.pop() {
        for word in st.mem.words(object) {
            todo.extend(reached(st, &mut lost, word));
        }
    }
    objects.into_iter().filter(|object| lost.contains(&object.base)).collect()
}

/// The object that a word points to, if it was thought lost.
fn reached(st: &PathState, lost: &mut BTreeSet<u64>, word: u64) -> Option<ObjRef> {
    let object = st.mem.check(word, 0).ok()?;
    lost.remove(&object.base).then_some(object)
}
