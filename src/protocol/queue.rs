//! What came during a search and waits for its end, in order. Knows which commands begin a search,
//! not how any is carried out.

use std::collections::VecDeque;

use super::inbox::Line;
use crate::wire::Command;

/// Commands that wait.
#[derive(Default)]
pub(super) struct Queue {
    /// The lines they came in, as commands read take up many times the room, and whether they end a
    /// search that does not end by itself.
    lines: VecDeque<(Line, bool)>,
    /// How many of them do.
    enders: usize,
    /// How many of them, from the front, a `stop` came after.
    stopped: usize,
    /// The room that they take up.
    size: usize,
}

impl Queue {
    /// Adds the line that a command came in.
    pub(super) fn push(&mut self, line: Line, command: &Command) {
        self.size += line.size();
        self.lines.push_back((line, ends_a_search(command)));
        self.enders += usize::from(ends_a_search(command));
    }

    /// Takes the next one out, and tells whether a `stop` came after it.
    pub(super) fn pop(&mut self) -> Option<(Line, bool)> {
        let (line, ends) = self.lines.pop_front()?;
        self.enders -= usize::from(ends);
        self.size -= line.size();
        let stopped = self.stopped > 0;
        self.stopped = self.stopped.saturating_sub(1);
        Some((line, stopped))
    }

    /// Puts back what was just taken out.
    pub(super) fn put_back(&mut self, line: Line, command: &Command, stopped: bool) {
        self.size += line.size();
        self.lines.push_front((line, ends_a_search(command)));
        self.enders += usize::from(ends_a_search(command));
        self.stopped += usize::from(stopped);
    }

    /// A `stop` came: whatever waits now is stopped as soon as it begins.
    pub(super) fn stop(&mut self) {
        self.stopped = self.lines.len();
    }

    /// Whether one of them ends a search that does not end by itself.
    pub(super) fn has_ender(&self) -> bool {
        self.enders > 0
    }

    /// The room that they take up, in bytes.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Forgets them all.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

fn ends_a_search(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Bench(_) | Command::NewGame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(lines: &[&str]) -> Queue {
        let mut queue = Queue::default();
        add(&mut queue, lines);
        queue
    }

    fn add(queue: &mut Queue, lines: &[&str]) {
        for &line in lines {
            queue.push(line.into(), &read(line));
        }
    }

    fn read(line: &str) -> Command {
        Command::parse(line.as_bytes()).expect("a command").expect("a command")
    }

    fn drained(queue: &mut Queue) -> Vec<(String, bool)> {
        let text = |line: Line| String::from_utf8(line.bytes().to_vec()).expect("text");
        std::iter::from_fn(|| queue.pop()).map(|(line, stopped)| (text(line), stopped)).collect()
    }

    #[test]
    fn a_stop_is_for_what_came_before_it() {
        let mut queue = filled(&["go infinite", "position startpos"]);
        queue.stop();
        add(&mut queue, &["go depth 1"]);
        let all = drained(&mut queue);
        let stopped: Vec<_> = all.iter().map(|(_, stopped)| *stopped).collect();
        assert_eq!(stopped, [true, true, false]);
        add(&mut queue, &["go"]);
        assert_eq!(drained(&mut queue), [("go".to_owned(), false)]);
    }

    #[test]
    fn what_is_put_back_is_next_as_it_was() {
        let mut queue = filled(&["go infinite", "d"]);
        queue.stop();
        add(&mut queue, &["position startpos"]);
        let before = drained(&mut filled(&["go infinite", "d", "position startpos"]));
        let (line, stopped) = queue.pop().expect("a line");
        queue.put_back(line, &read("go infinite"), stopped);
        assert!(queue.has_ender());
        let after = drained(&mut queue);
        assert_eq!(after[1].0, before[1].0);
        assert_eq!(after.iter().map(|line| line.1).collect::<Vec<_>>(), [true, true, false]);
        assert!(queue.is_empty() && !queue.has_ender());
    }
}
