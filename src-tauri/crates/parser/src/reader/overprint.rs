//! Finds text that is drawn over other text. If the texts at one place say different things, the text that is stored in
//! the page cannot be trusted.

use super::{Glyph, RawPage};

/// Two characters this close, in shares of the narrower one's advance, stand on one another.
const ON_ONE_ANOTHER: f32 = 0.4;
/// Characters of one line have baselines this close, in font sizes.
const ONE_LINE: f32 = 0.35;

/// Share of a page's letters and digits that stand on another one, 0 to 1.
pub(crate) fn overprinted(page: &RawPage) -> f64 {
    let mut glyphs: Vec<&Glyph> = page
        .glyphs
        .iter()
        .filter(|g| g.turn == 0 && !g.vertical && g.ch.is_alphanumeric())
        .collect();
    glyphs.sort_by(|a, b| a.y.total_cmp(&b.y));
    let (mut hidden, mut from) = (0usize, 0);
    while let Some(first) = glyphs.get(from) {
        let limit = first.y + ONE_LINE * first.size;
        let to = from + glyphs[from..].partition_point(|g| g.y <= limit);
        glyphs[from..to].sort_by(|a, b| a.x.total_cmp(&b.x));
        hidden += glyphs[from..to]
            .windows(2)
            .filter(|pair| stand_on_one_another(pair[0], pair[1]))
            .count();
        from = to;
    }
    // Each pair hides two characters.
    (2.0 * hidden as f64 / glyphs.len().max(1) as f64).min(1.0)
}

fn stand_on_one_another(left: &Glyph, right: &Glyph) -> bool {
    let narrower = left.advance.min(right.advance);
    let alike = left.size < 1.5 * right.size && right.size < 1.5 * left.size;
    alike && left.ch != right.ch && right.x - left.x < ON_ONE_ANOTHER * narrower
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, x: f32, y: f32) -> Vec<Glyph> {
        let glyph = |(i, ch)| Glyph {
            ch,
            x: x + 6.0 * i as f32,
            y,
            advance: 6.0,
            size: 11.0,
            turn: 0,
            vertical: false,
            bold: false,
            italic: false,
            capital: false,
        };
        text.chars().enumerate().map(glyph).collect()
    }

    #[test]
    fn two_layers_are_seen_and_lines_are_not() {
        let mut page = RawPage {
            glyphs: line("The institution shall report", 60.0, 100.0),
            ..RawPage::default()
        };
        page.glyphs
            .extend(line("each incident within one day", 60.0, 114.0));
        assert_eq!(overprinted(&page), 0.0);
        page.glyphs
            .extend(line("Xqw zzbrtplkion hqlxy tevart", 61.5, 101.0));
        assert!(overprinted(&page) > 0.4, "{}", overprinted(&page));
        assert_eq!(overprinted(&RawPage::default()), 0.0);
    }
}
