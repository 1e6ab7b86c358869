use crate::sql::{Statement, parse};

fn tree(text: &str) -> String {
    match parse(text).expect(text).statement {
        Statement::Query(query) => query.to_string(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn typographic_quotes_are_repaired_with_a_notice() {
    let text = "SELECT ‘c, r’ AS x, “d”, 'it’s' FROM\u{a0}t";
    let notices = parse(text).unwrap().notices;
    let repaired: Vec<_> = notices.smart_quotes.iter().map(|span| &text[span.bytes(text)]).collect();
    assert_eq!(repaired, ["‘c, r’", "“d”"]);
    assert_eq!(tree(text), "SELECT 'c, r' AS x, 'd', 'it’s' FROM t");
}

#[test]
fn strings_of_all_kinds_become_one() {
    assert_eq!(
        tree("SELECT U&'\\263A', N'n', _UTF8'u', U&'!263A!!' UESCAPE '!', 'a'\n  'b'"),
        "SELECT '☺', 'n', 'u', '☺!', 'ab'"
    );
    assert_eq!(parse("SELECT U&'!26' UESCAPE '!'").unwrap_err().message, "invalid Unicode escape");
}

#[test]
fn words_of_other_dialects_are_names() {
    let text = "SELECT top, sample, format, anti FROM prewhere sort";
    assert_eq!(tree(text), text);
}

#[test]
fn values_may_lack_parentheses() {
    assert_eq!(
        tree("SELECT * FROM (VALUES 1, f(2, 3)) AS t (x)"),
        "SELECT * FROM (VALUES (1), (f(2, 3))) AS t (x)"
    );
    assert_eq!(tree("VALUES 1 UNION ALL VALUES 'a'"), "VALUES (1) UNION ALL VALUES ('a')");
}

#[test]
fn within_travels_with_the_definitions() {
    let text = "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.x AS x PATTERN (A B) \
                WITHIN INTERVAL '1' HOUR DEFINE B AS B.x > 1)";
    assert!(tree(text).contains("DEFINE \"WITHIN\" AS INTERVAL '1' HOUR, B AS B.x > 1"), "{}", tree(text));
}

#[test]
fn hints_are_noticed() {
    let text = "SELECT * FROM t /*+ STATE_TTL('t' = '1d') */ /* plain */";
    let hints = parse(text).unwrap().notices.hints;
    assert_eq!(hints.len(), 1);
    assert_eq!(hints[0].value, "STATE_TTL('t' = '1d')");
    assert_eq!(&text[hints[0].span.bytes(text)], "/*+ STATE_TTL('t' = '1d') */");
}

#[test]
fn depth_ends_in_an_error_and_not_in_an_overflow() {
    for n in [7, 60, 100, 2_000] {
        for text in [
            format!("SELECT {}1{}", "(".repeat(n), ")".repeat(n)),
            format!("SELECT * FROM {}t{}", "(SELECT * FROM ".repeat(n), ")".repeat(n)),
            format!("SELECT {}1{}", "f(".repeat(n), ")".repeat(n)),
            format!("SELECT {}TRUE", "NOT ".repeat(n)),
            format!("SELECT {}1", "- ".repeat(n)),
            format!("SELECT {}1{}", "CASE WHEN a THEN ".repeat(n), " END".repeat(n)),
            format!("SELECT 1{}", " + 1".repeat(n)),
            format!("SELECT a{}", " IS NULL".repeat(n)),
            format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(n)),
            format!("SELECT {}1{}", "ARRAY[".repeat(n), "]".repeat(n)),
        ] {
            match parse(&text) {
                Ok(_) => assert!(n < 1_000, "{}", &text[..20]),
                Err(error) => assert!(
                    n > 60
                        && (error.message.contains("too deeply")
                            || error.message.contains("operators in one")),
                    "{}: {}",
                    &text[..20],
                    error.message
                ),
            }
        }
    }
    let columns: Vec<_> = (0..5_000).map(|i| format!("a{i} + 1 AS b{i}")).collect();
    assert!(parse(&format!("SELECT {} FROM t", columns.join(", "))).is_ok());
}
