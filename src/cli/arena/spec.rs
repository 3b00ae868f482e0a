//! How a player is described on the command line: `cmd=./engine name=A proto=uci option.Hash=64`.
//! Text to value; starts nothing.

use std::{path::PathBuf, time::Duration};

use crate::{
    arena::{Entrant, Home, Letters, Manners, Program, Ranks},
    clock::{ControlError, TimeControl},
    rules::Ruleset,
    types::Color,
    wire::Dialect,
};

/// How long an engine may take to start when nothing else is said.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is wrong with a description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SpecError {
    #[error("`{0}` is not of the form key=value")]
    NoPair(String),
    #[error(
        "unknown key `{0}`: cmd, name, dir, proto, ranks, letters, variant, tc, patience and option.NAME are known"
    )]
    Key(String),
    #[error("`{0}` has a quote that is not closed")]
    Quote(String),
    #[error("`{value}` is no {key}: {wanted}")]
    Value { key: &'static str, value: String, wanted: &'static str },
    #[error("no cmd=, the program to start, or self for this one")]
    NoCommand,
    #[error("`{0}=` is for programs that are started; self is this one")]
    NoProcess(String),
    #[error("tc: {0}")]
    Control(ControlError),
    #[error("no time control: give --tc, or tc= for each engine")]
    NoControl,
}

/// A player as described.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spec {
    pub(super) command: Vec<String>,
    name: Option<String>,
    folder: Option<PathBuf>,
    dialect: Option<Dialect>,
    ranks: Ranks,
    letters: Letters,
    pub(super) options: Vec<(String, String)>,
    control: Option<TimeControl>,
    patience: Option<Duration>,
}

impl Spec {
    /// Reads words that are separated by blanks; quotes keep blanks.
    pub(super) fn read(text: &str) -> Result<Self, SpecError> {
        let mut spec = Self::default();
        let mut of_processes = None;
        for word in words(text)? {
            if word == "self" {
                spec.command = vec![word];
                continue;
            }
            let (key, value) =
                word.split_once('=').ok_or_else(|| SpecError::NoPair(word.clone()))?;
            spec.take(key, value)?;
            if ["dir", "proto", "ranks", "letters", "patience"].contains(&key) {
                of_processes = Some(key.to_owned());
            }
        }
        match of_processes {
            _ if spec.command.is_empty() => Err(SpecError::NoCommand),
            Some(key) if spec.command[0] == "self" => Err(SpecError::NoProcess(key)),
            _ => Ok(spec),
        }
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let bad = |key, wanted| SpecError::Value { key, value: value.into(), wanted };
        match key {
            "cmd" => self.command = words(value)?,
            "name" if value.trim().is_empty() => return Err(bad("name", "one letter at least")),
            "name" => self.name = Some(value.into()),
            "dir" => self.folder = Some(value.into()),
            "proto" => {
                self.dialect = match value {
                    "auto" => None,
                    "ucci" => Some(Dialect::Ucci),
                    "uci" => Some(Dialect::Uci),
                    _ => return Err(bad("proto", "auto, ucci or uci")),
                }
            }
            "ranks" => {
                self.ranks = match value {
                    "0" => Ranks::FromZero,
                    "1" => Ranks::FromOne,
                    _ => return Err(bad("ranks", "0 or 1, what Red's back rank is called")),
                }
            }
            "letters" => {
                self.letters = match value {
                    "NB" => Letters::Usual,
                    "HE" => Letters::HorseElephant,
                    _ => return Err(bad("letters", "NB or HE, the knight's and the bishop's")),
                }
            }
            // It decides which other options there are, so it is set first.
            "variant" => self.options.insert(0, ("UCI_Variant".into(), value.into())),
            "tc" => self.control = Some(value.parse().map_err(SpecError::Control)?),
            "patience" => {
                let seconds = value.parse().ok().filter(|seconds| (1..=3600).contains(seconds));
                let seconds = seconds.ok_or_else(|| bad("patience", "seconds, 1 to 3600"))?;
                self.patience = Some(Duration::from_secs(seconds));
            }
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(name) => self.options.push((name.into(), value.into())),
                None => return Err(SpecError::Key(key.into())),
            },
        }
        Ok(())
    }

    /// What it is called unless it is said.
    fn usual_name(&self) -> String {
        let file = PathBuf::from(&self.command[0]);
        file.file_stem().map_or_else(|| "engine".into(), |stem| stem.to_string_lossy().into_owned())
    }

    /// The player of a match under these rules.
    pub(super) fn entrant(
        &self,
        usual: Option<&TimeControl>,
        ruleset: &Ruleset,
        draws_won_by: Option<Color>,
    ) -> Result<Entrant, SpecError> {
        let control = self.control.as_ref().or(usual).ok_or(SpecError::NoControl)?.clone();
        let home = if self.command[0] == "self" {
            Home::InProcess
        } else {
            let mut words = self.command.iter();
            Home::Child(Program {
                file: words.next().map(PathBuf::from).ok_or(SpecError::NoCommand)?,
                arguments: words.cloned().collect(),
                folder: self.folder.clone(),
            })
        };
        let manners = Manners {
            dialect: self.dialect,
            ranks: self.ranks,
            letters: self.letters,
            options: self.options.clone(),
            hints: hints(&control, ruleset, draws_won_by),
            patience: self.patience.unwrap_or(PATIENCE),
        };
        let name = self.name.clone().unwrap_or_else(|| self.usual_name());
        Ok(Entrant { name, home, manners, control })
    }

    /// What else was said, for the settings to tell.
    pub(super) fn manners(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.folder.iter().map(|folder| format!("dir={}", folder.display())));
        parts.extend(self.dialect.map(|dialect| match dialect {
            Dialect::Ucci => "proto=ucci".to_owned(),
            Dialect::Uci => "proto=uci".to_owned(),
        }));
        parts.extend((self.ranks == Ranks::FromOne).then(|| "ranks=1".to_owned()));
        let spelled = self.letters == Letters::HorseElephant;
        parts.extend(spelled.then(|| "letters=HE".to_owned()));
        parts.join(" ")
    }
}

/// What the match can tell engines that have an option for it. Openings are its own affair, so
/// books are closed under either name.
fn hints(
    control: &TimeControl,
    ruleset: &Ruleset,
    draws_won_by: Option<Color>,
) -> Vec<(String, String)> {
    let red = control.red();
    let kept = !red.periods.is_empty() || red.countdown.is_some();
    let scheme = kept.then(|| ("TimeScheme", control.to_string()));
    let rules = [
        ("Ruleset", ruleset.book.name().to_owned()),
        ("RepetitionCount", ruleset.repetition_count.to_string()),
        ("RepetitionWarning", ruleset.warning.to_string()),
        ("KillDepth", ruleset.kill_depth.to_string()),
        ("CheckGain", ruleset.check_gain.to_string()),
        ("NaturalLimit", (ruleset.natural_limit / 2).to_string()),
        ("CheckCap", ruleset.check_cap.to_string()),
        ("DrawWins", draws_won_by.map_or_else(|| "none".into(), |winner| winner.to_string())),
    ];
    let books = ["OwnBook", "usebook"].map(|name| (name, false.to_string()));
    let all = scheme.into_iter().chain(rules).chain(books);
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Words between blanks, as a shell has them: what stands between quotes of either kind belongs
/// together, and a backslash takes its meaning from a blank or a quote. Elsewhere it is a backslash,
/// for there are paths that have some.
fn words(text: &str) -> Result<Vec<String>, SpecError> {
    let is_quote = |c: char| c == '"' || c == '\'';
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(open) if c == open => quote = None,
            None if is_quote(c) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => {
                let plain = |next: &char| match quote {
                    None => next.is_whitespace() || is_quote(*next),
                    Some(open) => open == '"' && *next == '"',
                };
                let escaped = if c == '\\' { chars.next_if(plain) } else { None };
                word.get_or_insert_default().push(escaped.unwrap_or(c));
            }
        }
    }
    if quote.is_some() {
        return Err(SpecError::Quote(text.into()));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entrant(text: &str) -> Entrant {
        let usual = "1+0.01".parse().unwrap();
        Spec::read(text)
            .unwrap()
            .entrant(Some(&usual), &Ruleset::default(), Some(Color::Black))
            .unwrap()
    }

    #[test]
    fn everything_said_is_taken() {
        let entrant = entrant(
            "cmd=\"./e x --y\" name=\"A b\" dir=/tmp proto=uci ranks=1 letters=HE option.Hash=16 \
             variant=xiangqi tc=6.3/60 patience=3 \"option.Eval File=a b\"",
        );
        let Home::Child(program) = &entrant.home else { panic!("not a process") };
        assert_eq!(
            (program.file.to_str(), &*program.arguments),
            (Some("./e"), ["x", "--y"].map(String::from).as_slice())
        );
        assert_eq!(program.folder, Some("/tmp".into()));
        assert_eq!(
            (entrant.name.as_str(), entrant.control.to_string().as_str()),
            ("A b", "6.3/60")
        );
        let Manners { dialect, ranks, letters, options, patience, .. } = entrant.manners;
        assert_eq!((dialect, ranks), (Some(Dialect::Uci), Ranks::FromOne));
        assert_eq!(letters, Letters::HorseElephant);
        assert_eq!(patience, Duration::from_secs(3));
        let options: Vec<_> = options.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        assert_eq!(options, [("UCI_Variant", "xiangqi"), ("Hash", "16"), ("Eval File", "a b")]);
    }

    #[test]
    fn this_program_plays_without_a_process() {
        let entrant = entrant("self");
        assert_eq!((entrant.home, entrant.name.as_str()), (Home::InProcess, "self"));
        let hinted = |name: &str| entrant.manners.hints.iter().any(|(known, _)| known == name);
        assert!(hinted("Ruleset") && hinted("TimeScheme"));
        for name in ["OwnBook", "usebook"] {
            assert!(entrant.manners.hints.contains(&(name.into(), "false".into())));
        }
        assert!(entrant.manners.hints.contains(&("DrawWins".into(), "black".into())));
    }

    #[test]
    fn blanks_and_quotes_are_kept_as_a_shell_keeps_them() {
        for (text, command) in [
            (r#"cmd="'/a b/engine' -x""#, ["/a b/engine", "-x"].as_slice()),
            (r#"cmd='"/a b/engine" -x'"#, &["/a b/engine", "-x"]),
            (r#"cmd="/a\ b/engine -x""#, &["/a b/engine", "-x"]),
            (r#"cmd="/a\ b/engine \"it's\"""#, &["/a b/engine", "it's"]),
            (r#"cmd="e '' \'""#, &["e", "", "'"]),
            (r"cmd=C:\new\e.exe", &[r"C:\new\e.exe"]),
        ] {
            assert_eq!(Spec::read(text).unwrap().command, command, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, told) in [
            ("name=A", "no cmd=, the program to start, or self for this one"),
            ("cmd=a fast", "`fast` is not of the form key=value"),
            ("cmd=a proto=xboard", "`xboard` is no proto: auto, ucci or uci"),
            ("cmd=a ranks=2", "`2` is no ranks: 0 or 1, what Red's back rank is called"),
            (
                "cmd=a tc=6.9",
                "tc: there is no scheme `6.9`: 6.1 to 6.4, 6.5:60min, or seconds as in `6.9s`",
            ),
            ("cmd=a letters=h", "`h` is no letters: NB or HE, the knight's and the bishop's"),
            ("self name=", "`` is no name: one letter at least"),
            ("self name=' '", "` ` is no name: one letter at least"),
            ("self dir=/tmp", "`dir=` is for programs that are started; self is this one"),
            ("ranks=1 self", "`ranks=` is for programs that are started; self is this one"),
            ("cmd=a patience=0", "`0` is no patience: seconds, 1 to 3600"),
            ("cmd=\"a", "`cmd=\"a` has a quote that is not closed"),
            ("cmd=\"'/a b/e -x\"", "`'/a b/e -x` has a quote that is not closed"),
        ] {
            assert_eq!(Spec::read(text).unwrap_err().to_string(), told, "{text}");
        }
        assert!(
            matches!(Spec::read("cmd=a colour=red"), Err(SpecError::Key(key)) if key == "colour")
        );
        let spec = Spec::read("self").unwrap();
        assert_eq!(spec.entrant(None, &Ruleset::default(), None), Err(SpecError::NoControl));
    }
}
