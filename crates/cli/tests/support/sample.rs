//! The sample of the standing oracles that a case is held against where there is no time for all of them.

use std::sync::OnceLock;

use everett_base::hash::hash_bytes;

/// The variable that says in how many cases an oracle is asked once. Without it, each is asked about each
/// case.
const VARIABLE: &str = "EVERETT_ORACLES_ONE_IN";

/// Returns `true` if an oracle is asked about a case. Every run with the same variable asks the same.
pub(crate) fn asks(oracle: &str, case: &str) -> bool {
    static ONE_IN: OnceLock<u64> = OnceLock::new();
    let one_in = ONE_IN.get_or_init(|| match std::env::var(VARIABLE) {
        Ok(text) => match text.parse() {
            Ok(number @ 1..) => number,
            _ => panic!("{VARIABLE} is {text:?}, which is not a number from 1"),
        },
        Err(_) => 1,
    });
    hash_bytes(format!("{oracle} of {case}").as_bytes()).is_multiple_of(*one_in)
}
