//! Writes the parts of a document, or of a support request, as one file: a ZIP archive without compression. The usual
//! library for ZIP archives would bring code that reads archives, and this is allowed only in the parser's process. So
//! the few lines here write the archive instead.

/// Bit of the flags that says that names are UTF-8.
const UTF8: u16 = 1 << 11;
/// The first day that an archive can name: the same parts give the same bytes.
const DAY: u16 = (1 << 5) | 1;
/// The version that a reader must support: 2.0.
const VERSION: u16 = 20;
const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;

/// The archive of these parts, by name; `None` where it would be larger than such an archive can be.
pub(crate) fn package(parts: &[(&str, &str)]) -> Option<Vec<u8>> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, part) in parts {
        let at = u32::try_from(file.len()).ok()?;
        let length = u32::try_from(part.len()).ok()?;
        let mut about = Vec::new();
        for field in [VERSION, UTF8, 0, 0, DAY] {
            about.extend(field.to_le_bytes());
        }
        for field in [crc32(part.as_bytes()), length, length] {
            about.extend(field.to_le_bytes());
        }
        about.extend(u16::try_from(name.len()).ok()?.to_le_bytes());
        about.extend(0_u16.to_le_bytes());
        file.extend(LOCAL.to_le_bytes());
        file.extend(&about);
        file.extend(name.as_bytes());
        file.extend(part.as_bytes());
        directory.extend(CENTRAL.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&about);
        // No comment, one disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let at = u32::try_from(file.len()).ok()?;
    let length = u32::try_from(directory.len()).ok()?;
    let count = u16::try_from(parts.len()).ok()?;
    file.extend(directory);
    file.extend(END.to_le_bytes());
    file.extend([0; 4]);
    file.extend(count.to_le_bytes());
    file.extend(count.to_le_bytes());
    file.extend(length.to_le_bytes());
    file.extend(at.to_le_bytes());
    file.extend([0; 2]);
    Some(file)
}

/// CRC-32 as archives have it.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            let low = sum & 1;
            sum >>= 1;
            if low == 1 {
                sum ^= 0xEDB8_8320;
            }
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn sums_are_those_of_every_archive() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
    }
}
