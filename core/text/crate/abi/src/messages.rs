// SPDX-License-Identifier: GPL-3.0-or-later
//! What transformers' apply_chat_template hands to a template: special tokens, and the messages, keys without a value
//! dropped, reasoning under the names that templates look for.

use failure::{Failure, Outcome};
use jinja::{insert, Dict, Name, Value};

/// What templates see of the special tokens that have a name.
pub fn variables_of(special_tokens: &[(String, String)]) -> Vec<(Name, Value)> {
    special_tokens.iter().map(|(name, text)| (name.as_str().into(), Value::str(text.as_str()))).collect()
}

pub fn prepare_messages(messages: &Value) -> Outcome<Value> {
    let Value::List(list) = messages else { return refuse("messages must be a list") };
    if list.items.is_empty() {
        return refuse("a conversation needs at least one message");
    }
    let mut prepared = Vec::new();
    for (at, message) in list.items.iter().enumerate() {
        let Value::Dict(dict) = message else {
            return refuse(format!("message {at} must be an object, not {}", message.type_name()));
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

fn refuse<T>(message: impl std::fmt::Display) -> Outcome<T> {
    Err(Failure::invalid(format!("chat: {message}")))
}
