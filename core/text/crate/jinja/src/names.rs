//! The filters and tests that Jinja2, as transformers sets it up, knows by name. The parser reports others, and a template
//! can ask ('x' is filter).

pub const FILTERS: &str =
    "abs batch capitalize center count d default dictsort first float format indent int items join last \
    length list lower map max min reject rejectattr replace reverse round safe select selectattr slice sort string sum \
    title tojson trim truncate unique upper wordcount";
const REFUSED_FILTERS: &str =
    "attr e escape filesizeformat forceescape groupby pprint random striptags urlencode urlize \
    wordwrap xmlattr";
pub const TESTS: &str =
    "odd even divisibleby defined undefined filter test none boolean false true integer float lower upper \
    string mapping number sequence iterable callable sameas escaped in eq equalto ne gt greaterthan ge lt lessthan le \
    == != > >= < <=";

/// Is `name` one of the words?
fn among(words: &str, name: &str) -> bool {
    words.split_ascii_whitespace().any(|word| word == name)
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
