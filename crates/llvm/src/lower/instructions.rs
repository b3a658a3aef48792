//! The instructions, one file for each family: methods of
//! [`FunctionLowering`](super::function::FunctionLowering) that emit the ops of an instruction.

pub(crate) mod aggregate;
pub(crate) mod asm;
pub(crate) mod atomic;
pub(crate) mod bitcast;
pub(crate) mod call;
pub(crate) mod cast;
pub(crate) mod control;
pub(crate) mod float;
pub(crate) mod gep;
pub(crate) mod int;
pub(crate) mod intrinsic;
pub(crate) mod landing;
pub(crate) mod memory;
pub(crate) mod phi;
pub(crate) mod varargs;
pub(crate) mod vector;
