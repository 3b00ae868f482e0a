//! Positions with known perft counts, from `tests/data/perft.jsonl`.

/// A position and the number of lines of 1, 2, 3 … legal moves from it.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) fen: String,
    pub(crate) counts: Vec<u64>,
}

/// Rows that are good enough to count moves by, but no positions, and why.
pub(crate) const IMPOSSIBLE: [(&str, &str); 2] = [
    ("mce-horsecheck", "`A` can never stand on d1"),
    ("own-7", "3 `B` on the board, at most 2 can be"),
];

/// Every row of the file.
pub(crate) fn all_rows() -> Vec<Row> {
    include_str!("../data/perft.jsonl").lines().map(row).collect()
}

/// Every row that is a position.
pub(crate) fn rows() -> Vec<Row> {
    let impossible = |row: &Row| IMPOSSIBLE.iter().any(|(id, _)| row.id == *id);
    all_rows().into_iter().filter(|row| !impossible(row)).collect()
}

fn row(line: &str) -> Row {
    let json: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
    let text = |name: &str| json[name].as_str().expect("a text").to_owned();
    let count = |depth: usize| json["counts"].get(depth.to_string())?.as_u64();
    Row { id: text("id"), fen: text("fen"), counts: (1..).map_while(count).collect() }
}
