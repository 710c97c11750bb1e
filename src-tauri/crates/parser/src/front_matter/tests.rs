//! Tests of `front_matter`.

use super::*;

/// `title | owner | version | date | effective`, with a dash for what is left open; the text; the number of warnings.
#[track_caller]
fn check(text: &str, said: &str, rest: &str, warnings: usize) {
    let head = take(text);
    let about = &head.metadata;
    let of = [
        &head.title,
        &about.owner,
        &about.version,
        &about.date,
        &about.effective,
    ];
    let found = of.map(|v| v.as_deref().unwrap_or("-")).join(" | ");
    assert_eq!(found, said, "{text}");
    assert_eq!(head.text, rest, "{text}");
    assert_eq!(head.warnings.len(), warnings, "{text}: {:?}", head.warnings);
}

#[test]
fn a_head_is_metadata_and_no_text() {
    check(
        "---\ntitle: \"Keys: a policy\"\nowner: Security team # for now\nversion: 2.1\ndate: 2024-03-05\neffective-date: 1 April 2024\n---\n# Scope\n",
        "Keys: a policy | Security team | 2.1 | 2024-03-05 | 2024-04-01",
        "# Scope\n",
        0,
    );
    check(
        "---\n标题: 密钥管理制度\n责任部门: 信息科技部\n版本: 第二版\n发布日期: 2024年3月5日\n...\n正文。\n",
        "密钥管理制度 | 信息科技部 | 第二版 | 2024-03-05 | -",
        "正文。\n",
        0,
    );
    check(
        "---\nPolicy Owner:\n  - Ann\n  - Ben\ntitle: >\n  Long\n  name\n---\nText.",
        "Long name | Ann, Ben | - | - | -",
        "Text.",
        0,
    );
}

#[test]
fn what_is_not_read_is_said() {
    // Without a mark above it, and with lists in lists.
    let text = "name: Keys\nacronym: K\nmeets:\n  SET:\n    - A1\nmajorRevisions:\n  - date: Jun 1 2018\n    comment: First\n  - date: \
                    May 2 2019\n---\n\n# Scope\n";
    check(text, "Keys | - | - | 2019-05-02 | -", "\n# Scope\n", 1);
    let told = take(text).warnings.remove(0).message;
    assert!(told.contains("acronym, meets, majorRevisions"), "{told}");
    // A date that can be read in two ways, a value with a form of its own, and a second name.
    check(
        "---\ntitle: Keys\nname: Other\ndate: 03/04/2024\nowner: {team: A}\n---\nText.",
        "Keys | - | - | - | -",
        "Text.",
        1,
    );
}

#[test]
fn what_is_no_head_stays_text() {
    for (text, warnings) in [
        (
            "---\ntitle: Keys\nowner: Ann\n\nThe bank shall report.\n",
            1,
        ),
        ("---\ntitle: Keys\nThe bank shall report.\n---\nMore.\n", 1),
        ("---\n\nNote: the bank shall report.\n\n---\nMore.\n", 0),
        ("---\nThe bank shall report.\n---\nMore.\n", 0),
        ("Note: the bank shall report.\n---\nMore.\n", 0),
        ("name: Keys\nThe bank shall report.\n---\nMore.\n", 0),
        ("name: Keys\nowner: Ann\n\nThe bank shall report.\n", 0),
        ("# Keys\n\nThe bank shall report.\n", 0),
        ("", 0),
    ] {
        check(text, "- | - | - | - | -", text, warnings);
    }
}
