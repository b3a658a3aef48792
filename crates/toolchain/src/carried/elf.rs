//! The section of bitcode in ELF files.
//!
//! The section is neither allocated nor debug information: it costs nothing at run time, and linkers
//! keep it, under `--gc-sections` as long as they keep anything of its object.

use object::elf::{self, FileHeader64, SectionHeader64};
use object::endian::{LittleEndian, U16, U32, U64};
use object::pod::{bytes_of, from_bytes_mut};
use object::read::elf::{FileHeader, SectionHeader};

use crate::error::ElfError;

/// The name of the section.
pub const SECTION: &str = ".everett.bc";

type ElfHeader = FileHeader64<LittleEndian>;
type ElfSection = SectionHeader64<LittleEndian>;

const E: LittleEndian = LittleEndian;

/// The contents of all sections of bitcode, one after the other.
pub(super) fn sections(file: &[u8]) -> Result<Vec<u8>, ElfError> {
    let header = ElfHeader::parse(file)?;
    let table = header.sections(E, file)?;
    let mut found = Vec::new();
    for section in table.iter() {
        if table.section_name(E, section)? == SECTION.as_bytes() {
            found.extend_from_slice(section.data(E, file).map_err(ElfError::BeyondEnd)?);
        }
    }
    Ok(found)
}

/// Adds a section of bitcode to an object. `None` if the file is not a 64-bit ELF object.
///
/// Everything of the object stays where it is; what is new comes after its end.
pub(crate) fn attach(object: &[u8], contents: &[u8]) -> Result<Option<Vec<u8>>, ElfError> {
    match ElfHeader::parse(object) {
        Ok(header) if header.e_type(E) == elf::ET_REL && header.is_little_endian() => {
            add(object, contents, elf::SectionFlags::default()).map(Some)
        }
        _ => Ok(None),
    }
}

/// Adds a section of bitcode to an executable.
pub(super) fn attach_to_executable(file: &[u8], contents: &[u8]) -> Result<Vec<u8>, ElfError> {
    add(file, contents, elf::SectionFlags::default())
}

/// An object that holds nothing but a section of bitcode, which no linker drops.
pub(crate) fn pack(contents: &[u8]) -> Result<Vec<u8>, ElfError> {
    add(&empty_object(), contents, elf::SHF_GNU_RETAIN)
}

fn add(object: &[u8], contents: &[u8], flags: elf::SectionFlags) -> Result<Vec<u8>, ElfError> {
    let header = ElfHeader::parse(object)?;
    let table = header.sections(E, object)?;
    let mut sections: Vec<ElfSection> = table.iter().copied().collect();
    let names = header.shstrndx(E, object)? as usize;
    let strings = sections.get(names).ok_or(ElfError::NoNames)?;
    let mut strings = strings.data(E, object)?.to_vec();
    let name = u32::try_from(strings.len()).map_err(|_| ElfError::LongNames)?;
    strings.extend_from_slice(SECTION.as_bytes());
    strings.push(0);

    let mut result = object.to_vec();
    let offset = result.len() as u64;
    result.extend_from_slice(contents);
    // The names may be those of symbols as well, so what was there keeps its place among them.
    sections[names].sh_offset = U64::new(E, result.len() as u64);
    sections[names].sh_size = U64::new(E, strings.len() as u64);
    result.extend_from_slice(&strings);
    sections.push(ElfSection {
        sh_name: U32::new(E, name),
        sh_type: U32::new(E, elf::SHT_PROGBITS),
        sh_flags: U64::new(E, flags),
        sh_offset: U64::new(E, offset),
        sh_size: U64::new(E, contents.len() as u64),
        ..plain_section()
    });
    result.resize(result.len().next_multiple_of(8), 0);
    let table_offset = result.len() as u64;
    let count = sections.len();
    let short_count = u16::try_from(count).ok().filter(|count| *count < elf::SHN_LORESERVE);
    if short_count.is_none() {
        sections[0].sh_size = U64::new(E, count as u64);
    }
    for section in &sections {
        result.extend_from_slice(bytes_of(section));
    }
    let Ok((header, _)) = from_bytes_mut::<ElfHeader>(&mut result) else {
        return Err(ElfError::Short);
    };
    header.e_shoff = U64::new(E, table_offset);
    header.e_shnum = U16::new(E, short_count.unwrap_or(0));
    if flags == elf::SHF_GNU_RETAIN {
        // The flag has its meaning in files of this kind only.
        header.e_ident.os_abi = elf::ELFOSABI_GNU;
    }
    Ok(result)
}

/// An object with names of sections, and the note that its stack need not be executable.
fn empty_object() -> Vec<u8> {
    let strings = b"\0.strtab\0.note.GNU-stack\0";
    let header_len = size_of::<ElfHeader>();
    let header = ElfHeader {
        e_ident: elf::Ident {
            magic: elf::ELFMAG,
            class: elf::ELFCLASS64,
            data: elf::ELFDATA2LSB,
            version: elf::EV_CURRENT,
            os_abi: elf::ELFOSABI_NONE,
            abi_version: Default::default(),
            padding: [0; 7],
        },
        e_type: U16::new(E, elf::ET_REL),
        e_machine: U16::new(E, elf::EM_X86_64),
        e_version: U32::new(E, 1),
        e_entry: U64::new(E, 0),
        e_phoff: U64::new(E, 0),
        e_shoff: U64::new(E, (header_len + strings.len()) as u64),
        e_flags: U32::new(E, Default::default()),
        e_ehsize: U16::new(E, header_len as u16),
        e_phentsize: U16::new(E, 0),
        e_phnum: U16::new(E, 0),
        e_shentsize: U16::new(E, size_of::<ElfSection>() as u16),
        e_shnum: U16::new(E, 3),
        e_shstrndx: U16::new(E, elf::SymbolSection(1)),
    };
    let null = ElfSection {
        sh_type: U32::new(E, elf::SHT_NULL),
        sh_addralign: U64::new(E, 0),
        ..plain_section()
    };
    let names = ElfSection {
        sh_name: U32::new(E, 1),
        sh_type: U32::new(E, elf::SHT_STRTAB),
        sh_offset: U64::new(E, header_len as u64),
        sh_size: U64::new(E, strings.len() as u64),
        ..plain_section()
    };
    let stack = ElfSection {
        sh_name: U32::new(E, 9),
        sh_type: U32::new(E, elf::SHT_PROGBITS),
        ..plain_section()
    };
    let mut object = bytes_of(&header).to_vec();
    object.extend_from_slice(strings);
    [null, names, stack].iter().for_each(|section| object.extend_from_slice(bytes_of(section)));
    object
}

/// An empty section without a name.
fn plain_section() -> ElfSection {
    ElfSection {
        sh_name: U32::new(E, 0),
        sh_type: U32::new(E, elf::SHT_PROGBITS),
        sh_flags: U64::new(E, Default::default()),
        sh_addr: U64::new(E, 0),
        sh_offset: U64::new(E, size_of::<ElfHeader>() as u64),
        sh_size: U64::new(E, 0),
        sh_link: U32::new(E, 0),
        sh_info: U32::new(E, 0),
        sh_addralign: U64::new(E, 1),
        sh_entsize: U64::new(E, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_found_again() {
        let packed = pack(b"one").unwrap();
        assert_eq!(sections(&packed).unwrap(), b"one");
        let twice = attach(&packed, b"two").unwrap().unwrap();
        assert_eq!(sections(&twice).unwrap(), b"onetwo");
        let header = ElfHeader::parse(twice.as_slice()).unwrap();
        let names = header.sections(E, twice.as_slice()).unwrap();
        let names: Vec<&[u8]> = names.iter().map(|s| names.section_name(E, s).unwrap()).collect();
        assert_eq!(names[1..3], [b".strtab".as_slice(), b".note.GNU-stack"]);
        assert_eq!(names[3..], [SECTION.as_bytes(); 2]);
    }

    #[test]
    fn more_sections_than_the_header_can_count() {
        let mut object = pack(b"").unwrap();
        let table = ElfHeader::parse(object.as_slice()).unwrap().e_shoff.get(E) as usize;
        let empty = object[table + 64 * 3..table + 64 * 4].to_vec();
        for _ in 4..0xff00 - 1 {
            object.extend_from_slice(&empty);
        }
        let (header, _) = from_bytes_mut::<ElfHeader>(&mut object).unwrap();
        header.e_shnum = U16::new(E, 0xff00 - 1);
        let more = attach(&object, b"first").unwrap().unwrap();
        assert_eq!(ElfHeader::parse(more.as_slice()).unwrap().e_shnum.get(E), 0);
        let more = attach(&more, b" second").unwrap().unwrap();
        assert_eq!(sections(&more).unwrap(), b"first second");
    }

    #[test]
    fn other_files_are_left_alone() {
        assert!(attach(b"BC\xc0\xde", b"x").unwrap().is_none());
        let mut executable = empty_object();
        executable[16] = 2;
        assert!(attach(&executable, b"x").unwrap().is_none());
        assert!(sections(&executable[..70]).is_err());
    }
}
