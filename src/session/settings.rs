//! The settings of a session: what `SET` sets.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use crate::plan::advice::Tuning;
use crate::plan::bind::nearest;
use crate::plan::determinism::STRATEGY as NON_DETERMINISTIC_UPDATE;

/// What `SET` sets. Keys that are not known are kept and have no effect.
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
#[derive(Debug, Clone)]
pub struct Settings {
    given: BTreeMap<String, String>,
    /// Whether only what Flink accepts is accepted.
    pub strict: bool,
    /// Whether `INSERT INTO … SELECT` reads what is there and ends, rather than going on.
    pub insert_once: bool,
    /// The time zone of `TIMESTAMP_LTZ` and of the clock.
    pub time_zone: TimeZone,
    /// Whether a row with NULL in a NOT NULL column is left out rather than refused.
    pub drops_nulls: bool,
    /// Whether a query whose upsert key differs from the primary key of its table needs ON CONFLICT.
    pub requires_on_conflict: bool,
    /// Whether a query is refused that computes values anew where it takes rows back.
    pub refuses_non_determinism: bool,
}

/// Why a setting cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("setting '{key}' cannot be '{value}'")]
pub struct SettingError {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
    expected: String,
}

impl SettingError {
    /// What the value can be.
    pub fn hint(&self) -> Option<String> {
        Some(format!("It is {}.", self.expected))
    }
}

/// Says only what Flink accepts is accepted.
pub const STRICT: &str = "rowkind.strict";
/// Says how `INSERT INTO … SELECT` runs: `pipeline` or `once`.
pub(super) const INSERT: &str = "rowkind.insert";
/// Says how results are shown.
pub const RESULT_MODE: &str = "sql-client.execution.result-mode";
/// Says whether the time that each statement took is shown. In Flink it is unless this is `false`.
pub const PRINT_TIME_COST: &str = "sql-client.display.print-time-cost";
/// Says whether errors are shown in full.
pub const VERBOSE: &str = "sql-client.verbose";
const TIME_ZONE: &str = "table.local-time-zone";
const NOT_NULL_ENFORCER: &str = "table.exec.sink.not-null-enforcer";
const REQUIRE_ON_CONFLICT: &str = "table.exec.sink.require-on-conflict";

const AGGREGATE_PHASES: &str = "table.optimizer.agg-phase-strategy";
const MINI_BATCH: &str = "table.exec.mini-batch.enabled";
const MINI_BATCH_LATENCY: &str = "table.exec.mini-batch.allow-latency";
const MINI_BATCH_SIZE: &str = "table.exec.mini-batch.size";
const STATE_TTL: &str = "table.exec.state.ttl";

/// The keys that only advice looks at: what they say is for Flink.
const ADVISED: [&str; 5] = [AGGREGATE_PHASES, MINI_BATCH, MINI_BATCH_LATENCY, MINI_BATCH_SIZE, STATE_TTL];

/// The keys that have an effect, with their default values.
pub const KNOWN: [(&str, &str); 9] = [
    (STRICT, "false"),
    (INSERT, "pipeline"),
    (RESULT_MODE, "changelog"),
    (PRINT_TIME_COST, "false"),
    (VERBOSE, "false"),
    (TIME_ZONE, "UTC"),
    (NOT_NULL_ENFORCER, "ERROR"),
    (REQUIRE_ON_CONFLICT, "false"),
    (NON_DETERMINISTIC_UPDATE, "IGNORE"),
];

/// The values of a setting that is on or off.
const SWITCH: [(&str, bool); 2] = [("true", true), ("false", false)];

/// The values that a setting can have, if they are few.
pub fn setting_values(key: &str) -> &'static [&'static str] {
    match key {
        STRICT | REQUIRE_ON_CONFLICT | PRINT_TIME_COST | VERBOSE => &["true", "false"],
        INSERT => &["pipeline", "once"],
        RESULT_MODE => &["changelog", "table", "tableau"],
        NOT_NULL_ENFORCER => &["ERROR", "DROP"],
        NON_DETERMINISTIC_UPDATE => &["IGNORE", "TRY_RESOLVE"],
        _ => &[],
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            given: BTreeMap::new(),
            strict: false,
            insert_once: false,
            time_zone: TimeZone::UTC,
            drops_nulls: false,
            requires_on_conflict: false,
            refuses_non_determinism: false,
        }
    }
}

impl Settings {
    /// Sets a key. Returns a notice if the key has no effect.
    ///
    /// # Errors
    /// When a known key gets a value that it cannot have.
    pub fn set(&mut self, key: &str, value: &str) -> Result<Option<String>, SettingError> {
        let notice = self.apply(key, value)?;
        self.given.insert(key.to_owned(), value.to_owned());
        Ok(notice)
    }

    fn apply(&mut self, key: &str, value: &str) -> Result<Option<String>, SettingError> {
        match key {
            STRICT => self.strict = choice(key, value, &SWITCH)?,
            INSERT => self.insert_once = choice(key, value, &[("once", true), ("pipeline", false)])?,
            RESULT_MODE => {
                const MODES: [(&str, bool); 3] = [("changelog", true), ("table", true), ("tableau", true)];
                choice(key, value, &MODES)?;
            }
            // They are for the shell.
            PRINT_TIME_COST | VERBOSE => {
                choice(key, value, &SWITCH)?;
            }
            TIME_ZONE => self.time_zone = time_zone(key, value)?,
            NOT_NULL_ENFORCER => {
                self.drops_nulls = upper_choice(key, value, &[("DROP", true), ("ERROR", false)])?;
            }
            REQUIRE_ON_CONFLICT => self.requires_on_conflict = choice(key, value, &SWITCH)?,
            NON_DETERMINISTIC_UPDATE => {
                const STRATEGIES: [(&str, bool); 2] = [("IGNORE", false), ("TRY_RESOLVE", true)];
                self.refuses_non_determinism = upper_choice(key, value, &STRATEGIES)?;
            }
            _ if ADVISED.contains(&key) => {
                return Ok(Some(format!("'{key}' has no effect here but on EXPLAIN PLAN_ADVICE")));
            }
            _ => {
                let near = nearest(key, KNOWN.map(|(key, _)| key));
                let near = near.map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
                return Ok(Some(format!("'{key}' has no effect here{near}")));
            }
        }
        Ok(None)
    }

    /// Takes back what was set for a key, or for all keys.
    pub fn reset(&mut self, key: Option<&str>) {
        let given = std::mem::take(self).given;
        for (kept, value) in given {
            if key.is_some_and(|key| key != kept) {
                // It was valid when it was set.
                let _ = self.set(&kept, &value);
            }
        }
    }

    /// What is set of the options by which Flink aggregates in two phases.
    pub(super) fn tuning(&self) -> Tuning {
        let is = |key, value| self.get(key).is_some_and(|set| set.eq_ignore_ascii_case(value));
        let is_positive = |key| self.get(key).is_some_and(is_positive);
        Tuning {
            one_phase: is(AGGREGATE_PHASES, "ONE_PHASE"),
            mini_batch: is(MINI_BATCH, "true"),
            latency: is_positive(MINI_BATCH_LATENCY),
            size: is_positive(MINI_BATCH_SIZE),
        }
    }

    /// Whether Flink would let go of state that rests for some time.
    pub(super) fn forgets_state(&self) -> bool {
        self.get(STATE_TTL).is_some_and(is_positive)
    }

    /// What was set for a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.given.get(key).map(String::as_str)
    }

    /// The keys that were set, with their values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

/// Whether a number or a duration, such as `5 s`, is more than 0.
fn is_positive(text: &str) -> bool {
    let digits = text.trim_start().split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.bytes().any(|digit| digit != b'0')
}

/// A choice in any case.
fn upper_choice<T: Copy>(key: &str, value: &str, choices: &[(&str, T)]) -> Result<T, SettingError> {
    let found = choice(key, &value.to_uppercase(), choices);
    found.map_err(|error| SettingError { value: value.to_owned(), ..error })
}

fn choice<T: Copy>(key: &str, value: &str, choices: &[(&str, T)]) -> Result<T, SettingError> {
    let found = choices.iter().find(|(name, _)| *name == value);
    found.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
        let expected = match &names[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            names => names.concat(),
        };
        SettingError { key: key.to_owned(), value: value.to_owned(), expected }
    })
}

/// A zone's name such as `Europe/Rome`, or an offset such as `GMT+02:00` or `+02:00`.
fn time_zone(key: &str, value: &str) -> Result<TimeZone, SettingError> {
    let offset = value.strip_prefix("GMT").or_else(|| value.strip_prefix("UTC")).unwrap_or(value);
    let fixed = |text: &str| {
        let (sign, digits) = match text.split_at_checked(1)? {
            ("+", digits) => (1, digits),
            ("-", digits) => (-1, digits),
            _ => return None,
        };
        let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "0"));
        let seconds = hours.parse::<i32>().ok()? * 3600 + minutes.parse::<i32>().ok()? * 60;
        jiff::tz::Offset::from_seconds(sign * seconds).ok().map(TimeZone::fixed)
    };
    match value {
        "default" | "UTC" | "GMT" | "Z" => return Ok(TimeZone::UTC),
        _ => {}
    }
    fixed(offset).or_else(|| TimeZone::get(value).ok()).ok_or_else(|| SettingError {
        key: key.to_owned(),
        value: value.to_owned(),
        expected: "a zone such as 'UTC', 'Europe/Rome' or 'GMT+02:00'".to_owned(),
    })
}
