// SPDX-License-Identifier: GPL-3.0-or-later
//! Text → tokens by Jinja2's rules with trim_blocks and lstrip_blocks on.

use crate::error::{Error, Kind, Result};
use crate::tree::Name;
use crate::values::strings::is_space;

use std::collections::HashSet;

#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    Data(Name),
    VarBegin,
    VarEnd,
    BlockBegin,
    BlockEnd,
    Name(Name),
    Str(Name),
    Int(i128),
    Float(f64),
    Op(&'static str),
    Eof,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub line: usize,
}

/// Longest first, as they are matched.
const OPERATORS: [&str; 25] = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=", ".",
    ":", "|", ",",
];

fn fail<T>(line: usize, message: impl Into<String>) -> Result<T> {
    Err(Error::new(Kind::Syntax, message).at(line))
}

pub fn tokenize(source: &str) -> Result<Vec<Token>> {
    let mut text = source.replace("\r\n", "\n").replace('\r', "\n");
    if text.ends_with('\n') {
        text.pop(); // keep_trailing_newline is off
    }
    let mut lexer =
        Lexer { text: &text, pos: 0, line: 1, line_starting: true, tokens: Vec::new(), names: HashSet::new() };
    lexer.root()?;
    let line = lexer.line;
    lexer.tokens.push(Token { tok: Tok::Eof, line });
    Ok(lexer.tokens)
}

#[derive(Clone, Copy, PartialEq)]
enum Tag {
    Raw,
    Block,
    Variable,
    Comment,
}

struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    line: usize,
    line_starting: bool,
    tokens: Vec<Token>,
    /// A text for each spelling: where two of them are one, they need not be compared (`Scope`).
    names: HashSet<Name>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    fn push(&mut self, tok: Tok) {
        self.tokens.push(Token { tok, line: self.line });
    }

    fn advance(&mut self, len: usize) {
        let passed = &self.text[self.pos..self.pos + len];
        self.line += passed.matches('\n').count();
        if len > 0 {
            self.line_starting = passed.ends_with('\n');
        }
        self.pos += len;
    }

    fn root(&mut self) -> Result<()> {
        while self.pos < self.text.len() {
            let Some((data_len, tag)) = find_tag(self.rest()) else {
                let rest = self.rest();
                self.push(Tok::Data(rest.into()));
                self.advance(rest.len());
                return Ok(());
            };
            let data = &self.rest()[..data_len];
            let sign = self.rest()[data_len + 2..].chars().next().filter(|c| matches!(c, '-' | '+'));
            let kept = self.strip_before(data, sign, tag);
            if !kept.is_empty() {
                self.push(Tok::Data(kept.into()));
            }
            self.advance(data_len + 2 + usize::from(sign.is_some()));
            match tag {
                Tag::Comment => self.comment()?,
                Tag::Raw => self.raw()?,
                Tag::Block => self.code(Tok::BlockBegin, "%}")?,
                Tag::Variable => self.code(Tok::VarBegin, "}}")?,
            }
        }
        Ok(())
    }

    /// What stays of the text in front of a tag.
    fn strip_before(&self, data: &'a str, sign: Option<char>, tag: Tag) -> &'a str {
        match sign {
            Some('-') => data.trim_end_matches(is_space),
            None if tag != Tag::Variable => {
                let line_start = data.rfind('\n').map_or(0, |at| at + 1);
                let blank = !data[line_start..].is_empty() && data[line_start..].chars().all(is_space);
                if blank && (line_start > 0 || self.line_starting) {
                    &data[..line_start]
                } else {
                    data
                }
            }
            _ => data,
        }
    }

    /// Length of a closing tag at the current position, with the whitespace that it swallows.
    fn close_len(&self, close: &str) -> Option<usize> {
        let rest = self.rest();
        if let Some(after) = rest.strip_prefix('-').and_then(|r| r.strip_prefix(close)) {
            let space = after.len() - after.trim_start_matches(is_space).len();
            return Some(1 + close.len() + space);
        }
        let block = close != "}}";
        if block && rest.strip_prefix('+').is_some_and(|r| r.starts_with(close)) {
            return Some(1 + close.len());
        }
        let after = rest.strip_prefix(close)?;
        Some(close.len() + usize::from(block && after.starts_with('\n')))
    }

    fn comment(&mut self) -> Result<()> {
        let start = self.line;
        while self.pos < self.text.len() {
            if let Some(len) = self.close_len("#}") {
                self.advance(len);
                return Ok(());
            }
            let step = self.rest().chars().next().map_or(0, char::len_utf8);
            self.advance(step);
        }
        fail(start, "a comment is not closed")
    }

    fn raw(&mut self) -> Result<()> {
        let begin = self.rest().find("%}").map_or(0, |at| at + 2);
        let dash = self.rest()[..begin].ends_with("-%}");
        self.advance(begin);
        if dash {
            let space = self.rest().len() - self.rest().trim_start_matches(is_space).len();
            self.advance(space);
        }
        let start = self.line;
        let mut search = 0;
        while let Some(at) = self.rest()[search..].find("{%").map(|at| at + search) {
            let tail = &self.rest()[at + 2..];
            let sign = tail.chars().next().filter(|c| matches!(c, '-' | '+'));
            let inner = tail[usize::from(sign.is_some())..].trim_start_matches(is_space);
            if let Some(after) = inner.strip_prefix("endraw") {
                let after = after.trim_start_matches(is_space);
                if after.starts_with("%}") || after.starts_with("-%}") || after.starts_with("+%}") {
                    let data = &self.rest()[..at];
                    let kept = self.strip_before(data, sign, Tag::Block);
                    if !kept.is_empty() {
                        self.push(Tok::Data(kept.into()));
                    }
                    let close_at = self.rest().len() - after.len();
                    self.advance(close_at);
                    let len = self.close_len("%}").unwrap_or(0);
                    self.advance(len);
                    return Ok(());
                }
            }
            search = at + 2;
        }
        fail(start, "a raw block is not closed")
    }

    fn code(&mut self, begin: Tok, close: &str) -> Result<()> {
        let start = self.line;
        self.push(begin.clone());
        let mut open: Vec<&str> = Vec::new();
        loop {
            if open.is_empty() {
                if let Some(len) = self.close_len(close) {
                    self.push(if begin == Tok::VarBegin { Tok::VarEnd } else { Tok::BlockEnd });
                    self.advance(len);
                    return Ok(());
                }
            }
            let Some(first) = self.rest().chars().next() else {
                return fail(start, format!("a tag is not closed with {close}"));
            };
            if is_space(first) {
                self.advance(first.len_utf8());
            } else if first.is_ascii_digit() {
                self.number()?;
            } else if first == '_' || first.is_alphanumeric() {
                self.name()?;
            } else if first == '\'' || first == '"' {
                self.string(first)?;
            } else {
                self.operator(&mut open)?;
            }
        }
    }

    fn operator(&mut self, open: &mut Vec<&'static str>) -> Result<()> {
        let Some(op) = OPERATORS.into_iter().find(|op| self.rest().starts_with(op)) else {
            return fail(self.line, format!("unexpected character {:?}", self.rest().chars().next().unwrap_or(' ')));
        };
        match op {
            "{" => open.push("}"),
            "(" => open.push(")"),
            "[" => open.push("]"),
            "}" | ")" | "]" if open.pop() != Some(op) => return fail(self.line, format!("unexpected '{op}'")),
            _ => {}
        }
        self.push(Tok::Op(op));
        self.advance(op.len());
        Ok(())
    }

    fn name(&mut self) -> Result<()> {
        let rest = self.rest();
        let len = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        let name = self.names.get(&rest[..len]).cloned().unwrap_or_else(|| rest[..len].into());
        self.names.insert(name.clone());
        self.push(Tok::Name(name));
        self.advance(len);
        Ok(())
    }

    fn number(&mut self) -> Result<()> {
        let rest = self.rest();
        let after_dot = self.pos > 0 && self.text.as_bytes()[self.pos - 1] == b'.';
        let lower = rest.get(..2).unwrap_or("").to_ascii_lowercase();
        let radix = match lower.as_str() {
            "0x" => 16,
            "0o" => 8,
            "0b" => 2,
            _ => 10,
        };
        if radix != 10 {
            let len = 2 + digits_len(&rest[2..], radix);
            let Ok(value) = i128::from_str_radix(&rest[2..len].replace('_', ""), radix) else {
                return fail(self.line, "invalid or too large integer");
            };
            self.push(Tok::Int(value));
            self.advance(len);
            return Ok(());
        }
        let whole = digits_len(rest, 10);
        let float_len = if after_dot { whole } else { float_len(rest, whole) };
        let text = rest[..float_len].replace('_', "");
        if float_len > whole {
            let Ok(value) = text.parse() else { return fail(self.line, format!("invalid number {text}")) };
            self.push(Tok::Float(value));
        } else {
            if text.len() > 1 && text.starts_with('0') && text.bytes().any(|b| b != b'0') {
                return fail(self.line, format!("invalid number {text}"));
            }
            let Ok(value) = text.parse() else { return fail(self.line, format!("the integer {text} is too large")) };
            self.push(Tok::Int(value));
        }
        self.advance(float_len);
        Ok(())
    }

    fn string(&mut self, quote: char) -> Result<()> {
        let body = &self.rest()[1..];
        let mut escaped = false;
        for (at, c) in body.char_indices() {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == quote {
                let value = match unescape(&body[..at]) {
                    Ok(value) => value,
                    Err(message) => return fail(self.line, message),
                };
                self.push(Tok::Str(value.into()));
                self.advance(at + 2);
                return Ok(());
            }
        }
        fail(self.line, "a string is not closed")
    }
}

/// The first tag in `rest`: how much text stands before it, and what it is.
fn find_tag(rest: &str) -> Option<(usize, Tag)> {
    let bytes = rest.as_bytes();
    for (at, pair) in bytes.windows(2).enumerate() {
        let tag = match pair {
            b"{%" if is_raw(&rest[at + 2..]) => Tag::Raw,
            b"{%" => Tag::Block,
            b"{{" => Tag::Variable,
            b"{#" => Tag::Comment,
            _ => continue,
        };
        return Some((at, tag));
    }
    None
}

fn is_raw(after: &str) -> bool {
    let after = after.strip_prefix(['-', '+']).unwrap_or(after).trim_start_matches(is_space);
    after.strip_prefix("raw").is_some_and(|r| {
        let r = r.trim_start_matches(is_space);
        r.starts_with("%}") || r.starts_with("-%}")
    })
}

fn digits_len(text: &str, radix: u32) -> usize {
    let mut len = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let digit = c.is_digit(radix);
        let joined = c == '_' && chars.peek().is_some_and(|next| next.is_digit(radix));
        if !digit && !joined {
            break;
        }
        len += 1;
    }
    len
}

/// `whole` digits stand at the start; how far a fraction and an exponent reach (whole: neither is there).
fn float_len(rest: &str, whole: usize) -> usize {
    let mut len = whole;
    if rest[len..].starts_with('.') {
        let fraction = digits_len(&rest[len + 1..], 10);
        if fraction == 0 {
            return whole;
        }
        len += 1 + fraction;
    }
    if rest[len..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[len + 1..].starts_with(['+', '-']));
        let exponent = digits_len(&rest[len + 1 + sign..], 10);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    len
}

/// Python's unicode-escape of the text between the quotes, as Jinja2 applies it (non-ASCII characters pass unchanged,
/// unless a backslash stands before one: then Python sees the escape it made of it).
fn unescape(text: &str) -> std::result::Result<String, String> {
    let mut ascii = String::with_capacity(text.len());
    for c in text.chars() {
        match c as u32 {
            0..=0x7f => ascii.push(c),
            code @ 0x80..=0xff => ascii.push_str(&format!("\\x{code:02x}")),
            code @ 0x100..=0xffff => ascii.push_str(&format!("\\u{code:04x}")),
            code => ascii.push_str(&format!("\\U{code:08x}")),
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = ascii.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            None => return Err("a backslash ends the string".into()),
            Some('\n') => {}
            Some(c @ ('\\' | '\'' | '"')) => out.push(c),
            Some('a') => out.push('\x07'),
            Some('b') => out.push('\x08'),
            Some('f') => out.push('\x0c'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('v') => out.push('\x0b'),
            Some(kind @ ('x' | 'u' | 'U')) => {
                let len = match kind {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let hex: String = (0..len).map_while(|_| chars.next_if(char::is_ascii_hexdigit)).collect();
                let code = u32::from_str_radix(&hex, 16).ok().filter(|_| hex.len() == len);
                let Some(c) = code.and_then(char::from_u32) else {
                    return Err(format!("the escape \\{kind}{hex} names no character"));
                };
                out.push(c);
            }
            Some(first @ '0'..='7') => {
                let mut code = first as u32 - '0' as u32;
                for _ in 0..2 {
                    let Some(digit) = chars.next_if(|c| ('0'..='7').contains(c)) else { break };
                    code = code * 8 + (digit as u32 - '0' as u32);
                }
                out.push(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
            Some('N') => return Err("the escape \\N{…} is not supported".into()),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
        }
    }
    Ok(out)
}

pub fn describe(tok: &Tok) -> String {
    match tok {
        Tok::Data(_) => "text".into(),
        Tok::VarBegin => "'{{'".into(),
        Tok::VarEnd => "'}}'".into(),
        Tok::BlockBegin => "'{%'".into(),
        Tok::BlockEnd => "'%}'".into(),
        Tok::Name(name) => format!("'{name}'"),
        Tok::Str(text) => format!("the string {text:?}"),
        Tok::Int(value) => value.to_string(),
        Tok::Float(value) => value.to_string(),
        Tok::Op(op) => format!("'{op}'"),
        Tok::Eof => "the end of the template".into(),
    }
}
