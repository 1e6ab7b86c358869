//! The types of columns and casts.

use rowkind::value::{DataType, Field, MAX_LENGTH, TypeKind};

use super::{Problem, Read, Reader};

impl Reader<'_> {
    /// A type with its nullability.
    pub(super) fn data_type(&mut self) -> Read<DataType> {
        let name = self.name()?.to_ascii_uppercase();
        let kind = match name.as_str() {
            "BOOLEAN" => TypeKind::Boolean,
            "TINYINT" => TypeKind::TinyInt,
            "SMALLINT" => TypeKind::SmallInt,
            "INT" | "INTEGER" => TypeKind::Int,
            "BIGINT" => TypeKind::BigInt,
            "FLOAT" => TypeKind::Float,
            "DOUBLE" => TypeKind::Double,
            "STRING" => TypeKind::VarChar(MAX_LENGTH),
            "BYTES" => TypeKind::VarBinary(MAX_LENGTH),
            "CHAR" => TypeKind::Char(self.length(1)?),
            "VARCHAR" => TypeKind::VarChar(self.length(1)?),
            "BINARY" => TypeKind::Binary(self.length(1)?),
            "VARBINARY" => TypeKind::VarBinary(self.length(1)?),
            "DATE" => TypeKind::Date,
            "TIME" => TypeKind::Time(self.digits(0)?),
            "TIMESTAMP" => TypeKind::Timestamp(self.digits(6)?),
            "TIMESTAMP_LTZ" => TypeKind::TimestampLtz(self.digits(6)?),
            "DECIMAL" => {
                let mut scale = 0;
                let mut precision = 10;
                if self.sign("(") {
                    precision = self.small()?;
                    if self.sign(",") {
                        scale = self.small()?;
                    }
                    self.expect(")")?;
                }
                TypeKind::Decimal { precision, scale }
            }
            "ARRAY" => {
                self.expect("<")?;
                let element = self.data_type()?;
                self.expect(">")?;
                DataType::array(element).kind
            }
            "MULTISET" => {
                self.expect("<")?;
                let element = self.data_type()?;
                self.expect(">")?;
                TypeKind::Multiset(element.into())
            }
            "MAP" => {
                self.expect("<")?;
                let key = self.data_type()?;
                self.expect(",")?;
                let value = self.data_type()?;
                self.expect(">")?;
                DataType::map(key, value).kind
            }
            "ROW" => {
                self.expect("<")?;
                let mut fields = Vec::new();
                while !self.sign(">") {
                    let name = self.name()?;
                    fields.push(Field { name, data_type: self.data_type()? });
                    self.sign(",");
                }
                TypeKind::Row(fields.into())
            }
            _ => return Err(Problem::Unread(format!("type {name}"))),
        };
        let not_null = self.words(&["NOT", "NULL"]);
        Ok(DataType::new(kind).with_nullable(!not_null))
    }

    fn small(&mut self) -> Read<u8> {
        match self.next() {
            super::Token::Number(number) => number.parse().map_err(|_| Problem::Unread(number)),
            _ => self.unread("number"),
        }
    }

    fn length(&mut self, default: u32) -> Read<u32> {
        if !self.sign("(") {
            return Ok(default);
        }
        let length = self.small()?;
        self.expect(")")?;
        Ok(length.into())
    }

    fn digits(&mut self, default: u8) -> Read<u8> {
        let digits = self.length(default.into())?;
        Ok(u8::try_from(digits).unwrap_or(default))
    }
}
