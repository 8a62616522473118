// SPDX-License-Identifier: GPL-3.0-or-later
//! The filters and tests that Jinja2, as transformers sets it up, knows by name. The parser reports others, and a template
//! can ask ('x' is filter).

pub const FILTERS: &[&str] = &[
    "abs",
    "batch",
    "capitalize",
    "center",
    "count",
    "d",
    "default",
    "dictsort",
    "first",
    "float",
    "format",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "safe",
    "select",
    "selectattr",
    "slice",
    "sort",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "truncate",
    "unique",
    "upper",
    "wordcount",
];
const REFUSED_FILTERS: &[&str] = &[
    "attr",
    "e",
    "escape",
    "filesizeformat",
    "forceescape",
    "groupby",
    "pprint",
    "random",
    "striptags",
    "urlencode",
    "urlize",
    "wordwrap",
    "xmlattr",
];
pub const TESTS: &[&str] = &[
    "!=",
    "<",
    "<=",
    "==",
    ">",
    ">=",
    "boolean",
    "callable",
    "defined",
    "divisibleby",
    "eq",
    "equalto",
    "escaped",
    "even",
    "false",
    "filter",
    "float",
    "ge",
    "greaterthan",
    "gt",
    "in",
    "integer",
    "iterable",
    "le",
    "lessthan",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "sameas",
    "sequence",
    "string",
    "test",
    "true",
    "undefined",
    "upper",
];

/// Is `name` one of the words? They are in order.
fn among(words: &[&str], name: &str) -> bool {
    words.binary_search(&name).is_ok()
}

/// A filter that we have.
pub fn is_our_filter(name: &str) -> bool {
    among(FILTERS, name)
}

/// A filter that Jinja2 has.
pub fn is_filter(name: &str) -> bool {
    is_our_filter(name) || among(REFUSED_FILTERS, name)
}

pub fn is_test(name: &str) -> bool {
    among(TESTS, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!([FILTERS, REFUSED_FILTERS, TESTS].iter().all(|names| names.is_sorted()));
    }
}
