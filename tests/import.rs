//! Tables of files: what is recognised, and that what is written runs.

#![expect(clippy::unwrap_used, reason = "a test fails where something is not as it should be")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use rowkind::Session;
use rowkind::import::{Import, ImportError};
use tempfile::TempDir;

/// A folder with one file.
fn file(name: &str, content: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn import_of(path: &Path) -> Import {
    Import::of(path.to_str().unwrap(), Some("t")).unwrap()
}

/// The changes of an imported table: those of the suggested query, or else its own.
fn changes(import: &Import) -> Vec<String> {
    let query = import.suggestion.as_deref().unwrap_or("SELECT * FROM t");
    let result = Session::new().run_all(&format!("{};\n{query};", import.statement));
    match result {
        Ok(result) => result.lines().collect(),
        Err(error) => panic!("{error}\n{}\n{query}", import.statement),
    }
}

/// The columns of an imported table, each with its type.
fn columns(import: &Import) -> Vec<String> {
    let lines = import.statement.lines().skip(1).take_while(|line| !line.starts_with(')'));
    lines.map(|line| line.trim().trim_end_matches(',').to_owned()).collect()
}

/// Imports a file of this name and content, and compares what it is and which changes come out.
#[track_caller]
fn assert_import(name: &str, content: &str, introduction: &str, expected: &[&str]) -> Import {
    let (_folder, path) = file(name, content);
    let import = import_of(&path);
    let first = import.remarks.iter().find(|remark| remark.contains(introduction));
    assert!(first.is_some(), "{:?}\n{}", import.remarks, import.statement);
    assert_eq!(changes(&import), expected, "{}\n{:?}", import.statement, import.suggestion);
    import
}

const DEBEZIUM: &str = r#"{"before":null,"after":{"id":1,"name":"Ada"},"source":{"table":"people"},"op":"r"}
{"before":{"id":1,"name":"Ada"},"after":{"id":1,"name":"Ada L."},"source":{"table":"people"},"op":"u"}
{"before":{"id":1,"name":"Ada L."},"after":null,"source":{"table":"people"},"op":"d"}
"#;
const DEBEZIUM_CHANGES: [&str; 4] = ["+I[1, Ada]", "-U[1, Ada]", "+U[1, Ada L.]", "-D[1, Ada L.]"];

#[test]
fn debezium_has_a_format_with_its_schema_and_without() {
    let import = assert_import("p.jsonl", DEBEZIUM, "Debezium events: r 1, u 1, d 1.", &DEBEZIUM_CHANGES);
    assert_eq!(columns(&import), ["id BIGINT", "name STRING"]);
    assert!(import.statement.contains("'format' = 'debezium-json'") && import.suggestion.is_none());

    let with_schema = DEBEZIUM
        .replace("}\n", "}}\n")
        .replace("{\"before\":", "{\"schema\":{\"type\":\"struct\"},\"payload\":{\"before\":");
    let import = assert_import("p.jsonl", &with_schema, "Debezium events: r 1", &DEBEZIUM_CHANGES);
    assert!(import.statement.contains("'debezium-json.schema-include' = 'true'"), "{}", import.statement);

    // Messages without a value come behind deletions where logs are compacted.
    assert_import("p.jsonl", &format!("{DEBEZIUM}null\n"), "Debezium events", &DEBEZIUM_CHANGES);
}

#[test]
fn debezium_without_old_rows_or_of_several_tables_is_read_by_a_query() {
    let no_old = DEBEZIUM.replace("\"before\":{\"id\":1,\"name\":\"Ada\"}", "\"before\":null");
    let import = assert_import("p.jsonl", &no_old, "1 update or deletion has no row", &DEBEZIUM_CHANGES);
    assert!(import.suggestion.unwrap().contains("PARTITION BY id"));

    let other = r#"{"before":null,"after":{"no":7},"source":{"table":"orders"},"op":"t"}"#;
    let import =
        assert_import("p.jsonl", &format!("{DEBEZIUM}{other}\n"), "people 3, orders 1", &DEBEZIUM_CHANGES);
    assert!(import.suggestion.unwrap().contains("error_handling => 'SKIP'"));
}

#[test]
fn canal_has_a_format_and_types_of_mysql() {
    let lines = r#"{"data":[{"id":"1","zip":"00123","price":"9.50"}],"database":"d","table":"a","isDdl":false,"mysqlType":{"id":"int(11)","zip":"varchar(9)","price":"decimal(8,2)"},"old":null,"pkNames":["id"],"type":"INSERT"}
{"data":[{"id":"1","zip":"00123","price":"8.00"}],"database":"d","table":"a","isDdl":false,"old":[{"price":"9.50"}],"pkNames":["id"],"type":"UPDATE"}
{"data":null,"database":"d","table":"a","isDdl":true,"sql":"ALTER TABLE a","type":"ALTER"}
"#;
    let expected = ["+I[1, 00123, 9.50]", "-U[1, 00123, 9.50]", "+U[1, 00123, 8.00]"];
    let import = assert_import("a.jsonl", lines, "Canal events: INSERT 1, UPDATE 1, ALTER 1.", &expected);
    assert_eq!(columns(&import), ["id BIGINT", "zip STRING", "price DECIMAL(8, 2)"]);
}

#[test]
fn maxwell_has_a_format_unless_it_has_a_snapshot() {
    let lines = r#"{"database":"d","table":"a","type":"insert","ts":1,"data":{"id":1,"v":2.5}}
{"database":"d","table":"a","type":"update","ts":2,"data":{"id":1,"v":3.5},"old":{"v":2.5}}
{"database":"d","table":"a","type":"delete","ts":3,"data":{"id":1,"v":3.5}}
"#;
    let one = ["+I[1, 2.5]", "-U[1, 2.5]", "+U[1, 3.5]", "-D[1, 3.5]"];
    let import = assert_import("a.jsonl", lines, "Maxwell events: insert 1, update 1, delete 1.", &one);
    assert!(import.statement.contains("maxwell-json"));
    let snapshot = lines.replace("\"insert\"", "\"bootstrap-insert\"");
    let import = assert_import("a.jsonl", &snapshot, "Maxwell events: bootstrap-insert 1", &one);
    assert!(import.suggestion.is_some());
}

#[test]
fn golden_gate_has_a_format() {
    let lines = r#"{"table":"S.P","op_type":"I","op_ts":"2024-01-01 10:00:00.000001","pos":"1","before":null,"after":{"ID":1,"N":"a"}}
{"table":"S.P","op_type":"U","op_ts":"2024-01-01 10:00:01.000001","pos":"2","before":{"ID":1,"N":"a"},"after":{"ID":1,"N":"b"}}
"#;
    let import = assert_import(
        "p.json",
        lines,
        "Oracle GoldenGate events: I 1, U 1.",
        &["+I[1, a]", "-U[1, a]", "+U[1, b]"],
    );
    assert!(import.statement.contains("ogg-json"));
}

#[test]
fn dynamodb_streams_are_read_by_their_keys() {
    let lines = r#"{"eventName":"INSERT","dynamodb":{"Keys":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"a"},"age":{"N":"30"},"tags":{"SS":["x"]}}}}
{"eventName":"MODIFY","dynamodb":{"Keys":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"a"},"age":{"N":"31.5"},"vip":{"BOOL":true}}}}
{"eventName":"REMOVE","dynamodb":{"Keys":{"pk":{"S":"a"}},"OldImage":{"pk":{"S":"a"},"age":{"N":"31.5"}}}}
"#;
    let expected = [
        "+I[a, 30.0, [x], null]",
        "-U[a, 30.0, [x], null]",
        "+U[a, 31.5, null, TRUE]",
        "-D[a, 31.5, null, TRUE]",
    ];
    assert_import("s.jsonl", lines, "DynamoDB Streams records: INSERT 1, MODIFY 1, REMOVE 1.", &expected);
    // As a function gets them.
    let records: Vec<&str> = lines.lines().collect();
    let batch = format!("{{\"Records\": [\n{}\n]}}", records.join(",\n"));
    assert_import("s.json", &batch, "DynamoDB Streams records: INSERT 1, MODIFY 1, REMOVE 1.", &expected);
}

#[test]
fn an_attribute_without_a_type_is_taken_as_it_is() {
    let lines = r#"{"eventName":"INSERT","dynamodb":{"Keys":{"pk":{"S":"a"}},"NewImage":{"pk":{"S":"a"},"age":30,"note":{"NULL":true}}}}
"#;
    assert_import("s.jsonl", lines, "DynamoDB Streams records: INSERT 1.", &["+I[a, 30, TRUE]"]);
}

#[test]
fn mongodb_values_are_taken_out_of_what_is_around_them() {
    let lines = r#"{"operationType":"insert","ns":{"coll":"c"},"documentKey":{"_id":{"$oid":"65a"}},"fullDocument":{"_id":{"$oid":"65a"},"total":{"$numberDecimal":"19.90"}}}
{"operationType":"replace","ns":{"coll":"c"},"documentKey":{"_id":{"$oid":"65a"}},"fullDocument":{"_id":{"$oid":"65a"},"total":{"$numberDecimal":"5"}}}
{"operationType":"delete","ns":{"coll":"c"},"documentKey":{"_id":{"$oid":"65a"}}}
{"operationType":"drop","ns":{"coll":"c"}}
"#;
    let expected = ["+I[65a, 19.90]", "-U[65a, 19.90]", "+U[65a, 5.00]", "-D[65a, 5.00]"];
    assert_import(
        "c.jsonl",
        lines,
        "A MongoDB change stream: insert 1, replace 1, delete 1, drop 1.",
        &expected,
    );
}

#[test]
fn many_members_that_are_rare_are_columns_of_an_event_all_the_same() {
    let event = |n| {
        format!(
            "{{\"operationType\":\"insert\",\"documentKey\":{{\"_id\":\"{n}\"}},\"fullDocument\":{{\"_id\":\"{n}\",\"f{n}\":\"x\"}}}}\n"
        )
    };
    let (_folder, path) = file("c.jsonl", &(0..12).map(event).collect::<String>());
    assert_eq!(changes(&import_of(&path))[0], format!("+I[0, x{}]", ", null".repeat(11)));
}

#[test]
fn an_update_of_the_key_in_wal2json_takes_the_old_row_away() {
    let second = r#"{"action":"B"}
{"action":"I","schema":"public","table":"a","columns":[{"name":"id","type":"integer","value":1},{"name":"v","type":"numeric(5,2)","value":2.5}],"pk":[{"name":"id","type":"integer"}]}
{"action":"U","schema":"public","table":"a","columns":[{"name":"id","type":"integer","value":2},{"name":"v","type":"numeric(5,2)","value":2.5}],"identity":[{"name":"id","type":"integer","value":1}]}
{"action":"C"}
"#;
    let expected = ["+I[1, 2.50]", "-D[1, 2.50]", "+I[2, 2.50]"];
    assert_import("w.jsonl", second, "wal2json, format 2: B 1, I 1, U 1, C 1.", &expected);
    let first = r#"{"change":[{"kind":"insert","schema":"public","table":"a","columnnames":["id","v"],"columntypes":["integer","numeric(5,2)"],"columnvalues":[1,2.5]},{"kind":"update","schema":"public","table":"a","columnnames":["id","v"],"columntypes":["integer","numeric(5,2)"],"columnvalues":[2,2.5],"oldkeys":{"keynames":["id"],"keytypes":["integer"],"keyvalues":[1]}}]}
"#;
    assert_import("w.jsonl", first, "wal2json, format 1: insert 1, update 1.", &expected);
}

#[test]
fn codes_in_columns_are_found_with_what_they_mean() {
    let sql_server = "__$start_lsn,__$operation,id,name\n0x01,2,1,a\n0x02,3,1,a\n0x02,4,1,b\n0x03,1,1,b\n";
    let all = ["+I[1, a]", "-U[1, a]", "+U[1, b]", "-D[1, b]"];
    let import = assert_import("ct.csv", sql_server, "SQL Server: 2 1, 3 1, 4 1, 1 1.", &all);
    assert!(!import.suggestion.unwrap().contains("PARTITION"));
    // Net changes have no old rows.
    assert_import("ct.csv", "__$operation,id,name\n2,1,a\n4,1,b\n1,1,b\n", "SQL Server", &all);

    assert_import("LOAD.csv", "I,1,a\nU,1,b\nD,1,b\n", "Rows with a code in column column1: I 1", &all);
    assert_import("f.csv", "Op,id,name\nI,1,a\nU,1,b\nD,1,b\n", "AWS DMS rows: I 1, U 1, D 1.", &all);
    let dms = r#"{"metadata":{"record-type":"control","operation":"create-table","table-name":"a"}}
{"data":{"id":1,"name":"a"},"metadata":{"record-type":"data","operation":"load","table-name":"a"}}
{"data":{"id":1,"name":"b"},"metadata":{"record-type":"data","operation":"update","table-name":"a"}}
{"data":{"id":1,"name":"b"},"metadata":{"record-type":"data","operation":"delete","table-name":"a"}}
"#;
    assert_import("k.json", dms, "AWS DMS records: create-table 1, load 1, update 1, delete 1.", &all);

    let plain = "{\"id\":1,\"name\":\"a\",\"event_type\":\"created\"}\n{\"id\":1,\"name\":\"b\",\"event_type\":\"updated\"}\n{\"id\":1,\"event_type\":\"deleted\"}\n{\"event_type\":\"ping\"}\n{\"id\":1}\n";
    let import =
        assert_import("e.jsonl", plain, "column event_type: created 1, updated 1, deleted 1, ping 1.", &all);
    assert!(import.remarks.iter().any(|remark| remark.contains("skipped: ping 1.")), "{:?}", import.remarks);
    assert!(
        import.remarks.iter().any(|remark| remark.starts_with("1 row has no code")),
        "{:?}",
        import.remarks
    );
    let query = import.suggestion.unwrap();
    assert!(
        query.starts_with("SELECT * FROM FROM_CHANGELOG(\n  input => TABLE t PARTITION BY id,\n"),
        "{query}"
    );

    let delta = "{\"id\":1,\"name\":\"a\",\"_change_type\":\"insert\",\"_commit_version\":1}\n{\"id\":1,\"name\":\"a\",\"_change_type\":\"update_preimage\",\"_commit_version\":2}\n{\"id\":1,\"name\":\"b\",\"_change_type\":\"update_postimage\",\"_commit_version\":2}\n";
    assert_import("d.jsonl", delta, "A change data feed of Delta Lake", &all[..3]);

    let soft = "id,name,is_deleted\n1,a,false\n1,b,false\n1,b,true\n";
    assert_import("s.csv", soft, "marked as deleted in column is_deleted", &all);
}

#[test]
fn rows_that_are_no_changes_have_no_suggestion() {
    for content in ["{\"id\":1,\"type\":\"book\"}\n", "{\"id\":1,\"op\":\"and\"}\n{\"id\":2,\"op\":\"or\"}\n"]
    {
        let (_folder, path) = file("a.jsonl", content);
        let import = import_of(&path);
        assert_eq!((import.suggestion, import.remarks), (None, vec![]));
    }
}

#[test]
fn a_query_names_only_what_is_there() {
    for content in [
        // No columns, or none that is the key.
        r#"{"database":"d","table":"a","type":"insert","data":{}}"#,
        r#"{"database":"d","table":"a","type":"bootstrap-insert","primary_key_columns":["no"],"data":{"id":1}}"#,
        r#"{"change":[{"kind":"insert","table":"t"}]}"#,
        // Parts that are not objects everywhere.
        "{\"data\":{\"id\":1},\"metadata\":{\"operation\":\"load\"}}\n{\"data\":{\"id\":1},\"metadata\":\"x\"}\n\
         {\"data\":{\"id\":2},\"metadata\":{\"operation\":\"load\"}}",
    ] {
        let (_folder, path) = file("a.jsonl", content);
        let import = import_of(&path);
        assert!(!changes(&import).is_empty(), "{content}");
    }
    // Names that are those of columns and of parts of the event.
    let canal = r#"{"data":[{"id":"1","type":"a","table":"b"}],"database":"d","type":"INSERT","table":"t","pkNames":["id"]}"#;
    assert_import("c.txt", &format!("k\t{canal}\n"), "Canal events", &["+I[1, a, b]"]);
    let header = salesforce("CREATE", "\"1\"", "", ",\"id\":\"x\"");
    assert_import("s.jsonl", &header, "Salesforce change events", &["+I[1, x]"]);
}

#[test]
fn documents_may_be_lines_or_take_several_or_be_elements() {
    for content in [
        "{\"id\":1}\n{\"id\":2}\n",
        "[{\"id\":1},{\"id\":2}]",
        "[\n  {\n    \"id\": 1\n  },\n  {\"id\": 2}\n]\n",
        "{\n  \"id\": 1\n}\n{\n  \"id\":\n 2}\n",
        "{\"id\":1} {\"id\":2}",
    ] {
        let (_folder, path) = file("a.json", content);
        let import = import_of(&path);
        assert_eq!(changes(&import), ["+I[1]", "+I[2]"], "{content}");
    }
}

#[test]
fn a_document_that_is_not_closed_or_not_followed_by_a_comma_is_an_error_with_its_place() {
    let table = |path: &Path| {
        let path = path.display();
        format!(
            "CREATE TABLE t (id INT) WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'json', 'json.multi-line' = 'true'); SELECT * FROM t;"
        )
    };
    for (content, expected) in [
        ("[\n{\"id\":1}\n{\"id\":2}]", ":3:1: \"{\"id\":2}]\" where ',' or ']' is expected"),
        ("[\n{\"id\":1},\n{\"id\":", ":3:1: the file ends before its document does"),
        ("{\"id\":1}\n{\"id\":\n\n true}", ":4:2: "),
    ] {
        let (_folder, path) = file("a.json", content);
        let error = Session::new().run_all(&table(&path)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn folders_patterns_and_compressed_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let zipped = |name: &str, content: &str| {
        let file = fs::File::create(folder.path().join(name)).unwrap();
        let mut encoder = GzEncoder::new(file, Compression::default());
        encoder.write_all(content.as_bytes()).unwrap();
        encoder.finish().unwrap();
    };
    zipped("a.csv.gz", "id,name\n1,x\n");
    zipped("b.csv.gz", "id,name\n2,y\n");
    for path in [folder.path().to_owned(), folder.path().join("*.gz")] {
        let import = import_of(&path);
        assert_eq!(columns(&import), ["id BIGINT", "name STRING"]);
        assert_eq!(changes(&import), ["+I[1, x]", "+I[2, y]"]);
    }
    let named = Import::of(folder.path().join("a.csv.gz").to_str().unwrap(), None).unwrap();
    assert_eq!(named.table, "a");
}

#[test]
fn types_and_names_are_those_of_the_values() {
    let content = r#"{"order":1,"at":"2024-01-02T03:04:05Z","day":"2024-01-02","lines":[{"sku":"a","qty":1.25}],"geo":52.520008}
"#;
    let (_folder, path) = file("2024 orders.json", content);
    let import = Import::of(path.to_str().unwrap(), None).unwrap();
    assert_eq!(import.table, "t_2024_orders");
    assert_eq!(
        columns(&import),
        [
            "`order` BIGINT",
            "`at` TIMESTAMP_LTZ(3)",
            "`day` DATE",
            "lines ARRAY<ROW<`sku` STRING, `qty` DECIMAL(10, 2)>>",
            "geo DOUBLE"
        ]
    );
    assert!(import.statement.contains("'json.timestamp-format.standard' = 'ISO-8601'"));
    let result =
        Session::new().run_all(&format!("{}; SELECT * FROM {};", import.statement, import.table)).unwrap();
    let lines: Vec<String> = result.lines().collect();
    assert_eq!(lines, ["+I[1, 2024-01-02 03:04:05.000, 2024-01-02, [(a, 1.25)], 52.520008]"]);
}

#[test]
fn an_empty_value_is_null_where_a_column_is_no_text() {
    let (_folder, path) = file("a.csv", "id;price;note\n1;2.50;x\n2;;y\n");
    let import = import_of(&path);
    assert_eq!(columns(&import), ["id BIGINT", "price DECIMAL(10, 2)", "note STRING"]);
    assert_eq!(changes(&import), ["+I[1, 2.50, x]", "+I[2, null, y]"]);
}

/// A change event of Salesforce, with what its header says besides, and its fields.
fn salesforce(change: &str, records: &str, header: &str, fields: &str) -> String {
    format!(
        "{{\"ChangeEventHeader\":{{\"recordIds\":[{records}],\"changeType\":\"{change}\"{header}}}{fields}}}\n"
    )
}

#[test]
fn salesforce_says_only_what_changed_and_keeps_the_rest() {
    let lines = [
        salesforce("CREATE", "\"1\",\"2\"", "", ",\"Name\":\"a\",\"Geo\":{\"City\":\"x\",\"Zip\":\"1\"}"),
        salesforce("UPDATE", "\"1\"", "", ",\"Geo\":{\"City\":\"y\"}"),
        salesforce("GAP_UPDATE", "\"1\"", "", ""),
        salesforce("DELETE", "\"2\"", "", ""),
        salesforce("GAP_DELETE", "\"1\"", "", ""),
        salesforce("UNDELETE", "\"2\"", "", ",\"Name\":\"b\",\"Geo\":{\"City\":\"x\",\"Zip\":\"1\"}"),
    ];
    let introduction =
        "Salesforce change events: CREATE 1, UPDATE 1, GAP_UPDATE 1, DELETE 1, GAP_DELETE 1, UNDELETE 1.";
    let expected = [
        "+I[1, a, x, 1]",
        "+I[2, a, x, 1]",
        "-U[1, a, x, 1]",
        "+U[1, a, y, 1]",
        "-U[2, a, x, 1]",
        "-U[1, a, y, 1]",
        "+U[2, b, x, 1]",
    ];
    let import = assert_import("s.jsonl", &lines.concat(), introduction, &expected);
    assert!(import.remarks.iter().any(|remark| remark.starts_with("Nothing names what was set to NULL")));
    let nested = |around: (&str, &str)| -> String {
        let lines = lines.iter().map(|line| format!("{}{}{}\n", around.0, line.trim(), around.1));
        lines.collect::<Vec<_>>().concat()
    };
    assert_import("s.jsonl", &nested(("{\"schema\":\"s\",\"payload\":", "}")), introduction, &expected);
    assert_import("s.jsonl", &nested(("{\"data\":{\"payload\":", "}}")), introduction, &expected);

    // What was set to NULL is known where it is named; other tables are left out.
    let nulled = [
        salesforce("CREATE", "\"1\"", ",\"entityName\":\"A\",\"nulledFields\":[]", ",\"N\":\"a\",\"M\":1"),
        salesforce("UPDATE", "\"1\"", ",\"entityName\":\"A\",\"nulledFields\":[\"N\"]", ""),
        salesforce("CREATE", "\"7\"", ",\"entityName\":\"B\",\"nulledFields\":[]", ",\"Other\":\"a\""),
    ];
    let expected = ["+I[1, a, 1]", "-U[1, a, 1]", "+U[1, null, 1]"];
    assert_import("s.jsonl", &nulled.concat(), "several tables: A 2, B 1. Those of A are read.", &expected);

    // Updates with all fields replace the row.
    let whole = [
        salesforce("CREATE", "\"1\"", "", ",\"Id\":5,\"Name\":\"a\""),
        salesforce("UPDATE", "\"1\"", "", ",\"Id\":5,\"Name\":\"b\""),
        salesforce("DELETE", "\"1\"", "", ""),
    ];
    let expected = ["+I[1, 5, a]", "-U[1, 5, a]", "+U[1, 5, b]", "-D[1, 5, b]"];
    let import = assert_import("s.jsonl", &whole.concat(), "Salesforce change events: CREATE 1", &expected);
    assert!(import.suggestion.unwrap().contains("PARTITION BY RecordId"));
}

#[test]
fn topics_of_shopify_say_what_happened() {
    let expected = ["+I[1, a]", "-U[1, a]", "+U[1, b]", "-D[1, b]"];
    let events = [
        ("products/create", ",\"title\":\"a\""),
        ("products/update", ",\"title\":\"b\""),
        ("products/delete", ""),
    ];
    for shape in [
        r#"{"topic":"TOPIC","payload":{"id":1FIELDS}}"#,
        r#"{"headers":{"X-Shopify-Topic":"TOPIC"},"body":{"id":1FIELDS}}"#,
        r#"{"detail":{"metadata":{"X-Shopify-Topic":"TOPIC"},"payload":{"id":1FIELDS}}}"#,
        r#"{"topic":"TOPIC","id":1FIELDS}"#,
    ] {
        let event = |topic: &str, fields: &str| {
            format!("{}\n", shape.replace("TOPIC", topic).replace("FIELDS", fields))
        };
        let lines = events.map(|(topic, fields)| event(topic, fields)).concat();
        let introduction = "Shopify webhooks: products/create 1, products/update 1, products/delete 1.";
        assert_import("w.jsonl", &lines, introduction, &expected);
        let more =
            [lines, event("orders/paid", ",\"total\":\"1.00\""), event("app/uninstalled", "")].concat();
        let import = assert_import("w.jsonl", &more, "several tables: products 3, orders 1.", &expected);
        assert!(import.suggestion.unwrap().contains("'SKIP'"));
    }
    let other = "{\"topic\":\"a/create\",\"v\":1}\n{\"topic\":\"plain words\",\"id\":1}\n";
    let (_folder, path) = file("w.jsonl", other);
    assert_eq!(import_of(&path).suggestion, None);
}

#[test]
fn lines_of_keys_and_values_are_upserts_and_deletions() {
    let changes = ["+I[1, EU]", "+I[2, US]", "-U[1, EU]", "+U[1, AP]", "-D[2, US]"];
    let object = "{\"id\":1}\t{\"id\":1,\"region\":\"EU\"}\n{\"id\":2}\t{\"id\":2,\"region\":\"US\"}\n\
                  {\"id\":1}\t{\"id\":1,\"region\":\"AP\"}\n{\"id\":2}\t\n";
    let introduction = "4 lines of a key and a value with a tab between them.";
    let import = assert_import("users.txt", object, introduction, &changes);
    assert_eq!(columns(&import), ["id BIGINT", "region STRING", "PRIMARY KEY (id) NOT ENFORCED"]);
    assert!(import.statement.contains("'key.format' = 'json'"), "{}", import.statement);
    assert!(import.remarks[1].ends_with("1 has no value and deletes it."), "{:?}", import.remarks);
    // The name of the file does not matter if it does not say that the lines are of CSV.
    assert_import("users.jsonl", object, introduction, &changes);

    // What only the key has is taken from there, and so is what the value has another of.
    let only_in_key = object.replace("\t{\"id\":1,", "\t{").replace("\t{\"id\":2,", "\t{\"id\":\"x\",");
    let import = assert_import("users.txt", &only_in_key, "The values have another id", &changes);
    assert!(import.statement.contains("'value.fields-include' = 'EXCEPT_KEY'"), "{}", import.statement);

    // A plain key is the member of the values that is the same, or a column of its own.
    let plain = object.replace("{\"id\":1}\t", "1\t").replace("{\"id\":2}\t", "2\t");
    let import = assert_import("users", &plain, introduction, &changes);
    assert_eq!(columns(&import), ["id BIGINT", "region STRING", "PRIMARY KEY (id) NOT ENFORCED"]);
    let import = assert_import(
        "users",
        "a b|{\"key\":1}\nc|{\"key\":2}\na b|\n",
        "3 lines of a key and a value with '|' between them.",
        &["+I[a b, 1]", "+I[c, 2]", "-D[a b, 1]"],
    );
    assert_eq!(columns(&import), ["key_2 STRING", "key BIGINT", "PRIMARY KEY (key_2) NOT ENFORCED"]);
    assert_import(
        "u",
        "\"a:b\"\t{\"n\":1}\n\"c\"\t{\"n\":2}\n",
        "2 lines of a key",
        &["+I[a:b, 1]", "+I[c, 2]"],
    );
    assert_import("u", "k\u{1}{\"n\":1}\n", "with '\\u0001' between them.", &["+I[k, 1]"]);
    // A key that has more in it than values is a text.
    let nested = "{\"id\":{\"a\":1}}\t{\"n\":1}\n{\"id\":{\"a\":1}}\t\n";
    assert_import("u", nested, "2 lines", &["+I[{\"id\":{\"a\":1}}, 1]", "-D[{\"id\":{\"a\":1}}, 1]"]);
}

#[test]
fn change_events_behind_keys_are_read_by_a_query_that_knows_their_key() {
    // The name is not the likeliest key, but it is the key.
    let keyed = |key: &str, values: &str| {
        let lines = values.lines().map(|line| format!("{key}\t{line}\n"));
        lines.chain([format!("{key}\t\n")]).collect::<String>()
    };
    let events = r#"{"before":null,"after":{"id":1,"name":"Ada"},"op":"c"}
{"before":{"id":1,"name":"Ada"},"after":{"id":2,"name":"Ada"},"op":"u"}
{"before":{"id":2,"name":"Ada"},"after":null,"op":"d"}
"#;
    let changes = ["+I[Ada, 1]", "-U[Ada, 1]", "+U[Ada, 2]", "-D[Ada, 2]"];
    let introduction = "Debezium events: c 1, u 1, d 1.";
    let import = assert_import("p.txt", &keyed("{\"name\":\"Ada\"}", events), introduction, &changes);
    assert!(!import.remarks.iter().any(|remark| remark.contains("guessed")), "{:?}", import.remarks);
    assert!(!import.statement.contains("PRIMARY KEY"), "{}", import.statement);
    let with_schema = "{\"schema\":{},\"payload\":{\"name\":\"Ada\"}}";
    let in_payload =
        events.replace("}\n", "}}\n").replace("{\"before\"", "{\"schema\":{},\"payload\":{\"before\"");
    assert_import("p.txt", &keyed(with_schema, &in_payload), introduction, &changes);
    // A key that says nothing leaves the guess.
    let import = assert_import(
        "p.txt",
        &keyed("17", events),
        introduction,
        &["+I[1, Ada]", "+I[2, Ada]", "-D[2, Ada]"],
    );
    assert!(import.remarks.iter().any(|remark| remark == "The key was guessed: id."), "{:?}", import.remarks);

    let canal = r#"{"data":[{"id":"1","v":"a"},{"id":"2","v":"b"}],"database":"d","type":"INSERT","pkNames":["id"]}
{"data":[{"id":"1","v":"c"}],"old":[{"v":"a"}],"database":"d","type":"UPDATE","pkNames":["id"]}
{"data":[{"id":"2","v":"b"}],"database":"d","type":"DELETE","pkNames":["id"]}
"#;
    let changes = ["+I[1, a]", "+I[2, b]", "-U[1, a]", "+U[1, c]", "-D[2, b]"];
    assert_import("c.txt", &keyed("k", canal), "Canal events: INSERT 1, UPDATE 1, DELETE 1.", &changes);
    let maxwell = r#"{"database":"d","table":"a","type":"insert","data":{"id":1,"v":"a"}}
{"database":"d","table":"a","type":"delete","data":{"id":1,"v":"a"}}
"#;
    assert_import("m.txt", &keyed("k", maxwell), "Maxwell events", &["+I[1, a]", "-D[1, a]"]);

    // Codes count where no key without a value says what is deleted.
    let codes = "1\t{\"name\":\"a\",\"op\":\"c\"}\n1\t{\"name\":\"b\",\"op\":\"u\"}\n1\t{\"op\":\"d\"}\n";
    let changes = ["+I[1, a]", "-U[1, a]", "+U[1, b]", "-D[1, b]"];
    assert_import("c.txt", codes, "Rows with a code in column op: c 1, u 1, d 1.", &changes);
}

#[test]
fn what_is_not_all_keys_and_values_has_none() {
    for (name, content) in [
        ("a.tsv", "1\t{\"a\":1}\n2\t{\"a\":2}\n"),
        ("a.csv", "1|{}\n2|{}\n"),
        ("a.txt", "id\tdoc\n1\t{\"a\":1}\n"),
        ("a.txt", "1\tone\n2\ttwo\n"),
        ("a.log", "10:00:01\tINFO\t{\"a\":1}\n10:00:02\tINFO\t{\"a\":2}\n"),
        ("a.log", "INFO:{\"a\":1}\nINFO:{\"a\":2}\n"),
        ("a.log", "at 10 {\"a\":1}\nat 11 {\"a\":2}\n"),
        ("a.json", "{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}\n"),
    ] {
        let (_folder, path) = file(name, content);
        let import = import_of(&path);
        assert!(!import.statement.contains("key.format"), "{content}\n{}", import.statement);
        assert!(!changes(&import).is_empty(), "{content}\n{}", import.statement);
    }
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let error = |name: &str, content: &str| {
        let (_folder, path) = file(name, content);
        Import::of(path.to_str().unwrap(), None).unwrap_err()
    };
    assert!(matches!(error("a.csv", ""), ImportError::Empty { .. }));
    assert!(matches!(error("a.json", "\n"), ImportError::Empty { .. }));
    assert!(matches!(error("a.json", "{\"a\": nul}"), ImportError::NoJson { .. }));
    assert!(matches!(error("a.json", "[1, 2]"), ImportError::NoObjects { .. }));
    assert!(matches!(Import::of("nowhere.csv", None).unwrap_err(), ImportError::Connect(_)));
}
