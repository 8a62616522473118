# SPDX-License-Identifier: GPL-3.0-or-later
"""How many of the random tool conversations transformers renders with each fixture template, and what the template says of
the others, against golden/tools.md.

Exit codes: 0 equal, 1 not, 77 nothing to compare with.
"""

import argparse
import copy
import itertools
import json
import pathlib
import subprocess
import sys

from reference_files import SKIPPED, fixtures_of


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", required=True)
    parser.add_argument("--checkout", required=True)
    return parser.parse_args()


def table(checkout):
    """Template → how many rows it prints, as the table says; template → how many it refuses with which words."""
    lines = (pathlib.Path(checkout) / "tests/data/golden/tools.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("|")]
    refusals = {}
    for row in cells:
        if row[1].startswith("why: "):
            refusals.setdefault(row[1].removeprefix("why: "), {})[row[3]] = int(row[2].split()[0])
    return {row[1]: int(row[2]) for row in cells if row[2].isdigit() and not row[1].endswith(", unknown")}, refusals


def glaive(fixtures):
    """The real set, as messages: its calls have no ids."""
    roles = {"human": "user", "gpt": "assistant", "observation": "tool", "function_call": "assistant"}
    path = pathlib.Path(fixtures) / "datasets/llama_factory/glaive_toolcall_en_demo.json"
    for row in json.loads(path.read_text(encoding="utf-8")):
        messages = []
        for turn in row["conversations"]:
            message = {"role": roles[turn["from"]], "content": turn["value"]}
            if turn["from"] == "function_call":
                call = {"type": "function", "function": json.loads(turn["value"])}
                message.update(content="", tool_calls=[call])
            messages.append(message)
        tools = [{"type": "function", "function": tool} for tool in json.loads(row.get("tools") or "[]")]
        yield {"messages": messages, "tools": tools or None}


def placed(messages, source):
    """The messages with their thoughts where the template reads them, as people who train put them there."""
    messages = [{key: value for key, value in message.items() if value is not None} for message in copy.deepcopy(messages)]
    for message in messages:
        if "reasoning_content" in source or "reasoning_content" not in message:
            continue
        thought = message.pop("reasoning_content")
        if any(name in source for name in ("message.thinking", "message['thinking']", 'message["thinking"]')):
            message["thinking"] = thought
        else:
            message["content"] = f"<think>\n{thought}\n</think>\n\n{message.get('content') or ''}"
    return messages


def with_objects(messages):
    """The arguments of calls as objects, which most templates want."""
    for message in messages:
        for call in message.get("tool_calls", []):
            if isinstance(call["function"]["arguments"], str):
                call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return messages


def with_texts(messages):
    """An empty text beside calls where there is none, which templates that look into the text want."""
    return [{"content": "", **message} if message.get("tool_calls") else message for message in messages]


def with_json(messages):
    """The arguments of calls as JSON in texts, which DeepSeek's templates want."""
    for message in messages:
        for call in message.get("tool_calls", []):
            if isinstance(call["function"]["arguments"], dict):
                call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    return messages


def with_ids(messages):
    """Ids of nine digits, which Mistral's templates want: an answer has that of the first call that has none yet."""
    number, calls = 0, []
    for message in messages:
        for call in message.get("tool_calls", []):
            number += 1
            calls.append((call.get("id"), f"{number:09}"))
            call["id"] = calls[-1][1]
        if message["role"] == "tool":
            given = message.get("tool_call_id")
            found = next((call for call in calls if given is None or call[0] == given), None)
            if found:
                message["tool_call_id"] = found[1]
                calls.remove(found)
    return messages


def refusal(messages, row, source):
    """What the template says of such messages; empty where it prints them."""
    from transformers.utils.chat_template_utils import render_jinja_template

    try:
        render_jinja_template([messages], tools=row.get("tools"), chat_template=source, bos_token="<s>", eos_token="</s>")
    except Exception as error:  # whatever the template meets
        return str(error)
    return ""


def refusal_of(row, source):
    """The same of a row in any form; of one that it prints in none, with ids, objects and texts."""
    def as_they_are(messages):
        return messages

    for identified, argued, filled in itertools.product((as_they_are, with_ids), (with_objects, with_json), (as_they_are, with_texts)):
        if not refusal(filled(argued(identified(placed(row["messages"], source)))), row, source):
            return ""
    return refusal(with_texts(with_objects(with_ids(placed(row["messages"], source)))), row, source)


def main():
    options = arguments()
    fixtures = fixtures_of(options.checkout)
    if fixtures is None:
        return SKIPPED
    try:
        import transformers  # noqa: F401
    except ImportError:
        print("skipped: transformers is not installed here; packaging/setup fetches it")
        return SKIPPED
    rows = [json.loads(line) for line in subprocess.run([options.probe], capture_output=True, text=True, check=True).stdout.splitlines()]
    real = list(glaive(fixtures))
    (known, why), differences = table(options.checkout), 0
    folder = pathlib.Path(fixtures) / "chat_templates"
    for path in sorted(folder.rglob("*.jinja")):
        name, source = str(path.relative_to(folder).with_suffix("")), path.read_text(encoding="utf-8")
        for line, chats in ((name, rows), (f"glaive, {name}", real)):
            refusals = [words for words in (refusal_of(row, source) for row in chats) if words]
            rendered = len(chats) - len(refusals)
            if rendered != known.get(line):
                print(f"{line}: transformers renders {rendered} of {len(chats)} rows, the table says {known.get(line)}")
                differences += 1
            told = why.pop(line, {})
            counts = {words: sum(words in refusal for refusal in refusals) for words in told}
            if counts != told or sum(counts.values()) != len(refusals):
                print(f"{line}: refused for {sorted(set(refusals))}, {counts}; the table says {told}")
                differences += 1
    differences += len(why)
    print(f"{len(known)} lines, {len(rows)} and {len(real)} rows, {differences} differences")
    return 1 if differences or not known else 0


if __name__ == "__main__":
    sys.exit(main())
