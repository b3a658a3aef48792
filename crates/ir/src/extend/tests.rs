//! Small programs by hand: what is shifted, and what is bound.

use crate::op::operand::{Operand, Slot};
use crate::{
    CallId, CallSite, Callee, Const, ConstExpr, ConstOp, ExportedSymbol, FuncId, Function, Global,
    GlobalId, IndirectTargets, LocId, NameId, Op, Program, Relocation, Signature, SignatureId,
    SourceLocation, SwitchId, SwitchTable, SymbolTarget, ValueClass,
};

fn function(name: &str) -> Function {
    Function { name: name.to_owned(), ..Function::default() }
}

fn global(name: &str) -> Global {
    Global {
        name: name.to_owned(),
        size: 8,
        align: 8,
        constant: false,
        thread_local: false,
        external: false,
        absent: false,
        bytes: Vec::new(),
        relocs: Vec::new(),
        loc: LocId(0),
    }
}

fn call(func: u32, signature: u32) -> CallSite {
    CallSite {
        callee: Callee::Direct(FuncId(func)),
        signature: SignatureId(signature),
        args: vec![Operand::constant(0)],
        widths: vec![64],
        by_val: Vec::new(),
        var_args: Vec::new(),
        dst: Slot(0),
        ret_slots: 1,
        ret_widths: vec![64],
        result_used: true,
        landing: None,
    }
}

fn exported(name: &str, func: u32) -> ExportedSymbol {
    ExportedSymbol { name: name.to_owned(), target: SymbolTarget::Function(FuncId(func)) }
}

/// A program whose functions each call the function `callee` and jump in all ways.
fn program(names: &[&str], callee: u32, signature: Signature) -> Program {
    let mut program = Program::new();
    program.signatures.push(signature);
    program.names.push("a name".to_owned());
    program.files.push(program.files[0].clone());
    let location = SourceLocation { function: NameId(1), ..program.locations[0] };
    program.locations.push(SourceLocation { inlined_at: Some(LocId(1)), ..location });
    program.globals.push(global("own"));
    let address = Const::Global { global: GlobalId(0), offset: 4 };
    let (op, width, b) = (ConstOp::Sub, 64, Const::Func(FuncId(0)));
    program.consts.push(Const::Int(7));
    program.consts.push(Const::Expr(Box::new(ConstExpr { op, width, a: address.clone(), b })));
    program.globals[0].relocs.push(Relocation { offset: 0, bytes: 8, value: address });
    program.calls.push(call(callee, 1));
    for (at, name) in (0..).zip(names) {
        let entry = program.ops.len() as u32;
        program.ops.extend([
            Op::Call { insts: 0, site: CallId(0) },
            Op::Branch { insts: 0, cond: Operand::constant(1), then: entry, other: entry + 2 },
            Op::Switch { insts: 0, w: 8, val: Operand::slot(Slot(0)), table: SwitchId(at) },
            Op::IndirectJump { insts: 0, addr: Operand::slot(Slot(0)), table: at },
            Op::Unsupported { insts: 0, what: NameId(1) },
        ]);
        program.switches.push(SwitchTable { default: entry, cases: vec![(1, entry + 2)] });
        program.indirect.push(IndirectTargets { targets: vec![(entry, entry + 2)] });
        program.functions.push(Function {
            defined: true,
            entry,
            end: entry + 5,
            blocks: vec![entry, entry + 2],
            frame_slots: 1,
            signature: SignatureId(1),
            loc: LocId(1),
            ..function(name)
        });
    }
    program.weights = vec![0; program.ops.len()];
    program.op_locs = vec![LocId(1); program.ops.len()];
    program
}

fn signature(classes: &[ValueClass]) -> Signature {
    Signature { params: classes.to_vec(), ..Signature::default() }
}

#[test]
fn everything_of_a_library_comes_behind_the_program() {
    let base = program(&["main"], 0, signature(&[ValueClass::Pointer]));
    base.validate().unwrap();
    for (classes, signatures) in
        [(vec![ValueClass::Pointer], 2), (vec![], 2), (vec![ValueClass::Pointer; 2], 3)]
    {
        let library = program(&["helper"], 0, signature(&classes));
        library.validate().unwrap();
        let extended = base.extended(&[&library, &library], &[0, 1, 2]).program;
        extended.validate().unwrap();
        assert_eq!(extended.signatures.len(), signatures);
        assert_eq!(extended.ops[..5], base.ops[..]);
        assert_eq!(extended.functions[0], base.functions[0]);
        let second = &extended.functions[2];
        assert_eq!((second.entry, second.end, &second.blocks[..]), (10, 15, &[10, 12][..]));
        assert_eq!(extended.ops[10], Op::Call { insts: 0, site: CallId(2) });
        assert_eq!(extended.calls[2].callee, Callee::Direct(FuncId(2)));
        assert_eq!(extended.calls[2].args, [Operand::constant(4)]);
        assert_eq!(
            extended.ops[12],
            Op::Switch { insts: 0, w: 8, val: Operand::slot(Slot(0)), table: SwitchId(2) }
        );
        assert_eq!(extended.switches[2], SwitchTable { default: 10, cases: vec![(1, 12)] });
        assert_eq!(extended.indirect[2].targets, [(10, 12)]);
        assert_eq!(extended.ops[14], Op::Unsupported { insts: 0, what: NameId(5) });
        assert_eq!(extended.op_locs[10], LocId(5));
        assert_eq!(extended.locations[5].inlined_at, Some(LocId(5)));
        assert_eq!(extended.locations[5].function, NameId(5));
        let own = Const::Global { global: GlobalId(2), offset: 4 };
        assert_eq!(extended.globals[2].relocs[0].value, own);
        let Const::Expr(expr) = &extended.consts[5] else { panic!("an expression") };
        assert_eq!((&expr.a, &expr.b), (&own, &Const::Func(FuncId(2))));
        let numbers: Vec<u32> = extended
            .linked
            .iter()
            .flat_map(|l| [l.first_function, l.first_global, l.first_op])
            .collect();
        assert_eq!(numbers, [1, 1, 5, 2, 2, 10]);
        let libraries = [0, 1, 2].map(|func| extended.library_of_function(FuncId(func)));
        assert_eq!(libraries, [0, 1, 2]);
    }
}

#[test]
fn symbols_are_bound_in_the_order_of_the_scope() {
    let mut base = program(&["main", "both"], 0, Signature::default());
    base.exports = vec![exported("both", 1), exported("main", 0)];
    base.functions.push(function("malloc"));
    // It calls `wanted`, which it does not define.
    let mut library = program(&["both", "other"], 2, Signature::default());
    library.exports = vec![exported("both", 0), exported("other", 1)];
    library.functions.extend([function("wanted"), function("malloc")]);
    library.functions.push(Function { absent: true, ..function("weak") });
    library.consts.extend([0, 2, 3, 4].map(|func| Const::Func(FuncId(func))));
    library.globals.push(Global { external: true, ..global("nowhere") });
    let mut provider = program(&["wanted"], 0, Signature::default());
    provider.exports = vec![exported("wanted", 0)];

    let alone = base.extended(&[&library], &[0, 1]);
    let names = |of: &Program, ids: &[FuncId]| -> Vec<String> {
        ids.iter().map(|id| of.function(*id).name.clone()).collect()
    };
    assert_eq!(names(&alone.program, &alone.undefined_functions), ["wanted", "malloc"]);
    assert_eq!(alone.undefined_globals, [GlobalId(2)]);

    let bound = base.extended(&[&library, &provider], &[0, 1, 2]).program;
    bound.validate().unwrap();
    let consts = &bound.consts[bound.consts.len() - 6..bound.consts.len() - 2];
    // Its own function gives way to the program's, and what the engine provides is the same for all.
    let expected = [1, 8, 2].map(|func| Const::Func(FuncId(func)));
    assert_eq!(consts[..3], expected);
    assert_eq!(consts[3], Const::Int(0), "nobody defines what may be missing");
    assert_eq!(bound.calls[1].callee, Callee::Direct(FuncId(8)));
    assert_eq!(bound.exported(1, "both"), Some(SymbolTarget::Function(FuncId(3))));

    let deep = base.extended(&[&library, &provider], &[1, 2, 0]).program;
    assert_eq!(deep.consts[deep.consts.len() - 6], Const::Func(FuncId(3)));
}
