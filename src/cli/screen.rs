//! The terminal on standard error, as what is rewritten in place wants it. Knows nothing of what is
//! shown.

use std::io;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

/// How often it is drawn in a second at the most.
const RATE: u8 = 20;

/// A text that is rewritten in place; hidden where there is no terminal.
pub(super) fn display() -> ProgressBar {
    let term = Term::buffered_stderr();
    let target = if term.is_term() {
        ProgressDrawTarget::term_like_with_hz(Box::new(Screen(term)), RATE)
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{msg}").expect("invariant: it is a template");
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// A terminal whose cursor stays where the text ends. Its last line is otherwise filled with blanks, and
/// the `^C` of an interrupt goes to the next line, where what is cleared is one line too few.
#[derive(Debug)]
struct Screen(Term);

impl TermLike for Screen {
    fn width(&self) -> u16 {
        TermLike::width(&self.0)
    }

    fn height(&self) -> u16 {
        TermLike::height(&self.0)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_up(n)
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_down(n)
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.0.move_cursor_left(n)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.0.write_line(text)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text.bytes().all(|byte| byte == b' ') { Ok(()) } else { self.0.write_str(text) }
    }

    fn clear_line(&self) -> io::Result<()> {
        self.0.clear_line()
    }

    fn flush(&self) -> io::Result<()> {
        self.0.flush()
    }
}
