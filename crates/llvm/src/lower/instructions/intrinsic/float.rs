//! Intrinsics on floating-point numbers.
//!
//! The `experimental.constrained` family is lowered like the plain one: the engine knows one
//! rounding mode and no exception flags.

use everett_ir::{
    FloatBinary, FloatCast, FloatKind, FloatPredicate, FloatUnary, Op, Operand, Slot,
};

use crate::lower::function::FunctionLowering;
use crate::lower::shape::{VectorLanes, lanes};
use crate::lower::{LowerResult, UnsupportedConstruct};
use crate::sys::Inst;

/// The fields of a format's numbers that `frexp` takes apart.
struct FloatFields {
    kind: FloatKind,
    /// The bits of the fraction.
    fraction: u32,
    /// The exponent of the numbers in `[0.5, 1)`, as it is stored.
    bias: u64,
}

impl<'m> FunctionLowering<'_, 'm> {
    /// An intrinsic on floating-point numbers; `false` when the name is none of them.
    pub(super) fn float_intrinsic(&mut self, inst: Inst<'m>, name: &str) -> LowerResult<bool> {
        let constrained = name.strip_prefix("experimental.constrained.");
        let name = constrained.unwrap_or(name);
        if let Some(op) = unary(name) {
            return self.float_one(inst, op).map(|()| true);
        }
        if let Some(op) = binary(name, constrained.is_some()) {
            return self.float_two(inst, op, inst.operand(0), inst.operand(1)).map(|()| true);
        }
        if let Some(op) = cast(name, constrained.is_some()) {
            return self.float_convert(inst, op).map(|()| true);
        }
        match name {
            "fma" => self.multiply_add(inst, true)?,
            "fmuladd" => {
                let fused = self.has_feature("+fma");
                self.multiply_add(inst, fused)?;
            }
            "ldexp" => self.scale(inst, false)?,
            "powi" => self.scale(inst, true)?,
            "is.fpclass" => self.classify(inst)?,
            "frexp" => self.split_exponent(inst)?,
            "exp10" => self.power_of_ten(inst)?,
            "fptrunc" | "fpext" | "fptrunc.round" => self.change_format(inst)?,
            "fcmp" | "fcmps" if constrained.is_some() => {
                let text = inst.operand(2).print();
                let Some(pred) = predicate(&text) else {
                    return Err(UnsupportedConstruct::new(format!("comparison {text}")));
                };
                self.float_compare_as(inst, pred)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn has_feature(&self, feature: &str) -> bool {
        let features = self.function.string_attribute("target-features").unwrap_or_default();
        features.split(',').any(|found| found == feature)
    }

    /// `a * b + c`, rounded once or, as a machine without such an instruction does, twice.
    fn multiply_add(&mut self, inst: Inst<'m>, fused: bool) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let kind = lanes.float()?;
        let (a, b, c) = (self.arg(inst, 0)?, self.arg(inst, 1)?, self.arg(inst, 2)?);
        let dst = self.dst(inst);
        let product = self.temp(lanes.stride());
        self.each_lane(lanes, |body, at| {
            let (dst, a, b, c) = (dst.plus(at), a.plus(at), b.plus(at), c.plus(at));
            if fused {
                body.emit(Op::FloatMulAdd { kind, dst, a, b, c });
            } else {
                body.emit(Op::FloatBinary { op: FloatBinary::Mul, kind, dst: product, a, b });
                let a = Operand::slot(product);
                body.emit(Op::FloatBinary { op: FloatBinary::Add, kind, dst, a, b: c });
            }
        });
        Ok(())
    }

    fn scale(&mut self, inst: Inst<'m>, power: bool) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let kind = lanes.float()?;
        let exponents = crate::lower::shape::lanes(inst.operand(1).ty())?;
        let (a, b) = (self.arg(inst, 0)?, self.arg(inst, 1)?);
        let dst = self.dst(inst);
        let wide = self.temp(1);
        for lane in 0..lanes.count {
            let at = lane * lanes.stride();
            let mut b = if exponents.count > 1 { b.plus(lane) } else { b };
            if exponents.bits() != 32 {
                self.resize(true, exponents.bits(), 32, wide, b);
                b = Operand::slot(wide);
            }
            self.emit(Op::FloatScale { power, kind, dst: dst.plus(at), a: a.plus(at), b });
        }
        Ok(())
    }

    fn classify(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.operand(0).ty())?;
        let kind = lanes.float()?;
        let mask = inst.operand(1).as_u64().unwrap_or(0) as u16;
        let a = self.arg(inst, 0)?;
        let dst = self.dst(inst);
        for lane in 0..lanes.count {
            let a = a.plus(lane * lanes.stride());
            self.emit(Op::FloatClass { kind, mask, dst: dst.plus(lane), a });
        }
        Ok(())
    }

    /// `frexp`: the fraction in `[0.5, 1)` and the exponent, out of the number's bits.
    fn split_exponent(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.operand(0).ty())?;
        let kind = lanes.float()?;
        let exponent = crate::lower::shape::lanes(inst.ty().field(1))?;
        if lanes.count != 1 || exponent.bits() > 64 {
            return Err(UnsupportedConstruct::new(format!(
                "intrinsic llvm.frexp on {:?}",
                inst.ty()
            )));
        }
        let (fraction, bias) = match kind {
            FloatKind::F32 => (23, 126),
            FloatKind::F64 => (52, 1022),
            other => {
                return Err(UnsupportedConstruct::new(format!(
                    "intrinsic llvm.frexp on {other:?}"
                )));
            }
        };
        let a = self.arg(inst, 0)?;
        let dst = self.dst(inst);
        self.frexp(FloatFields { kind, fraction, bias }, exponent.bits() as u8, dst, a);
        Ok(())
    }

    fn frexp(
        &mut self,
        FloatFields { kind, fraction, bias }: FloatFields,
        ew: u8,
        dst: Slot,
        a: Operand,
    ) {
        // Classes of is.fpclass: NaN, infinity and zero answer themselves; subnormal numbers are
        // first scaled up by the number of fraction bits plus 2.
        const SPECIAL: u16 = 0x0001 | 0x0002 | 0x0004 | 0x0200 | 0x0020 | 0x0040;
        const SUBNORMAL: u16 = 0x0010 | 0x0080;
        let w = kind.bits() as u8;
        let extra = u64::from(fraction) + 2;
        let [special, small, number, bits, exponent, offset] =
            std::array::from_fn(|_| self.temp(1));
        let slot = Operand::slot;
        self.emit(Op::FloatClass { kind, mask: SPECIAL, dst: special, a });
        self.emit(Op::FloatClass { kind, mask: SUBNORMAL, dst: small, a });
        let shift = self.int(extra);
        self.emit(Op::FloatScale { power: false, kind, dst: number, a, b: shift });
        self.emit(Op::Select { w, dst: number, c: slot(small), a: slot(number), b: a });
        let (amount, field) = (self.int(fraction.into()), self.int(2 * bias + 3));
        self.emit(Op::LShr { w, dst: bits, a: slot(number), b: amount });
        self.emit(Op::And { w, dst: bits, a: slot(bits), b: field });
        self.resize(false, w.into(), 64, exponent, slot(bits));
        let (plain, scaled) = (self.int(bias), self.int(bias + extra));
        self.emit(Op::Select { w: 64, dst: offset, c: slot(small), a: scaled, b: plain });
        let wrap = everett_ir::WrapFlags::NONE;
        self.emit(Op::Sub { w: 64, wrap, dst: exponent, a: slot(exponent), b: slot(offset) });
        let zero = self.int(0);
        self.emit(Op::Select {
            w: 64,
            dst: exponent,
            c: slot(special),
            a: zero,
            b: slot(exponent),
        });
        let clear = self.int(!((2 * bias + 3) << fraction) & crate::lower::fold::mask(w.into()));
        let half = self.int(bias << fraction);
        self.emit(Op::And { w, dst: bits, a: slot(number), b: clear });
        self.emit(Op::Or { w, dst: bits, a: slot(bits), b: half });
        self.emit(Op::Select { w, dst, c: slot(special), a, b: slot(bits) });
        self.resize(true, 64, ew.into(), dst.plus(1), slot(exponent));
    }

    fn power_of_ten(&mut self, inst: Inst<'m>) -> LowerResult {
        let lanes = lanes(inst.ty())?;
        let kind = lanes.float()?;
        let ten = match kind {
            FloatKind::F32 => u64::from(10f32.to_bits()),
            FloatKind::F64 => 10f64.to_bits(),
            other => {
                return Err(UnsupportedConstruct::new(format!(
                    "intrinsic llvm.exp10 on {other:?}"
                )));
            }
        };
        let (a, b) = (self.int(ten), self.arg(inst, 0)?);
        let dst = self.dst(inst);
        self.each_lane(lanes, |body, at| {
            let (dst, b) = (dst.plus(at), b.plus(at));
            body.emit(Op::FloatBinary { op: FloatBinary::Pow, kind, dst, a, b });
        });
        Ok(())
    }

    fn change_format(&mut self, inst: Inst<'m>) -> LowerResult {
        let to = lanes(inst.ty())?.float()?;
        self.float_convert(inst, FloatCast::To(to))
    }

    fn float_convert(&mut self, inst: Inst<'m>, op: FloatCast) -> LowerResult {
        let (from, to) = (lanes(inst.operand(0).ty())?, lanes(inst.ty())?);
        let (float, int) = match op {
            FloatCast::FromSigned | FloatCast::FromUnsigned => (to, from),
            FloatCast::To(_)
            | FloatCast::ToSigned
            | FloatCast::ToUnsigned
            | FloatCast::ToSignedSat
            | FloatCast::ToUnsignedSat
            | FloatCast::RintToSigned
            | FloatCast::RoundToSigned => (from, to),
        };
        let bits = if matches!(op, FloatCast::To(_)) { 0 } else { int_bits(int)? };
        let kind = float.float()?;
        let a = self.arg(inst, 0)?;
        let dst = self.dst(inst);
        for lane in 0..to.count {
            let (dst, a) = (dst.plus(lane * to.stride()), a.plus(lane * from.stride()));
            self.emit(Op::FloatCast { op, kind, bits, dst, a });
        }
        Ok(())
    }
}

fn int_bits(lanes: VectorLanes) -> LowerResult<u16> {
    u16::try_from(lanes.bits())
        .map_err(|_| UnsupportedConstruct::new("conversion of a very wide integer"))
}

fn unary(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "fabs" => FloatUnary::Abs,
        "sqrt" => FloatUnary::Sqrt,
        "floor" => FloatUnary::Floor,
        "ceil" => FloatUnary::Ceil,
        "trunc" => FloatUnary::Trunc,
        "round" => FloatUnary::Round,
        "roundeven" | "rint" | "nearbyint" => FloatUnary::RoundEven,
        "exp" => FloatUnary::Exp,
        "exp2" => FloatUnary::Exp2,
        "log" => FloatUnary::Log,
        "log2" => FloatUnary::Log2,
        "log10" => FloatUnary::Log10,
        "sin" => FloatUnary::Sin,
        "cos" => FloatUnary::Cos,
        "tan" => FloatUnary::Tan,
        "canonicalize" => FloatUnary::Canonicalize,
        _ => return None,
    })
}

fn binary(name: &str, constrained: bool) -> Option<FloatBinary> {
    Some(match name {
        "copysign" => FloatBinary::CopySign,
        "minnum" => FloatBinary::MinNum,
        "maxnum" => FloatBinary::MaxNum,
        "minimum" => FloatBinary::Minimum,
        "maximum" => FloatBinary::Maximum,
        "pow" => FloatBinary::Pow,
        "atan2" => FloatBinary::Atan2,
        "fadd" if constrained => FloatBinary::Add,
        "fsub" if constrained => FloatBinary::Sub,
        "fmul" if constrained => FloatBinary::Mul,
        "fdiv" if constrained => FloatBinary::Div,
        "frem" if constrained => FloatBinary::Rem,
        _ => return None,
    })
}

fn cast(name: &str, constrained: bool) -> Option<FloatCast> {
    Some(match name {
        "fptosi.sat" => FloatCast::ToSignedSat,
        "fptoui.sat" => FloatCast::ToUnsignedSat,
        "lrint" | "llrint" => FloatCast::RintToSigned,
        "lround" | "llround" => FloatCast::RoundToSigned,
        "fptosi" if constrained => FloatCast::ToSigned,
        "fptoui" if constrained => FloatCast::ToUnsigned,
        "sitofp" if constrained => FloatCast::FromSigned,
        "uitofp" if constrained => FloatCast::FromUnsigned,
        _ => return None,
    })
}

/// The predicate that a constrained comparison names, as in `metadata !"oeq"`.
fn predicate(text: &str) -> Option<FloatPredicate> {
    let name = text.split('"').nth(1)?;
    Some(match name {
        "oeq" => FloatPredicate::Oeq,
        "ogt" => FloatPredicate::Ogt,
        "oge" => FloatPredicate::Oge,
        "olt" => FloatPredicate::Olt,
        "ole" => FloatPredicate::Ole,
        "one" => FloatPredicate::One,
        "ord" => FloatPredicate::Ord,
        "uno" => FloatPredicate::Uno,
        "ueq" => FloatPredicate::Ueq,
        "ugt" => FloatPredicate::Ugt,
        "uge" => FloatPredicate::Uge,
        "ult" => FloatPredicate::Ult,
        "ule" => FloatPredicate::Ule,
        "une" => FloatPredicate::Une,
        _ => return None,
    })
}
