//! What is wrong with what is read or written, and where.

use rowkind::Session;
use rowkind::changelog::{Cause, Changes, RowKind};
use rowkind::connect::ConnectError;
use rowkind::session::Collected;
use rowkind::value::Value;

use super::common::{all, connect, read, read_from, rows, schema, written};

/// The rows before a flaw, the flaw, and its hint.
fn flaw(columns: &str, options: &str, text: &str) -> (usize, String, String) {
    let schema = schema(columns);
    let connector = connect(&format!("connector=stdin {options}"), &schema).expect("the options are right");
    let (changes, result) = read(&connector, text, &all(&schema));
    let error = result.expect_err(text);
    (changes.len(), error.to_string(), error.hint().unwrap_or_default())
}

#[test]
fn a_flaw_in_json_names_its_place_column_and_value() {
    let columns = "id INT, name STRING, at ROW<x INT, ys ARRAY<INT>>";
    for (text, expected) in [
        ("{\"id\":1}\n{\"id\":\"x\"}", "input:2:7: \"x\" is not an INT, in column \"id\""),
        ("{\"name\":\"é\",\"id\":[1]}", "input:1:18: \"[1]\" is not an INT, in column \"id\""),
        ("{\"at\":{\"x\":1,\"ys\":[1,\"two\"]}}", "input:1:22: \"two\" is not an INT, in column \"at.ys\""),
        ("{\"at\":5}", "input:1:7: \"5\" is not a ROW<`x` INT, `ys` ARRAY<INT>>, in column \"at\""),
        ("{\"id\":1 \"name\":2}", "input:1:9: \"\"name\":2}\" where ',' or '}' is expected"),
        ("{\"id\":1", "input:1:8: the line ends where ',' or '}' is expected"),
        ("{\"id\":01}", "input:1:7: \"01}\" where a number is expected, in column \"id\""),
        ("{\"name\":\"a", "input:1:9: a string is not closed, in column \"name\""),
        ("{\"name\":\"\\x\"}", "input:1:10: \"\\x\"}\" where an escape is expected, in column \"name\""),
        ("  \n", "input:1:1: a line has nothing but blanks"),
        ("[{\"id\":1},7]", "input:1:11: \"7]\" where an object is expected"),
    ] {
        let (_, message, _) = flaw(columns, "format=json", text);
        assert_eq!(message, expected, "{text}");
    }
    let long = format!("{{\"id\":\"{}\"}}", "0123456789".repeat(9));
    let (_, message, hint) = flaw(columns, "format=json", &long);
    assert_eq!(
        message,
        "input:1:7: \"0123456789012345678901234567890123456789…\" is not an INT, in column \"id\""
    );
    assert_eq!(hint, "With 'json.ignore-parse-errors' = 'true' it is read as NULL.");
}

#[test]
fn a_flaw_in_csv_names_its_place_column_and_value() {
    let columns = "id INT, name STRING";
    for (text, expected) in [
        ("1,a\nx,b\n", "input:2:1: \"x\" is not an INT, in column \"id\""),
        ("1,\"two\nlines\"\n,b\n", "input:3:1: \"\" is not an INT, in column \"id\""),
        ("1\n", "input:1:1: a line has 1 value where 2 are expected"),
        ("1,é,3\n", "input:1:5: a line has more than 2 values"),
        ("1,\"a\nb\n", "input:1:3: a value in quotes is not closed"),
        ("1,\"a\"b\n", "input:1:6: \"b\" follows a value in quotes"),
    ] {
        let (_, message, _) = flaw(columns, "format=csv", text);
        assert_eq!(message, expected, "{text}");
    }
    let (before, _, hint) = flaw(columns, "format=csv", "1,a\n2,b\n,c\n4,d\n");
    assert_eq!((before, hint.as_str()), (2, "With 'csv.null-literal' = '' nothing is read as NULL."));
}

#[test]
fn after_a_flaw_there_is_nothing_more_to_read() {
    let schema = schema("id INT");
    let connector = connect("connector=stdin format=csv", &schema).unwrap();
    let mut reader = connector.reader_of("input", Box::new("1\nx\n3\n".as_bytes()), &[0]).unwrap();
    let mut out = Changes::new(1);
    assert!(reader.read(64, Cause::default(), &mut out).is_err());
    assert_eq!(reader.read(64, Cause::default(), &mut out), Ok(false));
    assert_eq!(rows(&out), ["[1]"]);
}

#[test]
fn a_missing_field_is_named() {
    let (_, message, _) =
        flaw("id INT, name STRING", "format=json json.fail-on-missing-field=true", "{\"id\":1}");
    assert_eq!(message, "input:1:1: field \"name\" is missing");
}

#[test]
fn bytes_that_are_no_text_have_a_place_or_are_skipped() {
    let schema = schema("id INT, name STRING");
    let bytes = b"{\"id\":1}\n{\"id\":2,\"name\":\"\xc3\xa9\xff\"}\n{\"id\":3}\n{\"id\":4,\"name\":\"\xc3";
    let connector = connect("connector=stdin format=json", &schema).unwrap();
    let (changes, result) = read_from(&connector, &bytes[..], &[0]);
    assert_eq!(result.unwrap_err().to_string(), "input:2:18: byte 0xff is not UTF-8");
    assert_eq!(changes.len(), 1);
    let connector = connect("connector=stdin format=json json.ignore-parse-errors=true", &schema).unwrap();
    let (changes, result) = read_from(&connector, &bytes[..], &[0]);
    assert_eq!((rows(&changes), result), (vec!["[1]".to_owned(), "[3]".to_owned()], Ok(())));
    let csv = connect("connector=stdin format=csv csv.ignore-parse-errors=true", &schema).unwrap();
    let (changes, result) = read_from(&csv, &b"1,a\n2,\xff\n3,c\n"[..], &[0]);
    assert_eq!((rows(&changes), result), (vec!["[1]".to_owned(), "[3]".to_owned()], Ok(())));
}

#[test]
fn a_file_that_is_no_text_at_all_fails_at_its_first_byte() {
    let connector = connect("connector=stdin format=csv", &schema("id INT")).unwrap();
    let (_, result) = read_from(&connector, &b"\x1f\x8b\x08\x00"[..], &[0]);
    assert_eq!(result.unwrap_err().to_string(), "input:1:2: byte 0x8b is not UTF-8");
}

#[test]
fn only_insertions_are_written_as_json_and_csv() {
    let mut changes = Changes::new(1);
    changes.push(RowKind::Insert, Cause::default(), &[Value::integer(1)]);
    changes.push(RowKind::Delete, Cause::default(), &[Value::integer(1)]);
    for format in ["json", "csv"] {
        let connector = connect(&format!("connector=stdout format={format}"), &schema("id INT")).unwrap();
        let error = written(&connector, &changes).unwrap_err();
        assert_eq!(error.to_string(), "cannot write a row to \"output\": it takes only insertions, not -D");
    }
}

#[test]
fn a_null_key_fails_is_dropped_or_has_a_literal() {
    let schema = schema("a ARRAY<MAP<STRING, INT>>");
    let entries = vec![
        (Value::string("nil"), Value::integer(1)),
        (Value::NULL, Value::integer(2)),
        (Value::string("k"), Value::NULL),
    ];
    let mut changes = Changes::new(1);
    let row = [Value::list(vec![Value::entries(entries)])];
    changes.push(RowKind::Insert, Cause::default(), &row);
    let with = |options: &str| {
        let connector = connect(&format!("connector=stdout format=json {options}"), &schema).unwrap();
        written(&connector, &changes)
    };
    let error = with("").unwrap_err();
    assert!(matches!(&error, ConnectError::Row { column: Some(column), .. } if column == "a"), "{error}");
    assert_eq!(error.hint().as_deref(), Some("'json.map-null-key.mode' can be 'DROP' or 'LITERAL'."));
    let drop = "json.map-null-key.mode=DROP";
    assert_eq!(with(drop).unwrap(), "{\"a\":[{\"nil\":1,\"k\":null}]}\n");
    let literal = "json.map-null-key.mode=LITERAL json.map-null-key.literal=";
    assert_eq!(with(&format!("{literal}none")).unwrap(), "{\"a\":[{\"nil\":1,\"none\":2,\"k\":null}]}\n");
    assert_eq!(with(&format!("{literal}nil")).unwrap(), "{\"a\":[{\"nil\":2,\"k\":null}]}\n");
}

#[test]
fn decimals_are_plain_if_csv_is_told_so() {
    let schema = schema("d DECIMAL(10, 2)");
    let source = connect("connector=stdin format=csv", &schema).unwrap();
    let (changes, _) = read(&source, "100\n1.5\n", &[0]);
    let plain = "connector=stdout format=csv csv.write-bigdecimal-in-scientific-notation=false";
    assert_eq!(written(&connect(plain, &schema).unwrap(), &changes).unwrap(), "100.00\n1.50\n");
    let scientific = connect("connector=stdout format=csv", &schema).unwrap();
    assert_eq!(written(&scientific, &changes).unwrap(), "1E+2\n1.5\n");
}

#[test]
fn what_is_ignored_is_null_and_leaves_the_rest_of_the_line() {
    let schema = schema("id INT, name STRING");
    let connector = connect("connector=stdin format=json json.ignore-parse-errors=true", &schema).unwrap();
    let (changes, result) = read(&connector, "{\"id\":{\"id\":1},\"name\":\"x\"}\nnonsense\n", &[0, 1]);
    assert_eq!((rows(&changes), result), (vec!["[NULL, \"x\"]".to_owned()], Ok(())));
}

/// What is said of the lines of a file that are skipped.
fn said(format: &str, columns: &str, bytes: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("in");
    std::fs::write(&path, bytes).expect("there is room");
    let mut session = Session::new();
    let table = format!(
        "CREATE TABLE t ({columns}) WITH ('connector' = 'filesystem', 'path' = '{}', {format})",
        path.display()
    );
    session.run_all(&table).expect("the options are right");
    let mut results = Collected::default();
    session.execute("SELECT * FROM t", &mut results).expect("flaws are skipped");
    let path = path.display().to_string();
    results.notices.iter().map(|notice| notice.replace(&path, "in")).collect()
}

#[test]
fn what_is_skipped_is_counted_and_the_first_has_a_place() {
    let json = "'format' = 'json', 'json.ignore-parse-errors' = 'true'";
    assert_eq!(
        said(json, "a INT", b"{\"a\":1}\nbad\n{\"a\":2}\n{\"a\":\"\xff\"}\n[{\"a\":3},4]\n"),
        ["3 records were skipped; the first: in:2:1: \"bad\" where an object is expected"]
    );
    assert_eq!(said(json, "a INT", b"{\"a\":1}\n"), [""; 0]);
    let documents = format!("{json}, 'json.multi-line' = 'true'");
    assert_eq!(
        said(&documents, "a INT", b"{\"a\":\n1}\n  7\n{\"a\":2}\n"),
        ["1 record was skipped: in:3:3: \"7\" where an object is expected"]
    );
    let csv = "'format' = 'csv', 'csv.ignore-parse-errors' = 'true'";
    assert_eq!(
        said(csv, "a INT, b STRING", b"1,x\n\"2\"y,z\n3,w\n"),
        ["1 record was skipped: in:2:4: \"y,z\" follows a value in quotes"]
    );
    let maxwell = "'format' = 'maxwell-json', 'maxwell-json.ignore-parse-errors' = 'true'";
    assert_eq!(
        said(maxwell, "a INT", b"{}\n{\"type\":\"insert\",\"data\":{\"a\":1}}\n"),
        ["1 record was skipped: in:1:1: the event has no \"type\""]
    );
}
