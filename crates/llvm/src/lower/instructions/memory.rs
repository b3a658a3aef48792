//! `alloca`, `load` and `store`.

use everett_ir::{AccessFlags, GlobalId, Op, Operand, Slot};

use crate::sys::{Inst, Type, Value};

use crate::lower::analysis::plan::{ValueRole, constant_offset};
use crate::lower::function::FunctionLowering;
use crate::lower::shape::{is_bit_packed, lanes, narrow, scalar};
use crate::lower::{LowerResult, UnsupportedConstruct};

/// A store of at least this many zero slots becomes a fill.
const FILL_SLOTS: u32 = 8;

/// Bits that are loaded and stored as one number; more goes through a layout.
const WORD_BITS: u32 = 64;

impl<'m> FunctionLowering<'_, 'm> {
    /// `alloca`.
    pub(crate) fn alloca(&mut self, inst: Inst<'m>) -> LowerResult {
        let (ty, align) = inst.allocated();
        if !ty.is_sized() {
            return Err(UnsupportedConstruct::new(format!("alloca of {ty:?}")));
        }
        let size = self.unit.layout.alloc_size(ty);
        let count = inst.operand(0);
        let fixed = count.as_u64();
        let mut count = self.operand(count)?;
        let width = lanes(inst.operand(0).ty())?.bits();
        if fixed.is_none() && width < 64 {
            let wide = self.temp(1);
            self.resize(false, width, 64, wide, count);
            count = Operand::slot(wide);
        }
        let (size, count) = match u32::try_from(size) {
            Ok(size) => (size, count),
            Err(_) => self.huge_alloca(size, fixed)?,
        };
        let (name, place) = self.variable(inst);
        if let Some(place) = place {
            self.set_loc(place);
        }
        let name = self.name(&name);
        let align_log2 = align.max(1).ilog2() as u8;
        let dst = self.dst(inst);
        let has_place = self.plan.has_place(inst);
        self.emit(Op::Alloca { align_log2, has_place, dst, size, count, name });
        Ok(())
    }

    /// An object whose element is larger than 4 GiB counts in bytes.
    fn huge_alloca(&mut self, size: u64, count: Option<u64>) -> LowerResult<(u32, Operand)> {
        match count.and_then(|count| count.checked_mul(size)) {
            Some(bytes) => Ok((1, self.int(bytes))),
            None => Err(UnsupportedConstruct::new("alloca of more than 4 GiB")),
        }
    }

    /// Name and place of the variable that an `alloca` holds.
    fn variable(&mut self, inst: Inst<'m>) -> (String, Option<everett_ir::LocId>) {
        match self.plan.variables.get(inst.value()) {
            Some(variable) => {
                let is_unknown = self.loc() == everett_ir::LocId(0);
                let place = is_unknown.then(|| variable.location(self.unit)).flatten();
                (variable.name.clone(), place)
            }
            None => (inst.value().name(), None),
        }
    }

    /// `load`.
    pub(crate) fn load(&mut self, inst: Inst<'m>) -> LowerResult {
        let (ptr, off) = self.address(inst.operand(0))?;
        let dst = self.dst(inst);
        let access = self.access_flags(inst, inst.operand(0));
        self.load_value(inst.ty(), access, dst, ptr, off)
    }

    /// `store`.
    pub(crate) fn store(&mut self, inst: Inst<'m>) -> LowerResult {
        let value = inst.operand(0);
        let (ptr, off) = self.address(inst.operand(1))?;
        if value.is_constant() && value.is_null() && self.is_long(value.ty()) {
            return self.fill_zero(value.ty(), ptr, off);
        }
        if self.unit.slots(value.ty())? == 0 {
            return Ok(());
        }
        let val = self.operand(value)?;
        let access = self.access_flags(inst, inst.operand(1));
        self.store_value(value.ty(), access, val, ptr, off)
    }

    /// The properties of a load or a store at an address.
    fn access_flags(&self, inst: Inst<'m>, address: Value<'m>) -> AccessFlags {
        match self.plan.locals.contains(&address) {
            true => inst.access_flags().with(AccessFlags::LOCAL),
            false => inst.access_flags(),
        }
    }

    fn is_long(&mut self, ty: Type<'m>) -> bool {
        // A type with too many slots for a value can still be filled.
        self.unit.slots(ty).map_or(true, |slots| slots >= FILL_SLOTS)
    }

    fn fill_zero(&mut self, ty: Type<'m>, ptr: Operand, off: i32) -> LowerResult {
        let to = self.offset_pointer(ptr, off);
        let len = self.int(self.unit.layout.store_size(ty));
        let val = self.int(0);
        self.emit(Op::MemSet { to, val, len });
        Ok(())
    }

    /// `ptr + off` as one operand.
    pub(crate) fn offset_pointer(&mut self, ptr: Operand, off: i32) -> Operand {
        if off == 0 {
            return ptr;
        }
        let dst = self.temp(1);
        let b = self.int(i64::from(off) as u64);
        self.emit(Op::Add { w: 64, wrap: everett_ir::WrapFlags::NONE, dst, a: ptr, b });
        Operand::slot(dst)
    }

    /// Loads a value of any type.
    pub(crate) fn load_value(
        &mut self,
        ty: Type<'m>,
        access: AccessFlags,
        dst: Slot,
        ptr: Operand,
        off: i32,
    ) -> LowerResult {
        match word_bits(ty)? {
            Some(bits) if is_bit_packed(ty) => {
                let whole = self.temp(1);
                self.load_word(bits, access, whole, ptr, off);
                self.unpack(lanes(ty)?, dst, Operand::slot(whole))
            }
            Some(bits) => {
                self.load_word(bits, access, dst, ptr, off);
                Ok(())
            }
            None if self.unit.slots(ty)? == 0 => Ok(()),
            None => {
                let layout = self.unit.memory_layout(ty)?;
                self.emit(Op::LoadMany { access, layout, dst, ptr, off });
                Ok(())
            }
        }
    }

    /// Stores a value of any type.
    pub(crate) fn store_value(
        &mut self,
        ty: Type<'m>,
        access: AccessFlags,
        val: Operand,
        ptr: Operand,
        off: i32,
    ) -> LowerResult {
        match word_bits(ty)? {
            Some(bits) if is_bit_packed(ty) => {
                let whole = self.temp(1);
                self.pack(lanes(ty)?, whole, val)?;
                self.store_word(bits, access, Operand::slot(whole), ptr, off);
            }
            Some(bits) => self.store_word(bits, access, val, ptr, off),
            None if self.unit.slots(ty)? == 0 => {}
            None => {
                let layout = self.unit.memory_layout(ty)?;
                self.emit(Op::StoreMany { access, layout, val, ptr, off });
            }
        }
        Ok(())
    }

    /// Loads a number of at most 64 bits.
    pub(crate) fn load_word(
        &mut self,
        bits: u32,
        access: AccessFlags,
        dst: Slot,
        ptr: Operand,
        off: i32,
    ) {
        let bytes = bits.div_ceil(8) as u8;
        self.emit(Op::Load { bytes, w: narrow(bits), access, dst, ptr, off });
    }

    fn store_word(&mut self, bits: u32, access: AccessFlags, val: Operand, ptr: Operand, off: i32) {
        let bytes = bits.div_ceil(8) as u8;
        self.emit(Op::Store { bytes, w: narrow(bits), access, val, ptr, off });
    }

    /// The base and the constant offset of an address.
    pub(crate) fn address(&mut self, pointer: Value<'m>) -> LowerResult<(Operand, i32)> {
        let (mut at, mut offset) = (pointer, 0i64);
        loop {
            let (root, _) = self.plan.resolve(at);
            if root.is_constant() || !matches!(self.plan.role_of(root), ValueRole::Folded) {
                break;
            }
            offset += i64::from(constant_offset(self.unit, root).unwrap_or(0));
            at = root.operand(0);
        }
        let base = self.operand(at)?;
        match i32::try_from(offset) {
            Ok(off) => Ok((base, off)),
            Err(_) => {
                let dst = self.temp(1);
                let b = self.int(offset as u64);
                self.emit(Op::Add { w: 64, wrap: everett_ir::WrapFlags::NONE, dst, a: base, b });
                Ok((Operand::slot(dst), 0))
            }
        }
    }

    /// Loads the address that the resolver of an indirect function gave.
    pub(crate) fn load_ifunc(&mut self, dst: Slot, global: GlobalId) {
        let ptr = self.unit.constants(vec![everett_ir::Const::Global { global, offset: 0 }]);
        let access = AccessFlags::PLAIN;
        // The instruction that needs the address is the one that counts.
        self.emit_free(Op::Load { bytes: 8, w: 64, access, dst, ptr, off: 0 });
    }
}

/// The bits of a value that is loaded as one number.
fn word_bits(ty: Type<'_>) -> LowerResult<Option<u32>> {
    if let Some(scalar) = scalar(ty) {
        return Ok((scalar.bits() <= WORD_BITS).then_some(scalar.bits()));
    }
    if !is_bit_packed(ty) {
        return Ok(None);
    }
    let lanes = lanes(ty)?;
    match lanes.bits() * lanes.count {
        bits if bits <= WORD_BITS => Ok(Some(bits)),
        bits => {
            Err(UnsupportedConstruct::new(format!("bit-packed vector of {bits} bits in memory")))
        }
    }
}
