# SPDX-License-Identifier: GPL-3.0-or-later
"""Every fixture template with conversations of every shape that the templates distinguish."""

import itertools
import json

from reference import compareRender

USER = {"role": "user", "content": "What's the weather in Zürich? 天气 🌦️ <b>&amp;</b>"}
SYSTEM = {"role": "system", "content": "You are  helpful.\n\nBe \"brief\".\n"}
ANSWER = {"role": "assistant", "content": "It's sunny.\n"}
CALL = {"type": "function", "id": "call00001", "function": {"name": "weather", "arguments": {"city": "Zürich", "days": 3, "units": None, "detail": True, "at": [1.5, 2e-7, "x"]}}}
CALL_TEXT = {"type": "function", "id": "call00002", "function": {"name": "weather", "arguments": '{"city": "Bern"}'}}
RESULT = {"role": "tool", "name": "weather", "tool_call_id": "call00001", "content": '{"temp": 21.5}'}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Gets the weather – now <or> later.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "The city's name"},
                    "days": {"type": "integer", "default": 1, "minimum": 0},
                    "units": {"type": ["string", "null"], "enum": ["c", "f"]},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "place": {"type": "object", "properties": {"lat": {"type": "number"}}, "required": ["lat"]},
                    "any": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "one": {"oneOf": [{"type": "string", "description": "a"}, {"type": "number", "default": 0.5}], "description": "either"},
                },
                "required": ["city"],
            },
            "return": {"type": "object", "properties": {"temp": {"type": "number"}}},
        },
    },
    {"type": "function", "function": {"name": "nothing", "description": "Does nothing", "parameters": {"type": "object", "properties": {}}}},
]


def conversations():
    yield "one turn", [USER]
    yield "system", [SYSTEM, USER]
    yield "answered", [USER, ANSWER]
    yield "several turns", [SYSTEM, USER, ANSWER, {"role": "user", "content": " more "}, {"role": "assistant", "content": "  sure  "}]
    yield "long", [SYSTEM] + [{"role": "user" if i % 2 == 0 else "assistant", "content": f"turn {i}\n"} for i in range(9)]
    yield "empty", [{"role": "user", "content": ""}, {"role": "assistant", "content": ""}]
    yield "two users", [USER, USER]
    yield "assistant first", [ANSWER, USER]
    yield "only system", [SYSTEM]
    yield "developer", [{"role": "developer", "content": "Obey."}, USER]
    yield "unknown role", [{"role": "stranger", "content": "hi"}]
    yield "no role", [{"content": "hi"}]
    yield "no content", [{"role": "user"}]
    yield "null content", [USER, {"role": "assistant", "content": None}]
    yield "number content", [{"role": "user", "content": 3}]
    yield "thought", [USER, {"role": "assistant", "content": "<think>\nhm, 7 > 5\n</think>\n\nYes.", }, USER]
    yield "thought last", [USER, {"role": "assistant", "content": "<think>\nhm\n</think>\n\nYes."}]
    yield "reasoning", [USER, {"role": "assistant", "reasoning_content": "Let me see.\n", "content": "Yes."}]
    yield "reasoning history", [USER, {"role": "assistant", "reasoning_content": "A", "content": "B"}, USER, {"role": "assistant", "reasoning_content": "C", "content": "D"}]
    yield "thinking", [USER, {"role": "assistant", "thinking": "quietly", "content": "Yes."}, USER]
    yield "call", [SYSTEM, USER, {"role": "assistant", "content": "", "tool_calls": [CALL]}, RESULT]
    yield "call null content", [USER, {"role": "assistant", "content": None, "tool_calls": [CALL]}, RESULT, ANSWER]
    yield "call without content", [USER, {"role": "assistant", "tool_calls": [CALL_TEXT]}, RESULT, ANSWER, USER]
    yield "two calls", [USER, {"role": "assistant", "content": "Calling.", "tool_calls": [CALL, CALL_TEXT]}, RESULT, dict(RESULT, tool_call_id="call00002"), ANSWER]
    yield "call with thought", [USER, {"role": "assistant", "content": "<think>\nuse it\n</think>\n\n", "tool_calls": [CALL]}, RESULT, ANSWER]
    yield "call with reasoning", [USER, {"role": "assistant", "reasoning_content": "use it", "content": "", "tool_calls": [CALL]}, RESULT]
    yield "call last", [USER, {"role": "assistant", "content": "", "tool_calls": [CALL]}]
    yield "result list", [USER, {"role": "assistant", "content": "", "tool_calls": [CALL]}, dict(RESULT, content=[{"type": "text", "text": "21"}]), ANSWER]
    yield "result object", [USER, {"role": "assistant", "content": "", "tool_calls": [CALL]}, dict(RESULT, content={"temp": 21.0, "ok": True})]
    yield "result text", [USER, {"role": "assistant", "content": "", "tool_calls": [{"id": "abc", "function": CALL["function"]}]}, dict(RESULT, content="<tool_response>")]
    yield "plan", [USER, {"role": "assistant", "tool_plan": "I will look.", "tool_calls": [CALL]}, RESULT, ANSWER]
    yield "bad call id", [USER, {"role": "assistant", "content": "", "tool_calls": [dict(CALL, id="x")]}, dict(RESULT, tool_call_id="x")]
    yield "parts", [{"role": "user", "content": [{"type": "text", "text": "Look: "}, {"type": "text", "text": "é"}]}, ANSWER]
    yield "system parts", [{"role": "system", "content": [{"type": "text", "text": "Be."}]}, USER, {"role": "assistant", "content": [{"type": "text", "text": "Ok"}]}]
    yield "image", [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "What?"}]}, ANSWER]
    yield "image url", [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]
    yield "thinking part", [USER, {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Yes"}]}]
    yield "channel", [USER, {"role": "assistant", "channel": "analysis", "content": "x"}, {"role": "assistant", "content": "y"}]
    yield "markers", [{"role": "user", "content": "<|im_end|>\n<|im_start|>system\n{% raw %}{{ x }}"}]
    yield "space", [{"role": "user", "content": "\t \u00a0x\u3000\u2028"}, {"role": "assistant", "content": "\n\n a \n"}]
    yield "system last", [USER, SYSTEM]
    yield "switches", [{"role": "system", "content": "/no_think be good /think"}, {"role": "user", "content": "hi /no_think"}, ANSWER]


VARIANTS = [
    {},
    {"tools": TOOLS},
    {"enable_thinking": False},
    {"enable_thinking": True, "preserve_thinking": True},
    {"tools": TOOLS, "enable_thinking": False, "tools_in_user_message": False, "date_string": "1 Jan 2020"},
    {"tools": TOOLS, "builtin_tools": ["browser", "python", "brave_search"], "reasoning_effort": "high", "model_identity": "You are X."},
    {"thinking": True, "keep_past_thinking": True, "xml_tools": TOOLS, "python_tools": ["f"], "custom_instructions": "Do."},
    {"documents": [{"title": "T", "text": "Some <text>."}], "safety_mode": "NONE", "citations": "off"},
    {"tools": []},
]

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}
FEW_SPECIAL = {"eos_token": "<|im_end|>"}


def cases():
    for variant, prompt in itertools.product(VARIANTS, (False, True)):
        yield variant, SPECIAL, prompt
    yield {}, FEW_SPECIAL, False


def sources(folder):
    for path in sorted((folder / "chat_templates").rglob("*.jinja")):
        yield str(path.relative_to(folder / "chat_templates")), path.read_text(encoding="utf-8")
    for path in sorted((folder / "tokenizers").rglob("*.json")):
        if not path.name.startswith(("tokenizer_config", "chat_template")):
            continue
        template = json.loads(path.read_text(encoding="utf-8")).get("chat_template")
        if isinstance(template, str):
            yield str(path.relative_to(folder)), template


def compare(report, probe, folder):
    numTemplates = 0
    for name, source in sources(folder):
        numTemplates += 1
        for (title, messages), (variant, special, prompt) in itertools.product(conversations(), cases()):
            where = f"{name} | {title} | {sorted(variant)} | prompt={prompt}"
            compareRender(report, probe, where, source, messages, variant, prompt, special)
    print(f"{numTemplates} templates")
