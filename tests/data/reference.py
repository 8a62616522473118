# SPDX-License-Identifier: GPL-3.0-or-later
"""Our ids and masks against transformers' apply_chat_template(return_assistant_tokens_mask=True).

Exit codes: 0 equal, 1 not, 77 nothing to compare with.
"""

import argparse
import os
import sys

from reference_files import HARD_TEXTS, SKIPPED, fixtures_of, ours, read_json, tokenizer_folder, write_rows

CASES = (("qwen3", "qwen3_training.jinja"), ("gpt-oss", "gptoss_training.jinja"))


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", required=True)
    parser.add_argument("--checkout", required=True)
    return parser.parse_args()


def rows(fixtures):
    """Conversations in OpenAI's form: real ones, and hard texts in several turns."""
    datasets = os.path.join(fixtures, "datasets")
    for row in read_json(os.path.join(datasets, "openai_toy_chat_fine_tuning.jsonl")):
        yield row["messages"]
    for name in ("alpaca_en_demo.json", "alpaca_zh_demo.json"):
        for row in read_json(os.path.join(datasets, "llama_factory", name)):
            if row["output"]:
                yield [{"role": "user", "content": row["instruction"] + ("\n" + row["input"] if row["input"] else "")},
                       {"role": "assistant", "content": row["output"]}]
    for first in HARD_TEXTS:
        for second in HARD_TEXTS:
            yield [{"role": "system", "content": second}, {"role": "user", "content": first},
                   {"role": "assistant", "content": second}, {"role": "user", "content": second},
                   {"role": "assistant", "content": first}]


def compare(probe, fixtures, name, template_name):
    from transformers import AutoTokenizer

    with tokenizer_folder(fixtures, name) as folder:
        template = os.path.join(fixtures, "chat_templates/trl", template_name)
        data = os.path.join(folder, "rows.jsonl")
        conversations = list(rows(fixtures))
        write_rows(data, ({"messages": messages} for messages in conversations))
        found = ours(probe, folder, template, {"files": [data]})
        tokenizer = AutoTokenizer.from_pretrained(folder)
        with open(template, encoding="utf-8") as file:
            tokenizer.chat_template = file.read()
        problems, trained = [], 0
        for number, messages in enumerate(conversations, 1):
            theirs = tokenizer.apply_chat_template(messages, return_dict=True, return_assistant_tokens_mask=True)
            row = found.get(number, {"dropped": "the row is missing"})
            if "dropped" in row:
                problems.append(f"{name}, row {number}: {row['dropped']}")
            elif row["ids"] != theirs["input_ids"]:
                problems.append(f"{name}, row {number}: other ids")
            elif row["trained"] != theirs["assistant_masks"]:
                problems.append(f"{name}, row {number}: another mask: {messages}")
            trained += sum(theirs["assistant_masks"])
        print(f"{name} with {template_name}: {len(conversations)} rows, {trained} trained tokens, "
              f"{len(problems)} differences")
        return problems


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
    problems = [problem for name, template in CASES for problem in compare(options.probe, fixtures, name, template)]
    print("\n".join(problems[:20]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
