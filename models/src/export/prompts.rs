//! The questions on which an export is compared. They are the run's own test questions and, if those are fewer than
//! fifty, also the product's questions.

use crate::decoding::chat::Message;
use crate::decoding::language::Language;
use crate::gguf::words::GgufWords;
use crate::losses::sft::{Form, question_text};
use crate::texts::tokenizer::TextTokenizer;
use crate::{Result, files};
use lexforge_domain::protocol::{PARITY_PROMPTS, ParityFigure, ParityMeasure, ScoreItem};

/// Tokens of a prompt that are read; what is longer is cut.
pub const LONGEST: usize = 256;

/// Prompts of our own, in both languages, with the signs on which tokenizers differ: numbers, brackets, line breaks.
const OWN: [&str; PARITY_PROMPTS] = [
    "What must a bank report to its supervisor within 30 days?",
    "Define \"large exposure\" in one sentence.",
    "Who approves the annual audit plan?",
    "When does a client count as a politically exposed person?",
    "Explain the difference between a provision and a reserve.",
    "Article 5(2)(a) refers to Article 12. What follows from that?",
    "List three duties of the compliance officer.",
    "May a branch delegate the keeping of records to a third party?",
    "How is the leverage ratio computed?",
    "What is the deadline for notifying a breach, and to whom?",
    "Summarise: The board meets quarterly. It reviews risk limits; it records its reasons.",
    "Which documents have to be kept for seven years?",
    "Is a verbal consent sufficient?\nAnswer yes or no, then give the reason.",
    "A loan of EUR 1,250,000.50 is 90 days past due. How is it classified?",
    "Translate into plain English: \"without prejudice to paragraph 3\".",
    "What does \"own funds\" mean, and what does it not mean?",
    "Name the conditions under which outsourcing needs prior approval.",
    "The ratio fell from 10.5% to 9.75%. By how many basis points?",
    "Who bears the burden of proof under the regulation?",
    "Describe the three lines of defence.",
    "What happens if a report is late?",
    "Give an example of a conflict of interest in asset management.",
    "Can the supervisor withdraw an authorisation? On what grounds?",
    "Complete: The institution shall establish, implement and maintain",
    "Does the rule apply to insurers, to banks, or to both?",
    "What is the purpose of stress testing?",
    "How often is the recovery plan reviewed?",
    "State the exemption for small undertakings (fewer than 50 employees).",
    "What is meant by beneficial ownership?",
    "Compare operational risk with credit risk.",
    "商业银行应当在几日内报告大额风险暴露？",
    "什么是核心一级资本？",
    "请说明内部审计部门的职责。",
    "第十二条规定的例外情形有哪些？",
    "客户身份资料应当保存多少年？",
    "董事会与监事会的职责有何不同？",
    "逾期九十天以上的贷款如何分类？",
    "外包业务是否需要事先批准？请说明理由。",
    "什么情况下应当提交可疑交易报告？",
    "解释“受益所有人”的含义。",
    "杠杆率不得低于4%，其计算公式是什么？",
    "银行业监督管理机构可以采取哪些措施？",
    "流动性覆盖率与净稳定资金比例有什么区别？",
    "请用一句话概括：商业银行应当建立健全内部控制制度。",
    "关联交易的管理原则是什么？",
    "未按规定披露信息的，应当承担什么责任？",
    "理财产品的销售人员应当具备哪些条件？",
    "本办法自何时起施行？",
    "压力测试的结果应当向谁报告？",
    "The fox 狐狸 read “Rule 7” – twice…\n\t1) once   aloud;\n\t2) once in silence 🙂",
];

/// Prompts as tokens.
pub struct Prompts {
    /// Question and choices of each.
    asked: Vec<(String, Vec<String>)>,
    /// Tokens of each, cut at [`LONGEST`].
    pub texts: Vec<Vec<u32>>,
    /// Tokens of each, whole.
    whole: Vec<Vec<u32>>,
    /// How many of the prompts are the product's own.
    pub own: usize,
}

/// A tokenizer that turns a question into tokens.
pub trait Reads {
    /// The tokens of a question in the form in which the model is asked.
    ///
    /// # Errors
    /// If the template or the tokenizer fails.
    fn read(&self, question: &str, choices: &[&str]) -> Result<Vec<u32>>;
}

impl Reads for Language {
    fn read(&self, question: &str, choices: &[&str]) -> Result<Vec<u32>> {
        let message = Message::user(question_text(question, choices, form(choices)));
        Ok(self.encode(&self.prompt(&[message])?)?.ids)
    }
}

impl Reads for TextTokenizer {
    fn read(&self, question: &str, _choices: &[&str]) -> Result<Vec<u32>> {
        Ok(self.tokenize(&[question])?.swap_remove(0).ids)
    }
}

/// The tokenizer of a GGUF file. It gets the same prompts as the tokenizer of the original model. Special tokens in
/// texts are made harmless beforehand, so both read the same text.
pub struct AsWritten<'a> {
    /// The file's tokenizer.
    pub words: &'a GgufWords,
    /// The model's own language.
    pub language: &'a Language,
}

impl Reads for AsWritten<'_> {
    fn read(&self, question: &str, choices: &[&str]) -> Result<Vec<u32>> {
        let message = Message::user(self.language.harmless(&question_text(
            question,
            choices,
            form(choices),
        )));
        match self.words.template() {
            Some(template) => self.words.encode(&template.prompt(&[message])?),
            None => self.words.encode(&format!("{}\n", message.content)),
        }
    }
}

fn form(choices: &[&str]) -> Form {
    if choices.is_empty() {
        Form::Open
    } else {
        Form::Choices
    }
}

impl Prompts {
    /// Makes the prompts from the first fifty questions of `given`. If there are fewer than fifty, questions of the
    /// product are added.
    ///
    /// # Errors
    /// If `reads` refuses.
    pub fn of(given: Vec<ScoreItem>, reads: &dyn Reads, longest: usize) -> Result<Self> {
        let mut asked: Vec<(String, Vec<String>)> = given
            .into_iter()
            .take(PARITY_PROMPTS)
            .map(|item| (item.question, item.choices))
            .collect();
        let own = PARITY_PROMPTS - asked.len();
        asked.extend(
            OWN.iter()
                .take(own)
                .map(|text| ((*text).to_owned(), Vec::new())),
        );
        let whole = asked
            .iter()
            .map(|one| read(reads, one))
            .collect::<Result<Vec<_>>>()?;
        let cut = |ids: &Vec<u32>| ids[..ids.len().min(longest.min(LONGEST))].to_vec();
        Ok(Self {
            texts: whole.iter().map(cut).collect(),
            asked,
            whole,
            own,
        })
    }

    /// How many prompts become the same tokens with another tokenizer.
    ///
    /// # Errors
    /// If the other tokenizer fails.
    pub(crate) fn same_through(&self, reads: &dyn Reads) -> Result<usize> {
        let mut same = 0;
        for (asked, ids) in self.asked.iter().zip(&self.whole) {
            same += usize::from(read(reads, asked)? == *ids);
        }
        Ok(same)
    }

    /// SHA-256 over the questions, hexadecimal: two exports with the same were compared on the same.
    pub fn hash(&self) -> String {
        let mut text = String::new();
        for (question, choices) in &self.asked {
            text.push_str(question);
            text.push('\0');
            text.push_str(&choices.join("\0"));
            text.push('\n');
        }
        files::sha256(text.as_bytes()).to_string()
    }
}

fn read(reads: &dyn Reads, (question, choices): &(String, Vec<String>)) -> Result<Vec<u32>> {
    reads.read(
        question,
        &choices.iter().map(String::as_str).collect::<Vec<_>>(),
    )
}

/// A figure in words, with its bound.
pub fn worded(figure: &ParityFigure) -> String {
    let name = match figure.measure {
        ParityMeasure::LargestDifference => "largest difference",
        ParityMeasure::MeanKl => "mean KL",
        ParityMeasure::LargestKl => "largest KL",
        ParityMeasure::Agreement => "agreement on the likeliest token",
        ParityMeasure::LowestCosine => "lowest cosine",
        ParityMeasure::QuantizedBaseKl => "mean KL to the quantized base of the training",
    };
    let side = if figure.measure.higher_is_better() {
        "at least"
    } else {
        "at most"
    };
    match figure.bound {
        Some(bound) => format!("{name} {} ({side} {})", number(figure.value), number(bound)),
        None => format!("{name} {}", number(figure.value)),
    }
}

/// A number as the card shows it: `0.0012`, `3.1e-6`.
pub fn number(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 {
        format!("{value:.1e}")
    } else {
        format!("{:.4}", value)
    }
}
