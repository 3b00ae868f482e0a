//! A file of text as lines of bytes, whatever ends them and however long they are. UTF-16 comes out
//! as UTF-8; any other encoding is left to whoever knows where a game begins and ends.

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read},
};

use super::fault::{GameError, Place};
use crate::notation::text;

/// Bytes of a game or of a line beyond which nobody reads.
pub(super) const MOST: usize = 24 << 20;

/// Bytes of a line beyond which it is taken for endless, and nothing is looked for after it.
const ENDLESS: usize = 1 << 26;

/// A file whose beginning has been looked at.
pub(super) type Input = Box<dyn Read + Send>;

/// A part of a file that is read as a whole.
pub(super) struct Chunk {
    /// The number of its first line, from 1.
    pub(super) line: usize,
    pub(super) bytes: Vec<u8>,
    /// Whether it has more bytes than anybody reads.
    pub(super) cut: bool,
}

/// The lines of a file.
pub(super) struct Lines {
    input: BufReader<Input>,
    /// Number of the line that was read last.
    pub(super) number: usize,
    /// Lines that were read and given back.
    returned: VecDeque<Vec<u8>>,
    /// Makes text of what is read.
    pub(super) decoder: text::Decoder,
}

impl Lines {
    /// `head` are the first bytes of the input, which comes with them.
    pub(super) fn new(head: &[u8], input: Input) -> Self {
        let wide = text::wide(head);
        // What was UTF-16 is UTF-8 from here on.
        let decoder = text::Decoder::new(if wide.is_some() { &[] } else { head });
        let input = match wide {
            None => input,
            Some(encoding) => Box::new(Narrowed {
                input,
                decoder: text::wide_decoder(encoding),
                ready: VecDeque::new(),
                done: false,
            }),
        };
        let input = BufReader::with_capacity(1 << 16, input);
        Self { input, number: 0, returned: VecDeque::new(), decoder }
    }

    /// That game `game` cannot be read, since the file cannot be read any further.
    pub(super) fn broken(&self, game: usize, error: io::Error) -> GameError {
        let place = Place { game, line: Some(self.number + 1), ..Place::default() };
        GameError { place, fault: error.into(), partial: None, remarks: Vec::new() }
    }

    /// The next line with its end, which may be LF, CR LF or CR.
    pub(super) fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        if let Some(line) = self.returned.pop_front() {
            self.number += 1;
            return Ok(Some(line));
        }
        let mut line = Vec::new();
        let mut passed = 0;
        loop {
            let ready = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                ready => ready?,
            };
            if ready.is_empty() {
                break;
            }
            let end = ready.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let taken = end.map_or(ready.len(), |end| end + 1);
            // What is too long is told by whoever collects it.
            let kept = taken.min((MOST + 2).saturating_sub(line.len()));
            line.extend_from_slice(&ready[..kept]);
            passed += taken - kept;
            self.input.consume(taken);
            if passed > ENDLESS {
                return Err(io::Error::other(format!("a line goes on for {ENDLESS} bytes")));
            }
            if end.is_some() {
                if line.ends_with(b"\r") && self.input.fill_buf()?.first() == Some(&b'\n') {
                    line.push(b'\n');
                    self.input.consume(1);
                }
                break;
            }
        }
        if line.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(line))
    }

    /// Gives back the line that was read last.
    pub(super) fn give_back(&mut self, line: Vec<u8>) {
        self.number -= 1;
        self.returned.push_front(line);
    }

    /// All up to a line that begins something new, which is left; `begins` sees each line after the
    /// first, and whether it is the first.
    pub(super) fn chunk(
        &mut self,
        mut begins: impl FnMut(&[u8], bool) -> bool,
    ) -> io::Result<Option<Chunk>> {
        let mut chunk = Chunk { line: self.number + 1, bytes: Vec::new(), cut: false };
        let mut first = true;
        while let Some(line) = self.next()? {
            if begins(&line, first) && !first {
                self.give_back(line);
                break;
            }
            first = false;
            if chunk.bytes.len() + line.len() > MOST {
                chunk.cut = true;
            } else if !chunk.cut {
                chunk.bytes.extend_from_slice(&line);
            }
        }
        Ok((!first).then_some(chunk))
    }
}

/// Whether a line is UTF-16 in a file that is not: bytes do not tell where its lines end.
pub(super) fn is_wide(line: &[u8]) -> bool {
    text::wide(line).is_some()
}

/// UTF-16 made UTF-8.
struct Narrowed {
    input: Input,
    decoder: encoding_rs::Decoder,
    ready: VecDeque<u8>,
    done: bool,
}

impl Read for Narrowed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() && !self.done {
            let mut bytes = [0; 4096];
            let count = self.input.read(&mut bytes)?;
            self.done = count == 0;
            let mut text = String::with_capacity(4 * bytes.len());
            let _ = self.decoder.decode_to_string(&bytes[..count], &mut text, self.done);
            self.ready.extend(text.bytes());
        }
        self.ready.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::text::{Encoding, encode};

    fn lines(bytes: &[u8]) -> Vec<String> {
        let input = io::Cursor::new(bytes.to_vec());
        let mut lines = Lines::new(bytes, Box::new(input));
        std::iter::from_fn(|| lines.next().unwrap())
            .map(|line| String::from_utf8(line).unwrap())
            .collect()
    }

    #[test]
    fn lines_end_with_any_line_end() {
        assert_eq!(lines(b"a\nb\r\nc\rd\r\r\n"), ["a\n", "b\r\n", "c\r", "d\r", "\r\n"]);
        assert!(lines(b"").is_empty());
        assert_eq!(lines(b"\n\nx"), ["\n", "\n", "x"]);
    }

    #[test]
    fn wide_text_comes_out_narrow() {
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let bytes = encode("[Event \"甲\"]\r\n炮", encoding);
            assert_eq!(lines(&bytes), ["[Event \"甲\"]\r\n", "炮"]);
        }
    }
}
