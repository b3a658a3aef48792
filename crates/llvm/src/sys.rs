//! A thin safe layer over LLVM's C interface: the only place of this crate with `unsafe`.
//!
//! [`Context`] and [`Module`] own; [`Value`], [`Inst`], [`BasicBlock`], [`Type`] and [`MetadataNode`] are
//! copies of LLVM's handles, tied by a lifetime to the module that they come from. A getter that LLVM
//! defines for one kind of value only checks the kind and panics on another: that is an error of this
//! crate, never of an input.
//!
//! Not here: any decision about what a value means (`lower`).

mod attribute;
mod block;
mod context;
mod hook;
mod inst;
mod meta;
mod module;
mod text;
mod ty;
mod value;

pub(crate) use attribute::{AttributePosition, Attributes};
pub(crate) use block::BasicBlock;
pub(crate) use context::Context;
pub(crate) use inst::{Inst, Opcode, RmwKind, int_binary_opcode};
pub(crate) use meta::{DebugTypeKind, MetadataNode};
pub(crate) use module::{DataLayout, Module};
pub(crate) use ty::{Type, TypeKind};
pub(crate) use value::{Linkage, Value};
