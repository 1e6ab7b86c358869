//! Options of `WITH`.

use rowkind::changelog::ChangelogMode;
use rowkind::connect::{SinkMode, Streams};

use super::common::{connect, schema};

/// The error of options for a table with the columns `id INT, m MAP<STRING, INT>`, and its hint.
fn refused(options: &str) -> String {
    let error = connect(options, &schema("id INT, m MAP<STRING, INT>")).expect_err(options);
    let hint = error.hint().map_or_else(String::new, |hint| format!(" | {hint}"));
    format!("{error}{hint}")
}

#[test]
fn a_misspelt_option_is_answered_with_the_nearest() {
    assert_eq!(
        refused("connector=filesystem path=x format=json json.fail-on-missing-fields=true"),
        "connector \"filesystem\" with format \"json\" has no option 'json.fail-on-missing-fields' | Did you \
         mean 'json.fail-on-missing-field'?"
    );
    assert_eq!(
        refused("connector=print print-indentifier=x"),
        "connector \"print\" has no option 'print-indentifier' | Did you mean 'print-identifier'?"
    );
    assert_eq!(
        refused("connector=blackhole x=y"),
        "connector \"blackhole\" has no option 'x' | There are 'connector'."
    );
    assert_eq!(
        refused("connector=filesistem path=x format=json"),
        "connector \"filesistem\" does not exist | Did you mean 'filesystem'?"
    );
    assert_eq!(
        refused("connector=kafka"),
        "connector \"kafka\" does not exist | There are 'filesystem', 'stdin', 'stdout', 'print', 'blackhole', \
         'datagen', 'faker'."
    );
    assert_eq!(refused("connector=stdin format=jsn"), "format \"jsn\" does not exist | Did you mean 'json'?");
}

#[test]
fn an_option_of_another_format_is_unknown() {
    assert_eq!(
        refused("connector=stdin format=json csv.header=true").split(" | ").next(),
        Some("connector \"stdin\" with format \"json\" has no option 'csv.header'")
    );
}

#[test]
fn an_option_that_is_needed_is_asked_for() {
    assert_eq!(
        refused("connector=filesystem format=json"),
        "connector \"filesystem\" needs the option 'path' | Add 'path' = '…' to WITH."
    );
    assert_eq!(
        refused("connector=stdout"),
        "connector \"stdout\" needs the option 'format' | Add 'format' = '…' to WITH."
    );
    assert_eq!(
        refused("format=json"),
        "a connected table needs the option 'connector' | Add 'connector' = '…' to WITH."
    );
}

#[test]
fn a_wrong_value_is_answered_with_the_right_ones() {
    for (option, message) in [
        (
            "format=json json.ignore-parse-errors=yes",
            "'yes' is not a value of the option 'json.ignore-parse-errors' | It can be 'true' or 'false'.",
        ),
        (
            "format=json json.timestamp-format.standard=iso",
            "'iso' is not a value of the option 'json.timestamp-format.standard' | It can be 'SQL' or \
             'ISO-8601'.",
        ),
        (
            "format=csv csv.field-delimiter=||",
            "'||' is not a value of the option 'csv.field-delimiter' | It can be a single character.",
        ),
        (
            "format=json json.map-null-key.mode=skip",
            "'skip' is not a value of the option 'json.map-null-key.mode' | It can be 'FAIL' or 'DROP' or \
             'LITERAL'.",
        ),
    ] {
        assert_eq!(refused(&format!("connector=stdin {option}")), message);
    }
    assert_eq!(
        refused("connector=filesystem path=s3://bucket/x.json format=json"),
        "'s3://bucket/x.json' is not a value of the option 'path' | It can be the path of a file or \
         directory on this machine."
    );
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let message =
        refused("connector=stdin format=json json.ignore-parse-errors=true json.fail-on-missing-field=true");
    assert!(message.contains("cannot be used together | Leave "), "{message}");
    let message =
        refused("connector=stdin format=csv csv.quote-character=' csv.disable-quote-character=true");
    assert!(message.contains("cannot be used together | Leave "), "{message}");
}

#[test]
fn a_column_that_the_format_cannot_hold_is_named() {
    assert_eq!(
        refused("connector=stdin format=csv"),
        "format \"csv\" cannot hold column \"m\" of type MAP<STRING, INT> | Values are strings, numbers, \
         booleans, dates and times, and arrays and rows of those."
    );
}

#[test]
fn values_are_taken_as_flink_takes_them() {
    let schema = schema("id INT");
    for options in [
        "format=json json.ignore-parse-errors=TRUE",
        "format=json json.map-null-key.mode=drop",
        "format=csv csv.field-delimiter=\\t",
        "format=csv csv.field-delimiter=\\u0001",
        "format=csv csv.field-delimiter=\t",
    ] {
        connect(&format!("connector=stdin {options}"), &schema).expect(options);
    }
    // What only tunes the writing has no effect.
    connect("connector=filesystem path=x format=csv sink.rolling-policy.file-size=1MB", &schema).unwrap();
}

#[test]
fn connectors_say_what_they_can_do() {
    let schema = schema("id INT");
    let can = |options: &str| {
        let connector = connect(options, &schema).expect(options);
        (connector.is_source(), connector.is_sink(), connector.is_bounded(), connector.sink_mode())
    };
    let append = Some(SinkMode::Only(ChangelogMode::APPEND));
    assert_eq!(can("connector=filesystem path=x format=csv"), (true, true, true, append));
    assert_eq!(can("connector=stdin format=csv"), (true, false, true, None));
    assert_eq!(can("connector=stdout format=csv"), (false, true, false, append));
    assert_eq!(can("connector=print"), (false, true, false, Some(SinkMode::Any)));
    let blackhole = connect("connector=blackhole", &schema).unwrap();
    let error = blackhole.reader(&[0], &Streams::default()).err().expect("there is nothing to read");
    assert_eq!(error.to_string(), "a table of connector \"blackhole\" cannot be read");
    let stdin = connect("connector=stdin format=csv", &schema).unwrap();
    let error = stdin.writer(&Streams::default()).err().expect("there is nothing to write to");
    assert_eq!(error.to_string(), "a table of connector \"stdin\" cannot be written");
}
