//! Variable arguments.
//!
//! A `va_list` follows the System V x86-64 layout: `{ u32 gp_offset, u32 fp_offset,
//! ptr overflow_arg_area, ptr reg_save_area }`. The register offsets are set to "used up", so
//! that compiled `va_arg` code takes every argument from the overflow area, which a call site
//! lays out as the ABI says: eight-byte slots, sixteen-byte alignment where the type asks for it.
//!
//! A call as another type may pass arguments in an order in which the function does not read them,
//! since it takes numbers from the registers of their kind. Only then the registers are saved as a
//! compiled function does it. Those that the call did not fill count as used up: what was not passed is
//! beyond the end of the overflow area.

use everett_ir::{Operand, Pc};
use smallvec::SmallVec;

use crate::flow::{Flow, Halt};
use crate::interp::Interp;
use crate::ops::call::PassedVariable;
use crate::ops::convention::{ArgumentPlace, GENERAL_PARAMS, VECTOR_PARAMS};
use crate::state::State;
use crate::state::reg::{Reg, SizedReg};

/// Bytes of a `va_list`.
const VA_LIST_SIZE: u64 = 24;
/// Bytes of a saved general register, and of a saved vector register.
const GENERAL_BYTES: u64 = 8;
const VECTOR_BYTES: u64 = 16;
/// Value of `gp_offset` that says: no general registers left.
const GP_USED_UP: u64 = GENERAL_BYTES * GENERAL_PARAMS as u64;
/// Value of `fp_offset` that says: no vector registers left.
const FP_USED_UP: u64 = GP_USED_UP + VECTOR_BYTES * VECTOR_PARAMS as u64;
/// Offsets and sizes of the fields of a `va_list`.
const LIST_FIELDS: [(u32, u8); 4] = [(0, 4), (4, 4), (8, 8), (16, 8)];
/// Mark of a frame's `var_args` that is the address of a `va_list` to start with.
const IS_LIST: u64 = 1;
/// Bytes of a `va_list` before the registers that it is about.
const LIST_ROOM: u64 = 32;

/// The offset of a variable argument in one of the two areas.
#[derive(Clone, Copy)]
enum ArgumentHome {
    Saved(u64),
    Overflow(u64),
}

/// The layout of the variable arguments of a call.
struct VariableArgumentLayout {
    homes: SmallVec<[ArgumentHome; 8]>,
    gp_offset: u64,
    fp_offset: u64,
    /// Offset at which the overflow area begins.
    overflow: u64,
    /// Offset at which it ends.
    overflow_end: u64,
}

impl VariableArgumentLayout {
    /// All arguments in the overflow area, one after the other.
    fn in_order(variable: &[PassedVariable<'_>]) -> VariableArgumentLayout {
        let mut end = 0u64;
        let homes = variable.iter().map(|(arg, _)| {
            let offset = end.next_multiple_of(u64::from(arg.align.max(8)));
            end = offset + u64::from(arg.size).next_multiple_of(8);
            ArgumentHome::Overflow(offset)
        });
        let homes = homes.collect();
        let (gp_offset, fp_offset) = (GP_USED_UP, FP_USED_UP);
        VariableArgumentLayout { homes, gp_offset, fp_offset, overflow: 0, overflow_end: end }
    }

    /// Arguments in the registers and on the stack. The registers are saved as if the last ones of their
    /// kind had been used.
    fn by_place(
        variable: &[PassedVariable<'_>],
        places: &[ArgumentPlace],
    ) -> VariableArgumentLayout {
        let mut general = UsedRange::default();
        let mut vector = UsedRange::default();
        let mut stack = UsedRange::default();
        for ((arg, _), place) in variable.iter().zip(places) {
            match *place {
                ArgumentPlace::General(n) => general.add(n, arg.widths.len() as u32),
                ArgumentPlace::Vector(n) | ArgumentPlace::Float(n) => vector.add(n, 1),
                ArgumentPlace::Stack(at) => stack.add(at, arg.size.next_multiple_of(8)),
            }
        }
        let gp = |n: u32| GP_USED_UP - GENERAL_BYTES * u64::from(general.end - n);
        let fp = |n: u32| FP_USED_UP - VECTOR_BYTES * u64::from(vector.end - n);
        // Alignment is that of the address.
        let from = stack.first() & !15;
        let homes = places.iter().map(|place| match *place {
            ArgumentPlace::General(n) => ArgumentHome::Saved(gp(n)),
            ArgumentPlace::Vector(n) | ArgumentPlace::Float(n) => ArgumentHome::Saved(fp(n)),
            ArgumentPlace::Stack(at) => ArgumentHome::Overflow(u64::from(at - from)),
        });
        VariableArgumentLayout {
            homes: homes.collect(),
            gp_offset: gp(general.first()),
            fp_offset: fp(vector.first()),
            overflow: u64::from(stack.first() - from),
            overflow_end: u64::from(stack.end.max(from) - from),
        }
    }
}

/// A range of registers or of the stack that arguments are in.
#[derive(Default)]
struct UsedRange {
    first: Option<u32>,
    end: u32,
}

impl UsedRange {
    fn add(&mut self, first: u32, n: u32) {
        self.first = Some(self.first.map_or(first, |known| known.min(first)));
        self.end = self.end.max(first.saturating_add(n));
    }

    fn first(&self) -> u32 {
        self.first.unwrap_or(self.end)
    }
}

/// Returns true if arguments are read in the order in which they are passed, whatever their types: all from
/// general registers, and then all from the stack.
fn is_in_order(places: &[ArgumentPlace]) -> bool {
    let stack = |place: &ArgumentPlace| matches!(place, ArgumentPlace::Stack(_));
    let general = |place: &ArgumentPlace| matches!(place, ArgumentPlace::General(_));
    places.iter().all(|place| stack(place) || general(place)) && places.is_sorted_by_key(stack)
}

impl<X: Clone> Interp<'_, X> {
    /// Lays the variable arguments out in objects of the new frame.
    pub(super) fn pass_variable(
        &mut self,
        st: &mut State<X>,
        variable: &[PassedVariable<'_>],
        places: &[ArgumentPlace],
        pc: Pc,
    ) -> Result<(), Halt> {
        let in_order = is_in_order(places);
        let layout = match in_order {
            true => VariableArgumentLayout::in_order(variable),
            false => VariableArgumentLayout::by_place(variable, places),
        };
        let area = self.stack_object(st, layout.overflow_end.max(8), 16, pc)?;
        let mut saved = 0;
        st.stack.top_mut().var_args = area;
        if !in_order {
            let list = self.stack_object(st, LIST_ROOM + FP_USED_UP, 16, pc)?;
            saved = list + LIST_ROOM;
            let VariableArgumentLayout { gp_offset, fp_offset, .. } = layout;
            let fields = [gp_offset, fp_offset, area + layout.overflow, saved];
            for ((offset, bytes), value) in LIST_FIELDS.into_iter().zip(fields) {
                let value = SizedReg::whole(Reg::word(value), bytes);
                self.write_reg(st, list + u64::from(offset), value);
            }
            st.stack.top_mut().var_args = list | IS_LIST;
        }
        for ((arg, regs), home) in variable.iter().zip(layout.homes) {
            let (to, room) = match home {
                ArgumentHome::Saved(offset) => (saved + offset, 2),
                ArgumentHome::Overflow(offset) => (area + offset, usize::MAX),
            };
            if arg.by_val {
                self.copy_bytes(st, Reg::word(to), regs[0], arg.size.into())?;
                continue;
            }
            // Of a wider vector, the low half is saved.
            for (i, (reg, width)) in regs.iter().zip(&arg.widths).take(room).enumerate() {
                // Small integers are promoted; the upper bytes of a slot are never read.
                let bytes = u64::from(*width).div_ceil(8).next_power_of_two();
                let value = SizedReg { reg: *reg, bits: *width, bytes: bytes as u8 };
                self.write_reg(st, to + 8 * i as u64, value);
            }
        }
        Ok(())
    }

    pub(crate) fn va_start(&mut self, st: &mut State<X>, list: Operand) -> Result<Flow, Halt> {
        let area = st.stack.top().var_args;
        let list = self.get(st, list);
        if area & IS_LIST != 0 {
            let from = Reg::word(area & !IS_LIST);
            self.copy_bytes(st, list, from, VA_LIST_SIZE)?;
            return Ok(Flow::Next);
        }
        let values = [GP_USED_UP, FP_USED_UP, area, 0];
        for ((offset, bytes), value) in LIST_FIELDS.into_iter().zip(values) {
            let (offset, value) = (i64::from(offset), Reg::word(value));
            self.store_value(st, list, offset, SizedReg::whole(value, bytes))?;
        }
        Ok(Flow::Next)
    }

    pub(crate) fn va_copy(
        &mut self,
        st: &mut State<X>,
        to: Operand,
        from: Operand,
    ) -> Result<Flow, Halt> {
        let (to, from) = (self.get(st, to), self.get(st, from));
        self.copy_bytes(st, to, from, VA_LIST_SIZE)?;
        Ok(Flow::Next)
    }
}
