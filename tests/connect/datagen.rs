//! Rows that are made up.

use rowkind::changelog::{Cause, Changes};
use rowkind::connect::{Connector, Streams};
use rowkind::value::{Schema, Value};

use super::common::{all, connect, read_all, rows, schema};

fn refused(options: &str) -> String {
    let schema = schema("i TINYINT, s VARCHAR(5), n INT NOT NULL, d DOUBLE, o BOOLEAN, c CHAR(2)");
    let error = connect(&format!("connector=datagen {options}"), &schema).expect_err(options);
    let hint = error.hint().map_or_else(String::new, |hint| format!(" | {hint}"));
    format!("{error}{hint}")
}

#[test]
fn values_are_the_same_whichever_columns_are_read_and_however_often() {
    let columns = "i INT, s STRING, d DOUBLE, a ARRAY<ROW<b BIGINT, m MAP<STRING, DATE>>>";
    let connector = connect("connector=datagen number-of-rows=20", &schema(columns)).unwrap();
    let whole = read_all(&connector, &[0, 1, 2, 3]).unwrap();
    assert_eq!(rows(&whole), rows(&read_all(&connector, &[0, 1, 2, 3]).unwrap()));
    let some = read_all(&connector, &[2, 0]).unwrap();
    for (whole, some) in whole.iter().zip(some.iter()) {
        assert_eq!(some.row, [whole.row[2].clone(), whole.row[0].clone()]);
    }
    let other = connect("connector=datagen number-of-rows=20 seed=1", &schema(columns)).unwrap();
    assert_ne!(rows(&whole), rows(&read_all(&other, &[0, 1, 2, 3]).unwrap()));
}

#[test]
fn random_values_stay_in_their_bounds_and_reach_them() {
    let schema = schema("i INT, f FLOAT, d DECIMAL(4, 2), s VARCHAR(4), b BIGINT, t TIMESTAMP(3)");
    let options = "connector=datagen number-of-rows=400 fields.i.min=-1 fields.i.max=1 fields.f.min=-2 \
                   fields.f.max=-1 fields.d.min=99 fields.s.var-len=true fields.b.null-rate=0.5 \
                   fields.t.max-past=9ms rows-per-second=1000000 start-time=1970-01-02";
    let read = read_all(&connect(options, &schema).unwrap(), &all(&schema)).unwrap();
    let column = |column: usize| read.iter().map(move |change| change.row[column].clone());
    let integers: Vec<_> = column(0).filter_map(|value| value.as_integer()).collect();
    assert!([-1, 0, 1].iter().all(|number| integers.contains(number)));
    assert_eq!(integers.iter().filter(|number| number.abs() > 1).count(), 0);
    assert!(column(1).all(|value| value.as_float().is_some_and(|number| (-2.0..=-1.0).contains(&number))));
    assert!(column(2).all(|value| {
        value
            .as_decimal()
            .is_some_and(|number| number.scale() == 2 && (9900..=9999).contains(&number.unscaled()))
    }));
    // As in Flink, one that varies is shorter than the length.
    let mut lengths: Vec<_> = column(3).filter_map(|value| value.as_str().map(str::len)).collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert_eq!(lengths, [1, 2, 3]);
    assert!((100..300).contains(&column(4).filter(Value::is_null).count()));
    let day = 86_400_000;
    assert!(
        column(5).all(|value| value.as_timestamp().is_some_and(|(time, _)| (day - 9..=day).contains(&time)))
    );
}

#[test]
fn sequences_end_the_table_also_if_their_column_is_not_read() {
    let schema = schema("a TINYINT, b STRING, c DECIMAL(3, 1), d BYTES, e DOUBLE");
    let sequence = |column: &str, start: i64, end: i64| {
        format!("fields.{column}.kind=sequence fields.{column}.start={start} fields.{column}.end={end} ")
    };
    let options = format!(
        "connector=datagen {}{}{}{}{}",
        sequence("a", -1, 0),
        sequence("b", 9, 99),
        sequence("c", 98, 99),
        sequence("d", 258, 300),
        sequence("e", 0, 5)
    );
    let connector = connect(&options, &schema).unwrap();
    assert!(connector.is_bounded());
    assert_eq!(
        rows(&read_all(&connector, &all(&schema)).unwrap()),
        [
            "[-1, \"9\", 98.0, [0, 0, 0, 0, 0, 0, 1, 2], 0.0]",
            "[0, \"10\", 99.0, [0, 0, 0, 0, 0, 0, 1, 3], 1.0]"
        ]
    );
    assert_eq!(read_all(&connector, &[4]).unwrap().len(), 2);
    let backwards = format!("connector=datagen {}", sequence("a", 2, 1));
    assert!(read_all(&connect(&backwards, &schema).unwrap(), &[0]).unwrap().is_empty());
}

#[test]
fn a_table_without_an_end_gives_what_is_due() {
    let schema = schema("n INT");
    let connector = connect("connector=datagen rows-per-second=1", &schema).unwrap();
    assert!(!connector.is_bounded() && !connector.is_sink());
    let mut reader = connector.reader(&[0], &Streams::default()).unwrap();
    let mut out = Changes::new(1);
    for _ in 0..3 {
        assert!(reader.read(64, Cause::default(), &mut out).unwrap());
    }
    assert_eq!(out.len(), 1);
    assert!(reader.pause().is_some_and(|pause| pause.as_millis() > 500));
}

#[test]
fn options_that_do_not_fit_their_column_are_refused() {
    for (options, message) in [
        (
            "fields.i.max=128",
            "'128' is not a value of the option 'fields.i.max' | It can be a whole number from \
          -128 to 127.",
        ),
        (
            "fields.i.min=6 fields.i.max=5",
            "'5' is not a value of the option 'fields.i.max' | It can be a whole \
          number from 6 to 127.",
        ),
        (
            "fields.d.min=1 fields.d.max=1",
            "'1' is not a value of the option 'fields.d.max' | It can be a number \
          above 1.",
        ),
        (
            "fields.s.length=6",
            "'6' is not a value of the option 'fields.s.length' | It can be a whole number from \
          1 to 5.",
        ),
        (
            "fields.n.null-rate=0.5",
            "'0.5' is not a value of the option 'fields.n.null-rate' | It can be '0', as \
          it is NOT NULL.",
        ),
        (
            "fields.n.kind=sequence fields.n.start=1",
            "connector \"datagen\" needs the option 'fields.n.end' | Add \
          'fields.n.end' = '…' to WITH.",
        ),
        (
            "fields.o.kind=sequence",
            "'sequence' is not a value of the option 'fields.o.kind' | It can be 'random', \
          as only numbers, texts and bytes have sequences.",
        ),
        (
            "fields.c.length=2",
            "connector \"datagen\" has no option 'fields.c.length' | There are \
             'fields.c.kind', 'fields.c.null-rate'.",
        ),
        (
            "fields.o.x=2",
            "connector \"datagen\" has no option 'fields.o.x' | There are 'fields.o.kind', \
          'fields.o.null-rate'.",
        ),
        (
            "rows-per-second=0",
            "'0' is not a value of the option 'rows-per-second' | It can be a whole number from \
          1 to 9223372036854775807.",
        ),
        (
            "start-time=noon",
            "'noon' is not a value of the option 'start-time' | It can be a time in UTC, such as \
          '2024-01-31 12:00:00'.",
        ),
    ] {
        assert_eq!(refused(options), message);
    }
}

#[test]
fn the_options_of_columns_are_known() {
    let known = |options: &[(&str, &str)], schema: &Schema| {
        let given: Vec<_> =
            options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let known = Connector::known_options(&given, schema);
        known
            .into_iter()
            .map(|option| option.key.into_owned())
            .filter(|key| key.starts_with("fields."))
            .collect()
    };
    let schema = schema("a INT, r ROW<s VARCHAR(9)>");
    let keys: Vec<String> = known(&[("connector", "datagen"), ("fields.a.kind", "sequence")], &schema);
    assert_eq!(
        keys,
        [
            "fields.a.kind",
            "fields.a.start",
            "fields.a.end",
            "fields.r.kind",
            "fields.r.s.length",
            "fields.r.s.var-len",
            "fields.r.s.null-rate",
            "fields.r.null-rate"
        ]
    );
}
