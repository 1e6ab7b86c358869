//! Laws of single values and kinds.

use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use proptest::collection::vec;
use proptest::prelude::*;
use rowkind::changelog::RowKind;
use rowkind::value::{Decimal, Value};

/// Values of all types; often equal ones, and such as are equal in value but not in form.
fn values() -> impl Strategy<Value = Value> {
    let float = prop_oneof![Just(0.0), Just(-0.0), Just(f64::NAN), Just(-f64::NAN), Just(1.0), any::<f64>()];
    let unscaled = prop_oneof![-20_i128..20, Just(i128::from(i64::MAX) * 10), Just(-(10_i128.pow(37)))];
    let leaf = prop_oneof![
        Just(Value::NULL),
        any::<bool>().prop_map(Value::boolean),
        (-2_i64..3).prop_map(Value::integer),
        any::<i64>().prop_map(Value::integer),
        any::<f32>().prop_map(Value::float),
        float.prop_map(Value::double),
        (unscaled, 0_u8..4).prop_map(|(unscaled, scale)| Value::decimal(Decimal::new(unscaled, scale))),
        "[ab]{0,2}".prop_map(|text| Value::string(&text)),
        "a{12,17}".prop_map(|text| Value::string(&text)),
        vec(0_u8..3, 0..3).prop_map(Value::bytes),
        (-2_i32..3).prop_map(Value::date),
        (0_u32..3).prop_map(Value::time),
        (-2_i64..3, 0_u32..3).prop_map(|(millis, nanos)| Value::timestamp(millis, nanos)),
        (-2_i32..3).prop_map(Value::months),
        (-2_i64..3).prop_map(Value::millis),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::list),
            vec((inner.clone(), inner), 0..3).prop_map(Value::entries),
        ]
    })
}

fn hash(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    #![proptest_config(crate::config())]

    #[test]
    fn the_order_of_values_is_total(a in values(), b in values(), c in values()) {
        prop_assert_eq!(a.cmp(&a), Ordering::Equal);
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
        let mut sorted = [&a, &b, &c];
        sorted.sort();
        prop_assert!(sorted[0] <= sorted[1] && sorted[1] <= sorted[2] && sorted[0] <= sorted[2]);
    }

    #[test]
    fn equal_values_have_one_hash(a in values(), b in values()) {
        prop_assert!(a != b || hash(&a) == hash(&b));
    }
}

#[test]
fn a_kind_is_read_as_it_is_written() {
    for kind in RowKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
        assert_eq!(RowKind::from_name(kind.name()), Some(kind));
        assert_eq!(kind.weight() > 0, kind.adds());
    }
}
