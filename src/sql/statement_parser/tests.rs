use super::*;
use crate::sql::statement::{
    AlterTableAction, AlterViewAction, ColumnKind, ColumnPosition, CreateTable, InsertSource, OnConflict,
    Relation,
};

fn read(text: &str) -> Statement {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).statement
}

fn create_table(text: &str) -> CreateTable {
    match read(text) {
        Statement::CreateTable(table) => *table,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_table_has_columns_of_every_kind() {
    let table = create_table(
        "CREATE TEMPORARY TABLE IF NOT EXISTS db.t (id BIGINT NOT NULL, v STRING COMMENT 'a v', w AS UPPER(v) COMMENT 'a w', \
         m STRING NOT NULL METADATA FROM 'key' VIRTUAL, n TIMESTAMP_LTZ(3) METADATA, ts TIMESTAMP(3), \
         WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, CONSTRAINT pk PRIMARY KEY (id, v) NOT ENFORCED) \
         COMMENT 'a t' DISTRIBUTED BY HASH(id) INTO 4 BUCKETS PARTITIONED BY (v) WITH ('a' = 'b', 'c' = 'd;')",
    );
    assert!(table.temporary && table.if_not_exists);
    assert_eq!(table.name.to_string(), "db.t");
    let columns: Vec<_> = table
        .elements
        .columns
        .iter()
        .map(|column| match &column.kind {
            ColumnKind::Physical(data_type) => format!("{} {data_type}", column.name),
            ColumnKind::Computed(expr) => format!("{} AS {expr}", column.name),
            ColumnKind::Metadata { data_type, key, is_virtual } => {
                let key = key.as_ref().map(|key| key.value.as_str());
                format!("{} {data_type} from {key:?} {is_virtual}", column.name)
            }
            ColumnKind::FromQuery => column.name.to_string(),
        })
        .collect();
    assert_eq!(
        columns,
        [
            "id BIGINT NOT NULL",
            "v STRING",
            "w AS UPPER(v)",
            "m STRING NOT NULL from Some(\"key\") true",
            "n TIMESTAMP_LTZ(3) from None false",
            "ts TIMESTAMP(3)",
        ]
    );
    let comments: Vec<_> = table.elements.columns.iter().map(|c| c.comment.as_deref()).collect();
    assert_eq!(comments, [None, Some("a v"), Some("a w"), None, None, None]);
    let key: Vec<_> = table.elements.primary_key.iter().flatten().map(|c| c.value.as_str()).collect();
    assert_eq!(key, ["id", "v"]);
    let (column, expr) = table.elements.watermark.unwrap();
    assert_eq!((column.value.as_str(), expr.to_string().as_str()), ("ts", "ts - INTERVAL '5' SECOND"));
    assert_eq!(table.options[1].value.value, "d;");
    assert_eq!((table.partitioned_by.len(), table.distributed_by.len()), (1, 1));
    assert_eq!(table.comment.as_deref(), Some("a t"));
}

#[test]
fn a_key_may_stand_with_its_column_and_must_not_be_enforced() {
    let table = create_table("CREATE TABLE t (id INT NOT NULL PRIMARY KEY NOT ENFORCED COMMENT 'x', v INT)");
    assert_eq!(table.elements.primary_key.unwrap()[0].value, "id");
    for text in [
        "CREATE TABLE t (id INT PRIMARY KEY)",
        "CREATE TABLE t (id INT, PRIMARY KEY (id))",
        "CREATE TABLE t (id INT, PRIMARY KEY (id) ENFORCED)",
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.message, "a primary key must be NOT ENFORCED");
        assert!(error.hint.unwrap().starts_with("Write PRIMARY KEY (id) NOT ENFORCED"));
    }
    let twice = parse("CREATE TABLE t (id INT PRIMARY KEY NOT ENFORCED, PRIMARY KEY (id) NOT ENFORCED)");
    assert_eq!(twice.unwrap_err().message, "more than one primary key");
}

#[test]
fn a_table_may_come_from_a_query_or_another_table() {
    let table =
        create_table("CREATE TABLE t (PRIMARY KEY (id) NOT ENFORCED) WITH ('a' = 'b') AS SELECT id FROM u");
    assert_eq!(table.query.unwrap().to_string(), "SELECT id FROM u");
    assert!(table.elements.primary_key.is_some());
    let table = create_table("CREATE TABLE t (b, a) AS SELECT a, b FROM u");
    assert!(table.elements.columns.iter().all(|column| column.kind == ColumnKind::FromQuery));
    let table = create_table("CREATE TABLE t (x INT) LIKE u (INCLUDING ALL EXCLUDING OPTIONS)");
    let like = table.like.unwrap();
    assert_eq!(like.table.to_string(), "u");
    assert_eq!(like.options[1], ("EXCLUDING".to_string(), "OPTIONS".to_string()));
}

#[test]
fn a_view_keeps_the_text_of_its_query() {
    let text = "CREATE VIEW v (`x y`, z) AS\n  SELECT a, 'ü' -- two\n  FROM t;";
    let Statement::CreateView(view) = read(text) else { panic!("{text}") };
    assert_eq!(view.query_text, "SELECT a, 'ü' -- two\n  FROM t");
    assert_eq!(view.columns.len(), 2);
    let Statement::AlterView(alter) = read("ALTER VIEW v AS SELECT 1") else { panic!("ALTER VIEW") };
    assert!(matches!(alter.action, AlterViewAction::SetQuery { query_text, .. } if query_text == "SELECT 1"));
}

#[test]
fn tables_change() {
    let action = |text: &str| match read(text) {
        Statement::AlterTable(alter) => alter.action,
        other => panic!("{text}: {other:?}"),
    };
    assert!(
        matches!(action("ALTER TABLE t RENAME TO u"), AlterTableAction::RenameTable(name) if name.to_string() == "u")
    );
    assert!(
        matches!(action("ALTER TABLE t RENAME a TO b"), AlterTableAction::RenameColumn { to, .. } if to.value == "b")
    );
    assert!(
        matches!(action("ALTER TABLE t DROP (a, b)"), AlterTableAction::DropColumns(names) if names.len() == 2)
    );
    assert!(matches!(action("ALTER TABLE t DROP PRIMARY KEY"), AlterTableAction::DropPrimaryKey));
    assert!(
        matches!(action("ALTER TABLE t SET ('a' = 'b')"), AlterTableAction::SetOptions(options) if options.len() == 1)
    );
    let AlterTableAction::Add(elements) =
        action("ALTER TABLE t ADD (a INT FIRST, b STRING AFTER a, PRIMARY KEY (a) NOT ENFORCED)")
    else {
        panic!("ADD");
    };
    assert_eq!(elements.columns[0].position, Some(ColumnPosition::First));
    assert!(matches!(&elements.columns[1].position, Some(ColumnPosition::After(name)) if name.value == "a"));
    assert!(matches!(action("ALTER TABLE t MODIFY a BIGINT"), AlterTableAction::Modify(_)));
}

#[test]
fn settings_may_lack_quotes() {
    let set = |text: &str| match read(text) {
        Statement::Set(setting) => setting.map(|s| (s.key.value, s.value.value)),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(set("SET"), None);
    assert_eq!(set("SET 'a.b' = 'c d'"), Some(("a.b".into(), "c d".into())));
    assert_eq!(set("SET table.exec-x.ttl = 10 s;"), Some(("table.exec-x.ttl".into(), "10 s".into())));
    assert!(matches!(read("RESET"), Statement::Reset(None)));
    assert!(matches!(read("RESET 'a'"), Statement::Reset(Some(key)) if key.value == "a"));
}

#[test]
fn explain_knows_its_details() {
    let explain = |text: &str| match read(text) {
        Statement::Explain(explain) => explain,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(explain("EXPLAIN SELECT 1").details, ExplainDetails::default());
    assert_eq!(explain("EXPLAIN PLAN FOR SELECT 1").details, ExplainDetails::default());
    let both = explain("EXPLAIN CHANGELOG_MODE, ESTIMATED_COST INSERT INTO t SELECT 1");
    assert!(both.details.changelog_mode && both.details.estimated_cost && !both.details.plan_advice);
    assert!(matches!(*both.statement, Statement::Insert(_)));
    let set = explain("EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b VALUES (2); END");
    assert!(matches!(&*set.statement, Statement::StatementSet(inserts) if inserts.len() == 2));
}

#[test]
fn inserts_say_where_and_what() {
    let Statement::Insert(insert) = read("INSERT INTO t (a, b) SELECT 1, 2 FROM u ON CONFLICT DO NOTHING")
    else {
        panic!("INSERT");
    };
    assert_eq!((insert.columns.len(), insert.on_conflict), (2, Some(OnConflict::Nothing)));
    assert!(matches!(insert.source, InsertSource::Query(_)));
    for text in [
        "INSERT INTO t (SELECT 1)",
        "INSERT INTO t TABLE u",
        "INSERT INTO t WITH x AS (SELECT 1) SELECT * FROM x",
    ] {
        assert!(matches!(read(text), Statement::Insert(insert) if insert.columns.is_empty()), "{text}");
    }
    for text in [
        "EXECUTE STATEMENT SET BEGIN INSERT INTO a VALUES (1); INSERT INTO b SELECT CASE WHEN x THEN 1 END; END;",
        "BEGIN STATEMENT SET; INSERT INTO a VALUES (1); INSERT INTO b SELECT 2; END",
    ] {
        assert!(matches!(read(text), Statement::StatementSet(inserts) if inserts.len() == 2), "{text}");
    }
    assert!(parse("EXECUTE STATEMENT SET BEGIN END").is_err());
}

#[test]
fn show_has_subjects_and_patterns() {
    let show = |text: &str| match read(text) {
        Statement::Show(show) => show,
        other => panic!("{text}: {other:?}"),
    };
    let tables = show("SHOW TABLES FROM db NOT LIKE 'a%'");
    assert!(matches!(tables.subject, ShowSubject::Tables(Some(db)) if db.to_string() == "db"));
    assert!(tables.like.is_some_and(|like| like.negated && like.pattern.value == "a%"));
    assert!(matches!(show("SHOW CREATE VIEW v").subject, ShowSubject::CreateView(_)));
    assert!(matches!(show("SHOW COLUMNS IN t").subject, ShowSubject::Columns(_)));
    assert_eq!(show("SHOW JOBS").subject, ShowSubject::Jobs);
    assert_eq!(show("show current database").subject, ShowSubject::CurrentDatabase);
}

#[test]
fn the_small_statements_are_read() {
    assert!(matches!(read("help"), Statement::Help));
    assert!(matches!(read("EXIT;"), Statement::Quit));
    assert!(matches!(read("clear"), Statement::Clear));
    assert!(matches!(read("DESC a.b.c"), Statement::Describe(name) if name.0.len() == 3));
    assert!(matches!(read("DESCRIBE job"), Statement::Describe(_)));
    assert!(matches!(read("USE CATALOG c"), Statement::UseCatalog(_)));
    assert!(matches!(read("TRUNCATE TABLE t"), Statement::Truncate(_)));
    assert!(
        matches!(read("STOP JOB 'x' WITH SAVEPOINT WITH DRAIN"), Statement::StopJob(id) if id.value == "x")
    );
    assert!(matches!(read("DROP TEMPORARY VIEW IF EXISTS v"), Statement::Drop(drop)
        if drop.temporary && drop.if_exists && drop.relation == Relation::View));
    assert!(matches!(read("UPDATE t SET a = 1 WHERE b = 2"), Statement::Update(_)));
    assert!(matches!(read("DELETE FROM t"), Statement::Delete(_)));
    assert!(matches!(read("TABLE t"), Statement::Query(_)));
    assert!(matches!(read("(SELECT 1) UNION (SELECT 2)"), Statement::Query(_)));
}

#[test]
fn what_does_not_exist_names_what_does() {
    for (text, message) in [
        ("CREATE FUNCTION f AS 'x'", "CREATE FUNCTION is not supported"),
        ("CREATE TEMPORARY SYSTEM FUNCTION f AS 'x'", "CREATE FUNCTION is not supported"),
        ("CREATE CATALOG c", "CREATE CATALOG is not supported"),
        ("CREATE MATERIALIZED TABLE t AS SELECT 1", "CREATE MATERIALIZED TABLE is not supported"),
        ("CREATE OR REPLACE TABLE t AS SELECT 1", "CREATE OR REPLACE TABLE is not supported"),
        ("ADD JAR 'x'", "ADD JAR is not supported"),
        ("COMPILE PLAN 'x' FOR SELECT 1", "COMPILE PLAN is not supported"),
        ("LOAD MODULE x", "LOAD MODULE is not supported"),
        ("MERGE INTO t USING u ON a = b", "MERGE INTO is not supported"),
        ("CREATE TABLE t (a INT DEFAULT 5)", "DEFAULT is not supported"),
        ("SELECT a FROM t FOR UPDATE", "FOR at the end of a query is not supported"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.message, message, "{text}");
        assert!(error.hint.is_some() || text.starts_with("SELECT"), "{text}");
    }
}

#[test]
fn reserved_words_are_names_with_a_notice() {
    let reserved = |text: &str| {
        let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let words = parsed.notices.reserved_words;
        for (word, span) in &words {
            assert_eq!(&text[span.bytes(text)], word);
        }
        words.into_iter().map(|(word, _)| word).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(reserved("SELECT value, timestamp, user, offset FROM t"), "value timestamp user offset");
    assert_eq!(reserved("CREATE TABLE order (user STRING, value INT, raw INT)"), "order user value raw");
    assert_eq!(reserved("SELECT t.user AS result FROM t date ORDER BY order"), "user result date order");
    assert_eq!(reserved("SELECT * FROM f(DESCRIPTOR(timestamp))"), "timestamp");
    assert_eq!(reserved("INSERT INTO t (user) SELECT 1"), "user");
    assert_eq!(reserved("SELECT `user`, op, COUNT(*) AS cnt, DATE '2024-01-01' FROM `order` AS o"), "");
    assert_eq!(reserved("SELECT TIMESTAMPADD(DAY, 1, ts), LEFT(a, 1), YEAR(d), CURRENT_DATE FROM t"), "");
}

#[test]
fn operators_bind_as_in_calcite() {
    let same = |one: &str, other: &str| assert_eq!(outline(one), outline(other), "{one}");
    same("a = b LIKE c", "a = (b LIKE c)");
    same("a BETWEEN 1 AND 2 = d", "(a BETWEEN 1 AND 2) = d");
    same("a IS DISTINCT FROM b = c", "(a IS DISTINCT FROM b) = c");
    same("a = b IS NULL", "(a = b) IS NULL");
    same("a IS DISTINCT FROM b AND c", "(a IS DISTINCT FROM b) AND c");
    same("NOT a = b OR c", "(NOT (a = b)) OR c");
}

/// An expression with all its parentheses, however it was written.
fn outline(text: &str) -> String {
    fn walk(expr: &ast::Expr) -> String {
        match expr {
            ast::Expr::Nested(inner) => walk(inner),
            ast::Expr::BinaryOp { left, op, right } => format!("({} {op} {})", walk(left), walk(right)),
            ast::Expr::UnaryOp { op, expr } => format!("({op} {})", walk(expr)),
            ast::Expr::IsNull(expr) => format!("({} IS NULL)", walk(expr)),
            ast::Expr::IsDistinctFrom(left, right) => format!("({} IS DISTINCT {})", walk(left), walk(right)),
            ast::Expr::Like { expr, pattern, .. } => format!("({} LIKE {})", walk(expr), walk(pattern)),
            ast::Expr::Between { expr, low, high, .. } => {
                format!("({} BETWEEN {} {})", walk(expr), walk(low), walk(high))
            }
            other => other.to_string(),
        }
    }
    let Statement::Query(query) = read(&format!("SELECT {text}")) else { panic!("{text}") };
    match &query.body.as_select().unwrap().projection[0] {
        ast::SelectItem::UnnamedExpr(expr) => walk(expr),
        other => panic!("{other}"),
    }
}
