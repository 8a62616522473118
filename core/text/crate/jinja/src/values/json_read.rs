// SPDX-License-Identifier: GPL-3.0-or-later
//! JSON as Python's json module reads it: with NaN and infinities, with integers of any size, and a key that comes again
//! keeps its first place.

use std::collections::HashMap;

use super::value::{Dict, Value};
use crate::budget;
use crate::error::{unsupported, Error, Kind, Result};
use crate::tree::Name;

const MAX_NESTING: usize = 200;

pub fn parse(text: &str) -> Result<Value> {
    let mut reader = Reader { bytes: text.as_bytes(), text, pos: 0 };
    let value = reader.value(0)?;
    reader.skip_space();
    if reader.pos != text.len() {
        return reader.fail("text after the value");
    }
    Ok(value)
}

/// How many bytes stand before one that a string does not hold as it is: a quote, a backslash, a control character.
fn plain_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    // In each byte that is below the limit the highest bit is set; the lowest of those bits is right.
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word;
    let mut at = 0;
    while let Some(eight) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
        let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
        let stops = (below(word, 0x20) | is(b'"') | is(b'\\')) & (ONES * 0x80);
        if stops != 0 {
            return at + stops.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(bytes.len() - at)
}

/// Where an object has a key already. `places` is filled once there are too many keys to look through.
fn place_of(key: &Name, entries: &[(Value, Value)], places: &mut HashMap<Name, usize>) -> Option<usize> {
    const FEW: usize = 16;
    if entries.len() < FEW {
        return entries.iter().position(|(known, _)| known.as_str() == Some(key));
    }
    for (at, (known, _)) in entries.iter().enumerate().skip(places.len()) {
        places.extend(known.as_str().map(|known| (known.into(), at)));
    }
    places.get(key).copied()
}

struct Reader<'a> {
    bytes: &'a [u8],
    text: &'a str,
    pos: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, what: &str) -> Result<T> {
        Err(Error::new(Kind::Runtime, format!("invalid JSON at byte {}: {what}", self.pos)))
    }

    fn skip_space(&mut self) {
        while matches!(self.bytes.get(self.pos), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.pos += 1;
        }
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.text[self.pos..].starts_with(token);
        if found {
            self.pos += token.len();
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        if depth > MAX_NESTING {
            return unsupported(format!("JSON nested deeper than {MAX_NESTING} levels"));
        }
        self.skip_space();
        match self.bytes.get(self.pos) {
            None => self.fail("a value is missing"),
            Some(b'"') => {
                let text = self.string()?;
                budget::charge(text.len() / 8);
                Ok(Value::Str(text))
            }
            Some(b'[') => self.list(depth),
            Some(b'{') => self.dict(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.take("null") => Ok(Value::None),
            _ if self.take("true") => Ok(Value::Bool(true)),
            _ if self.take("false") => Ok(Value::Bool(false)),
            _ if self.take("NaN") => Ok(Value::Float(f64::NAN)),
            _ if self.take("Infinity") => Ok(Value::Float(f64::INFINITY)),
            _ => self.fail("unexpected character"),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value> {
        let mut items = Vec::new();
        self.pos += 1;
        self.skip_space();
        if self.take("]") {
            return Ok(Value::list(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take("]") {
                return Ok(Value::list(items));
            }
            if !self.take(",") {
                return self.fail("expected ',' or ']'");
            }
        }
    }

    fn dict(&mut self, depth: usize) -> Result<Value> {
        let mut entries: Vec<(Value, Value)> = Vec::new();
        let mut places = HashMap::new();
        self.pos += 1;
        self.skip_space();
        if self.take("}") {
            return Ok(Value::Dict(Dict::new(entries)));
        }
        loop {
            self.skip_space();
            if self.bytes.get(self.pos) != Some(&b'"') {
                return self.fail("expected a key in quotes");
            }
            let key = self.string()?;
            self.skip_space();
            if !self.take(":") {
                return self.fail("expected ':'");
            }
            let value = self.value(depth + 1)?;
            match place_of(&key, &entries, &mut places) {
                Some(place) => entries[place].1 = value, // a key that comes again keeps its place
                None => entries.push((Value::Str(key), value)),
            }
            self.skip_space();
            if self.take("}") {
                return Ok(Value::Dict(Dict::new(entries)));
            }
            if !self.take(",") {
                return self.fail("expected ',' or '}'");
            }
        }
    }

    fn number(&mut self) -> Result<Value> {
        if self.take("-Infinity") {
            return Ok(Value::Float(f64::NEG_INFINITY));
        }
        let rest = &self.bytes[self.pos..];
        let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let sign = usize::from(rest.first() == Some(&b'-'));
        let whole = if rest.get(sign) == Some(&b'0') { 1 } else { digits(sign) };
        if whole == 0 {
            return self.fail("a number without digits");
        }
        let mut len = sign + whole;
        let mut is_float = false;
        if rest.get(len) == Some(&b'.') && digits(len + 1) > 0 {
            len += 1 + digits(len + 1);
            is_float = true;
        }
        if matches!(rest.get(len), Some(b'e' | b'E')) {
            let exponent_sign = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits(len + 1 + exponent_sign);
            if exponent > 0 {
                len += 1 + exponent_sign + exponent;
                is_float = true;
            }
        }
        let text = &self.text[self.pos..self.pos + len];
        self.pos += len;
        if is_float {
            return text.parse().map(Value::Float).or_else(|_| self.fail("invalid number"));
        }
        budget::charge(len / 8);
        Ok(text.parse().map_or_else(|_| Value::Long(text.into()), Value::Int))
    }

    fn string(&mut self) -> Result<Name> {
        self.pos += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.pos..];
            let stop = plain_bytes(rest.as_bytes());
            let Some(end) = rest.as_bytes().get(stop) else { return self.fail("a string is not closed") };
            self.pos += stop + 1;
            match end {
                b'"' if out.is_empty() => return Ok(rest[..stop].into()),
                b'"' => out.push_str(&rest[..stop]),
                b'\\' => {
                    out.push_str(&rest[..stop]);
                    out.push(self.escape()?);
                    continue;
                }
                _ => return self.fail("a control character in a string"),
            }
            return Ok(out.into());
        }
    }

    fn escape(&mut self) -> Result<char> {
        let kind = self.bytes.get(self.pos).copied();
        self.pos += 1;
        Ok(match kind {
            Some(c @ (b'"' | b'\\' | b'/')) => c as char,
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let mut code = self.hex4()?;
                if (0xd800..0xdc00).contains(&code) && self.take("\\u") {
                    let low = self.hex4()?;
                    if (0xdc00..0xe000).contains(&low) {
                        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                    }
                }
                match char::from_u32(code) {
                    Some(c) => c,
                    None => return self.fail("half of a surrogate pair, which is no text"),
                }
            }
            _ => return self.fail("unknown escape"),
        })
    }

    fn hex4(&mut self) -> Result<u32> {
        let hex = self.text.get(self.pos..self.pos + 4).filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(hex) = hex else { return self.fail("expected four hexadecimal digits") };
        self.pos += 4;
        u32::from_str_radix(hex, 16).or_else(|_| self.fail("expected four hexadecimal digits"))
    }
}
