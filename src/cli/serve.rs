//! The protocol loop, with a word of welcome for a person at the keyboard.

use std::io::{self, IsTerminal, Write};

use crate::{protocol, rules::Language};

const WELCOME: &str = concat!(
    "chuhe ",
    env!("CARGO_PKG_VERSION"),
    ", a xiangqi engine. It is made to be loaded into a program with a board; by hand, type
  ucci                     to greet it (or uci)
  position startpos moves h2e2
  go movetime 1000         to let it think for a second
  d                        to see the board, help for more, quit to leave"
);

const WELCOME_ZH: &str = concat!(
    "楚河 chuhe ",
    env!("CARGO_PKG_VERSION"),
    "，中国象棋引擎，供象棋界面程序加载使用。也可手工键入：
  ucci                     握手（或 uci）
  position startpos moves h2e2
  go movetime 1000         思考一秒
  d                        显示棋盘；help 列出命令；quit 退出"
);

pub(super) fn run(language: Language) -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        // Not on standard output, which belongs to the protocol; and a terminal that cannot show
        // a greeting can still be played on.
        let welcome = match language {
            Language::English => WELCOME,
            Language::Chinese => WELCOME_ZH,
        };
        let _ = writeln!(io::stderr(), "{welcome}");
    }
    protocol::run(language)?;
    Ok(())
}
