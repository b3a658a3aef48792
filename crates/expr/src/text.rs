//! Terms as text: prefix expressions for people, and scripts in SMT-LIB for solvers.

pub(crate) mod display;
pub(crate) mod smtlib;
