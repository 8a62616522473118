// SPDX-License-Identifier: GPL-3.0-or-later
//! Python's string algorithms, on bare text.

use std::collections::BTreeSet;

use super::value::ITEM;
use crate::budget::{self, check_size};
use crate::error::{runtime, unsupported, Result};

/// Python's str.isspace of one character.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

pub fn strip<'a>(text: &'a str, chars: Option<&str>, left: bool, right: bool) -> &'a str {
    const FEW_BYTES: usize = 16; // looked through sooner than sorted
    let set = chars.filter(|chars| chars.len() > FEW_BYTES).map(|chars| chars.chars().collect::<BTreeSet<char>>());
    let matches = |c: char| match (&set, chars) {
        (Some(set), _) => set.contains(&c),
        (None, Some(chars)) => chars.contains(c),
        (None, None) => is_space(c),
    };
    let text = if left { text.trim_start_matches(matches) } else { text };
    if right {
        text.trim_end_matches(matches)
    } else {
        text
    }
}

pub fn split<'a>(text: &'a str, sep: Option<&str>, max: i128, from_right: bool) -> Result<Vec<&'a str>> {
    let max = usize::try_from(max).unwrap_or(usize::MAX - 1);
    let Some(sep) = sep else { return Ok(split_space(text, max, from_right)) };
    if sep.is_empty() {
        return runtime("empty separator");
    }
    if !from_right {
        return counted(text.splitn(max + 1, sep));
    }
    let mut parts = counted(text.rsplitn(max + 1, sep))?;
    parts.reverse();
    Ok(parts)
}

fn counted<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>> {
    parts.map(|part| budget::spend(ITEM).map(|()| part)).collect()
}

fn split_space(text: &str, max: usize, from_right: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = strip(text, None, !from_right, from_right);
    while !rest.is_empty() {
        let cut = if from_right {
            rest.char_indices().rev().find(|(_, c)| is_space(*c)).map(|(at, c)| (at, at + c.len_utf8()))
        } else {
            rest.char_indices().find(|(_, c)| is_space(*c)).map(|(at, c)| (at, at + c.len_utf8()))
        };
        if parts.len() == max {
            parts.push(rest);
            break;
        }
        let Some((before, after)) = cut else {
            parts.push(rest);
            break;
        };
        if from_right {
            parts.push(&rest[after..]);
            rest = strip(&rest[..before], None, false, true);
        } else {
            parts.push(&rest[..before]);
            rest = strip(&rest[after..], None, true, false);
        }
    }
    parts.retain(|part| !part.is_empty());
    if from_right {
        parts.reverse();
    }
    parts
}

pub fn lines(text: &str, keep_ends: bool) -> Vec<&str> {
    const BREAKS: &[char] = &['\n', '\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}'];
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(BREAKS).unwrap_or(rest.len());
        let width = match rest[end..].chars().next() {
            Some('\r') if rest[end..].starts_with("\r\n") => 2,
            Some(c) => c.len_utf8(),
            None => 0,
        };
        out.push(&rest[..if keep_ends { end + width } else { end }]);
        rest = &rest[end + width..];
    }
    out
}

pub fn replace(text: &str, old: &str, new: &str, count: i128) -> Result<String> {
    let hits = text.matches(old).count();
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    check_size(text.len() + hits.min(count).saturating_mul(new.len()))?;
    Ok(text.replacen(old, new, count))
}

pub fn pad(text: &str, how: &str, width: i128, fill: &str) -> Result<String> {
    if fill.chars().count() != 1 {
        return runtime("the fill character must be exactly one character long");
    }
    let len = text.chars().count();
    let Some(missing) = usize::try_from(width).ok().and_then(|w| w.checked_sub(len)).filter(|m| *m > 0) else {
        return Ok(text.to_string());
    };
    check_size(missing.saturating_mul(fill.len()))?;
    Ok(match how {
        "ljust" => format!("{text}{}", fill.repeat(missing)),
        "rjust" => format!("{}{text}", fill.repeat(missing)),
        "zfill" => {
            let sign = if text.starts_with(['+', '-']) { 1 } else { 0 };
            format!("{}{}{}", &text[..sign], "0".repeat(missing), &text[sign..])
        }
        _ => {
            let left = missing / 2 + (missing & width as usize & 1);
            format!("{}{text}{}", fill.repeat(left), fill.repeat(missing - left))
        }
    })
}

pub fn swap_case(c: char) -> char {
    if c.is_ascii_uppercase() {
        c.to_ascii_lowercase()
    } else {
        c.to_ascii_uppercase()
    }
}

pub fn title(text: &str) -> String {
    let mut in_word = false;
    text.chars()
        .map(|c| {
            let out = if in_word { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            in_word = c.is_ascii_alphabetic();
            out
        })
        .collect()
}

/// First character in title case, the rest in lower case. Rust knows no title case: where it may differ from upper case
/// (ligatures, digraphs, Greek with iota, Georgian) we refuse.
pub fn capitalize(text: &str) -> Result<String> {
    let Some(first) = text.chars().next() else { return Ok(String::new()) };
    let upper: Vec<char> = first.to_uppercase().collect();
    let special = matches!(first as u32, 0x1c4..=0x1cc | 0x1f1..=0x1f3 | 0x10d0..=0x10ff | 0x1f80..=0x1ffc);
    if upper.len() != 1 || special {
        return unsupported(format!("the title case of '{first}'"));
    }
    // Lower-cased as part of the whole, for a final sigma that looks at what stands before it.
    let lower = text.to_lowercase();
    let first_lower: String = first.to_lowercase().collect();
    Ok(format!("{}{}", upper[0], lower.strip_prefix(&first_lower).unwrap_or(&lower)))
}
