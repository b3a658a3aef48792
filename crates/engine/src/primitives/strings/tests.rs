//! Property tests of the functions against plain loops.
