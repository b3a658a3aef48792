//! Bytes of messages by the fields of a struct: those that are not compared, and the names of all of them.

use std::ops::Range;

use anyhow::{Context, Result, bail};
use everett_ir::Program;

/// The ranges of bytes that masks name: `4`, `4-7`, or `struct header.checksum`, a field of the first of
/// these programs that has it.
pub(crate) fn masked_ranges(masks: &[String], programs: &[&Program]) -> Result<Vec<Range<u32>>> {
    masks.iter().map(|text| masked_range(text, programs)).collect()
}

fn masked_range(text: &str, programs: &[&Program]) -> Result<Range<u32>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
        if first > last || last == u32::MAX {
            bail!("--mask {text}: give an offset as in 4, or a range as in 4-7");
        }
        return Ok(first..last + 1);
    }
    if !text.contains('.') {
        bail!("--mask {text}: give an offset as in 4, a range as in 4-7, or TYPE.FIELD");
    }
    let mut found = programs.iter().map(|program| program.structs.find(text)).collect::<Vec<_>>();
    let at = found.iter().position(Result::is_ok).unwrap_or(0);
    let field = match found.is_empty() {
        true => bail!("--mask {text}: no program has this field"),
        false => found.swap_remove(at).with_context(|| format!("--mask {text}"))?,
    };
    let offset = |at: u64| u32::try_from(at).context("a message is shorter than 4 GiB");
    Ok(offset(field.bytes().start)?..offset(field.bytes().end)?)
}

/// Bytes of a message that are given the names of fields, at most.
pub(crate) const NAMED_BYTES_MAX: u64 = 1 << 16;

/// The names of the first bytes of messages by a struct type of the first of these programs that has it;
/// empty for bytes that belong to no field.
pub(crate) fn byte_names(ty: &str, programs: &[&Program], count: u64) -> Result<Vec<String>> {
    let mut tables = programs.iter().map(|program| &program.structs);
    let Some(structs) = tables.find(|structs| !structs.named(ty).is_empty()) else {
        bail!("--fields {ty}: there is no such struct type, or no debug information (-g)");
    };
    let id = match structs.named(ty).as_slice() {
        [id] => *id,
        _ => bail!("--fields {ty}: there are several types of this name"),
    };
    let name = |byte: u64| {
        let fields = structs.fields_at(id, byte).into_iter().map(|field| field.name);
        fields.collect::<Vec<_>>().join(" or ")
    };
    Ok((0..count.min(NAMED_BYTES_MAX)).map(name).collect())
}

#[cfg(test)]
mod tests {
    use everett_ir::{ScalarKind, StructField, StructKind, StructType};

    use super::*;

    #[test]
    fn masks_are_offsets_ranges_and_fields() {
        let (mut program, other) = (Program::new(), Program::new());
        let field = StructField {
            name: "checksum".to_owned(),
            offset_bits: 16,
            dimensions: Vec::new(),
            element_bits: 32,
            element: None,
            scalar: ScalarKind::Unsigned,
        };
        let (name, fields) = ("header".to_owned(), vec![field]);
        program.structs.add(StructType { kind: StructKind::Struct, name, size: 6, fields });
        let range = |text: &str| masked_range(text, &[&other, &program]).ok();
        assert_eq!(range("4"), Some(4..5));
        assert_eq!(range("4-7"), Some(4..8));
        assert_eq!(range("header.checksum"), Some(2..6));
        for wrong in ["7-4", "x", "4-", "header.size", "footer.size", "4294967295"] {
            assert_eq!(range(wrong), None, "{wrong}");
        }
        assert!(masked_range("header.checksum", &[]).is_err());
    }
}
