//! The C header of the format.

use super::EventFlags;
use super::api::{ApiKind, ScriptApi};
use super::layout::{
    EVENT_BYTES, FIELDS, HEADER_BYTES, NODE_BYTES, NONE, TEXT_BYTES, THREAD_BYTES, VERSION,
};

/// `runtime-c/replay/script.h`: the structures of a script, and the table of functions.
pub fn c_header() -> String {
    let mut text = String::from(
        "/* Format of scripts, generated from crates/replay/src/script: see there. */\n\
         #ifndef EVERETT_SCRIPT_H\n#define EVERETT_SCRIPT_H\n\n#include <stdint.h>\n\n",
    );
    text.push_str(&format!(
        "#define EVERETT_SCRIPT_MAGIC \"EVRTSCRP\"\n\
         #define EVERETT_SCRIPT_VERSION {VERSION}\n\
         #define EVERETT_SCRIPT_TEXT_BYTES {TEXT_BYTES}\n\
         #define EVERETT_NONE 0x{NONE:x}u\n\n",
    ));
    let parts = [
        ("header", HEADER_BYTES),
        ("node", NODE_BYTES),
        ("thread", THREAD_BYTES),
        ("event", EVENT_BYTES),
    ];
    for (part, bytes) in parts {
        structure(&mut text, part, bytes);
    }
    text.push_str("enum everett_flags {\n");
    for (flag, name) in EventFlags::ALL {
        text.push_str(&format!("  EVERETT_{name} = {},\n", flag.0));
    }
    text.push_str("};\n\nenum everett_api {\n");
    for api in ScriptApi::ALL {
        text.push_str(&format!("  {} = {},\n", api.constant(), api.number()));
    }
    text.push_str("};\n\n/* X(number, name, kind) */\n#define EVERETT_APIS(X) \\\n");
    let calls: Vec<&ScriptApi> =
        ScriptApi::ALL.iter().filter(|api| api.kind() != ApiKind::Happening).collect();
    let row = |api: &&ScriptApi| {
        let (number, name, kind) = (api.number(), api.name(), api.kind().name());
        format!("  X({number}, {name}, EVERETT_KIND_{kind})")
    };
    text.push_str(&calls.iter().map(row).collect::<Vec<_>>().join(" \\\n"));
    text.push_str("\n\n/* X(number, other symbol) */\n#define EVERETT_ALIASES(X) \\\n");
    let aliases =
        calls.iter().flat_map(|api| api.aliases().iter().map(|name| (api.number(), name)));
    let rows: Vec<String> =
        aliases.map(|(number, name)| format!("  X({number}, {name})")).collect();
    text.push_str(&rows.join(" \\\n"));
    text.push_str("\n\nenum everett_kind {\n");
    let mut kinds: Vec<&str> = Vec::new();
    for api in ScriptApi::ALL {
        if !kinds.contains(&api.kind().name()) {
            kinds.push(api.kind().name());
        }
    }
    for kind in kinds {
        text.push_str(&format!("  EVERETT_KIND_{kind},\n"));
    }
    text.push_str("};\n\n#endif\n");
    text
}

/// A structure of C whose fields are at the offsets of the layout.
fn structure(text: &mut String, part: &str, bytes: usize) {
    text.push_str(&format!("struct everett_{part} {{\n"));
    let mut at = 0;
    let fields = FIELDS.iter().filter(|(of, ..)| *of == part);
    for (_, name, kind, offset, what) in fields {
        pad(text, &mut at, *offset);
        let name = name.to_lowercase();
        let (declared, size) = match *kind {
            "magic" => (format!("uint8_t {name}[8]"), 8),
            "aux" => (format!("uint64_t {name}[4]"), 32),
            "own" => (format!("uint32_t {name}[{}]", (bytes - offset) / 4), bytes - offset),
            "u16" => (format!("uint16_t {name}"), 2),
            "i32" => (format!("int32_t {name}"), 4),
            "i64" => (format!("int64_t {name}"), 8),
            "u64" => (format!("uint64_t {name}"), 8),
            _ => (format!("uint32_t {name}"), 4),
        };
        text.push_str(&format!("  {declared}; /* {what} */\n"));
        at += size;
    }
    pad(text, &mut at, bytes);
    text.push_str(&format!(
        "}};\n_Static_assert(sizeof(struct everett_{part}) == {bytes}, \"layout\");\n\n"
    ));
}

fn pad(text: &mut String, at: &mut usize, to: usize) {
    if *at < to {
        text.push_str(&format!("  uint8_t unused_{at}[{}];\n", to - *at));
        *at = to;
    }
}
