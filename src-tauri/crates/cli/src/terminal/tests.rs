//! Tests of `terminal`.

use super::*;
use indicatif::TermLike;
use std::io;
use std::sync::Arc;

/// A terminal, or a file, that keeps what is written.
#[derive(Clone, Debug, Default)]
struct Paper(Arc<Mutex<String>>);

impl Paper {
    fn put(&self, text: &str) -> io::Result<()> {
        self.0.lock().unwrap().push_str(text);
        Ok(())
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(&String::from_utf8_lossy(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TermLike for Paper {
    fn width(&self) -> u16 {
        80
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.put(text)?;
        self.put("\n")
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.put(text)
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

fn shown(target: impl Fn() -> ProgressDrawTarget + Send + 'static, plain: &Paper) -> Shown {
    Shown {
        what: String::new(),
        at: None,
        line: None,
        target: Box::new(target),
        plain: Box::new(plain.clone()),
    }
}

fn on_a_terminal(screen: &Paper, plain: &Paper) -> Shown {
    let screen = screen.clone();
    shown(
        move || ProgressDrawTarget::term_like(Box::new(screen.clone())),
        plain,
    )
}

#[test]
fn where_no_line_can_be_rewritten_plain_ones_are_written() {
    let plain = Paper::default();
    let mut shown = shown(ProgressDrawTarget::hidden, &plain);
    shown.show("import", "import 1 of 3", Some((1, 3)));
    shown.show("import", "import 2 of 3", Some((2, 3))); // soon after the one before
    shown.show("import", "import 3 of 3", Some((3, 3)));
    assert_eq!(plain.text(), "import 1 of 3\nimport 3 of 3\n");
}

#[test]
fn an_amount_that_nobody_knows_is_not_said() {
    assert_eq!(amount(0, 0), "");
    assert_eq!(amount(3, 12), " 3 of 12");
}

#[test]
fn what_is_told_once_is_written_whole() {
    let (screen, plain) = (Paper::default(), Paper::default());
    let mut shown = on_a_terminal(&screen, &plain);
    let warning = "The loss does not fall. ".repeat(10);
    shown.show("run 1", "run 1 train 1 of 3", Some((1, 3)));
    shown.show("stuck", &warning, None);
    shown.show("stuck", "once more", None);
    assert_eq!(plain.text(), format!("{warning}\nonce more\n"));
    assert!(screen.text().contains("run 1 train 1 of 3"));
}

#[test]
fn a_bar_comes_as_soon_as_the_end_is_known() {
    let (screen, plain) = (Paper::default(), Paper::default());
    let mut shown = on_a_terminal(&screen, &plain);
    shown.show("import", "import", Some((0, 0)));
    assert!(!screen.text().contains('█'), "{}", screen.text());
    shown.show("import", "import 1 of 2", Some((1, 2)));
    assert!(screen.text().contains("█████"), "{}", screen.text());
    assert_eq!(plain.text(), "");
}
