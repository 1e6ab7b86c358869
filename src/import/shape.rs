//! What values look like, and which type takes them all.

use indexmap::IndexMap;
use serde_json::Value as Json;

use super::text::{Stamp, TextKind};
use crate::value::{DataType, Field, TypeKind};

/// What the values of one place look like.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Shape {
    /// There was nothing but NULL.
    #[default]
    Nothing,
    Boolean,
    Number(Number),
    Text(TextKind),
    Array(Box<Shape>),
    Object(Object),
    /// They have nothing in common but that each has a text.
    Mixed,
}

/// What numbers look like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    /// The most digits before the point.
    whole: usize,
    /// The most digits behind it.
    scale: usize,
    /// Whether one has an exponent.
    has_exponent: bool,
    /// Whether one does not fit into 64 bits.
    is_wide: bool,
}

/// What objects look like: what each member does, and in how many objects it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Object {
    pub(super) members: IndexMap<String, Member>,
    count: usize,
    /// Whether the names of the members are those of columns, however rare they are.
    has_columns: bool,
}

/// What the values of a member look like.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Member {
    pub(super) shape: Shape,
    count: usize,
}

/// The most digits behind the point of numbers that are taken as exact; with more they are measured.
const MOST_EXACT: usize = 4;

/// With so many members, of which most objects have only a few, an object is a map.
const MEMBERS_OF_A_MAP: usize = 8;

impl Number {
    /// A number as it is written.
    pub(super) fn of(text: &str) -> Self {
        let digits = text.trim_start_matches(['-', '+']);
        let (mantissa, exponent) = digits.split_once(['e', 'E']).map_or((digits, false), |(m, _)| (m, true));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_wide = fraction.is_empty() && text.parse::<i64>().is_err();
        Self { whole: whole.len(), scale: fraction.len(), has_exponent: exponent, is_wide }
    }

    /// What two numbers have in common.
    pub(super) fn merged(self, other: Self) -> Self {
        Self {
            whole: self.whole.max(other.whole),
            scale: self.scale.max(other.scale),
            has_exponent: self.has_exponent | other.has_exponent,
            is_wide: self.is_wide | other.is_wide,
        }
    }

    /// The type that takes both.
    pub(super) fn data_type(self) -> DataType {
        if self.has_exponent || self.scale > MOST_EXACT {
            return DataType::new(TypeKind::Double);
        }
        let digits = self.whole + self.scale;
        match (self.scale, self.is_wide) {
            (0, false) => DataType::new(TypeKind::BigInt),
            _ if digits > 38 => DataType::new(TypeKind::Double),
            // Others may have some digits more.
            (scale, _) => {
                let precision = [10, 18, 38].into_iter().find(|&precision| digits <= precision).unwrap_or(38);
                let (precision, scale) = (u8::try_from(precision), u8::try_from(scale));
                DataType::new(TypeKind::Decimal {
                    precision: precision.unwrap_or(38),
                    scale: scale.unwrap_or_default(),
                })
            }
        }
    }
}

impl Shape {
    /// What a value looks like.
    pub(super) fn of(value: &Json) -> Self {
        match value {
            Json::Null => Self::Nothing,
            Json::Bool(_) => Self::Boolean,
            Json::Number(number) => Self::Number(Number::of(&number.to_string())),
            Json::String(text) => Self::Text(TextKind::of(text)),
            Json::Array(items) => {
                let mut shape = Self::Nothing;
                for item in items {
                    shape.merge(Self::of(item));
                }
                Self::Array(Box::new(shape))
            }
            Json::Object(members) => {
                let member = |(name, value): (&String, &Json)| {
                    (name.clone(), Member { shape: Self::of(value), count: 1 })
                };
                Self::Object(Object {
                    members: members.iter().map(member).collect(),
                    count: 1,
                    has_columns: false,
                })
            }
        }
    }

    /// Takes what others look like into account.
    pub(super) fn merge(&mut self, other: Self) {
        *self = match (std::mem::take(self), other) {
            (one, Self::Nothing) | (Self::Nothing, one) => one,
            (Self::Boolean, Self::Boolean) => Self::Boolean,
            (Self::Number(one), Self::Number(other)) => Self::Number(one.merged(other)),
            (Self::Text(one), Self::Text(other)) => Self::Text(one.merged(other)),
            (Self::Array(mut one), Self::Array(other)) => {
                one.merge(*other);
                Self::Array(one)
            }
            (Self::Object(mut one), Self::Object(other)) => {
                one.merge(other);
                Self::Object(one)
            }
            _ => Self::Mixed,
        };
    }

    /// The type that takes all of them. Times are written as in ISO 8601, or as in SQL.
    pub(super) fn data_type(&self, iso: bool) -> DataType {
        match self {
            Self::Nothing | Self::Mixed => DataType::string(),
            Self::Boolean => DataType::boolean(),
            Self::Number(number) => number.data_type(),
            Self::Text(kind) => kind.data_type(iso),
            Self::Array(element) => DataType::new(TypeKind::Array(element.data_type(iso).into())),
            Self::Object(object) => {
                if let Some(value) = object.values_of_map() {
                    let (key, value) = (DataType::string(), value.data_type(iso));
                    return DataType::new(TypeKind::Map(key.into(), value.into()));
                }
                let field = |(name, member): (&String, &Member)| Field {
                    name: name.clone(),
                    data_type: member.shape.data_type(iso),
                };
                DataType::new(TypeKind::Row(object.members.iter().map(field).collect()))
            }
        }
    }

    /// Counts the places that hold times in ISO 8601, and those that hold times as in SQL.
    pub(super) fn count_times(&self, counts: &mut [usize; 2]) {
        match self {
            Self::Text(TextKind::Time(Stamp { iso, .. })) => counts[usize::from(!iso)] += 1,
            Self::Array(element) => element.count_times(counts),
            Self::Object(object) => {
                object.members.values().for_each(|member| member.shape.count_times(counts));
            }
            Self::Nothing | Self::Boolean | Self::Number(_) | Self::Text(_) | Self::Mixed => {}
        }
    }

    /// The objects, if that is what they are.
    pub(super) fn object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }
}

/// The types that DynamoDB puts around each value.
const ATTRIBUTE_TYPES: [&str; 10] = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];

impl Object {
    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.has_columns |= other.has_columns;
        for (name, member) in other.members {
            let mine = self.members.entry(name).or_default();
            mine.count += member.count;
            mine.shape.merge(member.shape);
        }
    }

    /// Objects with these members, each in all of them.
    pub(super) fn of_members(members: impl IntoIterator<Item = (String, Shape)>) -> Self {
        let member = |(name, shape)| (name, Member { shape, count: 1 });
        Self { members: members.into_iter().map(member).collect(), count: 1, has_columns: false }
    }

    /// What objects look like that are these.
    pub(super) fn of<'a>(values: impl IntoIterator<Item = &'a Json>) -> Self {
        let mut shape = Shape::Nothing;
        values.into_iter().filter(|value| value.is_object()).for_each(|value| shape.merge(Shape::of(value)));
        match shape {
            Shape::Object(object) => object,
            _ => Self::default(),
        }
    }

    /// A column for each member, and whether their times are written as in ISO 8601.
    pub(super) fn columns(&self) -> (Vec<(String, DataType)>, bool) {
        let mut times = [0; 2];
        self.members.values().for_each(|member| member.shape.count_times(&mut times));
        let is_iso = times[0] > times[1];
        let column = |(name, member): (&String, &Member)| (name.clone(), member.shape.data_type(is_iso));
        (self.members.iter().map(column).collect(), is_iso)
    }

    /// What a member looks like.
    pub(super) fn get(&self, name: &str) -> Option<&Shape> {
        self.members.get(name).map(|member| &member.shape)
    }

    /// A member that is an object.
    pub(super) fn object(&self, name: &str) -> Option<&Object> {
        self.get(name)?.object()
    }

    /// What the values look like, if the names of the members are data and not columns.
    fn values_of_map(&self) -> Option<Shape> {
        let mut all = Shape::Nothing;
        self.members.values().for_each(|member| all.merge(member.shape.clone()));
        if self.members.is_empty() {
            return Some(Shape::Nothing);
        }
        if self.has_attributes() {
            return Some(all);
        }
        if self.has_columns {
            return None;
        }
        let seen: usize = self.members.values().map(|member| member.count).sum();
        let is_sparse = self.members.len() >= MEMBERS_OF_A_MAP && seen * 3 < self.members.len() * self.count;
        (is_sparse && all != Shape::Mixed).then_some(all)
    }

    /// A member that is an object, to change it.
    pub(super) fn object_mut(&mut self, name: &str) -> Option<&mut Self> {
        match &mut self.members.get_mut(name)?.shape {
            Shape::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The object at a path, to change it.
    pub(super) fn object_at_mut(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |object, name| object.object_mut(name))
    }

    /// The object at a path.
    pub(super) fn object_at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |object, name| object.object(name))
    }

    /// Takes the names of the members of the object at a path, if there is one, for those of columns.
    pub(super) fn keep_columns(&mut self, path: &[&str]) {
        if let Some(object) = self.object_at_mut(path) {
            object.has_columns = true;
        }
    }

    /// Whether each value is one of DynamoDB: an object that names its type.
    pub(super) fn has_attributes(&self) -> bool {
        !self.members.is_empty()
            && self.members.values().all(|member| {
                member.shape.object().is_some_and(|value| {
                    !value.members.is_empty()
                        && value.members.keys().all(|key| ATTRIBUTE_TYPES.contains(&key.as_str()))
                })
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data_type(values: &[&str]) -> String {
        let mut shape = Shape::Nothing;
        for text in values {
            shape.merge(Shape::of(&serde_json::from_str(text).unwrap()));
        }
        shape.data_type(true).to_string()
    }

    #[test]
    fn a_type_takes_all_values_of_its_place() {
        assert_eq!(data_type(&["1", "null", "9007199254740993"]), "BIGINT");
        assert_eq!(data_type(&["1", "19.90"]), "DECIMAL(10, 2)");
        assert_eq!(data_type(&["12345678901.5"]), "DECIMAL(18, 1)");
        assert_eq!(data_type(&["18446744073709551616"]), "DECIMAL(38, 0)");
        assert_eq!(data_type(&["52.520008"]), "DOUBLE");
        assert_eq!(data_type(&["1e3"]), "DOUBLE");
        assert_eq!(data_type(&["1", "\"x\""]), "STRING");
        assert_eq!(data_type(&["\"2024-02-29\""]), "DATE");
        assert_eq!(data_type(&["\"2023-02-29\""]), "STRING");
        assert_eq!(data_type(&["\"2024-01-01T10:00:00\"", "\"2024-01-01T10:00:00.25\""]), "TIMESTAMP(3)");
        assert_eq!(data_type(&["\"2024-01-01T10:00:00.123456Z\""]), "TIMESTAMP_LTZ(6)");
        assert_eq!(data_type(&["\"2024-01-01 10:00:00\""]), "STRING");
        assert_eq!(data_type(&["[]", "[1, null]"]), "ARRAY<BIGINT>");
        assert_eq!(data_type(&["{\"a\": 1}", "{\"b\": [true]}"]), "ROW<`a` BIGINT, `b` ARRAY<BOOLEAN>>");
        assert_eq!(data_type(&["{}"]), "MAP<STRING, STRING>");
    }

    #[test]
    fn an_object_whose_names_are_data_is_a_map() {
        let objects: Vec<String> = (0..20).map(|n| format!("{{\"user-{n}\": {n}}}")).collect();
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        assert_eq!(data_type(&objects), "MAP<STRING, BIGINT>");
        let item = "{\"pk\": {\"S\": \"a\"}, \"age\": {\"N\": \"3\"}}";
        assert_eq!(data_type(&[item]), "MAP<STRING, ROW<`S` STRING, `N` STRING>>");
    }
}
