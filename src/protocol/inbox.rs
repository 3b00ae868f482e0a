//! What reaches the session, and the reading of lines for it. Knows no grammar.
//!
//! Lines are read on demand: those that are read and not dealt with yet take up room, and when there
//! is none the client waits.

use std::{
    io::{self, BufRead, Read},
    sync::{Arc, Condvar, Mutex, PoisonError, mpsc::Sender},
};

use crate::engine::Event;

/// A longer line is refused whole: half a list of moves would be another game.
const LONGEST_LINE: u64 = 1 << 20;
/// So many bytes are read ahead, thousands of the lines that clients send.
pub(super) const ROOM: usize = 16 << 20;
/// What a line takes besides its bytes.
const LINE_EXTRA: usize = 64;

/// One thing for the session to deal with.
#[derive(Debug)]
pub enum Msg {
    /// A line from the client.
    Line(Line),
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

/// A line from the client, whatever bytes it is made of. It takes up room until it is dropped.
#[derive(Debug)]
pub struct Line {
    bytes: Vec<u8>,
    room: Option<Arc<Room>>,
}

impl Line {
    /// What it says.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The room that it takes up, in bytes.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + LINE_EXTRA
    }
}

impl From<&str> for Line {
    /// A line that takes up no room.
    fn from(text: &str) -> Self {
        Self { bytes: text.into(), room: None }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(room) = &self.room {
            room.give_back(self.size());
        }
    }
}

/// How many bytes are read and not dealt with.
#[derive(Debug, Default)]
struct Room {
    taken: Mutex<usize>,
    changed: Condvar,
}

impl Room {
    fn take(&self, size: usize) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) += size;
    }

    fn give_back(&self, size: usize) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) -= size;
        self.changed.notify_one();
    }

    /// Waits until there is some left.
    fn wait(&self) {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let left = self.changed.wait_while(taken, |taken| *taken >= ROOM);
        drop(left.unwrap_or_else(PoisonError::into_inner));
    }
}

/// Reads lines until the input ends or nobody listens. An input that fails has ended.
pub(super) fn read_lines(mut input: impl BufRead, inbox: &Sender<Msg>) {
    let room = Arc::new(Room::default());
    loop {
        room.wait();
        let mut msg = next(&mut input);
        if let Msg::Line(line) = &mut msg {
            room.take(line.size());
            line.room = Some(Arc::clone(&room));
        }
        let ended = matches!(msg, Msg::End);
        // Nobody listening is as good as having told.
        if inbox.send(msg).is_err() || ended {
            return;
        }
    }
}

/// The next line, or what is to be said in its place. An input that fails has ended.
pub(super) fn next(input: &mut impl BufRead) -> Msg {
    next_line(input).unwrap_or_else(|error| {
        log::error!("cannot read the input: {error}");
        Msg::End
    })
}

fn next_line(input: &mut impl BufRead) -> io::Result<Msg> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Msg::End);
    }
    if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Msg::TooLong);
    }
    Ok(Msg::Line(Line { bytes, room: None }))
}

#[cfg(test)]
mod tests {
    use std::{
        sync::mpsc::{RecvTimeoutError, channel},
        thread,
        time::Duration,
    };

    use super::*;

    fn read(input: &[u8]) -> Vec<String> {
        let (tell, inbox) = channel();
        read_lines(input, &tell);
        drop(tell);
        let show = |msg| match msg {
            Msg::Line(line) => String::from_utf8_lossy(line.bytes().trim_ascii_end()).into_owned(),
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

    #[test]
    fn no_more_is_read_than_there_is_room_for_until_lines_are_dealt_with() {
        let lines = 3 * ROOM / (LINE_EXTRA + 1);
        let input = vec![b'\n'; lines];
        let (tell, inbox) = channel();
        let reader = thread::spawn(move || read_lines(&input[..], &tell));
        let (mut held, mut count) = (Vec::new(), 0);
        loop {
            match inbox.recv_timeout(Duration::from_millis(500)) {
                Ok(Msg::Line(line)) => held.push(line),
                Err(RecvTimeoutError::Timeout) => {
                    let taken: usize = held.iter().map(Line::size).sum();
                    assert!((ROOM..ROOM + 2 * LINE_EXTRA).contains(&taken), "{taken}");
                    count += held.len();
                    held.clear();
                }
                Ok(Msg::End) => break,
                other => panic!("{other:?}"),
            }
        }
        reader.join().expect("no panic");
        assert_eq!(count + held.len(), lines);
        assert!(count > 0, "it never waited");
    }
}
