//! The oldest glibc that a program starts with: what the loader looks for before it runs anything.
//!
//! An ELF program lists the versions of symbols that it needs of each library. Versions that only weak symbols have are
//! marked: without them the loader starts the program, and the symbols are empty.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// What the name of a version of glibc begins with.
const MARK: &str = "GLIBC_";
/// Type of the section that lists what is needed.
const NEEDED: u32 = 0x6fff_fffe;
/// The mark of a version that may be missing.
const WEAK: u16 = 2;
/// Bytes of a section or of names, at most: larger ones are those of a damaged file.
const MOST: u64 = 1 << 26;

/// The newest version of glibc that a program needs; (0, 0) if it needs none, or is no program of 64-bit Linux.
pub(super) fn newest_glibc(program: &Path) -> std::io::Result<(u32, u32)> {
    match needed(&mut File::open(program)?) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => Ok((0, 0)),
        other => Ok(other?.unwrap_or_default()),
    }
}

/// A section, as the table of sections has it.
struct Section {
    kind: u32,
    offset: u64,
    size: u64,
    link: u32,
    info: u32,
}

fn needed(file: &mut (impl Read + Seek)) -> std::io::Result<Option<(u32, u32)>> {
    let head = part(file, 0, 64)?;
    // 64 bits, the least significant byte first.
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return Ok(None);
    }
    let (table, size) = (u64_at(&head, 40), u16_at(&head, 58));
    let count = u16_at(&head, 60);
    let (Some(table), Some(size), Some(count)) = (table, size, count) else {
        return Ok(None);
    };
    let rows = part(file, table, u64::from(size) * u64::from(count))?;
    let sections: Vec<Section> = rows
        .chunks(usize::from(size).max(1))
        .filter_map(section)
        .collect();
    let Some(list) = sections.iter().find(|section| section.kind == NEEDED) else {
        return Ok(None);
    };
    let Some(names) = sections.get(list.link as usize) else {
        return Ok(None);
    };
    let names = part(file, names.offset, names.size)?;
    let entries = part(file, list.offset, list.size)?;
    Ok(newest(&entries, list.info, &names))
}

fn section(row: &[u8]) -> Option<Section> {
    Some(Section {
        kind: u32_at(row, 4)?,
        offset: u64_at(row, 24)?,
        size: u64_at(row, 32)?,
        link: u32_at(row, 40)?,
        info: u32_at(row, 44)?,
    })
}

/// The newest version in a list of what is needed of so many libraries.
fn newest(entries: &[u8], libraries: u32, names: &[u8]) -> Option<(u32, u32)> {
    let (mut library, mut newest) = (0, None);
    for _ in 0..libraries {
        let count = u16_at(entries, library + 2)?;
        let mut at = library + u32_at(entries, library + 8)? as usize;
        for _ in 0..count {
            let (flags, name) = (u16_at(entries, at + 4)?, u32_at(entries, at + 8)?);
            if flags & WEAK == 0 {
                newest = newest.max(version(names, name as usize));
            }
            match u32_at(entries, at + 12)? {
                0 => break,
                next => at += next as usize,
            }
        }
        match u32_at(entries, library + 12)? {
            0 => break,
            next => library += next as usize,
        }
    }
    newest
}

/// The version that a name says: `GLIBC_2.34`.
fn version(names: &[u8], at: usize) -> Option<(u32, u32)> {
    let name = names.get(at..)?.split(|&b| b == 0).next()?;
    let said = std::str::from_utf8(name).ok()?.strip_prefix(MARK)?;
    if said == "ABI_DT_RELR" {
        // Addresses are written down shortly, which is read since this version.
        return Some((2, 36));
    }
    let mut parts = said.split('.').map_while(|part| part.parse().ok());
    Some((parts.next()?, parts.next()?))
}

fn part(file: &mut (impl Read + Seek), offset: u64, size: u64) -> std::io::Result<Vec<u8>> {
    if size > MOST {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let mut bytes = vec![0; usize::try_from(size).unwrap_or_default()];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes_at(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes_at(bytes, at).map(u64::from_le_bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// A program with a list of versions, each with its mark, of one library after another.
    fn program(libraries: &[&[(&str, u16)]]) -> Vec<u8> {
        let (mut names, mut list) = (vec![0], Vec::new());
        for (n, versions) in libraries.iter().enumerate() {
            let is_last = n + 1 == libraries.len();
            let next = if is_last {
                0
            } else {
                16 + 16 * versions.len() as u32
            };
            list.extend(1u16.to_le_bytes());
            list.extend((versions.len() as u16).to_le_bytes());
            list.extend([0u32, 16, next].map(u32::to_le_bytes).concat());
            for (m, (name, flags)) in versions.iter().enumerate() {
                let next = if m + 1 == versions.len() { 0u32 } else { 16 };
                list.extend(0u32.to_le_bytes());
                list.extend([*flags, 2].map(u16::to_le_bytes).concat());
                list.extend([names.len() as u32, next].map(u32::to_le_bytes).concat());
                names.extend(name.bytes().chain([0]));
            }
        }
        let (at, end) = (
            64 + names.len() as u64,
            64 + (names.len() + list.len()) as u64,
        );
        let mut bytes = b"\x7fELF\x02\x01".to_vec();
        bytes.resize(40, 0);
        bytes.extend(end.to_le_bytes());
        bytes.resize(58, 0);
        bytes.extend([64u16, 2, 0].map(u16::to_le_bytes).concat());
        bytes.extend(&names);
        bytes.extend(&list);
        let sections = [
            (3, 64, names.len() as u64, 0, 0),
            (NEEDED, at, list.len() as u64, 0u32, libraries.len() as u32),
        ];
        for (kind, offset, size, link, info) in sections {
            let mut row = vec![0; 4];
            row.extend(kind.to_le_bytes());
            row.resize(24, 0);
            row.extend([offset, size].map(u64::to_le_bytes).concat());
            row.extend([link, info].map(u32::to_le_bytes).concat());
            row.resize(64, 0);
            bytes.extend(row);
        }
        bytes
    }

    fn found(bytes: &[u8]) -> Option<(u32, u32)> {
        needed(&mut Cursor::new(bytes)).unwrap()
    }

    #[test]
    fn what_only_weak_symbols_need_does_not_count() {
        let libc: &[(&str, u16)] = &[("GLIBC_2.2.5", 0), ("GLIBC_2.34", 0), ("GLIBC_2.39", WEAK)];
        let other: &[(&str, u16)] = &[("GCC_4.2.0", 0), ("GLIBC_PRIVATE", 0)];
        for (libraries, expected) in [
            (&[libc, other][..], Some((2, 34))),
            (&[other, libc], Some((2, 34))),
            (&[&[("GLIBC_2.39", WEAK)]], None),
            (&[&[("GLIBC_2.39", 0)], libc], Some((2, 39))),
            (&[other], None),
            (&[&[("GLIBC_ABI_DT_RELR", 0)]], Some((2, 36))),
        ] {
            assert_eq!(found(&program(libraries)), expected, "{libraries:?}");
        }
    }

    #[test]
    fn a_damaged_program_needs_nothing_that_is_known() {
        let whole = program(&[&[("GLIBC_2.34", 0)]]);
        for length in 0..whole.len() {
            let found = needed(&mut Cursor::new(&whole[..length]));
            assert!(!matches!(found, Ok(Some(_))), "{length}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, &whole).unwrap();
        assert_eq!(newest_glibc(&path).unwrap(), (2, 34));
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        assert_eq!(newest_glibc(&path).unwrap(), (0, 0));
        std::fs::write(&path, &whole[..100]).unwrap();
        assert_eq!(newest_glibc(&path).unwrap(), (0, 0));
        assert!(newest_glibc(&folder.path().join("none")).is_err());
    }
}
