//! The state of an aggregate over one group.

use std::collections::BTreeMap;

use super::number::{DecimalSum, Moments, Number};
use super::percentile::Percentiles;
use super::sequence::{Counts, Sequence, count_in, count_out, remove_earliest};
use super::{AggregateCall, Kind, MORE_THAN_ONE_ROW};
use crate::expr::function::EvalError;
use crate::value::cast::wrap_integer;
use crate::value::{Decimal, Value};

/// What an aggregate remembers of one group.
#[derive(Debug, Clone)]
pub struct State(Repr);

#[derive(Debug, Clone)]
enum Repr {
    Count(i64),
    /// The sum of integers, modulo 2^64, and how many there are.
    Integers(i64, i64),
    Floats(f32, i64),
    Doubles(f64, i64),
    Decimals(DecimalSum, i64),
    Moments(Moments),
    /// The smallest, largest, first or last value so far.
    One(Value),
    /// The value of a scalar sub-query, and the number of its rows.
    Single(Value, i64),
    Ordered(BTreeMap<Value, i64>),
    Sequence(Box<Sequence>),
    Values(Vec<Value>),
    /// A list of texts that only grows.
    Text(Option<String>),
    /// Values in the order of their first arrival, with how often they occur.
    Multiset(Vec<(Value, i64)>),
    Members(BTreeMap<Value, Value>),
    Percentiles(Box<Percentiles>),
    /// The counts of all values, and the state over one of each.
    Distinct(Box<(Counts, State)>),
}

impl State {
    pub(super) fn new(kind: &Kind, distinct: bool, retracts: bool) -> Self {
        if distinct {
            let state = Self::new(kind, false, retracts);
            return Self(Repr::Distinct(Box::new((Counts::default(), state))));
        }
        Self(match kind {
            Kind::CountRows | Kind::Count => Repr::Count(0),
            Kind::Sum(Number::Integer(_)) | Kind::Average(Number::Integer(_)) => Repr::Integers(0, 0),
            Kind::Sum(Number::Float) => Repr::Floats(0.0, 0),
            Kind::Sum(Number::Double) | Kind::Average(Number::Float | Number::Double) => {
                Repr::Doubles(0.0, 0)
            }
            Kind::Sum(Number::Decimal(_)) => Repr::Decimals(DecimalSum::new(false), 0),
            Kind::Average(Number::Decimal(_)) => Repr::Decimals(DecimalSum::new(true), 0),
            Kind::Spread { .. } => Repr::Moments(Moments::default()),
            Kind::Min | Kind::Max if retracts => Repr::Ordered(BTreeMap::new()),
            Kind::First | Kind::Last if retracts => Repr::Sequence(Box::default()),
            Kind::Min | Kind::Max | Kind::First | Kind::Last => Repr::One(Value::NULL),
            Kind::Single => Repr::Single(Value::NULL, 0),
            Kind::List(_) if !retracts => Repr::Text(None),
            Kind::List(_) | Kind::Array | Kind::JsonArray(_) => Repr::Values(Vec::new()),
            Kind::Collect => Repr::Multiset(Vec::new()),
            Kind::JsonObject(_) => Repr::Members(BTreeMap::new()),
            Kind::Percentile => Repr::Percentiles(Box::default()),
        })
    }

    pub(super) fn accumulate(&mut self, call: &AggregateCall, row: &[Value]) -> Result<(), EvalError> {
        let kind = &call.function.kind;
        let value = call.argument(row);
        match &mut self.0 {
            Repr::Distinct(distinct) => {
                let (counts, state) = &mut **distinct;
                return if count_in(counts, value) { state.accumulate(call, row) } else { Ok(()) };
            }
            Repr::Count(count) => *count += i64::from(*kind == Kind::CountRows || !value.is_null()),
            // Arrays have NULL elements, and JSON may have.
            Repr::Values(values) => match kind {
                Kind::JsonArray(members) if !members.shows(value) => {}
                Kind::List(_) if value.is_null() => {}
                _ => values.push(value.clone()),
            },
            Repr::Members(members) => return add_member(members, call, row),
            Repr::Single(single, count) => {
                if *count > 0 {
                    return Err(EvalError(MORE_THAN_ONE_ROW.to_owned()));
                }
                *count += 1;
                single.clone_from(value);
            }
            _ if value.is_null() => {}
            Repr::Integers(sum, count) => {
                *sum = sum.wrapping_add(value.as_integer().unwrap_or_default());
                *count += 1;
            }
            Repr::Floats(sum, count) => {
                *sum += value.as_float().unwrap_or_default();
                *count += 1;
            }
            Repr::Doubles(sum, count) => {
                *sum += Number::to_double(value).unwrap_or_default();
                *count += 1;
            }
            Repr::Decimals(sum, count) => {
                *sum = add_decimal(*sum, kind, value.as_decimal().unwrap_or_default());
                *count += 1;
            }
            Repr::Moments(moments) => moments.add(Number::to_double(value).unwrap_or_default()),
            Repr::One(one) => {
                let replaces = match kind {
                    Kind::Min => one.is_null() || value < one,
                    Kind::Max => one.is_null() || value > one,
                    Kind::First => one.is_null(),
                    _ => true,
                };
                if replaces {
                    one.clone_from(value);
                }
            }
            Repr::Ordered(counts) => match counts.get_mut(value) {
                Some(count) => *count += 1,
                None => drop(counts.insert(value.clone(), 1)),
            },
            Repr::Sequence(sequence) => sequence.push(value),
            Repr::Text(text) => {
                let Kind::List(separator) = kind else { return Ok(()) };
                let item = value.as_str().unwrap_or_default();
                match text {
                    None => *text = Some(item.to_owned()),
                    Some(text) => {
                        text.push_str(separator);
                        text.push_str(item);
                    }
                }
            }
            Repr::Multiset(entries) => match entries.iter_mut().find(|(other, _)| other == value) {
                Some((_, count)) => *count += 1,
                None => entries.push((value.clone(), 1)),
            },
            Repr::Percentiles(percentiles) => add_percentile(percentiles, call, row, 1),
        }
        Ok(())
    }

    pub(super) fn retract(&mut self, call: &AggregateCall, row: &[Value]) {
        let kind = &call.function.kind;
        let value = call.argument(row);
        match &mut self.0 {
            Repr::Distinct(distinct) => {
                let (counts, state) = &mut **distinct;
                if count_out(counts, value) {
                    state.retract(call, row);
                }
            }
            Repr::Count(count) => *count -= i64::from(*kind == Kind::CountRows || !value.is_null()),
            Repr::Values(values) => remove_earliest(values, value),
            Repr::Members(members) => {
                members.remove(value);
            }
            Repr::Single(single, count) => {
                *count -= 1;
                *single = Value::NULL;
            }
            _ if value.is_null() => {}
            Repr::Integers(sum, count) => {
                *sum = sum.wrapping_sub(value.as_integer().unwrap_or_default());
                *count -= 1;
            }
            Repr::Floats(sum, count) => {
                *sum -= value.as_float().unwrap_or_default();
                *count -= 1;
            }
            Repr::Doubles(sum, count) => {
                *sum -= Number::to_double(value).unwrap_or_default();
                *count -= 1;
            }
            Repr::Decimals(sum, count) => {
                let value = value.as_decimal().unwrap_or_default();
                *sum = add_decimal(*sum, kind, Decimal::new(-value.unscaled(), value.scale()));
                *count -= 1;
            }
            Repr::Moments(moments) => moments.remove(Number::to_double(value).unwrap_or_default()),
            Repr::Ordered(counts) => match counts.get_mut(value) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(counts.remove(value)),
            },
            Repr::Sequence(sequence) => sequence.remove(value),
            Repr::Multiset(entries) => {
                if let Some(place) = entries.iter().position(|(other, _)| other == value) {
                    entries[place].1 -= 1;
                    if entries[place].1 == 0 {
                        entries.remove(place);
                    }
                }
            }
            Repr::Percentiles(percentiles) => add_percentile(percentiles, call, row, -1),
            // Without retraction there is nothing to go back to.
            Repr::One(_) | Repr::Text(_) => {}
        }
    }

    pub(super) fn value(&self, call: &AggregateCall) -> Value {
        let kind = &call.function.kind;
        match &self.0 {
            Repr::Distinct(distinct) => distinct.1.value(call),
            Repr::Count(count) => Value::integer(*count),
            Repr::Integers(_, 0) | Repr::Floats(_, 0) | Repr::Doubles(_, 0) | Repr::Decimals(_, 0) => {
                Value::NULL
            }
            Repr::Integers(sum, count) => {
                let value = if matches!(kind, Kind::Average(_)) { sum.wrapping_div(*count) } else { *sum };
                Value::integer(wrap_integer(value, &call.data_type.kind))
            }
            Repr::Floats(sum, _) => Value::float(*sum),
            Repr::Doubles(sum, count) => match kind {
                #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
                Kind::Average(number) => number.cast_double(*sum / *count as f64),
                _ => Value::double(*sum),
            },
            Repr::Decimals(sum, count) => decimal_value(*sum, *count, kind),
            Repr::Moments(moments) => match kind {
                Kind::Spread { number, sample, root } => {
                    let spread = moments
                        .variance(*sample)
                        .map(|variance| if *root { variance.sqrt() } else { variance });
                    spread.map_or(Value::NULL, |spread| number.cast_double(spread))
                }
                _ => Value::NULL,
            },
            Repr::One(value) | Repr::Single(value, _) => value.clone(),
            Repr::Ordered(counts) => {
                let best =
                    if *kind == Kind::Min { counts.first_key_value() } else { counts.last_key_value() };
                best.map(|(value, _)| value.clone()).unwrap_or_default()
            }
            Repr::Sequence(sequence) => {
                let value = if *kind == Kind::First { sequence.first() } else { sequence.last() };
                value.cloned().unwrap_or_default()
            }
            Repr::Text(text) => text.as_ref().map_or(Value::NULL, |text| Value::string(text)),
            Repr::Values(values) => match kind {
                Kind::JsonArray(members) => members.array(values),
                _ if values.is_empty() => Value::NULL,
                Kind::List(separator) => join(values, separator),
                _ => Value::list(&values[..]),
            },
            Repr::Multiset(entries) => {
                let entries = entries.iter().map(|(value, count)| (value.clone(), Value::integer(*count)));
                Value::entries(entries.collect::<Vec<_>>())
            }
            Repr::Members(members) => match kind {
                Kind::JsonObject(shown) => shown.object(members),
                _ => Value::NULL,
            },
            Repr::Percentiles(percentiles) => percentiles.value(),
        }
    }
}

fn add_decimal(sum: DecimalSum, kind: &Kind, value: Decimal) -> DecimalSum {
    match kind {
        Kind::Sum(Number::Decimal(scale)) => sum.plus(value, *scale, true),
        Kind::Average(Number::Decimal(scale)) => sum.plus(value, *scale, false),
        _ => sum,
    }
}

fn decimal_value(sum: DecimalSum, count: i64, kind: &Kind) -> Value {
    let value = match kind {
        Kind::Sum(Number::Decimal(scale)) => sum.get(*scale),
        Kind::Average(Number::Decimal(scale)) => {
            sum.get(*scale).and_then(|sum| sum.div(Decimal::from(count), 38, *scale.max(&6)))
        }
        _ => None,
    };
    value.map_or(Value::NULL, Value::decimal)
}

/// The arguments are the key and the value.
fn add_member(
    members: &mut BTreeMap<Value, Value>,
    call: &AggregateCall,
    row: &[Value],
) -> Result<(), EvalError> {
    let [key, value] = call.args[..] else { return Ok(()) };
    let (key, value) = (&row[key], &row[value]);
    if key.is_null() {
        return Err(EvalError("a key of a JSON object is NULL".to_owned()));
    }
    if members.contains_key(key) {
        let key = key.as_str().unwrap_or_default();
        return Err(EvalError(format!("the JSON object has the key \"{key}\" already")));
    }
    members.insert(key.clone(), value.clone());
    Ok(())
}

/// The arguments are the value, the percentages and, if at all, how often the value counts.
fn add_percentile(percentiles: &mut Percentiles, call: &AggregateCall, row: &[Value], sign: i64) {
    let argument = |index: usize| call.args.get(index).map(|&column| &row[column]);
    let times = argument(2).map_or(1, |times| times.as_integer().unwrap_or_default());
    if let (Some(value), Some(percentages), 1..) = (argument(0), argument(1), times) {
        percentiles.add(value, sign * times, percentages);
    }
}

fn join(values: &[Value], separator: &str) -> Value {
    let mut text = String::new();
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            text.push_str(separator);
        }
        text.push_str(value.as_str().unwrap_or_default());
    }
    Value::string(&text)
}
