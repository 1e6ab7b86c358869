//! Addresses of the Internet Protocol, version 4, as numbers.

use std::net::Ipv4Addr;

use super::super::call::text_or_null;
use super::super::parameter::Parameter::{Integer, Text};
use super::super::parameter::{STRING, check_or_null, gives_nullable};
use super::super::{Category, Function};
use crate::value::{TypeKind, Value};

pub(in crate::expr::function) static FUNCTIONS: &[Function] = &[
    Function {
        name: "INET_ATON",
        syntax: "INET_ATON(address)",
        summary: "Gives the number of an address of one to four parts, or NULL if it is none.",
        example: Some(("INET_ATON('10.0.0.1')", "167772161")),
        category: Category::String,
        typing: |args| check_or_null(args, &[&[Text]]).map(|()| gives_nullable(args, TypeKind::BigInt)),
        eval: |call| Ok(number(call.text(0)).map_or(Value::NULL, Value::integer)),
        strict: true,
        deterministic: true,
    },
    Function {
        name: "INET_NTOA",
        syntax: "INET_NTOA(number)",
        summary: "Gives the address with a number, or NULL if there is none.",
        example: Some(("INET_NTOA(167772161)", "10.0.0.1")),
        category: Category::String,
        typing: |args| check_or_null(args, &[&[Integer]]).map(|()| gives_nullable(args, STRING)),
        eval: |call| {
            text_or_null(u32::try_from(call.integer(0)).ok().map(|bits| Ipv4Addr::from(bits).to_string()))
        },
        strict: true,
        deterministic: true,
    },
];

/// Missing parts are zeros before the last one; every part is below 256.
fn number(address: &str) -> Option<u32> {
    let parts: Vec<&str> = address.split('.').collect();
    let missing = 4_usize.checked_sub(parts.len())?;
    let mut bytes = [0; 4];
    for (i, part) in parts.iter().enumerate() {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let place = if i == parts.len() - 1 { i + missing } else { i };
        bytes[place] = part.parse::<u8>().ok().filter(|_| digits)?;
    }
    Some(u32::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_leave_out_parts_before_the_last() {
        assert_eq!(number("127.1"), Some(0x7f00_0001));
        assert_eq!(number("1.2.3"), Some(0x0102_0003));
        for none in ["", "1..2.3", "256.0.0.1", "1.2.3.4.5", "+1.2.3.4", "1.65535"] {
            assert_eq!(number(none), None, "{none}");
        }
    }
}
