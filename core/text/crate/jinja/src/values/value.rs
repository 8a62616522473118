// SPDX-License-Identifier: GPL-3.0-or-later
//! Python's values as templates see them: what they are, when two are one, and how they iterate. A macro carries the scope
//! that it was written in, so scopes are here too.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use crate::budget;
use crate::error::{runtime, unsupported, Result};
use crate::tree::{Callable, For, Name};

/// Nesting of containers; deeper values are refused before printing or freeing them could exhaust the stack.
pub const MAX_NESTING: u32 = 300;
/// The steps (see budget) that one item of a list costs.
pub const ITEM: usize = std::mem::size_of::<Value>() / 8;

#[derive(Debug)]
pub struct Seq {
    pub items: Vec<Value>,
    nesting: u32,
}

/// Insertion-ordered; looked up linearly, as the dicts of conversations and tools are small.
#[derive(Debug)]
pub struct Dict {
    pub entries: Vec<(Value, Value)>,
    nesting: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    Keys,
    Values,
    Items,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Global {
    Range,
    Dict,
    Namespace,
    Cycler,
    Joiner,
    RaiseException,
    StrftimeNow,
}

impl Global {
    /// The function that every template finds under this name, unless a variable has it.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "range" => Global::Range,
            "dict" => Global::Dict,
            "namespace" => Global::Namespace,
            "cycler" => Global::Cycler,
            "joiner" => Global::Joiner,
            "raise_exception" => Global::RaiseException,
            "strftime_now" => Global::StrftimeNow,
            _ => return None,
        })
    }
}

/// What a namespace holds.
pub type Attributes = RefCell<Vec<(Name, Value)>>;

/// Most names come of the template, which has one text for each spelling.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (std::ptr::eq(one.as_ptr(), other.as_ptr()) || one == other)
}

/// Names and what they stand for; what is not found is looked for around it.
pub struct Scope {
    vars: RefCell<Vec<(Name, Value)>>,
    parent: Option<Rc<Scope>>,
}

impl Scope {
    pub fn new(parent: Option<Rc<Scope>>) -> Rc<Self> {
        Rc::new(Self { vars: RefCell::new(Vec::new()), parent })
    }

    pub fn get(&self, name: &str) -> Option<Value> {
        let mut scope = Some(self);
        while let Some(current) = scope {
            budget::charge(current.vars.borrow().len() / 16);
            if let Some((_, value)) = current.vars.borrow().iter().find(|(key, _)| is_same(key, name)) {
                return Some(value.clone());
            }
            scope = current.parent.as_deref();
        }
        None
    }

    pub fn set(&self, name: &Name, value: Value) {
        let mut vars = self.vars.borrow_mut();
        match vars.iter_mut().find(|(key, _)| is_same(key, name)) {
            Some(entry) => entry.1 = value,
            None => vars.push((name.clone(), value)),
        }
    }

    pub fn empty(&self) {
        let vars = std::mem::take(&mut *self.vars.borrow_mut());
        drop(vars); // no longer borrowed: what is dropped may lead back here
    }
}

pub struct MacroValue {
    pub callable: Arc<Callable>,
    pub scope: Rc<Scope>,
}

pub struct LoopState {
    pub items: Rc<Seq>,
    pub index0: Cell<usize>,
    pub depth0: usize,
    pub last_changed: RefCell<Option<Vec<Value>>>,
    /// For `recursive` loops: what a call of the loop runs, and where.
    pub recurse: Option<(Arc<For>, Rc<Scope>)>,
}

pub struct Generator {
    pub items: RefCell<VecDeque<Value>>,
    nesting: u32,
}

/// Why a value is undefined. Templates ask for what is not there all the time, so the words of the usual reasons are made
/// when somebody reads them.
#[derive(Clone)]
pub enum Why {
    Said(Name),
    NoName(Name),
    /// Of a dict.
    NoKey(Name),
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Said(message) => f.write_str(message),
            Why::NoName(name) => write!(f, "'{name}' is undefined"),
            Why::NoKey(name) => write!(f, "'dict object' has no attribute '{name}'"),
        }
    }
}

/// Its kind takes eight bytes, so that what is moved is whole words: pieces of one are written and read again at once, for
/// which processors wait.
#[derive(Clone)]
#[repr(u64)]
pub enum Value {
    /// Carries what the error says when the value is used.
    Undefined(Why),
    None,
    Bool(bool),
    Int(i128),
    /// An int beyond 128 bits, by its digits: printed and compared, never calculated with.
    Long(Name),
    Float(f64),
    Str(Name),
    /// What the `safe` filter makes: prints like its string; where it would escape others, we refuse.
    Markup(Name),
    List(Rc<Seq>),
    Tuple(Rc<Seq>),
    Range(i64, i64, i64),
    Dict(Rc<Dict>),
    View(View, Rc<Dict>),
    /// A one-shot iterator (what `map`, `select` and their like return).
    Generator(Rc<Generator>),
    Namespace(Rc<Attributes>),
    Global(Global),
    Macro(Rc<MacroValue>),
    Method(Rc<(Value, Name)>),
    Loop(Rc<LoopState>),
    Cycler(Rc<(Rc<Seq>, Cell<usize>)>),
    Joiner(Rc<(Name, Cell<bool>)>),
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.type_name())
    }
}

impl Seq {
    pub fn new(items: Vec<Value>) -> Rc<Self> {
        budget::charge(ITEM * (1 + items.len()));
        let nesting = 1 + items.iter().map(Value::nesting).max().unwrap_or(0);
        Rc::new(Self { items, nesting })
    }
}

impl Dict {
    pub fn new(entries: Vec<(Value, Value)>) -> Rc<Self> {
        budget::charge(ITEM * (1 + 2 * entries.len()));
        let nesting = 1 + entries.iter().map(|(key, value)| key.nesting().max(value.nesting())).max().unwrap_or(0);
        Rc::new(Self { entries, nesting })
    }

    pub fn get(&self, key: &Value) -> Option<&Value> {
        budget::charge(self.entries.len() / 16);
        self.entries.iter().find(|(k, _)| equal(k, key)).map(|(_, value)| value)
    }

    pub fn get_str(&self, key: &str) -> Option<&Value> {
        budget::charge(self.entries.len() / 16);
        self.entries.iter().find(|(k, _)| matches!(k, Value::Str(s) if &**s == key)).map(|(_, value)| value)
    }
}

/// Adds or replaces; a replaced key keeps its place and its first spelling, as in Python.
pub fn insert(entries: &mut Vec<(Value, Value)>, key: Value, value: Value) {
    budget::charge(entries.len() / 16);
    match entries.iter_mut().find(|(k, _)| equal(k, &key)) {
        Some(entry) => entry.1 = value,
        None => entries.push((key, value)),
    }
}

impl Value {
    pub fn str(text: impl Into<Name>) -> Self {
        let text = text.into();
        budget::charge(text.len() / 8);
        Value::Str(text)
    }

    pub fn list(items: Vec<Value>) -> Self {
        Value::List(Seq::new(items))
    }

    pub fn tuple(items: Vec<Value>) -> Self {
        Value::Tuple(Seq::new(items))
    }

    pub fn generator(items: Vec<Value>) -> Self {
        budget::charge(ITEM * (1 + items.len()));
        let nesting = 1 + items.iter().map(Value::nesting).max().unwrap_or(0);
        Value::Generator(Rc::new(Generator { items: RefCell::new(items.into()), nesting }))
    }

    pub fn undefined(message: impl Into<Name>) -> Self {
        let message = message.into();
        budget::charge(message.len() / 8);
        Value::Undefined(Why::Said(message))
    }

    pub fn nesting(&self) -> u32 {
        match self {
            Value::List(seq) | Value::Tuple(seq) => seq.nesting,
            Value::Dict(dict) | Value::View(_, dict) => dict.nesting,
            Value::Generator(generator) => generator.nesting,
            Value::Loop(state) => 1 + state.items.nesting,
            Value::Method(bound) => 1 + bound.0.nesting(),
            Value::Cycler(cycler) => 1 + cycler.0.nesting,
            _ => 0,
        }
    }

    /// Refuses what is nested too deeply to be handled safely.
    pub fn checked(self) -> Result<Self> {
        if self.nesting() > MAX_NESTING {
            return unsupported(format!("values nested deeper than {MAX_NESTING} levels"));
        }
        Ok(self)
    }

    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Undefined(_) => "Undefined",
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) | Value::Long(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) => "str",
            Value::Markup(_) => "Markup",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Range(..) => "range",
            Value::Dict(_) => "dict",
            Value::View(View::Keys, _) => "dict_keys",
            Value::View(View::Values, _) => "dict_values",
            Value::View(View::Items, _) => "dict_items",
            Value::Generator(_) => "generator",
            Value::Namespace(_) => "Namespace",
            Value::Global(_) => "function",
            Value::Macro(_) => "Macro",
            Value::Method(_) => "method",
            Value::Loop(_) => "LoopContext",
            Value::Cycler(_) => "Cycler",
            Value::Joiner(_) => "Joiner",
        }
    }

    pub fn is_undefined(&self) -> bool {
        matches!(self, Value::Undefined(_))
    }

    /// The error of using an undefined value, for the others nothing.
    pub fn defined(&self) -> Result<&Self> {
        match self {
            Value::Undefined(why) => runtime(why.to_string()),
            other => Ok(other),
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) | Value::Markup(text) => Some(text),
            _ => None,
        }
    }

    /// Python's view of bool as a kind of int.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(i128::from(*value)),
            _ => None,
        }
    }

    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(*value),
            _ => self.as_int().map(|value| value as f64),
        }
    }

    pub fn truth(&self) -> bool {
        match self {
            Value::Undefined(_) | Value::None => false,
            Value::Bool(value) => *value,
            Value::Int(value) => *value != 0,
            Value::Float(value) => *value != 0.0,
            Value::Str(text) | Value::Markup(text) => !text.is_empty(),
            _ => self.length() != Some(0),
        }
    }

    /// Python's len(), where the type has one.
    pub fn length(&self) -> Option<usize> {
        match self {
            Value::Undefined(_) => Some(0),
            Value::Str(text) | Value::Markup(text) => {
                budget::charge(text.len() / 64);
                Some(text.chars().count())
            }
            Value::List(seq) | Value::Tuple(seq) => Some(seq.items.len()),
            Value::Range(start, stop, step) => Some(range_len(*start, *stop, *step)),
            Value::Dict(dict) | Value::View(_, dict) => Some(dict.entries.len()),
            Value::Loop(state) => Some(state.items.items.len()),
            _ => None,
        }
    }

    /// The items that a Python iteration would give; a generator is empty afterwards.
    pub fn iterate(&self) -> Result<Vec<Value>> {
        let count = match self {
            Value::Str(text) => 2 * text.len(), // each character becomes a string of its own
            Value::Generator(generator) => generator.items.borrow().len(),
            _ => self.length().unwrap_or(0),
        };
        budget::spend(ITEM.saturating_mul(count))?;
        Ok(match self {
            Value::Undefined(_) => Vec::new(),
            Value::Str(text) => text.chars().map(|c| Value::str(c.to_string())).collect(),
            Value::List(seq) | Value::Tuple(seq) => seq.items.clone(),
            Value::Range(start, _, step) => {
                (0..self.length().unwrap_or(0)).map(|i| Value::Int(i128::from(start + i as i64 * step))).collect()
            }
            Value::Dict(dict) | Value::View(View::Keys, dict) => dict.entries.iter().map(|e| e.0.clone()).collect(),
            Value::View(View::Values, dict) => dict.entries.iter().map(|e| e.1.clone()).collect(),
            Value::View(View::Items, dict) => {
                dict.entries.iter().map(|(k, v)| Value::tuple(vec![k.clone(), v.clone()])).collect()
            }
            Value::Generator(generator) => generator.items.borrow_mut().drain(..).collect(),
            Value::Markup(_) | Value::Loop(_) => return unsupported(format!("iterating over a {}", self.type_name())),
            _ => return runtime(format!("'{}' object is not iterable", self.type_name())),
        })
    }
}

fn range_len(start: i64, stop: i64, step: i64) -> usize {
    let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
    let span = if step > 0 { stop - start } else { start - stop };
    if span <= 0 {
        return 0;
    }
    ((span - 1) / step.abs() + 1) as usize
}

/// Python's ==. False once the rendering's steps are spent, which fails at the next one.
pub fn equal(a: &Value, b: &Value) -> bool {
    use Value::*;
    budget::charge(1);
    if budget::is_spent() {
        return false;
    }
    match (a, b) {
        (Undefined(_), Undefined(_)) | (None, None) => true,
        (Str(x) | Markup(x), Str(y) | Markup(y)) => {
            budget::charge(if x.len() == y.len() { x.len() / 64 } else { 0 });
            x == y
        }
        (List(x), List(y)) | (Tuple(x), Tuple(y)) => {
            x.items.len() == y.items.len() && x.items.iter().zip(&y.items).all(|(x, y)| equal(x, y))
        }
        (Dict(x), Dict(y)) => {
            x.entries.len() == y.entries.len() && x.entries.iter().all(|(k, v)| y.get(k).is_some_and(|w| equal(v, w)))
        }
        (Range(a0, _, da), Range(b0, _, db)) => {
            let (len, other) = (a.length(), b.length());
            len == other && (len == Some(0) || (a0 == b0 && (len == Some(1) || da == db)))
        }
        (View(x, a), View(y, b)) => match (x, y) {
            (self::View::Keys, self::View::Keys) => same_keys(a, b),
            (self::View::Items, self::View::Items) => equal(&Dict(a.clone()), &Dict(b.clone())),
            _ => x == y && Rc::ptr_eq(a, b),
        },
        (Long(x), Long(y)) => x == y,
        (Long(x), Float(y)) | (Float(y), Long(x)) => y.is_finite() && format!("{y:.0}") == **x,
        (Namespace(x), Namespace(y)) => Rc::ptr_eq(x, y),
        (Macro(x), Macro(y)) => Rc::ptr_eq(x, y),
        (Loop(x), Loop(y)) => Rc::ptr_eq(x, y),
        (Global(x), Global(y)) => x == y,
        _ => numbers(a, b) == Some(Ordering::Equal),
    }
}

/// Python raises for a list or a dict as a key.
pub fn hashable(key: &Value) -> Result<&Value> {
    match key {
        Value::List(_) | Value::Dict(_) => runtime(format!("unhashable type: '{}'", key.type_name())),
        Value::Tuple(seq) => {
            for item in &seq.items {
                budget::spend(1)?;
                hashable(item)?;
            }
            Ok(key)
        }
        _ => Ok(key),
    }
}

fn same_keys(a: &Dict, b: &Dict) -> bool {
    a.entries.len() == b.entries.len() && a.entries.iter().all(|(key, _)| b.get(key).is_some())
}

/// Order of two numbers; None if one is none (or NaN).
pub fn numbers(a: &Value, b: &Value) -> Option<Ordering> {
    match (a.as_int(), b.as_int()) {
        (Some(x), Some(y)) => Some(x.cmp(&y)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}
