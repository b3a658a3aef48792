//! Building terms out of bytes.
