//! `chuhe analyse` as a user runs it: its files, how it is broken off and taken up again, and its page
//! in a browser, where one is installed.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use chuhe::games::{Reader, pgn};
use serde_json::Value;

use crate::common::folder;

/// Names and comments that would be markup if they could; Red gives away a rook on its fourth move.
const GAMES: &str = "[Event \"<script>alert(1)</script>\"]\n[Red \"甲 & <b>\\\"co\\\"</b>\"]\n\
    [Black \"乙'\"]\n[Result \"0-1\"]\n\n{</script><script>boom()</script>}\n\
    1. h2e2 {[%clk 0:10:00] good} h9g7 {[%clk 0:10:00]} 2. h0g2 i9h9\n\
    3. i0h0 {--> <img src=x onerror=boom()>} g6g5 4. h0h5 {[%clk 0:00:30]} g7h5 5. b0c2 h5g3 0-1\n\n\
    [Event \"second\"]\n[Result \"1/2-1/2\"]\n\n1. b0c2 b9c7 2. c2b0 c7b9 3. b0c2 b9c7 4. c2b0 \
    c7b9 5. g3g4 g6g5 1/2-1/2\n";

/// A folder with games.
struct Folder(folder::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = folder::Folder::new(&format!("analyse-{name}"));
        folder.write("games.pgn", GAMES);
        Self(folder)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.0.program().arg("analyse").args(arguments).output().unwrap()
    }

    fn text(&self, file: &str) -> String {
        self.0.text(file)
    }

    fn analysis(&self, file: &str) -> Value {
        serde_json::from_str(&self.text(file)).unwrap()
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_analysis_finds_the_blunder_and_what_the_rules_say() {
    let folder = Folder::new("whole");
    let output = folder.run(&["games.pgn", "--nodes", "2000", "--threads", "2"]);
    assert!(output.status.success(), "{}", told(&output));
    let analysis = folder.analysis("games.analysed.json");
    let [first, second] = &analysis["games"].as_array().unwrap()[..] else { panic!("two games") };
    // A rook for nothing.
    let gift = &first["plies"][6];
    assert_eq!((gift["move"].as_str(), gift["written"].as_str()), (Some("h0h5"), Some("车二进五")));
    assert!(["mistake", "blunder"].contains(&gift["mark"].as_str().unwrap()), "{gift}");
    assert!(gift["time_trouble"].as_bool().unwrap());
    assert!(first["turning_points"].as_array().unwrap().contains(&7.into()));
    assert!(first["sides"][0]["accuracy"].as_f64() < first["sides"][1]["accuracy"].as_f64());
    // The knights go to and fro: a draw could have been claimed after the eighth ply.
    let judged = &second["judged"][0];
    assert_eq!((judged["ply"].as_u64(), judged["draw_claimable"].as_bool()), (Some(8), Some(true)));
    assert_eq!(second["plies"][0]["label"], "闲");
    assert_eq!(analysis["form"], 1);

    let games: Vec<_> = pgn::read(&folder.text("games.analysed.pgn")).map(Result::unwrap).collect();
    assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [10, 10]);
    assert!(games[0].moves.iter().all(|played| played.note.eval.is_some()));
    assert!(games[0].moves[6].note.text.contains("Better was"));
    assert!(!folder.0.join("games.analysed.partial").exists());
}

#[test]
fn however_many_threads_there_are_the_analysis_is_the_same() {
    let folder = Folder::new("threads");
    for threads in ["1", "3"] {
        let output =
            folder.run(&["games.pgn", "--nodes", "500", "--threads", threads, "--out", threads]);
        assert!(output.status.success(), "{}", told(&output));
    }
    assert_eq!(folder.text("1.json"), folder.text("3.json"));
    assert_eq!(folder.text("1.html"), folder.text("3.html"));
}

#[test]
fn nothing_is_written_over_without_being_asked() {
    let folder = Folder::new("force");
    let run = |more: &[&str]| folder.run(&[&["games.pgn", "--nodes", "200"], more].concat());
    assert!(run(&[]).status.success());
    let before = folder.text("games.analysed.html");
    let refused = run(&["--lang", "zh"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(told(&refused).contains("--force"), "{}", told(&refused));
    assert_eq!(folder.text("games.analysed.html"), before);
    assert!(run(&["--lang", "zh", "--force"]).status.success());
    assert!(folder.text("games.analysed.html").contains("lang=\"zh-CN\""));
    // Not even then the games themselves.
    let refused = run(&["--out", "games", "--force"]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(folder.text("games.pgn"), GAMES);
}

#[test]
fn an_analysis_that_was_broken_off_goes_on_by_game() {
    let folder = Folder::new("resume");
    assert!(folder.run(&["games.pgn", "--nodes", "300", "--out", "whole"]).status.success());
    let json = folder.text("whole.json");
    // As a kill leaves it: the settings, the first game, and half of the second.
    let analysis: Value = serde_json::from_str(&json).unwrap();
    let mut games = json.lines().skip(1);
    let first = games.next().unwrap().trim_end_matches(',');
    let header = json.lines().next().unwrap();
    let header =
        &header[header.find("\"analysis\":").unwrap() + 11..header.find(",\"games\"").unwrap()];
    let second = games.next().unwrap();
    let half = format!("{header}\n{first}\n{}", &second[..40]);
    folder.0.write("again.partial", &half);
    let output = folder.run(&["games.pgn", "--nodes", "300", "--out", "again"]);
    assert!(output.status.success(), "{}", told(&output));
    assert_eq!(folder.analysis("again.json"), analysis);
    // With other settings it is another analysis.
    folder.0.write("again.partial", &half);
    let output = folder.run(&["games.pgn", "--nodes", "301", "--out", "again"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("other settings"), "{}", told(&output));
}

#[test]
fn an_analysis_without_a_game_is_in_nobodys_way() {
    let folder = Folder::new("empty");
    assert!(folder.run(&["games.pgn", "--nodes", "300"]).status.success());
    let header = "{\"program\":\"x\",\"network\":\"x\",\"settings\":{\"effort\":{\"nodes\":3},\
                  \"lines\":1,\"hash_mb\":1},\"ruleset\":\"x\",\"source\":\"x\",\"digest\":1}\n";
    folder.0.write("games.analysed.partial", header);
    let before = folder.text("games.analysed.json");
    // It does not stand for leave to write over what is there either.
    let refused = folder.run(&["games.pgn", "--nodes", "301"]);
    assert!(told(&refused).contains("--force"), "{}", told(&refused));
    assert_eq!(folder.text("games.analysed.json"), before);
    let output = folder.run(&["games.pgn", "--nodes", "301", "--force"]);
    assert!(output.status.success(), "{}", told(&output));
    assert_ne!(folder.text("games.analysed.json"), before);
}

#[test]
fn what_cannot_be_had_is_told_before_the_work() {
    let folder = Folder::new("refused");
    for (arguments, words) in [
        (
            ["--hash", "65536", "--threads", "512"],
            "chuhe: 65536 MB on each of 512 threads: no memory",
        ),
        (["--out", ".", "--threads", "1"], "chuhe: --out . is no name of files"),
        (["--out", "none/x", "--threads", "1"], "chuhe: cannot write none/x.html: No such file"),
    ] {
        let output = folder.run(&[&["games.pgn", "--nodes", "10"], &arguments[..]].concat());
        assert!(told(&output).starts_with(words), "{}", told(&output));
        assert_eq!(
            (output.status.code(), folder.0.names()),
            (Some(1), vec!["games.pgn".to_owned()])
        );
    }
}

#[test]
fn a_damaged_game_is_told_and_the_others_are_analysed() {
    let folder = Folder::new("damaged");
    let text = GAMES.replace("5. g3g4", "5. g3g7");
    folder.0.write("bad.pgn", text);
    let output = folder.run(&["bad.pgn", "--nodes", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("g3g7"), "{}", told(&output));
    assert_eq!(folder.analysis("bad.analysed.json")["games"].as_array().unwrap().len(), 1);
    folder.0.write("none.pgn", "1. a0a9 *\n");
    assert_eq!(folder.run(&["none.pgn", "--nodes", "100"]).status.code(), Some(1));
    assert!(!folder.0.join("none.analysed.html").exists());
}

#[test]
fn what_a_file_has_of_marks_and_variations_stays_in_the_pgn() {
    let folder = Folder::new("original");
    let text = "[Red \"繁\"]\n[Black \"简体\"]\n[Annotator \"us\"]\n1. h2e2! {mine} (1. b2e2 {theirs} b9c7 (1... h9g7)) h9g7 *\n";
    folder.0.write("own.pgn", text);
    let arguments =
        ["own.pgn", "--nodes", "100", "--encoding", "big5", "--notation", "traditional"];
    let output = folder.run(&arguments);
    // Big5 has no simplified characters.
    assert!(told(&output).contains("1 games have characters"), "{}", told(&output));
    assert_eq!(output.status.code(), Some(1));
    let arguments = ["own.pgn", "--nodes", "100", "--encoding", "gb18030", "--force"];
    assert!(folder.run(&arguments).status.success());
    let bytes = fs::read(folder.0.join("own.analysed.pgn")).unwrap();
    let game = Reader::from_bytes(bytes).unwrap().next().unwrap().unwrap().game;
    let first = &game.moves[0];
    assert!(first.note.text.starts_with("mine") && first.marks.contains(&1), "{first:?}");
    let own = &first.variations[0];
    assert_eq!((own.moves.len(), own.moves[0].note.text.as_str()), (2, "theirs"));
    assert_eq!(own.moves[1].variations.len(), 1);
    assert_eq!(game.tag("Black"), Some("简体"));
    assert!(game.tag("Annotator").unwrap().starts_with("us; chuhe"), "{:?}", game.tags);
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_costs_no_work_and_leaves_no_half_of_a_file() {
    let folder = Folder::new("full");
    // Blocks of 512 bytes: for the settings alone, for all that is kept of the games, but no page.
    for blocks in [1, 60] {
        let mut command = Command::new("sh");
        command.current_dir(&folder.0).env_remove("CHUHE_LANG").arg("-c");
        // A limit kills whoever does not ignore its signal; whoever does is told of it like a full disk.
        command.arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" analyse \"$@\""));
        command.arg(env!("CARGO_BIN_EXE_chuhe")).args(["games.pgn", "--nodes", "100"]);
        let output = command.output().unwrap();
        let told = told(&output);
        assert!(told.contains("cannot write") && told.contains("too large"), "{told}");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(folder.0.names(), ["games.analysed.partial", "games.pgn"], "{blocks}");
    }
    let kept = folder.text("games.analysed.partial");
    assert_eq!(kept.lines().count(), 3);
    assert!(folder.run(&["games.pgn", "--nodes", "100"]).status.success());
    assert_eq!(folder.analysis("games.analysed.json")["games"].as_array().unwrap().len(), 2);
}

#[test]
fn a_page_holds_nothing_of_a_file_as_markup() {
    let folder = Folder::new("markup");
    assert!(folder.run(&["games.pgn", "--nodes", "100"]).status.success());
    let page = folder.text("games.analysed.html");
    assert!(page.contains("甲 &amp; &lt;b&gt;&quot;co&quot;&lt;/b&gt;"));
    assert!(!page.contains("<script>alert") && !page.contains("<script>boom"));
    assert!(!page.contains("<img") && !page.contains("http:") && !page.contains("https:"));
}

#[test]
#[expect(clippy::print_stderr, reason = "what is not tried is told")]
fn a_page_works_in_a_browser() {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no Chromium here to try the page in");
        return;
    };
    let folder = Folder::new("browser");
    for lang in ["en", "zh"] {
        let arguments = ["games.pgn", "--nodes", "500", "--lang", lang, "--out", lang];
        assert!(folder.run(&arguments).status.success());
        let page = folder.text(&format!("{lang}.html"));
        let tried = page.replace("</body>", &format!("<script>{TRIAL}</script></body>"));
        folder.0.write("tried.html", tried);
        let output = open(&browser, &folder.0, "tried.html");
        let dom = String::from_utf8_lossy(&output.stdout);
        assert!(dom.contains("data-trial=\"done\""), "{}\n{}", trial(&dom), told(&output));
        assert!(!told(&output).contains("CONSOLE"), "{}", told(&output));
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "what is not tried is told")]
fn a_page_without_its_script_shows_curve_moves_and_boards() {
    let Some(browser) = browser() else {
        eprintln!("skipped: there is no Chromium here to try the page in");
        return;
    };
    let folder = Folder::new("plain");
    assert!(folder.run(&["games.pgn", "--nodes", "500", "--out", "page"]).status.success());
    let page = folder.text("page.html");
    let from = page.rfind("<script>").unwrap();
    let tried = format!("{}<script>{PLAIN_TRIAL}</script></body></html>", &page[..from]);
    folder.0.write("tried.html", tried);
    let output = open(&browser, &folder.0, "tried.html");
    let dom = String::from_utf8_lossy(&output.stdout);
    assert!(dom.contains("data-trial=\"done\""), "{}\n{}", trial(&dom), told(&output));
}

/// What can be seen of a page that no script has touched.
const PLAIN_TRIAL: &str = r#"
(function () {
  var said = [];
  function check(what, right) { if (!right) { said.push(what); } }
  function seen(one) {
    var box = one.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && one.checkVisibility();
  }
  function count(where, what) {
    return Array.prototype.filter.call(where.querySelectorAll(what), seen).length;
  }
  var games = document.querySelectorAll(".game");
  check("all games are shown", games.length === 2 && Array.prototype.every.call(games, seen));
  Array.prototype.forEach.call(games, function (game) {
    check("the curve", count(game, "svg.curve") === 1 && count(game, "svg.curve path.line") === 1);
    check("all moves", count(game, ".mv") === 10);
    check("the board with its men", count(game, ".stage svg.board") === 1 && count(game, ".stage .men use") > 20);
    check("no button that does nothing", count(game, "button") === 0);
  });
  check("a board for a turning point", count(games[0], ".turns svg.board") >= 1);
  check("what is said of moves", count(games[0], ".notes li") >= 1);
  check("the index", count(document, ".index a") === 2);
  check("no button", count(document, "button") === 0);
  document.body.setAttribute("data-trial", said.length ? "failed: " + said.join("; ") : "done");
})();
"#;

/// What a reader does with keys and clicks, and what the page must show then. The first thing that
/// is wrong stays in the document.
const TRIAL: &str = r##"
(function () {
  var said = [];
  function check(what, right) { if (!right) { said.push(what); } }
  function key(name) { document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })); }
  function men() {
    return Array.prototype.map.call(game.querySelectorAll(".stage .men use"), function (one) {
      return one.getAttribute("href") + one.getAttribute("x") + "," + one.getAttribute("y");
    }).sort().join(" ");
  }
  function at(ply) {
    var on = game.querySelectorAll(".mv.on");
    return ply ? on.length === 1 && on[0].getAttribute("data-p") === String(ply) : on.length === 0;
  }
  var game = document.getElementById("g1");
  check("one game is shown", document.querySelectorAll(".game:not(.hidden)").length === 1);
  key("Home");
  check("Home goes to the start", at(0) && game.querySelectorAll(".stage .men use").length === 32);
  var start = men();
  key("ArrowRight");
  check("an arrow moves a man", at(1) && men() !== start && men().indexOf("#mC180,312") >= 0);
  key("ArrowLeft");
  check("and back", at(0) && men() === start);
  key("f");
  check("the board is turned", men() !== start);
  key("f");
  check("and back again", men() === start);
  game.querySelector(".curve a[data-p='8']").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  check("the curve jumps", at(8) && game.querySelectorAll(".stage .men use").length === 31);
  game.querySelector(".mv[data-p='3']").click();
  check("a move of the list jumps", at(3));
  var here = men();
  var line = game.querySelectorAll(".now .pv button");
  check("there are lines", line.length > 1);
  line[0].click();
  check("a line is played", men() !== here && game.querySelector(".now .pv button.on"));
  key("ArrowRight");
  check("an arrow goes on in the line", game.querySelectorAll(".now .pv button")[1].className === "on");
  key("Escape");
  check("and Escape leaves it", men() === here && at(3));
  key("End");
  check("End goes to the end", at(10));
  location.hash = "#g2p4";
  setTimeout(function () {
    check("a link opens another game", !document.getElementById("g2").classList.contains("hidden") &&
      document.getElementById("g1").classList.contains("hidden"));
    check("at its ply", document.querySelector("#g2p4.on"));
    check("no text became markup", !document.querySelector("img") && !document.querySelector("h2 b"));
    check("the preface is text", game.querySelector(".preface").textContent.indexOf("<script>boom") >= 0);
    check("nothing is wider than the window", document.documentElement.scrollWidth <= innerWidth);
    document.body.setAttribute("data-trial", said.length ? "failed: " + said.join("; ") : "done");
  }, 50);
})();
"##;

fn trial(dom: &str) -> &str {
    let at = dom.find("data-trial=\"").map_or(0, |at| at + 12);
    dom[at..].split('"').next().unwrap_or_default()
}

/// A browser, if one is installed.
fn browser() -> Option<PathBuf> {
    let folders: Vec<_> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let mut places = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|path| path.is_file())
}

/// Opens a page from disk on the screen of a phone, and gives its document after a while.
fn open(browser: &Path, folder: &Path, page: &str) -> Output {
    let profile = folder.join("profile");
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-sync"]);
    command.args(["--disable-component-update", "--enable-logging=stderr"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.args(["--window-size=500,844", "--virtual-time-budget=5000", "--dump-dom"]);
    command.arg(format!("file://{}", folder.join(page).display()));
    command.stdin(Stdio::null()).output().unwrap()
}
