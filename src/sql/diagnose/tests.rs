use crate::sql::{Statement, parse, table_function};

/// Checks the error of a statement: the text it points at, its message and its hint (empty for none).
#[track_caller]
fn check(text: &str, at: &str, message: &str, hint: &str) {
    let error = parse(text).expect_err(text);
    let found = &text[error.span.bytes(text)];
    let error = (found, error.message.as_str(), error.hint.as_deref().unwrap_or_default());
    assert_eq!(error, (at, message, hint), "{text}");
}

#[track_caller]
fn check_keyword(text: &str, word: &str, keyword: &str) {
    check(text, word, &format!("syntax error at or near \"{word}\""), &format!("Did you mean {keyword}?"));
}

#[test]
fn misspelt_keywords_are_named_where_they_stand() {
    check_keyword("SELECT * FORM t", "FORM", "FROM");
    check_keyword("SELECT a FORM t", "FORM", "FROM");
    check_keyword("SELECT a FORM orders", "FORM", "FROM");
    // A name that is like a keyword is none.
    check(
        "SELECT a FROM orders GROUP a",
        "GROUP",
        "syntax error at or near \"GROUP\", expected the end of the statement",
        "GROUP is followed by BY.",
    );
    check_keyword("SELECT a FROM t GROUP YB a", "YB", "BY");
    check_keyword("SELECT SUM(a) OVER (PARTITION YB b ORDER BY c) FROM t", "YB", "BY");
    check_keyword("SELECT a FROM t ODER BY a", "ODER", "ORDER");
    check_keyword("SELECT a FROM t GROUP BY a HAVNG COUNT(*) > 1", "HAVNG", "HAVING");
    check_keyword("SELECT a FROM t JION u ON t.a = u.a", "JION", "JOIN");
    check_keyword("SELECT a FROM t LEFT JION u ON t.a = u.a", "JION", "JOIN");
    check_keyword("SELECT a FROM t LEFT OUTR JOIN u ON t.a = u.a", "OUTR", "OUTER");
    check_keyword("SELECT a FROM t WHERE a = 1 ADN b = 2", "ADN", "AND");
    check_keyword("SELECT a FROM t WHERE a IS NTO NULL", "NTO", "NOT");
    check_keyword("SELECT a FROM t WHERE a IS NUL", "NUL", "NULL");
    check_keyword("SELECT CAST(a SA INT) FROM t", "SA", "AS");
    check_keyword("SELECT ROW_NUMBER() OVRE (ORDER BY a) FROM t", "OVRE", "OVER");
    check_keyword("SELECT SUM(a) FILTR (WHERE a > 1) FROM t", "FILTR", "FILTER");
    check_keyword("SELECT a FROM t ORDER BY a DECS", "DECS", "DESC");
    check_keyword("UPDATE t STE a = 1", "STE", "SET");
    check_keyword("SELECT a FROM t GORUP BY a", "GORUP", "GROUP");
    check_keyword("SELECT a FROM t WEHRE a = 1", "WEHRE", "WHERE");
    check_keyword("SELECT a FROM t LIMT 5", "LIMT", "LIMIT");
    check_keyword("SELEC 1", "SELEC", "SELECT");
    check_keyword("INSERT INTO t VALEUS (1)", "VALEUS", "VALUES");
    check_keyword("CREATE TABEL t (a INT)", "TABEL", "TABLE");
    check_keyword("SHOW TABELS", "TABELS", "TABLES");
    check_keyword("EXPLAIN CHANGELOG SELECT 1", "CHANGELOG", "CHANGELOG_MODE");
    check_keyword("SELECT * FROM f(input => TABLE t PARTITON BY a)", "PARTITON", "PARTITION");
    check_keyword("SELECT SUM(a) OVER (PARTITON BY b) FROM t", "PARTITON", "PARTITION");
}

#[test]
fn a_name_that_resembles_a_keyword_is_no_mistake() {
    assert!(parse("SELECT form, wher FROM form AS viewer WHERE grop = 1").is_ok());
}

#[test]
fn errors_inside_of_subqueries_are_found_there() {
    let operand = "syntax error at or near \")\", expected an expression";
    check("SELECT * FROM (SELECT a FROM t WHERE x = ) y", ")", operand, "");
    check_keyword("SELECT * FROM (SELECT a FROM t WHERE x = 1 GORUP BY a) y", "GORUP", "GROUP");
    check("SELECT * FROM (SELECT * a FROM t) y", "a", "syntax error at or near \"a\", expected )", "");
    let nested = "SELECT * FROM (SELECT * FROM (SELECT * a FROM t) y) z";
    check(nested, "a", "syntax error at or near \"a\", expected )", "");
    check("SELECT f(input => (SELECT a FROM t WHERE)) FROM t", ")", operand, "");
    let open = "The ( of \"FROM (SELECT\" is not closed.";
    let end = "syntax error at end of input, expected )";
    check("SELECT * FROM (SELECT * FROM orders", "", end, open);
    check(
        "SELECT * FROM a JOIN (SELECT a FROM t GROUP BY a",
        "",
        end,
        "The ( of \"JOIN (SELECT\" is not closed.",
    );
}

#[test]
fn double_quotes_are_explained() {
    check(
        "SELECT \"a b\" FROM t",
        "\"a b\"",
        "syntax error at or near \"\"a b\"\"",
        "Flink has no double quotes: use 'a b' for a string or `a b` for a name.",
    );
}

#[test]
fn arrows_and_equals_signs_are_told_apart() {
    check(
        "SELECT a FROM t WHERE a => 1",
        "=>",
        "syntax error at or near \"=>\", expected the end of the statement",
        "=> names an argument of a call. To compare, use = or >=.",
    );
    check(
        "SELECT MAP['a' => 'b']",
        "=>",
        "syntax error at or near \"=>\", expected ,",
        "A map is written MAP[key, value, key, value].",
    );
    check(
        "SELECT * FROM f(input TABLE t)",
        "TABLE",
        "syntax error at or near \"TABLE\", expected )",
        "An argument is named with =>, as in input => TABLE t.",
    );
    let parsed = parse("SELECT * FROM f(input = TABLE t)").unwrap();
    let Statement::Query(query) = parsed.statement else { panic!("a query") };
    let select = query.body.as_select().unwrap();
    let error = table_function(&select.from[0].relation).unwrap_err();
    assert_eq!(error.hint.as_deref(), Some("An argument is named with =>: input => TABLE(t)."));
}

#[test]
fn commas_too_many_and_too_few_are_seen() {
    let comma = "Remove the comma before it.";
    check("SELECT a, FROM t", "FROM", "syntax error at or near \"FROM\", expected an expression", comma);
    check("CREATE TABLE t (a INT,)", ")", "syntax error at or near \")\", expected a column", comma);
    check("SELECT a FROM t,", "", "syntax error at end of input, expected a name", comma);
    check("SELECT f(a,)", ")", "syntax error at or near \")\", expected an expression", comma);
    check(
        "SELECT * FROM f(input => TABLE t op => DESCRIPTOR(x))",
        "op",
        "syntax error at or near \"op\", expected )",
        "A comma is missing before op.",
    );
    check(
        "SELECT MAP['a' 'b']",
        "'b'",
        "syntax error at or near \"'b'\", expected ,",
        "Between two strings, a comma or || is missing.",
    );
}

#[test]
fn reserved_words_as_names_want_backticks() {
    check(
        "SELECT 1 AS select",
        "select",
        "syntax error at or near \"select\", expected an identifier after AS",
        "SELECT is a reserved word: as a name, write it as `select`.",
    );
    let order = "ORDER is a reserved word: as a name, write it as `order`.";
    check(
        "SELECT a AS order FROM t",
        "order",
        "syntax error at or near \"order\", expected an identifier after AS",
        order,
    );
    check(
        "SELECT a order, b FROM t",
        "order",
        "syntax error at or near \"order\", expected the end of the statement",
        order,
    );
    check(
        "SELECT a FROM t AS order",
        "order",
        "syntax error at or near \"order\", expected an identifier after AS",
        order,
    );
    check(
        "CREATE TABLE t (where INT)",
        "where",
        "syntax error at or near \"where\", expected a name",
        "WHERE is a reserved word: as a name, write it as `where`.",
    );
}

#[test]
fn brackets_without_a_partner_are_shown() {
    let end = "syntax error at end of input, expected )";
    check("SELECT (1 + 2", "", end, "The ( of \"SELECT (1\" is not closed.");
    check("INSERT INTO t VALUES (1, 2", "", end, "The ( of \"VALUES (1\" is not closed.");
    check(
        "INSERT INTO t (a, b VALUES (1, 2)",
        "VALUES",
        "syntax error at or near \"VALUES\", expected )",
        "The ( of \"t (a\" is not closed.",
    );
    check(
        "SELECT a FROM t)",
        ")",
        "syntax error at or near \")\", expected the end of the statement",
        "No bracket is open that ) could close.",
    );
}

#[test]
fn forms_of_other_dialects_have_an_alternative() {
    check("SELECT a::INT FROM t", "::", "syntax error at or near \"::\"", "Use CAST(x AS type).");
    check("SELECT a != b", "!=", "syntax error at or near \"!=\"", "Use <> for \"not equal\".");
    check(
        "SELECT TOP 3 a FROM t",
        "3",
        "syntax error at or near \"3\"",
        "Use LIMIT at the end of the query.",
    );
    check(
        "SELECT ['a']",
        "[",
        "syntax error at or near \"[\"",
        "Write ARRAY[x, y] for an array and MAP[key, value] for a map.",
    );
    check(
        "SELECT * FROM f(input => t PARTITION BY a)",
        "PARTITION",
        "syntax error at or near \"PARTITION\", expected )",
        "A table is given as TABLE t PARTITION BY key.",
    );
    check(
        "SELECT a FROM t GROUP a",
        "GROUP",
        "syntax error at or near \"GROUP\", expected the end of the statement",
        "GROUP is followed by BY.",
    );
}

#[test]
fn what_is_cut_off_fails_at_the_end() {
    check("SELECT", "", "syntax error at end of input, expected an expression", "");
    check("SELECT 1 +", "", "syntax error at end of input, expected an expression", "");
    check("SELECT * FROM", "", "syntax error at end of input, expected a name", "");
    check("INSERT INTO t", "", "syntax error at end of input, expected VALUES or SELECT", "");
    check("", "", "syntax error at end of input, expected a statement", "");
    let error = parse("SELECT a\nFROM t\nWHERE b = 'x").unwrap_err();
    assert_eq!((error.span.start.line, error.span.start.column), (3, 11));
    assert_eq!(error.message, "unterminated string");
}

#[test]
fn places_count_characters_on_their_line() {
    let text = "SELECT 'äöü', `ß` /* é */\n  FROM t übel x y";
    let error = parse(text).unwrap_err();
    assert_eq!((error.span.start.line, error.span.start.column), (2, 15));
    assert_eq!(&text[error.span.bytes(text)], "x");
}
