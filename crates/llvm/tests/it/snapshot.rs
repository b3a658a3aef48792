//! Listings of small inputs, beside their inputs.

use std::fmt::Write;
use std::path::Path;

use everett_ir::Program;
use everett_llvm::{LoadOptions, load};

/// The listing, with the tables that it refers to.
fn listing(program: &Program, warnings: &[String]) -> String {
    let mut text = program.to_string();
    for global in program.globals.iter().filter(|g| !g.bytes.is_empty() || !g.relocs.is_empty()) {
        writeln!(text, "init @{} {:?}", global.name, global.bytes).unwrap();
        for reloc in &global.relocs {
            writeln!(text, "  {} ({} bytes) {:?}", reloc.offset, reloc.bytes, reloc.value).unwrap();
        }
    }
    for (index, constant) in program.consts.iter().enumerate() {
        writeln!(text, "#{index} {constant:?}").unwrap();
    }
    for (index, layout) in program.layouts.iter().enumerate() {
        writeln!(text, "layout{index} {layout:?}").unwrap();
    }
    for (index, switch) in program.switches.iter().enumerate() {
        writeln!(text, "switch{index} {switch:?}").unwrap();
    }
    for (index, table) in program.indirect.iter().enumerate() {
        writeln!(text, "indirect{index} {table:?}").unwrap();
    }
    for (index, call) in program.calls.iter().enumerate() {
        writeln!(text, "call{index} {call:?}").unwrap();
    }
    for (index, name) in program.names.iter().enumerate().skip(1) {
        writeln!(text, "name{index} {name:?}").unwrap();
    }
    for (index, place) in program.locations.iter().enumerate().skip(1) {
        let everett_ir::SourceLocation { file, line, column, function, inlined_at } = place;
        let (file, function) = (&program.files[file.index()].name, program.name(*function));
        let inlined = inlined_at.map(|outer| format!(" inlined at {outer}")).unwrap_or_default();
        writeln!(text, "loc{index} {file}:{line}:{column} in {function}{inlined}").unwrap();
    }
    writeln!(text, "constructors {:?}", program.constructors).unwrap();
    writeln!(text, "destructors {:?}", program.destructors).unwrap();
    warnings.iter().for_each(|warning| writeln!(text, "warning {warning}").unwrap());
    text
}

fn check(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let path = folder.join(format!("{name}.ll"));
    let loaded = load(&[path], &LoadOptions::default()).unwrap();
    let expected = folder.join(format!("{name}.listing"));
    expect_test::expect_file![expected].assert_eq(&listing(&loaded.program, &loaded.warnings));
}

macro_rules! snapshots {
    ($($name:ident,)*) => { $(#[test] fn $name() { check(stringify!($name)); })* };
}

snapshots! {
    exceptions,
    aggregates,
    asm_idioms,
    atomics,
    blocks_and_switches,
    constants,
    debug_info,
    float_intrinsics,
    int_intrinsics,
    loops_and_phis,
    memory,
    poison,
    relative_tables,
    symbols,
    unsupported,
    varargs_and_byval,
    vectors,
    wide_integers,
}
