use sqlparser::ast::SetExpr;

use super::*;
use crate::sql::{Statement, parse};

/// Calls in FROM, written down: one word for the kind of each argument and what it holds.
fn decode(from: &str) -> Result<String, ParseError> {
    let parsed = parse(&format!("SELECT * FROM {from}"))?;
    let Statement::Query(query) = parsed.statement else { panic!("{from} is no query") };
    let SetExpr::Select(select) = *query.body else { panic!("{from} is no SELECT") };
    let factor = &select.from[0].relation;
    let Some(call) = table_function(factor)? else { return Ok("no call".to_string()) };
    let mut parts = vec![call.name.to_string()];
    for argument in &call.arguments {
        let name = argument.name.map_or(String::new(), |name| format!("{name} => "));
        parts.push(name + &describe(&argument.value));
    }
    parts.extend(call.lateral.then(|| "lateral".to_string()));
    parts.extend(call.with_ordinality.then(|| "with ordinality".to_string()));
    parts.extend(call.alias.map(ToString::to_string));
    Ok(parts.join(" | "))
}

fn describe(value: &ArgumentValue<'_>) -> String {
    match value {
        ArgumentValue::Table { source, partition_by, order_by } => {
            let source = match source {
                TableSource::Name(name) => format!("table {name}"),
                TableSource::Query(query) => format!("query {query}"),
            };
            let keys: Vec<_> = partition_by.iter().map(ToString::to_string).collect();
            let sort = |key: &SortKey<'_>| {
                let direction = if key.ascending { "asc" } else { "desc" };
                format!("{} {direction}", key.column)
            };
            let order: Vec<_> = order_by.iter().map(sort).collect();
            format!("{source} by [{}] in [{}]", keys.join(" "), order.join(" "))
        }
        ArgumentValue::Descriptor(columns) => {
            format!("descriptor {columns:?}").replace(", span: Span(..)", "")
        }
        ArgumentValue::Default => "default".to_string(),
        ArgumentValue::Scalar(expr) => format!("scalar {expr}"),
    }
}

#[track_caller]
fn check(from: &str, expected: &str) {
    assert_eq!(decode(from).unwrap(), expected, "{from}");
}

#[track_caller]
fn refuse(from: &str, message: &str, hint: &str, column: u32) {
    let error = decode(from).unwrap_err();
    assert_eq!((error.message.as_str(), error.hint.as_deref()), (message, Some(hint)), "{from}");
    let offset = u32::try_from("SELECT * FROM ".len()).unwrap();
    assert_eq!(error.span.start.column, offset + column, "{from}");
}

#[test]
fn tables_come_by_name_or_as_a_query() {
    check("f(TABLE t)", "f | table t by [] in []");
    check("f(input => TABLE c.d.t)", "f | input => table c.d.t by [] in []");
    check("f(table (SELECT a FROM t))", "f | query SELECT a FROM t by [] in []");
    check("f(input => TABLE(SELECT a FROM t))", "f | input => query SELECT a FROM t by [] in []");
    check("f((SELECT a FROM t))", "f | query SELECT a FROM t by [] in []");
    check("f(((SELECT a FROM t)))", "f | query SELECT a FROM t by [] in []");
    check(
        "f((WITH x AS (SELECT 1) SELECT * FROM x))",
        "f | query WITH x AS (SELECT 1) SELECT * FROM x by [] in []",
    );
}

#[test]
fn a_table_has_keys_and_an_order() {
    check("f(input => TABLE t PARTITION BY k ORDER BY ts)", "f | input => table t by [k] in [ts asc]");
    check("f(TABLE t PARTITION BY (a, b) ORDER BY (ts, n DESC))", "f | table t by [a b] in [ts asc n desc]");
    check(
        "f((SELECT a FROM t) PARTITION BY a, x => 1)",
        "f | query SELECT a FROM t by [a] in [] | x => scalar 1",
    );
    check("f(input => (SELECT a FROM t) ORDER BY a)", "f | input => query SELECT a FROM t by [] in [a asc]");
    check("f(TABLE (SELECT a FROM t) PARTITION BY a)", "f | query SELECT a FROM t by [a] in []");
    check(
        "from_changelog(input => table t partition by k)",
        "from_changelog | input => table t by [k] in []",
    );
}

#[test]
fn a_call_may_stand_in_a_table_and_have_a_name() {
    check("f(TABLE t) AS x (a, b)", "f | table t by [] in [] | AS x (a, b)");
    check("TABLE(f(TABLE t)) AS x", "f | table t by [] in [] | AS x");
    check("LATERAL TABLE(f(a)) AS t(w)", "f | scalar a | lateral | AS t (w)");
    check("UNNEST(a) WITH ORDINALITY AS u (v, i)", "UNNEST | scalar a | with ordinality | AS u (v, i)");
    check("t AS x", "no call");
    check("(SELECT 1) AS x", "no call");
}

#[test]
fn other_arguments_are_descriptors_defaults_and_values() {
    let call = decode("f(TABLE t, DESCRIPTOR(a), DEFAULT, MAP['c', 'INSERT'])").unwrap();
    assert!(call.starts_with("f | table t by [] in [] | descriptor [Ident { value: \"a\""), "{call}");
    assert!(call.ends_with("| default | scalar MAP {'c': 'INSERT'}"), "{call}");
    assert!(decode("f(op => DESCRIPTOR())").unwrap().ends_with("op => descriptor []"));
}

#[test]
fn keys_without_parentheses_are_explained() {
    let message = "several keys need parentheses";
    refuse("f(input => TABLE t PARTITION BY a, b, op => 'x')", message, "Write PARTITION BY (a, b).", 36);
    refuse("f(TABLE t PARTITION BY a ORDER BY ts, n)", message, "Write ORDER BY (ts, n).", 39);
}

#[test]
fn arguments_that_no_function_takes_are_errors() {
    refuse(
        "f(input = TABLE t)",
        "syntax error at or near \"=\"",
        "An argument is named with =>: input => TABLE(t).",
        3,
    );
    refuse(
        "f(a => 1, 2)",
        "an argument without a name follows one with a name",
        "Name all arguments with =>, or none.",
        11,
    );
    refuse(
        "f(op => DESCRIPTOR(a INT))",
        "DESCRIPTOR takes names of columns",
        "Write DESCRIPTOR(column) without a type.",
        20,
    );
    assert_eq!(decode("f(a => 1, a => 2)").unwrap_err().message, "argument \"a\" is given twice");
    assert!(decode("f(*)").is_err());
    assert!(decode("TABLE(t)").is_err());
}
