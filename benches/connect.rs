//! One core's speed between text and changes, beside loops that do the least that can be done.
//!
//! A line has an operation code, a number, a region and an amount, as change data capture gives it.
//! The bare loops know the columns, their order and that no text is quoted or escaped.

use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::LazyLock;

use divan::counter::ItemsCount;
use rowkind::changelog::{Cause, Changes};
use rowkind::connect::Connector;
use rowkind::value::{Column, DataType, Schema};

const LINES: usize = 1_000_000;
const SLICE: usize = 64;

fn main() {
    divan::main();
}

static CSV: LazyLock<String> = LazyLock::new(|| {
    lines(|out, op, id, region, cents| {
        let _ = writeln!(out, "{op},{id},{region},{}.{:02}", cents / 100, cents % 100);
    })
});

static JSON: LazyLock<String> = LazyLock::new(|| {
    lines(|out, op, id, region, cents| {
        let amount = format!("{}.{:02}", cents / 100, cents % 100);
        let _ = writeln!(out, "{{\"op\":\"{op}\",\"id\":{id},\"region\":\"{region}\",\"amount\":{amount}}}");
    })
});

/// Lines of events over a million ids and a thousand regions.
fn lines(write: impl Fn(&mut String, &str, u64, &str, u64)) -> String {
    let mut state = 42_u64;
    let mut random = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut out = String::new();
    for _ in 0..LINES {
        let op = ["c", "ub", "ua", "d"][usize::try_from(random(4)).expect("it is below 4")];
        let region = format!("region-{}", random(1000));
        let (id, cents) = (random(1_000_000), random(100_000));
        write(&mut out, op, id, &region, cents);
    }
    out
}

fn schema() -> Schema {
    Schema::new(vec![
        Column::new("op", DataType::string()),
        Column::new("id", DataType::bigint()),
        Column::new("region", DataType::string()),
        Column::new("amount", DataType::decimal(10, 2)),
    ])
}

fn connector(name: &str, format: &str) -> Connector {
    let options = [("connector", name), ("format", format)];
    let options = options.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Connector::from_options(&options, &schema(), &[]).expect("the options are right")
}

fn read(bencher: divan::Bencher<'_, '_>, format: &str, text: &'static str, columns: &[usize]) {
    let connector = connector("stdin", format);
    bencher.counter(ItemsCount::new(LINES)).bench_local(|| {
        let input = Box::new(Cursor::new(text.as_bytes()));
        let mut reader = connector.reader_of("input", input, columns).expect("it is a source");
        let mut out = Changes::new(columns.len());
        let mut count = 0;
        while reader.read(SLICE, Cause::default(), &mut out).expect("the lines are right") {
            count += out.len();
            divan::black_box(&out);
            out.clear();
        }
        assert_eq!(count + out.len(), LINES);
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn csv_read(bencher: divan::Bencher<'_, '_>) {
    read(bencher, "csv", &CSV, &[0, 1, 2, 3]);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn csv_read_one_column(bencher: divan::Bencher<'_, '_>) {
    read(bencher, "csv", &CSV, &[2]);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn json_read(bencher: divan::Bencher<'_, '_>) {
    read(bencher, "json", &JSON, &[0, 1, 2, 3]);
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn json_read_one_column(bencher: divan::Bencher<'_, '_>) {
    read(bencher, "json", &JSON, &[2]);
}

fn write(bencher: divan::Bencher<'_, '_>, format: &str) {
    let mut rows = Changes::new(4);
    let input = Box::new(Cursor::new(CSV.as_bytes()));
    let mut reader =
        connector("stdin", "csv").reader_of("input", input, &[0, 1, 2, 3]).expect("it is a source");
    while reader.read(LINES, Cause::default(), &mut rows).expect("the lines are right") {}
    let connector = connector("stdout", format);
    bencher.counter(ItemsCount::new(LINES)).bench_local(|| {
        let mut writer = connector.writer_into("sink", Box::new(std::io::sink())).expect("it is a sink");
        writer.write(&rows).and_then(|()| writer.flush()).expect("a sink takes everything");
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn csv_write(bencher: divan::Bencher<'_, '_>) {
    write(bencher, "csv");
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn json_write(bencher: divan::Bencher<'_, '_>) {
    write(bencher, "json");
}

/// What a bare loop takes from a line.
#[derive(Default)]
struct Sums {
    lines: usize,
    bytes: usize,
    ids: u64,
    cents: u64,
}

fn number(bytes: &[u8], at: &mut usize) -> u64 {
    let mut number = 0;
    while let Some(digit) = bytes.get(*at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit <= 9) {
        number = number * 10 + u64::from(digit);
        *at += 1;
    }
    number
}

fn text(bytes: &[u8], at: &mut usize, end: u8) -> usize {
    let start = *at;
    while bytes.get(*at).is_some_and(|&byte| byte != end) {
        *at += 1;
    }
    *at - start
}

fn bare(bencher: divan::Bencher<'_, '_>, text_of_lines: &'static str, between: [&'static str; 5], end: u8) {
    bencher.counter(ItemsCount::new(LINES)).bench_local(|| {
        let bytes = text_of_lines.as_bytes();
        let mut sums = Sums::default();
        let mut at = 0;
        let skip = |at: &mut usize, literal: &str| {
            assert!(bytes[*at..].starts_with(literal.as_bytes()));
            *at += literal.len();
        };
        while at < bytes.len() {
            skip(&mut at, between[0]);
            sums.bytes += text(bytes, &mut at, end);
            skip(&mut at, between[1]);
            sums.ids += number(bytes, &mut at);
            skip(&mut at, between[2]);
            sums.bytes += text(bytes, &mut at, end);
            skip(&mut at, between[3]);
            sums.cents += number(bytes, &mut at) * 100;
            at += 1;
            sums.cents += number(bytes, &mut at);
            skip(&mut at, between[4]);
            sums.lines += 1;
        }
        assert_eq!(sums.lines, LINES);
        divan::black_box(sums)
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn csv_bare(bencher: divan::Bencher<'_, '_>) {
    bare(bencher, &CSV, ["", ",", ",", ",", "\n"], b',');
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn json_bare(bencher: divan::Bencher<'_, '_>) {
    bare(bencher, &JSON, ["{\"op\":\"", "\",\"id\":", ",\"region\":\"", "\",\"amount\":", "}\n"], b'"');
}
