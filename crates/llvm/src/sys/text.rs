//! Strings that cross the border.

use std::ffi::{CStr, CString, c_char};

use llvm_sys::core::LLVMDisposeMessage;

/// A C string of `text`; a NUL byte inside ends it early, for no name that LLVM gives has one.
pub(super) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).expect("the text was cut before its first NUL")
}

/// Copies a message that LLVM allocated, and frees it. A null pointer is the empty message.
pub(super) fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: a non-null message of LLVM is a NUL-terminated string that we own.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: the message came from LLVM and is not used after this.
    unsafe { LLVMDisposeMessage(message) };
    text
}

/// Copies `len` bytes at `start`, which may be null when `len` is 0.
pub(super) fn copy_bytes(start: *const c_char, len: usize) -> Vec<u8> {
    if start.is_null() || len == 0 {
        return Vec::new();
    }
    // SAFETY: callers pass the start and length that one call of LLVM's returned together.
    unsafe { std::slice::from_raw_parts(start.cast::<u8>(), len) }.to_vec()
}

/// Copies `len` bytes at `start` as text; what is not UTF-8 becomes the replacement character.
pub(super) fn copy_text(start: *const c_char, len: usize) -> String {
    String::from_utf8(copy_bytes(start, len))
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Copies a NUL-terminated string that LLVM keeps; null is empty.
pub(super) fn copy_c_text(start: *const c_char) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: LLVM's strings without a length end in NUL.
    unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned()
}
