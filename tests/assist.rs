//! What may come at the cursor. Each text has the cursor at `|`.
#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use rowkind::Session;
use rowkind::assist::{Mark, complete, complete_query, marks, matching_brackets, path_start};

fn session() -> Session {
    let mut session = Session::new();
    session
        .run_all(
            "CREATE TABLE orders (order_id INT, region STRING, amount DECIMAL(10, 2), `user` STRING,
                address ROW<city STRING, zip STRING, geo ROW<lat DOUBLE, lon DOUBLE>>, ts TIMESTAMP(3));
             CREATE TABLE order_items (order_id INT, sku STRING);
             CREATE TABLE cdc (id INT, op STRING, name STRING);
             CREATE TABLE dynamo (id INT, eventName STRING, name STRING);
             INSERT INTO cdc VALUES (1, 'c', 'a'), (1, 'u', 'b'), (1, 'u', 'c'), (1, 'd', 'c');
             INSERT INTO dynamo VALUES (1, 'INSERT', 'a'), (1, 'MODIFY', 'b'), (1, 'REMOVE', 'b');
             CREATE VIEW big_orders AS SELECT * FROM orders WHERE amount > 100;",
        )
        .unwrap();
    session
}

/// The texts that the candidates put into the statement.
fn candidates(text: &str) -> Vec<String> {
    let at = text.find('|').unwrap();
    let completion = complete(&session(), &text.replacen('|', "", 1), at);
    completion.candidates.into_iter().map(|candidate| candidate.text).collect()
}

/// The statement with the first candidate in it.
fn completed(text: &str) -> String {
    let at = text.find('|').unwrap();
    let mut text = text.replacen('|', "", 1);
    let completion = complete(&session(), &text, at);
    text.replace_range(completion.start..at, &completion.candidates[0].text);
    text
}

#[track_caller]
fn first(text: &str, expected: &[&str]) {
    let found = candidates(text);
    assert!(found.len() >= expected.len() && found[..expected.len()] == *expected, "{text}: {found:?}");
}

#[track_caller]
fn exactly(text: &str, expected: &[&str]) {
    assert_eq!(candidates(text), expected, "{text}");
}

#[track_caller]
fn has(text: &str, expected: &[&str]) {
    let found = candidates(text);
    assert!(expected.iter().all(|word| found.iter().any(|found| found == word)), "{text}: {found:?}");
}

#[track_caller]
fn has_not(text: &str, unexpected: &[&str]) {
    let found = candidates(text);
    assert!(unexpected.iter().all(|word| !found.iter().any(|found| found == word)), "{text}: {found:?}");
}

#[test]
fn a_statement_starts_with_a_keyword_and_goes_on_with_the_rest_of_its_phrase() {
    first("SEL|", &["SELECT"]);
    has("DR|", &["DROP TABLE", "DROP VIEW"]);
    first("SHOW |", &["TABLES", "VIEWS"]);
    exactly("show cr|", &["create table", "create view"]);
    first("EXPLAIN |", &["CHANGELOG_MODE"]);
    has("EXPLAIN CHANGELOG_MODE |", &["SELECT", "INSERT INTO"]);
    first("SELECT 1; INS|", &["INSERT INTO"]);
    has("CREATE VIEW v |", &["AS SELECT"]);
    has("CREATE VIEW v AS |", &["SELECT"]);
    has("EXECUTE STATEMENT SET BEGIN |", &["INSERT INTO"]);
}

#[test]
fn keywords_follow_the_case_of_what_is_typed() {
    exactly("sel|", &["select"]);
    exactly("SELECT * FROM orders wh|", &["where"]);
    exactly("select * from orders WH|", &["WHERE"]);
    has("select * from orders |", &["where", "group by"]);
    first("select upp|", &["upper("]);
}

#[test]
fn tables_and_views_come_where_one_is_read() {
    first("SELECT * FROM |", &["big_orders", "cdc", "dynamo", "order_items", "orders", "FROM_CHANGELOG("]);
    exactly("SELECT * FROM ord|", &["order_items", "orders"]);
    exactly("SELECT * FROM ORD|", &["order_items", "orders"]);
    exactly("SELECT * FROM orders, ord|", &["order_items", "orders"]);
    exactly("SELECT * FROM orders JOIN order_|", &["order_items"]);
    exactly("SELECT * FROM TO_CHANGELOG(input => TABLE b|", &["big_orders"]);
    exactly("WITH recent AS (SELECT 1) SELECT * FROM rec|", &["recent"]);
    first("SELECT * FROM `or|", &["order_items`", "orders`"]);
    first("DESCRIBE big|", &["big_orders"]);
    first("SELECT a FROM orders WHERE region IN (SELECT region FROM b|", &["big_orders"]);
}

#[test]
fn only_tables_are_written_and_each_noun_drops_its_own() {
    exactly("INSERT INTO |", &["cdc", "dynamo", "order_items", "orders"]);
    exactly("DROP VIEW |", &["big_orders", "IF EXISTS"]);
    exactly("DROP TABLE IF EXISTS ord|", &["order_items", "orders"]);
    exactly("UPDATE cd|", &["cdc"]);
    exactly("DELETE FROM b|", &[]);
    exactly("SHOW CREATE VIEW b|", &["big_orders"]);
    has("INSERT INTO cdc |", &["VALUES", "SELECT"]);
    exactly("INSERT INTO cdc (id, n|", &["name"]);
}

#[test]
fn columns_come_from_the_tables_of_the_statement() {
    first("SELECT | FROM cdc", &["id", "op", "name"]);
    first("SELECT reg| FROM orders", &["region", "regexp("]);
    first("SELECT us| FROM orders", &["`user`"]);
    first("SELECT id FROM cdc WHERE n|", &["name"]);
    first("SELECT region, COUNT(*) FROM orders GROUP BY |", &["order_id", "region"]);
    has_not("SELECT | FROM cdc", &["region"]);
    first("SELECT sku FROM orders JOIN order_items ON s|", &["sku"]);
    first("UPDATE cdc SET |", &["id", "op", "name"]);
    first("SELECT SUM(am|) FROM orders", &["amount"]);
    exactly("SELECT `us| FROM orders", &["user`"]);
}

#[test]
fn a_point_leads_to_the_columns_of_an_alias_and_to_the_fields_of_a_row() {
    exactly("SELECT o.re| FROM orders AS o JOIN order_items i ON TRUE", &["region"]);
    exactly("SELECT i.| FROM orders AS o JOIN order_items i ON TRUE", &["order_id", "sku"]);
    exactly("SELECT orders.am| FROM orders", &["amount"]);
    exactly("SELECT address.| FROM orders", &["city", "zip", "geo"]);
    exactly("SELECT o.address.geo.l| FROM orders o", &["lat", "lon"]);
}

#[test]
fn queries_in_queries_have_columns_of_their_own() {
    first("SELECT | FROM (SELECT region AS r, COUNT(*) AS cnt FROM orders GROUP BY region) x", &["r", "cnt"]);
    exactly("SELECT x.| FROM (SELECT id, name FROM cdc) x", &["id", "name"]);
    exactly("WITH r (a, b) AS (SELECT id, name FROM cdc) SELECT r.| FROM r", &["a", "b"]);
    first("SELECT | FROM FROM_CHANGELOG(input => TABLE cdc)", &["id", "name"]);
    first("SELECT | FROM TO_CHANGELOG(input => TABLE cdc, op => DESCRIPTOR(code))", &["code", "id"]);
    // The inner query comes first, and the outer one can be named in it.
    first("SELECT id FROM cdc WHERE EXISTS (SELECT 1 FROM order_items WHERE |", &["order_id", "sku", "id"]);
    first("SELECT id FROM cdc UNION ALL SELECT | FROM order_items", &["order_id", "sku"]);
}

#[test]
fn clauses_follow_what_is_there() {
    first("SELECT id |", &["FROM"]);
    has("SELECT * FROM orders |", &["WHERE", "GROUP BY", "LEFT JOIN", "UNION ALL"]);
    exactly("SELECT * FROM orders GROUP |", &["BY"]);
    first("SELECT * FROM orders LEFT |", &["JOIN"]);
    first("SELECT * FROM orders o JOIN order_items i |", &["ON"]);
    has("SELECT * FROM orders WHERE region |", &["IS NOT NULL", "LIKE", "AND"]);
    exactly("SELECT * FROM orders WHERE region IS NOT |", &["NULL", "DISTINCT FROM"]);
    has("SELECT * FROM orders ORDER BY amount |", &["DESC", "LIMIT"]);
    has("SELECT SUM(amount) |", &["OVER"]);
    exactly("SELECT CAST(amount AS STR|", &["STRING"]);
    first("SELECT CASE WHEN amount > 1 |", &["WHEN", "THEN", "ELSE", "END"]);
}

#[test]
fn a_query_or_a_relation_starts_no_other_way() {
    let found = |text: &str| {
        let completion = complete_query(&session(), text, text.len());
        completion.candidates.into_iter().map(|candidate| candidate.text).collect::<Vec<_>>()
    };
    assert_eq!(found("S"), ["SELECT"]);
    assert_eq!(found("V"), ["VALUES"]);
    assert_eq!(found("bi"), ["big_orders"]);
    assert_eq!(found("")[..5], ["SELECT", "WITH", "VALUES", "TABLE", "big_orders"]);
    assert_eq!(found("TABLE c"), ["cdc"]);
    assert_eq!(found("SELECT * FROM c"), ["cdc"]);
    assert!(found("SHOW T").is_empty());
}

#[test]
fn a_path_is_typed_in_the_options_of_a_table_only() {
    let start = |text: &str| path_start(text, text.len());
    assert_eq!(start("CREATE TABLE t (a INT) WITH ('path' = 'dir/f"), Some(39));
    assert_eq!(start("ALTER TABLE t SET ('path' = '"), Some(29));
    assert_eq!(start("CREATE TABLE t (a INT) WITH ('format' = 'c"), None);
    assert_eq!(start("SELECT * FROM t WHERE (path = 'dir"), None);
    assert_eq!(start("CREATE TABLE t (a INT) WITH ('path' = "), None);
}

#[test]
fn nothing_is_offered_for_a_new_name() {
    exactly("SELECT 1 AS c|", &[]);
    exactly("SELECT region AS r| FROM orders", &[]);
    exactly("SELECT * FROM orders AS o|", &[]);
    exactly("SELECT * FROM orders AS |", &[]);
    exactly("SELECT * FROM (SELECT region AS r|", &[]);
    exactly("CREATE VIEW v AS SELECT region AS r|", &[]);
    has_not("SELECT * FROM orders o|", &["on", "ON"]);
    has_not("SELECT * FROM orders |", &["ON", "USING ("]);
    has_not("SELECT * FROM orders CROSS JOIN cdc |", &["ON"]);
    has("SELECT * FROM orders wh|", &["where"]);
    // Behind these AS no name stands.
    exactly("SELECT CAST(region AS I|", &["INT"]);
    exactly("CREATE TABLE t AS S|", &["SELECT"]);
    exactly("CREATE TABLE t WITH ('changelog.mode' = 'append') AS S|", &["SELECT"]);
    exactly("WITH x AS |", &["(SELECT"]);
    first("WITH x AS (S|", &["SELECT"]);
    exactly("SELECT * FROM orders FOR SYSTEM_TIME AS |", &["OF"]);
}

#[test]
fn joins_have_the_conditions_and_columns_of_both_sides() {
    first(
        "SELECT * FROM orders JOIN order_items ON |",
        &["orders.order_id = order_items.order_id", "order_id"],
    );
    first(
        "SELECT * FROM orders o JOIN cdc c ON TRUE JOIN dynamo AS d ON |",
        &["c.id = d.id", "c.name = d.name", "order_id"],
    );
    exactly("SELECT * FROM cdc a JOIN cdc b ON a.n|", &["name"]);
    first("SELECT * FROM (SELECT `user` FROM orders) `a b` JOIN orders b ON |", &["`a b`.`user` = b.`user`"]);
    first("SELECT * FROM orders WHERE EXISTS (SELECT 1 FROM cdc JOIN dynamo d ON |", &["cdc.id = d.id"]);
    exactly("SELECT * FROM cdc JOIN dynamo USING (|", &["id", "name"]);
    exactly("SELECT * FROM cdc JOIN dynamo USING (id, n|) WHERE TRUE", &["name"]);
    has("SELECT * FROM cdc JOIN dynamo USING (id) |", &["WHERE", "LEFT JOIN"]);
}

#[test]
fn a_name_is_found_by_what_it_contains_if_nothing_starts_so() {
    exactly("SELECT der_| FROM orders", &["order_id"]);
    exactly("SELECT o.GION| FROM orders o", &["region"]);
    exactly("SELECT * FROM items|", &["order_items"]);
    exactly("SELECT * FROM `items|", &["order_items`"]);
    exactly("SELECT * FROM order|", &["order_items", "orders"]);
    exactly("SELECT de_| FROM orders", &[]);
    exactly("SELECT * FROM em|", &[]);
}

#[test]
fn an_assignment_starts_with_a_column_of_the_table() {
    exactly("UPDATE cdc SET n|", &["name"]);
    exactly("UPDATE cdc SET id = 1, n|", &["name"]);
    has("UPDATE cdc SET name = upp|", &["upper("]);
}

#[test]
fn extract_takes_a_unit_of_time() {
    exactly("SELECT EXTRACT(Y|", &["YEAR FROM"]);
    has("SELECT EXTRACT(d|", &["day from", "doy from", "dow from"]);
    exactly("SELECT EXTRACT(DAY |", &["FROM"]);
    first("SELECT EXTRACT(DAY FROM t| FROM orders", &["ts"]);
}

#[test]
fn functions_come_with_their_parenthesis() {
    exactly("SELECT REGEXP_EXTRACT_A| FROM orders", &["REGEXP_EXTRACT_ALL("]);
    has("SELECT cou| FROM orders", &["count("]);
    first("DESCRIBE FUNCTION UPP|", &["UPPER"]);
    first("SELECT * FROM to_c|", &["to_changelog("]);
}

#[test]
fn the_changelog_functions_have_named_arguments() {
    exactly(
        "SELECT * FROM FROM_CHANGELOG(|",
        &["input => ", "op => ", "op_mapping => ", "error_handling => ", "on_time => ", "uid => ", "TABLE"],
    );
    exactly("SELECT * FROM FROM_CHANGELOG(input => |", &["TABLE"]);
    exactly("SELECT * FROM FROM_CHANGELOG(input => TABLE cdc |", &["PARTITION BY", "ORDER BY"]);
    first("SELECT * FROM FROM_CHANGELOG(input => TABLE cdc PARTITION BY |", &["id"]);
    exactly("SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, op|", &["op => ", "op_mapping => "]);
    exactly(
        "SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, op => D|",
        &["DESCRIPTOR(op)", "DESCRIPTOR(name)"],
    );
    exactly("SELECT * FROM FROM_CHANGELOG(input => TABLE dynamo, op => DESCRIPTOR(ev|", &["eventName"]);
    exactly("SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, op_mapping => |", &["MAP["]);
    exactly("SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, error_handling => |", &["'FAIL'", "'SKIP'"]);
    exactly("SELECT * FROM TO_CHANGELOG(input => TABLE cdc, produces_full_deletes => |", &["TRUE", "FALSE"]);
    exactly("SELECT * FROM TO_CHANGELOG(input => TABLE cdc, p|", &["produces_full_deletes => "]);
}

#[test]
fn a_mapping_has_the_codes_that_occur_and_the_four_kinds() {
    let cdc = |map: &str| format!("SELECT * FROM FROM_CHANGELOG(input => TABLE cdc, op_mapping => MAP[{map}");
    // The most frequent code comes first.
    exactly(&cdc("|"), &["'u'", "'c'", "'d'"]);
    exactly(&cdc("'|"), &["u'", "c'", "d'"]);
    exactly(&cdc("'c', |"), &["'INSERT'", "'UPDATE_BEFORE'", "'UPDATE_AFTER'", "'DELETE'"]);
    exactly(&cdc("'c', 'up|"), &["UPDATE_BEFORE'", "UPDATE_AFTER'"]);
    exactly(&cdc("'c', 'INSERT', '|"), &["u'", "d'"]);
    exactly(&cdc("'c, |', 'INSERT'])"), &["u", "d"]);
    assert_eq!(completed(&cdc("'c, |")), cdc("'c, u'"));
    exactly(
        "SELECT * FROM FROM_CHANGELOG(input => TABLE dynamo, op => DESCRIPTOR(eventName), op_mapping => MAP['M|",
        &["MODIFY'"],
    );
    exactly(
        "SELECT * FROM TO_CHANGELOG(input => TABLE cdc, op_mapping => MAP['INSERT, |",
        &["UPDATE_BEFORE'", "UPDATE_AFTER'", "DELETE'"],
    );
}

#[test]
fn options_and_settings_have_their_keys_and_values() {
    let table = |options: &str| format!("CREATE TABLE t (id INT) WITH ({options}");
    exactly(&table("'|"), &["changelog.mode' = '", "connector' = '"]);
    exactly(&table("'changelog.mode' = '|"), &["append'", "upsert'", "retract'"]);
    exactly(
        &table("'connector' = |"),
        &["'filesystem'", "'stdin'", "'stdout'", "'print'", "'blackhole'", "'datagen'", "'faker'"],
    );
    has(&table("'connector' = 'datagen', 'fields.|"), &["fields.id.min' = '"]);
    exactly(&table("'connector' = 'datagen', 'fields.id.kind' = '|"), &["random'", "sequence'"]);
    exactly(
        &table("'connector' = 'faker', 'fields.id.expression' = '#{Number.r|"),
        &["#{Number.randomDouble ''2'',''1'',''100''}'"],
    );
    exactly(&table("'connector' = 'filesystem', 'p|"), &["path' = '"]);
    exactly(&table("'connector' = 'filesystem', 'format' = 'j|"), &["json'"]);
    has(&table("'connector' = 'stdin', 'format' = 'csv', |"), &["'csv.allow-comments' = '"]);
    exactly(
        &table("'connector' = 'stdin', 'format' = 'csv', 'csv.allow-comments' = '|"),
        &["true'", "false'"],
    );
    has("SET 'ro|", &["rowkind.strict' = '", "rowkind.insert' = '"]);
    exactly("SET 'rowkind.insert' = '|", &["pipeline'", "once'"]);
    has("RESET |", &["'rowkind.strict'"]);
}

#[test]
fn a_new_table_has_types_and_its_own_columns() {
    first("CREATE TABLE t (id |", &["STRING", "INT"]);
    exactly("CREATE TABLE t (id BIG|", &["BIGINT"]);
    has("CREATE TABLE t (id INT |", &["NOT NULL"]);
    has("CREATE TABLE t (id INT, |", &["PRIMARY KEY", "WATERMARK FOR"]);
    exactly("CREATE TABLE t (id INT, name STRING, PRIMARY KEY (|", &["id", "name"]);
    exactly("CREATE TABLE t (id INT, ts TIMESTAMP(3), WATERMARK FOR t|", &["ts"]);
    has("CREATE TABLE t (id INT) |", &["WITH", "AS SELECT"]);
}

#[test]
fn a_metadata_column_has_the_keys_of_its_connector_and_format() {
    exactly("CREATE TABLE t (id INT METADATA |", &["FROM", "VIRTUAL"]);
    exactly("CREATE TABLE t (f STRING METADATA FROM 'file.path' |", &["VIRTUAL"]);
    has("CREATE TABLE t (f STRING METADATA FROM |", &["'file.path'", "'line'", "'source.table'"]);
    let of = |options: &str| format!("CREATE TABLE t (f STRING METADATA FROM '|', id INT) WITH ({options})");
    exactly(
        &of("'connector' = 'filesystem', 'format' = 'csv'"),
        &["file.path", "file.name", "file.size", "file.modification-time", "line"],
    );
    exactly(&of("'connector' = 'stdin', 'format' = 'json'"), &["line"]);
    has(&of("'connector' = 'stdin', 'format' = 'debezium-json'"), &["source.table", "ingestion-timestamp"]);
    exactly(&of("'connector' = 'print'"), &[]);
}

#[test]
fn nothing_comes_in_a_comment_or_in_a_string() {
    exactly("SELECT 1 -- sel|", &[]);
    exactly("SELECT /* sel| */ 1", &[]);
    exactly("SELECT 'sel|", &[]);
}

#[test]
fn running_pipelines_can_be_stopped() {
    let mut session = session();
    session
        .run_all("CREATE TABLE copy (id INT, sku STRING); INSERT INTO copy SELECT * FROM order_items;")
        .unwrap();
    let completion = complete(&session, "STOP JOB ", 9);
    assert_eq!(completion.candidates[0].text, "'1'");
}

#[test]
fn pieces_are_marked_for_what_they_are() {
    let text = "SELECT UPPER(region), 1 FROM orders JOIN nowhere n ON 'x' = n.select -- c";
    let found = marks(&session(), text);
    let found: Vec<(&str, Mark)> = found.into_iter().map(|(range, mark)| (&text[range], mark)).collect();
    assert_eq!(
        found,
        [
            ("SELECT", Mark::Keyword),
            ("UPPER", Mark::Function),
            ("1", Mark::Number),
            ("FROM", Mark::Keyword),
            ("orders", Mark::Relation),
            ("JOIN", Mark::Keyword),
            ("nowhere", Mark::UnknownRelation),
            ("ON", Mark::Keyword),
            ("'x'", Mark::Text),
            ("-- c", Mark::Comment),
        ]
    );
}

#[test]
fn only_what_is_read_or_written_is_an_unknown_table() {
    let unknown = |text: &str| {
        let found = marks(&session(), text);
        let unknown = found.into_iter().filter(|(_, mark)| *mark == Mark::UnknownRelation);
        unknown.map(|(range, _)| text[range].to_owned()).collect::<Vec<_>>()
    };
    assert!(unknown("CREATE TABLE t (a INT)").is_empty());
    assert!(unknown("WITH x AS (SELECT 1) SELECT * FROM x, UNNEST(ARRAY[1]) AS u (n)").is_empty());
    assert!(unknown("SELECT EXTRACT(DAY FROM ts), TRIM(BOTH 'a' FROM region) FROM orders").is_empty());
    assert!(unknown("SELECT 1 WHERE 1 IS DISTINCT FROM two").is_empty());
    assert!(unknown("SELECT * FROM default_catalog.default_database.orders").is_empty());
    assert_eq!(unknown("INSERT INTO gone SELECT * FROM TO_CHANGELOG(TABLE lost)"), ["gone", "lost"]);
    assert_eq!(unknown("CREATE TABLE t AS SELECT * FROM gone; SELECT * FROM lost"), ["gone", "lost"]);
}

#[test]
fn what_is_not_closed_is_marked_as_wrong() {
    let text = "SELECT `a`, 'open";
    let found = marks(&session(), text);
    assert_eq!(found[found.len() - 2..], [(12..13, Mark::Error), (13..17, Mark::Text)]);
}

#[test]
fn a_bracket_that_closes_none_is_marked_as_wrong() {
    let wrong = |text: &str| -> Vec<usize> {
        let marks = marks(&session(), text);
        marks.into_iter().filter(|(_, mark)| *mark == Mark::Error).map(|(range, _)| range.start).collect()
    };
    assert_eq!(wrong("SELECT (1)) + MAP['a', 1])"), [10, 25]);
    assert_eq!(wrong("SELECT (1] + ')'"), [9]);
    assert!(wrong("SELECT (1 + MAP['a', ((2").is_empty());
}

#[test]
fn a_bracket_finds_its_partner_but_not_in_a_string() {
    let text = "f('(', (1))";
    assert_eq!(matching_brackets(text, text.len()), Some((1, 10)));
    assert_eq!(matching_brackets(text, 7), Some((7, 9)));
    assert_eq!(matching_brackets(text, 4), None);
}
