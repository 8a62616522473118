//! Chat templates: Jinja2 as transformers sets it up, with Python's values and printing.

mod ast;
mod budget;
mod call;
pub mod clock;
mod error;
mod eval;
mod exec;
mod filters;
pub mod json;
mod lexer;
mod loops;
mod methods;
mod ops;
mod parse_expr;
mod parser;
mod printf;
mod scalar_filters;
mod strings;
mod tests;
mod value;

pub use clock::Clock;
pub use error::{Error, Kind, Result};
pub use value::{Dict, Value};

use ast::Stmt;
use error::runtime;
use exec::{Interp, Scope};
use value::{insert, Global};

/// A parsed template; rendered by any thread.
pub struct Template {
    body: Vec<Stmt>,
    pub has_generation: bool,
}

pub struct Rendered {
    pub text: String,
    /// Byte ranges of `text` that generation blocks wrote.
    pub spans: Vec<(usize, usize)>,
    /// Of the template, whether or not such a block ran.
    pub has_generation: bool,
}

impl Template {
    pub fn parse(source: &str) -> Result<Self> {
        let parsed = parser::parse(source)?;
        Ok(Self { body: parsed.body, has_generation: parsed.has_generation })
    }

    pub fn render(&self, variables: &[(String, Value)], clock: Option<Clock>) -> Result<Rendered> {
        let globals = Scope::new(None);
        for (name, global) in [
            ("range", Global::Range),
            ("dict", Global::Dict),
            ("namespace", Global::Namespace),
            ("cycler", Global::Cycler),
            ("joiner", Global::Joiner),
            ("raise_exception", Global::RaiseException),
            ("strftime_now", Global::StrftimeNow),
        ] {
            globals.set(&name.into(), Value::Global(global));
        }
        for (name, value) in variables {
            globals.set(&name.as_str().into(), value.clone());
        }
        let mut interp = Interp::new(clock);
        let text = interp.run(&self.body, &Scope::new(Some(globals)))?;
        Ok(Rendered { text, spans: std::mem::take(&mut interp.spans), has_generation: self.has_generation })
    }
}

/// The messages as transformers hands them to a template: keys without a value dropped, reasoning under its known names.
pub fn prepare_messages(messages: &Value) -> Result<Value> {
    let Value::List(list) = messages else { return runtime("messages must be a list") };
    if list.items.is_empty() {
        return runtime("a conversation needs at least one message");
    }
    let mut prepared = Vec::new();
    for (at, message) in list.items.iter().enumerate() {
        let Value::Dict(dict) = message else {
            return runtime(format!("message {at} must be an object, not {}", message.type_name()));
        };
        prepared.push(with_reasoning(
            dict.entries.iter().filter(|(_, value)| !matches!(value, Value::None)).cloned().collect(),
        ));
    }
    Ok(Value::list(prepared))
}

fn with_reasoning(message: Vec<(Value, Value)>) -> Value {
    let find = |name: &str| message.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value.clone());
    let Some(reasoning) = ["reasoning_content", "thinking", "reasoning"].into_iter().find_map(find) else {
        return Value::Dict(Dict::new(message));
    };
    let mut entries = vec![(Value::str("thinking"), reasoning.clone())];
    for (key, value) in message {
        insert(&mut entries, key, value);
    }
    insert(&mut entries, Value::str("reasoning_content"), reasoning);
    Value::Dict(Dict::new(entries))
}
