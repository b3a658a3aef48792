//! Types of functions and of calls, as the calling convention sees them.

use everett_ir::{CallSite, Callee, IntExtension, Signature, SignatureId, Slot, ValueClass};

use crate::sys::{AttributePosition, Attributes, Inst, Type, TypeKind, Value};

use super::program::ProgramLowering;
use super::shape::{ScalarType, lanes, scalar};
use super::symbol::through_aliases;

/// A call of a function that takes nothing and returns a word.
pub(super) fn word_of_call(callee: Callee, signature: SignatureId, dst: Slot) -> CallSite {
    CallSite {
        callee,
        signature,
        args: Vec::new(),
        widths: Vec::new(),
        by_val: Vec::new(),
        var_args: Vec::new(),
        dst,
        ret_slots: 1,
        ret_widths: vec![64],
        result_used: true,
        landing: None,
    }
}

impl<'m> ProgramLowering<'m> {
    /// The signature of a function.
    pub(super) fn signature_of(&mut self, function: Value<'m>) -> SignatureId {
        let ty = function.value_type();
        self.signature(ty, Attributes::of_function(function), ty.is_var_arg())
    }

    /// The signature that a call uses.
    pub(super) fn called_signature(&mut self, call: Inst<'m>) -> SignatureId {
        let ty = call.called_type();
        let callee = through_aliases(call.callee());
        // A call without a prototype may have further arguments, and this one has none.
        let complete = call.arg_count() as usize == ty.params().len()
            && callee.is_function()
            && !callee.value_type().is_var_arg();
        self.signature(ty, Attributes::of_call(call), ty.is_var_arg() && !complete)
    }

    /// A call of a function that takes nothing and returns a word, if the program has it.
    pub(crate) fn call_without_arguments(&mut self, name: &str, dst: Slot) -> Option<CallSite> {
        let (function, id) = self.functions.iter().find(|(f, _)| f.name() == name)?;
        let (function, callee) = (*function, Callee::Direct(*id));
        Some(word_of_call(callee, self.signature_of(function), dst))
    }

    /// Returns the class by which the calling convention passes an argument of a call; an aggregate
    /// that is a value is passed as its bytes.
    pub(super) fn class_of_argument(&mut self, call: Inst<'m>, index: u32) -> ValueClass {
        let ty = call.operand(index).ty();
        match self.param_classes(ty, Attributes::of_call(call), index).as_slice() {
            [class] => *class,
            _ => {
                let size = u32::try_from(self.layout.store_size(ty)).unwrap_or(u32::MAX);
                ValueClass::Bytes { size, align: self.layout.align(ty).max(8) }
            }
        }
    }

    fn signature(
        &mut self,
        ty: Type<'m>,
        attributes: Attributes<'m>,
        var_args: bool,
    ) -> SignatureId {
        let mut signature = Signature { var_args, ..Signature::default() };
        for (index, param) in (0..).zip(ty.params()) {
            signature.params.extend(self.param_classes(param, attributes, index));
        }
        let extension = extension(attributes, AttributePosition::Result);
        classes(ty.result(), extension, &mut signature.results);
        self.intern_signature(signature)
    }

    /// The number of a signature.
    pub(super) fn intern_signature(&mut self, signature: Signature) -> SignatureId {
        if let Some(found) = self.signatures.get(&signature) {
            return *found;
        }
        let id = SignatureId::from_index(self.program.signatures.len());
        self.program.signatures.push(signature.clone());
        self.signatures.insert(signature, id);
        id
    }

    fn param_classes(
        &mut self,
        ty: Type<'m>,
        attributes: Attributes<'m>,
        index: u32,
    ) -> Vec<ValueClass> {
        let size = |ty| u32::try_from(self.layout.alloc_size(ty)).unwrap_or(u32::MAX);
        if let Some((pointee, align)) = attributes.by_val(index) {
            let align = align.max(self.layout.align(pointee)).max(8);
            return vec![ValueClass::Bytes { size: size(pointee), align }];
        }
        if let Some(result) = attributes.type_of(index, "sret") {
            return vec![ValueClass::ResultAddress { size: size(result) }];
        }
        let mut found = Vec::new();
        classes(ty, extension(attributes, AttributePosition::Param(index)), &mut found);
        found
    }
}

fn extension(attributes: Attributes<'_>, position: AttributePosition) -> IntExtension {
    if attributes.has(position, "signext") {
        IntExtension::Sign
    } else if attributes.has(position, "zeroext") {
        IntExtension::Zero
    } else {
        IntExtension::None
    }
}

/// The classes of a value, in the order of its slots. A type that no value here has adds none.
fn classes(ty: Type<'_>, extension: IntExtension, found: &mut Vec<ValueClass>) {
    if let Some(scalar) = scalar(ty) {
        found.push(match scalar {
            ScalarType::Int(bits) => ValueClass::Int { bits, extension },
            ScalarType::Pointer => ValueClass::Pointer,
            ScalarType::Float(kind) => ValueClass::Float(kind),
        });
        return;
    }
    match ty.kind() {
        TypeKind::Struct => {
            (0..ty.field_count()).for_each(|field| classes(ty.field(field), extension, found));
        }
        TypeKind::Array(element, count) => {
            (0..count.min(MAX_ELEMENTS)).for_each(|_| classes(element, extension, found));
        }
        TypeKind::Vector(..) => {
            if let Ok(lanes) = lanes(ty) {
                found.push(ValueClass::Vector { lanes: lanes.count, bits: lanes.bits() });
            }
        }
        _ => {}
    }
}

/// No calling convention passes an array of more elements in registers.
const MAX_ELEMENTS: u64 = 1 << 16;
