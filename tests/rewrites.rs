//! What an error says can be written instead runs as it stands.

use std::fs;
use std::path::Path;

use rowkind::Session;
use rowkind::session::{Collected, Error};
use rowkind::sql::{Item, Splitter};

/// Runs the statements of a text, and gives those that fail with rewrites: what stood before each, and its
/// error.
fn refused(text: &str) -> Vec<(Vec<&str>, Error)> {
    let mut session = Session::with_clock(|| 0);
    let mut before = Vec::new();
    let mut refused = Vec::new();
    for piece in Splitter::new(text) {
        let Item::Statement { text, .. } = piece.expect("the text can be split").item else { continue };
        match session.execute(text, &mut Collected::default()) {
            Err(error) if !error.rewrites().is_empty() => refused.push((before.clone(), error)),
            _ => before.push(text),
        }
    }
    refused
}

/// Runs each rewrite of each refused statement where the statement stood.
#[track_caller]
fn check(text: &str, expected: usize) {
    let refused = refused(text);
    assert_eq!(refused.len(), expected, "statements are refused with rewrites");
    for (before, error) in refused {
        assert!(error.rewrites().len() <= 3, "{error}: {:?}", error.rewrites());
        for rewrite in error.rewrites() {
            let mut session = Session::with_clock(|| 0);
            for statement in &before {
                // What failed for another reason failed then, too.
                let _ = session.execute(statement, &mut Collected::default());
            }
            for statement in &rewrite.statements {
                if let Err(again) = session.execute(statement, &mut Collected::default()) {
                    panic!("{error}\n{}:\n{statement}\n{again}", rewrite.why);
                }
            }
        }
    }
}

#[test]
fn the_rewrites_of_the_gallery_run() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sql-examples/errors/changelog_modes.sql");
    check(&fs::read_to_string(path).expect("the script is there"), 16);
}

#[test]
fn rewrites_keep_what_stands_around_them() {
    check(
        "CREATE TABLE `some table` (`op` STRING, `order` INT, PRIMARY KEY (`order`) NOT ENFORCED);
         CREATE TABLE t (op STRING, id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts);
         CREATE TABLE u (op STRING, id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts,
             PRIMARY KEY (id) NOT ENFORCED);
         CREATE TABLE sink (a STRING, b INT, c STRING) WITH ('changelog.mode' = 'append');
         CREATE TABLE sink_changes (a INT);
         INSERT INTO sink (b, a) SELECT `order`, op FROM `some table` -- no ; here
             WHERE op <> 'INSERT INTO sink (b)';
         EXPLAIN INSERT INTO sink (c) SELECT MAX(name) FROM t;
         EXPLAIN CHANGELOG_MODE INSERT INTO sink
             (WITH x AS (SELECT op, id FROM t) SELECT op, id, MAX('a') FROM x GROUP BY op, id);
         SELECT LAG(u.name, 2) OVER (PARTITION BY u.id, LOWER(u.name) ORDER BY u.ts) FROM t JOIN u ON t.id = u.id;
         SELECT x.id, LAG(x.name) OVER (ORDER BY x.ts ASC) FROM (SELECT * FROM u AS y) AS x;
         SELECT * FROM u AS a ORDER BY a.ts;
         SELECT * FROM LATERAL TABLE (FROM_CHANGELOG(TABLE u PARTITION BY (id, name))) AS x (a, b, c);
         SET 'rowkind.strict' = 'true';
         SELECT y.name FROM t JOIN LATERAL TABLE ( FROM_CHANGELOG (
             (SELECT op, name, id FROM t) PARTITION BY id,
             op_mapping => MAP['c', 'INSERT', 'u)', 'UPDATE_AFTER'])) AS y ON t.name = y.name;
         CREATE TABLE x AS SELECT id, COUNT(*) AS n FROM t GROUP BY id;",
        9,
    );
}
