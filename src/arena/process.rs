//! An engine's process and its two pipes. Reads whatever comes as fast as it comes and keeps the
//! little that matters, so that neither side ever waits for a full pipe. Knows lines, no dialogue.

use std::{
    cell::Cell,
    collections::VecDeque,
    io::{self, Read, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{ranks::Ranks, until::Until};
use crate::wire::{Info, Reply};

/// Lines longer than this are cut: no sensible one comes near.
const LONGEST_LINE: usize = 32 << 10;
/// More replies than this are not kept; an engine has no reason to send so many unasked.
const MOST_REPLIES: usize = 1024;
/// How long an engine may take to leave when told to.
const PARTING: Duration = Duration::from_millis(200);

/// How a process is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program's file.
    pub file: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; `None`: where we do.
    pub folder: Option<PathBuf>,
}

/// Something that an engine said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A reply that is neither search information nor text for people.
    Reply(Reply),
    /// A `bestmove` with something after it that is no move.
    Nonsense(String),
}

/// Why nothing is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The time is up.
    TimedOut,
    /// The process has closed its output.
    Closed,
}

/// A running engine. It is ended when this is dropped.
pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    mailbox: Arc<Mailbox>,
}

#[derive(Default)]
struct Mailbox {
    letters: Mutex<Letters>,
    bell: Condvar,
}

#[derive(Default)]
struct Letters {
    replies: VecDeque<(Instant, Heard)>,
    /// The latest information on the best line.
    info: Option<Info>,
    /// The first line of no protocol.
    babble: Option<String>,
    /// Whether there was any line of one.
    speaks: bool,
    closed: bool,
}

impl Process {
    pub(super) fn start(program: &Program, ranks: Ranks) -> io::Result<Self> {
        let mut command = Command::new(&program.file);
        command.args(&program.arguments);
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        // Whoever interrupts the match at the keyboard means the match, not each engine; and what
        // an engine starts is ended together with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let output = child.stdout.take().expect("invariant: the output is a pipe");
        let mailbox = Arc::new(Mailbox::default());
        let reader = Reader {
            mailbox: Arc::clone(&mailbox),
            ranks,
            line: Vec::new(),
            known: Cell::default(),
        };
        let input = child.stdin.take();
        let process = Self { child, input, mailbox };
        // The thread ends with the pipe; a grandchild may keep it open, so nobody waits for it.
        thread::Builder::new().name("engine output".into()).spawn(move || reader.read(output))?;
        Ok(process)
    }

    /// Sends a line. An engine that is gone is noticed when it does not answer.
    pub(super) fn send(&mut self, line: &[u8]) {
        log::trace!("> {}", String::from_utf8_lossy(line));
        let line = [line, b"\n"].concat();
        if let Some(input) = &mut self.input
            && input.write_all(&line).and_then(|()| input.flush()).is_err()
        {
            self.input = None;
        }
    }

    /// The next thing said before the end of the wait, and when it was.
    pub(super) fn hear(&self, until: Until) -> Result<(Instant, Heard), Silence> {
        let mut letters = self.mailbox.open();
        loop {
            if let Some(letter) = letters.replies.pop_front() {
                return Ok(letter);
            }
            if letters.closed {
                return Err(Silence::Closed);
            }
            let step = until.step().ok_or(Silence::TimedOut)?;
            let woken = self.mailbox.bell.wait_timeout(letters, step);
            letters = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for one reply, passing over others.
    pub(super) fn await_reply(
        &self,
        until: Until,
        wanted: impl Fn(&Reply) -> bool,
    ) -> Result<(), Silence> {
        loop {
            if let (_, Heard::Reply(reply)) = self.hear(until)?
                && wanted(&reply)
            {
                return Ok(());
            }
        }
    }

    /// The latest information on the best line since this was last asked.
    pub(super) fn take_info(&self) -> Option<Info> {
        self.mailbox.open().info.take()
    }

    /// The first line that it has said, if nothing so far was of any protocol.
    pub(super) fn babble(&self) -> Option<String> {
        let letters = self.mailbox.open();
        letters.babble.clone().filter(|_| !letters.speaks)
    }

    /// Forgets what was said before now.
    pub(super) fn forget(&self) {
        let mut letters = self.mailbox.open();
        letters.replies.clear();
        letters.info = None;
    }

    /// What a process that has closed its output has ended with, in words to be added to that;
    /// nothing if it goes on, or if it cannot be told without ending it for good.
    #[cfg(target_os = "linux")]
    pub(super) fn ended(&self) -> String {
        use nix::{
            sys::wait::{Id, WaitPidFlag, WaitStatus, waitid},
            unistd::Pid,
        };
        // It stays to be waited for, so that its id is nobody else's.
        let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        let until = Until::after(PARTING);
        while until.step().is_some() {
            match waitid(Id::Pid(Pid::from_raw(self.child.id() as i32)), look) {
                Ok(WaitStatus::Exited(_, status)) => return format!(", exit status {status}"),
                Ok(WaitStatus::Signaled(_, signal, _)) => return format!(", {signal}"),
                Ok(_) => thread::sleep(Duration::from_millis(5)),
                Err(_) => break,
            }
        }
        String::new()
    }

    /// What it has ended with cannot be asked here.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "it can on other systems")]
    pub(super) fn ended(&self) -> String {
        String::new()
    }

    /// Tells it to go and waits a little for that.
    pub(super) fn part(&mut self) {
        self.send(b"quit");
        self.input = None;
        let until = Until::after(PARTING);
        while self.hear(until).is_ok() {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be gone already, and then both calls have nothing to do. Until it is waited for
        // its id is nobody else's, so nothing before this may wait for it.
        end(&mut self.child);
        let _ = self.child.wait();
    }
}

/// Ends a process with all that it has started: a script that starts an engine is not the engine.
#[cfg(unix)]
fn end(child: &mut Child) {
    use nix::{
        sys::signal::{Signal, killpg},
        unistd::Pid,
    };
    let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
}

/// Ends a process. Here it has no group that could be ended as a whole.
#[cfg(not(unix))]
fn end(child: &mut Child) {
    let _ = child.kill();
}

impl Mailbox {
    fn open(&self) -> MutexGuard<'_, Letters> {
        self.letters.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads an engine's output to its end.
struct Reader {
    mailbox: Arc<Mailbox>,
    ranks: Ranks,
    line: Vec<u8>,
    /// Whether the last line was of a protocol.
    known: Cell<Option<bool>>,
}

impl Reader {
    fn read(mut self, mut output: impl Read) {
        let mut buffer = vec![0; 16 << 10];
        while let Ok(count @ 1..) = output.read(&mut buffer) {
            let now = Instant::now();
            let mut parts = buffer[..count].split(|&byte| byte == b'\n');
            // What stands before the first break belongs to the line begun before.
            self.extend(parts.next().unwrap_or_default());
            for part in parts {
                self.deliver(now);
                self.line.clear();
                self.extend(part);
            }
        }
        self.mailbox.open().closed = true;
        self.mailbox.bell.notify_all();
    }

    fn extend(&mut self, part: &[u8]) {
        let room = LONGEST_LINE - self.line.len();
        self.line.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn deliver(&self, now: Instant) {
        let line = self.ranks.translate(&self.line);
        log::trace!("< {}", String::from_utf8_lossy(&line));
        let reply = Reply::parse(&line);
        if !matches!(reply, Ok(None)) {
            self.note(reply.is_ok(), &line);
        }
        let heard = match reply {
            Ok(Some(Reply::Info(info))) => {
                // The first of several lines, or the only one.
                if info.score.is_some() && info.multipv.unwrap_or(1) == 1 {
                    self.mailbox.open().info = Some(info);
                }
                return;
            }
            Ok(Some(Reply::Message(_) | Reply::Id { .. }) | None) => return,
            Ok(Some(reply)) => Heard::Reply(reply),
            Err(_) if line.trim_ascii_start().starts_with(b"bestmove") => {
                let text = String::from_utf8_lossy(line.trim_ascii());
                Heard::Nonsense(text.chars().take(60).collect())
            }
            // Banners and debugging output.
            Err(_) => return,
        };
        let mut letters = self.mailbox.open();
        if letters.replies.len() < MOST_REPLIES {
            letters.replies.push_back((now, heard));
            drop(letters);
            self.mailbox.bell.notify_all();
        }
    }

    /// Notes of a line whether it was of a protocol.
    fn note(&self, known: bool, line: &[u8]) {
        // There may be millions of lines, of which the first of each kind tells.
        if self.known.replace(Some(known)) == Some(known) {
            return;
        }
        let mut letters = self.mailbox.open();
        letters.speaks |= known;
        if !known && letters.babble.is_none() {
            letters.babble = Some(String::from_utf8_lossy(line.trim_ascii()).into_owned());
        }
    }
}
