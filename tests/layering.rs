//! The import graph of the modules, as a test: whoever imports what it may not is named with file
//! and line. Reads the sources as text and knows just enough Rust for that. Unit tests may import
//! what they like; nothing is built on them.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What each module may import, from the lowest layer up. A module that is not listed may not be.
const ALLOWED: &[(&str, &[&str])] = &[
    ("types", &[]),
    ("simd", &[]),
    ("files", &[]),
    ("clock", &[]),
    ("position", &["types"]),
    ("wire", &["types", "clock"]),
    ("notation", &["types", "position"]),
    ("rules", &["types", "position", "notation"]),
    ("eval", &["types", "files", "position", "simd"]),
    ("records", &["types", "files", "position"]),
    ("games", &["types", "files", "position", "notation", "records"]),
    ("train", &["types", "files", "position", "records", "eval"]),
    ("search", &["types", "position", "rules", "eval", "clock", "simd"]),
    ("book", &["types", "files", "position", "rules", "notation"]),
    (
        "analysis",
        &[
            "types", "clock", "position", "rules", "notation", "games", "eval", "search", "book",
            "simd",
        ],
    ),
    ("datagen", &["types", "files", "position", "rules", "eval", "records", "search", "simd"]),
    ("bookgen", &["types", "files", "position", "rules", "eval", "book", "search", "simd"]),
    (
        "engine",
        &["types", "simd", "clock", "position", "rules", "notation", "eval", "search", "book"],
    ),
    (
        "protocol",
        &["types", "clock", "position", "rules", "notation", "eval", "search", "wire", "engine"],
    ),
    (
        "arena",
        &[
            "types", "clock", "position", "wire", "rules", "notation", "games", "search", "engine",
            "simd",
        ],
    ),
    ("tune", &["types", "clock", "files", "notation", "rules", "search", "arena"]),
    ("report", &["types", "position", "rules", "notation", "games", "analysis", "arena"]),
    (
        "cli",
        &[
            "types", "files", "clock", "position", "rules", "eval", "search", "wire", "engine",
            "protocol", "notation", "arena", "simd", "records", "train", "datagen", "book",
            "bookgen", "tune", "games", "analysis", "report",
        ],
    ),
];

#[test]
fn every_module_imports_downwards_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut offences = Vec::new();
    for file in sources(&root) {
        let inner = file.strip_prefix(&root).unwrap();
        let name = inner.with_extension("");
        let module = name.iter().next().unwrap().to_str().unwrap();
        if ["lib", "main"].contains(&module) || inner.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        // A module's own file stands where the module's folder does.
        let depth = inner.iter().count() - usize::from(inner.ends_with("mod.rs"));
        for (line, what) in check(module, depth, &text) {
            offences.push(format!("src/{}:{line}: {what}", inner.display()));
        }
    }
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn the_graph_has_no_cycle() {
    for (rank, (module, allowed)) in ALLOWED.iter().enumerate() {
        for import in *allowed {
            let lower = ALLOWED[..rank].iter().any(|(below, _)| below == import);
            assert!(lower, "{module} may import {import}, which is not below it");
        }
    }
}

#[test]
fn offences_are_found_wherever_they_hide() {
    let text = "use std::fmt;\n\
                use crate::{\n    types::Move,\n    engine::{Engine, search},\n};\n\
                // use crate::cli;\n\
                fn f() -> crate::protocol::Session {}\n\
                use super::super::cli::Cli;\n\
                #[cfg(test)]\n\
                mod tests { use crate::cli::Cli; }\n";
    let found: Vec<_> = check("rules", 2, text).into_iter().map(|(line, _)| line).collect();
    assert_eq!(found, [4, 7, 8]);
    assert_eq!(check("strange", 1, "use crate::types;").len(), 1);
    assert_eq!(check("rules", 2, "use crate::{rules::Line, position::{self, Position}};"), []);
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a source").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The lines of a file that import what its module may not, and what is wrong with each.
fn check(module: &str, depth: usize, text: &str) -> Vec<(usize, String)> {
    let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == module) else {
        return vec![(1, format!("module `{module}` has no place in the graph of {}", file!()))];
    };
    // Comments go, lines stay, so that line numbers do. Unit tests end a file.
    let mut code: String = text.lines().flat_map(|line| [without_comment(line), "\n"]).collect();
    code.truncate(code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len()));
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;

    let mut offences = Vec::new();
    for (at, word) in code.match_indices("crate::") {
        if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            continue;
        }
        for (at, import) in heads(&code, at + word.len()) {
            if import != module && !allowed.contains(&import) {
                offences.push((line_of(at), format!("`{module}` may not import `{import}`")));
            }
        }
    }
    // Only a crate path says what it reaches.
    for (at, _) in code.match_indices(&"super::".repeat(depth)) {
        offences.push((line_of(at), "`super` leaves the module".into()));
    }
    offences.sort();
    offences
}

fn without_comment(line: &str) -> &str {
    line.find("//").map_or(line, |start| &line[..start])
}

/// The first names of the path or the group of paths that starts here, and where they stand.
fn heads(code: &str, start: usize) -> Vec<(usize, &str)> {
    let word = |at: usize| {
        let rest = &code[at..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    };
    if !code[start..].starts_with('{') {
        return vec![(start, word(start))];
    }
    let (mut nesting, mut expected, mut names) = (0, false, Vec::new());
    for (offset, c) in code[start..].char_indices() {
        match c {
            '{' => nesting += 1,
            '}' => nesting -= 1,
            _ => {}
        }
        match c {
            '{' | ',' if nesting == 1 => expected = true,
            '}' if nesting == 0 => break,
            c if expected && c.is_alphanumeric() => {
                names.push((start + offset, word(start + offset)));
                expected = false;
            }
            _ => {}
        }
    }
    names
}
