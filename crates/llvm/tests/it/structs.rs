//! Struct types out of debug information, compared with what the compiler says about them.

use std::fmt::Write;
use std::path::Path;

use everett_ir::{FieldError, Program, StructTypeId, decode, encode};
use everett_llvm::{LoadOptions, load};

use crate::clang;

/// Optimisation levels; at `-O1`, variables are gone, and only their descriptions are left.
const LEVELS: [&str; 2] = ["-O0", "-O1"];

const C_SOURCE: &str = "
#include <stddef.h>
#include <stdint.h>

struct point { int16_t x, y; };
typedef struct { uint8_t kind; struct point at[2][3]; } shape_t;
typedef struct point point_t;

struct __attribute__((packed)) header {
  uint8_t command;
  uint16_t checksum;
  volatile const uint32_t key;
  struct { uint8_t low, high; } sequence;
  union { uint32_t number; uint8_t bytes[4]; };
  enum { A, B } mode;
  unsigned version : 3, flags : 9, rest : 20;
  shape_t shapes[2];
  struct header *next;
  char path[5];
  char data[];
};

struct unused { int nothing; };
";

const C_CODE: &str = "
static int check(struct header *header, long size) {
  struct header *copy = header;
  return size > 20 && copy->checksum == copy->key && copy->data[0];
}
int main(int argc, char **argv) {
  return check((struct header *)argv[0], argc);
}
";

const C_FIELDS: [&str; 15] = [
    "struct header.command",
    "struct header.checksum",
    "struct header.key",
    "struct header.sequence",
    "struct header.sequence.high",
    "struct header.number",
    "struct header.bytes[3]",
    "struct header.mode",
    "struct header.shapes",
    "struct header.shapes[1].kind",
    "struct header.shapes[1].at[1]",
    "struct header.shapes[1].at[1][2].y",
    "struct header.next",
    "struct header.path[4]",
    "shape_t.at[0][2].x",
];

/// C text that puts offset and size of each field into a table.
fn table(fields: &[&str]) -> String {
    let mut text = "const unsigned long places[] = {\n".to_owned();
    for field in fields {
        let (ty, field) = field.split_once('.').unwrap();
        let _ = writeln!(text, "  offsetof({ty}, {field}), sizeof((({ty} *)0)->{field}),");
    }
    text + "};\nconst unsigned long *table(void) { return places; }\n"
}

fn compile(name: &str, text: &str, level: &str) -> Program {
    let folder = clang::scratch("structs");
    let source = folder.join(name);
    let output = folder.join(format!("{name}{level}.bc"));
    std::fs::write(&source, text).unwrap();
    clang::compile(&source, &["-g", level], &output);
    load(&[output], &LoadOptions::default()).unwrap().program
}

/// Compares the places of fields with the table that the compiler has made.
fn check(program: &Program, fields: &[&str]) {
    let table = program.global_named("places").or_else(|| program.global_named("_ZL6places"));
    let table = &program.globals[table.unwrap().index()];
    // Zeros at the end are left out.
    let mut bytes = table.bytes.clone();
    bytes.resize(16 * fields.len(), 0);
    assert_eq!(table.size, bytes.len() as u64);
    for (field, place) in fields.iter().zip(bytes.chunks(16)) {
        let word = |at: usize| u64::from_le_bytes(place[at..at + 8].try_into().unwrap());
        let found = program.structs.find(field).unwrap();
        assert_eq!(
            (found.bits.start, found.bits.end),
            (8 * word(0), 8 * (word(0) + word(8))),
            "{field}"
        );
    }
}

fn only(program: &Program, name: &str) -> StructTypeId {
    let found = program.structs.named(name);
    assert_eq!(found.len(), 1, "{name}");
    found[0]
}

fn names_at(program: &Program, ty: StructTypeId, byte: u64) -> Vec<String> {
    program.structs.fields_at(ty, byte).into_iter().map(|field| field.name).collect()
}

#[test]
fn fields_of_c_are_where_the_compiler_says() {
    for level in LEVELS {
        let program =
            compile("fields.c", &format!("{C_SOURCE}{}{C_CODE}", table(&C_FIELDS)), level);
        check(&program, &C_FIELDS);
        let header = only(&program, "struct header");
        assert_eq!(program.structs.named("header"), [header], "{level}");
        // Bytes by their names, all of them by the compiler's word except for bit-fields.
        for field in ["path[4]", "shapes[1].at[1][2].y", "sequence.high", "checksum", "mode"] {
            let bytes = program.structs.find(&format!("header.{field}")).unwrap().bytes();
            for byte in bytes {
                assert_eq!(names_at(&program, header, byte), [field], "{level}");
            }
        }
        let number = program.structs.find("header.bytes[1]").unwrap().bytes().start;
        assert_eq!(names_at(&program, header, number), ["number", "bytes[1]"]);
        let bits = program.structs.find("header.mode").unwrap().bytes().end;
        assert_eq!(names_at(&program, header, bits), ["version", "flags"]);
        assert_eq!(names_at(&program, header, bits + 1), ["flags", "rest"]);
        let data = program.structs.get(header).size;
        assert_eq!(names_at(&program, header, data + 7), ["data[7]"]);
        let flags = program.structs.find("header.flags").unwrap();
        assert_eq!((flags.bits.end - flags.bits.start, flags.bytes()), (9, bits..bits + 2));
        assert!(program.structs.named("unused").is_empty() && program.structs.is_complete());
    }
}

#[test]
fn fields_are_listed_as_in_c() {
    let program = compile("listed.c", &format!("{C_SOURCE}{C_CODE}"), "-O1");
    let shape = only(&program, "shape_t");
    let flat = program.structs.flattened(shape, 100);
    let names: Vec<&str> = flat.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names[..4], ["kind", "at[0][0].x", "at[0][0].y", "at[0][1].x"]);
    assert_eq!((names.len(), names[12]), (13, "at[1][2].y"));
    assert_eq!(program.structs.flattened(shape, 3).len(), 3);
    // Padding has no name.
    assert_eq!(names_at(&program, shape, 1), [] as [&str; 0]);
    let header = only(&program, "header");
    let flat = program.structs.flattened(header, 1000);
    assert!(flat.iter().any(|field| field.name == "shapes[1].at[1][2].y"));
    assert_eq!(flat.last().unwrap().name, "data[0]");
}

#[test]
fn fields_of_cpp_are_where_the_compiler_says() {
    let text = "
        #include <stddef.h>
        namespace net {
          struct Base { int magic; };
          template <typename T> struct Pair { T first, second; };
          class Packet : public Base {
          public:
            static int count;
            unsigned char tag;
            Pair<unsigned short> ports;
            struct Inner { char c[3]; } inner;
            virtual int size() const { return sizeof *this; }
          };
        }
        using Alias = net::Packet;
        int net::Packet::count;
        ";
    let code = "
        int main(int argc, char **argv) {
          Alias packet;
          packet.tag = argc;
          packet.inner.c[0] = argc;
          return packet.size() + packet.tag + packet.inner.c[0];
        }
        ";
    let fields = [
        "net::Packet.magic",
        "net::Packet.tag",
        "net::Packet.ports.second",
        "net::Pair<unsigned short>.second",
        "net::Packet::Inner.c[1]",
        "Alias.inner.c[2]",
    ];
    for level in LEVELS {
        let source = format!("{text}{}{code}", table(&fields));
        let program = compile("fields.cpp", &source, level);
        check(&program, &fields);
        assert_eq!(program.structs.named("class net::Packet"), program.structs.named("Alias"));
        let packet = only(&program, "net::Packet");
        let names: Vec<String> =
            program.structs.flattened(packet, 100).into_iter().map(|field| field.name).collect();
        assert!(names.contains(&"magic".to_owned()) && !names.contains(&"count".to_owned()));
    }
}

#[test]
fn headers_of_several_files_are_described_once() {
    let folder = clang::scratch("structs");
    let paths = ["one", "two"].map(|name| {
        let (source, output) = (folder.join(name).with_extension("c"), folder.join(name));
        // The second file has another struct of a name that the first has, too.
        let local =
            if name == "one" { "struct local { int a; };" } else { "struct local { char b, a; };" };
        let code =
            format!("int {name}(struct header *h, struct local *l) {{ return h->key + l->a; }}");
        std::fs::write(&source, format!("{C_SOURCE}{local}{code}")).unwrap();
        clang::compile(&source, &["-g", "-O1"], &output);
        output
    });
    let program = load(&paths, &LoadOptions::default()).unwrap().program;
    only(&program, "struct header");
    assert_eq!(program.structs.named("local").len(), 2);
    assert_eq!(program.structs.find("local.b").unwrap().bytes(), 0..1);
    let name = "local".to_owned();
    assert_eq!(program.structs.find("local.a"), Err(FieldError::Ambiguous { name }));
}

#[test]
fn names_that_stand_for_nothing_are_explained() {
    let program = compile("errors.c", &format!("{C_SOURCE}{C_CODE}"), "-O0");
    let message = |path: &str| program.structs.find(path).unwrap_err().to_string();
    assert_eq!(message("header"), "expected TYPE.FIELD, such as `struct header.length`");
    assert_eq!(message("struct footer.key"), "no struct type is named `struct footer`");
    assert_eq!(
        message("header.sequence.middle"),
        "`header.sequence` has no field `middle`; it has `low`, `high`"
    );
    assert_eq!(message("header.key.low"), "`header.key` has no field `low`; it has none");
    assert_eq!(message("header.key[0]"), "`header.key` is no array");
    assert_eq!(message("header.path[5]"), "`[5]` is no element of `header.path`");
    assert_eq!(message("header.path[x]"), "`[x]` is no element of `header.path`");
    assert!(message("header.shapes.kind").starts_with("`header.shapes` has no field `kind`"));
}

#[test]
fn struct_types_survive_the_cache_and_are_checked_there() {
    let program = compile("cached.c", &format!("{C_SOURCE}{C_CODE}"), "-O0");
    assert_eq!(decode(&encode(&program)).unwrap().structs, program.structs);
    assert!(program.structs.iter().count() > 3);
}

#[test]
fn deep_nesting_is_bounded() {
    let mut text = "struct s0 { int x; };\n".to_owned();
    for at in 1..200 {
        let _ = writeln!(text, "struct s{at} {{ struct s{} inner; }};", at - 1);
    }
    // In one file the innermost type is found first, in the other the outermost.
    let parameters =
        ["struct s0 *a, struct s100 *b, struct s199 *c", "struct s199 *c, struct s0 *a"];
    for (number, parameters) in parameters.iter().enumerate() {
        let code = format!("int nested({parameters}) {{ return sizeof *c > 1; }}");
        let program = compile(&format!("deep{number}.c"), &format!("{text}{code}"), "-O0");
        assert!(!program.structs.is_complete());
        assert!(decode(&encode(&program)).is_ok());
        assert_eq!(program.structs.find("s9.inner.inner.inner").unwrap().bytes(), 0..4);
    }
}

#[test]
fn program_without_debug_information_has_no_struct_types() {
    let output = clang::scratch("structs").join("plain.bc");
    let source = Path::new(&output).with_extension("c");
    std::fs::write(&source, format!("{C_SOURCE}{C_CODE}")).unwrap();
    for flag in ["-g0", "-gline-tables-only"] {
        clang::compile(&source, &[flag], &output);
        let program = load(std::slice::from_ref(&output), &LoadOptions::default()).unwrap().program;
        assert_eq!(program.structs.iter().count(), 0, "{flag}");
    }
}
