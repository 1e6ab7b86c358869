//! Hash functions, as hexadecimal digits.

use std::fmt::Write;

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use super::call::{Evaluated, failure, text};
use super::parameter::Parameter::{self, Bytes, Integer, Text};
use super::parameter::{Typed, check, gives};
use super::{Argument, Call, Category, Function};
use crate::value::TypeKind;

pub(super) static FUNCTIONS: &[Function] = &[
    Function {
        name: "MD5",
        syntax: "MD5(value)",
        summary: "Gives the MD5 hash of a string or binary in 32 hexadecimal digits.",
        example: Some(("MD5('abc')", "900150983cd24fb0d6963f7d28e17f72")),
        typing: |args| digits(args, 32),
        eval: |call| text(hash::<Md5>(call)),
        ..TEMPLATE
    },
    Function {
        name: "SHA1",
        syntax: "SHA1(value)",
        summary: "Gives the SHA-1 hash of a string or binary in 40 hexadecimal digits.",
        example: Some(("SHA1('abc')", "a9993e364706816aba3e25717850c26c9cd0d89d")),
        typing: |args| digits(args, 40),
        eval: |call| text(hash::<Sha1>(call)),
        ..TEMPLATE
    },
    Function {
        name: "SHA224",
        syntax: "SHA224(value)",
        summary: "Gives the SHA-224 hash of a string or binary in 56 hexadecimal digits.",
        example: Some(("SHA224('abc')", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")),
        typing: |args| digits(args, 56),
        eval: |call| text(hash::<Sha224>(call)),
        ..TEMPLATE
    },
    Function {
        name: "SHA256",
        syntax: "SHA256(value)",
        summary: "Gives the SHA-256 hash of a string or binary in 64 hexadecimal digits.",
        example: Some(("SHA256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")),
        typing: |args| digits(args, 64),
        eval: |call| text(hash::<Sha256>(call)),
        ..TEMPLATE
    },
    Function {
        name: "SHA384",
        syntax: "SHA384(value)",
        summary: "Gives the SHA-384 hash of a string or binary in 96 hexadecimal digits.",
        example: Some((
            "SHA384('abc')",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        )),
        typing: |args| digits(args, 96),
        eval: |call| text(hash::<Sha384>(call)),
        ..TEMPLATE
    },
    Function {
        name: "SHA512",
        syntax: "SHA512(value)",
        summary: "Gives the SHA-512 hash of a string or binary in 128 hexadecimal digits.",
        example: Some((
            "LEFT(SHA512('abc'), 64)",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a",
        )),
        typing: |args| digits(args, 128),
        eval: |call| text(hash::<Sha512>(call)),
        ..TEMPLATE
    },
    Function {
        name: "SHA2",
        syntax: "SHA2(value, bits)",
        summary: "Gives the SHA-2 hash of 224, 256, 384 or 512 bits of a string or binary in hexadecimal digits.",
        example: Some(("SHA2('abc', 224)", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7")),
        typing: |args| {
            check(args, &[&[Text, Integer], &[Bytes, Integer]]).map(|()| gives(args, TypeKind::VarChar(128)))
        },
        eval: sha2,
        ..TEMPLATE
    },
];

const TEMPLATE: Function = Function {
    name: "",
    syntax: "",
    summary: "",
    example: None,
    category: Category::Hash,
    typing: |args| digits(args, 0),
    eval: sha2,
    strict: true,
    deterministic: true,
};

const FORMS: &[&[Parameter]] = &[&[Text], &[Bytes]];

fn digits(args: &[Argument<'_>], length: u32) -> Typed {
    check(args, FORMS).map(|()| gives(args, TypeKind::Char(length)))
}

fn hash<D: Digest>(call: &Call<'_>) -> String {
    D::digest(call.bytes(0)).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn sha2(call: &Call<'_>) -> Evaluated {
    match call.integer(1) {
        224 => text(hash::<Sha224>(call)),
        256 => text(hash::<Sha256>(call)),
        384 => text(hash::<Sha384>(call)),
        512 => text(hash::<Sha512>(call)),
        bits => failure(format!("there is no SHA-2 hash of {bits} bits")),
    }
}
