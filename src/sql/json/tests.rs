use sqlparser::ast::SelectItem;

use super::*;
use crate::sql::{Statement, parse};

/// Reads a call and writes its options down.
fn check(text: &str, positional: usize, expected: &JsonOptions<'_>) {
    let Statement::Query(query) = parse(&format!("SELECT {text} FROM t")).expect(text).statement else {
        panic!("{text}");
    };
    let select = query.body.as_select().unwrap();
    let SelectItem::UnnamedExpr(Expr::Function(call)) = &select.projection[0] else { panic!("{text}") };
    let (arguments, options) = json_options(call);
    assert_eq!(arguments.len(), positional, "{text}");
    assert_eq!(options.returning.map(ToString::to_string), expected.returning.map(ToString::to_string));
    assert_eq!(
        JsonOptions { returning: None, ..options },
        JsonOptions { returning: None, ..expected.clone() }
    );
}

#[test]
fn clauses_come_back_as_they_were_written() {
    let none = JsonOptions::default();
    check("JSON_VALUE(j, '$.a')", 2, &none);
    check(
        "JSON_QUERY(j, '$.a' WITHOUT ARRAY WRAPPER)",
        2,
        &JsonOptions { wrapper: Some(JsonWrapper::Without), ..none.clone() },
    );
    check(
        "JSON_QUERY(j, '$.a' WITH WRAPPER EMPTY OBJECT ON EMPTY EMPTY ARRAY ON ERROR)",
        2,
        &JsonOptions {
            wrapper: Some(JsonWrapper::Unconditional),
            on_empty: Some(JsonBehavior::EmptyObject),
            on_error: Some(JsonBehavior::EmptyArray),
            ..none.clone()
        },
    );
    check(
        "json_query(j, 'lax $' with conditional wrapper null on error)",
        2,
        &JsonOptions {
            wrapper: Some(JsonWrapper::Conditional),
            on_error: Some(JsonBehavior::Null),
            ..none.clone()
        },
    );
    check(
        "JSON_EXISTS(j, '$.a' UNKNOWN ON ERROR)",
        2,
        &JsonOptions { on_error: Some(JsonBehavior::Unknown), ..none.clone() },
    );
    check(
        "JSON_OBJECT(KEY 'a' VALUE 1, 'b' VALUE key ABSENT ON NULL)",
        2,
        &JsonOptions { on_null: Some(JsonNull::Absent), ..none.clone() },
    );
    check(
        "JSON_ARRAY(1, NULL NULL ON NULL)",
        2,
        &JsonOptions { on_null: Some(JsonNull::Null), ..none.clone() },
    );
    check("JSON_ARRAY()", 0, &none);
    check("JSON_OBJECTAGG(KEY k VALUE v)", 1, &none);
}

#[test]
fn defaults_and_types_are_kept() {
    let Statement::Query(query) =
        parse("SELECT JSON_VALUE(j, '$.a' RETURNING ROW<a INT> DEFAULT a + 1 ON EMPTY ERROR ON ERROR)")
            .unwrap()
            .statement
    else {
        panic!("a query");
    };
    let select = query.body.as_select().unwrap();
    let SelectItem::UnnamedExpr(Expr::Function(call)) = &select.projection[0] else { panic!("a call") };
    let (_, options) = json_options(call);
    let returning = crate::sql::data_type(options.returning.unwrap()).unwrap();
    assert_eq!(returning.to_string(), "ROW<`a` INT>");
    assert!(matches!(options.on_empty, Some(JsonBehavior::Default(Expr::BinaryOp { .. }))));
    assert_eq!(options.on_error, Some(JsonBehavior::Error));
}
