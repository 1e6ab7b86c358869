//! Functions on bitmaps, which are sets of 32-bit numbers.

use super::call::{Evaluated, text};
use super::parameter::Parameter::{Bitmap as Set, Bytes};
use super::parameter::{BYTES, STRING, Typed, check, check_or_null, gives, gives_nullable, mismatch};
use super::{Argument, Call, Category, EvalError, Function};
use crate::value::bitmap::Bitmap;
use crate::value::{DataType, TypeKind, Value};

pub(super) static FUNCTIONS: &[Function] = &[
    Function {
        name: "BITMAP_BUILD",
        syntax: "BITMAP_BUILD(array)",
        summary: "Makes a bitmap of the elements, negative ones as unsigned numbers, without NULLs.",
        example: Some(("BITMAP_BUILD(ARRAY[3, 1, 3])", "{1,3}")),
        typing: type_build,
        eval: |call| {
            // Typing casts to ARRAY<INT>, whose bits stay.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let numbers = call.list(0).iter().filter_map(Value::as_integer).map(|number| number as u32);
            Ok(value(&numbers.collect()))
        },
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_FROM_BYTES",
        syntax: "BITMAP_FROM_BYTES(bytes)",
        summary: "Reads a bitmap in the portable format of Roaring bitmaps.",
        example: Some(("BITMAP_FROM_BYTES(x'3A3000000100000000000000100000000100')", "{1}")),
        typing: |args| check_or_null(args, &[&[Bytes]]).map(|()| gives(args, TypeKind::Bitmap)),
        eval: |call| bitmap(call, 0).map(|bitmap| value(&bitmap)),
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_TO_BYTES",
        syntax: "BITMAP_TO_BYTES(bitmap)",
        summary: "Writes the bitmap in the portable format of Roaring bitmaps.",
        example: Some(("BITMAP_TO_BYTES(BITMAP_BUILD(ARRAY[1]))", "x'3a3000000100000000000000100000000100'")),
        typing: |args| check_or_null(args, &[&[Set]]).map(|()| gives(args, BYTES)),
        eval: |call| Ok(call.args[0].clone()),
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_TO_ARRAY",
        syntax: "BITMAP_TO_ARRAY(bitmap)",
        summary: "Gives the numbers in unsigned order as an ARRAY<INT>.",
        example: Some(("BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY[-1, 5]))", "[5, -1]")),
        typing: |args| {
            check_or_null(args, &[&[Set]])?;
            Ok(gives(args, DataType::array(DataType::int()).kind))
        },
        eval: |call| {
            let numbers = bitmap(call, 0)?;
            let numbers = numbers.values().iter().map(|number| Value::integer(number.cast_signed()));
            Ok(Value::list(numbers.collect::<Vec<_>>()))
        },
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_TO_STRING",
        syntax: "BITMAP_TO_STRING(bitmap)",
        summary: "Writes the numbers between braces.",
        example: Some(("BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[-1, 5]))", "{5,4294967295}")),
        typing: |args| check_or_null(args, &[&[Set]]).map(|()| gives(args, STRING)),
        eval: |call| text(bitmap(call, 0)?.to_string()),
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_CARDINALITY",
        syntax: "BITMAP_CARDINALITY(bitmap)",
        summary: "Counts the numbers.",
        example: Some(("BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY[7, 8, 8]))", "2")),
        typing: |args| check_or_null(args, &[&[Set]]).map(|()| gives(args, TypeKind::BigInt)),
        eval: |call| super::call::count(bitmap(call, 0)?.values().len()),
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_AND",
        syntax: "BITMAP_AND(bitmap1, bitmap2)",
        summary: "Gives the numbers that are in both bitmaps.",
        example: Some(("BITMAP_AND(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3]))", "{2}")),
        eval: |call| merged(call, Bitmap::and),
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_ANDNOT",
        syntax: "BITMAP_ANDNOT(bitmap1, bitmap2)",
        summary: "Gives the numbers of the first bitmap that are not in the second.",
        example: Some(("BITMAP_ANDNOT(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3]))", "{1}")),
        eval: |call| merged(call, Bitmap::and_not),
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_OR",
        syntax: "BITMAP_OR(bitmap1, bitmap2)",
        summary: "Gives the numbers that are in one of the bitmaps at least.",
        example: Some(("BITMAP_OR(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3]))", "{1,2,3}")),
        eval: |call| merged(call, Bitmap::or),
        ..TEMPLATE
    },
    Function {
        name: "BITMAP_XOR",
        syntax: "BITMAP_XOR(bitmap1, bitmap2)",
        summary: "Gives the numbers that are in one of the bitmaps only.",
        example: Some(("BITMAP_XOR(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3]))", "{1,3}")),
        eval: |call| merged(call, Bitmap::xor),
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Bitmap,
    typing: |args| check(args, &[&[Set, Set]]).map(|()| gives(args, TypeKind::Bitmap)),
    eval: |call| Ok(call.args[0].clone()),
    strict: true,
    deterministic: true,
};

fn type_build(args: &[Argument<'_>]) -> Typed {
    let [array] = args else { return mismatch("takes an ARRAY<INT>") };
    match &array.data_type.kind {
        TypeKind::Null => Ok(gives_nullable(args, TypeKind::Bitmap)),
        TypeKind::Array(element) if element.kind.is_integer() && element.kind != TypeKind::BigInt => {
            let mut signature = gives(args, TypeKind::Bitmap);
            signature.arguments = vec![
                DataType::array(DataType::int().with_nullable(element.nullable))
                    .with_nullable(array.data_type.nullable),
            ];
            Ok(signature)
        }
        _ => mismatch("takes an ARRAY<INT>"),
    }
}

fn bitmap(call: &Call<'_>, index: usize) -> Result<Bitmap, EvalError> {
    let bitmap = Bitmap::from_bytes(call.bytes(index));
    bitmap.ok_or_else(|| EvalError("the bytes are not a bitmap".to_owned()))
}

/// A bitmap is held as its bytes.
fn value(bitmap: &Bitmap) -> Value {
    Value::bytes(bitmap.to_bytes())
}

fn merged(call: &Call<'_>, merge: fn(&Bitmap, &Bitmap) -> Bitmap) -> Evaluated {
    Ok(value(&merge(&bitmap(call, 0)?, &bitmap(call, 1)?)))
}
