//! Import: the sample, corpora, and files that cannot be read, in one go.

use lexforge_tests::product::Product;
use lexforge_tests::repository::{chinese_sample, companion, data, sample};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn words<'a>(verb: &'a [&'a str], files: &'a [PathBuf]) -> Vec<&'a std::ffi::OsStr> {
    verb.iter()
        .map(std::ffi::OsStr::new)
        .chain(files.iter().map(|f| f.as_os_str()))
        .collect()
}

/// The samples as committed are what their script makes of their texts.
#[test]
fn the_samples_are_typeset_from_their_texts() {
    let script = sample().with_file_name("typeset.py");
    for made in [sample(), companion()] {
        let out = tempfile::NamedTempFile::new().unwrap();
        let mut typeset = Command::new("python3");
        typeset.arg(&script).arg(out.path());
        typeset.arg(made.with_extension("txt"));
        match typeset.status() {
            Ok(status) if status.success() => {
                let same = std::fs::read(out.path()).unwrap() == std::fs::read(&made).unwrap();
                assert!(same, "run tools/sample/typeset.py and commit {made:?}");
            }
            outcome => lexforge_needs::missing(format!("python3 does not run here ({outcome:?})")),
        }
    }
}

#[test]
fn the_sample_is_read_whole() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let report = lexforge.json(&words(&["import", "a.lexforge"], &[sample()]));
    let document = &report["imported"][0];
    assert_eq!(document["file"], "regulation.pdf");
    assert_eq!(document["language"], "en");
    assert_eq!(document["pages"], 15);
    assert_eq!(document["scanned_pages"], 0);
    assert_eq!(document["engines"]["hayro"], 15);
    assert!(
        document["title"]
            .as_str()
            .unwrap()
            .contains("Credit Risk, Collateral and Outsourcing"),
        "{document}"
    );
    assert!(
        document["reader_agreement"].as_f64().unwrap() > 0.99,
        "{document}"
    );
    assert!(document["warnings"].is_array());

    let id = document["id"].to_string();
    let text = lexforge.run(&["docs", "a.lexforge", "--text", &id]).out;
    assert_eq!(
        text.matches('\u{c}').count(),
        14,
        "15 pages are separated by 14 form feeds"
    );
    for gone in [
        "Page 3 of 15",
        "Regulation 7 of Year 41 –",
        "Invented as a sample",
    ] {
        assert!(
            !text.contains(gone),
            "the running head or foot “{gone}” is still there"
        );
    }
    // What is gone can be seen, with its place.
    let removed = lexforge.lines(&["docs", "a.lexforge", "--removed", &id]);
    let third = removed
        .iter()
        .find(|l| l["text"].as_str().unwrap().contains("Page 3 of 15"));
    let third = third.unwrap_or_else(|| panic!("no line for page 3: {removed:?}"));
    assert_eq!(third["page"], 3);
    assert!(third["region"][3].as_f64().unwrap() > 0.0, "{third}");
    assert!(["repeats", "counts"].contains(&third["why"].as_str().unwrap()));
    let told = lexforge.run(&["docs", "a.lexforge", "--removed", &id]).out;
    assert_eq!(told.lines().count(), removed.len());
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for kept in [
        "The value of a large exposure shall not exceed 25 % of the eligible capital of the institution.",
        "“lead supervisor” means the supervisor who coordinates all examinations of one significant institution",
        "Units of money market funds",
        "SU-06",
    ] {
        assert!(flat.contains(kept), "missing: {kept}");
    }

    let sentences = lexforge.lines(&["docs", "a.lexforge", "--sentences", &id]);
    let of = |needle: &str| {
        let found = sentences
            .iter()
            .find(|s| s["text"].as_str().unwrap().contains(needle));
        found.unwrap_or_else(|| panic!("no sentence with “{needle}”"))
    };
    let limit = of("a large exposure shall not exceed 25 %");
    let section = limit["section"].as_str().unwrap();
    assert!(
        section.contains("Part III") && section.contains("Article 12"),
        "{section}"
    );
    assert_eq!(of("“lead supervisor” means")["kind"], "definition");
    let condition = of("observable market price that is not older than 20 business days");
    assert_eq!(condition["kind"], "list_item");
    assert!(
        condition["section"]
            .as_str()
            .unwrap()
            .contains("Article 14")
    );
    for sentence in &sentences {
        let boxes = sentence["boxes"].as_array().unwrap();
        assert!(
            !boxes.is_empty(),
            "a sentence without a place on the page: {sentence}"
        );
        for region in boxes {
            let [page, x0, y0, x1, y1] = std::array::from_fn(|i| region[i].as_f64().unwrap());
            let inside = x0 >= 0.0 && y0 >= 0.0 && x1 <= 595.5 && y1 <= 842.5 && x0 < x1 && y0 < y1;
            assert!(
                inside && (1.0..=15.0).contains(&page),
                "a box outside its page: {sentence}"
            );
        }
    }
}

#[test]
fn a_second_import_changes_nothing() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let files = [sample(), chinese_sample()];
    let first = lexforge.json(&words(&["import", "a.lexforge"], &files));
    assert_eq!(first["imported"].as_array().unwrap().len(), 2);
    let docs = lexforge.lines(&["docs", "a.lexforge"]);
    let second = lexforge.json(&words(&["import", "a.lexforge"], &files));
    assert_eq!(second["imported"], Value::Array(vec![]));
    assert_eq!(second["unchanged"].as_array().unwrap().len(), 2);
    assert_eq!(second["failed"], Value::Array(vec![]));
    assert_eq!(lexforge.lines(&["docs", "a.lexforge"]), docs);
}

#[test]
fn a_chinese_text_is_read_by_article() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let report = lexforge.json(&words(&["import", "zh.lexforge"], &[chinese_sample()]));
    assert_eq!(report["imported"][0]["language"], "zh");
    let sentences = lexforge.lines(&["docs", "zh.lexforge", "--sentences"]);
    let of = |needle: &str| {
        sentences
            .iter()
            .find(|s| s["text"].as_str().unwrap().contains(needle))
            .unwrap()
    };
    let limit = of("不得超过一级资本净额的百分之十五");
    let section = limit["section"].as_str().unwrap();
    assert!(
        section.contains("第三章") && section.contains("第十一条"),
        "{section}"
    );
    assert!(
        of("中断超过二十四小时将危及")
            .to_string()
            .contains("第三条")
    );
}

#[test]
fn a_corpus_of_lines_keeps_its_ids() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let corpus = "{\"id\":\"R-1\",\"text\":\"A bank shall keep a liquidity buffer.\",\"title\":\"Rules\"}\n\
                  {\"id\":\"R-2\",\"text\":\"A deposit taker must report a cyber incident within four hours.\"}\n";
    let file = lexforge.file("rules.jsonl", corpus.as_bytes());
    lexforge.json(&words(&["import", "a.lexforge"], &[file]));
    let hits = lexforge.lines(&["search", "a.lexforge", "reporting of cyber incidents"]);
    assert_eq!(hits[0]["external_id"], "R-2");
    assert_eq!(hits[0]["rank"], 1);
    for field in ["id", "score", "text", "document", "page"] {
        assert!(!hits[0][field].is_null(), "{field}");
    }

    let torn = lexforge.file(
        "torn.jsonl",
        b"{\"id\":\"T-1\",\"text\":\"A rule.\"}\n{\"id\": 3, \"te\n",
    );
    let report = lexforge.json(&words(&["import", "a.lexforge"], &[torn]));
    let warning = &report["imported"][0]["warnings"][0];
    assert_eq!(
        warning["code"], "corpus_line_invalid",
        "a line that is no passage costs a warning: {report}"
    );
    assert!(
        warning["message"].as_str().unwrap().contains("Line 2"),
        "{warning}"
    );
}

/// One file of each bad kind with good ones: each bad one costs one clear failure and nothing else.
#[test]
fn bad_files_cost_themselves_alone() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let whole = std::fs::read(sample()).unwrap();
    let mut expected: BTreeMap<&str, &[&str]> = BTreeMap::new();
    let mut files = vec![sample()];
    let mut add = |name: &'static str, bytes: &[u8], codes: &'static [&'static str]| {
        files.push(lexforge.file(name, bytes));
        expected.insert(name, codes);
    };
    add("empty.pdf", b"", &["empty"]);
    // A third of a regulation must not pass for the regulation.
    add("cut.pdf", &whole[..whole.len() / 3], &["damaged"]);
    add("head-only.pdf", b"%PDF-1.7\n", &["damaged"]);
    add(
        "not-a.pdf",
        b"MZ\x90\x00 this is a program and no document",
        &["not_a_pdf"],
    );
    add(
        "picture.png",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR",
        &["unsupported_format"],
    );
    add(
        "no-corpus.jsonl",
        b"{\"id\": 3, \"text\"\nand so on\n",
        &["corpus_line_invalid"],
    );
    files.push(lexforge.path("absent.pdf"));
    expected.insert("absent.pdf", &["file_unreadable"]);
    if let Some(folder) = data("pdf-edge-cases") {
        for (name, codes) in [
            ("password_required_rc4_128.pdf", &["password_required"][..]),
            (
                "scanned_no_text_layer_zh_customs_penalty_decision.pdf",
                &["scanned_no_text"],
            ),
        ] {
            files.push(folder.join(name));
            expected.insert(name, codes);
        }
        files.push(folder.join("encrypted_aes128_empty_user_password_G-1145.pdf"));
    }
    let good = files.len() - expected.len();
    files.push(chinese_sample());

    let report = lexforge.json(&words(&["import", "a.lexforge", "--no-ocr"], &files));
    assert_eq!(
        report["imported"].as_array().unwrap().len(),
        good + 1,
        "{report:#}"
    );
    let failed = report["failed"].as_array().unwrap();
    assert_eq!(failed.len(), expected.len(), "{report:#}");
    for failure in failed {
        let file = Path::new(failure["file"].as_str().unwrap())
            .file_name()
            .unwrap()
            .to_str()
            .unwrap();
        let code = failure["code"].as_str().unwrap();
        let codes = expected
            .get(file)
            .unwrap_or_else(|| panic!("{file} should not have failed: {failure}"));
        assert!(codes.contains(&code), "{file}: {failure}");
        for field in ["message", "hint"] {
            let text = failure[field].as_str().unwrap();
            assert!(
                text.len() > 10 && !text.contains("Error("),
                "{file}: {field} is no sentence: {text}"
            );
        }
    }
    assert_eq!(
        lexforge.json(&["audit", "verify", "a.lexforge"])["ok"],
        true
    );
}

/// A password comes from a file or a pipe, and is kept nowhere in the workspace.
#[test]
fn a_locked_file_opens_with_its_password() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let Some(folder) = data("pdf-edge-cases") else {
        return;
    };
    let locked = folder.join("password_required_rc4_128.pdf");
    let key = lexforge.file("key.txt", b"test\n");
    let with_file = [
        Path::new("import"),
        Path::new("a.lexforge"),
        &locked,
        Path::new("--password-file"),
        &key,
    ];
    let report = lexforge.json(&with_file);
    assert_eq!(
        report["imported"].as_array().unwrap().len(),
        1,
        "{report:#}"
    );

    let mut command = lexforge.command(&words(
        &["import", "b.lexforge", "--password-stdin"],
        &[locked],
    ));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"test\n").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(lexforge.lines(&["docs", "b.lexforge"]).len(), 1);
}

#[test]
fn nothing_imported_is_a_failure() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let file = lexforge.file("empty.pdf", b"");
    let done = lexforge.run(&words(&["import", "a.lexforge", "--json"], &[file]));
    assert_eq!(done.code, 1, "{}", done.err);
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["failed"][0]["code"], "empty");
}

/// A long document beside a damaged one: five hundred pages by repeating the page objects of the sample.
#[test]
fn five_hundred_pages_are_read() {
    let Some(lexforge) = Product::find() else {
        return;
    };
    let pdf = many_pages(500);
    let file = lexforge.file("long.pdf", &pdf);
    let report = lexforge.json(&words(
        &["import", "a.lexforge", "--no-second-reader"],
        &[file],
    ));
    assert_eq!(report["imported"][0]["pages"], 500, "{report:#}");
}

/// A PDF of `count` pages with one numbered rule each.
fn many_pages(count: usize) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Count {count} /Kids [{}] >>",
            (0..count)
                .map(|i| format!("{} 0 R", 4 + 2 * i))
                .collect::<Vec<_>>()
                .join(" ")
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    for i in 0..count {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R /Resources << /Font << /F 3 0 R >> >> >>",
            5 + 2 * i
        ));
        let text = format!(
            "BT /F 11 Tf 72 700 Td (Rule {i}. The institution shall keep record number {i} for ten years.) Tj ET"
        );
        objects.push(format!(
            "<< /Length {} >>\nstream\n{text}\nendstream",
            text.len()
        ));
    }
    let mut pdf = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        places.push(pdf.len());
        pdf.extend_from_slice(format!("{} 0 obj\n{object}\nendobj\n", i + 1).as_bytes());
    }
    let start = pdf.len();
    pdf.extend_from_slice(
        format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).as_bytes(),
    );
    for place in places {
        pdf.extend_from_slice(format!("{place:010} 00000 n \n").as_bytes());
    }
    let size = objects.len() + 1;
    pdf.extend_from_slice(
        format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").as_bytes(),
    );
    pdf
}
