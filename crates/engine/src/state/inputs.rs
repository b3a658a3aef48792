//! The inputs of a path: symbolic bytes, or those of the test case that is replayed.

use everett_expr::SymbolId;
use everett_interp::{BugKind, Flow, SymbolicObject};
use everett_memory::ByteValue;
use everett_replay::KTestObject;

use crate::api::report::Input;
use crate::state::node_state::{Interpreter, PathState, bug};

/// A new input of this path: symbolic bytes, or those that are given.
pub(crate) fn fresh_bytes(
    cx: &Interpreter<'_>,
    st: &mut PathState,
    name: &str,
    size: u32,
) -> Result<Vec<ByteValue>, Flow> {
    if let Some(bytes) = given_bytes(st, name, size)? {
        return Ok(bytes.into_iter().map(ByteValue::Concrete).collect());
    }
    let symbol = new_symbol(cx, st, name, size);
    Ok((0..size).map(|i| ByteValue::Symbolic(cx.pool.byte(symbol, i))).collect())
}

/// The symbol of a new input. Equal names along a path are told apart by their number, so that the
/// same input of two paths is the same symbol and their queries can share answers.
pub(crate) fn new_symbol(
    cx: &Interpreter<'_>,
    st: &mut PathState,
    name: &str,
    size: u32,
) -> SymbolId {
    let book = st.extra.notebook_mut();
    let uses = book.names.entry(name.to_owned()).or_insert(0);
    *uses += 1;
    let number = if *uses == 1 { String::new() } else { format!("#{uses}") };
    let unique = format!("{}{name}{number}", book.symbol_prefix);
    let symbol = cx.pool.symbol(&unique, size);
    st.inputs.push(SymbolicObject { name: name.to_owned(), symbol });
    symbol
}

/// The value of a new input, if it has only one.
pub(crate) fn given_bytes(
    st: &mut PathState,
    name: &str,
    size: u32,
) -> Result<Option<Vec<u8>>, Flow> {
    if st.extra.given.is_none() {
        let replayed = st.extra.replay.is_some();
        return replayed.then(|| replayed_bytes(st, name, size)).transpose();
    }
    let known = st.extra.next_known(name);
    let mut bytes = known.map_or_else(Vec::new, |object| object.bytes.clone());
    let is_known = known.is_some();
    bytes.resize(size as usize, 0);
    let book = st.extra.notebook_mut();
    book.replayed += usize::from(is_known);
    *book.names.entry(name.to_owned()).or_insert(0) += 1;
    if let Some(given) = &mut book.given {
        given.push(Input { name: name.to_owned(), bytes: bytes.clone() });
    }
    Ok(Some(bytes))
}

/// The next input of a name that has any size, if inputs are those of a test and it has one more.
pub(crate) fn next_given(st: &mut PathState, name: &str) -> Option<Vec<u8>> {
    let at = st.extra.replayed;
    let is_named = |object: &&KTestObject| object.name == name.as_bytes();
    let bytes = if st.extra.given.is_some() {
        st.extra.next_known(name)?.bytes.clone()
    } else {
        st.extra.replay.as_ref()?.objects.get(at).filter(is_named)?.bytes.clone()
    };
    let book = st.extra.notebook_mut();
    book.replayed += 1;
    *book.names.entry(name.to_owned()).or_insert(0) += 1;
    if let Some(given) = &mut book.given {
        given.push(Input { name: name.to_owned(), bytes: bytes.clone() });
    }
    Some(bytes)
}

/// Takes the next input from the test case. The program must ask for inputs in the order and of the
/// sizes that the test has.
fn replayed_bytes(st: &mut PathState, name: &str, size: u32) -> Result<Vec<u8>, Flow> {
    let at = st.extra.replayed;
    let test = st.extra.replay.clone().expect("the caller checked");
    let Some(object) = test.objects.get(at) else {
        let message =
            format!("the test case has {at} inputs, the program asks for another: '{name}'");
        return Err(bug(BugKind::UserError, message));
    };
    if object.name != name.as_bytes() || object.bytes.len() != size as usize {
        let message = format!(
            "input {} of the test case is '{}' of {} bytes, the program asks for '{name}' of {size}",
            at + 1,
            String::from_utf8_lossy(&object.name),
            object.bytes.len()
        );
        return Err(bug(BugKind::UserError, message));
    }
    st.extra.notebook_mut().replayed += 1;
    Ok(object.bytes.clone())
}
