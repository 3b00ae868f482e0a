//! What reaches the session, and the thread that reads lines for it. Knows no grammar.

use std::{
    io::{self, BufRead, Read},
    sync::mpsc::Sender,
};

use crate::engine::Event;

/// A longer line is refused whole: half a list of moves would be another game.
const LONGEST_LINE: u64 = 1 << 20;

/// One thing for the session to deal with.
#[derive(Debug)]
pub enum Msg {
    /// A line from the client, whatever bytes it is made of.
    Line(Vec<u8>),
    /// A line that was too long to be taken.
    TooLong,
    /// The client has closed its end.
    End,
    /// Word from the engine.
    Event(Event),
    /// Output of a chore.
    Output(String),
    /// The chore is done.
    Done,
}

/// Reads lines until the input ends or nobody listens. An input that fails has ended.
pub(super) fn read_lines(mut input: impl BufRead, inbox: &Sender<Msg>) {
    loop {
        let msg = match next_line(&mut input) {
            Ok(Some(msg)) => msg,
            Ok(None) => break,
            Err(error) => {
                log::error!("cannot read the input: {error}");
                break;
            }
        };
        if inbox.send(msg).is_err() {
            return;
        }
    }
    // Nobody listening is as good as having told.
    let _ = inbox.send(Msg::End);
}

fn next_line(input: &mut impl BufRead) -> io::Result<Option<Msg>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Msg::TooLong));
    }
    Ok(Some(Msg::Line(line)))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn read(input: &[u8]) -> Vec<String> {
        let (tell, inbox) = channel();
        read_lines(input, &tell);
        drop(tell);
        let show = |msg| match msg {
            Msg::Line(line) => String::from_utf8_lossy(line.trim_ascii_end()).into_owned(),
            other => format!("{other:?}"),
        };
        inbox.iter().map(show).collect()
    }

    #[test]
    fn lines_end_as_any_system_ends_them_and_the_last_need_not() {
        assert_eq!(read(b"uci\r\n\nisready\nquit"), ["uci", "", "isready", "quit", "End"]);
        assert_eq!(read(b""), ["End"]);
    }

    #[test]
    fn a_line_too_long_is_passed_over_and_the_next_is_read() {
        let longest = vec![b'x'; LONGEST_LINE as usize - 1];
        for (extra, first) in [(0, "x"), (1, "TooLong"), (5_000_000, "TooLong")] {
            let mut input = longest.clone();
            input.extend(vec![b'x'; extra]);
            input.extend(b"\nisready\n");
            let lines = read(&input);
            assert_eq!(lines.len(), 3);
            assert!(lines[0].starts_with(first), "{extra}");
            assert_eq!(lines[1..], ["isready", "End"]);
        }
    }
}
