//! Attributes of parameters and results.

use llvm_sys::core::{
    LLVMGetCallSiteEnumAttribute, LLVMGetEnumAttributeAtIndex, LLVMGetEnumAttributeKindForName,
    LLVMGetEnumAttributeValue, LLVMGetTypeAttributeValue,
};
use llvm_sys::prelude::LLVMAttributeRef;

use super::inst::Inst;
use super::ty::Type;
use super::value::Value;

/// The attributes of a function, or of a call.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'m> {
    call: Option<Inst<'m>>,
    function: Option<Value<'m>>,
}

/// The thing that an attribute belongs to.
#[derive(Clone, Copy)]
pub(crate) enum AttributePosition {
    /// The result.
    Result,
    /// The parameter of this number.
    Param(u32),
}

impl<'m> Attributes<'m> {
    /// Those of a function.
    pub(crate) fn of_function(function: Value<'m>) -> Attributes<'m> {
        assert!(function.is_function(), "a function");
        Attributes { call: None, function: Some(function) }
    }

    /// Those of a call, and of the function that it names if that is called as what it is.
    pub(crate) fn of_call(call: Inst<'m>) -> Attributes<'m> {
        let callee = call.callee();
        let same = callee.is_function() && callee.value_type() == call.called_type();
        Attributes { call: Some(call), function: same.then_some(callee) }
    }

    fn find(self, position: AttributePosition, name: &str) -> Option<LLVMAttributeRef> {
        let index = match position {
            AttributePosition::Result => 0,
            AttributePosition::Param(number) => number + 1,
        };
        // SAFETY: the attribute's name is a known one, and the constructors have checked what the
        // call and the function are.
        let found = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let own = self.call.map_or(std::ptr::null_mut(), |call| {
                LLVMGetCallSiteEnumAttribute(call.value().raw(), index, kind)
            });
            match self.function {
                Some(function) if own.is_null() => {
                    LLVMGetEnumAttributeAtIndex(function.raw(), index, kind)
                }
                _ => own,
            }
        };
        (!found.is_null()).then_some(found)
    }

    /// Returns `true` if there is an attribute of that name.
    pub(crate) fn has(self, position: AttributePosition, name: &str) -> bool {
        self.find(position, name).is_some()
    }

    /// The type of `byval` or `sret` of a parameter.
    pub(crate) fn type_of(self, param: u32, name: &str) -> Option<Type<'m>> {
        assert!(matches!(name, "byval" | "sret"), "an attribute with a type");
        let attribute = self.find(AttributePosition::Param(param), name)?;
        // SAFETY: the attribute has a type.
        Some(Type::new(unsafe { LLVMGetTypeAttributeValue(attribute) }))
    }

    /// The type and the alignment of a parameter that is passed by value in memory.
    pub(crate) fn by_val(self, param: u32) -> Option<(Type<'m>, u32)> {
        let ty = self.type_of(param, "byval")?;
        let align = self.find(AttributePosition::Param(param), "align").map_or(0, |attribute| {
            // SAFETY: `align` is an attribute with a number.
            unsafe { LLVMGetEnumAttributeValue(attribute) }
        });
        Some((ty, u32::try_from(align).unwrap_or(0)))
    }
}
