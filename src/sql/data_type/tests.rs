use sqlparser::ast::{Expr, SelectItem};

use super::*;
use crate::sql::{Statement, parse};

/// Reads the type in a CAST and writes it as Flink does.
fn read(text: &str) -> Result<String, ParseError> {
    let Statement::Query(query) = parse(&format!("SELECT CAST(x AS {text})"))?.statement else {
        panic!("{text}");
    };
    let select = query.body.as_select().unwrap();
    let SelectItem::UnnamedExpr(Expr::Cast { data_type: parsed, .. }) = &select.projection[0] else {
        panic!("{text}");
    };
    data_type(parsed).map(|data_type| data_type.to_string())
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(read(text).unwrap(), expected, "{text}");
    assert_eq!(read(expected).unwrap(), expected, "{expected} read again");
}

#[test]
fn simple_types_have_their_defaults() {
    check("int", "INT");
    check("INTEGER", "INT");
    check("DECIMAL", "DECIMAL(10, 0)");
    check("DEC(3)", "DECIMAL(3, 0)");
    check("NUMERIC(5, 2)", "DECIMAL(5, 2)");
    check("DOUBLE PRECISION", "DOUBLE");
    check("CHAR", "CHAR(1)");
    check("CHARACTER VARYING(3)", "VARCHAR(3)");
    check("VARCHAR(2147483647)", "STRING");
    check("VARBINARY", "VARBINARY(1)");
    check("BYTES", "BYTES");
    check("TIME", "TIME(0)");
    check("TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP(6)");
    check("TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ(3)");
    check("TIMESTAMP_LTZ", "TIMESTAMP_LTZ(6)");
    check("INTERVAL YEAR TO MONTH", "INTERVAL MONTH");
    check("INTERVAL DAY(2) TO SECOND(3)", "INTERVAL SECOND(3)");
}

#[test]
fn types_nest_and_know_null() {
    check(
        "ROW<a INT NOT NULL, b ARRAY<MAP<STRING, ROW<x INT>>>>",
        "ROW<`a` INT NOT NULL, `b` ARRAY<MAP<STRING, ROW<`x` INT>>>>",
    );
    check("ROW(a INT NULL 'a comment', `b c` STRING)", "ROW<`a` INT, `b c` STRING>");
    check("ROW<>", "ROW<>");
    check("MULTISET<INT NOT NULL>", "MULTISET<INT NOT NULL>");
    check("INT ARRAY", "ARRAY<INT>");
    check("INT NOT NULL ARRAY MULTISET", "MULTISET<ARRAY<INT NOT NULL>>");
    check("ARRAY<STRING NOT NULL>", "ARRAY<STRING NOT NULL>");
}

#[test]
fn what_is_no_type_is_refused_with_the_nearest() {
    let refuse = |text: &str| {
        let error = read(text).expect_err(text);
        (error.message, error.hint.unwrap_or_default())
    };
    assert_eq!(refuse("INTT"), ("type \"INTT\" does not exist".into(), "Did you mean INT?".into()));
    assert_eq!(refuse("text"), ("type \"text\" does not exist".into(), "Did you mean STRING?".into()));
    assert!(refuse("foo").1.starts_with("The types are "));
    assert_eq!(refuse("VARIANT").0, "type VARIANT is not supported");
    assert_eq!(refuse("TIMESTAMP WITH TIME ZONE").0, "TIMESTAMP WITH TIME ZONE is not supported");
    assert_eq!(refuse("DECIMAL(39)").0, "the precision of DECIMAL must be between 1 and 38");
    assert_eq!(refuse("DECIMAL(5, 6)").0, "the scale of DECIMAL must be between 0 and 5");
    assert_eq!(refuse("TIME(10)").0, "the precision of TIME must be between 0 and 9");
    assert_eq!(refuse("CHAR(0)").0, "the length of CHAR must be between 1 and 2147483647");
    assert_eq!(refuse("ARRAY<INT").0, "syntax error at or near \")\", expected >");
    let deep = format!("{}INT{}", "ARRAY<".repeat(40), ">".repeat(40));
    assert_eq!(refuse(&deep).0, "the type is nested too deeply");
    assert_eq!(refuse(&format!("INT{}", " ARRAY".repeat(9999))).0, "the type is nested too deeply");
}
