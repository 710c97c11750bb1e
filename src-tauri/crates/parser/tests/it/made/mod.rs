//! PDFs made in code, for what no real file shows as clearly.
#![allow(dead_code, reason = "each test program uses its own part")]

use std::fmt::Write as _;
#[cfg(target_os = "linux")]
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A PDF of these objects; the first is the catalogue.
pub fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.5\n".to_vec();
    let mut offsets = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend(format!("{} 0 obj\n", i + 1).bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let start = out.len();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(table, "{offset:010} 00000 n ");
    }
    let _ = write!(
        table,
        "trailer<</Size {}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    out.extend(table.bytes());
    out
}

/// A stream object with the entries `entries`.
pub fn stream(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut out = format!("<<{entries}/Length {}>>stream\n", data.len()).into_bytes();
    out.extend_from_slice(data);
    out.extend_from_slice(b"\nendstream");
    out
}

/// Pages of text in `font` (object 3), whose further objects follow it; `spell` gives the bytes of a line.
pub fn text_pages(pages: &[&[&str]], font: &[Vec<u8>], spell: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let first = 3 + font.len();
    let kids: String = (0..pages.len())
        .map(|i| format!("{} 0 R ", first + 2 * i))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 595 842]>>",
            pages.len()
        )
        .into_bytes(),
    ];
    objects.extend_from_slice(font);
    for (i, lines) in pages.iter().enumerate() {
        let contents = first + 2 * i + 1;
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {contents} 0 R/Resources<</Font<</F 3 0 R>>>>>>"
        );
        let mut content = "BT /F 11 Tf 14 TL 60 780 Td\n".to_owned();
        for line in *lines {
            let hex: String = spell(line).iter().map(|b| format!("{b:02x}")).collect();
            let _ = writeln!(content, "<{hex}> Tj T*");
        }
        content.push_str("ET");
        objects.extend([page.into_bytes(), stream("", content.as_bytes())]);
    }
    pdf(&objects)
}

/// A standard font: bytes are Latin letters.
pub fn helvetica() -> Vec<Vec<u8>> {
    vec![b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_vec()]
}

/// The bytes of a line of Latin letters.
pub fn latin(line: &str) -> Vec<u8> {
    line.chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
        .collect()
}

/// A PDF of pages that are nothing but an image each: grey pixels, width and height.
pub fn image_pages(pages: &[(Vec<u8>, u32, u32)]) -> Vec<u8> {
    let kids: String = (0..pages.len())
        .map(|i| format!("{} 0 R ", 3 + 3 * i))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!(
            "<</Type/Pages/Kids[{kids}]/Count {}/MediaBox[0 0 595 842]>>",
            pages.len()
        )
        .into_bytes(),
    ];
    for (i, (pixels, width, height)) in pages.iter().enumerate() {
        let (contents, image) = (4 + 3 * i, 5 + 3 * i);
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {contents} 0 R/Resources<</XObject<</I {image} 0 R>>>>>>"
        );
        let entries = format!(
            "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8"
        );
        objects.extend([
            page.into_bytes(),
            stream("", b"q 595 0 0 842 0 0 cm /I Do Q"),
            stream(&entries, pixels),
        ]);
    }
    pdf(&objects)
}

/// A grey picture and where it stands on its page: left and lower edge, width and height in points.
pub struct Placed {
    pub pixels: Vec<u8>,
    pub size: (u32, u32),
    pub at: [f32; 4],
}

/// Pages of Latin text from the upper edge on, each with pictures. Equal pictures are one object of the file.
pub fn illustrated_pages(pages: &[(&[&str], Vec<Placed>)]) -> Vec<u8> {
    let mut objects = vec![b"<</Type/Catalog/Pages 2 0 R>>".to_vec(), Vec::new()];
    objects.extend(helvetica());
    let mut kids = String::new();
    let mut drawn: Vec<(&[u8], usize)> = Vec::new();
    for (_, pictures) in pages {
        for picture in pictures {
            if drawn.iter().any(|(pixels, _)| *pixels == picture.pixels) {
                continue;
            }
            let (width, height) = picture.size;
            let entries = format!(
                "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8"
            );
            objects.push(stream(&entries, &picture.pixels));
            drawn.push((&picture.pixels, objects.len()));
        }
    }
    for (lines, pictures) in pages {
        let page = objects.len() + 1;
        let _ = write!(kids, "{page} 0 R ");
        let mut content = "BT /F 11 Tf 14 TL 60 780 Td\n".to_owned();
        for line in *lines {
            let _ = writeln!(content, "({line}) Tj T*");
        }
        content.push_str("ET");
        let mut named = String::new();
        for (i, picture) in pictures.iter().enumerate() {
            let [x, y, width, height] = picture.at;
            let _ = write!(content, " q {width} 0 0 {height} {x} {y} cm /I{i} Do Q");
            let object = drawn.iter().find(|(pixels, _)| *pixels == picture.pixels);
            let _ = write!(named, "/I{i} {} 0 R", object.unwrap().1);
        }
        let entries = format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F 3 0 R>>/XObject<<{named}>>>>>>",
            page + 1
        );
        objects.extend([entries.into_bytes(), stream("", content.as_bytes())]);
    }
    let count = pages.len();
    objects[1] =
        format!("<</Type/Pages/Kids[{kids}]/Count {count}/MediaBox[0 0 595 842]>>").into_bytes();
    pdf(&objects)
}

/// One page of this content, with Helvetica as `F`.
pub fn page_of(content: &str) -> Vec<u8> {
    pages_of(&[content])
}

/// Pages of these contents, with Helvetica as `F`.
pub fn pages_of(contents: &[&str]) -> Vec<u8> {
    let kids: String = (0..contents.len())
        .map(|i| format!("{} 0 R ", 4 + 2 * i))
        .collect();
    let count = contents.len();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {count}/MediaBox[0 0 595 842]>>").into_bytes(),
    ];
    objects.extend(helvetica());
    for (i, content) in contents.iter().enumerate() {
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {} 0 R/Resources<</Font<</F 3 0 R>>>>>>",
            5 + 2 * i
        );
        objects.extend([page.into_bytes(), stream("", content.as_bytes())]);
    }
    pdf(&objects)
}

/// A program that behaves as Tesseract does when it is asked for its languages, and otherwise runs these lines of Rust.
/// Without a compiler, a visible note is printed instead. The program is not a script, because the parser may start
/// only the program itself and no interpreter.
#[cfg(target_os = "linux")]
pub fn program(name: &str, lines: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let source = format!(
        "fn main() {{
             if std::env::args().any(|argument| argument == \"--list-langs\") {{
                 println!(\"eng\");
                 return;
             }}
             {lines}
         }}"
    );
    let mut compiler = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compiler
        .args(["--edition", "2024", "-o"])
        .arg(&path)
        .arg("-");
    let Ok(mut compiler) = compiler.stdin(Stdio::piped()).spawn() else {
        lexforge_needs::missing("there is no rustc");
        return None;
    };
    compiler
        .stdin
        .take()
        .unwrap()
        .write_all(source.as_bytes())
        .unwrap();
    assert!(compiler.wait().unwrap().success(), "{source}");
    Some(path)
}
