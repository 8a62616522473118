// SPDX-License-Identifier: GPL-3.0-or-later
//! Python's order of values, and sorting by it.

use std::cmp::Ordering;

use super::value::{equal, numbers, Value};
use crate::budget;
use crate::error::{runtime, too_long, unsupported, Result};

/// Python's ordering; None where a comparison is false both ways (NaN).
pub fn compare(a: &Value, b: &Value) -> Result<Option<Ordering>> {
    use Value::*;
    budget::spend(1)?;
    a.defined()?;
    b.defined()?;
    match (a, b) {
        (Str(x) | Markup(x), Str(y) | Markup(y)) => {
            budget::spend(x.len().min(y.len()) / 8)?;
            Ok(Some(x.chars().cmp(y.chars())))
        }
        (List(x), List(y)) | (Tuple(x), Tuple(y)) => match x.items.iter().zip(&y.items).find(|(x, y)| !equal(x, y)) {
            Some((x, y)) => compare(x, y),
            Option::None => Ok(Some(x.items.len().cmp(&y.items.len()))),
        },
        _ if a.as_f64().is_some() && b.as_f64().is_some() => Ok(numbers(a, b)),
        (Long(_), Long(_) | Int(_) | Bool(_) | Float(_)) | (Int(_) | Bool(_) | Float(_), Long(_)) => too_long(),
        (View(..), View(..)) => unsupported("ordering dict views"),
        _ => runtime(format!("'{}' and '{}' can't be ordered", a.type_name(), b.type_name())),
    }
}

/// Stable sort in Python's order, by merging: the library's own sort panics where an order contradicts itself.
pub fn sort_by<T>(items: &mut Vec<T>, key: impl Fn(&T) -> &Value + Copy) -> Result<()> {
    if items.len() < 2 {
        return Ok(());
    }
    let mut right = items.split_off(items.len() / 2);
    sort_by(items, key)?;
    sort_by(&mut right, key)?;
    let mut left = std::mem::take(items).into_iter().peekable();
    let mut right = right.into_iter().peekable();
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        match compare(key(b), key(a))? {
            None => return unsupported("sorting what has no order (NaN)"),
            Some(Ordering::Less) => items.extend(right.next()),
            Some(_) => items.extend(left.next()),
        }
    }
    items.extend(left);
    items.extend(right);
    Ok(())
}
