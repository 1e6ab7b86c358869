use std::fmt::Write;

use super::*;

fn items(script: &str) -> Vec<Item<'_>> {
    Splitter::new(script).map(|piece| piece.unwrap().item).collect()
}

fn texts(script: &str) -> Vec<&str> {
    let text = |item| match item {
        Item::Statement { text, .. } | Item::Directive(text) | Item::Command(text) => text,
    };
    items(script).into_iter().map(text).collect()
}

#[test]
fn semicolons_in_quotes_and_comments_do_not_split() {
    let script = "SELECT ';\n' AS a;\nSELECT /*;\n*/1 AS b;\nSELECT --;\n2 AS c;\n-- a line; more\n\
                  SELECT 'it''s;' AS d, `semi;colon`;\n;\nINSERT INTO t VALUES (1), /* two; */ (2); -- tail\n";
    assert_eq!(
        texts(script),
        [
            "SELECT ';\n' AS a",
            "SELECT /*;\n*/1 AS b",
            "SELECT --;\n2 AS c",
            "SELECT 'it''s;' AS d, `semi;colon`",
            "INSERT INTO t VALUES (1), /* two; */ (2)",
        ]
    );
}

#[test]
fn every_piece_knows_its_offset_and_line() {
    let script = "\u{FEFF}-- hello\r\n\r\nSELECT 1;\r\n  -- kinds: +I -U\r\nINSERT INTO t\r\nVALUES (1)\r\n;\n.tables\n\\q\n";
    let pieces: Vec<_> = Splitter::new(script).map(Result::unwrap).collect();
    let lines: Vec<_> = pieces.iter().map(|p| p.line).collect();
    assert_eq!(lines, [3, 4, 5, 8, 9]);
    for piece in &pieces {
        let text = match piece.item {
            Item::Statement { text, .. } | Item::Command(text) => text,
            Item::Directive(text) => {
                assert_eq!(text, "kinds: +I -U");
                "-- kinds: +I -U"
            }
        };
        assert!(script[piece.offset..].starts_with(text), "{text}");
    }
    assert_eq!(pieces[4].item, Item::Command("\\q"));
}

#[test]
fn a_command_starts_a_line_and_takes_all_of_it() {
    assert_eq!(
        items(".read a;b.sql\nSELECT t\n.x FROM t\\G\n-- log: t"),
        [
            Item::Command(".read a;b.sql"),
            Item::Statement { text: "SELECT t\n.x FROM t", terminator: Terminator::Vertical },
            Item::Directive("log: t"),
        ]
    );
}

#[test]
fn a_statement_set_is_one_statement() {
    let set = "EXECUTE STATEMENT SET\nBEGIN\nINSERT INTO a SELECT CASE WHEN x THEN 1 END;\n\
               INSERT INTO b SELECT 2;\nEND";
    let begin = "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; end";
    let explain = "EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END";
    let script = format!("{set};{begin};\n{explain}; SELECT statement, `set`, begin FROM t; SELECT 3;");
    assert_eq!(texts(&script), [set, begin, explain, "SELECT statement, `set`, begin FROM t", "SELECT 3"]);
}

#[test]
fn what_is_not_closed_is_an_error_at_its_opening_quote() {
    let mut pieces = Splitter::new("SELECT 1;\nSELECT 'x; SELECT 2;\n");
    assert!(pieces.next().unwrap().is_ok());
    let error = pieces.next().unwrap().unwrap_err();
    assert_eq!((error.span.start.line, error.span.start.column), (2, 8));
    assert_eq!(error.message, "unterminated string");
    assert!(pieces.next().is_none());
    assert!(Splitter::new("/* a").next().unwrap().is_err());
}

#[test]
fn a_script_may_hold_nothing() {
    for script in ["", ";;\n;", "-- only a comment", "/* one */ -- two\n", "\u{FEFF}"] {
        assert_eq!(items(script), [], "{script:?}");
    }
    assert_eq!(texts("SELECT \0;"), ["SELECT \0"]);
}

#[test]
fn a_prompt_waits_for_the_end_of_a_statement() {
    for text in [
        "SELECT 1;",
        "SELECT 1 ; -- done",
        "SELECT 1\\G",
        ".tables",
        "\\q",
        "help",
        "QUIT\n",
        "",
        "-- x",
        "SELECT 1; SELECT ';';",
        "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END;",
    ] {
        assert!(is_complete(text), "{text:?}");
    }
    for text in [
        "SELECT 1",
        "SELECT ';",
        "SELECT 1 -- ;",
        "SELECT /* ;",
        "SELECT `;",
        "helper",
        "SELECT 1; SELECT 2",
        "BEGIN STATEMENT SET;",
        "BEGIN STATEMENT SET; INSERT INTO a SELECT CASE WHEN b THEN 1 END;",
    ] {
        assert!(!is_complete(text), "{text:?}");
    }
}

#[test]
fn splitting_is_linear() {
    let mut script = String::from("INSERT INTO t VALUES ");
    for i in 0..200_000 {
        writeln!(script, "({i}, 'name {i};', -1.5, NULL),").unwrap();
    }
    script.push_str("(0, 'x', 0, NULL);");
    script.push_str(&"SELECT 1;\n".repeat(100_000));
    script.push_str(&"-- comment\n".repeat(100_000));
    assert_eq!(Splitter::new(&script).count(), 100_001);
}

#[test]
fn a_command_behind_a_statement_says_what_becomes_of_it() {
    let command = |text| Item::Statement { text, terminator: Terminator::Command };
    assert_eq!(
        items("SELECT 1 \\gx\nSELECT 2 -- two\n  \\g a;b.txt\nSELECT 3\\watch 1\n.tables"),
        [
            command("SELECT 1"),
            Item::Command("\\gx"),
            command("SELECT 2"),
            Item::Command("\\g a;b.txt"),
            command("SELECT 3"),
            Item::Command("\\watch 1"),
            Item::Command(".tables"),
        ]
    );
    // Others do not, and a string may have any.
    for text in ["SELECT 1 \\gy", "SELECT 1 \\i a.sql", "SELECT '\\gx'"] {
        assert_eq!(items(text), [Item::Statement { text, terminator: Terminator::End }]);
    }
    assert!(is_complete("SELECT 1 \\gdesc") && !is_complete("SELECT 1 \\q"));
    assert!(may_end_with_command("SELECT 1\n  \\g a.txt\n") && !may_end_with_command("\\gx\nSELECT '\\n'"));
}
