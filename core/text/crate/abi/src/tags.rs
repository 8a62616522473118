// SPDX-License-Identifier: GPL-3.0-or-later
//! Where generation tags go in models' own templates in which the assistant's turns could not be told otherwise.
//!
//! A template is known by its hash, and an entry is places in it, nothing of its text: the tags are put in when a model
//! is opened, and count only where the template then renders sample conversations to the same bytes as before.
//! `core/text/generation_tags` makes an entry of a template and a copy of it with tags.

use jinja::{parse_json, Clock, Name, Template, Value};

use crate::messages::{prepare_messages, variables_of};

/// A tag is put in before the byte at this offset: tags that open a block and tags that close it take turns.
#[derive(Clone, Copy)]
enum Place {
    /// Of what stands outside of a printed expression.
    Plain(usize),
    /// Of a text in single quotes that is printed, which becomes two: 'a' + x → 'a', the tag, '' + x.
    Quoted(usize),
}
use Place::{Plain, Quoted};

/// Whether a turn lies between two tags, or between several pairs of them that follow one another.
#[derive(Clone, Copy, PartialEq)]
pub enum Turns {
    Whole,
    InPieces,
}
use Turns::{InPieces, Whole};

const KNOWN: &[(u64, Turns, &[Place])] = &[
    // DeepSeek-V3, as trl has it: behind a tool's answer it writes no header, and none of its prompts tells where a call
    // begins.
    (
        0x4526F885D718FA95,
        InPieces,
        &[
            Quoted(922),
            Plain(1148),
            Quoted(1179),
            Plain(1431),
            Plain(1484),
            Plain(1692),
            Plain(1717),
            Plain(1776),
            Quoted(1911),
            Plain(1967),
            Quoted(2156),
            Plain(2201),
        ],
    ),
    // gpt-oss, which prints calls in a form of its own. The places are those of trl's training variant of it.
    (0x5DA66262D54A9064, Whole, &[Plain(12990), Plain(16112)]),
    // Command R7B, for tools: it prints a call in a form of its own, and answers in a system's turn.
    (0x00EB9DDAA049F1B0, Whole, &[Plain(10281), Plain(10799)]),
    // Mistral Small 3.2, Mistral Nemo and Ministral 3, which allow an answer behind its call only.
    (0xD61A5330B0383135, Whole, &[Plain(4703), Plain(5891)]),
    (0x20783E9D94168233, Whole, &[Plain(2418), Plain(3006), Plain(3062), Plain(3098)]),
    (0xFF78F8851B2FF16F, Whole, &[Plain(4443), Plain(5817)]),
];

/// The template with its tags, where they are known and hold.
pub fn with_tags(source: &str, plain: &Template, special_tokens: &[(String, String)]) -> Option<(Template, Turns)> {
    let hash = hash(source);
    let (_, turns, places) = KNOWN.iter().find(|(known, ..)| *known == hash)?;
    let tagged = Template::parse(&tagged(source, places)?).ok()?;
    renders_the_same(plain, &tagged, special_tokens).then_some((tagged, *turns))
}

/// FNV-1a in 64 bits, less the line feed that a file may end with and Jinja drops. What it names is proved anyway.
fn hash(source: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    source.strip_suffix('\n').unwrap_or(source).bytes().fold(0xCBF2_9CE4_8422_2325, step)
}

fn tagged(source: &str, places: &[Place]) -> Option<String> {
    let mut text = String::with_capacity(source.len() + 40 * places.len());
    let mut from = 0;
    for (number, place) in places.iter().enumerate() {
        let tag = if number % 2 == 0 { "{% generation %}" } else { "{% endgeneration %}" };
        let (Plain(at) | Quoted(at)) = *place;
        text.push_str(source.get(from..at)?);
        match place {
            Plain(_) => text.push_str(tag),
            Quoted(_) => text.extend(["'}}", tag, "{{'"]),
        }
        from = at;
    }
    text.push_str(source.get(from..)?);
    Some(text)
}

/// Calls, several at once and one after another, with and without content, answers, thoughts, and none of that.
const SAMPLES: [&str; 4] = [
    r#"[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]"#,
    r#"[{"role": "system", "content": "s"}, {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b", "tool_calls": [
            {"id": "000000001", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1}"}},
            {"id": "000000002", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
        {"role": "tool", "content": "c", "tool_call_id": "000000001"},
        {"role": "tool", "content": "d", "tool_call_id": "000000002"},
        {"role": "assistant", "content": "<think>\ne\n</think>\n\nf"}, {"role": "user", "content": "g"},
        {"role": "assistant", "content": "h", "reasoning_content": "i"}]"#,
    r#"[{"role": "user", "content": "a"},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "000000001", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1}"}}]},
        {"role": "tool", "content": "b", "tool_call_id": "000000001"},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "000000002", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 2}"}},
            {"id": "000000003", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 3}"}}]},
        {"role": "tool", "content": "c", "tool_call_id": "000000002"},
        {"role": "tool", "content": "d", "tool_call_id": "000000003"},
        {"role": "assistant", "content": "e"}, {"role": "user", "content": "f"},
        {"role": "assistant", "content": "", "tool_calls": [
            {"id": "000000004", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "content": "g", "tool_call_id": "000000004"}]"#,
    r#"[{"role": "user", "content": "a"},
        {"role": "assistant", "tool_calls": [
            {"id": "000000001", "type": "function", "function": {"name": "f", "arguments": {"x": 1}}}]},
        {"role": "tool", "content": "b", "tool_call_id": "000000001"},
        {"role": "assistant", "content": "c"}]"#,
];

const NOON: Clock = Clock { year: 2024, month: 1, day: 1, hour: 12, minute: 0, second: 0 };

/// Whether all samples give the same text, and at least one a tagged turn; what one template refuses both do.
fn renders_the_same(plain: &Template, tagged: &Template, special_tokens: &[(String, String)]) -> bool {
    let mut marks = false;
    for sample in SAMPLES {
        for prompt in [false, true] {
            let Some(variables) = variables(sample, prompt, special_tokens) else { return false };
            match (plain.render(&variables, Some(NOON)), tagged.render(&variables, Some(NOON))) {
                (Ok(before), Ok(after)) if before.text == after.text => marks |= !after.spans.is_empty(),
                (Err(_), Err(_)) => {}
                _ => return false,
            }
        }
    }
    marks
}

fn variables(sample: &str, prompt: bool, special_tokens: &[(String, String)]) -> Option<Vec<(Name, Value)>> {
    let mut variables = variables_of(special_tokens);
    variables.push(("messages".into(), prepare_messages(&parse_json(sample).ok()?).ok()?));
    variables.push(("tools".into(), Value::None));
    variables.push(("documents".into(), Value::None));
    variables.push(("add_generation_prompt".into(), Value::Bool(prompt)));
    Some(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "{% for m in messages %}{{ '<' + m.role + '>' + (m.content or '') + '</>' }}\n{% endfor %}";

    /// The tags hold if the template renders as before.
    fn hold(places: &[Place]) -> bool {
        let plain = Template::parse(SOURCE).unwrap();
        tagged(SOURCE, places)
            .and_then(|text| Template::parse(&text).ok())
            .is_some_and(|tagged| renders_the_same(&plain, &tagged, &[]))
    }

    fn behind(text: &str) -> usize {
        SOURCE.find(text).unwrap() + text.len()
    }

    #[test]
    fn hold_where_the_template_renders_as_before() {
        assert!(hold(&[Quoted(behind("+ '>")), Plain(behind("'</>' }}\n"))]));
        assert!(hold(&[Quoted(behind("+ '>")), Quoted(behind("+ '</>"))]));
    }

    #[test]
    fn do_not_hold_elsewhere() {
        assert!(!hold(&[Quoted(behind("+ '>")), Plain(behind("'</>' }}"))])); // the tag takes the line feed along
        assert!(!hold(&[Plain(behind("+ '>")), Plain(behind("'</>' }}\n"))])); // within an expression
        assert!(!hold(&[Quoted(behind("m.role")), Quoted(behind("+ '</>"))]));
        assert!(!hold(&[Plain(SOURCE.len() + 1), Plain(SOURCE.len() + 2)]));
        assert!(!hold(&[]));
    }

    #[test]
    fn known_templates_are_known_once_and_their_places_ascend() {
        for (number, (hash, _, places)) in KNOWN.iter().enumerate() {
            assert!(KNOWN[..number].iter().all(|(other, ..)| other != hash));
            let offsets: Vec<usize> = places.iter().map(|(Plain(at) | Quoted(at))| *at).collect();
            assert!(places.len() % 2 == 0 && offsets.is_sorted());
        }
    }
}
