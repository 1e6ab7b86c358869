//! What a writer writes, a reader reads.

use proptest::collection::vec;
use proptest::prelude::*;
use rowkind::changelog::{Cause, Changes, RowKind};
use rowkind::connect::Connector;
use rowkind::value::{Column, DataType, Decimal, Row, Schema, TypeKind, Value};

use super::common::{all, connect, read, read_from, written};

fn simple_kind() -> impl Strategy<Value = TypeKind> {
    prop_oneof![
        Just(TypeKind::Boolean),
        Just(TypeKind::TinyInt),
        Just(TypeKind::SmallInt),
        Just(TypeKind::Int),
        Just(TypeKind::BigInt),
        Just(TypeKind::Float),
        Just(TypeKind::Double),
        (1_u8..=38)
            .prop_flat_map(|precision| (Just(precision), 0..=precision))
            .prop_map(|(precision, scale)| TypeKind::Decimal { precision, scale }),
        Just(DataType::string().kind),
        Just(TypeKind::VarBinary(100)),
        Just(TypeKind::Date),
        Just(TypeKind::Time(3)),
        (0_u8..=9).prop_map(TypeKind::Timestamp),
        (0_u8..=9).prop_map(TypeKind::TimestampLtz),
    ]
}

/// A type that JSON can hold.
fn json_type() -> impl Strategy<Value = DataType> {
    let leaf = prop_oneof![
        9 => simple_kind(),
        1 => Just(TypeKind::IntervalMonth),
        1 => Just(TypeKind::IntervalSecond),
    ];
    leaf.prop_map(DataType::new).prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(DataType::array),
            inner.clone().prop_map(|value| DataType::map(DataType::string(), value)),
            vec(inner, 1..4).prop_map(|types| DataType::row(named(types))),
        ]
    })
}

/// A type that CSV can hold.
fn csv_type() -> impl Strategy<Value = DataType> {
    let simple = || simple_kind().prop_map(DataType::new);
    prop_oneof![
        6 => simple(),
        1 => simple().prop_map(DataType::array),
        1 => vec(simple(), 2..4).prop_map(|types| DataType::row(named(types))),
    ]
}

fn named(types: Vec<DataType>) -> Vec<(String, DataType)> {
    types.into_iter().enumerate().map(|(i, data_type)| (format!("f\"{i}"), data_type)).collect()
}

fn value(data_type: &DataType) -> BoxedStrategy<Value> {
    prop_oneof![9 => present(&data_type.kind), 1 => Just(Value::NULL)].boxed()
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z]{1,30}", "[ -~]{1,6}", "[\"\\\\,\n\r\té😀 ]{1,5}", ".{0,20}"]
}

/// A value of a type that is not NULL.
fn present(kind: &TypeKind) -> BoxedStrategy<Value> {
    match kind {
        TypeKind::Boolean => any::<bool>().prop_map(Value::boolean).boxed(),
        TypeKind::TinyInt => any::<i8>().prop_map(Value::integer).boxed(),
        TypeKind::SmallInt => any::<i16>().prop_map(Value::integer).boxed(),
        TypeKind::Int => any::<i32>().prop_map(Value::integer).boxed(),
        TypeKind::BigInt => any::<i64>().prop_map(Value::integer).boxed(),
        TypeKind::Float => any::<f32>().prop_map(Value::float).boxed(),
        TypeKind::Double => any::<f64>().prop_map(Value::double).boxed(),
        &TypeKind::Decimal { precision, scale } => {
            let limit = 10_i128.pow(u32::from(precision));
            (any::<i128>(), 0..u32::from(precision))
                .prop_map(move |(number, fewer)| {
                    Value::decimal(Decimal::new(number % (limit / 10_i128.pow(fewer)), scale))
                })
                .boxed()
        }
        TypeKind::Char(_) | TypeKind::VarChar(_) => text().prop_map(|text| Value::string(&text)).boxed(),
        TypeKind::Binary(_) | TypeKind::VarBinary(_) => {
            vec(any::<u8>(), 0..20).prop_map(Value::bytes).boxed()
        }
        TypeKind::Date => (-719_162..2_932_896).prop_map(Value::date).boxed(),
        TypeKind::Time(_) => (0_u32..86_400_000).prop_map(Value::time).boxed(),
        &TypeKind::Timestamp(precision) | &TypeKind::TimestampLtz(precision) => {
            let nanos = if precision > 3 { 0..1_000_000 } else { 0_u32..1 };
            (-62_135_596_800_000_i64..253_402_300_800_000, nanos)
                .prop_map(|(millis, nanos)| Value::timestamp(millis, nanos))
                .boxed()
        }
        TypeKind::IntervalMonth => any::<i32>().prop_map(Value::months).boxed(),
        TypeKind::IntervalSecond => any::<i64>().prop_map(Value::millis).boxed(),
        TypeKind::Array(element) => vec(value(element), 0..4).prop_map(Value::list).boxed(),
        TypeKind::Map(_, item) => proptest::collection::btree_map(text(), value(item), 0..4)
            .prop_map(|entries| {
                let entry = |(key, value): (String, Value)| (Value::string(&key), value);
                Value::entries(entries.into_iter().map(entry).collect::<Vec<_>>())
            })
            .boxed(),
        TypeKind::Row(fields) => {
            let fields: Vec<_> = fields.iter().map(|field| value(&field.data_type)).collect();
            fields.prop_map(Value::list).boxed()
        }
        TypeKind::Null | TypeKind::Multiset(_) | TypeKind::Bitmap => Just(Value::NULL).boxed(),
    }
}

/// A schema of columns of some types, and rows of it.
fn table(data_type: impl Strategy<Value = DataType>) -> impl Strategy<Value = (Schema, Vec<Row>)> {
    vec(data_type, 1..5).prop_flat_map(|types| {
        let row: Vec<_> = types.iter().map(value).collect();
        let columns = types.into_iter().enumerate();
        let columns = columns.map(|(i, data_type)| Column::new(format!("c{i}"), data_type));
        (Just(columns.collect::<Schema>()), vec(row.prop_map(Row::from), 0..5))
    })
}

fn changes(rows: &[Row], width: usize) -> Changes {
    let mut changes = Changes::new(width);
    for (sequence, row) in (1..).zip(rows) {
        changes.push(RowKind::Insert, Cause { sequence, arrival: 0 }, row);
    }
    changes
}

/// The text of rows, and what is read from it.
fn there_and_back(sink: &Connector, source: &Connector, rows: &Changes) -> (String, Changes) {
    let text = written(sink, rows).expect("the rows can be written");
    let columns: Vec<_> = (0..rows.width()).collect();
    let (back, result) = read(source, &text, &columns);
    assert_eq!(result, Ok(()), "{text}");
    (text, back)
}

/// Whether CSV tells a value from all others: an array from that of its only element's text, and NULL
/// from nothing.
fn is_plain_in_csv(value: &Value, kind: &TypeKind) -> bool {
    let has_delimiter = |value: &Value| value.as_str().is_some_and(|text| text.contains(';'));
    match kind {
        TypeKind::Array(_) => value.as_list().is_some_and(|items| {
            let is_empty = |item: &Value| item.as_bytes().is_some_and(<[u8]>::is_empty);
            let is_nothing = items.len() == 1 && is_empty(&items[0]);
            !is_nothing && !items.iter().any(has_delimiter)
        }),
        TypeKind::Row(_) => value.as_list().is_some_and(|items| !items.iter().any(has_delimiter)),
        _ => value.as_str() != Some("NULL"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn json_is_read_as_it_was_written((schema, rows) in table(json_type()), iso in any::<bool>(), plain in any::<bool>()) {
        let standard = if iso { "ISO-8601" } else { "SQL" };
        let options = format!(
            "format=json json.timestamp-format.standard={standard} json.encode.decimal-as-plain-number={plain} \
             json.encode.ignore-null-fields={plain}"
        );
        let sink = connect(&format!("connector=stdout {options}"), &schema).unwrap();
        let source = connect(&format!("connector=stdin {options}"), &schema).unwrap();
        let rows = changes(&rows, schema.len());
        let (text, back) = there_and_back(&sink, &source, &rows);
        prop_assert_eq!(&back, &rows, "{}", text);
        for line in text.lines() {
            let parsed: Result<serde_json::Value, _> = serde_json::from_str(line);
            prop_assert!(parsed.is_ok(), "{}", line);
        }
    }

    #[test]
    fn csv_is_read_as_it_was_written((schema, rows) in table(csv_type()), options in prop::sample::select(vec![
        "", "csv.header=true", "csv.escape-character=\\", "csv.quote-character='", "csv.field-delimiter=|",
        "csv.field-delimiter=\\t csv.escape-character=!", "csv.field-delimiter=ß",
    ])) {
        let is_plain = |row: &Row| row.iter().zip(schema.types()).all(|(value, data_type)| is_plain_in_csv(value, &data_type.kind));
        let rows: Vec<_> = rows.into_iter().filter(is_plain).collect();
        let options = format!("format=csv csv.null-literal=NULL {options}");
        let sink = connect(&format!("connector=stdout {options}"), &schema).unwrap();
        let source = connect(&format!("connector=stdin {options}"), &schema).unwrap();
        let rows = changes(&rows, schema.len());
        let (text, back) = there_and_back(&sink, &source, &rows);
        prop_assume!(!text.starts_with('\u{feff}'));
        prop_assert_eq!(back, rows, "{}", text);
    }

    #[test]
    fn wanted_columns_are_those_of_the_whole_rows((schema, rows) in table(json_type()), wanted in vec(0_usize..5, 0..4)) {
        let mut wanted: Vec<_> = wanted.into_iter().filter(|column| *column < schema.len()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.reverse();
        let sink = connect("connector=stdout format=json", &schema).unwrap();
        let source = connect("connector=stdin format=json", &schema).unwrap();
        let rows = changes(&rows, schema.len());
        let text = written(&sink, &rows).unwrap();
        let (back, result) = read(&source, &text, &wanted);
        prop_assert_eq!(result, Ok(()));
        for (back, row) in back.iter().zip(rows.iter()) {
            let expected: Vec<_> = wanted.iter().map(|&column| row.row[column].clone()).collect();
            prop_assert_eq!(back.row, &expected[..]);
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(bytes in vec(prop_oneof![
        4 => prop::sample::select(b"{}[]\",:\\ \n\r\t0-9eE.truefalsn;#'".to_vec()),
        1 => any::<u8>(),
    ], 0..60), ignore in any::<bool>()) {
        let schema = Schema::new(vec![
            Column::new("a", DataType::bigint()),
            Column::new("t", DataType::row([("x", DataType::decimal(5, 2)), ("y", DataType::string())])),
            Column::new("s", DataType::string()),
        ]);
        for options in [
            "format=json", "format=json json.decode.json-parser.enabled=false", "format=csv",
            "format=csv csv.allow-comments=true csv.escape-character=\\ csv.trim-spaces=true",
        ] {
            let format = if options.starts_with("format=json") { "json" } else { "csv" };
            let options = format!("connector=stdin {options} {format}.ignore-parse-errors={ignore}");
            let source = connect(&options, &schema).unwrap();
            let (_, result) = read_from(&source, std::io::Cursor::new(bytes.clone()), &all(&schema));
            prop_assert!(result.is_ok() || !ignore, "{:?}", result);
        }
    }
}
