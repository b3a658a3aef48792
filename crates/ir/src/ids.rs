//! The numbers of the entries of a program's tables.

use everett_base::define_id;

define_id!(
    /// Index into [`crate::Program::functions`].
    pub struct FuncId,
    "f"
);
define_id!(
    /// Index into [`crate::Program::globals`].
    pub struct GlobalId,
    "g"
);
define_id!(
    /// Index into [`crate::Program::layouts`].
    pub struct LayoutId,
    "layout"
);
define_id!(
    /// The number of a type in [`crate::Program::structs`].
    pub struct StructTypeId,
    "struct"
);
define_id!(
    /// Index into [`crate::Program::switches`].
    pub struct SwitchId,
    "switch"
);
define_id!(
    /// Index into [`crate::Program::calls`].
    pub struct CallId,
    "call"
);
define_id!(
    /// Index into [`crate::Program::signatures`].
    pub struct SignatureId,
    "signature"
);
define_id!(
    /// Index into [`crate::Program::locations`]; `loc0` is "unknown".
    pub struct LocId,
    "loc"
);
define_id!(
    /// Index into [`crate::Program::files`].
    pub struct FileId,
    "file"
);
define_id!(
    /// Index into [`crate::Program::names`]; `name0` is the empty string.
    pub struct NameId,
    "name"
);

impl Default for LocId {
    /// "Unknown".
    fn default() -> LocId {
        LocId(0)
    }
}

/// Entry 0: a function without parameters and without a result.
impl Default for SignatureId {
    fn default() -> SignatureId {
        SignatureId(0)
    }
}
