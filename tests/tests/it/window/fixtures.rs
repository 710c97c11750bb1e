//! Documents made for the window, of our own writing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The password of [`locked_pdf`].
pub const PASSWORD: &str = "lantern";

const BEFORE: &str = "Rules on the reporting of major incidents by savings institutions
Article 1 Scope
These rules apply to every institution that holds client money. Institutions without branches are exempt.
Article 2 Reporting
An institution shall report a major incident to the competent authority within four hours. The competent authority may extend the period once.
Article 3 Records
Records of incidents shall be kept for five years. They shall be open to inspection.
";

/// The names of the files, for where the window lists them.
pub const OLDER: &str = "reporting-2021.txt";
/// The newer version of [`OLDER`].
pub const NEWER: &str = "reporting-2024.txt";
/// Two readers read it differently.
pub const DIFFERING: &str = "differing.pdf";
/// Locked with [`PASSWORD`].
pub const LOCKED: &str = "locked.pdf";
/// A Chinese regulation.
pub const CHINESE: &str = "资本管理.txt";

/// Writes all of them into a folder, and returns their paths.
pub fn write(folder: &Path) -> Vec<PathBuf> {
    let after = BEFORE
        .replace("within four hours", "within 24 hours")
        .replace(" Institutions without branches are exempt.", "")
        .replace(
            "open to inspection.",
            "open to inspection. Copies shall be held in another place.",
        );
    let chinese = "商业银行资本管理办法（样例）\n第一章 总则\n第一条 商业银行应当计算资本充足率。\n第二条 资本充足率不得低于百分之八。\n第三条 董事会承担资本管理的最终责任，并定期听取报告。\n";
    let files: [(&str, Vec<u8>); 5] = [
        (OLDER, BEFORE.into()),
        (NEWER, after.into_bytes()),
        (DIFFERING, differing_pdf()),
        (LOCKED, locked_pdf()),
        (CHINESE, chinese.into()),
    ];
    files
        .into_iter()
        .map(|(name, bytes)| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        })
        .collect()
}

/// A page whose widths the second reader overlooks, so that its letters fall on each other and many are lost.
fn differing_pdf() -> Vec<u8> {
    let map = "begincmap 1 begincodespacerange <0000><FFFF> endcodespacerange \
               1 beginbfrange <0020> <007E> <0020> endbfrange endcmap";
    let lines = [
        "The institution shall maintain a register of outsourcing arrangements.",
        "It shall submit the register to the competent authority each year.",
        "The competent authority may ask for it at any other time.",
    ];
    let mut content = "BT /F 11 Tf 14 TL 60 780 Td\n".to_owned();
    for line in lines {
        let hex: String = line.bytes().map(|b| format!("00{b:02x}")).collect();
        let _ = writeln!(content, "<{hex}> Tj T*");
    }
    content.push_str("ET");
    pdf(
        &[
            b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
            b"<</Type/Pages/Kids[7 0 R]/Count 1/MediaBox[0 0 595 842]>>".to_vec(),
            b"<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[4 0 R]/ToUnicode 6 0 R>>"
                .to_vec(),
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)\
              /Supplement 0>>/FontDescriptor 5 0 R/DW 0/W[32 126 500]>>"
                .to_vec(),
            b"<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800\
              /Descent -200/CapHeight 700/StemV 80>>"
                .to_vec(),
            stream(map.as_bytes()),
            b"<</Type/Page/Parent 2 0 R/Contents 8 0 R/Resources<</Font<</F 3 0 R>>>>>>".to_vec(),
            stream(content.as_bytes()),
        ],
        "",
    )
}

/// A page that opens only with [`PASSWORD`]. Content and keys were encrypted beforehand by the standard security
/// handler of revision 2 (RC4 with 40 bits; ISO 32000-1, 7.6.3).
fn locked_pdf() -> Vec<u8> {
    const OWNER: &str = "4ddaf769c7bcf3573f2f01154077859c37371249a35e51e84539aa9419a22f61";
    const USER: &str = "a76382269fd86528c03e64b54aa903fcc72fdb89191cf67798fd174d8519e67a";
    const CONTENT: &str = "b39c2ec9b444ebde3bdd4eb75abe6d6caa07684f8ef05dec86c5784c2f02796809801ddabe0e74080c6f852dedaa3dfea6\
        8651f75fb8c9abc9b4be7820682fe2a4f5b094c0ef20b55131433fd9ffb3e7b3694c01fcd898f9cd68e2bac6bb7646070f3808be15c4dff0508f\
        ba788ae439914c0f59680aa5898304c549d6e913d24fe416f1911744c698c3afa9323414fdec60ee6b0de82294eea48ae3ebe097c812474ad8bd\
        9b267ccb45bd0ec61e83db06688eb4d7fd";
    let protection = format!("<</Filter/Standard/V 1/R 2/P -44/O<{OWNER}>/U<{USER}>>>");
    pdf(
        &[
            b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
            b"<</Type/Pages/Kids[4 0 R]/Count 1/MediaBox[0 0 595 842]>>".to_vec(),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec(),
            b"<</Type/Page/Parent 2 0 R/Contents 5 0 R/Resources<</Font<</F 3 0 R>>>>>>".to_vec(),
            stream(&hex::decode(CONTENT).unwrap()),
            protection.into_bytes(),
        ],
        "/Encrypt 6 0 R/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]",
    )
}

fn stream(data: &[u8]) -> Vec<u8> {
    let mut out = format!("<</Length {}>>stream\n", data.len()).into_bytes();
    out.extend_from_slice(data);
    out.extend_from_slice(b"\nendstream");
    out
}

/// A PDF of these objects, with further entries in its trailer. The first object is the catalogue.
fn pdf(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut out = b"%PDF-1.5\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (i, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        out.extend(format!("{} 0 obj\n", i + 1).bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let start = out.len();
    let _ = write!(
        table,
        "trailer<</Size {}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    out.extend(table.bytes());
    out
}
