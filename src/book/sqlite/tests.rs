//! Laws of reading: books are made here with the same library, as other programs make them.

use std::{
    env, fs,
    path::PathBuf,
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use super::*;
use crate::{book::Book, position::Unobserved};

/// A database that goes when the test does.
struct Made(PathBuf);

impl Made {
    fn new(script: &str) -> (Self, Connection) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // A name that has to be escaped.
        let name = format!("chuhe 书#{number}?-{}.obk", process::id());
        let path = env::temp_dir().join(name);
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(script).unwrap();
        (Self(path), connection)
    }

    fn book(&self) -> Book {
        Book::open(&self.0).unwrap()
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

const OBK: &str = "CREATE TABLE bhobk(id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER,
    vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo TEXT,
    vindex INTEGER); CREATE INDEX keys ON bhobk(vkey);";

const XQB: &str = "CREATE TABLE book(id INTEGER PRIMARY KEY, key BLOB, move INTEGER, score INTEGER,
    win INTEGER, draw INTEGER, lost INTEGER, valid INTEGER, memo TEXT);
    CREATE TABLE information(name TEXT, value TEXT);
    INSERT INTO information VALUES ('version', '1'), ('type', 'xiangqi');";

fn after(moves: &[&str]) -> Position {
    let mut position = Position::start();
    for mv in moves {
        position.make(mv.parse().unwrap(), &mut Unobserved);
    }
    position
}

/// Moves and weights, best first.
fn told(book: &Book, position: &Position) -> Vec<(String, u32)> {
    let entries = book.entries(position).unwrap();
    entries.iter().map(|entry| (entry.mv.to_string(), entry.weight)).collect()
}

fn known(moves: &[(&str, u32)]) -> Vec<(String, u32)> {
    moves.iter().map(|&(mv, weight)| (mv.to_owned(), weight)).collect()
}

fn add(connection: &Connection, key: &dyn ToSql, mv: u16, score: i64, valid: i64) {
    let row = "INSERT INTO bhobk(vkey, vmove, vscore, vwin, vdraw, vlost, vvalid)
               VALUES (?1, ?2, ?3, 7, 5, 3, ?4)";
    connection.execute(row, (key, mv, score, valid)).unwrap();
}

const START: i64 = 7_101_337_512_282_506_414;
const AFTER_H2E2: i64 = -6_779_375_433_368_598_546;

#[test]
fn moves_are_the_published_ones_and_mirrored_where_the_board_is() {
    let (made, connection) = Made::new(OBK);
    // From h2 to e2, g0 to e2, c3 to c4; a move that is not valid, and one that is not legal.
    for (mv, score, valid) in
        [(43_687, 30, 1), (51_623, 20, 1), (38_277, -4, 1), (0xA4A7, 99, 0), (0xC7A7, 99, 1)]
    {
        add(&connection, &START, mv, score, valid);
    }
    let book = made.book();
    let expected =
        known(&[("b2e2", 30), ("h2e2", 30), ("c0e2", 20), ("g0e2", 20), ("c3c4", 1), ("g3g4", 1)]);
    assert_eq!(told(&book, &after(&[])), expected);
    let entry = book.entries(&after(&[])).unwrap()[0];
    assert_eq!((entry.wins, entry.draws, entry.losses, entry.score), (7, 5, 3, None));
    assert_eq!(book.positions().unwrap(), 1);
    assert_eq!(told(&book, &after(&["h2e2"])), []);
}

#[test]
fn a_key_beyond_the_signed_numbers_is_found_in_both_forms() {
    let fraction = f64::from_bits(AFTER_H2E2 as u64);
    for key in [&AFTER_H2E2 as &dyn ToSql, &fraction] {
        for script in [OBK.to_owned(), OBK.replace("bhobk", "pfBook")] {
            let (made, connection) = Made::new(&script);
            let table = if script.contains("pfBook") { "pfBook" } else { "bhobk" };
            // From h9 to g7.
            let row =
                format!("INSERT INTO {table}(vkey, vmove, vscore, vvalid) VALUES (?1, ?2, 8, 1)");
            connection.execute(&row, (key, 0x3A59)).unwrap();
            assert_eq!(told(&made.book(), &after(&["h2e2"])), known(&[("h9g7", 8)]));
            assert_eq!(told(&made.book(), &after(&["b2e2"])), known(&[("b9c7", 8)]));
        }
    }
}

#[test]
fn a_broken_index_is_passed_by() {
    let (made, connection) = Made::new(OBK);
    add(&connection, &START, 43_687, 30, 1);
    // The index is made to file the row under another key: its pages are taken from a twin.
    connection
        .execute_batch(
            "PRAGMA writable_schema = ON;
             UPDATE sqlite_master SET sql = 'CREATE INDEX keys ON bhobk(-vkey)' WHERE name = 'keys';",
        )
        .unwrap();
    drop(connection);
    let connection = Connection::open(&made.0).unwrap();
    connection
        .execute_batch(
            "REINDEX; PRAGMA writable_schema = ON;
             UPDATE sqlite_master SET sql = 'CREATE INDEX keys ON bhobk(vkey)' WHERE name = 'keys';",
        )
        .unwrap();
    drop(connection);
    let connection = Connection::open(&made.0).unwrap();
    let by_index = "SELECT count(*) FROM bhobk WHERE vkey = ?1";
    let count: i64 = connection.query_row(by_index, [START], |row| row.get(0)).unwrap();
    assert_eq!(count, 0, "the index is sound");
    assert_eq!(told(&made.book(), &after(&[])), known(&[("b2e2", 30), ("h2e2", 30)]));
}

#[test]
fn boards_as_keys_are_found_from_every_side() {
    let (made, connection) = Made::new(XQB);
    let add = |position: &Position, number: i64, score: f64| {
        let row = "INSERT INTO book(key, move, score, valid) VALUES (?1, ?2, ?3, 1)";
        connection.execute(row, (cells::Key::of(position).bytes, number, score)).unwrap();
    };
    add(&after(&[]), 0x7774, 12.0);
    add(&after(&["a3a4"]), 0x7774, 3.0);
    let book = made.book();
    assert_eq!(told(&book, &after(&[])), known(&[("b2e2", 12), ("h2e2", 12)]));
    let [one, other] = ["a3a4", "i3i4"].map(|mv| book.entries(&after(&[mv])).unwrap());
    assert_eq!((one.len(), one[0].mv), (1, other[0].mv.mirror()));
    assert_eq!(book.positions().unwrap(), 2);
}

#[test]
fn a_book_that_another_program_holds_is_read() {
    let (made, connection) = Made::new(OBK);
    add(&connection, &START, 43_687, 30, 1);
    connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(told(&made.book(), &after(&[])).len(), 2);
}

#[test]
fn what_is_no_book_is_one_line() {
    let fault = |path: &std::path::Path| Book::open(path).unwrap_err().to_string();
    for (script, told) in [
        ("CREATE TABLE t(x)", "it is a database without a table `bhobk`, `pfBook` or `book`"),
        (&XQB.replace("'1'", "'2'"), "its format is version 2, not 1"),
        (&XQB.replace("'xiangqi'", "'chess'"), "it is for `chess`, not for xiangqi"),
    ] {
        assert_eq!(fault(&Made::new(script).0.0), told);
    }
    let (made, connection) = Made::new(OBK);
    drop(connection);
    let bytes = fs::read(&made.0).unwrap();
    for length in [16, 100, 5000] {
        fs::write(&made.0, &bytes[..length]).unwrap();
        let told = fault(&made.0);
        assert!(!told.is_empty() && !told.contains('\n'), "{told}");
    }
}
