//! Behaviour of whole address spaces.
