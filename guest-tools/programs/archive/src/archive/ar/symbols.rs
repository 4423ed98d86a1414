//! The symbols that an object file defines for others, for the index of an archive: what a linker looks up to choose
//! members.

use object::Endianness;
use object::elf::{FileHeader32, FileHeader64, SHN_UNDEF, STB_LOCAL};
use object::read::elf::{FileHeader, Sym as _};

/// The names of the symbols that others may use, in the order of the file's symbol table: those that are global or
/// weak and not undefined. None where it is no object file of ELF (32 or 64 bits, either byte order), or a damaged
/// one.
pub fn defined(content: &[u8]) -> Option<Vec<Vec<u8>>> {
    match content.get(4)? {
        1 => of_file::<FileHeader32<Endianness>>(content),
        2 => of_file::<FileHeader64<Endianness>>(content),
        _ => None,
    }
}

/// The same for a class of ELF.
fn of_file<Elf: FileHeader<Endian = Endianness>>(content: &[u8]) -> Option<Vec<Vec<u8>>> {
    let header = Elf::parse(content).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, content).ok()?;
    let table = sections
        .symbols(endian, content, object::elf::SHT_SYMTAB)
        .ok()?;
    let mut names = Vec::new();
    for (index, symbol) in table.enumerate() {
        let is_defined = symbol.st_shndx(endian) != SHN_UNDEF;
        if index.0 == 0 || !is_defined || symbol.st_bind() == STB_LOCAL {
            continue;
        }
        names.push(table.symbol_name(endian, symbol).ok()?.to_vec());
    }
    Some(names)
}
