use sqlparser::ast::SetExpr;

use super::*;
use crate::sql::parse;

fn rows(text: &str) -> LiteralRows {
    let Statement::Insert(insert) = parse(text).expect(text).statement else { panic!("{text}") };
    match insert.source {
        InsertSource::Rows(rows) => rows,
        InsertSource::Query(_) => panic!("{text} is read as a tree"),
    }
}

fn is_tree(text: &str) -> bool {
    let Statement::Insert(insert) = parse(text).expect(text).statement else { panic!("{text}") };
    matches!(insert.source, InsertSource::Query(_))
}

#[test]
fn every_kind_of_literal_is_read() {
    let text = "INSERT INTO t VALUES -- rows\n (1, -2.50, .5, 1e-3, 'it''s; ü', NULL, TRUE, false, /* c */ \
                DATE '2024-01-01', TIME '01:02:03', TIMESTAMP '2024-01-01 00:00:00', \
                CAST(NULL AS ROW<a INT, b DECIMAL(3, 1)>), '');";
    let rows = rows(text);
    assert_eq!((rows.len(), rows.width()), (1, 13));
    let literals: Vec<_> = rows.row(0).collect();
    let row_type = DataType::row([("a", DataType::int()), ("b", DataType::decimal(3, 1))]);
    assert_eq!(
        literals,
        [
            Literal::Number("1"),
            Literal::Number("-2.50"),
            Literal::Number(".5"),
            Literal::Number("1e-3"),
            Literal::String("it's; ü".into()),
            Literal::Null,
            Literal::Boolean(true),
            Literal::Boolean(false),
            Literal::Date("2024-01-01".into()),
            Literal::Time("01:02:03".into()),
            Literal::Timestamp("2024-01-01 00:00:00".into()),
            Literal::TypedNull(&row_type),
            Literal::String("".into()),
        ]
    );
    let span = rows.span(0, 4);
    assert_eq!(&text[span.bytes(text)], "it''s; ü");
    assert_eq!(span.start.line, 2);
}

#[test]
fn the_head_and_the_tail_are_those_of_any_insert() {
    let text = "insert overwrite `a b`.c (x, `y``z`) values (1, 2), (3, 4) ON CONFLICT DO DEDUPLICATE;;";
    let Statement::Insert(insert) = parse(text).unwrap().statement else { panic!("{text}") };
    assert!(insert.overwrite);
    assert_eq!(insert.table.to_string(), "`a b`.c");
    assert_eq!(insert.columns[1].value, "y`z");
    assert_eq!(&text[Span::from(insert.columns[1].span).bytes(text)], "`y``z`");
    assert_eq!(insert.on_conflict, Some(OnConflict::Deduplicate));
    let Statement::Insert(slow) = parse_all(text).unwrap().statement else { panic!("{text}") };
    assert_eq!(
        (slow.table, slow.columns, slow.on_conflict),
        (insert.table, insert.columns, insert.on_conflict)
    );
    let InsertSource::Rows(rows) = insert.source else { panic!("{text}") };
    let InsertSource::Query(query) = slow.source else { panic!("{text}") };
    assert_eq!(rows.to_query().unwrap(), query);
    let SetExpr::Values(values) = *query.body else { panic!("{text}") };
    assert_eq!(values.rows.len(), rows.len());
}

#[test]
fn everything_else_is_left_to_the_parser() {
    for text in [
        "INSERT INTO t VALUES (1 + 1)",
        "INSERT INTO t VALUES (1), (ROW(2))",
        "INSERT INTO t VALUES (1, 2), (3)",
        "INSERT INTO t VALUES (X'00')",
        "INSERT INTO t VALUES (INTERVAL '1' DAY)",
        "INSERT INTO t VALUES ('a'\n'b')",
        "INSERT INTO t VALUES (+1)",
        "INSERT INTO t VALUES (- 1)",
        "INSERT INTO t VALUES (‘a’)",
        "INSERT INTO t VALUES (CAST('1' AS INT))",
        "INSERT INTO t VALUES (U&'a')",
        "INSERT INTO t VALUES ROW(1)",
        "INSERT INTO user VALUES (1)",
        "INSERT INTO t /*+ OPTIONS('a'='b') */ VALUES (1)",
        "INSERT INTO t VALUES (1) UNION ALL VALUES (2)",
        "INSERT INTO t SELECT 1",
    ] {
        assert!(is_tree(text), "{text}");
    }
}

#[test]
fn mistakes_in_rows_are_reported_by_the_parser() {
    for text in [
        "INSERT INTO t VALUES (1, )",
        "INSERT INTO t VALUES (1 2)",
        "INSERT INTO t VALUES (1",
        "INSERT INTO t VALUES (1),",
        "INSERT INTO t VALUES ('a)",
        "INSERT INTO t VALUES (CAST(NULL AS INTT))",
        "INSERT INTO t VALUES (1) x",
        "INSERT INTO t VALUES (1); SELECT 1",
        "INSERT INTO t VALUES (1) ON CONFLICT DO WHAT",
        "INSERT INTO t VALUES ()",
    ] {
        assert!(read_insert(text).is_none(), "{text}");
        assert!(parse(text).is_err(), "{text}");
    }
}
