//! Sentences of running text.
//!
//! Legal text is full of full stops that end no sentence (`Art. 5`, `No 45`, `U.S.C.`, `3.2.1`). So every full stop is
//! judged by the words before and after it. A blank line ends a sentence, with three exceptions: there is a comma
//! before it; the last word or sign before it ends no sentence, such as "the" or an opening bracket, and the next word
//! begins in lower case; or the line is the `v.` between the parties of a case. A list marker at the beginning of a
//! line begins a sentence, unless the text before refers to it, as in `in point (a)`.

mod abbreviations;
mod chinese;
mod enclosed;
mod english;
mod lines;
mod lists;
mod numbers;

use lexforge_domain::text::{Language, TextSpan};
use lines::drawn;

/// The sentences of `text` in order, without blanks around them. Lines that consist only of signs are left out. Offsets
/// count Unicode scalar values.
pub fn segment(text: &str, language: Language) -> Vec<TextSpan> {
    let chars: Vec<char> = text.chars().collect();
    let mut items = lists::starts(&chars);
    items.extend(lines::starts(&chars));
    items.sort_unstable();
    if language != Language::Zh {
        items.extend(numbers::ends(&chars, &items));
        items.sort_unstable();
    }
    items.dedup();
    let mut ends: Vec<usize> = match language {
        Language::Zh => chinese::ends(&chars),
        Language::En | Language::Ko | Language::Other => english::ends(&chars, &items),
    };
    ends.extend(items);
    ends.push(chars.len());
    ends.sort_unstable();
    ends.dedup();
    let lines = chars.contains(&'\n');
    let mut spans = Vec::new();
    let mut from = 0;
    for end in ends {
        if let Some(span) =
            trimmed(&chars, from, end).filter(|s| !lines || !drawn(&chars[s.start..s.end]))
        {
            spans.push(span);
        }
        from = end;
    }
    spans
}

fn trimmed(chars: &[char], from: usize, to: usize) -> Option<TextSpan> {
    let part = &chars[from..to];
    let lead = part.iter().position(|c| !c.is_whitespace())?;
    let tail = part.iter().rev().position(|c| !c.is_whitespace())?;
    let (start, end) = (from + lead, to - tail);
    Some(TextSpan {
        start,
        end,
        text: chars[start..end].iter().collect(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn check(language: Language, text: &str, expected: &[&str]) {
        let spans = segment(text, language);
        let texts: Vec<&str> = spans.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(texts, expected, "{text}");
        let chars: Vec<char> = text.chars().collect();
        for span in &spans {
            assert_eq!(
                chars[span.start..span.end].iter().collect::<String>(),
                span.text
            );
        }
    }

    #[test]
    fn stops_that_end_nothing() {
        for text in [
            "Under Art. 5 of Regulation (EC) No. 45/2001 the bank, e.g. Acme Inc. or J. P. Morgan, shall report.",
            "See 12 U.S.C. § 1813(q), i.e. the appropriate agency, and Smith v. Jones, 5 F. Supp. 2d 10.",
            "The ratio is 8.5 % pursuant to paragraph 3.2.1 of Sec. 4.",
            "The U.S. Government acted.",
        ] {
            check(Language::En, text, &[text]);
        }
    }

    #[test]
    fn stops_that_end_a_sentence() {
        check(
            Language::En,
            "The bank shall report to the U.S. It shall do so within 5 p.m. The end.",
            &[
                "The bank shall report to the U.S.",
                "It shall do so within 5 p.m.",
                "The end.",
            ],
        );
        check(
            Language::En,
            "Is it so? “Yes.” It is (really). Good!",
            &["Is it so?", "“Yes.”", "It is (really).", "Good!"],
        );
        check(
            Language::En,
            "A heading\n\nA sentence. Another",
            &["A heading", "A sentence.", "Another"],
        );
    }

    #[test]
    fn citations_are_not_cut() {
        for text in [
            "The point is settled (Smith v. Jones Ins. Co., 12 Cal. App. 4th 100, 104, fn. 3 (Cal. Ct. App. 1999)).",
            "It follows Doe, 3 Vet. App. at 12; see Roe, 7 Ill. Dec. 36, 79 N.E.2d 6, and H.R.Rep. No. 99-6, at 2.",
            "He asked (The clerk had left. Nobody answered.) for the file.",
        ] {
            check(Language::En, text, &[text]);
        }
        check(
            Language::En,
            "The court agreed.[4] See id. The claim fails.2 Costs follow. *116 Each party appeals. Id. This is wrong.",
            &[
                "The court agreed.[4]",
                "See id.",
                "The claim fails.2",
                "Costs follow.",
                "*116",
                "Each party appeals.",
                "Id.",
                "This is wrong.",
            ],
        );
    }

    #[test]
    fn lines_that_are_units() {
        check(
            Language::En,
            "Filed: 3 May 2001\nDocket: 12-3    Judge: A. Brown\nALPHA BANK, Applicant,\nv.\nBeta LLC, Respondent.\n7\nThe bank \
             reported that\nnothing was owed and that nothing had been owed for as long as its books went back.",
            &[
                "Filed: 3 May 2001",
                "Docket: 12-3",
                "Judge: A. Brown",
                "ALPHA BANK, Applicant,\nv.\nBeta LLC, Respondent.",
                "7",
                "The bank reported that\nnothing was owed and that nothing had been owed for as long as its books went back.",
            ],
        );
        check(
            Language::Zh,
            "第一章 总则\n第一条 为了规范管理，制定本办法。\n第二条 银行应当报告。",
            &[
                "第一章 总则",
                "第一条 为了规范管理，制定本办法。",
                "第二条 银行应当报告。",
            ],
        );
    }

    #[test]
    fn numbers_before_paragraphs() {
        check(
            Language::En,
            "FINDINGS\n\n1.  The bank reported late.\n\n2.  It was warned.\n\n*12 A. Costs\n\nB. Interest\n\nD. Brown\n\n[7, 8] The \
             court agrees.\nThe Act provides:\n(a) Notice is due.\n(b) persons who act",
            &[
                "FINDINGS",
                "1.",
                "The bank reported late.",
                "2.",
                "It was warned.",
                "*12",
                "A.",
                "Costs",
                "B.",
                "Interest",
                "D. Brown",
                "[7, 8]",
                "The court agrees.",
                "The Act provides:",
                "(a)",
                "Notice is due.",
                "(b) persons who act",
            ],
        );
        check(
            Language::En,
            "Steps:\n\n1. A rule.\n2. Another.",
            &["Steps:", "1. A rule.", "2. Another."],
        );
        check(
            Language::En,
            "P. M. Brown\n\nJudge\n\n   \n\n7.  A claim by itself is the seventh of none.",
            &[
                "P. M. Brown",
                "Judge",
                "7.  A claim by itself is the seventh of none.",
            ],
        );
        check(
            Language::Zh,
            "总则\n\n1. 银行应当报告。",
            &["总则", "1. 银行应当报告。"],
        );
    }

    #[test]
    fn captions_and_what_is_drawn() {
        check(
            Language::En,
            "DOCKET NO. 1-2\t)\tDATE\n\t)\n\nALPHA BANK,\n\n12-3 v.\n\nBeta LLC\n_______\nThe rule says that the bank \
             must\n\nreport each loss.\n\n* * *\n\nOrdered.",
            &[
                "DOCKET NO. 1-2",
                ")\tDATE",
                "ALPHA BANK,\n\n12-3 v.\n\nBeta LLC",
                "The rule says that the bank must\n\nreport each loss.",
                "* * *",
                "Ordered.",
            ],
        );
        check(Language::En, "___", &["___"]);
    }

    #[test]
    fn what_quotations_leave_out() {
        check(
            Language::En,
            "He wrote, \"It is late. . . . We go. [¶] . . . [¶] The end.\"\n\n\". . . Nobody came.\" So be it. * * * Costs follow.[4]*9 See.",
            &[
                "He wrote, \"It is late.",
                ". . .",
                "We go.",
                "[¶]",
                ". . .",
                "[¶]",
                "The end.\"",
                "\". . .",
                "Nobody came.\"",
                "So be it.",
                "* * *",
                "Costs follow.[4]",
                "*9",
                "See.",
            ],
        );
    }

    #[test]
    fn abbreviations_without_blanks_and_of_captions() {
        for text in [
            "See the Act of 1968, 82Stat. 211, and No. 13-2,p. 48, under Fed.R.Crim.P. 29(a).",
            "He relied on Alpha Mach. Co., 5 F.3d 1, and on Local No. 2 v. U.S. Fid. & Guar. Co., 2 F.3d 1.",
        ] {
            check(Language::En, text, &[text]);
        }
        // Letters that belong to their number are no abbreviation.
        for (text, first) in [
            (
                "It is due by January 31st. The bank shall report.",
                "It is due by January 31st.",
            ),
            ("See Article 8d. The bank shall report.", "See Article 8d."),
        ] {
            check(Language::En, text, &[first, "The bank shall report."]);
        }
        check(
            Language::En,
            "It is bound by Regulation J. These rules apply to J. P. Alpha.",
            &[
                "It is bound by Regulation J.",
                "These rules apply to J. P. Alpha.",
            ],
        );
        check(
            Language::En,
            "They diagnosed a disorder NOS. The claim fails.",
            &["They diagnosed a disorder NOS.", "The claim fails."],
        );
    }

    #[test]
    fn chinese_stops() {
        check(
            Language::Zh,
            "银行应当遵守本办法。《办法！细则》另有规定的，从其规定；没有规定的，适用本办法。（一）“风险。”",
            &[
                "银行应当遵守本办法。",
                "《办法！细则》另有规定的，从其规定；没有规定的，适用本办法。",
                "（一）“风险。”",
            ],
        );
        let address = "见答记者问 https://bank.example/ask.html? id=7&part=2";
        check(Language::Zh, address, &[address]);
    }

    #[test]
    fn korean_stops() {
        check(
            Language::Ko,
            "은행은 보고하여야 한다. 다만, 예외로 한다.",
            &["은행은 보고하여야 한다.", "다만, 예외로 한다."],
        );
        check(
            Language::Ko,
            "은행은 보고하여야 한다.다만, 제5조제1항의 경우(예. 소액)는 3.5퍼센트로 한다.",
            &[
                "은행은 보고하여야 한다.",
                "다만, 제5조제1항의 경우(예. 소액)는 3.5퍼센트로 한다.",
            ],
        );
    }

    #[test]
    fn nothing_comes_of_nothing() {
        check(Language::En, " \n \n", &[]);
    }
}
