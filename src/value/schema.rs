//! The columns of a table or of a result.

use super::DataType;

/// A named, typed column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name, case-sensitive.
    pub name: String,
    /// The type, with its nullability.
    pub data_type: DataType,
}

/// The columns of a table or of a result, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Schema {
    /// The columns, in order.
    pub columns: Vec<Column>,
}

impl Column {
    /// A column of this name and type.
    pub fn new(name: impl Into<String>, data_type: DataType) -> Self {
        Self { name: name.into(), data_type }
    }
}

impl Schema {
    /// A schema of these columns.
    pub fn new(columns: Vec<Column>) -> Self {
        Self { columns }
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is no column.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The position of the column with exactly this name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The types, in order.
    pub fn types(&self) -> impl Iterator<Item = &DataType> {
        self.columns.iter().map(|column| &column.data_type)
    }

    /// The columns at these positions.
    #[must_use]
    pub fn project(&self, indices: &[usize]) -> Self {
        Self::new(indices.iter().map(|&i| self.columns[i].clone()).collect())
    }
}

impl FromIterator<Column> for Schema {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        Self::new(columns.into_iter().collect())
    }
}
