//! Lines of a file of any size, one in memory at a time. Knows no games.

use std::{
    io::{self, BufRead, Read},
    str,
};

use super::game::GameError;

/// A longer line is refused; a game of 100,000 plies is shorter.
pub(super) const LONGEST: usize = 1 << 20;

/// Reads lines, whatever bytes they are made of.
pub(super) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    /// How many lines have been read.
    pub(super) number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Result<&str, GameError>>> {
        self.line.clear();
        // One byte more than a line may have tells whether it is too long.
        let limit = LONGEST as u64 + 1;
        if self.input.by_ref().take(limit).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.len() > LONGEST && !self.line.ends_with(b"\n") {
            self.input.skip_until(b'\n')?;
            return Ok(Some(Err(GameError::TooLong(LONGEST))));
        }
        let line = str::from_utf8(&self.line);
        Ok(Some(match line {
            // Some editors put a mark before everything else.
            Ok(line) if self.number == 1 => Ok(line.trim_start_matches('\u{feff}')),
            Ok(line) => Ok(line),
            Err(error) => Err(GameError::Encoding(error.valid_up_to() + 1)),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_too_long_is_passed_over_whole() {
        let text = [&b"a\n"[..], &vec![b'x'; 3 * LONGEST], b"\nb"].concat();
        let mut lines = Lines::new(&text[..]);
        assert_eq!(lines.next().unwrap(), Some(Ok("a\n")));
        assert_eq!(lines.next().unwrap(), Some(Err(GameError::TooLong(LONGEST))));
        assert_eq!(lines.next().unwrap(), Some(Ok("b")));
        assert_eq!(lines.next().unwrap(), None);
        assert_eq!(lines.number, 3);
    }

    #[test]
    fn bytes_that_are_no_text_spoil_one_line() {
        let mut lines = Lines::new(&b"\xEF\xBB\xBFab\nc\xFF\nd\n"[..]);
        assert_eq!(lines.next().unwrap(), Some(Ok("ab\n")));
        assert_eq!(lines.next().unwrap(), Some(Err(GameError::Encoding(2))));
        assert_eq!(lines.next().unwrap(), Some(Ok("d\n")));
    }
}
