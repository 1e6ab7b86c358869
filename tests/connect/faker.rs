//! Rows that look real, with the expressions of flink-faker.

use std::collections::BTreeMap;

use regex::Regex;
use rowkind::connect::{ConnectError, Connector, faker_expressions};
use rowkind::value::{Schema, Value};

use super::common::{all, read_all, rows, schema};

fn connect(options: &[(&str, &str)], schema: &Schema) -> Result<Connector, ConnectError> {
    let options = [("connector", "faker")].iter().chain(options);
    let options: Vec<_> = options.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Connector::from_options(&options, schema, &[])
}

/// The texts of an expression in some rows of the year 2024.
fn texts(expression: &str) -> Vec<String> {
    let options = [
        ("number-of-rows", "200"),
        ("start-time", "2024-01-01 00:00:00"),
        ("fields.a.expression", expression),
    ];
    let connector = connect(&options, &schema("a STRING")).unwrap_or_else(|error| panic!("{error}"));
    let read = read_all(&connector, &[0]).expect("texts are texts");
    read.iter().map(|change| change.row[0].as_str().expect("it is a text").to_owned()).collect()
}

/// A refusal with its hint.
fn refused(columns: &str, options: &[(&str, &str)]) -> String {
    let error = connect(options, &schema(columns)).expect_err("it is wrong");
    format!("{error} | {}", error.hint().unwrap_or_default())
}

#[test]
fn each_expression_makes_texts_that_differ() {
    for expression in faker_expressions() {
        let texts = texts(expression);
        assert!(texts.iter().all(|text| !text.trim().is_empty()), "{expression}: {texts:?}");
        assert!(texts.iter().any(|text| *text != texts[0]), "{expression}: {texts:?}");
        assert_eq!(self::texts(expression), texts, "they are the same each time");
    }
}

#[test]
fn texts_are_what_their_expression_says() {
    for (expression, form) in [
        ("#{Internet.emailAddress}", r"^[^@ ]+@[a-z.]+$"),
        ("#{internet.uuid}", r"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"),
        ("#{Internet.publicIpV4Address}", r"^\d{1,3}(\.\d{1,3}){3}$"),
        ("#{number.numberBetween '0','3'}", "^[012]$"),
        ("#{Number.number_between '7','7'}", "^7$"),
        ("#{number.randomDouble '2','-1','1'}", r"^-?[01]\.\d{1,2}$"),
        ("#{Commerce.price '1','2'}", r"^[12]\.\d\d$"),
        ("#{Options.option 'chrome', 'fire fox')}", "^(chrome|fire fox)$"),
        ("#{options.option 'a' 'b'}", "^[ab]$"),
        ("#{regexify '(bahn\\.de|app){1}'}", r"^(bahn\.de|app)$"),
        ("#{numerify 'user_##'}", r"^user_\d\d$"),
        ("#{bothify '?#','true'}", r"^[A-Z]\d$"),
        ("#{Lorem.words '2'}", "^[a-z]+ [a-z]+$"),
        ("/#{Lorem.word}.html?#{Number.digit}", r"^/[a-z]+\.html\?\d$"),
        ("-", "^-$"),
        ("#{date.past '2' 'DAYS'}", r"^2023-12-(30|31) \d\d:\d\d:\d\d\.\d{3}$|^2024-01-01 00:00:00\.0\d\d$"),
        ("#{date.future '15','5','SECONDS'}", r"^2024-01-01 00:00:(0[5-9]|1[0-5])\.\d{3}$"),
        ("#{Date.birthday '1','2'}", r"^20(21-12-31|22|23-01-01)"),
        ("#{date.between '2020-02-01 00:00:00','2020-02-01 00:00:01'}", r"^2020-02-01 00:00:00\."),
    ] {
        let form = Regex::new(form).unwrap();
        let texts = texts(expression);
        let wrong = texts.iter().find(|text| !form.is_match(text));
        assert_eq!(wrong, None, "{expression}");
    }
}

#[test]
fn texts_become_values_of_the_type_of_their_column() {
    let schema = schema(
        "i TINYINT, d DECIMAL(6, 1), b BOOLEAN, t TIMESTAMP(3), l TIMESTAMP_LTZ(3), c DATE, k TIME, n DOUBLE, \
         a ARRAY<INT>, m MULTISET<STRING>, p MAP<STRING, INT>, r ROW<x INT, y ARRAY<ROW<z CHAR(1)>>>",
    );
    let time = "#{date.past '1','MINUTES'}";
    let options = [
        ("number-of-rows", "50"),
        ("start-time", "2024-01-01 00:01:00"),
        ("fields.i.expression", "#{Number.numberBetween '-128','128'}"),
        ("fields.d.expression", "1.25"),
        ("fields.b.expression", "#{Options.option 'TRUE','no'}"),
        ("fields.t.expression", time),
        ("fields.l.expression", time),
        ("fields.c.expression", time),
        ("fields.k.expression", time),
        ("fields.n.expression", "#{Number.randomDouble '3','1','2'}"),
        ("fields.n.null-rate", "0.5"),
        ("fields.a.expression", "#{Number.digit}"),
        ("fields.a.length", "3"),
        ("fields.m.expression", "#{Options.option 'a','b'}"),
        ("fields.m.length", "5"),
        ("fields.p.key.expression", "#{regexify '[a-z]{9}'}"),
        ("fields.p.value.expression", "#{Number.digit}"),
        ("fields.p.length", "2"),
        ("fields.r.x.expression", "7"),
        ("fields.r.y.z.expression", "#{letterify '?'}"),
        ("fields.r.y.length", "2"),
    ];
    let connector = connect(&options, &schema).unwrap_or_else(|error| panic!("{error}"));
    assert!(connector.is_bounded() && connector.name() == "faker");
    let read = read_all(&connector, &all(&schema)).unwrap();
    let column = |name: &str| {
        let column = schema.index_of(name).unwrap();
        read.iter().map(move |change| change.row[column].clone())
    };
    assert!(column("i").all(|value| value.as_integer().is_some()));
    // Java rounds half up.
    assert!(column("d").all(|value| value.as_decimal().is_some_and(|number| number.to_string() == "1.3")));
    let mut booleans: Vec<_> = column("b").filter_map(|value| value.as_boolean()).collect();
    booleans.sort_unstable();
    booleans.dedup();
    assert_eq!(booleans, [false, true]);
    let start = 1_704_067_200_000;
    for name in ["t", "l"] {
        let is_near = |(millis, _): (i64, u32)| (start..=start + 61_000).contains(&millis);
        assert!(column(name).all(|value| value.as_timestamp().is_some_and(is_near)));
    }
    assert_eq!(column("c").next(), Some(Value::date(19_723)));
    assert_ne!(column("k").next(), Some(Value::NULL));
    assert!((10..40).contains(&column("n").filter(Value::is_null).count()));
    assert!(column("a").all(|value| value.as_list().is_some_and(|list| list.len() == 3)));
    for value in column("m") {
        let counts: BTreeMap<_, _> =
            value.as_entries().unwrap().iter().map(|(key, n)| (key.clone(), n.as_integer())).collect();
        assert_eq!(counts.values().flatten().sum::<i64>(), 5, "{counts:?}");
    }
    assert!(column("p").all(|value| value.as_entries().is_some_and(|entries| entries.len() == 2)));
    let row = format!("{:?}", column("r").next().unwrap());
    assert!(Regex::new(r#"^\[7, \[\["[a-z]"\], \["[a-z]"\]\]\]$"#).unwrap().is_match(&row), "{row}");
    // Which columns are read makes no difference, and another seed does.
    let some = read_all(&connector, &[0]).unwrap();
    assert!(read.iter().zip(some.iter()).all(|(all, some)| all.row[0] == some.row[0]));
    let other = connect(&[&options[..], &[("seed", "1")]].concat(), &schema).unwrap();
    assert_ne!(rows(&read_all(&other, &all(&schema)).unwrap()), rows(&read));
}

#[test]
fn a_table_without_a_number_of_rows_has_no_end() {
    let connect =
        |count| connect(&[("fields.a.expression", "x"), ("number-of-rows", count)], &schema("a STRING"));
    // As in flink-faker -1 is none.
    assert!(!connect("-1").unwrap().is_bounded());
    assert!(connect("0").unwrap().is_bounded());
    assert!(read_all(&connect("0").unwrap(), &[0]).unwrap().is_empty());
}

#[test]
fn what_does_not_exist_is_answered_with_what_does() {
    let of = |expression: &str| refused("a STRING", &[("fields.a.expression", expression)]);
    let near = "Did you mean '#{Name.firstName}'? .help faker lists all.";
    assert_eq!(
        of("x #{Nme.first_nam}"),
        format!("there is no \"#{{Nme.first_nam}}\", in the option 'fields.a.expression' | {near}")
    );
    assert!(of("#{superhero.power}").contains(" | There are Address, Bool, Code, Commerce, Company, "));
    assert!(of("#{Bool.zzzzzzzz}").ends_with(" | There are Bool.bool; .help faker lists all."));
    for (wrong, expected) in [
        ("#{Number.numberBetween '1'}", "#{Number.numberBetween '1','100'}"),
        ("#{Number.numberBetween 'a','b'}", "#{Number.numberBetween '1','100'}"),
        ("#{Name.firstName 'x'}", "#{Name.firstName}"),
        ("#{date.past '1','FORTNIGHTS'}", "#{Date.past '15','5','SECONDS'}"),
        ("#{date.past '1','5','DAYS'}", "#{Date.past '15','5','SECONDS'}"),
        ("#{regexify '('}", "#{regexify '(GET|POST) /[a-z]{3}'}"),
        ("#{Options.option}", "#{Options.option 'red','green','blue'}"),
    ] {
        let message = of(wrong);
        let hint = format!(" | It can be {expected}, or the like.");
        assert!(message.contains("is not a value of the option") && message.ends_with(&hint), "{message}");
    }
    for wrong in ["#{", "#{Name.firstName", "#{}", "#{Number.numberBetween 1,2}", "#{numerify '#}"] {
        assert!(of(wrong).contains("#{Provider.method 'argument','argument'}"), "{wrong}: {}", of(wrong));
    }
    assert_eq!(
        refused("a STRING", &[]),
        "connector \"faker\" needs the option 'fields.a.expression' | Add 'fields.a.expression' = '…' to WITH."
    );
    assert!(refused("a BYTES", &[("fields.a.expression", "x")]).contains("cannot make values of type BYTES"));
    let length = [("fields.a.expression", "x"), ("fields.a.length", "2")];
    assert!(refused("a STRING", &length).contains("has no option 'fields.a.length'"));
}

#[test]
fn a_text_that_is_no_value_of_its_type_is_an_error_with_its_row() {
    let options =
        [("number-of-rows", "100"), ("fields.a.expression", "#{Options.option '1','2','3','4','5','six'}")];
    let connector = connect(&options, &schema("a INT")).unwrap();
    let error = read_all(&connector, &[0]).expect_err("a text does not fit").to_string();
    let form = "^\"six\" is not an INT, made for column \"a\" of row [0-9]+ by '#\\{Options.option '1','2'";
    assert!(Regex::new(form).expect("it is valid").is_match(&error), "{error}");
}
