//! The brackets and quotation marks around each place of a text.

/// How far a bracket is searched for its partner.
const REACH: usize = 2_000;

/// For every place in the text, the opening bracket that encloses it: 0 for none, otherwise the index of the bracket
/// plus one. A bracket that is not closed within the paragraph does not count.
pub fn brackets(chars: &[char]) -> Vec<u32> {
    let mut partner: Vec<(usize, usize)> = Vec::new();
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut breaks = 0;
    for (i, &c) in chars.iter().enumerate() {
        match c {
            '\n' => breaks += 1,
            '(' => open.push((')', i)),
            '[' => open.push((']', i)),
            ')' | ']' => {
                if let Some(at) = open
                    .iter()
                    .rposition(|&(close, _)| close == c)
                    .filter(|at| open.len() - at <= 3)
                {
                    let from = open[at].1;
                    open.truncate(at);
                    if i - from <= REACH {
                        partner.push((from, i));
                    }
                }
            }
            _ => {}
        }
        if breaks >= 2 {
            open.clear();
        }
        if c != '\n' && !c.is_whitespace() {
            breaks = 0;
        }
    }
    let mut around = vec![0; chars.len()];
    if partner.is_empty() {
        return around;
    }
    // Outer pairs close after inner ones: write them last to first, the outermost wins.
    partner.sort_unstable();
    let mut past = 0;
    for (from, to) in partner {
        if from >= past {
            around[from + 1..to].fill(u32::try_from(from + 1).unwrap_or(0));
            past = to;
        }
    }
    around
}

/// For every place whether it is between quotation marks that were opened in its paragraph.
pub fn quoted(chars: &[char]) -> Vec<bool> {
    let (mut inside, mut blank) = (false, false);
    chars
        .iter()
        .map(|&c| {
            inside = match c {
                '"' => !inside,
                '“' => true,
                '”' => false,
                '\n' => inside && !blank,
                _ => inside,
            };
            blank = c == '\n' || (blank && c.is_whitespace());
            inside
        })
        .collect()
}
