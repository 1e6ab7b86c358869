//! `PERCENTILE`.

use std::collections::BTreeMap;

use crate::value::Value;

/// Values with how often they occur, and the percentages that are asked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Percentiles {
    counts: BTreeMap<Value, i64>,
    total: i64,
    percentages: Value,
}

impl Percentiles {
    /// Adds a value so many times, or takes it away if the number is negative.
    pub(super) fn add(&mut self, value: &Value, times: i64, percentages: &Value) {
        self.percentages = percentages.clone();
        let count = self.counts.entry(value.clone()).or_insert(0);
        *count += times;
        self.total += times;
        if *count == 0 {
            self.counts.remove(value);
        }
    }

    /// One percentile, or a list of them; NULL of no values.
    pub(super) fn value(&self) -> Value {
        if self.total <= 0 {
            return Value::NULL;
        }
        match self.percentages.as_list() {
            Some(percentages) => {
                let values: Vec<_> = percentages.iter().map(|percentage| self.at(percentage)).collect();
                Value::list(values)
            }
            None => self.at(&self.percentages),
        }
    }

    /// The value below which this part of all values lies, between two values if need be.
    fn at(&self, percentage: &Value) -> Value {
        let Some(percentage) = percentage.as_double() else { return Value::NULL };
        #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
        let position = 1.0 + (self.total - 1) as f64 * percentage;
        let part = position - position.floor();
        match (self.nth(position.floor()), self.nth(position.ceil())) {
            (Some(low), Some(high)) if part > 0.0 => Value::double((1.0 - part) * low + part * high),
            (Some(low), _) => Value::double(low),
            _ => Value::NULL,
        }
    }

    /// The value at a whole position, counted from 1.
    fn nth(&self, position: f64) -> Option<f64> {
        let mut seen = 0;
        for (value, count) in &self.counts {
            seen += count;
            #[expect(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
            if seen as f64 >= position {
                return value.as_double();
            }
        }
        None
    }
}
