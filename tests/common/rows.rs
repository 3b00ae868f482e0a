//! Positions with known perft counts, from `tests/data/perft.jsonl`.

/// A position and the number of lines of 1, 2, 3 … legal moves from it.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) fen: String,
    pub(crate) counts: Vec<u64>,
}

/// Every row of the file.
pub(crate) fn rows() -> Vec<Row> {
    include_str!("../data/perft.jsonl").lines().map(row).collect()
}

fn row(line: &str) -> Row {
    let json: serde_json::Value = serde_json::from_str(line).expect("a JSON object a line");
    let text = |name: &str| json[name].as_str().expect("a text").to_owned();
    let count = |depth: usize| json["counts"].get(depth.to_string())?.as_u64();
    Row { id: text("id"), fen: text("fen"), counts: (1..).map_while(count).collect() }
}
