// SPDX-License-Identifier: GPL-3.0-or-later
//! Chat templates: Jinja2 as transformers sets it up, with Python's values and printing.

mod budget;
mod clock;
mod error;
mod names;
mod run;
mod syntax;
mod tree;
mod values;

pub use clock::Clock;
pub use error::{Error, Kind, Result};
pub use tree::Name;
pub use values::json_read::parse as parse_json;
pub use values::value::{insert, Dict, Value};

use std::sync::{Mutex, MutexGuard, PoisonError};

use run::machine::Interp;
use syntax::statements::parse;
use tree::Stmt;
use values::value::Scope;

/// A parsed template; rendered by any thread.
pub struct Template {
    source: String,
    /// Trees that nobody renders at the moment. Each rendering has one to itself: threads that count the uses of the same
    /// names and texts would wait for one another at each of them.
    idle: Mutex<Vec<Vec<Stmt>>>,
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
        let parsed = parse(source)?;
        let idle = Mutex::new(vec![parsed.body]);
        Ok(Self { source: source.to_string(), idle, has_generation: parsed.has_generation })
    }

    pub fn render(&self, variables: &[(Name, Value)], clock: Option<Clock>) -> Result<Rendered> {
        let globals = Scope::new(None);
        for (name, value) in variables {
            globals.set(name, value.clone());
        }
        let body = self.take()?;
        let mut interp = Interp::new(clock);
        let text = interp.run(&body, &Scope::new(Some(globals)));
        self.idle().push(body);
        Ok(Rendered { text: text?, spans: std::mem::take(&mut interp.spans), has_generation: self.has_generation })
    }

    fn take(&self) -> Result<Vec<Stmt>> {
        let idle = self.idle().pop();
        idle.map_or_else(|| parse(&self.source).map(|parsed| parsed.body), Ok)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Vec<Stmt>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
